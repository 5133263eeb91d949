"""A finished run applied to other patients: columns matched, values checked, subtypes and risks."""
