"""The entry of `streamlit run app.py`: the router behind the security headers."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.routing import Route
from streamlit.starlette import App

import cacviz
from cacviz.ui.shell.door import entrance
from cacviz.ui.shell.posture import prepare
from cacviz.ui.shell.security import PageRoot, SecurityHeaders, explain_error

ROUTER = Path(cacviz.__file__).parent / "ui" / "shell" / "router.py"
prepare()
app = App(
    ROUTER,
    routes=[Route("/start", lambda request: RedirectResponse("/"))],  # the first page has no name
    middleware=[Middleware(SecurityHeaders), Middleware(entrance()), Middleware(PageRoot)],
    on_script_error=explain_error,
)
