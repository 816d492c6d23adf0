"""The Lab in Chromium: run, cancel, leave and come back, take away, links, phone, dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.experiments import records

ROOT = Path(__file__).parents[2]
QUICK = {"experiment": "landmarks", "trials": 2, "counts": "20,40", "n": 300}
LONG = {"experiment": "landmarks", "trials": 60, "counts": "50,100,150,200", "n": 1500}


@pytest.fixture
def root(app) -> str:
    return app(ROOT / "app.py").partition("/?")[0]


@pytest.fixture
def explorer(page, root):
    """A tab; after the test no error may stand on the page or in the console."""
    tab = Explorer(page, root)
    page.set_default_timeout(30_000)
    yield tab
    tab.fine()


def press(explorer: Explorer, name: str) -> None:
    explorer.page.get_by_role("button", name=name, exact=True).click()


def figure(explorer: Explorer):
    return explorer.page.locator(".js-plotly-plot").last  # a new one comes before the old one goes


def test_run_and_take_away(explorer, tmp_path):
    explorer.open("lab", **QUICK)
    press(explorer, "Run")
    figure(explorer).wait_for(timeout=60_000)
    explorer.page.get_by_text("seed 0").wait_for()
    explorer.page.get_by_role("button", name="Cancel", exact=True).wait_for(
        state="detached", timeout=60_000
    )
    explorer.rest()
    for name, suffix in (("CSV", ".csv"), ("Parquet", ".parquet")):
        with explorer.page.expect_download() as download:
            press(explorer, name)
        path = tmp_path / f"rows{suffix}"
        download.value.save_as(path)
        found = records.read(path)
        assert found.complete
        assert found.config.counts == (20, 40)
        assert len(found.rows) == 2 * 2 * 4
    with explorer.page.expect_download() as download:
        press(explorer, "Figure (HTML)")
    download.value.save_as(tmp_path / "figure.html")
    page = (tmp_path / "figure.html").read_text("utf-8")
    assert "Plotly.newPlot" in page
    assert "2 trials, seed 0" in page
    explorer.page.get_by_role("radio", name="SVG").click()
    explorer.rest()
    figure(explorer).hover()
    with explorer.page.expect_download() as download:
        explorer.page.locator(".modebar-btn[data-title^='Download plot']").last.click()
    download.value.save_as(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text("utf-8").startswith("<svg")
    assert "--set counts=20,40" in explorer.page.locator("code").first.inner_text()
    explorer.page.get_by_text("The numbers behind the figure").click()
    assert explorer.page.locator("table tr").count() == 1 + 2 * 4
    assert explorer.query == {k: str(v) for k, v in QUICK.items()}


def test_cancel_keeps_what_is_there_and_another_page_does_not_end_it(explorer):
    explorer.open("lab", **LONG)
    press(explorer, "Run")
    figure(explorer).wait_for(timeout=60_000)  # drawn while it runs
    explorer.page.get_by_role("link", name="Notes", exact=True).click()
    explorer.page.get_by_role("heading", name="Notes").first.wait_for()
    explorer.page.get_by_role("link", name="Lab", exact=True).click()
    explorer.page.get_by_text("of 240 tasks").first.wait_for()
    figure(explorer).wait_for()
    press(explorer, "Cancel")
    explorer.page.get_by_text("Cancelled after").wait_for(timeout=2000)
    explorer.rest()
    assert figure(explorer).is_visible()
    assert explorer.query["experiment"] == "landmarks"
    explorer.page.get_by_role("button", name="Go on").wait_for()


def test_it_opens_with_what_was_measured_or_says_what_run_does(explorer):
    explorer.open("lab")
    figure(explorer).wait_for()
    assert explorer.query["experiment"] == "gal23-fig3"
    assert "As measured on" in explorer.text
    assert "10 trials, seed 0." in explorer.text
    explorer.page.get_by_role("button", name="Run", exact=True).wait_for()
    explorer.open("lab", experiment="hermite-few")
    explorer.page.get_by_text("Run measures 5 trials in 20 tasks, about 1 s").wait_for()
    assert not figure(explorer).count()


def test_a_second_visitor_is_not_starved(explorer, browser, root):
    """One has a long run; the other's own run comes to its end, on a page that answers."""
    explorer.open("lab", **LONG, seed=7)
    press(explorer, "Run")
    explorer.page.get_by_text("of 240 tasks").first.wait_for()
    context = browser.new_context()
    second = Explorer(context.new_page(), root)
    second.open("lab", **QUICK, seed=8)
    press(second, "Run")
    second.page.get_by_text("seed 8").first.wait_for()
    second.page.get_by_role("button", name="Cancel", exact=True).wait_for(state="detached")
    second.page.get_by_role("link", name="Labels", exact=True).click()
    second.page.get_by_role("heading", name="Labels").first.wait_for()
    second.rest()
    second.fine()
    context.close()
    explorer.page.get_by_text("of 240 tasks").first.wait_for()  # it still goes on
    press(explorer, "Cancel")
    explorer.page.get_by_text("Cancelled after").wait_for(timeout=2000)


def test_nonsense_gets_a_sentence(explorer):
    explorer.open("lab", experiment="landmarks", trials="-3", counts="a,b", size="huge", figure="x")
    said = " ".join(explorer.warnings)
    for words in ("trials", "counts", "size", "figure"):
        assert words in said
    explorer.open("lab", experiment="<b>no</b>")
    assert "There is no experiment" in " ".join(explorer.warnings)


def test_the_papers_size_has_a_command_or_a_table(explorer):
    explorer.open("lab", experiment="landmarks", size="paper")
    assert "--size paper" in explorer.text
    assert not explorer.page.get_by_role("button", name="Run", exact=True).count()


def test_on_a_phone_in_the_dark(browser, root):
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    explorer = Explorer(context.new_page(), root)
    explorer.page.set_default_timeout(30_000)
    explorer.open("lab", **QUICK)
    if not figure(explorer).count():
        press(explorer, "Run")
    figure(explorer).wait_for(timeout=60_000)
    wide = explorer.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    explorer.rest()
    explorer.fine()
    context.close()
