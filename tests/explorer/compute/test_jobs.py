"""Computations in threads of a session."""

import threading
import time

import pytest
from page_tests import WAIT

from lapviz import progress
from lapviz.explorer.compute import jobs, queue
from lapviz.explorer.compute.cache import clear, step
from lapviz.explorer.compute.jobs import Job


@pytest.fixture(autouse=True)
def session(monkeypatch):
    """Dictionaries of a session without a running script."""
    monkeypatch.setattr(jobs.visitors.st, "session_state", {})


class Loop:
    """Work that reports until it is ended."""

    def __init__(self):
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self):
        try:
            for done in range(10**9):
                progress.report("loop", done, 10**9, partial=done)
                self.begun.set()
                self.ended.wait(0.005)
        finally:
            self.ended.set()


def test_a_job_yields_its_value_or_what_was_raised_and_how_long_it_took():
    job, failed = Job(divmod, 7, 2).start(), Job(divmod, 7, 0).start()
    assert job.wait(WAIT)
    assert failed.wait(WAIT)
    assert (job.state, job.result()) == ("done", (3, 1))
    assert 0 < job.seconds < WAIT
    assert failed.state == "failed"
    with pytest.raises(ZeroDivisionError):
        failed.result()


def test_cancel_ends_the_work_at_its_next_report_and_keeps_what_there_is():
    work = Loop()
    job = Job(work).start()
    assert work.begun.wait(WAIT)
    assert not job.wait(0)
    job.cancel()
    assert job.wait(0)
    assert work.ended.wait(WAIT)
    assert job.partial >= 0
    with pytest.raises(progress.Cancelled):
        job.result()


def test_time_left_follows_the_share():
    job = Job(print)
    job._phase, job.report = time.monotonic() - 10, progress.Report("loop", 1, 4)
    assert job.left == pytest.approx(30, rel=0.1)
    job = Job(print)  # half was kept from an earlier run
    job._listen(progress.Report("tasks", 20, 40))
    assert job.left is None, "nothing of it is computed yet"
    job._phase -= 10
    job._listen(progress.Report("tasks", 24, 40))
    assert job.left == pytest.approx(40, rel=0.1)


def test_who_comes_back_to_an_abandoned_place_gets_a_new_job(monkeypatch):
    monkeypatch.setattr(queue, "UNASKED", 0.05)
    first = jobs.ask("place", work := Loop())
    assert first._end.wait(WAIT), "nobody asks any more"
    assert first.state == "cancelled"
    monkeypatch.setattr(queue, "UNASKED", WAIT)
    again = jobs.ask("place", work)
    assert again is not first
    again.cancel()
    assert again._end.wait(WAIT)
    assert jobs.ask("place", work) is again  # cancelled by hand: not begun anew


def test_other_work_at_a_place_ends_the_older_one():
    one, two = Loop(), Loop()
    first = jobs.ask("place", one)
    assert jobs.ask("place", one) is first
    other = jobs.ask("place", two)
    assert (first.state, other.state) == ("cancelled", "running")
    jobs.ask("elsewhere", one)
    jobs.forget_all(lambda job: job.work == (two,))
    assert jobs.running("place") is None
    assert jobs.get("elsewhere") is not None
    jobs.forget("elsewhere")
    assert other._end.wait(WAIT)


@pytest.mark.slow
def test_who_waits_for_anothers_step_can_give_up():
    """Where the other one does: test_steps.py."""
    clear()
    begun, go_on = threading.Event(), threading.Event()

    @step
    def shared(key):
        begun.set()
        assert go_on.wait(WAIT)
        return key

    first = Job(shared, "a").start()
    assert begun.wait(WAIT)
    second = Job(shared, "a").start()
    second.cancel()
    assert second._end.wait(WAIT), "it noticed while waiting"
    go_on.set()
    assert first.wait(WAIT)
    assert first.result() == "a"
