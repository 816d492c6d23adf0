"""The stage on a bare page: input, tools, scales, errors, sizes, panels, messages to Python."""

import dataclasses
import io

import numpy as np
import pytest
import stage_scenes
from PIL import Image
from playwright.sync_api import expect
from stage_page import CANVAS, Stage, bare, until
from stage_scenes import functions, labelled, two_labels

from lapviz import kernels, scenes
from lapviz.contract import CONTRACT
from lapviz.estimates import codes, ridge_on_labels
from lapviz.figures.fields import nearness, wrong_points
from lapviz.labels import Label
from lapviz.markdown import short
from lapviz.scenes import Panel, Points, RidgeModel

NUMBERS = "[...document.querySelectorAll('.scale')].map((node) => node.lastChild.textContent)"
WAITING = "s.panels.map((p) => p.node.classList.contains('waiting'))"
HEADS = "[...document.querySelectorAll('.score')].map((node) => node.textContent)"


# ---- labels by hand -------------------------------------------------------------------------


def test_clicks_label_and_undo_takes_them_back(page):
    stage = bare(page, two_labels())
    start, (row, *place) = stage.labels, stage.isolated_point()
    field = "Array.from(s.panels[1].field.grid)"
    before = np.array(stage.ask(field))
    stage.click(*place, panel=1)
    assert stage.labels[2] == pytest.approx([*place, row, 0])
    assert stage.announcement == f"labelled row {row + 1} as class A; 3 labels"
    assert np.abs(stage.ask(field) - before).max() > 0.05, "the picture follows without Python"
    assert stage.ask(WAITING) == [False, False, True]
    page.get_by_role("radio", name="Label as B").click()
    stage.click(*place)
    assert stage.labels[2][3] == 1
    assert stage.announcement.startswith("changed")
    stage.click(*place, panel=2)
    assert stage.announcement == f"removed row {row + 1}; 2 labels"

    for _ in range(3):
        stage.plots.press("Control+z")
    assert stage.labels == start
    expect(stage.button("Undo")).to_be_disabled()
    stage.plots.press("Control+Shift+z")
    stage.plots.press("Control+y")
    added = stage.labels
    assert added[2][3] == 1
    stage.button("Clear: remove all labels").click()
    assert stage.labels == []
    assert stage.announcement == "all labels removed"
    stage.button("Undo").click()
    assert stage.labels == added
    stage.button("Redo").click()
    assert stage.labels == []
    expect(stage.button("Clear: remove all labels")).to_be_disabled()


def test_by_keyboard_alone(page):
    stage = bare(page, two_labels())
    start = stage.labels
    stage.plots.focus()
    stage.press("ArrowRight")
    first = stage.ask("s.hand.cursor")
    assert f"row {first['index'] + 1}" in stage.announcement
    stage.press("ArrowRight", "2", "Enter")
    second = stage.ask("s.hand.cursor")
    assert second["x"] > first["x"]
    assert stage.labels[-1] == [second["x"], second["y"], second["index"], 1]
    stage.press("Delete", "+", "Shift+ArrowUp")
    assert stage.ask("s.hand.cursor.y") > second["y"]
    for key in ("Control+z", "Space", "Delete"):  # removes an off-sample label
        stage.press("Space")
        assert stage.labels[-1][2] == -1
        stage.press(key)
        assert stage.labels == start
    assert stage.ask("s.view.zoomed")
    stage.press("0", "Escape")
    assert stage.ask("[s.view.zoomed, s.hand.cursor]") == [False, None]

    digits = dataclasses.replace(two_labels(n_classes=10), classes=tuple("0123456789"))
    stage = bare(page, digits)
    stage.plots.focus()
    for key in ("3", "0", "9"):  # the class of that name
        stage.press(key)
        assert stage.announcement == f"Class {key}"
        chosen = page.get_by_role("radio", name="Label as", checked=True)
        expect(chosen).to_have_attribute("title", f"Label as {key} (key {key})")
    assert "0–9: class" in page.locator(".hint").inner_text()


