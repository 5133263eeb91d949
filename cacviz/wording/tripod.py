"""TRIPOD+AI (Collins et al. 2024), each item in our own short words, and who can fill it.

27 items, 52 with their parts. `how` is "software" where a run tells it, "authors" where only people
can, or "none" where it does not apply to what this software does, with the reason.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

How = Literal["software", "authors", "none"]


class Item(NamedTuple):
    number: str
    topic: str
    asks: str
    how: How
    hint: str = ""  # what authors should write, or why it does not apply


ITEMS = (
    Item("1", "Title", "The study as one of a prediction model, its population and outcome", "software"),
    Item("2", "Abstract", "An abstract after TRIPOD+AI for Abstracts", "authors", "Write it from the section In short."),
    Item("3a", "Background", "Context, rationale and existing models", "authors", "Say whether this is diagnosis or prognosis, and which models there are."),
    Item("3b", "Background", "Population, purpose and users in the care pathway", "authors", "Say who would use subtypes or risks, when, for what."),
    Item("3c", "Background", "Known inequalities in health between groups", "authors", "Name them for this disease and setting."),
    Item("4", "Objectives", "Development, evaluation, or both", "software"),
    Item("5a", "Data", "Sources of data and how well they represent", "authors", "Say where the file comes from and whom it stands for."),
    Item("5b", "Data", "Dates of the data and of follow-up", "authors", "Give first and last admission and end of follow-up."),
    Item("6a", "Participants", "Setting, number and place of centres", "authors", "Describe the hospitals or practices."),
    Item("6b", "Participants", "Who could take part", "software"),
    Item("6c", "Participants", "Treatments and how they were handled", "software"),
    Item("7", "Data preparation", "Cleaning and checks of quality", "software"),
    Item("8a", "Outcome", "The outcome, its horizon, how and when assessed", "software", "Add when and by whom it was assessed."),
    Item("8b", "Outcome", "Who assessed it, where judgement was needed", "authors", "Leave out where the outcome needs no judgement, and say so."),
    Item("8c", "Outcome", "Blinding of its assessment", "authors", "Say whether assessors knew the predictors."),
    Item("9a", "Predictors", "How predictors were chosen beforehand", "software"),
    Item("9b", "Predictors", "Each predictor, how and when measured", "software", "Add when and how each was measured."),
    Item("9c", "Predictors", "Who assessed them, where judgement was needed", "authors", "Leave out where none needs judgement, and say so."),
    Item("10", "Sample size", "How the size was arrived at", "software", "Justify it; the software gives patients and events a feature."),
    Item("11", "Missing data", "How missing values were handled", "software"),
    Item("12a", "Analysis", "How data were used and divided", "software"),
    Item("12b", "Analysis", "How predictors were handled", "software"),
    Item("12c", "Analysis", "Type of model, building, tuning, internal validation", "software"),
    Item("12d", "Analysis", "Differences between centres", "none", "The run takes no account of centres; run it within each, or hold one out."),
    Item("12e", "Analysis", "Measures and plots of performance", "software"),
    Item("12f", "Analysis", "Updating of the model", "none", "The model was not updated."),
    Item("12g", "Analysis", "How predictions were computed", "software"),
    Item("13", "Class imbalance", "Methods for rare outcomes", "software"),
    Item("14", "Fairness", "What was done for fairness", "software", "Say which groups matter and what was done."),
    Item("15", "Model output", "Probabilities or classes, thresholds", "software"),
    Item("16", "Development and evaluation", "Differences between the two sets of patients", "software"),
    Item("17", "Ethics", "Approval and consent", "authors", "Name the committee and the number."),
    Item("18a", "Open science", "Funding", "authors", "Name funders and their role."),
    Item("18b", "Open science", "Conflicts of interest", "authors", "Declare them for all authors."),
    Item("18c", "Open science", "Protocol", "authors", "Say where it is, or that there was none."),
    Item("18d", "Open science", "Registration", "authors", "Give register and number, or say there was none."),
    Item("18e", "Open science", "Sharing of data", "authors", "Say who can get them and how."),
    Item("18f", "Open science", "Sharing of code", "software"),
    Item("19", "Patients and public", "Their involvement", "authors", "Describe it, or say there was none."),
    Item("20a", "Participants", "Flow of participants and outcomes", "software"),
    Item("20b", "Participants", "Characteristics, events, missing values", "software"),
    Item("20c", "Participants", "Comparison of development and evaluation patients", "software"),
    Item("21", "Development", "Participants and events in each analysis", "software"),
    Item("22", "Specification", "The whole model, for use by others", "software"),
    Item("23a", "Performance", "Performance with intervals, also of subgroups", "software"),
    Item("23b", "Performance", "Differences of performance between centres", "none", "Centres were not examined."),
    Item("24", "Updating", "Results of updating", "none", "The model was not updated."),
    Item("25", "Interpretation", "Overall interpretation, with fairness and earlier studies", "authors", "Start from the verdict."),
    Item("26", "Limitations", "Limitations and what follows from them", "software", "Add those of your setting."),
    Item("27a", "Use in care", "Poor or missing input", "software"),
    Item("27b", "Use in care", "What users have to do and know", "authors", "Research use only: say what would have to come first."),
    Item("27c", "Use in care", "Next steps", "authors", "Say what would show that it holds elsewhere."),
)  # fmt: skip
WHO = {"software": "filled by cacviz", "authors": "for the authors", "none": "not applicable"}
