"""The leading eigenfunctions, learnt or of the graph, with spectrum and diagnostics."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import fit, graphs, operators, spectra
from lapviz.explorer import baseline, steps
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import GRID_LARGE, GRID_SMALL
from lapviz.explorer.settings import Settings
from lapviz.explorer.views.about import about
from lapviz.explorer.views.placement import SUBSCRIPTS, drawn_rows, grid_of, plane_of, view_of
from lapviz.scenes import Grid, Panel, Scene

Array = np.ndarray
N_PANELS = 16


@dataclass(frozen=True, eq=False)
class EigenView:
    """Content of the Eigenfunctions page. ``graph`` is scaled to the learnt spectrum, or None."""

    scene: Scene
    gamma: Array
    truth: Array | None
    truth_note: str
    graph: Array | None
    graph_note: str
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


def eigen_view(
    settings: Settings, n_panels: int = N_PANELS, small: bool = True, light: bool = False
) -> EigenView:
    """The content of the page; a ``light`` view is for a hand that moves: no diagnostics."""
    problem = steps.Problem.of(settings)
    data, plane = steps.sample(settings.data), plane_of(settings)
    X = data.X
    start = time.perf_counter()
    basis = steps.assembled(problem)
    space = basis.value.space
    pairs = steps.eigenfunctions(problem, N_PANELS + 1).value
    seconds = basis.seconds + time.perf_counter() - start
    rows, view = drawn_rows(len(X)), view_of(plane.xy)
    grid = grid_of(view, GRID_SMALL if small else GRID_LARGE) if plane.field else None
    graph, note = None, ""
    if not light or settings.view.show == "graph":
        graph, note = _graph(settings, pairs.gamma)
    drawn = _Functions(pairs.gamma, lambda Z, m: space.evaluate(Z, pairs.vectors[:, :m]))
    if settings.view.show == "graph" and graph is not None:
        drawn = graph
    scene = Scene(
        panels=_panels(drawn, X[rows], grid, n_panels),
        points=plane.points(data, rows),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="functions",
        classes=data.class_names,
        axes=plane.axes,
        columns=4 if n_panels == N_PANELS else 0,
        hide=("lam", "filter", "labels"),
        light=light,
        about=about(settings, basis.value.basis.kernel.bandwidth, steps.mu(problem)),
    )
    truth = data.truth
    known = truth.eigenvalues is not None and (
        truth.operator is None or _same_operator(settings, truth.operator)
    )
    learnt = settings.energy.operator == "tangent"
    return EigenView(
        scene=scene,
        gamma=pairs.gamma,
        truth=np.array(truth.eigenvalues[: len(pairs.gamma)]) if known else None,
        truth_note=truth.note,
        graph=None if graph is None else graph.gamma,
        graph_note=note,
        gamma_of_half=pairs.gamma if light else steps.eigenvalues_of_half(problem, N_PANELS),
        n_dropped=pairs.n_dropped,
        n_functions=space.n_functions,
        constant_energy=0.0 if light else _constant_energy(problem),
        seconds=seconds,
        n_samples=len(X),
        drawn=len(rows),
        bandwidth=basis.value.basis.kernel.bandwidth,
        mu=steps.mu(problem),
        tangents=steps.tangents(settings.data, settings.tangents) if learnt else None,
    )


def _same_operator(settings: Settings, operator: str) -> bool:
    """Whether the true spectrum is that of the operator in use."""
    return (settings.energy.operator == "laplacian") == (operator == "laplacian")


@step
def _constant_energy(problem: steps.Problem) -> float:
    """γ₀ without the constant in the space: how well kernel functions alone approximate 1."""
    alone = steps.assembled(problem, constant=False).value.forms
    return float(spectra.spectrum(alone, steps.mu(problem), 1).gamma[0])


@dataclass(frozen=True, eq=False)
class _Functions:
    """Eigenvalues, and the first m eigenfunctions at points Z (n, d) as values (n, m)."""

    gamma: Array
    at: Callable[[Array, int], Array]


def _graph(settings: Settings, gamma: Array) -> tuple[_Functions | None, str]:
    """The graph's eigenfunctions and a note; or None and the reason."""
    try:
        spec = baseline.spec_of(settings)
        nodes, modes = baseline.modes(settings.data, spec, N_PANELS + 1)
        scale = graphs.match_scale(modes.gamma, gamma)
    except ValueError as error:
        return None, str(error)
    n, m = len(steps.sample(settings.data).X), len(nodes.rows)
    note = "" if n == m else f"The graph is built on {m} of the {n} points."

    def functions(Z: Array, m: int) -> Array:
        return fit.graph.extend(nodes.X, modes.vectors[:, :m], Z, spec)

    return _Functions(scale * modes.gamma, functions), note


def _panels(functions: _Functions, X: Array, grid: Grid | None, n_panels: int) -> tuple[Panel, ...]:
    at, gamma = functions.at(X, n_panels).T, functions.gamma
    fields: list[Array | None] = [None] * len(at)
    if grid is not None:
        values = functions.at(grid.sites(), n_panels).T
        fields = list(values.reshape(-1, 1, len(grid.y), len(grid.x)))
    return tuple(
        Panel(f"e{str(i).translate(SUBSCRIPTS)}", at[i : i + 1], fields[i], _energy(gamma[i]))
        for i in range(len(at))
    )


def _energy(gamma: float) -> str:
    return f"γ = {'0' if gamma < 1e-12 else f'{gamma:.3g}'}"  # smaller values are rounding
