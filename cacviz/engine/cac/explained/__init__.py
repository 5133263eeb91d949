"""CAC small enough to watch: patients in a plane, numpy alone, a step within the blink of an eye.

The process that serves pages may load this; `tests/engine/cac/explained` holds it equal to the
kernel and to the estimators that runs use.
"""
