"""Summaries of rows: slopes on logarithmic axes and ratios, with errors; means as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from lapviz.charts import Drawing, Point, Row, plain_name, points
from lapviz.markdown import table

Array = np.ndarray
GROWTH = "slope of log time against log n, upper half"


@dataclass(frozen=True)
class Finding:
    """A statement with a measured value.

    Attributes
    ----------
    text : str
        A sentence; the numbers below are appended.
    value, error : float or None
        Measured value and its standard error; NaN for none.
    expected : float or None
        Value that a theorem or a paper states.
    holds : bool or None
        Whether the measurement agrees; None if undecided.
    stated : {"expected", "at most"}
        Whether ``expected`` is the value, or an upper bound of it.
    """

    text: str
    value: float | None = None
    error: float | None = None
    expected: float | None = None
    holds: bool | None = None
    stated: str = "expected"

    @property
    def sentence(self) -> str:
        """Text, value ± error and expected value, as one sentence."""
        sentence = self.text.rstrip(".")
        if self.value is not None:
            sentence += f": {self.value:.3g}"
        if self.error is not None and np.isfinite(self.error):
            sentence += f" ± {self.error:.2g}"
        if self.expected is not None:
            sentence += f" ({self.stated} {self.expected:.3g})"
        return sentence.replace(" -", " −") + "."


def slope(
    x: Sequence[float], y: Sequence[float], errors: Sequence[float]
) -> tuple[float, float | None]:
    """Slope of log y on log x by least squares, and its standard error.

    The error is the larger of two estimates: from the standard errors of y, and from the residuals.
    None where neither is available: for two points of unknown error.

    Parameters
    ----------
    x, y : sequences of at least two positive numbers
    errors : sequence of standard errors of y; NaN where unknown
    """
    u, v = np.log(np.asarray(x, float)), np.log(np.asarray(y, float))
    relative = np.asarray(errors, float) / np.asarray(y, float)
    c = (u - u.mean()) / np.sum((u - u.mean()) ** 2)
    value = float(c @ v)
    residual = v - v.mean() - value * (u - u.mean())
    if len(u) == 2 and np.isnan(relative).any():
        return value, None
    from_fit = np.sqrt(residual @ residual / (len(u) - 2) * (c @ c)) if len(u) > 2 else 0.0
    return value, float(max(np.sqrt(np.nansum((c * relative) ** 2)), from_fit))


@dataclass(frozen=True)
class Slopes:
    """The slope of every line of the main figure, on logarithmic axes.

    Attributes
    ----------
    text : str
        With ``{facet}`` and ``{colour}`` for the names of panel and line.
    bound : float, optional
        A theorem's upper bound, which holds if the line is at least as steep, within two standard
        errors.
    upper_half : bool
        Whether to use only the upper half of the points.
    """

    text: str
    bound: float | None = None
    upper_half: bool = False

    def findings(self, rows: Iterable[Row], drawings: Sequence[Drawing]) -> list[Finding]:
        """A sentence for each line with two points or more."""
        drawing, findings = drawings[0], []
        lines = groupby(points(rows, drawing), attrgetter("facet", "colour"))
        for (facet, colour), line in lines:
            used = list(line)
            used = used[len(used) // 2 :] if self.upper_half else used
            used = [point for point in used if point.y > 0]
            if len({point.x for point in used}) < 2:
                continue
            x, y, errors = zip(*((p.x, p.y, p.error) for p in used), strict=True)
            known = drawing.summary == "mean"  # quartiles are no standard error
            value, error = slope(x, y, errors if known else [np.nan] * len(y))
            text = self.text.format(**_names(drawing, facet, colour))
            holds = None if self.bound is None else value - 2.0 * (error or 0.0) <= self.bound
            findings.append(Finding(text, value, error, self.bound, holds, "at most"))
        return findings


@dataclass(frozen=True)
class Ratios:
    """Ratios of the points of one value to those of another at the same place of a figure.

    Attributes
    ----------
    text : str
        With ``{facet}`` and ``{colour}`` for the names of panel and line, and ``{above}`` and
        ``{below}`` for the points.
    above, below : object
        The two values: of numerator and denominator.
    by : {"facet", "colour", "x"}
        Coordinate of which they are values.
    select : {"all", "ends", "last"}
        All x, the smallest and the largest, or the largest.
    expected : float, optional
        The ratio stated in a paper.
    wins : bool
        Whether the claim is that the ratio is above 1.
    drawing : int
        Index of the figure.
    """

    text: str
    above: object
    below: object
    by: str = "colour"
    select: str = "all"
    expected: float | None = None
    wins: bool = False
    drawing: int = 0

    def findings(self, rows: Iterable[Row], drawings: Sequence[Drawing]) -> list[Finding]:
        """A sentence for each pair of points."""
        drawing, findings = drawings[self.drawing], []
        drawn = points(rows, drawing)
        by_place = {(p.facet, p.colour, p.x): p for p in drawn}
        lines: dict[tuple, list[tuple[Point, Point]]] = {}
        for above in (p for p in drawn if getattr(p, self.by) == self.above):
            place = replace(above, **{self.by: self.below})
            below = by_place.get((place.facet, place.colour, place.x))
            if below is not None and below.y > 0:
                lines.setdefault((above.facet, above.colour), []).append((above, below))
        for (facet, colour), pairs in lines.items():
            ends = slice(None, None, max(len(pairs) - 1, 1))
            selection = {"all": slice(None), "ends": ends, "last": slice(-1, None)}[self.select]
            for above, below in pairs[selection]:
                value, error = ratio(above, below)
                names = _names(drawing, facet, colour)
                text = self.text.format(above=above, below=below, **names)
                error = error if drawing.summary == "mean" else None
                holds = value > 1 if self.wins else None
                findings.append(Finding(text, value, error, self.expected, holds))
        return findings


def _names(drawing: Drawing, facet: object, colour: object) -> dict[str, str]:
    """Names of a panel and a line."""
    return {
        "facet": drawing.named(drawing.facet, facet),
        "colour": drawing.named(drawing.colour, colour),
    }


def ratio(above: Point, below: Point) -> tuple[float, float | None]:
    """Ratio of two means and its standard error (None if unknown), as if independent."""
    value = above.y / below.y
    error = float(value * np.hypot(*(p.error / p.y for p in (above, below))))
    return float(value), None if np.isnan(error) else error


def grouped(rows: Iterable[Row], *columns: str) -> dict[tuple, list[Row]]:
    """Group rows by their values in columns, in order of first occurrence."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in columns), []).append(row)
    return groups


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Mean and standard error, which is None for one value; NaN and None for no value."""
    if not values:
        return np.nan, None
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else None
    return float(np.mean(values)), None if error is None else float(error)


def spread_out(
    rows: Iterable[Row], places: Sequence[str], column: str, value: str
) -> dict[tuple, dict[Any, float]]:
    """Means over the trials as a table: for each place, a dict from the values of a column.

    Parameters
    ----------
    rows : iterable of rows
    places : sequence of str
        Columns whose values identify a line of the table.
    column : str
        Column whose values are the table's columns.
    value : str
        Column with the numbers.
    """
    means: dict[tuple, dict[Any, float]] = {}
    for (*place, name), cell in grouped(rows, *places, column).items():
        means.setdefault(tuple(place), {})[name] = float(np.mean([row[value] for row in cell]))
    return means


def by_place(rows: Iterable[Row], drawing: Drawing) -> dict[Any, dict[Any, Point]]:
    """Points of a figure: for each (panel, x), or x if it has no panels, those of its lines."""
    places: dict[Any, dict[Any, Point]] = {}
    for p in points(rows, drawing):
        places.setdefault((p.facet, p.x) if drawing.facet else p.x, {})[p.colour] = p
    return places


def drawing_table(rows: Iterable[Row], drawing: Drawing) -> str:
    """The figure as a table: a line for each panel and x, a column for each line of the figure."""
    lines, cells = list(by_place(rows, drawing).values()), []
    colours = list(dict.fromkeys(colour for line in lines for colour in line))
    first = [next(iter(line.values())) for line in lines]
    if all(isinstance(p.x, int | float) for p in first):  # the first line may not have the least
        panels = list(dict.fromkeys(p.facet for p in first))
        order = sorted(range(len(lines)), key=lambda i: (panels.index(first[i].facet), first[i].x))
        lines = [lines[i] for i in order]
    most = max((p.n for line in lines for p in line.values()), default=0)
    for line in lines:
        p = next(iter(line.values()))
        panel = [drawing.name_of(p.facet)] if drawing.facet else []
        x = p.x if isinstance(p.x, int | float) else drawing.name_of(p.x)
        values = (_cell(line[c], drawing, most) if c in line else None for c in colours)
        cells.append([*panel, x, *values])
    column = drawing.colour
    names = [drawing.named(column, c) for c in colours] if column else [drawing.y]
    heads = [*filter(None, [drawing.facet]), drawing.x_label or drawing.x, *names]
    spread = "mean ± standard error" if drawing.summary == "mean" else "median (quartiles)"
    chosen = f" [best {', '.join(drawing.best_over)}]" if drawing.best_over else ""
    caption = f"{drawing.y_label or drawing.y}, {spread}{chosen}, {_trials(most)}:"
    return "\n\n".join(filter(None, [drawing.title, caption, table(heads, cells)]))


def _cell(p: Point, drawing: Drawing, n_trials: int) -> str:
    """Centre and spread; choices that were the best; the trials, if there are fewer."""
    mean, text = drawing.summary == "mean", f"{p.y:.3g}"
    if p.n > 1:
        text += f" ± {p.high - p.y:.2g}" if mean else f" ({p.low:.3g} – {p.high:.3g})"
    chosen = [plain_name(choice) for choice in p.chosen.values() if choice is not None]
    text += f" [{', '.join(chosen)}]" if chosen else ""
    return text if p.n == n_trials else f"{text}, {_trials(p.n)}"


def _trials(n: int) -> str:
    return f"{n} trial{'s' * (n != 1)}"
