"""The Labels page's methods, by hand: brush, lasso, candidates, next point, paths, tuning."""

from __future__ import annotations

from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer.compute import points
from lapviz.explorer.pages.labels import tuning
from lapviz.explorer.scene.labels import labels_view

ROOT = Path(__file__).parents[2]
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001}
THREE = {"data": "blobs", "n": 300, "p": 50}
BRUSH, LASSO = "Brush: label all points under the circle", "Lasso: label all points inside a loop"


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    explorer = Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    explorer.page.set_default_timeout(90_000)  # a machine may be busy
    yield explorer
    context.close()


def frame(explorer: Explorer) -> dict:
    plot = explorer.page.locator(".plot").first
    plot.scroll_into_view_if_needed()
    return plot.bounding_box()


def drag(explorer: Explorer, corners, panel: dict) -> None:
    """A stroke through places given as shares of the picture's width and height."""
    places = [(panel["x"] + a * panel["width"], panel["y"] + b * panel["height"])
              for a, b in corners]  # fmt: skip
    explorer.page.mouse.move(*places[0])
    explorer.page.mouse.down()
    for place in places[1:]:
        explorer.page.mouse.move(*place, steps=8)
    explorer.page.mouse.up()


def rows_in(explorer: Explorer, low: float, high: float) -> set[int]:
    """Rows of the points whose place in the first panel is between two shares of its width."""
    return set(
        explorer.stage(
            f"""(() => {{
              const {{ points }} = s.scene, {{ box, size }} = s.board.place;
              return [...points.index].filter((_, i) => {{
                const [x] = s.view.toPixel(points.xy[2*i], points.xy[2*i+1], box);
                return x > {low} * size.width && x < {high} * size.width;
              }});
            }})()"""
        )
    )


def agree(explorer: Explorer) -> None:
    """The page says what Python says to the settings in its URL."""
    explorer.fine().agree()


def test_a_lasso_labels_all_points_inside_in_one_step(explorer):
    explorer.open("labels", **START, labels="3c1")
    explorer.page.get_by_role("radio", name=LASSO).click()
    panel = frame(explorer)
    wanted = rows_in(explorer, 0.16, 0.45)
    drag(explorer, [(0.16, 0.02), (0.45, 0.02), (0.45, 0.93), (0.16, 0.93)], panel)
    explorer.until_not("labels", "3c1")
    given = {label.index: label.code for label in explorer.settings.labels.chosen}
    assert set(given) == wanted | {3}
    assert all(code == 0 for row, code in given.items() if row in wanted)
    agree(explorer)
    explorer.page.locator(".plots").focus()
    explorer.page.keyboard.press("Control+z")  # one step, however many labels
    explorer.until("labels", "3c1")
    agree(explorer)


def test_a_brush_labels_what_it_touches_and_nothing_is_dragged(explorer):
    explorer.open("labels", **START, labels="3c1")
    explorer.page.get_by_role("radio", name=BRUSH).click()
    before = explorer.stage("s.view.range")
    panel = frame(explorer)
    row, x, y = explorer.lonely()
    place = explorer.spot(x, y)
    far = 40 if place[0] < panel["x"] + panel["width"] / 2 else -40  # towards the middle
    explorer.page.mouse.move(*place)
    explorer.page.mouse.down()
    explorer.page.mouse.move(place[0] + far, place[1], steps=6)
    assert explorer.stage("s.stroke.inside.size") > 0
    explorer.page.mouse.up()
    explorer.until_not("labels", "3c1")
    given = {label.index for label in explorer.settings.labels.chosen}
    assert row in given
    assert explorer.stage("s.view.range") == before
    radius = explorer.stage("s.tools.radius")
    data = points.sample(explorer.settings.data)
    for index in given - {3}:
        px, py = explorer.spot(*map(float, data.X[index]))
        along = (px - place[0]) / far
        beyond = abs(far) * max(-along, along - 1, 0.0)
        assert (beyond**2 + (py - place[1]) ** 2) ** 0.5 <= radius + 1
    slider = explorer.page.get_by_role("slider", name="Radius of the brush in pixels")
    slider.focus()
    explorer.page.keyboard.press("ArrowRight")
    assert explorer.stage("s.tools.radius") == radius + 1
    agree(explorer)


