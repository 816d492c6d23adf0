"""Drawn data in the explorer: links, settings that go with them, scenes, messages, recipes."""

import numpy as np
import pytest

from lapviz import datasets
from lapviz.datasets.drawings import SHEET, Drawing, decode, empty, encode
from lapviz.explorer.compute import points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.sheet import SheetView
from lapviz.explorer.settings import drawing, fields
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import recipes
from lapviz.explorer.stage.component import allowed_by
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.labels import Label


def code(n=60, seed=0, flags=0, codes=None, sheet=SHEET, X=None):
    rng = np.random.default_rng(seed)
    codes = np.sort(rng.integers(0, 2, n)) if codes is None else np.asarray(codes)
    X = rng.normal(size=(n, 2)) * 0.1 + np.column_stack([0.8 * codes - 0.4, 0.0 * codes])\
        if X is None else X  # fmt: skip
    return encode(Drawing.of(X, codes, np.arange(len(X)) < flags, sheet))


def shown(text):
    return presets.for_spec(DataSpec("drawn", source=text))


# ---- links ------------------------------------------------------------------------------------


def test_a_link_holds_a_small_drawing_whole():
    settings = shown(code()).change(sigma=0.3, lam=0.1, marks=(Label(3, 1),))
    query = fields.to_query(settings, presets.base_of(settings))
    assert query["drawing"] == code()
    assert "n" not in query
    read, complaints = fields.from_query(query, shown(drawing.read(query["drawing"])))
    assert read == settings
    assert complaints == []


def test_number_and_noise_of_a_drawing_are_its_own():
    base = shown(code(n=60))
    read, complaints = fields.from_query({"n": "7", "noise": "0.1"}, base)
    assert read.data == base.data
    assert len(complaints) == 1  # noise has no range here


WITHOUT = {
    "large": "more than 500 points",
    code(n=501, codes=[0] * 501): "has 501 points",
    "nonsense": "not complete",
    "<script>": "letters",
}


@pytest.mark.parametrize("text", WITHOUT)
def test_a_link_without_its_drawing_says_so(text):
    with pytest.raises(ValueError, match=WITHOUT[text]):
        drawing.read(text)


def test_the_empty_sheet_is_no_source():
    assert drawing.read(encode(empty())) == ""
    settings = presets.for_data("drawn")
    assert fields.to_query(settings, presets.base_of(settings)) == {"data": "drawn"}


# ---- settings that go with a drawing ----------------------------------------------------------


def with_points(settings, text):
    data = DataSpec("drawn", source=text)
    return drawing.with_drawing(settings, presets.for_spec(data))


def test_a_drawing_takes_the_settings_of_the_points_on_screen_or_its_own():
    settings = with_points(presets.for_data("four_circles").change(seed=5), code())  # empty sheet
    assert settings == shown(code()).change(seed=5)
    circles = presets.for_data("four_circles")
    X = points.sample(circles.data).X[:300]
    text = code(X=X, codes=np.arange(300) % 2, sheet=None)
    settings = with_points(circles, text)
    assert (settings.data.name, settings.data.n_samples) == ("drawn", 300)
    for name in ("sigma", "p", "mu", "lam", "operator"):
        assert settings.get(name) == circles.get(name)
    changed = with_points(circles.change(operator="known"), text)
    assert fields.tidy(changed).energy.operator == "laplacian"  # of a drawing none are known


def test_labels_follow_their_points():
    before = shown(code())
    old_drawing = decode(code())
    marks = (Label(0, 0), Label(30, 1), Label(59, 1), Label(-1, 0, (0.1, 0.2)))
    before = before.change(marks=marks)
    keep = np.arange(60) != 30
    X = np.vstack([old_drawing.X[keep], [[-0.99, -0.99]]])
    text = code(X=X, codes=np.append(old_drawing.codes[keep], 0))
    after = with_points(before, text)
    new = datasets.load("drawn", source=text)
    for label in after.labels.chosen:
        if not label.off_sample:
            old = {0: 0, 1: 59}[label.code]
            assert np.array_equal(new.X[label.index], old_drawing.X[old])
    assert sorted(label.code for label in after.labels.chosen) == [0, 0, 1]


def test_labels_follow_points_that_are_moved():
    old = decode(code())
    marks = (Label(3, 1), Label(7, 0), Label(40, 1))
    before, X = shown(code()).change(marks=marks), old.X.copy()
    X[[2, 3, 7]] += [0.25, -0.125]
    text = code(X=X, codes=old.codes)
    labels, new = with_points(before, text).labels.chosen, decode(text)
    places = {3: 1, 7: 0, 40: 1}
    assert len(labels) == 3
    for label in labels:
        (row,) = np.flatnonzero((new.X[label.index] == X).all(axis=1))
        assert places[row] == label.code
    X[2] += [0.125, 0]  # each by another step: erased and painted, not moved
    assert len(with_points(before, code(X=X, codes=old.codes)).labels.chosen) == 1


