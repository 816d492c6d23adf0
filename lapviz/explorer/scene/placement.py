"""Coordinates of samples in a picture: planes, views, grids, and the rows that are drawn."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapviz import fit, kernels
from lapviz.explorer.compute import fits, own_rows, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import MAX_DRAWN
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, OPERATORS, Settings
from lapviz.explorer.settings.specs import N_AXES, DataSpec
from lapviz.figures.fields import nearness_of
from lapviz.figures.fitted_scenes import SUBSCRIPTS, grid_of, principal_components, view_of
from lapviz.fit import SpaceSpec
from lapviz.markdown import short
from lapviz.scenes import Grid, Points

Array = np.ndarray


@dataclass(frozen=True)
class Plane:
    """Coordinates of the samples in the picture, which the cache identifies by the key.

    Attributes
    ----------
    key : str
    xy : array (n, 2)
    axes : tuple of two or three str
    field : bool
        Whether functions can be drawn over the plane.
    xyz : array (n, 3) or None
        Coordinates in space, of which ``xy`` are then the first two.
    sheet : (x0, x1, y0, y1) or None
        The part of the plane that the picture shows, if the data prescribe it.
    base : array (d,) or None
        Of a slice: the point that fixes all other features.
    pair : tuple of int
        The features that the axes of a slice show.
    scaling : fit.Scaling or None
        How an estimate scales the columns; the picture is in unscaled units.
    """

    key: str
    xy: Array = dataclasses.field(compare=False)
    axes: tuple[str, ...] = dataclasses.field(compare=False)
    field: bool = dataclasses.field(compare=False)
    xyz: Array | None = dataclasses.field(compare=False, default=None)
    sheet: tuple[float, float, float, float] | None = dataclasses.field(compare=False, default=None)
    base: Array | None = dataclasses.field(compare=False, default=None)
    pair: tuple[int, int] = dataclasses.field(compare=False, default=(0, 1))
    scaling: fit.Scaling | None = dataclasses.field(compare=False, default=None)

    @property
    def flat(self) -> bool:
        """True for two-dimensional data, where places in the plane are points."""
        return self.field and self.base is None

    def lift(self, sites: Array) -> Array:
        """Map places in the plane (m, 2) to points (m, d), as the estimate expects them."""
        X = sites
        if self.base is not None:
            X = np.tile(self.base, (len(sites), 1))
            X[:, self.pair] = sites
        return X if self.scaling is None else self.scaling(X)

    def near(self, grid: Grid | None, X: Array) -> Array | None:
        """Nearness of a slice's nodes to the data X (n, d); None for other planes."""
        if self.base is None or grid is None:
            return None
        return grid.fields(nearness_of(X[drawn_rows(len(X))], self.lift(grid.sites())))[0]

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The part of the plane that is drawn: around the samples, or the sheet of a drawing."""
        return self.sheet or view_of(self.xy)

    def grid(self, longest: int) -> Grid | None:
        """Grid with ``longest`` nodes along the longer side; None where no field is drawn."""
        return grid_of(self.view, longest) if self.field else None

    def frame(self, spec: DataSpec, rows: Array, grid: Grid | None = None) -> dict[str, Any]:
        """Fields of every scene over the plane, whose points are these rows of the samples."""
        data, space = points.sample(spec.in_units), None if self.xyz is None else self.xyz[rows]
        images, notes = data.images(rows), own_rows.notes(spec, rows)
        return {
            "points": Points(self.xy[rows], rows, data.y[rows], space, images, notes),
            "view": self.view,
            "view_key": self.key,
            "rows": spec.view_key,
            "grid": grid,
            "near": self.near(grid, points.sample(spec).X),
            "axes": self.axes,
            "n_samples": len(data.X),
        }


@step
def components(data: DataSpec) -> Array:
    """Scores of the samples on up to ten principal components."""
    return principal_components(points.sample(data).X, N_AXES["pca"])


@step
def eigenmaps(method: fit.Galerkin, data: DataSpec, *axes: int) -> tuple[Array, list[int]]:
    """Values of eigenfunctions but the constant at the samples, and the indices of those."""
    pairs = method.eigenfunctions(N_AXES["modes"] + 1)
    chosen = [min(a + 1, pairs.vectors.shape[1] - 1) for a in axes]
    space = method.assembled().space
    return space.evaluate(points.sample(data).X, pairs.vectors[:, chosen]), chosen


@step
def central_row(data: DataSpec) -> int:
    """Row of the point nearest to the medians; slices go through it."""
    X = points.sample(data).X
    return int(((X - np.median(X, axis=0)) ** 2).sum(axis=1).argmin())


def slice_remark(plane: Plane, settings: Settings) -> str:
    """A sentence that explains a slice; "" for other planes."""
    if plane.base is None:
        return ""
    name = own_rows.name(settings.data, central_row(settings.data.in_units))
    return (
        f"The field is a slice: all other features are those of {name}, the point nearest to "
        "the medians. The points stand before and behind it."
    )


def plane_of(settings: Settings) -> Plane:
    """Coordinates of all samples in the picture's plane, in unscaled units."""
    return dataclasses.replace(_plane_of(settings), scaling=settings.data.scaling)


