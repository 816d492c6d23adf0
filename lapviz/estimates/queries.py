r"""Active learning: which point to label next (SSL21 §5, after Karzand and Nowak's maximin).

The estimate from labels ℓ minimises E_ℓ|g − y|² + λ‖g‖²_A, where ‖g‖²_A = E‖∇g‖² + μ‖g‖²_H. Write
the minimum as λJ_ℓ, and G(x, x′) = φ(x)ᵀA⁻¹φ(x′). J after labelling x as t has a
closed form, from one factorisation for all candidates. With B the matrix of the
fit to ℓ (G_ℓℓ + (n_ℓ + 1)λ I, since the mean is now over n_ℓ + 1 labels; bordered by ones for an
unpenalised constant) and b_x its column for x,

    J(x, t) = J_ℓ + |t − f(x)|²/s(x),
    f(x) = b_xᵀB⁻¹y,   s(x) = G(x, x) + (n_ℓ + 1)λ − b_xᵀB⁻¹b_x.

The class with the least J is the likeliest; the criterion chooses the point for which even that J
is largest: max_x min_t J(x, t). At λ = 0, J is the energy ‖g‖²_A of the
interpolant. Karzand and Nowak's other criterion chooses the point whose likeliest label would
change the estimate most over the data, E_n|g_new − g|²; it also has a closed form, since
g_new − f = (t − f(x))/s(x) · c_x with c_x = G(x, ·) − b_xᵀB⁻¹b.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from sklearn.utils import check_random_state

from lapviz import progress
from lapviz.checks import check_choice, check_count, check_nonnegative
from lapviz.estimates.labelled import RIDGE_FLOOR

Array = np.ndarray
CRITERIA = ("energy", "change")


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of all points as candidates for the next label.

    Attributes
    ----------
    score : array (n,), by the chosen criterion; 0 at labelled points
    energy : array (n,), min_t J(x, t)
    change : array (n,), E_n|g_new − g|² if x gets its likeliest class
    likeliest : int array (n,), the class of least energy
    values : array (n, k), the current estimate
    order : int array, the unlabelled rows, best first
    criterion : {"energy", "change"}
    """

    score: Array
    energy: Array
    change: Array
    likeliest: Array
    values: Array
    order: Array
    criterion: str

    @property
    def next(self) -> int:
        """Row of the point to label next."""
        return int(self.order[0])


@dataclass(frozen=True, eq=False)
class QueryProgress:
    """Argument of the callback after each label: rows and classes so far, and the estimate."""

    rows: Array
    classes: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Queries:
    """The path of a labelling loop.

    Attributes
    ----------
    rows, classes : int arrays (n_start + n_queries,), in the order of labelling
    n_start : int, number of labels at the start
    scores : array (n_queries,), of each point when it was chosen; NaN for random choice
    values : array (n, k), the final estimate
    stopped : {"finished", "callback"}
    """

    rows: Array
    classes: Array
    n_start: int
    scores: Array
    values: Array
    stopped: str


