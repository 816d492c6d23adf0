"""Semi-supervised learning with a Dirichlet energy, as scikit-learn estimators."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import validate_data

from lapviz import estimates, fit
from lapviz.estimators.base import KernelLaplacianEstimator
from lapviz.estimators.targets import (
    LabelledClassifierScore,
    LabelledRegressorScore,
    decode_classes,
    labelled_rows,
    regression_targets,
    split_labels,
)
from lapviz.fit import parameters as p


class _LaplacianEstimator(KernelLaplacianEstimator):
    """Common parts: parameters, and the fit of coded targets."""

    _parameter_constraints = {  # noqa: RUF012
        **KernelLaplacianEstimator._parameter_constraints,
        **p.constraints(p.LAM, p.FILTER, p.DATA_TERM, p.FIT_INTERCEPT),
    }

    def __init__(
        self,
        *,
        kernel="gaussian",
        bandwidth="auto",
        degree=3,
        n_landmarks=200,
        landmarks="stratified",
        lam=1.0,
        mu="auto",
        filter="tikhonov",
        data_term="labelled",
        operator="laplacian",
        fit_intercept=False,
        random_state=None,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.degree = degree
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.lam = lam
        self.mu = mu
        self.filter = filter
        self.data_term = data_term
        self.operator = operator
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _estimate_spec(self) -> fit.EstimateSpec:
        """What the estimate is, as a specification."""
        return fit.EstimateSpec(
            self.lam,
            self.filter,
            self.data_term,
            self.fit_intercept,
            getattr(self, "balance", None),
        )

    def _fit_targets(self, X, labelled, targets) -> None:
        """Set ``coefficients_`` (n_functions, k) for targets (n_labelled, k)."""
        estimate = self._estimate_spec()
        fit.warn_ignored(fit.SpaceSpec.of(self), estimate)
        assembled = self._assemble(X, constant=self.fit_intercept)
        self.solver_ = fit.prepare(assembled, self.mu_, estimate)
        self.coefficients_ = fit.solve(self.space_, self.solver_, X[labelled], targets, estimate)
        self.dirichlet_energy_ = assembled.forms.energy(self.coefficients_)

    def _scores(self, X):
        X = self._points(X)
        return self.space_.evaluate(X, self.coefficients_)


class LaplacianClassifier(LabelledClassifierScore, ClassifierMixin, _LaplacianEstimator):
    """Classification from few labels: least squares on class codes with a Dirichlet energy.

    g = argmin E_ℓ|g − code(y)|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions (SSL21 eq. 5 and
    Algorithm 1); several classes by coordinate-wise least squares and decoding (SSL21 A.1).

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object brings its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.bandwidths.auto_bandwidth`.
    degree : int, default 3
        Of the polynomial kernel; not used by the others.
    n_landmarks : int, default 200
        p, at most the number of samples.
    landmarks : str or array (p, d), default "stratified"
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    lam : float, default 1
        λ, weight of the energy, in units of length².
    mu : "auto" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is 2·10⁻⁵/σ².
    filter : {"tikhonov", "cutoff", "heat", "landweber"} or Filter, default "tikhonov"
        Tikhonov is the problem above; the others filter the same spectrum differently.
    data_term : {"labelled", "all", "poisson"}, default "labelled"
        Where the data term is measured: on the labelled points (SSL21 eq. 5) or, in
        frequency form, over all samples (SSL21 eq. 9). "poisson": nowhere; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither λ nor the filter plays a part
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space (see the README before you do).
    balance : {None, "scale", "shift"}, default None
        Give every class the share of the sample that it has of the labels: multiply its share
        (class mass normalisation) or add a constant to its score
        (:func:`lapviz.estimates.balance`). For very few labels, drawn as the classes are.
    random_state : int, RandomState or None, default None

    Attributes
    ----------
    classes_ : array (n_classes,)
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    balance_ : None or lapviz.estimates.Balance
    dirichlet_energy_ : float, energy of g before balancing, summed over outputs
    kernel_, bandwidth_, mu_, landmarks_, space_ : what was used; no landmarks for waves
    solver_ : EnergyFactor or Spectrum, what every further set of labels can be solved with
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`.
    """

    _parameter_constraints = {  # noqa: RUF012
        **_LaplacianEstimator._parameter_constraints,
        **p.constraints(p.BALANCE),
    }

    def __init__(
        self,
        *,
        kernel="gaussian",
        bandwidth="auto",
        degree=3,
        n_landmarks=200,
        landmarks="stratified",
        lam=1.0,
        mu="auto",
        filter="tikhonov",
        data_term="labelled",
        operator="laplacian",
        fit_intercept=False,
        balance=None,
        random_state=None,
    ):
        super().__init__(
            kernel=kernel,
            bandwidth=bandwidth,
            degree=degree,
            n_landmarks=n_landmarks,
            landmarks=landmarks,
            lam=lam,
            mu=mu,
            filter=filter,
            data_term=data_term,
            operator=operator,
            fit_intercept=fit_intercept,
            random_state=random_state,
        )
        self.balance = balance

    def fit(self, X, y):
        """Fit on all rows of X (n_samples, n_features); y (n_samples,) is -1 where unlabelled."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        self.classes_, labelled, codes = split_labels(y)
        targets = estimates.class_codes(codes, len(self.classes_))
        self._fit_targets(X, labelled, targets)
        n_classes = len(self.classes_)
        scores = None if self.balance is None else self.space_.evaluate(X, self.coefficients_)
        self.balance_ = fit.balance(scores, codes, n_classes, self._estimate_spec())
        return self

    def _scores(self, X):
        scores = super()._scores(X)
        return scores if self.balance_ is None else self.balance_(scores)

    def decision_function(self, X):
        """Scores: (n,) for two classes, positive for the second; else (n, n_classes), centred."""
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) <= 2 else scores

    def predict_proba(self, X):
        """Least-squares class probabilities (n, n_classes), clipped to [0, 1], rows sum to 1."""
        return estimates.probabilities(self._scores(X), len(self.classes_))

    def predict(self, X):
        """Classes (n,) of the largest score."""
        return decode_classes(self._scores(X), self.classes_)


class LaplacianRegressor(LabelledRegressorScore, RegressorMixin, _LaplacianEstimator):
    """Regression from few targets with a Dirichlet energy (SSL21 eq. 5 and Algorithm 1).

    Targets are centred by the mean of the labelled ones, which stands in for an intercept.

    Parameters
    ----------
    kernel, bandwidth, degree, n_landmarks, landmarks, lam, mu, filter, data_term, operator, \
fit_intercept, random_state
        As in :class:`LaplacianClassifier`.

    Attributes
    ----------
    target_mean_ : float or array (n_outputs,), mean of the labelled targets
    coefficients_ : array (n_functions, n_outputs)
    dirichlet_energy_ : float
    kernel_, bandwidth_, mu_, landmarks_, space_ : what was used
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled; a row with several outputs counts as labelled when all are given.
    """

    def fit(self, X, y):
        """Fit on all rows of X; y (n_samples,) or (n_samples, k) is NaN where unlabelled."""
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, order="C")
        y = regression_targets(y, len(X))
        self._single = y.ndim == 1
        targets, labelled = labelled_rows(y)
        self.target_mean_ = targets[labelled].mean(axis=0)
        self._fit_targets(X, labelled, targets[labelled] - self.target_mean_)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def predict(self, X):
        """Values (n,) or (n, n_outputs)."""
        values = self._scores(X) + self.target_mean_
        return values[:, 0] if self._single else values
