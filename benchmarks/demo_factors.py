"""The demo cohort's truth: are its planted subtypes found, and each one's planted risk factors?

python benchmarks/demo_factors.py [--method deepcac] [--seeds 5]
"""

import argparse

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import RISK_FACTORS, demo_truth, make_demo
from cacviz.engine.insights.making import insight_steps
from cacviz.engine.types import UNUSED, RunConfig

TOP = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", default="deepcac")
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    cohort, truth = make_demo(), demo_truth()
    found = planted = 0
    for seed in range(asked.seeds):
        config = RunConfig(method=asked.method, n_clusters=3, seed=seed)
        run = fit_run(split_cohort(cohort, seed), config)
        used = run.part != UNUSED
        ari = adjusted_rand_score(truth[used], run.clusters[used])
        table = np.array(
            [[((run.clusters == j) & (truth == t)).sum() for t in range(3)] for j in range(3)]
        )
        _, match = linear_sum_assignment(-table)
        ((_, teach),) = insight_steps(cohort, run, only=["students"])
        (students,) = teach().views  # of two classes, the event's alone
        missed = []
        for student in students.students:
            top = [f.name for f in student.factors[:TOP]]
            wanted = RISK_FACTORS[match[student.cluster]]
            planted += len(wanted)
            found += sum(name in top for name in wanted)
            missed += [f"{n} (subtype {match[student.cluster]})" for n in wanted if n not in top]
        print(
            f"{asked.method} seed {seed}: ARI {ari:.3f} (wanted: >= 0.8), students' mean R2 "
            f"{students.mean_r2:.2f}, not in the top {TOP}: {', '.join(missed) or 'none'}"
        )
    print(f"planted risk factors in the student's top {TOP}: {found} of {planted}")


if __name__ == "__main__":
    main()
