"""Invalid values in links: a page shows sentences and a finite picture, never a traceback.

Some of them again in Chromium, stage and all: tests/browser/test_nonsense.py.
"""

from __future__ import annotations

import json
import re
from importlib import import_module

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stage import live

MOONS = {"data": "half_moons", "n": 150, "p": 30}
EQUAL = {"data": "two_gaussians", "n": 60, "noise": 0, "opt_separation": 0}


def _page(place: str) -> None:
    from importlib import import_module

    import_module(f"lapviz.explorer.pages.{place}.page").page()


@pytest.fixture
def opened(monkeypatch):
    """``opened(place, **query)``: the page once its picture is there."""
    monkeypatch.setattr(live, "FIRST", 60.0)

    def page(place: str, **query: object) -> AppTest:
        app = AppTest.from_function(_page, default_timeout=90, kwargs={"place": place})
        for key, value in query.items():
            app.query_params[key] = str(value)
        return app.run()

    return page


def said(app: AppTest) -> list[str]:
    """The sentences of a page that stands."""
    assert not app.exception
    sentences = [re.sub(r"\\(.)", r"\1", found.value) for found in [*app.error, *app.warning]]
    for sentence in sentences:
        assert sentence.replace("\u2060", "").rstrip().endswith("."), sentence
        assert len(sentence) < 500
        assert not re.search(r"Traceback|Error:|redacted|unexpected", sentence), sentence
    return sentences


def query_of(app: AppTest) -> dict[str, str]:
    pairs = app.query_params.items()
    return {key: value[-1] if isinstance(value, list) else value for key, value in pairs}


def scene(app: AppTest, place: str):
    key = import_module(f"lapviz.explorer.pages.{place}.page").KEY
    return app.session_state["lapviz_shown"][key].picture.content.scene


NONSENSE = {
    "one point": {"n": 1},
    "more functions than points": {"n": 2, "p": 2000},
    "narrow": {"sigma": 1e-9},
    "wide": {"sigma": 1e9},
    "rough polynomial": {"kernel": "polynomial", "kernel_params": (("degree", 12),), "sigma": 1e-9},
    "neighbours": {"n": 4, "operator": "tangent", "neighbors": 200, "directions": 64,
                   "graph_k": 100, "show": "graph"},
    "all points equal": EQUAL | {"operator": "tangent", "graph": "dense", "plane": "modes"},
}  # fmt: skip
NONSENSE_OF_LABELS = NONSENSE | {
    "narrow without penalty": {"sigma": 1e-9, "lam": 0, "mu": 0},
    "no penalty": {"lam": 0, "mu": 0, "term": "all"},
    "nothing but penalty": {"lam": 1e12, "filter": "heat"},
    "one class": {"labels": "0c1~3c1"},
    "far away": {"labels": "1e9,-1e9c0~3c1"},
    "all equal": EQUAL,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "nonsense"),
    [("labels", name) for name in NONSENSE_OF_LABELS] + [("eigenfunctions", n) for n in NONSENSE],
)
def test_numbers_that_make_no_sense(opened, monkeypatch, place, nonsense):
    failed = []
    monkeypatch.setattr(live.shell, "sentence_of", lambda error, what: failed.append(error) or ".")
    app = opened(place, **(MOONS | NONSENSE_OF_LABELS[nonsense]))
    said(app)
    assert all(isinstance(error, ValueError) for error in failed), failed
    if failed:
        return
    for panel in scene(app, place).panels:
        assert np.isfinite(panel.points).all()
        assert panel.grid is None or np.isfinite(panel.grid).all()
    words = " ".join(found.value for found in [*app.markdown, *app.caption])
    assert not re.search(r"\b(nan|inf|None)\b", words, re.IGNORECASE)


HOSTILE = {
    "nan": "nan",
    "huge": "9" * 400,
    "negative": "-1e308",
    "script": "<script>window.__broken = 1</script>",
    "markup": "**b** $x$ :red[x] ![x](http://a.b) www.a.b",
    "empty": "",
    "long": "x" * 1500,
    "controls": "\x00\x1b\r\n‮[1, {}]",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_link(opened, text):
    """Every parameter carries the same junk: each gets its sentence."""
    keys = [field.key for field in SETTINGS.values()]
    app = opened("labels", data="half_moons", **dict.fromkeys(keys, text))
    sentences = said(app)
    assert len(sentences) == len(keys) - (text == "")  # labels= alone may be empty
    for field in SETTINGS.values():
        if not (text == "" and field.name == "marks"):
            assert any(f"“{field.label}”" in sentence for sentence in sentences), field.label
    assert set(app.query_params) <= {"data", "labels"}


@pytest.mark.slow
def test_names_that_do_not_exist(opened):
    (story, *rest) = said(opened("labels", story="<b>atlantis</b>" * 50))
    assert "There is no story “<b>atlantis</b>" in story
    assert rest == []
    app = opened("eigenfunctions", data="../../etc/passwd")
    (data,) = said(app)
    assert "There is no data set “../../etc/passwd”" in data
    assert query_of(app) == {"data": "half_moons"}
    (option,) = said(opened("labels", data="two_gaussians", opt_colour=3, utm_source="mail"))
    assert "opt_dimension" in option
    app = opened("labels", data="two_gaussians", opt_dimension=1e9, opt_separation="x")
    assert len(said(app)) == 2
    assert query_of(app) == {"data": "two_gaussians"}


@pytest.mark.parametrize("labels", ["5c99", "99999c0", "1,2,3c0", "0c0~" * 500])
def test_labels_that_are_none(opened, labels):
    app = opened("labels", **MOONS, labels=labels)
    (sentence,) = said(app)
    if labels in ("5c99", "99999c0"):  # well formed, but the class or the row does not exist
        assert "1 of the link's labels was ignored: a point or class" in sentence
        assert scene(app, "labels").labels == ()
    else:
        assert "“Labels”" in sentence


@pytest.mark.parametrize("place", ["labels", "eigenfunctions"])
def test_the_picture_as_a_plotly_figure(opened, place):
    app = opened(place, **MOONS)
    before = len(app.get("plotly_chart"))
    (toggle,) = (found for found in app.toggle if found.label == "As a Plotly figure")
    toggle.set_value(True).run()
    assert said(app) == []
    assert len(app.get("plotly_chart")) == before + 1
    drawn = [len(json.loads(chart.proto.spec)["data"]) for chart in app.get("plotly_chart")]
    assert max(drawn) >= len(scene(app, place).panels)
