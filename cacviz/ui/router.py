"""What Streamlit runs for every page."""

from cacviz.ui.shell import show

show()
