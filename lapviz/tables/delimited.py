"""Tables of text: bytes to whole lines of UTF-8, which Arrow's CSV reader takes block by block."""

from __future__ import annotations

import codecs
import io
import itertools
from collections.abc import Iterator
from contextlib import suppress

from lapviz import progress
from lapviz.tables.layout import NEVER, Layout, describe, layout_of, squeeze
from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.names import counted, tidy
from lapviz.tables.sources import Source

UNEVEN = 0.05  # share of rows of another length that may be left out
FEW, MOST_UNEVEN = 20, 10_000  # rows that may be left out of any table, if they are not the most
MOST_COMMENTS = 1_000_000
NOT_TEXT = "The file is binary, not a text table: save the table as CSV or Parquet."
_CONTROL = frozenset(map(chr, range(32))) - set("\t\n\r\f")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_text(source: Source, limits: Limits) -> tuple[list[str], list, list[str]]:
    """Names, columns of texts (Arrow's string arrays) and what was done."""
    import pyarrow as pa

    lines = _Lines(source, limits)
    pieces = iter(lines)
    text = next(pieces, b"").decode()
    if sum(map(text[:100_000].count, _CONTROL)) > max(len(text[:100_000]) / 100, 3):
        raise ValueError(NOT_TEXT)
    second = next(pieces, None)
    layout = layout_of(text, whole=second is None)
    limits.check_columns(layout.n_columns)
    rest = itertools.chain([text[layout.start :].encode(), second or b""], pieces)
    if layout.separator == " ":
        rest = (squeeze(piece.decode()).encode() for piece in rest)
    uneven = _Uneven(layout.n_columns)
    batches = list(_batches(rest, layout, lines, uneven, limits))
    done = list(describe(layout, lines.encoding, lines.others))
    n_rows = sum(batch.num_rows for batch in batches)
    last = next((batch for batch in reversed(batches) if batch.num_rows), None)
    runs_on = last is not None and any("\n" in c[-1].as_py() for c in last.columns)
    if lines.quotes % 2 and (uneven.ran_on or runs_on):
        raise ValueError(
            "A quotation mark that opens a cell is never closed, so that rows run together: "
            "close it."
        )
    done += uneven.sentences(n_rows)
    if not n_rows:
        raise ValueError("The table has a header and no rows: add rows, or choose another file.")
    names, renamed = tidy(layout.header or [""] * layout.n_columns)
    done += [renamed] if renamed and layout.header else []
    return names, pa.Table.from_batches(batches).columns, done


