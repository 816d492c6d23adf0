"""Malicious and broken files: each gives a table or one sentence, in bounded memory and time.

All are made by code and read in one child process, whose address space is limited. ``python
tests/tables/test_broken_files.py folder`` reads them and prints what came out.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import resource
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import lapviz
from lapviz.tables.pages import page_header

ADDRESSES = 3 << 30  # bytes of address space, most of it reserved and never used
MEMORY = 400  # MB at the peak, over all cases
SECONDS = 20  # of processor time, for one case


def joined(content, encoding="latin-1", **_) -> bytes:
    """The bytes of a case of the table."""
    pieces = [content] if isinstance(content, str) else content
    pairs = ((piece, 1) if isinstance(piece, str) else piece for piece in pieces)
    return b"".join(text.encode(encoding) * times for text, times in pairs)


def zipped(**files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in files.items():
            pack.writestr(name, content)
    return file.getvalue()


class Trap:
    """Leaves a file behind if it is unpickled."""

    def __reduce__(self):
        return os.mkdir, (os.environ.get("TRAP", "trap"),)


def sparse_file(folder) -> str:
    path = Path(folder) / "sparse.csv"
    with path.open("wb") as file:
        file.truncate(1 << 31)
    return str(path)


class Endless(io.RawIOBase):
    """A line of 2 GB without seek, made while it is read; or rows."""

    def __init__(self, row=b"7"):
        self.row, self.left = row, 1 << 31

    def readable(self):
        return True

    def read(self, n=-1):
        assert n > 0, "asked for the whole at once"
        n = min(n, self.left)
        self.left -= n
        return self.row * (n // len(self.row))


def parquet_of(column, name="a", **options) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table({name: column}), file, **options)
    return file.getvalue()


def scrambled(data: bytes) -> bytes:
    return data[:4] + b"\x55" * 36 + data[40:]


def liar(folder) -> bytes:
    """303 pages that declare 1 MB each; the description at the file's end says 48 MB in all."""
    file = io.BytesIO()
    table = pa.table({name: np.zeros(2_000_000, "i8") for name in "abc"})
    parquet.write_table(table, file, use_dictionary=False, compression="zstd")
    data, metadata = bytearray(file.getvalue()), parquet.ParquetFile(file).metadata
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(3)):
            place = column.data_page_offset
            end = place + column.total_compressed_size
            while place < end:
                _, packed, length = page_header(bytes(data[place : place + 200]))
                assert data[place : place + 3] == b"\x15\0\x15"  # kind 0; then the size
                assert data[place + 4] >= 128 > data[place + 5]  # in three bytes
                data[place + 3 : place + 6] = b"\xfe\xff\x7f"
                place += length + packed
    return bytes(data)


def many_texts(folder) -> bytes:
    """27 GB of text, if it were written out."""
    codes = pa.array(np.zeros(300_000, "i4"))
    return parquet_of(pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 90_000])))


