"""What a stage shows, as data: frozen records that Plotly and the browser's canvas both draw.

A scene holds no Streamlit and no Plotly; :mod:`lapviz.figures` and
:mod:`lapviz.explorer.stage` turn the same scene into pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Grid:
    """Regular grid over the plane: x (nx,), y (ny,), both ascending."""

    x: Array
    y: Array

    def sites(self) -> Array:
        """Grid nodes, shape (ny * nx, 2), x running fastest."""
        gx, gy = np.meshgrid(self.x, self.y)
        return np.column_stack([gx.ravel(), gy.ravel()])


@dataclass(frozen=True)
class Points:
    """The points that are drawn: xy (m, 2); index (m,) into the data set; truth (m,) or None.

    ``truth`` holds the true class code, -1 where it is not known.
    """

    xy: Array
    index: Array
    truth: Array | None = None


@dataclass(frozen=True)
class Label:
    """One labelled point: its place in the picture, row of the data set (or -1), class code."""

    x: float
    y: float
    index: int
    code: int


@dataclass(frozen=True)
class Modes:
    """Leading eigenpairs, all that the browser needs to mix an estimate by itself.

    gamma (m,) ascending; grid (m, ny, nx) or None; points (m, n_drawn). ``columns`` are the exact
    representers G(., x_j) of the current labels, (n_labels, ...), when they are few: with them a
    drag of lambda under the labelled data term is exact, not truncated to m modes. With
    ``intercept`` the constant is in the space, unpenalised, and left out of ``columns``.
    """

    gamma: Array
    grid: Array | None
    points: Array
    columns_grid: Array | None = None
    columns_points: Array | None = None
    columns_gram: Array | None = None  # (n_labels, n_labels), G at the labelled points
    intercept: bool = False


@dataclass(frozen=True)
class RidgeModel:
    """Kernel ridge regression on the labels alone; the browser knows the kernels of the plane."""

    kernel: str
    bandwidth: float
    degree: int = 3


@dataclass(frozen=True)
class Panel:
    """One picture: exact values, and optionally a model for repainting without a round trip.

    ``grid`` (n_outputs, ny, nx) or None when there is no field over the plane;
    ``points`` (n_outputs, n_drawn). One output: a signed function (eigenfunction, +-1 coded
    classes, regression). K outputs: one-vs-rest scores of K classes, centred.
    """

    title: str
    points: Array
    grid: Array | None = None
    subtitle: str = ""
    model: Modes | RidgeModel | None = None
    note: str = ""  # a sentence shown in place of the picture when there is nothing to draw


@dataclass(frozen=True)
class Scene:
    """A stage: panels over the same points, grid, labels and settings.

    ``kind`` is "classes" (panels are estimates coded by class) or "functions" (signed functions).
    ``view`` is (x0, x1, y0, y1); ``view_key`` names the data, so that zoom lives as long as it.
    """

    panels: tuple[Panel, ...]
    points: Points
    view: tuple[float, float, float, float]
    view_key: str
    grid: Grid | None = None
    kind: str = "functions"
    classes: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    lam: float = 1.0
    mu: float = 0.0
    filter: str = "tikhonov"
    data_term: str = "labelled"
    editable: bool = False
    free_labels: bool = False  # may a click in empty space add a point?
    axes: tuple[str, str] = ("x₁", "x₂")
    columns: int = 0  # panels per row on a wide screen; 0: chosen by the stage
    meta: dict = field(default_factory=dict)
