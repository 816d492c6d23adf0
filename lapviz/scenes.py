"""Scenes: the content of a picture as frozen records, drawn by Plotly and by the explorer.

A scene depends on neither Streamlit nor Plotly; :mod:`lapviz.figures` and
:mod:`lapviz.figures.stage` draw the same scene. Its constructor raises ValueError if the parts do
not fit together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.formulas import Formula
from lapviz.kernels import Kernel
from lapviz.labels import Label

__all__ = [
    "FilterChoice",
    "Grid",
    "Label",
    "Modes",
    "ObservedValues",
    "Panel",
    "Points",
    "RidgeModel",
    "Scene",
]

Array = np.ndarray
KINDS = ("classes", "functions")
DATA_TERMS = ("labelled", "all", "poisson")
TOOLS = tuple(CONTRACT["message"]["tools"])
MOVES = tuple(CONTRACT["message"]["in_browser"])  # what the browser can change on its own


@dataclass(frozen=True)
class Grid:
    """Regular grid over the plane: x (nx,) and y (ny,), both ascending."""

    x: Array
    y: Array

    def sites(self) -> Array:
        """Grid nodes, array (ny * nx, 2), x running fastest."""
        gx, gy = np.meshgrid(self.x, self.y)
        return np.column_stack([gx.ravel(), gy.ravel()])

    def fields(self, values: Array) -> Array:
        """Values at the sites, (ny * nx,) or (ny * nx, k), as an array (k, ny, nx)."""
        return values.T.reshape(-1, len(self.y), len(self.x))


@dataclass(frozen=True)
class Points:
    """The drawn points: xy (m, 2); index (m,) into the data set; truth (m,) or None.

    ``truth`` has the true class codes, -1 where unknown. With ``xyz`` (m, 3) the points are drawn
    in space and can be rotated; ``xy`` is then ignored, and no panel has a field. ``images``
    (m, height, width) are bytes, 255 for ink: the image that a point represents. ``notes`` are
    lines about each point, its name first; without them points are named by row, from 1.
    """

    xy: Array
    index: Array
    truth: Array | None = None
    xyz: Array | None = None
    images: Array | None = None
    notes: tuple[str, ...] | None = None

    def names(self) -> list[str]:
        """Display names of the points, m of them."""
        if self.notes is None:
            return [f"row {index + 1}" for index in np.asarray(self.index).tolist()]
        return [note.partition("\n")[0] for note in self.notes]


@dataclass(frozen=True)
class ObservedValues:
    """Observed numbers in place of labels: rows index (k,) at xy (k, 2) have ``values`` (k,).

    They are centred; ``offset`` is added to the estimate.
    """

    xy: Array
    index: Array
    values: Array
    offset: float = 0.0


@dataclass(frozen=True)
class Modes:
    """Leading eigenpairs, from which the browser computes an estimate on its own.

    gamma (m,) ascending; grid (m, ny, nx) or None; points (m, n_drawn). ``columns_*`` are the exact
    representers G(., x_j) of the current labels, arrays (n_labels, ...), if they are few: with them
    the estimate for a new lambda under the labelled data term is exact, not truncated to m modes.
    With ``intercept`` the constant is in the space, unpenalised, and left out of the columns.
    With ``known`` the estimate and the columns are for its values instead of the labels.
    ``complete`` functions span the whole trial space: no estimate is truncated.
    """

    gamma: Array
    grid: Array | None
    points: Array
    columns_grid: Array | None = None
    columns_points: Array | None = None
    columns_gram: Array | None = None  # (n_labels, n_labels), G at the labelled points
    intercept: bool = False
    balance: str | None = None  # class masses over the points, which must be all samples
    pseudo: float = 0  # extra labels of each class, for the class proportions
    fade: Array | None = None  # (ny, nx), factors of balanced scores on the grid; 1 at the points
    known: ObservedValues | None = None
    complete: bool = False


@dataclass(frozen=True)
class RidgeModel:
    """Kernel ridge regression on the labels alone: the kernel as a formula for the browser.

    ``formula`` has the variables ``argument`` ("r2" for r², or "u" for xᵀc, of two points of the
    plane) and the names of ``values``; see :mod:`lapviz.formulas`.
    """

    formula: Formula
    argument: str
    values: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, kernel: Kernel) -> RidgeModel | None:
        """The model with this kernel; None if the kernel has no formula for the browser."""
        formula = kernel.browser_formula()
        if formula is None:
            return None
        return cls(formula, kernel.argument, tuple(kernel.browser_values().items()))


@dataclass(frozen=True)
class FilterChoice:
    """A filter in the stage's menu; without a formula only Python can compute the estimate."""

    name: str
    title: str
    formula: Formula | None = None


