"""Curves: eigenvalues against their index, errors against λ, predicted against observed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lapviz.figures import colours
from lapviz.figures.colours import Theme
from lapviz.figures.style import axis, layout, line_style, plain, plotly_figure
from lapviz.markdown import short

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Array = np.ndarray

QUANTILES = (0.1, 0.9)  # ends of a band
LOG_RATIO = 50.0  # largest over median positive value above which an axis is logarithmic
_STEPS = (1, 2, 5, 10, 20, 50, 100, 10**9)  # between the tick labels of a spectrum
TINY = 1e-9  # smaller shares of the median positive value count as zero


def spectrum(
    series: Mapping[str, Array],
    *,
    truth: Array | None = None,
    symbol: str = "γ",
    title: str | None = None,
    log_y: bool | None = None,
    theme: str = "auto",
) -> Figure:
    """Draw eigenvalues γ_i against i = 0, 1, ….

    Parameters
    ----------
    series : mapping of name to array (m,)
        Drawn as filled markers. A graph's eigenvalues are known up to a factor: scale them first
        with :func:`lapviz.graphs.match_scale`.
    truth : array (k,), optional
        True eigenvalues, drawn as steps with hollow markers; cut to the longest series' length.
    symbol : str, default "γ"
        Of an eigenvalue, on the axis and in tooltips.
    title : str, optional
        Above the figure.
    log_y : bool, optional
        By default the axis is logarithmic if half of the positive values would lie in the lowest
        fiftieth of a linear one. Zeros are then drawn at its lower end, at a tick "0".
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
    lines = [(name, _values(values, name)) for name, values in series.items()]
    if truth is not None:
        longest = max((len(values) for _, values in lines), default=None)
        lines.insert(0, ("truth", _values(truth, "truth")[:longest]))
    all_values = np.concatenate([[], *(values for _, values in lines)])
    if not np.isfinite(all_values).any():
        raise ValueError("There is no eigenvalue to show: give at least one finite value.")

    y_scale = _AxisScale.of(all_values, log_y)
    tip = f"{plain(symbol)}<sub>%{{x}}</sub> = %{{customdata:.4g}}"
    traces = [
        _trace(name, np.arange(len(values)), y_scale.positions(values), tip, customdata=values,
               mode="markers", marker=line_style(look, k, 7)["marker"])
        for k, (name, values) in enumerate(lines, -int(truth is not None))
    ]  # fmt: skip
    if truth is not None:  # steps with hollow markers
        hollow = {"symbol": "circle-open", "size": 12, "line": {"width": 1.5}}
        steps = {"shape": "hvh", "color": look.text, "width": 1}
        traces[0] |= {"mode": "lines+markers", "marker": hollow, "line": steps}
    count = max(len(trace["x"]) for trace in traces)
    ticks = {"range": [-0.6, count - 0.4], "dtick": next(s for s in _STEPS if count <= 20 * s)}
    y_axis = axis(look, f"{symbol}ᵢ") | y_scale.axis()
    return _figure(look, title, traces, axis(look, "i", showgrid=False, **ticks), y_axis)


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
) -> Figure:
    """Draw errors or energies against λ, or against another parameter.

    Parameters
    ----------
    lams : array (m,)
        λ, in any order. On a logarithmic axis a zero is drawn at the left end, at a tick "0".
    curves : mapping of name to array (m,)
        NaN leaves a gap.
    lam : float, optional
        The current value, drawn as a vertical line.
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
        If a curve's length is not that of ``lams``, or there is no curve.
    """
    look = colours.theme(theme)
    lams = _values(lams, "lams")
    if not curves:
        raise ValueError("There is no curve to show: give at least one.")
    order = np.argsort(lams, kind="stable")
    current = [] if lam is None else [float(lam)]
    x_scale = _AxisScale.of(np.concatenate([lams, current]), log_x)
    lines = {name: _values(values, name) for name, values in curves.items()}
    y_scale = _AxisScale.of(np.concatenate(list(lines.values())), log_y)
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
            _trace(name, x_scale.positions(lams)[order], y_scale.positions(values)[order], tip,
                   customdata=np.column_stack([lams, values])[order],
                   mode="lines+markers" if len(lams) <= 60 else "lines",
                   **line_style(look, k, 6))
        )  # fmt: skip
    x_axis = axis(look, x_title, showgrid=False) | x_scale.axis()
    figure = _figure(look, title, traces, x_axis, axis(look, y_title) | y_scale.axis())
    if lam is not None:
        x = float(x_scale.positions(np.array([float(lam)]))[0])
        # in an annotation, unlike in a shape, a logarithmic axis counts in powers of ten
        note = {"text": f"{plain(x_title)} = {short(lam)}", "showarrow": False, "yref": "paper",
                "x": float(np.log10(x)) if x_scale.log else x, "y": 1, "yanchor": "bottom",
                "font": {"size": 12}}  # fmt: skip
        figure.add_vline(x, line={"color": look.text, "width": 1.2}).add_annotation(note)
        figure.layout.margin.t += 14  # the note below Plotly's buttons
    return figure


