"""Who the subtypes are: profiles, tests on held-out patients, survival."""
