"""The stage within Streamlit: messages, late answers, reruns, and the sign that Python computes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from stage_page import SCRIPT, Stage, in_app

OBSERVE = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const sign = window.__lapviz.stages.demo.board.computing.node;
  window.__busy = window.__shown = null;
  const observe = () => {
    if (app.dataset.testScriptState === "running") window.__busy ??= performance.now();
    if (sign.classList.contains("on")) window.__shown ??= performance.now();
  };
  new MutationObserver(observe).observe(app, { attributes: true });
  new MutationObserver(observe).observe(sign, { attributes: true });
}"""


@pytest.fixture
def slow(page, app) -> Stage:
    """Python takes a second to answer."""
    stage = in_app(page, app(SCRIPT, query={"slow": 1, "seconds": 1}))
    page.get_by_text("run 1", exact=True).wait_for()
    page.evaluate(OBSERVE)
    return stage


def test_python_gets_labels_and_views_survive_its_runs(page, app):
    stage = in_app(page, app(SCRIPT))
    start = stage.labels
    stage.click(*stage.holes()[0])
    stage.answered(1)
    page.get_by_text("labels=3").wait_for()
    # Python keeps six digits of its place: this is the same label, not a new edit.
    assert stage.ask("s.stack.past.length") == 1
    stage.button("Undo").click()
    stage.answered(2)
    assert stage.labels == start
    expect(stage.button("Undo")).to_be_disabled()
    page.get_by_label("Filter").select_option("heat")
    stage.answered(3)
    assert stage.ask("s.scene.filter") == "heat"

    x, y = stage.spot(0.3, 0.3)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -240)
    page.keyboard.up("Control")
    stage.wait("s.view.zoomed && !s.board.moving && !s.board.pending")
    x0 = stage.ask("s.view.range[0]")
    assert stage.spot(0.3, 0.3) == pytest.approx((x, y), abs=1)
    stage.drag((x, y), (40, 0))
    panned = stage.ask("s.view.range")
    assert panned[0] < x0
    assert len(stage.labels) == 2  # a drag is no click
    stage.click(0.35, 0.35)
    stage.answered(4)
    runs = int(page.get_by_text("run ").inner_text().removeprefix("run "))
    page.get_by_role("button", name="again").click()
    page.get_by_text(f"run {runs + 1}").wait_for()
    stage.settle()
    assert stage.ask("s.view.range") == pytest.approx(panned)
    assert stage.ask("s.stack.past.length") == 1
    page.mouse.dblclick(*stage.spot(0.35, 0.45))
    stage.wait("!s.view.zoomed")
    assert stage.ask("s.view.range") == [0, 1, 0, 1]
    assert len(stage.labels) == 3  # nor is a double click two

    # However the page ends: λ no longer sweeps, nothing listens to the store any more.
    stage.button("Play").click()
    page.evaluate("window.__old = window.__lapviz.stages.demo")
    page.evaluate("document.querySelector('[data-testid=\"stMain\"]').remove()")
    page.wait_for_function("window.__old.gone")
    state = "[window.__old.player.on, 'demo' in window.__lapviz.stages]"
    assert page.evaluate(state) == [False, False]
    page.evaluate("(window.__old.endIfDetached(), 0)")  # a second call has no effect


def test_a_late_answer_is_announced_and_reverts_nothing(slow):
    page, sign = slow.page, slow.page.locator(".computing")
    expect(sign).to_be_hidden()
    box = page.locator(".lam").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.01 * step), y)
        page.wait_for_timeout(20)
    busy = page.evaluate("[window.__busy, window.__shown]")
    assert busy == [None, None], "a drag needs no Python"
    page.mouse.up()
    expect(sign).to_be_visible()
    delay = page.evaluate("window.__shown - window.__busy")
    assert delay >= 140, "no sign for less than 150 ms"
    expect(slow.plots).to_have_attribute("aria-busy", "true")
    text = sign.inner_text()
    assert text.startswith("computing… 0.")
    assert text.endswith(" s of about 2 s")
    slow.wait(f"s.board.computing.words.textContent !== {text!r}")
    slow.answered(1)
    expect(sign).to_be_hidden()
    assert slow.plots.get_attribute("aria-busy") is None

    page.emulate_media(reduced_motion="reduce")
    page.evaluate("""window.counts = []; addEventListener("lapviz:painted", () =>
      window.counts.push(window.__lapviz.stages.demo.labels.length))""")
    first, second = slow.holes(2)
    slow.click(*first)
    expect(sign).to_be_visible()
    assert sign.inner_text() == "computing… 0 s of about 2 s"  # whole seconds
    animation = "getComputedStyle(s.board.computing.strip, '::before').animationName"
    assert slow.ask(animation) == "none"
    slow.click(*second)
    page.evaluate("(window.counts.length = 0)")
    slow.answered(3)
    page.get_by_text("labels=4").wait_for()
    assert set(page.evaluate("window.counts")) == {4}
    assert len(slow.labels) == 4


def test_clearing_disables_lambda_and_filter_without_moving_them(page, app):
    stage = in_app(page, app(SCRIPT, query={"notes": 1}))
    tools = [page.locator(name) for name in (".lam", ".filter", ".palette", ".plot >> nth=0")]
    before = [tool.bounding_box() for tool in tools]
    stage.button("Play").click()
    stage.button("Remove all labels").click()
    stage.wait("s.panels[0].panel.note !== ''")
    disabled = (page.locator(".lam"), page.locator(".filter"), stage.button("Play"))
    for tool in disabled:
        expect(tool).to_be_disabled()
    assert [tool.bounding_box() for tool in tools] == before
    stage.button("Undo").click()
    for tool in disabled:
        expect(tool).to_be_enabled()
