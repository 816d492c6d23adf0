"""Read text tables: bytes to whole lines of UTF-8, which Arrow's CSV reader takes in blocks."""

from __future__ import annotations

import codecs
import io
import itertools
from collections.abc import Iterator
from contextlib import suppress

from lapviz import progress
from lapviz.tables.layout import NEVER, Layout, describe, detect_layout, squeeze, unspace
from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.names import counted, unique_names
from lapviz.tables.sources import Source

UNEVEN = 0.05  # share of rows of another length that may be left out
FEW = 20  # rows that may be left out of any table, if no more than remain
MOST_UNEVEN = 10_000  # uneven rows beyond which reading ends
MOST_COMMENTS = 1_000_000  # comment lines that are skipped; further ones count as uneven rows
NOT_TEXT = "The file is binary, and no intact Parquet file: save the table as CSV or Parquet again."
_CONTROL = frozenset(map(chr, range(32))) - set("\t\n\r\f")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_text(source: Source, limits: Limits) -> tuple[list[str], list, list[str]]:
    """Read names, columns of texts (Arrow's string arrays) and sentences on what was done."""
    import pyarrow as pa

    lines = _Lines(source, limits)
    pieces = iter(lines)
    text = next(pieces, b"").decode()
    if sum(map(text[:100_000].count, _CONTROL)) > max(len(text[:100_000]) / 100, 3):
        raise ValueError(NOT_TEXT)
    second = next(pieces, None)
    layout = detect_layout(text, complete=second is None)
    limits.check_columns(layout.n_columns)
    body = itertools.chain([text[layout.start :].encode(), second or b""], pieces)
    if layout.separator == " ":
        body = (squeeze(piece.decode()).encode() for piece in body)
    spaced = unspace(text, layout.separator) != text
    if spaced:
        body = (unspace(piece.decode(), layout.separator).encode() for piece in body)
    uneven = _Uneven(layout.n_columns)
    batches = list(_batches(body, layout, lines, uneven, limits))
    done = list(describe(layout, lines.encoding, lines.n_other))
    done += ["Spaces before quotation marks left out."] * spaced
    columns = pa.Table.from_batches(batches).columns if batches else []
    n_rows, n_empty = sum(batch.num_rows for batch in batches), 0
    last = next((batch for batch in reversed(batches) if batch.num_rows), None)
    runs_on = last is not None and any("\n" in c[-1].as_py() for c in last.columns)
    if lines.n_quotes % 2 and (uneven.ran_on or runs_on):
        raise ValueError(
            "A quotation mark that opens a cell is never closed, so that rows run together: "
            "close it."
        )
    done += uneven.sentences(n_rows)
    if not n_rows:
        raise ValueError("The table has a header and no rows: add rows, or choose another file.")
    # Spreadsheets write rows without any cell at the end.
    while n_empty < n_rows and not any(c[-1 - n_empty].as_py().strip() for c in columns):
        n_empty += 1
    n_empty %= n_rows  # a table of such rows alone keeps them
    if n_empty:
        done.append(f"{counted(n_empty, 'row')} without any cell left out at the end.")
    names, renamed = unique_names(layout.header or [""] * layout.n_columns)
    done += [renamed] if renamed and layout.header else []
    return names, [column.slice(0, n_rows - n_empty) for column in columns], done


def _batches(pieces, layout: Layout, lines: _Lines, uneven: _Uneven, limits: Limits) -> Iterator:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    stream, n_rows = _Stream(pieces), 0
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
            progress.report("Reading the table", lines.n_read, lines.source.size or 0)
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
            "The rows cannot be separated: save the table as CSV with commas and quoted texts."
        ) from None


