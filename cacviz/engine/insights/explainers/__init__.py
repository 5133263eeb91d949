"""What drives the risk inside a subtype: small models that explain the run, held against chance."""
