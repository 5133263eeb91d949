"""The training loop: rows, patience, stopping and going on."""

import itertools
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from cacviz.engine.deep.training import AdamW, Stage, Training
from cacviz.engine.exceptions import Stopped


class Memory:
    """A checkpoint that keeps the last state."""

    def __init__(self):
        self.state = None

    def load(self):
        return self.state

    def save(self, arrays, meta):
        self.state = ({k: v.copy() for k, v in arrays.items()}, meta)


def _stages(module, x, scores=None, phases=("first", "second")):
    for phase in phases:
        yield Stage(
            phase=phase,
            parameters=list(module.parameters()),
            epochs=5,
            n_patients=len(x),
            batch_size=8,
            learning_rate=0.03,
            step=lambda rows: module(x[rows]).square().mean(),
            check=lambda epoch: {} if scores is None else {"score": scores[epoch]},
            watch=None if scores is None else "score",
            patience=1,
        )


def _fit(*, on_step=None, checkpoint=None, scores=None, phases=("first", "second")):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        x = torch.randn(30, 4)
        module = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5), nn.Linear(3, 1))
        training = Training(module, on_step=on_step, checkpoint=checkpoint)
        for stage in _stages(module, x, scores, phases):
            training.run(stage)
    return module, training


def test_a_row_is_reported_for_each_epoch_with_phase_and_total():
    rows = []
    _, training = _fit(on_step=rows.append)
    assert rows == training.history
    assert [(r["phase"], r["epoch"]) for r in rows] == list(
        itertools.product(["first", "second"], range(5))
    )
    assert {r["of"] for r in rows} == {5}
    assert rows[0]["loss"] > rows[-1]["loss"]


@pytest.mark.parametrize("stop_at", range(10))
def test_a_stopped_training_goes_on_to_the_same_bits(stop_at):
    whole, whole_training = _fit()
    memory, seen = Memory(), []

    def stop(row):
        seen.append(row)
        if len(seen) == stop_at + 1:
            raise Stopped

    with pytest.raises(Stopped):
        _fit(on_step=stop, checkpoint=memory)
    rest = []
    module, training = _fit(on_step=rest.append, checkpoint=memory)
    assert len(seen) + len(rest) == 10
    for name, value in whole.state_dict().items():
        assert torch.equal(value, module.state_dict()[name])
    losses = [[r["loss"] for r in t.history] for t in (whole_training, training)]
    assert losses[0] == losses[1]


def test_patience_ends_a_stage_and_the_best_epoch_is_kept():
    kept = []
    scores = [0.1, 0.5, 0.3, 0.2, 0.9]

    def keep(row):
        kept.append(training.module[0].weight.clone())

    with torch.random.fork_rng():
        torch.manual_seed(0)
        module, x = nn.Sequential(nn.Linear(4, 1)), torch.randn(30, 4)
        training = Training(module, on_step=keep)
        training.run(next(_stages(module, x, scores)))
    assert len(kept) == 4  # two epochs without gain: one is forgiven
    assert torch.equal(module[0].weight, kept[1])


def test_a_score_that_is_not_a_number_never_wins():
    module, _ = _fit(scores=[np.nan] * 5, phases=["first"])
    assert all(torch.isfinite(p).all() for p in module.parameters())


def test_an_error_in_on_step_is_not_swallowed():
    def fail(row):
        raise RuntimeError("disk full")

    with pytest.raises(RuntimeError, match="disk full"):
        _fit(on_step=fail)


def test_the_start_may_stay_the_best_where_a_stage_says_so():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module, x = nn.Sequential(nn.Linear(4, 1)), torch.randn(30, 4)
        start = module[0].weight.clone()
        stage = replace(next(_stages(module, x, [0.1] * 4 + [0.0, 0.9])), start_counts=True)
        Training(module).run(stage)  # before the first epoch `check` is asked for epoch -1
    assert torch.equal(module[0].weight, start)


def test_the_optimiser_takes_the_very_steps_of_torchs_own():
    parts = [_three_parameters(), _three_parameters()]
    ours = AdamW(parts[0], 0.01, 0.1)
    torchs = torch.optim.AdamW(parts[1], lr=0.01, weight_decay=0.1, fused=True)
    for step in range(5):
        for optimizer, (weight, bias, sleeping) in ((ours, parts[0]), (torchs, parts[1])):
            optimizer.zero_grad()
            loss = ((weight @ torch.arange(4.0) + bias - step) ** 2).sum()
            if step == 3:  # a parameter that starts to learn later has a count of its own
                loss = loss + sleeping.square().sum()
            loss.backward()
            optimizer.step()
    assert all(torch.equal(a, b) for a, b in zip(*parts, strict=True))


def test_a_fit_loads_no_compiler():
    fit = (
        "import sys, numpy as np; from cacviz.engine import DeepCAC; X = np.eye(40)[:, :3];"
        "DeepCAC(2, pretrain_epochs=1, epochs=1, expert_epochs=1).fit(X, np.arange(40) % 2);"
        "sys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", fit], check=False).returncode == 0


def _three_parameters():
    torch.manual_seed(0)
    return [torch.nn.Parameter(torch.randn(*shape)) for shape in ((3, 4), (3,), (2,))]
