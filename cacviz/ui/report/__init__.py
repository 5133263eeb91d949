"""Report: what is handed over of a run."""
