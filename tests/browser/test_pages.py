"""The explorer's pages in Chromium: every control, labels, links, stories."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from explorer_page import Explorer
from playwright.sync_api import TimeoutError

from lapviz import datasets
from lapviz.explorer.settings.fields import GROUPS
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls

ROOT = Path(__file__).parents[2]
LAMBDA = "λ, weight of the Dirichlet energy"
SMALL = {"data": "half_moons", "n": 200, "p": 50, "noise": 0.2}


@pytest.fixture
def root(app) -> str:
    return app(ROOT / "app.py").partition("/?")[0]


@pytest.fixture
def explorer(page, root):
    """A tab; after the test no error may stand on the page or in the console."""
    tab = Explorer(page, root)
    yield tab
    tab.fine()


def same_after_reload(explorer: Explorer) -> None:
    """The link alone brings back the numbers, the labels and every control."""
    before, labels = (explorer.scores, explorer.caption, explorer.query), explorer.labels
    controls = shown_values(explorer)
    explorer.page.goto(explorer.page.url)
    explorer.rest()
    assert (explorer.scores, explorer.caption, explorer.query) == before
    assert [label[2:] for label in explorer.labels] == [label[2:] for label in labels]
    for found, wanted in zip(explorer.labels, labels, strict=True):
        assert found[:2] == pytest.approx(wanted[:2], rel=1e-5)  # a link keeps six digits
    found = shown_values(explorer)  # the folds are closed again: compare what is in sight
    assert found == {name: controls.get(name) for name in found}
    assert explorer.warnings == []
    explorer.agree()


def shown_values(explorer: Explorer) -> dict[str, str]:
    """What every visible control says."""
    found = {}
    for kind in ("slider", "combobox", "spinbutton", "checkbox"):
        for control in explorer.page.get_by_role(kind).all():
            name = control.get_attribute("aria-label") or control.inner_text()
            value = control.get_attribute("aria-valuetext")
            if kind == "checkbox":
                value = str(control.is_checked())
            found[f"{kind} {name}"] = value or control.input_value()
    return found


def insist(act, shown) -> None:
    """Act until it shows: Streamlit's table is a canvas that takes its time to listen."""
    for _ in range(6):
        act()
        with contextlib.suppress(TimeoutError):
            return shown(timeout=1500)
    raise AssertionError("The table does not answer.")


# ---- the Labels page ------------------------------------------------------------------------


