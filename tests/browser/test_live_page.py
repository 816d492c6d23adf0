"""The saved page, from file:// without a network: it answers, and its numbers are Python's."""

import html
import io
import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from stage_page import Stage

from lapviz import LaplacianClassifier, LaplacianRegressor, datasets, live
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.stories import presets
from lapviz.figures import live_page
from lapviz.figures.curve_scenes import read_handles
from lapviz.labels import Label

FIELDS = "s.panels.map((p) => p.field && Array.from(p.field.grid ?? p.field.points))"
LINK = "https://lapviz.example/labels?story=circles&p=100"
TOLERANCE = 5e-3  # relative to the largest value, for modes in half precision
SVG = "{http://www.w3.org/2000/svg}"


class Saved(Stage):
    """The stage of a saved page."""

    def at(self, lam: float) -> list:
        """Its fields for this λ."""
        self.ask(f"s.setLam({lam!r}, {{ done: true }})")
        return self.fields

    @property
    def fields(self) -> list:
        self.settle()
        self.wait("!s.lamMoving && !s.channel.unsent")
        return self.ask(FIELDS)

    @property
    def link(self) -> str:
        self.page.locator("#lapviz-link").focus()
        return self.page.locator("#lapviz-link").get_attribute("href")

    def theme_is(self, name: str) -> None:
        self.wait(f"s.board.root.dataset.theme === {name!r}")


@pytest.fixture(scope="module")
def settings():
    return presets.for_story("circles").change(p=100, n=400)


@pytest.fixture
def offline(new_page, tmp_path):
    """``offline(page) -> Saved``; any request or error fails the test."""
    problems, local = [], ("file:", "blob:", "data:", "about:")

    def open_page(content, **options):
        page = new_page(**options, offline=True)
        page.on("console", lambda m: m.type == "error" and problems.append(m.text))
        page.on("request", lambda r: r.url.startswith(local) or problems.append(r.url))
        file = tmp_path / f"page-{len(list(tmp_path.iterdir()))}.html"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        page.goto(file.as_uri())
        return Saved(page, "saved").open_more()

    yield open_page
    assert not problems


def assert_close(field, exact) -> None:
    scale = np.abs(exact).max()
    np.testing.assert_allclose(field, np.ravel(exact), atol=TOLERANCE * scale)


