"""A process beside the app for quick questions that need scikit-learn or scipy.

The process that serves pages loads neither: it stays small and starts fast. The helper answers one
question at a time, keeps the last cohort at hand, and ends with the app. What it is asked is a
name in `ANSWERS` with plain arguments: `python -m cacviz.jobs.helper` reads and writes JSON lines.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from cacviz.engine.exceptions import CohortError
from cacviz.jobs import patients
from cacviz.jobs.environment import worker_env
from cacviz.store import atomic, paths
from cacviz.store.records import from_plain, to_plain


class Helper:
    """The app's side: a process that is started when first asked, and again if it died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="helper")

    def ask(self, what: str, **arguments: Any) -> Any:
        """The answer, waited for; a CohortError where the question cannot be answered."""
        question = {"what": what, "arguments": to_plain(arguments)}
        question["data_dir"] = str(paths.data_dir())
        with self._lock:
            answer = self._exchange(question)
        if "error" in answer:
            raise CohortError(answer["error"])
        return answer["value"]

    def ask_later(self, what: str, **arguments: Any) -> Future[Any]:
        """The same without waiting."""
        return self._pool.submit(paths.kept_here(lambda: self.ask(what, **arguments)))

    def _exchange(self, question: Mapping[str, Any]) -> dict[str, Any]:
        for _ in range(2):  # once more, where the process was gone
            process = self._running()
            with suppress(OSError, ValueError):
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(atomic.encode(question) + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
                if line:
                    return json.loads(line)
            self._drop()
        return {"error": "This could not be computed just now. Try again."}

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._drop()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "cacviz.jobs.helper"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=worker_env(1),
        )
        return self._process

    def _drop(self) -> None:
        """Leave neither process nor pipes of a helper that does not answer."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


_held: dict[str, Any] = {}  # the helper's own: the last cohort it was asked about


def _cohort(cohort_id: str, choices: Any) -> Any:
    from cacviz.engine.cohorts.making import rechosen
    from cacviz.engine.types import Choices
    from cacviz.store import cohorts

    wanted, key = from_plain(Choices, choices), (paths.data_dir(), cohort_id)
    if _held.get("key") != key:
        _held.clear()
        _held.update(key=key, cohort=cohorts.load_cohort(cohort_id, wanted))
    if _held["cohort"].choices != wanted:
        _held["cohort"] = rechosen(_held["cohort"], wanted)
    return _held["cohort"]


def _features(cohort_id: str, choices: Any) -> Any:
    """The cohort's features summed; kept while the cohort stays the one that was asked about."""
    from cacviz.engine.insights.contrasts import features_of

    cohort = _cohort(cohort_id, choices)
    held = _held.get("features")
    if held is None or held.cohort is not cohort:
        held = _held["features"] = features_of(cohort)
    return held


def _get_ready(cohort_id: str, choices: Any) -> None:
    """Have at hand what a first lasso would wait for."""
    from cacviz.engine.insights import selection  # noqa: F401

    _features(cohort_id, choices)


def _check(cohort_id: str, choices: Any) -> Any:
    from cacviz.engine.cohorts.checks import check_cohort

    return to_plain(check_cohort(_cohort(cohort_id, choices)))


def _critical(cohort_id: str, choices: Any, config: Any) -> float:
    from cacviz.engine.cac.critical import expected_critical_alpha
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.types import RunConfig

    wanted = from_plain(RunConfig, config)
    split = split_cohort(_cohort(cohort_id, choices), wanted.seed)
    return expected_critical_alpha(split, wanted)


def _rule(cohort_id: str, choices: Any, rows: list[int], others: list[int] | None) -> Any:
    from cacviz.engine.insights.selection import as_rule

    return to_plain(as_rule(_cohort(cohort_id, choices), rows, others))


def _selected(
    cohort_id: str, choices: Any, run_id: str, rows: list[int], others: list[int] | None
) -> Any:
    from cacviz.engine.insights.selection import describe_selection
    from cacviz.store.runs import load_run

    run, features = load_run(run_id), _features(cohort_id, choices)
    made = describe_selection(features, run.clusters, len(run.summary.clusters), rows, others)
    return to_plain(made)


def _comparison(rows: list[dict[str, Any]], n_classes: int) -> Any:
    from cacviz.engine.running.study_statistics import compared

    return to_plain(compared(rows, n_classes))


def _take_in(path: str) -> dict[str, Any]:
    from pathlib import Path

    from cacviz.store.bundles.opening import take_in

    return take_in(Path(path))._asdict()


ANSWERS: dict[str, Callable[..., Any]] = {
    "check": _check,
    "critical": _critical,
    "rule": _rule,
    "get_ready": _get_ready,
    "selected": _selected,
    "comparison": _comparison,
    "take_in": _take_in,
    **patients.ANSWERS,
}


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one question; what goes wrong is one sentence."""
    try:
        return {"value": ANSWERS[question["what"]](**question["arguments"])}
    except (CohortError, atomic.StoreError) as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"This could not be computed ({type(error).__name__})."}


def main() -> None:
    """Answer until the app closes the door."""
    for line in sys.stdin.buffer:
        question = json.loads(line)
        paths.use_data_dir(question["data_dir"])  # the app's may have changed since we began
        reply = answer(question)
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
