"""Finished tasks on disk, one Parquet file each, so that an interrupted run goes on.

A file is named after what its rows depend on: experiment, version, settings and task. More trials
or a longer grid take what is there already.
"""

from __future__ import annotations

import os
from pathlib import Path

from lapviz._extras import needed
from lapviz.experiments.registry import Config, Experiment, Row, Task


class Store:
    """A folder of finished tasks.

    Parameters
    ----------
    folder : path
        Made if it is not there.

    Raises
    ------
    ImportError
        If pyarrow, which writes the files, is missing.
    """

    def __init__(self, folder: str | Path):
        with needed("tables", "Keeping finished tasks"):
            import pyarrow.parquet  # noqa: F401
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def _path(self, experiment: Experiment, config: Config, task: Task) -> Path:
        return self.folder / f"{experiment.name}-{experiment.key(config, task)}.parquet"

    def get(self, experiment: Experiment, config: Config, task: Task) -> list[Row] | None:
        """A task's rows; None if they are not there, or cannot be read."""
        import pyarrow as pa
        from pyarrow import parquet

        path = self._path(experiment, config, task)
        if not path.exists():
            return None
        try:
            rows = parquet.read_table(path).to_pylist()
        except (pa.ArrowException, OSError):
            return None
        return [{k: v for k, v in row.items() if v is not None} for row in rows]

    def put(self, experiment: Experiment, config: Config, task: Task, rows: list[Row]) -> None:
        """Keep a task's rows; the file appears whole or not at all."""
        import pyarrow as pa
        from pyarrow import parquet

        path = self._path(experiment, config, task)
        part = path.with_suffix(f".{os.getpid()}.part")
        parquet.write_table(pa.Table.from_pylist(rows), part)
        os.replace(part, path)
