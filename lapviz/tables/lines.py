"""Bytes to text, whole lines at a time, with an end to what a line may have."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from lapviz.tables.limits import Limits
from lapviz.tables.sources import Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
NEVER = "\x1f"  # a control character that no text has after this
NOT_TEXT = "The file is binary, not a text table: save the table as CSV or Parquet."


def encoding_of(head: bytes) -> tuple[str, int]:
    """Encoding by the byte order mark or by where zero bytes stand, and the mark's length."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    most = 0.3 * len(head)  # half of the bytes, in text of one alphabet
    if odd > most and even < odd / 20:
        return "utf-16-le", 0
    if even > most and odd < even / 20:
        return "utf-16-be", 0
    return "utf-8", 0


class Lines:
    """Pieces of the text, each of whole lines that end in ``\\n``.

    A line that is not UTF-8 is read as Windows-1252.

    Attributes
    ----------
    encoding : str
    others : int
        Lines that were not UTF-8.
    read : int
        Bytes that were read.
    quotes : int
        Quotation marks in all pieces.
    """

    def __init__(self, source: Source, head: bytes, limits: Limits) -> None:
        self.encoding, self._mark = encoding_of(head)
        self.source, self.limits = source, limits
        self.others = self.read = self.quotes = 0

    def __iter__(self) -> Iterator[str]:
        pieces = self._wide() if self.encoding != "utf-8" else self._narrow()
        for piece in pieces:
            if "\0" in piece:
                raise ValueError(NOT_TEXT)
            piece = piece.replace(NEVER, "")
            if "\r" in piece:
                piece = piece.replace("\r\n", "\n").replace("\r", "\n")
            self.quotes += piece.count('"')
            yield piece if piece.endswith("\n") else piece + "\n"

    def _chunks(self) -> Iterator[bytes]:
        mark = self._mark
        for chunk in self.source.chunks(self.limits):
            self.read += len(chunk)
            yield chunk[mark:]
            mark = 0

    def _narrow(self) -> Iterator[str]:
        held = b""
        for chunk in self._chunks():
            held += chunk
            end = max(held.rfind(b"\n"), held.rfind(b"\r", 0, len(held) - 1)) + 1
            if end:
                yield self._decoded(held[:end])
                held = held[end:]
            self._check(len(held))
        if held:
            yield self._decoded(held)

    def _wide(self) -> Iterator[str]:
        decoder, held = codecs.getincrementaldecoder(self.encoding)(), ""
        try:
            for chunk in self._chunks():
                held += decoder.decode(chunk)
                end = max(held.rfind("\n"), held.rfind("\r", 0, len(held) - 1)) + 1
                if end:
                    yield held[:end]
                    held = held[end:]
                self._check(len(held))
            held += decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise ValueError(
                f"The text is not {self.encoding.upper()[:6]} throughout: save it as UTF-8."
            ) from None
        if held:
            yield held

    def _decoded(self, piece: bytes) -> str:
        try:
            return piece.decode("utf-8")
        except UnicodeDecodeError:
            return "".join(map(self._line, piece.splitlines(keepends=True)))

    def _line(self, line: bytes) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            self.others += 1
        try:
            return line.decode("cp1252")
        except UnicodeDecodeError:
            return line.decode("latin-1")

    def _check(self, held: int) -> None:
        if held > self.limits.row:
            raise ValueError(
                f"A line has more than {self.limits.row:,} bytes: "
                "each row of the table belongs on a line of its own."
            )
