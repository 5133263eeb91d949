"""Speed of CAC as ratios within one run: a round against a Lloyd iteration, growth, memory.

    python benchmarks/cac_speed.py [--quick]

Everything runs on one thread: a CAC round is sequential by nature, and a ratio of one thread to
one thread does not depend on how many cores the machine has.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
import threading
import time
import warnings

import numpy as np
import psutil
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from cacviz.engine.cac.cac import CAC
from cacviz.engine.cac.class_sums import Rules, empty_sums
from cacviz.engine.cac.kernel import gather, sweep

SHAPES = ((90_000, 241, 4), (12_000, 117, 3))


def wards(n, d, k, seed=0):
    """Patients in k overlapping groups, correlated features, a rare outcome that hangs on them."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, k, n)
    centres, mixing = rng.normal(size=(k, d)) / 5, rng.normal(size=(8, d)) / 5
    X = centres[group] + rng.normal(size=(n, 8)) @ mixing + rng.normal(size=(n, d))
    risk = X[:, :5].sum(axis=1) / 4 - 2.2
    return X - X.mean(axis=0), (rng.random(n) < 1 / (1 + np.exp(-risk))).astype(np.int64)


def lloyd_seconds(X, k, repeats=5):
    """One Lloyd iteration: the difference between many and one, from the same start."""
    start = X[:k].copy()

    def fit(iterations):
        began = time.perf_counter()
        model = KMeans(k, init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd").fit(
            X
        )
        return time.perf_counter() - began, model.n_iter_

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        pairs = [(fit(11), fit(1)) for _ in range(repeats)]
    return min((many[0] - one[0]) / (many[1] - one[1]) for many, one in pairs)


def round_seconds(X, y, k, repeats=5):
    """Mean seconds of a CAC round from a k-means start until nobody moves, best of repeats."""
    labels = KMeans(k, n_init=1, random_state=0).fit_predict(X).astype(np.int64)
    share = y.mean()
    rules, norms = Rules(share * (1 - share) / 2, False, 1), np.einsum("ij,ij->i", X, X)
    best = np.inf
    for _ in range(repeats):
        state, now = empty_sums(X.shape, k, 2), labels.copy()
        gather(X, y, now, state, rules)
        rounds, began = 0, time.perf_counter()
        while True:
            moves = sweep(X, norms, y, now, state, rules, 1e-9)
            rounds += 1
            if moves == 0 or rounds == 20:
                break
        best = min(best, (time.perf_counter() - began) / rounds)
    return best, rounds


def show_ratios():
    for n, d, k in SHAPES:
        X, y = wards(n, d, k)
        round_seconds(X[:500], y[:500], k, repeats=1)  # compile
        lloyd = lloyd_seconds(X, k)
        cac, rounds = round_seconds(X, y, k)
        print(
            f"{n:,} x {d}, k={k}: a CAC round {cac * 1e3:.2f} ms ({rounds} rounds), a Lloyd "
            f"iteration {lloyd * 1e3:.2f} ms, ratio {cac / lloyd:.2f} (at most 0.5)"
        )


def show_growth(sizes):
    X, y = wards(max(sizes), 50, 4)
    seconds = [round_seconds(X[:n], y[:n], 4, repeats=3)[0] for n in sizes]
    power = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    told = ", ".join(f"{n:,}: {s * 1e3:.1f} ms" for n, s in zip(sizes, seconds, strict=True))
    print(f"time a round, d=50: {told}; grows as n^{power:.2f} (at most 1.05)")


def peak_of(work):
    """Highest memory of this process while `work` runs, above what it had before."""
    process, peak, over = psutil.Process(), [0], threading.Event()

    def look():
        while not over.wait(0.002):
            peak[0] = max(peak[0], process.memory_info().rss)

    before, watcher = process.memory_info().rss, threading.Thread(target=look)
    watcher.start()
    work()
    over.set()
    watcher.join()
    return peak[0] - before


def show_memory(n, d):
    X, y = wards(n, d, 4)
    CAC(2, n_init=1).fit(X[:500], y[:500])
    extra = peak_of(lambda: CAC(4, n_init=2, random_state=0).fit(X, y))
    ratio = (X.nbytes + extra) / X.nbytes
    print(
        f"peak memory of a fit, {n:,} x {d}: {ratio:.2f} x the matrix, itself included (under 2.5)"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="without the growth from 10,000 to 1,000,000"
    )
    quick = parser.parse_args().quick
    show_ratios()
    if not quick:
        show_growth((10_000, 100_000, 1_000_000))
    show_memory(200_000, 200)
    return 0


if __name__ == "__main__":
    sys.exit(main())
