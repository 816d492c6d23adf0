"""The page Your data: a table uploaded, labelled, downloaded, and deleted with its session."""

import csv
import io
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from benchmarks.streamlit_server import serve

PENGUINS = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes()


def table(name: str, text: bytes) -> dict:
    return {"name": name, "mimeType": "text/csv", "buffer": text}


def upload(explorer, file: dict) -> None:
    explorer.open("data").page.locator("input[type=file]").first.set_input_files(file)


def open_labels(explorer) -> None:
    explorer.push("Label it").settle().page.wait_for_url(re.compile("/labels"))
    explorer.settle()


def rows_of(content: bytes) -> list[dict]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_upload_label_and_download(explorer, tmp_path, monkeypatch):
    page = explorer.open("data").push("Take the sample").settle().page
    page.get_by_role("row", name="Gentoo 124 124").wait_for()
    predictions, recipe = explorer.saved("Predictions"), explorer.saved("Recipe")
    monkeypatch.chdir(tmp_path)
    Path("penguins.csv").write_bytes(PENGUINS)
    exec(compile(recipe, "recipe", "exec"), {})  # the script writes the page's predictions
    assert Path("predictions.csv").read_bytes() == predictions

    open_labels(explorer)
    assert explorer.query["data"] == "table"
    before = explorer.labels
    _, x, y = explorer.isolated_point()
    page.mouse.click(*explorer.spot(x, y))
    explorer.wait(f"s.labels.length === {len(before) + 1}")
    explorer.settle().unfold("Take away")
    rows = rows_of(explorer.saved("Labels"))
    assert sum(row["label on the page"] != "" for row in rows) == len(before) + 1
    explorer.settle()
    explorer.tick("Predictions of the kernel Laplacian").settle()
    assert len(rows_of(explorer.saved("Predictions"))) == 344

    page.get_by_role("link", name="Your data").click()
    page.get_by_text("of them are those of the page “Labels”").wait_for()
    explorer.choose("Label column", "None").settle()
    page.get_by_text("A fit needs labelled rows").wait_for()
    explorer.choose("Label column", "species").settle()  # its labels are those set before
    page.get_by_text("of them are those of the page “Labels”").wait_for()
    page.get_by_role("button", name="Another table").click()  # asks: the labels are of new columns
    page.get_by_role("button", name="Forget table and labels").click()
    page.get_by_text("Bring a table").wait_for()
    page.get_by_role("link", name="Labels", exact=True).click()
    assert explorer.settle().query.get("data") != "table"


def people(rows=120) -> dict:
    rng = np.random.default_rng(0)
    lines = ["id,remark,a,b,c,agrees"]
    for i, x in enumerate(rng.standard_normal((rows, 3))):
        label = ["No", "yes"][i % 2] if i < 24 else ""
        lines.append(f"P{i + 100},said {i} things,{x[0]:.3f},{x[1]:.3f},{x[2]:.3f},{label}")
    return table("people.csv", "\n".join(lines).encode())


def test_labels_by_hand_survive_a_reload(explorer):
    page, dialogs = explorer.page, []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))

    def upload_people() -> None:
        upload(explorer, people())
        page.get_by_role("button", name="Label it").wait_for()
        explorer.settle()

    upload_people()
    open_labels(explorer)
    _, x, y = explorer.isolated_point()
    page.mouse.move(*explorer.spot(x, y))
    tip = page.locator(".tip:visible").first
    expect(tip).to_contain_text(re.compile(r"row (\d+), id P\d+.*remark: said \d+ things"))
    page.mouse.click(*explorer.spot(x, y))
    explorer.wait("s.labels.length === 25")
    assert "labels" not in explorer.settle().query, "they are those of the file"
    explorer.unfold("Take away")
    labels = table("labels.csv", explorer.saved("Labels"))
    explorer.settle()
    upload_people()
    assert not dialogs, "they are in a file"
    explorer.unfold("Bring labels back")
    page.locator("input[type=file]").last.set_input_files(labels)
    page.get_by_text("25 labels restored").wait_for()
    page.get_by_role("link", name="Labels", exact=True).click()
    page.wait_for_url(re.compile("/labels"))
    assert len(explorer.settle().labels) == 25
    page.mouse.click(*explorer.spot(x, y))
    explorer.wait("s.labels.length === 24")
    explorer.settle()
    page.reload()
    assert dialogs == ["beforeunload"]


def test_an_unusable_file_gets_a_message(explorer):
    """The browser itself refuses none, whatever its name."""
    upload(explorer, table("a.xlsx", b"PK\3\4" + b"[Content_Types].xml"))
    page = explorer.page
    page.get_by_test_id("stAlertContentError").get_by_text("This is an Excel file").wait_for()
    assert len(explorer.errors) == 1
    explorer.unfold("Paste a table")
    rows = "\n".join(f"{k}\t{k % 7}" for k in range(30))
    page.get_by_role("textbox").fill(f"a\tb\n{rows}")
    page.keyboard.press("Control+Enter")
    explorer.settle().push("Use it", exact=True).settle()
    expect(page.get_by_role("heading", name="pasted.csv")).to_be_visible()
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


@pytest.fixture
def place():
    """A server of “Your data” alone, whose sessions end a second after their visitor has left."""
    with serve(Path(__file__).with_name("data_app.py")) as address:
        yield address


def test_a_table_is_deleted_after_its_visitor_has_left(new_page, place):
    numbers = np.random.default_rng(0).standard_normal((10_000, 9))
    rows = [",".join(f"{x:.9f}" for x in row) for row in numbers]
    raw = "\n".join([",".join("abcdefghi"), *rows]).encode()
    assert len(raw) > 2**20, "larger than what Starlette itself keeps in memory"
    page, other = new_page(), new_page()
    page.goto(place)
    page.locator("input[type=file]").set_input_files(table("own.csv", raw))
    page.get_by_role("button", name="Eigenfunctions").wait_for(timeout=60_000)
    other.goto(f"{place}/?count=1")
    other.get_by_text("visitors: 1").wait_for()
    page.close()
    for _ in range(20):
        other.reload()
        other.get_by_text("visitors:").wait_for()
        if other.get_by_text("visitors: 0").count():
            break
        other.wait_for_timeout(500)
    expect(other.get_by_text("visitors: 0")).to_be_visible()
