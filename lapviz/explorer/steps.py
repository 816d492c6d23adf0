"""The cached steps of a fit: functions of :mod:`lapviz.fit`, keyed by specifications.

Each step takes only the specifications that it depends on, so that the settings that change most
often (λ, the filter, a label) repeat only the cheapest steps. Nothing here imports Streamlit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import datasets, estimates, fit, kernels, operators, spectra
from lapviz.estimates import partial as partial_labels
from lapviz.explorer import own
from lapviz.explorer.cache import peek, step
from lapviz.explorer.hosting import LOCAL_MODES
from lapviz.explorer.settings import Settings
from lapviz.explorer.specs import DataSpec, LabelSpec
from lapviz.fit import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.labels import Label
from lapviz.spaces import landmarks

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Timed:
    """A result and the seconds that its computation took."""

    value: object
    seconds: float


def timed(function: Callable, *arguments: object) -> Timed:
    """Call a function and measure the time."""
    start = time.perf_counter()
    value = function(*arguments)
    return Timed(value, time.perf_counter() - start)


@dataclass(frozen=True)
class Sites:
    """Points X (m, d) to evaluate at; the cache identifies them by their key."""

    key: str
    X: Array = field(compare=False, hash=False)


@dataclass(frozen=True, eq=False)
class Labelled:
    """The labels and their points X (m, d)."""

    labels: tuple[Label, ...]
    X: Array

    @property
    def index(self) -> Array:
        """Rows of the data (m,), -1 for free labels."""
        return np.array([label.index for label in self.labels], dtype=int)

    @property
    def codes(self) -> Array:
        """Class codes (m,)."""
        return np.array([label.code for label in self.labels], dtype=int)

    @property
    def partial(self) -> bool:
        """Whether a label has several candidate classes."""
        return any(label.others for label in self.labels)

    def candidates(self, n_classes: int) -> Array:
        """Which classes each label allows, boolean (m, n_classes)."""
        allowed = np.zeros((len(self.labels), n_classes), dtype=bool)
        for row, label in zip(allowed, self.labels, strict=True):
            row[list(label.candidates)] = True
        return allowed

    def shares(self, n_classes: int) -> Array:
        """One-hot rows (m, n_classes); of several candidates each gets an equal share."""
        allowed = self.candidates(n_classes)
        return allowed / allowed.sum(axis=1, keepdims=True)

    def targets(self, n_classes: int) -> Array:
        """Targets (m, k): the class's code, the mean code of several candidates."""
        codes = estimates.class_codes(np.arange(n_classes), n_classes)
        return self.shares(n_classes) @ codes

    def mask(self, n_samples: int) -> Array:
        """Which samples (n_samples,) are labelled."""
        labelled = np.zeros(n_samples, dtype=bool)
        labelled[self.index[self.index >= 0]] = True
        return labelled


@dataclass(frozen=True)
class Problem:
    """What a fit without labels depends on."""

    data: DataSpec
    space: SpaceSpec
    energy: EnergySpec  # with an operator that lapviz.operators.get accepts

    @classmethod
    def of(cls, settings: Settings) -> Problem:
        """The problem of these settings."""
        energy = replace(settings.energy, operator=settings.operator)
        return cls(settings.data, settings.space.relevant(), energy)


def sample(data: DataSpec) -> datasets.Dataset:
    """The data set with its default labels: the only place where a specification becomes points."""
    if data.private:
        return own.get(data.source).sample(data.n_samples, data.random_state)
    return _loaded(data)


@step
def _loaded(data: DataSpec) -> datasets.Dataset:
    return datasets.load(
        data.name,
        n_samples=data.n_samples,
        noise=data.noise,
        random_state=data.random_state,
        **data.keywords,
    )


