"""C1: the same seed gives the same model to the last bit, each time in a process of its own.

python -m benchmarks.same_bits [--times 20]
"""

import argparse
import hashlib
import os
import subprocess
import sys

METHODS = ("cac", "deepcac")


def digest(method):
    """A fit of a small demo: subtypes, centres and every patient's risks as one number."""
    from cacviz.engine.cohorts.demo import make_demo
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.running.fitting import fit_model, prepare
    from cacviz.engine.running.methods import method_named
    from cacviz.engine.types import RunConfig

    quick = {"pretrain_epochs": 3, "epochs": 5} if method == "deepcac" else {}
    config = RunConfig(method=method, n_clusters=2, **quick)
    _, parts = prepare(split_cohort(make_demo(300), 0), config)
    model = fit_model(parts, config)
    X = parts.matrix(method_named(method))
    found = hashlib.sha256()
    for array in (
        model.labels_,
        model.centroids_,
        model.predict_cluster(X),
        model.predict_proba(X),
    ):
        found.update(array.tobytes())
    return found.hexdigest()


def again(method):
    """The same in a fresh process with its threads pinned."""
    pinned = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "benchmarks.same_bits", "--of", method]
    done = subprocess.run(
        command, env=os.environ | pinned, capture_output=True, text=True, check=True
    )
    return done.stdout.split()[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--of", choices=METHODS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.of:
        print(digest(asked.of))
        return 0
    said, equal = [], True
    for method in METHODS:
        found = [again(method) for _ in range(asked.times)]
        said.append(f"{method} {found.count(found[0])} of {asked.times} equal")
        equal &= len(set(found)) == 1
    print(f"fits in processes of their own: {', '.join(said)}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
