"""Figures of measured tables: means with error bars, a line per method, a panel per facet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from lapviz.charts import Drawing, Point, Row, is_number, plain_name, points
from lapviz.checks import check_count
from lapviz.figures import colours
from lapviz.figures.style import SHAPES, axis, layout, line_style, plain, subplots, wrapped
from lapviz.markdown import short

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

TOOLS = 40  # pixels from the top to the caption, below Plotly's buttons, which touch screens show
WIDTH = 46  # characters of a line of the caption, as many as a phone shows
PANEL_WIDTH = 22  # characters of a panel's heading where panels stand side by side
HEIGHT, ROW = 430, 330  # pixels of one panel, and of each row of several
X_AXIS, LINE = 58, 30  # pixels of the x axis with its title, and of a line of the legend
LETTER = 6.5  # pixels of a letter
SHORT_NAME = 6  # characters that fit below a bar
SLOPING, UPRIGHT = 18, 36  # characters of a line of longer names
MANY = 10  # bars side by side from which their names are upright: a phone has room for no slope
MAX_TICKS = 8  # an axis of fewer whole numbers has a tick at each
PHONE = 300  # pixels of a legend's width on a phone


def chart(
    rows: Iterable[Row],
    drawing: Drawing,
    *,
    seed: int | None = None,
    columns: int = 2,
    theme: str = "auto",
) -> Figure:
    """Draw the rows of an experiment as specified by a drawing.

    Parameters
    ----------
    rows : iterable of mappings
        Tidy rows, one for each trial and setting.
    drawing : lapviz.charts.Drawing
        Columns that become axes, lines and panels.
    seed : int, optional
        Written in the caption, after the number of trials.
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
        If no row has a value to draw, or ``columns`` is below 1.
    """
    look = colours.theme(theme)
    shown = points(rows, drawing)
    if not shown:
        raise ValueError("There is nothing to draw yet: no row has a value of this drawing.")
    facets = list(dict.fromkeys(p.facet for p in shown))
    lines = list(dict.fromkeys(p.colour for p in shown))
    n_columns = min(check_count("columns", columns), len(facets))
    n_rows = math.ceil(len(facets) / n_columns)
    heading_width = PANEL_WIDTH if n_columns > 1 else WIDTH
    titles = [
        wrapped(drawing.named(drawing.facet, facet), heading_width)
        for facet in facets
        if drawing.facet
    ]
    figure = subplots(
        n_rows, n_columns, subplot_titles=titles or None, shared_yaxes="all",
        vertical_spacing=0.3 / n_rows if n_rows > 1 else 0.1, horizontal_spacing=0.07,
    )  # fmt: skip
    xs: list[Any] = [p.x for p in shown]
    bars = not all(map(is_number, xs))
    names, slant = _names(drawing, xs, n_columns) if bars else ({}, 0)
    ticks = names or _ticks(drawing, xs, n_columns > 1)
    x_axis = _axis(look, drawing.log_x, xs, bars) | ticks
    y_values = [v for p in shown for v in (p.y, p.low, p.high) if math.isfinite(v)]
    y_axis = _axis(look, drawing.log_y, y_values, False)
    listed: set[int] = set()  # lines that already have an entry
    for k, facet in enumerate(facets):
        cell = {"row": k // n_columns + 1, "col": k % n_columns + 1}
        in_panel = [p for p in shown if p.facet == facet]
        for i, colour in enumerate(lines):
            line = [p for p in in_panel if p.colour == colour]
            if line:
                figure.add_trace(_trace(line, drawing, look, i, bars, i not in listed), **cell)
                listed.add(i)
        first_line = [p for p in in_panel if p.colour == lines[0]]
        for trace in _references(first_line, drawing, look, k == 0, xs):
            figure.add_trace(trace, **cell)
        lowest = k + n_columns >= len(facets)  # in its column
        axis_titles = plain(drawing.x_label or drawing.x), plain(drawing.y_label or drawing.y)
        figure.update_xaxes(
            x_axis,
            title_text=axis_titles[0] * lowest,
            title_standoff=8,
            automargin="height",
            **cell,
        )
        figure.update_yaxes(
            y_axis, title_text=axis_titles[1] * (cell["col"] == 1), automargin="left", **cell
        )
    small = f'<span style="font-size: 12px">{wrapped(caption(shown, drawing, seed), WIDTH)}</span>'
    heading = "<br>".join(filter(None, (wrapped(drawing.title, WIDTH), small)))
    above = TOOLS + 20 + 17 * heading.count("<br>") + (28 if titles else 12)
    above += 17 * max((title.count("<br>") for title in titles), default=0)
    entries = [drawing.named(drawing.colour, colour) for colour in lines] if drawing.colour else []
    entries += [mark.label for mark in (*drawing.slopes, *drawing.references)]
    widest = 35 + LETTER * max(map(len, entries), default=0)  # pixels of a column of the legend
    axis_height = X_AXIS + slant
    legend = LINE * math.ceil(len(entries) / max(1, int(PHONE / widest)))
    height = (HEIGHT if n_rows == 1 else ROW * n_rows) - 140 + above + axis_height + legend
    chart_layout = layout(
        look,
        height=height,
        title="-",
        margin={"l": 64, "r": 16, "t": above, "b": axis_height},  # and Plotly adds the legend
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 0,
                "yref": "container", "yanchor": "bottom"},
        showlegend=bool(entries),
        barmode="group",
    )  # fmt: skip
    chart_layout["title"] |= {"text": heading, "y": 1, "pad": {"t": TOOLS}, "font": {"size": 15}}
    figure.update_layout(chart_layout)
    return figure.update_annotations(font={"size": 13})


def caption(shown: Sequence[Point], drawing: Drawing, seed: int | None = None) -> str:
    """Describe the points and error bars, the number of trials and the seed."""
    least, most = min(p.n for p in shown), max(p.n for p in shown)
    trials = f"{most} trial{'s' * (most > 1)}" if least == most else f"{least} to {most} trials"
    if most == 1:
        text = "One trial, so no error bars"
    elif drawing.summary == "mean":
        text = f"Mean ± standard error of {trials}"
    else:
        text = f"Median and quartiles of {trials}"
    text += f", seed {seed}" if seed is not None else ""
    if drawing.best_over:
        *most, last = map(drawing.name_of, drawing.best_over)
        best = " and ".join(filter(None, (", ".join(most), last)))
        text += f"; at each point the best {best} in hindsight"
    return text + "."


def _trace(line: list[Point], drawing: Drawing, look, i: int, bars: bool, legend: bool) -> dict:
    y = np.array([p.y for p in line])
    low, high = np.array([p.low for p in line]), np.array([p.high for p in line])
    below = np.nan_to_num(y - (np.maximum(low, 0.02 * y) if drawing.log_y else low))
    name = plain(drawing.named(drawing.colour, line[0].colour) if drawing.colour else drawing.y)
    style = line_style(look, i, 7)
    colour = style["line"]["color"]
    notes = ["".join(f"<br>{plain(k)} = {plain(plain_name(v))}" for k, v in p.chosen.items())
             for p in line]  # fmt: skip
    ranges = [f"{short(p.low, 4)} to {short(p.high, 4)}, {p.n} trials" if p.n > 1 else "one trial"
              for p in line]  # fmt: skip
    trace = {
        "x": [p.x if not bars else drawing.name_of(p.x) for p in line],
        "y": y,
        "name": name,
        "legendgroup": f"line {i}",
        "showlegend": legend and drawing.colour is not None,
        "error_y": {"type": "data", "symmetric": False, "array": np.nan_to_num(high - y),
                    "arrayminus": below, "thickness": 1.4, "width": 4,
                    "color": look.text if bars else colour},
        "customdata": list(zip(ranges, notes, strict=True)),
        "hovertemplate": f"{plain(drawing.x_label or drawing.x)} = %{{x}}<br>%{{y:.4g}} "
                         f"(%{{customdata[0]}})%{{customdata[1]}}<extra>{name}</extra>",
    }  # fmt: skip
    if bars:
        return trace | {"type": "bar", "marker": {"color": colour}}
    return trace | style | {"type": "scatter", "mode": "lines+markers", "cliponaxis": False}


def _references(line: list[Point], drawing: Drawing, look, legend: bool, xs: list) -> list[dict]:
    """Traces of published points over the measured range, and of slopes through the first point of
    a panel's first line."""
    traces, numbers = [], all(map(is_number, xs))  # bars have no room between them for a number
    for k, ref in enumerate(drawing.references):
        shown = [isinstance(x, str) or (numbers and min(xs) <= x <= max(xs)) for x in ref.x]
        traces.append({
            "type": "scatter", "x": [*compress(ref.x, shown)], "y": [*compress(ref.y, shown)],
            "name": plain(ref.label), "mode": "markers",
            "legendgroup": ref.label, "showlegend": legend,
            "marker": {"symbol": SHAPES[k % len(SHAPES)] + "-open", "size": 11, "color": look.text,
                       "line": {"width": 1.6}},
            "hovertemplate": f"%{{x}}: %{{y:.4g}}<extra>{plain(ref.label)}</extra>",
        })  # fmt: skip
    if line and all(isinstance(x, int | float) and x > 0 for x in xs):
        x = np.array([min(xs), max(xs)], dtype=float)
        for k, slope in enumerate(drawing.slopes):
            y = line[0].y * (x / line[0].x) ** slope.power
            style = {"color": look.text, "width": 1.2, "dash": ("dot", "dashdot")[k % 2]}
            traces.append({"type": "scatter", "x": x, "y": y, "mode": "lines", "line": style,
                           "name": plain(slope.label), "legendgroup": slope.label,
                           "showlegend": legend, "hoverinfo": "skip"})  # fmt: skip
    return traces


