"""Plotly, for all modules of figures that need it."""

from __future__ import annotations

from lapviz._extras import needed

with needed("plot", "A Plotly figure"):
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

__all__ = ["go", "make_subplots"]
