"""The explorer: all code that uses Streamlit."""

from lapviz import _extras

PACKAGES = ("streamlit", "plotly", "pandas", "pyarrow", "PIL", "segno", "websockets")


def missing() -> str:
    """Sentence about packages that the explorer needs and that are missing; "" if none is."""
    return _extras.missing("explorer", "The explorer", *PACKAGES)
