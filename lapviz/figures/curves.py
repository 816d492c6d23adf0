"""Curves: eigenvalues against their index, errors and energies against λ, over several seeds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lapviz.figures import colours
from lapviz.figures._plotly import go
from lapviz.figures.style import axis, layout, plain, short

Array = np.ndarray

SHAPES = ("circle", "square", "diamond", "triangle-up", "x", "star")
QUANTILES = (0.1, 0.9)  # ends of a band
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
LOG_RATIO = 50.0  # largest over median positive value above which an axis is logarithmic
_STEPS = (1, 2, 5, 10, 20, 50, 100, 10**9)  # between the tick labels below a spectrum
TINY = 1e-9  # of the median positive value: smaller values count as zero


def spectrum(
    series: Mapping[str, Array],
    *,
    truth: Array | None = None,
    title: str | None = None,
    log_y: bool | None = None,
    theme: str = "auto",
) -> go.Figure:
    """Draw eigenvalues γ_i against i = 0, 1, ….

    Parameters
    ----------
    series : mapping of name to array (m,)
        Filled markers. A graph's eigenvalues are known up to a factor: scale them first by
        :func:`lapviz.graphs.match_scale`.
    truth : array (k,), optional
        True eigenvalues: steps with hollow markers, at most as many as the longest series has.
    title : str, optional
        Above the figure.
    log_y : bool, optional
        By default logarithmic if half of the positive values would lie in the lowest fiftieth of
        a linear axis. Zeros are then drawn at the lower end of the axis, at a tick "0".
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.

    Raises
    ------
    ValueError
        If there is nothing to show.
    """
    look = colours.theme(theme)
    lines = {name: _values(values, name) for name, values in series.items()}
    longest = max((len(values) for values in lines.values()), default=0)
    known = None
    if truth is not None:
        known = _values(truth, "truth")
        known = known[:longest] if longest else known
    everything = np.concatenate([*lines.values(), *([] if known is None else [known])] or [[]])
    if not np.isfinite(everything).any():
        raise ValueError("There is no eigenvalue to show: give at least one finite value.")

    scale = _AxisScale.of(everything, log_y)
    tip = "γ<sub>%{x}</sub> = %{customdata:.4g}"
    traces = []
    if known is not None:
        traces.append(
            {
                "x": np.arange(len(known)),
                "y": scale.positions(known),
                "customdata": known,
                "name": "truth",
                "mode": "lines+markers",
                "line": {"shape": "hvh", "color": look.text, "width": 1},
                "marker": {"symbol": "circle-open", "size": 12, "line": {"width": 1.5}},
                "hovertemplate": f"{tip}<extra>truth</extra>",
            }
        )
    for k, (name, values) in enumerate(lines.items()):
        traces.append(
            {
                "x": np.arange(len(values)),
                "y": scale.positions(values),
                "customdata": values,
                "name": plain(name),
                "mode": "markers",
                "marker": _marker(look, k, size=7),
                "hovertemplate": f"{tip}<extra>{plain(name)}</extra>",
            }
        )
    count = max(len(trace["x"]) for trace in traces)
    numbers = {"range": [-0.6, count - 0.4], "dtick": next(s for s in _STEPS if count <= 20 * s)}
    across = axis(look, "i", showgrid=False, **numbers)
    up = axis(look, "γ") | scale.axis()
    up["title"]["text"] = "γ<sub>i</sub>"
    return _figure(look, theme, title, traces, across, up)


def path(
    lams: Array,
    curves: Mapping[str, Array],
    *,
    lam: float | None = None,
    y_title: str = "error",
    x_title: str = "λ",
    log_x: bool = True,
    log_y: bool = False,
    title: str | None = None,
    theme: str = "auto",
) -> go.Figure:
    """Draw errors or energies against λ, or against another parameter.

    Parameters
    ----------
    lams : array (m,)
        In any order. On a logarithmic axis a zero is drawn at the left end, at a tick "0".
    curves : mapping of name to array (m,)
        NaN leaves a gap.
    lam : float, optional
        The current value: a vertical line.
    y_title, x_title : str
        Names of the axes.
    log_x, log_y : bool
        Logarithmic axes.
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
        If a curve's length is not that of ``lams``, or there is none.
    """
    look = colours.theme(theme)
    lams = _values(lams, "lams")
    if not curves:
        raise ValueError("There is no curve to show: give at least one.")
    order = np.argsort(lams, kind="stable")
    now = [] if lam is None else [float(lam)]
    across = _AxisScale.of(np.concatenate([lams, now]), log_x)
    lines = {name: _values(values, name) for name, values in curves.items()}
    up = _AxisScale.of(np.concatenate(list(lines.values())), log_y)
    traces = []
    for k, (name, values) in enumerate(lines.items()):
        if len(values) != len(lams):
            raise ValueError(
                f"The curve {name!r} has {len(values)} values for {len(lams)} settings: give one "
                "each, NaN where it is not known."
            )
        tip = (
            f"{plain(x_title)} = %{{customdata[0]:.3g}}<br>{plain(y_title)} %{{customdata[1]:.4g}}"
        )
        traces.append(
            {
                "x": across.positions(lams)[order],
                "y": up.positions(values)[order],
                "customdata": np.column_stack([lams, values])[order],
                "name": plain(name),
                "mode": "lines+markers" if len(lams) <= 60 else "lines",
                "line": {"color": look.series[k % len(look.series)], "width": 2}
                | {"dash": DASHES[k % len(DASHES)]},
                "marker": _marker(look, k, size=6),
                "hovertemplate": f"{tip}<extra>{plain(name)}</extra>",
            }
        )
    shapes, words = [], []
    if lam is not None:
        at = float(across.positions(np.array([float(lam)]))[0])
        mark = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1, "x0": at, "x1": at}
        shapes.append(mark | {"type": "line", "line": {"color": look.text, "width": 1.2}})
        # in an annotation, unlike a shape, a logarithmic axis counts in powers of ten
        x = float(np.log10(at)) if across.log else at
        label = {
            "text": f"{plain(x_title)} = {short(lam)}",
            "x": x,
            "xref": "x",
            "showarrow": False,
        }
        where = {"y": 1, "yref": "paper", "yanchor": "bottom", "font": {"size": 12}}
        words.append(label | where)
    x_axis = axis(look, x_title, showgrid=False) | across.axis()
    y_axis = axis(look, y_title) | up.axis()
    figure = _figure(look, theme, title, traces, x_axis, y_axis)
    return figure.update_layout(shapes=shapes, annotations=words)


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


class _AxisScale:
    """An axis that is linear, or logarithmic with a tick for zeros at its lower end."""

    def __init__(self, log: bool, zero: float, zeros: bool, top: float):
        self.log, self.zero, self.zeros, self.top = log, zero, zeros, top

    @classmethod
    def of(cls, values: Array, log: bool | None) -> _AxisScale:
        """The axis for values; ``log`` None: chosen by their range."""
        values = values[np.isfinite(values)]
        positive = values[values > 0]
        if positive.size == 0:
            return cls(False, 0.0, False, 1.0)
        real = positive[positive > TINY * np.median(positive)]
        if log is None:
            log = bool(real.max() > LOG_RATIO * np.median(real))
        zeros = bool(len(real) < len(values))
        step = 10.0 ** (np.floor(np.log10(real.min())) - 1)
        return cls(log, float(step), zeros, float(real.max()))

    def positions(self, values: Array) -> Array:
        """The values as drawn: on a logarithmic axis zeros are moved to the tick "0"."""
        if not self.log:
            return values
        low = self.zero if self.zeros else -np.inf
        with np.errstate(invalid="ignore"):
            return np.where(values < low, low, values)

    def axis(self) -> dict:
        if not self.log:
            return {"type": "linear", "rangemode": "tozero"}
        if not self.zeros:
            return {"type": "log", "exponentformat": "power", "dtick": self.decades()}
        first = round(np.log10(self.zero))
        powers = range(first + 1, int(np.ceil(np.log10(self.top))) + 1, self.decades())
        ticks = {"tickvals": [self.zero, *(10.0**p for p in powers)]}
        names = [f"10<sup>{p}</sup>".replace("-", "−") for p in powers]
        return {"type": "log", "ticktext": ["0", *names], "minor": {"ticks": ""}, **ticks}

    def decades(self) -> int:
        return max(1, round((np.log10(self.top) - np.log10(self.zero)) / 7))


def _values(values: Array, name: str) -> Array:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {values.shape}.")
    return values


def _marker(look: colours.Theme, k: int, size: int) -> dict:
    colour = look.series[k % len(look.series)]
    return {"symbol": SHAPES[k % len(SHAPES)], "color": colour, "size": size}


def _figure(look, theme: str, title: str | None, traces: list, x: dict, y: dict) -> go.Figure:
    below = {"orientation": "h", "x": 0, "y": -0.19, "yanchor": "top"}
    style = layout(
        look,
        height=400,
        title=title,
        name=theme,
        xaxis=x,
        yaxis=y,
        legend={"font": {"color": look.text}, **below},
        showlegend=True,
        hovermode="closest",
        margin={"pad": 0, "l": 60, "r": 20, "t": 66 if title else 36, "b": 84},
    )
    for trace in traces:
        trace |= {"type": "scatter", "cliponaxis": False}  # whole markers on the axes
    return go.Figure(data=traces, layout=style)
