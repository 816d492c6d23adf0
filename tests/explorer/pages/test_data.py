"""Your data: files that cannot be used get a sentence, and labels by hand come back."""

from dataclasses import replace

import numpy as np
import pytest
from page_tests import opened

from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.host.visitors import Visitor
from lapviz.explorer.pages.data import labels
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out
from lapviz.explorer.stories import presets
from lapviz.labels import Label

# ---- files that are refused ----------------------------------------------------------------------


def told(app):
    return [error.value.replace("\\", "") for error in app.error]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "name", "raw", "sentence"),
    [
        ("table", "a.xlsx", b"PK\3\4" + b"[Content_Types].xml", "This is an Excel file"),
        ("picture", "a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is no PNG or"),
    ],
)
def test_a_refused_file_is_taken_and_answered_with_a_sentence(part, name, raw, sentence):
    """What is refused, and how: tests/tables/test_broken_files.py, tests/pictures."""
    app = opened("data", part=part)
    (uploader,) = app.file_uploader
    assert not uploader.allowed_type, "the browser refuses no file, with an icon only"
    uploader.upload(name, raw)
    for _ in range(20):
        app.run()
        if app.error:
            break
    assert any(sentence in text for text in told(app))


TEXTS = "id,remark\n" + "".join(f"A{k},a long remark of number {k}\n" for k in range(300))


def test_a_table_of_texts_is_kept_and_told_what_to_do():
    app = opened("data")
    app.session_state["lapviz_raw"] = {"file": (TEXTS.encode(), "remarks.csv")}
    for _ in range(20):
        app.run()
        if app.header:
            break
    assert not app.exception
    assert [header.value for header in app.header] == [r"remarks\.csv"]
    assert any("turn them into vectors first" in text for text in told(app))
    visitor = app.session_state["lapviz_visitor"]
    (thing,) = STORE.owned(visitor).values()
    assert thing.info is None, "no other page shows it"
    assert thing.table.n_rows == 300


def test_a_kept_table_is_used_once_its_columns_can_be():
    lines = [line + "," + ("species" if not k else "uv"[k % 2]) for k, line in
             enumerate(TEXTS.splitlines())]  # fmt: skip
    thing = own_table.read("\n".join(lines).encode(), "remarks.csv")
    assert "vectors first" in thing.why
    assert thing.asked.label == "species"
    visitor = Visitor("a session")
    token = STORE.add(visitor, thing)
    made = own_table.again(token, replace(thing.asked, features=("species",), label=None), ())
    token = STORE.add(visitor, made, token)
    assert list(STORE.owned(visitor)) == [token]
    assert made.info.name == "table"
    visitor.forget()


# ---- labels by hand ------------------------------------------------------------------------------


def people(rows=300, label=True, weights=False):
    rng = np.random.default_rng(0)
    lines = ["id,a,b,c,=agrees" + ",weight" * weights]
    for i, x in enumerate(rng.standard_normal((rows, 3))):
        cell = ["=No", "yes", "", ""][i % 4] if label else ""
        more = f",{i % 3}" if weights else ""
        lines.append(f"P{i + 100},{x[0]:.3f},{x[1]:.3f},{x[2]:.3f},{cell}{more}")
    return "\n".join(lines).encode()


def visit(visitor, raw, **roles):
    table = own_table.read(raw, "people.csv").table
    asked = table.roles.__class__(("a", "b", "c"), **roles)
    thing = OwnTable(table, table.prepare(asked), asked, ("maybe",))
    return thing, presets.for_spec(DataSpec("table", source=STORE.add(visitor, thing)))


@pytest.mark.parametrize("n", [300, 200])
def test_the_file_puts_the_labels_in_force_again(visitor, monkeypatch, n):
    monkeypatch.setattr(own_table, "USUAL", 200)
    roles = {"label": "=agrees", "weight": "weight"}
    _, settings = visit(visitor, people(weights=True), **roles)
    marks = (Label(7, 1), Label(30, 0), Label(120, 2))
    settings = settings.change(n=n, marks=marks)
    out = own_out.labels(settings.data, own_out.marks_of(settings.data, settings))

    later = Visitor("another session")
    thing, fresh = visit(later, people(weights=True), **roles)
    found = labels.read(out, "people-labels.csv", thing.table.n_rows)
    assert sorted(found.values()) == sorted(["yes", "'=No", "maybe"])
    assert not labels.further(thing, found)
    placed, lost = labels.placed(thing, fresh, found)
    assert lost == 0
    before = sorted(own_out.marks_of(settings.data, settings))
    assert sorted(own_out.marks_of(placed.data, placed)) == before


def test_classes_that_went_with_the_visit_come_back(visitor):
    thing, settings = visit(visitor, people(label=False))
    thing = own_table.again(settings.data.source, thing.asked, ())
    found = labels.read(b"row,label by hand\n2,spam\n1,\n9,ham\n", "labels.csv", 300)
    assert found == {1: "spam", 8: "ham"}, "rows are counted from 1"
    new = labels.further(thing, found)
    assert new == ("spam", "ham")
    assert own_table.again(settings.data.source, thing.asked, new).classes == new


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"row,b\n1,u\n2,v\n", "This is no file of labels"),
        (b"row,label by hand\n1,\n2,\n", "No row of this file has a label by hand"),
        (b"row,label by hand\n0,u\n2,v\n", "row 0, and the table 300 rows"),
        (b"row,label by hand\n1,u\n301,v\n", "row 301, and the table 300 rows"),
        (b"row,label by hand\n,u\n2,v\n", "rows without a number"),
    ],
)
def test_another_file_is_told_apart(raw, sentence):
    with pytest.raises(ValueError, match=sentence):
        labels.read(raw, "labels.csv", 300)
