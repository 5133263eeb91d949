"""What a sweep looks at, and the fits that it needs; all scalars, so that it can be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.methods import METHODS, method_named
from cacviz.engine.running.studies import MOST_CLUSTERS
from cacviz.engine.types import RunConfig, Scalar

MOST_SEEDS, MOST_RESAMPLES, MOST_FITS = 20, 1_000, 20_000
HALVINGS = {True: 2, False: 4}  # of deep methods, of others
TWINS = {True: 9, False: 19}  # without subtypes, to tell what one population would show
FIT, NO_MARGIN, HALVES, TWIN, OWN_TWIN, PERMUTED, RESAMPLE = (
    *("fit", "no margin", "halves", "twin", "own twin"),
    *("permuted", "resample"),
)


class SweepCell(NamedTuple):
    """One piece of work: a fit, or fits of halves, of a twin without subtypes, of a resample.

    A fit without the margin is one of what the paper leaves out in turn, at the base weights.
    `number` is a fit's seed, else which halving, twin, permutation or resample it is; `clusters`
    is 0 where all of the plan's are looked at.
    """

    kind: str
    clusters: int
    alpha: float | None = None
    beta: float | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Numbers of clusters, weights and seeds; how often patients are halved, drawn and compared."""

    method: str
    clusters: tuple[int, ...] = (1, 2, 3, 4)
    alphas: tuple[float | None, ...] = (None,)  # None is the method's own
    betas: tuple[float | None, ...] = (None,)
    seeds: int = 3
    first_seed: int = 0
    resamples: int = 0
    halvings: int = 0
    twins: int = 0
    own_twins: int = 0  # with the cohort's own marginals
    permutations: int = 0
    settings: tuple[tuple[str, Scalar], ...] = ()

    def cells(self) -> list[SweepCell]:
        """Everything to do: fits first, a seed at a time, so that a stopped sweep has whole ones.

        What an α or β cannot change is fitted once.
        """
        found = [SweepCell(FIT, k, a, b, s) for s in self.fit_seeds() for k, a, b in self.points()]
        several = [k for k in self.clusters if k > 1]
        a, b = self.base()
        if self.looks_at_weights() and "margin" in METHODS[self.method].settings:
            found += [SweepCell(NO_MARGIN, k, a, b, s) for s in self.fit_seeds() for k in several]
        found += [SweepCell(HALVES, k, a, b, h) for h in range(self.halvings) for k in several]
        if several:
            found += [SweepCell(TWIN, 0, a, b, t) for t in range(self.twins)]
            found += [SweepCell(OWN_TWIN, 0, a, b, t) for t in range(self.own_twins)]
            found += [SweepCell(PERMUTED, 0, a, b, t) for t in range(self.permutations)]
        drawn = [(k, a, b) for k, a, b in self.points() if k > 1]
        found += [SweepCell(RESAMPLE, *point, r) for r in range(self.resamples) for point in drawn]
        return list(dict.fromkeys(found))

    def looks_at_weights(self) -> bool:
        """Whether there are several α or β, and so terms to leave out."""
        return len(self.alphas) * len(self.betas) > 1

    def fit_seeds(self) -> range:
        return range(self.first_seed, self.first_seed + self.seeds)

    def points(self) -> list[tuple[int, float | None, float | None]]:
        """Each k with the weights that tell fits of it apart."""
        every = [(k, a, b) for k in self.clusters for a in self.alphas for b in self.betas]
        return list(dict.fromkeys(self.point(*each) for each in every))

    def point(
        self, k: int, alpha: float | None, beta: float | None
    ) -> tuple[int, float | None, float | None]:
        """Where a k, α and β were fitted: without the weights that change nothing there."""
        if k == 1 and not METHODS[self.method].deep:
            return k, None, None
        return k, alpha, beta

    def base(self) -> tuple[float | None, float | None]:
        """The weights at which numbers of clusters are compared: the default, or the middle."""
        return _middle(self.method, "alpha", self.alphas), _middle(self.method, "beta", self.betas)

    def config(self, cell: SweepCell, k: int | None = None) -> RunConfig:
        """What is fitted: of a fit with its own seed, of anything else with the first."""
        seed = cell.number if cell.kind in (FIT, NO_MARGIN) else self.first_seed
        more = {"alpha": cell.alpha, "beta": cell.beta}
        if cell.kind == NO_MARGIN:
            more["margin"] = 0.0
        return RunConfig(self.method, k or cell.clusters, seed, self.settings, **_given(more))


