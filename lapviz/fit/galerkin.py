"""Rows with a memo, and the Galerkin method on them, from specifications, step by step.

    kernel, centres ─> trial space ─> forms ─> factor or spectrum ─> coefficients

Each step is kept by the sample's memo under exactly those specifications that it depends on. The
estimators use a memo for a single fit; the explorer passes its cache.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import numpy as np

from lapviz import graphs, kernels, operators, spectra
from lapviz.estimates import data_terms
from lapviz.fit import auto, steps
from lapviz.fit.rows import StreamedRows
from lapviz.fit.specs import EnergySpec, SpaceSpec
from lapviz.fit.steps import Assembled, Basis
from lapviz.spaces import landmarks, sampling

Array = np.ndarray
# The kernel in the key of centres that do not depend on it.
_NO_KERNEL = {"kernel": "gaussian", "bandwidth": 1.0, "degree": 3, "kernel_params": None}
SEARCHED = 10  # neighbours to search at once: no automatic graph has more
MAX_RESULTS = 16  # results in the memo of a fit: a few times S, M and K

# A memo returns the result stored under a key, computing it if there is none.
Memo = Callable[[tuple, Callable[[], Any]], Any]


class DictMemo(dict[Hashable, tuple[tuple, Any]]):
    """The last results, by the values in a key; objects without a hash, as arrays, by identity.

    Enough for one fit and for similar ones.
    """

    def __call__(self, key: tuple, compute: Callable[[], Any]) -> Any:
        hashable = _hashable(key)
        if hashable not in self:
            result = compute()
            while len(self) >= MAX_RESULTS:
                del self[next(iter(self))]
            self[hashable] = key, result  # keeping the key: no other object gets its identity
        return self[hashable][1]


def _hashable(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        if isinstance(value, tuple):
            return tuple(map(_hashable, value))
        if is_dataclass(value):
            inner = (_hashable(getattr(value, f.name)) for f in fields(value))
            return (type(value), *inner)
        return id(value)
    return value


@dataclass(frozen=True)
class Sample:
    """Named rows: two samples are equal if their names are.

    Attributes
    ----------
    name : hashable
        Part of every key of the memo.
    load : callable
        Returns the points (n, d), an array or :class:`lapviz.fit.StreamedRows`, and their weights
        (n,) or None.
    memo : callable, ``memo(key, compute)``
        Where results are kept; by default a dictionary that lives as long as the sample.
    """

    name: Hashable
    load: Callable[[], tuple[Any, Any]] = field(compare=False, repr=False)
    memo: Memo = field(compare=False, repr=False, default_factory=DictMemo)

    @classmethod
    def of(cls, X: Any, weights: Any = None) -> Sample:
        """A sample of points and weights, with its own memo."""
        return cls(object(), lambda: (X, weights))

    @property
    def X(self) -> Any:
        """The points."""
        return self.load()[0]

    @property
    def weights(self) -> Any:
        """Their weights, None if all are equal."""
        return self.load()[1]

    def keep(self, key: tuple, compute: Callable[[], Any]) -> Any:
        """The result of a step over this sample, from the memo if it is there."""
        return self.memo((self.name, *key), compute)

    def graph(self, operator: operators.Graph) -> Any:
        """The graph over the rows, with its weights."""

        def compute() -> operators.WeightedGraph:
            dense = operator.graph == "dense"
            near = None if dense else self.neighbours(operator.n_neighbors)
            return operators.WeightedGraph(operator, operator.weights_of(self.X, near))

        return self.keep(("graph", operator), compute)

    def neighbours(self, k: int) -> Array:
        """The nearest other rows (n, k); of fewer than 10, ten are searched, for later calls."""
        m = max(k, SEARCHED)
        neighbours = self.keep(("neighbours", m), lambda: graphs.search(self.X, m).neighbours())
        return graphs.past_copies(self.X, neighbours[:, :k])

    def part(self, name: Hashable, rows: Callable[[], Array | slice]) -> Sample:
        """A subset of the rows, which depends on this sample and the name alone."""

        def load():
            index = rows()
            return self.X[index], None if self.weights is None else self.weights[index]

        return Sample((self.name, name), lambda: self.keep(("part", name), load), self.memo)


@dataclass(frozen=True)
class Galerkin:
    """A trial space and an energy on a sample.

    Attributes
    ----------
    sample : Sample
    space : SpaceSpec
    energy : EnergySpec
        Its operator is a name or an object that :func:`lapviz.operators.get` accepts.
    """

    sample: Sample
    space: SpaceSpec
    energy: EnergySpec

    @property
    def kernel(self) -> kernels.Kernel:
        """The kernel, with σ as a number."""
        key = "kernel", self.space
        return self.sample.keep(key, lambda: steps.kernel(self.sample.X, self.space))

    @property
    def centres(self) -> Array | None:
        """Landmarks c_1, …, c_p; most rules do not depend on the kernel and its σ."""
        space, kernel = self.space, None
        if landmarks.needs_kernel(space.landmarks):
            kernel = self.kernel
        else:
            space = replace(space, **_NO_KERNEL)
        key = "centres", space
        return self.sample.keep(key, lambda: steps.centres(self.sample.X, space, kernel))

    def basis(self, constant: bool = True) -> Basis:
        """The trial space."""

        def compute() -> Basis:
            X, weights = self.sample.load()
            return steps.basis(X, self.space, constant, self.kernel, self.centres, weights)

        return self.sample.keep(("basis", self.space, constant), compute)

    @property
    def operator(self) -> Any:
        """The operator; neighbours and tangents, which do not depend on the space, are kept."""
        operator, X = operators.get(self.energy.operator), self.sample.X
        if isinstance(operator, operators.Sum):
            methods = (replace(self, energy=EnergySpec(part)) for part in operator.parts)
            return replace(operator, parts=tuple(method.operator for method in methods))
        if isinstance(X, StreamedRows):
            return operator
        if isinstance(operator, operators.Graph):
            return self.sample.graph(operator)
        if isinstance(operator, operators.Tangent):
            p = auto.n_landmarks(self.space, len(X))
            if not isinstance(sampling.rows(len(X), sampling.size(p, X.shape[1])), slice):
                return operator  # to be learnt from a sample of the rows
            tangents = self.tangents(operator)
            if tangents.n_directions == X.shape[1]:
                return operators.Laplacian()
            return operators.GivenDirections(tangents.frames)
        return operator

    def tangents(self, operator: operators.Tangent) -> operators.Tangents:
        """Local PCA at every row."""

        def learn() -> operators.Tangents:
            X, weights = self.sample.load()
            k, q = operator.n_neighbors, operator.n_directions
            return operators.learn_tangents(X, k, q, sample_weight=weights)

        return self.sample.keep(("tangents", operator), learn)

    def assembled(self, constant: bool = True) -> Assembled:
        """Trial space and forms, by one pass over the rows.

        With and without the constant are two passes: the forms that they share differ by rounding,
        which a small μ makes visible.
        """

        def assemble() -> Assembled:
            X, weights = self.sample.load()
            return steps.assemble(X, self.basis(constant), self.operator, weights)

        return self._keep(assemble, "assembled", constant)

    def mu_and_reason(self, constant: bool = True) -> tuple[float, str]:
        """μ as a number, and the reason; "auto" is the rule of eigenfunctions."""
        if self.energy.mu != "auto":
            return auto.stated_mu(self.energy.mu, self.kernel)

        def calibrate() -> tuple[float, str]:
            X, weights = self.sample.load()
            space = self.basis(constant).space
            return auto.mu(X, self.kernel, space, self.energy.operator, weights)

        return self._keep(calibrate, "mu", constant)

    @property
    def mu(self) -> float:
        """μ as a number."""
        return self.mu_and_reason()[0]

    def with_mu(self, mu: float) -> Galerkin:
        """The same with μ as a number."""
        return replace(self, energy=replace(self.energy, mu=mu))

    def spectrum(self, n_modes: int, constant: bool) -> spectra.Spectrum:
        """Leading eigenpairs, with arbitrary signs."""
        mu = self.mu
        return self._keep(
            lambda: spectra.spectrum(self.assembled(constant).forms, mu, n_modes),
            "spectrum", mu, n_modes, constant,
        )  # fmt: skip

    def eigenfunctions(self, n_modes: int) -> spectra.Spectrum:
        """Leading eigenpairs with the constant in the space and fixed signs."""
        mu = self.mu

        def solve() -> spectra.Spectrum:
            assembled, X, points = self.assembled(), self.sample.X, None
            if assembled.centres is None:  # random waves: fix the signs at samples
                p = assembled.space.n_functions - 1
                points = landmarks.choose(sampling.sampled(X, p), p, random_state=0)
            pairs = spectra.spectrum(assembled.forms, mu, n_modes)
            return spectra.orient(pairs, assembled.space, points)

        return self._keep(solve, "eigenfunctions", mu, n_modes)

    def eigenvalues_of_half(self, n_modes: int) -> Array:
        """Eigenvalues with every second test function only, to judge whether p is large enough."""
        mu = self.mu

        def solve() -> Array:
            return spectra.spectrum(self.assembled().forms_of_half(), mu, n_modes).gamma

        return self._keep(solve, "eigenvalues of half", mu, n_modes)

    def solver(self, data_term: str = "labelled", constant: bool = False) -> Any:
        """The part of an estimate that does not depend on λ, filter or labels: by default a factor
        of S + μK."""
        mu, term = self.mu, data_terms.TERMS[data_term]
        return self._keep(
            lambda: term.prepare(self.assembled(constant).forms, mu, constant),
            "solver", mu, data_term, constant,
        )  # fmt: skip

    def _keep(self, compute: Callable[[], Any], *key: object) -> Any:
        """The result of a step that depends on the trial space and the operator."""
        return self.sample.keep((*key, self.space, self.energy.operator), compute)
