"""The words of the app: what each means, and what it must not be taken for."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A word with its symbol, what it means, and its limit."""

    word: str
    meaning: str
    limit: str = ""


GLOSSARY: dict[str, Entry] = {
    "subtype": Entry(
        "Subtype",
        "A group of patients that the method found (in the paper: a cluster). New patients are sent to one by their features alone.",
        "A subtype is found by an algorithm in one cohort; it is not a disease until others find it too.",
    ),
    "k": Entry(
        "Number of subtypes (k)",
        "How many groups the method is asked for. k = 1 is the same method without subtypes.",
        "The method always returns k groups, also where there are none.",
    ),
    "alpha": Entry(
        "Outcome separation (α)",
        "How much the outcome shapes the groups. At 0 only similarity counts, as in k-means; the larger α, the further patients with and without the event lie apart inside each subtype.",
        "Beyond its critical value groups collapse onto the outcome. α of CAC and of DeepCAC are on different scales.",
    ),
    "critical": Entry(
        "Critical α",
        "The value of CAC's α from which one odd patient pays for itself: the smallest π(1 − π) over the k-means subtypes, π being the share with the event. The default is half of it.",
        "Collapse can begin a little earlier or later, above all with outliers.",
    ),
    "beta": Entry(
        "Subtype tightness (β)",
        "How strongly DeepCAC draws patients towards the centre of their subtype.",
        "Tight groups look convincing on a map; that is what they were trained to do.",
    ),
    "margin": Entry(
        "Margin (m)",
        "By how much a patient must point towards its own outcome's direction rather than the other's before DeepCAC lets it be.",
    ),
    "expert": Entry(
        "Subtype's risk model",
        "The model that turns a patient's features into a risk within one subtype (the paper's local classifier).",
        "With few patients it has little to learn from; DeepCAC may then let all subtypes share one.",
    ),
    "routing": Entry(
        "Routing, hard or soft",
        "Hard: a patient's risk comes from the nearest subtype alone (the paper). Soft: from all, weighted by how far the patient belongs to each.",
    ),
    "membership": Entry(
        "Membership and margin of a patient",
        "How far a patient belongs to each subtype, in per cent; the margin is the lead of the nearest. A small margin: the patient lies between two subtypes.",
    ),
    "embedding": Entry(
        "Embedding",
        "DeepCAC's description of a patient in 32 numbers, learned from the features and the outcome.",
    ),
    "held_out": Entry(
        "Held-out patients",
        "A quarter of the patients, drawn before anything is fitted. Nothing learns from them, and they are sent to subtypes without their outcome.",
        "They come from the same place and time as the others; another hospital is a harder test.",
    ),
    "control": Entry(
        "Controls",
        "Plain models on the same patients beside which every result stands: the same method with one subtype, logistic regression, gradient boosting.",
    ),
    "verdict": Entry(
        "Verdict",
        "Whether subtypes predict better than the same method without them, by held-out patients and with an interval.",
        "One split claims nothing below 40 held-out patients of the rarest outcome.",
    ),
    "auprc": Entry(
        "AUPRC",
        "Area under the precision-recall curve, averaged over the outcome's classes as in the paper: how many of those called high-risk really had the outcome, over all thresholds. 1 is perfect; chance is 1 divided by the number of classes.",
        "That of the event alone depends on how common the event is: compare it within one cohort only.",
    ),
    "auc": Entry(
        "AUC",
        "The chance that a patient with the event has a higher risk than one without. 0.5 is a coin toss, 1 is perfect.",
        "It says nothing about whether the risks are right in size: see calibration.",
    ),
    "interval": Entry(
        "Interval (95%)",
        "The range in which the value would lie in 95 of 100 samples of patients like these; from resampled patients or, for shares, Wilson's formula.",
        "It covers the luck of which patients were sampled, not a cohort that differs from yours.",
    ),
    "difference": Entry(
        "No clear difference",
        "The data do not show a difference. That is not proof that there is none.",
    ),
    "silhouette": Entry(
        "Separation score (silhouette)",
        "How much closer patients are to their own subtype than to the next: from −1 to 1, 0 at a border.",
        "It describes shapes. k-means finds 'separated' groups in pure noise too.",
    ),
    "map": Entry(
        "Patient map",
        "Patients in two dimensions so that neighbours stay neighbours (UMAP).",
        "Distances between far groups, and empty space, mean little. Nothing is proved on a map.",
    ),
    "effect": Entry(
        "Effect size",
        "The difference of two subtypes in standard deviations. 0.2 is small, 0.5 middling, 0.8 large.",
    ),
    "circular": Entry(
        "Describes, does not test",
        "Features that made the subtypes differ between them by construction, so their p-values mean nothing. Only the outcome and columns kept out of clustering are tested, on held-out patients.",
    ),
    "holm": Entry(
        "Adjusted p (Holm)",
        "A p-value made larger because several comparisons were made, so that all together err in at most 5 of 100.",
    ),
    "student": Entry(
        "Simplified explainer",
        "Small trees taught to imitate the run's risks inside a subtype, so that their factors can be read.",
        "It is another model. Below an R² of 0.7 with the run its factors are hints.",
    ),
    "shap": Entry(
        "SHAP value",
        "How much one feature raised or lowered one patient's risk in the explainer, against the average patient.",
        "It explains the model, not the body: a factor is not a cause.",
    ),
    "calibration": Entry(
        "Calibration",
        "Whether 20% risk means that 20 in 100 such patients have the event.",
    ),
    "threshold": Entry(
        "Threshold",
        "The risk from which a patient counts as high-risk. Sensitivity, specificity and predictive values belong to one threshold.",
    ),
    "net_benefit": Entry(
        "Net benefit (decision curve)",
        "True alarms minus false alarms, weighted by how many false alarms one would accept for a true one at this threshold.",
    ),
    "stability": Entry(
        "Stability",
        "How much of a subtype is found again when the method sees a resample of the patients (Jaccard: 1 all, 0 none), or how often a rank holds.",
        "A stable subtype need not matter, and a shape imposed by the method can be stable too.",
    ),
    "ari": Entry(
        "Adjusted Rand index (ARI)",
        "How far two groupings of the same patients agree: 1 the same, 0 as by chance.",
    ),
    "leak": Entry(
        "Leak",
        "A column that was known only after the outcome, or because of it. It makes every figure look better than it will be.",
    ),
    "missing": Entry(
        "Missing values",
        "Filled by the training patients' median; where being missing goes with the outcome, that is a feature of its own.",
    ),
    "rule": Entry(
        "Bedside rule",
        "A few cut-offs that send a patient to a subtype without a computer.",
        "It agrees with the run only as far as its kappa says.",
    ),
    "kappa": Entry(
        "Kappa",
        "Agreement beyond chance between the rule and the run: 1 full, 0 as by chance.",
    ),
    "validation": Entry(
        "External validation",
        "The same subtypes and risks, unchanged, on patients of another place or time.",
    ),
    "bound": Entry(
        "Bound of a theorem",
        "A value that a loss provably cannot pass. One that promises less than giving everybody the rate is void.",
    ),
    "log_loss": Entry(
        "Log loss",
        "The mean surprise at what happened, in nats: 0 when every outcome was predicted with certainty.",
    ),
}

LIMITS = (
    "Nothing here is causal: a risk factor moves the model's risk, it need not move the patient's.",
    "A method always finds subtypes, in pure noise too. Believe those that help held-out patients, are found again, and make sense to those who treat such patients.",
    "On the real cohorts measured so far subtypes did not clearly predict better than gradient boosting without them; their worth is then in the description.",
    "Held-out patients are of the same cohort. Before a subtype is used elsewhere, it must be validated there.",
    "For research; not a medical device.",
)
