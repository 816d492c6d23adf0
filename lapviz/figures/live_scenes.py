"""Scenes of fitted estimators in which the browser can change λ, the filter and the labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from lapviz import fit
from lapviz._sklearn import nameless
from lapviz.checks import check_points
from lapviz.estimates import filters
from lapviz.estimates.codes import class_codes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.estimators.base import LaplacianEstimator
from lapviz.estimators.targets import as_floats, is_unlabelled, mark_unlabelled
from lapviz.figures.curve_scenes import Curve, CurveScene, Path, Series, margin
from lapviz.figures.fitted_scenes import (
    SUBSCRIPTS,
    Picture,
    decision_scene,
    eigenfunction_scene,
    labelled_rows,
    labels_of,
    outputs,
    scorer,
)
from lapviz.linalg import eigh
from lapviz.markdown import short
from lapviz.scenes import FilterChoice, Modes, ObservedValues, Scene, to_ring
from lapviz.spaces import TrialSpace
from lapviz.spectra import Spectrum

Array = np.ndarray

NODES = 72  # grid nodes along the longer side, as in the explorer
N_INPUTS = 300  # inputs at which a curve is evaluated
MAX_PANELS = 16
MAX_MODES = 64
MAX_COLUMNS = 48  # labels whose exact representers are kept
MAX_ROWS = 4000  # of the sample, over which the modes are orthonormal
MAX_BYTES = 9_000_000  # of all functions of a trial space at the points and over the grid
MAX_LABELS = 2000  # that the browser solves for
FAR = 1 / 3  # of the largest |value|: values that vary by less are drawn around their middle
LAMBDAS = np.geomspace(1e-6, 1e4, 81)


def live_scene(estimator, X: Array, y: Array | None = None) -> Scene | CurveScene:
    """Return the scene of a fitted estimator; see :func:`lapviz.live`.

    Raises
    ------
    ValueError
        If shapes do not match.
    TypeError
        If there is nothing to draw.
    NotFittedError
        If the estimator was not fitted.
    """
    if not hasattr(estimator, "fit"):
        raise TypeError(f"{estimator!r} is no estimator: it has no fit.")
    check_is_fitted(estimator)
    X, names = check_points(X), getattr(estimator, "feature_names_in_", ["x"])
    estimator = nameless(estimator)
    if is_classifier(estimator):
        return _classes(estimator, X, y)
    if is_regressor(estimator):
        return _line(estimator, X, y, names[0]) if X.shape[1] == 1 else _values(estimator, X, y)
    if not hasattr(estimator, "transform"):
        raise TypeError(
            f"{type(estimator).__name__} cannot be shown: it is no classifier and no regressor, "
            "and has no transform."
        )
    if hasattr(estimator, "eigenvalues_"):
        return eigenfunction_scene(estimator, X, MAX_PANELS)
    n_outputs = np.shape(estimator.transform(X[:1]))[1]
    picture, n_panels = Picture(X, None, 64 if n_outputs <= 4 else 48), min(n_outputs, MAX_PANELS)
    titles = [f"component {str(i + 1).translate(SUBSCRIPTS)}" for i in range(n_panels)]
    panels = picture.panels(outputs(estimator.transform), titles, [""] * n_panels)
    return picture.scene(panels, kind="functions")


# ---- classes ------------------------------------------------------------------------------------


def _classes(estimator, X: Array, y: Array | None) -> Scene:
    """The estimator's scores; if they come from several steps, another panel has the first."""
    y = np.full(len(X), -1) if y is None else np.asarray(mark_unlabelled(y))
    movable = _movable(estimator) and not is_unlabelled(y).all()
    if not movable or len(estimator.classes_) < 2:
        return replace(decision_scene(estimator, X, y), about=_about(estimator, len(X), fixed=True))
    # as in decision_scene, on the explorer's grid
    picture = Picture(X, None, NODES, keep=labelled_rows(y, X))
    in_span = estimator._with_kernel_functions(estimator._scaled(X), y)
    on_nodes = in_span is not estimator  # then with another λ
    # the steps of the estimate that the browser does not compute
    n_passes = getattr(estimator, "n_passes_", 0)
    further_steps = [f"λ = {short(estimator.lam_)} on nodes"] if on_nodes else []
    further_steps += [f"{n_passes} passes"] if n_passes else []
    further_steps += ["balanced"] if getattr(estimator, "balance_", None) is not None else []
    steps = ", ".join(further_steps)
    panels = [picture.panel(scorer(estimator), title=type(estimator).__name__, subtitle=steps,
                            depends=depends(estimator))]  # fmt: skip
    labels = labels_of(estimator, y, picture)
    rows = [label.index for label in labels]
    settings = settings_of(in_span)
    if steps:
        targets = class_codes(np.array([label.code for label in labels]), len(estimator.classes_))
        spec = replace(fit.EstimateSpec.of(in_span), lam=settings["lam"], n_passes=0)
        c = fit.solve(in_span.space_, in_span.solver_, in_span._scaled(X[rows]), targets, spec)
        title = "One step with kernel functions" if on_nodes else "The same energy, in one step"
        words = {"title": title, "subtitle": "without balance and passes"}

        def in_one_step(points: Array) -> Array:
            return in_span.space_.evaluate(in_span._scaled(points), c)

        panels.append(picture.panel(in_one_step, depends=depends(spec), **words))
    panels[-1] = replace(panels[-1], model=modes_of(in_span, X, picture, X[rows]))
    return picture.scene(
        tuple(panels),
        kind="classes",
        classes=tuple(str(c) for c in estimator.classes_),
        labels=labels,
        editable=True,
        free_labels=picture.grid is not None,
        about=_about(in_span, len(X)),
        **settings,
    )


