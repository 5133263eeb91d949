"""The page Method: the paper in six pictures, the theorems for the run at hand, the words."""
