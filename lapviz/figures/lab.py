"""Measured tables as figures: means with error bars, one line a method, one panel a facet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lapviz.charts import Drawing, Point, Row, points
from lapviz.figures import colours
from lapviz.figures.style import SHAPES, axis, layout, line_style, plain, short, subplots, wrapped

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

WIDTH = 46  # characters of a caption's line: as many as a phone shows
PANEL = 22  # of the heading of a panel beside others
HEIGHT, ROW = 430, 330  # pixels of one panel, and of each row of several
UNDER, LINE = 58, 30  # pixels of an axis with its title, and of a line of the legend
FEW = 8  # whole numbers on an axis that are all ticks
PHONE = 300  # pixels of a legend on a phone


def chart(
    rows: Iterable[Row],
    drawing: Drawing,
    *,
    seed: int | None = None,
    columns: int = 2,
    theme: str = "auto",
) -> Figure:
    """Draw the rows of an experiment as a drawing says.

    Parameters
    ----------
    rows : iterable of mappings
        Tidy rows, one for each trial and setting.
    drawing : lapviz.charts.Drawing
        What becomes axes, lines and panels.
    seed : int, optional
        For the caption, beside the number of trials.
    columns : int
        Panels side by side.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure. Error bars are standard errors of the mean, or quartiles of the median.

    Raises
    ------
    ValueError
        If no row has a value to draw.
    """
    look = colours.theme(theme)
    shown = points(rows, drawing)
    if not shown:
        raise ValueError("There is nothing to draw yet: no row has a value of this drawing.")
    facets = list(dict.fromkeys(p.facet for p in shown))
    lines = list(dict.fromkeys(p.colour for p in shown))
    n_columns = min(columns, len(facets))
    n_rows = math.ceil(len(facets) / n_columns)
    wide = PANEL if n_columns > 1 else WIDTH
    titles = [wrapped(_panel(drawing, facet), wide) for facet in facets if drawing.facet]
    figure = subplots(
        n_rows, n_columns, subplot_titles=titles or None, shared_yaxes="all",
        vertical_spacing=0.3 / n_rows if n_rows > 1 else 0.1, horizontal_spacing=0.07,
    )  # fmt: skip
    xs: list[Any] = [p.x for p in shown]
    bars = not all(isinstance(x, int | float) for x in xs)
    across = _axis(look, drawing.log_x, xs, bars) | _ticks(drawing, xs, bars, n_columns > 1)
    ends = [v for p in shown for v in (p.y, p.low, p.high) if math.isfinite(v)]
    up = _axis(look, drawing.log_y, ends, False)
    named: set[int] = set()  # lines that the legend has already
    for k, facet in enumerate(facets):
        place = {"row": k // n_columns + 1, "col": k % n_columns + 1}
        inside = [p for p in shown if p.facet == facet]
        for i, colour in enumerate(lines):
            line = [p for p in inside if p.colour == colour]
            if line:
                figure.add_trace(_trace(line, drawing, look, i, bars, i not in named), **place)
                named.add(i)
        first = [p for p in inside if p.colour == lines[0]]
        for trace in _references(first, drawing, look, k == 0, shown):
            figure.add_trace(trace, **place)
        lowest = k + n_columns >= len(facets)  # of its column
        names = plain(drawing.x_label or drawing.x), plain(drawing.y_label or drawing.y)
        figure.update_xaxes(across, title_text=names[0] * lowest, **place)
        figure.update_yaxes(up, title_text=names[1] * (place["col"] == 1), **place)
    small = f'<span style="font-size: 12px">{wrapped(caption(shown, drawing, seed), WIDTH)}</span>'
    head = "<br>".join(filter(None, (wrapped(drawing.title, WIDTH), small)))
    above = 34 + 17 * head.count("<br>") + (28 if titles else 12)
    above += 17 * max((title.count("<br>") for title in titles), default=0)
    entries = [drawing.called(colour) for colour in lines] if drawing.colour is not None else []
    entries += [mark.label for mark in (*drawing.slopes, *drawing.references)]
    widest = 35 + 6.5 * max(map(len, entries), default=0)  # pixels of a column of the legend
    below = UNDER + LINE * math.ceil(len(entries) / max(1, int(PHONE / widest)))
    height = (HEIGHT if n_rows == 1 else ROW * n_rows) - 140 + above + below
    style = layout(
        look,
        height=height,
        title="-",
        margin={"l": 64, "r": 16, "t": above, "b": below},
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": (below - UNDER) / height,
                "yref": "container", "yanchor": "top"},
        showlegend=bool(entries),
        barmode="group",
    )  # fmt: skip
    style["title"] |= {"text": head, "y": 1, "pad": {"t": 14}, "font": {"size": 15}}
    figure.update_layout(style)
    return figure.update_annotations(font={"size": 13})


def caption(shown: Sequence[Point], drawing: Drawing, seed: int | None = None) -> str:
    """What the points and bars are, of how many trials, and from which seed."""
    least, most = min(p.n for p in shown), max(p.n for p in shown)
    trials = f"{most} trial{'s' * (most > 1)}" if least == most else f"{least} to {most} trials"
    if most == 1:
        words = "One trial, so no error bars"
    elif drawing.summary == "mean":
        words = f"Mean ± standard error of {trials}"
    else:
        words = f"Median and quartiles of {trials}"
    words += f", seed {seed}" if seed is not None else ""
    if drawing.best_over:
        words += f"; at each point the best {' and '.join(drawing.best_over)} in hindsight"
    return words + "."


def _trace(line: list[Point], drawing: Drawing, look, i: int, bars: bool, first: bool) -> dict:
    y = np.array([p.y for p in line])
    low, high = np.array([p.low for p in line]), np.array([p.high for p in line])
    down = np.nan_to_num(y - (np.maximum(low, 0.02 * y) if drawing.log_y else low))
    name = plain(drawing.called(line[0].colour)) if drawing.colour else plain(drawing.y)
    style = line_style(look, i, 7)
    colour = style["line"]["color"]
    notes = ["".join(f"<br>{plain(k)} = {plain(drawing.called(v))}" for k, v in p.chosen.items())
             for p in line]  # fmt: skip
    ends = [f"{short(p.low, 4)} to {short(p.high, 4)}, {p.n} trials" if p.n > 1 else "one trial"
            for p in line]  # fmt: skip
    trace = {
        "x": [p.x if not bars else drawing.called(p.x) for p in line],
        "y": y,
        "name": name,
        "legendgroup": f"line {i}",
        "showlegend": first and drawing.colour is not None,
        "error_y": {"type": "data", "symmetric": False, "array": np.nan_to_num(high - y),
                    "arrayminus": down, "thickness": 1.4, "width": 4,
                    "color": look.text if bars else colour},
        "customdata": list(zip(ends, notes, strict=True)),
        "hovertemplate": f"{plain(drawing.x_label or drawing.x)} = %{{x}}<br>%{{y:.4g}} "
                         f"(%{{customdata[0]}})%{{customdata[1]}}<extra>{name}</extra>",
    }  # fmt: skip
    if bars:
        return trace | {"type": "bar", "marker": {"color": colour}}
    return trace | style | {"type": "scatter", "mode": "lines+markers", "cliponaxis": False}


def _references(first: list[Point], drawing: Drawing, look, legend: bool, shown) -> list[dict]:
    """Published points, and slopes through the first point of a panel's first line."""
    traces = [
        {"type": "scatter", "x": ref.x, "y": ref.y, "name": plain(ref.label), "mode": "markers",
         "legendgroup": ref.label, "showlegend": legend,
         "marker": {"symbol": SHAPES[k % len(SHAPES)] + "-open", "size": 11, "color": look.text,
                    "line": {"width": 1.6}},
         "hovertemplate": f"%{{x}}: %{{y:.4g}}<extra>{plain(ref.label)}</extra>"}
        for k, ref in enumerate(drawing.references)
    ]  # fmt: skip
    if first and all(isinstance(p.x, int | float) and p.x > 0 for p in shown):
        x = np.array([min(p.x for p in shown), max(p.x for p in shown)], dtype=float)
        for k, slope in enumerate(drawing.slopes):
            y = first[0].y * (x / first[0].x) ** slope.power
            line = {"color": look.text, "width": 1.2, "dash": ("dot", "dashdot")[k % 2]}
            traces.append({"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line,
                         "name": plain(slope.label), "legendgroup": slope.label,
                         "showlegend": legend, "hoverinfo": "skip"})  # fmt: skip
    return traces


