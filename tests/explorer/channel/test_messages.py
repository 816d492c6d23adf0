"""Messages of the browser for every kind of stage: what is read, clipped and ignored."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lapviz.contract import CONTRACT
from lapviz.datasets import drawings
from lapviz.explorer.channel.component import MOST_REV, SCHEMA, Allowed, Message, read
from lapviz.explorer.pages.picture.view import allowed_on
from lapviz.explorer.stage.component import allowed_by, allowed_by_curves
from lapviz.explorer.widgets.knobs import Knob
from lapviz.figures.curve_scenes import Curve, CurveScene, Handle, Path
from lapviz.labels import Label
from lapviz.pictures import ERASER, Stroke
from lapviz.scenes import FilterChoice, Panel, Points, Scene

SIGMA = Knob("sigma", "Reach σ", 1.0, 0.1, 10.0, 16, scale="log", auto=True, limits=(1e-12, 1e12))
COUNT = Knob("p", "Detail p", 50, 5, 2000, 16, whole=True, limits=(1, 2000))
MU = Knob("mu", "Stability μ", 1e-3, 1e-10, 100, 4, scale="log", zero=True, limits=(0.0, 1e24))
LAM = Knob("lam", "λ", 1.0, 1e-6, 1e4, 1, scale="log", auto=True)
XY = np.random.default_rng(0).normal(size=(12, 2))
SCENE = Scene(
    (Panel("f", np.zeros((3, 12))),),
    Points(XY, 3 * np.arange(12)),
    (-1.0, 1.0, 0.0, 3.0),
    "data 7",
    kind="classes",
    classes=("a", "b", "c"),
    labels=(Label(50, 0, (0.0, 1.0)), Label(-1, 2, (0.5, 0.5))),
    editable=True,
    free_labels=True,
    filters=(FilterChoice("tikhonov", "Tikhonov"), FilterChoice("heat", "Heat")),
    drawing="",
)
KNOBS = (SIGMA, COUNT, MU, LAM)
STAGE = replace(allowed_by(SCENE), knobs=KNOBS)
FIXED = allowed_by(Scene(SCENE.panels, SCENE.points, SCENE.view, "data 7"))
CURVE = allowed_by_curves(
    CurveScene(np.arange(5.0), (0, 1, 0, 1), "data 7", np.zeros((2, 2)), np.ones(2),
               (Curve("c", np.ones(5)),), (Path("a", "A", "m", np.arange(3), np.ones((3, 5))),),
               "a", handles=(Handle(0.5, 0.0),))
)  # fmt: skip
PICTURE = allowed_on((40, 56), "data 7", (SIGMA,))
SIDEBAR = Allowed("knobs", knobs=(SIGMA,))
DRAWN = drawings.Drawing.of(XY, np.arange(12) % 4 - 1, np.arange(12) % 5 == 0)
DRAWN_CODE = drawings.encode(DRAWN)
DRAWN_ROWS = [*DRAWN.sheet, *DRAWN.numbers.tolist()]
EMPTY = [*drawings.SHEET]
NO_NUMBERS = ("x", True, None, [], {}, math.nan, math.inf, 10**400)

GOOD = [0.5, 0.5, -1, 2]  # a label that is read, unlike the broken rows
BROKEN = (
    *(None, 7, "abcd", [], [0, 0, 3]),
    *([0, 0, 3, *others] for others in ([0, 9], [0, 0.5], range(200))),  # no such candidates
    *([0, 0, row, 0] for row in (4, 10**9, 1.5, "3", True)),  # no such row of the data
    *([0, 0, 3, code] for code in (3, -1, 0.5)),  # no such class
    *(
        [*place, -1, 0] for place in ((math.nan, 0), (0, math.inf), (9.0, 0), (0, 9.0))
    ),  # outside the view
)

# What is allowed, the name, the value that the browser sends, and the value read; None: ignored.
TABLE = [
    (STAGE, "lam", 3, 3.0),
    (STAGE, "lam", -1, 0),
    (STAGE, "lam", 1e99, 1e12),
    (STAGE, "lam", "auto", "auto"),
    (FIXED, "lam", "auto", None),
    *((STAGE, "lam", raw, None) for raw in NO_NUMBERS),
    (STAGE, "filter", "heat", "heat"),
    *((STAGE, "filter", raw, None) for raw in ("evil", None, 3, ["heat"], {})),
    (STAGE, "story", -1, -1),
    *((STAGE, "story", raw, None) for raw in (0, 2, "1", True, None)),
    (STAGE, "drawing", DRAWN_ROWS, DRAWN_CODE),
    (STAGE, "drawing", EMPTY, drawings.encode(drawings.empty())),
    (FIXED, "drawing", EMPTY, None),
    *((STAGE, "drawing", raw, None) for raw in
      (None, 5, [], {}, "", EMPTY[:3], [*EMPTY, 0.5], [*EMPTY, -1], [*EMPTY, 21 << 24], ["x"] * 9,
       [*EMPTY, 1e300], [*EMPTY, [1]], [0, 0, 0, 1], [0, 0, -1, 1], [1e40, 0, 1, 1])),
    (STAGE, "sigma", 0.25, 0.25),
    (STAGE, "sigma", 1e30, 1e12),
    (STAGE, "sigma", -3, 1e-12),
    (STAGE, "sigma", "auto", "auto"),
    *((STAGE, "sigma", raw, None) for raw in NO_NUMBERS),
    (STAGE, "p", "auto", None),
    (STAGE, "p", 77.4, 77),
    (STAGE, "p", 1e9, 2000),
    (STAGE, "mu", 0, 0.0),
    (STAGE, "mu", -1, 0.0),
    (FIXED, "sigma", 0.25, None),
    (SIDEBAR, "sigma", 2, 2.0),
    (SIDEBAR, "mu", 2, None),
    (CURVE, "path", "a", "a"),
    *((CURVE, "path", raw, None) for raw in ("b", 7, None, ["a"])),
    (CURVE, "step", 2.7, 2),
    (CURVE, "step", -1, 0),
    *((CURVE, "step", raw, None) for raw in NO_NUMBERS),
    (CURVE, "handles", [[0.25, 1.5, None]], (Handle(0.25, 1.5, None),)),
    (CURVE, "handles", [[9, 1e9, -1e9], [None, 1, 1], "x", [1, 2]], (Handle(1.0, 100.0, -100.0),)),
    (CURVE, "handles", [[0.5, 0, 0]] * 99, (Handle(0.5, 0.0, 0.0),) * 30),
    *((CURVE, "handles", raw, None) for raw in ([], "x", None, 3, {"a": 1})),
    (PICTURE, "strokes", [[1, 2, 5, 6]], (Stroke(1, 2, ((5, 6),)),)),
    (PICTURE, "strokes", [[-1, 9, 5, 6, 3, 90]], (Stroke(ERASER, 9, ((5, 6), (3, 90))),)),
    (PICTURE, "strokes", [[1, 2, 90, 90]], ()),  # outside
    (PICTURE, "strokes", [[1, 2, *[5] * 400_000]], None),
    *((PICTURE, "strokes", raw, None)
      for raw in (None, 7, "x", [[1, 2, 1]], [[9, 2, 1, 1]], [[1, 2]], [[1, 2, 0.5, 1]], [[]],
                  ["1r"], [[True, 2, 1, 1]], [[1, 2, 1, None]], [7],
                  [[1, 2, 1e300, 1]], [[-2, 2, 1, 1]], [[1, -1, 1, 1]])),
    (PICTURE, "classes", 3, 3),
    (PICTURE, "classes", 1e99, 9),
    (PICTURE, "classes", 0, 2),
    *((PICTURE, "classes", raw, None) for raw in NO_NUMBERS),
    (PICTURE, "sigma", 1e300, 1e12),
    # labels
    (STAGE, "labels", [], ()),
    (STAGE, "labels", [[0.0, 1.0, 50, 1]], (Label(50, 1, (0.0, 1.0)),)),
    (STAGE, "labels", [[99.0, -99.0, 12, 1]], (Label(12, 1, tuple(map(float, XY[4]))),)),
    (STAGE, "labels", [[7.3e-8, -7.3e-8, -1, 2]], (Label(-1, 2, (0.0, 0.0)),)),
    (STAGE, "labels", [[3.5, 1.0, -1, 0]], (Label(-1, 0, (3.5, 1.0)),)),  # as far as it is high
    (STAGE, "labels", [[0, 1, 50, 1], [0, 1, 50, 2]], (Label(50, 2, (0.0, 1.0)),)),  # the last word
    (FIXED, "labels", [], None),  # not editable
    *((STAGE, "labels", raw, None) for raw in (None, "x", {"a": 1}, 3)),
    *((STAGE, "labels", [row, GOOD], (Label(-1, 2, (0.5, 0.5)),)) for row in BROKEN),
]  # fmt: skip


def taken(allowed: Allowed, name: str, raw: object, **fields: object) -> dict:
    message = {"rev": 5, "view_key": "data 7", "changes": {name: raw}, **fields}
    return read(message, allowed).changes


@pytest.mark.parametrize(("allowed", "name", "raw", "value"), TABLE)
def test_what_is_sent_is_taken_clamped_or_left_out(allowed, name, raw, value):
    assert taken(allowed, name, raw).get(name) == value


def test_off_sample_labels_need_leave_but_for_those_that_python_had_set():
    rules = allowed_by(Scene(SCENE.panels, SCENE.points, SCENE.view, "data 7", editable=True,
                             classes=SCENE.classes, labels=SCENE.labels))  # fmt: skip
    changes = taken(rules, "labels", [[0.1, 0.1, -1, 0], [0.5, 0.5, -1, 1]])
    assert changes["labels"] == (Label(-1, 1, (0.5, 0.5)),)


@pytest.mark.parametrize(
    "raw", [None, 3, "x", [], {}, {"rev": None}, {"rev": "7"}, {"rev": math.nan}]
)
def test_what_is_no_message_counts_as_none(raw):
    assert read(raw, STAGE) is None


@pytest.mark.parametrize(("rev", "kept"), [(-3, 0), (1e300, MOST_REV), (2.7, 2), (7, 7)])
def test_the_revision_is_a_count(rev, kept):
    for changes in ({}, None, 3, [1], {"shell": 1}):
        assert read({"rev": rev, "changes": changes, "hand": "yes"}, STAGE) == Message(kept)


def test_what_is_of_other_data_is_left_out_and_the_rest_is_taken():
    """A hand may move λ or σ before the picture of the new data stands."""
    changes = {"lam": 2.5, "labels": [], "sigma": 0.5}
    raw = {"rev": 1, "view_key": "data 8", "changes": changes, "hand": True, "point": 2}
    assert read(raw, STAGE) == Message(1, {"lam": 2.5, "sigma": 0.5}, hand=True, point=2)
    for allowed, name, raw in ((CURVE, "step", 1), (PICTURE, "strokes", "1r2p5p6")):
        assert taken(allowed, name, raw, view_key="data 8") == {}


def test_every_change_of_the_schema_is_in_the_table():
    tried = {(allowed.kind, name) for allowed, name, *_ in TABLE}
    assert {(kind, name) for kind, names in SCHEMA.items() for name in names} <= tried
    assert SCHEMA["stage"]["lam"]["most"] == CONTRACT["lam"]["limit"]