def test_escape_ends_a_stroke(explorer):
    explorer.open("labels", **START, labels="3c1")
    explorer.page.get_by_role("radio", name=LASSO).click()
    panel = frame(explorer)
    explorer.page.mouse.move(panel["x"] + 60, panel["y"] + 40)
    explorer.page.mouse.down()
    explorer.page.mouse.move(panel["x"] + 180, panel["y"] + 200, steps=5)
    explorer.page.keyboard.press("Escape")
    explorer.page.mouse.up()
    explorer.rest()
    assert explorer.query["labels"] == "3c1"
    assert not explorer.stage("s.stroke.on")


def test_a_finger_brushes_instead_of_scrolling(explorer):
    explorer.open("labels", **START, labels="3c1")
    assert "pan-y" in explorer.page.locator(".plot").first.evaluate(
        "(node) => getComputedStyle(node).touchAction"
    )
    explorer.page.get_by_role("radio", name=BRUSH).click()
    explorer.page.wait_for_function(
        "getComputedStyle(Object.values(window.__lapviz.stages)[0].panels[0].plot).touchAction"
        " === 'none'"
    )
    _, x, y = explorer.lonely()
    explorer.page.touchscreen.tap(*explorer.spot(x, y))
    explorer.until_not("labels", "3c1")
    agree(explorer)


def test_shift_adds_a_second_class_and_the_panels_change(explorer):
    explorer.open("labels", **THREE, labels="5c0~60c1~100c2~200c3")
    x, y = map(float, points.sample(explorer.settings.data).X[5])
    explorer.page.locator(".plots").focus()
    explorer.page.keyboard.press("3")
    explorer.page.keyboard.down("Shift")
    explorer.page.mouse.click(*explorer.spot(x, y))
    explorer.page.keyboard.up("Shift")
    explorer.until("labels", "5c0.2~60c1~100c2~200c3")
    titles = explorer.page.locator(".panel .title").all_inner_texts()
    assert titles == ["Candidates averaged", "Infimum loss", "Graph Laplacian"]
    agree(explorer)
    explorer.page.keyboard.press("Control+z")
    explorer.until("labels", "5c0~60c1~100c2~200c3")
    titles = explorer.page.locator(".panel .title").all_inner_texts()
    assert titles == ["Kernel ridge", "Kernel Laplacian", "Graph Laplacian"]
    agree(explorer)


def test_candidates_by_keyboard_and_by_the_tool(explorer):
    explorer.open("labels", **THREE, labels="60c1~100c2~200c3")
    explorer.page.locator(".plots").focus()
    for key in ("ArrowRight", "1", "Enter"):
        explorer.page.keyboard.press(key)
    explorer.until_not("labels", "60c1~100c2~200c3")
    row = explorer.settings.labels.chosen[-1].index
    for key in ("2", "Shift+Enter"):
        explorer.page.keyboard.press(key)
    explorer.until("labels", f"60c1~100c2~200c3~{row}c0.1")
    agree(explorer)
    several = explorer.page.get_by_role("button", name="Add a candidate class to a labelled point")
    several.click()  # as one does without a keyboard
    explorer.page.locator(".plots").focus()
    explorer.page.keyboard.press("4")
    x, y = map(float, points.sample(explorer.settings.data).X[60])
    explorer.page.mouse.click(*explorer.spot(x, y))
    explorer.until("labels", f"60c1.3~100c2~200c3~{row}c0.1")
    assert several.get_attribute("aria-pressed") == "true"
    agree(explorer)


def test_poisson_says_what_has_no_effect(explorer):
    explorer.open("labels", **START, term="poisson")
    assert "neither λ nor the filter" in explorer.page.locator(".remark").inner_text()
    assert explorer.page.get_by_role("combobox", name="Filter").is_disabled()
    exact = explorer.stage("Array.from(s.panels[1].field.points)")
    slider = explorer.page.get_by_role("slider", name="λ, weight of the Dirichlet energy")
    slider.focus()
    explorer.page.keyboard.press("ArrowRight")
    assert explorer.stage("Array.from(s.panels[1].field.points)") == exact
    explorer.until_not("lam", None)
    agree(explorer)


@pytest.mark.parametrize("rule", ["scale", "shift"])
def test_a_balanced_picture_follows_lambda_in_the_browser(explorer, rule):
    explorer.open("labels", **START, balance=rule, per_class=1, lam=0.01)
    agree(explorer)
    local = explorer.stage(
        """(() => {
          const out = { grid: null, points: new Float64Array(s.scene.points.count) };
          s.scene.models[1].evaluate({ ...s.settings, lam: 3 }, out);
          return Array.from(out.points);
        })()"""
    )
    settings = explorer.settings.change(lam=3.0)
    assert local == pytest.approx(labels_view(settings).scene.panels[1].points[0], abs=5e-3)


