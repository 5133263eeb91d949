"""The entry of `streamlit run app.py`: the router behind the security headers."""

from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from cacviz.ui.security import PageRoot, SecurityHeaders, explain_error

ROUTER = Path(__file__).parent / "cacviz" / "ui" / "router.py"
app = App(
    ROUTER,
    middleware=[Middleware(SecurityHeaders), Middleware(PageRoot)],
    on_script_error=explain_error,
)
