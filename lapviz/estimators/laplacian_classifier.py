"""Semi-supervised classification with a Dirichlet energy, as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from lapviz import estimates, fit
from lapviz._sklearn import check_parameters
from lapviz.estimators import advice
from lapviz.estimators.base import (
    LaplacianEstimator,
    Specs,
    checked,
    parametrised,
    with_progress,
)
from lapviz.estimators.targets import (
    ProbabilisticClassifier,
    class_proportions,
    has_class,
    lazily,
    split_labels,
)
from lapviz.fit import parameters as p
from lapviz.graphs import NodeSpace
from lapviz.parameters import described


@parametrised
class LaplacianClassifier(ProbabilisticClassifier, LaplacianEstimator):
    """Classification from few labels: least squares on class codes with a Dirichlet energy.

    g = argmin E_ℓ|g − code(y)|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions (SSL21 eq. 5 and
    Algorithm 1); several classes by coordinate-wise least squares and decoding (SSL21 A.1).

    Without parameters all is chosen from the data, for a few labels on a table as well as on a
    curve: the energy is that of a graph over the sample, and passes of thresholding follow. Where
    that graph is to be trusted, its nodes are the functions, p = n, and a new point has the average
    of its nearest nodes (:mod:`lapviz.fit.few_labels` has the rules; ``report_`` says what was
    chosen). To give p, σ, μ, a kernel, a filter or no passes is to ask for kernel functions. To
    name an ``operator`` is to ask for the papers' estimator: then "auto" means neither passes nor
    balance.

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object brings its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.auto_bandwidth`.
    degree : int, default 3
        Of the polynomial kernel; not used by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    n_landmarks : "auto" or int, default "auto"
        p, at most the number of samples; "auto" is n on the nodes of a graph, else a third to two
        thirds of the samples, from 20 to 1200 and the more the fewer of their neighbours neighbours
        share, or 200 where an operator is named.
    landmarks : str or array (p, d), default "stratified"
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    lam : "auto" or float, default "auto"
        λ, weight of the energy, in units of length²; "auto" is 1/100 of the mean of
        φ(x)ᵀ(S + μK)⁻¹φ(x) over the sample without its leading mode, at most twice the variance
        of a typical one, for m labels per class times up to m^(−¾), the less the more neighbours
        share; on nodes 5 over the energy of a change of 1 along every edge; or 1 where an operator
        is named.
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" compares the traces of S and K, or
        is the "floor", 2·10⁻⁵/σ², where an operator is named.
    filter : {"tikhonov", "cutoff", "heat", "landweber"} or Filter, default "tikhonov"
        Tikhonov is the problem above; the others filter the same spectrum differently.
    data_term : {"labelled", "all", "poisson"}, default "labelled"
        The squared error over the labelled points (SSL21 eq. 5), or over all samples in
        frequency form (SSL21 eq. 9). "poisson": no squared error; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither λ nor the filter is used
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : "auto", {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts; default "auto", a k-NN
        graph over at most 10 000 of the samples, or 200 000 that are nodes.
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space. With few labels it can flip whole clusters.
    balance : {"auto", "scale", "shift", None}, default "auto"
        Give every class the share of the sample that it has in ``class_prior`` or of the labels:
        multiply its share (class mass normalisation) or add a constant to its score
        (:func:`lapviz.estimates.balance`). "auto" is "scale", or None where an operator is named.
    n_passes : "auto" or int, default "auto"
        Passes of thresholding (:mod:`lapviz.estimates.passes`): every point gets its class, and the
        estimate is made again with these beside the labels. "auto" is 10, or 0 where an operator is
        named, the balance is not "scale", or the data term or the filter is not the default. Where
        the energy is chosen, passes that lose a class or labels held back are undone
        (:mod:`lapviz.fit.guard`), and ``report_`` says so.
    linear : bool, default True
        From the second label of a class on, where the energy is chosen and passes are made, let a
        logistic regression have a say beside the estimate, in the proportions of the classes and in
        the scores, as far as labels held back speak for it; and a second one, in uncorrelated
        coordinates, where they do (:mod:`lapviz.fit.supervised`).
    scaling : {"auto", "standard", None}, default "auto"
        Whether columns are standardised before anything else, and σ, μ and λ are in these units.
        "auto" does so where no parameter asks for kernel functions or names an operator,
        and half of the columns are narrower than a twentieth of the widest
        (:mod:`lapviz.fit.scaling`); ``report_`` says so. Pixels, coordinates and principal
        components are left as they are.
    class_prior : array (n_classes,) or None, default None
        Shares of the classes in the sample, in the order of ``classes_``, if they are known better
        than by the labels. Used by ``balance`` and by the passes.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    verbose : bool or int, default False
        Show how far a fit or a prediction is, on the error stream (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    classes_ : array (n_classes,)
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    balance_ : None or lapviz.estimates.Balance
    temperature_ : None or float, T of probabilities ∝ exp(share/T); None: those of least squares
    linear_ : None or lapviz.fit.supervised.Linear, what a logistic regression adds to the scores
    dirichlet_energy_ : float, energy of g before balancing, summed over outputs
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : what was used; ``landmarks_`` is
        None for waves
    operator_, lam_, n_passes_ : what was used
    report_ : lapviz.fit.Report, what was chosen from the data and why; print it
    scaling_ : None or lapviz.fit.Scaling, what is done to columns before; ``space_``,
        ``landmarks_`` and ``linear_`` are of what it gives
    solver_ : EnergyFactor or Spectrum, reusable for other labels on the same sample; on nodes
        lapviz.estimates.passes.Nodes
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`; among objects and texts also "-1",
    empty texts, None, NaN and pandas' NA. ``score`` judges by labelled points only; other scores
    do with :class:`lapviz.LabelledScorer` or :class:`lapviz.LabelledKFold`.

    Without a named operator, scores fade far from the data: there the probabilities are the
    proportions of the classes.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*.

    Examples
    --------
    >>> from lapviz import LaplacianClassifier, datasets
    >>> data = datasets.load("half_moons", n_samples=400, random_state=0)
    >>> y = data.semi_supervised_target()  # -1 but for two points of each class
    >>> model = LaplacianClassifier(random_state=0).fit(data.X, y)
    >>> bool((model.predict(data.X) == data.y).mean() > 0.95)
    True
    >>> model.predict_proba(data.X[:3]).shape
    (3, 2)
    """

    balance: str | None = described(p.BALANCE, default="auto", auto=True)
    n_passes: int | str = described(p.N_PASSES, default="auto", auto=True)
    linear: bool = described(p.LINEAR)
    class_prior: ArrayLike | None = checked(None, "array-like", None)

    @with_progress
    def fit(self, X, y, sample_weight=None, *, client=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features), dask array or dask DataFrame
            Points; of a Dask collection a sample is collected, and all else are sums over chunks.
        y : array, dask array or dask Series (n_samples,)
            Classes, -1 where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in the energy and in the data term. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points; one of weight
            0 is left out. The scale of the weights does not matter. "auto" numbers of landmarks
            and bandwidths, and the draw of landmarks, do not depend on weights. The class
            proportions and the balance do; without a named operator, weights of labels count
            relative to their mean.
        client : distributed.Client, optional
            For Dask collections; by default what Dask uses now.

        Returns
        -------
        LaplacianClassifier
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, shapes do not fit, weights are negative, not finite or
            all 0, or no point of positive weight is labelled.

        Warns
        -----
        DataWarning
            If one feature dwarfs the others, σ is far too small or large, one class takes nearly
            every point, or a separate piece of the sample has no label; with the cure.
        """
        check_parameters(self)
        specs = self._specs()
        streamed = self._streamed(specs, X, y, sample_weight, client, has_class)
        if streamed is None:
            X, rows, weights, labelled, codes = self._read_classes(X, y, sample_weight)
            specs = self._counting(specs, X, rows)
            X, labelled = X[rows], np.flatnonzero(labelled)
        else:
            X, weights, labelled = streamed, streamed.weights, streamed.labelled
            self.classes_, _, codes = split_labels(np.asarray(streamed.targets))
        automatic = fit.plans.is_fully_automatic(*specs)
        self.scaling_ = fit.Scaling.of(X, weights, self.scaling, automatic)
        X = self._scaled(X)
        problem = self._prepare(fit.Sample.of(X, weights), labelled, specs)
        shares = np.eye(len(self.classes_))[codes]
        of_labels = None if weights is None else weights[labelled]
        prior = class_proportions(self.class_prior, len(self.classes_))
        labels = fit.Labels(X[labelled], shares, labelled, prior, of_labels)
        plan = problem.plan_for(labels)
        labels = problem.completed(labels, plan.estimate)  # once: it fits logistic regressions
        solved = problem.solve(labels, plan.estimate)
        self.lam_ = plan.estimate.lam
        self._tell(solved.verdict.reported(plan.report))
        self.n_passes_ = len(solved.moved)
        self.coefficients_, self.balance_ = solved.coefficients, solved.balance
        self.temperature_, self.linear_ = solved.temperature, solved.linear
        self._far = solved.far
        self.dirichlet_energy_ = problem.energy(self.coefficients_)
        self._reach, self._fading = problem.reach, problem.fading
        said = self._advice(problem, labels, solved)
        advice.warn([*self._advice_on_points(problem.rows), *said])
        return self

    def _advice(
        self, problem: fit.Problem, labels: fit.Labels, solved: fit.Solution
    ) -> list[advice.Advice | None]:
        """What few or badly placed labels spoil."""
        here = np.full(len(problem.rows), -1)
        places = problem.positions(labels.index)
        here[places[places >= 0]] = labels.shares.argmax(axis=1)[places >= 0]
        seen = np.flatnonzero(here < 0)[: advice.SEEN]
        if not seen.size:
            return []
        if problem.plan.nodes:  # whose own values take no search
            guesses = estimates.decode(problem.scores(problem.rows, solved)[seen])
        else:
            guesses = estimates.decode(problem.scores(problem.rows[seen], solved))
        shares, rule = solved.verdict.proportions, problem.plan.estimate.balance
        if shares is None:
            assert labels.proportions is not None
            shares = labels.proportions.shares
        known = self.class_prior is not None
        said = [advice.one_class(guesses, shares, self.classes_, rule, known)]
        if len(here) <= advice.MOST_NODES:
            said.append(advice.components(problem.weights, here >= 0))
        return said

    def _prepare(self, sample: fit.Sample, labelled, specs: Specs) -> fit.Problem:
        """All that does not depend on the labels, and the attributes that say what was used."""
        fit.warn_ignored(specs[0], specs[2])
        problem = fit.problem(sample, labelled, *specs)
        plan = problem.plan
        self._adopt(problem.kernel, problem.space, problem.centres, self.fit_intercept)
        self._weighted = problem.sample_weight is not None
        self.operator_, self.mu_ = plan.energy.operator, plan.energy.mu
        self.n_passes_ = plan.estimate.n_passes
        self.solver_ = problem.solver
        return problem

    def _with_kernel_functions(self, X, y) -> Self:
        """The same energy over functions that have forms; itself unless on a graph's nodes.

        X is in the units of ``space_``.
        """
        if not isinstance(self.space_, NodeSpace):
            return self
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", advice.DataWarning)  # said by the fit itself
            made = clone(self).set_params(n_passes=0, scaling=None).fit(X, y)
        made.scaling_ = self.scaling_
        return made

    @lazily
    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities, largest where the score is; far from the data the proportions.

        After passes of thresholding they are ∝ exp(share/T), T about half of the shares' standard
        deviation over the sample: as sure as is right for labels held back
        (:mod:`lapviz.fit.guard`). Otherwise they are those of least squares, clipped to [0, 1].

        Parameters
        ----------
        X : array (n, n_features), dask array or dask DataFrame
            Points.

        Returns
        -------
        array (n, n_classes)
            Probabilities in the order of ``classes_``, rows of sum 1. Of a Dask collection: a dask
            array, not yet computed.
        """
        return estimates.probabilities(self._scores(X), len(self.classes_), self.temperature_)

    def far_from_data(self, X) -> np.ndarray:
        """Tell which points are far from all the data of the fit.

        There the kernel at the nearest landmark is below a hundredth of the least value that it
        has on the sample, the functions nearly vanish, and labels say nothing.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        boolean array (n,)
            Nowhere True for random waves and kernels of products, whose functions do not vanish.
        """
        X = self._points(X)
        return np.zeros(len(X), dtype=bool) if self._reach is None else self._reach.far(X)

    @with_progress
    def _values(self, X):
        return fit.problems.scores_at(self.space_, X, [self._solution], self._fading)[0]

    @property
    def _solution(self) -> fit.Solution:
        its = {"linear": self.linear_, "far": self._far}
        return fit.Solution(self.coefficients_, self.balance_, **its)
