"""The Regression page's numbers: equal to the estimators', its records, and its messages."""

import math
import re
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pytest
from page_tests import opened

from lapviz import datasets
from lapviz.datasets import base, responses
from lapviz.estimates.kernel_filters import kernel_filters
from lapviz.explorer.channel.component import Message
from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import EXACT_BYTES
from lapviz.explorer.pages.regression import script, steps, stop
from lapviz.explorer.pages.regression.page import Curves
from lapviz.explorer.pages.regression.steps import line
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.session import state
from lapviz.explorer.session.state import REGRESSION
from lapviz.explorer.settings.fields import from_query, tidy
from lapviz.explorer.settings.specs import TOPICS, topics_of
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import Curve, CurveScene, Mark, Path, Response, Series
from lapviz.figures.stage.container import unpack
from lapviz.figures.stage.payload import encode_parts

STOP = presets.for_story("stop").change(n=120)
EXACT = presets.for_story("exact").change(n=80)
HILLS = presets.papers_for("hills").change(topic="exact")


def test_the_estimators_have_the_pages_settings():
    """The page's curves and its script come from them: test_recipes.py."""
    changes = {"kernel": "polynomial", "sigma": 0.3, "lam": 0.01, "mu": 1e-3, "seed": 4,
               "landmarks": "kmeans++", "weight": 0.2, "ridge": 0.04, "unlabelled": "response",
               "kernel_params": (("degree", 5),)}  # fmt: skip
    settings = presets.papers_for("hills").change(n=60, **changes)
    models = (stop.cg(settings), steps.hermite(settings), steps.exact(settings),
              steps.galerkin(settings, 20))  # fmt: skip
    expected = {"kernel": "polynomial", "bandwidth": 0.3, "kernel_params": {"degree": 5},
                "lam": 0.01, "mu": 1e-3, "weight": 0.2, "ridge": 0.04, "unlabelled": "response",
                "n_landmarks": 20, "landmarks": "kmeans++", "random_state": 4}  # fmt: skip
    own = {"n_landmarks", "landmarks"}  # Hermite regression has its own
    for model in models:
        params = model.get_params()
        names = expected.keys() & params.keys() - (own if model is models[1] else set())
        assert len(names) >= 5
        assert {name: params[name] for name in names} == {name: expected[name] for name in names}


@patch.dict(base._registry)
def test_a_set_beyond_the_unit_interval_is_drawn_and_measured_as_a_whole(capsys):
    @base.register
    @dataclass(frozen=True)
    class Wide(responses.Waves):
        name, title = "wide", "Wide"

        def points(self, n, rng):
            return rng.uniform(-3, 2, (n, 1)), np.zeros(n)

    settings = presets.papers_for("wide").change(n=80, topic="exact", noise=0.05)
    view, data = regression_view(settings), points.sample(settings.data)
    ends = view.scene.x[[0, -1]]
    np.testing.assert_allclose(ends, [data.X.min(), data.X.max() if data.X.max() > 1 else 1])
    left, right, *_ = view.scene.view
    assert left < ends[0] < ends[1] < right
    exec(script.regression(settings), {})
    (row,) = (row for row in view.tables[0].rows if row[0].startswith("Exact"))
    assert f"Exact: error {row[view.tables[0].heads.index('Error')]:.4f}" in capsys.readouterr().out


# ---- stop early -----------------------------------------------------------------------------


def test_other_methods_are_the_librarys_filters():
    view, data = regression_view(STOP), points.sample(STOP.data)
    kernel, x = fits.method(STOP).kernel, line()
    mean = data.values.mean()
    assert [path.name for path in view.scene.paths] == ["cg", "pls", "ridge", "pcr", "boosting"]
    for path in view.scene.paths[1:]:
        peer = kernel_filters(kernel(data.X, data.X), data.values - mean, path.name, path.positions)
        np.testing.assert_allclose(path.curves, peer.predict(kernel(x, data.X)).T + mean, atol=1e-5)
        np.testing.assert_allclose(path.series[0].values, peer.residuals, atol=1e-8)


def test_the_conditions_are_stated():
    view = regression_view(STOP)
    words = "\n".join(view.notes)
    at_once = [row[0] for row in view.tables[0].rows if row[1] == 0]
    assert f"Rules **{', '.join(at_once)}** stopped at once" in words
    for term in ("Effective dimension", "Source condition", "κ = 1", "s = ", "r = "):
        assert term in words
    words = "\n".join(regression_view(STOP.change(known=30, unlabelled="response")).notes)
    assert "30 known values and 90 unlabelled inputs" in words


# ---- exact against Galerkin -----------------------------------------------------------------


def test_all_samples_stay_on_the_path_of_p():
    few, all_points = (EXACT.change(n=200, p=p) for p in (150, 200))
    assert steps.counts(few) == steps.counts(all_points)
    assert steps.counts(few)[-2:] == (150, 200)
    assert steps.counts(EXACT.change(n=1)) == (1,)


@pytest.mark.slow
def test_what_does_not_fit_in_memory_is_refused_with_numbers_and_not_tried(monkeypatch):
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


@pytest.mark.slow
def test_kernel_ridge_of_too_many_values_is_refused_and_the_others_are_shown(monkeypatch):
    settings = presets.for_story("roll-values").change(n=300, p=60, known=200)
    monkeypatch.setattr(steps, "EXACT_BYTES", 16 * 200**2)
    tables = regression_view(settings).tables
    assert all(isinstance(row[1], float) for row in tables[0].rows)
    monkeypatch.setattr(steps, "EXACT_BYTES", 16 * 200**2 - 1)
    view = regression_view(settings)
    assert view.warning.startswith("Kernel ridge of 200 known values needs")
    assert view.scene.panels[1].note == view.warning
    refused, *others = view.tables[0].rows
    assert refused == ("Kernel ridge", *[None] * 5)
    assert [row[:2] for row in others] == [row[:2] for row in tables[0].rows[1:]]


