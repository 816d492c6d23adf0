"""Open a local file, and refuse what is not a table."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.names import clean

HEAD = 4096
_CSV = "save the table as CSV or Parquet"
_SHEET = "save the sheet as CSV"
_UNPACK = "unpack it, and take the file inside"
MAGIC = (  # first bytes, kind of file, remedy
    (b"\x1f\x8b", "a gzip file", _UNPACK),
    (b"BZh", "a bzip2 file", _UNPACK),
    (b"\xfd7zXZ\0", "an xz file", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z file", _UNPACK),
    (b"Rar!", "a RAR file", _UNPACK),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file", _SHEET),
    (b"\x89PNG", "a picture (PNG)", _CSV),
    (b"\xff\xd8\xff", "a picture (JPEG)", _CSV),
    (b"GIF8", "a picture (GIF)", _CSV),
    (b"II*\0", "a picture (TIFF)", _CSV),
    (b"MM\0*", "a picture (TIFF)", _CSV),
    (b"RIFF", "a picture or a sound (RIFF)", _CSV),
    (b"%PDF", "a PDF file", _CSV),
    (b"\x89HDF", "an HDF5 file", _CSV),
    (b"\x93NUMPY", "a NumPy array", "save it with numpy.savetxt"),
    (b"ARROW1", "an Arrow file", "save it as Parquet"),
    (b"FEA1", "a Feather file", "save it as Parquet"),
    (b"ORC", "an ORC file", "save it as Parquet"),
    (b"Obj\x01", "an Avro file", "save it as Parquet"),
    (b"PARE", "an encrypted Parquet file", "save it without encryption"),
    (b"SQLite format 3", "a database", "export the table as CSV"),
    (b"MATLAB 5.0", "a MATLAB file", "save the table with writetable as CSV"),
    (b"RDX", "an R data file", "save the table with write.csv"),
    (b"\x7fELF", "a program", _CSV),
    (b"MZ\x90", "a program", _CSV),
    (b"{\\rtf", "a text document (RTF)", _CSV),
)


@dataclass(frozen=True, eq=False)
class Source:
    """An open file at its beginning, with its name and, if known, its size in bytes."""

    file: Any
    name: str
    size: int | None
    head: bytes = b""  # first bytes, already read from the file

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
    if hasattr(source, "read"):
        title = name or getattr(source, "name", None)
        yield _source(source, title, _size(source), limits)
        return
    if not isinstance(source, str | os.PathLike):
        raise ValueError(
            f"A table is read from a path or a binary file object, got {type(source).__name__}."
        )
    text = os.fspath(source)
    if not isinstance(text, str) or "://" in text[:40]:
        raise ValueError("Only local files are read: download the table first.")
    try:
        status = os.stat(text)
    except (OSError, ValueError):
        raise ValueError(f"There is no file {_title(text)!r}: check its path.") from None
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device may never end
        raise ValueError(f"The path {_title(text)!r} is not a file: give the path of a table.")
    try:
        file = open(text, "rb")  # noqa: SIM115
    except OSError:
        raise ValueError(f"{_title(text)!r} cannot be opened: check its permissions.") from None
    with file:
        yield _source(file, name or text, status.st_size, limits)


def _source(file, name, size: int | None, limits: Limits) -> Source:
    if size is not None and size > limits.bytes:
        raise _too_long(size, limits)
    return Source(file, _title(name), size, _bytes_from(file, HEAD))


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
    other = _other_format(head)
    if other is not None:
        description, remedy = other
        raise ValueError(f"This is {description}, not a table: {remedy}.")


def _other_format(head: bytes) -> tuple[str, str] | None:
    """Description of a file that is not a table, and the remedy; None if it may be a table."""
    for magic, description, remedy in MAGIC:
        if head.startswith(magic):
            return description, remedy
    if head.startswith(b"PK"):
        if b"xl/" in head or b"[Content_Types].xml" in head:
            return "an Excel file", _SHEET
        if b"opendocument.spreadsheet" in head:
            return "an OpenDocument spreadsheet", _SHEET
        return "a zip file", _UNPACK
    if head[:1] == b"\x80" and head[1:2] in b"\x01\x02\x03\x04\x05":
        return "a Python pickle, which could run code", "write the table with to_csv or to_parquet"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<table")):
        return "a web page (HTML)", "download the table itself, as CSV"
    if start.startswith((b"<?xml", b"<svg", b"<!--", b"<!doctype")):
        return "an XML file", _CSV
    compact = b"".join(start.split())
    if compact.startswith((b'{"', b"{}", b"[{", b"[[", b'["', b"[]")):
        return "a JSON file", "save the table as CSV, for example with pandas.read_json(…).to_csv"
    return None


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


def _title(name) -> str:
    return clean(Path(name).name if isinstance(name, str) else "") or "table"
