"""The Regression page: what its four topics have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import datasets, kernels
from lapviz.explorer.compute import fits, points
from lapviz.explorer.settings.records import Settings
from lapviz.figures.curve_scenes import CurveScene
from lapviz.scenes import Scene

Array = np.ndarray
N_GRID, MARGIN = 201, 0.03  # places of a curve; what the picture shows beside them


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers below the stage: heads, rows, patterns of floating-point columns, and a help text."""

    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    formats: dict[str, str]
    help: str


@dataclass(frozen=True, eq=False)
class Chart:
    """Series against a parameter, for data whose paths are not drawn on the stage."""

    positions: Array
    series: dict[str, Array]
    now: float
    x_title: str
    y_title: str


@dataclass(frozen=True, eq=False)
class RegressionView:
    """What the page shows: a stage, tables of numbers, and sentences."""

    scene: CurveScene | Scene
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str = ""
    chart: Chart | None = None


@dataclass(frozen=True, eq=False)
class Sample:
    """A data set whose first rows have known values.

    Attributes
    ----------
    X : array (n, d)
    y : array (n,), NaN where the value is not known
    values : array (n,), all values
    target : callable, the true function at points (m, d)
    """

    X: Array
    y: Array
    values: Array
    target: Callable[[Array], Array]
    feature_names: tuple[str, ...]

    @property
    def known(self) -> Array:
        """Mask (n,) of the known values."""
        return ~np.isnan(self.y)


def sample_of(settings: Settings) -> Sample:
    """The data with as many known values as asked for: those of the first rows."""
    data: datasets.Dataset = points.sample(settings.data)
    if data.values is None:
        raise ValueError("This data set has no numbers to regress on: choose another one.")
    asked = settings.regression.known
    known = np.arange(len(data.X)) < (len(data.X) if asked is None else asked)
    y = np.where(known, data.values, np.nan)
    return Sample(data.X, y, data.values, data.target, data.feature_names)


def kernel_of(settings: Settings) -> kernels.Kernel:
    """The kernel, with σ as a number."""
    return fits.method(settings).kernel


def identity(settings: Settings) -> str:
    """Name of the data, for as long as which the stage keeps its view."""
    spec = settings.data
    parts = (spec.name, spec.n_samples, spec.noise, spec.random_state, spec.options)
    return "-".join(map(str, (*parts, settings.regression.topic)))


def line() -> Array:
    """Inputs (g, 1) at which curves are drawn and errors measured: [0, 1], equally spaced."""
    return np.linspace(0, 1, N_GRID)[:, None]


def view_around(*values: Array) -> tuple[float, float, float, float]:
    """Box around curves, with a margin."""
    finite = np.concatenate([np.ravel(v) for v in values])
    finite = finite[np.isfinite(finite)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = 0.08 * (high - low) or 1.0
    return -MARGIN, 1 + MARGIN, low - room, high + room


def rms(errors: Array, axis: int | None = None) -> Array:
    """Root mean square."""
    return np.sqrt(np.mean(np.square(errors), axis=axis))
