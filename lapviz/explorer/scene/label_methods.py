"""The panels of the Labels page: one function for each method, on the same labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from lapviz import datasets, fit, metrics
from lapviz.estimates import data_terms, decode
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_LARGE, LOCAL_MODES, MAX_COLUMNS, MAX_GRAPH_SAMPLES
from lapviz.explorer.scene.placement import Plane, grid_of
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.scenes import Grid, Modes, Panel, RidgeModel
from lapviz.spaces import KernelSpace, TrialSpace

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
    """A method's numbers: accuracy on the unlabelled points, energy, seconds of a fit.

    ``confusion`` counts the same points by their true class (rows) and the one they get.
    """

    method: str
    accuracy: float | None
    energy: float | None
    seconds: float | None
    note: str = ""
    confusion: tuple[tuple[int, ...], ...] = ()


class Unavailable(ValueError):
    """A method has nothing to show here; the sentence says why."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What the panels have in common: settings with numbers, labels, rows drawn, grid."""

    settings: Settings
    given: points.Labelled
    rows: Array
    grid: Grid | None
    plane: Plane
    light: bool = False

    @property
    def data(self) -> datasets.Dataset:
        """The points."""
        return points.sample(self.settings.data)

    @cached_property
    def method(self) -> fit.Galerkin:
        """Trial space and energy."""
        return fits.method(self.settings)

    @cached_property
    def sites(self) -> points.Sites | None:
        """The grid's nodes."""
        if self.grid is None:
            return None
        return points.Sites(self.plane.key, self.plane.lift(self.grid.sites()))

    @cached_property
    def judged(self) -> Array:
        """Which samples (n,) accuracies are over."""
        return points.judged(self.data, self.given.mask(len(self.data.X)))

    def field(self, values: Array | None) -> Array | None:
        """Values (n_sites, k) as fields (k, ny, nx)."""
        if values is None:
            return None
        return values.T.reshape(-1, len(self.grid.y), len(self.grid.x))

    def evaluated(
        self, evaluate: Callable[[Array], list[Array]]
    ) -> Iterator[tuple[Array, Array | None]]:
        """Several functions' values at all samples and at the sites."""
        at, sites = evaluate(self.data.X), self.sites
        there = [None] * len(at) if sites is None else evaluate(sites.X)
        return zip(at, there, strict=True)

    def accuracy(self, scores: Array) -> float | None:
        """Accuracy on the unlabelled points of known class; None if there are none."""
        if not self.judged.any():
            return None
        return metrics.unlabelled_accuracy(self.data.y, decode(scores), ~self.judged)

    def shown(self, title: str) -> tuple[Panel, Score]:
        """A method's panel and numbers; or a sentence in their place."""
        k = self.data.n_classes
        try:
            (made,) = METHODS[title](self, [self.settings])
        except Unavailable as error:
            blank = np.zeros((len(self.data.X), 1 if k == 2 else k))
            made = Estimated(blank, None, None, None, note=str(error))
        accuracy, confusion = None if made.note else self.accuracy(made.at), ()
        if accuracy is not None and not self.light:
            pairs = k * self.data.y[self.judged] + decode(made.at[self.judged])
            counts = np.bincount(pairs, minlength=k * k).reshape(k, k)
            confusion = tuple(map(tuple, counts.tolist()))
        score = Score(title, accuracy, made.energy, made.seconds, made.note, confusion)
        # The browser knows no weights of rows.
        local = made.model and not self.light and self.data.weights is None
        panel = Panel(
            title=title,
            subtitle=made.subtitle,
            points=made.at[self.rows].T,
            grid=self.field(made.there),
            model=made.model() if local else None,
            note=made.note,
            depends=depends(self.settings, title),
            accuracy=accuracy,
        )
        return panel, score


@dataclass(frozen=True, eq=False)
class Estimated:
    """What a method makes of the labels.

    ``at`` are its scores at all samples (n, k), ``there`` at the picture's sites; ``energy`` that
    of the estimate before balancing; ``model`` returns what the browser repaints it with.
    """

    at: Array
    there: Array | None
    energy: float | None
    seconds: float | None
    model: Callable[[], object] | None = None
    subtitle: str = ""
    note: str = ""


