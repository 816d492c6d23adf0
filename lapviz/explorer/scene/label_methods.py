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
from lapviz.explorer.host.limits import (
    COLUMN_NUMBERS,
    GRID_LARGE,
    LOCAL_MODES,
    MAX_COLUMNS,
    MAX_GRAPH_SAMPLES,
)
from lapviz.explorer.scene.placement import Plane
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.figures import live_scenes
from lapviz.scenes import Grid, Modes, Panel, RidgeModel
from lapviz.spaces import KernelSpace, TrialSpace

Array = np.ndarray
RIDGE, LAPLACIAN, GRAPH = "Kernel ridge", "Kernel Laplacian", "Graph Laplacian"
TITLES = (RIDGE, LAPLACIAN, GRAPH)
AVERAGED, INFIMUM = "Candidates averaged", "Infimum loss"
# The stage's settings that each method depends on; the graph has no λ.
DEPENDS = {
    RIDGE: ("lam", "labels"),
    LAPLACIAN: ("lam", "filter", "labels"),
    AVERAGED: ("lam", "filter", "labels"),
    INFIMUM: ("lam", "labels"),
    GRAPH: ("labels",),
}


@dataclass(frozen=True)
class Score:
    """Numbers of a method: accuracy on the unlabelled points, energy, seconds of a fit.

    ``confusion`` counts these points by true (rows) and predicted class (columns).
    """

    method: str
    accuracy: float | None
    energy: float | None
    seconds: float | None
    confusion: tuple[tuple[int, ...], ...] = ()


class Unavailable(ValueError):
    """Raised if a method has nothing to show; the message says why."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What all panels share: settings without "auto", labels, drawn rows and grid."""

    settings: Settings
    labelled: points.Labelled
    rows: Array
    grid: Grid | None
    plane: Plane
    light: bool = False
    complete: bool = False

    @property
    def data(self) -> datasets.Dataset:
        """The data set."""
        return points.sample(self.settings.data)

    @cached_property
    def method(self) -> fit.Galerkin:
        """Trial space and energy."""
        return fits.method(self.settings)

    @cached_property
    def sites(self) -> points.Sites | None:
        """The nodes of the grid; None without a grid."""
        if self.grid is None:
            return None
        return points.Sites(self.plane.key, self.plane.lift(self.grid.sites()))

    @cached_property
    def judged(self) -> Array:
        """Mask (n,) of the samples over which accuracies are computed."""
        return points.judged(self.data, self.labelled.mask(len(self.data.X)))

    def field(self, values: Array | None) -> Array | None:
        """Reshape values (n_sites, k) to fields (k, ny, nx)."""
        return None if values is None else self.grid.fields(values)

    def evaluated(
        self, evaluate: Callable[[Array], list[Array]]
    ) -> Iterator[tuple[Array, Array | None]]:
        """Values of several functions at all samples and at the sites."""
        at_samples, sites = evaluate(self.data.X), self.sites
        at_sites = [None] * len(at_samples) if sites is None else evaluate(sites.X)
        return zip(at_samples, at_sites, strict=True)

    def accuracy(self, scores: Array) -> float | None:
        """Accuracy on the unlabelled points of known class; None if there are none."""
        if not self.judged.any():
            return None
        return metrics.unlabelled_accuracy(self.data.y, decode(scores), ~self.judged)

    def shown(self, title: str) -> tuple[Panel, Score]:
        """Panel and numbers of a method; the panel has a note if the method is unavailable."""
        k = self.data.n_classes
        try:
            if not self.labelled.labels:
                raise Unavailable("No point is labelled yet: click a point to give it a class.")
            (fitted,) = METHODS[title](self, [self.settings])
        except Unavailable as error:
            blank = np.zeros((len(self.data.X), 1 if k == 2 else k))
            fitted = Estimated(blank, None, None, None, note=str(error))
        accuracy, confusion = None if fitted.note else self.accuracy(fitted.at_samples), ()
        if accuracy is not None and not self.light:
            pairs = k * self.data.y[self.judged] + decode(fitted.at_samples[self.judged])
            counts = np.bincount(pairs, minlength=k * k).reshape(k, k)
            confusion = tuple(map(tuple, counts.tolist()))
        score = Score(title, accuracy, fitted.energy, fitted.seconds, confusion)
        # The browser does not know sample weights.
        local = fitted.model and not self.light and self.data.weights is None
        panel = Panel(
            title=title,
            subtitle=fitted.subtitle,
            points=fitted.at_samples[self.rows].T,
            grid=self.field(fitted.at_sites),
            model=fitted.model() if local else None,
            note=fitted.note,
            depends=depends(self.settings, title),
            accuracy=accuracy,
        )
        return panel, score


