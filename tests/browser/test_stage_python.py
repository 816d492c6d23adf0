"""Input that survives Python's answers, the sign while it computes, and the end of the stage."""

import dataclasses

import numpy as np
import pytest
from playwright.sync_api import expect
from stage_page import Stage, bare, until
from stage_scenes import two_labels

from lapviz.labels import Label

OBSERVE = """() => {
  const sign = window.__lapviz.stages.alone.board.computing.node;
  window.shownAt = null;
  const observe = () => {
    if (sign.classList.contains("on")) window.shownAt ??= performance.now();
  };
  new MutationObserver(observe).observe(sign, { attributes: true });
}"""


def run_python(stage: Stage, state: str) -> float:
    """Set the state of Streamlit's script; the time of this."""
    app = "document.querySelector('[data-testid=stApp]')"
    return stage.ask(f"({app}.dataset.testScriptState = {state!r}, performance.now())")


def answer_last(stage: Stage, **fields) -> None:
    """Answer the last message with the stage's labels, once it is sent."""
    stage.wait("!s.channel.unsent")
    rev = stage.ask("s.channel.sentRev")
    stage.answer(two_labels(labels_of(stage), **fields), rev=rev)
    stage.wait(f"s.channel.answeredRev >= {rev}")
    stage.settle()


def labels_of(stage: Stage) -> tuple[Label, ...]:
    """The labels as Python keeps them, with fewer digits."""
    return tuple(Label(index, code, ((1 + 1e-7) * x, y)) for x, y, index, code in stage.labels)


def test_edits_and_views_survive_answers_until_the_page_ends(page):
    stage = bare(page, two_labels())
    start = stage.labels
    stage.click(*stage.holes()[0])
    answer_last(stage)
    assert len(stage.labels) == 3
    assert stage.ask("s.stack.past.length") == 1, "at the rounded place it is the same label"
    stage.button("Undo").click()
    answer_last(stage)
    assert np.allclose(stage.labels, start, rtol=1e-6)
    expect(stage.button("Undo")).to_be_disabled()

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
    answer_last(stage)
    assert stage.ask("s.view.range") == pytest.approx(panned)
    assert stage.ask("s.stack.past.length") == 1
    page.mouse.dblclick(*stage.spot(0.35, 0.45))
    stage.wait("!s.view.zoomed")
    assert stage.ask("s.view.range") == [0, 1, 0, 1]
    assert len(stage.labels) == 3  # nor is a double click two

    # Data for a stage that has left the page do not hide the one that is there.
    late = """async () => {
      const { stages } = window.__lapviz, present = stages.alone;
      const data = new Uint8Array(await (await fetch("/answer")).arrayBuffer());
      const parentElement = document.createElement("div");
      globalThis.__lapvizMount("stage", { parentElement, data, setStateValue() {} });
      return stages.alone === present;
    }"""
    assert page.evaluate(late)

    # However the page ends: λ no longer sweeps, nothing listens to the store any more.
    stage.button("Play").click()
    page.evaluate("(window.old = window.__lapviz.stages.alone, document.body.replaceChildren())")
    until(page, "window.old.gone")
    assert page.evaluate("[old.player.on, 'alone' in window.__lapviz.stages]") == [False, False]
    page.evaluate("(old.endIfDetached(), 0)")  # a second call has no effect


