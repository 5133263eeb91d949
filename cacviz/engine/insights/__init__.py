"""A run becomes numbers worth showing: who the subtypes are, what differs, what drives the risk."""
