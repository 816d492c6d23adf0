"""Summaries of rows: slopes on logarithmic axes and ratios, with errors; means as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.charts import Drawing, Point, Row, points
from lapviz.experiments.registry import Finding

Array = np.ndarray


def slope(
    x: Sequence[float], y: Sequence[float], errors: Sequence[float]
) -> tuple[float, float | None]:
    """Slope of log y on log x by least squares, and its standard error.

    The error is the larger of two: what the standard errors of y give, and what the distances of
    the points to the line give. None where neither says anything: for two points of unknown error.

    Parameters
    ----------
    x, y : at least two numbers above 0
    errors : standard errors of y; NaN where unknown
    """
    u, v = np.log(np.asarray(x, float)), np.log(np.asarray(y, float))
    relative = np.asarray(errors, float) / np.asarray(y, float)
    c = (u - u.mean()) / np.sum((u - u.mean()) ** 2)
    value = float(c @ v)
    residual = v - v.mean() - value * (u - u.mean())
    if len(u) == 2 and np.isnan(relative).any():
        return value, None
    fit = np.sqrt(residual @ residual / (len(u) - 2) * (c @ c)) if len(u) > 2 else 0.0
    return value, float(max(np.sqrt(np.nansum((c * relative) ** 2)), fit))


def line_slope(line: Sequence[Point]) -> tuple[float, float | None] | None:
    """Slope of one line of a figure; None with fewer than two points."""
    line = [point for point in line if point.y > 0]
    if len({point.x for point in line}) < 2:
        return None
    x, y, errors = zip(*[(point.x, point.y, point.error) for point in line], strict=True)
    return slope(x, y, errors)


def slope_findings(
    rows: Iterable[Row],
    drawing: Drawing,
    text: str,
    bound: float | None = None,
    upper_half: bool = False,
) -> list[Finding]:
    """The slope of every line of a figure.

    Parameters
    ----------
    rows, drawing : of the figure
    text : str
        With ``{facet}`` and ``{colour}`` for what the drawing calls panel and line.
    bound : float, optional
        A theorem's upper bound, which holds if the line is at least as steep, within two standard
        errors.
    upper_half : bool
        Whether only the upper half of the points count.
    """
    findings = []
    for (facet, colour), line in lines(points(rows, drawing)).items():
        found = line_slope(line[len(line) // 2 :] if upper_half else line)
        if found is not None:
            value, error = found
            said = text.format(facet=drawing.called(facet), colour=drawing.called(colour))
            holds = None if bound is None else value - 2.0 * (error or 0.0) <= bound
            findings.append(Finding(said, value, error, bound, holds))
    return findings


def lines(found: Iterable[Point]) -> dict[tuple, list[Point]]:
    """Points by panel and line."""
    groups: dict[tuple, list[Point]] = {}
    for point in found:
        groups.setdefault((point.facet, point.colour), []).append(point)
    return groups


@dataclass(frozen=True, eq=False)
class Ratio:
    """Two points that differ in one respect: their ratio, and its standard error."""

    above: Point
    below: Point
    value: float
    error: float | None


def ratios(found: Iterable[Point], above: object, below: object, by: str) -> list[Ratio]:
    """The points of one value over those of another at the same place, where these are above 0.

    Parameters
    ----------
    found : points of a figure
    above, below : the two values
    by : {"facet", "colour", "x"}
        Of what they are values.
    """
    found = list(found)
    named = {(p.facet, p.colour, p.x): p for p in found}
    made = []
    for one in (p for p in found if getattr(p, by) == above):
        place = replace(one, **{by: below})
        other = named.get((place.facet, place.colour, place.x))
        if other is not None and other.y > 0:
            made.append(Ratio(one, other, *ratio(one, other)))
    return made


def ends(found: Iterable[Ratio]) -> list[Ratio]:
    """Of each panel and line the ratios at the smallest and the largest x."""
    groups: dict[tuple, list[Ratio]] = {}
    for its in found:
        groups.setdefault((its.above.facet, its.above.colour), []).append(its)
    return [its for group in groups.values() for its in dict.fromkeys((group[0], group[-1]))]


def ratio(above: Point, below: Point) -> tuple[float, float | None]:
    """Ratio of two means and its standard error, as if they were independent; None if unknown."""
    value = above.y / below.y
    error = float(value * np.hypot(*(p.error / p.y for p in (above, below))))
    return float(value), None if np.isnan(error) else error


def grouped(rows: Iterable[Row], *columns: str) -> dict[tuple, list[Row]]:
    """Rows by their values of some columns, in the order in which these occur first."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in columns), []).append(row)
    return groups


def spread_out(
    rows: Iterable[Row],
    places: Sequence[str],
    column: str,
    value: str,
    summary: Callable[[list[float]], float] = np.mean,
) -> dict[tuple, dict[Any, float]]:
    """A summary over the trials: for each place a dict from the values of a column.

    Parameters
    ----------
    rows : iterable of rows
    places : columns whose values make a line of the table
    column : column whose values make its columns
    value : column with the numbers
    summary : callable
        By default the mean.
    """
    made: dict[tuple, dict[Any, float]] = {}
    for (*place, name), its in grouped(rows, *places, column).items():
        made.setdefault(tuple(place), {})[name] = float(summary([row[value] for row in its]))
    return made
