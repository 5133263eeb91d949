"""`cacviz app | fit | compare | predict …`: the same engine, jobs and store without a browser."""
