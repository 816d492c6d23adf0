"""Predicted values against given ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lapviz.figures import colours
from lapviz.figures._plotly import go
from lapviz.figures.curves import _figure, _marker
from lapviz.figures.style import axis, plain

Array = np.ndarray


def agreement(
    groups: Mapping[str, tuple[Array, Array]],
    *,
    x_title: str = "given",
    y_title: str = "predicted",
    title: str | None = None,
    theme: str = "auto",
) -> go.Figure:
    """Draw predicted values against given ones, and the line on which they agree.

    Parameters
    ----------
    groups : mapping of name to (given, predicted), arrays (m,)
        Points of one colour and shape each; those without points are left out.
    x_title, y_title : str
        Names of the axes.
    title : str, optional
        Above the figure.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.

    Raises
    ------
    ValueError
        If there is no point.
    """
    look, traces = colours.theme(theme), []
    for k, (name, (given, predicted)) in enumerate(groups.items()):
        if len(given):
            traces.append(
                {
                    "x": np.asarray(given, float),
                    "y": np.asarray(predicted, float),
                    "name": plain(name),
                    "mode": "markers",
                    "marker": _marker(look, k, size=6) | {"opacity": 0.7},
                    "hovertemplate": f"{plain(x_title)} %{{x:.4g}}<br>"
                    f"{plain(y_title)} %{{y:.4g}}<extra>{plain(name)}</extra>",
                }
            )
    if not traces:
        raise ValueError("There is no given value to compare with.")
    both = np.concatenate([trace["x"] for trace in traces])
    low, high = float(both.min()), float(both.max())
    line = {"type": "line", "x0": low, "y0": low, "x1": high, "y1": high}
    figure = _figure(look, theme, title, traces, axis(look, x_title), axis(look, y_title))
    return figure.update_layout(shapes=[line | {"line": {"color": look.faint, "width": 1.5}}])
