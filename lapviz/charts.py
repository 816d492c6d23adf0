"""Charts of measured tables as frozen records, and their means with standard errors.

A :class:`Drawing` describes how the rows of a table become a figure, :func:`points` takes means and
standard errors over the trials, and :func:`lapviz.figures.chart` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Row = Mapping[str, Any]

MIN_TRIALS = 3  # from which a spread is reported


@dataclass(frozen=True)
class Slope:
    """A reference line y ∝ x^power on logarithmic axes, with its name in the legend."""

    power: float
    label: str


@dataclass(frozen=True)
class Reference:
    """Points that were not measured here, for example published ones: a name, x and y."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Drawing:
    """How rows become a figure.

    Attributes
    ----------
    x, y : str
        Columns. Text on x gives bars, one for each value.
    colour : str, optional
        Column with a line for each value.
    facet : str, optional
        Column with a panel for each value.
    where : tuple of (str, value)
        Only rows with these values.
    best_over : tuple of str
        Columns for which each line takes, at each x, the value with the best mean y: chosen in
        hindsight, as the figure states.
    best : {"least", "most"}
        Whether small or large y are best.
    log_x, log_y : bool
        Logarithmic axes.
    slopes : tuple of Slope
        Reference lines through the first line's first point of each panel.
    references : tuple of Reference
        In every panel.
    title, x_label, y_label : str
        By default no title, and the columns' names.
    names : tuple of (value, str)
        Display names of values of ``x``, ``colour`` and ``facet``, and of columns.
    summary : {"mean", "median"}
        Mean with its standard error, or median with quartiles.
    """

    x: str
    y: str
    colour: str | None = None
    facet: str | None = None
    where: tuple[tuple[str, object], ...] = ()
    best_over: tuple[str, ...] = ()
    best: str = "least"
    log_x: bool = False
    log_y: bool = False
    slopes: tuple[Slope, ...] = ()
    references: tuple[Reference, ...] = ()
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    names: tuple[tuple[object, str], ...] = ()
    summary: str = "mean"

    def name_of(self, value: object) -> str:
        """Display name of a value, or of a column."""
        return dict(self.names).get(value, plain_name(value))

    def named(self, column: str | None, value: object) -> str:
        """Display name of a value of a column; of a number without one “d = 3”."""
        name, is_number = self.name_of(value), isinstance(value, int | float)
        if not column or not is_number or value in dict(self.names):
            return name
        return f"{self.name_of(column)} = {name}"

    @property
    def columns(self) -> set[str | None]:
        """The columns whose values are told apart."""
        return {self.x, self.colour, self.facet, *dict(self.where), *self.best_over}

    @property
    def heading(self) -> str:
        """The title, by default what the y axis shows."""
        label = self.y_label or self.y
        return self.title or label[:1].upper() + label[1:]


def is_number(value: object) -> bool:
    """Whether a value is a number, and no switch."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain_name(value: object) -> str:
    """A value as a text, numbers without trailing zeros."""
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Point:
    """One point of a line: its position, centre, error bar, number of trials and choices.

    ``low`` and ``high`` are the mean ± its standard error, or the quartiles; NaN with one trial.
    """

    facet: object
    colour: object
    x: object
    y: float
    low: float
    high: float
    n: int
    chosen: Mapping[str, object] = field(default_factory=dict)  # values of ``best_over``

    @property
    def error(self) -> float:
        """Half the error bar; NaN with fewer than three trials."""
        return 0.5 * (self.high - self.low) if self.n >= MIN_TRIALS else np.nan


def points(rows: Iterable[Row], drawing: Drawing) -> list[Point]:
    """Summarise rows over their trials: one point for each panel, line and x.

    Parameters
    ----------
    rows : iterable of mappings
        Tidy rows. Rows without a finite ``y`` are left out.
    drawing : Drawing

    Returns
    -------
    list of Point
        In the order in which panels and lines first occur; numbers x ascend along a line.
    """
    summaries = []
    for (facet, colour, x), (choice, group) in _best(rows, drawing).items():
        values = [float(row[drawing.y]) for row in group]
        low, high = _spread(values, drawing.summary)
        centre = _centre(values, drawing.summary)
        chosen = dict(zip(drawing.best_over, choice, strict=True))
        summaries.append(Point(facet, colour, x, centre, low, high, len(values), chosen))
    facets = list(dict.fromkeys(p.facet for p in summaries))
    colours = list(dict.fromkeys(p.colour for p in summaries))
    xs = list(dict.fromkeys(p.x for p in summaries))
    if all(isinstance(x, int | float) for x in xs):
        xs = sorted(xs)

    def position(p: Point) -> tuple[int, int, int]:
        return facets.index(p.facet), colours.index(p.colour), xs.index(p.x)

    return sorted(summaries, key=position)


def drawn_rows(rows: Sequence[Row], drawings: Iterable[Drawing]) -> list[Row]:
    """The rows shown by at least one drawing, without choices that were nowhere the best.

    They give the same drawings as all rows; the table of a large search becomes small.
    """
    shown = {id(row) for d in drawings for _, group in _best(rows, d).values() for row in group}
    return [row for row in rows if id(row) in shown]


def _best(rows: Iterable[Row], drawing: Drawing) -> dict[tuple, tuple[tuple, list[Row]]]:
    """The best choice and its rows with a finite y, by panel, line and x."""
    groups: dict[tuple, dict[tuple, list[Row]]] = {}
    for row in rows:
        value = row.get(drawing.y)
        if value is None or not np.isfinite(value) or row.get(drawing.x) is None:
            continue
        if any(row.get(name) != required for name, required in drawing.where):
            continue
        columns = (drawing.facet, drawing.colour, drawing.x)
        cell = tuple(_as_python(row.get(name)) if name else None for name in columns)
        choice = tuple(row.get(name) for name in drawing.best_over)
        groups.setdefault(cell, {}).setdefault(choice, []).append(row)
    sign = 1 if drawing.best == "least" else -1

    def badness(choice: tuple[tuple, list[Row]]) -> float:
        return sign * _centre([float(row[drawing.y]) for row in choice[1]], drawing.summary)

    return {cell: min(choices.items(), key=badness) for cell, choices in groups.items()}


def _as_python(value: object) -> object:
    """A number of NumPy, as of a data frame, as Python's, which axes and names take for one.

    Unlike :func:`lapviz.checks.as_python` it leaves dates, which would become integers.
    """
    return value.item() if isinstance(value, np.number | np.bool_) else value


def _centre(values: list[float], summary: str) -> float:
    return float(np.mean(values) if summary == "mean" else np.median(values))


def _spread(values: list[float], summary: str) -> tuple[float, float]:
    if len(values) < 2:
        return np.nan, np.nan
    if summary == "median":
        low, high = np.percentile(values, (25, 75))
        return float(low), float(high)
    mean, error = np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))
    return float(mean - error), float(mean + error)
