"""Open a local file, and refuse what is not a table."""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.names import clean

HEAD = 4096
_CSV = "save the table as CSV or Parquet"
_SHEET = "save the sheet as CSV"
_UNPACK = "unpack it, and take the file inside"
_TEXT = rb"(?:\xef\xbb\xbf)?\s*"  # before the first character
_ZIP = rb"PK(?:\x03\x04|\x05\x06|\x07\x08)"
_BINARY = rb"(?s:.*)[\0-\x08]"  # a text may begin with ORC or PARENT
PARQUET = rb"PAR1(?:" + _BINARY + rb"|\Z)"
OTHERS = (  # pattern of the first bytes, kind of file, remedy
    (rb"\x1f\x8b", "a gzip file", _UNPACK),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", "a bzip2 file", _UNPACK),
    (rb"\xfd7zXZ\0", "an xz file", _UNPACK),
    (rb"\x28\xb5\x2f\xfd", "a zstd file", _UNPACK),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z file", _UNPACK),
    (rb"Rar!\x1a\x07", "a RAR file", _UNPACK),
    (_ZIP + rb"(?s:.*)(?:xl/|\[Content_Types\]\.xml)", "an Excel file", _SHEET),
    (_ZIP + rb"(?s:.*)opendocument\.spreadsheet", "an OpenDocument spreadsheet", _SHEET),
    (_ZIP, "a zip file", _UNPACK),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file", _SHEET),
    (rb"\x89PNG", "a picture (PNG)", _CSV),
    (rb"\xff\xd8\xff", "a picture (JPEG)", _CSV),
    (rb"GIF8[79]a" + _BINARY, "a picture (GIF)", _CSV),
    (rb"II\*\0|MM\0\*", "a picture (TIFF)", _CSV),
    (rb"RIFF" + _BINARY, "a picture or a sound (RIFF)", _CSV),
    (rb"%PDF", "a PDF file", _CSV),
    (rb"\x89HDF", "an HDF5 file", _CSV),
    (rb"\x93NUMPY", "a NumPy array", "save it with numpy.savetxt"),
    (rb"\x80[\x01-\x05]", "a Python pickle, which could run code",
     "write the table with to_csv or to_parquet"),
    (rb"ARROW1\0", "an Arrow file", "save it as Parquet"),
    (rb"FEA1" + _BINARY, "a Feather file", "save it as Parquet"),
    (rb"ORC" + _BINARY, "an ORC file", "save it as Parquet"),
    (rb"Obj\x01", "an Avro file", "save it as Parquet"),
    (rb"PARE" + _BINARY, "an encrypted Parquet file", "save it without encryption"),
    (rb"SQLite format 3\0", "a database", "export the table as CSV"),
    (rb"MATLAB 5\.0 MAT-file", "a MATLAB file", "save the table with writetable as CSV"),
    (rb"RDX\d\n[ABX]\n", "an R data file", "save the table with write.csv"),
    (rb"\x7fELF|MZ\x90", "a program", _CSV),
    (rb"\{\\rtf", "a text document (RTF)", _CSV),
    (_TEXT + rb"(?i:<!doctype html|<html|<head|<body|<table)", "a web page (HTML)",
     "download the table itself, as CSV"),
    (_TEXT + rb"(?i:<\?xml|<svg|<!--|<!doctype)", "an XML file", _CSV),
    (_TEXT + rb"""(?:\{\s*["}]|\[\s*[\[{"\]])""", "a JSON file",
     "save the table as CSV, for example with pandas.read_json(…).to_csv (with lines=True if each "
     "line is an object)"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Source:
    """An open file at its beginning, with its name and, if known, its size in bytes."""

    file: Any
    name: str
    size: int | None
    head: bytes = b""  # first bytes, already read from the file
    exact_name: str = ""  # not tidied for display

    def chunks(self, limits: Limits) -> Iterator[bytes]:
        """Yield the file's bytes; ValueError if they exceed the limit."""
        n_read, chunk = 0, self.head
        while chunk:
            n_read += len(chunk)
            if n_read > limits.bytes:
                raise _too_long(n_read, limits)
            yield chunk
            chunk = _bytes_from(self.file, MIB)


@contextmanager
def opened(source, name: str | None, limits: Limits) -> Iterator[Source]:
    """Open the source; a file opened from a path is closed on exit."""
    with nullcontext(source) if hasattr(source, "read") else _file_at(source) as file:
        size = _size(file)
        if size is not None and size > limits.bytes:
            raise _too_long(size, limits)
        exact = _base(name or getattr(file, "name", None))
        yield Source(file, _title(exact), size, _bytes_from(file, HEAD), exact)


def _file_at(path) -> BinaryIO:
    if not isinstance(path, str | os.PathLike):
        raise ValueError(
            f"A table is read from a path or a binary file object, got {type(path).__name__}."
        )
    text = os.fspath(path)
    if not isinstance(text, str) or "://" in text[:40]:
        raise ValueError("Only local files are read: download the table first.")
    try:
        status = os.stat(text)
    except (OSError, ValueError):
        raise ValueError(f"There is no file {_title(text)!r}: check its path.") from None
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device may never end
        raise ValueError(f"The path {_title(text)!r} is not a file: give the path of a table.")
    try:
        return open(text, "rb")
    except OSError:
        raise ValueError(f"{_title(text)!r} cannot be opened: check its permissions.") from None


def _bytes_from(file, n: int) -> bytes:
    """The next bytes, at most n; ValueError if they are text."""
    chunk = file.read(n)
    if not isinstance(chunk, bytes | bytearray | memoryview):
        raise ValueError("The file was opened as text: open it in binary mode, 'rb'.")
    return bytes(chunk)


def refuse_other_formats(head: bytes) -> None:
    """Raise ValueError if the first bytes are those of another format, or there are none."""
    if not head:
        raise ValueError("The file is empty: choose one with a header line and rows.")
    for pattern, description, remedy in OTHERS:
        if re.match(pattern, head):
            raise ValueError(f"This is {description}, not a table: {remedy}.")


def seekable(source: Source, limits: Limits) -> Any:
    """Return the file at its beginning, copied into memory if it cannot seek."""
    if _size(source.file) is None:
        return io.BytesIO(b"".join(source.chunks(limits)))
    return source.file


def _size(file) -> int | None:
    """Size of the file in bytes, which is rewound; None if it cannot seek."""
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    except (AttributeError, OSError, ValueError, TypeError):
        return None
    return size if isinstance(size, int) else None


def _too_long(size: int, limits: Limits) -> ValueError:
    return refuse_larger(
        f"The file has {size / MIB:.0f} MB or more, and at most {limits.bytes / MIB:.0f} are read"
    )


def _base(name) -> str:
    return Path(name).name if isinstance(name, str) else ""


def _title(name) -> str:
    return clean(_base(name)) or "table"
