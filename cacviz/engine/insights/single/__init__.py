"""One patient: where it belongs, at which risk, why, who is alike, and what if."""
