"""Training in stages: mini-batches, history rows, patience, stop, and going on after a stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from cacviz.engine.exceptions import Stopped
from cacviz.engine.types import Note

SECONDS_BETWEEN_SAVES = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """One stage of a fit: which parameters, for how long, and what a step and a check do."""

    phase: str
    parameters: list
    epochs: int
    n_patients: int
    batch_size: int
    step: Callable[[torch.Tensor], torch.Tensor]  # row numbers of a batch -> its loss
    check: Callable[[int], dict]  # epoch -> more entries of the history row
    begin: Callable[[], None] = lambda: None
    after_step: Callable[[torch.Tensor], None] | None = None
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    watch: str | None = None  # the entry of a row that has to grow
    patience: int = 10
    min_epochs: int = 0
    start_counts: bool = False  # whether the module as it is at the start may be the best


def stage_of(part, phase, parameters, **more):
    """The stage that `part` describes: its `step`, its `check` and `begin` where it has them."""
    about = {
        "epochs": part.epochs,
        "n_patients": len(part.train.y),
        "batch_size": part.settings.batch_size,
        "learning_rate": part.settings.learning_rate * part.settings.pace,
        "step": getattr(part, "step", None),
        "check": getattr(part, "check", lambda epoch: {}),
        "begin": getattr(part, "begin", lambda: None),
    }
    return Stage(phase=phase, parameters=list(parameters), **about | more)


class Training:
    """Runs stages over one module and keeps all that a stopped fit needs to go on.

    Everything that changes lives in `module` (buffers included), the optimiser, torch's random
    state and the history, so that a fit which goes on ends exactly as one that never stopped.
    """

    def __init__(self, module, *, on_step=None, checkpoint=None):
        self.module = module
        self.on_step = on_step
        self.checkpoint = checkpoint
        self.history: list[dict] = []
        self.notes: list[Note] = []
        self._finished: list[str] = []
        self._resumed: tuple[dict, dict] | None = None
        self._saved_at = time.monotonic()
        if checkpoint is not None and (state := checkpoint.load()) is not None:
            self._resume(*state)

    def run(self, stage):
        """All epochs of a stage, or those still to do; the best epoch's module is kept."""
        if stage.phase in self._finished:
            return
        progress = _Progress(stage)
        self.module.eval()  # what `begin` computes must not depend on a stop before it
        if self._resumed is None:
            stage.begin()
            progress.look_at_start(self.module)
        else:
            progress.restore(*self._resumed)
            self._resumed = None
        while not progress.over:
            self._epoch(stage, progress)
        progress.take_best(self.module)
        self._finished.append(stage.phase)

    def _epoch(self, stage, progress):
        start, cpu = time.perf_counter(), time.process_time()
        self.module.train()
        total = 0.0
        for rows in torch.randperm(stage.n_patients).split(stage.batch_size):
            total += _step(stage, progress.optimizer, rows) * len(rows)
        spent = {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}
        self.module.eval()
        with torch.no_grad():
            checked = stage.check(progress.epoch)
        row = {"phase": stage.phase, "epoch": progress.epoch, "of": stage.epochs}
        row |= {"loss": total / stage.n_patients} | spent | checked
        progress.record(row, self.module)
        self.history.append(row)
        self._report(row, progress)

    def _report(self, row, progress):
        due = time.monotonic() - self._saved_at >= SECONDS_BETWEEN_SAVES
        try:
            if self.on_step is not None:
                self.on_step(row)
        except Stopped:
            due = True
            raise
        finally:
            if due and self.checkpoint is not None:
                self.checkpoint.save(*self._state(progress))
                self._saved_at = time.monotonic()

    def _state(self, progress):
        arrays, meta = progress.state()
        arrays |= as_arrays(self.module.state_dict(), "module/")
        arrays["random"] = torch.get_rng_state().numpy().copy()
        notes = [asdict(note) for note in self.notes]
        meta |= {"history": self.history, "notes": notes, "finished": self._finished}
        return arrays, meta

    def _resume(self, arrays, meta):
        self.module.load_state_dict(_tensors(arrays, "module/"))
        torch.set_rng_state(torch.from_numpy(np.array(arrays["random"])))
        self.history = list(meta["history"])
        self.notes = [Note(**said) for said in meta["notes"]]
        self._finished = list(meta["finished"])
        self._resumed = (arrays, meta)


