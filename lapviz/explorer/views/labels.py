"""Kernel ridge, kernel Laplacian and graph Laplacian on the same labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import metrics, operators
from lapviz.estimates import decode, filters
from lapviz.explorer import baseline, steps
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import GRID_LARGE, MAX_COLUMNS, MAX_GRAPH_SAMPLES
from lapviz.explorer.settings import Settings
from lapviz.explorer.views.about import about
from lapviz.explorer.views.placement import Plane, drawn_rows, grid_of, plane_of, view_of
from lapviz.labels import Label
from lapviz.scenes import FilterChoice, Grid, Modes, Panel, RidgeModel, Scene
from lapviz.spaces import KernelSpace

Array = np.ndarray
TITLES = ("Kernel ridge", "Kernel Laplacian", "Graph Laplacian")
# What of the stage's settings each method depends on: λ is not the graph's own.
DEPENDS = dict(zip(TITLES, (("lam", "labels"), ("lam", "filter", "labels"), ("labels",)),
                   strict=True))  # fmt: skip


@dataclass(frozen=True)
class Score:
    """A method's numbers: accuracy on the unlabelled points, energy, seconds of a fit."""

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
    n_samples: int
    drawn: int
    bandwidth: float
    mu: float


@dataclass(frozen=True, eq=False)
class _Picture:
    """What the three panels have in common: settings, labels, rows drawn, grid."""

    settings: Settings
    problem: steps.Problem
    given: steps.Labelled
    rows: Array
    grid: Grid | None
    plane: Plane
    light: bool = False

    @property
    def data(self):
        return steps.sample(self.problem.data)

    @property
    def sites(self) -> steps.Sites | None:
        """The grid's nodes."""
        return None if self.grid is None else steps.Sites(self.plane.key, self.grid.sites())

    def field(self, values: Array | None) -> Array | None:
        """Values (n_sites, k) as fields (k, ny, nx)."""
        if values is None:
            return None
        return values.T.reshape(-1, len(self.grid.y), len(self.grid.x))

    def accuracy(self, scores: Array) -> float | None:
        """Accuracy on the unlabelled points; None if there are none."""
        mask = self.given.mask(len(self.data.X))
        if mask.all():
            return None
        return metrics.unlabelled_accuracy(self.data.y, decode(scores), mask)

    def panel(self, at: Array, there: Array | None, model, score: Score) -> Panel:
        """The panel of a method from its scores at the samples and at the sites."""
        return Panel(
            title=score.method,
            points=at[self.rows].T,
            grid=self.field(there),
            model=model,
            note=score.note,
            depends=DEPENDS[score.method],
            accuracy=score.accuracy,
        )


def labels_view(
    settings: Settings, hidden: frozenset[str] = frozenset(), light: bool = False
) -> LabelsView:
    """Three methods on the same labels.

    ``hidden`` names groups of controls; their tools on the stage are hidden as well. A ``light``
    view has the fields alone, without what the browser needs to repaint them by itself.
    """
    problem = steps.Problem.of(settings)
    data, plane = steps.sample(settings.data), plane_of(settings)
    given = steps.labelled(settings.data, settings.labels)
    rows, view = drawn_rows(len(data.X), given), view_of(plane.xy)
    grid = grid_of(view, GRID_LARGE) if plane.field else None
    picture = _Picture(settings, problem, given, rows, grid, plane, light)
    if given.labels:
        made = [method(picture) for method in (_ridge, _laplacian, _graph)]
    else:
        text = "No point is labelled yet: click a point to give it a class."
        blank = np.zeros((1 if data.n_classes == 2 else data.n_classes, len(rows)))
        made = [(Panel(t, blank, note=text, depends=DEPENDS[t]), None) for t in TITLES]
    mu = steps.mu(problem)
    width = steps.kernel(problem.data, problem.space).bandwidth
    scene = Scene(
        panels=tuple(panel for panel, _ in made),
        points=plane.points(data, rows),
        view=view,
        view_key=plane.key,
        grid=grid,
        kind="classes",
        classes=data.class_names,
        labels=_placed(given, plane),
        lam=settings.estimate.lam,
        mu=mu,
        filter=settings.estimate.filter,
        data_term=settings.estimate.data_term,
        editable="labels" not in hidden,
        free_labels=plane.field,
        axes=plane.axes,
        filters=filter_choices(),
        hide=_stage_tools(hidden),
        n_samples=len(data.X),
        light=light,
        about=about(settings, width, mu),
    )
    scores = tuple(score for _, score in made if score is not None)
    return LabelsView(scene, scores, len(given.labels), len(data.X), len(rows), width, mu)


def _ridge(picture: _Picture) -> tuple[Panel, Score]:
    problem, X = picture.problem, picture.data.X
    weights = steps.ridge(problem, picture.settings.estimate.lam, picture.given)
    kernel = steps.kernel(problem.data, problem.space)
    space = KernelSpace(kernel, picture.given.X, constant=False)
    operator = steps.operator(problem.data, problem.energy.operator)
    energy = operators.assemble(space, X, operator).energy(weights.value)
    at, sites = space.evaluate(X, weights.value), picture.sites
    score = Score(TITLES[0], picture.accuracy(at), energy, weights.seconds)
    if sites is None:
        return picture.panel(at, None, None, score), score
    there = space.evaluate(sites.X, weights.value)
    return picture.panel(at, there, None if picture.light else RidgeModel.of(kernel), score), score


