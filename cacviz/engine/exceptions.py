"""What can go wrong, in words a clinician can act on."""


class CohortError(ValueError):
    """A cohort cannot be used as it is; the text says what, why and what to do."""


class ConfigError(ValueError):
    """A setting of a run is outside its range; the text names it and the range."""


class Stopped(Exception):  # noqa: N818 - a wish, not an error
    """Raised inside `on_step` to end a fit early; what was learned so far is given up."""


class DegenerateClusterWarning(UserWarning):
    """A cluster is too small, or has too few of one outcome, to carry a risk model of its own."""
