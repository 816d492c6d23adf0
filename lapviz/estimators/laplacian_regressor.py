"""Semi-supervised regression with a Dirichlet energy, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Self

from lapviz import fit
from lapviz._sklearn import check_parameters
from lapviz.estimators import advice
from lapviz.estimators.base import LaplacianEstimator, parametrised, with_progress
from lapviz.estimators.targets import (
    TargetRegressor,
    has_targets,
    labelled_rows,
    regression_targets,
    weighted_mean,
)


@parametrised
class LaplacianRegressor(TargetRegressor, LaplacianEstimator):
    """Regression from few targets with a Dirichlet energy (SSL21 eq. 5 and Algorithm 1).

    g = argmin E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions. Targets are centred by
    the mean of the labelled ones, in place of an intercept.

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object brings its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.auto_bandwidth`.
    degree : int, default 3
        Of the polynomial kernel; not used by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    n_landmarks : "auto" or int, default "auto"
        p, at most the number of samples; "auto" is :func:`lapviz.fit.auto.landmarks`.
    landmarks : str or array (p, d), default "stratified"
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    lam : float, default 1
        λ, weight of the energy, in units of length².
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is the least that points held
        out confirm (:mod:`lapviz.estimates.calibration`), "floor" is 2·10⁻⁵/σ².
    filter : {"tikhonov", "cutoff", "heat", "landweber"} or Filter, default "tikhonov"
        Tikhonov is the problem above; the others filter the same spectrum differently.
    data_term : {"labelled", "all", "poisson"}, default "labelled"
        The squared error over the labelled points (SSL21 eq. 5), or over all samples in
        frequency form (SSL21 eq. 9). "poisson": no squared error; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither λ nor the filter is used
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts; default "laplacian".
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space. With few labels it can flip whole clusters.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    verbose : bool or int, default False
        Show how far a fit or a prediction is, on the error stream (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    target_mean_ : float or array (n_outputs,), mean of the labelled targets
    coefficients_ : array (n_functions, n_outputs)
    dirichlet_energy_ : float
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : what was used; ``landmarks_`` is
        None for waves
    report_ : lapviz.fit.Report
        The automatic choices and their reasons; print it.
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled; a row with several outputs counts as labelled when all are given.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import LaplacianRegressor
    >>> x = np.linspace(0, 3, 200)
    >>> y = np.where(np.arange(200) % 20 == 0, np.sin(x), np.nan)  # 10 of 200 are labelled
    >>> model = LaplacianRegressor(lam=1e-4, random_state=0).fit(x[:, None], y)
    >>> bool(np.abs(model.predict(x[:, None]) - np.sin(x)).mean() < 0.05)
    True
    """

    @with_progress
    def fit(self, X, y, sample_weight=None, *, client=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features), dask array or dask DataFrame
            Points; of a Dask collection a sample is collected, and all else are sums over chunks.
        y : array (n_samples,) or (n_samples, n_outputs), or a Dask collection
            Targets, NaN where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in the energy and in the data term. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points; one of weight
            0 is left out. The scale of the weights does not matter. "auto" numbers of landmarks
            and bandwidths, and the draw of landmarks, do not depend on weights.
        client : distributed.Client, optional
            For Dask collections; by default what Dask uses now.

        Returns
        -------
        LaplacianRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.
        """
        check_parameters(self)
        streamed = self._streamed(X, y, sample_weight, client, has_targets)
        if streamed is None:
            X, rows, weights, labelled, targets = self._read_targets(X, y, sample_weight)
            energy, X, targets = self._energy(X, rows), X[rows], targets[labelled]
        else:
            X, weights, labelled = streamed, streamed.weights, streamed.labelled
            y, energy = regression_targets(X.targets, len(labelled)), fit.EnergySpec.of(self)
            self._single, targets = y.ndim == 1, labelled_rows(y)[0]
        self.target_mean_ = weighted_mean(targets, weights, labelled)
        estimate, constant = fit.EstimateSpec.of(self), self.fit_intercept
        fit.warn_ignored(fit.SpaceSpec.of(self), estimate)
        method = self._assemble(X, constant, energy, weights)
        self.solver_ = method.solver(self.data_term, constant)
        centred = targets - self.target_mean_
        of_labels = None if weights is None else weights[labelled]
        self.coefficients_ = fit.solve(
            self.space_, self.solver_, X[labelled], centred, estimate, of_labels
        )
        self.dirichlet_energy_ = method.assembled(constant).forms.energy(self.coefficients_)
        advice.warn(self._advice_on_points(X))
        return self