def labelled(data: DataSpec, labels: LabelSpec) -> Labelled:
    """The labelled points: set by hand, or else drawn, or else the data set's default."""
    points, chosen = sample(data), labels.chosen
    if chosen is None:
        if labels.per_class is not None:
            points = datasets.relabel(points, labels.per_class, data.random_state)
        chosen = [Label(int(i), int(points.y[i])) for i in np.flatnonzero(points.labelled)]
    chosen = tuple(label for label in chosen if label.index < len(points.X))
    X = [np.array(label.place) if label.free else points.X[label.index] for label in chosen]
    return Labelled(chosen, np.array(X, dtype=float) if chosen else points.X[:0])


def judged(data: datasets.Dataset, labelled: Array) -> Array:
    """Which samples (n,) accuracies are taken over: unlabelled ones whose class is known."""
    return ~labelled & (data.y >= 0)


def with_label(data: DataSpec, labels: LabelSpec, row: int, code: int) -> tuple[Label, ...]:
    """The labels, with that class for a row."""
    given = labelled(data, labels).labels
    kept = tuple(label.lasting() for label in given if label.index != row)
    return (*kept, Label(row, code))


@step
def tangents(data: DataSpec, tangent: operators.Tangent) -> operators.Tangents:
    """Local PCA at every sample: it does not depend on the kernel."""
    return operators.learn_tangents(sample(data).X, tangent.n_neighbors, tangent.n_directions)


def operator(data: DataSpec, asked):
    """The operator asked for; learnt tangents are taken from the cache as given directions."""
    if isinstance(asked, operators.Sum):
        return replace(asked, parts=tuple(operator(data, part) for part in asked.parts))
    if not isinstance(asked, operators.Tangent):
        return operators.get(asked)
    learnt = tangents(data, asked)
    if learnt.n_directions == learnt.frames.shape[2]:
        return operators.Laplacian()
    return operators.GivenDirections(learnt.frames)


@step
def kernel(data: DataSpec, space: SpaceSpec) -> kernels.Kernel:
    """The kernel, with σ as a number."""
    return fit.kernel(sample(data).X, space)


@step
def _drawn_centres(data: DataSpec, space: SpaceSpec) -> Array | None:
    return fit.centres(sample(data).X, space, kernel(data, space))


def centres(data: DataSpec, space: SpaceSpec) -> Array | None:
    """Landmarks c_1, …, c_p; most rules draw the same ones whatever the kernel and its σ."""
    if not landmarks.needs_kernel(space.landmarks):
        any_kernel = {"kernel": SpaceSpec.kernel, "bandwidth": 1.0, "degree": SpaceSpec.degree}
        space = replace(space, **any_kernel)
    return _drawn_centres(data, space)


def mu(problem: Problem) -> float:
    """μ as a number."""
    energy = problem.energy
    if energy.mu == "auto":
        return _calibrated_mu(problem.data, problem.space, energy.operator)
    if energy.mu == "floor":
        return fit.auto.least_mu(kernel(problem.data, problem.space))
    return float(energy.mu)


@step
def _calibrated_mu(data: DataSpec, space: SpaceSpec, asked) -> float:
    X = sample(data).X
    basis = fit.basis(X, space, True, kernel(data, space), centres(data, space))
    return fit.mu(X, basis, EnergySpec(operator=asked))


@step
def _assembled(data: DataSpec, space: SpaceSpec, asked) -> Timed:
    X = sample(data).X
    basis = fit.basis(X, space, True, kernel(data, space), centres(data, space))
    energy = operator(data, asked)
    return timed(fit.assemble, X, basis, energy)


def assembled(problem: Problem, constant: bool = True) -> Timed:
    """Trial space and forms, from one streaming pass over the data."""
    whole = _assembled(problem.data, problem.space, problem.energy.operator)
    return Timed(whole.value.with_constant(constant), whole.seconds)


def seconds_of_assembly(problem: Problem) -> float | None:
    """How long the assembly took; None if the cache does not hold it."""
    known = peek(_assembled, problem.data, problem.space, problem.energy.operator)
    return None if known is None else known.seconds


