"""Methods by name, and one fit or many: runs, controls, studies, verdicts."""
