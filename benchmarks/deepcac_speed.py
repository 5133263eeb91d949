"""What a clustering epoch costs beside a plain autoencoder epoch, and how a fit grows with n.

    python -m benchmarks.deepcac_speed [--threads 2]

The autoencoder epochs are the pre-training of the same fit: same layers, same batches. Times are
the process's CPU seconds, so that a busy machine does not blur the ratio.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
import torch

from benchmarks import paper_cohorts
from cacviz.engine import DeepCAC

LIMITS = {3: 1.7, 8: 2.2}
EPOCHS = 12


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    if not paper_cohorts.DATA.exists():
        sys.exit(f"The cohorts are not at {paper_cohorts.DATA}.")
    torch.set_num_threads(args.threads)
    table = paper_cohorts.load("cic")
    for routing in ("hard", "soft"):
        for k, limit in LIMITS.items():
            plain, clustering = epoch_seconds(table, routing, k)
            print(
                f"{routing} k={k}: autoencoder {plain * 1000:.0f} ms, clustering "
                f"{clustering * 1000:.0f} ms an epoch: {clustering / plain:.2f} x (limit {limit})"
            )
    whole_fit(table)
    growth()


def epoch_seconds(table, routing, k):
    """Median CPU seconds of a pre-training epoch and of a clustering epoch, checks left out."""
    model = DeepCAC(
        k,
        routing=routing,
        pretrain_epochs=EPOCHS,
        epochs=EPOCHS,
        expert_epochs=1,
        random_state=0,
    )
    rows = model.fit(table.X, table.y).history_
    return tuple(
        np.median([row["cpu_seconds"] for row in rows if row["phase"] == phase])
        for phase in ("pretrain", "cluster")
    )


def whole_fit(table):
    """Seconds of a fit on all stays with the defaults."""
    for routing in ("hard", "soft"):
        wall, cpu = time.perf_counter(), time.process_time()
        DeepCAC(3, routing=routing, random_state=0).fit(table.X, table.y)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{routing} k=3, {len(table.y)} stays: {wall:.1f} s ({cpu:.1f} s of CPU)")


def growth():
    """CPU seconds of five epochs a stage on 25,000, 50,000 and 100,000 made-up patients."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 30))
    y = (X[:, 0] + rng.normal(size=len(X)) > 1).astype(int)
    for n in (25_000, 50_000, 100_000):
        cpu = time.process_time()
        model = DeepCAC(3, pretrain_epochs=5, epochs=5, expert_epochs=5, random_state=0)
        model.fit(X[:n], y[:n])
        print(f"soft k=3, {n} patients: {time.process_time() - cpu:.1f} s of CPU")


if __name__ == "__main__":
    main()
