"""Closed-form spectra of the diffusion operator, and eigenfunctions of the simplest ones.

With rho the law of the data, the operator is the one whose Dirichlet energy is
E ||grad g||^2 (GAL23 eq. 3; on a manifold, the tangential gradient). Eigenvalues ascend, are
repeated with their multiplicity, and start with the constant's 0. Eigenfunctions come in the
same order and have mean square 1 under rho.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from math import comb, pi, sqrt

import numpy as np

from lapviz.checks import check_count

Array = np.ndarray
MultiIndex = tuple[int, ...]


@dataclass(frozen=True)
class Truth:
    """Known spectrum and Bayes error of a data set.

    Parameters
    ----------
    eigenvalues : tuple of float, or None
        The leading eigenvalues, ascending, with multiplicity and the zeros; None if unknown.
    operator : {"laplacian", "tangent"}, or None
        The operator of these eigenvalues, with the ambient or the tangential gradient.
    note : str
        One or two sentences on the source of the values and when they hold.
    bayes_error : float, or None
        Smallest error rate of any classifier; None if unknown.
    functions : callable, or None
        (X, k) to the first k eigenfunctions at X (n, d), array (n, k), in the order of
        ``eigenvalues`` and with mean square 1; None if unknown.
    """

    eigenvalues: tuple[float, ...] | None = None
    operator: str | None = None
    note: str = ""
    bayes_error: float | None = None
    functions: Callable[[Array, int], Array] | None = field(default=None, compare=False, repr=False)


def _by_cost(dim: int, cost: Callable[[MultiIndex], float]) -> Iterator[tuple[float, MultiIndex]]:
    """All multi-indices of N^dim by ascending cost; the cost must grow in every entry.

    Each index has one parent (its last non-zero entry lowered by one), so it enters the heap once.
    """
    origin: MultiIndex = (0,) * dim
    heap: list[tuple[float, MultiIndex]] = [(cost(origin), origin)]
    while True:
        value, index = heapq.heappop(heap)
        yield value, index
        last = max((l for l in range(dim) if index[l]), default=0)
        for l in range(last, dim):
            child = (*index[:l], index[l] + 1, *index[l + 1 :])
            heapq.heappush(heap, (cost(child), child))


def _squares(index: MultiIndex) -> int:
    return sum(j * j for j in index)


def _box_energy(lengths: tuple[float, ...]) -> Callable[[MultiIndex], float]:
    """Neumann eigenvalue of each product of cosines on a box with these sides."""
    return lambda index: sum((pi * j / a) ** 2 for j, a in zip(index, lengths, strict=True))


def _lowest(dim: int, cost: Callable[[MultiIndex], float], k: int) -> Array:
    """The k lowest costs, ascending."""
    dim, k = check_count("d", dim), check_count("k", k)
    return np.array([value for value, _ in islice(_by_cost(dim, cost), k)], dtype=float)


def _torus_modes(dim: int) -> Iterator[tuple[float, MultiIndex, tuple[bool, ...]]]:
    """(eigenvalue, frequencies, is_sine per circle): a sine only where the frequency is not 0."""
    for value, index in _by_cost(dim, _squares):
        for sines in product(*[(False, True) if j else (False,) for j in index]):
            yield value, index, sines


# ---------------------------------------------------------------------------- eigenvalues


def gaussian_spectrum(d: int, k: int) -> Array:
    """First k eigenvalues for N(0, I_d): the integers s, each C(d + s − 1, s) times.

    Parameters
    ----------
    d : int
        Dimension.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².
    """
    return _lowest(d, sum, k)


def cube_spectrum(d: int, k: int) -> Array:
    """First k Neumann eigenvalues of the uniform law on [0, 1]^d: π² Σ_l j_l².

    Parameters
    ----------
    d : int
        Dimension.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².
    """
    return pi**2 * _lowest(d, _squares, k)


def rectangle_spectrum(lengths: tuple[float, ...], k: int) -> Array:
    """First k Neumann eigenvalues of a box with these side lengths: π² Σ_l (j_l/a_l)².

    Parameters
    ----------
    lengths : tuple of float
        a, above 0.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².

    Raises
    ------
    ValueError
        If a length is not a positive number, or there is none.
    """
    if not lengths or not all(np.isfinite(a) and a > 0 for a in lengths):
        raise ValueError(f"lengths must be positive numbers, at least one; got {lengths!r}.")
    return _lowest(len(lengths), _box_energy(lengths), k)


def torus_spectrum(dim: int, k: int) -> Array:
    """First k tangential eigenvalues of a product of unit circles: Σ_l j_l², j_l in ℤ.

    Parameters
    ----------
    dim : int
        Number of circles.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².
    """
    dim, k = check_count("dim", dim), check_count("k", k)
    return np.array([value for value, _, _ in islice(_torus_modes(dim), k)], dtype=float)


def circle_spectrum(k: int, radius: float = 1.0) -> Array:
    """First k tangential eigenvalues of a circle: 0, then (j/radius)² twice each.

    Parameters
    ----------
    k : int
        How many, at least 1.
    radius : float, default 1
        In the units of the data.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².

    Raises
    ------
    ValueError
        If the radius is not a positive number.
    """
    if not (np.isfinite(radius) and radius > 0):
        raise ValueError(f"radius must be a positive number; got {radius!r}.")
    return torus_spectrum(1, k) / radius**2


def sphere_multiplicity(d: int, s: int) -> int:
    """Dimension of the spherical harmonics of degree s on S^(d−1) in R^d (GAL23 §7.1).

    (2s + d − 2)/s · C(s + d − 3, s − 1) for s > 0; 1 for s = 0, the constant.

    Parameters
    ----------
    d : int
        Dimension.
    s : int
        Degree, at least 0.

    Returns
    -------
    int
        The dimension.
    """
    d, s = check_count("d", d, 2), check_count("s", s, 0)
    # the product is divisible by s, its factors need not be
    return 1 if s == 0 else (2 * s + d - 2) * comb(s + d - 3, s - 1) // s


def sphere_spectrum(d: int, k: int) -> Array:
    """First k tangential eigenvalues of S^(d−1) in R^d: s(s + d − 2) (GAL23 §7.1).

    Parameters
    ----------
    d : int
        Dimension of the space around the sphere.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².
    """
    d, k = check_count("d", d, 2), check_count("k", k)
    values: list[float] = []
    s = 0
    while len(values) < k:
        values += [float(s * (s + d - 2))] * min(sphere_multiplicity(d, s), k - len(values))
        s += 1
    return np.array(values)


def half_moons_spectrum(k: int) -> Array:
    """First k eigenvalues of two thin arcs of length π: 0, 1, 4, 9, … each twice.

    On an arc of length π the Neumann cosines cos(js) have energy j².

    Parameters
    ----------
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².
    """
    return (np.arange(check_count("k", k)) // 2).astype(float) ** 2


def circles_spectrum(radii: tuple[float, ...], k: int) -> Array:
    """First k tangential eigenvalues of separate circles: the sorted union of theirs.

    Parameters
    ----------
    radii : tuple of float
        One for each circle, above 0.
    k : int
        How many, at least 1.

    Returns
    -------
    array (k,)
        Eigenvalues, ascending, in 1/length².

    Raises
    ------
    ValueError
        If there is no circle, or a radius is not a positive number.
    """
    k = check_count("k", k)
    if not radii:
        raise ValueError("radii must name at least one circle.")
    return np.sort(np.concatenate([circle_spectrum(k, radius=r) for r in radii]))[:k]


# ------------------------------------------------------------------------- eigenfunctions


def _points(X: Array) -> Array:
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError(f"X must have shape (n, d) with d >= 1; got shape {X.shape}.")
    return X


def gaussian_eigenfunctions(X: Array, k: int) -> Array:
    """First k eigenfunctions for N(0, I_d): products of Hermite polynomials He_j(x_l)/√(j!).

    Parameters
    ----------
    X : array (n, d)
        Points.
    k : int
        How many, at least 1.

    Returns
    -------
    array (n, k)
        Eigenfunctions in columns, mean square 1.
    """
    X, k = _points(X), check_count("k", k)
    indices = [index for _, index in islice(_by_cost(X.shape[1], sum), k)]
    # normalised recurrence: sqrt(j + 1) h_{j+1} = x h_j - sqrt(j) h_{j-1}
    hermite = [np.ones_like(X), X]
    for j in range(1, max(map(max, indices))):
        hermite.append((X * hermite[j] - sqrt(j) * hermite[j - 1]) / sqrt(j + 1))
    return np.column_stack(
        [np.prod([hermite[j][:, l] for l, j in enumerate(ix)], axis=0) for ix in indices]
    )


def cube_eigenfunctions(X: Array, k: int) -> Array:
    """First k eigenfunctions of [0, 1]^d: products of √2 cos(πjx_l).

    Parameters
    ----------
    X : array (n, d)
        Points.
    k : int
        How many, at least 1.

    Returns
    -------
    array (n, k)
        Eigenfunctions in columns, mean square 1.
    """
    X, k = _points(X), check_count("k", k)
    return _cosines(X, np.ones(X.shape[1]), _squares, k)


def rectangle_eigenfunctions(lengths: tuple[float, ...], U: Array, k: int) -> Array:
    """First k Neumann eigenfunctions of a box.

    Parameters
    ----------
    lengths : tuple of d floats
        Of the box's sides.
    U : array (n, d)
        Points in it; the coordinates begin at 0.
    k : int
        How many, at least 1.

    Returns
    -------
    array (n, k)
        Eigenfunctions in columns, mean square 1.
    """
    U, k = _points(U), check_count("k", k)
    return _cosines(U, lengths, _box_energy(lengths), k)


def _cosines(X: Array, lengths, cost: Callable[[MultiIndex], float], k: int) -> Array:
    """Products of √2 cos(πjx_l/a_l) at X (n, d), the k of the lowest cost; (n, k)."""
    out = np.ones((len(X), k))
    for i, (_, index) in enumerate(islice(_by_cost(len(lengths), cost), k)):
        for l, j in enumerate(index):
            if j:
                out[:, i] *= sqrt(2) * np.cos(pi * j * X[:, l] / lengths[l])
    return out


def torus_eigenfunctions(X: Array, k: int) -> Array:
    """First k eigenfunctions of the flat torus: Fourier products.

    Parameters
    ----------
    X : array (n, 2 dim)
        Points; columns 2l and 2l + 1 hold cos and sin of the l-th angle.
    k : int
        How many, at least 1.

    Returns
    -------
    array (n, k)
        Eigenfunctions in columns, mean square 1.

    Raises
    ------
    ValueError
        If X has an odd number of columns.
    """
    X, k = _points(X), check_count("k", k)
    if X.shape[1] % 2:
        raise ValueError(f"A torus lives in an even dimension; X has {X.shape[1]} columns.")
    angles = np.arctan2(X[:, 1::2], X[:, ::2])
    out = np.ones((X.shape[0], k))
    for i, (_, index, sines) in enumerate(islice(_torus_modes(angles.shape[1]), k)):
        for l, (j, is_sine) in enumerate(zip(index, sines, strict=True)):
            if j:
                out[:, i] *= sqrt(2) * (np.sin if is_sine else np.cos)(j * angles[:, l])
    return out


def circle_eigenfunctions(X: Array, k: int) -> Array:
    """First k eigenfunctions of the unit circle: 1, cos, sin, and their multiples.

    Parameters
    ----------
    X : array (n, 2)
        Points.
    k : int
        How many, at least 1.

    Returns
    -------
    array (n, k)
        Eigenfunctions in columns, mean square 1.

    Raises
    ------
    ValueError
        If X has another number of columns.
    """
    X = _points(X)
    if X.shape[1] != 2:
        raise ValueError(f"Points of a circle have 2 columns; X has {X.shape[1]}.")
    return torus_eigenfunctions(X, k)
