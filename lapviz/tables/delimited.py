"""Tables of text, by Arrow's CSV reader, block by block."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from lapviz import progress
from lapviz.tables.layout import Layout, describe, layout_of, squeeze
from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.lines import NOT_TEXT, Lines
from lapviz.tables.names import tidy
from lapviz.tables.sources import Source

UNEVEN = 0.05  # share of rows of another length that may be left out
FEW = 20  # rows that may be left out of any table, if they are not the most
_CONTROL = frozenset(map(chr, range(32))) - set("\t\n\r\f")


def read_text(source: Source, head: bytes, limits: Limits) -> tuple[list[str], list, list[str]]:
    """Names, columns of texts (Arrow's string arrays) and what was done."""
    lines = Lines(source, head, limits)
    pieces = iter(lines)
    text = next(pieces, "")
    if sum(map(text[:100_000].count, _CONTROL)) > max(len(text[:100_000]) / 100, 3):
        raise ValueError(NOT_TEXT)
    second = next(pieces, None)
    layout = layout_of(text, whole=second is None)
    rest = itertools.chain([text[layout.start :]], [second] * (second is not None), pieces)
    _check_columns(layout.n_columns, limits)
    uneven = _Uneven(layout.n_columns)
    batches = list(_batches(rest, layout, lines, uneven, limits))
    done = list(describe(layout, lines.encoding, lines.others))
    n_rows = sum(batch.num_rows for batch in batches)
    if lines.quotes % 2 and (uneven.ran_on or _runs_on(batches)):
        raise ValueError(
            "A quotation mark that opens a cell is never closed, so that rows run together: "
            "close it."
        )
    done += uneven.sentences(n_rows)
    if not n_rows:
        raise ValueError("The table has a header and no rows: add rows, or choose another file.")
    names, said = tidy(layout.header or [""] * layout.n_columns)
    done += [said] if said and layout.header else []
    return names, _columns(batches, layout.n_columns), done


def _columns(batches: list, n: int) -> list:
    """One string array a column; each batch is given up as far as it was used."""
    import pyarrow as pa

    by_column = [[batch.column(i) for batch in batches] for i in range(n)]
    batches.clear()
    return [pa.chunked_array(parts) for parts in by_column]


def _runs_on(batches: list) -> bool:
    """Has the last row a cell of several lines?"""
    last = next((batch for batch in reversed(batches) if batch.num_rows), None)
    return last is not None and any("\n" in c[-1].as_py() for c in last.columns)


def _check_columns(n: int, limits: Limits) -> None:
    if n > limits.columns:
        raise ValueError(
            f"The table has {n:,} columns, and at most {limits.columns:,} are read: "
            "keep the columns that matter."
        )


def _batches(rest, layout: Layout, lines: Lines, uneven: _Uneven, limits: Limits) -> Iterator:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    stream = _Stream(rest, spaces=layout.separator == " ")
    names = [f"{i}" for i in range(layout.n_columns)]
    n_rows = 0
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
            _check_rows(n_rows, layout.n_columns, limits)
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
        if uneven.too_many:
            raise uneven.error(n_rows) from None
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


def _check_rows(n_rows: int, n_columns: int, limits: Limits) -> None:
    if n_rows > limits.rows or n_rows * n_columns > limits.cells:
        raise refuse_larger(
            f"The table has more than {limits.rows:,} rows"
            if n_rows > limits.rows
            else f"The table has more than {limits.cells:,} cells"
        )


class _Stream:
    """The text as the binary file that Arrow reads; an error in it is kept, not printed."""

    def __init__(self, pieces: Iterator[str], spaces: bool) -> None:
        self.pieces, self.spaces = pieces, spaces
        self.held, self.closed, self.error = b"", False, None

    def read(self, n: int = MIB) -> bytes:
        """The next bytes, at most n; none at the end."""
        while not self.held:
            try:
                piece = next(self.pieces, None)
            except Exception as error:
                self.error, piece = error, None
                raise
            if piece is None:
                return b""
            self.held = (squeeze(piece) if self.spaces else piece).encode("utf-8", "replace")
        given, self.held = self.held[:n], self.held[n:]
        return given

    def readable(self) -> bool:
        """Yes."""
        return True

    def close(self) -> None:
        """Nothing is held open."""
        self.closed = True


class _Uneven:
    """Rows that have another number of cells than the others: left out if they are few."""

    def __init__(self, n_columns: int) -> None:
        self.n_columns, self.count, self.comments = n_columns, 0, 0
        self.first, self.last, self.too_many = None, None, False

    def __call__(self, row) -> str:
        if row.text.lstrip().startswith(("#", "%")) and "\n" not in row.text:
            self.comments += 1
            if self.comments <= 1_000_000:
                return "skip"
        self.count += 1
        self.first = self.first or row
        self.last = row
        self.too_many = self.count > 10_000
        return "error" if self.too_many else "skip"

    def error(self, n_rows: int) -> ValueError:
        """The sentence if they are too many."""
        assert self.first is not None  # there was a row, or there would be no error
        cells = self.first.actual_columns
        return ValueError(
            f"Rows are uneven, {self.count:,} of them without the {self.n_columns} cells of the "
            f"others (the first of these has {cells}): give all rows the same cells, and quote "
            "texts that hold separators."
        )

    @property
    def ran_on(self) -> bool:
        """Has the last of them several lines?"""
        return self.last is not None and "\n" in self.last.text

    def sentences(self, n_rows: int) -> list[str]:
        """What was left out; raises ValueError if it is too much."""
        if self.count > max(UNEVEN * n_rows, min(FEW, n_rows)):
            raise self.error(n_rows)
        said = []
        if self.comments:
            said.append(f"{self.comments:,} comment line{'s' * (self.comments > 1)} left out.")
        if self.count:
            said.append(
                f"{self.count:,} row{'s' * (self.count > 1)} left out that had not "
                f"{self.n_columns} cells."
            )
        return said
