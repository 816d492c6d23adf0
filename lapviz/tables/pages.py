"""Sizes in the page headers of a Parquet file, which a decoder believes when it takes memory.

The sizes at the file's end can be false; the decoder does not compare. A page header is a struct
of Thrift's compact protocol, of which the first three fields are whole numbers: kind, size after
decompression, size in the file (Apache Parquet format, ``parquet.thrift``, PageHeader).
"""

from __future__ import annotations

HEADER = 1 << 16  # bytes of a page header, at most
PAGES = 200_000  # of a column chunk, at most
BROKEN = "The Parquet file is damaged or cut off: write it again."


def largest_pages(file, chunk) -> int:
    """Bytes after decompression that the pages of a column chunk declare, all together.

    Parameters
    ----------
    file : binary file object with seek
    chunk : pyarrow.parquet.ColumnChunkMetaData

    Returns
    -------
    int
        The sum over its pages.

    Raises
    ------
    ValueError
        If the pages do not follow each other as they should.
    """
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        start = min(start, chunk.dictionary_page_offset)
    place, end, total = start, start + chunk.total_compressed_size, 0
    if start < 4:
        raise ValueError(BROKEN)
    for _ in range(PAGES):
        if place >= end:
            return total
        file.seek(place)
        unpacked, packed, length = page_header(bytes(file.read(HEADER)))
        if unpacked < 0 or packed < 0:
            raise ValueError(BROKEN)
        total += unpacked
        place += length + packed
    raise ValueError("The Parquet file is cut into very many pages: write it again.")


def page_header(data: bytes) -> tuple[int, int, int]:
    """Size after decompression, size in the file, and length of the header itself.

    Raises
    ------
    ValueError
        If the bytes are no page header.
    """
    reader = _Compact(data)
    try:
        fields = reader.struct(0)
        size, packed = fields[2], fields[3]
        if size is None or packed is None:
            raise TypeError
        return size, packed, reader.place
    except (IndexError, KeyError, TypeError, RecursionError):
        raise ValueError(BROKEN) from None


class _Compact:
    """As much of Thrift's compact protocol as it takes to step over a struct."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise IndexError

    def whole(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int) -> dict[int, int | None]:
        """Whole numbers among the fields by their number; the others are stepped over."""
        fields, number = {}, 0
        if depth > 8:
            raise IndexError
        while head := self.byte():
            kind = head & 15
            number = number + (head >> 4) if head >> 4 else self.whole()
            fields[number] = self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> int | None:
        if kind in (4, 5, 6):
            return self.whole()
        if kind == 3:
            self.place += 1
        elif kind == 7:
            self.place += 8
        elif kind == 8:
            length = self.varint()
            self.place += length
        elif kind in (9, 10):
            head = self.byte()
            count = self.varint() if head >> 4 == 15 else head >> 4
            for _ in range(min(count, HEADER)):
                self.byte() if head & 15 in (1, 2) else self.value(head & 15, depth + 1)
        elif kind == 12:
            self.struct(depth + 1)
        elif kind not in (1, 2):  # a truth value is its kind
            raise IndexError
        return None
