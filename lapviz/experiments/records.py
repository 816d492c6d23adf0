"""Results of an experiment: rows and configuration, to CSV or Parquet and back.

A CSV file starts with one comment line, ``# `` and the configuration as JSON; a Parquet file has
the same text in its metadata under ``lapviz``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from lapviz._extras import needed
from lapviz.charts import drawn_rows
from lapviz.experiments import registry
from lapviz.experiments.registry import Config, Drawing, Finding, Row

META = b"lapviz"
SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True, eq=False)
class Results:
    """Rows of one run of an experiment, complete or not.

    Attributes
    ----------
    experiment : str
    config : Config
    rows : tuple of dict
        Tidy: factors, ``trial`` and measurements; in the order of the tasks.
    done, total : int
        Numbers of tasks.
    version : int
        Version of the experiment.
    date : str
        Date of the run, in UTC.
    """

    experiment: str
    config: Config
    rows: tuple[Row, ...]
    done: int
    total: int
    version: int = 1
    date: str = ""

    @property
    def complete(self) -> bool:
        """Whether all tasks are done."""
        return self.done >= self.total

    @property
    def columns(self) -> list[str]:
        """Names of all columns, in order of first occurrence."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def drawings(self) -> tuple[Drawing, ...]:
        """Return the figures of these rows."""
        return registry.get(self.experiment).drawn(self.config)

    def findings(self) -> list[Finding]:
        """Return what the experiment finds in the rows."""
        return registry.get(self.experiment).check(self.rows) if self.rows else []

    def shown(self) -> Results:
        """Return a copy with only the rows that figures of its table show, to six digits."""
        sharing = (registry.get(name) for name in registry.names())
        drawings = [
            drawing
            for experiment in sharing
            if self.experiment in (experiment.name, experiment.table)
            for drawing in experiment.drawn(self.config)
        ]
        rows = drawn_rows(self.rows, drawings)
        return replace(self, rows=tuple({k: _rounded(v) for k, v in row.items()} for row in rows))

    def command(self) -> str:
        """Return the command that reproduces the run."""
        sizes, config = registry.get(self.experiment).sizes, self.config
        size = min(sizes, key=lambda s: len(list(config.differing(sizes[s]))))
        parts = ["python -m lapviz.experiments", self.experiment, f"--size {size}"]
        for field in config.differing(sizes[size]):
            text = field.write(getattr(config, field.name))
            flag = "--{} " if field.name in ("trials", "seed") else "--set {}="
            if not text.replace(",", "").isalnum():
                text = "'{}'".format(text.replace("'", r"'\''"))
            parts.append(flag.format(field.name) + text)
        return " ".join([*parts, f"--out {self.experiment}.parquet"])

    def facts(self) -> dict[str, object]:
        """Return the metadata that is written with the rows."""
        names = ("experiment", "version", "date", "complete", "done", "total")
        return {name: getattr(self, name) for name in names} | {"config": asdict(self.config)}

    def to_csv(self) -> str:
        """Return the text of a CSV file, whose header names columns of number-like texts."""
        texts = {name for row in self.rows for name, value in row.items()
                 if isinstance(value, str) and _typed(value) != value}  # fmt: skip
        file = io.StringIO()
        header = self.facts() | {"texts": sorted(texts)}
        file.write(f"# {json.dumps(header, ensure_ascii=False)}\n")
        writer = csv.DictWriter(file, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return file.getvalue()

    def to_parquet(self) -> bytes:
        """Return the bytes of a Parquet file; ImportError without pyarrow."""
        with needed("tables", "A Parquet file"):
            import pyarrow as pa
            from pyarrow import parquet

        table = pa.table({name: self._cells(name) for name in self.columns})
        header = json.dumps(self.facts(), ensure_ascii=False).encode()
        file = io.BytesIO()
        parquet.write_table(table.replace_schema_metadata({META: header}), file, compression="zstd")
        return file.getvalue()

    def _cells(self, name: str) -> list:
        """A column, None where a row has no such value; all texts if some are, such as "auto"."""
        cells = [row.get(name) for row in self.rows]
        if any(isinstance(cell, str) for cell in cells):
            return [None if cell is None else str(cell) for cell in cells]
        return cells

    def write(self, path: str | Path) -> None:
        """Write a CSV or Parquet file, by its suffix.

        Raises
        ------
        ValueError
            If the suffix is neither.
        """
        path = checked_path(path)
        if path.suffix == ".csv":
            path.write_text(self.to_csv(), "utf-8")
        else:
            path.write_bytes(self.to_parquet())


def checked_path(path: str | Path) -> Path:
    """Return a path to which results can be written.

    Raises
    ------
    ValueError
        If its suffix is neither .csv nor .parquet, or it is a folder.
    """
    path = Path(path)
    if path.is_dir() and path.suffix in SUFFIXES:
        raise ValueError(f"{path.name!r} is a folder: give the name of a file.")
    if path.suffix not in SUFFIXES:
        raise ValueError(f"Results go to a .csv or a .parquet file; got {path.name!r}.")
    return path


def read(path: str | Path) -> Results:
    """Read what :meth:`Results.write` wrote.

    Raises
    ------
    ValueError
        If the file has no configuration, or not that of an experiment.
    """
    path = checked_path(path)
    try:
        header, content = (_csv_parts if path.suffix == ".csv" else _parquet_parts)(path)
        facts = json.loads(header)
        fields = {name: facts[name] for name in ("experiment", "done", "total", "version", "date")}
        settings = facts["config"].items()
    except (ValueError, KeyError, TypeError, AttributeError):  # a file of another program
        raise ValueError(f"{path.name} does not name its experiment and configuration.") from None
    rows, texts = content, facts.get("texts", ())
    if isinstance(content, str):
        rows = [
            {name: text if name in texts else _typed(text) for name, text in line.items() if text}
            for line in csv.DictReader(io.StringIO(content))
        ]
    config = {k: tuple(v) if isinstance(v, list) else v for k, v in settings}
    experiment = registry.get(fields["experiment"])
    return Results(config=experiment.Config(**config), rows=tuple(measured(rows)), **fields)


def _csv_parts(path: Path) -> tuple[str, str]:
    """The configuration's text, and the table's."""
    head, _, body = path.read_text("utf-8").partition("\n")
    return head.removeprefix("# ") if head.startswith("# ") else "", body


def _parquet_parts(path: Path) -> tuple[str, list[Row]]:
    """The configuration's text, and the rows."""
    with needed("tables", "A Parquet file"):
        from pyarrow import parquet

    table = parquet.read_table(path)
    return (table.schema.metadata or {}).get(META, b"").decode(), table.to_pylist()


@cache
def stored(name: str) -> Results | None:
    """Return the results of the paper-size run shipped with lapviz; None if there are none.

    An experiment that draws another one's table has that table.
    """
    folder = Path(__file__).parent / "results"
    table = registry.get(name).table or name
    paths = (folder / f"{table}{suffix}" for suffix in SUFFIXES)
    path = next((path for path in paths if path.exists()), None)
    return replace(read(path), experiment=name) if path else None


def measured(rows: Sequence[Row]) -> list[Row]:
    """Drop the empty cells of rows, which come from the columns of other rows."""
    return [{k: v for k, v in row.items() if v is not None} for row in rows]


def _rounded(value: object) -> object:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _typed(text: str) -> int | float | bool | str:
    """Parse a cell of a file as an integer, a number, a boolean or a text."""
    for reader in (int, float):
        with suppress(ValueError):
            return reader(text)
    return {"True": True, "False": False}.get(text, text)
