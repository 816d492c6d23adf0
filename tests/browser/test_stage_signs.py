"""What the stage says beside its picture: Python computes, the data end here, what was done."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from stage_page import SCRIPT, Stage

from lapviz.contract import CONTRACT

NOTED = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const sign = window.__lapviz.stages.demo.board.computing.node;
  window.__busy = window.__seen = null;
  const look = () => {
    if (app.dataset.testScriptState === "running") window.__busy ??= performance.now();
    if (sign.classList.contains("on")) window.__seen ??= performance.now();
  };
  new MutationObserver(look).observe(app, { attributes: true });
  new MutationObserver(look).observe(sign, { attributes: true });
}"""


@pytest.fixture
def stage(page, app) -> Stage:
    return Stage(page, app(SCRIPT))


@pytest.fixture
def slow(page, app) -> Stage:
    """Python takes a second to answer."""
    return Stage(page, app(SCRIPT, query={"slow": 1, "seconds": 1}))


def test_a_computation_is_seen_until_its_answer(slow):
    page, sign = slow.page, slow.page.locator(".computing")
    page.get_by_text("run 1", exact=True).wait_for()
    expect(sign).to_be_hidden()
    page.evaluate(NOTED)
    slow.click(*slow.holes()[0])
    expect(sign).to_be_visible()
    seen = page.evaluate("window.__seen - window.__busy")
    assert seen >= 140, "what takes less than 150 ms is not worth a sign"
    expect(slow.plots).to_have_attribute("aria-busy", "true")
    first = sign.inner_text()
    assert first.startswith("computing… 0.")
    assert first.endswith(" s of about 2 s")
    slow.until(f"s.board.computing.words.textContent !== {first!r}")
    slow.settled(1)
    expect(sign).to_be_hidden()
    assert slow.plots.get_attribute("aria-busy") is None


def test_a_drag_that_needs_no_python_shows_no_computing(slow):
    page = slow.page
    page.get_by_text("run 1", exact=True).wait_for()
    page.evaluate(NOTED)
    box = page.locator(".lam").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.01 * step), y)
        page.wait_for_timeout(20)
    assert page.evaluate("[window.__busy, window.__seen]") == [None, None]
    assert slow.ask("s.lam !== s.scene.lam")
    page.mouse.up()
    expect(page.locator(".computing")).to_be_visible()
    slow.settled(1)


def test_less_motion_counts_whole_seconds(slow):
    page = slow.page
    page.emulate_media(reduced_motion="reduce")
    slow.click(*slow.holes()[0])
    sign = page.locator(".computing")
    expect(sign).to_be_visible()
    assert sign.inner_text() == "computing… 0 s of about 2 s"
    assert slow.ask("getComputedStyle(s.board.computing.strip, '::before').animationName") == "none"
    slow.settled(1)


def test_undo_outlives_another_page(stage):
    page, start = stage.page, stage.labels
    for hole in stage.holes(2):
        stage.click(*hole)
    page.get_by_role("button", name="Undo").click()
    stage.settled(stage.ask("s.channel.rev"))
    page.evaluate("window.__old = window.__lapviz.stages.demo")
    elsewhere = page.get_by_test_id("stCheckbox").locator("label")
    elsewhere.click()
    page.wait_for_function("window.__old.gone")
    elsewhere.click()
    page.wait_for_function("window.__lapviz.stages.demo?.scene && window.__lapviz.last.exact")
    stage.painted()
    assert stage.ask("s !== window.__old")
    assert stage.ask("[s.stack.past.length, s.stack.future.length]") == [1, 1]
    page.get_by_role("button", name="Redo").click()
    assert len(stage.labels) == 4
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert stage.labels == start
    stage.settled(stage.ask("s.channel.rev"))


def test_the_origin_reads_zero(stage):
    stage.ask("(s.hand.hover(s.panels[0], ...s.view.toPixel(7.3e-8, 0.55, s.board.place.box)), 0)")
    stage.painted()
    assert stage.ask("s.hand.target.x") == 0
    tip = stage.page.locator(".tip:visible").inner_text()
    assert tip.startswith("0, 0.55")
    stage.ask("(s.toggleAt(s.hand.target), 0)")
    assert stage.labels[-1][0] == 0
    stage.settled(1)
    assert stage.ask("s.scene.labels.at(-1).x") == 0


