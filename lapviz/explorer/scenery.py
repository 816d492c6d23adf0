"""From settings to scenes: what the stages of the pages show, with the numbers beside them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from lapviz import forms, graphs, metrics, operators
from lapviz.estimates import filters
from lapviz.estimates.codes import decode
from lapviz.explorer import comparison, pipeline
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import GRID_LARGE, GRID_SMALL, MAX_COLUMNS, MAX_GRAPH_SAMPLES
from lapviz.explorer.projections import SUBSCRIPTS, Plane, drawn_rows, grid_of, plane_of, view_of
from lapviz.explorer.settings import Settings
from lapviz.labels import Label
from lapviz.scenes import FilterChoice, Modes, Panel, Points, RidgeModel, Scene
from lapviz.spaces import KernelSpace

Array = np.ndarray
N_PANELS = 16


@dataclass(frozen=True)
class Score:
    """A method's numbers: share of unlabelled points right, energy, seconds of a fit."""

    method: str
    accuracy: float | None
    energy: float | None
    seconds: float | None
    note: str = ""


@dataclass(frozen=True, eq=False)
class LabelsView:
    """What the Labels page shows."""

    scene: Scene
    scores: tuple[Score, ...]
    n_labels: int
    drawn: int


@dataclass(frozen=True, eq=False)
class EigenView:
    """What the Eigenfunctions page shows. ``graph`` is already at the learnt scale, or None."""

    scene: Scene
    gamma: Array
    truth: Array | None
    truth_note: str
    graph: Array | None
    graph_note: str
    halved: Array
    n_dropped: int
    n_functions: int
    constant_energy: float
    seconds: float
    drawn: int


@step(*pipeline.PENALTY)
def local_modes(settings: Settings) -> tuple[Array, Array | None, Array]:
    """γ (m,), modes on the grid (m, ny, nx) or None, modes at the samples (m, n)."""
    found = pipeline.estimate_modes(settings).value
    space = pipeline.estimate_basis(settings).space
    plane = plane_of(settings)
    at = space.evaluate(pipeline.sample(settings).X, found.vectors).T.astype(np.float32)
    field = None
    if plane.field:
        grid = grid_of(view_of(plane.xy), GRID_LARGE)
        values = space.evaluate(grid.sites(), found.vectors).T
        field = values.reshape(-1, len(grid.y), len(grid.x)).astype(np.float32)
    return found.gamma, field, at


def width_hint(settings: Settings) -> str:
    """A sentence when σ is so far from the data's distances that no picture can mean anything."""
    if settings.kernel == "polynomial" or settings.sigma is None:
        return ""
    usual = pipeline.bandwidth(replace(settings, sigma=None))
    if settings.sigma < usual / 100:
        why = "far below the distances between neighbours: no test function reaches a second point"
    elif settings.sigma > 1000 * usual:
        why = "far above the size of the data: all test functions look the same"
    else:
        return ""
    return f"σ = {settings.sigma:.3g} is {why}. Try a σ near {usual:.2g}."


def labels_view(
    settings: Settings, rev: int = 0, hidden: frozenset[str] = frozenset()
) -> LabelsView:
    """Kernel ridge, kernel Laplacian and graph Laplacian on the same labels.

    ``hidden`` names groups of controls whose tools on the stage are left out, too.
    """
    data, plane = pipeline.sample(settings), plane_of(settings)
    given = pipeline.labels(settings)
    rows = drawn_rows(settings, given)
    view = view_of(plane.xy)
    grid = grid_of(view, GRID_LARGE) if plane.field else None
    if len(given.codes):
        panels, scores = _three_methods(settings, given, rows, grid, plane.key)
    else:
        text = "No point is labelled yet: click a point to give it a class."
        blank = np.zeros((1 if data.n_classes == 2 else data.n_classes, len(rows)))
        panels = tuple(
            Panel(title, blank, note=text)
            for title in ("Kernel ridge", "Kernel Laplacian", "Graph Laplacian")
        )
        scores = ()
    scene = Scene(
        panels=panels,
        points=Points(plane.xy[rows], rows, data.y[rows]),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="classes",
        classes=data.class_names,
        labels=_scene_labels(given, plane),
        lam=settings.lam,
        mu=pipeline.mu(settings),
        filter=settings.filter,
        data_term=settings.term,
        editable="labels" not in hidden,
        free_labels=plane.field,
        axes=plane.axes,
        filters=filter_choices(),
        rev=rev,
        hide=_stage_tools(hidden),
    )
    return LabelsView(scene, scores, len(given.codes), len(rows))


def _stage_tools(hidden: frozenset[str]) -> tuple[str, ...]:
    tools = {"labels": ["labels"], "regularisation": ["lam", "filter"]}
    return tuple(tool for group, its in tools.items() if group in hidden for tool in its)