def _plane_of(settings: Settings) -> Plane:
    spec, view = settings.data.in_units, settings.view
    data = points.sample(spec)
    X, names = data.X, data.feature_names
    identity = f"{spec.view_key}-{view.plane}-{settings.data.scaling is None}"
    if X.shape[1] == 2:
        sheet = drawing.of(spec).view if spec.name == drawing.NAME else None
        return Plane(identity, X, names[:2], True, sheet=sheet)
    if view.plane == "space":
        xyz, axes = _in_space(settings.data)
        return Plane(identity, xyz[:, :2], axes, False, xyz)
    key, pair = f"{identity}-{view.ax}-{view.ay}", [view.ax, view.ay]
    if view.plane in ("slice", "features"):
        axes, is_slice = (names[view.ax], names[view.ay]), view.plane == "slice"
        base = X[central_row(spec)] if is_slice else None
        return Plane(key, X[:, pair], axes, is_slice, base=base, pair=(view.ax, view.ay))
    if view.plane == "pca":
        scores = components(settings.data)  # scaled as for an estimate
        pair = [min(a, scores.shape[1] - 1) for a in pair]
        return Plane(key, scores[:, pair], tuple(f"component {a + 1}" for a in pair), False)
    values, pair = eigenmaps(fits.method(settings), settings.data, *pair)
    return Plane(key, values, tuple(f"e{str(a).translate(SUBSCRIPTS)}" for a in pair), False)


def _in_space(spec: DataSpec) -> tuple[Array, tuple[str, ...]]:
    """Three features, or the scores on the first three principal components, and their names."""
    data = points.sample(spec.in_units)
    if data.X.shape[1] == 3:
        return data.X, data.feature_names
    scores = components(spec)[:, :3]
    missing = 3 - scores.shape[1]  # fewer than three samples
    return np.pad(scores, ((0, 0), (0, missing))), ("PC 1", "PC 2", "PC 3")


def about(settings: Settings, bandwidth: float, mu: float) -> str:
    """The numbers in use: "σ = 0.2 · p = 200 · μ = 1e−5".

    Before them a kernel other than the Gaussian, with its parameters, and energies other than the
    ambient gradient's.
    """
    space, energies = settings.space, settings.energies
    named = [kernels.get(space.kernel).title] if space.kernel != SpaceSpec.kernel else []
    own = {p.name: p for p in kernels.parameters(space.kernel)}
    named += [f"{own[name].symbol or own[name].label} = {short(value)}"
              for name, value in space.kernel_options.items()]  # fmt: skip
    if energies not in [(AUTO,), ("laplacian",)]:
        titles = (OPERATORS.get(name) or name.title for name in energies)
        named.append(" + ".join(titles))
    named += [f"w = {short(settings.mix.share)}"] if settings.mixes else []
    p = min(space.n_landmarks, settings.data.n_samples)
    return " · ".join([*named, f"σ = {short(bandwidth)}", f"p = {p}", f"μ = {short(mu)}"])


def drawn_rows(n_samples: int, labelled: points.Labelled | None = None) -> Array:
    """Rows to draw: all, or a fixed random subset and every labelled row."""
    if n_samples <= MAX_DRAWN:
        return np.arange(n_samples)
    rows = np.sort(np.random.default_rng(0).permutation(n_samples)[:MAX_DRAWN])
    return rows if labelled is None else np.union1d(rows, labelled.index[labelled.index >= 0])


def landmark_places(settings: Settings, plane: Plane) -> Array | None:
    """Coordinates (p, 2) of the landmarks; None in space, and for random waves, which have none."""
    centres = fits.method(settings).centres
    if centres is None or plane.xyz is not None:
        return None
    X = points.sample(settings.data).X
    # every rule picks rows of X
    row_of = {x.tobytes(): i for i, x in enumerate(np.ascontiguousarray(X))}
    return plane.xy[[row_of[c.tobytes()] for c in np.ascontiguousarray(centres)]]
