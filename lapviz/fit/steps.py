"""The steps of a fit, as pure functions between small records.

    data, kernel, centres ─> trial space ─> forms ─> factor or spectrum ─> coefficients

Estimators validate their parameters and call these functions; the explorer calls them under a
cache; experiments, parameter selection and the scripts of *Copy as Python* use them too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import forms, kernels, operators
from lapviz.checks import row_shares
from lapviz.estimates import data_terms
from lapviz.fit import auto
from lapviz.fit.rows import StreamedRows
from lapviz.fit.specs import EstimateSpec, SpaceSpec
from lapviz.spaces import KernelSpace, TrialSpace, fourier_space, landmarks, sampling

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Basis:
    """A trial space with its kernel and centres.

    Attributes
    ----------
    kernel : Kernel
    centres : array (p, d) or None
        Landmarks; None for random waves.
    space : TrialSpace
    """

    kernel: kernels.Kernel
    centres: Array | None
    space: TrialSpace


@dataclass(frozen=True, eq=False)
class Assembled(Basis):
    """A trial space with its forms over a sample."""

    forms: forms.Forms

    def forms_of_half(self) -> forms.Forms:
        """Forms of the constant and every second test function, to check that p is large enough."""
        first = int(self.space.constant)
        second = np.arange(first, self.space.n_functions, 2)
        return self.forms.restrict(np.r_[np.arange(first), second])


def kernel(X: Array, space: SpaceSpec) -> kernels.Kernel:
    """The kernel object; ``bandwidth="auto"`` depends on X (n, d) and the number of centres
    (:func:`lapviz.fit.auto.bandwidth`)."""
    if isinstance(space.kernel, kernels.Kernel):
        return space.kernel
    width = space.bandwidth
    width = auto.bandwidth(X, space) if isinstance(width, str) else width
    return kernels.get(space.kernel, float(width), **space.kernel_options)


def centres(X: Array, space: SpaceSpec, kernel: kernels.Kernel | None = None) -> Array | None:
    """Landmarks (p, d), or None for random waves; only some rules need the kernel."""
    if isinstance(space.landmarks, str) and space.landmarks == "fourier":
        return None
    p = auto.n_landmarks(space, len(X))
    return landmarks.choose(
        sampling.sampled(X, p), p, space.landmarks, space.random_state, kernel=kernel
    )


def basis(
    X: Array,
    space: SpaceSpec,
    constant: bool,
    kernel: kernels.Kernel,
    centres: Array | None,
    sample_weight: Array | None = None,
) -> Basis:
    """The trial space of a kernel and its centres; waves are drawn here, around the mean of X."""
    if centres is not None:
        return Basis(kernel, centres, KernelSpace(kernel, centres, constant))
    rows = sampling.rows(len(X), sampling.size(auto.n_landmarks(space, len(X)), X.shape[1]))
    pool = X[rows]
    if sample_weight is None:
        center = pool.mean(axis=0, dtype=np.float64)
    else:
        center = row_shares(sample_weight[rows], len(pool)) @ pool
    p = auto.landmarks(len(X)) if isinstance(space.n_landmarks, str) else space.n_landmarks
    waves = fourier_space(kernel, p, center, constant, space.random_state)
    return Basis(kernel, None, waves)


def assemble(
    X: Array | StreamedRows, basis: Basis, operator, sample_weight: Array | None = None
) -> Assembled:
    """Forms over the rows of X (n, d) as weighted means, in one pass.

    Tangents of more rows than :func:`lapviz.spaces.sampling.size` are learnt from a sample.
    """
    p, n = basis.space.n_functions - basis.space.constant, len(X)
    rows = sampling.rows(n, sampling.size(p, X.shape[1]))
    operator, streamed = operators.get(operator), isinstance(X, StreamedRows)
    if streamed or (hasattr(operator, "learn") and not isinstance(rows, slice)):
        weights = None if sample_weight is None else sample_weight[rows]
        operator = operators.by_rows(operator, X[rows], weights)
    if isinstance(X, StreamedRows):
        forms = X.forms(basis.space, operator)
    else:
        forms = operators.assemble(basis.space, X, operator, sample_weight=sample_weight)
    return Assembled(basis.kernel, basis.centres, basis.space, forms)


def solve(
    space: TrialSpace,
    prepared,
    X_labelled: Array,
    targets: Array,
    estimate: EstimateSpec,
    weights: Array | None = None,
) -> Array:
    """Coefficients (p, k) of the estimate for targets (n_labelled, k) at X_labelled.

    ``weights`` (n_labelled,) are those of the labelled points in the data term.
    """
    term = data_terms.TERMS[estimate.data_term]
    phi, optional = space.phi(X_labelled), () if weights is None else (weights,)
    return term.solve(prepared, phi, targets, estimate.lam, estimate.filter, *optional)