@dataclass(frozen=True)
class Panel:
    """One picture: exact values, and optionally a model for the browser to recompute them.

    ``grid`` (n_outputs, ny, nx) or None if there is no field over the plane;
    ``points`` (n_outputs, n_drawn). One output: a signed function (eigenfunction, +-1 coded
    classes, regression). K outputs: one-vs-rest scores of K classes, centred. ``depends`` lists
    the stage's settings, of "lam", "filter" and "labels", that the values depend on: changing
    another leaves them exact. ``accuracy`` is the accuracy on the unlabelled samples.
    ``kind`` is the scene's unless the panel shows something else, for example scores of the points.
    """

    title: str
    points: Array
    grid: Array | None = None
    subtitle: str = ""
    model: Modes | RidgeModel | None = None
    note: str = ""  # a sentence shown in place of the picture when there is nothing to draw
    depends: tuple[str, ...] = MOVES
    accuracy: float | None = None
    kind: str = ""

    @property
    def caption(self) -> str:
        """The line below the title: the subtitle and the accuracy."""
        return " · ".join(filter(None, (self.subtitle, accuracy_words(self.accuracy))))


def to_ring(known: Array) -> tuple[int, ...]:
    """``Scene.known`` for a mask (n,) of known values: none if all are."""
    return () if known.all() else tuple(np.flatnonzero(known).tolist())


def accuracy_words(share: float | None) -> str:
    """Format an accuracy as every picture does; "" for None."""
    rule = CONTRACT["accuracy"]
    return "" if share is None else rule["words"].format(f"{100 * share:.{rule['digits']}f}")


@dataclass(frozen=True)
class Scene:
    """Panels with the same points, grid, labels and settings.

    ``kind`` is "classes" (panels are estimates coded by class) or "functions" (signed functions).
    ``view`` is (x0, x1, y0, y1); ``view_key`` identifies the data: the zoom is kept as long as it
    is the same. ``rows`` identifies the rows alone, in whichever plane: unanswered labels of them
    stay; "" if unknown. ``hide`` lists tools to leave out: "lam", "filter", "labels", "zoom", or
    "tools", every button except those of λ, the filter and the classes.
    ``landmarks`` (p, 2), if given, are marked in every panel.
    ``known`` are the rows with known values, which all panels ring.
    ``marked`` is the row of a drawn point that all panels mark, ``remark`` a sentence about tools
    without effect. ``drawing`` is the code of the drawing that the points come from; "" if other
    points can be drawn in place of them, None if not. ``n_samples`` is the size of the data set, of
    which the drawn points may be a part.
    ``light``: without the models of the full scene, while a control is being moved. ``about`` lists
    further settings for the caption of a saved picture: "σ = 0.2 · p = 200".
    ``near`` (ny, nx), bytes, is the nearness of the data to each node of the grid, 0 for far; None
    to measure it from the drawn points. ``first`` is the panel to show where there is room for one
    at a time.
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
    free_labels: bool = False  # whether a click in empty space adds a point
    axes: tuple[str, ...] = ("x₁", "x₂")  # three names for points in space
    columns: int = 0  # panels per row on a wide screen; 0 to choose it from their number
    filters: tuple[FilterChoice, ...] = ()
    hide: tuple[str, ...] = ()
    n_samples: int | None = None
    light: bool = False
    about: str = ""
    landmarks: Array | None = None
    marked: int | None = None
    known: tuple[int, ...] = ()
    remark: str = ""
    drawing: str | None = None
    near: Array | None = None
    first: int = 0
    rows: str = ""

    def kind_of(self, panel: Panel) -> str:
        """Kind of a panel: its own, or the scene's."""
        return panel.kind or self.kind

    def __post_init__(self):
        _check_settings(self)
        points, landmarks = self.points, self.landmarks
        m = len(points.xy)
        field = None if self.grid is None else (len(self.grid.y), len(self.grid.x))
        notes = None if points.notes is None else np.array(points.notes, dtype=object)
        _check_shapes(
            ("landmarks", landmarks, (0 if landmarks is None else len(landmarks), 2)),
            ("points.xy", points.xy, (m, 2)),
            ("points.index", points.index, (m,)),
            ("points.truth", points.truth, (m,)),
            ("points.notes", notes, (m,)),
            ("points.xyz", points.xyz, (m, 3)),
        )
        _check_space(self, m)
        for panel in self.panels:
            _check_panel(panel, m, field)
            if isinstance(panel.model, Modes):
                _check_modes(f"panel {panel.title!r}", panel.model, m, field, len(self.labels))