TOOLS = {
    "labels": ".toolbar:not(.drawbar) :is(button.swatch, .set)",
    "lam": ".lam",
    "filter": ".filter",
    "zoom": ".zooms",
}


def test_classes_are_one_stop_for_tab_and_arrows_choose_among_them(page):
    stage = bare(page, two_labels())
    classes = page.locator(".palette [role=radio]")
    assert [node.get_attribute("tabindex") for node in classes.all()] == ["0", "-1"]
    classes.nth(0).press("ArrowRight")
    stage.settle()
    expect(classes.nth(1)).to_be_checked()
    expect(classes.nth(1)).to_be_focused()
    classes.nth(1).press("ArrowDown")
    expect(classes.nth(0)).to_be_checked()


def test_a_number_field_follows_its_value_until_something_is_typed(page):
    stage = bare(page, two_labels())
    field = page.locator(".lead input.number")
    field.focus()
    stage.ask("s.setLam(2, { done: true })")
    expect(field).to_have_value("2")
    field.blur()
    assert stage.ask("s.lam") == 2
    field.fill("5")
    stage.ask("s.setLam(3, { done: true })")
    expect(field).to_have_value("5")
    field.press("Enter")
    assert stage.ask("s.lam") == 5


def test_keys_of_stories_and_of_fields_do_nothing_else_in_present_mode(page):
    """Without a story PageDown is no step; Escape in a field ends nothing, and drawing first."""
    stage = bare(page, two_labels())
    stage.ask("s.display.present.enter().then(() => 0)")
    page.keyboard.press("PageDown")
    page.locator(".lead input.number").press("p")
    assert page.evaluate("window.sent") == []
    page.locator(".lead input.number").press("Escape")
    assert stage.ask("s.display.present.on")
    stage.plots.press("Escape")
    assert not stage.ask("s.display.present.on")


def test_a_presentation_ends_only_if_no_page_takes_over_in_time(page):
    """A page that took over before does not end it at the next, slower change of page."""
    page.clock.install()
    stage = bare(page, two_labels(), key="labels-stage")
    stage.ask("s.display.present.enter().then(() => 0)")
    for wait in (20_000, 15_000):
        assert stage.ask("s.display.present.on")
        stage.ask("s.display.present.destroy()")
        page.clock.fast_forward(wait)
        stage.ask("s.display.present.resume()")
    assert stage.ask("s.display.present.on")
    stage.ask("s.display.present.destroy()")
    page.clock.fast_forward(31_000)
    stage.ask("s.display.present.resume()")
    assert not stage.ask("s.display.present.on")


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(1e5, 3e5, {"1.2e5", "1.4e5", "2.0e5"}), (0.0, 0.4, {"0.10", "0.15"})],
)
def test_numbers_along_axes_differ(page, low, high, shown):
    page.add_init_script(CANVAS)
    xy = np.random.default_rng(0).uniform(low, high, (40, 2))
    points, panels = Points(xy, np.arange(40)), (Panel("height", xy[:, :1].T),)
    view = (low, high, low, high)
    scene = dataclasses.replace(functions(1), points=points, panels=panels, grid=None, view=view)
    bare(page, scene).settle()
    texts = [word["text"] for word in page.evaluate("window.words")]
    assert shown <= set(texts), texts


@pytest.mark.parametrize("hide", TOOLS)
def test_only_the_given_tools_are_hidden(page, hide):
    stage = bare(page, two_labels(hide=(hide,)))
    for name, tools in TOOLS.items():
        for tool in page.locator(tools).all():
            assert tool.is_visible() == (name != hide)
    assert page.get_by_role("list", name="Classes").count() == (hide == "labels")  # the legend
    assert [swatch.inner_text() for swatch in page.locator(".swatch").all()] == ["A", "B"]
    before = stage.labels
    stage.click(*stage.holes()[0])
    for key in ("ArrowRight", "Enter", "Control+z"):
        stage.plots.press(key)
    edits = stage.ask("s.stack.past.length + s.stack.future.length")
    assert edits == (0 if hide == "labels" else 2)
    assert (stage.labels == before) == (hide == "labels")
    hint = page.locator(".hint").inner_text()
    assert ("label" in hint) == (hide != "labels")
    assert ("zoom" in hint) == (hide != "zoom")