def titles(given: points.Labelled) -> tuple[str, ...]:
    """The methods that are compared: others where labels have several candidates."""
    return (AVERAGED, INFIMUM, GRAPH) if given.partial else TITLES


def depends(settings: Settings, method: str) -> tuple[str, ...]:
    """Which of the stage's settings a method's panel depends on."""
    its = DEPENDS[method]
    if method in (LAPLACIAN, AVERAGED):
        unused = data_terms.get(settings.estimate.data_term).unused
        return tuple(name for name in its if name not in unused)
    return its


def passes_of(settings: Settings, given: points.Labelled) -> int:
    """How many passes of thresholding there are: none where labels have several candidates."""
    spec = settings.estimate
    return 0 if given.partial or spec.balance is None else spec.n_passes


# Each method estimates for several settings that differ in λ: they share a pass over the samples.


def ridge(picture: Picture, each: Sequence[Settings]) -> list[Estimated]:
    """Kernel ridge on the labels alone."""
    kernel = picture.method.kernel
    space = KernelSpace(kernel, picture.given.X, constant=False)
    solved = [fits.ridge(settings, picture.given) for settings in each]
    found = _evaluated(picture, space, [its.value for its in solved])
    # The browser has the plane alone, in its own units.
    in_plane = picture.grid is not None and picture.plane.flat and picture.plane.scaling is None
    model = (lambda: RidgeModel.of(kernel)) if in_plane else None
    forms = None if picture.settings.chosen.nodes else fits.ridge_forms(picture.settings)
    made = []
    for its, (at, there) in zip(solved, found, strict=True):
        energy = forms.energy(its.value) if forms else projected_energy(picture, at)
        made.append(Estimated(at, there, energy, its.seconds, model))
    return made


def laplacian(picture: Picture, each: Sequence[Settings]) -> list[Estimated]:
    """The kernel Laplacian, balanced and after its passes if that is asked for; of several
    candidates their mean code."""
    passes = passes_of(picture.settings, picture.given)
    each = [settings.change(passes=passes) for settings in each]
    made = fits.problem(each[0], picture.sites)
    try:
        solved = [fits.solution(settings) for settings in each]
    except ValueError as error:
        raise Unavailable(str(error)) if passes else error from error
    functions = [its.value for its in solved]
    found = picture.evaluated(lambda X: made.scores_of_all(X, functions))
    estimates = []
    for its, (at, there) in zip(solved, found, strict=True):
        function, model, words = its.value, None, ""
        if passes:  # not linear in the labels
            done = len(function.moved)
            words = f"{done} pass{'es' * (done != 1)}" if done else "passes undone"
        # Class masses are means over all samples, which the browser may not have.
        elif function.balance is None or len(picture.rows) >= len(made.rows):
            model = partial(_model, picture, made, function)
        energy = made.energy(function.coefficients)
        estimates.append(Estimated(at, there, energy, its.seconds, model, words))
    return estimates


def _model(picture: Picture, made: fit.Problem, found: fit.Solution) -> Modes:
    """What the browser combines, and how it balances."""
    modes, sites = _modes(picture), picture.sites
    if found.balance is None:
        return modes
    fade = None
    if sites is not None and made.fading is not None:
        fade = picture.field(made.fading.share(sites.X)[:, None])[0]
    return replace(modes, pseudo=made.pseudo, fade=fade)


def infimum(picture: Picture, each: Sequence[Settings]) -> list[Estimated]:
    """The smoothest function that agrees with the candidates (SSL21 A.2); always Tikhonov."""
    try:
        solved = [fits.disambiguated(settings, picture.given) for settings in each]
    except ValueError as error:
        raise Unavailable(str(error)) from error
    basis = picture.method.assembled(picture.settings.estimate.fit_intercept)
    found = _evaluated(picture, basis.space, [its.value.coefficients for its in solved])
    return [
        Estimated(at, there, basis.forms.energy(its.value.coefficients), its.seconds,
                  subtitle=_resolved(picture, its.value.chosen))
        for its, (at, there) in zip(solved, found, strict=True)
    ]  # fmt: skip