@dataclass(frozen=True, eq=False)
class Estimated:
    """The estimate of a method.

    ``at_samples`` (n, k) are its scores at all samples, ``at_sites`` those at the picture's sites;
    ``energy`` is that of the estimate before balancing; ``model`` returns the browser's model.
    """

    at_samples: Array
    at_sites: Array | None
    energy: float | None
    seconds: float | None
    model: Callable[[], object] | None = None
    subtitle: str = ""
    note: str = ""


def titles(settings: Settings) -> tuple[str, ...]:
    """The methods that are compared; they differ if labels have several candidates."""
    return (AVERAGED, INFIMUM, GRAPH) if settings.labels.partial else TITLES


def depends(settings: Settings, method: str) -> tuple[str, ...]:
    """Which of the stage's settings a method's panel depends on."""
    unused = dict(settings.estimate.unused()) if method in (LAPLACIAN, AVERAGED) else {}
    return tuple(name for name in DEPENDS[method] if name not in unused)


# Each method fits several settings that differ in λ and share one pass over the samples.


def ridge(picture: Picture, variants: Sequence[Settings]) -> Iterator[Estimated]:
    """Kernel ridge on the labelled points alone."""
    kernel = picture.method.kernel
    space = KernelSpace(kernel, picture.labelled.X, constant=False)
    fitted = [fits.ridge(settings, picture.labelled) for settings in variants]
    values = _evaluated(picture, space, [result.value for result in fitted])
    # The browser knows only the plane, in unscaled units.
    in_plane = picture.grid is not None and picture.plane.flat and picture.plane.scaling is None
    model = (lambda: RidgeModel.of(kernel)) if in_plane else None
    settings, forms = picture.settings, None
    if not settings.chosen.nodes:
        forms = fits.ridge_forms(picture.method, settings.data, settings.labels)
    for result, (at_samples, at_sites) in zip(fitted, values, strict=True):
        energy = forms.energy(result.value) if forms else projected_energy(picture, at_samples)
        yield Estimated(at_samples, at_sites, energy, result.seconds, model)


def laplacian(picture: Picture, variants: Sequence[Settings]) -> Iterator[Estimated]:
    """The kernel Laplacian, with balance and passes if chosen; candidates count as their mean."""
    passes = picture.settings.estimate.n_passes
    problem = fits.problem(variants[0], picture.sites)
    try:
        fitted = [fits.solution(settings) for settings in variants]
    except ValueError as error:
        if not passes:
            raise
        raise Unavailable(str(error)) from error
    solutions = [result.value for result in fitted]
    values = picture.evaluated(lambda X: problem.scores_of_all(X, solutions))
    all_rows, prior = len(picture.rows) >= len(problem.rows), picture.settings.estimate.class_prior
    for result, (at_samples, at_sites) in zip(fitted, values, strict=True):
        solution, model, subtitle = result.value, None, ""
        if passes:  # not linear in the labels
            n_done = len(solution.moved)
            subtitle = f"{n_done} pass{'es' * (n_done != 1)}" if n_done else "passes undone"
        # Class masses are means over all samples, some of which the browser may lack. It takes the
        # class proportions from the labels.
        elif solution.balance is None or (all_rows and not prior):
            model = partial(_model, picture, problem, solution)
        energy = problem.energy(solution.coefficients)
        yield Estimated(at_samples, at_sites, energy, result.seconds, model, subtitle)


def _model(picture: Picture, problem: fit.Problem, solution: fit.Solution) -> Modes | None:
    """The browser's model: the modes, and how to balance their estimate.

    None if scores fade at samples, as the browser knows only those at the sites.
    """
    modes, sites = _modes(picture), picture.sites
    if solution.balance is None:
        return modes
    samples = picture.data.X[picture.rows]
    if problem.fading is not None and (problem.fading.share(samples) < 1).any():
        return None
    fade = None
    if sites is not None and problem.fading is not None:
        fade = picture.field(problem.fading.share(sites.X)[:, None])[0]
    return replace(modes, pseudo=problem.pseudo, fade=fade)


def infimum(picture: Picture, variants: Sequence[Settings]) -> Iterator[Estimated]:
    """The smoothest function consistent with the candidates (SSL21 A.2); always Tikhonov."""
    try:
        fitted = [fits.disambiguated(settings, picture.labelled) for settings in variants]
    except ValueError as error:
        raise Unavailable(str(error)) from error
    basis = picture.method.assembled(picture.settings.estimate.fit_intercept)
    values = _evaluated(picture, basis.space, [result.value.coefficients for result in fitted])
    for result, scores in zip(fitted, values, strict=True):
        energy = basis.forms.energy(result.value.coefficients)
        resolved = _resolved(picture, result.value.chosen)
        yield Estimated(*scores, energy, result.seconds, subtitle=resolved)


def _evaluated(picture: Picture, space: TrialSpace, coefficients: Sequence[Array]) -> Iterator:
    """Unbalanced values of functions of a trial space."""
    solutions = [fit.Solution(c) for c in coefficients]
    return picture.evaluated(lambda X: fit.problems.scores_at(space, X, solutions, None))


