r"""Partial labels: the smoothest function that agrees with sets of candidate classes (SSL21 A.2).

At a labelled point only a set s of classes is known, which contains the true one. With c_y the code
of class y, the infimum loss min_{y∈s} |g(x) − c_y|² requires g to be close to *some* candidate, and
the energy decides which (Cabannes, Rudi and Bach 2020):

    min over g and y_i ∈ s_i of   E_ℓ|g(x_i) − c_{y_i}|² + λ(E_n‖∇g‖² + μ‖g‖²_H).

Alternating minimisation: for given classes g is the estimate of SSL21 eq. 5; for given g every y_i
is the candidate nearest to g(x_i). No step raises the objective, and there are finitely many
choices, so that it terminates; the result depends on the start. The start is the minimum of the
convex problem with the *convex hull* of the codes in s_i in place of the codes, computed by the
same alternation from each set's mean code.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.checks import check_count, check_nonnegative
from lapviz.estimates.candidates import candidate_matrix
from lapviz.estimates.labelled import EnergyFactor, LabelSystem

__all__ = ["Disambiguation", "PartialProgress", "candidate_matrix", "disambiguate",
           "nearest_candidate", "nearest_in_hull"]  # fmt: skip

Array = np.ndarray


@dataclass(frozen=True)
class PartialProgress:
    """Argument of the callback after each step."""

    stage: str  # "hull" or "classes"
    step: int
    objective: float
    n_changed: int


@dataclass(frozen=True, eq=False)
class Disambiguation:
    """The smoothest consistent estimate, and the objective of every step.

    Attributes
    ----------
    coefficients : array (p, k), in the trial space
    chosen : int array (n_labelled,), the candidate class taken at each point
    objective : array (T,), after the estimate of every step; never rises
    changed : int array (T,), number of classes changed before that step
    hull_objective : array (H,), the same for the convex stage before; never rises
    converged : bool
    """

    coefficients: Array
    chosen: Array
    objective: Array
    changed: Array
    hull_objective: Array
    converged: bool


class _Fit:
    """SSL21 eq. 5 on fixed points for changing targets: factorised once, O(n r) a fit."""

    def __init__(self, factor: EnergyFactor, phi: Array, lam: float, weights: Array | None = None):
        self.system, self.lam, self.constant = (
            LabelSystem(factor, phi, weights),
            lam,
            factor.constant,
        )
        self.psi = 1.0 / (np.maximum(self.system.s, 0.0) + lam)

    def __call__(self, targets: Array) -> tuple[Array, Array, Array, float]:
        """Whitened coefficients, offset, values (n, k) at the points, and the objective."""
        system, shares = self.system, self.system.shares[:, None]
        mean = (shares * targets).sum(axis=0) if self.constant else np.zeros(targets.shape[1])
        theta = system.solve(targets - mean, self.psi)
        values = (system.W - system.center).T @ theta + mean
        objective = (shares * (values - targets) ** 2).sum() + self.lam * (theta**2).sum()
        return theta, system.offset(theta, mean), values, float(objective)


def disambiguate(
    factor: EnergyFactor,
    phi: Array,
    candidates: Array,
    codes: Array,
    lam: float,
    *,
    weights: Array | None = None,
    max_iter: int = 300,
    tol: float = 1e-6,
    callback: Callable[[PartialProgress], bool | None] | None = None,
) -> Disambiguation:
    """Alternating minimisation of the infimum loss with a Dirichlet energy.

    Parameters
    ----------
    factor : EnergyFactor
        Of S + μK.
    phi : array (n_labelled, p)
        Test functions at the points that have candidate sets.
    candidates : boolean array (n_labelled, K)
        Candidate classes of each point, no row all False.
    codes : array (K, k)
        Targets of the classes, as ``estimates.class_codes(range(K), K)``.
    lam : float
        λ, above 0: with λ = 0 the classes of the start would be interpolated.
    weights : array (n_labelled,), optional
        Of the points in the mean loss.
    max_iter : int
        Limit on the steps of either stage.
    tol : float
        Relative decrease below which the convex stage ends.
    callback : callable, optional
        Called with a :class:`PartialProgress` after each step; returning True stops.

    Returns
    -------
    Disambiguation
        The estimate, the classes chosen, and the objective of every step.

    Raises
    ------
    ValueError
        If a set is empty, shapes do not fit, or lam is 0.
    """
    if check_nonnegative("lam", lam) == 0:
        raise ValueError(
            "lam must be above 0 for partial labels: without a penalty every choice of classes "
            "is fitted exactly, and none is preferred."
        )
    check_count("max_iter", max_iter)
    candidates, codes = _check_candidates(candidates, codes, len(phi))
    fit = _Fit(factor, phi, lam, weights)
    targets = candidates @ codes / candidates.sum(axis=1, keepdims=True)
    theta, offset, values, level = fit(targets)
    hull = [level]
    stopped = _tell(callback, "hull", 0, level, len(phi))
    wide = (candidates.sum(axis=1) > 1).any()
    while wide and not stopped and len(hull) < max_iter:
        targets = nearest_in_hull(values, candidates, codes)
        theta, offset, values, level = fit(targets)
        hull.append(level)
        stopped = _tell(callback, "hull", len(hull) - 1, level, len(phi))
        if hull[-2] - level <= tol * hull[-2]:
            break
    chosen, objective, changed = np.full(len(phi), -1), [], []
    while len(objective) < max_iter:
        new = nearest_candidate(values, candidates, codes)
        moved = int(np.sum(new != chosen))
        if not moved:
            break
        chosen = new
        theta, offset, values, level = fit(codes[chosen])
        objective.append(level)
        changed.append(moved)
        if stopped := (_tell(callback, "classes", len(objective), level, moved) or stopped):
            break
    converged = bool((nearest_candidate(values, candidates, codes) == chosen).all())
    return Disambiguation(
        factor.coefficients(theta, offset),
        chosen,
        np.array(objective),
        np.array(changed),
        np.array(hull),
        converged,
    )


def _tell(callback, stage: str, step: int, objective: float, n_changed: int) -> bool:
    seen = PartialProgress(stage, step, objective, n_changed)
    return progress.step(f"candidate classes, {stage}", step, partial=seen, callback=callback)


def nearest_candidate(values: Array, candidates: Array, codes: Array) -> Array:
    """argmin_{y ∈ s_i} |g(x_i) − c_y|², shape (n,); the first of equals.

    Parameters
    ----------
    values : array (n, k)
        Values g(x_i).
    candidates : boolean array (n, K)
        Candidate classes of each point.
    codes : array (K, k)
        Targets of the classes.

    Returns
    -------
    int array (n,)
        Codes of the classes.
    """
    gaps = ((values[:, None] - codes[None]) ** 2).sum(axis=2)
    return np.where(candidates, gaps, np.inf).argmin(axis=1)


def nearest_in_hull(values: Array, candidates: Array, codes: Array) -> Array:
    """The point of conv{c_y : y ∈ s_i} nearest to g(x_i), shape (n, k).

    Codes are those of :func:`lapviz.estimates.class_codes`: centred one-hot ones, whose hull is a
    simplex, or ±1 in one column, whose hull is an interval.

    Parameters
    ----------
    values : array (n, k)
        Values g(x_i).
    candidates : boolean array (n, K)
        Candidate classes of each point.
    codes : array (K, k)
        Targets of the classes.

    Returns
    -------
    array (n, k)
        Points of the hulls.
    """
    if codes.shape[1] == 1:
        low = np.where(candidates, codes[:, 0], np.inf).min(axis=1)
        high = np.where(candidates, codes[:, 0], -np.inf).max(axis=1)
        return np.clip(values[:, 0], low, high)[:, None]
    shift = codes[0].min()  # one-hot codes less this are 0 and 1
    v = np.where(candidates, values - shift, -np.inf)
    # Projection on the simplex: max(v − τ, 0) with τ such that the sum is 1.
    order = -np.sort(-v, axis=1)
    counts = np.arange(1, v.shape[1] + 1)
    with np.errstate(invalid="ignore"):
        tau = (np.cumsum(np.where(np.isfinite(order), order, 0.0), axis=1) - 1.0) / counts
        last = (order > tau).sum(axis=1) - 1
    tau = tau[np.arange(len(v)), last]
    return np.maximum(v - tau[:, None], 0.0) + shift


def _check_candidates(candidates, codes, n: int) -> tuple[Array, Array]:
    candidates, codes = np.asarray(candidates, dtype=bool), np.asarray(codes, dtype=float)
    if candidates.shape != (n, len(codes)):
        raise ValueError(f"candidates must have shape ({n}, {len(codes)}), got {candidates.shape}.")
    empty = np.flatnonzero(~candidates.any(axis=1))
    if empty.size:
        raise ValueError(f"The candidate set of row {empty[0]} is empty: it must hold a class.")
    return candidates, codes
