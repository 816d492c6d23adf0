"""Rows as shown to people, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

from lapviz import tables
from lapviz.tables import rows

# ---- rows ----------------------------------------------------------------------------------------


FILE = """\
length,smokes,id,note
1.5,yes,A7,"first,
 of all"
2.5,No,B2,
,,C9,%s
9,No,D4,last
8,yes,E1,more
7,yes,F2,still more
""" % ("long " * 300)


@pytest.fixture
def table():
    return tables.read(io.BytesIO(FILE.encode()), "notes.csv")


def test_name_and_texts_come_first(table):
    roles = table.roles
    assert rows.names(table, roles, [0, 4]) == ["row 1, id A7", "row 5, id E1"]
    assert [c.name for c in rows.in_order(table, roles)] == ["id", "note", "length", "smokes"]
    assert rows.notes(table, roles, [0])[0].split("\n") == [
        "row 1, id A7", "note: first, of all", "length: 1.5", "smokes: yes"
    ]  # fmt: skip
    assert dict(rows.cells(table, roles, 2))["note"].count("long") == 300
    assert dict(rows.cells(table, roles, 1)) == {"id": "B2", "length": "2.5", "smokes": "No"}


def test_a_column_that_is_used_does_not_name_the_rows(table):
    assert rows.names(table, table.roles.__class__(features=("id",)), [3])[0] == "row 4"


def test_notes_are_bounded(table, monkeypatch):
    (note,) = rows.notes(table, table.roles, [2])
    assert note.endswith("…")
    assert len(note) < 1.1 * rows.NOTE[1]
    monkeypatch.setattr(rows, "NOTES", 0)
    assert all(len(n) < 1.1 * rows.NOTE[0] for n in rows.notes(table, table.roles, range(6)))


# ---- CSV -----------------------------------------------------------------------------------------


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=cmd|" /C calc"!A0', "＝1"]


def test_formulas_are_escaped():
    for text in FORMULAS:
        content = tables.csv_text({text: [text, "plain"]})
        rows = list(csv.reader(io.StringIO(content, newline="")))
        assert rows == [["'" + text], ["'" + text], ["plain"]]


def test_numbers_stay_numbers():
    columns = {
        "a": np.array([-1.5, 2.0, np.nan]),
        "b": [-3, None, 4],
        "c": np.array([1, -2, 3]),
        "d": [np.float64(-0.1), np.int64(-7), True],
        "e": np.array(["2020-01-02", "2020-01-03", "NaT"], "M8[D]"),
        "f": pd.Series([1, None, 3], dtype="Int64"),
    }
    text = tables.csv_text(columns)
    assert text.splitlines()[1:] == [
        "-1.5,-3,1,-0.1,2020-01-02,1",
        "2.0,,-2,-7,2020-01-03,",
        ",4,3,True,,3",
    ]


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="different lengths: \\[1, 2\\]"):
        tables.csv_text({"a": [1], "b": [1, 2]})
