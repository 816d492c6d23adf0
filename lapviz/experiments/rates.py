"""Slopes of measured errors on logarithmic axes, with their uncertainty; and other summaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

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


def slope_findings(rows: Iterable[Row], drawing: Drawing, expected: float) -> list[Finding]:
    """The slope of every line of a figure beside that of a theorem's upper bound.

    ``holds`` if it is at least as steep, within two standard errors.
    """
    findings = []
    for (facet, colour), line in lines(points(rows, replace(drawing, summary="mean"))).items():
        found = line_slope(line)
        if found is None:
            continue
        said = ", ".join(drawing.called(v) for v in (facet, colour) if v is not None)
        value, error = found
        text = f"Slope on logarithmic axes, {said}" if said else "Slope on logarithmic axes"
        holds = value - 2.0 * (error or 0.0) <= expected
        findings.append(Finding(text, value, error, expected, holds))
    return findings


def lines(found: Iterable[Point]) -> dict[tuple, list[Point]]:
    """Points by panel and line."""
    groups: dict[tuple, list[Point]] = {}
    for point in found:
        groups.setdefault((point.facet, point.colour), []).append(point)
    return groups


def at_both_ends(ours: Iterable[Point], theirs: Iterable[Point]) -> list[tuple[Point, Point]]:
    """The points of two lines at the smallest and the largest x that they share."""
    one, other = ({point.x: point for point in line} for line in (ours, theirs))
    shared = sorted(one.keys() & other.keys())
    return [(one[x], other[x]) for x in dict.fromkeys([*shared[:1], *shared[-1:]])]


def ratio(above: Point, below: Point) -> tuple[float, float | None]:
    """Ratio of two means and its standard error, as if they were independent; None if unknown."""
    value = above.y / below.y
    error = float(value * np.hypot(*(p.error / p.y for p in (above, below))))
    return float(value), None if np.isnan(error) else error
