"""Parquet as written, and a decoder whose process may die, which the reader survives."""

from __future__ import annotations

import datetime
import decimal
import io
import os
import random

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from lapviz import progress, tables
from lapviz.tables import parquet as module


def parquet_file(columns, **options) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file, **options)
    return file.getvalue()


FILE = parquet_file(
    {"a": [1.5, 2.5, None, 4.0], "t": ["u", "v", "u", None], "n": [[1], [2], [], [3]]}
)


def refuse(*args, **options):
    raise OSError("no processes here")


@pytest.mark.parametrize("program", ["false", "true", "cat"])
def test_a_process_that_says_nothing_or_nonsense(monkeypatch, tmp_path, program):
    script = tmp_path / "program"
    script.write_text(f"#!/bin/sh\nexec {program} 2>/dev/null\n" if program != "cat" else
                      "#!/bin/sh\nexec head -c 100 /dev/urandom\n")  # fmt: skip
    script.chmod(0o755)
    monkeypatch.setattr(module.sys, "executable", str(script))
    with pytest.raises(ValueError, match="The Parquet file is damaged"):
        tables.read(io.BytesIO(FILE))


def test_the_process_imports_from_where_its_parent_does(monkeypatch, tmp_path):
    environment = {}

    def record(*args, env, **options):
        environment.update(env)
        refuse()

    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(module.subprocess, "Popen", record)
    tables.read(io.BytesIO(FILE))
    assert str(tmp_path) in environment["PYTHONPATH"].split(os.pathsep)


@pytest.mark.slow
def test_damage_on_which_arrow_ends_its_process():
    """Arrow 26 aborts on some of these files: it declares a function that raises noexcept."""
    rng, messages = random.Random(3), []
    for _ in range(6):
        content = bytearray(FILE)
        for _ in range(3):
            content[rng.randrange(len(FILE) // 5, len(FILE) - 8)] = rng.randrange(64, 256)
        try:
            assert tables.read(io.BytesIO(bytes(content))).n_rows == 4
        except ValueError as error:
            messages.append(str(error))
    assert all(text.endswith(".") for text in messages), messages


@pytest.mark.slow
def test_cancelling_ends_the_process():
    def cancel(report):
        raise progress.Cancelled

    content = parquet_file({"a": list(range(300_000))})
    with progress.listening(cancel), pytest.raises(progress.Cancelled):
        tables.read(io.BytesIO(content))


@pytest.mark.slow
def test_parquet_as_written(monkeypatch):
    day = datetime.date(1970, 1, 3)
    columns = {
        "i": [1, None, 3],
        "f": pa.array([1.5, float("inf"), float("nan")], pa.float32()),
        "t": ["u", None, "v"],
        "c": pa.array(["u", "v", "u"]).dictionary_encode(),
        "b": [True, None, False],
        "d": [day, None, day],
        "when": [datetime.datetime(1970, 1, 2, 12), None, datetime.datetime(1970, 1, 1)],
        "n": ["1,5", "2,5", "NA"],
        "e": pa.nulls(3),
        "a.b": [1, 2, 2],
    }
    expected = {
        "i": ("integer", [1, None, 3]),
        "f": ("constant", [1.5, None, None]),
        "t": ("text", ["u", None, "v"]),
        "c": ("category", ["u", "v", "u"]),
        "b": ("boolean", [True, None, False]),
        "d": ("date", [np.datetime64("1970-01-03"), None, np.datetime64("1970-01-03")]),
        "when": ("date", [np.datetime64("1970-01-02T12:00"), None, np.datetime64("1970-01-01")]),
        "n": ("real", [1.5, 2.5, None]),
        "e": ("empty", [None] * 3),
        "a.b": ("integer", [1, 2, 2]),
    }
    for options in ({}, {"row_group_size": 1}, {"use_dictionary": False, "compression": "gzip"},
                    {"data_page_version": "2.0"}):  # fmt: skip
        table = tables.read(io.BytesIO(parquet_file(columns, **options)))
        for column in table.columns:
            assert (column.kind, column.cells()) == expected[column.name], column.name
        # a process once is enough, as it is slow; without one the file is decoded in place
        monkeypatch.setattr(module.subprocess, "Popen", refuse)
    assert tables.read(io.BytesIO(FILE)).done == (
        "1 column left out, nested or of another kind: n.",
    )


def test_decimals_and_far_dates(monkeypatch):
    """Decimals are the nearest numbers; dates beyond the year 9999 are missing, which is said."""
    monkeypatch.setattr(module.subprocess, "Popen", refuse)
    prices = ["-3.30", "0.10", "19.99", None]
    columns = {"price": pa.array([p and decimal.Decimal(p) for p in prices], pa.decimal128(9, 2))}
    ticks = [10**13, 86400 * 2932896 + 3600, -86400 * 719162, None]
    for unit, per_second in (("s", 1), ("ms", 1000), ("us", 10**6)):
        columns[unit] = pa.array([t and t * per_second for t in ticks[unit == "us" :]]
                                 + [None] * (unit == "us"), pa.timestamp(unit))  # fmt: skip
    columns["day"] = pa.array([2**31 - 1, 2932896, -719162, None], pa.int32()).cast(pa.date32())
    columns["ns"] = pa.array([1_700_000_000_250_000_000, 0, 1, None], pa.timestamp("ns"))
    table = tables.read(io.BytesIO(parquet_file(columns)))
    assert table.column("price").cells() == [-3.3, 0.1, 19.99, None]
    last = [np.datetime64("9999-12-31T01"), np.datetime64("0001-01-01"), None]
    assert table.column("s").cells() == table.column("ms").cells() == [None, *last]
    assert table.column("us").cells() == [*last, None]
    assert table.column("day").cells() == [None, np.datetime64("9999-12-31"), *last[1:]]
    assert [str(cell) for cell in table.column("ns").cells()] == [
        "2023-11-14T22:13:20.250", "1970-01-01T00:00:00.000", "1970-01-01T00:00:00.000", "None"
    ]  # fmt: skip
    said = [f"Column {name!r}: 1 infinite or too large number taken as missing."
            for name in ("s", "ms", "day")]  # fmt: skip
    assert list(table.done) == said


def test_a_type_that_is_not_read_is_no_damage(tmp_path):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"a": polars.Series([1, 2], dtype=polars.Int128)}).write_parquet(
        tmp_path / "wide.parquet"
    )
    with pytest.raises(ValueError, match="a type that is not read, such as 128 bits"):
        tables.read(tmp_path / "wide.parquet")
