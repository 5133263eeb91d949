"""Method: how does it work?"""

import streamlit as st

from cacviz.ui.method import alpha, apart, deep, held_out, theorems, words
from cacviz.wording.method import INTRODUCTION

st.title("How does it work?")
pictures, run, glossary = st.tabs(["Six pictures", "The theorems for your run", "All words"])
with pictures:
    st.markdown(INTRODUCTION)
    alpha.show()
    apart.show()
    deep.margin()
    deep.border()
    deep.three_stages()
    held_out.show()
with run:
    theorems.show()
with glossary:
    words.show()
