"""Opens every page as the app's process does, and says which libraries that loaded.

    python -m tests.pages.every_page COHORT RUN     # in the data folder of CACVIZ_DATA_DIR

A process of its own: pytest's has long loaded what the pages must not.
"""

import json
import sys

from streamlit.testing.v1 import AppTest

from cacviz.engine.running.methods import METHODS, methods_for
from cacviz.ui.shell.navigation import PAGES

HEAVY = ("numba", "scipy", "shap", "sklearn", "statsmodels", "torch", "umap", "xgboost")


def opened(name, **address):
    app = AppTest.from_string(
        f"from cacviz.ui.shell.frame import show\nshow({name!r})", default_timeout=180
    )
    for key, value in address.items():
        app.query_params[key] = value
    return app.run()


def used(name, app):
    """What a visitor does on the page beyond looking at it."""
    if name == "find_subtypes":
        for method in [n for n in methods_for(series=False) if METHODS[n].clusters]:
            app.selectbox(key="method").set_value(method).run()
    if name == "cohort":
        app.multiselect(key="role_left out").set_value(["Age"]).run()
        app.multiselect(key="role_left out").set_value([]).run()
    if name == "subtypes":
        app.selectbox(key="map_color").select_index(4).run()
    return app


def main(cohort, run):
    """A line a page: what is wrong with it, and what has been loaded by then."""
    for address in ({}, {"cohort": cohort, "run": run}):
        for name in PAGES:
            app = opened(name, **address)
            app = used(name, app) if address else app
            wrong = [e.message for e in app.exception]
            loaded = [library for library in HEAVY if library in sys.modules]
            said = {"page": name, "wrong": wrong, "loaded": loaded, "shown": bool(app.title)}
            said["subheaders"] = [s.value for s in app.subheader]
            sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