def test_every_control_of_the_labels_page(explorer):
    explorer.open("labels", **SMALL)
    for title in ("Estimate", "Graph to compare"):
        explorer.unfold(title)
    seen = [explorer.scores]

    def changed(key: str, value: str | None) -> None:
        explorer.until(key, value)
        explorer.agree()
        seen.append(explorer.scores)

    explorer.slider("Samples n").press("ArrowRight")
    changed("n", "300")
    explorer.slider("Noise").press("ArrowRight")
    explorer.until_not("noise", "0.2")
    assert explorer.settings.data.noise == pytest.approx(0.2, abs=0.01)
    assert explorer.settings.data.noise != 0.2
    explorer.slider("Labels per class").press("ArrowRight")
    changed("per_class", "3")
    explorer.page.get_by_role("textbox", name="Seed").fill("4")
    explorer.page.keyboard.press("Enter")
    changed("seed", "4")
    explorer.choose("Kernel", "Polynomial")
    changed("kernel", "polynomial")
    explorer.slider("Degree").press("ArrowLeft")
    changed("degree", "2")
    explorer.choose("Kernel", "Matérn 5/2")
    changed("kernel", "matern52")
    explorer.slider("Width σ").press("ArrowRight")
    explorer.until_not("sigma", None)
    wider = explorer.settings.space.bandwidth
    assert wider > 0.2
    explorer.automatic("Width σ")
    changed("sigma", "auto")
    explorer.automatic("Width σ")
    explorer.until_not("sigma", "auto")
    assert 0.01 < explorer.settings.space.bandwidth < 10
    explorer.slider("Test functions p").press("ArrowRight")
    changed("p", "75")
    explorer.choose("Landmarks", "k-means++")
    changed("landmarks", "kmeans++")
    explorer.choose("Gradient", explorer_title("operator", "tangent"))
    changed("operator", "tangent")
    explorer.slider("Neighbours for tangents").press("ArrowRight")
    explorer.until_not("neighbors", None)
    explorer.automatic("Neighbours for tangents")
    changed("neighbors", None)
    one = explorer.slider("Tangent dimension").get_attribute("aria-valuetext") == "1"
    explorer.slider("Tangent dimension").press("ArrowRight" if one else "ArrowLeft")
    changed("directions", "2" if one else "1")
    explorer.automatic("Tangent dimension")
    changed("directions", None)
    explorer.slider("RKHS weight μ").press("ArrowRight")
    explorer.until_not("mu", None)
    explorer.automatic("RKHS weight μ")
    explorer.rest()
    explorer.choose("Data term", "All samples")
    changed("term", "all")
    explorer.tick("Unpenalised constant")
    changed("intercept", "1")
    explorer.slider("Graph neighbours").press("ArrowRight")
    changed("graph_k", "11")
    explorer.choose("Graph method", "Spreading")
    changed("method", "spreading")
    explorer.slider("Spreading α").press("ArrowLeft")
    explorer.until_not("alpha", None)
    explorer.choose("Graph", "All pairs")
    changed("graph", "dense")
    for name, key, text in (
        ("Samples n", "n", "123"),
        ("Noise", "noise", "0.123"),
        ("Width σ", "sigma", "0.345"),
        ("Test functions p", "p", "67"),
        ("RKHS weight μ", "mu", "0.00123"),
        (LAMBDA, "lam", "0.0456"),
    ):
        explorer.type(name, text)
        changed(key, text)
    assert len({str(scores) for scores in seen}) > 10, "hardly any control changed a number"
    same_after_reload(explorer)
    explorer.reset()
    explorer.page.wait_for_url(re.compile(r"\?data=half_moons$"))
    explorer.rest()
    explorer.agree(presets.for_data("half_moons"))


def explorer_title(field: str, value: str) -> str:
    """How the menu calls a value."""
    from lapviz.explorer.widgets.controls import title_of

    return title_of(value)


def test_options_and_planes(explorer):
    explorer.open("labels", data="two_gaussians", n=200)
    explorer.slider("Dimension d").press("ArrowLeft")
    explorer.until("opt_dimension", "9")
    explorer.slider("Separation δ").press("ArrowRight")
    explorer.until_not("opt_separation", None)
    explorer.unfold("Picture")
    explorer.choose("Plane", "Two features").until("plane", "features")
    explorer.choose("Horizontal axis", "x₃").until("ax", "2")
    explorer.choose("Plane", "Two learnt eigenfunctions").until("plane", "modes")
    explorer.choose("Vertical axis", "eigenfunction 6").until("ay", "5")
    assert explorer.stage("s.scene.axes").__class__ in (list, tuple)
    same_after_reload(explorer)
    explorer.slider("Dimension d").press("Home")
    explorer.until("opt_dimension", "2")  # a plane: pictures are fields now
    assert explorer.stage("Boolean(s.scene.grid)")
    same_after_reload(explorer)


def test_labels_by_click_and_undo(explorer):
    explorer.open("labels", **SMALL)
    start, first = explorer.labels, explorer.scores
    row, x, y = explorer.lonely()
    explorer.page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    assert [label[2] for label in explorer.labels] == [label[2] for label in start] + [row]
    explorer.agree()
    assert "5 labels" in explorer.caption
    with_five = explorer.query["labels"]
    x0, x1, y0, y1 = explorer.stage("s.scene.view")
    explorer.page.mouse.click(*explorer.spot(0.99 * x0 + 0.01 * x1, 0.98 * y1 + 0.02 * y0))
    explorer.until_not("labels", with_five)
    assert explorer.labels[-1][2] == -1, "a click in empty space is a label of its own"
    explorer.agree()
    same_after_reload(explorer)
    free = explorer.query["labels"]
    explorer.page.get_by_role("button", name="Remove all labels").click()
    explorer.until("labels", "")
    assert explorer.page.locator("table").count() == 0
    assert explorer.page.get_by_text("No point is labelled").count() == 3
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.until("labels", free)
    explorer.reset()
    explorer.page.wait_for_url(re.compile(r"\?data=half_moons$"))
    explorer.rest()
    assert first != explorer.scores