def rank_candidates(
    W: Array,
    rows: Sequence[int] | Array,
    classes: Sequence[int] | Array,
    codes: Array,
    lam: float,
    *,
    criterion: str = "energy",
    constant: bool = False,
    mass: Array | None = None,
) -> Ranking:
    """Score every point for labelling next, in closed form.

    Parameters
    ----------
    W : array (r, n)
        Whitened test functions at all points, ``EnergyFactor.whiten(space.phi(X))``: G = WᵀW.
    rows, classes : int arrays (n_labelled,)
        Labelled rows and their class codes; may be empty.
    codes : array (K, k)
        Target of each class, as ``estimates.class_codes(range(K), K)``.
    lam : float
        λ, at least 0.
    criterion : {"energy", "change"}
        The score that ranks the points.
    constant : bool
        Whether an unpenalised constant is fitted too.
    mass : array (r, r), optional
        WWᵀ/n, if already computed; it does not depend on the labels.

    Returns
    -------
    Ranking
        Scores, and the unlabelled rows in their order.

    Raises
    ------
    ValueError
        If every point is labelled, shapes do not fit, or, with an unpenalised constant, no point is
        labelled: any first label has energy 0.
    """
    check_choice("criterion", criterion, CRITERIA)
    lam = check_nonnegative("lam", lam)
    W, codes = np.asarray(W, dtype=float), np.asarray(codes, dtype=float)
    rows, classes = _check_labels(rows, classes, W.shape[1], len(codes))
    n, m = W.shape[1], len(rows)
    if m == n:
        raise ValueError("Every point is labelled: there is no point left to query.")
    if constant and not m:
        raise ValueError(
            "Label at least one point first: with an unpenalised constant any first label has the "
            "same energy, 0."
        )
    y = codes[classes]
    diagonal = np.einsum("ij,ij->j", W, W)
    ridge = (m + 1) * _ridge(lam, diagonal)
    V, border = W[:, rows], np.ones((1, n)) if constant else np.zeros((0, n))
    b = np.vstack([V.T @ W, border])  # (m + constant, n)
    padded = np.pad(y, ((0, int(constant)), (0, 0)))
    alpha = _system(V, ridge, constant, np.column_stack([padded, b]))
    weights, alpha = alpha[:, : y.shape[1]], alpha[:, y.shape[1] :]  # B⁻¹y and B⁻¹b_x
    f = b.T @ weights
    s = np.maximum(diagonal + ridge - np.einsum("ij,ij->j", b, alpha), ridge)
    gaps = ((codes[None] - f[:, None]) ** 2).sum(axis=2)  # (n, K), |t − f(x)|²
    likeliest = gaps.argmin(axis=1)
    energy = float(np.sum(y * weights[:m])) + gaps.min(axis=1) / s
    values = fitted_values(W, rows, classes, codes, lam, constant)
    step = (codes[likeliest] - f) / s[:, None]
    change = _mean_square(W, V @ alpha[:m], alpha[m:], f - values, step, mass)
    score = np.where(np.isin(np.arange(n), rows), 0.0, energy if criterion == "energy" else change)
    order = np.argsort(-score, kind="stable")
    order = order[~np.isin(order, rows)]
    return Ranking(score, energy, change, likeliest, values, order, criterion)


def query(
    W: Array,
    answer: Callable[[int], int],
    codes: Array,
    lam: float,
    n_queries: int,
    *,
    rows: Sequence[int] = (),
    criterion: str = "energy",
    constant: bool = False,
    random_state=None,
    callback: Callable[[QueryProgress], bool | None] | None = None,
) -> Queries:
    """Label points one at a time: rank, query, fit, repeat.

    Parameters
    ----------
    W : array (r, n)
        Whitened test functions at all points, as in :func:`rank_candidates`.
    answer : callable
        The oracle, from a row to its class code.
    codes : array (K, k)
        Target of each class.
    lam : float
        λ, at least 0.
    n_queries : int
        Number of labels to query after the first ones; fewer if no points are left.
    rows : ints
        Rows that are labelled from the start.
    criterion : {"energy", "change", "random"}
        How the next point is chosen.
    constant : bool
        Whether an unpenalised constant is fitted too.
    random_state : int, RandomState or None
        Seed of random choice.
    callback : callable, optional
        Called with a :class:`QueryProgress` after each answer; returning True stops.

    Returns
    -------
    Queries
        The path of the loop.
    """
    check_choice("criterion", criterion, (*CRITERIA, "random"))
    n, rows = W.shape[1], [int(row) for row in rows]
    classes, scores, stopped = [int(answer(row)) for row in rows], [], "finished"
    n_start = len(rows)
    n_queries = min(check_count("n_queries", n_queries), n - n_start)
    shuffled = check_random_state(random_state).permutation(n)
    shuffled = shuffled[~np.isin(shuffled, rows)]
    mass = W @ W.T / n if criterion != "random" else None
    values = fitted_values(W, rows, classes, codes, lam, constant)
    for k in range(n_queries):
        if criterion == "random":
            row, score = int(shuffled[k]), np.nan
        else:
            ranking = rank_candidates(
                W, rows, classes, codes, lam, criterion=criterion, constant=constant, mass=mass
            )
            row, score = ranking.next, ranking.score[ranking.next]
        rows.append(row)
        classes.append(int(answer(row)))
        scores.append(score)
        values = fitted_values(W, rows, classes, codes, lam, constant)
        partial = QueryProgress(np.array(rows), np.array(classes), values)
        if progress.step("labels", k + 1, n_queries, partial, callback):
            stopped = "callback"
            break
    return Queries(np.array(rows), np.array(classes), n_start, np.array(scores), values, stopped)


