"""Semi-supervised classification with a Dirichlet energy, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from lapviz import estimates, fit
from lapviz._sklearn import check_parameters
from lapviz.estimators import advice
from lapviz.estimators.base import LaplacianEstimator, Specs, parametrised, with_progress
from lapviz.estimators.targets import (
    ProbabilisticClassifier,
    has_class,
    lazy_on_dask,
    split_labels,
)
from lapviz.fit.specs import PARAMETERS
from lapviz.graphs import NodeSpace
from lapviz.parameters import described
from lapviz.spaces import sampling


@parametrised
class LaplacianClassifier(ProbabilisticClassifier, LaplacianEstimator):
    """Classification from few labels: least squares on class codes with a Dirichlet energy.

    g = argmin E_ℓ|g − code(y)|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over p kernel functions (SSL21 eq. 5 and
    Algorithm 1); several classes by coordinate-wise least squares and decoding (SSL21 A.1).

    With default parameters everything is chosen from the data, for a few labels on a table as well
    as on a curve: the energy is that of a graph over the sample, and passes of thresholding (MBO
    iterations) follow. Where that graph is reliable, the trial space consists of the functions on
    its nodes, p = n, and a new point gets the average of its nearest nodes
    (:mod:`lapviz.fit.few_labels` has the rules; ``report_`` lists the choices). Setting p, σ, μ, a
    kernel, a filter or ``n_passes=0`` selects kernel functions. Naming an ``operator`` selects the
    papers' estimator: "auto" then means neither passes nor balance.

    Parameters
    ----------
    kernel : str or kernel object, default "gaussian"
        One of :func:`lapviz.kernels.names`. An object has its own bandwidth.
    bandwidth : "auto" or float, default "auto"
        σ in the units of X; "auto" is :func:`lapviz.fit.auto.bandwidth`, and with the automatic
        operator :func:`lapviz.auto_bandwidth` of p landmarks.
    degree : int, default 3
        Degree of the polynomial kernel; ignored by the others.
    kernel_params : dict or None, default None
        Further parameters of a named kernel's class, as :func:`lapviz.kernels.parameters` lists
        them; ``degree`` is one.
    n_landmarks : "auto" or int, default "auto"
        p, at most the number of samples; "auto" is n on the nodes of a graph, else a third to two
        thirds of the samples, from 20 to 1200 (the more, the fewer neighbours adjacent nodes
        share), or 200 where an operator is named.
    landmarks : str or array (p, d), default "stratified"
        How centres are drawn from the samples: "stratified", one from each cell of a k-d tree;
        "uniform"; "kmeans++", far apart; "leverage", by ridge leverage scores (SSL21 Remark 25).
        "fourier": p random waves of the kernel instead (SSL21 §3.2).
    lam : "auto" or float, default "auto"
        λ, weight of the energy, in units of length²; "auto" is 1/100 of the mean of
        φ(x)ᵀ(S + μK)⁻¹φ(x) over the sample without its leading mode, at most twice the variance
        of a typical mode; with m labels per class it is multiplied by a factor down to m^(−¾), the
        smaller the more neighbours adjacent nodes share; on nodes 5 over the energy of a change of
        1 along every edge; or 1 where an operator is named.
    mu : "auto", "floor" or float, default "auto"
        μ, weight of the RKHS norm inside the λ-penalty; "auto" compares the traces of S and K, or
        is the "floor", 2·10⁻⁵/σ², where an operator is named.
    filter : {"tikhonov", "cutoff", "heat", "landweber"} or Filter, default "tikhonov"
        Tikhonov is the problem above; the others filter the same spectrum, over the labelled
        points that of their mass matrix, differently.
    data_term : {"labelled", "all", "poisson"}, default "labelled"
        The squared error over the labelled points (SSL21 eq. 5), or over all samples in
        frequency form (SSL21 eq. 9). "poisson": no squared error; the labels are sources,
        (S + μK)c = a Σ_ℓ(y − ȳ)φ, and neither the filter nor, but for passes, λ is used
        (:func:`lapviz.estimates.poisson_estimate`).
    operator : "auto", {"laplacian", "tangent", "sphere", "torus", "graph"} or operator object
        Which derivatives, or which graph's differences, the energy counts; default "auto", a k-NN
        graph over at most 10 000 of the samples, or 200 000 that are nodes.
    fit_intercept : bool, default False
        Put an unpenalised constant in the trial space. With few labels it can flip whole clusters.
    balance : {"auto", "scale", "shift", None}, default "auto"
        Match the class proportions over the sample to those in ``class_prior`` or of the labels:
        multiply each class's share (class mass normalisation) or add a constant to its score
        (:func:`lapviz.estimates.balance`). "auto" is "scale", or None where an operator is named.
        Passes scale, also with "shift", which then only keeps the automatic energy off the nodes.
    n_passes : "auto" or int, default "auto"
        Passes of thresholding (:mod:`lapviz.estimates.passes`): every point is assigned its class,
        and the estimate is computed again from these classes and the labels. "auto" is 10, or 0
        where an operator is named, the balance is not "scale", the constant is unpenalised, or the
        data term or the filter is not the default. With the automatic operator, passes that lose a
        class or held-out labels are undone (:mod:`lapviz.fit.guard`), and ``report_`` says so.
    linear : bool, default True
        With the automatic operator and passes, from the second label of a class on: combine the
        estimate with a logistic regression, in the class proportions and in the scores, as far as
        held-out labels support it; and with two further ones, in uncorrelated coordinates, and in
        the columns' ranks and their squares, on the same condition (:mod:`lapviz.fit.supervised`).
    scaling : {"auto", "standard", None}, default "auto"
        Whether columns are standardised first; σ, μ and λ are then in these units. "auto" does so
        where no parameter requests kernel functions or names an operator, and half of the columns
        are narrower than a twentieth of the widest (:mod:`lapviz.fit.scaling`); ``report_`` says
        so. Pixels, coordinates and principal components are left unchanged.
    class_prior : array (n_classes,) or None, default None
        Class proportions in the sample, in the order of ``classes_``, if they are known better than
        from the labels. Used by ``balance``; with passes they are the mean of the probabilities
        over the sample, before held-out labels make these less sure than usual.
    random_state : int, RandomState or None, default None
        Seed of the landmarks (or waves).
    verbose : bool or int, default False
        Show the progress of a fit or a prediction on stderr (:func:`lapviz.progress.bar`).

    Attributes
    ----------
    classes_ : array (n_classes,)
    coefficients_ : array (n_functions, n_outputs); one output for two classes
    balance_ : None or lapviz.estimates.Balance
    temperature_ : None or float, T of probabilities ∝ exp(share/T); None: those of least squares
    linear_ : None or lapviz.fit.supervised.Linear, added to the scores by logistic regressions
    dirichlet_energy_ : float, energy of g before balancing, summed over outputs
    kernel_, bandwidth_, n_landmarks_, mu_, landmarks_, space_ : values in use; ``landmarks_`` is
        None for waves
    operator_, lam_, n_passes_ : values in use
    report_ : lapviz.fit.Report, the automatic choices and their reasons; print it
    scaling_ : None or lapviz.fit.Scaling, applied to the columns first; ``space_``,
        ``landmarks_`` and ``linear_`` are in scaled units
    solver_ : EnergyFactor or Spectrum, reusable for other labels on the same sample; on nodes
        lapviz.estimates.passes.Nodes
    n_features_in_ : int

    Notes
    -----
    In y, -1 means unlabelled, as in `sklearn.semi_supervised`; among objects and strings also "-1",
    empty strings, None, NaN and pandas' NA. ``score`` uses labelled points only; so do other scores
    with :class:`lapviz.LabelledScorer` or :class:`lapviz.LabelledKFold`.

    Without a named operator, and with passes and a kernel of distances, as by default, scores fade
    far from the data: there the probabilities are the class proportions (equal, where the largest
    of these is less than 1.2 times the smallest).

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

    balance: str | None = described(PARAMETERS["balance"], default="auto", auto=True)
    n_passes: int | str = described(PARAMETERS["n_passes"], default="auto", auto=True)
    linear: bool = described(PARAMETERS["linear"])
    class_prior: ArrayLike | None = described(PARAMETERS["class_prior"])
    _advises = True  # whether a fit warns of what may make it worse

    @with_progress
    def fit(self, X, y, sample_weight=None, *, client=None) -> Self:
        """Fit on labelled and unlabelled points.

        Parameters
        ----------
        X : array (n_samples, n_features), dask array or dask DataFrame
            Points; of a Dask collection only a sample is collected, the rest enters as sums over
            chunks.
        y : array, dask array or dask Series (n_samples,)
            Classes, -1 where unlabelled.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in the energy and in the data term. With landmarks,
            bandwidth and mu given, a point of weight 2 counts like two equal points (in a graph it
            is one node of mass 2); one of weight 0 is left out. The scale of the weights does not
            matter. "auto" numbers of landmarks and bandwidths, and the draw of landmarks, do not
            depend on weights. The class proportions and the balance do; with passes, weights of
            labels count relative to their mean.
        client : distributed.Client, optional
            For Dask collections; by default Dask's current client or scheduler.

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
            every point, or a large connected component of at most 3000 rows has no label; with
            the cure.
        """
        check_parameters(self)
        specs = self._specs()
        streamed = self._streamed(specs, X, y, sample_weight, client, has_class)
        if streamed is None:
            X, rows, weights, labelled, codes = self._read_classes(X, y, sample_weight)
            specs = self._specs_for_rows(specs, X, rows)
            X, labelled = X[rows], np.flatnonzero(labelled)
        else:
            X, weights, labelled = streamed, streamed.weights, streamed.labelled
            self.classes_, _, codes = split_labels(np.asarray(streamed.targets), len(streamed))
        X, specs = self._fit_scaling(X, weights, specs, fit.plans.is_fully_automatic(*specs))
        problem = self._prepare(fit.Sample.of(X, weights), labelled, specs)
        shares = np.eye(len(self.classes_))[codes]
        label_weights = None if weights is None else weights[labelled]
        labels = fit.Labels(X[labelled], shares, labelled, weights=label_weights)
        plan = problem.plan.for_labels(*shares.shape)
        labels = problem.completed(labels, plan.estimate)  # once: it fits logistic regressions
        solution = problem.solve(labels, plan.estimate)
        self.lam_ = plan.estimate.lam
        report = solution.verdict.reported(plan.report)
        if len(self.classes_) == 1:
            for name, value in (("balance", None), ("n_passes", 0)):
                if name in report.names:
                    report = report.choose(name, value, "one class alone")
        self._set_report(report)
        self.n_passes_ = len(solution.moved)
        self.coefficients_, self.balance_ = solution.coefficients, solution.balance
        self.temperature_, self.linear_ = solution.temperature, solution.linear
        self._solution = solution
        self.dirichlet_energy_ = problem.energy(self.coefficients_)
        self._reach, self._fading = problem.reach, problem.fading
        if self._advises:
            label_advice = self._advice_on_labels(problem, labels, solution)
            advice.warn([*self._advice_on_points(problem.rows), *label_advice])
        return self

    def _advice_on_labels(
        self, problem: fit.Problem, labels: fit.Labels, solution: fit.Solution
    ) -> list[advice.Advice | None]:
        """Advice on labels that are too few or badly placed."""
        known_classes = np.full(len(problem.rows), -1)
        positions = problem.positions(labels.index)
        in_rows = positions >= 0
        known_classes[positions[in_rows]] = labels.shares.argmax(axis=1)[in_rows]
        unlabelled = np.flatnonzero(known_classes < 0)
        if not unlabelled.size:
            return []
        unlabelled = unlabelled[sampling.rows(len(unlabelled), advice.SEEN)]
        if problem.plan.nodes:  # coefficients are the values at the rows
            scores = solution.final_scores(solution.coefficients, problem.rows, None)[unlabelled]
        else:
            scores = problem.scores(problem.rows[unlabelled], solution)
        shares, rule = solution.verdict.proportions, problem.plan.estimate.balance
        if shares is None:
            assert labels.proportions is not None
            shares = labels.proportions.shares
        has_prior = self.class_prior is not None
        predictions = estimates.decode(scores)
        all_advice = [
            advice.same_everywhere(scores, len(self.classes_))
            or advice.one_class(predictions, shares, self.classes_, rule, has_prior)
        ]
        if len(known_classes) <= advice.MOST_NODES:
            all_advice.append(advice.components(problem.weights, known_classes))
        return all_advice

    def _prepare(self, sample: fit.Sample, labelled, specs: Specs) -> fit.Problem:
        """Return all that does not depend on the labels; set the attributes it determines."""
        problem = fit.problem(sample, labelled, *specs)
        plan = problem.plan
        balance, n_passes = plan.estimate.balance, plan.estimate.n_passes
        fit.warn_ignored(specs[0], replace(specs[2], balance=balance, n_passes=n_passes))
        self._set_space(problem.kernel, problem.space, problem.centres, plan.estimate.fit_intercept)
        self._weighted = problem.sample_weight is not None
        self.operator_, self.mu_ = plan.energy.operator, plan.energy.mu
        self.n_passes_ = plan.estimate.n_passes
        self.solver_ = problem.solver
        return problem

    def _with_kernel_functions(self, X, y) -> Self:
        """A refit with kernel functions of an estimator on a graph's nodes; else the estimator.

        X is in the units of ``space_``.
        """
        if not isinstance(self.space_, NodeSpace):
            return self
        refitted = clone(self).set_params(n_passes=0, scaling=None)
        refitted._advises = False  # the fit itself has warned
        refitted.fit(X, y).scaling_ = self.scaling_
        return refitted

    @lazy_on_dask
    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities, highest for the predicted class.

        After passes of thresholding they are ∝ exp(share/T), T about half of the shares' standard
        deviation over the sample, calibrated on held-out labels (:mod:`lapviz.fit.guard`).
        Otherwise they are those of least squares: positive parts of the shares, scaled to sum 1
        (of two classes from the difference of their shares).

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

    @lazy_on_dask
    def far_from_data(self, X) -> np.ndarray:
        """Tell which points are far from all the data of the fit.

        There the kernel at the nearest landmark is below a hundredth of the least value that it
        has on the sample, the functions nearly vanish, and labels carry no information.

        Parameters
        ----------
        X : array (n, n_features)
            Points; a Dask collection where `fit` takes one.

        Returns
        -------
        boolean array (n,)
            All False for random waves and product kernels, whose functions do not vanish. Of a Dask
            collection: a dask array, not yet computed.
        """
        X = self._points(X)
        return np.zeros(len(X), dtype=bool) if self._reach is None else self._reach.far(X)

    @with_progress
    def _values(self, X):
        return fit.problems.scores_at(self.space_, X, [self._solution], self._fading)[0]
