"""Common base of the exact regressor and classifier."""

from __future__ import annotations

from numbers import Integral

from lapviz import fit
from lapviz._sklearn import Interval, StrOptions
from lapviz.estimates.exact import SOLVERS, exact_estimate
from lapviz.estimators.base import KernelEstimator, checked, parametrised
from lapviz.fit import parameters as p
from lapviz.parameters import described
from lapviz.spaces.representer import RepresenterSpace, check_size


@parametrised
class ExactLaplacianEstimator(KernelEstimator):
    """Base class: parameters, and the fit of coded targets over the whole RKHS."""

    lam: float = described(p.LAM)
    mu: float | str = described(p.MU, closed="neither")
    solver: str = checked("direct", StrOptions(set(SOLVERS)))
    fit_intercept: bool = described(p.FIT_INTERCEPT)
    max_bytes: int | None = checked(None, None, Interval(Integral, 1, None, closed="left"))

    def _fit_targets(self, X, labelled, targets, weights) -> None:
        """Set ``estimate_`` and what was used, for targets (n_labelled, k)."""
        check_size(X.shape[0], X.shape[1], self.max_bytes)
        self.kernel_ = self._kernel(X, n_landmarks=len(X))
        self.bandwidth_ = self.kernel_.bandwidth
        self.mu_ = fit.auto.least_mu(self.kernel_) if isinstance(self.mu, str) else float(self.mu)
        self.space_ = RepresenterSpace(self.kernel_, X, self.fit_intercept)
        self.estimate_ = exact_estimate(
            self.space_, targets, labelled, self.lam, self.mu_, self.solver, self.max_bytes, weights
        )
        self.coefficients_ = self.estimate_.coefficients
        self.dirichlet_energy_ = float(self.estimate_.energy.sum())
        self.space_.__dict__.pop("gram", None)  # n²(d + 1)² numbers that predictions do not need

    def _scores(self, X):
        X = self._points(X)
        block = max(1, min(4096, (1 << 22) // self.space_.n_functions))
        return self.space_.evaluate(X, self.coefficients_, block)