def test_the_next_point_is_marked_and_asked_for_and_taken_back(explorer):
    explorer.open("labels", **START, ask="change", per_class=1)
    view = labels_view(explorer.settings)
    assert explorer.stage("s.scene.marked") == view.next.row
    titles = explorer.page.locator(".panel .title").all_inner_texts()
    assert titles[-1] == "Which point next"
    explorer.page.get_by_role("button", name="Ask the truth").click()
    explorer.until_not("labels", None)
    last = explorer.settings.labels.chosen[-1]
    assert (last.index, last.code) == (view.next.row, view.next.truth)
    agree(explorer)
    count = len(explorer.labels)
    explorer.page.locator(".plots").focus()
    explorer.page.keyboard.press("Control+z")
    explorer.page.wait_for_function(
        f"Object.values(window.__lapviz.stages)[0].labels.length === {count - 1}"
    )
    explorer.rest()
    assert view.next.row not in {label[2] for label in explorer.labels}
    agree(explorer)


def test_the_curve_against_random_choice_ends_with_a_measured_sentence(explorer):
    explorer.open("labels", **START | {"n": 80, "p": 20}, ask="change")
    explorer.tick("Compare with random choice")
    said = explorer.page.get_by_text("one standard error over 10 seeds")
    said.wait_for(timeout=60_000)
    assert "“energy”" in said.inner_text()
    explorer.fine()


def test_the_path_has_all_methods_and_bands_over_seeds(explorer):
    explorer.open("labels", **START | {"n": 100, "p": 20})
    explorer.unfold("Regularisation path").tick("Compute")
    explorer.page.get_by_text("Bands over 10 seeds").wait_for()
    explorer.rest().tick("Bands over 10 seeds")
    explorer.page.get_by_text("Mean over 10 seeds").wait_for(timeout=60_000)
    names = explorer.page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map((p) => p.data.map((t) => t.name))"
    )
    assert len(names) == 2
    for curves in names:
        assert {"Kernel ridge", "Kernel Laplacian", "Graph Laplacian"} <= set(curves)
        assert sum("–90 %" in name for name in curves) == 3
    explorer.fine()


def test_tuning_shows_its_table_and_is_applied_by_a_button(explorer):
    explorer.open("labels", **START, per_class=5, noise=0.3)
    settings = explorer.settings
    explorer.unfold("Tune for me").tick("Search")
    explorer.page.get_by_text("The best 12 of").wait_for(timeout=60_000)
    explorer.page.get_by_text("hidden labels").first.wait_for()
    explorer.rest().page.get_by_role("button", name="Use σ =").click()
    explorer.until_not("lam", None)
    agree(explorer)
    found = tuning.tune(settings, "sigma")
    assert explorer.settings == settings.change(**found.changes)


def test_a_second_energy_is_in_the_link_and_the_numbers(explorer):
    explorer.open("labels", **START)
    explorer.choose("Second energy", "Graph Laplacian")
    explorer.until("also", "graph")
    assert "up to a factor only" in explorer.text
    agree(explorer)
    explorer.choose("Gradient", "Graph Laplacian")
    explorer.until("operator", "graph")
    agree(explorer)


def test_numbers_are_dimmed_while_lambda_plays_and_a_step_ends_the_play(explorer):
    explorer.open("labels", story="circles", p=100, n=400)
    page, opacity = (
        explorer.page,
        "getComputedStyle(document.querySelector('.st-key-scores')).opacity",
    )
    assert page.evaluate(opacity) == "1"
    page.get_by_role("button", name="Sweep λ", exact=True).click()
    page.wait_for_function(
        "__lapviz.stages['labels-stage'].lam !== __lapviz.stages['labels-stage'].scene.lam"
    )
    page.wait_for_function(f"Number({opacity}) < 0.5")
    page.get_by_role("button", name="Remove a label").click()
    explorer.until_not("labels", None)
    assert not explorer.stage("s.player.on")
    page.wait_for_function(f"{opacity} === '1'")
    agree(explorer)
    words = page.locator(".st-key-scores").inner_text()
    assert f"λ = {explorer.settings.estimate.lam:.3g}" in words
    for share in page.locator(".share").all_inner_texts():
        assert share in words
