"""The report as a table, and README's copy of it against the run that it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from lapviz import markdown
from lapviz.bench.cases import Row

HEADER = ("case", "what", "ours", "peer", "ratio", "bound", "ok")
VERDICT = {True: "yes", False: "NO", None: "–"}
STORED = Path(__file__).with_name("stored.json")  # what ``--json`` wrote; README's table is its own


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
    said, given = _lines(text), _lines(table(rows))
    if not said:
        return [f"There is no table with the heads {' | '.join(HEADER)}."]
    found = [
        f"{given_cells[0]}, {given_cells[1]}: {head} is {there!r}, the run gave {here!r}."
        for said_cells, given_cells in zip(said, given, strict=False)
        for head, there, here in zip(HEADER, said_cells, given_cells, strict=False)
        if there != here
    ]
    if len(said) != len(given):
        found.append(f"The table has {len(said)} rows, the run gave {len(given)}.")
    return found


def _lines(text: str) -> list[list[str]]:
    """Cells of the rows of the first table with our heads."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    if list(HEADER) not in lines:
        return []
    body = lines[lines.index(list(HEADER)) + 2 :]  # without the rule
    return body[: body.index([])] if [] in body else body
