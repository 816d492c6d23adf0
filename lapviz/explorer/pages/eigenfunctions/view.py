"""The leading eigenfunctions of one method, or of two side by side, with diagnostics."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from lapviz import fit, graphs, operators, spectra
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_LARGE, GRID_SMALL
from lapviz.explorer.pages.eigenfunctions import methods as eigen_methods
from lapviz.explorer.pages.eigenfunctions.methods import Functions
from lapviz.explorer.pages.eigenfunctions.neural import Network
from lapviz.explorer.pages.eigenfunctions.panels import (
    Canvas,
    angle,
    energy,
    joined,
    lonely_on,
    place,
    title,
)
from lapviz.explorer.pages.eigenfunctions.truth import known_eigenvalues
from lapviz.explorer.scene import sheet
from lapviz.explorer.scene.about import about
from lapviz.explorer.scene.label_hints import points_hints
from lapviz.explorer.scene.placement import (
    drawn_rows,
    grid_of,
    landmark_places,
    plane_of,
    words_of,
)
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.scenes import Panel, Scene

Array = np.ndarray
N_PANELS = 16


@dataclass(frozen=True, eq=False)
class EigenView:
    """Content of the Eigenfunctions page.

    ``graph`` is scaled to the learnt spectrum, or None. ``method`` is whose functions are drawn;
    ``other`` are its eigenvalues if it is neither the learnt operator nor the graph, and
    ``method_note`` a sentence about it, or why it cannot be shown. ``lonely`` are the numbers of
    the drawn functions that live on single points.
    """

    scene: Scene
    gamma: Array
    truth: Array | None
    truth_note: str
    graph: Array | None
    graph_note: str
    method: str
    method_note: str
    other: Array | None
    lonely: tuple[int, ...]
    gamma_of_half: Array
    n_dropped: int
    n_functions: int
    constant_energy: float
    seconds: float
    n_samples: int
    drawn: int
    bandwidth: float
    mu: float
    tangents: operators.Tangents | None
    settings: Settings  # with numbers where the data have chosen
    hints: tuple[Advice, ...] = ()


def eigen_view(
    settings: Settings,
    n_panels: int = N_PANELS,
    small: bool = True,
    light: bool = False,
    network: Network | None = None,
    hidden: frozenset[str] = frozenset(),
) -> EigenView:
    """The content of the page; ``network`` is drawn if ``show`` asks for it.

    ``hidden`` names groups of controls; without that of the data nobody draws.

    A ``light`` view is for a hand that moves: no diagnostics.
    """
    settings = fits.for_modes(settings)
    method = fits.method(settings)
    data, plane = points.sample(settings.data), plane_of(settings)
    start = time.perf_counter()
    basis = fits.timed(method.assembled)
    pairs = method.eigenfunctions(N_PANELS + 1)
    seconds = basis.seconds + time.perf_counter() - start
    rows, view = drawn_rows(len(data.X)), plane.view
    grid = grid_of(view, GRID_SMALL if small else GRID_LARGE) if plane.field else None
    canvas, learnt = Canvas(data.X, rows, grid, plane.lift), eigen_methods.learnt(settings)
    asked, graph, note = settings.view.show, None, ""
    if not light or asked == "graph":
        graph, note = _other(settings, "graph", pairs.gamma, None)
    shown, why = (graph, note) if asked == "graph" else (learnt, "")
    if asked not in ("learnt", "graph"):
        shown, why = _other(settings, asked, pairs.gamma, network)
    beside = settings.view.beside and shown is not learnt and shown is not None
    panels, lonely = (
        _side_by_side(canvas, learnt, shown, SHOWN[asked], n_panels)
        if beside
        else _panels(canvas, learnt, shown or learnt, n_panels)
    )
    scene = Scene(
        panels=panels,
        points=plane.points(settings.data, rows),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="functions",
        classes=data.class_names,
        axes=plane.axes,
        columns=4 if n_panels == N_PANELS else 0,
        hide=("lam", "filter", "labels"),
        light=light,
        near=plane.near(grid, data.X),
        remark=" ".join(filter(None, (words_of(plane, settings), _of_weights(settings)))),
        about=about(settings, basis.value.basis.kernel.bandwidth, method.mu),
        landmarks=landmark_places(settings, plane) if settings.view.centres else None,
        drawing=sheet.code_for_stage(settings, hidden),
    )
    true = known_eigenvalues(settings)
    named = shown is not None and asked not in ("learnt", "graph")
    return EigenView(
        scene=scene,
        gamma=pairs.gamma,
        truth=None if true is None else true[: len(pairs.gamma)],
        truth_note=data.truth.note,
        graph=None if graph is None else graph.gamma,
        graph_note=note,
        method=asked if shown is not None else "learnt",
        method_note=shown.note if shown is not None else why,
        other=shown.gamma if named else None,
        lonely=lonely,
        gamma_of_half=pairs.gamma if light else method.eigenvalues_of_half(N_PANELS),
        n_dropped=pairs.n_dropped,
        n_functions=basis.value.space.n_functions,
        constant_energy=0.0 if light else _constant_energy(method),
        seconds=seconds,
        n_samples=len(data.X),
        drawn=len(rows),
        bandwidth=basis.value.basis.kernel.bandwidth,
        mu=method.mu,
        tangents=fits.tangents(settings.data, settings.tangents)
        if settings.energy.operator == "tangent"
        else None,
        settings=settings,
        hints=() if light else _hints(settings, method, pairs),
    )


def _of_weights(settings: Settings) -> str:
    """Which methods count the rows' weights; "" where there are none."""
    if points.weights(settings.data) is None:
        return ""
    if settings.view.form != "dirichlet":
        return "The rows have weights; bilinear forms do not count them."
    if settings.view.show == "learnt":
        return ""
    return "The rows have weights; the learnt operator counts them, the other methods do not."