def _movable(estimator) -> bool:
    """Whether λ, filter and labels can change: not after sample weights, which are not kept."""
    is_one_estimate = isinstance(estimator, LaplacianEstimator) and not _is_averaged(estimator)
    return is_one_estimate and not estimator._weighted


def _is_averaged(estimator) -> bool:
    """Whether it averages over settings, as a LaplacianRegressor with default ones does."""
    return getattr(estimator, "_process", None) is not None


# ---- values -------------------------------------------------------------------------------------


def _values(estimator, X: Array, y: Array | None) -> Scene:
    """A panel for each output, over the plane if X has two features."""
    targets, observed = _targets(y, len(X))
    picture = Picture(X, None, NODES, keep=observed)
    predict, name = outputs(estimator.predict), type(estimator).__name__
    middles = _middles(predict(picture.X[picture.drawn]))
    titles = [f"{name}, output {o + 1}" for o in range(min(len(middles), MAX_PANELS))]
    titles = titles if len(middles) > 1 else [name]
    subtitles = [
        f"values {'plus' if m < 0 else 'minus'} {abs(m):,.12g}" if m else ""
        for m in middles[: len(titles)]
    ]
    panels = picture.panels(lambda points: predict(points) - middles, titles, subtitles)
    movable = _movable(estimator) and observed.any()
    if not movable or observed.sum() > MAX_LABELS:
        about = _about(estimator, len(X), fixed=True)
        return picture.scene(panels, kind="functions", about=about, known=to_ring(observed))
    rows = np.flatnonzero(observed)
    modes = modes_of(estimator, X, picture, X[rows])
    means = np.atleast_1d(estimator.target_mean_)
    depends_on = tuple(part for part in depends(estimator) if part != "labels")
    known_values = [
        ObservedValues(picture.xy[rows], rows, targets[rows, o] - means[o], means[o] - middles[o])
        for o in range(len(panels))
    ]
    panels = tuple(
        replace(panel, model=replace(modes, known=values), depends=depends_on)
        for panel, values in zip(panels, known_values, strict=True)
    )
    return picture.scene(
        panels, kind="functions", about=_about(estimator, len(X)), known=to_ring(observed),
        **settings_of(estimator),
    )  # fmt: skip


def _middles(values: Array) -> Array:
    """Round numbers (k,) in the middle of outputs (n, k) that are far from 0, else 0: colours are
    for signed functions, and show nothing of years or prices. Rounding does not make a picture."""
    low, high = values.min(axis=0), values.max(axis=0)
    spread, size = high - low, np.maximum(np.abs(low), np.abs(high))
    far = (spread > 1e-9 * size) & (spread < FAR * size)
    unit = 10.0 ** np.floor(np.log10(np.where(far, spread, 1.0)))
    return np.where(far, np.round((low + high) / 2 / unit) * unit, 0.0)