def test_labels_by_keyboard_and_undo(explorer):
    explorer.open("labels", **SMALL)
    start, first = explorer.labels, explorer.scores
    explorer.page.get_by_role("application").focus()
    for key in ("ArrowRight", "ArrowUp", "2", "Enter"):
        explorer.page.keyboard.press(key)
    explorer.until_not("labels", None)
    assert len(explorer.labels) == len(start) + 1
    assert explorer.labels[-1][3] == 1
    explorer.agree()
    same_after_reload(explorer)
    explorer.page.get_by_role("application").focus()
    for key in ("ArrowRight", "Enter"):
        explorer.page.keyboard.press(key)
    explorer.page.wait_for_function(
        f"Object.values(window.__lapviz.stages)[0].labels.length === {len(start) + 2}"
    )
    explorer.rest()
    two = explorer.query["labels"]
    explorer.page.keyboard.press("Control+z")
    explorer.until_not("labels", two)
    assert len(explorer.labels) == len(start) + 1
    assert explorer.scores != first


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
        insist(lambda: explorer.page.mouse.dblclick(*cell(line, x)), editor.wait_for)
        editor.fill(text)
        explorer.page.keyboard.press("Enter")

    def delete(line: int) -> None:
        explorer.page.mouse.click(*cell(line, 15))
        explorer.page.keyboard.press("Delete")

    overwrite(0, 150, "9")
    explorer.until("labels", "8c0~0.5,0.75c1~9c1")
    assert [label[2] for label in explorer.labels] == [8, -1, 9]
    width = table.bounding_box()["width"]
    overwrite(1, int(0.7 * width), "0.25")
    explorer.until("labels", "8c0~0.25,0.75c1~9c1")
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.until("labels", "8c0~0.5,0.75c1~9c1")
    assert explorer.labels[1][:2] == [0.5, 0.75]
    gone = "new URLSearchParams(location.search).get('labels') === '8c0~0.5,0.75c1'"
    insist(lambda: delete(2), lambda **wait: explorer.page.wait_for_function(gone, **wait))
    explorer.rest()
    explorer.agree()
    same_after_reload(explorer)


def test_lambda_is_local_while_dragged_and_pythons_when_released(explorer):
    explorer.open("labels", **SMALL, term="all")
    before = explorer.scores
    box = explorer.page.locator(".lam").bounding_box()
    y = box["y"] + box["height"] / 2
    explorer.page.mouse.move(box["x"] + box["width"] * 0.6, y)
    explorer.page.mouse.down()
    for step in range(10):
        explorer.page.mouse.move(box["x"] + box["width"] * (0.6 + 0.02 * step), y)
    explorer.page.wait_for_function("window.__lapviz.last.exact === false")
    assert "lam" not in explorer.query
    assert explorer.scores == before
    explorer.page.mouse.up()
    explorer.until_not("lam", None)
    shown = explorer.stage("s.lam")
    assert shown > 2
    assert float(explorer.query["lam"]) == pytest.approx(shown, rel=1e-9)
    assert explorer.scores != before
    explorer.agree()
    explorer.page.get_by_role("combobox", name="Filter").select_option("heat")
    explorer.until("filter", "heat")
    explorer.agree()
    same_after_reload(explorer)


