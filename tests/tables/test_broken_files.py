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
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from pathlib import Path

import pytest

import lapviz

ADDRESSES = 3 << 30  # bytes of address space, most of it reserved and never used
MEMORY = 400  # MB at the peak, over all cases
SECONDS = 20  # of processor time, for one case
CASES = {}


def case(expected):
    """Add a function that makes a file: bytes, a path, or a file object.

    Expected is the beginning of the sentence, or a dictionary of what the table has.
    """

    def add(make):
        CASES[make.__name__] = (make, expected)
        return make

    return add


def same(name, content, expected):
    """A case with fixed content."""
    CASES[name] = (lambda folder: content, expected)


BINARY = "The file is binary"
same("empty", b"", "The file is empty")
same("blank_lines", b"\n \n\n\t\n", "The file holds no rows")
same("only_a_mark", b"\xef\xbb\xbf", "The file holds no rows")
same("header_only", b"a,b,c\n", "The table has a header and no rows")
same("one_word", b"hello", "The table has a header and no rows")
same("binary", bytes(range(256)) * 40, BINARY)
same("zero_bytes", b"a,b\n1,\0\n2,3\n", BINARY)
same("zeros", b"\0" * 10_000, BINARY)
same("late_zero_bytes", b"a,b\n" + b"1,2\n" * 500_000 + b"\0\n", BINARY)
same("control_characters", b"a,b\n" + b"\x01\x02,\x03\n" * 100, BINARY)
same("ragged", b"a,b,c\n" + b"1,2,3\n4,5\n6\n7,8,9,10\n" * 100, "Rows are uneven, 300 of them")
same("few_ragged", b"a,b\n" + b"1,2\n" * 98 + b"3\n4,5,6\n", {"rows": 98, "done": "2 rows left"})
same(
    "ten_thousand_columns", b",".join(b"%d" % i for i in range(10_000)) + b"\n", "The table has 10"
)
same("one_row", b"a,b\n1,2\n", {"rows": 1, "kinds": "constant constant"})
same("one_column", b"a\n1\n2\n5\n", {"rows": 3, "names": "a"})
same("one_cell", b"1", {"rows": 1})
same("all_missing", b"a,b\n,NA\n?,\n-,null\n", {"rows": 3, "kinds": "empty empty"})
same("same_names", b"a,a,,a (2)\n1,2,3,4\n", {"names": "a|a (3)|column 3|a (2)"})
same("numbers_as_text", b'a;b\n"1,234.5";12 %\n"2,234.5";7%\n', {"kinds": "real integer"})
same("gzip", gzip.compress(b"a,b\n1,2\n", mtime=0), "This is a gzip file")
same("gzip_bomb", gzip.compress(b"1,2\n" * 10_000_000), "This is a gzip file")
same("old_excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "This is an Excel file")
same("html", b"\n<!DOCTYPE html><html><table><tr><td>1", "This is a web page (HTML)")
same("svg", b'<?xml version="1.0"?><svg/>', "This is an XML file")
same("json", b'[{"a": 1, "b": 2}]', "This is a JSON file")
same("pdf", b"%PDF-1.7\n1 0 obj", "This is a PDF file")
same("hdf5", b"\x89HDF\r\n\x1a\n" + b"\0" * 90, "This is an HDF5 file")
same("numpy", b"\x93NUMPY\x01\x00", "This is a NumPy array")
same("jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\0" * 90, "This is a picture (JPEG)")
same("arrow", b"ARROW1\0\0" + b"\0" * 90, "This is an Arrow file")
same("parquet_name_only", b"PAR1", "The Parquet file is damaged")
same("parquet_encrypted", b"PARE" + b"\0" * 90, "This is an encrypted Parquet file")
same("parquet_of_zeros", b"PAR1" + b"\0" * 90 + b"PAR1", "The Parquet file is damaged")
same("mixed_encodings", "a,b\né,1\n".encode() + "è,2\n".encode("latin-1"), {"cells": "é è"})
same("windows_1252", 'a,b\n"€ “x”",1\n'.encode("cp1252"), {"cells": "€ “x”"})
same("utf_16", "a,b\né,1\nü,2\n".encode("utf-16"), {"cells": "é ü"})
same("utf_16_without_mark", "a,b\nx,1\ny,2\n".encode("utf-16-be"), {"cells": "x y"})
same("utf_16_cut", "a,b\né,1\nü,2\n".encode("utf-16")[:-1], "The text is not UTF-16 throughout")
same("utf_32", "a,b\né,1\nü,2\n".encode("utf-32"), {"cells": "é ü"})
same("mark", b"\xef\xbb\xbfa,b\n1,2\n", {"names": "a|b"})
same("cr_only", b"a,b\r1,2\r3,4\r", {"rows": 2, "names": "a|b"})
same("mixed_line_ends", b"a,b\r\n1,2\r3,4\n5,6", {"rows": 3})
same("open_quote", b'a,b\n1,2\n3,"4\n5,6\n7,8\n', "A quotation mark that opens a cell is never")
same("open_quote_long", b'a,b\n"' + b"1,2\n" * 1_000_000, "After row 0 comes one of more")
same("very_long_cell", b"a,b\n1," + b"x" * 200_000 + b"\n", "A cell has more than 100,000")
same("very_long_line", b"a,b\n" + b"1," * 3_000_000, "A line has more than")
same("formulas", b'=cmd|" /C calc"!A0,b\n@SUM(A1),1\n+1+1,2\n-2+3,3\n', {"rows": 3})
same("huge_integers", b"a\n" + b"9" * 30 + b"\n" + b"8" * 30 + b"\n", {"kinds": "integer"})
same("too_large", b"a,b\n1e400,1\n2,2\n-1e999,3\n1,4\n", {"missing": "2 0", "done": "2 infinite"})
same("infinities", b"a,b\ninf,1\n2,2\n-Infinity,3\n1,4\n", {"missing": "2 0"})
same("mixed_commas", b"a;b\n1,5;1\n2.5;2\n3,5;3\n", {"kinds": "text integer", "done": "mixes"})
same("dates", b"a,b\n2020-01-02,31.12.2019\n2020-02-30,1.1.2020\n", {"kinds": "text date"})
same("hidden_in_names", "a\u202eb\x07,c\n1,2\n".encode(), {"names": "ab|c", "done": "Hidden"})
same("direction_overrides", "a,b\nx\u202ey,1\nz,2\n".encode(), {"cells": "xy z"})
same("name_without_end", b"n" * 5000 + b",b\n1,2\n", {"rows": 1})
same("comments", b"# made by hand\n# x y\n1 2\n3 4\n", {"names": "x|y", "done": "2 comment"})
same("many_comments", b"a,b\n1,2\n3,4\n" + b"# remark, with, commas\n" * 50_000, {"rows": 2})
same("separators_only", b",,,\n" * 1000, {"rows": 1000})
same("quotes_only", b'"' * 1001 + b"\n", "")
same("surrogates", b"a,b\n\xed\xa0\x80,1\n", {"rows": 1})
same("address", "https://example.org/table.csv", "Only files of this machine")
same("bucket", "s3://bucket/table.parquet", "Only files of this machine")
same("no_file", "/no/such/file.csv", "There is no file 'file.csv'")
same("zero_in_path", "a\0b.csv", "There is no file")
same("device", "/dev/zero", "The path 'zero' is not that")
same("folder", "/", "The path 'table' is not that")
same("text_mode", io.StringIO("a,b\n1,2\n"), "The file was opened as text")
same("number", 3, "A table is read from a path")


@case("This is an Excel file")
def excel(folder):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as pack:
        pack.writestr("[Content_Types].xml", "<Types/>")
        pack.writestr("xl/workbook.xml", "<workbook/>")
    return file.getvalue()


@case("This is a zip file")
def zip_bomb(folder):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("table.csv", b"\0" * 50_000_000)
    return file.getvalue()


@case("This is a Python pickle")
def pickled(folder):
    return pickle.dumps(Trap())


class Trap:
    """Leaves a file behind if it is unpickled."""

    def __reduce__(self):
        return os.mkdir, (os.environ.get("TRAP", "trap"),)


@case("This is a picture (PNG)")
def png_bomb(folder):
    def part(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    size = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000_000)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", size) + part(b"IDAT", rows) + part(b"IEND", b"")


@case("The file has 2048 MB or more")
def sparse_file(folder):
    path = Path(folder) / "sparse.csv"
    with path.open("wb") as file:
        file.truncate(1 << 31)
    return str(path)


class Endless(io.RawIOBase):
    """A line of 2 GB without seek, made while it is read."""

    left = 1 << 31

    def readable(self):
        return True

    def read(self, n=-1):
        assert n > 0, "asked for the whole at once"
        n = min(n, self.left)
        self.left -= n
        return b"7" * n


@case("A line has more than")
def endless_line(folder):
    return Endless()


class EndlessRows(Endless):
    """Rows without end."""

    def read(self, n=-1):
        return b"1,2,3,4\n" * (n // 8)


@case("The table has more than 2,000,000 rows")
def endless_rows(folder):
    return EndlessRows()


@case("The table has more than 2,000,000 rows")
def many_rows(folder):
    return b"a,b\n" + b"1,2\n" * 2_000_001


@case("The table has more than 20,000,000 cells")
def many_cells(folder):
    return (b"," * 999 + b"\n") * 20_001


def parquet(table, **options):
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table, file, **options)
    return file.getvalue()


def arrow():
    import pyarrow

    return pyarrow


@case("The table has 50,000,000 rows")
def parquet_rows(folder):
    import numpy as np

    return parquet(arrow().table({"a": np.zeros(50_000_000, "i1")}), compression="zstd")


@case("The Parquet file unpacks to")
def parquet_bomb(folder):
    column = arrow().array(["x" * 90_000] * 4000)
    return parquet(arrow().table({"a": column}), compression="zstd", use_dictionary=False)


@case("The Parquet file unpacks to 303 MB")
def parquet_liar(folder):
    """303 pages that declare 1 MB each; the description at the file's end says 48 MB in all."""
    import numpy as np
    from pyarrow import parquet as reader

    from lapviz.tables.pages import page_header

    table = arrow().table({name: np.zeros(2_000_000, "i8") for name in "abc"})
    data = bytearray(parquet(table, use_dictionary=False, compression="zstd"))
    metadata = reader.ParquetFile(io.BytesIO(bytes(data))).metadata
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


@case({"rows": 300_000, "kinds": "constant"})
def parquet_dictionary(folder):
    """27 GB of text, if it were written out."""
    import numpy as np

    pa = arrow()
    codes = pa.array(np.zeros(300_000, "i4"))
    return parquet(pa.table({"a": pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 90_000]))}))


@case("No column of the Parquet file holds plain")
def parquet_nested(folder):
    return parquet(arrow().table({"a": [[1], [2, 3]], "b": [{"x": 1}, {"x": 2}]}))


@case({"names": "c", "done": "1 column left out"})
def parquet_partly_nested(folder):
    return parquet(arrow().table({"a": [[1], [2, 3]], "c": [1.5, 2.0]}))


@case("The Parquet file is damaged")
def parquet_cut(folder):
    return parquet(arrow().table({"a": list(range(100_000))}))[:-1000]


@case("The Parquet file is damaged")
def parquet_scrambled(folder):
    data = bytearray(parquet(arrow().table({"a": list(range(10_000))}), compression="zstd"))
    data[4:40] = b"\x55" * 36
    return bytes(data)


@case("The table has columns and no rows")
def parquet_without_rows(folder):
    return parquet(arrow().table({"a": arrow().array([], "f8")}))


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
    for name, (make, _) in CASES.items():
        file = Path(folder) / name
        source = file if file.exists() else make(folder)
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
    for name, (make, _) in CASES.items():
        content = make(str(folder))
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
