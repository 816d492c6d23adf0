"""The graph baseline as a scikit-learn classifier."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import validate_data

from lapviz import estimates, fit
from lapviz.estimators.base import PointsEstimator
from lapviz.estimators.targets import LabelledClassifierScore, decode_classes, split_labels
from lapviz.fit import parameters as p


class GraphLaplacianClassifier(LabelledClassifierScore, ClassifierMixin, PointsEstimator):
    """Semi-supervised classification on a graph over all points, labelled and not.

    Never NaN: a point that no label reaches gets the labels' class frequencies. New points get the
    weighted average of their nodes (:func:`lapviz.graphs.extend_dense`), training points what they
    got in `fit`, so that ``predict(X)`` on the training data is ``transduction_``.

    Parameters
    ----------
    method : {"harmonic", "spreading"}
        Zhu, Ghahramani and Lafferty (2003), labels clamped; or Zhou et al. (2004).
    graph : {"dense", "knn"}
        All pairs with Gaussian weights, 24 n² bytes; or nearest neighbours, sparse.
    n_neighbors : int, default=10
        Neighbours of a node, k-NN graph only; at most n_samples − 1 are used.
    weights : {"self-tuning", "gaussian", "binary"}
        Of the k-NN graph: exp(−4r²/r_k²), exp(−r²/2σ²) or 1.
    bandwidth : "auto" or float > 0
        σ of Gaussian weights, in the units of X; "auto" is
        :func:`lapviz.bandwidths.auto_bandwidth`.
    alpha : float in (0, 1), default=0.99
        Spreading only: the share taken from the neighbours. 0.99 is Zhou et al.'s.

    Attributes
    ----------
    classes_ : (n_classes,) array
    label_distributions_ : (n_samples, n_classes) array, rows sum to 1.
    transduction_ : (n_samples,) array, the class of every training point.
    bandwidth_ : float or None, the σ in use.
    n_features_in_ : int

    Notes
    -----
    Unlabelled is -1, as in `sklearn.semi_supervised`, so -1 cannot be a class. Among strings
    it is "-1", which is what NumPy makes of -1 there; an object array may hold either.
    """

    _parameter_constraints = p.constraints(
        p.METHOD, p.GRAPH, p.N_NEIGHBORS, p.WEIGHTS, p.BANDWIDTH, p.ALPHA
    )

    def __init__(
        self,
        *,
        method="harmonic",
        graph="knn",
        n_neighbors=10,
        weights="self-tuning",
        bandwidth="auto",
        alpha=0.99,
    ):
        self.method = method
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.bandwidth = bandwidth
        self.alpha = alpha

    def fit(self, X, y):
        """Spread the labels over the graph of the points.

        Parameters
        ----------
        X : (n_samples, n_features) array
        y : (n_samples,) array
            Classes, -1 where unlabelled.

        Returns
        -------
        self
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, labelled, codes = split_labels(y)
        one_hot = np.eye(len(self.classes_))[codes]

        spec = fit.GraphSpec.of(self)
        fit.warn_ignored(spec)
        self._spec = fit.graph.resolve(X, spec)
        self.bandwidth_ = float(self._spec.bandwidth) if spec.needs_bandwidth else None
        W = fit.graph.weights(X, self._spec)
        self.label_distributions_ = fit.graph.shares(W, labelled, one_hot, self._spec)
        self.transduction_ = self._decoded(self.label_distributions_)
        self._nodes = X
        return self

    def predict_proba(self, X):
        """Class distributions (n_new, n_classes), in the order of `classes_`; rows sum to 1."""
        X = self._points(X)
        return fit.graph.extend(self._nodes, self.label_distributions_, X, self._spec)

    def decision_function(self, X):
        """Scores (n_new, n_classes): the distributions, centred at 1/K.

        With two classes (n_new,): positive for the second; with a single one (n_new,) zeros.
        """
        F = self.predict_proba(X)
        scores = estimates.class_scores(F) if F.shape[1] > 1 else np.zeros_like(F)
        return scores[:, 0] if F.shape[1] <= 2 else scores

    def predict(self, X):
        """Classes (n_new,) of the largest score."""
        return self._decoded(self.predict_proba(X))

    def _decoded(self, shares):
        return decode_classes(estimates.class_scores(shares), self.classes_)
