"""Classification from sets of candidate classes, as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from lapviz import estimates, fit
from lapviz.estimates import partial as partial_labels
from lapviz.estimators.base import KernelLaplacianEstimator
from lapviz.estimators.targets import decode_classes, is_unlabelled, split_labels
from lapviz.fit import parameters as p


class PartialLabelClassifier(ClassifierMixin, KernelLaplacianEstimator):
    """The smoothest function consistent with sets of candidate classes (SSL21 A.2).

    min over g and y_i ∈ s_i of E_ℓ|g(x_i) − code(y_i)|² + λ(E_n‖∇g‖² + μ‖g‖²_H), by alternating
    minimisation (:mod:`lapviz.partial_labels`). Where every set holds one class, the answer is
    that of :class:`LaplacianClassifier`.

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
    lam : float above 0, default 1
        λ, weight of the energy, in units of length².
    mu : "auto" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is 2·10⁻⁵/σ².
    operator : name or operator object, default "laplacian"
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space.
    max_iter : int, default 300
        Most steps of each stage of the minimisation.
    tol : float, default 1e-6
        Relative decrease of the objective below which the convex stage ends.
    random_state : int, RandomState or None, default None
    callback : callable, optional
        Called with a :class:`lapviz.partial_labels.PartialProgress`; returning True stops.

    Attributes
    ----------
    classes_ : array (n_classes,)
    transduction_ : array (n_samples,)
        The class of every training point, out of its own candidates where it has some.
    path_ : lapviz.partial_labels.Disambiguation, the objective of every step and more
    n_iter_ : int, steps of the last stage
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    kernel_, bandwidth_, mu_, landmarks_, space_ : what was used
    n_features_in_ : int
    """

    _parameter_constraints = {  # noqa: RUF012
        **KernelLaplacianEstimator._parameter_constraints,
        "lam": [Interval(Real, 0, None, closed="neither")],
        **p.constraints(p.FIT_INTERCEPT),
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "callback": [callable, None],
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
        operator="laplacian",
        fit_intercept=False,
        max_iter=300,
        tol=1e-6,
        random_state=None,
        callback=None,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.degree = degree
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.lam = lam
        self.mu = mu
        self.operator = operator
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.callback = callback

    def fit(self, X, y=None, *, candidates=None):
        """Find the smoothest consistent function.

        Parameters
        ----------
        X : array (n_samples, n_features)
        y, candidates : boolean array (n_samples, n_classes), or a sequence of n sets of classes
            Candidate classes of every point, under either name. Column j of an array is class j.
            None, or all of the classes, says nothing of a point; an empty set is an error. An
            array (n_samples,) of single classes, -1 where unlabelled, is taken too.

        Returns
        -------
        self
        """
        self._validate_params()
        y = self._either(y, candidates)
        if _is_plain(y):
            X, y = validate_data(self, X, y, dtype=np.float64, order="C")
            self.classes_, told, codes = split_labels(y)
            allowed = np.eye(len(self.classes_), dtype=bool)[codes]
        else:
            X = validate_data(self, X, dtype=np.float64, order="C")
            self.classes_, told, allowed = partial_labels.candidate_matrix(y, len(X))
        fit.warn_ignored(fit.SpaceSpec.of(self))
        assembled = self._assemble(X, constant=self.fit_intercept)
        n_classes = len(self.classes_)
        self.path_ = partial_labels.disambiguate(
            estimates.factorise(assembled.forms, self.mu_, self.fit_intercept),
            self.space_.phi(X[told]),
            allowed,
            estimates.class_codes(np.arange(n_classes), n_classes),
            self.lam,
            max_iter=self.max_iter,
            tol=self.tol,
            callback=self.callback,
        )
        self.coefficients_ = self.path_.coefficients
        self.n_iter_ = max(1, len(self.path_.objective))
        self.transduction_ = self.predict(X)
        self.transduction_[told] = self.classes_[self.path_.chosen]
        return self

    @staticmethod
    def _either(y, candidates):
        if y is not None and candidates is not None:
            raise ValueError("Give the candidate sets once: as y or as candidates, not both.")
        y = candidates if y is None else y
        if y is None:
            raise ValueError(
                "This estimator requires y to be passed, but the target y is None: give the "
                "candidate classes of every point."
            )
        return y

    def decision_function(self, X):
        """Scores: (n,) for two classes, positive for the second; else (n, n_classes), centred."""
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) <= 2 else scores

    def _scores(self, X):
        X = self._points(X)
        return self.space_.evaluate(X, self.coefficients_)

    def predict(self, X):
        """Classes (n,) of the largest score, whether or not they were candidates."""
        return decode_classes(self._scores(X), self.classes_)

    def score(self, X, y, sample_weight=None):
        """Share of the points whose predicted class is among their candidates.

        Points of which nothing is known do not count; with single classes it is the accuracy.
        """
        predicted = self.predict(X)
        if _is_plain(y):
            y = np.asarray(y)
            told = ~is_unlabelled(y)
            right = predicted[told] == y[told]
        else:
            classes, told, allowed = partial_labels.candidate_matrix(y, len(predicted))
            right = (allowed & (predicted[told][:, None] == classes)).any(axis=1)
        weights = None if sample_weight is None else np.asarray(sample_weight)[told]
        return float(np.average(right, weights=weights))


def _is_plain(y) -> bool:
    """Whether y holds one class a point rather than a set of them."""
    y = np.asarray(y) if hasattr(y, "__array__") else y
    if np.isscalar(y) or (isinstance(y, np.ndarray) and y.dtype != object):
        return np.ndim(y) != 2 or (y.shape[1] == 1 and y.dtype != bool)
    return all(np.isscalar(entry) for entry in y)
