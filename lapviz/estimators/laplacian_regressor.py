"""Semi-supervised regression with a Dirichlet energy, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal, Self, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lapviz import fit
from lapviz._sklearn import check_parameters
from lapviz.checks import as_python
from lapviz.estimators import advice
from lapviz.estimators.base import LaplacianEstimator, Specs, parametrised, with_progress
from lapviz.estimators.targets import (
    TargetRegressor,
    has_targets,
    labelled_rows,
    lazy_on_dask,
    regression_targets,
    weighted_mean,
)
from lapviz.fit import few_labels, few_targets
from lapviz.fit.scaling import DECISIVE

# Attributes of either the papers' estimator or the one with default settings, not of both.
_CONDITIONAL = ("solver_", "dirichlet_energy_", "noise_", "linear_share_")


@parametrised
class LaplacianRegressor(TargetRegressor, LaplacianEstimator):
    """Regression from few targets with a Dirichlet energy (SSL21 eq. 5 and Algorithm 1).

    g = argmin E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions. Targets are centred by
    the mean of the labelled ones, in place of an intercept.

    With default parameters everything is chosen from the data: g = constant + linear + smooth is
    the mean of a Gaussian process, and its hyperparameters (the energy, σ, the linear share, the
    noise) are averaged over by their evidence (:mod:`lapviz.fit.few_targets` has the rules;
    ``report_`` lists the likeliest values). ``predict(X, return_std=True)`` then gives the
    uncertainty of new observations. Setting any parameter but the seed, ``verbose`` and ``scaling``
    selects the papers' estimator: "auto" then stands for λ = 1 and for ``operator="laplacian"``.

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
        p, at most the number of samples; "auto" is :func:`lapviz.fit.auto.landmarks`.
    landmarks : str or array (p, d), default "stratified"
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    lam : "auto" or float, default "auto"
        λ, weight of the energy, in units of length²; "auto" is 1 where another parameter is set.
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is the least that held-out points
        confirm (:mod:`lapviz.estimates.calibration`), "floor" is 2·10⁻⁵/σ².
    filter : {"tikhonov", "cutoff", "heat", "landweber"} or Filter, default "tikhonov"
        Tikhonov is the problem above; the others filter the same spectrum, over the labelled
        points that of their mass matrix, differently.
    data_term : {"labelled", "all", "poisson"}, default "labelled"
        The squared error over the labelled points (SSL21 eq. 5), or over all samples in
        frequency form (SSL21 eq. 9). "poisson": no squared error; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither λ nor the filter is used
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : "auto", {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts; default "auto", which is
        "laplacian" where another parameter is set.
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space. With few labels it can flip whole clusters.
    scaling : {"auto", "standard", None}, default "auto"
        Whether columns are standardised first; σ, μ and λ are then in these units. "auto" does so
        where no other parameter is set, and half of the columns are narrower than a twentieth of
        the widest, or the values of y are likelier then (:mod:`lapviz.fit.scaling`); ``report_``
        says so and why.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    verbose : bool or int, default False
        Show the progress of a fit or a prediction on stderr (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    target_mean_ : array (n_outputs,), mean of the labelled targets
    coefficients_ : array (n_functions, n_outputs)
    dirichlet_energy_ : float
        Of the papers' estimator only.
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : values in use; ``landmarks_`` is
        None for waves
    operator_, lam_ : values in use; "none" for the RKHS norm alone, with μ = 1
    solver_ : EnergyFactor or Spectrum, reusable for other targets on the same sample
        Of the papers' estimator only.
    noise_ : float or array (n_outputs,)
        Standard deviation of the noise at the labelled points' mean weight, in the units of y; with
        default settings only.
    linear_share_ : float
        Mean share of the prior variance that is linear, of the priors in use; with default settings
        only.
    report_ : lapviz.fit.Report
        The automatic choices and their reasons; print it.
    scaling_ : lapviz.fit.Scaling or None
        Applied to the columns first; ``space_`` and ``landmarks_`` are in scaled units.
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled; a row with several outputs counts as labelled if none is NaN.

    With default settings the estimate is an average, one function in ``space_``: linear functions
    and kernel functions of several widths. ``kernel_``, ``landmarks_``, ``operator_``, λ and μ are
    those of the likeliest prior with a smooth part. Far from the data the linear part extrapolates,
    as in a linear model, and the intervals grow with it. Several outputs share the hyperparameters.
    Weights of labelled rows are then precisions: the noise variance is ν/w, w relative to the mean
    weight.

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
    >>> model = LaplacianRegressor(random_state=0).fit(x[:, None], y)
    >>> values, std = model.predict(x[:, None], return_std=True)
    >>> bool(np.abs(values - np.sin(x)).mean() < 0.01)
    True
    >>> papers = LaplacianRegressor(lam=1e-4, random_state=0).fit(x[:, None], y)
    >>> bool(np.abs(papers.predict(x[:, None]) - np.sin(x)).mean() < 0.05)
    True
    """

    @with_progress
    def fit(self, X, y, sample_weight=None, *, client=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features), dask array or dask DataFrame
            Points; of a Dask collection only a sample is collected, the rest enters as sums over
            chunks. With default settings only the labelled rows and a sample are used: of more than
            10 000 rows that many, or 5000 beside the labelled ones, in memory or not.
        y : array (n_samples,) or (n_samples, n_outputs), or a Dask collection
            Targets, NaN where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in the energy and in the data term. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points (in a graph it
            is one node of mass 2); one of weight 0 is left out. The scale of the weights does not
            matter. "auto" numbers of landmarks and bandwidths, and the draw of landmarks, do not
            depend on weights.
        client : distributed.Client, optional
            For Dask collections; by default Dask's current client or scheduler.

        Returns
        -------
        LaplacianRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.

        Warns
        -----
        UserWarning
            If rows of y hold some of several targets, but not all; in memory only.
        """
        check_parameters(self)
        for name in _CONDITIONAL:  # of an earlier fit
            self.__dict__.pop(name, None)
        specs = self._specs()
        streamed = self._streamed(specs, X, y, sample_weight, client, has_targets)
        if streamed is None:
            X, rows, weights, labelled, targets = self._read_targets(X, y, sample_weight)
            specs, X, targets = self._specs_for_rows(specs, X, rows), X[rows], targets[labelled]
        else:
            X, weights, labelled = streamed, streamed.weights, streamed.labelled
            y = regression_targets(X.targets, len(labelled))
            self._single, targets = y.ndim == 1, labelled_rows(y)[0]
        automatic = not self._non_default()
        if not automatic:
            X, specs = self._fit_scaling(X, weights, specs, automatic=False)
        self.target_mean_ = weighted_mean(targets, weights, labelled)
        centred = targets - self.target_mean_
        label_weights = None if weights is None else weights[labelled]
        _, energy, estimate = specs
        if automatic:
            fit.warn_ignored(specs[0])
            return self._fit_process(X, weights, labelled, centred, label_weights)
        self._process, self.operator_ = None, energy.operator
        self.lam_, constant = estimate.lam, estimate.fit_intercept
        method = self._assemble(X, weights, specs, constant)
        self.solver_ = method.solver(self.data_term, constant)
        self.coefficients_ = fit.solve(
            self.space_, self.solver_, X[labelled], centred, estimate, label_weights, outputs=True
        )
        self.dirichlet_energy_ = method.assembled(constant).forms.energy(self.coefficients_)
        advice.warn(self._advice_on_points(X))
        return self

    def _fit_process(self, X, weights, labelled, centred, label_weights) -> Self:
        """Fit with default settings: a Gaussian process whose hyperparameters are averaged over."""
        labelled = few_labels.row_numbers(np.asarray(labelled))
        rows = few_labels.nodes(len(X), labelled)
        points, mass = np.asarray(X[rows], dtype=float), None if weights is None else weights[rows]
        if label_weights is not None:
            label_weights = label_weights / label_weights.mean()
        scale = _spread(centred, label_weights)

        def chosen_with(scaling: fit.Scaling | None, above: float = -np.inf):
            sample = fit.Sample.of(points if scaling is None else scaling(points), mass)
            return sample, few_targets.choose(
                sample,
                np.searchsorted(rows, labelled),
                centred / np.where(scale > 0, scale, 1.0),
                label_weights,
                self.random_state,
                above,
            )

        self.scaling_, because = fit.Scaling.of(X, weights, self.scaling), ""
        sample, chosen = chosen_with(self.scaling_)
        assert chosen is not None
        if self.scaling == "auto" and self.scaling_ is None:
            standard = fit.Scaling.of(X, weights, "standard")
            if standard is not None and standard.matters(points):
                least = chosen.log_evidence + DECISIVE
                other_sample, other = chosen_with(standard, above=least)
                if other is not None:
                    gap = other.log_evidence - chosen.log_evidence
                    because = f"the values are likelier so, by {gap:.2g} in log evidence"
                    self.scaling_, sample, chosen = standard, other_sample, other
        process, main = chosen.process, chosen.main
        self._process, self._weighted = process, weights is not None
        self._scale = np.where((scale > 0) & (len(labelled) > 1), scale, np.nan)
        self.coefficients_ = process.coefficients * scale
        self._set_space(main.space.kernel, process.space, main.space.landmarks, True)
        self.operator_, self.mu_, self.lam_ = main.operator or "none", main.mu, chosen.lam
        self.noise_ = self._shaped((process.noise * self._scale)[None])[0]
        self.linear_share_ = process.linear_share
        self._set_report(chosen.report, because)
        names = getattr(self, "feature_names_in_", None)
        advice.warn([advice.scales(sample.X, names), advice.single_row(sample.X, names)])
        return self

    def _non_default(self) -> list[str]:
        """Names of the parameters that select the papers' estimator by their values."""
        given = {f.name: as_python(getattr(self, f.name)) for f in fields(self)}
        given["filter"] = getattr(given["filter"], "name", given["filter"])  # of an object
        unused = {"random_state", "verbose", "scaling", *dict(fit.SpaceSpec.of(self).unused())}
        defaults = {f.name: f.default for f in fields(self) if f.name not in unused}

        def is_default(value: object, default: object) -> bool:
            return value is default or (isinstance(value, type(default)) and value == default)

        return [name for name, default in defaults.items() if not is_default(given[name], default)]

    def _papers(self) -> dict[str, Any]:
        """Values that "auto" stands for where another parameter is set."""
        values = {"operator": fit.EnergySpec.operator, "lam": fit.EstimateSpec.lam}
        return {name: v for name, v in values.items() if fit.plans.is_auto(getattr(self, name))}

    def _specs(self) -> Specs:
        space, energy, estimate = super()._specs()
        if not self._non_default():
            return space, energy, estimate
        papers = self._papers()
        energy = replace(energy, operator=papers.get("operator", energy.operator))
        return space, energy, replace(estimate, lam=papers.get("lam", estimate.lam))

    @overload
    def predict(self, X, return_std: Literal[False] = False) -> np.ndarray: ...

    @overload
    def predict(self, X, return_std: Literal[True]) -> tuple[np.ndarray, np.ndarray]: ...

    def predict(self, X, return_std: bool = False) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Predict values, and the uncertainty of new observations.

        Parameters
        ----------
        X : array (n, n_features)
            Points; a Dask collection where `fit` takes one.
        return_std : bool, default False
            Whether to return standard deviations too; with default settings only.

        Returns
        -------
        values : array (n,) or (n, n_outputs)
            Values of the estimate, in the units and the shape of y. Of a Dask collection: a dask
            array, not yet computed.
        std : array (n,) or (n, n_outputs), if ``return_std``
            Standard deviations of new observations there, noise included: about 90 % of the
            observations lie within 1.645 of these. Weights are inverse variances of the noise: the
            observations are of the labelled points' mean weight. NaN if all given targets are
            equal.

        Raises
        ------
        ValueError
            If standard deviations are requested and parameters were set: the noise is then
            unknown.
        """
        values = super().predict(X)
        return (values, self._deviation(X)) if return_std else values

    @lazy_on_dask
    def _deviation(self, X) -> np.ndarray:
        check_is_fitted(self)
        if self._process is None:
            raise ValueError(
                "return_std=True needs the noise level, which LaplacianRegressor estimates with "
                f"default settings only; here {', '.join(self._non_default()) or 'a parameter'} "
                "was given. Leave it at its default, or use the spread of the residuals in a "
                "cross-validation."
            )
        return self._shaped(self._process.deviation(self._points(X)) * self._scale)


def _spread(centred: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Root mean square (k,) of centred targets; 0 where they are all 0."""
    largest = np.abs(centred).max(axis=0)
    ratio = centred / np.where(largest > 0, largest, 1.0)
    return largest * np.sqrt(np.average(ratio**2, axis=0, weights=weights))
