"""Curves over one input as frozen records, drawn by the curve stage in the browser.

The constructor of a scene raises ValueError if its parts do not fit together. Nothing here depends
on Streamlit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from lapviz.checks import Refused
from lapviz.contract import CONTRACT
from lapviz.parameters import NUMBER, within
from lapviz.scenes import check_shape, check_view

Array = np.ndarray
ROLES = ("truth", "main", "other")
DIGITS = 4  # of a handle's numbers, in links and in the browser
_HANDLES = CONTRACT["changes"]["curve"]["handles"]
MAX_HANDLES, MAX_SIZE = _HANDLES["most"], float(_HANDLES["size"])


def margin(low: float, high: float) -> float:
    """Room above and below curves between two values; of constant ones, but for rounding, too."""
    size = max(abs(low), abs(high))
    return 0.08 * (high - low) if high - low > 1e-9 * size else max(0.5, 0.05 * size)


@dataclass(frozen=True)
class Handle:
    """An observed point: input, value, and slope or None."""

    x: float
    value: float
    slope: float | None = None

    def rounded(self) -> Handle:
        """The handle with as many digits as a link keeps."""
        slope = None if self.slope is None else _rounded(self.slope)
        return Handle(_rounded(self.x), _rounded(self.value), slope)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def read_handles(text: str) -> tuple[Handle, ...]:
    """Points from ``0.1,1.5,-2~0.4,1``: input, value and optionally a slope, joined by ~.

    Raises
    ------
    ValueError
        If a part is not such a point, or there are none or too many.
    """
    points = [part.split(",") for part in text.split("~")]
    point = rf"{NUMBER},{NUMBER}(,{NUMBER})?"
    if len(text) > 2000 or not re.fullmatch(rf"{point}(~{point})*", text):
        raise Refused("must be points like 0.1,1.5,-2~0.4,1")
    if len(points) > MAX_HANDLES:
        raise Refused(f"must be from 1 to {MAX_HANDLES} points")
    return tuple(
        Handle(
            within(float(x), 0, 1), *(within(float(v), -MAX_SIZE, MAX_SIZE) for v in values)
        ).rounded()
        for x, *values in points
    )


def write_handles(handles: tuple[Handle, ...]) -> str:
    """Inverse of :func:`read_handles`."""
    parts = []
    for handle in handles:
        numbers = (handle.x, handle.value, handle.slope)
        parts.append(",".join(f"{v:.{DIGITS}g}" for v in numbers if v is not None))
    return "~".join(parts)


@dataclass(frozen=True, eq=False)
class Curve:
    """A fixed curve: values (g,) on the scene's x; ``role`` says how it is drawn."""

    title: str
    values: Array
    role: str = "other"


@dataclass(frozen=True, eq=False)
class Series:
    """A quantity along a path, values (k,); ``dashed`` for thresholds."""

    title: str
    values: Array
    dashed: bool = False


@dataclass(frozen=True)
class Mark:
    """A named step of a path: where a rule stops, for example."""

    title: str
    step: int


@dataclass(frozen=True, eq=False)
class Path:
    """A family of curves (k, g), of which one is shown; the browser holds them all.

    ``positions`` (k,) are the values of the parameter ``symbol``, on a logarithmic axis if ``log``.
    """

    name: str
    title: str
    symbol: str
    positions: Array
    curves: Array
    series: tuple[Series, ...] = ()
    marks: tuple[Mark, ...] = ()
    log: bool = False


@dataclass(frozen=True, eq=False)
class Response:
    """A curve that is linear in the handles: matrix (g, 2k) for the k values, then the k slopes.

    Columns of missing slopes are 0.
    """

    title: str
    matrix: Array
    role: str = "main"


@dataclass(frozen=True, eq=False)
class CurveScene:
    """Points and curves, with paths to scrub along or points to drag.

    ``x`` (g,) is ascending; ``view`` is (x0, x1, y0, y1); the mask ``known`` (n,) tells the
    ``points`` (n, 2) whose value is known (the others are marked on the axis). ``path`` and
    ``step`` name the curve of ``paths`` that is shown. With ``handles`` the ``responses`` are
    drawn.
    """

    x: Array
    view: tuple[float, float, float, float]
    view_key: str
    points: Array
    known: Array
    curves: tuple[Curve, ...] = ()
    paths: tuple[Path, ...] = ()
    path: str = ""
    step: int = 0
    handles: tuple[Handle, ...] = ()
    responses: tuple[Response, ...] = ()
    axes: tuple[str, str] = ("x", "y")
    note: str = ""

    def __post_init__(self):
        g, n, k = len(self.x), len(self.points), len(self.handles)
        check_view(self.view)
        check_shape("points", self.points, (n, 2))
        check_shape("known", self.known, (n,))
        for curve in self.curves:
            check_shape(f"curve {curve.title!r}", curve.values, (g,))
        for path in self.paths:
            steps, subject = len(path.positions), f"path {path.name!r}"
            if not steps:
                raise ValueError(f"The {subject} has no step.")
            check_shape(f"{subject}: curves", path.curves, (steps, g))
            for series in path.series:
                check_shape(f"{subject}: {series.title!r}", series.values, (steps,))
            if any(not 0 <= mark.step < steps for mark in path.marks):
                raise ValueError(f"A mark of the {subject} lies outside its {steps} steps.")
        for response in self.responses:
            check_shape(f"response {response.title!r}", response.matrix, (g, 2 * k))
        if self.paths and self.path not in [path.name for path in self.paths]:
            raise ValueError(f"The scene shows the path {self.path!r}, which it does not have.")
        if self.paths and not 0 <= self.step < len(self.shown.positions):
            raise ValueError(f"The path {self.path!r} has no step {self.step}.")
        roles = {part.role for part in (*self.curves, *self.responses)}
        if roles - set(ROLES):
            raise ValueError(f"A curve's role is one of {', '.join(ROLES)}.")

    @property
    def shown(self) -> Path:
        """The path that is shown."""
        return next(path for path in self.paths if path.name == self.path)
