"""The page Labels: controls, all ways to set labels, methods; it shows what Python computes."""

import contextlib
import re

import pytest
from playwright.sync_api import TimeoutError, expect

from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.labels import tuning
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets.controls import title_of

LAMBDA = "Smoothness λ"
SMALL = {"data": "half_moons", "n": 200, "p": 50, "noise": 0.2}
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001}
BRUSH, LASSO = "Brush: label all points under the circle", "Lasso: label all points inside a loop"


def same_after_reload(explorer) -> None:
    """Check that the link alone restores the numbers, the labels and every control."""
    before, labels = (explorer.scores, explorer.caption, explorer.query), explorer.labels
    controls = explorer.controls
    explorer.reload()
    assert (explorer.scores, explorer.caption, explorer.query) == before
    assert [label[2:] for label in explorer.labels] == [label[2:] for label in labels]
    for label, old in zip(explorer.labels, labels, strict=True):
        assert label[:2] == pytest.approx(old[:2], rel=1e-5)  # a link has six digits
    visible = explorer.controls  # the folds are closed again
    assert visible == {name: controls.get(name) for name in visible}
    assert explorer.warnings == []
    explorer.agree()


# ---- controls -------------------------------------------------------------------------------

# A method of Explorer, its arguments, and the value that the link then has (None: a changed one).
CONTROLS = (
    ("press", "Samples n", "ArrowRight", "n", "300"),
    ("press", "Labels per class", "ArrowRight", "per_class", "3"),
    ("type", "Seed", "4", "seed", "4"),
    ("choose", "Kernel", "Polynomial", "kernel", "polynomial"),
    ("press", "Degree", "ArrowLeft", "degree", "2"),
    ("automatic", "Reach σ", "sigma", "auto"),
    ("automatic", "Reach σ", "sigma", None),
    ("choose", "Gradient", title_of("tangent"), "operator", "tangent"),
    ("automatic", "Neighbours for tangents", "neighbors", None),
    ("tick", "Unpenalised constant", "intercept", "1"),
    ("type", "Detail p", "67", "p", "67"),
    ("type", LAMBDA, "0.0456", "lam", "0.0456"),
)


def test_a_control_of_each_kind(explorer):
    """All of them without a browser: tests/explorer/widgets/test_controls.py."""
    explorer.open("labels", **SMALL)
    titles = explorer.page.locator(".knob .name").evaluate_all("n => n.map((x) => x.title)")
    assert len(titles) > 3
    assert all(title.endswith(".") for title in titles), "sentences of help"
    explorer.unfold("Estimate")
    tables = [explorer.scores]
    for action, *args, key, value in CONTROLS:
        explorer.does(action, *args, key=key, value=value)
        tables.append(explorer.scores)
    explorer.agree()
    assert len({str(scores) for scores in tables}) > 6, "hardly any control changed a number"
    same_after_reload(explorer)
    changed = explorer.settings
    explorer.reset("data=half_moons").agree(presets.for_data("half_moons"))
    explorer.does("push", "Revert", key="lam", value="0.0456").agree(changed)
    explorer.field("Noise").fill("0.1")  # not entered: Reset is pressed first
    explorer.reset("data=half_moons").agree(presets.for_data("half_moons"))


