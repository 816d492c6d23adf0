"""Neural eigenfunctions as a scikit-learn transformer; training needs the extra ``neural``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state

from lapviz import operators
from lapviz._sklearn import Interval, StrOptions, check_parameters
from lapviz.checks import check_count
from lapviz.estimates import disentangling as networks
from lapviz.estimates import neural_training as neural
from lapviz.estimators.base import PointsEstimator, checked, parametrised
from lapviz.spectra import orient


@parametrised
class NeuralEigenfunctions(ClassNamePrefixFeaturesOutMixin, TransformerMixin, PointsEstimator):
    """Eigenfunctions of the diffusion operator, learnt by a neural network (GAL23 §6.2, Figure 5).

    A tanh network is trained by gradient descent on (2/c) Σ_j E‖∇f_j‖² + ‖E[f fᵀ] − I‖², GAL23's
    losses (17) and (18). `fit` needs JAX and optax (the optional extra ``neural``); `transform`
    does not.

    Parameters
    ----------
    n_components : int, default 16
        Eigenfunctions, the constant included, and outputs of the network.
    hidden_layer_sizes : tuple of ints, default (64, 64, 64)
        The paper's network, (200, 200, 2000, 200), is about 90 times the work.
    regulariser : {"contrastive", "whitening"}, default "contrastive"
        Form of the orthogonality term: over pairs of different samples of a batch, unbiased, or
        from the batch's own second moments.
    operator : {"laplacian", "tangent", "sphere", "torus"} or operator object, default "laplacian"
        Directions of the gradient. On a manifold a tangential operator is appropriate, and cheaper.
    cutoff : "auto" or float, default "auto"
        c, in 1/length²: eigenfunctions of higher energy are not learnt. "auto" tracks 1.5 times the
        largest energy required (:func:`lapviz.estimates.neural_training.train`).
    disentangle : {"ritz", "pca"}, default "ritz"
        How eigenfunctions are computed from the outputs: by the Galerkin problem on their span, or
        by principal components, as in the paper, which requires training to have converged.
    n_batches : int, default 2000
        Batches, one gradient step each.
    batch_size : int, default 500
        Samples in a batch, at least 2.
    optimizer : {"adam", "sgd"}, default "adam"
        "sgd" has momentum 1/2, as in the paper; use a learning rate near 1e-3 with it.
    learning_rate : float, default 5e-3
        Divided by three after one third of the batches, and again after two thirds.
    window : int, default 50
        Batches between two entries of the loss curve, and between two calls of ``callback``.
    tol : float, default 0
        Stop when the loss has not improved by this for ``patience`` windows; 0: never.
    patience : int, default 10
        Windows without improvement before stopping, with ``tol`` above 0.
    callback : callable, optional
        Called with a :class:`lapviz.neural.NeuralProgress`; returning True stops.
    random_state : int, RandomState or None, default None
        Seed of the initial weights and the batches.

    Attributes
    ----------
    eigenvalues_ : array (n_components_,), γ ascending, at least 0, over the rows of the fit: too
        small where these are so few (some hundreds in the plane) that the network learns them by
        heart; those above ``cutoff`` are remainders of faded outputs, no eigenvalues
    path_ : lapviz.neural.NeuralPath, the loss curve
    n_components_ : int; less than ``n_components`` if outputs are linearly dependent
    n_dropped_ : int, outputs that depend linearly on the others over the sample
    space_ : lapviz.spaces.NetworkSpace, the trial space of the outputs
    coefficients_ : array (1 + n_components, n_components_), of the eigenfunctions in ``space_``
    n_iter_ : int, number of batches
    n_features_in_ : int

    References
    ----------
    GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
    algorithms*.

    Examples
    --------
    >>> from lapviz import NeuralEigenfunctions, datasets
    >>> X = datasets.load("circle", n_samples=500, random_state=0).X
    >>> network = NeuralEigenfunctions(n_components=3, operator="tangent", random_state=0)
    >>> network.fit_transform(X).shape  # doctest: +SKIP
    (500, 3)
    """

    n_components: int = checked(16, Interval(Integral, 1, None, closed="left"))
    hidden_layer_sizes: Sequence[int] = checked((64, 64, 64), "array-like")
    regulariser: str = checked("contrastive", StrOptions(set(neural.REGULARISERS)))
    operator: object = checked("laplacian")  # a name or an operator object: operators.get
    cutoff: float | str = checked(
        "auto", StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")
    )
    disentangle: str = checked("ritz", StrOptions(set(networks.DISENTANGLE)))
    n_batches: int = checked(2000, Interval(Integral, 1, None, closed="left"))
    batch_size: int = checked(500, Interval(Integral, 2, None, closed="left"))
    optimizer: str = checked("adam", StrOptions(set(neural.OPTIMIZERS)))
    learning_rate: float = checked(5e-3, Interval(Real, 0, None, closed="neither"))
    window: int = checked(50, Interval(Integral, 1, None, closed="left"))
    tol: float = checked(0.0, Interval(Real, 0, None, closed="left"))
    patience: int = checked(10, Interval(Integral, 1, None, closed="left"))
    callback: Callable[[Any], bool | None] | None = checked(None, callable, None)
    random_state: int | np.random.RandomState | None = checked(None, "random_state")

    def fit(self, X, y=None, sample_weight=None) -> Self:
        """Train the network on unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y : None
            Ignored.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0. Batches are drawn in proportion to them, and the
            eigenfunctions are separated by weighted means; since batches are random, repeated rows
            give another draw of the same problem. A point of weight 0 is left out.

        Returns
        -------
        NeuralEigenfunctions
            The fitted estimator itself.

        Raises
        ------
        ImportError
            If JAX or optax is not installed.
        ValueError
            If a parameter is out of range, weights are negative, not finite or all 0, or training
            diverged.
        """
        check_parameters(self)
        X = self._validate_points(X)
        operator, weights = self.operator, None
        if sample_weight is not None:
            rows, weights = operators.weighted_rows(sample_weight, len(X))
            operator = operators.restricted(operators.get(operator), X, rows)
            X = X[rows]
        self.space_, self.path_ = neural.train(
            X,
            self.n_components,
            operator=operator,
            hidden=tuple(
                check_count("each of hidden_layer_sizes", width)
                for width in self.hidden_layer_sizes
            ),
            regulariser=self.regulariser,
            cutoff=self.cutoff,
            n_batches=self.n_batches,
            batch_size=self.batch_size,
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            window=self.window,
            tol=self.tol,
            patience=self.patience,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            sample_weight=weights,
            callback=self.callback,
        )
        spectrum = networks.disentangle(
            self.space_,
            X,
            operator,
            method=self.disentangle,
            n_components=self.n_components,
            sample_weight=weights,
        )
        spectrum = orient(spectrum, self.space_)
        self.eigenvalues_ = spectrum.gamma
        self.coefficients_ = spectrum.vectors
        self.n_dropped_ = spectrum.n_dropped
        self.n_components_ = self._n_features_out = len(spectrum.gamma)
        self.n_iter_ = int(self.path_.batches[-1])
        return self

    def transform(self, X) -> np.ndarray:
        """Evaluate the eigenfunctions.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n, n_components_)
            Eigenfunctions in columns; mean square 1 over the training sample.
        """
        return self._scores(X)
