"""The report as a table, and the copy of docs/performance.md against the run that it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.cases import Row
from lapviz import markdown

HEADER = ("case", "what", "ours", "peer", "ratio", "bound", "ok")
VERDICT = {True: "yes", False: "NO", None: "–"}
STORED = Path(__file__).with_name("stored.json")  # what ``--json`` wrote


def cells(row: Row) -> tuple:
    return (row.case, row.what, row.ours, row.peer, row.ratio, row.bound, VERDICT[row.ok])


def table(rows: Iterable[Row]) -> str:
    """A Markdown table that also reads well as plain text."""
    return markdown.table(HEADER, map(cells, rows), missing="", pad=True)


def stored(file: Path = STORED) -> list[Row]:
    """The rows of a stored run."""
    return [Row(**row) for row in json.loads(file.read_text("utf-8"))["rows"]]


def differences(text: str, rows: Sequence[Row]) -> list[str]:
    """One line for each figure of the table in a text that these rows do not give.

    Parameters
    ----------
    text : str
        A document with the table, known by its heads; spaces in cells do not matter.
    rows : sequence of Row
    """
    written, given = _lines(text), _lines(table(rows))
    if not written:
        return [f"There is no table with the heads {' | '.join(HEADER)}."]
    wrong = [
        f"{new[0]}, {new[1]}: {head} is {there!r}, the run gave {here!r}."
        for old, new in zip(written, given, strict=False)
        for head, there, here in zip(HEADER, old, new, strict=False)
        if there != here
    ]
    if len(written) != len(given):
        wrong.append(f"The table has {len(written)} rows, the run gave {len(given)}.")
    return wrong


def _lines(text: str) -> list[list[str]]:
    """Cells of the rows of the first table with our heads."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    if list(HEADER) not in lines:
        return []
    body = lines[lines.index(list(HEADER)) + 2 :]  # without the rule
    return body[: body.index([])] if [] in body else body
