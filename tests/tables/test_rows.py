"""What people see of a row: number from 1, name, texts first, all of bounded length."""

import io

import pytest

from lapviz import tables
from lapviz.tables import rows

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