def test_lambda_is_answered_locally_while_dragged_and_by_python_when_released(explorer):
    explorer.open("labels", **SMALL, term="all")
    before = explorer.scores
    box = explorer.page.locator(".lam").bounding_box()
    xs = (box["x"] + box["width"] * (0.6 + 0.02 * step) for step in range(10))
    explorer.stroke(*((x, box["y"] + box["height"] / 2) for x in xs), release=False)
    explorer.page.wait_for_function("window.__lapviz.last.exact === false")
    assert "lam" not in explorer.query
    assert explorer.scores == before
    explorer.page.mouse.up()
    explorer.until_not("lam", None)
    shown = explorer.ask("s.lam")
    assert shown > 2
    assert float(explorer.query["lam"]) == pytest.approx(shown, rel=1e-9)
    assert explorer.scores != before
    explorer.page.get_by_role("combobox", name="Filter").select_option("heat")
    explorer.until("filter", "heat").agree()

    plots = explorer.page.locator(".js-plotly-plot")
    explorer.unfold("Regularisation path").tick("Compute")
    plots.nth(1).wait_for()
    explorer.settle().tick("Bands over 10 seeds")
    explorer.page.get_by_text("Mean over 10 seeds").wait_for()
    curves = explorer.page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map((p) => p.data.map((t) =>"
        " [t.name, t.y.length ?? t.y._inputArray.length]))"
    )
    assert len(curves) == 2
    for traces in curves:
        names = [name for name, _ in traces]
        assert ["Kernel ridge", 37] in traces
        assert {"Kernel ridge", "Kernel Laplacian", "Graph Laplacian"} <= set(names)
        assert sum("–90 %" in name for name in names) == 3

    explorer.page.get_by_role("link", name="Notes", exact=True).click()
    explorer.page.get_by_role("heading", name="Notes").first.wait_for()
    explorer.push("Labels", "link", exact=True).until("open", "path,seeds")


def test_settings_from_the_data(explorer):
    """λ chosen, set by hand, and chosen again; one control for all of them, and its report."""
    explorer.open("labels", data="wine")
    assert set(CHOOSABLE) == set(explorer.settings.automatic(CHOOSABLE))
    chosen = fits.for_labels(explorer.settings).estimate.lam
    assert float(explorer.field(LAMBDA).input_value()) == pytest.approx(chosen, rel=5e-3)
    explorer.does("automatic", LAMBDA, key="lam")  # off: the number stays
    assert explorer.settings.estimate.lam == pytest.approx(chosen, rel=1e-3)
    explorer.does("press", LAMBDA, "ArrowRight", key="lam")
    assert explorer.settings.estimate.lam > 1.01 * chosen
    explorer.type(LAMBDA, "auto").until("lam", None)
    assert explorer.settings.estimate.lam == AUTO

    explorer.open("labels", data="half_moons", n=300)
    explorer.push("From data", "radio").until("lam", "auto")
    assert set(CHOOSABLE) == set(explorer.settings.automatic(CHOOSABLE))
    assert "passes" in explorer.page.locator(".panel").nth(1).inner_text()
    explorer.unfold("What was chosen from the data, and why")
    fold = explorer.page.get_by_test_id("stExpander").filter(has_text="What was chosen")
    text = fold.inner_text()
    for choice in labels_view(explorer.settings).settings.chosen.report:
        assert choice.name in text
        assert choice.reason in text
    explorer.push("Paper’s", "radio").until("lam", None)
    assert explorer.query == {"data": "half_moons", "n": "300"}


# ---- labels ---------------------------------------------------------------------------------


def test_the_page_around_the_picture_follows_a_release_without_a_further_move(explorer):
    """The final value is that of the last answer during the move, which the page did not get."""
    explorer.open("labels", data="half_moons", n=300, p=50)
    for place, far in (((1.1, -0.37), True), ((-0.95, 0.3), False)):
        explorer.page.mouse.move(*explorer.spot(*place))
        explorer.wait("!s.board.pending")
        tip = explorer.page.locator(".tip:visible").first
        assert ("far from the data" in tip.inner_text()) is far
    option = explorer.page.get_by_role("radio", name="Paper’s")
    option.click()
    explorer.until("p", None)
    expect(option).to_be_checked()
    p = explorer.ask("s.specs.find((knob) => knob.name === 'p').value")
    explorer.ask(f"s.setKnob('p', {p // 2}), 0")
    explorer.wait("s.scene.light && !s.channel.unsent && s.channel.isAnswered")
    explorer.ask(f"s.setKnob('p', {p // 2}, {{ done: true }}), 0")
    explorer.until("p", str(p // 2))
    expect(explorer.page.get_by_role("radio", name="Own")).to_be_checked()


def test_labels_by_click_and_undo(explorer):
    """By keys: test_stage.py, and test_access.py."""
    page = explorer.open("labels", **SMALL).page
    start, (row, x, y) = explorer.labels, explorer.isolated_point()
    page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None).agree()
    assert [label[2] for label in explorer.labels] == [label[2] for label in start] + [row]
    assert "5 labels" in explorer.caption
    with_row = explorer.query["labels"]
    for name in ("Eigenfunctions", "Labels"):  # undo works after a visit to another page
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(re.compile(rf"/{name.lower()}\?"))
        explorer.settle()
    explorer.push("Undo").until_not("labels", with_row)
    assert [label[2:] for label in explorer.labels] == [label[2:] for label in start]
    explorer.push("Redo").until("labels", with_row)
    x0, x1, y0, y1 = explorer.ask("s.scene.view")
    page.mouse.click(*explorer.spot(0.99 * x0 + 0.01 * x1, 0.98 * y1 + 0.02 * y0))
    explorer.until_not("labels", with_row)
    assert explorer.labels[-1][2] == -1, "a click in empty space is an off-sample label"
    same_after_reload(explorer)
    with_both = explorer.query["labels"]
    explorer.push("Clear: remove all labels").until("labels", "")
    assert page.locator("table").count() == 0
    assert page.get_by_text("No point is labelled").count() == 3
    page.get_by_role("application").press("Control+z")
    explorer.until("labels", with_both)
    assert len(explorer.labels) == len(start) + 2


def test_a_mark_covers_the_points_below_it(explorer):
    explorer.open("labels", data="four_circles", n=2000, p=50)
    found = explorer.ask("""s.labels.map(({ x, y }) => {
      const [u, v] = s.view.toPixel(x, y, s.board.place.box);
      return [[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4]].map(([a, b]) => {
        s.hand.hover(s.panels[0], u + a, v + b);
        return s.hand.target.index;
      });
    })""")
    assert found == [[label[2]] * 5 for label in explorer.labels]


def retry(act, wait) -> None:
    """Act until wait() succeeds: Streamlit's table is a canvas that ignores early events."""
    for _ in range(6):
        act()
        with contextlib.suppress(TimeoutError):
            return wait(timeout=1500)
    raise AssertionError("The table does not answer.")


def test_the_table_edits_labels(explorer):
    explorer.open("labels", **SMALL, labels="7c0~0.5,0.75c1~9c1")
    explorer.unfold("Labels as a table")
    table = explorer.page.get_by_test_id("stDataFrame")

    def cell(line: int, x: int) -> tuple[float, float]:
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        return box["x"] + x, box["y"] + 37 + 35 * line + 17  # header, then lines of 35 pixels

    def overwrite(line: int, x: int, text: str) -> None:
        editor = explorer.page.locator(".gdg-clip-region input, .gdg-clip-region textarea")
        retry(lambda: explorer.page.mouse.dblclick(*cell(line, x)), editor.wait_for)
        editor.fill(text)
        explorer.page.keyboard.press("Enter")

    def delete(line: int) -> None:
        explorer.page.mouse.click(*cell(line, 15))
        explorer.page.keyboard.press("Delete")

    overwrite(0, 150, "9")
    explorer.until("labels", "8c0~0.5,0.75c1~9c1")
    overwrite(1, int(0.7 * table.bounding_box()["width"]), "0.25")
    explorer.until("labels", "8c0~0.25,0.75c1~9c1")
    explorer.push("Undo").until("labels", "8c0~0.5,0.75c1~9c1")
    assert explorer.labels[1][:2] == [0.5, 0.75]
    deleted = "new URLSearchParams(location.search).get('labels') === '8c0~0.5,0.75c1'"
    retry(lambda: delete(2), lambda **options: explorer.page.wait_for_function(deleted, **options))
    explorer.agree()


def test_the_table_keeps_the_cell_in_which_one_types(explorer):
    explorer.open("labels", **SMALL, labels="7c0~9c1~11c1")
    explorer.unfold("Labels as a table")
    table, keyboard = explorer.page.get_by_test_id("stDataFrame"), explorer.page.keyboard
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    editor = explorer.page.locator(".gdg-clip-region input, .gdg-clip-region textarea")
    opening = (box["x"] + 150, box["y"] + 54)  # the number of the first row
    retry(lambda: explorer.page.mouse.dblclick(*opening), editor.wait_for)
    editor.fill("21")
    keyboard.press("Enter")  # goes one line down
    explorer.until("labels", "20c0~9c1~11c1")
    explorer.settle()
    held = "document.querySelector('[data-testid=stDataFrame]').contains(document.activeElement)"
    explorer.page.wait_for_function(held, timeout=5000)
    retry(lambda: keyboard.press("Enter"), editor.wait_for)
    editor.fill("31")
    keyboard.press("Enter")
    explorer.until("labels", "20c0~30c1~11c1")
    explorer.push("Undo").until("labels", "20c0~9c1~11c1")
    explorer.agree()


def stroke(explorer, corners, hold: bool = False) -> None:
    """A stroke through places given as shares of the picture's width and height."""
    plot = explorer.page.locator(".plot").first
    plot.scroll_into_view_if_needed()
    panel = plot.bounding_box()
    places = [(panel["x"] + a * panel["width"], panel["y"] + b * panel["height"])
              for a, b in corners]  # fmt: skip
    explorer.stroke(*places, steps=8, release=not hold)


ROWS_BETWEEN = """(() => {
  const { points } = s.scene, { box, size } = s.board.place;
  return [...points.index].filter((_, i) => {
    const [x] = s.view.toPixel(points.xy[2*i], points.xy[2*i+1], box);
    return x > 0.16 * size.width && x < 0.45 * size.width;
  });
})()"""


def test_a_lasso_labels_all_points_inside_and_a_brush_those_it_touches(explorer):
    """Each in one step; neither pans."""
    page = explorer.open("labels", **START, labels="3c1").page
    page.get_by_role("radio", name=LASSO).click()
    stroke(explorer, [(0.2, 0.2), (0.5, 0.5)], hold=True)
    page.keyboard.press("Escape")
    page.mouse.up()
    explorer.settle()
    assert explorer.query["labels"] == "3c1", "Escape ends a stroke"
    assert not explorer.ask("s.stroke.busy")
    inside = set(explorer.ask(ROWS_BETWEEN))
    stroke(explorer, [(0.16, 0.02), (0.45, 0.02), (0.45, 0.93), (0.16, 0.93)])
    explorer.until_not("labels", "3c1").agree()
    codes = {label.index: label.code for label in explorer.settings.labels.chosen}
    assert set(codes) == inside | {3}
    assert all(code == 0 for row, code in codes.items() if row in inside)
    page.locator(".plots").press("Control+z")  # one step for all labels
    explorer.until("labels", "3c1")

    page.get_by_role("radio", name=BRUSH).click()
    before, panel = explorer.ask("s.view.range"), page.locator(".plot").first.bounding_box()
    row, x, y = explorer.isolated_point()
    place = explorer.spot(x, y)
    shift = 40 if place[0] < panel["x"] + panel["width"] / 2 else -40  # towards the middle
    explorer.stroke(place, (place[0] + shift, place[1]), steps=6, release=False)
    assert explorer.ask("s.stroke.inside.size") > 0
    page.mouse.up()
    explorer.until_not("labels", "3c1").agree()
    rows = {label.index for label in explorer.settings.labels.chosen}
    assert row in rows
    assert explorer.ask("s.view.range") == before
    radius = explorer.ask("s.stroke.radius")
    data = points.sample(explorer.settings.data)
    for index in rows - {3}:
        px, py = explorer.spot(*map(float, data.X[index]))
        along = (px - place[0]) / shift
        beyond = abs(shift) * max(-along, along - 1, 0.0)
        assert (beyond**2 + (py - place[1]) ** 2) ** 0.5 <= radius + 1
    explorer.slider("Radius of the brush in pixels").press("ArrowRight")
    assert explorer.ask("s.stroke.radius") == radius + 1


def test_a_finger_brushes_instead_of_scrolling(visitor):
    explorer = visitor(has_touch=True).open("labels", **START, labels="3c1").open_more()
    page, touch = explorer.page, "(node) => getComputedStyle(node).touchAction"
    assert "pan-y" in page.locator(".plot").first.evaluate(touch)
    explorer.push(BRUSH, "radio").wait("getComputedStyle(s.panels[0].plot).touchAction === 'none'")
    _, x, y = explorer.isolated_point()
    page.touchscreen.tap(*explorer.spot(x, y))
    explorer.until_not("labels", "3c1").agree()


def test_candidates_by_shift_by_keyboard_and_by_the_tool(explorer):
    page = explorer.open("labels", data="blobs", n=300, p=50, labels="60c1~100c2~200c3").page
    titles = page.locator(".panel .title")
    page.locator(".plots").focus()
    for key in ("ArrowRight", "1", "Enter"):
        page.keyboard.press(key)
    explorer.until_not("labels", "60c1~100c2~200c3")
    row = explorer.settings.labels.chosen[-1].index
    assert titles.all_inner_texts() == ["Kernel ridge", "Kernel Laplacian", "Graph Laplacian"]
    for key in ("2", "Shift+Enter"):
        page.keyboard.press(key)
    explorer.until("labels", f"60c1~100c2~200c3~{row}c0.1").agree()
    assert titles.all_inner_texts() == ["Candidates averaged", "Infimum loss", "Graph Laplacian"]
    X = points.sample(explorer.settings.data).X
    page.keyboard.press("3")
    page.keyboard.down("Shift")
    page.mouse.click(*explorer.spot(*map(float, X[60])))
    page.keyboard.up("Shift")
    explorer.until("labels", f"60c1.2~100c2~200c3~{row}c0.1")
    page.keyboard.press("4")
    tool = page.get_by_role("button", name="Candidates: add a class to a labelled point")
    tool.click()  # the way without a keyboard
    page.mouse.click(*explorer.spot(*map(float, X[100])))
    explorer.until("labels", f"60c1.2~100c2.3~200c3~{row}c0.1").agree()
    assert tool.get_attribute("aria-pressed") == "true"


# ---- methods --------------------------------------------------------------------------------


def test_the_next_point_is_marked_labelled_and_undone(explorer):
    page = explorer.open("labels", **START, ask="change", per_class=1).page
    view = labels_view(explorer.settings)
    assert explorer.ask("s.scene.marked") == view.next.row
    assert page.locator(".panel .title").all_inner_texts()[-1] == "Which point next"
    explorer.push("Ask the truth").until_not("labels", None).agree()
    last, query = explorer.settings.labels.chosen[-1], explorer.query["labels"]
    assert (last.index, last.code) == (view.next.row, view.next.truth)
    page.locator(".plots").press("Control+z")
    explorer.until_not("labels", query).agree()
    assert view.next.row not in {label[2] for label in explorer.labels}
    explorer.open("labels", **START | {"n": 80, "p": 20}, ask="change")
    explorer.tick("Compare with random choice")
    caption = page.get_by_text("one standard error over 10 seeds")
    caption.wait_for()
    assert "“energy”" in caption.inner_text()


def test_the_result_of_a_search_is_applied(explorer):
    page = explorer.page
    settings = explorer.open("labels", **START, per_class=5, noise=0.3, lam=300).settings
    explorer.unfold("Tune for me").tick("Search")
    page.get_by_text("The best 12 of").wait_for()
    page.get_by_text("hidden labels").first.wait_for()
    explorer.settle().push("Use σ =").until_not("lam", None).agree()
    search = tuning.search(settings, "sigma")
    assert explorer.settings == settings.change(**search.changes_of(search.best))
    explorer.does("push", "Revert", key="lam", value="300")
    assert explorer.settings == settings


def test_numbers_are_dimmed_while_lambda_plays_which_a_step_ends_and_reset(explorer):
    explorer.page.emulate_media(reduced_motion="no-preference")
    page = explorer.open("labels", story="circles", p=100, n=400).page  # panels wait for Python
    opacity = "getComputedStyle(document.querySelector('.st-key-scores')).opacity"
    assert page.evaluate(opacity) == "1"
    explorer.push("Play: sweep λ").wait("s.lam !== s.scene.lam")
    page.wait_for_function(f"Number({opacity}) < 0.5")
    explorer.push("Remove a label").until_not("labels", None)
    assert not explorer.ask("s.player.on")
    page.wait_for_function(f"{opacity} === '1'")
    explorer.agree()
    scores = page.locator(".st-key-scores").text_content()
    assert f"λ = {explorer.settings.estimate.lam:.3g}" in scores
    for share in page.locator(".share").all_inner_texts():
        assert share.replace(" %", "\N{NO-BREAK SPACE}%") in scores

    explorer.push("Play: sweep λ").wait("s.lam !== s.scene.lam")
    explorer.reset("story=circles")
    assert not explorer.ask("s.player.on")
    assert explorer.ask("s.lam") == presets.for_story("circles").estimate.lam
