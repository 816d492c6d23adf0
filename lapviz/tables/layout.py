"""Detect the layout of a text table: separator, comment lines, header, number of columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from lapviz.tables.names import counted
from lapviz.tables.numbers import MISSING, looks_like_a_date, looks_like_a_number

SAMPLE = 1 << 18  # characters examined
ROWS = 300  # rows examined
SEPARATORS = ("\t", ";", "|", ",", " ")  # those that occur in numbers and dates come last
NAMES = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "spaces"}
COMMENT = ("#", "%")
NEVER = "\x1f"  # a control character that was removed from the text before
ONE_COLUMN = NEVER
STATED = re.compile(r'"?sep=(.)"?[ ]*\n', re.IGNORECASE)  # Excel's first line
YEAR = re.compile(r"(1[5-9]|20)\d\d")
SPACES = re.compile(r'"(?:[^"\n]|"")*"|[ \t]+')


@dataclass(frozen=True)
class Layout:
    """Layout of a text table.

    Attributes
    ----------
    separator : str
        One character; " " for any number of spaces and tabs.
    n_columns : int
    header : tuple of str or None
        Names in the header line.
    start : int
        Number of characters before the first row.
    n_comments : int
        Number of comment and title lines before the table.
    """

    separator: str
    n_columns: int
    header: tuple[str, ...] | None
    start: int
    n_comments: int = 0


def squeeze(text: str) -> str:
    """Replace each run of spaces and tabs outside quotes by one tab."""
    replacement = (lambda m: m[0] if m[0][0] == '"' else "\t") if '"' in text else "\t"
    pattern = SPACES if '"' in text else re.compile(r"[ \t]+")
    return re.sub(r"(?m)^\t+|\t+$", "", pattern.sub(replacement, text))


def unspace(text: str, separator: str) -> str:
    """Remove spaces before quoted cells, in which neither csv nor Arrow would see the quotes."""
    if separator in (" ", ONE_COLUMN) or ' "' not in text:
        return text
    mark, quoted = re.escape(separator), r'"(?:[^"\n]|"")*"'
    cells = re.compile(rf"(?m){quoted}|(?:^|(?<={mark})) +(?={quoted} *(?:{mark}|$))")
    return cells.sub(lambda m: m[0] if m[0][0] == '"' else "", text)


def detect_layout(text: str, complete: bool) -> Layout:
    """Detect the layout from the beginning of the text, or from all of it if ``complete``.

    Raises
    ------
    ValueError
        If there is no row.
    """
    start, comments = _comments(text)
    stated = STATED.match(text, start)
    start = stated.end() if stated else start
    sample = _sample(text, start)
    cut = len(text) > start + len(sample) or not complete
    if not sample.strip():
        raise ValueError("The file holds no rows: choose one with a header line and rows.")
    candidates = stated[1] if stated and stated[1] in SEPARATORS else SEPARATORS
    separator, n, records = _separator(sample, cut, candidates)
    titles = int(stated is not None)  # and lines of one cell, before a table of several columns
    while n > 2 and len(records) > 2 and len(records[0]) == 1 and titles < 20:
        start = _after_record(text, start, separator)
        records, titles = records[1:], titles + 1
    for _ in range(_padded_titles(records, n)):
        start = _after_record(text, start, separator)
        records, titles = records[1:], titles + 1
    header = _header(records, n)
    if header is not None:
        start = _after_record(text, start, separator)
        if len(header) == n - 1:  # rows end with a separator, or begin with their names
            ends = all(not row[-1].strip() for row in records[1:] if len(row) == n)
            header = (*header, "") if ends else ("row", *header)
        elif n > 1 and not header[0] and all(header[1:]):  # pandas' index
            header = ("row", *header[1:])
    elif comments and separator != ONE_COLUMN:  # as numpy.savetxt writes it
        names = _rows(comments[-1].lstrip("#% ") + "\n", separator)
        if names and len(names[0]) == n and not any(map(looks_like_a_number, names[0])):
            header = tuple(names[0])
    return Layout(separator, n, header, start, len(comments) + titles)


def _sample(text: str, start: int) -> str:
    """About ``SAMPLE`` characters from ``start``, up to a line end."""
    end = text.find("\n", start + SAMPLE) + 1
    return text[start : end or len(text)]


def _comments(text: str) -> tuple[int, list[str]]:
    """Position after the leading blank and comment lines, and the comment lines."""
    start, comments = 0, []
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        line = text[start:end].strip()
        if line and not line.startswith(COMMENT):
            return start, comments
        comments += [line] * bool(line)
        start = end
    return 0, []  # every line begins with #: it is part of the cells


def _rows(text: str, separator: str) -> list[list[str]]:
    if separator == " ":
        text, separator = squeeze(text), "\t"
    text = unspace(text, separator)
    rows, comments = [], []
    table_begins = not text.lstrip().startswith(COMMENT)  # perhaps with a quoted "#"
    try:
        for row in csv.reader(_lines(text), delimiter=separator):
            if row:
                is_comment = row[0].lstrip().startswith(COMMENT) and (rows or not table_begins)
                (comments if is_comment else rows).append(row)
            if len(rows) == ROWS:
                break
    except csv.Error:  # an unclosed field
        pass
    return rows or comments


def _lines(text: str) -> io.StringIO:
    """Lines that end in ``\\n`` alone, unlike those of ``str.splitlines``."""
    return io.StringIO(text, newline="\n")


def _separator(
    sample: str, cut: bool, candidates: Iterable[str]
) -> tuple[str, int, list[list[str]]]:
    """Separator for which most rows have the same number of cells, at least two; with the rows.

    If it is less than half of the rows for every separator, the one that splits the first row is
    taken: the reader will say that the rows are uneven. Of equal shares one counts more that cuts
    no quoted cell and splits the first rows too, so that no mark in a column of texts is taken.
    """
    best_key, best = (0.0, False), (ONE_COLUMN, 1, _rows(sample, ONE_COLUMN))
    for separator in candidates:
        if separator not in sample:
            continue
        rows = _rows(sample, separator)
        rows = rows[:-1] if cut and 1 < len(rows) < ROWS else rows  # the last may be cut off
        if not rows:
            continue
        n, count = Counter(map(len, rows)).most_common(1)[0]
        share = count / len(rows)
        if share < 0.5 and separator != " ":
            n, share = len(rows[0]), 0.1 * sum(len(row) > 1 for row in rows) / len(rows)
        if n < 2 or share < 0.05 or (separator == "," and _decimals(rows, sample)):
            continue
        n_broken = sum(any(cell.count('"') % 2 for cell in row) for row in rows)
        even = separator != " " and all(len(row) == n for row in rows[:2])
        key = 1.0 if share >= 0.9 else share, even and n_broken <= 0.5 * len(rows)
        if key > best_key:
            best_key, best = key, (separator, n, rows)
    return best


def _decimals(rows: list[list[str]], sample: str) -> bool:
    """Whether commas are decimal marks: of one column, or of columns that spaces separate.

    The header has none then.
    """
    if len(rows[0]) > 1:
        return False
    if all(
        len(row) == 2 and row[0].strip().lstrip("+-").isdigit() and row[1].strip().isdigit()
        for row in rows[1:]
    ):
        return True
    first, *spaced = (len(row) for row in _rows(sample, " ")[: len(rows)])
    if len(set(spaced)) != 1 or spaced[0] < 2 or first not in (spaced[0], spaced[0] - 1):
        return False
    breaks = [pair for row in rows[1:] for pair in pairwise(row)]
    return all(left[-1:].isdigit() and right[:1].isdigit() for left, right in breaks)


def _after_record(text: str, start: int, separator: str) -> int:
    """Position of the next record; a quoted field may contain line ends."""
    lines = list(_lines(_sample(text, start)))
    reader = csv.reader(lines, delimiter="\t" if separator == " " else separator)
    next(filter(None, reader), None)  # blank lines are not records
    return start + sum(map(len, lines[: reader.line_num]))


def _padded_titles(records: list[list[str]], n: int) -> int:
    """Number of titles before a header that have n cells, all but the first empty, as in Excel's
    files."""
    first = next((k for k, row in enumerate(records[:20]) if any(map(str.strip, row[1:]))), 0)
    if n < 3 or not first or _is_value(records[0][0].strip()):
        return 0
    header = _header(records[first:], n)
    return first if header is not None and sum(map(bool, header)) > 1 else 0


def _header(records: list, n: int) -> tuple[str, ...] | None:
    """Names in the header, if the first record is one; a column of row names may have none."""
    first, rows = records[0], [row for row in records[1:] if len(row) == n]
    shifted = n - 1 if len(first) == n - 1 and n > 2 else 0
    if len(first) != n and not shifted:
        return None
    cells = [cell.strip() for cell in first]
    if shifted:
        return tuple(cells) if not any(map(_is_value, cells)) else None
    if _are_column_numbers(cells, rows) or _are_years(cells, rows):
        return tuple(cells)
    votes = 0
    for i, cell in enumerate(cells):
        below = [text for row in rows if (text := row[i].strip()) not in MISSING]
        if not cell:
            continue
        if not below:
            votes += not _is_value(cell) if rows else 0
        elif sum(map(_is_value, below)) > 0.8 * len(below):
            votes += -1 if _is_value(cell) or cell in MISSING else 1
    if votes or any(map(_is_value, cells)):
        return tuple(cells) if votes > 0 else None
    named = [cell for cell in cells if cell]
    repeated = any(cell and cell == row[i].strip() for row in rows for i, cell in enumerate(cells))
    if not named or repeated or (len(set(named)) < len(named) and len(rows) == 0):
        return None
    return tuple(cells)


def _are_column_numbers(cells: list[str], rows: list) -> bool:
    """Whether cells are 0, 1, 2, …, as pandas writes columns without names, above other values.

    The first may be empty, above the index.
    """
    named = cells if cells[0] else cells[1:]
    if len(named) < 3 or named != [str(i) for i in range(len(named))]:
        return False
    below = [row[-len(named) :] for row in rows]
    return bool(below) and all(any(not cell.strip().isdigit() for cell in row) for row in below)


def _are_years(cells: list[str], rows: list) -> bool:
    """Whether the numbers among cells are years at equal distances, above other values.

    One year tells less: its column has numbers and no year, and the names beside it are no values.
    """
    at = [i for i, cell in enumerate(cells) if _is_value(cell)]
    if not 0 < len(at) < len(cells) or not all(YEAR.fullmatch(cells[i]) for i in at):
        return False
    if len(at) == 1:
        below = [row[at[0]].strip() for row in rows]
        names = [(i, cell) for i, cell in enumerate(cells) if i != at[0] and cell not in MISSING]
        repeated = any(row[i].strip() == cell for row in rows for i, cell in names)
        is_above = any(map(_is_value, below)) and not any(map(YEAR.fullmatch, below))
        return bool(names) and not repeated and is_above
    steps = {int(cells[j]) - int(cells[i]) for i, j in pairwise(at)}
    others = [any(not YEAR.fullmatch(row[i].strip()) for row in rows) for i in at]
    return len(steps) == 1 and steps.pop() > 0 and all(others)


def _is_value(cell: str) -> bool:
    return looks_like_a_number(cell) or looks_like_a_date(cell)


def describe(layout: Layout, encoding: str, n_other: int) -> Iterator[str]:
    """Sentences on what differs from UTF-8 with commas and a header line."""
    if layout.n_comments:
        lines = "lines were" if layout.n_comments > 1 else "line was"
        yield f"{layout.n_comments} comment or title {lines} left out."
    if layout.header is None:
        yield "There is no header line: the columns are numbered."
    if layout.separator not in (",", ONE_COLUMN):
        yield f"Cells are separated by {NAMES[layout.separator]}."
    if encoding != "utf-8":
        yield f"The text is {encoding.upper()}."
    if n_other:
        yield f"{counted(n_other, 'line')} not in UTF-8 read as Windows-1252."
