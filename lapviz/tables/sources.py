"""The file itself: opened if it is a local one, and refused if it is not a table."""

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
MAGIC = (  # first bytes, what it is, what to do
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
    """An open file from its beginning, with its name and, where it is known, its size in bytes."""

    file: Any
    name: str
    size: int | None
    head: bytes = b""  # its first bytes, which were read already

    def chunks(self, limits: Limits, step: int = MIB) -> Iterator[bytes]:
        """The file's bytes, at most so many."""
        done, chunk = 0, self.head
        while chunk:
            done += len(chunk)
            if done > limits.bytes:
                raise _too_long(done, limits)
            yield chunk
            chunk = bytes_from(self.file, step)


@contextmanager
def opened(source, name: str | None, limits: Limits) -> Iterator[Source]:
    """The source as an open file; a path is closed again."""
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
        raise ValueError("Only files of this machine are read: download the table first.")
    try:
        about = os.stat(text)
    except (OSError, ValueError):
        raise ValueError(f"There is no file {_title(text)!r}: check its path.") from None
    if not stat.S_ISREG(about.st_mode):  # a pipe or a device may never end
        raise ValueError(
            f"The path {_title(text)!r} is not that of a file: give the path of a table."
        )
    try:
        file = open(text, "rb")  # noqa: SIM115
    except OSError:
        raise ValueError(f"{_title(text)!r} cannot be opened: check its permissions.") from None
    with file:
        yield _source(file, name or text, about.st_size, limits)


def _source(file, name, size: int | None, limits: Limits) -> Source:
    if size is not None and size > limits.bytes:
        raise _too_long(size, limits)
    return Source(file, _title(name), size, bytes_from(file, HEAD))


def bytes_from(file, n: int) -> bytes:
    """The next bytes, at most n; ValueError if they are text."""
    chunk = file.read(n)
    if not isinstance(chunk, bytes | bytearray | memoryview):
        raise ValueError("The file was opened as text: open it in binary mode, 'rb'.")
    return bytes(chunk)


def refuse_other_formats(head: bytes) -> None:
    """Raise ValueError if the first bytes are those of something that is not a table."""
    if not head:
        raise ValueError("The file is empty: choose one with a header line and rows.")
    other = _other_format(head)
    if other is not None:
        raise ValueError(f"This is {other[0]}, not a table: {other[1]}.")


def _other_format(head: bytes) -> tuple[str, str] | None:
    """What a file is instead of a table, and what to do; None if nothing is known against it."""
    for magic, what, do in MAGIC:
        if head.startswith(magic):
            return what, do
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
    packed = b"".join(start.split())
    if packed.startswith((b'{"', b"{}", b"[{", b"[[", b'["', b"[]")):
        return "a JSON file", "save the table as CSV, for example with pandas.read_json(…).to_csv"
    return None


def seekable(source: Source, limits: Limits) -> Any:
    """The file from its beginning with seek, copied into memory if it has none."""
    if _size(source.file) is None:
        return io.BytesIO(b"".join(source.chunks(limits)))
    return source.file


def _size(file) -> int | None:
    """Bytes of the whole file, which is rewound; None if that cannot be done."""
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
