"""The explorer: all that knows Streamlit."""

from lapviz import _extras

PACKAGES = ("streamlit", "plotly", "pandas", "pyarrow", "PIL", "segno", "websockets")


def missing() -> str:
    """What must be installed before the explorer can start; empty if it can."""
    return _extras.missing("explorer", "The explorer", *PACKAGES)