def _batches(rest, layout: Layout, lines: _Lines, uneven: _Uneven, limits: Limits) -> Iterator:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    stream, n_rows = _Stream(rest), 0
    names = [f"{i}" for i in range(layout.n_columns)]
    try:
        reader = csv.open_csv(
            stream,
            csv.ReadOptions(use_threads=False, column_names=names, block_size=2 * limits.row),
            csv.ParseOptions(
                delimiter="\t" if layout.separator == " " else layout.separator,
                newlines_in_values=True,
                invalid_row_handler=uneven,
            ),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
        for batch in reader:
            n_rows += batch.num_rows
            if n_rows > limits.rows:
                raise refuse_larger(f"The table has more than {limits.rows:,} rows")
            if n_rows * layout.n_columns > limits.cells:
                raise refuse_larger(f"The table has more than {limits.cells:,} cells")
            for column in batch.columns:
                if (pc.max(pc.binary_length(column)).as_py() or 0) > limits.cell:
                    raise ValueError(
                        f"A cell has more than {limits.cell:,} characters: "
                        "shorten it, or close its quotation mark."
                    )
            progress.report("Reading the table", lines.read, lines.source.size or 0)
            yield batch
    except pa.ArrowInvalid as error:
        if stream.error is not None:
            raise stream.error from None
        if uneven.count > MOST_UNEVEN:
            raise uneven.error() from None
        if "straddling" in str(error):
            raise ValueError(
                f"After row {n_rows:,} comes one of more than {limits.row / MIB:.3g} MB: "
                "a quotation mark that opens a cell is never closed; close it."
            ) from None
        if "Empty CSV file" in str(error):
            return
        raise ValueError(
            "The rows cannot be told apart: save the table as CSV with commas and quoted texts."
        ) from None


class _Lines:
    """Pieces of the text in UTF-8, each of whole lines that end in ``\\n``.

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

    def __init__(self, source: Source, limits: Limits) -> None:
        self.encoding, self._mark = encoding_of(source.head)
        self.source, self.limits = source, limits
        self.others = self.read = self.quotes = 0

    def __iter__(self) -> Iterator[bytes]:
        held = b""
        for chunk in self._in_utf8():
            held += chunk
            end = max(held.rfind(b"\n"), held.rfind(b"\r", 0, len(held) - 1)) + 1
            if end:
                yield self._checked(held[:end])
                held = held[end:]
            if len(held) > self.limits.row:
                raise ValueError(
                    f"A line has more than {self.limits.row:,} bytes: "
                    "each row of the table belongs on a line of its own."
                )
        if held:
            yield self._checked(held)

    def _in_utf8(self) -> Iterator[bytes]:
        """The file's bytes without its mark; those of another Unicode encoding as UTF-8."""

        def chunks() -> Iterator[bytes]:
            mark = self._mark
            for chunk in self.source.chunks(self.limits):
                self.read += len(chunk)
                yield chunk[mark:]
                mark = 0

        if self.encoding == "utf-8":
            yield from chunks()
            return
        try:
            for text in codecs.iterdecode(chunks(), self.encoding):
                yield text.encode()
        except UnicodeDecodeError:
            raise ValueError(
                f"The text is not {self.encoding.upper()[:6]} throughout: save it as UTF-8."
            ) from None

    def _checked(self, piece: bytes) -> bytes:
        if b"\0" in piece:
            raise ValueError(NOT_TEXT)
        try:
            piece.decode()
        except UnicodeDecodeError:
            piece = b"".join(map(self._line, piece.splitlines(keepends=True)))
        piece = piece.replace(NEVER.encode(), b"")
        if b"\r" in piece:
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self.quotes += piece.count(b'"')
        return piece if piece.endswith(b"\n") else piece + b"\n"

    def _line(self, line: bytes) -> bytes:
        for encoding in ("utf-8", "cp1252"):
            with suppress(UnicodeDecodeError):
                text = line.decode(encoding)
                self.others += encoding != "utf-8"
                return text.encode()
        self.others += 1
        return line.decode("latin-1").encode()  # which any byte is


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


class _Stream(io.RawIOBase):
    """The pieces as the binary file that Arrow reads; an error in it is kept, not printed."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.held = pieces, b""
        self.error: Exception | None = None

    def readable(self) -> bool:
        return True

    def read(self, n: int = MIB) -> bytes:
        """The next bytes, at most n; none at the end."""
        try:
            self.held = self.held or next(filter(None, self.pieces), b"")
        except Exception as error:
            self.error = error
            raise
        given, self.held = self.held[:n], self.held[n:]
        return given


class _Uneven:
    """Rows that have another number of cells than the others: left out if they are few."""

    def __init__(self, n_columns: int) -> None:
        self.n_columns, self.count, self.comments = n_columns, 0, 0
        self.first_cells, self.ran_on = 0, False

    def __call__(self, row) -> str:
        several = "\n" in row.text
        if row.text.lstrip().startswith(("#", "%")) and not several:
            self.comments += 1
            if self.comments <= MOST_COMMENTS:
                return "skip"
        self.count += 1
        self.first_cells = self.first_cells or row.actual_columns
        self.ran_on = several  # of the last one
        return "error" if self.count > MOST_UNEVEN else "skip"

    def error(self) -> ValueError:
        """The sentence if they are too many."""
        return ValueError(
            f"Rows are uneven, {self.count:,} of them without the {self.n_columns} cells of the "
            f"others (the first of these has {self.first_cells}): give all rows the same cells, "
            "and quote texts that hold separators."
        )

    def sentences(self, n_rows: int) -> list[str]:
        """What was left out; raises ValueError if it is too much."""
        if self.count > max(UNEVEN * n_rows, min(FEW, n_rows)):
            raise self.error()
        sentences = []
        if self.comments:
            sentences.append(f"{counted(self.comments, 'comment line')} left out.")
        if self.count:
            rows = counted(self.count, "row")
            sentences.append(f"{rows} left out that had not {self.n_columns} cells.")
        return sentences