@step
def eigenfunctions(problem: Problem, n_modes: int) -> Timed:
    """Leading eigenpairs with the constant in the space and fixed signs."""
    basis, points = assembled(problem).value, None
    if basis.basis.centres is None:  # random waves: signs are fixed at samples
        points = landmarks.choose(sample(problem.data).X, problem.space.n_landmarks, random_state=0)
    return timed(fit.eigenfunctions, basis, mu(problem), n_modes, points)


@step
def eigenvalues_of_half(problem: Problem, n_modes: int) -> Array:
    """Eigenvalues with every second test function only, to judge whether p is large enough."""
    half = assembled(problem).value.every_second_function()
    return spectra.spectrum(half.forms, mu(problem), n_modes).gamma


@step
def solver(problem: Problem, data_term: str, constant: bool) -> Timed:
    """The part of the estimate that depends on neither λ, filter nor labels: a factor or modes."""
    estimate = EstimateSpec(data_term=data_term, fit_intercept=constant)
    return timed(fit.prepare, assembled(problem, constant).value, mu(problem), estimate)


@step
def local_modes(problem: Problem, constant: bool) -> spectra.Spectrum:
    """The leading eigenpairs in the estimates' trial space, for the browser to combine."""
    forms = assembled(problem, constant).value.forms
    return spectra.spectrum(forms, mu(problem), LOCAL_MODES)


def estimate(problem: Problem, spec: EstimateSpec, given: Labelled) -> Timed:
    """The kernel Laplacian's estimate: coefficients (n_functions, k), and the time of a fit."""
    basis = assembled(problem, spec.fit_intercept)
    prepared = solver(problem, spec.data_term, spec.fit_intercept)
    targets = given.targets(sample(problem.data).n_classes)
    solved = timed(fit.solve, basis.value.space, prepared.value, given.X, targets, spec)
    return Timed(solved.value, basis.seconds + prepared.seconds + solved.seconds)


def ridge(problem: Problem, lam: float, given: Labelled) -> Timed:
    """Kernel ridge on the labels alone: weights (m, k) of k(·, x_j), ridge λμ."""
    targets = given.targets(sample(problem.data).n_classes)
    its_kernel = kernel(problem.data, problem.space)
    return timed(fit.ridge, its_kernel, given.X, targets, lam, mu(problem))


def disambiguated(problem: Problem, spec: EstimateSpec, given: Labelled) -> Timed:
    """The smoothest estimate that agrees with every label's candidates (SSL21 A.2).

    Labels that allow every class say nothing and are left out.

    Raises
    ------
    ValueError
        If λ is 0, or no label rules out a class.
    """
    n_classes = sample(problem.data).n_classes
    allowed = given.candidates(n_classes)
    tells = ~allowed.all(axis=1)
    if not tells.any():
        raise ValueError("Every label allows every class: give at least one point fewer of them.")
    basis, constant = assembled(problem, spec.fit_intercept), spec.fit_intercept
    prepared = solver(problem, "labelled", constant)
    codes = estimates.class_codes(np.arange(n_classes), n_classes)
    phi = basis.value.space.phi(given.X[tells])
    solved = timed(
        partial_labels.disambiguate, prepared.value, phi, allowed[tells], codes, spec.lam
    )
    return Timed(solved.value, basis.seconds + prepared.seconds + solved.seconds)


@step
def label_columns(
    problem: Problem, constant: bool, labels: LabelSpec, sites: Sites
) -> tuple[Array, Array]:
    """Representers G(·, x_j) of the labels at the sites (n_sites, m), and their Gram matrix."""
    factor = solver(problem, "labelled", constant).value
    space = assembled(problem, constant).value.space
    W = factor.whiten(space.phi(labelled(problem.data, labels).X))
    c = factor.coefficients(W, np.zeros(W.shape[1]))
    return space.evaluate(sites.X, c), W.T @ W