@pytest.mark.parametrize("zoom", [1, 3, 0.5])
def test_the_data_stay_in_view(stage, zoom):
    stage.ask(f"(s.view.zoomAt({zoom}), 0)")
    for dx, dy in ((99, 0), (-99, 99), (3, -99)):
        stage.ask(f"(s.view.pan({dx}, {dy}), 0)")
        x0, x1, y0, y1 = stage.ask("s.view.range")
        seen = [min(x1, 1) - max(x0, 0), min(y1, 1) - max(y0, 0)]
        assert np.prod(np.maximum(seen, 0)) > min(1, (x1 - x0) * (y1 - y0)) / 3
    x, y = stage.spot((x0 + x1) / 2, (y0 + y1) / 2)
    stage.page.mouse.move(x, y)
    stage.page.mouse.down()
    stage.page.mouse.move(x - 60, y, steps=3)
    stage.page.mouse.up()
    expect(stage.page.locator(".flash.on")).to_have_text(
        "The data end here; double click: whole picture"
    )
    assert "double click: whole picture" in stage.page.locator(".hint").inner_text()


BEYOND = """s.panels.map(({ base }) => {
  const { box } = s.board.place, r = s.board.ratio;
  const edge = s.view.toPixel(1, 0, box)[0] + 2; // beyond the computed region and its border
  const [x, y] = [Math.ceil(edge * r), Math.ceil((box.y + 2) * r)];
  const [w, h] = [Math.floor((box.x + box.w - 2 - edge) * r), Math.floor((box.h - 4) * r)];
  const { data } = base.getContext("2d").getImageData(x, y, w, h);
  const alphas = Array.from({ length: w * h }, (_, i) => data[4 * i + 3]);
  const border = base.getContext("2d").getImageData(Math.floor((edge - 3) * r), y, 3 * r, 1).data;
  const dark = Math.max(...Array.from({ length: 3 * r }, (_, i) => border[4 * i + 3]));
  return [Math.max(...alphas), alphas.filter((a) => a > 0).length / alphas.length, dark];
})"""


def test_beyond_the_grid_there_is_a_faint_hatch_and_no_line(stage):
    stage.ask("(s.view.pan(0.4, 0), s.moved(), 0)")
    stage.until("!s.board.moving && !s.board.pending")
    for strongest, share, border in stage.ask(BEYOND):
        assert strongest < 90, "no level line"
        assert 0.1 < share < 0.9, "lines with room between them"
        assert border > 90, "the edge of what was computed"


def test_lines_are_as_the_contract_says(fresh_page, app):
    page = fresh_page
    page.add_init_script(
        "window.__lines = new Set(); const draw = CanvasRenderingContext2D.prototype.stroke;"
        "CanvasRenderingContext2D.prototype.stroke = function (...path) {"
        "  if (path.length) window.__lines.add(`${this.lineWidth}|${this.strokeStyle}`);"
        "  return draw.apply(this, path); }"
    )
    Stage(fresh_page, app(SCRIPT))
    drawn = {tuple(line.split("|")) for line in page.evaluate("[...window.__lines]")}
    rule = CONTRACT["lines"]
    assert any(float(width) == pytest.approx(rule["zero_width"]) for width, _ in drawn)
    thin = {style for width, style in drawn if float(width) == pytest.approx(rule["thin_width"])}
    assert thin
    assert all(style.endswith(f", {rule['thin_alpha']})") for style in thin)


def differing(shot: bytes) -> int:
    """Pixels of a screenshot that are not as its corner."""
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
    return int((np.abs(pixels - pixels[0, 0]).sum(axis=-1) > 60).sum())


def test_forced_colours_leave_slider_swatches_and_frames(stage):
    page = stage.page
    page.emulate_media(forced_colors="active")
    stage.painted()
    for tool, least in ((".lam", 150), (".swatch svg >> nth=1", 40), (".bar:visible", 50)):
        assert differing(page.locator(tool).screenshot()) > least, tool
    frame = page.locator(".plot").first
    assert frame.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    page.locator(".tool").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    outline = page.locator(".tool:focus").evaluate("(node) => getComputedStyle(node).outline")
    assert "solid 3px" in outline
