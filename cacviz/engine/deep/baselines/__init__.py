"""The paper's deep baselines, corrected: each a small estimator over DeepCAC's parts."""
