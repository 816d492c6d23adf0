"""The cached steps from settings to numbers: data, trial space, spectrum, estimates.

Each step is cached under the settings that it depends on and no others, in one store with one
budget of bytes, so that what people move most (λ, the filter, a label) repeats only the cheapest.
Nothing here knows Streamlit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import datasets, estimates, fit, forms, kernels, operators, spectra
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import LOCAL_MODES
from lapviz.explorer.settings import KNOWN_TANGENTS, Settings, dataset_options
from lapviz.labels import Label
from lapviz.operators import tangents
from lapviz.spaces import KernelSpace, landmarks
from lapviz.spaces import bandwidth as bandwidths

Array = np.ndarray

DATA = ("data", "n", "noise", "seed", "options")
TANGENTS = (*DATA, "neighbors", "directions")
TRIAL = (*TANGENTS, "kernel", "sigma", "degree", "p", "landmarks", "operator")
PENALTY = (*TRIAL, "mu", "intercept")
LABELS = ("marks", "per_class")


@dataclass(frozen=True, eq=False)
class Trial:
    """Trial space with the constant, its forms, and how long they took."""

    space: KernelSpace
    forms: forms.Forms
    seconds: float

    def without_constant(self) -> Trial:
        """The same test functions alone: the estimates' trial space."""
        f = self.forms
        inner = forms.Forms(f.mass[1:, 1:], f.stiffness[1:, 1:], f.gram[1:, 1:], f.n_samples)
        return Trial(replace(self.space, constant=False), inner, self.seconds)


@dataclass(frozen=True)
class Places:
    """Points X (m, d) to evaluate at, known to the cache by their key."""

    key: str
    X: Array = field(compare=False, hash=False)


@dataclass(frozen=True, eq=False)
class Labelled:
    """The labels and their points X (m, d); ``index`` and ``codes`` (m,) are theirs as arrays."""

    labels: tuple[Label, ...]
    X: Array

    @property
    def index(self) -> Array:
        return np.array([label.index for label in self.labels], dtype=int)

    @property
    def codes(self) -> Array:
        return np.array([label.code for label in self.labels], dtype=int)


@step(*DATA, "per_class")
def sample(settings: Settings) -> datasets.Dataset:
    """The data set, with its own labels."""
    return datasets.load(
        settings.data,
        n_samples=settings.n,
        noise=settings.noise,
        random_state=settings.seed,
        labels_per_class=settings.per_class,
        **dataset_options(settings),
    )


@step(*TANGENTS)
def learnt_tangents(settings: Settings) -> tangents.Tangents:
    """Local PCA at every sample: it does not depend on the kernel."""
    return tangents.learn_tangents(
        sample(settings).X, settings.neighbors or "auto", settings.directions or "auto"
    )


def operator_of(settings: Settings):
    """The operator object that the settings name."""
    if settings.operator == "known":
        return operators.get(KNOWN_TANGENTS[settings.data])
    if settings.operator == "tangent":
        found = learnt_tangents(settings)
        if found.n_directions < found.frames.shape[2]:
            return operators.GivenDirections(found.frames)
    return operators.Laplacian()


@step(*DATA, "p", "landmarks")
def centres(settings: Settings) -> Array:
    """Landmarks c_1, …, c_p."""
    return landmarks.choose(sample(settings).X, settings.p, settings.landmarks, settings.seed)


@step(*DATA, "kernel", "sigma", "p", "landmarks")
def bandwidth(settings: Settings) -> float:
    """σ as a number."""
    if settings.sigma is not None:
        return settings.sigma
    return bandwidths.auto_bandwidth(
        sample(settings).X,
        kernel=settings.kernel,
        n_landmarks=len(centres(settings)),
        random_state=0,
    )


def mu(settings: Settings) -> float:
    """μ as a number."""
    return fit.mu(
        kernel_of(settings), fit.EnergySpec(mu="auto" if settings.mu is None else settings.mu)
    )


def kernel_of(settings: Settings) -> kernels.Kernel:
    """The kernel object that the settings name."""
    options = {"degree": settings.degree} if settings.kernel == "polynomial" else {}
    return kernels.get(settings.kernel, bandwidth(settings), **options)