# ---- λ, the filter, and panels that wait for Python ---------------------------------------------


def test_lambda_by_keys_and_play_and_another_filter(page):
    stage = bare(page, two_labels())
    slider = page.get_by_role("slider")
    stage.ask("s.setLam(0.1, { done: true })")
    expect(slider).to_have_attribute("aria-valuetext", "λ = 0.1")  # it moves with the next frame
    for key, log in (("ArrowRight", -0.95), ("Shift+ArrowLeft", -1.45)):  # whole steps
        slider.press(key)
        assert stage.ask("Math.log10(s.lam)") == pytest.approx(log)
    page.get_by_label("Filter").select_option("heat")
    until(page, "window.sent.at(-1)?.changes.filter === 'heat'")

    before = stage.ask("s.lam")
    stage.push("Play").wait(f"s.lam > {before}")
    stage.button("Pause").click()
    page.emulate_media(reduced_motion="reduce")  # play then moves in steps
    stage = bare(page, two_labels())
    page.evaluate("""window.lams = []; addEventListener("lapviz:painted", () =>
      window.lams.push(Math.log10(window.__lapviz.stages.alone.lam)));""")
    stage.push("Play").wait("s.lam !== 0.1")
    stage.settle()
    logs = sorted({round(log, 6) for log in page.evaluate("window.lams")})
    assert set(logs) <= {-1.0, -0.5}, "no value between"
    assert -0.5 in logs


def test_the_stage_paints_under_a_strict_policy_and_panels_of_python_wait(page):
    scene = two_labels(shift=2.0)
    stage = bare(page, scene)
    picture = """(i) => {
      const { base } = window.__lapviz.stages.alone.panels[i];
      const { data } = base.getContext("2d").getImageData(0, 0, base.width, base.height);
      return new Set(new Uint32Array(data.buffer)).size;
    }"""
    stage.lam(0.02)
    assert stage.ask(WAITING) == [False, False, True]  # only Python has the graph
    assert all(page.evaluate(picture, i) > 100 for i in range(3))
    assert page.evaluate("window.violations") == []
    assert page.evaluate("window.tryText()") == "refused"  # so the policy is in force

    ridge, laplacian, graph = scene.panels
    unknown = tuple(dataclasses.replace(f, formula=None) for f in scene.filters)
    no_model = dataclasses.replace(ridge, model=None)
    graph_of_labels = dataclasses.replace(graph, depends=("labels",))
    lam, labels, heat = "s.setLam(0.02)", "s.clear()", "s.setFilter('heat')"
    no_filter = dataclasses.replace(no_model, depends=("lam", "labels"))
    for changes, act, waiting in (
        ({}, heat, [False, False, True]),
        ({"panels": (no_model, laplacian, graph)}, lam, [True, False, True]),
        ({"filters": unknown}, lam, [False, True, True]),
        ({"panels": (no_filter, laplacian, graph_of_labels)}, heat, [False, False, False]),
        ({"panels": (no_filter, laplacian, graph_of_labels)}, lam, [True, False, False]),
        ({"panels": (no_filter, laplacian, graph_of_labels)}, labels, [True, False, True]),
    ):
        stage = bare(page, dataclasses.replace(scene, **changes))
        stage.ask(f"({act}, 0)")
        stage.settle()
        assert stage.ask(WAITING) == waiting, (changes.keys(), act)


def test_an_edit_is_announced_with_the_new_accuracy(page, js):
    scene = labelled(js, truth=np.arange(60) % 2)
    stage = bare(page, scene)
    row, *place = stage.isolated_point()
    stage.click(*place)
    assert page.evaluate(HEADS) != ["accuracy 50.0 %"] * 2
    action = f"labelled row {row + 1} as class A; 4 labels"
    assert stage.announcement == action
    panels = [dataclasses.replace(panel, accuracy=0.625) for panel in scene.panels]
    labels = (*scene.labels, Label(row, 0, tuple(place)))
    until(page, "window.sent.length > 0")
    answer = {"panels": tuple(panels), "labels": labels}
    rev = page.evaluate("window.sent.at(-1).rev")
    stage.answer(dataclasses.replace(scene, **answer), rev=rev)
    accuracies = ", ".join(f"{panel.title} accuracy 62.5 %" for panel in panels)
    stage.wait(f"s.board.live.textContent === {f'{action}; {accuracies}'!r}")


