"""The panels of the Labels page: one function for each method, on the same labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import fit, metrics
from lapviz.estimates import data_terms, decode
from lapviz.explorer.compute import baseline, classes, steps
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_LARGE, MAX_COLUMNS, MAX_GRAPH_SAMPLES
from lapviz.explorer.scene.placement import Plane, grid_of
from lapviz.explorer.settings.records import Settings
from lapviz.scenes import Grid, Modes, Panel, RidgeModel
from lapviz.spaces import KernelSpace

Array = np.ndarray
RIDGE, LAPLACIAN, GRAPH = "Kernel ridge", "Kernel Laplacian", "Graph Laplacian"
TITLES = (RIDGE, LAPLACIAN, GRAPH)
AVERAGED, INFIMUM = "Candidates averaged", "Infimum loss"
# What of the stage's settings each method depends on: λ is not the graph's own.
DEPENDS = {
    RIDGE: ("lam", "labels"),
    LAPLACIAN: ("lam", "filter", "labels"),
    AVERAGED: ("lam", "filter", "labels"),
    INFIMUM: ("lam", "labels"),
    GRAPH: ("labels",),
}


@dataclass(frozen=True)
class Score:
    """A method's numbers: accuracy on the unlabelled points, energy, seconds of a fit."""

    method: str
    accuracy: float | None
    energy: float | None
    seconds: float | None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Picture:
    """What the panels have in common: settings, labels, rows drawn, grid."""

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
        return (
            None
            if self.grid is None
            else steps.Sites(self.plane.key, self.plane.lift(self.grid.sites()))
        )

    def field(self, values: Array | None) -> Array | None:
        """Values (n_sites, k) as fields (k, ny, nx)."""
        if values is None:
            return None
        return values.T.reshape(-1, len(self.grid.y), len(self.grid.x))

    def accuracy(self, scores: Array) -> float | None:
        """Accuracy on the unlabelled points of known class; None if there are none."""
        judged = steps.judged(self.data, self.given.mask(len(self.data.X)))
        if not judged.any():
            return None
        return metrics.unlabelled_accuracy(self.data.y, decode(scores), ~judged)

    def panel(self, at: Array, there: Array | None, model, score: Score, subtitle="") -> Panel:
        """The panel of a method from its scores at the samples and at the sites."""
        return Panel(
            title=score.method,
            subtitle=subtitle,
            points=at[self.rows].T,
            grid=self.field(there),
            model=model,
            note=score.note,
            depends=depends(self.settings, score.method),
            accuracy=score.accuracy,
        )

    def unavailable(self, method: str, why: str) -> tuple[Panel, Score]:
        """A panel with a sentence in place of the picture."""
        k = 1 if self.data.n_classes == 2 else self.data.n_classes
        score = Score(method, None, None, None, why)
        return self.panel(np.zeros((len(self.data.X), k)), None, None, score), score


def methods(given: steps.Labelled) -> dict:
    """The methods that are compared, by title: others where labels have several candidates."""
    if given.partial:
        return {AVERAGED: averaged, INFIMUM: infimum, GRAPH: graph}
    return {RIDGE: ridge, LAPLACIAN: laplacian, GRAPH: graph}


def depends(settings: Settings, method: str) -> tuple[str, ...]:
    """Which of the stage's settings a method's panel depends on."""
    its = DEPENDS[method]
    if method in (LAPLACIAN, AVERAGED):
        unused = data_terms.get(settings.estimate.data_term).unused
        return tuple(name for name in its if name not in unused)
    return its


def passes_of(settings: Settings, given: steps.Labelled) -> int:
    """How many passes of thresholding there are: none where labels have several candidates."""
    spec = settings.estimate
    return 0 if given.partial or spec.balance is None else spec.n_passes


def ridge(picture: Picture) -> tuple[Panel, Score]:
    """Kernel ridge on the labels alone."""
    problem, X = picture.problem, picture.data.X
    weights = steps.ridge(problem, picture.settings.estimate.lam, picture.given)
    kernel = steps.kernel(problem.data, problem.space)
    space = KernelSpace(kernel, picture.given.X, constant=False)
    energy = steps.ridge_forms(problem, picture.settings.labels).energy(weights.value)
    at, sites = space.evaluate(X, weights.value), picture.sites
    score = Score(RIDGE, picture.accuracy(at), energy, weights.seconds)
    if sites is None:
        return picture.panel(at, None, None, score), score
    there = space.evaluate(sites.X, weights.value)
    # The browser has the plane alone, and no weights.
    local = picture.plane.flat and not picture.light and picture.data.weights is None
    return picture.panel(at, there, RidgeModel.of(kernel) if local else None, score), score


def laplacian(picture: Picture, title: str = LAPLACIAN) -> tuple[Panel, Score]:
    """The kernel Laplacian, balanced and after its passes if that is asked for.

    The energy is that before balancing.
    """
    settings, sites = picture.settings, picture.sites
    passes = passes_of(settings, picture.given)
    settings = settings.change(passes=passes)
    made = classes.problem(settings)
    try:
        solved = classes.solution(settings)
    except ValueError as error:
        if not passes:
            raise
        return picture.unavailable(title, str(error))
    at = made.scores(picture.data.X, solved.value)
    there = None if sites is None else made.scores(sites.X, solved.value)
    energy = made.assembled.forms.energy(solved.value.coefficients)
    score = Score(title, picture.accuracy(at), energy, solved.seconds)
    if passes:  # not linear in the labels
        done = len(solved.value.moved)
        words = f"{done} pass{'es' * (done != 1)}" if done else "passes undone"
        return picture.panel(at, there, None, score, words), score
    alone = picture.light or picture.data.weights is not None  # the browser has no weights
    model = None if alone else _modes(picture)
    if model is not None and solved.value.balance is not None:
        model = replace(model, pseudo=made.pseudo, fade=_fade(made, picture))
        if len(picture.rows) < len(made.rows):
            model = None  # class masses are means over all samples, which the browser has not
    return picture.panel(at, there, model, score), score


