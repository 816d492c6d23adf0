"""Keep and share, and links to exactly what is looked at, in the running explorer."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.figures.saved_page import embed_code

APP = Path(__file__).parents[2] / "app.py"
PATIENCE = 120_000  # milliseconds; a file is made while others wait for the processor


@pytest.fixture
def explorer(app, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = Explorer(page, app(APP).split("/?")[0])
    page.set_default_timeout(PATIENCE)
    yield tab
    tab.fine()


def test_the_page_is_kept_as_link_code_and_file(explorer, page, tmp_path):
    explorer.open("labels", story="circles", p=200, lam=0.5)
    page.get_by_text("Keep and share").click()
    clipboard = "navigator.clipboard.readText()"
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied", exact=True).wait_for()
    assert page.evaluate(clipboard) == page.url
    page.get_by_role("button", name="Copy embed code").click()
    page.wait_for_function("navigator.clipboard.readText().then((t) => t.startsWith('<iframe'))")
    title = "Four labels colour four circles"
    assert unescape(page.evaluate(clipboard)) == unescape(
        embed_code(f"{page.url}&embed=true&hide=page", title)
    )
    page.get_by_role("button", name="QR code").click()
    image = page.get_by_alt_text(re.compile("QR code of http"))
    assert image.is_visible()
    assert "lam=0.5" in image.get_attribute("alt")
    button = page.get_by_role("button", name="Save as a live page")
    most = float(re.search(r"at most ([\d.]+) MB", button.inner_text())[1])
    with page.expect_download(timeout=PATIENCE) as got:
        button.click()
    file = tmp_path / got.value.suggested_filename
    got.value.save_as(file)
    assert file.name == "lapviz-labels-circles.html"
    assert file.stat().st_size <= 1e6 * (most + 0.05)
    saved = page.context.new_page()
    page.context.set_offline(True)
    saved.goto(file.as_uri())
    saved.locator("#lapviz-link").wait_for()
    assert saved.locator("#lapviz-link").get_attribute("href") == page.url
    assert saved.locator("h1").inner_text() == title
    page.context.set_offline(False)


def test_a_link_looks_at_the_scene_as_its_sender_did(explorer, page):
    explorer.open("eigenfunctions", data="half_moons", n=300)
    looked = "[s.enlarged, s.view.zoom, s.display.sameScale]"
    explorer.stage("[s.enlarge(3), s.zoomBy(1.4), s.display.share(true), 0]")
    explorer.until_not("stage", None)
    before = explorer.stage(looked)
    assert before == [3, 1.4, True]
    explorer.stage("s.setKnob('sigma', 0.3, true), 0")
    explorer.until("sigma", "0.3")  # Python writes the address, and keeps this in it
    link = page.url
    assert "stage=e3" in link
    page.evaluate("localStorage.clear()")
    explorer.open("labels", data="half_moons", n=300)
    page.goto(link)
    explorer.rest()
    assert explorer.stage(looked) == before
    assert page.url == link


@pytest.mark.parametrize("text", ["e99~z1e99_0_0~" + "x" * 500, "zNaN_1_1~t~~e-1~e1.5~<b>"])
def test_nonsense_in_it_is_no_harm(explorer, text):
    explorer.open("eigenfunctions", data="half_moons", n=300, stage=text)
    assert explorer.stage("s.enlarged") is None
    assert explorer.stage("s.board.place !== null && s.view.range.every(Number.isFinite)")


def test_hidden_embedded_and_presented_together(explorer, page):
    explorer.open("labels", story="circles", hide="data,graph", embed="true")
    assert page.get_by_text("Data set").count() == 0
    explorer.stage("s.display.present.enter()")
    page.wait_for_function("Object.values(window.__lapviz.stages)[0].display.present.on")
    explorer.rest()
    page.keyboard.press("PageDown")
    explorer.until_not("story", "circles").until("hide", "data,graph")
    assert explorer.query["embed"] == "true"
    assert explorer.stage("s.display.present.on")
    page.keyboard.press("PageUp")
    explorer.until("story", "circles")
    page.keyboard.press("Escape")
    page.wait_for_function("!Object.values(window.__lapviz.stages)[0].display.present.on")
