"""The learnt eigenfunctions as a scikit-learn transformer."""

from __future__ import annotations

from numbers import Integral
from typing import Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from lapviz import fit
from lapviz._sklearn import Interval, check_parameters, gives_arrays
from lapviz.checks import is_dask
from lapviz.estimators import advice
from lapviz.estimators.base import (
    KernelLaplacianEstimator,
    checked,
    parametrised,
    with_progress,
)
from lapviz.spaces import sampling


@parametrised
class GalerkinEmbedding(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelLaplacianEstimator
):
    """Eigenfunctions of the diffusion operator of the data, by a Galerkin method (GAL23).

    The trial space is the span of 1 and of p kernel functions k(·, c_j); in it
    (S + μK) v = γ M v is solved for the smallest Dirichlet energies γ (GAL23 Algorithms 2 and 3).
    New points cost one kernel evaluation each, without an out-of-sample extension.

    Parameters
    ----------
    n_components : int, default 16
        Eigenfunctions, the constant included. No more are returned than the trial space has
        independent functions on the data (``n_components_``).
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
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm added to the energy; "auto" is the least that held-out points
        confirm (:mod:`lapviz.estimates.calibration`), "floor" is 2·10⁻⁵/σ².
    operator : {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts
        (:mod:`lapviz.operators`; GAL23 B.1 for the graph).
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    verbose : bool or int, default False
        Show the progress of a fit or a transform on stderr (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    eigenvalues_ : array (n_components_,), γ ascending, at least 0
    n_dropped_ : int, test functions that depend linearly on the others over the sample (their
        gradients may not: then γ is the least energy, see :mod:`lapviz.spectra`)
    n_components_ : int
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : values in use; ``landmarks_`` is
        None for waves
    report_ : lapviz.fit.Report
        The automatic choices and their reasons; print it.
    coefficients_ : array (n_functions, n_components_), of the eigenfunctions in ``space_``
    n_features_in_ : int

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
    algorithms*.

    Examples
    --------
    >>> from lapviz import GalerkinEmbedding, datasets
    >>> X = datasets.load("circle", n_samples=4000, random_state=0).X
    >>> embedding = GalerkinEmbedding(n_components=5, operator="tangent", random_state=0).fit(X)
    >>> embedding.transform(X[:3]).shape
    (3, 5)
    >>> embedding.eigenvalues_.round()  # those of the circle
    array([0., 1., 1., 4., 4.])
    """

    _modes = True
    n_components: int = checked(16, Interval(Integral, 1, None, closed="left"))

    @with_progress
    def fit(self, X, y=None, sample_weight=None, *, client=None) -> Self:
        """Learn the eigenfunctions from unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features), dask array or dask DataFrame
            Points; of a Dask collection only a sample is collected, the rest enters as sums over
            chunks.
        y : None
            Ignored.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0: means over the sample are weighted. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points (in a graph it
            is one node of mass 2); one of weight 0 is left out. The scale of the weights does not
            matter. "auto" numbers of landmarks and bandwidths, and the draw of landmarks, do not
            depend on weights.
        client : distributed.Client, optional
            For Dask collections; by default Dask's current client or scheduler.

        Returns
        -------
        GalerkinEmbedding
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, weights are negative, not finite or all 0, or all test
            functions vanish on the data.
        """
        check_parameters(self)
        specs = self._specs()
        streamed = self._streamed(specs, X, None, sample_weight, client)
        if streamed is None:
            X = self._validate_points(X)
            rows, weights = self._weighted_rows(sample_weight, len(X))
            specs, X = self._specs_for_rows(specs, X, rows), X[rows]
        else:
            X, weights = streamed, streamed.weights
        method = self._assemble(X, weights, specs, True)
        spectrum = method.eigenfunctions(self.n_components)
        self.eigenvalues_ = spectrum.gamma
        self.coefficients_ = spectrum.vectors
        self.n_dropped_ = spectrum.n_dropped
        self.n_components_ = self._n_features_out = len(spectrum.gamma)
        advice.warn([*self._advice_on_points(X), self._advice_on_size(X, method)])
        return self

    def _advice_on_size(self, X, method: fit.Galerkin) -> advice.Advice | None:
        """Advice on the number of test functions and the width, from the spectrum."""
        values = of_half = None
        n_functions = self.space_.n_functions - 1
        if self.landmarks_ is not None and n_functions > 2 * advice.MODES:
            of_half = method.eigenvalues_of_half(advice.MODES + 1)
        if len(X) <= advice.MOST_NODES:
            modes = self.coefficients_[:, 1 : advice.MODES + 1]
            values = self.space_.evaluate(sampling.sampled(X, self.n_landmarks_), modes)
        return advice.size(values, self.eigenvalues_, of_half, n_functions, len(X))

    def transform(self, X) -> np.ndarray:
        """Evaluate the eigenfunctions.

        Parameters
        ----------
        X : array (n, n_features), dask array or dask DataFrame
            Points.

        Returns
        -------
        array (n, n_components_)
            Eigenfunctions in columns; mean square 1 over the training sample. Of a Dask
            collection: a dask array, not yet computed, unless ``set_output`` asks for a table,
            whose rows are then numbered from 0.
        """
        if is_dask(X):
            lazy = self._map_chunks("transform", X)
            return lazy if gives_arrays(self) else lazy.compute()
        return self._scores(X)
