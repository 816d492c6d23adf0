"""The cached steps of a fit: functions of :mod:`lapviz.fit`, keyed by specifications.

Each step takes only the specifications that it depends on, so that the settings that change most
often (λ, the filter, a label) repeat only the cheapest steps. Nothing here imports Streamlit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from sklearn.preprocessing import StandardScaler

from lapviz import datasets, estimates, fit, forms, kernels, operators, spectra
from lapviz.estimates import partial as partial_labels
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import LOCAL_MODES
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.labels import Label
from lapviz.spaces import KernelSpace, landmarks

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
    must: tuple[int, ...] | None = None  # as of lapviz.explorer.settings.records.Chosen

    @classmethod
    def of(cls, settings: Settings) -> Problem:
        """The problem of these settings, whose energy is chosen."""
        energy = replace(settings.energy, operator=settings.operator)
        return cls(settings.data, settings.space.relevant(), energy, settings.chosen.must)


def sample(data: DataSpec) -> datasets.Dataset:
    """The data set with its default labels: the only place where a specification becomes points."""
    if data.private:
        return STORE.get(data.source).sample(data.n_samples, data.random_state)
    return _loaded(data)


@step
def _loaded(data: DataSpec) -> datasets.Dataset:
    drawn = datasets.load(
        data.name,
        n_samples=data.n_samples,
        noise=data.noise,
        random_state=data.random_state,
        **data.keywords,
    )
    if data.scales:
        drawn = replace(drawn, X=StandardScaler().fit_transform(drawn.X), image_shape=None)
    return drawn


def energy_rows(data: DataSpec, must: tuple[int, ...] | None) -> Array | slice:
    """Over which rows the energy is taken; all, but of a very large sample with a chosen energy."""
    if must is None:
        return slice(None)
    labelled = np.zeros(len(sample(data).X), dtype=bool)
    labelled[list(must)] = True
    return fit.few_labels.nodes(len(labelled), labelled)


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


def weights(data: DataSpec, rows: Array | slice = slice(None)) -> Array | None:
    """Weights of the rows, None where all are equal."""
    whole = sample(data).weights
    return None if whole is None else whole[rows]


def label_weights(data: DataSpec, given: Labelled) -> Array | None:
    """Weights (m,) of the labelled points: those of their rows, the mean for free labels."""
    whole = sample(data).weights
    if whole is None:
        return None
    return np.where(given.index >= 0, whole[given.index], whole.mean())


@step
def tangents(data: DataSpec, tangent: operators.Tangent) -> operators.Tangents:
    """Local PCA at every sample: it does not depend on the kernel."""
    points = sample(data)
    return operators.learn_tangents(
        points.X, tangent.n_neighbors, tangent.n_directions, sample_weight=points.weights
    )


@step
def _graph(data: DataSpec, graph: operators.Graph, must) -> operators.WeightedGraph:
    return graph.over(sample(data).X[energy_rows(data, must)])


def operator(data: DataSpec, asked, must: tuple[int, ...] | None = None):
    """The operator asked for; learnt tangents and neighbours are taken from the cache."""
    if isinstance(asked, operators.Sum):
        return replace(asked, parts=tuple(operator(data, part) for part in asked.parts))
    if isinstance(asked, operators.Graph):
        return _graph(data, asked, must)
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
def _drawn_centres(data: DataSpec, space: SpaceSpec, must) -> Array | None:
    rows = energy_rows(data, must)
    return fit.centres(sample(data).X[rows], space, kernel(data, space))


def centres(data: DataSpec, space: SpaceSpec, must: tuple[int, ...] | None = None) -> Array | None:
    """Landmarks c_1, …, c_p; most rules draw the same ones whatever the kernel and its σ."""
    if not landmarks.needs_kernel(space.landmarks):
        any_kernel = {"kernel": SpaceSpec.kernel, "bandwidth": 1.0, "kernel_params": None}
        space = replace(space, **any_kernel)
    return _drawn_centres(data, space, must)


def mu(problem: Problem) -> float:
    """μ as a number; "auto" is that of eigenfunctions."""
    return mu_and_reason(problem)[0]


def mu_and_reason(problem: Problem) -> tuple[float, str]:
    """μ, calibrated where it is "auto", and why."""
    energy = problem.energy
    if energy.mu == "auto":
        return _calibrated_mu(problem.data, problem.space, energy.operator)
    if energy.mu == "floor":
        return fit.auto.least_mu(kernel(problem.data, problem.space)), "2e-5/σ²"
    return float(energy.mu), "given"


@step
def _calibrated_mu(data: DataSpec, space: SpaceSpec, asked) -> tuple[float, str]:
    X, its = sample(data).X, weights(data)
    basis = fit.basis(X, space, True, kernel(data, space), centres(data, space), its)
    return fit.auto.mu(X, basis.kernel, basis.space, EnergySpec(operator=asked), its)


@step
def _assembled(data: DataSpec, space: SpaceSpec, asked, must, constant: bool) -> Timed:
    rows = energy_rows(data, must)
    X, its = sample(data).X[rows], weights(data, rows)
    basis = fit.basis(X, space, constant, kernel(data, space), centres(data, space, must), its)
    energy = operator(data, asked, must)
    return timed(fit.assemble, X, basis, energy, its)


def assembled(problem: Problem, constant: bool = True) -> Timed:
    """Trial space and forms, from one streaming pass over the data.

    With and without the constant they are two passes, as in the estimators: forms of one function
    more are the same but for rounding, which a small μ makes visible.
    """
    asked = problem.energy.operator
    return _assembled(problem.data, problem.space, asked, problem.must, constant)


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


def ridge(problem: Problem, lam: float, given: Labelled) -> Timed:
    """Kernel ridge on the labels alone: weights (m, k) of k(·, x_j), ridge λμ."""
    targets = given.targets(sample(problem.data).n_classes)
    its_kernel = kernel(problem.data, problem.space)
    its = label_weights(problem.data, given)
    return timed(fit.ridge, its_kernel, given.X, targets, lam, mu(problem), its)


@step
def _ridge_forms(data: DataSpec, space: SpaceSpec, asked, must, labels: LabelSpec) -> forms.Forms:
    at_labels = KernelSpace(kernel(data, space), labelled(data, labels).X, constant=False)
    rows = energy_rows(data, must)
    X, its = sample(data).X[rows], weights(data, rows)
    return operators.assemble(at_labels, X, operator(data, asked, must), sample_weight=its)


def ridge_forms(problem: Problem, labels: LabelSpec) -> forms.Forms:
    """Forms of k(·, x_j) at the labels, for the energy of kernel ridge: λ does not change them."""
    asked = problem.energy.operator
    return _ridge_forms(problem.data, problem.space, asked, problem.must, labels)


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
    its = label_weights(problem.data, given)
    its = None if its is None else its[tells]
    solve = partial(partial_labels.disambiguate, weights=its)
    solved = timed(solve, prepared.value, phi, allowed[tells], codes, spec.lam)
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
