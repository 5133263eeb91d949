"""The demo's embedding at a few epochs of DeepCAC, for the page Method; computed here and kept.

    python -m benchmarks.embedding_trace            # about a minute; writes the file that ships

The page says that it was computed beforehand. The paper's hard routing, seed 0, demo cohort; each
picture is the two main directions of the 32, turned to fit the picture after it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score, silhouette_score

from cacviz.engine.cohorts.demo import demo_truth, make_demo
from cacviz.engine.deep.deepcac import DeepCAC
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import prepare
from cacviz.engine.types import RunConfig

PLACE = Path(__file__).parents[1] / "cacviz" / "ui" / "method" / "embedding_trace.json"
EPOCHS = {"pretrain": (0, 4, 19), "cluster": (0, 4, 14, 39)}
K, SEED, SHOWN = 3, 0, 360


def record():
    """Embeddings, nearest centroids and rows of the history at the chosen epochs, and the fit."""
    _, parts = prepare(split_cohort(make_demo(), SEED), RunConfig("deepcac", K, seed=SEED))
    X, y = parts.prepared.gaps, parts.y
    shown = parts.train[:SHOWN]
    model, frames = DeepCAC(K, routing="hard", random_state=SEED), []

    def on_step(row):
        if row.get("epoch") in EPOCHS.get(row["phase"], ()):
            frames.append((row["phase"], row["epoch"] + 1, model.embed(X[shown])))

    known, judged = (X[parts.train], y[parts.train]), (X[parts.validation], y[parts.validation])
    model.fit(*known, validation=judged, on_step=on_step)
    frames.append(("experts", 0, model.embed(X[shown])))
    return model, frames, X[shown], y[shown], demo_truth()[shown]


def flat(frames):
    """Each embedding in the plane: main directions, unit spread, turned to fit the next one."""
    found = []
    for _, _, z in reversed(frames):
        z = z - z.mean(axis=0)
        _, _, axes = np.linalg.svd(z, full_matrices=False)
        points = z @ axes[:2].T
        points /= np.sqrt((points**2).sum(axis=1).mean()) or 1.0
        if found:
            u, _, v = np.linalg.svd(points.T @ found[-1])
            points = points @ (u @ v)
        found.append(points)
    return found[::-1]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PLACE)
    args = parser.parse_args(arguments)
    model, frames, X, y, kind = record()
    labels = model.predict_cluster(X)
    kept = []
    for (phase, epoch, z), points in zip(frames, flat(frames), strict=True):
        row = {"phase": phase, "epoch": epoch, "points": np.round(points, 2).tolist()}
        row["silhouette"] = round(float(silhouette_score(z, kind)), 3)  # of the planted subtypes
        kept.append(row)
    trace = {"frames": kept, "outcome": y.tolist(), "planted": kind.tolist()}
    trace |= {
        "cluster": labels.tolist(),
        "risk": np.round(model.predict_proba(X)[:, 1], 3).tolist(),
    }
    trace["ari"] = round(float(adjusted_rand_score(kind, labels)), 2)
    args.out.write_text(json.dumps(trace, separators=(",", ":")) + "\n", encoding="utf-8")
    print([(r["phase"], r["epoch"], r["silhouette"]) for r in kept], trace["ari"])


if __name__ == "__main__":
    main()
