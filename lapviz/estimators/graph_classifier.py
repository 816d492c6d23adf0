"""The graph baseline as a scikit-learn classifier."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from lapviz import graphs
from lapviz.estimators.targets import LabelledClassifierScore, split_labels
from lapviz.spaces.bandwidth import auto_bandwidth


class GraphLaplacianClassifier(LabelledClassifierScore, ClassifierMixin, BaseEstimator):
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

    _parameter_constraints = {  # noqa: RUF012  (scikit-learn's protocol)
        "method": [StrOptions({"harmonic", "spreading"})],
        "graph": [StrOptions({"dense", "knn"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions(set(graphs.WEIGHTS))],
        "bandwidth": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
    }

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

        self.bandwidth_ = self._find_bandwidth(X)
        if self.graph == "dense":
            W = graphs.dense_weights(X, self.bandwidth_)
        else:
            W = graphs.knn_weights(
                X, self.n_neighbors, weights=self.weights, bandwidth=self.bandwidth_
            )
        if self.method == "harmonic":
            F = graphs.harmonic(W, labelled, one_hot)
        else:
            F = np.maximum(graphs.spreading(W, labelled, one_hot, self.alpha), 0.0)
            total = F.sum(axis=1, keepdims=True)
            F = np.where(total > 0, F, one_hot.mean(axis=0))
        self.label_distributions_ = F / F.sum(axis=1, keepdims=True)
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        self._nodes = X
        return self

    def predict_proba(self, X):
        """Class distributions (n_new, n_classes), in the order of `classes_`; rows sum to 1."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        F, nodes = self.label_distributions_, self._nodes
        if self.graph == "dense":
            return graphs.extend_dense(nodes, F, X, self.bandwidth_)
        return graphs.extend_knn(
            nodes, F, X, self.n_neighbors, weights=self.weights, bandwidth=self.bandwidth_
        )

    def decision_function(self, X):
        """Scores (n_new, n_classes): the distributions, centred at 1/K.

        With two classes (n_new,): positive for the second; with a single one (n_new,) zeros.
        """
        F = self.predict_proba(X)
        n_classes = F.shape[1]
        if n_classes == 2:
            return F[:, 1] - F[:, 0]
        return F - 1 / n_classes if n_classes > 2 else np.zeros(len(F))

    def predict(self, X):
        """Classes (n_new,) of the largest score."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def _find_bandwidth(self, X):
        if self.graph == "knn" and self.weights != "gaussian":
            return None
        if self.bandwidth != "auto":
            return float(self.bandwidth)
        return float(auto_bandwidth(X, kernel="gaussian"))
