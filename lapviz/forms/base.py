"""The record of forms, and the accumulator that computes it from blocks of rows.

An accumulator holds sums over rows: ``update`` adds rows, ``merge`` adds another accumulator's
sums, ``forms`` divides by the number of rows, or by the sum of their weights. Rows may come from
memory, from parts of a file or from other machines; up to rounding, the result does not depend on
the split.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from lapviz import memory
from lapviz.checks import check_choice, check_shape, check_weights
from lapviz.linalg import add_squares, blocks, mirror
from lapviz.progress import report
from lapviz.spaces.base import TrialSpace

Array = np.ndarray
ENERGIES = ("ambient", "directions", "none")
MANY, BESIDE = 10_000, 3  # functions from which memory is asked for; matrices beside the sums
SINGLE_ROWS = 512  # at most this many float32 rows have their products summed in float32


@dataclass(frozen=True, eq=False)
class Forms:
    """Bilinear forms on a trial space of p functions (the constant first, if present).

    Attributes
    ----------
    mass : array (p, p), M = E_n[φφᵀ]
    stiffness : array (p, p), S = E_n[Σ_l ⟨u_l, ∇φ⟩⟨u_l, ∇φ⟩ᵀ]
    gram : array (p, p), K, the RKHS Gram matrix
    n_samples : int, number of rows of positive weight
    load : array (p, k) or None, b = mean of φ(x) y over the labelled samples
    """

    mass: Array
    stiffness: Array
    gram: Array
    n_samples: int
    load: Array | None = None

    def penalty(self, mu: float) -> Array:
        """S + μK, a new array (p, p)."""
        total = mu * self.gram
        total += self.stiffness
        return total

    def energy(self, coefficients: Array) -> float:
        """Dirichlet energy cᵀSc of Σ_j c_j φ_j for coefficients (p, k), summed over outputs."""
        return float(max(np.sum(coefficients * (self.stiffness @ coefficients)), 0.0))

    def restrict(self, keep: Array | slice) -> Forms:
        """Forms on the functions ``keep``, a slice (then without a copy) or indices."""
        index = (keep, keep) if isinstance(keep, slice) else np.ix_(keep, keep)
        mass, stiffness, gram = (form[index] for form in (self.mass, self.stiffness, self.gram))
        load = None if self.load is None else self.load[keep]
        return Forms(mass, stiffness, gram, self.n_samples, load)

    def with_stiffness(self, stiffness: Array) -> Forms:
        """The forms with another stiffness (p, p), which is symmetrised.

        Raises
        ------
        ValueError
            If the shape does not fit.
        """
        S = check_shape("The operator's stiffness", stiffness, self.mass.shape)
        return replace(self, stiffness=0.5 * (S + S.T))


def _check_memory(p: int, count: int) -> None:
    """Refuse functions whose matrices, so many of them, do not fit."""
    if p > MANY and (needed := 8 * p * p * count) > (limit := memory.memory_limit()):
        raise MemoryError(
            f"{p:,} test functions need {memory.readable(needed)} for their matrices, and "
            f"{memory.readable(limit)} may be used: choose a smaller n_landmarks."
        )


class Accumulator:
    """Running sums over rows, for any trial space, from its values and gradients.

    :class:`lapviz.operators.Running` is the same for a named operator; its docstring has the ten
    lines that an engine such as Ray or Spark needs.

    Parameters
    ----------
    space : TrialSpace
    energy : {"ambient", "directions", "none"}, default "ambient"
        Derivatives in the stiffness: along the coordinate axes, along directions given with the
        rows, or none.
    block : int, optional
        Rows processed at once; by default few enough for several blocks to fit the cache.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import forms, kernels, spaces
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> space = spaces.KernelSpace(kernels.get("gaussian"), X[:10])
    >>> left, right = forms.accumulator(space), forms.accumulator(space)
    >>> merged = left.update(X[:60]).merge(right.update(X[60:])).forms()
    >>> bool(np.allclose(merged.mass, forms.assemble(space, X).mass))
    True
    """

    lower = False  # whether the lower triangles of the sums are used
    borders = False  # whether the constant's row and column are added at the end

    def __init__(self, space: TrialSpace, energy: str = "ambient", block: int | None = None):
        self.space = space
        self.energy = check_choice("energy", energy, ENERGIES)
        self.block = block or self._default_block()
        self.single_block = min(block or self._default_block(single=True), SINGLE_ROWS)
        self.n_samples = 0
        self.weight = self.weight_labelled = 0.0  # sums of the rows' weights, by default 1 each
        p = space.n_functions - bool(self.borders and space.constant)
        _check_memory(p, len(self._names()) + BESIDE)
        self.sums = {name: np.zeros((p, p), order="F") for name in self._names()}
        self._work: Array | None = None  # products of a float32 block
        self.load: Array | None = None

    def update(
        self,
        X: Array,
        directions: Array | None = None,
        y: Array | None = None,
        labelled: Array | None = None,
        weights: Array | None = None,
    ) -> Accumulator:
        """Add rows X (n, d).

        Parameters
        ----------
        X : array (n, d)
        directions : array (n, q, d), with ``energy="directions"`` only
        y : array (n,) or (n, k), optional
            Targets of the rows, for the load.
        labelled : boolean array (n,), optional
            Rows of ``y`` to use; all by default.
        weights : array (n,), optional
            Weights of the rows, at least 0, by default 1 each. A row of weight 2 counts like two
            equal rows, one of weight 0 like none.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If shapes do not fit, X or a weight is not finite, a weight is negative, or directions
            are missing or not expected.
        """
        X = self.space.check(X, keep_single=True)
        n, d = len(X), self.space.n_features
        if (directions is None) == (self.energy == "directions"):
            raise ValueError(
                f"An accumulator of energy={self.energy!r} "
                + ("needs" if directions is None else "takes no")
                + " directions with its rows."
            )
        if directions is not None and directions.shape[::2] != (n, d):
            raise ValueError(
                f"The operator's directions must have shape ({n}, q, {d}), got {directions.shape}."
            )
        if directions is not None and not np.isfinite(directions).all():
            row = int(np.flatnonzero(~np.isfinite(directions).all(axis=(1, 2)))[0])
            raise ValueError(f"The operator's directions at row {row} of X are not finite.")
        unweighted = weights is None
        weights = np.ones(n) if unweighted else check_weights(weights, n, may_vanish=True)
        root = None if unweighted else np.sqrt(weights)
        targets = None
        if y is not None:
            targets = np.array(y, dtype=float)
            targets = targets[:, None] if targets.ndim == 1 else targets
            labelled = np.ones(len(targets)) if labelled is None else labelled
            labelled = np.asarray(labelled, bool)
            if len(targets) != n or len(labelled) != n:
                raise ValueError("y and labelled must have one entry for each row of X.")
            targets[~labelled] = 0.0
            self.weight_labelled += weights[labelled].sum()
        block = self.single_block if X.dtype == np.float32 else self.block
        for rows in blocks(n, block):
            arrays = (a if a is None else a[rows] for a in (directions, targets, root))
            self._add(X[rows], *arrays)
            report("assembly", rows.stop, n)
        self.n_samples += int((weights > 0).sum())
        self.weight += weights.sum()
        return self

    def merge(self, other: Accumulator) -> Accumulator:
        """Add the sums of another accumulator over the same space and energy.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the other accumulator is of another kind or size.
        """
        same_kind = type(self) is type(other) and self.energy == other.energy
        if not same_kind or self.space.n_functions != other.space.n_functions:
            raise ValueError("Only accumulators over the same trial space and energy can merge.")
        for name, total in self.sums.items():
            total += other.sums[name]
        self._add_load(other.load)
        self.n_samples += other.n_samples
        self.weight += other.weight
        self.weight_labelled += other.weight_labelled
        return self

    def __sizeof__(self) -> int:
        """Size in bytes, from which schedulers estimate the cost of a transfer."""
        arrays = [*self.sums.values(), *(() if self.load is None else (self.load,))]
        return object.__sizeof__(self) + sum(array.nbytes for array in arrays)

    def forms(self) -> Forms:
        """Weighted means over all rows so far; more rows may follow.

        Raises
        ------
        ValueError
            If no row of positive weight was added, or targets but no labelled row of
            positive weight.
        """
        if not self.weight > 0:
            raise ValueError("No row of positive weight was added yet: call update(X) first.")
        if self.load is not None and not self.weight_labelled > 0:
            raise ValueError("No sample is labelled: mark at least one of positive weight.")
        M, S = (form / self.weight for form in self._mass_and_stiffness())
        load = None if self.load is None else self.load / self.weight_labelled
        return Forms(M, S, self.space.gram, self.n_samples, load)

    def _names(self) -> tuple[str, ...]:
        """Names of the (p, p) sums: triangles in F order."""
        return "mass", "stiffness"

    def _default_block(self, single: bool = False) -> int:
        numbers = self.space.n_functions * self.space.n_features
        return max(16, min(2048, (1 << 20) // numbers))

    def _add(
        self, X: Array, directions: Array | None, targets: Array | None, root: Array | None
    ) -> None:
        """Add a block; ``root`` (b,) holds the square roots of the weights, None if all are 1."""
        phi = np.ascontiguousarray(scale_rows(self.space.phi(X), root))
        self._add_squares("mass", phi)
        if self.energy != "none":
            self._add_slopes(X, directions, root)
        if targets is not None:
            self._add_load(phi.T @ scale_rows(targets, root))

    def _add_slopes(self, X: Array, directions: Array | None, root: Array | None) -> None:
        G = self.space.gradient(X)
        G = scale_rows(G if directions is None else directions @ G, root)
        self._add_squares("stiffness", np.ascontiguousarray(G).reshape(-1, G.shape[2]))

    def _add_squares(self, name: str, G: Array) -> None:
        self.sums[name] = add_squares(G, self.sums[name], self._work_for(G), self.lower)

    def _work_for(self, G: Array) -> Array | None:
        """Memory for the products of a float32 block; None for float64."""
        if G.dtype != np.float32:
            return None
        if self._work is None:
            self._work = np.zeros(self.sums["mass"].shape, np.float32, "F")
        return self._work

    def _add_load(self, part: Array | None) -> None:
        if part is not None:
            self.load = part if self.load is None else self.load + part

    def _mass_and_stiffness(self) -> tuple[Array, Array]:
        return self._total("mass"), self._total("stiffness")

    def _total(self, name: str) -> Array:
        return mirror(self.sums[name], self.lower)  # in place: later sums read one triangle only


@singledispatch
def accumulator(
    space: TrialSpace, energy: str = "ambient", block: int | None = None
) -> Accumulator:
    """The accumulator of a trial space.

    A class of spaces registers an accumulator with faster formulas by
    ``@accumulator.register(TheSpace)`` on its class or on a function of the same arguments.

    Parameters
    ----------
    space : TrialSpace
        Trial space.
    energy : {"ambient", "directions", "none"}, default "ambient"
        Derivatives in the stiffness, as in :class:`Accumulator`.
    block : int, optional
        Rows processed at once; by default few enough for several blocks to fit the cache.

    Returns
    -------
    Accumulator
        An accumulator without rows.
    """
    return Accumulator(space, energy, block)


def scale_rows(rows: Array, root: Array | None) -> Array:
    """Rows (b, …) times the square roots of their weights; unchanged if ``root`` is None."""
    return rows if root is None else rows * root.reshape(-1, *(1,) * (rows.ndim - 1))
