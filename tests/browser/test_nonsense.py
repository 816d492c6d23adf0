"""A link of invalid values: the page shows messages, never a traceback, and runs nothing.

Many more of them without a browser: tests/explorer/pages/test_nonsense.py.
"""

from lapviz.explorer.settings.fields import GROUPS
from lapviz.explorer.settings.records import SETTINGS

HOSTILE = "<script>window.__broken = 1</script> **b** $x$ :red[x] ![x](http://a.b) www.a.b"
HOSTILE += "\x00\x1b\r\n\u202e[1, {}]"
STAGE = "e99~zNaN_1_1~t~~e-1~e1.5~<b>" + "x" * 500


def test_a_hostile_link(explorer):
    """Every setting has the same junk, and so have the hidden groups and the view."""
    keys = [field.key for field in SETTINGS.values()]
    explorer.open("labels", data="half_moons", **dict.fromkeys(keys, HOSTILE), stage=STAGE,
                  hide="graph,<script>,__class__,")  # fmt: skip
    explorer.fine_but_for_sentences()
    for trace in ("Traceback", "Error:", "redacted", "unexpected error", 'File "'):
        assert trace not in explorer.text
    sentences = explorer.errors + explorer.warnings
    assert len(sentences) == len(keys) + 1
    for name in (*(f"“{field.label}”" for field in SETTINGS.values()), ", ".join(GROUPS)):
        assert any(name in sentence for sentence in sentences), name
    assert all(sentence.rstrip().endswith(".") for sentence in sentences)
    assert all(len(sentence) < 500 for sentence in sentences)
    assert explorer.page.evaluate("window.__broken") is None
    alerts = explorer.page.get_by_test_id("stAlert")
    assert alerts.locator("img, script, strong, code, .katex, a").count() == 0
    assert explorer.query.keys() <= {"data", "labels", "hide", "stage"}
    assert explorer.query["hide"] == "graph"
    assert explorer.ask("s.display.enlarged === null && s.view.range.every(Number.isFinite)")
    explorer.page.goto(f"{explorer.root}/labels?data=half_moons&n=100&n=120")
    assert explorer.settle().settings.data.n_samples == 120, "the last of a repeated parameter"
