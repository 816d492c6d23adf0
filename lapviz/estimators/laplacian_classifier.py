"""Semi-supervised classification with a Dirichlet energy, as a scikit-learn estimator."""

from __future__ import annotations

from sklearn.base import ClassifierMixin
from sklearn.utils.validation import validate_data

from lapviz import estimates, fit
from lapviz.estimators.laplacian import LaplacianEstimator
from lapviz.estimators.targets import (
    LabelledClassifierScore,
    check_marks,
    decode_classes,
    split_labels,
)
from lapviz.fit import parameters as p


class LaplacianClassifier(LabelledClassifierScore, ClassifierMixin, LaplacianEstimator):
    """Classification from few labels: least squares on class codes with a Dirichlet energy.

    g = argmin E_ℓ|g − code(y)|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions (SSL21 eq. 5 and
    Algorithm 1); several classes by coordinate-wise least squares and decoding (SSL21 A.1).

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object brings its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.auto_bandwidth`.
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
        The squared error over the labelled points (SSL21 eq. 5), or over all samples in
        frequency form (SSL21 eq. 9). "poisson": no squared error; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither λ nor the filter is used
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts; default "laplacian".
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space. With few labels it can flip whole clusters.
    balance : {None, "scale", "shift"}, default None
        Give every class the share of the sample that it has of the labels: multiply its share
        (class mass normalisation) or add a constant to its score
        (:func:`lapviz.estimates.balance`). For very few labels, drawn at random from the sample.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).

    Attributes
    ----------
    classes_ : array (n_classes,)
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    balance_ : None or lapviz.estimates.Balance
    dirichlet_energy_ : float, energy of g before balancing, summed over outputs
    kernel_, bandwidth_, mu_, landmarks_, space_ : what was used; ``landmarks_`` is None for waves
    solver_ : EnergyFactor or Spectrum, reusable for other labels on the same sample
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.
    """

    _parameter_constraints = {  # noqa: RUF012
        **LaplacianEstimator._parameter_constraints,
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
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y : array (n_samples,)
            Classes, -1 where unlabelled.

        Returns
        -------
        LaplacianClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, or no point is labelled.
        """
        self._validate_params()
        check_marks(y)
        X, y = validate_data(self, X, y, dtype=self._dtypes, order="C")
        self.classes_, labelled, codes = split_labels(y)
        targets = estimates.class_codes(codes, len(self.classes_))
        self._fit_targets(X, labelled, targets)
        n_classes = len(self.classes_)
        scores = None if self.balance is None else self.space_.evaluate(X, self.coefficients_)
        self.balance_ = fit.balance(scores, codes, n_classes, fit.EstimateSpec.of(self))
        return self

    def _scores(self, X):
        scores = super()._scores(X)
        return scores if self.balance_ is None else self.balance_(scores)

    def decision_function(self, X):
        """Scores of the classes: values of g in the code of SSL21 A.1.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n,) or (n, n_classes)
            For two classes one score, positive for the second; otherwise one for each class.
        """
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) <= 2 else scores

    def predict_proba(self, X):
        """Least-squares class probabilities, clipped to [0, 1].

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n, n_classes)
            Probabilities in the order of ``classes_``, rows of sum 1.
        """
        return estimates.probabilities(self._scores(X), len(self.classes_))

    def predict(self, X):
        """Predict classes: the one of the largest score.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n,)
            Classes, out of ``classes_``.
        """
        return decode_classes(self._scores(X), self.classes_)