def _panel(drawing: Drawing, facet: object) -> str:
    name = drawing.called(facet)
    return f"{drawing.facet} = {name}" if isinstance(facet, int | float) else name


def _ticks(drawing: Drawing, xs: list, bars: bool, crowded: bool) -> dict:
    """Ticks at the measured values: on a logarithmic axis far enough apart for their numbers."""
    values = sorted(set(xs)) if not bars else []
    if values and drawing.log_x:
        values = [v for v in values if v > 0]
        least = math.log(values[-1] / values[0]) / (3 if crowded else 6) - 1e-9
        kept = values[:1]
        for value in values[1:]:
            if math.log(value / kept[-1]) >= least:
                kept.append(value)
        return {"tickvals": kept, "ticktext": [_tick(value) for value in kept]}
    few = values and all(isinstance(x, int) for x in xs) and values[-1] - values[0] < FEW
    return {"tickvals": values} if few else {}


def _tick(value: float) -> str:
    return f"{float(f'{value / 1000:.2g}'):g}k" if value >= 1000 else short(value)


def _axis(look, log: bool, values: list, words: bool) -> dict:
    if words:
        return axis(look, type="category", showgrid=False)
    if not log:
        return axis(look, type="linear")
    kept = [v for v in values if v > 0]
    if kept and math.log10(max(kept) / min(kept)) > 3:
        return axis(look, type="log", exponentformat="power", dtick=1)
    return axis(look, type="log", dtick="D2", tickformat="~g")