def test_the_path_draws_and_marks_lambda(explorer):
    explorer.open("labels", **SMALL)
    explorer.unfold("Regularisation path")
    explorer.page.get_by_text("Compute", exact=True).click()
    explorer.page.locator(".js-plotly-plot").nth(1).wait_for()
    explorer.rest()
    names = [explorer.page.get_by_label(re.compile(t)).count() for t in ("Error", "energy")]
    assert all(names)
    points = explorer.page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map((p) => p.data[0].y.length"
        " ?? p.data[0].y._inputArray.length)"
    )
    assert points == [37, 37]


def test_the_stage_as_a_plotly_figure_to_keep(explorer, tmp_path):
    explorer.open("labels", **SMALL)
    plots = explorer.page.locator(".js-plotly-plot")
    before = plots.count()
    explorer.tick("As a Plotly figure")
    plots.nth(before).wait_for()
    explorer.rest()
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("button", name="Download as HTML").click()
    file = tmp_path / "figure.html"
    download.value.save_as(file)
    assert download.value.suggested_filename == "lapviz.html"
    html = file.read_text("utf-8")
    assert "Plotly.newPlot" in html
    assert "Kernel ridge" in html
    explorer.page.get_by_role("radio", name="SVG").click()
    explorer.rest()


# ---- the Eigenfunctions page ----------------------------------------------------------------


def test_every_control_of_the_eigenfunctions_page(explorer):
    explorer.open("eigenfunctions", data="circle", n=200, p=50)
    assert explorer.stage("s.panels.length") == 16
    for title in ("Graph to compare",):
        explorer.unfold(title)
    pictures = {explorer.text}

    def changed(key: str, value: str | None) -> None:
        explorer.until(key, value)
        pictures.add(explorer.text)

    explorer.slider("Samples n").press("ArrowRight")
    changed("n", "300")
    explorer.slider("Noise").press("ArrowRight")
    explorer.until_not("noise", None)
    explorer.choose("Eigenfunctions of", "Graph Laplacian")
    changed("show", "graph")
    explorer.choose("Eigenfunctions of", "Learnt operator")
    changed("show", None)
    explorer.choose("Kernel", "Exponential (Matérn 1/2)")
    changed("kernel", "exponential")
    explorer.slider("Width σ").press("ArrowLeft")
    explorer.until_not("sigma", None)
    explorer.slider("Test functions p").press("ArrowRight")
    changed("p", "75")
    explorer.choose("Landmarks", "k-means++")
    changed("landmarks", "kmeans++")
    for operator in ("laplacian", "tangent"):
        explorer.choose("Gradient", explorer_title("operator", operator))
        changed("operator", operator)
    explorer.slider("RKHS weight μ").press("ArrowRight")
    explorer.until_not("mu", None)
    explorer.slider("Graph neighbours").press("ArrowRight")
    changed("graph_k", "11")
    explorer.choose("Graph", "All pairs")
    changed("graph", "dense")
    explorer.type("Test functions p", "33")
    changed("p", "33")
    assert len(pictures) > 8
    heads = explorer.page.locator(".plot").count()
    text = explorer.page.locator("li", has_text="Null directions").inner_text()
    gammas = explorer.stage("s.scene.panels.map((p) => p.subtitle)")
    explorer.page.goto(explorer.page.url)
    explorer.rest()
    assert explorer.page.locator(".plot").count() == heads == 16
    assert explorer.page.locator("li", has_text="Null directions").inner_text() == text
    assert explorer.stage("s.scene.panels.map((p) => p.subtitle)") == gammas
    explorer.reset()
    explorer.page.wait_for_url(re.compile(r"\?data=circle$"))
    explorer.rest()


# ---- all of it ------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["labels", "eigenfunctions"])
def test_every_data_set_by_the_menu(explorer, place):
    """Every other one on either page; all on both in Python: tests/explorer/scene/test_views.py."""
    explorer.open(place, data="half_moons")
    for name in datasets.names()[1:][place == "labels" :: 2]:
        if name == "digits":  # the largest: test_stories.py
            continue
        explorer.choose("Data set", controls.entry(name)).until("data", name)
        explorer.fine()
        assert explorer.stage("s.panels.length") == (3 if place == "labels" else 16)
        if place == "labels":
            explorer.agree(presets.for_data(name))


