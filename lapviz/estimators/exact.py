"""The exact estimate of the representer theorem as a scikit-learn classifier and regressor."""

from __future__ import annotations

from numbers import Integral
from typing import Self

from lapviz import estimates, fit
from lapviz._sklearn import Interval, StrOptions, check_parameters
from lapviz.estimates.exact import SOLVERS, exact_estimate
from lapviz.estimators.base import KernelEstimator, checked, parametrised
from lapviz.estimators.targets import ProbabilisticClassifier, TargetRegressor, weighted_mean
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import described
from lapviz.spaces.representer import RepresenterSpace, check_size


@parametrised
class ExactLaplacianEstimator(KernelEstimator):
    """Base class: parameters, and the fit of coded targets over the whole RKHS."""

    lam: float = described(PARAMETERS["lam"])
    mu: float | str = described(PARAMETERS["mu"], closed="neither")
    solver: str = checked("direct", StrOptions(set(SOLVERS)))
    fit_intercept: bool = described(PARAMETERS["fit_intercept"])
    max_bytes: int | None = checked(None, None, Interval(Integral, 1, None, closed="left"))

    def _fit_targets(self, X, labelled, targets, weights) -> None:
        """Set the fitted attributes, for targets (n_labelled, k)."""
        check_size(X.shape[0], X.shape[1], self.max_bytes)
        self.kernel_ = self._kernel(X, n_landmarks=len(X))
        self.bandwidth_ = self.kernel_.bandwidth
        self.mu_ = fit.auto.least_mu(self.kernel_) if isinstance(self.mu, str) else float(self.mu)
        self.space_ = RepresenterSpace(self.kernel_, X, bool(self.fit_intercept))
        self.estimate_ = exact_estimate(
            self.space_, targets, labelled, self.lam, self.mu_, self.solver, self.max_bytes, weights
        )
        self.coefficients_ = self.estimate_.coefficients
        self.dirichlet_energy_ = float(self.estimate_.energy.sum())
        self.space_.__dict__.pop("gram", None)  # n²(d + 1)² numbers, not needed for predictions

    def _values(self, X):
        block = max(1, min(4096, (1 << 22) // self.space_.n_functions))
        return self.space_.evaluate(X, self.coefficients_, block)


@parametrised
class ExactLaplacianClassifier(ProbabilisticClassifier, ExactLaplacianEstimator):
    """Classification with a Dirichlet energy, minimised over the whole RKHS (SSL21 §3.2, Figure 4).

    g = argmin E_ℓ|g − code(y)|² + λ(E_n‖∇g‖² + μ‖g‖²_H), by the representer theorem on the n(d + 1)
    functions k(·, x_i), ∂_l k(·, x_i), in O(n³d³): the reference for small samples, which
    :class:`LaplacianClassifier` approximates on p functions in O(np²). Several classes by
    coordinate-wise least squares and decoding (SSL21 A.1).

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One with second derivatives: gaussian, matern32, matern52, polynomial; not exponential.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.fit.auto.bandwidth`.
    degree : int, default 3
        Degree of the polynomial kernel; ignored by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    lam : float, default 1
        λ, weight of the energy, in units of length².
    mu : "auto", "floor" or float above 0, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" and "floor" are 2·10⁻⁵/σ².
    solver : {"direct", "block"}, default "direct"
        One Cholesky factorisation, or the block inversion of KRR20 eq. (10).
    fit_intercept : bool, default False
        An unpenalised constant.
    max_bytes : int or None, default None
        Limit on memory; None is three quarters of the machine's.

    Attributes
    ----------
    classes_ : array (n_classes,)
    estimate_ : :class:`lapviz.representer.ExactEstimate`, coefficients and parts of the objective
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    dirichlet_energy_ : float, E_n‖∇g‖² summed over outputs
    space_, kernel_, bandwidth_, mu_ : values in use
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*.

    Examples
    --------
    >>> from lapviz import ExactLaplacianClassifier, datasets
    >>> data = datasets.load("half_moons", n_samples=100, random_state=0)
    >>> model = ExactLaplacianClassifier(lam=0.1).fit(data.X, data.semi_supervised_target())
    >>> model.coefficients_.shape  # n(d + 1) functions, one output for two classes
    (300, 1)
    """

    def fit(self, X, y, sample_weight=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y : array (n_samples,)
            Classes, -1 where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in both means. With the bandwidth given, a point of
            weight 2 counts like two equal points; one of weight 0 is left out. The scale of the
            weights does not matter.

        Returns
        -------
        ExactLaplacianClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.
        MemoryError
            If n(d + 1) functions do not fit, with the bytes they would take.
        """
        check_parameters(self)
        X, rows, weights, labelled, codes = self._read_classes(X, y, sample_weight)
        targets = estimates.class_codes(codes, len(self.classes_))
        self._fit_targets(X[rows], labelled, targets, weights)
        return self


@parametrised
class ExactLaplacianRegressor(TargetRegressor, ExactLaplacianEstimator):
    """Regression with a Dirichlet energy, minimised over the whole RKHS (SSL21 §3.2, KRR20 Thm 3).

    g = argmin E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H), by the representer theorem on the n(d + 1)
    functions k(·, x_i), ∂_l k(·, x_i), in O(n³d³): the reference for small samples, which
    :class:`LaplacianRegressor` approximates on p functions in O(np²). Targets are centred by the
    mean of the labelled ones.

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One with second derivatives: gaussian, matern32, matern52, polynomial; not exponential.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.fit.auto.bandwidth`.
    degree : int, default 3
        Degree of the polynomial kernel; ignored by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    lam : float, default 1
        λ, weight of the energy, in units of length².
    mu : "auto", "floor" or float above 0, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" and "floor" are 2·10⁻⁵/σ².
    solver : {"direct", "block"}, default "direct"
        One Cholesky factorisation, or the block inversion of KRR20 eq. (10).
    fit_intercept : bool, default False
        An unpenalised constant.
    max_bytes : int or None, default None
        Limit on memory; None is three quarters of the machine's.

    Attributes
    ----------
    estimate_ : :class:`lapviz.representer.ExactEstimate`, coefficients and parts of the objective
    coefficients_ : array (n_functions, n_outputs)
    dirichlet_energy_ : float, E_n‖∇g‖² summed over outputs
    target_mean_ : array (n_outputs,), mean of the labelled targets
    space_, kernel_, bandwidth_, mu_ : values in use
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled; a row with several outputs counts as labelled if none is NaN.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import ExactLaplacianRegressor
    >>> x = np.linspace(0, 3, 40)[:, None]
    >>> y = np.where(np.arange(40) % 4 == 0, np.sin(x[:, 0]), np.nan)
    >>> model = ExactLaplacianRegressor(lam=1e-4).fit(x, y)
    >>> bool(np.abs(model.predict(x) - np.sin(x[:, 0])).mean() < 0.05)
    True
    """

    def fit(self, X, y, sample_weight=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y : array (n_samples,) or (n_samples, n_outputs)
            Targets, NaN where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in both means. With the bandwidth given, a point of
            weight 2 counts like two equal points; one of weight 0 is left out. The scale of the
            weights does not matter.

        Returns
        -------
        ExactLaplacianRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.
        MemoryError
            If n(d + 1) functions do not fit, with the bytes they would take.
        """
        check_parameters(self)
        X, rows, weights, labelled, targets = self._read_targets(X, y, sample_weight)
        self.target_mean_ = weighted_mean(targets[labelled], weights, labelled)
        self._fit_targets(X[rows], labelled, targets[labelled] - self.target_mean_, weights)
        return self
