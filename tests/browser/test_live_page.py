"""The saved page in Chromium, from file:// and without a network."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from bare_page import until

from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, datasets, live
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression.page import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets
from lapviz.figures import live_page

STAGE = "globalThis.__lapviz.stages.saved"
FIELDS = f"{STAGE}.panels.map((p) => p.field && Array.from(p.field.grid ?? p.field.points))"
LINK = "https://lapviz.example/labels?story=circles&p=200"
TOLERANCE = 5e-3  # of the largest value: that of the stage for modes in half precision


@pytest.fixture(scope="module")
def settings():
    return presets.for_story("circles").change(p=200)


@pytest.fixture
def offline(browser, tmp_path):
    """``offline(page bytes) -> page``; any request or error fails the test."""
    contexts, wrong = [], []

    def opened(content, **options):
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        inside = ("file:", "blob:", "data:", "about:")
        page.on("request", lambda r: r.url.startswith(inside) or wrong.append(r.url))
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_bytes(content)
        page.goto(file.as_uri())
        until(page, "globalThis.__lapviz?.stages.saved?.board.place")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def at_rest(page):
    until(
        page,
        f"!{STAGE}.board.pending && !{STAGE}.board.moving && !{STAGE}.holding"
        f" && !{STAGE}.channel.unsent",
    )


def close(found, exact):
    scale = np.abs(exact).max()
    np.testing.assert_allclose(found, np.ravel(exact), atol=TOLERANCE * scale)


def test_a_drag_of_lambda_repaints_and_the_numbers_are_pythons(offline, settings):
    page = offline(live_page(labels_view(settings).scene, LINK))
    box = page.locator(".lam").bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    before = page.evaluate("__lapviz.paints")
    for i in range(30):
        page.mouse.move(box["x"] + (0.3 + 0.01 * i) * box["width"], box["y"] + box["height"] / 2)
        page.evaluate("new Promise((next) => requestAnimationFrame(next))")
    assert page.evaluate("__lapviz.paints") - before >= 15
    page.mouse.up()
    at_rest(page)
    dragged = page.evaluate(f"{STAGE}.lam")
    assert dragged != settings.estimate.lam
    for name in ("tikhonov", "heat", "cutoff"):
        page.locator('select[aria-label="Filter"]').select_option(name)
        for lam in (dragged, 1e-3, 40.0):
            page.evaluate(f"{STAGE}.setLam({lam!r}, true)")
            at_rest(page)
            exact = labels_view(settings.change(lam=lam, filter=name)).scene
            ridge, laplacian, graph = page.evaluate(FIELDS)
            close(ridge, exact.panels[0].grid)
            close(laplacian, exact.panels[1].grid)
            close(graph, exact.panels[2].grid)


def test_a_click_labels_and_what_only_python_knows_says_so(offline, settings):
    page = offline(live_page(labels_view(settings).scene, LINK))
    count = f"{STAGE}.labels.length"
    assert page.evaluate(count) == 4
    waits = page.locator(".wait")
    assert [waits.nth(i).is_visible() for i in range(3)] == [False] * 3
    before = page.evaluate(FIELDS)
    x, y = page.evaluate(
        f"(() => {{ const s = {STAGE}; const p = s.scene.points.xy;"
        "return s.view.toPixel(p[2000], p[2001], s.board.place.box); })()"
    )
    box = page.locator(".plots canvas.over").nth(1).bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)
    at_rest(page)
    assert page.evaluate(count) == 5
    after = page.evaluate(FIELDS)
    assert before[0] != after[0]
    assert before[1] != after[1]
    assert before[2] == after[2]
    waits.nth(2).wait_for()  # it is shown a moment late
    assert waits.nth(2).inner_text() == "needs Python"
    assert [waits.nth(i).is_visible() for i in range(3)] == [False, False, True]
    page.mouse.click(box["x"] + x, box["y"] + y)  # and takes it away
    at_rest(page)
    assert page.evaluate(count) == 4
    page.mouse.move(0, 0)
    page.locator("#lapviz-link").hover()
    assert page.locator("#lapviz-link").get_attribute("href") == LINK
    page.keyboard.press("Tab")
    page.locator(".plots").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    at_rest(page)
    assert page.evaluate(count) in (3, 5)  # a point that was labelled loses its label
    page.locator("#lapviz-link").focus()
    assert "labels=" in page.locator("#lapviz-link").get_attribute("href")


def test_the_link_reads_back_as_what_is_on_screen(offline, settings):
    from urllib.parse import parse_qsl, urlsplit

    from lapviz.explorer.settings.fields import from_query

    page = offline(live_page(labels_view(settings).scene, LINK))
    page.evaluate(f"{STAGE}.setLam(0.25, true)")
    page.evaluate(f"{STAGE}.setFilter('heat')")
    page.evaluate(
        f"{STAGE}.edit({{ labels: [{{ x: 1.5, y: -2.25, index: -1, code: 1, others: [] }},"
        "{ x: 0, y: 0, index: 12, code: 0, others: [1] }], did: 'labelled' })"
    )
    page.locator("#lapviz-link").focus()
    query = dict(parse_qsl(urlsplit(page.locator("#lapviz-link").get_attribute("href")).query))
    read, complaints = from_query(query, settings)
    assert not complaints
    assert (read.estimate.lam, read.estimate.filter) == (0.25, "heat")
    assert [(m.index, m.candidates) for m in read.labels.chosen] == [(-1, (1,)), (12, (0, 1))]
    assert (read.labels.chosen[0].x, read.labels.chosen[0].y) == (1.5, -2.25)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_until_it_is_chosen(offline, settings, scheme):
    page = offline(live_page(labels_view(settings).scene), color_scheme=scheme)
    theme = f"{STAGE}.board.root.dataset.theme"
    assert page.evaluate(theme) == scheme
    page.locator("#lapviz-theme").click()
    until(page, f"{theme} !== {scheme!r}")
    assert page.locator("#lapviz-theme").inner_text().lower() == scheme


def test_the_theme_follows_the_page_around_it(offline, settings):
    page = offline(live_page(labels_view(settings).scene), color_scheme="light")
    theme = f"{STAGE}.board.root.dataset.theme"
    page.evaluate("postMessage({ lapvizTheme: 'dark' }, '*')")
    until(page, f"{theme} === 'dark'")
    assert page.locator("#lapviz-theme").inner_text() == "Light"
    page.evaluate("postMessage({ lapvizTheme: 'purple' }, '*'); postMessage(null, '*')")
    page.evaluate("postMessage({ lapvizTheme: 'light' }, '*')")
    until(page, f"{theme} === 'light'")


def test_no_lambda_where_nothing_follows_it(offline):
    X = np.random.default_rng(0).normal(size=(200, 2))
    page = offline(live(GalerkinEmbedding(random_state=0).fit(X), X).html.encode())
    assert page.evaluate(f"{STAGE}.panels.length") > 1
    assert not page.locator(".lams").is_visible()
    assert not page.locator(".filter").is_visible()


def test_on_a_phone_nothing_is_wider_than_the_screen(offline, settings):
    page = offline(
        live_page(labels_view(settings).scene, LINK), viewport={"width": 390, "height": 844}
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".tabs").is_visible()


def test_eigenfunctions_and_curves_open_and_answer(offline):
    page = offline(live_page(eigen_view(presets.for_data("half_moons").change(n=500)).scene))
    assert page.evaluate(f"{STAGE}.panels.length") == 16
    assert not page.locator(".lams").is_visible()  # nothing here could follow λ
    page.locator(".grow").nth(3).click()
    until(page, f"{STAGE}.enlarged === 3")
    stop = regression_view(presets.for_story("stop")).scene
    page = offline(live_page(stop))
    exact = stop.shown.curves
    page.evaluate(f"{STAGE}.setStep(9, true)")
    shown = page.evaluate(f"Array.from({STAGE}.curves.find((c) => c.role === 'main').values)")
    np.testing.assert_allclose(shown, exact[9], atol=1e-3 * np.abs(exact[9]).max())
    slopes = regression_view(presets.for_story("slopes")).scene
    page = offline(live_page(slopes))
    moved = replace(slopes.handles[1], value=2.0)
    page.evaluate(f"{STAGE}.setHandle(1, {{ x: 0.9, value: 2, slope: {moved.slope} }}, true)")
    assert page.evaluate(f"{STAGE}.handles[1].x") == slopes.handles[1].x  # needs Python
    given = [h.value for h in slopes.handles], [h.slope or 0.0 for h in slopes.handles]
    given[0][1] = 2.0
    expected = slopes.responses[0].matrix @ np.concatenate(given)
    shown = page.evaluate(f"Array.from({STAGE}.curves[0].values)")
    np.testing.assert_allclose(shown, expected, atol=1e-4)


def test_a_notebook_shows_it_in_a_frame(offline):
    data = datasets.load("half_moons", n_samples=200, random_state=0)
    y = np.where(data.labelled, data.y, -1)
    model = LaplacianClassifier(operator="laplacian", random_state=0).fit(data.X, y)
    picture = live(model, data.X, y, title='Half-moons & "more" <b>')
    frame = picture._repr_html_()
    assert re.fullmatch(r"<iframe srcdoc=\"[^\"]*\" [^<>]*></iframe>", frame)
    inside = re.search(r'srcdoc="([^"]*)"', frame)[1]
    assert html.unescape(inside) == picture.html
    context = offline(picture.html.encode()).context
    page = context.new_page()
    page.set_content(f"<!doctype html><p>A notebook</p>{frame}")
    shown = page.frames[1]
    until(shown, "globalThis.__lapviz?.stages.saved?.board.place")
    assert shown.locator("h1").inner_text() == 'Half-moons & "more" <b>'
    shown.evaluate(f"{STAGE}.setLam(0.02, true)")
    until(shown, f"!{STAGE}.board.pending && !{STAGE}.board.moving")
    other = LaplacianClassifier(operator="laplacian", random_state=0, lam=0.02).fit(data.X, y)
    grid = picture.scene.grid
    close(shown.evaluate(FIELDS)[0], other.decision_function(grid.sites()))


def test_values_move_with_lambda_as_python_has_them(offline):
    data = datasets.load("half_moons", n_samples=300, random_state=0)
    y = np.sin(3 * data.X[:, 0]) + data.X[:, 1] + 5
    y[40:] = np.nan
    model = LaplacianRegressor(lam=1e-3, random_state=0).fit(data.X, y)
    picture = live(model, data.X, y)
    page = offline(picture.html.encode())
    sites = picture.scene.grid.sites()
    for lam in (1e-3, 0.03, 1.0):
        page.evaluate(f"{STAGE}.setLam({lam}, true)")
        at_rest(page)
        exact = LaplacianRegressor(lam=lam, random_state=0).fit(data.X, y).predict(sites)
        close(page.evaluate(FIELDS)[0], exact)


def test_points_alone_where_there_is_no_plane(offline):
    data = datasets.load("digits", n_samples=300, random_state=0)
    model = GalerkinEmbedding(n_components=4, random_state=0).fit(data.X)
    picture = live(model, data.X)
    assert picture.scene.grid is None
    page = offline(picture.html.encode())
    shown = np.array(page.evaluate(FIELDS))
    np.testing.assert_allclose(shown, model.transform(data.X).T, atol=1e-5)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_has_the_size_that_was_asked_for(offline, settings, tmp_path, kind):
    page = offline(live_page(labels_view(settings).scene, title="A <title> & more"))
    page.get_by_label("Save a picture (PNG or SVG)").click()
    page.get_by_label("Format").select_option(kind)
    page.get_by_label("Size in pixels").select_option("own")
    page.get_by_label("Width in pixels").fill("1234")
    page.get_by_label("Height in pixels").fill("3")  # too small: the least is taken
    with page.expect_download() as got:
        page.get_by_role("button", name="Save", exact=True).click()
    file = tmp_path / got.value.suggested_filename
    got.value.save_as(file)
    assert file.name == f"lapviz-1234x200.{kind}"
    if kind == "png":
        from PIL import Image

        assert Image.open(file).size == (1234, 200)
        return
    from xml.etree import ElementTree

    tree = ElementTree.parse(file).getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert (tree.get("width"), tree.get("height")) == ("1234", "200")
    texts = [node.text for node in tree.iter(f"{name}text")]
    assert {"Kernel ridge", "Kernel Laplacian", "Graph Laplacian"} <= set(texts)
    assert len(list(tree.iter(f"{name}image"))) >= 3  # heat maps
    lines = [p for p in tree.iter(f"{name}path") if p.get("fill") == "none"]
    assert max(len(p.get("d")) for p in lines) > 1000  # level lines stay vectors


@pytest.mark.parametrize(("kind", "scheme"), [("plane", "light"), ("curves", "dark")])
def test_axe_finds_nothing(offline, settings, kind, scheme):
    """In one theme, and then in the other."""
    from axe_playwright_python.sync_playwright import Axe

    if kind == "plane":
        scene = labels_view(settings).scene
    else:
        scene = regression_view(presets.for_story("stop")).scene
    content = live_page(scene, LINK, title="Four circles", file_name="live.html")
    page = offline(content, color_scheme=scheme, bypass_csp=True)
    page.get_by_text("Embed this page").click()
    page.get_by_label("Save a picture (PNG or SVG)").click()
    colours = {"runOnly": ["color-contrast", "link-in-text-block"]}
    for options in ({}, colours):
        found = Axe().run(page, options=options).response["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in found] == []
        page.keyboard.press("Escape")
        before = page.locator("#lapviz-theme").inner_text()
        page.locator("#lapviz-theme").click()
        until(page, f"document.querySelector('#lapviz-theme').innerText !== {before!r}")
