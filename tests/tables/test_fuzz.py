"""Whatever is read: a table or one sentence; and what was written reads back."""

from __future__ import annotations

import io
import math

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from lapviz import tables
from lapviz.tables.names import clean
from lapviz.tables.numbers import MISSING, looks_like_a_date, looks_like_a_number

FEW = settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
PIECES = st.sampled_from(
    [b",", b";", b"\t", b" ", b"\n", b"\r\n", b"\r", b'"', b'""', b"#", b"1", b"2.5", b"-3", b"1,5",
     b"a", b"NA", b"\xe9", "é".encode(), b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"PAR1", b"=1", b"%",
     b"1e999", b"2020-01-02", b"yes", b"no", b"inf", b"'", b"|", b"\\", b"\x1f", b"\x80"]
)  # fmt: skip


def comes_to_an_end(content: bytes) -> None:
    """A table whose parts agree, or a sentence."""
    try:
        table = tables.read(io.BytesIO(content))
    except ValueError as error:
        table, text = None, str(error)
    if table is None:
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert text.isprintable(), text
        return
    assert len(set(table.names)) == len(table.columns)
    for column in table.columns:
        cells = column.cells()
        assert len(cells) == table.n_rows
        assert cells.count(None) == column.n_missing
        assert len({cell for cell in cells if cell is not None}) == column.n_distinct
        assert column.name.isprintable()
        assert column.name
    try:
        data = table.prepare()
    except ValueError as error:
        data, said = None, str(error)
    if data is None:
        assert said.endswith("."), said
        return
    assert data.X.shape == (len(data.rows), len(data.feature_names))
    assert all(map(math.isfinite, data.X.ravel()))
    assert (data.apply(table)[data.rows] == data.X).all()


@pytest.mark.slow
@FEW
@given(st.lists(PIECES, max_size=60))
def test_any_pieces_of_tables(pieces):
    comes_to_an_end(b"".join(pieces))


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")) | st.sampled_from("\n,;\"'"),
    min_size=1,
    max_size=8,
).filter(
    lambda text: (
        text == text.strip() and text not in MISSING and clean(text)
        and not looks_like_a_number(text) and not looks_like_a_date(text)
        and text.lower() not in ("inf", "infinity", "+inf", "-inf", "nan")
        and not text.startswith(("#", "%", "'", "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d",
                                 "\uff20"))
    )
)  # fmt: skip
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@settings(FEW, max_examples=100)
@given(st.lists(st.tuples(NUMBERS, st.none() | TEXTS, NUMBERS), min_size=2, max_size=30))
def test_a_written_table_reads_back(rows):
    numbers, texts, others = map(list, zip(*rows, strict=True))
    assume(len(set(texts) - {None}) > 2)  # yes and no alone would be truth values
    written = tables.csv_text({"number": numbers, "a text": texts, "other": others})
    table = tables.read(io.BytesIO(written.encode()))
    assert table.names == ("number", "a text", "other")
    assert [float(cell) for cell in table.columns[0].cells()] == numbers
    assert [float(cell) for cell in table.columns[2].cells()] == others
    assert table.columns[1].cells() == texts
