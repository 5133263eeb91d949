"""Forty-four tables and settings that break programs which compute: TRUST.md, C3.

Each gives a table of text as a file would hold it, what was decided about it, and the settings of
the run; `told` is what must be said in words, on Cohort, with the run or as a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

N = 240


class Edge(NamedTuple):
    """A case: the change of a sound table, what is decided, and what has to be said."""

    change: Callable[[pd.DataFrame], pd.DataFrame]
    told: str = ""  # a pattern; "" where nothing has to be said
    refused: bool = False
    decided: dict[str, Any] = {}
    settings: dict[str, Any] = {}


def sound(n: int = N) -> pd.DataFrame:
    """Patients with two clear groups, each with a risk factor of its own."""
    rng = np.random.default_rng(5)
    group = rng.integers(0, 2, n)
    age, lactate = rng.normal(65, 12, n), rng.lognormal(0.5, 0.6, n)
    slope = np.where(group == 1, (age - 65) / 6, (lactate - 2) * 1.5)
    death = (rng.random(n) < 1 / (1 + np.exp(0.7 - slope))).astype(int)
    frame = pd.DataFrame({"age": age.round(1), "lactate": lactate.round(2)})
    frame["pressure"] = (70 + 25 * group + rng.normal(0, 6, n)).round()
    frame["sodium"] = rng.normal(140, 5, n).round()
    frame["ward"] = rng.choice(["medical", "surgical", "cardiac"], n)
    return frame.assign(death=death)


def cells(column: str, values: Any, rows: Any = slice(None)) -> Callable:
    """These values in these rows of a column, as text, as a file has them."""

    def change(frame: pd.DataFrame) -> pd.DataFrame:
        texts = frame[column].astype(object) if column in frame else pd.Series([None] * len(frame))
        given = [values] * len(texts[rows]) if isinstance(values, str) else values
        texts[rows] = given
        return frame.assign(**{column: texts})

    return change


def few(n: int) -> Callable:
    return lambda frame: frame.iloc[:n]


def _gaps(frame: pd.DataFrame) -> pd.DataFrame:
    gone = np.random.default_rng(1).random((len(frame), 5)) < 0.5
    kept = frame.drop(columns="death").mask(gone)
    return kept.assign(death=frame["death"])


def _only(*positives: int) -> Callable:
    return lambda frame: frame.assign(death=np.isin(np.arange(len(frame)), positives).astype(int))


def _all_the_same(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([frame.iloc[[0]].drop(columns="death")] * len(frame)).assign(
        death=frame["death"].to_numpy()
    )


def _wide(frame: pd.DataFrame) -> pd.DataFrame:
    noise = np.random.default_rng(2).normal(size=(len(frame), 300)).round(3)
    return frame.join(pd.DataFrame(noise, columns=[f"gene{i}" for i in range(300)]))


def _one_class_group(frame: pd.DataFrame) -> pd.DataFrame:
    far = np.where(np.arange(len(frame)) % 4 == 0, 900.0, 100.0)
    spread = np.random.default_rng(3).normal(0, 3, (5, len(frame)))
    made = {f"x{i}": (far + noise).round(2) for i, noise in enumerate(spread)}
    return frame.assign(**made, death=np.where(far > 500, 0, frame["death"]))


CASES = {
    "half of all values are gaps": Edge(_gaps),
    "most patients without an age": Edge(cells("age", "", range(200))),
    "+inf in a number": Edge(cells("age", "inf", [3, 9]), "2 infinite .* taken as missing"),
    "-inf in a number": Edge(cells("age", "-inf", [3]), "1 infinite .* taken as missing"),
    "nan in words": Edge(cells("age", "nan", range(40))),
    "1e308 in a number": Edge(cells("age", "1e308", [7]), "impossibly large"),
    "-1e308 in a number": Edge(cells("lactate", "-1e308", [7]), "impossibly large"),
    "beyond the largest number": Edge(cells("lactate", "1e400", [7]), "impossibly large"),
    "the smallest numbers": Edge(cells("lactate", "5e-324", range(30))),
    "whole numbers beyond 2^53": Edge(cells("code", [str(2**60 + i) for i in range(N)]), "code"),
    "a number that hardly varies": Edge(
        cells("drift", [f"{1e9 + i % 7 * 1e-6!r}" for i in range(N)])
    ),
    "a column without a value": Edge(cells("empty", ""), "'empty' (is|has)"),
    "a constant column": Edge(cells("same", "5"), "'same' is 5 in every"),
    "a single value in a column": Edge(cells("once", "7", [0])),
    "columns that are the same": Edge(
        lambda f: f.assign(again=f["age"], third=2 * f["age"]), "'again'"
    ),
    "every patient twice": Edge(lambda f: pd.concat([f, f]), "240 rows"),
    "nothing but the outcome varies": Edge(_all_the_same, "No feature is left", refused=True),
    "more columns than patients": Edge(_wide, "240 patients"),
    "a category of as many levels as patients": Edge(
        cells("place", [f"street {i}" for i in range(N)]), "'place'"
    ),
    "a level that one patient has": Edge(cells("ward", "burns", [5])),
    "levels that differ by a capital": Edge(cells("ward", "Medical ", range(20)), "'?Medical'?"),
    "true and false": Edge(lambda f: f.assign(intubated=f["age"] > 65)),
    "dates": Edge(
        lambda f: f.assign(came=pd.date_range("2020-01-01", periods=len(f)).astype(str)), "'came'"
    ),
    "numbers and words in one column": Edge(
        cells("lactate", "haemolysed", range(0, N, 9)), "mostly numbers, but 1 other value "
    ),
    "below the limit of detection": Edge(cells("lactate", "<0.5", range(25)), "as their limit"),
    "decimal commas": Edge(lambda f: f.assign(age=f["age"].astype(str).str.replace(".", ","))),
    "a sign that one patient has": Edge(lambda f: f.assign(rare=(f.index == 4).astype(int))),
    "an outcome of one class": Edge(lambda f: f.assign(death=0), "one value only", refused=True),
    "an outcome without a value": Edge(lambda f: f.assign(death=""), "is empty", refused=True),
    "an outcome that half of the patients lack": Edge(
        cells("death", "", range(120)), "120 of 240 rows"
    ),
    "one patient with the event": Edge(_only(4), "1 patient"),
    "three patients with the event": Edge(_only(4, 60, 120), "3 patients"),
    "nine patients with the event": Edge(_only(*range(0, N, 27)), "9 patients"),
    "an outcome of twelve classes": Edge(
        lambda f: f.assign(death=[f"c{i % 12}" for i in range(len(f))]), "up to 10", refused=True
    ),
    "a copy of the outcome": Edge(lambda f: f.assign(copy=f["death"]), "'copy'"),
    "five patients": Edge(few(5), "at least 8 are needed", refused=True),
    "sixty patients, eight subtypes": Edge(
        few(60), "8 subtypes are too many", True, settings={"n_clusters": 8}
    ),
    "one subtype": Edge(_gaps, settings={"n_clusters": 1}),
    "as many subtypes as patients": Edge(
        few(60), "60 subtypes are too many", True, settings={"n_clusters": 60}
    ),
    "a subtype of one class": Edge(_one_class_group, "one outcome|same outcome|no patient"),
    "an outcome that pulls all into one subtype": Edge(
        few(N), "repeat the outcome", settings={"alpha": 1e6}
    ),
    "an outcome that pulls weakly beyond its limit": Edge(few(N), settings={"alpha": 1e-300}),
    "one patient id for all": Edge(
        lambda f: f.assign(who="p1"), "Too few patients", True, decided={"id": "who"}
    ),
    "an outcome cut beyond all values": Edge(
        lambda f: f.assign(death=f["age"]), "Change the cut points", True, decided={"cuts": [1e6]}
    ),
}
