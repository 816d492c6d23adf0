r"""Partial labels: the smoothest function that agrees with sets of candidate classes (SSL21 A.2).

At a labelled point only a set s of candidate classes is known, one of which is true. With c_y the
code of class y, the infimum loss min_{y∈s} |g(x) − c_y|² requires g to be close to *some*
candidate, and the energy decides which (Cabannes, Rudi and Bach 2020):

    min over g and y_i ∈ s_i of   E_ℓ|g(x_i) − c_{y_i}|² + λ(E_n‖∇g‖² + μ‖g‖²_H).

Alternating minimisation: for given classes g is the estimate of SSL21 eq. 5; for given g every y_i
is the candidate nearest to g(x_i). No step raises the objective, and there are finitely many
choices, so it terminates; the result depends on the start. The start is the minimum of the
convex problem with the *convex hull* of the codes in s_i in place of the codes, computed by the
same alternation from each set's mean code.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from lapviz import progress
from lapviz.checks import as_python, check_count, check_dense, check_nonnegative, is_missing
from lapviz.estimates.labelled import EnergyFactor, LabelSystem

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
    hull_objective : array (H,), objective of the preceding convex stage; never rises
    converged : bool
    """

    coefficients: Array
    chosen: Array
    objective: Array
    changed: Array
    hull_objective: Array
    converged: bool


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
        Factor of S + μK.
    phi : array (n_labelled, p)
        Test functions at the points that have candidate sets.
    candidates : boolean array (n_labelled, K)
        Candidate classes of each point; no row may be all False.
    codes : array (K, k)
        Targets of the classes, as ``estimates.class_codes(range(K), K)``.
    lam : float
        λ, above 0: with λ = 0 the initial classes would be interpolated.
    weights : array (n_labelled,), optional
        Weights of the points in the mean loss.
    max_iter : int
        Maximum number of steps of each stage.
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
    candidates, codes = np.asarray(candidates, dtype=bool), np.asarray(codes, dtype=float)
    n = len(phi)
    if candidates.shape != (n, len(codes)):
        raise ValueError(f"candidates must have shape ({n}, {len(codes)}), got {candidates.shape}.")
    empty = np.flatnonzero(~candidates.any(axis=1))
    if empty.size:
        raise ValueError(f"The candidate set of row {empty[0]} is empty: it must contain a class.")
    system = LabelSystem(factor, phi, weights)  # factorised once: O(n r) per fit
    shares, psi = system.shares[:, None], 1.0 / (np.maximum(system.s, 0.0) + lam)

    def fit(targets: Array) -> tuple[Array, Array, Array, float]:
        """Whitened coefficients, offset, values (n, k) at the points, and the objective."""
        mean = (shares * targets).sum(axis=0) if factor.constant else np.zeros(targets.shape[1])
        theta = system.solve(targets - mean, psi)
        values = (system.W - system.center).T @ theta + mean
        objective = (shares * (values - targets) ** 2).sum() + lam * (theta**2).sum()
        return theta, system.offset(theta, mean), values, float(objective)

    def report_progress(stage: str, step: int, objective: float, n_changed: int) -> bool:
        partial = PartialProgress(stage, step, objective, n_changed)
        name = f"candidate classes, {stage}"
        return progress.step(name, step, partial=partial, callback=callback)

    theta, offset, values, loss = fit(candidates @ codes / candidates.sum(axis=1, keepdims=True))
    hull = [loss]
    stopped = report_progress("hull", 0, loss, n)
    ambiguous = (candidates.sum(axis=1) > 1).any()
    while ambiguous and not stopped and len(hull) < max_iter:
        theta, offset, values, loss = fit(nearest_in_hull(values, candidates, codes))
        hull.append(loss)
        stopped = report_progress("hull", len(hull) - 1, loss, n)
        if hull[-2] - loss <= tol * hull[-2]:
            break
    chosen, objective, changed = np.full(n, -1), [], []
    while len(objective) < max_iter:
        nearest = nearest_candidate(values, candidates, codes)
        n_changed = int(np.sum(nearest != chosen))
        if not n_changed:
            break
        chosen = nearest
        theta, offset, values, loss = fit(codes[chosen])
        objective.append(loss)
        changed.append(n_changed)
        if stopped := (report_progress("classes", len(objective), loss, n_changed) or stopped):
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


