"""Runs of the Lab: in the host's queue, task by task, cached by what they depend on.

Tasks run one at a time in one thread: a small host has no room for processes. Between two tasks the
queue lets shorter work of other visitors pass, and other runs take turns. Finished tasks are kept,
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

MOST = 20  # runs on the host, waiting ones included
JOB = "lab"


def ask(run: Run) -> jobs.Job:
    """Start the session's job for a run.

    Raises
    ------
    ValueError
        If the host has the maximal number of runs.
    """
    if QUEUE.long_runs() >= MOST:
        raise ValueError(
            f"This host has {MOST} runs of the Lab already, and takes no more: try again in a few "
            "minutes, or take the command and run it on your own computer."
        )
    jobs.forget(JOB)  # a cancelled job
    return jobs.ask(JOB, measured, run, long_running=True)


@dataclass(frozen=True)
class Tasks:
    """Finished tasks in the cache; the interface of :class:`lapviz.experiments.runs.Store`."""

    run: Run

    def _key(self, experiment: Experiment, config: Config, task: Task) -> tuple:
        return "lab task", experiment.key(config, task), self.run.data

    def get(self, experiment: Experiment, config: Config, task: Task) -> list[Row] | None:
        """Return a task's rows, or None if they are not kept."""
        return STORE.find(self._key(experiment, config, task))

    def put(self, experiment: Experiment, config: Config, task: Task, rows: list[Row]) -> None:
        """Keep a task's rows."""
        STORE.keep(self._key(experiment, config, task), rows)


@cache.step
def measured(run: Run) -> Results:
    """Run the experiment; reports its results as they arrive."""
    try:
        return runs.run(run.experiment, run.config, n_jobs=1, store=Tasks(run))
    except ImportError as error:
        raise ValueError(str(error)) from None


def results_and_job(run: Run) -> tuple[Results | None, jobs.Job | None]:
    """Return the run's results if it is done, and its job if it was the last one requested.

    Checking the job keeps it alive.
    """
    results, job = cache.peek(measured, run), jobs.get(JOB)
    if job is None or job.work != (measured, run):
        return results, None
    job.wait(0)
    if results is None and job.state == "done":
        results = job.result()  # too large for the cache
    return results, job
