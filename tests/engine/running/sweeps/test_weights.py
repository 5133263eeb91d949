"""Which α, which β, and what each term does."""

from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.plans import sweep_plan
from cacviz.engine.running.sweeps.weights import ablations, recommended

PLAN = sweep_plan("deepcac", [1, 3], [0.0, 0.2], [0.0, 5.0], seeds=2)


def _rows(plan, score):
    """Rows of every fit, scored by a function of kind, α, β and seed."""
    fits = [c for c in plan.cells() if c.kind in (plans.FIT, plans.NO_MARGIN)]
    return [
        cell._asdict()
        | dict.fromkeys(("auprc_macro", "auc", "silhouette"), score(cell))
        | {"critical": None}
        for cell in fits
    ]


def test_a_sweep_of_weights_leaves_the_margin_out_at_the_base_weights_for_each_seed():
    cells = [c for c in PLAN.cells() if c.kind == plans.NO_MARGIN]
    assert [(c.clusters, c.alpha, c.beta, c.number) for c in cells] == [
        (3, 0.2, 5.0, 0),
        (3, 0.2, 5.0, 1),
    ]
    config = PLAN.config(cells[1])
    assert (config.get("margin"), config.seed) == (0.0, 1)
    assert PLAN.config(PLAN.cells()[0]).get("margin") is None


def test_a_sweep_of_one_weight_or_of_a_method_without_margin_leaves_none_out():
    for plan in (sweep_plan("deepcac", [3]), sweep_plan("cac", [3], [0.0, 0.05])):
        assert not [c for c in plan.cells() if c.kind == plans.NO_MARGIN]


def test_terms_left_out_stand_beside_the_base_weights():
    def score(cell):
        if cell.kind == plans.NO_MARGIN:
            return 0.6 + 0.1 * cell.number
        return {(0.2, 5.0): 0.8, (0.0, 5.0): 0.5, (0.2, 0.0): 0.7}.get((cell.alpha, cell.beta), 0)

    found = ablations(PLAN, _rows(PLAN, score), 3)
    told = [(a.term, round(dict(a.scores)["auprc_macro"], 6), a.fits) for a in found]
    assert told == [(None, 0.8, 2), ("alpha", 0.5, 2), ("beta", 0.7, 2), ("margin", 0.65, 2)]


def test_a_term_that_was_not_left_out_has_no_row():
    plan = sweep_plan("deepcac", [3], [0.1, 0.2], seeds=1)
    found = ablations(plan, _rows(plan, lambda cell: 0.5), 3)
    assert [a.term for a in found] == [None, "margin"]


def test_other_weights_are_recommended_only_where_they_gain_more_than_seeds_differ():
    def clearly(cell):
        return 0.9 if (cell.alpha, cell.beta) == (0.0, 0.0) else 0.7 + 0.01 * cell.number

    def hardly(cell):
        return 0.72 if (cell.alpha, cell.beta) == (0.0, 0.0) else 0.7 + 0.04 * cell.number

    assert recommended(PLAN, _rows(PLAN, clearly), 3).changed
    assert not recommended(PLAN, _rows(PLAN, hardly), 3).changed
