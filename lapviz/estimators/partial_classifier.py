"""Classification from sets of candidate classes, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from lapviz import estimates
from lapviz._sklearn import Interval, check_parameters
from lapviz.checks import check_weights, is_missing
from lapviz.estimates import partial as partial_labels
from lapviz.estimators import advice
from lapviz.estimators.base import (
    KernelLaplacianEstimator,
    checked,
    parametrised,
    with_progress,
)
from lapviz.estimators.targets import ScoredClassifier, decode_classes, mark_unlabelled, scored_rows
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import described


@parametrised
class PartialLabelClassifier(ScoredClassifier, KernelLaplacianEstimator):
    """The smoothest function consistent with sets of candidate classes (SSL21 A.2).

    min over g and y_i ∈ s_i of E_ℓ|g(x_i) − code(y_i)|² + λ(E_n‖∇g‖² + μ‖g‖²_H), by alternating
    minimisation (:mod:`lapviz.partial_labels`). Where every set holds one class, the estimate
    is that of :class:`LaplacianClassifier`.

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
        Rule by which centres are drawn, or the centres, as in :class:`LaplacianClassifier`.
    lam : float above 0, default 1
        λ, weight of the energy, in units of length².
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" is the least that held-out points
        confirm (:mod:`lapviz.estimates.calibration`), "floor" is 2·10⁻⁵/σ².
    operator : str or operator object, default "laplacian"
        Which derivatives the energy counts (:mod:`lapviz.operators`).
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space.
    max_iter : int, default 300
        Maximum number of steps in each stage of the minimisation.
    tol : float, default 1e-6
        Relative decrease of the objective below which the convex stage ends.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    callback : callable, optional
        Called with a :class:`lapviz.partial_labels.PartialProgress`; returning True stops.
    verbose : bool or int, default False
        Show the progress of a fit or a prediction on stderr (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    classes_ : array (n_classes,)
    transduction_ : array (n_samples,)
        The class of every training point, one of its candidates if it has any; of one of weight 0,
        whose candidates are left out, the class that `predict` gives it.
    path_ : lapviz.partial_labels.Disambiguation, the objective of every step and more
    n_iter_ : int, steps of the last stage
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : values in use; ``landmarks_`` is
        None for waves
    report_ : lapviz.fit.Report
        The automatic choices and their reasons; print it.
    n_features_in_ : int

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import PartialLabelClassifier
    >>> X = np.r_[np.linspace(0, 1, 10), np.linspace(5, 6, 10)][:, None]
    >>> sets = [{"a"}, *9 * [{"a", "b"}], {"b"}, *9 * [{"a", "b"}]]
    >>> model = PartialLabelClassifier(lam=0.1, random_state=0).fit(X, sets)
    >>> "".join(model.transduction_)
    'aaaaaaaaaabbbbbbbbbb'
    """

    takes_batches = False
    lam: float = described(PARAMETERS["lam"], closed="neither")
    fit_intercept: bool = described(PARAMETERS["fit_intercept"])
    max_iter: int = checked(300, Interval(Integral, 1, None, closed="left"))
    tol: float = checked(1e-6, Interval(Real, 0, None, closed="left"))
    callback: Callable[[Any], bool | None] | None = checked(None, callable, None)

    @with_progress
    def fit(self, X, y=None, *, candidates=None, sample_weight=None) -> Self:
        """Find the smoothest consistent function.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y, candidates : boolean array (n_samples, n_classes) or sequence of n_samples sets
            Candidate classes of every point, under either name. Column j of an array is class j.
            A point with None, or with all classes, is unlabelled; an empty set is an error. An
            array (n_samples,) of single classes, -1 where unlabelled, is accepted too.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in the energy and in the data term. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points (in a graph it
            is one node of mass 2); one of weight 0 is left out. The scale of the weights does not
            matter. "auto" numbers of landmarks and bandwidths, and the draw of landmarks, do not
            depend on weights.

        Returns
        -------
        PartialLabelClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, the sets are given twice or not at all, a set is empty,
            weights are negative, not finite or all 0, or no set rules out a class.
        """
        check_parameters(self)
        if y is not None and candidates is not None:
            raise ValueError("Give the candidate sets once: as y or as candidates, not both.")
        y = candidates if y is None else y
        if y is None:
            raise ValueError(
                "This estimator requires y to be passed, but the target y is None: give the "
                "candidate classes of every point."
            )
        if _is_plain(y):
            X, rows, weights, informative, codes = self._read_classes(X, y, sample_weight)
            allowed = np.eye(len(self.classes_), dtype=bool)[codes]
        else:
            X = self._validate_points(X)
            rows, weights = self._weighted_rows(sample_weight, len(X))
            self.classes_, informative, allowed = self._sets(y, len(X), rows)
        specs, X_all, X = self._specs_for_rows(self._specs(), X, rows), X, X[rows]
        method = self._assemble(X, weights, specs, bool(self.fit_intercept))
        advice.warn(self._advice_on_points(X))
        n_classes = len(self.classes_)
        self.path_ = partial_labels.disambiguate(
            method.solver(constant=bool(self.fit_intercept)),
            self.space_.phi(X[informative]),
            allowed,
            estimates.class_codes(np.arange(n_classes), n_classes),
            self.lam,
            weights=None if weights is None else weights[informative],
            max_iter=self.max_iter,
            tol=self.tol,
            callback=self.callback,
        )
        self.coefficients_ = self.path_.coefficients
        self.n_iter_ = max(1, len(self.path_.objective))
        self.transduction_ = decode_classes(self._values(X_all), self.classes_)
        informative_rows = np.arange(len(X_all))[rows][informative]
        self.transduction_[informative_rows] = self.classes_[self.path_.chosen]
        return self

    @staticmethod
    def _sets(y, n, rows):
        """Classes, mask of informative rows and their candidates, over rows of positive weight."""
        sets = partial_labels.candidate_matrix(y, n)  # also checks those of weight 0
        if isinstance(rows, slice):
            return sets
        kept = np.arange(n)[rows]
        y = np.asarray(y)[kept] if hasattr(y, "__array__") else [y[i] for i in kept]
        try:
            return partial_labels.candidate_matrix(y, len(kept))
        except ValueError as error:
            raise ValueError(f"Among the points of positive weight: {error}") from None

    def score(self, X, y, sample_weight=None) -> float:
        """Share of the points whose predicted class is among their candidates.

        Unlabelled points do not count; with single classes it is the accuracy.

        Parameters
        ----------
        X : array (n, n_features)
            Points.
        y : boolean array (n, n_classes), sequence of n sets of classes, or array (n,) of classes
            Candidate classes, as in :meth:`fit`.
        sample_weight : array (n,), optional
            Weights of the points.

        Returns
        -------
        float
            Between 0 and 1.

        Raises
        ------
        ValueError
            If no row is labelled, or no set rules out a class, or shapes do not fit.
        """
        predicted = self.predict(X)
        if _is_plain(y):
            y = column_or_1d(mark_unlabelled(y))
            y, informative = scored_rows(X, y, sample_weight, classes=True)
            hits = predicted[informative] == y[informative]
        else:
            check_consistent_length(X, sample_weight)
            allowed = partial_labels.allowed_classes(y, self.classes_, len(predicted))
            informative = np.flatnonzero(~allowed.all(axis=1))
            if not len(informative):
                raise ValueError("No candidate set rules out a class of the classifier.")
            hits = allowed[informative, np.searchsorted(self.classes_, predicted[informative])]
        if sample_weight is None:
            return float(hits.mean())
        weights = check_weights(sample_weight, len(predicted))[informative]
        return float(np.average(hits, weights=check_weights(weights, len(weights))))


def _is_plain(y) -> bool:
    """Whether y holds one class per point rather than a set of them."""
    y = np.asarray(y) if hasattr(y, "__array__") else y
    if np.isscalar(y):
        return True
    if isinstance(y, np.ndarray) and y.dtype != object:
        return y.ndim != 2 or (y.shape[1] == 1 and y.dtype != bool)
    if isinstance(y, np.ndarray) and y.shape[1:] == (1,):
        y = y[:, 0]
        if all(isinstance(entry, bool | np.bool_) for entry in y):  # a matrix of one column
            return False
    scalars = [np.isscalar(entry) for entry in y]
    return any(scalars) and all(
        is_scalar or is_missing(entry) for is_scalar, entry in zip(scalars, y, strict=True)
    )
