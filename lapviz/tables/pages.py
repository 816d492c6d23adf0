"""Sizes in the page headers of a Parquet file, by which a decoder allocates memory.

The sizes in the file's footer can be false; the decoder does not compare. A page header is a struct
of Thrift's compact protocol, whose first three fields are whole numbers: kind, size after
decompression, size in the file (Apache Parquet format, ``parquet.thrift``, PageHeader).
"""

from __future__ import annotations

import io

HEADER = 1 << 16  # bytes of a page header, at most
PAGES = 200_000  # pages of a column chunk, at most
BROKEN = "The Parquet file is damaged or cut off: write it again."
_WIDTHS = {1: 0, 2: 0, 3: 1, 7: 8}  # bytes by kind of fixed width; a boolean is in its kind
_INTEGERS, _BINARY, _LISTS, _STRUCT = (4, 5, 6), 8, (9, 10), 12


def declared_bytes(file, chunk) -> int:
    """Total size after decompression that the pages of a column chunk declare, in bytes.

    Parameters
    ----------
    file : binary file object with seek
    chunk : pyarrow.parquet.ColumnChunkMetaData

    Returns
    -------
    int
        Sum over the pages.

    Raises
    ------
    ValueError
        If the pages are not contiguous, or too many.
    """
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        start = min(start, chunk.dictionary_page_offset)
    offset, end, total = start, start + chunk.total_compressed_size, 0
    if start < 4:
        raise ValueError(BROKEN)
    for _ in range(PAGES):
        if offset >= end:
            return total
        file.seek(offset)
        raw_size, packed_size, header_size = page_header(bytes(file.read(HEADER)))
        if raw_size < 0 or packed_size < 0:
            raise ValueError(BROKEN)
        total += raw_size
        offset += header_size + packed_size
    raise ValueError("The Parquet file is cut into very many pages: write it again.")


def page_header(data: bytes) -> tuple[int, int, int]:
    """Size after decompression, size in the file, and length of the header itself.

    Raises
    ------
    ValueError
        If the bytes are not a page header.
    """
    file = io.BytesIO(data)
    try:
        fields = _fields(file)
        return int(fields[2]), int(fields[3]), file.tell()  # type: ignore[arg-type]
    except (IndexError, KeyError, TypeError, OverflowError):
        raise ValueError(BROKEN) from None


def _fields(file: io.BytesIO, depth: int = 0) -> dict[int, int | None]:
    """Whole numbers among the fields of a struct, by field number; other fields are skipped."""
    fields, number = {}, 0
    if depth > 8:
        raise IndexError
    while head := file.read(1)[0]:
        number = number + (head >> 4) if head >> 4 else _signed(file)
        fields[number] = _value(file, head & 15, depth)
    return fields


def _value(file: io.BytesIO, kind: int, depth: int) -> int | None:
    if kind in _INTEGERS:
        return _signed(file)
    if kind in _WIDTHS:
        file.seek(_WIDTHS[kind], 1)
    elif kind == _BINARY:
        file.seek(_unsigned(file), 1)
    elif kind in _LISTS:
        head = file.read(1)[0]
        count, kind = _unsigned(file) if head >> 4 == 15 else head >> 4, head & 15
        for _ in range(min(count, HEADER)):
            file.read(1)[0] if kind in (1, 2) else _value(file, kind, depth + 1)
    elif kind == _STRUCT:
        _fields(file, depth + 1)
    else:
        raise IndexError
    return None


def _unsigned(file: io.BytesIO) -> int:
    value = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)[0]
        value |= (byte & 127) << shift
        if byte < 128:
            return value
    raise IndexError


def _signed(file: io.BytesIO) -> int:
    value = _unsigned(file)
    return (value >> 1) ^ -(value & 1)
