"""What stands under figures and tables, on pages and in reports alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cacviz.engine.types import Cohort
from cacviz.wording.words import counted, listed, subtype_name

MOST_BELOW = 0.5
MAP = "Orientation, not proof: near means similar, but distances between groups mean little."
DESCRIBES = (
    "These features made the subtypes, so they differ by construction: the list is ranked by how "
    "much (in standard deviations within the two subtypes), and no p-value is given. Table 1 has the q that readers of "
    "papers look for, headed as what it is: it describes and does not test. "
    "Below 0 on held-out patients: the difference is the other way round there. Rank stability: given these "
    "subtypes, in how many resamples of patients it stays among the {top} strongest; it does not "
    "tell whether the subtypes themselves would be found again. Whether something was measured at all is not ranked: see Missing in Table 1."
)
TESTED = (
    "Only the outcome and columns kept out of clustering (external check, sensitive, treatment, time and event) can be "
    "tested; p-values are adjusted by Holm's method over all of them. Subtypes with fewer than 5 held-out patients take no part."
)
EFFECTS = (
    "In standard deviations within the two subtypes; {largest:g} is the most that is drawn. Below 0: "
    "on held-out patients the difference is the other way round."
)
PROFILE = (
    "How far the mean of a subtype is from that of all training patients, in standard deviations of all of them. What differs "
    "counts by the spread within subtypes instead, and so has other figures. * measured in fewer than half of the subtype: the mean "
    "of those who were."
)


def distribution(*, number: bool) -> str:
    """How to read one feature's distributions."""
    drawn = " Diamonds: means of all; the outer 1% are not drawn." if number else ""
    return f"Training patients, as found.{drawn} Pick a row of the table to see another feature."


def map_of(drawn: int, total: int) -> str:
    """The map of a sample of patients."""
    return f"{MAP} {drawn:,} of {total:,} patients are drawn, in the same proportions."


def controls(n_test: int, *, taught: bool) -> str:
    """What the table of controls rests on; `taught`: the run learned from those to tune by, too."""
    others = "as this run does" if taught else "which this run does not"
    return (
        f"{n_test:,} held-out patients; 95% bootstrap intervals over them: how far other held-out patients, not other "
        "training patients, would move a figure. The words take into account that several controls are "
        "looked at (Holm); a little: less than a tenth of what the control has beyond chance. The same method with one "
        f"subtype keeps its own settings; the plain models have theirs chosen, and learn from the patients to tune by as well, {others}."
    )


def followed_words(cohort: Cohort) -> str:
    """That curves have some whose outcome is not known though their time is; or empty."""
    times = cohort.names("time")
    if not times or not cohort.names("event"):
        return ""
    known = cohort.frame[times[0]].notna().to_numpy() & (cohort.y < 0)
    if not known.any():
        return ""
    n = int(known.sum())
    return (
        f"{counted(n, 'patient has', 'patients have')} a time though the outcome is not known, such as those whose follow-up "
        "ended early: as many of them in proportion are in the curves as of the others. Without them survival would look worse "
        "than it was."
    )


def rates(overall: Sequence[float]) -> str:
    """Outcome rates of subtypes; `overall` is the share of each class among all held-out patients."""
    line = f" Dotted line: all of them, {overall[1]:.1%}." if len(overall) == 2 else ""
    return (
        "On patients held out from training, who were assigned without their outcome; whiskers: 95% interval."
        + line
    )


def separation(drawn: int, total: int, kmeans: float) -> str:
    """The separation score of each training patient."""
    sample = f" A sample of {drawn:,} of {total:,}." if drawn < total else ""
    return (
        f"Training patients.{sample} Below 0 a patient is on average nearer to the patients of another subtype. k-means on the same space "
        f"reaches {kmeans:.3f}; it looks for compact groups only."
    )


LEARNED_SPACE = (
    "This space was learned so that subtypes lie tight and apart: a high score, and islands on the map, do not show that the "
    "groups exist."
)


def mostly_below(values: np.ndarray, clusters: np.ndarray) -> str:
    """The subtypes of which most patients are below 0, with their share; or empty."""
    shares = {int(j): float(np.mean(values[clusters == j] < 0)) for j in np.unique(clusters)}
    said = [f"{subtype_name(j)} ({s:.0%})" for j, s in shares.items() if s > MOST_BELOW]
    return f"Most patients of {listed(said)} are below 0: no group of its own." if said else ""
