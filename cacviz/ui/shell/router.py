"""What Streamlit runs for every page."""

from cacviz.ui.shell.frame import show

show()