def _given(settings: dict[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in settings.items() if value is not None}


def _middle(method: str, name: str, values: Sequence[float | None]) -> float | None:
    own = METHODS[method].default(name) if name in METHODS[method].settings else None
    if None in values or own in values:
        return own if own in values else None
    return sorted(v for v in values if v is not None)[len(values) // 2]


def sweep_plan(
    method: str,
    clusters: Sequence[int] = (1, 2, 3, 4),
    alphas: Sequence[float] = (),
    betas: Sequence[float] = (),
    *,
    seeds: int = 3,
    resamples: int = 0,
    **settings: Scalar | None,
) -> SweepPlan:
    """A checked plan, with as many halvings and twins as its method can afford."""
    found = method_named(method)
    if not found.clusters:
        raise ConfigError(f"'{method}' finds no subtypes, so there is no k to choose.")
    for name, values in (("alpha", alphas), ("beta", betas)):
        if values and name not in found.settings:
            raise ConfigError(f"'{method}' has no {name}: leave --{name}s out.")
        if any(v < 0 for v in values):
            raise ConfigError(f"--{name}s cannot be below 0.")
    ks = tuple(sorted(set(clusters)))
    if not ks or not all(1 <= k <= MOST_CLUSTERS for k in ks):
        raise ConfigError(f"Numbers of subtypes must be between 1 and {MOST_CLUSTERS}.")
    for name, value, low, most in (
        ("seeds", seeds, 1, MOST_SEEDS),
        ("resamples", resamples, 0, MOST_RESAMPLES),
    ):
        if not low <= value <= most:
            raise ConfigError(f"The number of {name} must be between {low} and {most:,}.")
    several = len(ks) > 1 and ks[-1] > 1
    plan = SweepPlan(
        method=method,
        clusters=ks,
        alphas=tuple(dict.fromkeys(float(a) for a in alphas)) or (None,),
        betas=tuple(dict.fromkeys(float(b) for b in betas)) or (None,),
        seeds=seeds,
        resamples=resamples,
        halvings=HALVINGS[found.deep] if several else 0,
        twins=TWINS[found.deep] if several and found.reads != "series" else 0,
        settings=tuple(sorted((n, v) for n, v in settings.items() if v is not None)),
    )
    n = len(plan.cells())
    if n > MOST_FITS:
        raise ConfigError(f"That is {n:,} fits; at most {MOST_FITS:,} are done. Ask for fewer.")
    return plan


def check_plan(config: RunConfig) -> SweepPlan:
    """How a run is checked: resamples, twins and permuted outcomes, as many as it can afford."""
    deep = METHODS[config.method].deep
    weights = {name: config.get(name) for name in ("alpha", "beta")}
    hourly = METHODS[config.method].reads == "series"  # courses without subtypes are not drawn
    twins = 0 if hourly else 19 if deep else 39
    others = tuple(pair for pair in config.settings if pair[0] not in weights)
    return SweepPlan(
        method=config.method,
        clusters=(config.n_clusters,),
        alphas=(weights["alpha"],),
        betas=(weights["beta"],),
        seeds=3,
        first_seed=config.seed,
        resamples=25 if deep else 100,
        halvings=HALVINGS[deep],
        twins=twins,
        own_twins=twins,
        permutations=19 if deep else 99,
        settings=others,
    )
