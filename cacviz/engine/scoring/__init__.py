"""Arithmetic on arrays that several families share: separation, effects, tests, intervals."""
