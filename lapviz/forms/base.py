"""The record of the forms, and the accumulator that computes it from blocks of rows.

An accumulator holds sums over rows: ``update`` adds rows, ``merge`` adds another accumulator's
sums, ``forms`` divides by the number of rows, or by the sum of their weights. Rows may come from
memory, from parts of a file or from other machines; the result does not depend on the split, up to
rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from lapviz.checks import check_choice, check_shape, check_weights
from lapviz.linalg import add_squares, blocks, mirror
from lapviz.progress import report
from lapviz.spaces.base import TrialSpace

Array = np.ndarray
ENERGIES = ("ambient", "directions", "none")
SINGLE_ROWS = 512  # rows of float32 whose products are summed in float32, at most


@dataclass(frozen=True, eq=False)
class Forms:
    """Bilinear forms on a trial space of p functions (the constant first, if it is there).

    Attributes
    ----------
    mass : array (p, p), M = E_n[φφᵀ]
    stiffness : array (p, p), S = E_n[Σ_l ⟨u_l, ∇φ⟩⟨u_l, ∇φ⟩ᵀ]
    gram : array (p, p), K, the RKHS Gram matrix
    n_samples : int, rows that count: those of weight 0 do not
    load : array (p, k) or None, b = mean of φ(x) y over the labelled samples
    """

    mass: Array
    stiffness: Array
    gram: Array
    n_samples: int
    load: Array | None = None

    def penalty(self, mu: float) -> Array:
        """S + μK, shape (p, p), in memory of its own."""
        total = mu * self.gram
        total += self.stiffness
        return total

    def energy(self, coefficients: Array) -> float:
        """Dirichlet energy cᵀSc of Σ_j c_j φ_j, summed over outputs, for coefficients (p, k)."""
        return float(max(np.sum(coefficients * (self.stiffness @ coefficients)), 0.0))

    def restrict(self, keep: Array | slice) -> Forms:
        """Forms on the functions ``keep``, a slice (then without a copy) or indices of them."""
        both = (keep, keep) if isinstance(keep, slice) else np.ix_(keep, keep)
        mass, stiffness, gram = (form[both] for form in (self.mass, self.stiffness, self.gram))
        load = None if self.load is None else self.load[keep]
        return Forms(mass, stiffness, gram, self.n_samples, load)

    def with_stiffness(self, stiffness: Array) -> Forms:
        """The same forms with another stiffness (p, p), made exactly symmetric.

        Raises
        ------
        ValueError
            If the shape does not fit.
        """
        S = check_shape("The operator's stiffness", stiffness, self.mass.shape)
        return replace(self, stiffness=0.5 * (S + S.T))


class Accumulator:
    """Running sums over rows, for any trial space, from its values and gradients.

    :class:`lapviz.operators.Running` is the same for an operator by name, with the ten lines that
    an engine such as Ray or Spark needs.

    Parameters
    ----------
    space : TrialSpace
    energy : {"ambient", "directions", "none"}, default "ambient"
        What the stiffness counts: the derivatives along the coordinate axes, those along
        directions given with the rows, or nothing.
    block : int, optional
        Rows handled at once; by default such that a few blocks fit the cache.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import forms, kernels, spaces
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> space = spaces.KernelSpace(kernels.get("gaussian"), X[:10])
    >>> left, right = forms.accumulator(space), forms.accumulator(space)
    >>> both = left.update(X[:60]).merge(right.update(X[60:])).forms()
    >>> bool(np.allclose(both.mass, forms.assemble(space, X).mass))
    True
    """

    lower = False  # which triangle of the sums is used
    borders = False  # whether the constant has no part in the sums, but a row put in at the end

    def __init__(self, space: TrialSpace, energy: str = "ambient", block: int | None = None):
        self.space = space
        self.energy = check_choice("energy", energy, ENERGIES)
        self.block = block or self._default_block()
        self.single_block = min(block or self._default_block(single=True), SINGLE_ROWS)
        self.n_samples = 0
        self.weight = self.weight_labelled = 0.0  # sums of the rows' weights, by default 1 each
        p = space.n_functions - bool(self.borders and space.constant)
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
            Which rows of ``y`` count; all of them by default.
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
        counts = weights is None
        weights = np.ones(n) if counts else check_weights(weights, n, may_vanish=True)
        root = None if counts else np.sqrt(weights)
        targets = None
        if y is not None:
            targets = np.array(y, dtype=float)
            targets = targets[:, None] if targets.ndim == 1 else targets
            every = np.ones(len(targets))
            labelled = np.asarray(every if labelled is None else labelled, bool)
            if len(targets) != n or len(labelled) != n:
                raise ValueError("y and labelled must have one entry for each row of X.")
            targets[~labelled] = 0.0
            self.weight_labelled += weights[labelled].sum()
        block = self.single_block if X.dtype == np.float32 else self.block
        for rows in blocks(n, block):
            given = (None if each is None else each[rows] for each in (directions, targets, root))
            self._add(X[rows], *given)
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
            If the other one is of another kind or size.
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
        """Bytes held, so that schedulers know what moving it costs."""
        held = [*self.sums.values(), *(() if self.load is None else (self.load,))]
        return object.__sizeof__(self) + sum(array.nbytes for array in held)

    def forms(self) -> Forms:
        """Weighted means over all rows so far; more rows may follow.

        Raises
        ------
        ValueError
            If no row of positive weight was added yet, or targets but no such labelled row.
        """
        if not self.weight > 0:
            raise ValueError(
                "No row was added yet, or none of positive weight: call update(X) first."
            )
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
        """Add a block; ``root`` (b,) are the square roots of the weights, None if all are 1."""
        phi = np.ascontiguousarray(weighed(self.space.phi(X), root))
        self._add_squares("mass", phi)
        if self.energy != "none":
            self._add_slopes(X, directions, root)
        if targets is not None:
            self._add_load(phi.T @ weighed(targets, root))

    def _add_slopes(self, X: Array, directions: Array | None, root: Array | None) -> None:
        G = self.space.gradient(X)
        G = weighed(G if directions is None else directions @ G, root)
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
    """The accumulator for a kind of trial space.

    A kind of space registers its own, with faster formulas, by
    ``@accumulator.register(TheSpace)`` on a function of the same arguments or on the class.

    Parameters
    ----------
    space : TrialSpace
        Test functions φ.
    energy : {"ambient", "directions", "none"}, default "ambient"
        What the stiffness counts, as in :class:`Accumulator`.
    block : int, optional
        Rows handled at once; by default such that a few blocks fit the cache.

    Returns
    -------
    Accumulator
        Empty: no rows yet.
    """
    return Accumulator(space, energy, block)


def weighed(rows: Array, root: Array | None) -> Array:
    """Rows (b, …) times the square roots of their weights; themselves where there are none."""
    return rows if root is None else rows * root.reshape(-1, *(1,) * (rows.ndim - 1))