def _laplacian(picture: _Picture) -> tuple[Panel, Score]:
    problem, estimate = picture.problem, picture.settings.estimate
    solved = steps.estimate(problem, estimate, picture.given)
    basis = steps.assembled(problem, estimate.fit_intercept).value
    at, sites = basis.space.evaluate(picture.data.X, solved.value), picture.sites
    energy = basis.forms.energy(solved.value)
    score = Score(TITLES[1], picture.accuracy(at), energy, solved.seconds)
    there = None if sites is None else basis.space.evaluate(sites.X, solved.value)
    model = None if picture.light else _modes(picture)
    return picture.panel(at, there, model, score), score


def _graph(picture: _Picture) -> tuple[Panel, Score]:
    settings, data = picture.settings, picture.data
    try:
        spec = baseline.spec_of(settings)
        at, there, seconds = baseline.scores(settings.data, spec, settings.labels, picture.sites)
    except (ValueError, MemoryError) as error:
        blank = np.zeros((len(data.X), 1 if data.n_classes == 2 else data.n_classes))
        score = Score(TITLES[2], None, None, None, str(error))
        return picture.panel(blank, None, None, score), score
    energy = None if picture.light else _projected_energy(picture, at)
    score = Score(TITLES[2], picture.accuracy(at), energy, seconds)
    return picture.panel(at, there, None, score), score


@step
def mode_values(problem: steps.Problem, constant: bool, plane: Plane) -> Modes:
    """The leading modes on the grid (m, ny, nx) or None, and at all samples (m, n)."""
    pairs = steps.local_modes(problem, constant)
    space = steps.assembled(problem, constant).value.space
    at = space.evaluate(steps.sample(problem.data).X, pairs.vectors).T.astype(np.float32)
    field = None
    if plane.field:
        grid = grid_of(view_of(plane.xy), GRID_LARGE)
        values = space.evaluate(grid.sites(), pairs.vectors).T
        field = values.reshape(-1, len(grid.y), len(grid.x)).astype(np.float32)
    return Modes(pairs.gamma, field, at, intercept=constant)


def _modes(picture: _Picture) -> Modes:
    """What the browser combines: the modes and, if there are few labels, their representers."""
    settings, problem, grid = picture.settings, picture.problem, picture.grid
    constant = settings.estimate.fit_intercept
    modes = mode_values(problem, constant, picture.plane)
    columns: list[Array | None] = [None, None, None]
    few = len(picture.given.labels) <= MAX_COLUMNS
    if settings.estimate.data_term == "labelled" and few:
        X = picture.data.X[picture.rows]
        places = X if grid is None else np.vstack([grid.sites(), X])
        sites = steps.Sites(picture.plane.key, places)
        values, gram = steps.label_columns(problem, constant, settings.labels, sites)
        columns[1:] = values[len(places) - len(X) :].T, gram
        if grid is not None:
            columns[0] = values[: -len(X)].T.reshape(-1, len(grid.y), len(grid.x))
    return Modes(modes.gamma, modes.grid, modes.points[:, picture.rows], *columns,
                 intercept=constant)  # fmt: skip


def _projected_energy(picture: _Picture, at: Array) -> float | None:
    """Dirichlet energy of a function's projection on the modes, from its values at the samples.

    Without the μ‖·‖² that is part of the modes' γ.
    """
    if len(at) > MAX_GRAPH_SAMPLES:
        return None
    constant = picture.settings.estimate.fit_intercept
    modes = mode_values(picture.problem, constant, picture.plane)
    parts = modes.points.astype(float) @ at / len(at)
    vectors = steps.local_modes(picture.problem, constant).vectors
    forms = steps.assembled(picture.problem, constant).value.forms
    return forms.energy(vectors @ parts)


def _placed(given: steps.Labelled, plane: Plane) -> tuple[Label, ...]:
    """The labels; a label of a row gets the place of its point in the plane."""
    return tuple(p if p.free else p.at(*plane.xy[p.index]) for p in given.labels)


def _stage_tools(hidden: frozenset[str]) -> tuple[str, ...]:
    tools = {"labels": ["labels"], "regularisation": ["lam", "filter"]}
    return tuple(tool for group, its in tools.items() if group in hidden for tool in its)


def filter_choices() -> tuple[FilterChoice, ...]:
    """Every filter, with its formula for the browser."""
    rules = (filters.get(name) for name in filters.names())
    return tuple(FilterChoice(f.name, f.title, f.browser_formula()) for f in rules)


def lambda_path(settings: Settings, lams: Array) -> tuple[Array, Array]:
    """Accuracy on the unlabelled points and Dirichlet energy for each λ.

    Raises
    ------
    ValueError
        If every point is labelled.
    """
    problem, data = steps.Problem.of(settings), steps.sample(settings.data)
    given = steps.labelled(settings.data, settings.labels)
    mask = given.mask(len(data.X))
    if mask.all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    specs = (settings.change(lam=float(lam)).estimate for lam in lams)
    C = np.stack([steps.estimate(problem, spec, given).value for spec in specs])
    basis = steps.assembled(problem, settings.estimate.fit_intercept).value
    energy = np.array([basis.forms.energy(c) for c in C])
    at = basis.space.evaluate(data.X, C.transpose(1, 0, 2).reshape(C.shape[1], -1))
    at = at.reshape(len(data.X), len(lams), -1)
    accuracy = (decode(at)[~mask] == data.y[~mask, None]).mean(axis=0)
    return accuracy, energy
