"""Invalid values in links: a page shows sentences and a finite picture, never a traceback.

What a link may not contain: tests/explorer/settings/test_fields.py and session/test_state.py; the
same in Chromium, with the stage: tests/browser/test_nonsense.py.
"""

import json
import re

import numpy as np
import pytest
from page_tests import opened
from streamlit.testing.v1 import AppTest

from lapviz.explorer.stage import live

pytestmark = pytest.mark.slow

MOONS = {"data": "half_moons", "n": 150, "p": 30}
EQUAL = {"data": "two_gaussians", "n": 60, "noise": 0, "opt_separation": 0}


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Wait for the picture of a page."""
    for wait in ("first_patience", "patience"):  # else a picture of other settings may be shown
        monkeypatch.setattr(live.LiveStage, wait, 60.0)


def error_sentences(app: AppTest) -> list[str]:
    """Sentences of errors and warnings on a page that has not failed."""
    assert not app.exception
    sentences = [re.sub(r"\\(.)", r"\1", message.value) for message in [*app.error, *app.warning]]
    for sentence in sentences:
        assert sentence.replace("\u2060", "").rstrip().endswith("."), sentence
        assert len(sentence) < 500
        assert not re.search(r"Traceback|Error:|redacted|unexpected", sentence), sentence
    return sentences


def scene(app: AppTest, place: str):
    key = {"labels": "labels-stage", "eigenfunctions": "eigen-stage"}[place]
    return app.session_state["lapviz_shown"][key].answer.content.scene


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


@pytest.mark.parametrize(
    ("place", "nonsense"),
    [("labels", name) for name in NONSENSE_OF_LABELS] + [("eigenfunctions", n) for n in NONSENSE],
)
def test_numbers_that_make_no_sense(monkeypatch, place, nonsense):
    errors = []
    monkeypatch.setattr(live.shell, "sentence_of", lambda error, what: errors.append(error) or ".")
    app = opened(place, **(MOONS | NONSENSE_OF_LABELS[nonsense]))
    error_sentences(app)
    assert all(isinstance(error, ValueError) for error in errors), errors
    if errors:
        return
    for panel in scene(app, place).panels:
        assert np.isfinite(panel.points).all()
        assert panel.grid is None or np.isfinite(panel.grid).all()
    words = " ".join(text.value for text in [*app.markdown, *app.caption])
    assert not re.search(r"\b(nan|inf|None)\b", words, re.IGNORECASE)


@pytest.mark.parametrize("place", ["labels", "eigenfunctions"])
def test_the_picture_as_a_plotly_figure(place):
    app = opened(place, **MOONS)
    before = len(app.get("plotly_chart"))
    (toggle,) = (widget for widget in app.toggle if widget.label == "As a Plotly figure")
    toggle.set_value(True).run()
    assert error_sentences(app) == []
    assert len(app.get("plotly_chart")) == before + 1
    drawn = [len(json.loads(chart.proto.spec)["data"]) for chart in app.get("plotly_chart")]
    assert max(drawn) >= len(scene(app, place).panels)
