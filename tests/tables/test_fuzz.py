"""Any input gives a table or one sentence, and written tables read back."""

from __future__ import annotations

import io
import math
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lapviz import tables

pytestmark = pytest.mark.slow

FEW = settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
PIECES = st.sampled_from(
    [b",", b";", b"\t", b" ", b"\n", b"\r\n", b"\r", b'"', b'""', b"#", b"1", b"2.5", b"-3", b"1,5",
     b"a", b"NA", b"\xe9", "é".encode(), b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"PAR1", b"=1", b"%",
     b"1e999", b"2020-01-02", b"yes", b"no", b"inf", b"'", b"|", b"\\", b"\x1f", b"\x80"]
)  # fmt: skip


def outcome(call):
    """Return the result of a call and "", or None and the error message."""
    try:
        return call(), ""
    except ValueError as error:
        return None, str(error)


@FEW
@given(st.lists(PIECES, max_size=60))
def test_any_pieces_of_tables(pieces):
    table, message = outcome(lambda: tables.read(io.BytesIO(b"".join(pieces))))
    if table is None:
        assert re.fullmatch(r"[A-Z].*\.", message), message
        assert message.isprintable(), message
        return
    assert len(set(table.names)) == len(table.columns)
    for column in table.columns:
        cells = column.cells()
        assert len(cells) == table.n_rows
        assert cells.count(None) == column.n_missing
        assert len({cell for cell in cells if cell is not None}) == column.n_distinct
        assert column.name.isprintable()
        assert column.name
    data, message = outcome(table.prepare)
    if data is None:
        assert message.endswith("."), message
        return
    assert data.X.shape == (len(data.rows), len(data.feature_names))
    assert all(map(math.isfinite, data.X.ravel()))
    assert (data.apply(table)[data.rows] == data.X).all()


TEXTS = st.text("aé ,;|\t\n\"'", max_size=6).map(lambda text: f"t{text}.")
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@settings(FEW, max_examples=100)
@given(st.lists(st.tuples(NUMBERS, st.none() | TEXTS, NUMBERS), min_size=2, max_size=30))
def test_a_written_table_reads_back(rows):
    names = ("number", "a text", "other")
    content = tables.csv_text(dict(zip(names, zip(*rows, strict=True), strict=True)))
    table = tables.read(io.BytesIO(content.encode()))
    assert table.names == names
    assert [*zip(*(column.cells() for column in table.columns), strict=True)] == rows
