"""What stands under figures and tables, on pages and in reports alike."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.engine.types import Cohort
from cacviz.wording.words import counted

MAP = "Orientation, not proof: near means similar, but distances between groups mean little."
DESCRIBES = (
    "These features made the subtypes, so they differ by construction: the list is ranked by how "
    "much (in standard deviations within the two subtypes), and no p-value is given. Table 1 has the q that readers of "
    "papers look for, headed as what it is: it describes and does not test. "
    "A difference on held-out patients below 0 is reversed there. Rank stability: given these "
    "subtypes, in how many resamples of patients it stays among the {top} strongest; it does not "
    "tell whether the subtypes themselves would be found again."
)
TESTED = (
    "Only the outcome and columns kept out of clustering (external check, sensitive, treatment, time and event) can be "
    "tested; p-values are adjusted by Holm's method over all of them. Subtypes with fewer than 5 held-out patients take no part."
)
EFFECTS = (
    "In standard deviations within the two subtypes; above {largest:g} of them no more is told. A held-out "
    "difference below 0 is reversed there."
)
PROFILE = (
    "How far the mean of a subtype is from that of all training patients, in standard deviations of all of them. What differs "
    "counts by the spread within subtypes instead, and so has other figures."
)


def map_of(drawn: int, total: int) -> str:
    """The map of a sample of patients."""
    return f"{MAP} {drawn:,} of {total:,} patients are drawn, in the same proportions."


def controls(n_test: int) -> str:
    """What the table of controls rests on."""
    return (
        f"{n_test:,} held-out patients; 95% bootstrap intervals. The words take into account that several controls are "
        "looked at (Holm); a little: less than a tenth of what the control has beyond chance. The same method with one "
        "subtype keeps its own settings; the plain models have theirs chosen, and learn from the patients to tune by as well."
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
        f"Training patients.{sample} Below 0 a patient lies nearer to another subtype. k-means on the same space reaches "
        f"{kmeans:.3f}; it looks for compact groups only."
    )
