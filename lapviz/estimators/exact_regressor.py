"""The exact estimate of the representer theorem as a scikit-learn regressor."""

from __future__ import annotations

from typing import Self

from lapviz._sklearn import check_parameters
from lapviz.estimators.base import parametrised
from lapviz.estimators.exact import ExactLaplacianEstimator
from lapviz.estimators.targets import TargetRegressor, weighted_mean


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
        Of the polynomial kernel; not used by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    lam : float, default 1
        λ, weight of the energy, in units of length².
    mu : "auto" or float above 0, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is 2·10⁻⁵/σ².
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
    space_, kernel_, bandwidth_, mu_ : what was used
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled; a row with several outputs counts as labelled when all are given.

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