def test_lambda_labels_link_and_theme(offline, settings):
    scene = labels_view(settings, complete=True).scene
    stage = offline(live_page(scene, LINK), color_scheme="dark")
    page = stage.page
    for name, lam in (("tikhonov", 0.1), ("heat", 1e-3), ("cutoff", 40.0)):
        page.get_by_label("Filter", exact=True).select_option(name)
        exact = labels_view(settings.change(lam=lam, filter=name)).scene
        for field, panel in zip(stage.at(lam), exact.panels, strict=True):
            assert_close(field, panel.grid)

    waits, before = page.locator(".wait"), stage.fields
    assert [waits.nth(i).is_visible() for i in range(3)] == [False] * 3
    _, *place = stage.isolated_point()
    stage.click(*place, panel=1)
    assert [a != b for a, b in zip(before, stage.fields, strict=True)] == [True, True, False]
    waits.nth(2).wait_for()  # it appears with a delay
    assert waits.nth(2).inner_text() == "needs Python"
    assert [waits.nth(i).is_visible() for i in range(3)] == [False, False, True]
    shares = [panel.locator(".share").inner_text() for panel in page.locator(".panel").all()]
    assert [bool(share) for share in shares] == [True, True, False]  # that of other labels is gone

    stage.at(0.25)
    stage.ask("s.setFilter('heat')")
    stage.ask("s.commit([{ x: 1.5, y: -2.25, index: -1, code: 1, others: [] },"
              "{ x: 0, y: 0, index: 12, code: 0, others: [1] }], 'labelled')")  # fmt: skip
    read, complaints = from_query(dict(parse_qsl(urlsplit(stage.link).query)), settings)
    assert not complaints
    assert (read.estimate.lam, read.estimate.filter) == (0.25, "heat")
    assert [(m.index, m.candidates) for m in read.labels.chosen] == [(-1, (1,)), (12, (0, 1))]
    assert (read.labels.chosen[0].x, read.labels.chosen[0].y) == (1.5, -2.25)
    assert "stage=" not in stage.link
    stage.ask("(s.view.lookAt(2, 0.5, 0.25), 0)")
    page.locator("#lapviz-link").blur()  # the link follows when it gets the focus
    assert dict(parse_qsl(urlsplit(stage.link).query))["stage"] == "z2_0.5_0.25~x"

    stage.theme_is("dark")  # the system's, until one is chosen here or by the embedding page
    button = page.locator("#lapviz-theme")
    for theme in ("light", "dark"):
        button.click()
        stage.theme_is(theme)
    assert button.inner_text() == "Light"
    page.evaluate("postMessage({ lapvizTheme: 'purple' }, '*'); postMessage(null, '*')")
    page.evaluate("postMessage({ lapvizTheme: 'light' }, '*')")
    stage.theme_is("light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".tabs").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_contradicting_label_gets_pythons_answer_or_none(offline, settings):
    """Without all functions of the trial space the page says that it needs Python."""
    scene = labels_view(settings, complete=True).scene
    row, (x, y), code = int(scene.points.index[7]), scene.points.xy[7], 1 - scene.points.truth[7]
    label = f"{{ x: {x}, y: {y}, index: {row}, code: {code}, others: [] }}"
    commit = f"s.commit([...s.labels, {label}], 'labelled')"
    marks = (*(label.lasting() for label in scene.labels), Label(row, int(code)))
    exact = labels_view(settings.change(marks=marks)).scene
    stage = offline(live_page(scene))
    stage.ask(commit)
    for field, panel in zip(stage.fields[:2], exact.panels, strict=False):
        assert_close(field, panel.grid)
    stage = offline(live_page(labels_view(settings).scene))
    before = stage.fields
    stage.ask(commit)
    stage.page.locator(".wait").nth(1).wait_for()
    assert [a != b for a, b in zip(before, stage.fields, strict=True)] == [True, False, False]


def test_eigenfunctions_and_curves_open_and_answer(offline):
    stage = offline(live_page(eigen_view(presets.for_data("half_moons").change(n=300)).scene))
    assert stage.ask("s.panels.length") == 16
    assert not stage.page.locator(".lam").is_visible()  # nothing depends on λ
    assert not stage.page.locator(".filter").is_visible()
    stage.page.locator(".grow").nth(3).click()
    stage.wait("s.display.enlarged === 3")

    def main(stage) -> np.ndarray:
        return np.array(stage.ask("Array.from(s.curves.find((c) => c.role === 'main').values)"))

    stop = regression_view(presets.for_story("stop")).scene
    stage = offline(live_page(stop, "https://lapviz.example/regression?story=stop"))
    stage.ask("s.setStep(5, { done: true })")
    assert dict(parse_qsl(urlsplit(stage.link).query)) == {"story": "stop", "along": "cg", "m": "5"}
    stage.ask("s.setStep(9, { done: true })")
    exact = stop.shown.curves[9]
    np.testing.assert_allclose(main(stage), exact, atol=1e-3 * np.abs(exact).max())
    stage.page.get_by_label("Regularisation").select_option("ridge")
    assert stage.ask("s.legend.textContent").startswith("Ridge")
    slopes = regression_view(presets.for_story("slopes")).scene
    stage = offline(live_page(slopes, "https://lapviz.example/regression?story=slopes"))
    moved = replace(slopes.handles[1], value=2.0)
    stage.ask(f"s.move(1, {{ x: 0.9, value: 2, slope: {moved.slope} }}, {{ done: true }})")
    assert stage.ask("s.handles[1].x") == slopes.handles[1].x  # needs Python
    linked = read_handles(dict(parse_qsl(urlsplit(stage.link).query))["points"])
    assert linked == (slopes.handles[0], moved, *slopes.handles[2:])
    observed = [h.value for h in slopes.handles] + [h.slope or 0.0 for h in slopes.handles]
    observed[1] = 2.0
    np.testing.assert_allclose(main(stage), slopes.responses[0].matrix @ observed, atol=1e-4)


def test_pictures_of_fitted_estimators(offline):
    """In a notebook's frame; and a regression."""
    data = datasets.load("half_moons", n_samples=200, random_state=0)
    y = np.where(data.labelled, data.y, -1)
    options = {"operator": "laplacian", "random_state": 0}
    model = LaplacianClassifier(**options).fit(data.X, y)
    picture = live(model, data.X, y, title='Half-moons & "more" <b>')
    frame = picture._repr_html_()
    assert re.fullmatch(r"<iframe srcdoc=\"[^\"]*\" [^<>]*></iframe>", frame)
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == picture.html
    page = offline(picture.html).page.context.new_page()
    page.set_content(f"<!doctype html><p>A notebook</p>{frame}")
    stage = Saved(page.frames[1], "saved")
    assert page.frames[1].locator("h1").inner_text() == 'Half-moons & "more" <b>'
    refitted = LaplacianClassifier(**options, lam=0.02).fit(data.X, y)
    assert_close(stage.at(0.02)[0], refitted.decision_function(picture.scene.grid.sites()))

    y = np.sin(3 * data.X[:, 0]) + data.X[:, 1] + 5
    y[40:] = np.nan
    picture = live(LaplacianRegressor(lam=1e-3, random_state=0).fit(data.X, y), data.X, y)
    stage, sites = offline(picture.html), picture.scene.grid.sites()
    for lam in (1e-3, 1.0):
        exact = LaplacianRegressor(lam=lam, random_state=0).fit(data.X, y).predict(sites)
        assert_close(stage.at(lam)[0], exact)


def test_lambda_is_offered_where_a_panel_that_answers_depends_on_it(offline):
    """Of Poisson learning with passes only the passes do, and those need Python."""
    data = datasets.load("half_moons", n_samples=200, random_state=0)
    y = np.where(data.labelled, data.y, -1)
    options = {"operator": "laplacian", "balance": "scale", "n_passes": 3, "random_state": 0}
    for data_term, offered in (("poisson", False), ("labelled", True)):
        model = LaplacianClassifier(data_term=data_term, **options).fit(data.X, y)
        stage = offline(live(model, data.X, y).html)
        assert stage.page.locator("input.lam").is_visible() == offered


def test_a_picture_has_the_requested_size(offline, settings):
    stage = offline(live_page(labels_view(settings).scene, title="A <title> & more"))
    page, files = stage.page, {}
    page.get_by_label("Save a picture (PNG or SVG)").click()
    for kind in ("png", "svg"):
        page.get_by_label("Format").select_option(kind)
        page.get_by_label("Size in pixels").select_option("own")
        page.get_by_label("Width in pixels").fill("1234")
        page.get_by_label("Height in pixels").fill("3")  # raised to the least height
        files[kind] = stage.saved("Save", f"lapviz-1234x200.{kind}")
    assert Image.open(io.BytesIO(files["png"])).size == (1234, 200)
    tree = ElementTree.fromstring(files["svg"])
    assert (tree.get("width"), tree.get("height")) == ("1234", "200")
    texts = [node.text for node in tree.iter(f"{SVG}text")]
    assert {"A <title> & more", "Kernel ridge", "Kernel Laplacian", "Graph Laplacian"} <= set(texts)
    assert len(list(tree.iter(f"{SVG}image"))) >= 3  # heat maps
    lines = [p for p in tree.iter(f"{SVG}path") if p.get("fill") == "none"]
    assert max(len(p.get("d")) for p in lines) > 1000  # level lines stay vectors


def test_a_colour_bar_is_left_out_where_it_would_cover_the_accuracy(offline):
    settings = presets.for_data("half_moons").change(n=200, p=50)
    stage = offline(live_page(labels_view(settings).scene))
    for height, bands in ((720, 3 * 40), (300, 0)):
        code = f"s.saver.render('svg', 1280, {height}).then((blob) => blob.text())"
        picture = stage.ask(code)
        assert len(re.findall(r">[\d.]+\s%<", picture)) == 3
        assert picture.count("v8h") == bands


def test_a_saved_picture_names_every_class(offline):
    rng, names = np.random.default_rng(0), [f"species number {k:02d}" for k in range(11)]
    names = np.array([*names, "the last one, of which the name is very much longer " * 4])
    y = np.arange(120) % 12
    X = rng.normal(size=(120, 2)) * 0.1 + np.column_stack([y % 4, y // 4])
    labels = np.where(np.arange(120) < 24, names[y], "-1")
    picture = live(LaplacianClassifier(lam=0.1, random_state=0).fit(X, labels), X, labels)
    stage = offline(picture.html)
    stage.page.get_by_label("Save a picture (PNG or SVG)").click()
    stage.page.get_by_label("Format").select_option("svg")
    tree = ElementTree.fromstring(stage.saved("Save"))
    places = {node.text: float(node.get("y")) for node in tree.iter(f"{SVG}text")}
    assert {name.strip() for name in names} <= {str(text).strip() for text in places}
    assert max(places.values()) < float(tree.get("height"))


def test_curves_fill_their_picture_whatever_the_window(offline):
    content, pictures = live_page(regression_view(presets.for_story("stop")).scene), []
    for width in (390, 1280):
        stage = offline(content, viewport={"width": width, "height": 844})
        before = stage.ask("s.charts.outerHTML")
        pictures.append(stage.ask("s.saver.render('svg', 1280, 720).then((blob) => blob.text())"))
        stage.settle()
        assert stage.ask("s.charts.outerHTML") == before
    assert pictures[0] == pictures[1]
    frames = [clip[0] for clip in ElementTree.fromstring(pictures[0]).iter(f"{SVG}clipPath")]
    assert sum(float(frame.get("width")) for frame in frames) > 0.8 * 1280
    assert max(float(frame.get("height")) for frame in frames) > 0.75 * 720


@pytest.mark.parametrize("kind", ["plane", "curves"])
def test_axe_finds_nothing(offline, settings, kind):
    """In one theme, and then in the other."""
    view = labels_view(settings) if kind == "plane" else regression_view(presets.for_story("stop"))
    content = live_page(view.scene, LINK, title="Four circles", file_name="live.html")
    page = offline(content, bypass_csp=True).page
    page.get_by_text("Embed this page").click()
    page.get_by_label("Save a picture (PNG or SVG)").click()
    colours = {"runOnly": ["color-contrast", "link-in-text-block"]}
    for options in ({}, colours):
        violations = Axe().run(page, options=options).response["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in violations] == []
        page.keyboard.press("Escape")
        before = page.locator("#lapviz-theme").inner_text()
        page.locator("#lapviz-theme").click()
        changed = f"document.querySelector('#lapviz-theme').innerText !== {before!r}"
        page.wait_for_function(changed)
