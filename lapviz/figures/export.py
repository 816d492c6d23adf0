"""Export of figures: PNG and SVG from the mode bar, and an HTML page."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from lapviz.figures.style import plotly_figure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BAR = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}

CONFIG_PNG = {**_BAR, "toImageButtonOptions": {"format": "png", "scale": 3, "filename": "lapviz"}}
"""Plotly's ``config``: the camera saves a transparent PNG at three times the size on screen."""

CONFIG_SVG = {**_BAR, "toImageButtonOptions": {"format": "svg", "filename": "lapviz"}}
"""Plotly's ``config``: the camera saves an SVG, whose lines and text stay sharp and editable."""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: {scheme}; }}
  html {{ background: {background}; }}
  body {{ margin: 0; padding: 12px; overflow-x: auto; }}
  .page {{ min-width: {min_width}px; max-width: 1100px; height: {height}px; margin: auto; }}
</style>
</head>
<body><div class="page">{figure}</div></body>
</html>
"""


def to_html(
    figure: Figure,
    *,
    include_plotlyjs: bool | str = "cdn",
    title: str = "lapviz",
    config: dict = CONFIG_PNG,
) -> str:
    """An HTML page that shows a figure at the full width of the window.

    Parameters
    ----------
    figure : plotly Figure
        The figure to show.
    include_plotlyjs : "cdn", True, or another option of Plotly's
        "cdn" loads plotly.js from Plotly's server when the page is opened: a small file that needs
        the network. True embeds the 4.5 MB of plotly.js: a file that works offline.
    title : str
        Title of the page.
    config : dict
        Configuration of the mode bar: CONFIG_PNG, CONFIG_SVG or another.

    Returns
    -------
    str
        The page; light or dark as the browser prefers, unless the figure has a theme.
    """
    figure = plotly_figure(figure)
    meta = figure.layout.meta if isinstance(figure.layout.meta, dict) else {}
    theme = meta.get("theme", "auto")
    height = figure.layout.height or 480
    figure.update_layout(height=None, width=None, autosize=True)
    div = figure.to_html(
        full_html=False,
        include_plotlyjs=include_plotlyjs,
        config=config,
        default_height="100%",
        default_width="100%",
    )
    # Plotly wraps its output in a bare div, which must pass on the height
    div = div.replace("<div>", '<div style="height: 100%">', 1)
    return _PAGE.format(
        title=html.escape(title),
        scheme="light dark" if theme == "auto" else theme,
        background={"auto": "Canvas", "light": "#ffffff", "dark": "#0e1117"}[theme],
        min_width=meta.get("least", 0),
        height=height,
        figure=div,
    )