def test_less_frequent_tools_are_behind_more_which_the_browser_remembers(new_page, js):
    page = new_page(viewport={"width": 900, "height": 720})
    stage, more = bare(page, labelled(js)), page.get_by_role("button", name="More", exact=True)
    rows = """[...document.querySelectorAll(".bar > *")].filter((n) => n.checkVisibility())
      .map((n) => n.getBoundingClientRect()).map((b) => b.y + b.height / 2)"""
    assert np.ptp(page.evaluate(rows)) < 8, "one row"
    expect(page.get_by_label("Filter")).to_be_hidden()
    above = page.locator(".plots").bounding_box()["y"]
    more.press("Enter")
    expect(page.get_by_label("Filter")).to_be_visible()
    stage.settle()
    assert page.locator(".plots").bounding_box()["y"] > above + 40, "the picture makes room"
    bare(page, labelled(js))
    assert more.get_attribute("aria-expanded") == "true"
    stage.button("Letters").click()
    assert page.locator(".knob:visible .name").first.inner_text().strip() == "λ"
    more.click()
    expect(page.get_by_label("Filter")).to_be_hidden()
    stage.ask("s.point({ name: 'filter', act: '' })")
    expect(page.get_by_label("Filter")).to_be_visible()


@pytest.mark.parametrize(("n_classes", "n_samples"), [(2, 60), (3, 100)])
def test_the_share_right_and_the_crosses_on_errors_follow_lambda(page, js, n_classes, n_samples):
    """Counted as in Python, over the drawn points; with ≈ if these or the modes are incomplete."""
    truth = np.random.default_rng(0).integers(-1, n_classes, 60)
    scene = labelled(js, n_classes=n_classes, truth=truth)
    stage = bare(page, dataclasses.replace(scene, n_samples=n_samples))
    wrong = "s.panels.map((p) => [...p.wrong])"
    assert page.evaluate(HEADS) == ["accuracy 50.0 %"] * 2
    assert stage.button("Mark errors", pressed=True).count() == 1
    expected = [np.flatnonzero(wrong_points(scene, panel)).tolist() for panel in scene.panels]
    assert stage.ask(wrong) == expected
    assert all(expected)
    marked = stage.ask("s.panels[0].base.toDataURL()")
    stage.lam(3)
    counted = (truth >= 0) & (np.arange(60) > 2)
    shown = zip(stage.ask(wrong), page.evaluate(HEADS), strict=True)
    for i, (crosses, head) in enumerate(shown):
        _, at = stage_scenes.evaluate(js, scene, i, 3.0, anchored=True)
        right = codes.decode(at.T) == truth
        accuracy = scenes.accuracy_words(right[counted].mean())
        exact = n_samples == 60 and i == 0  # the other is from the leading modes
        assert head == (accuracy if exact else accuracy.replace("accuracy", "accuracy ≈"))
        assert crosses == np.flatnonzero(counted & ~right).tolist()
    title = page.evaluate("document.querySelector('.score').title")
    remark = ", counted over the 60 points that are drawn"
    assert title.endswith(remark) == (n_samples != 60)
    title = page.evaluate("document.querySelectorAll('.score')[1].title")
    assert title.endswith(", an estimate from the leading modes")
    stage.button("Mark errors").click()
    stage.lam(0.1)  # Python's answer again
    assert page.evaluate(HEADS) == ["accuracy 50.0 %"] * 2
    assert stage.ask(wrong) == [[], []]
    assert stage.ask("s.panels[0].base.toDataURL()") != marked
    bare(page, labelled(js, truth=np.full(60, -1)))
    assert page.get_by_role("button", name="Mark errors").count() == 0
    unjudged = tuple(dataclasses.replace(panel, accuracy=None) for panel in scene.panels)
    stage = bare(page, dataclasses.replace(scene, panels=unjudged))
    assert stage.ask(wrong) == [[], []], "no true class is revealed"


