"""Mass, stiffness, Gram and load of a trial space, in one streaming pass over the data.

Work goes in blocks of rows, so that memory is O(block·p + p²) whatever n is, and almost all time
is spent in BLAS. All expectations are means over the samples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import dgemm, dsyrk

from lapviz import operators
from lapviz.fourier import FourierSpace
from lapviz.kernels import DistanceKernel, Gaussian, clear_coincidences
from lapviz.trial_spaces import KernelSpace, TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Forms:
    """Bilinear forms on a trial space of p functions (the constant first, if it is there).

    Attributes
    ----------
    mass : array (p, p), M = E_n[φφᵀ]
    stiffness : array (p, p), S = E_n[Σ_l ⟨u_l, ∇φ⟩⟨u_l, ∇φ⟩ᵀ]
    gram : array (p, p), K, the RKHS Gram matrix
    n_samples : int
    load : array (p, k) or None, b = mean of φ(x) y over the labelled samples
    """

    mass: Array
    stiffness: Array
    gram: Array
    n_samples: int
    load: Array | None = None

    def penalty(self, mu: float) -> Array:
        """S + μK, the form behind the Dirichlet energy and its RKHS regulariser."""
        if not mu:
            return self.stiffness
        total = mu * self.gram
        total += self.stiffness
        return total


def assemble(
    space: TrialSpace,
    X: Array,
    operator="laplacian",
    *,
    y: Array | None = None,
    labelled: Array | None = None,
    block: int | None = None,
) -> Forms:
    """Forms of ``space`` over the sample ``X`` (SSL21 Algorithm 1; GAL23 Algorithm 2, as means).

    Parameters
    ----------
    space : TrialSpace; KernelSpace and FourierSpace have faster formulas than the general one
    X : array (n, d)
    operator : str or operator object, default "laplacian"
    y : array (n,) or (n, k), optional
        Targets; with them the load is assembled in the same pass.
    labelled : boolean array (n,), optional
        Which rows of ``y`` count; all of them by default.
    block : int, optional
        Rows handled at once; by default such that a few blocks fit the cache.

    Raises
    ------
    ValueError
        If shapes do not fit or X is not finite.
    """
    X = space._check(X)
    targets = _load_weights(X, y, labelled)
    operator, d = operators.get(operator), space.n_features
    own = hasattr(operator, "stiffness")  # then the pass looks along no direction at all
    directions = (NoEnergy() if own else operator).directions(X)
    if directions is not None and directions.shape[::2] != (len(X), d):
        raise ValueError(
            f"The operator's directions must have shape ({len(X)}, q, {d}), got {directions.shape}."
        )
    if isinstance(space, KernelSpace):
        block = block or max(64, min(2048, (1 << 18) // space.n_functions))
        sums = _Sums(space, min(block, len(X)), directions is None)
    elif isinstance(space, FourierSpace):
        block = block or max(64, min(2048, (1 << 20) // space.n_functions))
        sums = _WaveSums(space)
    else:
        block = block or max(16, min(2048, (1 << 20) // (space.n_functions * d)))
        sums = _PlainSums(space)
    for start in range(0, len(X), block):
        rows = slice(start, start + block)
        sums.add(
            X[rows],
            None if directions is None else directions[rows],
            None if targets is None else targets[rows],
        )
    found = sums.forms(len(X))
    return replace(found, stiffness=_own_stiffness(operator, space, X)) if own else found


@dataclass(frozen=True)
class NoEnergy:
    """An operator that looks along no direction: the stiffness is 0, and costs nothing."""

    def directions(self, X: Array) -> Array:
        return np.empty((len(X), 0, X.shape[1]))


def mass(space: TrialSpace, X: Array) -> Array:
    """M = E_n[φφᵀ] alone, shape (p, p)."""
    return assemble(space, X, NoEnergy()).mass


def _own_stiffness(operator, space: TrialSpace, X: Array) -> Array:
    S = np.asarray(operator.stiffness(space, X), dtype=float)
    if S.shape != (space.n_functions,) * 2:
        raise ValueError(
            f"The operator's stiffness must have shape {(space.n_functions,) * 2}, got {S.shape}."
        )
    return 0.5 * (S + S.T)


def load(space: TrialSpace, X: Array, y: Array) -> Array:
    """b = mean of φ(x) y over the labelled points, shape (p,) or (p, k)."""
    return space.phi(X).T @ np.asarray(y, dtype=float) / len(X)


def _load_weights(X, y, labelled) -> Array | None:
    """Targets (n, k), zero where unlabelled and divided so that a plain sum gives the mean."""
    if y is None:
        return None
    y = np.array(y, dtype=float)
    y = y[:, None] if y.ndim == 1 else y
    labelled = np.ones(len(y), bool) if labelled is None else np.asarray(labelled, bool)
    if len(y) != len(X) or len(labelled) != len(X):
        raise ValueError("y and labelled must have one entry for each row of X.")
    if not labelled.any():
        raise ValueError("No sample is labelled: mark at least one.")
    y[~labelled] = 0.0
    return y / labelled.sum()


class _PlainSums:
    """Running sums over any trial space, from its values and gradients."""

    def __init__(self, space: TrialSpace):
        self.space, p = space, space.n_functions
        self.mass, self.stiff = np.zeros((p, p), order="F"), np.zeros((p, p), order="F")
        self.load: Array | None = None

    def add(self, X: Array, directions: Array | None, targets: Array | None) -> None:
        phi = np.ascontiguousarray(self.space.phi(X))
        self.mass = _syrk(phi, self.mass)
        if directions is None or directions.shape[1]:
            self._add_slopes(X, directions)
        if targets is not None:
            part = phi.T @ targets
            self.load = part if self.load is None else self.load + part

    def _add_slopes(self, X: Array, directions: Array | None) -> None:
        G = self.space.gradient(X)
        G = G if directions is None else directions @ G
        self.stiff = _syrk(np.ascontiguousarray(G).reshape(-1, G.shape[2]), self.stiff)

    def forms(self, n: int) -> Forms:
        M, S = mirror(self.mass), mirror(self.stiff)
        return Forms(M / n, S / n, self.space.gram, n, self.load)


class _WaveSums(_PlainSums):
    """Running sums over random waves: ∇φ_j = t_j ω_j, so S = (ΩΩᵀ) ∘ E[ttᵀ], whatever d."""

    ambient = False

    def _add_slopes(self, X: Array, directions: Array | None) -> None:
        if directions is None:
            self.ambient = True
            self.stiff = _syrk(self.space.steepness(X), self.stiff)
            return
        for l in range(directions.shape[1]):
            self.stiff = _syrk(self.space.slope(X, directions[:, l]), self.stiff)

    def forms(self, n: int) -> Forms:
        found = super().forms(n)
        if not self.ambient:
            return found
        return replace(found, stiffness=found.stiffness * self.space.wave_gram)


class _Buffers(NamedTuple):
    q: Array
    t: Array
    r2: Array
    extra: list[Array]


class _Sums:
    """Running sums of one pass. Upper triangles only (BLAS syrk); mirrored once at the end."""

    def __init__(self, space: KernelSpace, block: int, ambient: bool):
        p, d = space.landmarks.shape
        self.space, self.kernel = space, space.kernel
        self.C = space.landmarks - space.center
        self.cc = np.einsum("ij,ij->i", self.C, self.C)
        self.mass, self.stiff = np.zeros((p, p), order="F"), np.zeros((p, p), order="F")
        # The distance formula for d > 3 and the dot-product one also need TᵀT.
        self.slopes = np.zeros((p, p), order="F")
        self.mean = np.zeros(p)
        self.load: Array | None = None
        self.near = isinstance(self.kernel, DistanceKernel) and d <= 3
        self.ambient = ambient
        n_extra = d if self.near else 1
        self.buffers = _Buffers(
            *(np.empty((block, p)) for _ in range(3)),
            [np.empty((block, p)) for _ in range(n_extra)],
        )

    def add(self, X: Array, directions: Array | None, targets: Array | None) -> None:
        b = len(X)
        q, t, r2 = self.buffers.q[:b], self.buffers.t[:b], self.buffers.r2[:b]
        extra = [e[:b] for e in self.buffers.extra]
        X = X - self.space.center
        if not isinstance(self.kernel, DistanceKernel):
            self._add_dot(X, directions, q, t, r2)
        elif self.near:
            self._add_near(X, directions, q, t, r2, extra)
        else:
            self._add_far(X, directions, q, t, r2, extra[0])
        self.mass = _syrk(q, self.mass)
        self.mean += q.sum(axis=0) if b < 8 else np.ones(b) @ q
        if targets is not None:
            part = np.vstack([targets.sum(axis=0), q.T @ targets])
            self.load = part if self.load is None else self.load + part

    def _add_near(self, X, directions, q, t, r2, diffs) -> None:
        """d ≤ 3: one difference matrix a coordinate, exact 0 at coincidences."""
        for l, diff in enumerate(diffs):
            np.subtract(X[:, l, None], self.C[:, l], out=diff)
            if l == 0:
                np.multiply(diff, diff, out=r2)
            else:
                np.multiply(diff, diff, out=t)
                r2 += t
        self.kernel.profile(r2, q, t)
        if directions is None:
            for diff in diffs:
                diff *= t
                self.stiff = _syrk(diff, self.stiff)
            return
        for l in range(directions.shape[1]):
            np.multiply(diffs[0], directions[:, l, 0, None], out=r2)
            for k in range(1, len(diffs)):
                r2 += diffs[k] * directions[:, l, k, None]
            r2 *= t
            self.stiff = _syrk(r2, self.stiff)

    def _add_far(self, X, directions, q, t, r2, half) -> None:
        """Any d, by ⟨x − c, x − c′⟩ = (r² + r′² − ‖c − c′‖²)/2: no loop over coordinates."""
        xx = np.einsum("ij,ij->i", X, X)
        np.matmul(X, -2.0 * self.C.T, out=r2)
        r2 += xx[:, None]
        r2 += self.cc
        zeros = clear_coincidences(r2, xx, self.cc)
        if directions is None:
            np.multiply(r2, 0.5, out=half)
        self.kernel.profile(r2, q, t)
        if self.kernel.cusp:
            t[zeros] = 0.0
        if directions is None:
            half *= t
            # One full product TᵀN, symmetrised at the end, is faster than syr2k of both.
            self.stiff = dgemm(1.0, t.T, half.T, beta=1.0, c=self.stiff, trans_b=1, overwrite_c=1)
            if not isinstance(self.kernel, Gaussian):
                self.slopes = _syrk(t, self.slopes)
            return
        for l in range(directions.shape[1]):
            u = np.ascontiguousarray(directions[:, l])
            np.matmul(u, -self.C.T, out=half)
            half += np.einsum("ij,ij->i", X, u)[:, None]
            half *= t
            self.stiff = _syrk(half, self.stiff)

    def _add_dot(self, X, directions, q, t, u) -> None:
        """k = q(xᵀc): ∇k = q′ c, so S = (CCᵀ)∘(QᵀQ) with Q = q′(XCᵀ)."""
        np.matmul(X, self.C.T, out=u)
        self.kernel.profile(u, q, t)
        if directions is None:
            self.slopes = _syrk(t, self.slopes)
            return
        for l in range(directions.shape[1]):
            np.matmul(np.ascontiguousarray(directions[:, l]), self.C.T, out=u)
            u *= t
            self.stiff = _syrk(u, self.stiff)

    def forms(self, n: int) -> Forms:
        M, mean = mirror(self.mass), self.mean
        far = self.ambient and not self.near
        if far and isinstance(self.kernel, DistanceKernel):
            S = self.stiff + self.stiff.T
            squares = (
                M * self.kernel.slope_factor**2
                if isinstance(self.kernel, Gaussian)
                else mirror(self.slopes)
            )
            S -= _half_distances(self.C, self.cc) * squares
        else:
            S = mirror(self.stiff)
            if far:
                S += (self.C @ self.C.T) * mirror(self.slopes)
        for total in (M, S, mean):
            total /= n
        load = self.load
        if self.space.constant:
            M, S = _bordered(M), _bordered(S)
            M[0, 0], M[0, 1:], M[1:, 0] = 1.0, mean, mean
        elif load is not None:
            load = load[1:]
        return Forms(M, S, self.space.gram, n, load)


def _syrk(G: Array, total: Array) -> Array:
    """total += GᵀG on the upper triangle, in place; G is C-ordered, so that no copy is made."""
    return dsyrk(1.0, G.T, beta=1.0, c=total, overwrite_c=1)


def mirror(upper: Array, tile: int = 256) -> Array:
    """The symmetric matrix, C-ordered, from the upper triangle of an F-ordered one; in place."""
    full = upper.T
    for start in range(0, len(full), tile):
        rows, below = slice(start, start + tile), slice(start + tile, None)
        corner = full[rows, rows]
        corner += np.tril(corner, -1).T - np.triu(corner, 1)
        full[rows, below] = full[below, rows].T
    return full


def _bordered(form: Array) -> Array:
    """A zero row and column in front, for the constant."""
    out = np.zeros((len(form) + 1,) * 2)
    out[1:, 1:] = form
    return out


def _half_distances(C: Array, cc: Array) -> Array:
    half = 0.5 * (cc[:, None] + cc) - C @ C.T
    half = 0.5 * (half + half.T)
    np.fill_diagonal(half, 0.0)
    return half
