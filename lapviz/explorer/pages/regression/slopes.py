"""Slopes: Hermite regression beside plain regression on points set by hand (GAL23 §7.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz.estimators.hermite_regressor import HermiteRegressor
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.regression.view import RegressionView, Table, line, rms, view_around
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.regression_specs import Handle
from lapviz.figures.curve_scenes import CurveScene, Response

Array = np.ndarray
TITLES = ("Hermite: values and slopes", "Plain: values only")


def slopes_view(settings: Settings, rev: int = 0) -> RegressionView:
    """Both estimates as matrices, which the browser multiplies by what the hand moves."""
    handles = settings.regression.handles
    hermite, plain = responses(
        settings.space.relevant(),
        settings.regression.weight,
        settings.regression.ridge,
        tuple(replace(h, value=0.0, slope=None if h.slope is None else 0.0) for h in handles),
    )
    given, x = numbers_of(handles), line()
    scene = CurveScene(
        x=x[:, 0],
        view=_view(handles, hermite @ given, plain @ given),
        view_key="slopes",
        points=np.empty((0, 2)),
        known=np.empty(0, dtype=bool),
        handles=handles,
        responses=(Response(TITLES[0], hermite), Response(TITLES[1], plain, "other")),
        axes=("x", "value"),
        rev=rev,
    )
    fitted = [fit(settings, slopes) for slopes in (True, False)]
    words = (
        f"**Kernel:** σ = {fitted[0].bandwidth_:.3g}; "
        f"{fitted[0].space_.n_functions} test functions with slopes, "
        f"{fitted[1].space_.n_functions} without.",
    )
    return RegressionView(scene, (_table(handles, fitted),), words)


def numbers_of(handles: tuple[Handle, ...]) -> Array:
    """The k values, then the k slopes (2k,); 0 where no slope is given."""
    return np.array([h.value for h in handles] + [h.slope or 0.0 for h in handles])


def estimator(space, weight: float, ridge: float) -> HermiteRegressor:
    """Hermite regression over the RKHS with these settings."""
    return HermiteRegressor(
        kernel=space.kernel,
        bandwidth=space.bandwidth,
        kernel_params=dict(space.kernel_params or ()),
        weight=weight,
        ridge=ridge,
        random_state=space.random_state,
    )


def slopes_width(settings: Settings) -> float:
    """σ as a number; "auto" is chosen for the given points."""
    asked = settings.space.bandwidth
    return fit(settings, True).bandwidth_ if asked == "auto" else asked


def fit(settings: Settings, slopes: bool) -> HermiteRegressor:
    """The estimator on the given points, with or without their slopes."""
    handles, shown = settings.regression.handles, settings.regression
    X = np.array([[h.x] for h in handles])
    y = np.array([h.value for h in handles])
    known = [[np.nan if h.slope is None else h.slope] for h in handles]
    made = estimator(settings.space.relevant(), shown.weight, shown.ridge)
    return made.fit(X, y, gradients=np.array(known) if slopes else None)


@step
def responses(space, weight: float, ridge: float, places: tuple[Handle, ...]):
    """What unit values and unit slopes at these places give on the line: two arrays (g, 2k)."""
    k = len(places)
    X = np.array([[h.x] for h in places])
    values, slopes = np.hstack([np.eye(k), np.zeros((k, k))]), np.zeros((k, 1, 2 * k))
    slopes[:, 0, k:] = np.eye(k)
    missing = np.array([h.slope is None for h in places])
    slopes[missing] = np.nan
    x = line()
    hermite = estimator(space, weight, ridge).fit(X, values, gradients=slopes).predict(x)
    hermite[:, k:][:, missing] = 0.0
    plain = estimator(space, weight, ridge).fit(X, values).predict(x)
    plain[:, k:] = 0.0
    return hermite, plain


def _view(handles, *curves: Array) -> tuple[float, float, float, float]:
    """A box that does not follow small movements: whole units around points and curves."""
    left, right, low, high = view_around(np.array([h.value for h in handles]), *curves)
    points = np.array([h.value for h in handles])
    low, high = max(low, points.min() - 3), min(high, points.max() + 3)
    return left, right, float(min(np.floor(low), -1)), float(max(np.ceil(high), 1))


def _table(handles, fitted) -> Table:
    X = np.array([[h.x] for h in handles])
    values = np.array([h.value for h in handles])
    sloped = [i for i, h in enumerate(handles) if h.slope is not None]
    rows = []
    for title, model in zip(TITLES, fitted, strict=True):
        miss = float(rms(model.predict(X) - values))
        tilt = None
        if sloped:
            slopes = np.array([handles[i].slope for i in sloped])
            tilt = float(rms(model.predict_gradient(X)[sloped, 0] - slopes))
        rows.append((title, miss, tilt))
    return Table(
        ("Estimate", "Misses the values by", "Misses the slopes by"),
        tuple(rows),
        {"Misses the values by": "{:.3g}", "Misses the slopes by": "{:.3g}"},
        "Root mean square differences at the given points.",
    )
