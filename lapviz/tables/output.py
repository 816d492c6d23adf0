"""Exports: CSV in which a spreadsheet executes nothing, and scripts that read a file.

A script reproduces the arrays or, for large files, fits with Dask.
"""

from __future__ import annotations

import ast
import codecs
import csv
import io
import re
from collections.abc import Mapping, Sequence
from numbers import Number
from pathlib import Path
from typing import TextIO

import numpy as np

from lapviz.checks import as_python, is_missing
from lapviz.tables.layout import detect_layout
from lapviz.tables.numbers import COMMA_GROUPS, decimal_commas, looks_like_a_date
from lapviz.tables.records import Column, Roles
from lapviz.tables.sources import refuse_other_formats

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
BLOCK = 50_000  # rows written at a time
SNIFFED = 1 << 16  # characters that tell separator and decimal mark
_PREPARE = """from lapviz import tables

table = tables.read({path})  # the file, beside this script
data = table.prepare(
    features={features},
    label={label},
    weight={weight},
    missing="{missing}",
    scale={scale},
    task="{task}",
)
X, y, weights = data.X, data.y, data.weights
"""
_LARGE = """import dask.dataframe as dd
from distributed import Client

from lapviz import {estimator}


def main():
    table = dd.{reader}({path}{options})
    table = table.map_partitions(lambda part: part)  # parts stay as they are, whatever is read
    numbers = table.select_dtypes('number', exclude='timedelta')
    columns = [name for name in numbers.columns{chosen}]
    table = table.dropna(subset=columns)  # rows with a blank among these are left out
    X = table[columns]
    X = (X - X.mean()) / X.std().replace(0.0, 1.0)  # every column counts alike
{fit}    values = dd.from_dask_array(values, columns={columns}, index=table.index)
    table = table.map_partitions(  # in the order of the rows
        lambda part, values: part.assign({assigned}), values, align_dataframes=False
    )
    table.to_csv("values-*.csv", index=False)


if __name__ == "__main__":
    with Client():  # this machine; Client("tcp://…") for a cluster
        main()
"""
_EMBED = """    model = GalerkinEmbedding(random_state=0).fit(X)
    print(model.eigenvalues_)
    values = model.transform(X)  # lazy: written part by part
"""
_CLASSIFY = """    y = table[{label}]
    is_number = y.dtype.kind in "iuf"
    y = y.fillna(-1) if is_number else y.astype("string").fillna("-1")  # unlabelled
    model = LaplacianClassifier(random_state=0).fit(X, y)
    print(model.report_)
    values = model.predict(X)  # lazy: written part by part
"""


