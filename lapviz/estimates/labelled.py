r"""Estimates: smooth functions fitted to a few labels.

There are two data terms: over *all* samples, g = Σ h(γ_i) ⟨b, v_i⟩ e_i (SSL21 eq. 9), and
over the *labelled* ones, g = argmin E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²) (SSL21 eq. 5). The second is
kernel regression on the labels with the kernel G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′), so that a
change of λ, the filter or the labels costs a problem of the size of the label set only.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve

from lapviz.checks import check_nonnegative, row_shares
from lapviz.estimates import filters
from lapviz.estimates.filters import Filter
from lapviz.forms import Forms
from lapviz.kernels import Kernel
from lapviz.linalg import eigh, solve_lower
from lapviz.spectra import Spectrum, independent_functions

Array = np.ndarray

PENALTY_TOLERANCE = 1e-13
RIDGE_FLOOR = 1e-12  # keeps interpolation solvable when two labelled points coincide


@dataclass(frozen=True, eq=False)
class EnergyFactor:
    """Factor of A = S + μK on a well-conditioned subset of the test functions.

    The energy norm of Σ_j c_j φ_j is the norm of Lᵀ(c/scale) on ``keep``. A constant in the space
    is left out: it is fitted as an unpenalised intercept.
    """

    keep: Array
    L: Array
    scale: Array
    constant: bool

    def whiten(self, phi: Array) -> Array:
        """W (r, n) with φ(x)ᵀA⁻¹φ(x′) = WᵀW′, from values φ of shape (n, p)."""
        scaled = phi.take(self.keep, axis=1)  # contiguous, so that it is solved in place
        scaled *= self.scale[self.keep]
        return solve_lower(self.L, scaled.T, overwrite=True)

    def coefficients(self, theta: Array, offset: Array) -> Array:
        """Coefficients (p, k) in the space from whitened ones (r, k) and an intercept (k,)."""
        c = np.zeros((len(self.scale), theta.shape[1]))
        scaled = solve_lower(self.L, theta, transposed=True)
        c[self.keep] = scaled * self.scale[self.keep][:, None]
        if self.constant:
            c[0] = offset
        return c


def factorise(forms: Forms, mu: float, constant: bool) -> EnergyFactor:
    """Factorise S + μK.

    Parameters
    ----------
    forms : Forms
        Forms of the trial space over the sample.
    mu : float
        μ, weight of the RKHS norm, at least 0.
    constant : bool
        Whether function 0 of the space is the constant.

    Returns
    -------
    EnergyFactor
        The factor from which estimates for any λ and any labels follow.

    Raises
    ------
    ValueError
        If the energy of every test function is 0, or numbers overflow.
    """
    mu = check_nonnegative("mu", mu)
    message = (
        f"The energy of every test function is 0 (mu={mu:g}): the samples coincide, or the "
        "bandwidth is far below or far above the distances between them. Choose mu above 0, or "
        "another bandwidth."
    )
    penalty = forms.penalty(mu)
    if constant:  # unpenalised, even where it has energy, as in a normalised graph
        penalty[0], penalty[:, 0] = 0.0, 0.0
    keep, L, scale = independent_functions(penalty, PENALTY_TOLERANCE, message)
    return EnergyFactor(keep, L, scale, constant)


class LabelSystem:
    """Least squares at labelled points with the energy as penalty, for any λ and any targets.

    With Z = (W − center)√s, the smaller of ZᵀZ and ZZᵀ is diagonalised once; W are the whitened
    test functions, s the shares of the points, and ``center`` is the mean of W if there is an
    unpenalised intercept.

    Parameters
    ----------
    factor : EnergyFactor
        Factor of S + μK.
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    weights : array (n_labelled,), optional
        Weights of the points in the mean squared error.
    """

    def __init__(self, factor: EnergyFactor, phi: Array, weights: Array | None = None):
        self.shares, self.W = row_shares(weights, len(phi)), factor.whiten(phi)
        self.root = np.sqrt(self.shares)
        r = len(self.W)
        self.center = (self.W @ self.shares)[:, None] if factor.constant else np.zeros((r, 1))
        self.Z = (self.W - self.center) * self.root
        self.few = len(phi) <= r
        self.s, self.U = eigh(self.Z.T @ self.Z if self.few else self.Z @ self.Z.T)

    def solve(self, y: Array, psi: Array) -> Array:
        """θ (r, k) from targets (n_labelled, k) less their mean, with ψ at the eigenvalues s."""
        residual, psi = y * self.root[:, None], psi[:, None]
        if self.few:
            return self.Z @ (self.U @ (psi * (self.U.T @ residual)))
        return self.U @ (psi * (self.U.T @ (self.Z @ residual)))

    def offset(self, theta: Array, mean: Array) -> Array:
        """The intercept (k,) that belongs to θ and the mean of the targets."""
        return mean - (self.center.T @ theta)[0]


def label_targets(y, n: int) -> Array:
    """Targets (n, k) of n labelled points.

    Raises
    ------
    ValueError
        If the number of rows is not n.
    """
    y = np.asarray(y, dtype=float)
    y = y[:, None] if y.ndim == 1 else y
    if len(y) != n:
        raise ValueError(f"y must have one row for each of the {n} labelled points, got {len(y)}.")
    return y


def labelled_estimate(
    factor: EnergyFactor,
    phi: Array,
    y: Array,
    lam: float,
    filter: str | Filter = "tikhonov",
    weights: Array | None = None,
) -> Array:
    """Coefficients of the estimate with the data term on the labelled points (SSL21 eq. 5).

    Parameters
    ----------
    factor : EnergyFactor
        Factor of S + μK, from :func:`factorise`.
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    y : array (n_labelled, k)
        Targets.
    lam : float
        λ, weight of the energy, in units of length², at least 0; at 0 (Tikhonov) the interpolant
        of least energy.
    filter : str or Filter, default "tikhonov"
        One of :func:`lapviz.filters.names`, or an object.
    weights : array (n_labelled,), optional
        Weights of the points in the mean squared error.

    Returns
    -------
    array (p, k)
        Coefficients in the trial space.
    """
    rule = filters.get(filter)
    lam = check_nonnegative("lam", lam)
    system = LabelSystem(factor, phi, weights)
    mean = system.shares @ y if factor.constant else np.zeros(y.shape[1])
    rounding = 1e-14 * max(system.s.max(initial=0.0), 0.0)
    s = np.where(system.s > rounding, system.s, 0.0)
    theta = system.solve(y - mean, rule.psi(s, lam))
    return factor.coefficients(theta, system.offset(theta, mean))


def poisson_estimate(
    factor: EnergyFactor,
    phi: Array,
    y: Array,
    weights: Array | None = None,
    *,
    by_column: bool = False,
) -> Array:
    """Coefficients of the solution of (S + μK) c = a Σ_ℓ (y − ȳ) φ: labels as sources.

    The load of Poisson learning (Calder, Cook, Thorpe and Slepčev, 2020) in the Galerkin method.
    With very few labels the least-squares estimate has a narrow peak at each and is nearly constant
    in between; here only the scale a is fitted to the labels, by least squares.

    Parameters
    ----------
    factor : EnergyFactor
        Factor of S + μK, from :func:`factorise`.
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    y : array (n_labelled, k)
        Targets.
    weights : array (n_labelled,), optional
        Weights of the points, as sources and in the mean.
    by_column : bool, default False
        Whether each column has a scale a of its own, as the outputs of a regression have; the codes
        of classes share one.

    Returns
    -------
    array (p, k)
        Coefficients in the trial space. The mean of the labels is included only if the space has
        the constant.
    """
    shares = row_shares(weights, len(y))[:, None]
    W, mean = factor.whiten(phi), np.average(y, axis=0, weights=weights)
    centred = y - mean
    rounding = 1e-14 * np.abs(y).max(initial=0.0)  # of a weighted mean
    centred[np.abs(centred) <= rounding] = 0.0
    theta = W @ (shares * centred)
    values = W.T @ theta
    level = (shares * values).sum(axis=0) if factor.constant else np.zeros_like(mean)
    axis, spread = 0 if by_column else None, values - level
    exponent = np.frexp(np.abs(spread).max(axis=axis, initial=0.0))[1]  # squares could overflow
    spread = np.ldexp(spread, -exponent)
    norm = (shares * spread**2).sum(axis=axis)
    a = (shares * spread * centred).sum(axis=axis) / np.where(norm > 0, norm, np.inf)
    a = np.ldexp(a, -exponent)
    return factor.coefficients(a * theta, mean - a * level)


def spectral_estimate(
    spectrum: Spectrum, load: Array, lam: float, filter: str | Filter = "tikhonov"
) -> Array:
    """Coefficients Σ h(γ_i) ⟨b, v_i⟩ v_i: the data term over all samples (SSL21 eq. 9).

    Parameters
    ----------
    spectrum : Spectrum
        Eigenpairs (γ_i, v_i) of the trial space.
    load : array (p, k)
        b, the mean of φ y over the labelled points.
    lam : float
        λ, in units of length², at least 0.
    filter : str or Filter, default "tikhonov"
        One of :func:`lapviz.filters.names`, or an object.

    Returns
    -------
    array (p, k)
        Coefficients in the trial space.
    """
    weights = filters.get(filter)(spectrum.gamma, lam)
    V = spectrum.vectors
    return V @ (weights[:, None] * (V.T @ load))


def ridge_on_labels(
    kernel: Kernel, X: Array, y: Array, weight: float, sample_weight: Array | None = None
) -> Array:
    """Kernel ridge regression on the labelled points only, the supervised baseline.

    Minimises E_ℓ|g − y|² + weight·‖g‖²_H; with weight = λμ it is the λ → 0 limit of
    :func:`labelled_estimate`.

    Parameters
    ----------
    kernel : Kernel
        The kernel, with its bandwidth.
    X : array (n_labelled, d)
        Labelled points.
    y : array (n_labelled, k)
        Targets.
    weight : float
        Weight of the squared RKHS norm, at least 0.
    sample_weight : array (n_labelled,), optional
        Positive weights of the points in the mean squared error.

    Returns
    -------
    array (n_labelled, k)
        Weights of k(·, x_j).
    """
    K = kernel(X, X)
    floor = RIDGE_FLOOR * max(1.0, np.abs(K).max(initial=0.0))
    ridge = max(check_nonnegative("weight", weight), floor) / row_shares(sample_weight, len(X))
    return solve(K + np.diag(ridge), y, assume_a="sym", check_finite=False)
