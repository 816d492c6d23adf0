"""Accumulators for kernel functions at landmarks (three formulas for the stiffness) and for waves.

Almost all time of a fit is spent here, in BLAS. A block of b rows is an array (p, b), one row per
landmark, which BLAS multiplies fastest. Sums are lower triangles (syrk), mirrored once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lapviz.forms.base import SINGLE_ROWS, Accumulator, accumulator, scale_rows
from lapviz.kernels import DistanceKernel, DotKernel, clear_coincidences
from lapviz.linalg import add_product, mirror
from lapviz.spaces import FourierSpace, KernelSpace

Array = np.ndarray
SINGLE_RANGE = 1e8  # of larger coordinates, or their inverses, no fourth powers fit float32
CACHED_NUMBERS, BLAS_ROWS = 1 << 16, 384  # of a block; OpenBLAS splits sums at 384 for AVX-512
_NEAR = 3  # up to this dimension one difference matrix per coordinate is faster


class _KernelAccumulator(Accumulator):
    """Base class of the three formulas: buffers, and the mean of φ for the row of the constant.

    A subclass writes q (p, b) for the rows X (d, b) of one block and adds their slopes, both times
    the square roots of the rows' weights (b,). It returns True, with nothing added, if float32 is
    not accurate enough for these rows; ``given`` has them as they came.
    """

    space: KernelSpace
    kernel: Any
    lower = borders = True
    takes_single = True  # whether float32 is accurate enough for its products
    n_extra = 0  # working blocks that the formula needs besides q, t and r²

    def __init__(self, space: KernelSpace, energy: str = "ambient", block: int | None = None):
        super().__init__(space, energy, block)
        self.kernel = space.kernel
        self.C = space.landmarks - space.center
        self.cc = np.einsum("ij,ij->i", self.C, self.C)
        self.mean = np.zeros(len(self.C))
        self._buffers: list[Array] = []
        self._shift: Any = None  # subtracted from float32 blocks of φ
        self._shifted, self._shifted_weight = np.zeros(len(self.C)), 0.0

    def __getstate__(self):
        self._undo_shift()
        return self.__dict__ | {"_buffers": [], "_work": None}  # working memory is not pickled

    def _default_block(self, single: bool = False) -> int:
        if single:  # fewer rows would mean more products to add
            return SINGLE_ROWS
        rows = CACHED_NUMBERS // self.space.n_functions
        return min(2048, BLAS_ROWS * max(1, -(-rows // BLAS_ROWS)))

    def _add(
        self, X: Array, directions: Array | None, targets: Array | None, root: Array | None
    ) -> None:
        b, p, dtype = len(X), len(self.C), self._dtype(X)
        if not self._buffers or len(self._buffers[0]) < p * b or self._buffers[0].dtype != dtype:
            self._buffers = [np.empty(p * b, dtype) for _ in range(3 + self.n_extra)]
        q, *work = (buffer[: p * b].reshape(p, b) for buffer in self._buffers)
        given, others = X, (directions, targets, root)
        X = np.ascontiguousarray((X - self.space.center).T, dtype=dtype)  # subtracted in float64
        root = None if root is None else root.astype(dtype, copy=False)
        C, cc = self.C.astype(dtype, copy=False), self.cc.astype(dtype, copy=False)
        if directions is not None:
            directions = np.ascontiguousarray(np.moveaxis(directions, 0, 2), dtype=dtype)
        if self._add_kernel(given, X, C, cc, directions, root, q, *work):
            self._add(given.astype(np.float64), *others)
            return
        ones = np.ones(b, dtype) if root is None else root
        if dtype == np.float32:
            self._subtract_shift(q, ones)
        self._add_squares("mass", q.T)
        total = q.sum(axis=1) if root is None and b < 8 else q @ ones
        sums = self._shifted if dtype == np.float32 else self.mean
        sums += total
        if targets is not None:
            if dtype == np.float32:
                q += self._shift[:, None] * ones
            targets = scale_rows(targets, root)
            load = q @ targets
            self._add_load(np.vstack([ones @ targets, load]) if self.space.constant else load)

    def _subtract_shift(self, q: Array, root: Array) -> None:
        """Subtract the approximate mean from φ in float32.

        Rounding of products is in proportion to their size, and most of φφᵀ is due to the mean,
        which is known more accurately: the mass has 20 times less rounding without it.
        """
        if self._shift is None:
            self._shift = (q / np.where(root > 0, root, 1)).mean(axis=1)
        shift = self._shift[:, None]
        q -= shift if (root == 1).all() else shift * root
        self._shifted_weight += float(np.square(root, dtype=float).sum())

    def _undo_shift(self) -> None:
        """Add what was subtracted from the float32 blocks back into the sums."""
        if not self._shifted_weight:
            return
        a = np.asarray(self._shift, dtype=np.float64)
        cross = np.outer(self._shifted, a)
        self.sums["mass"] += cross + cross.T + self._shifted_weight * np.outer(a, a)
        self.mean += self._shifted + self._shifted_weight * a
        self._shifted[:], self._shifted_weight = 0.0, 0.0

    def _dtype(self, X: Array) -> np.dtype:
        """float32 for a float32 block, unless squares overflow or functions are dependent."""
        if X.dtype != np.float32 or not self.takes_single:
            return np.dtype(np.float64)
        scale = float(self.kernel.bandwidth)
        small = scale > 1 / SINGLE_RANGE and np.abs(X).max() + scale < SINGLE_RANGE
        return np.dtype(np.float32 if small and self.space.takes_single else np.float64)

    def _add_kernel(
        self, given, X, C, cc, directions, root, q: Array, t: Array, r2: Array, *work
    ) -> bool | None:
        raise NotImplementedError

    def _profile(self, r2: Array, q: Array, t: Array, root: Array | None) -> None:
        """The kernel's profiles q and t, times the square roots of the weights.

        Values whose squares are subnormal become 0: BLAS takes several times as long for them.
        """
        self.kernel.profile(r2, q, t)
        smallest = np.sqrt(np.finfo(q.dtype).tiny)
        if q.size and 0.0 <= q.min() < smallest:
            negligible = q < smallest
            q[negligible] = t[negligible] = 0.0
        if root is not None:
            q *= root
            t *= root

    def merge(self, other: Any):
        self._undo_shift()
        other._undo_shift()
        super().merge(other)
        self.mean += other.mean
        return self

    def forms(self):
        self._undo_shift()
        return super().forms()

    def _mass_and_stiffness(self) -> tuple[Array, Array]:
        ambient = self.energy == "ambient"
        M, S = self._total("mass"), self._ambient() if ambient else self._total("stiffness")
        if not self.space.constant:
            return M, S
        M, S = (np.pad(form, ((1, 0), (1, 0))) for form in (M, S))  # the constant has no slope
        M[0, 0], M[0, 1:], M[1:, 0] = self.weight, self.mean, self.mean
        return M, S

    def _ambient(self) -> Array:
        return self._total("stiffness")


class _NearAccumulator(_KernelAccumulator):
    """Distance kernels, d ≤ 3: one difference matrix per coordinate, exactly 0 where x = c.

    Always in float64: functions of few variables are nearly dependent.
    """

    takes_single = False

    @property
    def n_extra(self) -> int:
        return self.space.n_features

    def _add_kernel(self, given, X, C, cc, directions, root, q, t, r2, *diffs) -> None:
        for l, diff in enumerate(diffs):
            np.subtract(X[l], C[:, l, None], out=diff)
            np.square(diff, out=t if l else r2)
            if l:
                r2 += t
        self._profile(r2, q, t, root)
        if self.energy == "ambient":
            for diff in diffs:
                diff *= t
                self._add_squares("stiffness", diff.T)
        elif self.energy == "directions":
            for u in directions:
                np.multiply(diffs[0], u[0], out=r2)
                for k in range(1, len(diffs)):
                    r2 += diffs[k] * u[k]
                r2 *= t
                self._add_squares("stiffness", r2.T)


class _FarAccumulator(_KernelAccumulator):
    """Distance kernels, any d: ⟨x − c, x − c′⟩ = (r² + r′² − ‖c − c′‖²)/2, no loop over d."""

    n_extra = 1

    def _names(self) -> tuple[str, ...]:
        squares = self.energy == "ambient" and self.space.kernel.slope_factor is None
        return ("mass", "stiffness", "slopes") if squares else ("mass", "stiffness")

    def _add_kernel(self, given, X, C, cc, directions, root, q, t, r2, half) -> bool:
        ambient = self.energy == "ambient"
        xx, one = np.einsum("ij,ij->j", X, X), np.ones_like
        # ‖c‖² and ‖x‖² are two further columns of the product, which saves two passes.
        left = np.column_stack([-2.0 * C, cc, one(cc)])
        np.matmul(left, np.vstack([X, one(xx), xx]), out=r2)
        zeros = clear_coincidences(r2, cc, xx)
        if r2.dtype == np.float32 and self.kernel.cusp and self.energy != "none":
            # beside a landmark the slope is as steep as anywhere, and only at a copy of it 0
            near, rows = zeros
            are_few = len(rows) <= len(given)  # a row is a copy of one landmark
            if not (are_few and (given[rows] == self.space.landmarks[near]).all()):
                return True
        if ambient:
            np.multiply(r2, 0.5, out=half)
        self._profile(r2, q, t, root)
        if self.kernel.cusp:
            t[zeros] = 0.0
        if ambient:
            half *= t
            # One full product TᵀN, symmetrised at the end, is faster than syr2k of both.
            work = self._work_for(t)
            self.sums["stiffness"] = add_product(t.T, half.T, self.sums["stiffness"], work)
            if "slopes" in self.sums:
                self._add_squares("slopes", t.T)
        elif self.energy == "directions":
            for u in directions:
                np.matmul(-C, u, out=half)
                half += np.einsum("ij,ij->j", X, u)
                half *= t
                self._add_squares("stiffness", half.T)
        return False

    def _ambient(self) -> Array:
        S = self.sums["stiffness"] + self.sums["stiffness"].T
        factor = self.kernel.slope_factor
        squares = self._total("slopes") if factor is None else self._total("mass") * factor**2
        C, cc, one = self.C, self.cc, np.ones_like(self.cc)
        half = np.column_stack([-C, 0.5 * cc, one]) @ np.vstack([C.T, one, 0.5 * cc])
        np.fill_diagonal(half, 0.0)  # ‖c − c′‖²/2
        half *= squares
        S -= half
        return mirror(S.T)  # rounding of the distances may differ between the triangles


class _DotAccumulator(_KernelAccumulator):
    """k = q(xᵀc): ∇k = q′ c, so S = (CCᵀ)∘(QᵀQ) with Q = q′(XCᵀ).

    Always in float64: powers of a product may be 1e36 times the constant.
    """

    takes_single = False

    def _names(self) -> tuple[str, ...]:
        return "mass", "slopes" if self.energy == "ambient" else "stiffness"

    def _add_kernel(self, given, X, C, cc, directions, root, q, t, u) -> None:
        np.matmul(C, X, out=u)
        self._profile(u, q, t, root)
        if self.energy == "ambient":
            self._add_squares("slopes", t.T)
        elif self.energy == "directions":
            for direction in directions:
                np.matmul(C, direction, out=u)
                u *= t
                self._add_squares("stiffness", u.T)

    def _ambient(self) -> Array:
        return (self.C @ self.C.T) * self._total("slopes")


@accumulator.register(KernelSpace)
def _(space, energy="ambient", block=None):
    accumulator_class: type[Accumulator] = Accumulator
    if isinstance(space.kernel, DistanceKernel):
        accumulator_class = _NearAccumulator if space.n_features <= _NEAR else _FarAccumulator
    elif isinstance(space.kernel, DotKernel):
        accumulator_class = _DotAccumulator
    return accumulator_class(space, energy, block)


@accumulator.register(FourierSpace)
class FourierAccumulator(Accumulator):
    """Sums over random Fourier features: ∇φ_j = t_j ω_j, so S = (ΩΩᵀ) ∘ E[ttᵀ] in any dimension d.

    Parameters as in :class:`lapviz.forms.Accumulator`.
    """

    space: FourierSpace

    def _default_block(self, single: bool = False) -> int:
        return max(64, min(2048, (1 << 20) // self.space.n_functions))

    def _add_slopes(self, X: Array, directions: Array | None, root: Array | None) -> None:
        if directions is None:
            self._add_squares("stiffness", scale_rows(self.space.slope_profile(X), root))
            return
        for l in range(directions.shape[1]):
            self._add_squares("stiffness", scale_rows(self.space.slope(X, directions[:, l]), root))

    def _mass_and_stiffness(self) -> tuple[Array, Array]:
        M, S = super()._mass_and_stiffness()
        return M, S * self.space.wave_gram if self.energy == "ambient" else S