def _hints(settings: Settings, method: fit.Galerkin, pairs: spectra.Spectrum) -> tuple:
    """All advice that is not empty."""
    basis, n = method.assembled(), len(points.sample(settings.data).X)
    values = half = None
    n_functions = basis.space.n_functions - 1
    if basis.basis.centres is not None and n_functions > 2 * advice.MODES:
        half = method.eigenvalues_of_half(N_PANELS)
    if n <= advice.MOST_NODES:
        values = _first_modes(method)
    said = *points_hints(settings), advice.size(values, pairs.gamma, half, n_functions, n)
    return tuple(filter(None, said))


@step
def _first_modes(method: fit.Galerkin) -> Array:
    """The first modes but the constant at all samples, (n, m)."""
    vectors = method.eigenfunctions(N_PANELS + 1).vectors[:, 1 : advice.MODES + 1]
    X = method.sample.X
    return method.assembled().space.evaluate(X, vectors)


@step
def _constant_energy(method: fit.Galerkin) -> float:
    """γ₀ without the constant in the space: how well kernel functions alone approximate 1."""
    alone = method.assembled().with_constant(False).forms
    return float(spectra.spectrum(alone, method.mu, 1).gamma[0])


def _other(settings, name: str, gamma: Array, network) -> tuple[Functions | None, str]:
    """Another method's functions and a note; or None and the reason."""
    try:
        found = eigen_methods.other(settings, name, gamma, network)
    except (ValueError, MemoryError) as error:
        return None, str(error)
    return found, found.note


def _panels(
    canvas: Canvas, learnt: Functions, shown: Functions, n_panels: int
) -> tuple[tuple[Panel, ...], tuple[int, ...]]:
    """One method in all panels, with the learnt functions' signs; and the lonely ones."""
    if shown is not learnt:
        ours = learnt.on_samples(canvas.X, canvas.rows, n_panels)
        theirs = shown.on_samples(canvas.X, canvas.rows, n_panels)
        shown = eigen_methods.with_signs_of(shown, ours, theirs)
    at, there = canvas.values(shown, n_panels)
    on = [lonely_on(column, len(canvas.X)) for column in at.T]
    panels = [
        canvas.panel(
            title(i), at[:, i], None if there is None else there[:, i],
            joined(energy(shown.gamma[i]), place(on[i])),
        )
        for i in range(at.shape[1])
    ]  # fmt: skip
    return tuple(panels), tuple(i for i, few in enumerate(on) if few)


def _side_by_side(
    canvas: Canvas, learnt: Functions, shown: Functions, name: str, n_panels: int
) -> tuple[tuple[Panel, ...], tuple[int, ...]]:
    """Each learnt function from e₁ on, and beside it what the other method has in its place."""
    m = min(n_panels // 2 + 1, len(learnt.gamma))
    at, there = canvas.values(learnt, m)
    their_at, their_there = canvas.values(shown, len(shown.gamma))
    T = graphs.match_functions(at, their_at, learnt.gamma[:m])
    gamma, matched = (T**2).T @ shown.gamma[: len(T)], their_at @ T
    panels, lonely = [], []
    for i in range(1, m):
        few = lonely_on(at[:, i], len(canvas.X))
        if few:
            lonely.append(i)
        words = joined(energy(learnt.gamma[i]), place(few))
        field = None if there is None else there[:, i]
        panels.append(canvas.panel(f"{title(i)} learnt", at[:, i], field, words))
        beside = f"{title(i)} {name}"
        if not T[:, i].any():
            text = "This method has no further eigenfunction here."
            panels.append(Panel(beside, np.zeros((1, len(at))), note=text))
            continue
        apart = angle(at[:, i], matched[:, i])
        field = None if their_there is None else their_there @ T[:, i]
        words = joined(energy(gamma[i]), f"{apart:.0f}° apart")
        panels.append(canvas.panel(beside, matched[:, i], field, words))
    return tuple(panels), tuple(lonely)
