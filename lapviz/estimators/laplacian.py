"""Semi-supervised learning with a Dirichlet energy, as scikit-learn estimators."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from lapviz import estimates
from lapviz.estimates import filters
from lapviz.estimators.base import KernelLaplacianEstimator
from lapviz.estimators.targets import (
    LabelledClassifierScore,
    LabelledRegressorScore,
    regression_targets,
    split_labels,
)
from lapviz.spectra import spectrum


class _LaplacianEstimator(KernelLaplacianEstimator):
    """Common parts: parameters, and the fit of coded targets."""

    _parameter_constraints = {  # noqa: RUF012
        **KernelLaplacianEstimator._parameter_constraints,
        "lam": [Interval(Real, 0, None, closed="left")],
        "filter": [StrOptions(set(filters.names())), filters.Filter],
        "data_term": [StrOptions({"all", "labelled", "poisson"})],
        "fit_intercept": ["boolean"],
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

    def _fit_targets(self, X, labelled, targets) -> None:
        """Set ``coefficients_`` (n_functions, k) for targets (n_labelled, k)."""
        forms = self._fit_forms(X, constant=self.fit_intercept)
        phi = self.space_.phi(X[labelled])
        if self.data_term != "all":
            factor = estimates.penalty(forms, self.mu_, self.fit_intercept)
        if self.data_term == "labelled":
            self.coefficients_ = estimates.labelled_estimate(
                factor, phi, targets, self.lam, self.filter
            )
        elif self.data_term == "poisson":
            self.coefficients_ = estimates.poisson_estimate(factor, phi, targets)
        else:
            load = phi.T @ targets / len(targets)
            self.coefficients_ = estimates.spectral_estimate(
                spectrum(forms, self.mu_), load, self.lam, self.filter
            )
        energy = self.coefficients_.T @ forms.stiffness @ self.coefficients_
        self.dirichlet_energy_ = float(max(np.trace(energy), 0.0))

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
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`.
    """

    _parameter_constraints = {  # noqa: RUF012
        **_LaplacianEstimator._parameter_constraints,
        "balance": [StrOptions({"scale", "shift"}), None],
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
        self.balance_ = None
        if self.balance is not None:
            prior = np.bincount(codes, minlength=len(self.classes_)) / len(codes)
            scores = self.space_.evaluate(X, self.coefficients_)
            self.balance_ = estimates.balance(scores, prior, self.balance)
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
        scores = self._scores(X)
        n_classes = len(self.classes_)
        if n_classes == 1:
            return np.ones((len(scores), 1))
        if n_classes == 2:
            positive = np.clip(0.5 * (1.0 + scores[:, 0]), 0.0, 1.0)
            return np.column_stack([1.0 - positive, positive])
        shares = np.maximum(scores + 1.0 / n_classes, 0.0)
        total = shares.sum(axis=1, keepdims=True)
        return np.divide(shares, total, out=np.full_like(shares, 1.0 / n_classes), where=total > 0)

    def predict(self, X):
        """Classes (n,) of the largest score."""
        scores = self._scores(X)
        if len(self.classes_) <= 2:
            codes = (scores[:, 0] > 0).astype(int) * (len(self.classes_) - 1)
        else:
            codes = scores.argmax(axis=1)
        return self.classes_[codes]


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
        targets = y.reshape(len(y), -1)
        labelled = ~np.isnan(targets).any(axis=1)
        if not labelled.any():
            raise ValueError("y holds no target, only NaN: give at least one.")
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
