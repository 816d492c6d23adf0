"""Invalid values in links: the page shows a message, never a traceback.

Many more of them without a browser: tests/explorer/pages/test_nonsense.py.
"""

from __future__ import annotations

import re

from explorer_page import Explorer

from lapviz.explorer.settings.fields import GROUPS
from lapviz.explorer.settings.records import SETTINGS

MOONS = {"data": "half_moons", "n": 150, "p": 30}


def messages(explorer: Explorer, place: str, **query: object) -> list[str]:
    """Open a link, check that the page works, and return its messages."""
    explorer.open(place, **query).fine_but_for_sentences()
    text = explorer.text
    for trace in ("Traceback", "Error:", "redacted", "unexpected error", 'File "'):
        assert trace not in text
    assert "Reset" in text
    sentences = explorer.errors + explorer.warnings
    for sentence in sentences:
        assert sentence.rstrip().endswith("."), sentence
        assert len(sentence) < 500
    if not sentences:  # then there is a picture with numbers
        assert explorer.ask("s.panels.length") >= 1
        main = explorer.page.get_by_test_id("stMain").inner_text()
        assert not re.search(r"\b(nan|inf|None)\b", main, re.IGNORECASE)
    return sentences


NO_STAGE = "e99~zNaN_1_1~t~~e-1~e1.5~<b>" + "x" * 500


def test_invalid_names(explorer):
    """Numbers without a browser: tests/explorer/pages/test_nonsense.py."""
    assert messages(explorer, "eigenfunctions", **MOONS, stage=NO_STAGE) == []
    assert explorer.ask("s.display.enlarged === null && s.view.range.every(Number.isFinite)")
    (sentence,) = messages(explorer, "labels", **MOONS, hide="graph,<script>,__class__,")
    assert all(group in sentence for group in GROUPS)
    assert explorer.query["hide"] == "graph"
    explorer.page.goto(f"{explorer.root}/labels?data=half_moons&n=100&n=120")
    assert explorer.settle().settings.data.n_samples == 120, "the last of a repeated parameter"


HOSTILE = "<script>window.__broken = 1</script> **b** $x$ :red[x] ![x](http://a.b) www.a.b"
HOSTILE += "\x00\x1b\r\n\u202e[1, {}]"


def test_a_hostile_link(explorer):
    """Every parameter has the same junk: each gets a message, and nothing is run."""
    keys = [field.key for field in SETTINGS.values()]
    sentences = messages(explorer, "labels", data="half_moons", **dict.fromkeys(keys, HOSTILE))
    assert len(sentences) == len(keys)
    for field in SETTINGS.values():
        assert any(f"“{field.label}”" in sentence for sentence in sentences), field.label
    assert explorer.page.evaluate("window.__broken") is None
    alerts = explorer.page.get_by_test_id("stAlert")
    assert alerts.locator("img, script, strong, code, .katex, a").count() == 0
    assert explorer.query.keys() <= {"data", "labels"}
