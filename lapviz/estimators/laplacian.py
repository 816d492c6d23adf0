"""Common base of the semi-supervised classifier and regressor with a Dirichlet energy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lapviz import fit
from lapviz.estimates.filters import Filter
from lapviz.estimators import advice
from lapviz.estimators.base import KernelLaplacianEstimator
from lapviz.fit import parameters as p
from lapviz.kernels import Kernel


class LaplacianEstimator(KernelLaplacianEstimator):
    """Base class: parameters, and the fit of coded targets."""

    _parameter_constraints = {  # noqa: RUF012
        **KernelLaplacianEstimator._parameter_constraints,
        **p.constraints(p.LAM, p.FILTER, p.DATA_TERM, p.FIT_INTERCEPT),
    }

    def __init__(
        self,
        *,
        kernel: str | Kernel = "gaussian",
        bandwidth: float | str = "auto",
        degree: int = 3,
        kernel_params: dict[str, Any] | None = None,
        n_landmarks: int | str = "auto",
        landmarks: str | ArrayLike = "stratified",
        lam: float = 1.0,
        mu: float | str = "auto",
        filter: str | Filter = "tikhonov",
        data_term: str = "labelled",
        operator: object = "laplacian",
        fit_intercept: bool = False,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool | int = False,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.lam = lam
        self.mu = mu
        self.filter = filter
        self.data_term = data_term
        self.operator = operator
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.verbose = verbose

    def _fit_targets(self, X, labelled, targets, energy, weights) -> None:
        """Set ``coefficients_`` (n_functions, k) for targets (n_labelled, k)."""
        estimate = fit.EstimateSpec.of(self)
        fit.warn_ignored(fit.SpaceSpec.of(self), estimate)
        method = self._assemble(X, self.fit_intercept, energy, weights)
        self.solver_ = method.solver(self.data_term, self.fit_intercept)
        of_labels = None if weights is None else weights[labelled]
        self.coefficients_ = fit.solve(
            self.space_, self.solver_, X[labelled], targets, estimate, of_labels
        )
        forms = method.assembled(self.fit_intercept).forms
        self.dirichlet_energy_ = forms.energy(self.coefficients_)
        advice.warn(self._advice_on_points(X))
