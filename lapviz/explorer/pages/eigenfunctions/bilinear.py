"""Two bilinear forms by GAL23's Algorithm 1: d/dθ, and the Ornstein–Uhlenbeck generator."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import bilinear, fit
from lapviz.datasets.truths import gaussian_eigenfunctions, gaussian_spectrum
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_SMALL
from lapviz.explorer.pages.eigenfunctions.methods import Functions
from lapviz.explorer.pages.eigenfunctions.panels import (
    Canvas,
    angle,
    energy,
    joined,
    lonely_on,
    place,
    title,
)
from lapviz.explorer.scene import sheet
from lapviz.explorer.scene.about import about
from lapviz.explorer.scene.label_hints import points_hints
from lapviz.explorer.scene.placement import drawn_rows, grid_of, landmark_places, plane_of
from lapviz.explorer.settings.records import Settings
from lapviz.scenes import Panel, Scene

Array = np.ndarray
N_VALUES = 17


@dataclass(frozen=True, eq=False)
class FormView:
    """Content of the page for a form other than the Dirichlet energy.

    ``values`` are the singular values (k,), ``truth`` the true ones or None; ``left`` and
    ``right`` the numbers of independent test functions on both sides; ``lonely`` the numbers of
    functions that live on single points.
    """

    scene: Scene
    values: Array
    truth: Array | None
    left: int
    right: int
    seconds: float
    n_samples: int
    drawn: int
    bandwidth: float
    lonely: tuple[int, ...]
    settings: Settings  # with numbers where the data have chosen
    hints: tuple[Advice, ...] = ()


def turning(X: Array) -> Array:
    """The field (−x₂, x₁) at points X (n, 2), along which the slope is the derivative d/dθ."""
    return np.column_stack([-X[:, 1], X[:, 0]])


@step
def decomposed(right: fit.Galerkin, form: str) -> fits.Timed:
    """The singular functions of a form on the sample, smallest values first."""
    return fits.timed(lambda: _decompose(right, form))


def _decompose(right: fit.Galerkin, form: str) -> bilinear.GalerkinSVD:
    X, spec, phi = right.sample.X, right.space, right.basis().space
    if form == "ornstein":
        return bilinear.galerkin_svd("laplacian", phi, None, X, n_components=N_VALUES)
    # of first order: images of the right functions must lie in the left space
    fewer = replace(spec, n_landmarks=-(-spec.n_landmarks // 2), bandwidth=right.kernel.bandwidth)
    psi = replace(right, space=fewer).basis().space
    slope = bilinear.Derivative(turning)
    return bilinear.galerkin_svd(slope, phi, psi, X, n_components=N_VALUES)


def form_view(
    settings: Settings, light: bool = False, hidden: frozenset[str] = frozenset()
) -> FormView:
    """The content of the page for ``form`` "rotation" or "ornstein"."""
    settings = fits.for_modes(settings)
    data, plane, form = points.sample(settings.data), plane_of(settings), settings.view.form
    method = fits.method(settings)
    timed = decomposed(replace(method, energy=fit.EnergySpec()), form)
    found: bilinear.GalerkinSVD = timed.value
    rows, view = drawn_rows(len(data.X)), plane.view
    # No RKHS norm holds singular functions down where no data is: d/dθ's are drawn on the points.
    grid = grid_of(view, GRID_SMALL) if plane.flat and form == "ornstein" else None
    canvas = Canvas(data.X, rows, grid)
    right = Functions(found.values, lambda Z, m: found.evaluate_right(Z)[:, :m])
    left = Functions(found.values, lambda Z, m: found.evaluate_left(Z)[:, :m])
    width = method.kernel.bandwidth
    known = _truth(settings, len(found.values))
    if form == "ornstein":
        panels, lonely = _hermite(canvas, right, known, data.X.shape[1])
    else:
        panels, lonely = _pairs(canvas, left, right, known)
    scene = Scene(
        panels=panels,
        points=plane.points(settings.data, rows),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="functions",
        classes=data.class_names,
        axes=plane.axes,
        columns=4,
        hide=("lam", "filter", "labels"),
        light=light,
        about=about(settings, width, method.mu),
        landmarks=landmark_places(settings, plane) if settings.view.centres else None,
        drawing=sheet.code_for_stage(settings, hidden),
    )
    return FormView(
        scene=scene,
        values=found.values,
        truth=known,
        left=found.left.shape[0] - found.n_dropped[0],
        right=found.right.shape[0] - found.n_dropped[1],
        seconds=timed.seconds,
        n_samples=len(data.X),
        drawn=len(rows),
        bandwidth=width,
        lonely=lonely,
        settings=settings,
        hints=() if light else _hints(settings, found),
    )


def _hints(settings: Settings, found: bilinear.GalerkinSVD) -> tuple[Advice, ...]:
    """All advice that is not empty."""
    said = [*points_hints(settings)]
    if settings.data.n_samples <= advice.MOST_NODES:
        first = found.evaluate_right(points.sample(settings.data).X)[:, : advice.MODES]
        said.append(advice.localised(first))
    return tuple(filter(None, said))


def _truth(settings: Settings, m: int) -> Array | None:
    """The true singular values (m,); of d/dθ on the circle, of the generator for one Gaussian."""
    if settings.view.form == "ornstein":
        variance = 1 + settings.data.noise**2
        return gaussian_spectrum(settings.data.info.n_features, m) / variance
    on_circle = settings.data.name == "circle" and settings.data.noise == 0
    return (np.arange(1, m + 1) // 2).astype(float) if on_circle else None


def _pairs(canvas: Canvas, left: Functions, right: Functions, known: Array | None):
    """Left and right functions in pairs, and the waves that they should be."""
    count = min((8 if known is None else 4) + 1, len(right.gamma))
    f, g = canvas.values(left, count)[0], canvas.values(right, count)[0]
    panels, lonely = [], []
    for i in range(1, count):
        few = lonely_on(g[:, i], len(canvas.X))
        lonely += [i] * (few is not None)
        words = joined(energy(right.gamma[i], "s"), place(few))
        for letter, at in (("f", f), ("g", g)):
            panels.append(canvas.panel(f"{title(i, letter)} learnt", at[:, i], None, words))
        if known is None:
            continue
        k = int(known[i])
        at = _waves(canvas.X[canvas.rows], k)
        c = _nearest(g[:, i], at)
        slope = np.array([c[1], -c[0]])  # d/dθ (a cos kθ + b sin kθ) = k (b cos kθ − a sin kθ)
        for letter, mix, learnt in (("f", slope, f[:, i]), ("g", c, g[:, i])):
            words = joined(energy(known[i], "s"), f"{angle(learnt, at @ mix):.0f}° apart")
            panels.append(canvas.panel(f"{title(i, letter)} true", at @ mix, None, words))
    return tuple(panels), tuple(lonely)


def _waves(Z: Array, k: int) -> Array:
    """√2 cos kθ and √2 sin kθ at points Z (n, 2), array (n, 2)."""
    theta = np.arctan2(Z[:, 1], Z[:, 0])
    return np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])


def _hermite(canvas: Canvas, learnt: Functions, known: Array, d: int):
    """Each learnt function, and the nearest one in the true eigenspace of the same number."""
    count = min(9, len(learnt.gamma))
    at, there = canvas.values(learnt, count)
    whole = int(np.sum(gaussian_spectrum(d, 400) <= gaussian_spectrum(d, count)[-1]))
    scale = np.sqrt(gaussian_spectrum(d, 2)[1] / known[1]) if len(known) > 1 else 1.0
    degrees = gaussian_spectrum(d, whole)
    true_at = gaussian_eigenfunctions(canvas.X[canvas.rows] / scale, whole)
    sites = None if canvas.grid is None else canvas.grid.sites() / scale
    true_there = None if sites is None else gaussian_eigenfunctions(sites, whole)
    panels: list[Panel] = []
    lonely = []
    for i in range(1, count):
        few = lonely_on(at[:, i], len(canvas.X))
        lonely += [i] * (few is not None)
        words = joined(energy(learnt.gamma[i]), place(few))
        field = None if there is None else there[:, i]
        panels.append(canvas.panel(f"{title(i)} learnt", at[:, i], field, words))
        same = degrees == degrees[i]
        c = _nearest(at[:, i], true_at[:, same])
        mixed = true_at[:, same] @ c
        field = None if true_there is None else true_there[:, same] @ c
        words = joined(energy(known[i]), f"{angle(at[:, i], mixed):.0f}° apart")
        panels.append(canvas.panel(f"{title(i)} true", mixed, field, words))
    return tuple(panels), tuple(lonely)


def _nearest(values: Array, basis: Array) -> Array:
    """Coefficients of the function of norm 1 in an orthonormal basis that is nearest to another."""
    c = basis.T @ values
    norm = np.linalg.norm(c)
    return c / norm if norm > 0 else np.eye(len(c))[0]
