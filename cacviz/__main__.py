"""`python -m cacviz` is `cacviz`."""

from cacviz.commands.main import main

raise SystemExit(main())
