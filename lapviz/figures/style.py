"""Text, axes and layouts common to all figures; Plotly itself is imported with the first figure.

Live pictures do not need Plotly.
"""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

from lapviz._extras import needed
from lapviz.figures.colours import Theme
from lapviz.markdown import short

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SHAPES = ("circle", "square", "diamond", "triangle-up", "x", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
FONT = "Segoe UI, Helvetica, Arial, sans-serif"  # a saved image cannot load web fonts
CLEAR = "rgba(0, 0, 0, 0)"


def plotly_figure(data: Any = (), layout: Any = None) -> Figure:
    """A figure of traces and a layout, or a copy of another figure."""
    with needed("plot", "A Plotly figure"):
        import plotly.graph_objects as go
    return go.Figure(data, layout)


def subplots(rows: int, columns: int, **options: Any) -> Figure:
    """An empty figure of panels in rows."""
    with needed("plot", "A Plotly figure"):
        from plotly.subplots import make_subplots
    return make_subplots(rows, columns, **options)


def plain(text: str) -> str:
    """Escape text so that Plotly finds no tags, TeX or hover templates in it."""
    text = html.escape(str(text), quote=False)
    return text.replace("%{", "%\u200b{").replace("$", "&#36;")


def wrapped(text: str, width: int) -> str:
    """Escaped text, wrapped into lines of at most ``width`` characters."""
    return "<br>".join(plain(line) for line in textwrap.wrap(str(text), max(width, 8)))


def layout(look: Theme, *, height: int, title: str | None = None, **options: Any) -> dict:
    """A transparent layout in the theme's colours; ``meta`` has the theme's name for the export."""
    base = {
        "template": "none",
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"color": look.text, "family": FONT, "size": 13},
        "height": height,
        "hoverlabel": {"font": {"family": FONT}},
        "modebar": {"bgcolor": CLEAR, "color": look.faint, "activecolor": look.text},
        "legend": {"bgcolor": CLEAR} | options.pop("legend", {}),
        "hovermode": "closest",
        "meta": {"theme": look.name} | options.pop("meta", {}),
    }
    if title:
        corner = {"x": 0, "xref": "paper", "xanchor": "left", "y": 0.98, "yanchor": "top"}
        base["title"] = {"text": plain(title), "font": {"size": 16}, "yref": "container", **corner}
    return base | options


def line_style(look: Theme, k: int, size: float) -> dict:
    """Line and marker of curve k: each time the colours repeat, the dash and shape change."""
    cycle, colour = k + k // len(look.series), look.series[k % len(look.series)]
    return {
        "line": {"color": colour, "width": 2, "dash": DASHES[cycle % len(DASHES)]},
        "marker": {"color": colour, "size": size, "symbol": SHAPES[cycle % len(SHAPES)]},
    }


def axis(look: Theme, title: str = "", **options) -> dict:
    """An axis with faint lines, outside ticks and the theme's text."""
    return {
        "title": {"text": plain(title), "standoff": 8, "font": {"size": 13}},
        "showline": True,
        "linecolor": look.faint,
        "gridcolor": look.faint,
        "gridwidth": 0.5,
        "tickcolor": look.faint,
        "ticks": "outside",
        "ticklen": 4,
        "zeroline": False,
        **options,
    }


def colour_bar(look: Theme, top: float, title: str = "") -> dict:
    """A slim colour bar from -top to top."""
    return {
        "thickness": 10,
        "len": 0.8,
        "outlinewidth": 0,
        "ticks": "outside",
        "ticklen": 3,
        "tickcolor": look.faint,
        "tickfont": {"size": 11},
        "tickvals": [-top, -top / 2, 0, top / 2, top],
        "ticktext": [short(t, 2) for t in (-top, -top / 2, 0, top / 2, top)],
        "title": {"text": plain(title), "font": {"size": 12}},
    }