def _fade(made: fit.Problem, picture: Picture) -> Array | None:
    """By which factors balanced scores fall off the data, (ny, nx)."""
    if picture.sites is None or not made.fades:
        return None
    return picture.field(made.reach.share(picture.sites.X)[:, None])[0]


def averaged(picture: Picture) -> tuple[Panel, Score]:
    """The naive way with several candidates: the kernel Laplacian on their mean code."""
    return laplacian(picture, AVERAGED)


def infimum(picture: Picture) -> tuple[Panel, Score]:
    """The smoothest function that agrees with the candidates (SSL21 A.2); always Tikhonov."""
    problem, estimate = picture.problem, picture.settings.estimate
    try:
        solved = steps.disambiguated(problem, estimate, picture.given)
    except ValueError as error:
        return picture.unavailable(INFIMUM, str(error))
    basis = steps.assembled(problem, estimate.fit_intercept).value
    c = solved.value.coefficients
    at, sites = basis.space.evaluate(picture.data.X, c), picture.sites
    there = None if sites is None else basis.space.evaluate(sites.X, c)
    score = Score(INFIMUM, picture.accuracy(at), basis.forms.energy(c), solved.seconds)
    return picture.panel(at, there, None, score, _resolved(picture, solved.value.chosen)), score


def _resolved(picture: Picture, chosen: Array) -> str:
    """How many of the sets with several candidates were resolved to the true class."""
    n_classes = picture.data.n_classes
    told = [label for label in picture.given.labels if len(label.candidates) < n_classes]
    pairs = zip(told, chosen, strict=True)
    known = [(label, code) for label, code in pairs if label.others and not label.free]
    right = sum(int(picture.data.y[label.index]) == code for label, code in known)
    return f"{right} of {len(known)} sets right" if known else ""


def graph(picture: Picture) -> tuple[Panel, Score]:
    """The graph baseline; of several candidates each has an equal share."""
    settings = picture.settings
    try:
        spec = baseline.spec_of(settings)
        at, there, seconds = baseline.scores(settings.data, spec, settings.labels, picture.sites)
    except (ValueError, MemoryError) as error:
        return picture.unavailable(GRAPH, str(error))
    energy = None if picture.light else projected_energy(picture, at)
    score = Score(GRAPH, picture.accuracy(at), energy, seconds)
    return picture.panel(at, there, None, score), score


@step
def mode_values(problem: steps.Problem, constant: bool, plane: Plane) -> Modes:
    """The leading modes on the grid (m, ny, nx) or None, and at all samples (m, n)."""
    pairs = steps.local_modes(problem, constant)
    space = steps.assembled(problem, constant).value.space
    at = space.evaluate(steps.sample(problem.data).X, pairs.vectors).T.astype(np.float32)
    field = None
    if plane.field:
        grid = grid_of(plane.view, GRID_LARGE)
        values = space.evaluate(plane.lift(grid.sites()), pairs.vectors).T
        field = values.reshape(-1, len(grid.y), len(grid.x)).astype(np.float32)
    return Modes(pairs.gamma, field, at, intercept=constant)


def _modes(picture: Picture) -> Modes:
    """What the browser combines: the modes and, if there are few labels, their representers."""
    settings, problem, grid = picture.settings, picture.problem, picture.grid
    constant = settings.estimate.fit_intercept
    modes = mode_values(problem, constant, picture.plane)
    columns: list[Array | None] = [None, None, None]
    few = len(picture.given.labels) <= MAX_COLUMNS
    if not data_terms.get(settings.estimate.data_term).uses_spectrum and few:
        X = picture.data.X[picture.rows]
        places = X if grid is None else np.vstack([picture.plane.lift(grid.sites()), X])
        sites = steps.Sites(picture.plane.key, places)
        values, gram = steps.label_columns(problem, constant, settings.labels, sites)
        columns[1:] = values[len(places) - len(X) :].T, gram
        if grid is not None:
            columns[0] = values[: -len(X)].T.reshape(-1, len(grid.y), len(grid.x))
    return Modes(modes.gamma, modes.grid, modes.points[:, picture.rows], *columns,
                 intercept=constant, balance=settings.estimate.balance)  # fmt: skip


def projected_energy(picture: Picture, at: Array) -> float | None:
    """Dirichlet energy of a function's projection on the modes, from its values at the samples.

    Without the μ‖·‖² that is part of the modes' γ.
    """
    if len(at) > MAX_GRAPH_SAMPLES:
        return None
    constant = picture.settings.estimate.fit_intercept
    modes = mode_values(picture.problem, constant, picture.plane)
    weights = picture.data.weights
    at = at if weights is None else at * (weights / weights.mean())[:, None]
    parts = modes.points.astype(float) @ at / len(at)
    vectors = steps.local_modes(picture.problem, constant).vectors
    forms = steps.assembled(picture.problem, constant).value.forms
    return forms.energy(vectors @ parts)