def write_csv(columns: Mapping[str, Sequence], file: TextIO) -> None:
    """Write columns as CSV.

    A text or a name that a spreadsheet would take for a formula (it begins with =, +, -, @, a tab
    or a line end, after spaces or not) gets an apostrophe before it; numbers stay numbers.

    Parameters
    ----------
    columns : mapping of str to sequence or Column
        Values of each column by its name; all of one length. None and NaN become empty cells.
    file : text file
        Opened with ``newline=""``.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    lengths = {len(v.values if isinstance(v, Column) else v) for v in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"The columns have different lengths: {sorted(lengths)}.")
    writer = csv.writer(file)
    writer.writerow([escape_formula(str(name)) for name in columns])
    for start in range(0, max(lengths, default=0), BLOCK):  # all at once would fill the memory
        lists = [_as_list(values, slice(start, start + BLOCK)) for values in columns.values()]
        writer.writerows(map(_cell, row) for row in zip(*lists, strict=True))


def csv_text(columns: Mapping[str, Sequence]) -> str:
    """Return the text that :func:`write_csv` writes.

    Parameters
    ----------
    columns : mapping of str to sequence
        As for :func:`write_csv`.

    Returns
    -------
    str
        CSV with a header line.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    file = io.StringIO(newline="")
    write_csv(columns, file)
    return file.getvalue()


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would execute.

    Parameters
    ----------
    text : str
        A cell or a name.

    Returns
    -------
    str
        The text that is safe to write.
    """
    return "'" + text if text.lstrip(" \u00a0").startswith(FORMULA) else text


def _as_list(values, rows: slice) -> list:
    """Rows of a column as Python objects."""
    if isinstance(values, Column):
        return values.cells(rows)
    plain = isinstance(values, np.ndarray) and values.dtype.kind in "fiub"
    return values[rows].tolist() if plain else list(values[rows])


def _cell(value) -> str | Number:
    if is_missing(value) or value != value:
        return ""
    if isinstance(value, Number):
        return as_python(value)
    return escape_formula(str(value))


def script(roles: Roles, path: str) -> str:
    """Write the lines that define table, data, X, y and weights for given roles."""
    names = [_literal(name) for name in roles.features]
    features = f"({', '.join(names)}{',' * (len(names) == 1)})"
    if len(features) > 80:  # one per line
        features = "(\n" + "".join(f"        {name},\n" for name in names) + "    )"
    text = _PREPARE.format(
        path=_literal(str(path)),
        features=features,
        label=_literal(roles.label),
        weight=_literal(roles.weight),
        missing=roles.missing,
        scale=roles.scale,
        task=roles.task,
    )
    ast.parse(text)
    return text


def _marks_of(path: str, separator: str, label: str | None) -> tuple[str, str, str, str, bool]:
    """Separator, decimal mark, mark of thousands, encoding, and whether spaces follow separators.

    In the first lines of a text file; as given without a file.

    Raises
    ------
    ValueError
        If Dask would misread the file, or it has no column ``label``.
    """
    file = Path(path)
    if file.is_dir():
        raise ValueError(f"{file.name!r} is a folder: name its files, as in {file.name}/*.parquet.")
    if not file.is_file():
        return separator, ".", "", "utf-8", False
    import pyarrow as pa

    with file.open("rb") as lines:
        start = lines.read(SNIFFED)
    if start:
        refuse_other_formats(start)
    encoding = "utf-8"
    try:
        head = codecs.getincrementaldecoder("utf-8-sig")().decode(start)
    except UnicodeDecodeError:
        encoding = "cp1252"
        head = start.decode(encoding, errors="replace")
    if "\0" in head:
        raise ValueError(f"Dask reads no UTF-16: save {file.name} in UTF-8, or as Parquet.")
    head = head.replace("\r\n", "\n").replace("\r", "\n")
    if not head.strip():
        return separator, ".", "", "utf-8", False
    layout = detect_layout(head, complete=False)
    found = layout.separator
    if layout.header is None or layout.n_comments or found == " ":
        raise ValueError(
            f"Dask reads tables that begin with one line of column names and have one separator: "
            f"save {file.name} so, without comment lines, or as Parquet."
        )
    spaced = any(name.startswith(" ") for name in _first_cells(head[: layout.start], found, False))
    names = _first_cells(head[: layout.start], found, spaced)  # as pandas reads them
    if label is not None and label not in names:
        raise ValueError(f"There is no column {label!r}: {file.name} has {', '.join(names)}.")
    found = found if found in ",;\t|" else separator
    cells = [cell.strip() for line in head.split("\n") for cell in line.split(found)]
    if found == "," or not decimal_commas(pa.array(cells)):
        return found, ".", "", encoding, spaced
    has_groups = any(re.match(COMMA_GROUPS, cell) for cell in cells)
    has_dates = any(map(looks_like_a_date, cells))  # pandas would take 01.02.2024 for thousands
    return found, ",", "." if has_groups and not has_dates else "", encoding, spaced


def _first_cells(text: str, separator: str, skip_spaces: bool) -> list[str]:
    lines = io.StringIO(text, newline="\n")
    rows = csv.reader(lines, delimiter=separator, skipinitialspace=skip_spaces)
    return next(filter(None, rows), [])


def large_script(
    path: str, label: str | None = None, sep: str | None = None, decimal: str | None = None
) -> str:
    """Write a script that fits a table too large for memory with Dask.

    It writes the rows of the table without blanks, with their classes or eigenfunctions.

    Parameters
    ----------
    path : str
        A CSV, TSV or Parquet file, or a pattern such as "parts/*.parquet".
    label : str, optional
        Column of the classes, blank where unlabelled; without it, eigenfunctions are learnt.
    sep, decimal : str, optional
        Separator and decimal mark of a text file, by default as in the first lines of the file if
        it is here, else a tab for TSV, a comma for CSV, and a point.

    Returns
    -------
    str
        Python source on the public names; needs ``pip install "dask[dataframe]" distributed``.

    Raises
    ------
    ValueError
        If a text file is here that does not begin with its column names, is separated by spaces, or
        has no column ``label``.
    """
    name, literal = str(path).lower(), _literal(label)
    options, is_parquet = "", name.endswith((".parquet", ".pq"))
    if not is_parquet:  # types are those of the first rows, and blanks may come later
        types = "" if label is None else f", dtype={{{literal}: str}}"
        usual = "\t" if name.endswith((".tsv", ".tab")) else ","
        label_there = label if sep is None else None
        found, mark, thousands, encoding, spaced = _marks_of(path, usual, label_there)
        sep, decimal = sep or found, decimal or mark
        options = "" if sep == "," else f", sep={sep!r}"
        options += "" if decimal == "." else f", decimal={decimal!r}"
        options += f", thousands={thousands!r}" if thousands and decimal == "," else ""
        options += "" if encoding == "utf-8" else f", encoding={encoding!r}"
        options += ", skipinitialspace=True" if spaced and sep == found else ""
        options += f", assume_missing=True, sample_rows=10_000{types}"
    columns, assigned = '"predicted"', "predicted=values"
    if label is None:
        columns = '[f"e{k}" for k in range(values.shape[1])]'
        assigned = "**{name: values[name] for name in values.columns}"
    text = _LARGE.format(
        estimator="GalerkinEmbedding" if label is None else "LaplacianClassifier",
        reader="read_parquet" if is_parquet else "read_csv",
        path=_literal(str(path)),
        options=options,
        chosen="" if label is None else f" if name != {literal}",
        columns=columns,
        assigned=assigned,
        fit=_EMBED if label is None else _CLASSIFY.format(label=literal),
    )
    ast.parse(text)
    return text


def _literal(text: str | None) -> str:
    """Python literal of a text, in double quotes where that needs no escapes."""
    literal = repr(text)
    return f'"{text}"' if literal == f"'{text}'" and '"' not in literal else literal
