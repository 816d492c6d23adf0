"""A classifier's parameters with every "auto" replaced, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lapviz import estimates, fit
from lapviz.estimates import data_terms, passes
from lapviz.estimators.report import Choice, Report
from lapviz.fit import automatic, parameters
from lapviz.spaces import auto_bandwidth

Array = np.ndarray

PAPERS = {"n_landmarks": 200, "lam": 1.0, "balance": None, "n_passes": 0, "mu": "floor"}


def is_free(estimator) -> bool:
    """Whether the energy is automatic."""
    return isinstance(estimator.operator, str) and estimator.operator == "auto"


def papers(estimator) -> dict[str, object]:
    """What "auto" stands for where an operator is named: the papers' estimator."""
    chosen = {}
    for name, value in PAPERS.items():
        given = getattr(estimator, name)
        if isinstance(given, str) and given == "auto":
            chosen[name] = value
    return chosen


@dataclass(eq=False)
class Plan:
    """Parameters of a fit under the estimator's own names, where "auto" is resolved in steps.

    ``rows`` are those over which the energy is taken; μ and λ follow once the forms are known.
    """

    kernel: object
    bandwidth: object
    degree: int
    n_landmarks: int
    landmarks: object
    random_state: object
    operator: object
    mu: object
    lam: object
    filter: object
    data_term: str
    fit_intercept: bool
    balance: str | None
    n_passes: int
    rows: Array | slice  # a slice where all are used: then nothing is copied
    n_rows: int
    free: bool
    choices: list[Choice] = field(default_factory=list)

    @classmethod
    def of(cls, estimator, X: Array, labelled: Array) -> Plan:
        """The plan of a classifier for its data; without a named operator μ and λ stay "auto"."""
        given = {name: getattr(estimator, name) for name in _COPIED}
        n = len(X)
        if not is_free(estimator):
            return cls(**given | papers(estimator), rows=slice(None), n_rows=n, free=False)
        if n < 2:
            raise ValueError("Found n_samples = 1, but a graph has at least two nodes: give more.")
        many = n > automatic.MOST_NODES
        rows = automatic.nodes(n, labelled) if many else slice(None)
        plan = cls(**given, rows=rows, n_rows=len(rows) if many else n, free=True)
        plan._choose_energy(n)
        plan._choose_functions()
        plan._choose_width(X)
        plan._choose_volumes()
        return plan

    @property
    def estimate(self) -> fit.EstimateSpec:
        """The estimate's specification; its default λ as long as that is not known."""
        spec = fit.EstimateSpec.of(self)
        default = parameters.LAM.default
        return replace(spec, lam=default) if isinstance(self.lam, str) else spec

    def _say(self, name: str, value: object, reason: str) -> None:
        self.choices.append(Choice(name, value, reason))

    def _choose_energy(self, n: int) -> None:
        self.operator = automatic.energy()
        of = f"all {n} points" if self.n_rows == n else f"{self.n_rows} of {n} points"
        self._say("operator", self.operator.name, f"a {self.operator.n_neighbors}-NN graph over "
                  f"{of}, as an energy of functions")  # fmt: skip

    def _choose_functions(self) -> None:
        if self.n_landmarks != "auto":
            return
        self.n_landmarks = automatic.landmarks(self.n_rows)
        if isinstance(self.landmarks, str):
            self._say("n_landmarks", self.n_landmarks,
                      f"a third of {self.n_rows} rows, from {automatic.FEWEST} to "
                      f"{automatic.MOST}")  # fmt: skip

    def _choose_width(self, X: Array) -> None:
        """σ for as many landmarks as there are: the graph asks for no smoother functions."""
        if self.bandwidth != "auto" or not isinstance(self.kernel, str):
            return
        p = self.n_landmarks if isinstance(self.landmarks, str) else len(self.landmarks)
        self.bandwidth = auto_bandwidth(X[self.rows], self.kernel, p)
        self._say("bandwidth", self.bandwidth,
                  f"functions at {p} points overlap, no wider than the data")  # fmt: skip

    def _choose_volumes(self) -> None:
        if self.balance == "auto":
            self.balance = "scale"
            self._say("balance", "scale", "few labels leave one class nearly everywhere")
        if self.n_passes != "auto":
            return
        usual = self.data_term == "labelled" and self.filter == "tikhonov"
        able = usual and self.balance == "scale" and not self.fit_intercept
        self.n_passes = passes.N_PASSES if able else 0
        if able:
            self._say("n_passes", self.n_passes, "boundaries move to where little of the data is")

    def choose_mu(self, assembled: fit.Assembled, usual: float) -> float:
        """μ; ``usual`` is what it is beside a named operator."""
        if self.mu != "auto" or not self.free:
            return usual
        chosen = automatic.mu(assembled.forms, self.n_rows)
        self._say("mu", chosen, f"{chosen * assembled.basis.kernel.bandwidth**2:.2g}/σ², from the "
                  f"traces of energy and RKHS norm at n = {self.n_rows}")  # fmt: skip
        return chosen

    def choose_lam(self, assembled: fit.Assembled, mu: float, prepared) -> None:
        """Resolve λ."""
        if self.lam != "auto" or "lam" in data_terms.get(self.data_term).unused:
            return
        is_factor = isinstance(prepared, estimates.EnergyFactor)
        factor = prepared if is_factor else fit.factor(assembled, mu)
        self.lam = automatic.lam(factor, assembled.forms)
        self._say("lam", self.lam, "labels nearly interpolated: 1/200 of the mean of G(x, x)")

    def report(self, fitted) -> Report:
        """What was chosen; ``fitted`` has the numbers."""
        if self.bandwidth == "auto" and isinstance(self.kernel, str):
            self._say("bandwidth", float(fitted.bandwidth_), "functions at the landmarks overlap, "
                      "and are no wider than the data")  # fmt: skip
        return Report(tuple(self.choices))


@dataclass(frozen=True, eq=False)
class Problem:
    """What every set of labels on the same points shares."""

    plan: Plan
    assembled: fit.Assembled
    solver: object
    rows: Array

    def solve(
        self, X: Array, known: Array, n_classes: int, prior: Array
    ) -> tuple[Array, estimates.Balance | None]:
        """Coefficients and the balance for class codes ``known`` (n,), -1 where unlabelled."""
        plan, space, labelled = self.plan, self.assembled.space, known >= 0
        targets = estimates.class_codes(known[labelled], n_classes)
        start = fit.solve(space, self.solver, X[labelled], targets, plan.estimate)
        if n_classes < 2 or plan.balance is None:
            return start, None
        if not plan.n_passes:
            scores = space.evaluate(self.rows, start)
            return start, estimates.balance(scores, prior, plan.balance)
        done = passes.threshold_passes(self.solver, self.phi, known[plan.rows], n_classes, start,
                                       plan.lam, prior, plan.n_passes)  # fmt: skip
        return done.coefficients, done.balance

    @cached_property
    def phi(self) -> Array:
        """Test functions at the rows, (n, p)."""
        return self.assembled.space.phi(self.rows)


_COPIED = ("kernel", "bandwidth", "degree", "n_landmarks", "landmarks", "random_state", "operator",
           "mu", "lam", "filter", "data_term", "fit_intercept", "balance", "n_passes")  # fmt: skip
