"""What is said about a server for a ward: at its door, and where it will not start."""

from __future__ import annotations

from collections.abc import Sequence

NOT_BY_THE_PROXY = "This cacviz answers its own proxy alone. Open the address that your ward uses."
PROXY_NAMES_NOBODY = (
    "The server in front of this cacviz did not say who you are. Log in there first."
)
NO_PERSON = "This cacviz asks who you are. Open the whole address that you were given, with the token in it."

NEEDS_SERVER = "--{flag} needs --server. Without it cacviz serves this computer alone."
NEEDS_FOLDER = "--server needs --data-dir: the folder in which everybody's data are kept."
NEEDS_PROXY = (
    "--address {address} can be reached from other machines. Name the proxy that encrypts and stands in front: --trusted-proxy 10.0.0.2. "
    "Without one, only 127.0.0.1 is served."
)
NEEDS_HOST = "--address {address} needs --host: the name under which people open cacviz."
HEADER_NEEDS_PROXY = "--user-header needs --trusted-proxy: else anybody could send that header."
HEADER_OF_BROWSERS = "--user-header {header}: browsers send that header themselves. Use one that your proxy sets and overwrites, such as X-Remote-User."
NO_NETWORK = "--trusted-proxy {said} is no address or network such as 10.0.0.2 or 10.0.0.0/24."
EVERYBODY = "--trusted-proxy {said} would trust everybody. Name the proxy's own address."
NO_ACCOUNT = "--proxy-account {said}: this computer knows no such account."
NO_HOST = "--host {said} is no name of a computer."
NO_PEOPLE = "Nobody may come in yet. Add people with `cacviz people add NAME --data-dir {folder}`, or name a proxy's header with --user-header."
OWN_DATA = "'{folder}' holds the cohorts of a single person. Choose another folder for a server."


def machine(*, served: bool) -> str:
    """What keeps the data and does the work: one's own computer, or a ward's server."""
    return "this server" if served else "this computer"


def stays_here(*, served: bool) -> str:
    """Where the data of a person are, for the sidebar of every page."""
    folder = ", in a folder of your own" if served else ""
    return f"Your data stays on {machine(served=served)}{folder}."


def unsafe_options(wrong: Sequence[str]) -> str:
    """Why the app does not start: settings of Streamlit under which patients' data could leave."""
    return (
        f"cacviz does not start with these settings of Streamlit: {'; '.join(wrong)}. Take them out of the command, the environment "
        "(STREAMLIT_…) and your own .streamlit/config.toml."
    )
