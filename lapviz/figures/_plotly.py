"""Plotly, for all modules of figures that need it."""

from __future__ import annotations

from lapviz._extras import needed

with needed("plot", "A Plotly figure"):
    import plotly.graph_objects as go
    from plotly import subplots

make_subplots = subplots.make_subplots  # assigned: Plotly has no hints

__all__ = ["go", "make_subplots"]
