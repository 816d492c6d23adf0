"""The page Eigenfunctions: it shows what the library computes, by every method."""

import re

from lapviz.explorer.pages.eigenfunctions.steps import compare_with_truth
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.stories import presets

SMALL = {"data": "square", "n": 300, "p": 60}
BASE = presets.for_data("square").change(n=300, p=60)


def captions(explorer) -> list[tuple[str, str]]:
    return [tuple(p) for p in explorer.ask("s.scene.panels.map((p) => [p.title, p.subtitle])")]


def expected(view) -> list[tuple[str, str]]:
    return [(p.title, p.subtitle) for p in view.scene.panels]


def test_another_method_alone_and_beside_the_learnt_one(explorer):
    """All of them in scripts: tests/explorer/share/test_recipes.py. Angles and landmarks, too."""
    explorer.open("eigenfunctions", **SMALL)
    for beside in (False, True):
        if beside:
            explorer.tick("Beside the learnt ones").until("beside", "1")
        else:
            explorer.choose("Eigenfunctions of", "Diffusion maps").until("show", "diffusion")
        view = eigen_view(BASE.change(show="diffusion", beside=beside))
        assert captions(explorer) == expected(view)
        assert ("paired with the other method" in explorer.text) == beside
    explorer.choose("Eigenfunctions of", "Learnt operator").until("show", None)
    assert captions(explorer) == expected(eigen_view(BASE))

    explorer.tick("Compare with the truth").until("angles", "1")
    table = explorer.page.locator("table")
    table.wait_for()
    cells = table.evaluate(
        "t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText))"
    )
    for row, method in zip(cells, compare_with_truth(BASE).methods, strict=True):
        angles = [f"{angle:.1f}°" for angle in method.angles[1:]]
        assert row == [method.method, f"{method.error:.3f}", *angles]
    image = "s.panels[5].base.toDataURL().length"
    before = explorer.ask(image)
    explorer.tick("Show landmarks").until("centres", "1")
    assert explorer.ask(image) != before
    explorer.open("eigenfunctions", data="iris", angles=1)
    explorer.page.get_by_text("the spectrum is not").last.wait_for()


def test_the_network_trains_and_stops_or_says_how_to_get_it(explorer):
    explorer.open("eigenfunctions", **SMALL, show="neural", beside=1, batches=20_000)
    page = explorer.page
    page.get_by_text(re.compile("pip install|batches")).first.wait_for()
    if page.get_by_text('pip install "lapviz-explorer[neural]"').count():
        assert captions(explorer) == expected(eigen_view(BASE))  # the learnt ones are shown instead
        return
    loss = page.get_by_alt_text("The loss of the network")
    loss.or_(page.locator(".js-plotly-plot")).first.wait_for()
    explorer.push("Stop", exact=True).wait("s.scene.panels[1].title.endsWith('Neural network')")
    explorer.settle().unfold("Training of the network")
    report = page.get_by_text("stopped by hand").inner_text()
    assert int(re.match(r"([\d,]+) batches", report)[1].replace(",", "")) < 20_000


def test_the_constant_is_shown_as_constant_also_far_from_the_data(explorer):
    """It does not fade there as the others do; the scale and the note name it constant.

    Functions have no reasons, as classes have.
    """
    explorer.open("eigenfunctions", data="half_moons", n=300, p=50)
    assert explorer.ask("s.panels.slice(0, 3).map((p) => p.field.constant)") == [True, False, False]
    assert explorer.ask("s.panels[0].head.scale.dataset.constant") == "constant"
    picture = explorer.ask("s.saver.render('svg', 1280, 720).then((blob) => blob.text())")
    assert picture.count(">constant<") == 1
    colours = """(() => { const { base } = s.panels[0]; const c = base.getContext("2d");
      const { box } = s.board.place, r = base.width / s.board.place.size.width;
      return [[.03, .03], [.97, .97], [.03, .97]].map(([x, y]) =>
        c.getImageData(r * (box.x + x * box.w), r * (box.y + y * box.h), 1, 1).data.join()); })()"""
    assert len(set(explorer.ask(colours))) == 1
    explorer.page.mouse.move(*explorer.spot(0.0, 0.0, 0))
    explorer.page.locator(".tip", has_text="the same everywhere").wait_for()
    assert explorer.ask("s.panels.every((panel) => panel.reasons.length === 0)")
