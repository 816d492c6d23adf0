"""A table of one's own in Chromium: brought, labelled, taken away, and gone with its visitor."""

from __future__ import annotations

import csv
import io
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from explorer_page import Explorer
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
PENGUINS = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes()


@pytest.fixture
def explorer(page, app):
    """A tab; after the test no error may stand on the page or in the console."""
    tab = Explorer(page, app(ROOT / "app.py").partition("/?")[0])
    page.set_default_timeout(30_000)
    yield tab
    tab.fine()


def press(tab, name: str):
    tab.page.get_by_role("button", name=name, exact=True).click()
    return tab.rest()


def saved(tab, name: str) -> bytes:
    """What a download button gives."""
    with tab.page.expect_download() as waiting:
        tab.page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_bring_label_and_take_away(explorer, tmp_path, monkeypatch):
    explorer.open("data")
    press(explorer, "Take the sample")
    page = explorer.page
    page.get_by_role("row", name="Gentoo 124 124").wait_for()
    explorer.choose("Label column", "None").rest()
    page.get_by_text("A fit needs labelled rows").wait_for()
    explorer.choose("Label column", "species").rest()
    page.get_by_role("row", name="Gentoo 124 124").wait_for()
    predictions, recipe = saved(explorer, "Predictions"), saved(explorer, "Recipe")
    monkeypatch.chdir(tmp_path)
    Path("penguins.csv").write_bytes(PENGUINS)
    exec(compile(recipe, "recipe", "exec"), {})
    assert Path("predictions.csv").read_bytes() == predictions

    press(explorer, "Label it")
    page.wait_for_url(re.compile("/labels"))
    explorer.rest()
    assert explorer.query["data"] == "table"
    before = explorer.labels
    _, x, y = explorer.lonely()
    page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    assert len(explorer.labels) == len(before) + 1
    explorer.unfold("Take away")
    rows = list(csv.DictReader(io.StringIO(saved(explorer, "Labels").decode())))
    assert sum(row["label by hand"] != "" for row in rows) == len(before) + 1
    explorer.tick("Predictions of the kernel Laplacian").rest()
    rows = list(csv.DictReader(io.StringIO(saved(explorer, "Predictions").decode())))
    assert len(rows) == 344

    page.get_by_role("link", name="Your data").click()
    page.get_by_text("of them are those of the page “Labels”").wait_for()
    press(explorer, "Another table")
    page.get_by_text("Bring a table").wait_for()
    page.get_by_role("link", name="Labels", exact=True).click()
    explorer.rest()
    assert explorer.query.get("data") != "table"
    explorer.open("labels", data="table", sigma="0.5")
    assert any("somebody's own table" in said for said in explorer.warnings)