def filter_choices() -> tuple[FilterChoice, ...]:
    """Every filter, with its formula for the browser."""
    rules = (filters.get(name) for name in filters.names())
    return tuple(FilterChoice(f.name, f.title, f.browser_formula()) for f in rules)


def _scene_labels(given: pipeline.Labelled, plane: Plane) -> tuple[Label, ...]:
    """The labels, those of rows put to where the plane has their point."""
    return tuple(p if p.free else p.at(*plane.xy[p.index]) for p in given.labels)


def _three_methods(settings, given, rows, grid, view_key):
    data = pipeline.sample(settings)
    X, sites = data.X, None if grid is None else grid.sites()
    labelled = np.zeros(len(X), dtype=bool)
    labelled[given.index[given.index >= 0]] = True

    def fold(values: Array | None) -> Array | None:
        return None if values is None else values.T.reshape(-1, len(grid.y), len(grid.x))

    def right(scores: Array) -> float | None:
        if labelled.all():
            return None
        return metrics.unlabelled_accuracy(data.y, decode(scores), labelled)

    def panel(title, at, field, model, score) -> Panel:
        share = "" if score.accuracy is None else f"{100 * score.accuracy:.1f} % right"
        return Panel(title, at[rows].T, fold(field), share, model, score.note)

    made = []
    weights = pipeline.ridge(settings, given)
    space = KernelSpace(pipeline.kernel_of(settings), given.X, constant=False)
    at = space.evaluate(X, weights.value)
    energy = _energy(operators.assemble(space, X, pipeline.operator_of(settings)), weights.value)
    score = Score("Kernel ridge", right(at), energy, weights.seconds)
    model = None if sites is None else RidgeModel.of(space.kernel)
    field = None if sites is None else space.evaluate(sites, weights.value)
    made.append((panel(score.method, at, field, model, score), score))

    found = pipeline.coefficients(settings, given)
    basis = pipeline.estimate_basis(settings)
    at = basis.space.evaluate(X, found.value)
    score = Score("Kernel Laplacian", right(at), _energy(basis.forms, found.value), found.seconds)
    field = None if sites is None else basis.space.evaluate(sites, found.value)
    model = _modes(settings, given, rows, grid, view_key)
    made.append((panel(score.method, at, field, model, score), score))

    places = None if sites is None else pipeline.Places(view_key, sites)
    made.append(_graph_method(settings, places, right, panel))
    return tuple(p for p, _ in made), tuple(s for _, s in made)


def _energy(found: forms.Forms, c: Array) -> float:
    return float(max(np.einsum("ik,ij,jk->", c, found.stiffness, c, optimize=True), 0.0))


def _modes(settings, given, rows, grid, view_key) -> Modes:
    gamma, field, at = local_modes(settings)
    columns = [None, None, None]
    if settings.term == "labelled" and len(given.codes) <= MAX_COLUMNS:
        X = pipeline.sample(settings).X[rows]
        sites = X if grid is None else np.vstack([grid.sites(), X])
        values, gram = pipeline.label_columns(settings, pipeline.Places(view_key, sites))
        columns[1:] = values[len(sites) - len(X) :].T, gram
        if grid is not None:
            columns[0] = values[: -len(X)].T.reshape(-1, len(grid.y), len(grid.x))
    return Modes(gamma, field, at[:, rows], *columns, intercept=settings.intercept)


def _graph_method(settings, sites, right, panel) -> tuple[Panel, Score]:
    title = "Graph Laplacian"
    try:
        at, field, seconds = comparison.graph_scores(comparison.graph_settings(settings), sites)
    except (ValueError, MemoryError) as error:
        data = pipeline.sample(settings)
        blank = np.zeros((len(data.X), 1 if data.n_classes == 2 else data.n_classes))
        score = Score(title, None, None, None, str(error))
        return panel(title, blank, None, None, score), score
    score = Score(title, right(at), _projected_energy(settings, at), seconds)
    return panel(title, at, field, None, score), score


def _projected_energy(settings: Settings, at: Array) -> float | None:
    """Energy of a function of the samples through its parts along the leading modes."""
    if len(at) > MAX_GRAPH_SAMPLES:
        return None
    gamma, _, modes = local_modes(settings)
    parts = modes.astype(float) @ at / len(at)
    return float((gamma[:, None] * parts**2).sum())


def lambda_path(settings: Settings, lams: Array) -> tuple[Array, Array]:
    """Share of unlabelled points right, and Dirichlet energy, for each λ."""
    data, given = pipeline.sample(settings), pipeline.labels(settings)
    basis = pipeline.estimate_basis(settings)
    labelled = np.zeros(len(data.X), dtype=bool)
    labelled[given.index[given.index >= 0]] = True
    if labelled.all():
        raise ValueError("Every point is labelled: there is none left to be right or wrong about.")
    C = np.stack([pipeline.coefficients(settings, given, float(lam)).value for lam in lams])
    energy = np.einsum("lik,ij,ljk->l", C, basis.forms.stiffness, C, optimize=True)
    at = basis.space.evaluate(data.X, C.transpose(1, 0, 2).reshape(C.shape[1], -1))
    at = at.reshape(len(data.X), len(lams), -1)
    right = (decode(at)[~labelled] == data.y[~labelled, None]).mean(axis=0)
    return right, np.maximum(energy, 0.0)


