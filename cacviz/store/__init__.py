"""What is on disk: cohorts, runs, insights and comparisons, each whole or not there."""