def test_of_the_estimate_the_manifold_takes_lambda_alone():
    """No control of the topic shows the others, which another page may have set."""
    settings = presets.for_story("roll-values").change(n=120, p=40)
    others = settings.change(term="all", filter="heat", intercept=True)
    one, other = (regression_view(s).tables[0].rows for s in (settings, others))
    assert [row[:2] for row in one] == [row[:2] for row in other]
    assert script.regression(settings) == script.regression(others)


def test_the_share_explained_is_of_the_rows_that_the_error_is_of():
    settings = presets.for_story("roll-values").change(n=60, p=20, known=50, lam=1e4)
    data = datasets.load("swiss_roll", n_samples=60, noise=settings.data.noise, random_state=0)
    for _, error, explained, *_ in regression_view(settings).tables[0].rows:
        assert explained == pytest.approx(100 * (1 - error**2 / data.values[50:].var()), abs=1e-6)


@pytest.mark.parametrize("start", [presets.for_story("roll-values"), HILLS], ids=["roll", "hills"])
def test_pictures_ring_the_known_values_unless_all_are(start):
    some, every = (regression_view(start.change(n=60, p=20, known=k)) for k in (7, 60))
    assert (some.scene.known, every.scene.known) == (tuple(range(7)), ())
    words = " ".join(some.notes), " ".join(every.notes)
    assert "7 known values (ringed)" in words[0]
    assert "60 known values" in words[1]
    assert "ringed" not in words[1]


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"mu": 0.0}, "a larger μ"), ({"kernel": "exponential"}, "another kernel")],
)
def test_where_there_is_no_exact_estimate_the_other_one_is_shown(changes, words, capsys):
    view = regression_view(EXACT.change(n=40, **changes))
    assert words in view.warning
    assert view.numbers["exact"]["Error"] is None
    exec(script.regression(EXACT.change(n=40, **changes)), {})
    (printed,) = re.findall(r"Galerkin: error ([\d.]+)\n$", capsys.readouterr().out)
    assert float(printed) == pytest.approx(view.numbers["shown"]["Error"], abs=6e-5)


# ---- records and messages -------------------------------------------------------------------


def scene(**changes) -> CurveScene:
    x = np.linspace(0, 1, 5)
    path = Path("a", "A", "m", np.arange(3), np.ones((3, 5)), (Series("s", np.ones(3)),),
                (Mark("rule", 2),))  # fmt: skip
    fields = {"x": x, "view": (0, 1, -1, 1), "view_key": "k", "points": np.zeros((2, 2)),
              "known": np.array([True, False]), "curves": (Curve("c", x, "truth"),),
              "paths": (path,), "path": "a", "step": 1}  # fmt: skip
    return CurveScene(**fields | changes)


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


@pytest.mark.slow
@pytest.mark.parametrize("query", [*PLAIN, *ODD], ids=str)
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


@pytest.mark.slow
def test_data_without_values_and_a_broken_link_are_reported():
    (warning,) = opened("regression", data="four_circles").warning
    assert "This page does not show the data set" in warning.value
    (warning,) = opened("regression", data="nothing").warning
    assert "There is no data set “nothing”" in warning.value
    app = opened("regression", data="waves", topic="manifold", points="1,2,3,4", m="x")
    assert len(app.warning) == 3


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["exact", "manifold"])
def test_a_link_with_nothing_but_a_topic_opens_it_on_data_that_it_can_show(topic):
    app = opened("regression", topic=topic)
    assert not app.warning
    assert app.session_state[REGRESSION.slot] == presets.for_topic(topic)


@pytest.mark.parametrize(
    ("data", "topic"), [("waves", "slopes"), ("hills", "exact"), ("swiss_roll", "manifold")]
)
def test_reset_stays_in_its_topic(data, topic):
    """“Slopes” became “Stop early”."""
    start = presets.for_data(data).change(topic=topic)
    assert REGRESSION.base(start.change(lam=7.0, seed=5)) == start
    unable = presets.for_data("waves").change(topic="manifold")
    assert REGRESSION.base(unable) == presets.for_data("waves")
    story = presets.for_story("slopes")
    assert REGRESSION.base(story.change(topic="stop")) == story


def test_a_change_of_a_curve_that_is_older_than_a_button_has_no_effect(monkeypatch):
    shown = presets.for_data("waves").change(topic="slopes")
    for is_older in (True, False):
        put: list = []
        monkeypatch.setattr(state, "restored", lambda point, is_older=is_older: is_older)
        monkeypatch.setattr(state, "settings", lambda: shown)
        monkeypatch.setattr(state, "put", put.append)
        Curves("key", "The estimates", None).apply(
            Message(1, {"handles": shown.regression.handles[1:]})
        )
        assert len(put) == (not is_older)


def test_each_set_with_values_has_a_topic_and_each_topic_a_set():
    topics_by_set = [topics_of(datasets.info(name)) for name in datasets.names("values")]
    assert all(topics_by_set)
    assert {topic for topics in topics_by_set for topic in topics} == set(TOPICS)
    for name in datasets.names("values"):
        start = presets.papers_for(name)
        assert tidy(start) == start
        assert from_query({"data": name}, start) == (start, [])