def _check_settings(scene: Scene) -> None:
    if not scene.panels:
        raise ValueError("The scene has no panel: give it at least one.")
    check_view(scene.view)
    for name, value, allowed in (
        ("kind", [scene.kind], KINDS),
        ("data_term", [scene.data_term], DATA_TERMS),
        ("hide", scene.hide, TOOLS),
    ):
        unknown = [v for v in value if v not in allowed]
        if unknown:
            raise ValueError(f"Scene.{name} takes {', '.join(allowed)}; got {unknown[0]!r}.")
    n, m = scene.n_samples, len(scene.points.xy)
    if n is not None and n < m:
        raise ValueError(f"The scene draws {m} points, but n_samples is {n}.")
    unplaced = [label for label in scene.labels if label.place is None]
    if unplaced:
        raise ValueError(f"The label of row {unplaced[0].index} has no place in the plane.")


def _check_space(scene: Scene, m: int) -> None:
    xyz, images = scene.points.xyz, scene.points.images
    if xyz is not None and scene.grid is not None:
        raise ValueError("Points in space have no field over a plane: leave Scene.grid out.")
    n_axes = 2 if xyz is None else 3
    if len(scene.axes) != n_axes:
        raise ValueError(f"The scene has {len(scene.axes)} names of axes, but needs {n_axes}.")
    if images is not None and (images.ndim != 3 or len(images) != m or images.dtype != np.uint8):
        raise ValueError(
            f"points.images has shape {images.shape} and type {images.dtype}, but the scene needs "
            f"bytes of shape ({m}, height, width)."
        )


def _check_panel(panel: Panel, m: int, field: tuple[int, int] | None) -> None:
    where = f"panel {panel.title!r}"
    if panel.grid is not None and field is None:
        raise ValueError(
            f"The {where} has a field but the scene has no grid: give Scene.grid, and fields of "
            "shape (n_outputs, ny, nx)."
        )
    unknown = [name for name in panel.depends if name not in MOVES]
    if unknown:
        raise ValueError(f"The {where} depends on {unknown[0]!r}; known are {', '.join(MOVES)}.")
    if panel.kind and panel.kind not in KINDS:
        raise ValueError(f"The {where} is of kind {panel.kind!r}; known are {', '.join(KINDS)}.")
    if panel.accuracy is not None and not 0 <= panel.accuracy <= 1:
        raise ValueError(f"The {where} has accuracy {panel.accuracy}; a share is in [0, 1].")
    if panel.note:
        return
    outputs = len(panel.points)
    check_shape(f"{where}: points", panel.points, (outputs, m), f" for its {m} points")
    if panel.grid is not None and field is not None:
        check_shape(f"{where}: grid", panel.grid, (outputs, *field))


def _check_modes(where: str, modes: Modes, m: int, field: tuple | None, n_labels: int) -> None:
    n, observed = len(modes.gamma), modes.known
    k = n_labels if observed is None else len(observed.values)
    for name, values in (("modes.grid", modes.grid), ("columns_grid", modes.columns_grid)):
        if values is not None and field is None:
            raise ValueError(f"The {where} has {name} but the scene has no grid: give Scene.grid.")
    _check_shapes(
        (f"{where}: modes.points", modes.points, (n, m)),
        (f"{where}: modes.grid", modes.grid, (n, *(field or ()))),
        (f"{where}: columns_points", modes.columns_points, (k, m)),
        (f"{where}: columns_grid", modes.columns_grid, (k, *(field or ()))),
        (f"{where}: columns_gram", modes.columns_gram, (k, k)),
        (f"{where}: known.xy", observed and observed.xy, (k, 2)),
        (f"{where}: known.index", observed and observed.index, (k,)),
    )


def _check_shapes(*parts: tuple[str, Array | None, tuple[int, ...]]) -> None:
    """Refuse named parts with a wrong shape; None is skipped."""
    for name, array, shape in parts:
        if array is not None:
            check_shape(name, array, shape)


def check_view(view: tuple[float, float, float, float]) -> None:
    """Refuse a view (x0, x1, y0, y1) without an extent."""
    x0, x1, y0, y1 = view
    if not (np.isfinite(view).all() and x1 > x0 and y1 > y0):
        raise ValueError(f"The view must be finite with x0 < x1 and y0 < y1, got {view}.")


def check_shape(name: str, array: Array, shape: tuple[int, ...], reason: str = "") -> None:
    """Refuse a part of a scene whose shape does not fit the other parts."""
    actual = np.shape(array)
    if actual != shape:
        raise ValueError(f"{name} has shape {actual}, but the scene needs {shape}{reason}.")