def people(rows=120) -> dict:
    rng = np.random.default_rng(0)
    lines = ["id,remark,a,b,c,agrees"]
    for i, x in enumerate(rng.standard_normal((rows, 3))):
        label = ["No", "yes"][i % 2] if i < 24 else ""
        lines.append(f"P{i + 100},said {i} things,{x[0]:.3f},{x[1]:.3f},{x[2]:.3f},{label}")
    return {"name": "people.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


def test_labels_by_hand_outlive_a_reload(explorer):
    page, asked = explorer.page, []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    def bring():
        explorer.open("data")
        page.locator("input[type=file]").first.set_input_files(people())
        page.get_by_role("button", name="Label it").wait_for()
        explorer.rest()

    bring()
    press(explorer, "Label it")
    page.wait_for_url(re.compile("/labels"))
    explorer.rest()
    _, x, y = explorer.lonely()
    page.mouse.move(*explorer.spot(x, y))
    said = page.locator(".tip:visible").first
    expect(said).to_contain_text(re.compile(r"row (\d+), id P\d+.*remark: said \d+ things"))
    page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    explorer.rest()
    page.reload()
    assert asked == ["beforeunload"]

    bring()
    press(explorer, "Label it")
    page.wait_for_url(re.compile("/labels"))
    explorer.rest()
    page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    explorer.rest()
    by_hand = explorer.labels
    explorer.unfold("Take away")
    file = saved(explorer, "Labels")
    explorer.rest()
    asked.clear()
    bring()
    assert not asked, "they are in a file"
    explorer.unfold("Bring labels back")
    labels = {"name": "labels.csv", "mimeType": "text/csv", "buffer": file}
    page.locator("input[type=file]").last.set_input_files(labels)
    page.get_by_text("25 labels by hand in force").wait_for()
    page.get_by_role("link", name="Labels", exact=True).click()
    page.wait_for_url(re.compile("/labels"))
    explorer.rest()
    assert len(explorer.labels) == len(by_hand) == 25


def test_a_file_that_cannot_be_used_gets_a_sentence(explorer):
    explorer.open("data")
    broken = {"name": "broken.csv", "mimeType": "text/csv", "buffer": b"\x00\x01\x02" * 500}
    explorer.page.locator("input[type=file]").set_input_files(broken)
    explorer.page.get_by_test_id("stAlertContentError").wait_for()
    assert len(explorer.errors) == 1
    explorer.unfold("Paste a table")
    rows = "\n".join(f"{k}\t{k % 7}" for k in range(30))
    explorer.page.get_by_role("textbox").fill(f"a\tb\n{rows}")
    explorer.page.keyboard.press("Control+Enter")
    press(explorer.rest(), "Use it")
    expect(explorer.page.get_by_role("heading", name="pasted.csv")).to_be_visible()
    expect(explorer.page.get_by_test_id("stAlertContentError")).to_have_count(0)


def test_a_table_is_gone_when_its_visitor_has_left(browser, app):
    place = app(ROOT / "tests" / "browser" / "own_app.py").partition("/?")[0]
    rng = np.random.default_rng(0)
    rows = [",".join(f"{x:.9f}" for x in row) for row in rng.standard_normal((20_000, 9))]
    raw = "\n".join([",".join("abcdefghi"), *rows]).encode()
    assert len(raw) > 2**20, "larger than what Starlette would keep in memory by itself"
    first, second = browser.new_context(), browser.new_context()
    page, other = first.new_page(), second.new_page()
    page.goto(place)
    file = {"name": "own.csv", "mimeType": "text/csv", "buffer": raw}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Eigenfunctions").wait_for(timeout=60_000)
    other.goto(f"{place}/?count=1")
    other.get_by_text("visitors: 1").wait_for()
    first.close()
    for _ in range(20):
        other.reload()
        other.get_by_text("visitors:").wait_for()
        if other.get_by_text("visitors: 0").count():
            break
        other.wait_for_timeout(500)
    expect(other.get_by_text("visitors: 0")).to_be_visible()
    second.close()


def test_the_stage_says_what_is_far_from_the_data(explorer):
    explorer.open("labels", data="half_moons", n="300", p="50")
    tip = explorer.page.locator(".tip").first
    for place, far in (((1.1, -0.37), True), ((-0.95, 0.3), False)):
        explorer.page.mouse.move(*explorer.spot(*place))
        tip.wait_for()
        explorer.page.wait_for_timeout(200)
        assert ("far from the data" in tip.inner_text()) is far


def test_a_weight_column_counts_in_fit_and_recipe(explorer, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 120)
    points = rng.standard_normal((120, 2)) + 2 * kind[:, None]
    weight = np.round(rng.uniform(0, 3, 120), 2) * (rng.random(120) < 0.8)
    rows = [f"{a:.6f},{b:.6f},{w},{'xy'[k] if r % 3 else ''}"
            for r, ((a, b), w, k) in enumerate(zip(points, weight, kind, strict=True))]  # fmt: skip
    raw = "\n".join(["a,b,weight,kind", *rows]).encode()
    explorer.open("data")
    page = explorer.page
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": raw}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text(f"{(weight > 0).sum()} rows of positive weight").wait_for()
    explorer.rest()
    predictions, recipe = saved(explorer, "Predictions"), saved(explorer, "Recipe")
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_bytes(raw)
    exec(compile(recipe, "recipe", "exec"), {})
    assert Path("predictions.csv").read_bytes() == predictions

    explorer.choose("Weight column", "a").rest()
    assert any("negative" in said for said in explorer.errors)
    explorer.choose("Weight column", "None").rest()
    page.get_by_text("and all 120 rows").wait_for()
    assert saved(explorer, "Predictions") != predictions
