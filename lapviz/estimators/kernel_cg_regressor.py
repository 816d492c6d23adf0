"""Kernel conjugate gradient regression, as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Self

import numpy as np
from sklearn.utils import check_random_state

from lapviz._sklearn import Interval, StrOptions, check_parameters
from lapviz.checks import row_shares
from lapviz.estimates import conjugate_gradient
from lapviz.estimates import stopping as rules
from lapviz.estimates.kernel_filters import intrinsic_dimension
from lapviz.estimators.base import KernelEstimator, checked, parametrised
from lapviz.estimators.targets import TargetRegressor, weighted_mean
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import described
from lapviz.spaces import KernelSpace


@parametrised
class KernelCGRegressor(TargetRegressor, KernelEstimator):
    """Kernel regression, regularised by stopping conjugate gradients early (KCG10).

    α_m minimises ‖Y − K_nα‖_{K_n} over span{Y, K_nY, …, K_n^{m−1}Y} (eq. 5). Targets are centred
    by the mean of the labelled ones, in place of an intercept.

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
    stopping : {"holdout", "fixed", "discrepancy", "threshold"}, default "holdout"
        "fixed" takes m = ``n_iterations``; "discrepancy" is rule (8), "threshold" rule (9);
        "holdout" takes the m with the least error on a share ``holdout`` of the labelled points and
        then runs m steps on all of them. Rules (8) and (9) have guarantees, but are so conservative
        that below several thousand points they often stop at m = 0, the mean
        (:mod:`lapviz.experiments.stopping`).
    n_iterations : int, default 50
        m of "fixed", and the upper limit of the other rules.
    norm : {"kernel", "plain"}, default "kernel"
        "plain" is kernel partial least squares, to which rules (8) and (9) do not apply.
    unlabelled : {"ignore", "response"}, default "ignore"
        What to do with rows whose y is NaN: leave them out, or run on all rows with the response
        (ñ/n)(Y, 0, …, 0) of Theorem 2.3.
    bound : "auto" or float, default "auto"
        M of both rules, on centred targets; "auto" is the largest |y|. For rule (9) without
        unlabelled points the standard deviation of normal noise is enough, and stops later.
    tau : float or None, default None
        τ of rule (8), by default 1.1 (the theory requires more than 1), or τ′ of rule (9), by
        default 1.6 (more than 3/2). A smaller value stops later.
    risk : float, default 0.05
        The paper's γ: probability that the guarantee fails.
    step_back : {"proof", "printed", "never"}, default "proof"
        Variant of rule (8), see :func:`lapviz.stopping.stop_by_discrepancy`.
    regularity : float, default 0.5
        r of rule (9): f* = K^r u.
    source_norm : float, default 0
        ρ of rule (9) with unlabelled points: max(M, ρ) takes the place of M.
    dimension : "auto" or pair of floats (s, D), default (1.0, 1.0)
        Of rule (9): tr K(K + λ)⁻¹ ≤ D²(λ/κ)^(−s). (1, 1) always holds; "auto" estimates it
        from the eigenvalues of the kernel matrix (O(n³)).
    holdout : float, default 0.2
        Share of the labelled points that "holdout" holds out.
    random_state : int, RandomState or None, default None
        Seed of the held-out points.

    Attributes
    ----------
    path_ : KrylovPath, or a list of one for each output if y has two dimensions
    stop_ : Stop, or a list; contains the thresholds Λ_m or the hold-out errors
    n_iterations_ : int or list, m
    dual_coef_ : array (n_points,) or (n_points, n_outputs), weights of k(x_i, ·)
    X_fit_ : array (n_points, n_features), the x_i
    target_mean_ : float or array (n_outputs,)
    kernel_, bandwidth_ : values in use
    kappa_ : float, κ = max k(x, x) over the sample
    n_features_in_ : int

    Notes
    -----
    In y, NaN means unlabelled, as in :class:`lapviz.LaplacianRegressor`.

    References
    ----------
    KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
    regression*.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import KernelCGRegressor
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0, 3, (100, 1))
    >>> y = np.sin(x[:, 0]) + 0.1 * rng.normal(size=100)
    >>> model = KernelCGRegressor(random_state=0).fit(x, y)
    >>> bool(np.abs(model.predict(x) - np.sin(x[:, 0])).mean() < 0.1)
    True
    >>> 0 < model.n_iterations_ <= 50
    True
    """

    stopping: str = checked("holdout", StrOptions({"holdout", "fixed", "discrepancy", "threshold"}))
    n_iterations: int = checked(50, Interval(Integral, 0, None, closed="left"))
    norm: str = checked("kernel", StrOptions(set(conjugate_gradient.NORMS)))
    unlabelled: str = checked("ignore", StrOptions({"ignore", "response"}))
    bound: float | str = checked(
        "auto", StrOptions({"auto"}), Interval(Real, 0, None, closed="left")
    )
    tau: float | None = checked(None, None, Interval(Real, 0, None, closed="neither"))
    risk: float = checked(0.05, Interval(Real, 0, 1, closed="neither"))
    step_back: str = checked("proof", StrOptions(set(rules.STEP_BACKS)))
    regularity: float = checked(0.5, Interval(Real, 0, None, closed="left"))
    source_norm: float = checked(0.0, Interval(Real, 0, None, closed="left"))
    dimension: str | tuple[float, float] = checked((1.0, 1.0), StrOptions({"auto"}), tuple, list)
    holdout: float = checked(0.2, Interval(Real, 0, 1, closed="neither"))
    random_state: int | np.random.RandomState | None = described(PARAMETERS["random_state"])

    def fit(self, X, y, callback=None, sample_weight=None) -> Self:
        """Fit by conjugate gradients with early stopping.

        Parameters
        ----------
        X : array (n_samples, n_features)
            Points.
        y : array (n_samples,) or (n_samples, n_outputs)
            Targets, NaN where unlabelled.
        callback : callable, optional
            Called with a :class:`lapviz.kernel_cg.CGProgress` after every iteration; returning
            True stops.
        sample_weight : array (n_samples,), optional
            Weights of the points, at least 0, in all means. With the bandwidth and the number of
            iterations given, a point of weight 2 counts like two equal points; one of weight 0 is
            left out. The scale of the weights does not matter. In the stopping rules the number of
            labelled points is that of rows, and the hold-out error is a weighted mean.

        Returns
        -------
        KernelCGRegressor
            The fitted estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, the rule does not apply to the norm, shapes do not fit,
            weights are negative, not finite or all 0, or there are too few labelled points.
        """
        check_parameters(self)
        if callback is not None and not callable(callback):
            raise ValueError("callback must be a function: pass weights as sample_weight=.")
        if self.norm == "plain" and self.stopping in ("discrepancy", "threshold"):
            raise ValueError(
                f"stopping={self.stopping!r} is a rule for norm='kernel': choose that norm, or "
                "stopping='holdout'."
            )
        X, rows, weights, labelled, targets = self._read_targets(X, y, sample_weight)
        X = X[rows]
        if self.unlabelled == "ignore":
            X, targets = X[labelled], targets[labelled]
            weights = None if weights is None else weights[labelled]
            labelled = labelled[labelled]
        if weights is not None:
            weights = row_shares(weights, len(X)) * len(X)
        self.kernel_ = self._kernel(X)
        self.bandwidth_ = self.kernel_.bandwidth
        self.X_fit_ = X
        self.kappa_ = float(self.kernel_.diagonal(X).max())
        mean = weighted_mean(targets[labelled], weights, labelled)
        K = conjugate_gradient.kernel_product(self.kernel_, X)
        held_out = self._held_out(labelled)
        fits = [
            self._fit_output(
                K, np.where(labelled, column - m, 0.0), labelled, weights, held_out, callback
            )
            for column, m in zip(targets.T, mean, strict=True)
        ]
        paths, stops = (list(part) for part in zip(*fits, strict=True))
        dual = [p.alpha[s.iteration] / len(X) for p, s in fits]
        self.path_ = paths[0] if self._single else paths
        self.stop_ = stops[0] if self._single else stops
        self.n_iterations_ = stops[0].iteration if self._single else [s.iteration for s in stops]
        self.dual_coef_ = dual[0] if self._single else np.column_stack(dual)
        self.target_mean_ = float(mean[0]) if self._single else mean
        return self

    def _values(self, X) -> np.ndarray:
        space = KernelSpace(self.kernel_, self.X_fit_, constant=False)
        return space.evaluate(X, self.dual_coef_, 1024).reshape(len(X), -1)

    def _held_out(self, labelled) -> np.ndarray | None:
        """Rows held out by the hold-out rule; None for the other rules."""
        if self.stopping != "holdout":
            return None
        rows = np.flatnonzero(labelled)
        if len(rows) < 2:
            raise ValueError(
                f"Hold-out needs at least two labelled points, got n_samples={len(rows)}: label "
                "more, or choose stopping='fixed'."
            )
        count = min(max(1, round(self.holdout * len(rows))), len(rows) - 1)
        return check_random_state(self.random_state).permutation(rows)[:count]

    def _fit_output(self, K, y, labelled, weights, held_out, callback):
        """Path and stop for one output, already centred."""
        options = {"norm": self.norm, "callback": callback}
        if held_out is None:
            path = _run(K, y, labelled, weights, self.n_iterations, options)
            return path, self._stop(path, K, y, weights)
        train = np.ones(len(y), dtype=bool)
        train[held_out] = False
        if callable(K):
            K_train, K_holdout = K.between(train, train), K.between(held_out, train)
        else:
            K_train, K_holdout = K[np.ix_(train, train)], K[np.ix_(held_out, train)]
        w_train, w_holdout = None, None
        if weights is not None:
            w_train, w_holdout = weights[train], weights[held_out]
        trial = _run(K_train, y[train], labelled[train], w_train, self.n_iterations, options)
        stop = rules.stop_by_holdout(trial, K_holdout, y[held_out], w_holdout)
        path = _run(K, y, labelled, weights, stop.iteration, options)
        return path, rules.Stop(
            "holdout", min(stop.iteration, path.n_iterations), errors=stop.errors
        )

    def _stop(self, path, K, y, weights) -> rules.Stop:
        if self.stopping == "fixed":
            return rules.stop_at(path, self.n_iterations)
        bound = float(np.abs(y).max()) if isinstance(self.bound, str) else float(self.bound)
        options = {"risk": self.risk} | ({} if self.tau is None else {"tau": self.tau})
        if self.stopping == "discrepancy":
            return rules.stop_by_discrepancy(
                path, self.kappa_, bound, step_back=self.step_back, **options
            )
        s, D = self._dimension(K, weights)
        return rules.stop_by_threshold(
            path,
            self.kappa_,
            bound,
            r=self.regularity,
            s=s,
            D=D,
            rho=self.source_norm if self.unlabelled == "response" else 0.0,
            **options,
        )

    def _dimension(self, K, weights) -> tuple[float, float]:
        if not isinstance(self.dimension, str):
            if len(self.dimension) != 2:
                raise ValueError(f"dimension must be 'auto' or (s, D), got {self.dimension!r}.")
            s, D = self.dimension
            return s, D
        if callable(K):
            raise ValueError(
                f"dimension='auto' needs the full kernel matrix, {8 * len(self.X_fit_) ** 2:,} "
                "bytes: give (s, D), or fit on fewer points."
            )
        if weights is not None:
            K = conjugate_gradient.weighted_product(K, weights)
        assert isinstance(K, np.ndarray)
        dimension = intrinsic_dimension(K, self.kappa_)
        return dimension.s, dimension.D


def _run(K, y, labelled, weights, n_iterations, options) -> conjugate_gradient.KrylovPath:
    """A path on rows that may be unlabelled (their y is ignored)."""
    response = conjugate_gradient.semi_supervised_response(y, labelled, weights)
    return conjugate_gradient.krylov_path(
        K, response, n_iterations, n_labelled=int(labelled.sum()), weights=weights, **options
    )