def test_a_link_says_whether_errors_are_marked(page, js):
    """In the format from when errors were not marked by default."""
    marks = {"x": True, "o": False, "s": False, "s~x": True, "": True}
    toggled = {"s~x": ("s", "s~x"), "": ("o", "")}  # off and on again
    for part, marked in marks.items():
        query = f"?stage={part}" if part else ""
        scene = labelled(js, truth=np.arange(60) % 2)
        stage = bare(page, scene, key="marks-stage", query=query)
        assert stage.ask("s.display.marking") is marked
        assert stage.ask("s.panels[0].wrong.length > 0") is marked
        for on, value in zip(("false", "true"), toggled.get(part, ()), strict=False):
            stage.ask(f"s.display.set('errors', 'errors', {on}), 0")
            until(page, f"(new URLSearchParams(location.search).get('stage') ?? '') === '{value}'")


def test_far_from_the_labels_the_sign_of_a_score_decides(page):
    """A narrow kernel decays below float32's range, Python's scores do not."""
    kernel = kernels.get("gaussian", 0.025)
    labels = (Label(-1, 0, (0.3, 0.4)), Label(-1, 1, (0.4, 0.6)))
    scene = stage_scenes.scene(labels)
    panel = dataclasses.replace(scene.panels[0], model=RidgeModel.of(kernel), accuracy=0.5)
    bare(page, dataclasses.replace(scene, panels=(panel,), n_samples=60)).lam(0.02)
    X, y = np.array([label.place for label in labels]), np.array([[-1.0], [1.0]])
    scores = kernel(scene.points.xy, X) @ ridge_on_labels(kernel, X, y, 0.02 * scene.mu)
    assert (np.abs(scores) < 1e-46).any()
    share = (codes.decode(scores) == scene.points.truth).mean()
    assert page.evaluate(HEADS) == [scenes.accuracy_words(share)]


# ---- the picture ------------------------------------------------------------------------------


def test_scales_fit_the_picture_and_a_common_scale_is_remembered(page, js):
    stage = bare(page, labelled(js))
    ends, sizes = [], "s.panels.slice(0, 2).map((p) => p.field.size)"
    for lam in (0.03, 0.3, 30.0):
        stage.lam(lam)
        ends.append(page.evaluate(NUMBERS))
        assert ends[-1] == [short(size, 2) for size in stage.ask(sizes)]
    assert len(set(map(tuple, ends))) == 3
    stage.ask("s.setLam(30, { done: true })")  # released; Python's answer is the same
    until(page, "window.sent.length > 0")
    stage.answer(labelled(js, 30.0), rev=page.evaluate("window.sent.at(-1).rev"))
    stage.settle()
    assert page.evaluate(NUMBERS) == ends[-1]

    stage, tops = bare(page, functions(5)), "s.panels.map((p) => p.field.top)"
    separate = stage.ask(tops)
    assert min(separate) < 0.5 * max(separate)
    stage.push("One scale").settle()
    assert stage.button("One scale", pressed=True).count() == 1
    assert stage.ask(tops) == [max(separate)] * 5
    page.reload()
    stage = Stage(page, "alone")
    assert stage.ask(tops) == [max(separate)] * 5
    stage.push("One scale").settle()
    assert stage.ask(tops) == separate