def eigen_view(settings: Settings, n_panels: int = N_PANELS, small: bool = True) -> EigenView:
    """The leading eigenfunctions, learnt or of the graph, with spectrum and diagnostics."""
    data, plane = pipeline.sample(settings), plane_of(settings)
    start = time.perf_counter()
    basis, found = pipeline.eigenfunctions(settings, N_PANELS + 1)
    seconds = basis.seconds + time.perf_counter() - start
    rows, view = drawn_rows(settings, None), view_of(plane.xy)
    grid = grid_of(view, GRID_SMALL if small else GRID_LARGE) if plane.field else None
    graph, note = _graph_gamma(settings, found.gamma)
    if settings.show == "graph" and graph is not None:
        panels = _graph_panels(settings, graph, rows, grid, n_panels)
    else:
        panels = _learnt_panels(settings, basis.space, found, rows, grid, n_panels)
    scene = Scene(
        panels=panels,
        points=Points(plane.xy[rows], rows, data.y[rows]),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="functions",
        classes=data.class_names,
        axes=plane.axes,
        columns=4 if n_panels == N_PANELS else 0,
        hide=("lam", "filter", "labels"),
    )
    truth = data.truth
    right_operator = truth.operator is None or _same_operator(settings, truth.operator)
    known = truth.eigenvalues is not None and right_operator
    return EigenView(
        scene=scene,
        gamma=found.gamma,
        truth=np.array(truth.eigenvalues[: len(found.gamma)]) if known else None,
        truth_note=truth.note,
        graph=graph,
        graph_note=note,
        halved=pipeline.halved(settings, N_PANELS),
        n_dropped=found.n_dropped,
        n_functions=basis.space.n_functions,
        constant_energy=_constant_energy(settings),
        seconds=seconds,
        drawn=len(rows),
    )


def _same_operator(settings: Settings, operator: str) -> bool:
    """Whether the truth is of the operator in use: on a plane without normal both are the same."""
    return (settings.operator == "laplacian") == (operator == "laplacian")


def _constant_energy(settings: Settings) -> float:
    """γ₀ without the constant in the space: how well kernel functions alone make up 1."""
    alone = pipeline.trial(settings).without_constant().forms
    return float(pipeline.spectra.spectrum(alone, pipeline.mu(settings), 1).gamma[0])


def _name(i: int, gamma: float) -> tuple[str, str]:
    shown = "0" if gamma < 1e-12 else f"{gamma:.3g}"  # rounding, in any units of use
    return f"e{str(i).translate(SUBSCRIPTS)}", f"γ = {shown}"


def _learnt_panels(settings, space, found, rows, grid, n_panels):
    V = found.vectors[:, :n_panels]
    at = space.evaluate(pipeline.sample(settings).X[rows], V).T
    fields = [None] * V.shape[1]
    if grid is not None:
        fields = space.evaluate(grid.sites(), V).T.reshape(-1, 1, len(grid.y), len(grid.x))
    return tuple(
        Panel(_name(i, g)[0], at[i : i + 1], fields[i], _name(i, g)[1])
        for i, g in enumerate(found.gamma[:n_panels])
    )


def _graph_gamma(settings: Settings, gamma: Array) -> tuple[Array | None, str]:
    try:
        found, modes = comparison.graph_modes(comparison.graph_settings(settings), N_PANELS + 1)
        scale = graphs.match_scale(modes.gamma, gamma)
    except ValueError as error:
        return None, str(error)
    n, nodes = len(pipeline.sample(settings).X), len(found.rows)
    note = "" if n == nodes else f"The graph is built on {nodes} of the {n} points."
    return scale * modes.gamma, note


def _graph_panels(settings, gamma, rows, grid, n_panels):
    found, modes = comparison.graph_modes(comparison.graph_settings(settings), N_PANELS + 1)
    V = modes.vectors[:, :n_panels]

    def extend(X: Array) -> Array:
        return comparison.graph_extension(settings, found.nodes, V, X)

    at = extend(pipeline.sample(settings).X[rows]).T
    fields = [None] * V.shape[1]
    if grid is not None:
        fields = extend(grid.sites()).T.reshape(-1, 1, len(grid.y), len(grid.x))
    return tuple(
        Panel(_name(i, g)[0], at[i : i + 1], fields[i], _name(i, g)[1])
        for i, g in enumerate(gamma[: V.shape[1]])
    )
