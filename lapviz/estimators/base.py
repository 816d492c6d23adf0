"""What the kernel Laplacian estimators share: from parameters to a trial space and its forms."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from lapviz import forms, kernels, operators
from lapviz.spaces import KernelSpace, landmarks
from lapviz.spaces.bandwidth import auto_bandwidth
from lapviz.spaces.fourier import fourier_space

AUTO_MU = 2e-5  # μ = "auto" is this over σ²: energies are in 1/length², the RKHS norm is not


def resolve_mu(mu, bandwidth: float) -> float:
    """μ as a number; ``"auto"`` is 2·10⁻⁵/σ², which follows the units of the data."""
    return AUTO_MU / bandwidth**2 if isinstance(mu, str) else float(mu)


def resolve_kernel(kernel, bandwidth, degree, X, n_landmarks, random_state) -> kernels.Kernel:
    """Kernel object from the parameters of an estimator; ``"auto"`` looks at X."""
    if isinstance(kernel, kernels.Kernel):
        return kernel
    if isinstance(bandwidth, str):
        bandwidth = auto_bandwidth(
            X, kernel=kernel, n_landmarks=n_landmarks, random_state=random_state
        )
    options = {"degree": degree} if kernel == "polynomial" else {}
    return kernels.get(kernel, float(bandwidth), **options)


class KernelLaplacianEstimator(BaseEstimator):
    """Base class: the parameters of trial space and operator, and how they are read."""

    _parameter_constraints = {  # noqa: RUF012  (scikit-learn's protocol)
        "kernel": [StrOptions(set(kernels.names())), kernels.Kernel],
        "bandwidth": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "n_landmarks": [Interval(Integral, 1, None, closed="left")],
        "landmarks": [
            StrOptions({*landmarks.names(with_kernel=True), "fourier"}),
            "array-like",
        ],
        "mu": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
        "operator": "no_validation",  # a name or an operator object: operators.get
        "random_state": ["random_state"],
    }

    def _fit_forms(self, X: np.ndarray, constant: bool) -> forms.Forms:
        """Set what was used (``kernel_``, ``space_``, ``mu_``, …) and return the forms."""
        fourier = isinstance(self.landmarks, str) and self.landmarks == "fourier"
        rule = self.landmarks, self.random_state
        if fourier or landmarks.needs_kernel(self.landmarks):
            points, n_points = None, min(self.n_landmarks, len(X))
        else:
            points = landmarks.choose(X, self.n_landmarks, *rule)
            n_points = len(points)
        # A generator is used up by the draws; the bandwidth's subsample has a seed of its own.
        self.kernel_ = resolve_kernel(
            self.kernel, self.bandwidth, self.degree, X, n_points, random_state=0
        )
        if points is None and not fourier:
            points = landmarks.choose(X, self.n_landmarks, *rule, kernel=self.kernel_)
        self.bandwidth_ = self.kernel_.bandwidth
        self.mu_ = resolve_mu(self.mu, self.bandwidth_)
        self.landmarks_ = points
        if fourier:
            self.space_ = fourier_space(
                self.kernel_, self.n_landmarks, X.mean(axis=0), constant, self.random_state
            )
        else:
            self.space_ = KernelSpace(self.kernel_, points, constant)
        return operators.assemble(self.space_, X, operators.get(self.operator))

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, order="C", reset=False)
