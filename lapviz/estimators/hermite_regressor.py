"""Hermite regression as a scikit-learn regressor."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from lapviz import fit
from lapviz._sklearn import Interval, StrOptions, check_parameters
from lapviz.checks import stack_level
from lapviz.estimates import hermite
from lapviz.estimators.base import KernelEstimator, checked, parametrised
from lapviz.estimators.targets import TargetRegressor, weighted_mean
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import described
from lapviz.spaces import RepresenterSpace, landmarks
from lapviz.spaces.representer import check_size


@parametrised
class HermiteRegressor(TargetRegressor, KernelEstimator):
    """Regression on values and gradients: argmin E|g − v|² + w E‖∇g − t‖² + ρ‖g‖² (GAL23 §7.2).

    On p kernel functions (GAL23 Algorithms 4 and 5). O(np²d), since all slopes are factorised, for
    accuracy, where the paper's normal equations take O(np² + npd). Targets are centred by the mean
    of the known ones.

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object has its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.fit.auto.bandwidth`.
    degree : int, default 3
        Degree of the polynomial kernel; ignored by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    n_landmarks : "auto" or int, default "auto"
        p, the number of kernel functions; at most the number of samples. "auto" is 200.
    landmarks : {"stratified", "uniform", "kmeans++", …} or array (p, d), default "stratified"
        An array may contain more points than there are samples.
    trial_space : {"auto", "landmarks", "representer"}, default "auto"
        "landmarks": k(·, c_j). With n samples these are at most n functions, too few for n(d + 1)
        numbers if samples are scarce. "representer": k(·, x_i) and ∂_l k(·, x_i) at all samples,
        whose span contains the minimiser over the RKHS. "auto": the latter if slopes are given,
        n(d + 1) is at most n_landmarks, no landmarks are given, and the kernel has second
        derivatives.
    weight : float, default 1
        w, weight of the slopes, in units of length²; 0 is plain regression.
    ridge : float, default 1e-10
        ρ, weight of the norm; 0 is the limit ρ → 0, of several minimisers the one of least norm.
    ridge_norm : {"rkhs", "coefficients"}, default "rkhs"
        The norm: ‖g‖²_H, or Σ c_j² over the kernel functions.
    fit_intercept : bool, default False
        An unpenalised constant in the trial space.
    random_state : int, RandomState or None, default None
        Seed of the landmarks.

    Attributes
    ----------
    coefficients_ : array (n_functions, n_outputs)
    forms_ : :class:`lapviz.hermite.HermiteForms`, reusable for other weights and ridges
    target_mean_ : array (n_outputs,)
    space_, kernel_, bandwidth_ : values in use
    n_features_in_ : int

    Notes
    -----
    In y, NaN means that a value is unknown (of several outputs a row counts if none is NaN); a row
    of NaN in the gradients, that a slope is unknown.

    References
    ----------
    GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
    algorithms*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import HermiteRegressor
    >>> x = np.linspace(0, 3, 8)[:, None]
    >>> model = HermiteRegressor().fit(x, np.sin(x[:, 0]), gradients=np.cos(x))
    >>> new = np.array([[1.0], [2.0]])
    >>> np.allclose(model.predict(new), np.sin(new[:, 0]), atol=1e-2)
    True
    >>> np.allclose(model.predict_gradient(new), np.cos(new), atol=0.1)
    True
    """

    n_landmarks: int | str = described(PARAMETERS["n_landmarks"])
    landmarks: str | ArrayLike = described(PARAMETERS["landmarks"], names=landmarks.PLAIN.keys)
    trial_space: str = checked("auto", StrOptions({"auto", "landmarks", "representer"}))
    weight: float = checked(1.0, Interval(Real, 0, None, closed="left"))
    ridge: float = checked(1e-10, Interval(Real, 0, None, closed="left"))
    ridge_norm: str = checked("rkhs", StrOptions(set(hermite.NORMS)))
    fit_intercept: bool = described(PARAMETERS["fit_intercept"])
    random_state: int | np.random.RandomState | None = described(PARAMETERS["random_state"])

    def fit(self, X, y, gradients=None, sample_weight=None) -> Self:
        """Fit values and slopes.

        Parameters
        ----------
        X : array (n, d)
            Points.
        y : array (n,) or (n, k)
            Values of the target, NaN where unknown.
        gradients : array (n, d) or (n, d, k), optional
            Gradients of the target, a row of NaN where unknown. None: plain regression.
        sample_weight : array (n,), optional
            Weights of the points, at least 0, in the means over values and over slopes. With
            landmarks and bandwidth given, a point of weight 2 counts like two equal points; one of
            weight 0 is left out. The scale of the weights does not matter.

        Returns
        -------
        HermiteRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If no value is known, shapes do not match, a row of slopes is partly NaN, or weights
            are negative, not finite or all 0.
        """
        check_parameters(self)
        X, rows, weights, labelled, targets = self._read_targets(X, y, sample_weight)
        slopes = hermite.check_gradients(gradients, X.shape, targets.shape[1])
        X, slopes = X[rows], slopes[rows]
        self.space_ = self._space(X, slopes)
        self.kernel_, self.bandwidth_ = self.space_.kernel, self.space_.kernel.bandwidth
        self.target_mean_ = weighted_mean(targets[labelled], weights, labelled)
        centred = targets - self.target_mean_
        self.forms_ = hermite.assemble(self.space_, X, centred, slopes, weights)
        self.coefficients_ = hermite.hermite_estimate(
            self.forms_, self.weight, self.ridge, self.ridge_norm
        )
        return self

    def _space(self, X, slopes) -> Any:
        n, d = X.shape
        required = self.trial_space == "representer"
        suitable = (
            self.trial_space == "auto"
            and not np.isnan(slopes).all()
            and n * (d + 1) <= self._most_functions()
            and isinstance(self.landmarks, str)
        )
        space = fit.SpaceSpec.of(self)
        given = [
            name
            for name in ("n_landmarks", "landmarks")
            if not isinstance(getattr(self, name), str)
        ]
        if required and given:
            why = "is ignored: trial_space='representer' has functions at all samples."
            text = " ".join(f"{name} {why}" for name in given)
            warnings.warn(text, fit.IgnoredParameterWarning, stacklevel=stack_level())
        fit.warn_ignored(replace(space, landmarks="stratified") if required else space)
        if required or suitable:
            kernel = fit.kernel(X, replace(space, n_landmarks=n))
            if required or kernel.has_curvature:
                check_size(n, d, otherwise='trial_space="landmarks"')
                return RepresenterSpace(kernel, X, bool(self.fit_intercept))
        space = replace(space, n_landmarks=self._most_functions())
        method = fit.Galerkin(fit.Sample.of(X), space, fit.EnergySpec())
        return method.trial_space(bool(self.fit_intercept))

    def _most_functions(self) -> int:
        return 200 if isinstance(self.n_landmarks, str) else self.n_landmarks

    def predict_gradient(self, X) -> np.ndarray:
        """Predict gradients.

        Parameters
        ----------
        X : array (n, d)
            Points.

        Returns
        -------
        array (n, d) or (n, d, n_outputs)
            Gradients of the estimate, in units of y over those of X.
        """
        X = self._points(X)
        gradients = np.empty((*X.shape, self.coefficients_.shape[1]))
        block = max(16, (1 << 20) // (self.space_.n_functions * X.shape[1]))
        for start in range(0, len(X), block):
            rows = slice(start, start + block)
            gradients[rows] = self.space_.gradient(X[rows]) @ self.coefficients_
        return self._shaped(gradients)