def _line(estimator, X: Array, y: Array | None, name: str) -> CurveScene:
    """A curve over one input, with a path over λ or over the iterations."""
    targets, observed = _targets(y, len(X))
    low, high = float(X.min()), float(X.max())
    margin_x = 0.04 * (high - low) or 0.5
    x = np.linspace(low - margin_x, high + margin_x, N_INPUTS)
    predict = outputs(estimator.predict)
    values = predict(x[:, None])
    n_outputs = targets.shape[1]
    known = np.repeat(observed, n_outputs)
    points = np.column_stack([np.repeat(X[:, 0], n_outputs), np.where(known, targets.ravel(), 0.0)])
    paths, step = (), 0
    single = n_outputs == 1 and observed.any()
    iterations: Any = getattr(estimator, "path_", None)
    if _movable(estimator) and single and "lam" in depends(estimator):
        paths, step = _over_lambda(estimator, X, x, targets[:, 0], observed)
    elif single and hasattr(iterations, "alpha") and hasattr(estimator, "X_fit_"):
        offset, K = float(estimator.target_mean_), estimator.kernel_(x[:, None], estimator.X_fit_)
        residuals = Series("Residual", iterations.residuals)
        iterates = offset + iterations.predict(K).T
        steps = np.arange(len(iterations.alpha))
        paths = (Path("cg", "Conjugate gradient", "m", steps, iterates, (residuals,)),)
        step = int(estimator.n_iterations_)
    curves = ()
    if not paths:
        titles = [type(estimator).__name__]
        if values.shape[1] > 1:
            titles = [f"Output {o + 1}" for o in range(values.shape[1])]
        roles = ["main", *["other"] * (len(titles) - 1)]
        curves = tuple(map(Curve, titles, values.T, roles))
    all_values = np.concatenate([values.ravel(), points[known, 1]])
    bottom, top = float(all_values.min()), float(all_values.max())
    margin_y = margin(bottom, top)
    return CurveScene(
        x=x,
        view=(float(x[0]), float(x[-1]), bottom - margin_y, top + margin_y),
        view_key="figure",
        points=points,
        known=known,
        curves=curves,
        paths=paths,
        path=paths[0].name if paths else "",
        step=step,
        axes=(name, "value"),
    )


def _over_lambda(estimator, X, x, y, observed) -> tuple[tuple[Path, ...], int]:
    current = float(estimator.lam_)
    lams = np.unique(np.append(LAMBDAS, current)) if current > 0 else np.append(current, LAMBDAS)
    spec = replace(fit.EstimateSpec.of(estimator), lam=current)
    offset = float(np.ravel(estimator.target_mean_)[0])
    space, centred = estimator.space_, (y[observed] - offset)[:, None]
    inputs = estimator._scaled(X[observed])
    columns = (
        fit.solve(space, estimator.solver_, inputs, centred, replace(spec, lam=lam)) for lam in lams
    )
    coefficients = np.hstack([column[:, :1] for column in columns])
    curves = offset + space.evaluate(estimator._scaled(x[:, None]), coefficients).T
    residuals = offset + space.evaluate(inputs, coefficients) - y[observed][:, None]
    errors = (residuals**2).mean(axis=0)
    step = int(np.flatnonzero(lams == current)[0])
    series = (Series("Mean squared error at the given values", errors),)
    title = type(estimator).__name__
    return (Path("lam", title, "λ", lams, curves, series, log=True),), step


def _targets(y: Array | None, n: int) -> tuple[Array, Array]:
    """Targets (n, k) and the mask of the rows without missing values."""
    if y is None:
        return np.full((n, 1), np.nan), np.zeros(n, dtype=bool)
    y = as_floats(y)
    if y.ndim not in (1, 2) or len(y) != n:
        raise ValueError(f"y must have shape ({n},) or ({n}, n_outputs), got {y.shape}.")
    y = y.reshape(n, -1)
    return y, np.asarray(np.isfinite(y).all(axis=1))


def _about(estimator, n: int, fixed: bool = False) -> str:
    """The number of points, and σ, p, μ if the estimator has them; λ if it is ``fixed``."""
    parts = [f"{n:,} point{'s' * (n != 1)}"]
    if _is_averaged(estimator):
        return f"{parts[0]} · an average over several σ, μ and λ"
    symbols = {"bandwidth_": "σ", "n_landmarks_": "p", "mu_": "μ"}
    if fixed:
        symbols["lam_" if hasattr(estimator, "lam_") else "lam"] = "λ"
    for name, symbol in symbols.items():
        value = getattr(estimator, name, None)
        if isinstance(value, int | float):
            parts.append(f"p = {value}" if name == "n_landmarks_" else f"{symbol} = {short(value)}")
    return " · ".join(parts)


# ---- what the browser needs to change λ by itself ------------------------------------------------


