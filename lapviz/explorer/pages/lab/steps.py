"""Runs of the Lab: in the host's queue, task by task, cached by what they depend on.

One task at a time in one thread: a small host has no room for processes, and between two tasks the
queue lets shorter work of other visitors pass, and their runs take turns. Finished tasks are kept,
so that a cancelled run goes on where it stopped; with a visitor's own data, in the visitor's cache.
"""

from __future__ import annotations

from dataclasses import dataclass

from lapviz.experiments import runs
from lapviz.experiments.records import Results
from lapviz.experiments.registry import Config, Experiment, Row, Task
from lapviz.explorer.compute import cache, jobs
from lapviz.explorer.compute.queue import QUEUE
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.lab.settings import Run

MOST = 20  # runs of the whole host, those that wait included
PATIENCE = 900.0  # seconds that a run goes on while its visitor looks at other pages
JOB = "lab"


def ask(run: Run) -> jobs.Job:
    """The job of a run, in the session's place for it.

    Raises
    ------
    ValueError
        If the host has as many runs as it takes.
    """
    if QUEUE.long_runs() >= MOST:
        raise ValueError(
            f"This host has {MOST} runs of the Lab already, and takes no more: try again in a few "
            "minutes, or take the command and run it on your own computer."
        )
    jobs.forget(JOB)  # a cancelled one
    return jobs.ask(JOB, measured, run, patience=PATIENCE, long_running=True)


@dataclass(frozen=True)
class Tasks:
    """Finished tasks in the cache; the interface of :class:`lapviz.experiments.runs.Store`."""

    run: Run

    def _key(self, experiment: Experiment, config: Config, task: Task) -> tuple:
        return "lab task", experiment.key(config, task), self.run.data

    def get(self, experiment: Experiment, config: Config, task: Task) -> list[Row] | None:
        """A task's rows; None if they are not there."""
        return STORE.find(self._key(experiment, config, task))

    def put(self, experiment: Experiment, config: Config, task: Task, rows: list[Row]) -> None:
        """Keep a task's rows."""
        STORE.keep(self._key(experiment, config, task), rows)


@cache.step
def measured(run: Run) -> Results:
    """The results of a run; reports them as they come."""
    try:
        return runs.run(run.experiment, run.config, n_jobs=1, store=Tasks(run))
    except ImportError as error:
        raise ValueError(str(error)) from None


def found(run: Run, asked: Run | None) -> tuple[Results | None, jobs.Job | None]:
    """The run's results if it is done, and its job if it is the one that was asked for.

    To look at the job keeps it alive.
    """
    done, job = cache.peek(measured, run), jobs.known(JOB) if asked == run else None
    if job is not None and job.work != (measured, run):
        job = None
    if job is not None:
        job.wait(0)
        if done is None and job.state == "done":
            done = job.result()  # too large for the cache
    return done, job
