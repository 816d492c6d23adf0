"""The Eigenfunctions page's methods in Chromium: what is shown is what the library computes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer.pages.eigenfunctions.bilinear import form_view
from lapviz.explorer.pages.eigenfunctions.truth import judge
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets.controls import entry

ROOT = Path(__file__).parents[2]
SMALL = {"data": "square", "n": 300, "p": 60}
BASE = presets.for_data("square").change(n=300, p=60)
TITLES = {"graph": "Graph Laplacian", "eigenmaps": "Laplacian eigenmaps",
          "diffusion": "Diffusion maps"}  # fmt: skip


@pytest.fixture
def explorer(page, app):
    tab = Explorer(page, app(ROOT / "app.py").partition("/?")[0])
    page.set_default_timeout(60_000)  # the first picture of a server, and larger computations
    yield tab
    tab.fine()


def captions(explorer: Explorer) -> list[tuple[str, str]]:
    return [tuple(p) for p in explorer.stage("s.scene.panels.map((p) => [p.title, p.subtitle])")]


def wanted(scene) -> list[tuple[str, str]]:
    return [(p.title, p.subtitle) for p in scene.panels]


def test_every_method_alone_and_beside_the_learnt_one(explorer):
    explorer.open("eigenfunctions", **SMALL)
    for show, title in TITLES.items():
        explorer.choose("Eigenfunctions of", title).until("show", show)
        assert captions(explorer) == wanted(eigen_view(BASE.change(show=show)).scene)
    explorer.tick("Beside the learnt ones").until("beside", "1")
    for show, title in [*TITLES.items()][::-1]:
        explorer.choose("Eigenfunctions of", title).until("show", show)
        assert captions(explorer) == wanted(eigen_view(BASE.change(show=show, beside=True)).scene)
        assert "paired with the other method" in explorer.text
    before = captions(explorer)
    explorer.page.goto(explorer.page.url)
    explorer.rest()
    assert captions(explorer) == before
    explorer.choose("Eigenfunctions of", "Learnt operator").until("show", None)
    assert captions(explorer) == wanted(eigen_view(BASE).scene)


def test_the_table_against_the_truth(explorer):
    explorer.open("eigenfunctions", **SMALL)
    explorer.tick("Compare with the truth").until("angles", "1")
    table = explorer.page.locator("table")
    table.wait_for()
    cells = table.evaluate(
        "t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText))"
    )
    found = judge(BASE)
    assert [row[0] for row in cells] == [row.method for row in found.methods]
    assert [row[1] for row in cells] == [f"{row.error:.3f}" for row in found.methods]
    for row, known in zip(cells, found.methods, strict=True):
        assert row[2:] == [f"{a:.1f}°" for a in known.angles[1:]]
    explorer.open("eigenfunctions", data="iris", angles=1)
    explorer.page.get_by_text("the spectrum is not").last.wait_for()


def test_landmarks_are_marked_and_waves_have_no_places(explorer):
    explorer.open("eigenfunctions", **SMALL)
    ink = "s.panels[5].base.toDataURL().length"
    plain = explorer.stage(ink)
    assert explorer.stage("s.scene.landmarks") is None
    explorer.tick("Show landmarks").until("centres", "1")
    assert explorer.stage("s.scene.landmarks.length") == 120
    places = explorer.stage("[...s.scene.landmarks]")
    known = eigen_view(BASE.change(centres=True)).scene.landmarks
    assert places == pytest.approx(known.ravel().tolist(), rel=1e-6)
    assert explorer.stage(ink) != plain
    for rule in ("Uniform", "k-means++", "Leverage scores"):
        explorer.choose("Landmarks", rule).rest()
        assert explorer.stage("s.scene.landmarks.length") == 120
        assert explorer.stage("[...s.scene.landmarks]") != places
    explorer.choose("Landmarks", "Random waves (Fourier)").until("landmarks", "fourier")
    assert explorer.stage("s.scene.landmarks") is None
    assert "Random waves have no places" in explorer.text


def test_bilinear_forms(explorer):
    explorer.open("eigenfunctions", data="circle", n=400, p=60, sigma=0.5)
    explorer.choose("Bilinear form", "Derivative d/dθ").until("form", "rotation")
    settings = presets.for_data("circle").change(n=400, p=60, sigma=0.5, form="rotation")
    assert captions(explorer) == wanted(form_view(settings).scene)
    assert "not symmetric" in explorer.text
    assert explorer.combobox("Gradient").count() == 0, "it plays no part here"
    explorer.open("eigenfunctions", data="gaussian", n=500, form="ornstein")
    settings = presets.for_data("gaussian").change(n=500, form="ornstein")
    assert captions(explorer) == wanted(form_view(settings).scene)
    explorer.choose("Data set", entry("wine")).until("data", "wine")
    assert explorer.query.get("form") is None
    assert explorer.combobox("Bilinear form").count() == 0


def test_invariances_of_digits_on_both_pages(explorer):
    small = {"data": "digits", "n": 300, "p": 100}
    explorer.open("eigenfunctions", **small)
    name = "Image shifts and turns"
    explorer.choose("Gradient", name).until("operator", "invariance")
    explorer.slider("Largest turn").press("ArrowRight")
    explorer.until_not("turn", None)
    settings = explorer.settings
    assert captions(explorer) == wanted(eigen_view(tidy(settings)).scene)
    explorer.page.get_by_role("link", name="Labels", exact=True).click()
    explorer.page.wait_for_url(re.compile("/labels"))
    explorer.rest()
    explorer.agree(settings)


def test_modes_on_single_points_are_called_that(explorer):
    explorer.open("eigenfunctions", data="wine", p=200, mu="floor")
    view = eigen_view(presets.for_data("wine").change(p=200, mu="floor"))
    assert view.lonely
    marked = [i for i, (_, words) in enumerate(captions(explorer)) if "lives on" in words]
    assert tuple(marked) == view.lonely
    sentence = explorer.page.get_by_text("a larger σ or μ")
    sentence.wait_for()
    explorer.open("eigenfunctions", data="wine", p=200, mu=0.01)
    assert not any("lives on" in words for _, words in captions(explorer))
    assert sentence.count() == 0


def test_the_network_trains_and_stops_or_says_how_to_get_it(explorer):
    explorer.open("eigenfunctions", **SMALL, show="neural", beside=1, batches=20_000)
    page = explorer.page
    page.get_by_text(re.compile("pip install|batches")).first.wait_for(timeout=60_000)
    if page.get_by_text('pip install "lapviz-explorer[neural]"').count():
        assert captions(explorer) == wanted(eigen_view(BASE).scene)  # the learnt ones meanwhile
        return
    stop = page.get_by_role("button", name="Stop", exact=True)
    page.wait_for_function(
        "[...document.querySelectorAll('button')].some(b => b.innerText === 'Stop' && !b.disabled)",
        timeout=60_000,
    )
    page.get_by_alt_text("The loss of the network").or_(
        page.locator(".js-plotly-plot")
    ).first.wait_for()
    stop.click()
    page.wait_for_function(
        "Object.values(window.__lapviz.stages)[0].scene.panels[1].title.endsWith('Neural network')",
        timeout=60_000,
    )
    explorer.rest()
    explorer.unfold("Training of the network")
    said = page.get_by_text("stopped by hand").inner_text()
    assert int(re.match(r"([\d,]+) batches", said)[1].replace(",", "")) < 20_000
