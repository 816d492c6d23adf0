"""Invalid values in links and fields: the page shows a message, never a traceback.

Many more of them without a browser: tests/explorer/pages/test_nonsense.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer.settings.fields import GROUPS
from lapviz.explorer.settings.records import SETTINGS

ROOT = Path(__file__).parents[2]
MOONS = {"data": "half_moons", "n": 150, "p": 30}
EQUAL = {"data": "two_gaussians", "n": 60, "noise": 0, "opt_separation": 0}


@pytest.fixture(scope="module")
def explorer(browser, app):
    """One tab for all of it: each test opens its own links."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    context.close()


def stands(explorer: Explorer, place: str, **query: object) -> list[str]:
    """Open a link, ask for a page that works, and return its sentences."""
    explorer.complaints.clear()
    explorer.open(place, **query)
    text = explorer.text
    for trace in ("Traceback", "Error:", "redacted", "unexpected error", 'File "'):
        assert trace not in text
    assert explorer.page.get_by_test_id("stException").count() == 0
    assert explorer.complaints == []
    assert "Reset" in text
    said = explorer.errors + explorer.warnings
    for sentence in said:
        assert sentence.rstrip().endswith("."), sentence
        assert len(sentence) < 500
    return said


NONSENSE = {
    "one point": {"n": 1},
    "narrow": {"sigma": 1e-9},
    "wide": {"sigma": 1e9},
    "neighbours": {"n": 4, "operator": "tangent", "neighbors": 200, "directions": 64,
                   "graph_k": 100, "show": "graph"},
}  # fmt: skip
NONSENSE_OF_LABELS = {
    "one point": {"n": 1},
    "narrow without penalty": {"sigma": 1e-9, "lam": 0, "mu": 0},
    "nothing but penalty": {"lam": 1e12, "filter": "heat"},
    "far away": {"labels": "1e9,-1e9c0~3c1"},
    "all equal": EQUAL,
}


@pytest.mark.parametrize(
    ("place", "nonsense"),
    [("labels", name) for name in NONSENSE_OF_LABELS] + [("eigenfunctions", n) for n in NONSENSE],
)
def test_numbers_that_make_no_sense(explorer, place, nonsense):
    numbers = (NONSENSE_OF_LABELS if place == "labels" else NONSENSE)[nonsense]
    said = stands(explorer, place, **(MOONS | numbers))
    if not said:  # then there is a picture, and numbers in it
        assert explorer.stage("s.panels.length") >= 1
        text = explorer.page.get_by_test_id("stMain").inner_text()
        assert not re.search(r"\b(nan|inf|None)\b", text, re.IGNORECASE)


HOSTILE = {
    "markup": "<script>window.__broken = 1</script> **b** $x$ :red[x] ![x](http://a.b) www.a.b",
    "controls": "\x00\x1b\r\n‮[1, {}]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_link(explorer, text):
    """Every parameter carries the same junk: each gets its sentence, and nothing is run."""
    keys = [field.key for field in SETTINGS.values()]
    said = stands(explorer, "labels", data="half_moons", **dict.fromkeys(keys, text))
    assert len(said) == len(keys)
    for field in SETTINGS.values():
        assert any(f"“{field.label}”" in sentence for sentence in said), field.label
    assert explorer.page.evaluate("window.__broken") is None
    alerts = explorer.page.get_by_test_id("stAlert")
    assert alerts.locator("img, script, strong, code, .katex, a").count() == 0
    assert explorer.query.keys() <= {"data", "labels"}


def test_names_that_do_not_exist(explorer):
    (story, *rest) = stands(explorer, "labels", story="<b>atlantis</b>" * 50)
    assert "There is no story “<b>atlantis</b>" in story
    assert rest == []


def test_hide_knows_its_groups(explorer):
    (said,) = stands(explorer, "labels", **MOONS, hide="graph,<script>,__class__,")
    assert all(group in said for group in GROUPS)
    assert explorer.query["hide"] == "graph"


def test_one_parameter_twice_is_the_last(explorer):
    explorer.page.goto(f"{explorer.root}/labels?data=half_moons&n=100&n=120")
    explorer.rest()
    assert explorer.settings.data.n_samples == 120


def test_labels_that_are_none(explorer):
    """Well formed, but there is no such class."""
    (sentence,) = stands(explorer, "labels", **MOONS, labels="5c99")
    assert "1 of the link's labels was ignored: a point or class" in sentence
    assert explorer.page.get_by_text("No point is labelled").count() == 3


def test_one_dimension_has_controls(explorer):
    said = stands(explorer, "labels", data="square", n=100, opt_dimension=1)
    assert said == []
    assert explorer.slider("Dimension d").get_attribute("aria-valuetext") == "1"
    explorer.slider("Dimension d").press("ArrowRight")
    explorer.until("opt_dimension", None)
    explorer.fine()