@pytest.mark.parametrize("name", ["sphere", "candidates", "stop", "flower"])
def test_a_story_opens_by_its_button(explorer, name):
    """One on each page; all the buttons: tests/explorer/pages/test_start.py."""
    story = presets.BY_NAME[name]
    explorer.open()
    explorer.page.get_by_role("button", name=f"Open “{story.title}”", exact=True).click()
    explorer.page.wait_for_url(re.compile(f"/{story.page}\\?story={name}$"))
    explorer.page.get_by_test_id("stPopoverButton").filter(has_text=story.title).first.wait_for()
    explorer.rest()
    if story.page != "data":  # test_picture.py
        assert explorer.settings == presets.for_story(name)


def test_start_is_alive(explorer):
    explorer.open()
    assert explorer.stage("s.panels.length") == 3
    explorer.page.get_by_role("button", name="Remove all labels").click()
    explorer.until("labels", "")
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.until_not("labels", "")
    pictures = explorer.page.get_by_test_id("stImage").locator("img")
    assert pictures.count() == len(presets.STORIES)
    explorer.page.wait_for_function(
        "[...document.querySelectorAll('[data-testid=stImage] img')]"
        ".every((i) => i.complete && i.naturalWidth > 100)"
    )


def test_reset_returns_to_the_story(explorer):
    explorer.open("labels", story="circles", n=300, p=50, lam=7, graph="dense")
    assert explorer.settings == presets.for_story("circles").change(
        n=300, p=50, lam=7.0, graph="dense"
    )
    explorer.reset()
    explorer.page.wait_for_url(re.compile(r"\?story=circles$"))
    explorer.rest()
    explorer.agree(presets.for_story("circles"))
    assert explorer.stage("s.lam") == 1


def test_from_page_to_page_the_settings_stay(explorer):
    explorer.open("labels", **SMALL, sigma=0.4, seed=3)
    explorer.page.get_by_role("link", name="Eigenfunctions").click()
    explorer.page.wait_for_url(re.compile(r"/eigenfunctions\?.*seed=3"))
    explorer.rest()
    assert explorer.query == {"data": "half_moons", "n": "200", "p": "50", "noise": "0.2",
                              "sigma": "0.4", "seed": "3"}  # fmt: skip
    explorer.page.get_by_role("link", name="Labels").click()
    explorer.page.wait_for_url(re.compile(r"/labels\?.*seed=3"))
    explorer.rest()
    explorer.agree()


def test_undo_outlives_a_look_at_another_page(explorer):
    explorer.open("labels", **SMALL)
    start = explorer.labels
    _, x, y = explorer.lonely()
    explorer.page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    for name in ("Eigenfunctions", "Labels"):
        explorer.page.get_by_role("link", name=name).click()
        explorer.page.wait_for_url(re.compile(rf"/{name.lower()}\?"))
        explorer.rest()
    assert len(explorer.labels) == len(start) + 1
    explorer.page.get_by_role("button", name="Undo").click()
    explorer.rest()
    assert [label[2:] for label in explorer.labels] == [label[2:] for label in start]


def test_the_menus_focus_is_seen(explorer):
    explorer.open("labels", **SMALL)
    explorer.page.get_by_role("link", name="Start").focus()
    explorer.page.keyboard.press("Tab")
    link = explorer.page.get_by_role("link", name="Eigenfunctions")
    assert "solid 2px" in link.evaluate("(node) => getComputedStyle(node).outline")


TITLES = {"data": "Data", "labels": "Labels", "kernel": "Kernel", "operator": "Energy",
          "regularisation": "Estimate", "graph": "Graph to compare"}  # fmt: skip