def _evaluated(picture: Picture, space: TrialSpace, coefficients: Sequence[Array]) -> Iterator:
    """Values of functions of a space, unbalanced."""
    functions = [fit.Solution(its) for its in coefficients]
    return picture.evaluated(lambda X: fit.problems.scores_at(space, X, functions, None))


def _resolved(picture: Picture, chosen: Array) -> str:
    """How many of the sets with several candidates were resolved to the true class."""
    n_classes = picture.data.n_classes
    told = [label for label in picture.given.labels if len(label.candidates) < n_classes]
    pairs = zip(told, chosen, strict=True)
    known = [(label, code) for label, code in pairs if label.others and not label.free]
    right = sum(int(picture.data.y[label.index]) == code for label, code in known)
    return f"{right} of {len(known)} sets right" if known else ""


def graph(picture: Picture, each: Sequence[Settings]) -> list[Estimated]:
    """The graph baseline, which has no λ; of several candidates each has an equal share."""
    settings = picture.settings
    try:
        spec = baseline.spec_of(settings)
        made = baseline.scores(settings.data, spec, settings.labels, picture.sites)
    except (ValueError, MemoryError) as error:
        raise Unavailable(str(error)) from error
    at, there = made.value
    known = not picture.light and len(at) <= MAX_GRAPH_SAMPLES
    energy = projected_energy(picture, at) if known else None
    return [Estimated(at, there, energy, made.seconds)] * len(each)


METHODS = {RIDGE: ridge, LAPLACIAN: laplacian, AVERAGED: laplacian, INFIMUM: infimum, GRAPH: graph}


@step
def mode_values(method: fit.Galerkin, constant: bool, data: DataSpec, plane: Plane) -> Modes:
    """The leading modes on the grid (m, ny, nx) or None, and at all samples (m, n)."""
    pairs = method.spectrum(LOCAL_MODES, constant)
    space = method.assembled(constant).space
    at = space.evaluate(points.sample(data).X, pairs.vectors).T.astype(np.float32)
    field = None
    if plane.field:
        grid = grid_of(plane.view, GRID_LARGE)
        values = space.evaluate(plane.lift(grid.sites()), pairs.vectors).T
        field = values.reshape(-1, len(grid.y), len(grid.x)).astype(np.float32)
    return Modes(pairs.gamma, field, at, intercept=constant)


def _modes(picture: Picture) -> Modes:
    """What the browser combines: the modes and, if there are few labels, their representers."""
    settings, method, grid = picture.settings, picture.method, picture.grid
    constant = settings.estimate.fit_intercept
    modes = mode_values(method, constant, settings.data, picture.plane)
    columns: list[Array | None] = [None, None, None]
    few = len(picture.given.labels) <= MAX_COLUMNS
    if not data_terms.get(settings.estimate.data_term).uses_spectrum and few:
        X = picture.data.X[picture.rows]
        places = X if grid is None else np.vstack([picture.plane.lift(grid.sites()), X])
        sites = points.Sites(picture.plane.key, places)
        values, gram = fits.label_columns(method, constant, settings.data, settings.labels, sites)
        columns[1:] = values[len(places) - len(X) :].T, gram
        if grid is not None:
            columns[0] = values[: -len(X)].T.reshape(-1, len(grid.y), len(grid.x))
    return Modes(modes.gamma, modes.grid, modes.points[:, picture.rows], *columns,
                 intercept=constant, balance=settings.estimate.balance)  # fmt: skip


def projected_energy(picture: Picture, at: Array) -> float:
    """Dirichlet energy of a function's projection on the modes, from its values at the samples.

    Without the μ‖·‖² that is part of the modes' γ.
    """
    if picture.settings.chosen.nodes:  # whose functions need no projection
        made = fits.problem(picture.settings)
        return made.energy(at[made.plan.rows])
    constant = picture.settings.estimate.fit_intercept
    method, data = picture.method, picture.settings.data
    modes = mode_values(method, constant, data, picture.plane)
    weights = picture.data.weights
    at = at if weights is None else at * (weights / weights.mean())[:, None]
    parts = modes.points.astype(float) @ at / len(at)
    vectors = method.spectrum(LOCAL_MODES, constant).vectors
    return method.assembled(constant).forms.energy(vectors @ parts)
