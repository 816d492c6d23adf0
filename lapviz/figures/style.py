"""Text, axes and layouts common to all figures."""

from __future__ import annotations

import html
import math
import textwrap

from lapviz.figures.colours import Theme

SHAPES = ("circle", "square", "diamond", "triangle-up", "x", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
FONT = "Source Sans Pro, Segoe UI, Helvetica, Arial, sans-serif"
CLEAR = "rgba(0, 0, 0, 0)"


def plain(text: str) -> str:
    """Text escaped so that Plotly finds no tags, TeX or hover templates in it."""
    text = html.escape(str(text), quote=False)
    return text.replace("%{", "%\u200b{").replace("$", "&#36;")


def wrapped(text: str, width: int) -> str:
    """Plain text broken into lines of at most ``width`` characters."""
    return "<br>".join(plain(line) for line in textwrap.wrap(str(text), max(width, 8)))


def short(value: float, digits: int = 3) -> str:
    """A number in a few digits, with a true minus sign; an en dash if it is not finite."""
    return f"{value:.{digits}g}".replace("-", "−") if math.isfinite(value) else "–"


def layout(colours: Theme, *, height: int, title: str | None, name: str, **more) -> dict:
    """A transparent layout with the theme's text; ``name`` is the theme's, for the export."""
    meta = {"theme": name} | more.pop("meta", {})
    base = {
        "template": "none",
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"color": colours.text, "family": FONT, "size": 13},
        "height": height,
        "margin": {"pad": 0, "l": 56, "r": 16, "t": 64 if title else 36, "b": 48},
        "hoverlabel": {"font": {"family": FONT}},
        "modebar": {"bgcolor": CLEAR, "color": colours.faint, "activecolor": colours.text},
        "legend": {"font": {"color": colours.text}, "bgcolor": CLEAR},
        "meta": meta,
    }
    if title:
        where = {"x": 0, "xref": "paper", "xanchor": "left", "yref": "container", "y": 0.98}
        font = {"size": 16, "color": colours.text}
        base["title"] = {"text": plain(title), "font": font, "yanchor": "top", **where}
    return base | more


def line_style(colours: Theme, k: int, size: float) -> dict:
    """Line and marker of curve k: when the colours begin anew, each has the next dash and shape."""
    again, colour = k + k // len(colours.series), colours.series[k % len(colours.series)]
    return {
        "line": {"color": colour, "width": 2, "dash": DASHES[again % len(DASHES)]},
        "marker": {"color": colour, "size": size, "symbol": SHAPES[again % len(SHAPES)]},
    }


def axis(colours: Theme, title: str = "", **more) -> dict:
    """An axis with faint lines, outside ticks and the theme's text."""
    return {
        "title": {"text": plain(title), "standoff": 8, "font": {"size": 13}},
        "color": colours.text,
        "showline": True,
        "linecolor": colours.faint,
        "gridcolor": colours.faint,
        "gridwidth": 0.5,
        "tickcolor": colours.faint,
        "ticks": "outside",
        "ticklen": 4,
        "zeroline": False,
        **more,
    }


def colour_bar(colours: Theme, top: float, title: str = "") -> dict:
    """A slim bar from -top to top."""
    return {
        "thickness": 10,
        "len": 0.8,
        "outlinewidth": 0,
        "ticks": "outside",
        "ticklen": 3,
        "tickcolor": colours.faint,
        "tickfont": {"color": colours.text, "size": 11},
        "tickvals": [-top, -top / 2, 0, top / 2, top],
        "ticktext": [short(t, 2) for t in (-top, -top / 2, 0, top / 2, top)],
        "title": {"text": plain(title), "font": {"color": colours.text, "size": 12}},
    }