def bands(
    x: Array, runs: Mapping[str, Array], *, quantiles: tuple[float, float] = QUANTILES, **options
) -> Figure:
    """Draw the mean of several runs against x, with a band between two quantiles.

    Parameters
    ----------
    x : array (m,)
        In any order.
    runs : mapping of name to array (n_runs, m)
        One row for each run; NaN leaves a gap, and no band. A single run has no band.
    quantiles : two floats in [0, 1], default (0.1, 0.9)
        Ends of the band.
    **options
        Options of :func:`lapviz.figures.path`: the current value, titles, axes, theme.

    Returns
    -------
    plotly Figure
        The figure.

    Raises
    ------
    ValueError
        If there is no run, lengths do not match, or the quantiles are out of order.
    """
    low, high = quantiles
    if not 0 <= low <= high <= 1:
        raise ValueError(f"quantiles must be two increasing numbers in [0, 1], got {quantiles}.")
    x = np.asarray(x, dtype=float)
    runs = {name: np.atleast_2d(np.asarray(rows, dtype=float)) for name, rows in runs.items()}
    curves, edges = {}, {}
    for name, rows in runs.items():
        if not len(rows):
            raise ValueError(f"There is no run of {name!r}: give at least one row.")
        curves[name] = rows.mean(axis=0)
        if len(rows) > 1 and np.isfinite(rows).all():
            ends = np.quantile(rows, quantiles, axis=0)
            edges |= {f"{name}\0low": ends[0], f"{name}\0high": ends[1]}
    figure = path(x, curves | edges, **options)  # so that edges are placed as lines are
    placed = dict(zip([*curves, *edges], figure.data, strict=True))
    fills = [
        {
            "type": "scatter", "x": np.r_[line.x, line.x[::-1]],
            "y": np.r_[placed[f"{name}\0low"].y, placed[f"{name}\0high"].y[::-1]],
            "fill": "toself", "mode": "lines", "fillcolor": line.line.color, "opacity": 0.18,
            "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
            "name": f"{plain(name)}, {100 * low:g}–{100 * high:g} %",
        }
        for name, line in placed.items() if f"{name}\0low" in edges
    ]  # fmt: skip
    return plotly_figure([*fills, *(placed[name] for name in curves)], figure.layout)


