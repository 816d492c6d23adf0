"""The jobs of a session's page, so that it always answers: each place of it, a name, has one.

To ask for other work at a place ends the older job there. A job that no page asks about any more
ends by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from lapviz.explorer.compute.queue import Job
from lapviz.explorer.host import visitors

__all__ = ["Job", "ask", "forget", "forget_all", "known", "running"]

_JOBS = "lapviz_jobs"


def ask(
    name: str,
    function: Callable,
    *arguments: object,
    patience: float | None = None,
    long_running: bool = False,
) -> Job:
    """The job of a place of this session's page; started if its work is new, or was abandoned:
    a computer may have slept.

    Parameters
    ----------
    name : str
        The place.
    function : callable
        Must not call Streamlit.
    *arguments : hashable
        What it is called with; they say whether the work is new.
    patience, long_running
        As of :class:`~lapviz.explorer.compute.queue.Job`.
    """
    jobs = visitors.session_dict(_JOBS)
    job = jobs.get(name)
    if job is None or job.abandoned or job.work != (function, *arguments):
        if job is not None:
            job.discard()
        job = Job(function, *arguments, patience=patience, long_running=long_running)
        jobs[name] = job.start()
    return job


def known(name: str) -> Job | None:
    """The job of a place, whatever its state."""
    return visitors.session_dict(_JOBS).get(name)


def running(name: str) -> Job | None:
    """The job of a place, if it has one that runs."""
    job = known(name)
    return job if job is not None and job.state == "running" else None


def forget(name: str) -> None:
    """End the job of a place, if there is one, and forget its result."""
    job = visitors.session_dict(_JOBS).pop(name, None)
    if job is not None:
        job.discard()


def forget_all(meant: Callable[[Job], bool]) -> None:
    """End all jobs of this session that are meant, and forget their results."""
    for name, job in list(visitors.session_dict(_JOBS).items()):
        if meant(job):
            forget(name)
