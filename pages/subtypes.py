"""Subtypes: who are they?"""

import streamlit as st

from cacviz.ui.cohort import overview
from cacviz.ui.differences import views as differences
from cacviz.ui.shell import guards
from cacviz.ui.shell.layout import beside
from cacviz.ui.subtypes import cards, checking, focus, parts, patient_map, separation
from cacviz.ui.subtypes import run as views

st.title("Subtypes")
run, cohort = guards.require_run()
parts.status(run)
views.verdict(run, cohort)
names, titles = parts.names(run), parts.titles(run)
focus.take_clicks()
shown = focus.strip(run, titles)
checked = checking.stability(run)
title = views.outcome_title(run.summary, cohort)
cards.show_cards(run.summary, names, title, shown, checked)
checking.found_again(run, cohort, checked)
parts.edit_names(run)
patient_map.map_and_picked(run, cohort, titles, shown)
left, right = beside("rates", 2)
with left:
    views.rates(run, titles, shown, title)
with right:
    separation.separation(run, titles, shown)
described = parts.part_or_word(run, "described", cohort)
if described is not None:
    differences.heatmap(described, titles, shown)
    separation.survival_of(described, cohort, titles, shown)
views.controls(run)
overview.patients(cohort, run.part)
views.rounds_of(run)