def _names(drawing: Drawing, xs: list, n_columns: int) -> tuple[dict, int]:
    """Ticks with the names below bars, turned if they are long, and the pixels that this adds."""
    names = list(dict.fromkeys(drawing.name_of(x) for x in xs))
    upright = n_columns * len(names) >= MANY
    most = UPRIGHT if upright else SLOPING
    lines = [wrapped(name, most) for name in names]
    ticks: dict[str, Any] = {"tickvals": names, "ticktext": lines}
    longest = max(map(len, names))
    if longest <= SHORT_NAME:
        return ticks, 0
    length = LETTER * min(longest, most)
    if upright:
        return ticks | {"tickangle": -90}, round(length)
    rows = max(line.count("<br>") for line in lines)
    return ticks | {"tickangle": -45}, round(0.71 * (length + 16 * rows))


def _ticks(drawing: Drawing, xs: list, crowded: bool) -> dict:
    """Ticks at the measured values; on a logarithmic axis far enough apart for their labels."""
    values = sorted(x for x in set(xs) if x > 0 or not drawing.log_x)
    if values and drawing.log_x:
        least = math.log(values[-1] / values[0]) / (3 if crowded else 6) - 1e-9
        ticks = values[:1]
        for value in values[1:]:
            if math.log(value / ticks[-1]) >= least:
                ticks.append(value)
        return {"tickvals": ticks, "ticktext": [_tick(value) for value in ticks]}
    few = values and all(isinstance(x, int) for x in xs) and values[-1] - values[0] < MAX_TICKS
    return {"tickvals": values} if few else {}


def _tick(value: float) -> str:
    return f"{float(f'{value / 1000:.2g}'):g}k" if value >= 1000 else short(value)


def _axis(look, log: bool, values: list, categories: bool) -> dict:
    if categories:
        return axis(look, type="category", showgrid=False)
    if not log:
        return axis(look, type="linear")
    positive = [v for v in values if v > 0]
    decades = math.log10(max(positive) / min(positive)) if positive else 0.0
    if decades > 3:
        return axis(look, type="log", exponentformat="power", dtick=1)
    if decades < 1:  # 1, 2 and 5 may all be outside
        return axis(look, type="log", nticks=7, tickformat="~g")
    return axis(look, type="log", dtick="D2", tickformat="~g")