def test_empty_corners_do_not_set_the_scale_and_are_faded(page):
    """Points in one corner, a field that grows away from them."""
    scene = functions(1, side=40)
    xy = 0.25 * scene.points.xy
    x, y = np.meshgrid(scene.grid.x, scene.grid.y)
    panel = Panel("far", np.exp(4 * xy.sum(axis=1))[None], np.exp(4 * (x + y))[None])
    points = Points(xy, np.arange(len(xy)))
    stage = bare(page, dataclasses.replace(scene, panels=(panel,), points=points, columns=0))
    near = nearness(scene.grid, xy)
    assert stage.ask("Array.from(s.scene.grid.near)") == near.ravel().tolist()
    assert stage.ask("Array.from(s.scene.grid.inside)") == np.flatnonzero(near == 255).tolist()
    field, top = panel.grid[0], stage.ask("s.panels[0].field.top")
    assert top == pytest.approx(field[near == 255].max(), rel=1e-6)
    assert top < field.max() / 10
    colour = """(([x, y]) => {
      const { base } = s.panels[0], { box } = s.board.place, { ratio } = s.board;
      const [u, v] = s.view.toPixel(x, y, box);
      return [...base.getContext("2d").getImageData(u * ratio, v * ratio, 1, 1).data];
    })"""
    middle = stage.ask("s.board.theme.middle")
    # outside the points but near them; and a larger value, far away
    near_colour, far_colour = (stage.ask(f"{colour}([{at}, {at}])") for at in (0.29, 0.97))
    gap = [np.abs(np.subtract(c[:3], middle)).max() for c in (near_colour, far_colour)]
    assert gap[1] < 0.5 * gap[0]


SMALLEST = """() => {
  const root = window.__lapviz.stages.alone.board.root;
  const nodes = [...root.querySelectorAll("*")].filter((node) =>
    node.checkVisibility() && !node.closest(".live") &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const sizes = nodes.map((node) => parseFloat(getComputedStyle(node).fontSize));
  return [Math.min(...sizes), Math.max(...sizes), nodes.length];
}"""


def check_line_styles(lines: list[str]) -> None:
    styles, contract = {tuple(line.split("|")) for line in lines}, CONTRACT["lines"]
    assert any(float(width) == pytest.approx(contract["zero_width"]) for width, _ in styles)
    width = pytest.approx(contract["thin_width"])
    thin = {style for w, style in styles if float(w) == width}
    assert thin
    assert all(style.endswith(f", {contract['thin_alpha']})") for style in thin)