@step(*TRIAL)
def trial(settings: Settings) -> Trial:
    """Trial space and forms: one streaming pass over the data."""
    start = time.perf_counter()
    space = KernelSpace(kernel_of(settings), centres(settings), constant=True)
    found = operators.assemble(space, sample(settings).X, operator_of(settings))
    return Trial(space, found, time.perf_counter() - start)


@step(*TRIAL, "mu")
def eigenfunctions(settings: Settings, n_modes: int) -> tuple[Trial, spectra.Spectrum]:
    """Leading eigenpairs with the constant in the space, signs fixed."""
    basis = trial(settings)
    found = spectra.spectrum(basis.forms, mu(settings), n_modes)
    return basis, spectra.orient(found, basis.space)


@step(*TRIAL, "mu")
def halved(settings: Settings, n_modes: int) -> Array:
    """Eigenvalues with every second test function left out: is p enough?"""
    f = trial(settings).forms
    keep = np.r_[0, np.arange(1, len(f.mass), 2)]
    half = forms.Forms(*(m[np.ix_(keep, keep)] for m in (f.mass, f.stiffness, f.gram)), f.n_samples)
    return spectra.spectrum(half, mu(settings), n_modes).gamma


def estimate_basis(settings: Settings) -> Trial:
    """Trial space of the estimates: with the constant only if it is asked for."""
    basis = trial(settings)
    return basis if settings.intercept else basis.without_constant()


@dataclass(frozen=True, eq=False)
class Timed:
    """A result and the seconds that it took when it was computed."""

    value: object
    seconds: float


def _timed(function: Callable, *args: object) -> Timed:
    start = time.perf_counter()
    value = function(*args)
    return Timed(value, time.perf_counter() - start)


@step(*PENALTY)
def penalty(settings: Settings) -> Timed:
    """Factor of S + μK."""
    basis = estimate_basis(settings)
    return _timed(estimates.factorise, basis.forms, mu(settings), settings.intercept)


@step(*PENALTY)
def estimate_modes(settings: Settings, n_modes: int | None = LOCAL_MODES) -> Timed:
    """Eigenpairs in the estimates' trial space; all of them for ``n_modes=None``."""
    return _timed(spectra.spectrum, estimate_basis(settings).forms, mu(settings), n_modes)


def labels(settings: Settings) -> Labelled:
    """The labelled points: people's own marks, or else the data set's labels."""
    data = sample(settings)
    marks = settings.marks
    if marks is None:
        marks = [Label(int(i), int(data.y[i])) for i in np.flatnonzero(data.labelled)]
    marks = tuple(m for m in marks if m.index < len(data.X))
    X = [np.array(m.place) if m.free else data.X[m.index] for m in marks]
    return Labelled(marks, np.array(X, dtype=float) if marks else data.X[:0])


def coefficients(settings: Settings, given: Labelled, lam: float | None = None) -> Timed:
    """The kernel Laplacian's estimate: coefficients (n_functions, k), and the time of a fit."""
    basis = estimate_basis(settings)
    targets = estimates.class_codes(given.codes, sample(settings).n_classes)
    lam = settings.lam if lam is None else lam
    if settings.term == "labelled":
        before = penalty(settings)
        solved = _timed(
            lambda: estimates.labelled_estimate(
                before.value, basis.space.phi(given.X), targets, lam, settings.filter
            )
        )
    else:
        before = estimate_modes(settings, None)
        solved = _timed(
            lambda: estimates.spectral_estimate(
                before.value, forms.load(basis.space, given.X, targets), lam, settings.filter
            )
        )
    return Timed(solved.value, basis.seconds + before.seconds + solved.seconds)


def ridge(settings: Settings, given: Labelled) -> Timed:
    """Kernel ridge on the labels alone: weights (m, k) of k(·, x_j), ridge λμ."""
    targets = estimates.class_codes(given.codes, sample(settings).n_classes)
    weight = settings.lam * mu(settings)
    return _timed(estimates.ridge_on_labels, kernel_of(settings), given.X, targets, weight)


@step(*PENALTY, *LABELS)
def label_columns(settings: Settings, sites: Places) -> tuple[Array, Array]:
    """Representers G(·, x_j) of the labels at the sites (n_sites, m), and their Gram matrix."""
    factor, space = penalty(settings).value, estimate_basis(settings).space
    W = factor.whiten(space.phi(labels(settings).X))
    c = factor.coefficients(W, np.zeros(W.shape[1]))
    return space.evaluate(sites.X, c), W.T @ W