def nearest_candidate(values: Array, candidates: Array, codes: Array) -> Array:
    """argmin_{y ∈ s_i} |g(x_i) − c_y|², shape (n,); ties go to the first class.

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

    Codes are those of :func:`lapviz.estimates.class_codes`: centred one-hot codes, whose hull is a
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
    shift = codes[0].min()  # codes − shift is one-hot
    v = np.where(candidates, values - shift, -np.inf)
    # Projection on the simplex: max(v − τ, 0) with τ such that the sum is 1.
    order = -np.sort(-v, axis=1)
    counts = np.arange(1, v.shape[1] + 1)
    with np.errstate(invalid="ignore"):
        tau = (np.cumsum(np.where(np.isfinite(order), order, 0.0), axis=1) - 1.0) / counts
        last = (order > tau).sum(axis=1) - 1
    tau = tau[np.arange(len(v)), last]
    return np.maximum(v - tau[:, None], 0.0) + shift


def candidate_matrix(candidates, n_samples: int) -> tuple[Array, Array, Array]:
    """Convert candidate sets to a boolean matrix, with its classes and informative rows.

    Parameters
    ----------
    candidates : boolean array (n, K) or sequence of n sets of classes
        Column j of the array is class j. A row that allows every class is uninformative, and so is
        None in place of a set. A single class in place of a set counts as a set of one.
    n_samples : int
        Required number of rows.

    Returns
    -------
    classes : array (K,)
        All classes that occur.
    informative : boolean array (n,)
        Rows that exclude at least one class.
    allowed : boolean array (n_informative, K)
        Candidate sets of these rows.

    Raises
    ------
    ValueError
        If a set is empty, the number of rows is not ``n_samples``, or no row is informative.
    """
    allowed, sets = _read(candidates, n_samples)
    if allowed is not None:
        classes = np.arange(allowed.shape[1])
        has_set = np.ones(len(allowed), dtype=bool)
    else:
        has_set = np.array([entry is not None for entry in sets], dtype=bool)
        try:
            labels = sorted(set().union(*(entry for entry in sets if entry is not None)))
        except TypeError as error:
            raise ValueError("The classes in the candidate sets must be of one type.") from error
        if any(label != label for label in labels):
            raise ValueError(
                "A candidate set holds NaN: give None for a point of which nothing is known."
            )
        if any(isinstance(label, Integral) and label == -1 for label in labels):
            raise ValueError(
                "A candidate set holds -1, which marks unlabelled points: give None for a point of "
                "which nothing is known, or the class another name."
            )
        classes = np.array(labels)
        allowed = allowed_classes(sets, classes, n_samples)
    informative = has_set & ~(allowed.all(axis=1) & (allowed.shape[1] > 1))
    if not informative.any():
        raise ValueError(
            "No candidate set rules out any class: give at least one row with fewer candidates."
        )
    return classes, informative, allowed[informative]


def allowed_classes(candidates, classes: Array, n_samples: int) -> Array:
    """Convert candidate sets to a boolean matrix over given classes.

    Parameters
    ----------
    candidates : boolean array (n, K) or sequence of n sets of classes
        As in :func:`candidate_matrix`; columns are in the order of ``classes``.
    classes : array (K,)
        All classes, sorted.
    n_samples : int
        Required number of rows.

    Returns
    -------
    boolean array (n, K)
        Candidates of every row; all classes where there is no set.

    Raises
    ------
    ValueError
        If a set is empty, the number of rows is not ``n_samples``, or a matrix has another number
        of columns.
    """
    allowed, sets = _read(candidates, n_samples)
    if allowed is None:
        names = classes.tolist()
        rows = [[entry is None or name in entry for name in names] for entry in sets]
        allowed = np.array(rows, dtype=bool)
    if allowed.shape[1] != len(classes):
        raise ValueError(
            f"The matrix of candidates has {allowed.shape[1]} columns for {len(classes)} classes: "
            "give one for each, in the order of classes_."
        )
    return allowed


def _read(candidates, n_samples: int) -> tuple[Array | None, list[set | None]]:
    """Candidates as a boolean matrix, or else None and a list of sets; none of them is empty."""
    check_dense(candidates, "candidates")
    candidates = np.asarray(candidates) if hasattr(candidates, "__array__") else candidates
    is_matrix = isinstance(candidates, np.ndarray) and candidates.ndim == 2
    if not is_matrix:  # rows of booleans, or sets
        candidates = list(candidates)
        is_matrix = len(candidates) > 0 and all(
            isinstance(row, list | tuple | np.ndarray)
            and len(row) > 0
            and all(isinstance(v, bool | np.bool_) for v in row)
            for row in candidates
        )
    if not is_matrix:
        sets = [_as_set(entry) for entry in candidates]
        _check_rows(np.array([entry is None or len(entry) > 0 for entry in sets]), n_samples)
        return None, sets
    allowed = np.asarray(candidates)
    if allowed.dtype != bool and not np.isin(allowed, (0, 1)).all():
        raise ValueError(
            "A matrix of candidates must be boolean, one column for each class: True where "
            "that class is possible."
        )
    if allowed.shape[1] < 1:
        raise ValueError("A matrix of candidates needs one column for each class.")
    allowed = allowed.astype(bool)
    _check_rows(np.asarray(allowed.any(axis=1)), n_samples)
    return allowed, []


def _check_rows(has_any: Array, n_samples: int) -> None:
    if len(has_any) != n_samples:
        raise ValueError(
            f"There are {len(has_any)} candidate sets for {n_samples} samples: give one for each."
        )
    empty = np.flatnonzero(~has_any)
    if empty.size:
        raise ValueError(
            f"The candidate set of row {empty[0]} is empty ({empty.size} in all): a point of which "
            "nothing is known may have any class; give None, or all classes."
        )


def _as_set(entry) -> set | None:
    if is_missing(entry):
        return None
    if isinstance(entry, str) or not isinstance(entry, Iterable):
        entry = (entry,)
    return set(map(as_python, entry))