def _resolved(picture: Picture, chosen: Array) -> str:
    """Say how many labels with several candidates were resolved to the true class."""
    n_classes, y = picture.data.n_classes, picture.data.y
    informative = [label for label in picture.labelled.labels if len(label.candidates) < n_classes]
    pairs = zip(informative, chosen, strict=True)
    sets = [
        (y[label.index], code)
        for label, code in pairs
        if label.others and not label.off_sample and y[label.index] >= 0
    ]
    right = sum(int(true) == code for true, code in sets)
    return f"{right} of {len(sets)} sets right" if sets else ""


def graph(picture: Picture, variants: Sequence[Settings]) -> list[Estimated]:
    """The graph baseline, which has no λ; several candidates get equal shares."""
    settings = picture.settings
    try:
        spec = baseline.spec_of(settings)
        result = baseline.scores(settings.data, spec, settings.labels, picture.sites)
    except (ValueError, MemoryError) as error:
        raise Unavailable(str(error)) from error
    at_samples, at_sites = result.value
    affordable = not picture.light and len(at_samples) <= MAX_GRAPH_SAMPLES
    energy = projected_energy(picture, at_samples) if affordable else None
    return [Estimated(at_samples, at_sites, energy, result.seconds)] * len(variants)


METHODS = {RIDGE: ridge, LAPLACIAN: laplacian, AVERAGED: laplacian, INFIMUM: infimum, GRAPH: graph}


@step
def mode_values(method: fit.Galerkin, constant: bool, data: DataSpec, plane: Plane) -> Modes:
    """The leading modes on the grid (m, ny, nx) or None, and at all samples (m, n)."""
    pairs = method.spectrum(LOCAL_MODES, constant)
    space = method.assembled(constant).space
    complete = len(pairs.gamma) < LOCAL_MODES and not pairs.n_dropped
    at_samples = space.evaluate(points.sample(data).X, pairs.vectors).T.astype(np.float32)
    field = None
    if grid := plane.grid(GRID_LARGE):
        values = space.evaluate(plane.lift(grid.sites()), pairs.vectors)
        field = grid.fields(values).astype(np.float32)
    return Modes(pairs.gamma, field, at_samples, intercept=constant, complete=complete)


def _modes(picture: Picture) -> Modes:
    """The browser's modes and, if there are few labels, their representers."""
    settings, method, grid = picture.settings, picture.method, picture.grid
    constant, term = settings.estimate.fit_intercept, settings.estimate.data_term
    options = {"intercept": constant, "balance": settings.estimate.balance}
    X = picture.data.X[picture.rows]
    coordinates = X if grid is None else np.vstack([picture.plane.lift(grid.sites()), X])

    def split(values: Array) -> tuple[Array | None, Array]:
        at_sites = None if grid is None else picture.field(values[: -len(X)])
        return at_sites, values[len(coordinates) - len(X) :].T

    if picture.complete:
        solver, space = method.solver(term, constant), method.assembled(constant).space
        basis = live_scenes.all_functions(space, solver, coordinates, len(X))
        if basis is not None:
            gamma, values = basis
            return Modes(gamma, *split(values.T), **options, complete=True)
    modes = mode_values(method, constant, settings.data, picture.plane)
    columns: list[Array | None] = [None, None, None]
    n_labels = len(picture.labelled.labels)
    few = n_labels <= MAX_COLUMNS and n_labels * len(coordinates) <= COLUMN_NUMBERS
    if not data_terms.TERMS[term].uses_spectrum and few:
        sites = points.Sites(picture.plane.key, coordinates)
        values, gram = fits.label_columns(method, constant, settings.data, settings.labels, sites)
        columns = [*split(values), gram]
    return Modes(modes.gamma, modes.grid, modes.points[:, picture.rows], *columns, **options,
                 complete=modes.complete)  # fmt: skip


def projected_energy(picture: Picture, at_samples: Array) -> float:
    """Dirichlet energy of a function's projection on the modes, from its values at the samples.

    Excludes the μ‖·‖² that is part of the modes' γ.
    """
    if picture.settings.chosen.nodes:  # functions on the nodes need no projection
        problem = fits.problem(picture.settings)
        return problem.energy(at_samples[problem.plan.rows])
    constant = picture.settings.estimate.fit_intercept
    method, data = picture.method, picture.settings.data
    modes = mode_values(method, constant, data, picture.plane)
    weights = picture.data.weights
    at_samples = at_samples if weights is None else at_samples * (weights / weights.mean())[:, None]
    components = modes.points.astype(float) @ at_samples / len(at_samples)
    vectors = method.spectrum(LOCAL_MODES, constant).vectors
    return method.assembled(constant).forms.energy(vectors @ components)
