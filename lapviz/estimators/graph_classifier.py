"""The graph baseline as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lapviz import fit, graphs
from lapviz._sklearn import check_parameters
from lapviz.estimates.codes import class_scores, class_shares, normalised, softmax
from lapviz.estimates.passes import PASS_ENERGY
from lapviz.estimators import advice
from lapviz.estimators.base import PointsEstimator, parametrised
from lapviz.estimators.targets import ScoredClassifier, decode_classes
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import described


@parametrised
class GraphLaplacianClassifier(ScoredClassifier, PointsEstimator):
    """Semi-supervised classification on a graph over all points, labelled or not.

    Never NaN: a point that is not connected to a label gets the labels' class frequencies. A new
    point gets the weighted average of the nodes (:func:`lapviz.graphs.extend_dense`), a training
    point its own values: ``predict(X)`` on the training data is ``transduction_``, but for equal
    points, which get the mean of their values.

    Parameters
    ----------
    method : {"harmonic", "spreading"}, default "harmonic"
        Zhu, Ghahramani and Lafferty (2003), labels clamped; or Zhou et al. (2004).
    graph : {"knn", "dense"}, default "knn"
        Nearest neighbours, sparse; or all pairs with Gaussian weights, 24 n² bytes.
    n_neighbors : int, default 10
        Neighbours of a node, k-NN graph only; at most n_samples − 1 are used.
    weights : {"self-tuning", "shared", "gaussian", "binary"}, default "self-tuning"
        Weights of the k-NN graph: exp(−4r²/r_k²), the same times the share of common neighbours
        (:func:`lapviz.graphs.overlap`), exp(−r²/2σ²) or 1. An edge is the mean of both
        directions: it counts half if only one of its points is a neighbour of the other.
    bandwidth : "auto" or float, default "auto"
        σ of Gaussian weights, in the units of X; "auto" is :func:`lapviz.auto_bandwidth`.
    alpha : float in (0, 1), default 0.99
        Spreading only: the share taken from the neighbours. 0.99 is Zhou et al.'s.
    balance : {"scale", "shift", None}, default None
        Match the class proportions over the nodes to those in ``class_prior``, or else of the
        labels with 16 pseudo-labels more of each class, so that few labels count little: multiply
        the values (class mass normalisation, Zhu et al. §4) or add a constant to them. Passes
        multiply, also with "shift".
    n_passes : int, default 0
        Passes of thresholding, or MBO iterations (:mod:`lapviz.estimates.passes`), which need a
        balance: every node is assigned its class, and the values are computed again from these
        classes and the labels. With few labels 10 are far better than none, on images with
        ``weights="shared"`` and ``n_neighbors=6``. Passes that lose a class or held-out labels are
        undone (:mod:`lapviz.fit.guard`).
    class_prior : array (n_classes,) or None, default None
        Class proportions among the nodes, in the order of ``classes_``, if they are known better
        than from the labels. Used by ``balance``; passes have them as the mean of their guesses.

    Attributes
    ----------
    classes_ : array (n_classes,)
    label_distributions_ : array (n_samples, n_classes), rows of sum 1
    temperature_ : float or None, T of probabilities ∝ exp(share/T) after passes
    report_ : lapviz.fit.Report, the outcome of the passes; print it
    transduction_ : array (n_samples,), the class of every training point
    bandwidth_ : float or None, the σ in use
    n_features_in_ : int

    Notes
    -----
    Unlabelled is -1, as in `sklearn.semi_supervised`, so -1 cannot be a class. Among strings it is
    "-1", to which NumPy converts -1; an object array may hold either.

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

    method: str = described(PARAMETERS["method"])
    graph: str = described(PARAMETERS["graph"])
    n_neighbors: int = described(PARAMETERS["n_neighbors"])
    weights: str = described(PARAMETERS["weights"])
    bandwidth: float | str = described(PARAMETERS["bandwidth"])
    alpha: float = described(PARAMETERS["alpha"])
    balance: str | None = described(PARAMETERS["balance"])
    n_passes: int = described(PARAMETERS["n_passes"])
    class_prior: ArrayLike | None = described(PARAMETERS["class_prior"])

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
            graph of given bandwidth and harmonic functions without balance that is the same as
            repeating the row. In a k-NN graph, who is a neighbour does not depend on the masses.
            One of mass 0 is left out, and gets the value that the others give it. The scale does
            not matter.

        Returns
        -------
        GraphLaplacianClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, no point of positive weight is labelled, or passes lack a balance.
        MemoryError
            If a dense graph does not fit.
        """
        check_parameters(self)
        X_all, rows, mass, labelled, codes = self._read_classes(X, y, sample_weight)
        X = X_all[rows]
        advice.warn([advice.scales(X, getattr(self, "feature_names_in_", None))])
        spec, estimate = fit.GraphSpec.of(self), fit.EstimateSpec.of(self)
        fit.warn_ignored(spec, replace(estimate, n_passes=0))  # which need a balance: refused below
        self._spec = fit.graph.resolve(X, spec)
        self.bandwidth_ = float(self._spec.bandwidth) if spec.needs_bandwidth else None
        W = fit.graph.weights(X, self._spec, mass)
        self._nodes, self._mass = X, mass
        shared = self.weights == "shared" and self.graph == "knn"
        self._graph = W if shared else None  # for predictions
        estimate = replace(estimate, lam=PASS_ENERGY)
        grounded = graphs.GroundedLaplacian.of(W) if self.n_passes else None
        solution = fit.graph.classify(
            W, labelled, codes, self._spec, estimate, mass=mass, grounded=grounded
        )
        self.temperature_ = solution.temperature
        report = fit.Report()
        if self.n_passes and len(self.classes_) > 1:
            report = report.choose("n_passes", self.n_passes, "as requested")
        self.report_ = solution.verdict.reported(report)
        shares = class_shares(solution.balanced, len(self.classes_))
        if not solution.moved:  # none is negative then
            shares = normalised(shares, 1 / len(self.classes_))
        self._shares = shares
        if len(X) < len(X_all):
            shares = self._extended(X_all)
            shares[rows] = self._shares
        self.label_distributions_ = self._probabilities(shares)
        self.transduction_ = decode_classes(self._scored(shares), self.classes_)
        return self

    def _extended(self, X):
        return fit.graph.extend(self._nodes, self._shares, X, self._spec, self._mass, self._graph)

    def _probabilities(self, shares):
        if self.temperature_ is None:
            return normalised(shares, 1 / shares.shape[1])
        return softmax(shares, self.temperature_)

    def _scored(self, shares):
        return class_scores(shares) if shares.shape[1] > 1 else np.zeros_like(shares)

    def predict_proba(self, X) -> np.ndarray:
        """Class shares, extended from the nodes to any points; after passes ∝ exp(share/T).

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n, n_classes)
            Shares in the order of ``classes_``, rows of sum 1.
        """
        return self._probabilities(self._extended(self._points(X)))

    def _scores(self, X):
        return self._scored(self._extended(self._points(X)))
