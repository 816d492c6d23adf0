"""The report as a table, and the check of docs/performance.md against the stored run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.cases import Row
from lapviz import markdown

HEADER = ("case", "what", "ours", "peer", "ratio", "bound", "ok")
VERDICT = {True: "yes", False: "NO", None: "–"}
STORED = Path(__file__).with_name("stored.json")  # written by ``--json``


def cells(row: Row) -> tuple:
    return (row.case, row.what, row.ours, row.peer, row.ratio, row.bound, VERDICT[row.ok])


def table(rows: Iterable[Row]) -> str:
    """A Markdown table that also reads well as plain text."""
    return markdown.table(HEADER, map(cells, rows), missing="", pad=True)


def stored(file: Path = STORED) -> list[Row]:
    """The rows of a stored run."""
    return [Row(**row) for row in json.loads(file.read_text("utf-8"))["rows"]]


def differences(text: str, rows: Sequence[Row]) -> list[str]:
    """List the cells of the table in a text that differ from these rows, one line each.

    Parameters
    ----------
    text : str
        A document with the table, found by its heads; spaces in cells do not matter.
    rows : sequence of Row
    """
    written, expected = _lines(text), _lines(table(rows))
    if not written:
        return [f"There is no table with the heads {' | '.join(HEADER)}."]
    messages = [
        f"{new[0]}, {new[1]}: {head} is {in_text!r}, the run gave {in_run!r}."
        for old, new in zip(written, expected, strict=False)
        for head, in_text, in_run in zip(HEADER, old, new, strict=False)
        if in_text != in_run
    ]
    if len(written) != len(expected):
        messages.append(f"The table has {len(written)} rows, the run gave {len(expected)}.")
    return messages


def _lines(text: str) -> list[list[str]]:
    """Cells of the rows of the first table with these heads."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    if list(HEADER) not in lines:
        return []
    body = lines[lines.index(list(HEADER)) + 2 :]  # without the separator line
    return body[: body.index([])] if [] in body else body