def test_labels_begin_anew_once_their_points_are_gone():
    marks, drawing = (Label(3, 1), Label(-1, 0, (0.1, 0.2))), decode(code())
    begun = shown(code()).change(marks=marks)
    emptied = with_points(begun, encode(empty()))
    assert emptied.labels.chosen is None
    others = np.arange(60) != 3
    text = code(X=drawing.X[others], codes=drawing.codes[others])
    assert with_points(begun.change(marks=marks[:1]), text).labels.chosen is None
    assert with_points(begun, text).labels.chosen == marks[1:]
    assert with_points(begun.change(marks=()), text).labels.chosen == (), "so chosen"


def test_labels_of_points_at_one_place_stay_apart():
    text = code(X=np.zeros((4, 2)), codes=[0, 0, 0, 0])
    settings = shown(text).change(marks=(Label(1, 0), Label(2, 1)))
    after = with_points(settings, text).labels.chosen
    assert [label.code for label in after] == [0, 1]
    assert len({label.index for label in after}) == 2


def test_painted_labels_replace_drawn_ones_unless_a_number_was_chosen():
    settings = with_points(shown(code()), code(flags=3))
    assert settings.labels.per_class is None
    assert len(points.labelled(settings.data, settings.labels).labels) == 3
    assert with_points(settings, code()).labels.per_class == 2
    chosen = shown(code()).change(per_class=5)
    assert with_points(chosen, code(flags=3)).labels.per_class == 5


# ---- large ones -------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_large_drawing_is_in_no_link_and_in_no_shared_cache(visitor):
    text = code(n=800, codes=np.arange(800) % 2)
    token = STORE.add(visitor, drawing.LargeDrawing(text, datasets.info("drawn", source=text)))
    settings = presets.for_spec(DataSpec("drawn", source=token))
    query = fields.to_query(settings, presets.base_of(settings))
    assert query == {"data": "drawn", "drawing": "large"}
    view = labels_view(settings.change(p=20), light=True)
    assert view.scene.n_samples == 800
    assert view.scene.drawing == text
    assert not any(token in repr(key) for key in STORE.kept())
    assert text in recipes.eigenfunctions(settings).replace('"\n    "', "")


# ---- scenes -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_picture_of_a_drawing_is_its_sheet_and_says_where_one_may_draw():
    for view in (labels_view(shown(code())), eigen_view(shown(code()), light=True)):
        assert view.scene.view == (-1, 1, -1, 1)
        assert view.scene.drawing == code()
    planar, high = presets.for_data("half_moons").change(n=100, p=20), presets.for_data("iris")
    for settings, hidden, text in (
        (shown(code()), (), code()), (planar, (), ""), (planar, ("data",), None),
        (shown(code()), ("data",), None), (high.change(p=20), (), None),
    ):  # fmt: skip
        scene = labels_view(settings, frozenset(hidden), light=True).scene
        assert scene.drawing == text
        assert ("drawing" in allowed_by(scene).of_scene) == (text is not None)


def test_nothing_is_computed_from_an_empty_sheet():
    settings = presets.for_data("drawn")
    view = labels_view(settings)
    assert isinstance(view, SheetView)
    assert all(panel.note for panel in view.scene.panels)
    assert decode(view.scene.drawing).cells.size == 0
    numbers = knobs.numbers(settings)
    assert numbers.sigma == numbers.usual > 0
    assert numbers.mu > 0


ODD = {
    "one point": (np.zeros((1, 2)), [0]),
    "two points": (np.array([[0, 0], [0.5, 0.5]]), [0, 1]),
    "two at one place": (np.zeros((2, 2)), [0, 1]),
    "hundred at one place": (np.zeros((100, 2)), np.arange(100) % 2),
    "no class": (np.random.default_rng(0).uniform(-1, 1, (40, 2)), [-1] * 40),
    "one class": (np.random.default_rng(0).uniform(-1, 1, (40, 2)), [3] * 40),
    "a line": (np.column_stack([np.linspace(-1, 0.9, 50), np.zeros(50)]), np.arange(50) % 2),
    "ten classes": (np.random.default_rng(0).uniform(-1, 1, (60, 2)), np.arange(60) % 10),
}


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["laplacian", "tangent", "graph"])
@pytest.mark.parametrize("name", ODD)
def test_odd_drawings_have_pictures(name, operator):
    X, codes = ODD[name]
    settings = shown(code(X=X, codes=codes)).change(operator=operator)
    for view in (labels_view, eigen_view):
        for panel in view(settings).scene.panels:
            assert panel.note or np.isfinite(panel.points).all()
    knobs.numbers(settings)
