"""The Galerkin method from specifications, step by step.

    kernel, centres ─> trial space ─> forms ─> factor or spectrum ─> coefficients

Each step is kept by the sample's memo under exactly those specifications that it depends on. The
estimators use a memo for a single fit; the explorer passes its cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz import forms, kernels, operators, spectra
from lapviz.checks import row_shares
from lapviz.estimates import calibration, data_terms
from lapviz.fit import auto
from lapviz.fit.rows import StreamedRows
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.spaces import FourierSpace, KernelSpace, TrialSpace, fourier_space, landmarks, sampling

Array = np.ndarray
# The kernel in the key of centres that do not depend on it.
_NO_KERNEL = {"kernel": "gaussian", "bandwidth": 1.0, "degree": 3, "kernel_params": None}


@dataclass(frozen=True, eq=False)
class Assembled:
    """A trial space with its forms over a sample."""

    space: TrialSpace
    forms: forms.Forms

    def forms_of_half(self) -> forms.Forms:
        """Forms of the constant and every second test function, to check that p is large enough.

        Of random waves, which are cosines and sines in turn, every second frequency.
        """
        first = int(self.space.constant)
        order = np.arange(self.space.n_functions - first)
        run = 2 if isinstance(self.space, FourierSpace) else 1
        return self.forms.restrict(np.r_[np.arange(first), first + order[order // run % 2 == 0]])


@dataclass(frozen=True)
class Galerkin:
    """A trial space and an energy on a sample.

    Attributes
    ----------
    sample : Sample
    space : SpaceSpec
    energy : EnergySpec
        Its operator is a name or an object that :func:`lapviz.operators.get` accepts.
    """

    sample: Sample
    space: SpaceSpec
    energy: EnergySpec

    @property
    def kernel(self) -> kernels.Kernel:
        """The kernel, with σ as a number."""
        key = "kernel", self.space
        return self.sample.keep(key, lambda: kernel(self.sample.X, self.space))

    @property
    def centres(self) -> Array | None:
        """Landmarks c_1, …, c_p; most rules do not depend on the kernel and its σ."""
        space, kernel = self.space, None
        if isinstance(space.landmarks, str) and space.landmarks == "fourier":
            return None
        if landmarks.needs_kernel(space.landmarks):
            kernel = self.kernel
        else:
            space = replace(space, **_NO_KERNEL)

        def choose() -> Array:
            X, rule = self.sample.X, space.landmarks
            p = auto.n_landmarks(space, len(X))
            pool = sampling.sampled(X, p)
            return landmarks.choose(pool, p, rule, space.random_state, kernel=kernel)

        return self.sample.keep(("centres", space), choose)

    def trial_space(self, constant: bool = True) -> TrialSpace:
        """Kernel functions at the centres, or random waves, drawn here, around the mean of X."""

        def compute() -> TrialSpace:
            space, (X, weights) = self.space, self.sample.load()
            if self.centres is not None:
                return KernelSpace(self.kernel, self.centres, constant)
            size = sampling.size(auto.n_landmarks(space, len(X)), X.shape[1])
            rows = sampling.rows(len(X), size)
            pool = X[rows]
            if weights is None:
                center = pool.mean(axis=0, dtype=np.float64)
            else:
                center = row_shares(weights[rows], len(pool)) @ pool
            p = auto.landmarks(len(X)) if isinstance(space.n_landmarks, str) else space.n_landmarks
            return fourier_space(self.kernel, p, center, constant, space.random_state)

        return self.sample.keep(("trial space", self.space, constant), compute)

    @property
    def operator(self) -> Any:
        """The operator; neighbours and tangents, which do not depend on the space, are kept."""
        operator, X = operators.get(self.energy.operator), self.sample.X
        if isinstance(operator, operators.Sum):
            methods = (replace(self, energy=EnergySpec(part)) for part in operator.parts)
            return replace(operator, parts=tuple(method.operator for method in methods))
        if isinstance(X, StreamedRows):
            return operator
        if isinstance(operator, operators.Graph):
            return self.sample.graph(operator)
        if isinstance(operator, operators.Tangent):
            p = auto.n_landmarks(self.space, len(X))
            if not isinstance(sampling.rows(len(X), sampling.size(p, X.shape[1])), slice):
                return operator  # to be learnt from a sample of the rows
            return self.tangents(operator).operator
        return operator

    def tangents(self, operator: operators.Tangent) -> operators.Tangents:
        """Local PCA at every row."""

        def learn() -> operators.Tangents:
            X, weights = self.sample.load()
            k, q = operator.n_neighbors, operator.n_directions
            return operators.learn_tangents(X, k, q, sample_weight=weights)

        return self.sample.keep(("tangents", operator), learn)

    def assembled(self, constant: bool = True) -> Assembled:
        """Trial space and forms, by one pass over the rows.

        With and without the constant are two passes: the forms that they share differ by rounding,
        which a small μ makes visible.
        """

        def compute() -> Assembled:
            X, weights = self.sample.load()
            space = self.trial_space(constant)
            return Assembled(space, assemble(X, space, self.operator, weights))

        return self._keep(compute, "assembled", constant)

    def mu_and_reason(self, constant: bool = True) -> tuple[float, str]:
        """μ as a number, and the reason; "auto" is the rule of eigenfunctions."""
        if self.energy.mu != "auto":
            return auto.stated_mu(self.energy.mu, self.kernel)

        def calibrate() -> tuple[float, str]:
            (X, weights), space = self.sample.load(), self.trial_space(constant)
            n, sigma = len(X), self.kernel.bandwidth
            rows = sampling.rows(n, sampling.size(space.n_functions, X.shape[1]))
            weights = None if weights is None else weights[rows]
            operator = self.energy.operator
            result = calibration.calibrate(space, X[rows], operator, sigma, weights, n)
            return result.mu, result.reason

        return self._keep(calibrate, "mu", constant)

    @property
    def mu(self) -> float:
        """μ as a number."""
        return self.mu_and_reason()[0]

    def with_mu(self, mu: float) -> Galerkin:
        """The same with μ as a number."""
        return replace(self, energy=replace(self.energy, mu=mu))

    def spectrum(self, n_modes: int, constant: bool) -> spectra.Spectrum:
        """Leading eigenpairs, with arbitrary signs."""
        mu = self.mu
        return self._keep(
            lambda: spectra.spectrum(self.assembled(constant).forms, mu, n_modes),
            "spectrum", mu, n_modes, constant,
        )  # fmt: skip

    def eigenfunctions(self, n_modes: int) -> spectra.Spectrum:
        """Leading eigenpairs with the constant in the space and fixed signs."""
        mu = self.mu

        def solve() -> spectra.Spectrum:
            assembled, X, points = self.assembled(), self.sample.X, None
            if self.centres is None:  # random waves: fix the signs at samples
                p = assembled.space.n_functions - 1
                points = landmarks.choose(sampling.sampled(X, p), p, random_state=0)
            pairs = spectra.spectrum(assembled.forms, mu, n_modes)
            return spectra.orient(pairs, assembled.space, points)

        return self._keep(solve, "eigenfunctions", mu, n_modes)

    def eigenvalues_of_half(self, n_modes: int) -> Array:
        """Eigenvalues with every second test function only, to judge whether p is large enough."""
        mu = self.mu

        def solve() -> Array:
            return spectra.spectrum(self.assembled().forms_of_half(), mu, n_modes).gamma

        return self._keep(solve, "eigenvalues of half", mu, n_modes)

    def solver(self, data_term: str = "labelled", constant: bool = False) -> Any:
        """The part of an estimate that does not depend on λ, filter or labels: by default a factor
        of S + μK."""
        mu, term = self.mu, data_terms.TERMS[data_term]
        return self._keep(
            lambda: term.prepare(self.assembled(constant).forms, mu, constant),
            "solver", mu, data_term, constant,
        )  # fmt: skip

    def _keep(self, compute: Callable[[], Any], *key: object) -> Any:
        """The result of a step that depends on the trial space and the operator."""
        return self.sample.keep((*key, self.space, self.energy.operator), compute)


def kernel(X: Array, space: SpaceSpec) -> kernels.Kernel:
    """The kernel object; ``bandwidth="auto"`` depends on X (n, d) and the number of centres
    (:func:`lapviz.fit.auto.bandwidth`)."""
    if isinstance(space.kernel, kernels.Kernel):
        return space.kernel
    width = space.bandwidth
    width = auto.bandwidth(X, space) if isinstance(width, str) else width
    return kernels.get(space.kernel, float(width), **space.kernel_options)


def assemble(
    X: Array | StreamedRows, space: TrialSpace, operator, sample_weight: Array | None = None
) -> forms.Forms:
    """Forms over the rows of X (n, d) as weighted means, in one pass.

    Tangents of more rows than :func:`lapviz.spaces.sampling.size` are learnt from a sample.
    """
    p, n = space.n_functions - space.constant, len(X)
    rows = sampling.rows(n, sampling.size(p, X.shape[1]))
    operator, streamed = operators.get(operator), isinstance(X, StreamedRows)
    if streamed or (hasattr(operator, "learn") and not isinstance(rows, slice)):
        weights = None if sample_weight is None else sample_weight[rows]
        operator = operators.by_rows(operator, X[rows], weights)
    if isinstance(X, StreamedRows):
        return X.forms(space, operator)
    return operators.assemble(space, X, operator, sample_weight=sample_weight)


def solve(
    space: TrialSpace,
    prepared,
    X_labelled: Array,
    targets: Array,
    estimate: EstimateSpec,
    weights: Array | None = None,
    outputs: bool = False,
) -> Array:
    """Coefficients (p, k) of the estimate for targets (n_labelled, k) at X_labelled.

    ``weights`` (n_labelled,) are those of the labelled points in the data term. The targets are the
    codes of classes or, with ``outputs``, the outputs of a regression.
    """
    term = data_terms.TERMS[estimate.data_term]
    solve_term = term.solve_outputs if outputs else term.solve
    phi, optional = space.phi(X_labelled), () if weights is None else (weights,)
    return solve_term(prepared, phi, targets, estimate.lam, estimate.filter, *optional)