class _Lines:
    """Iterate over pieces of the text in UTF-8, each of whole lines that end in ``\\n``.

    A line that is not UTF-8 is read as Windows-1252.

    Attributes
    ----------
    encoding : str
    n_other : int
        Number of lines that were not UTF-8.
    n_read : int
        Number of bytes read.
    n_quotes : int
        Number of quotation marks in all pieces.
    """

    def __init__(self, source: Source, limits: Limits) -> None:
        self.encoding, self._mark = encoding_of(source.head)
        self.source, self.limits = source, limits
        self.n_other = self.n_read = self.n_quotes = 0

    def __iter__(self) -> Iterator[bytes]:
        buffer = b""
        for chunk in self._in_utf8():
            buffer += chunk
            end = max(buffer.rfind(b"\n"), buffer.rfind(b"\r", 0, len(buffer) - 1)) + 1
            if end:
                yield self._checked(buffer[:end])
                buffer = buffer[end:]
            if len(buffer) > self.limits.row:
                raise ValueError(
                    f"A line has more than {self.limits.row:,} bytes: "
                    "each row of the table belongs on a line of its own."
                )
        if buffer:
            yield self._checked(buffer)

    def _in_utf8(self) -> Iterator[bytes]:
        """The file's bytes without the byte order mark, other Unicode encodings as UTF-8."""

        def chunks() -> Iterator[bytes]:
            mark = self._mark
            for chunk in self.source.chunks(self.limits):
                self.n_read += len(chunk)
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
        self.n_quotes += piece.count(b'"')
        return piece if piece.endswith(b"\n") else piece + b"\n"

    def _line(self, line: bytes) -> bytes:
        for encoding in ("utf-8", "cp1252"):
            with suppress(UnicodeDecodeError):
                text = line.decode(encoding)
                self.n_other += encoding != "utf-8"
                return text.encode()
        self.n_other += 1
        return line.decode("latin-1").encode()  # defined for every byte


def encoding_of(head: bytes) -> tuple[str, int]:
    """Detect the encoding by the byte order mark or by zero bytes; also the mark's length."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    many = 0.3 * len(head)  # half of the bytes are zero in Latin text
    if odd > many and even < odd / 20:
        return "utf-16-le", 0
    if even > many and odd < even / 20:
        return "utf-16-be", 0
    return "utf-8", 0


class _Stream(io.RawIOBase):
    """Binary file of the pieces, which Arrow reads; it keeps errors, which Arrow would print."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.buffer = pieces, b""
        self.error: Exception | None = None

    def readable(self) -> bool:
        return True

    def read(self, n: int = MIB) -> bytes:
        """Return the next bytes, at most n; none at the end."""
        try:
            self.buffer = self.buffer or next(filter(None, self.pieces), b"")
        except Exception as error:
            self.error = error
            raise
        chunk, self.buffer = self.buffer[:n], self.buffer[n:]
        return chunk


class _Uneven:
    """Handle rows with another number of cells than the others: leave them out if few."""

    def __init__(self, n_columns: int) -> None:
        self.n_columns, self.count, self.comments = n_columns, 0, 0
        self.first_cells, self.ran_on = 0, False

    def __call__(self, row) -> str:
        multiline = "\n" in row.text
        if row.text.lstrip().startswith(("#", "%")) and not multiline:
            self.comments += 1
            if self.comments <= MOST_COMMENTS:
                return "skip"
        self.count += 1
        self.first_cells = self.first_cells or row.actual_columns
        self.ran_on = multiline  # of the last row
        return "error" if self.count > MOST_UNEVEN else "skip"

    def error(self) -> ValueError:
        """Return the error for too many uneven rows."""
        return ValueError(
            f"Rows are uneven: {self.count:,} do not have {self.n_columns} cells (the first of "
            f"these has {self.first_cells}). Give all rows the same cells, and quote texts that "
            "hold separators."
        )

    def sentences(self, n_rows: int) -> list[str]:
        """Sentences on what was left out; ValueError if it is too much."""
        if self.count > max(UNEVEN * n_rows, min(FEW, n_rows)):
            raise self.error()
        sentences = []
        if self.comments:
            sentences.append(f"{counted(self.comments, 'comment line')} left out.")
        if self.count:
            rows = counted(self.count, "row")
            without = "it" if self.count == 1 else "them"
            sentences.append(
                f"{rows} left out for not having {self.n_columns} cells: "
                f"the others are numbered without {without}."
            )
        return sentences
