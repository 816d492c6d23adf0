"""Run an experiment: tasks through joblib, progress, cancelling, partial results.

For example::

    with joblib.parallel_config(backend="dask"):       # or n_jobs=2, or nothing
        results = runs.run(registry.get("landmarks"), config)
    results.write("landmarks.parquet")

Each task has its own random stream, so neither the order nor the number of processes matters.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lapviz import progress
from lapviz.checks import as_python
from lapviz.experiments.records import Results
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task
from lapviz.fit import parallel


class Store:
    """Finished tasks on disk, one JSON file each, so that an interrupted run can continue.

    A file is named after what its rows depend on: experiment, version, settings and task. A run
    with more trials or a longer grid reuses existing files, except where every task depends on all
    of them: a sweep over other values, and more draws of ``digits``, ``digits_graph`` or
    ``tables``, start anew.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def _path(self, experiment: Experiment, config: Config, task: Task) -> Path:
        return self.folder / f"{experiment.name}-{experiment.key(config, task)}.json"

    def get(self, experiment: Experiment, config: Config, task: Task) -> list[Row] | None:
        """Return a task's rows; None if they are missing or cannot be read."""
        try:
            return json.loads(self._path(experiment, config, task).read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def put(self, experiment: Experiment, config: Config, task: Task, rows: list[Row]) -> None:
        """Write a task's rows; the file appears complete or not at all."""
        path = self._path(experiment, config, task)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(rows), "utf-8")
        os.replace(part, path)


def run(
    experiment: Experiment,
    config: Config,
    *,
    n_jobs: int | None = None,
    store: str | Path | Store | None = None,
) -> Results:
    """Run all tasks of an experiment.

    Reports the tasks done as :class:`lapviz.progress.Report`, with the results so far.

    Parameters
    ----------
    experiment : Experiment
        Experiment to run.
    config : Config
        Its configuration.
    n_jobs : int, optional
        Number of processes; None for the setting of ``joblib.parallel_config``, by default one.
    store : path or Store, optional
        Where finished tasks are stored: a folder, or an object with ``get`` and ``put``.

    Returns
    -------
    Results
        Rows in the order of the tasks; after :class:`lapviz.progress.StopEarly`, those of the tasks
        that are done.

    Raises
    ------
    ValueError
        If the experiment is a class or has no name, the configuration is not one of it, its ``run``
        returns no rows, or a task raises it.
    lapviz.progress.Cancelled
        If the listener raises it.
    """
    kind = type(experiment).__name__
    if isinstance(experiment, type):
        given = experiment.__name__
        raise ValueError(f"experiment is the class {given}: pass an object of it, {given}().")
    if not getattr(experiment, "name", ""):
        raise ValueError(f'{kind} needs a name: write name = "…" in the class.')
    if not isinstance(config, experiment.Config):
        got = f"the class {config.__name__}" if isinstance(config, type) else repr(config)
        older = type(config).__qualname__ == experiment.Config.__qualname__
        raise ValueError(
            f'The configuration must be {kind}.sizes["small"] or another {kind}.Config(…); got '
            + (f"one of an older definition of {kind}." if older else f"{got}.")
        )
    tasks = experiment.tasks(config)
    store = Store(store) if isinstance(store, str | Path) else store
    done: dict[int, list[Row]] = {}
    for i, task in enumerate(tasks if store is not None else ()):
        if (rows := store.get(experiment, config, task)) is not None:
            done[i] = rows

    def results() -> Results:
        rows = tuple(row for i in sorted(done) for row in done[i])
        counts, date = (len(done), len(tasks)), datetime.now(UTC).date().isoformat()
        return Results(experiment.name, config, rows, *counts, experiment.version, date)

    remaining = [i for i in range(len(tasks)) if i not in done]
    try:
        with progress.inside("tasks done", len(tasks)) as report:
            report(len(done), results())
            calls = [(experiment, config, tasks[i]) for i in remaining]
            for k, rows in parallel.each(rows_of, calls, n_jobs, lambda: report(len(done))):
                i = remaining[k]
                done[i] = rows
                if store is not None:
                    store.put(experiment, config, tasks[i], rows)
                report(len(done), results())
    except progress.StopEarly:
        pass
    _warn_of_missing_columns(results(), experiment.drawn(config))
    return results()


def _warn_of_missing_columns(results: Results, drawings: tuple[Drawing, ...]) -> None:
    """Warn of columns that a figure needs and no row has; the rows themselves are kept."""
    drawn = {column for d in drawings for column in (d.x, d.y, d.colour, d.facet) if column}
    missing = sorted(drawn - set(results.columns))
    if missing and results.rows and results.complete:
        warnings.warn(
            f"No row of {results.experiment} has the column {', '.join(map(repr, missing))}, which "
            f"its drawings name; the columns are: {', '.join(results.columns)}.",
            stacklevel=3,
        )


def rows_of(experiment: Experiment, config: Config, task: Task) -> list[Row]:
    """Run one task; its rows with factors and trial."""
    rows = experiment.run(config, task, task.rng(experiment.table or experiment.name, config.seed))
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError(
            f"The method run of {experiment.name} must return a list of rows, each a dict, such as "
            f'[{{"error": 0.1}}]; got {str(rows)[:60]}.'
        )
    factors = {**task.factors, "trial": task.trial}
    return [{name: as_python(value) for name, value in (factors | row).items()} for row in rows]