def agreement(
    groups: Mapping[str, tuple[Array, Array]],
    *,
    x_title: str = "given",
    y_title: str = "predicted",
    title: str | None = None,
    theme: str = "auto",
) -> Figure:
    """Draw predicted against observed values, and the line on which they agree.

    Parameters
    ----------
    groups : mapping of name to (observed, predicted), arrays (m,)
        Each group has its colour and shape. Pairs with a NaN and empty groups are left out.
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
        If all groups are empty.
    """
    look = colours.theme(theme)
    tip = f"{plain(x_title)} %{{x:.4g}}<br>{plain(y_title)} %{{y:.4g}}"
    traces = []
    for k, (name, pairs) in enumerate(groups.items()):
        observed, predicted = (np.asarray(v, dtype=float) for v in pairs)
        if observed.shape != predicted.shape:
            raise ValueError(
                f"Group {name!r} has {observed.size} observed values, {predicted.size} predicted."
            )
        values = np.array([observed, predicted])
        observed, predicted = values[:, np.isfinite(values).all(axis=0)]
        marker = line_style(look, k, 6)["marker"] | {"opacity": 0.7}
        if len(observed):
            traces.append(_trace(name, observed, predicted, tip, mode="markers", marker=marker))
    if not traces:
        raise ValueError("There is no given value to compare with.")
    observed_values = np.concatenate([trace["x"] for trace in traces])
    low, high = float(observed_values.min()), float(observed_values.max())
    figure = _figure(look, title, traces, axis(look, x_title), axis(look, y_title))
    line = {"color": look.faint, "width": 1.5}
    return figure.add_shape(type="line", x0=low, y0=low, x1=high, y1=high, line=line)


@dataclass(frozen=True)
class _AxisScale:
    """An axis that is linear, or logarithmic with a tick for zeros at its lower end."""

    log: bool = False
    zero: float = 0.0
    zeros: bool = False
    least: float = 1.0
    top: float = 1.0

    @classmethod
    def of(cls, values: Array, log: bool | None) -> _AxisScale:
        """The axis for values; with ``log=None`` it is chosen by their range."""
        values = values[np.isfinite(values)]
        positive = values[values > 0]
        if positive.size == 0:
            return cls()
        nonzero = positive[positive > TINY * np.median(positive)]
        if log is None:
            log = bool(nonzero.max() > LOG_RATIO * np.median(nonzero))
        step = 10.0 ** (np.floor(np.log10(nonzero.min())) - 1)
        ends = float(nonzero.min()), float(nonzero.max())
        return cls(log, float(step), len(nonzero) < len(values), *ends)

    def positions(self, values: Array) -> Array:
        """Positions of the values: on a logarithmic axis zeros are moved to the tick "0"."""
        if not (self.log and self.zeros):
            return values
        with np.errstate(invalid="ignore"):
            return np.where(values < self.zero, self.zero, values)

    def axis(self) -> dict:
        if not self.log:
            return {"type": "linear", "rangemode": "tozero"}
        # at most seven numbers: a phone would turn more
        decades = max(1, int(np.ceil((np.log10(self.top) - np.log10(self.zero) - 1) / 6)))
        if not self.zeros:
            # within a decade there may be no power of ten; long numbers need room beside the title
            narrow = self.top < 10 * self.least
            ticks = {"nticks": 7, "automargin": "left"} if narrow else {"dtick": decades}
            return {"type": "log", "exponentformat": "power", **ticks}
        first = round(np.log10(self.zero))
        powers = range(first + 1, int(np.ceil(np.log10(self.top))) + 1, decades)
        labels = [f"10<sup>{p}</sup>".replace("-", "−") for p in powers]
        return {"type": "log", "ticktext": ["0", *labels], "minor": {"ticks": ""},
                "tickvals": [self.zero, *(10.0**p for p in powers)]}  # fmt: skip


def _trace(name: str, x: Array, y: Array, tip: str, **options) -> dict:
    hover = f"{tip}<extra>{plain(name)}</extra>"
    trace = {"type": "scatter", "x": x, "y": y, "name": plain(name), "hovertemplate": hover}
    return trace | {"cliponaxis": False} | options  # markers on the axes are not cut off


def _values(values: Array, name: str) -> Array:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {values.shape}.")
    return values


def _figure(look: Theme, title: str | None, traces: list, x: dict, y: dict) -> Figure:
    curve_layout = layout(
        look,
        height=400,
        title=title,
        xaxis=x,
        yaxis=y,
        legend={"orientation": "h", "x": 0, "y": -0.19, "yanchor": "top"},
        showlegend=True,
        margin={"l": 60, "r": 20, "t": 66 if title else 36, "b": 84},
    )
    return plotly_figure(traces, curve_layout)
