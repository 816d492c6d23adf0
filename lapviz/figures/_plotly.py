"""Plotly, imported when the first figure is drawn: live pictures do without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lapviz._extras import needed

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def figure(data: Any = (), layout: Any = None) -> Figure:
    """A figure of traces and a layout, or a copy of another figure."""
    with needed("plot", "A Plotly figure"):
        import plotly.graph_objects as go
    return go.Figure(data, layout)


def make_subplots(rows: int, columns: int, **options: Any) -> Figure:
    """An empty figure of panels in rows."""
    with needed("plot", "A Plotly figure"):
        from plotly import subplots
    return subplots.make_subplots(rows, columns, **options)
