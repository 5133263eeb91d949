"""A ward's server with people whose data hold a word that nobody else may ever see."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Column, Outcome
from cacviz.jobs import shipped
from cacviz.store import cohorts, paths, people, runs, wards
from tests.browser.conftest import Server, free_port
from tests.trust.wire import Visitor


@dataclass
class Person:
    """Somebody on the ward: the word in their data, their cohort, their run, their key."""

    name: str
    token: str
    canary: str
    cohort: str
    run: str


class WardServer(Server):
    """`cacviz app --server` as a process of its own."""

    def __init__(self, data_dir, *flags):
        super().__init__(data_dir)
        self.flags = flags

    def command(self):
        return [*super().command(), "--server", *self.flags]

    def log(self):
        return Path(self.data_dir).parent / "server.log"

    def visitor(self, person=None, **headers):
        cookie = f"cacviz_person={person.token}" if person else ""
        return Visitor(self.port, cookie, **headers)


def settle(root, name):
    """Let a person in and give them a cohort and a finished run with their own word in them."""
    token, canary = people.add_person(root, name), f"CANARY{wards.owner_of(name)[:12]}"
    with paths.within(wards.folder_of(root, wards.owner_of(name))):
        demo = cohorts.save_cohort(make_demo())
        run = shipped.take_over(demo)
        assert run is not None
        runs.change_card(run, name=f"{canary} run", note=f"{canary} note")
        mine = cohorts.save_cohort(cohort_with(canary))
    return Person(name, token, canary, mine, run)


def cohort_with(canary):
    """A small cohort with the word in its name, a header, a level and an outcome."""
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame({"age": rng.normal(60, 9, n), f"{canary} column": rng.normal(0, 1, n)})
    frame["kind"] = np.where(rng.random(n) < 0.5, f"{canary} level", "other")
    frame["death"] = np.where(rng.random(n) < 0.3, "yes", "no")
    kinds = {"age": "number", f"{canary} column": "number", "kind": "category", "death": "yesno"}
    columns = [Column(name, kind) for name, kind in kinds.items()]
    return make_cohort(f"{canary} file.csv", frame, columns, Outcome("death"))


__all__ = ["Person", "WardServer", "free_port", "settle"]
