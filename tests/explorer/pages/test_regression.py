"""The Regression page's numbers: equal to the estimators', its records, and its messages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from page_tests import opened

from lapviz import (
    ExactLaplacianRegressor,
    HermiteRegressor,
    KernelCGRegressor,
    LaplacianRegressor,
    datasets,
)
from lapviz.estimates.kernel_filters import kernel_filters
from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import EXACT_BYTES
from lapviz.explorer.pages.regression.steps import LADDER, line
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.settings.fields import from_query, tidy
from lapviz.explorer.settings.specs import TOPICS, topics_of
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import Curve, CurveScene, Handle, Mark, Path, Response, Series
from lapviz.figures.stage.container import unpack
from lapviz.figures.stage.payload import encode_parts

STOP = presets.for_story("stop").change(n=120)
SLOPES = presets.for_story("slopes")
EXACT = presets.for_story("exact").change(n=80)
ROLL = presets.for_story("roll-values").change(n=400, p=80)


def cg(settings, stopping: str, **more) -> KernelCGRegressor:
    data, shown = points.sample(settings.data), settings.regression
    y = data.values.copy()
    y[shown.known :] = np.nan
    model = KernelCGRegressor(
        kernel=settings.space.kernel, bandwidth=settings.space.bandwidth, stopping=stopping,
        unlabelled=shown.unlabelled, random_state=settings.data.random_state,
        **{"n_iterations": 40} | more,
    )  # fmt: skip
    return model.fit(data.X, y)


# ---- stop early -----------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"tau": 0.003, "known": 40}, {"unlabelled": "response"}])
def test_rules_are_marked_where_they_stop(changes):
    """That the estimator stops there is tested with the scripts: test_recipes.py."""
    view = regression_view(STOP.change(story="", **changes))
    rows = {row[0]: row[1] for row in view.tables[0].rows}
    marks = {mark.title: mark.step for mark in view.scene.shown.marks}
    assert {"(8)", "(9)", "Hold-out", "Truth"} <= marks.keys()
    assert all(rows["Truth (in hindsight)" if t == "Truth" else t] == m for t, m in marks.items())


def test_each_iterate_is_the_estimators_and_the_truth_chooses_the_best():
    path, x, target = regression_view(STOP).scene.shown, line(), points.sample(STOP.data).target
    for m in (0, 1, 5, 12):
        values = cg(STOP.change(known=120), "fixed", n_iterations=m).predict(x)
        np.testing.assert_allclose(path.curves[m], values, atol=1e-7)
        error = np.sqrt(np.mean((values - target(x)) ** 2))
        assert path.series[1].values[m] == pytest.approx(error, rel=1e-6)
    assert path.marks[-1] == Mark("Truth", int(path.series[1].values.argmin()))
    assert (np.diff(path.series[0].values) <= 1e-12).all(), "the residual falls"


def test_other_methods_are_the_librarys_filters():
    view, data = regression_view(STOP), points.sample(STOP.data)
    kernel, x = fits.method(STOP).kernel, line()
    mean = data.values.mean()
    assert [path.name for path in view.scene.paths] == ["cg", "pls", "ridge", "pcr", "boosting"]
    for path in view.scene.paths[1:]:
        made = kernel_filters(kernel(data.X, data.X), data.values - mean, path.name, path.positions)
        np.testing.assert_allclose(path.curves, made.predict(kernel(x, data.X)).T + mean, atol=1e-5)
        np.testing.assert_allclose(path.series[0].values, made.residuals, atol=1e-8)


def test_the_conditions_are_stated():
    words = "\n".join(regression_view(STOP).notes)
    for term in ("Effective dimension", "Source condition", "κ = 1", "s = ", "r = "):
        assert term in words
    some = regression_view(STOP.change(known=30, unlabelled="response")).notes[0]
    assert "30 known values and 90 unlabelled inputs" in some


# ---- slopes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"weight": 0.01, "ridge": 1e-3}, {"kernel": "matern52"},
                                     {"handles": (Handle(0.2, 1.0), Handle(0.7, -1.0, 3.0))},
                                     {"kernel": "polynomial", "sigma": 1.0},
                                     pytest.param({"kernel": "exponential", "sigma": "auto"},
                                                  marks=pytest.mark.slow)])  # fmt: skip
def test_the_response_matrix_gives_the_estimators_predictions(changes):
    settings = SLOPES.change(**changes)
    matrices = [response.matrix for response in regression_view(settings).scene.responses]
    shown, space = settings.regression, settings.space
    model = HermiteRegressor(kernel=space.kernel, bandwidth=space.bandwidth, weight=shown.weight,
                             ridge=shown.ridge, random_state=0)  # fmt: skip
    X, rng = np.array([[h.x] for h in shown.handles]), np.random.default_rng(0)
    missing = np.array([h.slope is None for h in shown.handles])
    # other values and slopes at the same places: what the hand does between two answers
    for _ in range(2):
        y, slopes = rng.normal(size=(2, len(X)))
        given = np.append(y, np.where(missing, 0.0, slopes))
        known = np.where(missing, np.nan, slopes)[:, None]
        for matrix, gradients in zip(matrices, (known, None), strict=True):
            wanted = model.fit(X, y, gradients=gradients).predict(line())
            size = max(1.0, np.abs(given).max())
            np.testing.assert_allclose(matrix @ given, wanted, atol=2e-4 * size)


# ---- exact against Galerkin -----------------------------------------------------------------


def test_exact_and_galerkin_are_the_estimators():
    view, data, x = regression_view(EXACT), points.sample(EXACT.data), line()
    common = {"kernel": "gaussian", "bandwidth": 0.2, "lam": EXACT.estimate.lam}
    exact = ExactLaplacianRegressor(**common).fit(data.X, data.values).predict(x)
    np.testing.assert_allclose(view.scene.curves[1].values, exact, atol=1e-8)
    path = view.scene.shown
    assert list(path.positions) == [*(p for p in LADDER if p < 80)]
    for k in (0, 4, -1):
        p = int(path.positions[k])
        model = LaplacianRegressor(**common, n_landmarks=p, random_state=0)
        values = model.fit(data.X, data.values).predict(x)
        np.testing.assert_allclose(path.curves[k], values, atol=1e-8)
    away = path.series[1].values
    assert away[-1] < 1e-3 * away[0], "Galerkin comes to the exact estimate"


def test_what_cannot_fit_is_refused_in_numbers_and_not_tried(monkeypatch):
    def never(*args, **options):
        raise AssertionError("the exact estimate was tried")

    monkeypatch.setattr("lapviz.estimators.exact.exact_estimate", never)
    n = math.isqrt(EXACT_BYTES // 16) // 2 + 1  # the least that is refused
    view = regression_view(EXACT.change(n=n))
    needed = 16 * (2 * n) ** 2
    assert f"takes {needed / 1e6:.0f} MB; {EXACT_BYTES / 1e6:.0f} MB are allowed" in view.warning
    row = view.tables[0].rows[0]
    assert row[1:4] == (None, None, None)
    assert row[4] == pytest.approx(needed / 1000)
    assert [curve.title for curve in view.scene.curves] == ["Truth"]
    with pytest.raises(AssertionError, match="was tried"):
        regression_view(EXACT.change(n=n - 1))


def test_over_two_inputs_the_same_as_fields():
    settings = presets.papers_for("hills").change(n=60, p=20)
    view, data = regression_view(settings), points.sample(settings.data)
    truth, exact, galerkin = view.scene.panels
    assert [panel.title for panel in view.scene.panels] == ["Truth", "Exact", "Galerkin, p = 20"]
    np.testing.assert_allclose(truth.points[0], data.target(data.X))
    model = LaplacianRegressor(bandwidth=0.4, n_landmarks=20, lam=1e-4, mu="floor", random_state=0)
    model.fit(data.X, data.values)
    np.testing.assert_allclose(galerkin.points[0], model.predict(data.X), atol=1e-7)
    sites = view.scene.grid.sites()
    np.testing.assert_allclose(galerkin.grid.ravel(), model.predict(sites), atol=1e-7)
    assert exact.grid.shape == galerkin.grid.shape
    assert "Exact: error" in view.chart


# ---- noisy manifold -------------------------------------------------------------------------


def test_the_rolls_panels_are_the_estimators():
    view, data = regression_view(ROLL), points.sample(ROLL.data)
    y = np.where(np.arange(400) < 20, data.values, np.nan)
    for panel, operator in zip(view.scene.panels[2:], ("laplacian", "tangent"), strict=True):
        model = LaplacianRegressor(
            bandwidth=4.0, n_landmarks=80, mu="floor", operator=operator, random_state=0
        )
        values = model.fit(data.X, y).predict(data.X)
        np.testing.assert_allclose(panel.points[0], values, atol=1e-4)
    assert view.tables[0].rows[0][3] is None, "ridge has no operator"


# ---- records and messages -------------------------------------------------------------------


def scene(**changes) -> CurveScene:
    x = np.linspace(0, 1, 5)
    path = Path("a", "A", "m", np.arange(3), np.ones((3, 5)), (Series("s", np.ones(3)),),
                (Mark("rule", 2),))  # fmt: skip
    given = {"x": x, "view": (0, 1, -1, 1), "view_key": "k", "points": np.zeros((2, 2)),
             "known": np.array([True, False]), "curves": (Curve("c", x, "truth"),),
             "paths": (path,), "path": "a", "step": 1}  # fmt: skip
    return CurveScene(**given | changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"view": (0, 0, 0, 1)}, "finite with x0 < x1"),
        ({"points": np.zeros((2, 3))}, "points has shape"),
        ({"known": np.ones(3)}, "known has shape"),
        ({"curves": (Curve("c", np.ones(4)),)}, "'c' has shape"),
        ({"curves": (Curve("c", np.ones(5), "loud"),)}, "role is one of"),
        ({"path": "b"}, "'b', which it does not have"),
        ({"step": 3}, "no step 3"),
        ({"responses": (Response("r", np.ones((5, 2))),)}, "'r' has shape"),
        ({"paths": (Path("a", "A", "m", np.arange(0), np.ones((0, 5))),)}, "has no step"),
        ({"paths": (Path("a", "A", "m", np.arange(2), np.ones((3, 5))),)}, "curves has shape"),
        ({"paths": (Path("a", "A", "m", np.arange(2), np.ones((2, 5)), (), (Mark("x", 2),)),)},
         "lies outside its 2 steps"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_are_refused(changes, words):
    scene()
    with pytest.raises(ValueError, match=words):
        scene(**changes)


def test_a_step_leaves_the_lasting_part_as_it_is():
    one, two = encode_parts(scene()), encode_parts(scene(step=2))
    assert one[0] == two[0]
    assert one[1] != two[1]
    path = unpack(one[0])["static"]["paths"][0]
    np.testing.assert_allclose(path["curves"], 1.0, rtol=1e-3)
    assert unpack(two[1])["answer"]["step"] == 2


# ---- the page without a browser -------------------------------------------------------------


PLAIN = [{"data": "swiss_roll" if topic == "manifold" else "waves", "topic": topic, "n": 100,
          "p": 20} for topic in TOPICS]  # fmt: skip
ODD = [
    {"data": "waves", "n": 1}, {"data": "waves", "n": 2, "known": 2}, {"data": "step", "noise": 0},
    {"data": "waves", "n": 3, "topic": "exact", "p": 1}, {"data": "waves", "topic": "exact",
     "kernel": "exponential"}, {"data": "waves", "topic": "slopes", "points": "0.5,1"},
    {"data": "waves", "topic": "slopes", "points": "0.5,1,2~0.5,3,4", "ridge": 0},
    {"data": "waves", "topic": "slopes", "weight": 0, "ridge": 0, "sigma": 1000},
    {"data": "swiss_roll", "n": 5, "known": 2}, {"data": "hills", "n": 2}, {"data": "swiss_roll",
     "n": 1}, {"data": "waves", "sigma": 1e-12, "n": 20}, {"data": "waves", "lam": 0, "mu": 0,
     "topic": "exact", "n": 20}, {"data": "swiss_roll", "n": 30, "known": 1000, "sigma": 1e9},
]  # fmt: skip
CONTROLS = ("selectbox", "checkbox", "number_input", "text_input", "button", "button_group")


@pytest.mark.parametrize(
    "query", [*PLAIN, *(pytest.param(q, marks=pytest.mark.slow) for q in ODD)], ids=str
)
def test_any_settings_get_an_answer_or_a_sentence_and_controls_explain_themselves(query):
    app = opened("regression", **query)
    assert not app.exception
    assert not (app.error and query in PLAIN)
    for error in app.error:
        assert "unexpected error" not in error.value, error.value
        assert error.value.endswith(".")
    widgets = [widget for kind in CONTROLS for widget in getattr(app, kind)]
    assert len(widgets) >= 3
    assert all(w.label and w.proto.help.endswith((".", "?", ")")) for w in widgets)


def test_data_without_values_and_a_broken_link_are_told():
    (said,) = opened("regression", data="four_circles").warning
    assert "There is no data set" in said.value
    app = opened("regression", data="waves", topic="manifold", points="1,2,3,4", m="x")
    assert len(app.warning) == 3


@pytest.mark.slow
def test_the_pages_settings_are_its_own():
    app = opened("regression", data="waves", known=50)
    settings = app.session_state["lapviz_regression"]
    assert settings.regression.known == 50
    assert "lapviz_settings" not in app.session_state
    assert "50" in app.query_params["known"]


def test_each_set_with_values_has_a_topic_and_each_topic_a_set():
    able = [topics_of(datasets.info(name)) for name in datasets.names("values")]
    assert all(able)
    assert {topic for topics in able for topic in topics} == set(TOPICS)
    for name in datasets.names("values"):
        start = presets.papers_for(name)
        assert tidy(start) == start
        assert from_query({"data": name}, start) == (start, [])
