"""Settings from the data, by hand: one control for all, and "auto" beside each number."""

from __future__ import annotations

from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer.compute import fits
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import AUTO, CHOOSABLE

ROOT = Path(__file__).parents[2]
LAM = "λ, weight of the Dirichlet energy"


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    explorer = Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    explorer.page.set_default_timeout(90_000)  # a machine may be busy
    yield explorer
    context.close()


def agree(explorer: Explorer) -> None:
    """The stage shows what the library computes with these settings."""
    explorer.rest()
    wanted = labels_view(explorer.settings).scene
    assert explorer.stage("s.scene.lam") == pytest.approx(wanted.lam)
    for i, panel in enumerate(wanted.panels[:2]):
        shown = explorer.stage(f"Array.from(s.panels[{i}].field.points)")
        assert shown == pytest.approx(panel.points.ravel().tolist(), abs=1e-5)


def test_lambda_is_chosen_and_taken_over_and_chosen_again(explorer):
    explorer.open("labels", data="wine")
    assert set(CHOOSABLE) == set(explorer.settings.automatic(CHOOSABLE))
    agree(explorer)
    chosen = fits.for_labels(explorer.settings).estimate.lam
    assert float(explorer.field(LAM).input_value()) == pytest.approx(chosen, rel=5e-3)
    explorer.automatic(LAM)  # off: the number stays
    explorer.until_not("lam", None)
    assert explorer.settings.estimate.lam == pytest.approx(chosen, rel=1e-3)
    explorer.slider(LAM).press("ArrowRight")
    explorer.until_not("lam", explorer.query["lam"])
    assert explorer.settings.estimate.lam > 1.01 * chosen
    agree(explorer)
    explorer.type(LAM, "auto")
    explorer.until("lam", None)
    assert explorer.settings.estimate.lam == AUTO
    agree(explorer)
    assert not explorer.complaints


def test_one_control_for_all_settings(explorer):
    explorer.open("labels", data="half_moons", n=400)
    page = explorer.page
    page.get_by_role("radio", name="From data").click()
    explorer.until("lam", "auto")
    assert set(CHOOSABLE) == set(explorer.settings.automatic(CHOOSABLE))
    assert "passes" in page.locator(".panel").nth(1).inner_text()
    agree(explorer)
    explorer.unfold("What was chosen from the data, and why")
    report = labels_view(explorer.settings).settings.chosen.report
    said = page.get_by_test_id("stExpander").filter(has_text="What was chosen").inner_text()
    for choice in report:
        assert choice.name in said
        assert choice.reason in said
    page.get_by_role("radio", name="Paper’s").click()
    explorer.until("lam", None)
    assert explorer.query == {"data": "half_moons", "n": "400"}
    agree(explorer)


def test_without_passes_the_browser_follows_lambda_and_fades_alike(explorer):
    """Balanced scores fall off the data, in the browser as in Python."""
    auto = dict.fromkeys(("sigma", "p", "operator", "mu", "lam", "balance"), AUTO)
    explorer.open("labels", data="half_moons", n=400, passes=0, **auto)
    agree(explorer)
    local = explorer.stage(
        """(() => {
          const { grid, points, models } = s.scene, cells = grid.x[2] * grid.y[2];
          const out = { grid: new Float64Array(cells), points: new Float64Array(points.count) };
          models[1].inner.evaluate({ ...s.settings, lam: 2 }, out);
          return Array.from(out.grid);
        })()"""
    )
    wanted = labels_view(explorer.settings.change(lam=2.0)).scene.panels[1].grid
    assert local == pytest.approx(wanted.ravel().tolist(), abs=5e-3)


def test_what_is_typed_while_another_page_opens_is_not_lost(explorer):
    """The link is followed, and σ typed into the page that is still there."""
    explorer.open("labels", data="half_moons", n=300, p=50, sigma=0.3)
    box = explorer.field("Width σ")
    box.focus()
    box.evaluate("""(box) => {
      const links = [...document.querySelectorAll("a")];
      links.find((link) => link.innerText.includes("Eigenfunctions")).click();
      box.value = "0.4";
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    }""")
    explorer.page.wait_for_url("**/eigenfunctions**")
    explorer.until("sigma", "0.4")
    assert float(explorer.field("Width σ").input_value()) == 0.4
    assert not explorer.complaints