def test_a_link_can_hide_groups_of_controls(explorer):
    def shown() -> set[str]:
        return {
            name for name, title in TITLES.items()
            if explorer.page.get_by_test_id("stExpander").get_by_text(title, exact=True).count()
        }  # fmt: skip

    explorer.open("labels", **SMALL, hide="graph,data")
    assert shown() == TITLES.keys() - {"data", "graph"}
    assert explorer.query["hide"] == "data,graph"
    explorer.slider("Test functions p").press("ArrowRight")
    explorer.until("p", "75")
    assert explorer.query["hide"] == "data,graph"
    explorer.page.get_by_role("link", name="Eigenfunctions").click()
    explorer.page.wait_for_url(re.compile("/eigenfunctions.*hide="))
    explorer.rest()
    assert explorer.query["hide"] == "data,graph"
    assert explorer.slider("Samples n").count() == 0
    explorer.open("labels", **SMALL, hide=",".join(GROUPS))
    assert shown() == set()
    assert explorer.page.get_by_test_id("stSidebar").count() == 0


def test_two_people_at_once_do_not_mix(explorer, browser, root):
    explorer.open("labels", **SMALL)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    other = Explorer(context.new_page(), root).open("labels", **(SMALL | {"n": 300, "seed": 2}))
    explorer.slider("Test functions p").press("ArrowRight")
    other.slider("Width σ").press("ArrowRight")
    explorer.until("p", "75")
    other.until_not("sigma", None)
    assert "sigma" not in explorer.query
    assert other.query["p"] == "50"
    for tab, n in ((explorer, 200), (other, 300)):
        assert tab.settings.data.n_samples == n
        tab.agree()
        assert f"{n} points" in tab.caption
    other.fine()
    context.close()


def test_a_number_that_cannot_be_gets_a_sentence(explorer):
    explorer.open("labels", **SMALL)
    for name, text, said in (
        ("Samples n", "0", "must be a whole number from 1 to 100,000"),
        ("Samples n", "many", "must be a whole number"),
        ("Noise", "9", "must be from 0 to 0.5"),
        ("Width σ", "-1", "must be from 1e-12 to 1e12"),
        ("Width σ", "nan", "is not a number it can take"),
        ("Test functions p", "1.5", "must be a whole number"),
        ("RKHS weight μ", "1e99", "must be from 0 to 1e24"),
        (LAMBDA, "<b>$x$</b>", "is not a number it can take"),
    ):
        before = explorer.query
        value = explorer.field(name).input_value()
        explorer.type(name, text)
        explorer.page.locator(".complaint", has_text=said).wait_for()
        explorer.rest()
        sentence = next(s for s in explorer.complaints_of_knobs if said in s)
        assert f"“{text}” for {name}" in sentence
        assert sentence.endswith(f"it stays at {value}.")
        assert explorer.field(name).input_value() == value
        assert explorer.query == before
    explorer.type("Width σ", " 0,5 ").until("sigma", "0.5")
    explorer.type("Samples n", "1 200").until("n", "1200")
    assert explorer.complaints_of_knobs == []


def test_every_control_has_a_sentence_of_help(explorer):
    """On every data set without a browser: tests/explorer/widgets/test_controls.py."""
    for place, query in (("labels", {"data": "two_gaussians", "n": 100, "operator": "tangent",
                                     "method": "spreading", "kernel": "polynomial"}),
                         ("eigenfunctions", {"data": "iris"})):  # fmt: skip
        explorer.open(place, **query)
        explorer.page.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
        )
        explorer.rest()
        bare = explorer.page.evaluate(
            """() => ["stSelectbox", "stSlider", "stNumberInput", "stCheckbox", "stTextInput"]
              .flatMap((kind) => [...document.querySelectorAll(`[data-testid=${kind}]`)])
              .filter((node) => !node.querySelector('[data-testid="stTooltipIcon"]'))
              .map((node) => node.innerText)"""
        )
        assert bare == []
        titles = explorer.page.locator(".knob .name").evaluate_all("n => n.map((x) => x.title)")
        assert len(titles) > 3
        assert all(title.endswith(".") or title == LAMBDA for title in titles)
    explorer.page.get_by_role("button", name="Help for Kernel", exact=True).hover()
    tip = explorer.page.get_by_test_id("stTooltipContent")
    tip.get_by_text("Shape of the test functions").wait_for()
    assert {field.help[-1] for field in SETTINGS.values()} == {"."}