TABLE = tomllib.loads(Path(__file__).with_name("broken_files.toml").read_text("utf-8"))
WHOLE_NUMBERS = pa.array(range(100_000))
# Bytes, a path, a file object, or a function of a folder that gives one of these; and the beginning
# of the sentence, or what the table has.
CASES = {name: (joined(**its), its["expected"]) for name, its in TABLE.items()} | {
    "binary": (bytes(range(256)) * 40, "The file is binary"),
    "ten_thousand_columns": (b",".join(b"%d" % i for i in range(10_000)) + b"\n",
                             "The table has 10"),
    "gzip": (gzip.compress(b"a,b\n1,2\n", mtime=0), "This is a gzip file"),
    "gzip_bomb": (gzip.compress(b"1,2\n" * 10_000_000), "This is a gzip file"),
    "mixed_encodings": ("a,b\né,1\n".encode() + "è,2\n".encode("latin-1"), {"cells": "é è"}),
    "utf_16_cut": ("a,b\né,1\nü,2\n".encode("utf-16")[:-1], "The text is not UTF-16 throughout"),
    "address": ("https://example.org/table.csv", "Only local files"),
    "bucket": ("s3://bucket/table.parquet", "Only local files"),
    "no_file": ("/no/such/file.csv", "There is no file 'file.csv'"),
    "zero_in_path": ("a\0b.csv", "There is no file"),
    "device": ("/dev/zero", "The path 'zero' is not a file"),
    "folder": ("/", "The path 'table' is not a file"),
    "text_mode": (io.StringIO("a,b\n1,2\n"), "The file was opened as text"),
    "number": (3, "A table is read from a path"),
    "excel": (zipped(**{"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}),
              "This is an Excel file"),
    "zip_bomb": (lambda _: zipped(**{"table.csv": b"\0" * 50_000_000}), "This is a zip file"),
    "pickled": (pickle.dumps(Trap()), "This is a Python pickle"),
    "sparse_file": (sparse_file, "The file has 2048 MB or more"),
    "endless_line": (Endless(), "A line has more than"),
    "endless_rows": (Endless(b"1,2,3,4\n"), "The table has more than 2,000,000 rows"),
    "many_rows": (lambda _: b"a,b\n" + b"1,2\n" * 2_000_001,
                  "The table has more than 2,000,000 rows"),
    "many_cells": (lambda _: (b"," * 999 + b"\n") * 20_001,
                   "The table has more than 20,000,000 cells"),
    "parquet_rows": (lambda _: parquet_of(np.zeros(50_000_000, "i1"), compression="zstd"),
                     "The table has 50,000,000 rows"),
    "parquet_bomb": (lambda _: parquet_of(["x" * 90_000] * 4000, compression="zstd",
                                          use_dictionary=False), "The Parquet file unpacks to"),
    "parquet_liar": (liar, "The Parquet file unpacks to 303 MB"),
    "parquet_dictionary": (many_texts, {"rows": 300_000, "kinds": "constant"}),
    "parquet_nested": (parquet_of([[1], [2, 3]]), "No column of the Parquet file holds plain"),
    "parquet_cut": (parquet_of(WHOLE_NUMBERS)[:-1000], "The Parquet file is damaged"),
    "parquet_scrambled": (scrambled(parquet_of(WHOLE_NUMBERS[:10_000], compression="zstd")),
                          "The Parquet file is damaged"),
    "parquet_without_rows": (parquet_of(pa.array([], "f8")), "The table has columns and no rows"),
}  # fmt: skip


def outcome(source) -> dict:
    """What reading gives: the table in brief, or the sentence."""
    from lapviz import tables

    try:
        table = tables.read(source)
    except ValueError as error:
        return {"said": str(error)}
    texts = [c for column in table.columns if column.is_text for c in column.cells(slice(0, 5))]
    return {
        "rows": table.n_rows,
        "names": "|".join(table.names[:50]),
        "kinds": " ".join(column.kind for column in table.columns[:50]),
        "missing": " ".join(str(column.n_missing) for column in table.columns[:50]),
        "cells": " ".join(str(text)[:50] for text in texts[:20]),
        "done": " ".join(table.done),
    }


def read_all(folder: str) -> None:
    """Read every case in this process; print what came of it, seconds and peak of memory in MB."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    for name, (source, _) in CASES.items():
        file = Path(folder) / name
        if file.exists() or callable(source):
            source = file if file.exists() else source(folder)
        start = time.process_time()
        try:
            came = outcome(source)
        except BaseException as error:
            came = {"error": f"{type(error).__name__}: {error}"}
        came["seconds"] = time.process_time() - start
        status = Path("/proc/self/status").read_text().split()  # ru_maxrss has the parent's too
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # Parquet's decoders
        came["peak"] = max(int(status[status.index("VmHWM:") + 1]), children) // 1024
        print(json.dumps([name, came]), flush=True)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What a limited process says of each file."""
    folder = tmp_path_factory.mktemp("files")
    for name, (source, _) in CASES.items():
        content = source(str(folder)) if callable(source) else source
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
    environment = {
        **os.environ,
        "TRAP": str(folder / "trap"),
        "PYTHONPATH": str(Path(lapviz.__file__).parents[1]),
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }
    done = subprocess.run(
        [sys.executable, __file__, str(folder)], env=environment, capture_output=True, text=True
    )
    found = dict(map(json.loads, done.stdout.splitlines()))
    assert done.returncode == 0, (list(found)[-1:], done.stderr[-2000:])
    assert done.stderr == "", done.stderr[-2000:]
    yield found
    assert not (folder / "trap").exists(), "a pickle was executed"


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_table_or_one_sentence(outcomes, name):
    came, expected = outcomes[name], CASES[name][1]
    assert "error" not in came, came
    assert came["seconds"] < SECONDS
    assert came["peak"] < MEMORY
    if isinstance(expected, str):
        assert came["said"].startswith(expected), came
        assert is_a_sentence(came["said"])
        return
    assert "said" not in came, came
    for what, value in expected.items():
        assert came[what] == value or (what == "done" and value in came[what]), (what, came)


def is_a_sentence(text: str) -> bool:
    """One line for people: a capital, a full stop, not long, what is wrong and what to do."""
    plain = text.isprintable() and len(text) < 300 and "Error" not in text and "0x" not in text
    return plain and text[0].isupper() and text.endswith(".") and (":" in text or "," in text)


def test_there_are_many():
    assert len(CASES) >= 80


if __name__ == "__main__":
    read_all(sys.argv[1])