def fitted_values(
    W: Array, rows, classes, codes: Array, lam: float, constant: bool = False
) -> Array:
    """Fit the estimate to labels (SSL21 eq. 5, Tikhonov).

    Parameters
    ----------
    W : array (r, n)
        Whitened test functions at all points, as in :func:`rank_candidates`.
    rows : ints (n_labelled,)
        Labelled rows.
    classes : ints (n_labelled,)
        Their class codes.
    codes : array (K, k)
        Target of each class, as ``estimates.class_codes(range(K), K)``.
    lam : float
        λ, at least 0.
    constant : bool
        Whether an unpenalised constant is fitted too.

    Returns
    -------
    array (n, k)
        The estimate at all points.
    """
    rows, classes = _check_labels(rows, classes, W.shape[1], len(codes))
    V = W[:, rows]
    padded, m = np.pad(codes[classes], ((0, int(constant)), (0, 0))), len(rows)
    weights = _system(V, m * _ridge(lam, np.einsum("ij,ij->j", W, W)), constant, padded)
    return W.T @ (V @ weights[:m]) + (weights[m] if constant and m else 0.0)


def _ridge(lam: float, diagonal: Array) -> float:
    """λ, or a least ridge relative to the squared norms (n,) of the points."""
    return max(lam, RIDGE_FLOOR * max(diagonal.max(initial=0.0), 1e-300))


def _system(V: Array, ridge: float, constant: bool, right: Array) -> Array:
    """Solve with VᵀV + ridge I, bordered by ones for an unpenalised constant."""
    m = V.shape[1]
    if not m:  # no label yet: the estimate is 0
        return np.zeros((int(constant), right.shape[1]))
    factor = cho_factor(V.T @ V + ridge * np.eye(m), lower=True, check_finite=False)
    weights = cho_solve(factor, right[:m], check_finite=False)
    if not constant:
        return weights
    # The border is eliminated: its ones may differ from the other entries by orders of magnitude.
    one = cho_solve(factor, np.ones((m, 1)), check_finite=False)
    offset = (weights.sum(axis=0) - right[m:]) / one.sum()
    return np.vstack([weights - one * offset, offset])


def _mean_square(W, VA, offset, drift, step, mass) -> Array:
    """E_n|drift + step_x c_x|² for every x, with c_x = (w_x − Vα_x)ᵀW − offset_x; shape (n,)."""
    n = W.shape[1]
    mass = W @ W.T / n if mass is None else mass
    C = W - VA
    squares = np.einsum("ij,ij->j", C, mass @ C)
    cross = (W @ drift / n).T @ C  # (k, n), E[drift c_x] without the offset
    if len(offset):
        mean = W.mean(axis=1) @ C
        squares += offset[0] * (offset[0] - 2.0 * mean)
        cross -= np.outer(drift.mean(axis=0), offset[0])
    square = (step**2).sum(axis=1) * squares + 2.0 * np.einsum("jk,kj->j", step, cross)
    return np.maximum(square + np.mean((drift**2).sum(axis=1)), 0.0)


def _check_labels(rows, classes, n: int, n_classes: int) -> tuple[Array, Array]:
    rows, classes = np.asarray(rows, dtype=int), np.asarray(classes, dtype=int)
    if rows.shape != classes.shape or rows.ndim != 1:
        raise ValueError("rows and classes must be lists of the same length.")
    if len(rows) and (rows.min() < 0 or rows.max() >= n):
        raise ValueError(f"rows must be between 0 and {n - 1}, the points of W.")
    if len(np.unique(rows)) < len(rows):
        raise ValueError("rows contains a point twice: give every labelled point once.")
    if len(rows) and (classes.min() < 0 or classes.max() >= n_classes):
        raise ValueError(f"classes must be codes from 0 to {n_classes - 1}.")
    return rows, classes
