"""The jobs of a session's page: at most one for each place, which is a name.

A request for other work at a place ends the older job there. A job that no page asks about any more
ends by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from lapviz.explorer.compute.queue import Job
from lapviz.explorer.host import visitors

_JOBS = "lapviz_jobs"


def ask(name: str, function: Callable, *arguments: object, long_running: bool = False) -> Job:
    """Job of a place, started if its work is new or was abandoned.

    A job is abandoned, for example, while the visitor's computer sleeps.

    Parameters
    ----------
    name : str
        The place.
    function : callable
        Must not call Streamlit.
    *arguments : hashable
        Arguments of the function; equal ones mean the same work.
    long_running : bool
        As of :class:`~lapviz.explorer.compute.queue.Job`.
    """
    jobs = visitors.session_dict(_JOBS)
    job = jobs.get(name)
    if job is None or job.abandoned or job.work != (function, *arguments):
        if job is not None:
            job.discard()
        job = jobs[name] = Job(function, *arguments, long_running=long_running).start()
    return job


def get(name: str) -> Job | None:
    """Job of a place, whatever its state, or None."""
    return visitors.session_dict(_JOBS).get(name)


def running(name: str) -> Job | None:
    """Job of a place if it is running, else None."""
    job = get(name)
    return job if job is not None and job.state == "running" else None


def forget(name: str) -> None:
    """Cancel the job of a place, if there is one, and forget its result."""
    job = visitors.session_dict(_JOBS).pop(name, None)
    if job is not None:
        job.discard()


def forget_all(condition: Callable[[Job], bool]) -> None:
    """Cancel the jobs of this session that satisfy a condition, and forget their results."""
    for name, job in list(visitors.session_dict(_JOBS).items()):
        if condition(job):
            forget(name)