def test_letters_and_lines_on_every_size_of_window(new_page, js):
    """No text below 12 pixels, the accuracy the largest; words on the axes within the picture."""
    page = new_page()
    page.add_init_script(CANVAS)
    axes = dataclasses.replace(labelled(js), axes=("component 1", "component 2"))
    for kind, scene in (("labels", axes), ("functions", functions())):
        for width, height in ((1280, 720), (1920, 1080), (820, 1180), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            stage = bare(page, scene)
            stage.ask("s.hand.hover(s.panels[0], s.board.place.box.x + 40,"
                      " s.board.place.box.y + 40)")  # fmt: skip
            stage.settle()
            least, most, count = page.evaluate(SMALLEST)
            words = page.evaluate("window.words")
            assert count > 5
            assert min(least, *(word["size"] for word in words)) >= 12
            for word in words:
                assert np.all(np.array(word["ends"]) >= -0.5), word
                assert np.all(np.array(word["ends"]) <= np.array(word["room"]) + 0.5), word
            if kind == "labels":
                assert {"component 1", "component 2"} <= {word["text"] for word in words}
                sizes = page.locator(".share").evaluate_all(
                    "(nodes) => nodes.map((n) => getComputedStyle(n).fontSize)"
                )
                assert sizes == [f"{most:g}px"] * 2
                check_line_styles(page.evaluate("[...window.lines]"))


# ---- zoom, hover, the edge of the data ----------------------------------------------------------

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


def test_the_data_stay_in_view_and_their_end_is_announced(page):
    stage = bare(page, two_labels())
    page.mouse.move(*stage.spot(0.5, 0.5))
    page.mouse.wheel(0, 200)
    expect(page.locator(".flash")).to_contain_text("wheel zooms")
    assert not stage.ask("s.view.zoomed"), "the wheel alone scrolls the page"
    for zoom in (1, 3, 1 / 6):
        stage.ask(f"(s.view.zoomAt({zoom}), 0)")
        for dx, dy in ((99, 0), (-99, 99), (3, -99)):
            stage.ask(f"(s.view.pan({dx}, {dy}), 0)")
            x0, x1, y0, y1 = stage.ask("s.view.range")
            visible = [min(x1, 1) - max(x0, 0), min(y1, 1) - max(y0, 0)]
            assert np.prod(np.maximum(visible, 0)) > min(1, (x1 - x0) * (y1 - y0)) / 3
    stage.drag(stage.spot((x0 + x1) / 2, (y0 + y1) / 2), (-60, 0))
    remark = "The data end here; double click: whole picture"
    expect(page.locator(".flash.on")).to_have_text(remark)
    assert "double click: whole picture" in page.locator(".hint").inner_text()

    stage = bare(page, two_labels())
    stage.ask("(s.view.pan(0.4, 0), s.viewChanged(), 0)")
    stage.settle()
    for strongest, share, border in stage.ask(BEYOND):
        assert strongest < 90, "no level line"
        assert 0.1 < share < 0.9, "a hatch: lines with room between them"
        assert border > 90, "the edge of the computed region"


def test_hovering_shows_values_of_every_panel_within_it(page):
    stage = bare(page, two_labels())
    row, *place = stage.isolated_point()
    page.mouse.move(*stage.spot(*place, panel=2))
    tip = page.locator(".tip:visible")
    expect(tip).to_have_count(1)
    assert f"row {row + 1}, true class" in tip.inner_text()
    for corner in ((0.002, 0.002), (0.998, 0.998)):
        page.mouse.move(*stage.spot(*corner, panel=1))
        at_corner = "Math.hypot(s.hand.target?.x - {}, s.hand.target?.y - {}) < 0.1"
        stage.wait(f"{at_corner.format(*corner)} && !s.board.pending")
        inner, outer = tip.bounding_box(), page.locator(".plot").nth(1).bounding_box()
        for start, size in (("x", "width"), ("y", "height")):
            assert outer[start] <= inner[start]
            assert inner[start] + inner[size] <= outer[start] + outer[size]
    stage.ask("(s.hand.hover(s.panels[0], ...s.view.toPixel(7.3e-8, 0.55, s.board.place.box)), 0)")
    stage.settle()
    assert stage.ask("s.hand.target.x") == 0, "0 instead of a tiny number"
    assert page.locator(".tip:visible").inner_text().startswith("0, 0.55")
    stage.ask("(s.toggleAt(s.hand.target), 0)")
    assert stage.labels[-1][0] == 0
    page.mouse.move(5, 800)
    expect(tip).to_have_count(0)


def differing(shot: bytes) -> int:
    """Number of pixels of a screenshot that differ from its corner."""
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
    return int((np.abs(pixels - pixels[0, 0]).sum(axis=-1) > 60).sum())


def test_slider_swatches_and_frames_are_visible_in_forced_colours(page):
    page.emulate_media(forced_colors="active")
    bare(page, two_labels())
    for tool, least in ((".lam", 150), (".swatch svg >> nth=1", 40), (".bar:visible", 50)):
        assert differing(page.locator(tool).first.screenshot()) > least, tool
    frame = page.locator(".plot").first
    assert frame.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    page.locator(".tool:visible").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    outline = page.locator(".tool:focus").evaluate("(node) => getComputedStyle(node).outline")
    assert "solid 3px" in outline


def test_unreadable_data_give_a_message(page):
    scene = two_labels()
    stage, alert = bare(page, scene), page.get_by_role("alert").first
    for blob in ("new Uint8Array(3)", "null", "new Uint8Array(64).fill(255)"):
        stage.ask(f"(s.receive({{ data: {blob}, setStateValue: s.channel.send }}), 0)")
        assert "could not be drawn" in alert.inner_text()
    place = page.locator(".plot").first.bounding_box()
    page.mouse.move(*stage.spot(0.5, 0.5))
    stage.settle()
    assert page.locator(".plot").first.bounding_box() == place  # no jump under the pointer
    assert "could not be drawn" in alert.inner_text()
    stage.click(*stage.holes()[0])
    assert len(stage.labels) == 3
    stage.answer(scene)
    stage.settle()
    expect(page.locator(".message")).to_be_empty()  # cleared by Python's next answer
