"""What drives the outcome inside each subtype: how far explainers follow, and the factors."""

from __future__ import annotations

from cacviz.figures import importances
from cacviz.report.blocks import Block, Callout, Grid, Heading, Paragraph, Picture, paragraphs
from cacviz.report.material import Material
from cacviz.wording import factor_tables
from cacviz.wording import factors as words
from cacviz.wording.reports import missing_line


def factors(m: Material) -> list[Block]:
    """Fidelity first, then the strongest factors of each subtype side by side."""
    students = m.part("students")
    if students is None:
        return [Paragraph(missing_line(["risk factors"]))]
    blocks: list[Block] = [*paragraphs(words.LEAD, words.shared_risk(m.run.summary.notes))]
    for view in students.views:
        outcome = words.risk_of(m.cohort, view.code)
        if len(students.views) > 1:
            blocks.append(Heading(f"Risk of {outcome}"))
        told = words.fidelity_sentence(view)
        blocks.append(Callout(told.text, "warning" if told.tone == "poor" else "hint"))
        frame = factor_tables.risk_factor_table(view, m.heads)
        if len(frame):
            caption = f"Strongest risk factors of {outcome} in each subtype."
            blocks.append(Grid(f"risk_factors_{view.code}", caption, frame.reset_index()))
        blocks += _bars(m, view, outcome)
    return blocks


def _bars(m: Material, view: object, outcome: str) -> list[Block]:
    students = view.students  # type: ignore[attr-defined]
    scale = importances.shared_scale(students)
    blocks: list[Block] = []
    for student in students:
        title = m.titles[student.cluster]
        doubt = words.not_ranked(m.part("performance"), view.code, student.cluster)  # type: ignore[attr-defined]
        said = f"{words.student_sentence(student)} {doubt}".strip()
        if student.factors:
            ways = [factor_tables.direction_word(f.direction) for f in student.factors]
            figure = importances.importance_bars(student, ways, scale=scale)
            name = f"risk_factors_{view.code}_{student.cluster + 1}"  # type: ignore[attr-defined]
            caption = f"{title}: strongest risk factors of {outcome}. {said} {words.BARS}"
            blocks.append(Picture(name, caption, figure))
        else:
            none = words.no_factor(student) if student.state in ("explains", "hints") else ""
            blocks += paragraphs(f"{title}: {said} {none}".strip())
    return blocks
