"""Computations beside a session's script."""

from __future__ import annotations

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from lapviz import progress
from lapviz.explorer.compute import jobs
from lapviz.explorer.compute.cache import clear, step

WAIT = 10.0  # seconds that no test should ever need


def test_a_job_yields_its_value_and_how_long_it_took():
    job = jobs.Job(divmod, 7, 2)
    assert job.wait(WAIT)
    assert (job.state, job.result()) == ("done", (3, 1))
    assert 0 < job.seconds < WAIT


def test_a_job_hands_on_what_was_raised():
    job = jobs.Job(divmod, 7, 0)
    assert job.wait(WAIT)
    assert job.state == "failed"
    with pytest.raises(ZeroDivisionError):
        job.result()


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


def test_cancel_ends_the_work_at_its_next_report_and_keeps_what_there_is():
    work = Loop()
    job = jobs.Job(work)
    assert work.begun.wait(WAIT)
    assert not job.wait(0)
    job.cancel()
    assert job.wait(0)
    assert work.ended.wait(WAIT)
    assert job.partial >= 0
    with pytest.raises(progress.Cancelled):
        job.result()


def test_nobody_asks_any_more(monkeypatch):
    monkeypatch.setattr(jobs, "UNASKED", 0.05)
    work = Loop()
    job = jobs.Job(work)
    assert work.ended.wait(WAIT)
    assert job._end.wait(WAIT)
    assert job.state == "cancelled"


def test_who_comes_back_to_an_abandoned_place_gets_a_new_job(monkeypatch):
    monkeypatch.setattr(jobs.st, "session_state", {})
    monkeypatch.setattr(jobs, "UNASKED", 0.05)
    first = jobs.ask("place", work := Loop())
    assert first._end.wait(WAIT)
    monkeypatch.setattr(jobs, "UNASKED", WAIT)
    again = jobs.ask("place", work)
    assert again is not first
    again.cancel()
    assert again._end.wait(WAIT)
    assert jobs.ask("place", work) is again  # cancelled by hand: not begun anew


def test_time_left_follows_the_share():
    job = jobs.Job(Loop())
    job.cancel()
    job._end.wait(WAIT)
    job._since, job.report = time.monotonic() - 10, progress.Report("loop", 1, 4)
    assert job.left == pytest.approx(30, rel=0.1)


@pytest.mark.slow
def test_other_work_at_a_place_ends_the_older_one():
    def page():
        import streamlit as st

        from lapviz.explorer.compute import jobs

        works = st.session_state["works"]
        first, again = jobs.ask("place", works[0]), jobs.ask("place", works[0])
        other = jobs.ask("place", works[1])
        st.session_state["seen"] = (first is again, first.state, other.state)
        jobs.forget("place")
        st.session_state["after"] = jobs.running("place")

    app = AppTest.from_function(page)
    app.session_state["works"] = works = (Loop(), Loop())
    app.run()
    assert not app.exception
    assert app.session_state["seen"] == (True, "cancelled", "running")
    assert app.session_state["after"] is None
    assert all(work.ended.wait(WAIT) for work in works)


def test_a_cancelled_visitor_leaves_the_step_to_the_one_who_waits():
    clear()
    begun, go_on = threading.Event(), threading.Event()
    calls = []

    @step
    def shared(key):
        calls.append(key)
        if len(calls) == 1:
            begun.set()
            go_on.wait(WAIT)
            progress.report("step", 1, 2)
        return key

    first = jobs.Job(shared, "a")
    assert begun.wait(WAIT)
    second = jobs.Job(shared, "a")
    first.cancel()
    go_on.set()
    assert second.wait(WAIT)
    assert second.result() == "a"
    assert len(calls) == 2


def test_one_who_waits_for_anothers_step_can_give_up():
    clear()
    begun, go_on = threading.Event(), threading.Event()

    @step
    def shared(key):
        begun.set()
        go_on.wait(WAIT)
        return key

    first = jobs.Job(shared, "a")
    assert begun.wait(WAIT)
    second = jobs.Job(shared, "a")
    second.cancel()
    assert second._end.wait(WAIT), "it noticed while it waited"
    go_on.set()
    assert first.wait(WAIT)
    assert first.result() == "a"
