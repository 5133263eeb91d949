"""Does it hold elsewhere? A finished run judged on another cohort."""
