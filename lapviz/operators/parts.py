"""Forms of an operator over rows that arrive in parts, from a file or on other machines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import forms
from lapviz.operators.base import Sum, directions, get
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


def by_rows(operator, X: Array, sample_weight: Array | None = None):
    """Operator whose directions at a row depend on that row alone.

    Parameters
    ----------
    operator : str or operator object
        As for :func:`lapviz.operators.assemble`.
    X : array (m, d)
        A sample of the rows, from which tangents are learnt.
    sample_weight : array (m,), optional
        Weights of the sample.

    Returns
    -------
    operator object
        An object with a method ``directions(X)``, or a :class:`Sum` of such.

    Raises
    ------
    ValueError
        If the energy couples rows (a graph's), or belongs to or is drawn for particular rows.
    """
    operator = get(operator)
    if isinstance(operator, Sum):
        parts = tuple(by_rows(part, X, sample_weight) for part in operator.parts)
        return replace(operator, parts=parts)
    if hasattr(operator, "learn"):
        if sample_weight is not None:
            rows = np.flatnonzero(sample_weight > 0)
            X, sample_weight = X[rows], sample_weight[rows]
        return operator.learn(X, sample_weight)
    needs_all_rows = ("stiffness", "at_rows", "restricted", "random_state")
    if any(hasattr(operator, name) for name in needs_all_rows):
        raise ValueError(
            f"The operator {getattr(operator, 'name', operator)!r} needs all rows at once, and "
            'these come in parts: name "laplacian", "tangent", "sphere" or "torus", or pass an '
            "object whose directions(X) depend on each row alone."
        )
    return operator


class Running:
    """Running sums over rows for one operator: an accumulator that computes the directions.

    It can be pickled, and merging is associative, so any map-reduce engine can compute forms.
    With Ray (Spark: ``rdd.mapPartitions(summed).treeReduce(merged)``)::

        space = KernelSpace(kernels.get("gaussian", 1.5), landmarks)  # a few MB, sent to all
        operator = operators.by_rows("laplacian", sample)

        def summed(batches):
            total = operators.Running(space, operator)
            for X in batches:
                total.update(X)
            return total

        shards = [ray.remote(summed).remote(part) for part in parts]
        total = functools.reduce(lambda a, b: a.merge(b), map(ray.get, shards))
        gamma = spectra.spectrum(total.forms(), mu=1e-4, n_modes=16).gamma

    Parameters
    ----------
    space : TrialSpace
    operator : operator object, by :func:`by_rows`
    block : int, optional
        Rows processed at once.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import kernels, operators, spaces
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> space = spaces.KernelSpace(kernels.get("gaussian"), X[:10])
    >>> sphere = operators.by_rows("sphere", X)
    >>> left, right = operators.Running(space, sphere), operators.Running(space, sphere)
    >>> merged = left.update(X[:60]).merge(right.update(X[60:])).forms()
    >>> expected = operators.assemble(space, X, "sphere")
    >>> bool(np.allclose(merged.stiffness, expected.stiffness))
    True
    """

    def __init__(self, space: TrialSpace, operator, block: int | None = None):
        self.operator = operator
        parts = operator.parts if isinstance(operator, Sum) else ()
        self.parts = [Running(space, part, block) for part in parts]
        energy = "none"
        if not parts:
            ambient = directions(operator, np.ones((1, space.n_features))) is None
            energy = "ambient" if ambient else "directions"
        self.sums = forms.accumulator(space, energy, block)

    def update(self, X: Array, sample_weight: Array | None = None) -> Running:
        """Add rows X (n, d), optionally with weights (n,).

        Raises
        ------
        ValueError
            If shapes do not fit, or X or a weight is not a finite number.
        """
        X = self.sums.space.check(X, keep_single=True)
        frames = directions(self.operator, X) if self.sums.energy == "directions" else None
        self.sums.update(X, frames, weights=sample_weight)
        for part in self.parts:
            part.update(X, sample_weight)
        return self

    def merge(self, other: Running) -> Running:
        """Add the sums of another ``Running`` of the same space and operator."""
        self.sums.merge(other.sums)
        for part, other_part in zip(self.parts, other.parts, strict=True):
            part.merge(other_part)
        return self

    def __sizeof__(self) -> int:
        """Size in bytes, from which schedulers estimate the cost of a transfer."""
        return object.__sizeof__(self) + sum(x.__sizeof__() for x in (self.sums, *self.parts))

    def forms(self) -> forms.Forms:
        """Means over all rows so far; more may follow."""
        total = self.sums.forms()
        if not self.parts:
            return total
        return total.with_stiffness(self.operator.total([p.forms().stiffness for p in self.parts]))
