"""The graph baseline as a scikit-learn classifier."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import ClassifierMixin

from lapviz import estimates, fit
from lapviz._sklearn import check_parameters
from lapviz.estimators.base import PointsEstimator
from lapviz.estimators.targets import (
    LabelledScore,
    decode_classes,
    marked,
    split_labels,
)
from lapviz.fit import parameters as p


class GraphLaplacianClassifier(LabelledScore, ClassifierMixin, PointsEstimator):
    """Semi-supervised classification on a graph over all points, labelled and not.

    Never NaN: a point that is not connected to a label gets the labels' class frequencies. A new
    point gets the weighted average of the nodes (:func:`lapviz.graphs.extend_dense`), a training
    point its own values, so that ``predict(X)`` on the training data is ``transduction_``.

    Parameters
    ----------
    method : {"harmonic", "spreading"}, default "harmonic"
        Zhu, Ghahramani and Lafferty (2003), labels clamped; or Zhou et al. (2004).
    graph : {"knn", "dense"}, default "knn"
        Nearest neighbours, sparse; or all pairs with Gaussian weights, 24 n² bytes.
    n_neighbors : int, default 10
        Neighbours of a node, k-NN graph only; at most n_samples − 1 are used.
    weights : {"self-tuning", "shared", "gaussian", "binary"}, default "self-tuning"
        Of the k-NN graph: exp(−4r²/r_k²), the same times the share of common neighbours
        (:func:`lapviz.graphs.overlap`), exp(−r²/2σ²) or 1.
    bandwidth : "auto" or float, default "auto"
        σ of Gaussian weights, in the units of X; "auto" is
        :func:`lapviz.auto_bandwidth`.
    alpha : float in (0, 1), default 0.99
        Spreading only: the share taken from the neighbours. 0.99 is Zhou et al.'s.

    Attributes
    ----------
    classes_ : array (n_classes,)
    label_distributions_ : array (n_samples, n_classes), rows of sum 1
    transduction_ : array (n_samples,), the class of every training point
    bandwidth_ : float or None, the σ in use
    n_features_in_ : int

    Notes
    -----
    Unlabelled is -1, as in `sklearn.semi_supervised`, so -1 cannot be a class. Among strings
    it is "-1", which is what NumPy makes of -1 there; an object array may hold either.

    References
    ----------
    Zhu, Ghahramani and Lafferty (2003), *Semi-supervised learning using Gaussian fields and
    harmonic functions*.

    Zhou, Bousquet, Lal, Weston and Schölkopf (2004), *Learning with local and global consistency*.

    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    Examples
    --------
    >>> from lapviz import GraphLaplacianClassifier, datasets
    >>> data = datasets.load("half_moons", n_samples=400, random_state=0)
    >>> model = GraphLaplacianClassifier().fit(data.X, data.semi_supervised_target())
    >>> bool((model.transduction_ == data.y).mean() > 0.95)
    True
    """

    _parameter_constraints = p.constraints(
        p.METHOD, p.GRAPH, p.N_NEIGHBORS, p.WEIGHTS, p.BANDWIDTH, p.ALPHA
    )

    def __init__(
        self,
        *,
        method: str = "harmonic",
        graph: str = "knn",
        n_neighbors: int = 10,
        weights: str = "self-tuning",
        bandwidth: float | str = "auto",
        alpha: float = 0.99,
    ):
        self.method = method
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.bandwidth = bandwidth
        self.alpha = alpha

    def fit(self, X, y, sample_weight=None) -> Self:
        """Spread the labels over the graph of the points.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points, the nodes.
        y : array (n_samples,)
            Classes, -1 where unlabelled.
        sample_weight : array (n_samples,), optional
            Masses of the nodes, at least 0: the edge between i and j counts s_i s_j times. A node
            of mass 2 stands for two equal points that are not joined to each other; for a dense
            graph of given bandwidth and harmonic functions that is the same as repeating the row.
            In a k-NN graph, who is a neighbour does not depend on the masses. One of mass 0 is
            left out, and gets the value that the others give it. The scale does not matter.

        Returns
        -------
        GraphLaplacianClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.
        MemoryError
            If a dense graph does not fit.
        """
        check_parameters(self)
        X, y = self._checked_with(X, marked(y))
        rows, mass = self._counted(sample_weight, len(X))
        everything, X = X, X[rows]
        self.classes_, labelled, codes = split_labels(y[rows])
        one_hot = np.eye(len(self.classes_))[codes]

        spec = fit.GraphSpec.of(self)
        fit.warn_ignored(spec)
        self._spec = fit.graph.resolve(X, spec)
        self.bandwidth_ = float(self._spec.bandwidth) if spec.needs_bandwidth else None
        W = fit.graph.weights(X, self._spec, mass)
        self._nodes, self._mass = X, mass
        self._shares = fit.graph.shares(W, labelled, one_hot, self._spec, mass)
        self.label_distributions_ = self._shares
        if len(X) < len(everything):
            self.label_distributions_ = self._extended(everything)
            self.label_distributions_[rows] = self._shares
        self.transduction_ = self._decoded(self.label_distributions_)
        return self

    def _extended(self, X):
        return fit.graph.extend(self._nodes, self._shares, X, self._spec, self._mass)

    def predict_proba(self, X) -> np.ndarray:
        """Class shares, extended from the nodes to any points.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n, n_classes)
            Shares in the order of ``classes_``, rows of sum 1.
        """
        X = self._points(X)
        return self._extended(X)

    def decision_function(self, X) -> np.ndarray:
        """Scores of the classes: shares in the code of SSL21 A.1.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n,) or (n, n_classes)
            For two classes the difference of the shares, positive for the second; for a single
            class zeros; otherwise the shares less 1/K.
        """
        F = self.predict_proba(X)
        scores = estimates.class_scores(F) if F.shape[1] > 1 else np.zeros_like(F)
        return scores[:, 0] if F.shape[1] <= 2 else scores

    def predict(self, X) -> np.ndarray:
        """Predict classes: the one of the largest share.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n,)
            Classes, out of ``classes_``.
        """
        return self._decoded(self.predict_proba(X))

    def _decoded(self, shares):
        return decode_classes(estimates.class_scores(shares), self.classes_)
