"""Curves over several seeds: their mean, and a band between quantiles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lapviz.figures._plotly import go
from lapviz.figures.curves import path
from lapviz.figures.style import plain

Array = np.ndarray
QUANTILES = (0.1, 0.9)


def bands(
    x: Array, runs: Mapping[str, Array], *, quantiles: tuple[float, float] = QUANTILES, **options
) -> go.Figure:
    """Draw the mean of several runs against x, with a band between two quantiles.

    Parameters
    ----------
    x : array (m,)
        In any order.
    runs : mapping of name to array (n_runs, m)
        One row for each run; NaN leaves a gap. A single run has no band.
    quantiles : two floats in [0, 1], default (0.1, 0.9)
    **options
        Of :func:`lapviz.figures.path`: the line at the present value, titles, axes, theme.

    Returns
    -------
    plotly Figure
        The figure.

    Raises
    ------
    ValueError
        If there is no run, or lengths do not fit.
    """
    x = np.asarray(x, dtype=float)
    runs = {name: np.atleast_2d(np.asarray(rows, dtype=float)) for name, rows in runs.items()}
    figure = path(x, {name: rows.mean(axis=0) for name, rows in runs.items()}, **options)
    order = np.argsort(x, kind="stable")
    fills = []
    for line, (name, rows) in zip(figure.data, runs.items(), strict=True):
        if len(rows) < 2 or not np.isfinite(rows).all():
            continue
        low, high = np.quantile(rows, quantiles, axis=0)
        fills.append(
            go.Scatter(
                x=np.r_[line.x, line.x[::-1]],
                y=np.r_[low[order], high[order][::-1]],
                fill="toself",
                fillcolor=line.line.color,
                opacity=0.18,
                line={"width": 0},
                mode="lines",
                hoverinfo="skip",
                showlegend=False,
                name=f"{plain(name)}, {100 * quantiles[0]:g}–{100 * quantiles[1]:g} %",
            )
        )
    lines = list(figure.data)
    return go.Figure(data=[*fills, *lines], layout=figure.layout)
