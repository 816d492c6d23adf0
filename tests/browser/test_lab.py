"""The Lab: run, cancel, leave and come back, download, links, a second visitor, a phone."""

from itertools import count
from pathlib import Path

from lapviz.experiments import records

QUICK = {"experiment": "landmarks", "trials": 2, "counts": "20,40", "n": 300}
LONG = {"experiment": "landmarks", "trials": 60, "counts": "50,100,150,200", "n": 1500}
SEEDS = count(step=100)  # the server keeps finished tasks: a second attempt needs its own


def figure(explorer):
    return explorer.page.locator(".js-plotly-plot").last  # the old one may still be there


def figure_file(explorer, start: bytes) -> bytes:
    """The file of the figure's button, once it begins so: its format changes a moment later."""
    for _ in range(20):
        figure(explorer.settle()).hover()
        with explorer.page.expect_download() as download:
            explorer.page.locator(".modebar-btn[data-title^='Download plot']").last.click()
        file = Path(download.value.path()).read_bytes()
        if file.startswith(start):
            break
    return file


def run_to_the_end(explorer, seed: int) -> None:
    explorer.push("Run", exact=True)
    explorer.page.get_by_text(f"seed {seed}").first.wait_for()
    explorer.page.get_by_role("button", name="Cancel", exact=True).wait_for(state="detached")
    explorer.settle()


def test_links_and_the_downloads_of_a_run(explorer, tmp_path):
    page = explorer.open("lab").page
    figure(explorer).wait_for()
    assert explorer.query["experiment"] == "gal23-fig3"
    assert "As measured on" in explorer.text
    assert "10 trials, seed 0." in explorer.text
    explorer.open("lab", experiment="digits_graph")
    explorer.push("On images that were not in the fit", "radio").until("figure", "2")
    assert figure(explorer).locator(".trace").count() == 18  # beside a long legend
    explorer.open("lab", experiment="hermite-few")
    page.get_by_text("Run measures 5 trials in 20 tasks, about 1 s").wait_for()
    assert not figure(explorer).count()
    explorer.open("lab", experiment="landmarks", size="paper", figure="x")
    assert "--size paper" in explorer.text
    assert not page.get_by_role("button", name="Run", exact=True).count()
    (warning,) = explorer.warnings  # more of them: tests/explorer/pages/test_lab.py
    assert "figure" in warning

    explorer.open("lab", **QUICK)
    run_to_the_end(explorer, 0)
    for name, suffix in (("CSV", ".csv"), ("Parquet", ".parquet")):
        path = tmp_path / f"rows{suffix}"
        path.write_bytes(explorer.saved(name))
        results = records.read(path)
        assert results.complete
        assert results.config.counts == (20, 40)
        assert len(results.rows) == 2 * 2 * 4
    html = explorer.saved("Figure (HTML)").decode()
    assert "Plotly.newPlot" in html
    assert "2 trials, seed 0" in html
    page.get_by_role("radio", name="SVG").click()
    assert figure_file(explorer, b"<svg").startswith(b"<svg")
    assert "--set counts=20,40" in page.locator("code").first.inner_text()
    page.get_by_text("The numbers behind the figure").click()
    assert page.locator("table tr").count() == 1 + 2 * 4
    assert explorer.query == {k: str(v) for k, v in QUICK.items()}

    explorer.open("lab", **QUICK | {"trials": 1})  # every task is stored already
    explorer.push("Run", exact=True)
    figure(explorer).wait_for()
    assert not page.get_by_role("button", name="Run", exact=True).count()


def test_a_long_run_continues_on_other_pages_and_blocks_no_other_visitor(explorer, visitor):
    """A second visitor's run completes, on a phone in the dark theme."""
    page = explorer.open("lab", **LONG, seed=next(SEEDS)).page
    explorer.push("Run", exact=True)
    figure(explorer).wait_for()  # drawn while it runs
    explorer.choose("Experiment", "The dimension of data · dimension")
    page.get_by_text("Levina and Bickel").first.wait_for()
    page.get_by_role("button", name="Show it").click()
    page.get_by_text("Levina and Bickel").first.wait_for(state="detached")
    explorer.until("experiment", "landmarks")
    page.get_by_role("link", name="Notes", exact=True).click()
    page.get_by_role("heading", name="Notes").first.wait_for()
    page.get_by_role("link", name="Lab", exact=True).click()
    page.get_by_text("of 240 tasks").first.wait_for()
    figure(explorer).wait_for()

    second = visitor(viewport={"width": 390, "height": 800}, color_scheme="dark")
    second.open("lab", **QUICK, seed=8)
    run_to_the_end(second, 8)
    figure(second).wait_for()
    assert second.page.evaluate("document.documentElement.scrollWidth") <= 390

    page.get_by_text("of 240 tasks").first.wait_for()  # it still runs
    explorer.push("Cancel", exact=True)
    page.get_by_text("Cancelled after").wait_for()
    explorer.settle()
    assert figure(explorer).is_visible()
    assert explorer.query["experiment"] == "landmarks"
    page.get_by_role("button", name="Go on").wait_for()