def modes_of(estimator, X: Array, picture: Picture, labelled: Array | None) -> Modes:
    """Return the functions of a fitted estimator at the drawn points and over the grid.

    All of its trial space if they fit, else the leading modes.

    Parameters
    ----------
    estimator : LaplacianEstimator
        Fitted; its trial space and its factor or spectrum are used.
    X : array (n, d)
        The sample.
    picture : Picture
        The drawn points and the grid.
    labelled : array (k, d) or None
        Labelled points; their representers G(·, x_j) are added if they are few.
    """
    space, solver, grid = estimator.space_, estimator.solver_, picture.grid
    drawn = X[picture.drawn]
    sites = drawn if grid is None else np.vstack([picture.sites(), drawn])
    n_sites, sites = len(sites) - len(drawn), estimator._scaled(sites)

    def split(rows: Array) -> tuple[Array | None, Array]:
        field = None if grid is None else rows[:, :n_sites].reshape(-1, len(grid.y), len(grid.x))
        return field, rows[:, n_sites:]

    if (basis := all_functions(space, solver, sites, len(drawn))) is not None:
        gamma, values = basis
        intercept = isinstance(solver, EnergyFactor) and solver.constant
        return Modes(gamma, *split(values), intercept=intercept, complete=True)
    if not isinstance(solver, EnergyFactor):
        values = space.evaluate(sites, solver.vectors[:, :MAX_MODES]).T
        return Modes(solver.gamma[:MAX_MODES], *split(values))
    whitened = solver.whiten(space.phi(sites))
    # In whitened coordinates the energy is the identity, so the modes are the eigenvectors of the
    # mean of W Wᵀ over the sample, with eigenvalues 1/γ.
    rows = X
    if len(X) > MAX_ROWS:
        rows = X[np.random.default_rng(0).choice(len(X), MAX_ROWS, replace=False)]
    W = solver.whiten(space.phi(estimator._scaled(rows)))
    s, U = eigh(W @ W.T / len(rows))
    order = np.argsort(s)[::-1][:MAX_MODES]
    order = order[s[order] > 1e-14 * s.max()]
    values = (U[:, order] / np.sqrt(s[order])).T @ whitened
    modes = Modes(1 / s[order], *split(values), intercept=solver.constant)
    if labelled is None or not 0 < len(labelled) <= MAX_COLUMNS:
        return modes
    representers = solver.whiten(space.phi(estimator._scaled(labelled)))
    on_grid, on_points = split(representers.T @ whitened)
    return replace(modes, columns_grid=on_grid, columns_points=on_points,
                   columns_gram=representers.T @ representers)  # fmt: skip


def bytes_of(n_functions: int, n_points: int, n_nodes: int) -> int:
    """Bytes of functions at points, in single precision, and at nodes of a grid, in half."""
    return n_functions * (4 * n_points + 2 * n_nodes)


def page_bytes(scene: Scene, n_functions: int) -> int:
    """Upper bound of the bytes that at most these functions add to a live page, in base64."""
    if not any(isinstance(panel.model, Modes) for panel in scene.panels):
        return 0
    n_nodes = 0 if scene.grid is None else len(scene.grid.x) * len(scene.grid.y)
    return 4 * min(bytes_of(n_functions, len(scene.points.index), n_nodes), MAX_BYTES) // 3


def all_functions(
    space: TrialSpace, solver: EnergyFactor | Spectrum, sites: Array, n_points: int
) -> tuple[Array, Array] | None:
    """Return energies (r,), and values (r, m) at the sites (m, d), of a basis of the trial space.

    The eigenfunctions of a spectrum; of a factor, functions of energy 1, in the directions of their
    mean squares over the sites: rounding the large ones then does not hide the small ones. Beside a
    free constant they are determined up to constants, and without their medians. None if they are
    too large for a live page; ``n_points`` of the sites are points, the others a grid.
    """
    is_factor = isinstance(solver, EnergyFactor)
    n_functions = len(solver.keep if is_factor else solver.gamma)
    if bytes_of(n_functions, n_points, len(sites) - n_points) > MAX_BYTES:
        return None
    if not is_factor:
        return solver.gamma, space.evaluate(sites, solver.vectors).T
    whitened = solver.whiten(space.phi(sites))
    if solver.constant:  # which costs nothing: without it rounding moves no value
        whitened -= np.median(whitened, axis=1, keepdims=True)
    _, axes = eigh(whitened @ whitened.T)
    return np.ones(len(axes)), axes.T @ whitened


def settings_of(estimator) -> dict[str, object]:
    """λ, filter and data term of an estimator, as fields of a scene."""
    current = filters.get(estimator.filter)
    rules = {name: filters.get(name) for name in filters.names()} | {current.name: current}
    lam = getattr(estimator, "lam_", estimator.lam)
    return {
        "lam": 1.0 if isinstance(lam, str) else float(lam),
        "mu": float(estimator.mu_),
        "filter": current.name,
        "filters": tuple(
            FilterChoice(rule.name, rule.title, rule.browser_formula()) for rule in rules.values()
        ),
        "data_term": estimator.data_term,
    }


def depends(estimator) -> tuple[str, ...]:
    """Which of λ, filter and labels an estimate depends on, of an estimator or specification."""
    unused = dict(fit.EstimateSpec.of(estimator).unused())
    return tuple(name for name in ("lam", "filter", "labels") if name not in unused)