@pytest.mark.parametrize(("place", "scheme"), [("labels", "dark"), ("eigenfunctions", "light")])
def test_a_phone_scrolls_one_way_only(browser, root, place, scheme):
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, color_scheme=scheme, has_touch=True, is_mobile=True
    )
    tab = Explorer(context.new_page(), root)
    tab.open(place, **SMALL)
    wide, inner = tab.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert wide <= inner == 390
    over = tab.page.evaluate(
        """() => [...document.querySelectorAll("[data-testid=stMainBlockContainer] *")]
          .filter((n) => n.getBoundingClientRect().right > innerWidth + 1 && n.offsetParent
                  && !n.closest("pre, .js-plotly-plot, [data-testid=stDataFrame]"))
          .map((n) => n.outerHTML.slice(0, 80))"""
    )
    assert over == []
    small = tab.page.evaluate(
        """() => [...Object.values(window.__lapviz.stages)[0].board.root.querySelectorAll("button")]
          .map((b) => [b.getBoundingClientRect(), b.title])
          .filter(([r]) => r.width && Math.min(r.width, r.height) < 32)
          .map(([r, title]) => `${title}: ${r.width} x ${r.height}`)"""
    )
    assert small == [], "too small for a finger"
    assert tab.stage("s.board.root.dataset.theme") == scheme
    paper, ink = tab.page.evaluate(
        """() => {
          const style = getComputedStyle(document.querySelector("[data-testid=stApp]"));
          const light = (c) => c.match(/[\\d.]+/g).slice(0, 3).reduce((a, b) => a + +b / 765, 0);
          return [light(style.backgroundColor), light(style.color)];
        }"""
    )
    assert (paper > 0.8 and ink < 0.4) if scheme == "light" else (paper < 0.2 and ink > 0.6)
    tab.fine()
    context.close()


NARROW = {"phone": (390, 844, 1), "tablet": (820, 1180, 3)}


@pytest.mark.parametrize("device", NARROW)
def test_a_narrow_window_shows_the_pages_method_and_nothing_covers_it(browser, root, device):
    width, height, n_seen = NARROW[device]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    tab = Explorer(context.new_page(), root)
    tab.open("labels", story="circles")
    tab.page.get_by_test_id("stExpandSidebarButton").wait_for()
    tab.rest()
    seen, covered = tab.page.evaluate(
        """async () => {
          const { board } = Object.values(window.__lapviz.stages)[0];
          const inside = (r) => r.left >= 0 && r.right <= innerWidth + 1;
          const frames = [...board.plots.querySelectorAll(".plot")];
          const seen = frames.filter((n) => inside(n.getBoundingClientRect()));
          const button = document.querySelector("[data-testid=stExpandSidebarButton]");
          const bar = button.getBoundingClientRect();
          const main = document.querySelector("[data-testid=stMain]").getBoundingClientRect();
          const { top } = frames[0].getBoundingClientRect();
          const apart = bar.top >= main.bottom - 1 || bar.bottom <= top;
          return [seen.map((n) => n.closest(".panel").querySelector(".title").textContent), !apart];
        }"""
    )
    assert len(seen) == n_seen
    assert "Kernel Laplacian" in seen
    assert not covered
    tab.fine()
    context.close()


def test_back_is_one_step_whatever_was_changed_on_the_page(explorer):
    explorer.open("")
    start = explorer.page.url
    explorer.page.get_by_role("button", name="Open “", exact=False).first.click()
    explorer.page.wait_for_url("**/labels?*")
    explorer.rest()
    for _ in range(3):  # each of them once was an entry of its own
        explorer.page.locator("input.lam").press("ArrowRight")
        explorer.until_not("lam", explorer.query.get("lam"))
    explorer.page.go_back()
    explorer.page.wait_for_function(f"location.href.split('?')[0] === {start.split('?')[0]!r}")
    explorer.rest().fine()
    assert explorer.page.get_by_role("heading", name="lapviz").count() == 1