@pytest.mark.parametrize("by_button", [False, True])
def test_a_label_set_while_another_plane_comes_is_that_of_its_row(page, by_button):
    """Python does not take it from the old plane; a button of the page takes it back."""
    scene = two_labels(rows="rows")
    stage = bare(page, scene)
    row, x, y = stage.isolated_point()
    stage.click(x, y)
    stage.wait("!s.channel.unsent")
    assert row in [label[2] for label in stage.labels]
    mirrored = dataclasses.replace(scene.points, xy=scene.points.xy * [-1, 1] + [1, 0])
    free = tuple(Label(-1, code, (0.5, 0.1 + code / 2)) for code in (0, 1))
    other = dataclasses.replace(scene, view_key="other plane", labels=free, points=mirrored)
    mount = {"point": {"name": "", "count": 3}} if by_button else {}
    count = len(page.evaluate("window.sent"))
    stage.answer(other, with_static=True, rev=stage.ask("s.channel.sentRev"), **mount)
    stage.wait("s.scene.view_key === 'other plane'")
    stage.settle()
    places = [[0.5, 0.1], [0.5, 0.6]] if by_button else [[1 - x, y], [0.5, 0.1], [0.5, 0.6]]
    np.testing.assert_allclose([label[:2] for label in stage.labels], places, atol=1e-6)
    if by_button:
        assert len(page.evaluate("window.sent")) == count
        return
    until(page, f"window.sent.length > {count}")
    (last,) = page.evaluate("window.sent.slice(-1)")
    assert last["view_key"] == "other plane"
    assert [label[2] for label in last["changes"]["labels"]] == [row, -1, -1]


def test_a_late_answer_is_announced_and_reverts_nothing(page):
    stage, sign = bare(page, two_labels()), page.locator(".computing")
    page.evaluate(OBSERVE)
    expect(sign).to_be_hidden()
    box = page.locator(".lam").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.01 * step), y)
        page.wait_for_timeout(20)
    assert page.evaluate("window.sent") == [], "a drag needs no Python"
    page.mouse.up()
    busy = run_python(stage, "running")
    expect(sign).to_be_visible()
    assert page.evaluate("window.shownAt") - busy >= 140, "no sign for less than 150 ms"
    expect(stage.plots).to_have_attribute("aria-busy", "true")
    assert sign.inner_text().startswith("computing… 0.")
    stage.ask("s.board.computing.pending({ words: 'assembly', spent: 0, seconds: 2.2 })")
    expect(sign).to_contain_text(" s of about 2 s")
    text = sign.inner_text()
    assert text.startswith("assembly… ")
    stage.wait(f"s.board.computing.words.textContent !== {text!r}")
    answer_last(stage, lam=stage.ask("s.lam"))
    expect(sign).to_be_hidden()
    assert stage.plots.get_attribute("aria-busy") is None

    page.emulate_media(reduced_motion="reduce")
    page.evaluate("""() => { window.counts = []; addEventListener("lapviz:painted", () =>
      window.counts.push(window.__lapviz.stages.alone.labels.length)); }""")
    first, second = stage.holes(2)
    stage.click(*first)
    expect(sign).to_be_visible()
    assert sign.inner_text() == "computing… 0 s"  # whole seconds
    animation = "getComputedStyle(s.board.computing.strip, '::before').animationName"
    assert stage.ask(animation) == "none"
    labels, rev = labels_of(stage), stage.ask("s.channel.sentRev")
    stage.click(*second)
    page.evaluate("(window.counts.length = 0)")
    stage.answer(two_labels(labels), rev=rev)
    answer_last(stage)
    assert set(page.evaluate("window.counts")) == {4}
    assert len(stage.labels) == 4


def test_clearing_disables_lambda_and_filter_without_moving_them(page):
    scene = two_labels()
    stage = bare(page, scene)
    tools = [page.locator(name) for name in (".lam", ".filter", ".palette", ".plot >> nth=0")]
    before = [tool.bounding_box() for tool in tools]
    stage.button("Play").click()
    stage.button("Clear: remove all labels").click()
    panels = (dataclasses.replace(p, model=None, note="No label yet.") for p in scene.panels)
    stage.answer(dataclasses.replace(scene, labels=(), panels=tuple(panels)), with_static=True)
    stage.wait("s.panels[0].panel.note !== ''")
    disabled = (page.locator(".lam"), page.locator(".filter"), stage.button("Play"))
    for tool in disabled:
        expect(tool).to_be_disabled()
    assert [tool.bounding_box() for tool in tools] == before
    stage.button("Undo").click()
    stage.answer(scene, with_static=True)
    for tool in disabled:
        expect(tool).to_be_enabled()