class _Progress:
    """Where a stage stands: its optimiser, its epoch and the best module so far."""

    def __init__(self, stage):
        self.stage = stage
        self.epoch = 0
        self.best_score = -np.inf
        self.best_epoch = 0
        self.best: dict[str, torch.Tensor] | None = None
        self.optimizer = AdamW(stage.parameters, stage.learning_rate, stage.weight_decay)

    @property
    def over(self):
        late = self.epoch - self.best_epoch > self.stage.patience
        waited = self.stage.watch is not None and self.epoch >= self.stage.min_epochs and late
        return self.epoch >= self.stage.epochs or waited

    def record(self, row, module):
        self.epoch += 1
        score = row.get(self.stage.watch, np.nan)
        if self.epoch >= self.stage.min_epochs and score > self.best_score:
            self.best_score, self.best_epoch = score, self.epoch
            self.best = {k: v.clone() for k, v in module.state_dict().items()}

    @torch.no_grad()
    def look_at_start(self, module):
        """The start as the first candidate, where the stage wants it to be one."""
        if self.stage.start_counts:
            score = self.stage.check(-1)[self.stage.watch]
            if score > self.best_score:
                self.best_score = score
                self.best = {k: v.clone() for k, v in module.state_dict().items()}

    def take_best(self, module):
        if self.best is not None:
            module.load_state_dict(self.best)

    def state(self):
        arrays = as_arrays(self.best or {}, "best/")
        for i, slots in self.optimizer.slots.items():
            arrays |= as_arrays(slots, f"optimizer/{i}/")
        meta: dict[str, Any] = {"phase": self.stage.phase, "epoch": self.epoch}
        score = self.best_score if np.isfinite(self.best_score) else None
        return arrays, meta | {"best_score": score, "best_epoch": self.best_epoch}

    def restore(self, arrays, meta):
        self.epoch, self.best_epoch = meta["epoch"], meta["best_epoch"]
        self.best_score = -np.inf if meta["best_score"] is None else meta["best_score"]
        self.best = _tensors(arrays, "best/") or None
        for name, value in _tensors(arrays, "optimizer/").items():
            index, key = name.split("/")
            self.optimizer.slots.setdefault(int(index), {})[key] = value


class AdamW:
    """Adam with decoupled weight decay: torch's own fused kernel, bit for bit as `torch.optim`.

    `torch.optim` loads torch's compiler with the first optimiser, which nothing here needs: over a
    second and 70 MB in every process that fits. Slots are those of parameters that learn.
    """

    def __init__(self, parameters, learning_rate, weight_decay):
        self.parameters = list(parameters)
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.slots: dict[int, dict[str, torch.Tensor]] = {}

    def zero_grad(self):
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self):
        learning = [i for i, p in enumerate(self.parameters) if p.grad is not None]
        params = [self.parameters[i] for i in learning]
        slots = [self._slots(i) for i in learning]
        steps, means, squares = ([s[k] for s in slots] for k in ("step", "exp_avg", "exp_avg_sq"))
        torch._foreach_add_(steps, 1)
        torch._fused_adamw_(
            *(params, [p.grad for p in params], means, squares, [], steps),
            lr=self.learning_rate,
            beta1=0.9,
            beta2=0.999,
            weight_decay=self.weight_decay,
            eps=1e-8,
            amsgrad=False,
            maximize=False,
        )

    def _slots(self, i):
        if i not in self.slots:
            zeros = torch.zeros_like(self.parameters[i])
            first = {"step": torch.tensor(0.0), "exp_avg": zeros, "exp_avg_sq": zeros.clone()}
            self.slots[i] = first
        return self.slots[i]


def _step(stage, optimizer, rows):
    loss = stage.step(rows)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if stage.after_step is not None:
        with torch.no_grad():
            stage.after_step(rows)
    return loss.item()


def as_arrays(tensors, prefix):
    """Tensors as arrays of their own under a prefix; in C order, as safetensors takes them."""
    return {f"{prefix}{k}": np.array(v.detach().numpy(), order="C") for k, v in tensors.items()}


def _tensors(arrays, prefix):
    """The arrays under a prefix as tensors of their own, without the prefix."""
    found = {k: v for k, v in arrays.items() if k.startswith(prefix)}
    return {k.removeprefix(prefix): torch.from_numpy(np.array(v)) for k, v in found.items()}
