"""`python -m cacviz` is the command `cacviz`."""

from cacviz.cli import main

raise SystemExit(main())
