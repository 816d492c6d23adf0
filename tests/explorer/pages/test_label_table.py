"""Below the stage of Labels: labels as rows of a table, and back; folds that are closed."""

import base64
import io

import numpy as np
import pandas as pd
import pytest
from page_tests import address, page_of
from PIL import Image

from lapviz.explorer.pages.labels import table
from lapviz.explorer.pages.labels.table import data_url, from_frame, to_frame
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell
from lapviz.labels import Label
from lapviz.tables.names import split

CLASSES = ("a", "b")
ROWS = (Label(3, 1), Label(0, 0))
TEN = np.arange(1, 11)  # rows are counted from 1
OFF_SAMPLE = Label(-1, 1, (0.5, -2.0))
PARTIAL = (Label(5, 1, None, (0,)), Label(-1, 0, (1.0, 2.0), (1,)))
PLANE = "row class or x y"


@pytest.mark.parametrize(
    ("labels", "columns", "options"),
    [
        ((), PLANE, {}),
        (ROWS, PLANE, {}),
        ((*ROWS, OFF_SAMPLE), PLANE, {}),
        ((*ROWS, *PARTIAL), PLANE, {}),
        (ROWS, "row class or", {}),  # only the plane has x and y
        (ROWS, "image row class or", {"images": np.zeros((2, 8, 8), np.uint8)}),
    ],
)
def test_a_table_brings_the_labels_back(labels, columns, options):
    planar = columns == PLANE
    frame = to_frame(labels, CLASSES, planar, TEN, **options)
    assert list(frame) == columns.split()
    assert list(frame["row"]) == [-1 if p.off_sample else p.index + 1 for p in labels]
    assert from_frame(frame, CLASSES, TEN, planar) == labels


def test_names_with_commas_are_in_quotes():
    classes = ("Smith, John", 'the "first", or so', "plain")
    labels = (Label(0, 2, None, (0, 1)), Label(1, 0, None, (2,)))
    frame = to_frame(labels, classes, False, TEN)
    assert list(frame["or"]) == ['"Smith, John", "the ""first"", or so"', "plain"]
    assert from_frame(frame, classes, TEN, planar=False) == labels
    assert split("a,, b\n c ") == ["a", "b", "c"]


def test_rows_are_numbered_as_in_the_visitors_file():
    numbers = np.array([2, 3, 7, 9])
    frame = to_frame(ROWS, CLASSES, False, numbers, row_names=("class", ["A7", 0]))
    assert list(frame) == ["class'", "row", "class", "or"]
    assert list(frame["row"]) == [9, 2]
    assert list(frame["class'"]) == ["A7", "0"]
    assert from_frame(frame, CLASSES, numbers, planar=False) == ROWS
    frame["row"] = [4, 2]
    message = "A line needs a row from 2 to 9 that this page shows."
    assert from_frame(frame, CLASSES, numbers, planar=False) == message


def test_the_last_line_about_a_point_counts():
    frame = to_frame((Label(3, 1), Label(0, 0), Label(3, 0)), CLASSES, True, TEN)
    assert from_frame(frame, CLASSES, TEN, planar=True) == (Label(3, 0), Label(0, 0))


@pytest.mark.parametrize(
    ("line", "planar", "sentence"),
    [
        ({"row": 3, "class": None}, True, "A line has no class yet."),
        ({"row": 3, "class": "c"}, True, "A line has no class yet."),
        ({"row": 0, "class": "a"}, False, "A line needs a row from 1 to 10."),
        ({"row": -1, "class": "a", "x": 1.0, "y": None}, True,
         "A line needs a row from 1 to 10, or -1 with x and y."),
        ({"row": 1, "class": "a", "or": "b, cheese"}, False,
         "There is no class “cheese”: the classes are a, b."),
        ({"row": None, "class": "a"}, False, "A line needs a row from 1 to 10."),
        ({"row": 500, "class": "a", "x": 1.0, "y": 0.0}, True,
         "A line needs a row from 1 to 10, or -1 with x and y."),
        ({"row": -1, "class": "a", "x": 2e9, "y": 0.0}, True,
         "A line needs a row from 1 to 10, or -1 with x and y."),
    ],
)  # fmt: skip
def test_an_incomplete_line_is_reported(line, planar, sentence):
    assert from_frame(pd.DataFrame([line]), CLASSES, TEN, planar) == sentence


def test_an_image_in_a_table_has_every_pixel_as_a_crisp_square():
    image = np.array([[0, 255], [64, 128]], np.uint8)
    url = data_url(image)
    assert url.startswith("data:image/png;base64,")
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))))
    assert shown.shape == (32, 32)
    for (row, column), ink in np.ndenumerate(image):
        square = shown[16 * row : 16 * row + 16, 16 * column : 16 * column + 16]
        assert (square == 255 - ink).all()


def test_a_table_without_labels_has_columns_of_text():
    """Streamlit refuses to edit texts in a column of numbers."""
    frame = to_frame((), ("a", "b"), True, TEN)
    assert frame["class"].dtype == frame["or"].dtype == object


@pytest.mark.slow
@pytest.mark.parametrize("is_open", [False, True])
def test_a_closed_fold_computes_nothing_though_its_switch_is_on(monkeypatch, is_open):
    computed = set()
    monkeypatch.setattr(shell, "long_work", lambda name, *_, **options: computed.add(name))
    query = {"data": "half_moons", "n": 100, "p": 20, "ask": "energy", "open": "path,random"}
    app = page_of("labels", **query)
    app.session_state["tune-on-0"] = True
    for name in ("next", "path", "tune"):
        app.session_state[f"fold-{name}@labels"] = is_open
    while "Tune for me" not in [fold.label for fold in app.run().expander]:
        assert not app.exception
    assert computed == ({"labels-query", "labels-path", "labels-tune"} if is_open else set())
    assert address(app)["open"] == "path,random"


def test_the_table_stays_while_a_slow_answer_is_computed(monkeypatch):
    """The parts below the stage are then drawn with the settings of the last answer."""
    settings = presets.for_data("half_moons").change(n=60, marks=(Label(3, 0), Label(9, 1)))
    now, keys, change = [settings], [], {}

    def editor(frame, key, **_):
        keys.append(key)
        session.setdefault(key, {})  # as Streamlit does
        return frame.assign(row=frame["row"].replace(change))

    session: dict = {}
    monkeypatch.setattr(table.st, "session_state", session)
    monkeypatch.setattr(table.st, "data_editor", editor)
    monkeypatch.setattr(table.st, "rerun", lambda: None)
    monkeypatch.setattr(table.st, "caption", lambda text: None)
    monkeypatch.setattr(table.state, "settings", lambda: now[-1])
    update = lambda marks: now.append(now[-1].change(marks=marks))  # noqa: E731
    monkeypatch.setattr(table.state, "update", update)
    table.edit_labels(settings)
    change[4] = 21  # row 4, counted from 1, becomes row 21
    table.edit_labels(settings)
    assert now[-1].labels.chosen == (Label(20, 0), Label(9, 1))
    table.edit_labels(settings)  # the answer for the new labels is late
    table.edit_labels(now[-1])
    assert set(keys) == {"label-table-1"}
    assert len(now) == 2
    now.append(now[-1].change(marks=(Label(5, 1),)))  # on the stage
    table.edit_labels(now[-1])
    assert keys[-1] == "label-table-2"
