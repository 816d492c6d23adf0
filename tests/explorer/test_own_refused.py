"""Files that cannot be used: a sentence for each, and what was read of them is kept."""

import gzip
import io
from dataclasses import replace

import numpy as np
import pytest
from page_tests import opened
from PIL import Image

from lapviz.explorer.compute import own_table
from lapviz.explorer.host.store import STORE
from lapviz.explorer.host.visitors import Visitor


def picture(kind):
    file = io.BytesIO()
    Image.fromarray(np.zeros((9, 9, 3), np.uint8)).save(file, kind)
    return file.getvalue()


def told(app):
    return [error.value.replace("\\", "") for error in app.error]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "name", "raw", "sentence"),
    [
        ("table", "a.xlsx", b"PK\3\4" + b"[Content_Types].xml", "This is an Excel file"),
        ("table", "a.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0), "This is a gzip file"),
        ("table", "a.jsonl", b'{"a": 1}\n{"a": 2}\n', "This is a JSON file"),
        ("picture", "a.webp", picture("WEBP"), "This is no PNG or JPEG file"),
        ("picture", "a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is no PNG or"),
    ],
)
def test_a_refused_file_is_taken_and_answered_with_a_sentence(part, name, raw, sentence):
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
    assert thing.info.name == own_table.UNUSED, "no other page shows it"
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
