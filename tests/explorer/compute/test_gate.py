"""The host's gate: order, fairness, giving way, leaving, and no deadlock."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from lapviz import progress
from lapviz.experiments import registry
from lapviz.explorer.compute import gate, jobs
from lapviz.explorer.compute.cache import clear, step
from lapviz.explorer.compute.gate import Gate, Ticket
from lapviz.explorer.pages.lab import runs as lab_runs
from lapviz.explorer.pages.lab.settings import Run
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets

WAIT = 10.0  # seconds that no test should ever need


class Worker:
    """A thread that passes a gate, notes that it did, and stays until it is let go."""

    def __init__(self, door: Gate, name: str, done: list, spent: float = 1.0, **more):
        self.ticket, self.go = Ticket(**more), threading.Event()
        self.ticket.spent = spent  # seconds that it has had a place before
        self.inside, self.error = threading.Event(), None

        def run():
            try:
                with door.turn(self.ticket):
                    done.append(name)
                    self.inside.set()
                    assert self.go.wait(WAIT)
            except RuntimeError as error:
                self.error = error

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def waits(self, door: Gate) -> Worker:
        until(lambda: self.ticket in door._waiting)
        return self

    def end(self) -> None:
        self.go.set()
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


def until(met) -> None:
    end = time.monotonic() + WAIT
    while not met():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)


def test_no_more_at_once_than_there_are_places():
    door, now, most = Gate(2), [0], [0]
    lock = threading.Lock()

    def run():
        ticket = Ticket()
        ticket.spent = gate.MOMENT
        with door.turn(ticket):
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            time.sleep(0.005)
            with lock:
                now[0] -= 1

    threads = [threading.Thread(target=run) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert most[0] == 2
    assert not door._inside
    assert not door._waiting


def test_who_has_had_least_goes_first_and_equals_in_their_order():
    door, done = Gate(1), []
    first = Worker(door, "first", done)
    assert first.inside.wait(WAIT)
    waiting = [
        Worker(door, name, done, spent).waits(door)
        for name, spent in (("long", 30), ("middle", 9), ("equal", 8), ("short", 1))
    ]
    assert [door.line(worker.ticket) for worker in waiting] == [4, 2, 3, 1]
    for worker in waiting:
        worker.go.set()
    first.end()
    for worker in waiting:
        worker.end()
    assert done == ["first", "short", "middle", "equal", "long"]
    assert door.line(first.ticket) == 0


def test_who_has_waited_long_enough_passes_new_ones():
    now = time.monotonic()
    old, new = (Ticket(asked=lambda: now, waiting=True, since=now) for _ in range(2))
    old.spent = 30.0
    assert new.rank(now) < old.rank(now)
    old.since = now - 30.0 / gate.CREDIT
    assert old.rank(now) < new.rank(now)


def test_who_is_no_longer_asked_about_goes_last():
    now = time.monotonic()
    left = Ticket(asked=lambda: now - gate.LEFT - 1, waiting=True, since=now)
    there = Ticket(asked=lambda: now, waiting=True, since=now)
    there.spent = 100.0
    assert there.rank(now) < left.rank(now)


def test_one_place_more_for_new_ones_only():
    door, done = Gate(1), []
    long = Worker(door, "long", done)
    assert long.inside.wait(WAIT)
    waits = Worker(door, "second long", done).waits(door)
    short = Worker(door, "short", done, spent=0.0)
    assert short.inside.wait(WAIT), "beside the long one"
    second = Worker(door, "second short", done, spent=0.0).waits(door)
    assert not second.inside.wait(0.05)
    for worker in (short, second, long, waits):
        worker.end()
    assert done[:3] == ["long", "short", "second short"]


def test_a_long_one_gives_way_at_its_report(monkeypatch):
    monkeypatch.setattr(gate, "SLICE", 0.01)
    door, done = Gate(1), []
    long = Ticket()
    with door.turn(long):
        long.spent = 60.0
        other = Worker(door, "between", done).waits(door)
        other.go.set()
        time.sleep(0.02)
        door.give_way(long)
        done.append("long")
    other.end()
    assert done == ["between", "long"]


def test_who_has_had_less_keeps_its_place(monkeypatch):
    monkeypatch.setattr(gate, "SLICE", 0.01)
    door, done = Gate(1), []
    mine = Ticket()
    with door.turn(mine):
        other = Worker(door, "long", done, spent=60.0).waits(door)
        time.sleep(0.02)
        door.give_way(mine)
        assert not done
    other.end()


def test_the_place_more_is_given_back_after_the_first_moment(monkeypatch):
    """By one that has gone on: no more than the places compute, but for that moment."""
    monkeypatch.setattr(gate, "SLICE", 0.01)
    door = Gate(1)
    old = Runner(door, spent=60.0, steady=False)
    until(lambda: old.parts)
    new = Worker(door, "new", [], spent=0.0)
    assert new.inside.wait(WAIT)
    until(lambda: old.ticket.waiting)
    assert len(door._inside) == 1
    new.end()
    until(lambda: not old.ticket.waiting)
    old.end()


def test_two_long_ones_end_one_after_the_other():
    """They do not pass the place to and fro: a few times in all, however long they go on."""
    now = time.monotonic()
    first, second = (Ticket(asked=lambda: now, since=now) for _ in range(2))
    first.spent = 20.0
    second.spent, second.waiting = 17.0, True
    assert first.rank(now) < second.rank(now)
    second.spent = 10.0
    assert second.rank(now) < first.rank(now)


def test_one_who_waits_can_leave_and_the_next_one_comes_in(monkeypatch):
    monkeypatch.setattr(gate, "LOOK", 0.01)
    door, done = Gate(1), []
    gone = threading.Event()

    def check():
        if gone.is_set():
            raise RuntimeError("left")

    first = Worker(door, "first", done)
    assert first.inside.wait(WAIT)
    leaves = Worker(door, "leaves", done, check=check).waits(door)
    stays = Worker(door, "stays", done).waits(door)
    gone.set()
    leaves.thread.join(WAIT)
    assert str(leaves.error) == "left"
    first.end()
    stays.end()
    assert done == ["first", "stays"]


def test_an_exception_frees_the_place():
    door = Gate(1)
    with pytest.raises(ZeroDivisionError), door.turn(Ticket()):
        _ = 1 / 0
    assert not door._inside
    with door.turn(Ticket()):
        pass


def test_those_who_wait_for_a_computation_leave_it_a_place(monkeypatch):
    """The one that computes gives way, and all who wait for it have got the places."""
    monkeypatch.setattr(gate, "SLICE", 0.0)
    monkeypatch.setattr(jobs, "GATE", Gate(1))
    clear()
    begun, others = threading.Event(), threading.Event()

    @step
    def shared(key):
        begun.set()
        assert others.wait(WAIT)
        for done in range(20):
            progress.report("step", done, 20)  # where it gives way to the shorter ones
            time.sleep(0.005)
        return key

    first = jobs.Job(shared, "a")
    assert begun.wait(WAIT)
    rest = [jobs.Job(shared, "a") for _ in range(4)]
    until(lambda: all(job._ticket.waiting or job._ticket.spent for job in rest))
    others.set()
    for job in (first, *rest):
        assert job.wait(WAIT), "a deadlock"
        assert job.result() == "a"


def test_a_new_job_does_not_wait_for_long_ones_and_needs_no_forecast(monkeypatch):
    monkeypatch.setattr(jobs, "GATE", door := Gate(1))
    long = Worker(door, "long", [], spent=60.0)
    assert long.inside.wait(WAIT)
    picture = jobs.Job(labels_view, presets.for_data("penguins").change(lam=0.3))  # else as chosen
    done = picture.wait(WAIT)
    long.end()
    assert done


def test_a_job_that_is_cancelled_in_the_queue_never_starts(monkeypatch):
    monkeypatch.setattr(jobs, "GATE", door := Gate(1))
    monkeypatch.setattr(gate, "LOOK", 0.01)
    started, go = [], threading.Event()
    first = jobs.Job(lambda: go.wait(WAIT))
    until(lambda: door._inside)
    new = Worker(door, "in the place more", [], spent=0.0)
    assert new.inside.wait(WAIT)
    second = jobs.Job(started.append, 1)
    third = jobs.Job(started.append, 2)
    until(lambda: len(door._waiting) == 2)
    assert (second.before, third.before) == (0, 1)
    second.cancel()
    assert second._end.wait(WAIT)
    go.set()
    assert third.wait(WAIT)
    assert first.wait(WAIT)
    new.end()
    assert started == [2]
    with pytest.raises(progress.Cancelled):
        second.result()


def test_a_waiting_job_whose_visitor_has_left_frees_the_queue(monkeypatch):
    monkeypatch.setattr(jobs, "GATE", door := Gate(1))
    monkeypatch.setattr(gate, "LOOK", 0.01)
    monkeypatch.setattr(jobs, "UNASKED", 0.1)
    go = threading.Event()
    holders = [Worker(door, "holder", []), Worker(door, "in the place more", [], spent=0.0)]
    assert all(holder.inside.wait(WAIT) for holder in holders)
    left = jobs.Job(go.wait, 0.0)
    assert left._end.wait(WAIT)
    assert left.state == "cancelled"
    assert not door._waiting
    for holder in holders:
        holder.end()


# ---- long runs ---------------------------------------------------------------------------------


class Runner:
    """A long run that reports after each small part, until it is ended."""

    def __init__(self, door: Gate, spent: float = 0.0, steady: bool = True):
        self.parts, self.over = 0, threading.Event()
        self.ticket = Ticket(steady=steady)
        self.ticket.spent = spent  # how long it has gone on already

        def run():
            with door.turn(self.ticket):
                while not self.over.is_set():
                    time.sleep(0.002)
                    self.parts += 1
                    door.give_way(self.ticket)

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def end(self) -> None:
        self.over.set()
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


def test_long_runs_take_turns_however_long_each_has_gone_on(monkeypatch):
    """Two old runs hold both places; the third one comes in, and again, and so do the old ones."""
    monkeypatch.setattr(gate, "SLICE", 0.01)
    door = Gate(2)
    old = [Runner(door, spent=1000.0) for _ in range(2)]
    until(lambda: all(run.parts for run in old))
    new = Runner(door)
    until(lambda: new.parts > 20)
    had = [run.parts for run in old]
    until(lambda: all(run.parts > count + 20 for run, count in zip(old, had, strict=True)))
    had = new.parts
    until(lambda: new.parts > had + 20)
    assert door.runs() == 3
    for run in (*old, new):
        run.end()
    assert door.runs() == 0


def test_a_fit_does_not_wait_behind_long_runs(monkeypatch):
    """However long they have gone on: it gets a place at the next report, and keeps it."""
    monkeypatch.setattr(gate, "SLICE", 0.01)
    door = Gate(2)
    runs = [Runner(door, spent=1000.0) for _ in range(3)]
    until(lambda: sum(run.parts for run in runs) > 10)
    fit = Worker(door, "fit", [], spent=10.0)
    assert fit.inside.wait(WAIT)
    assert not fit.ticket.waiting
    fit.end()
    for run in runs:
        run.end()


def test_the_place_in_the_line_is_known():
    door, done = Gate(1), []
    first = Worker(door, "first", done)
    assert first.inside.wait(WAIT)
    later = [Worker(door, name, done).waits(door) for name in "ab"]
    assert [door.line(worker.ticket) for worker in (first, *later)] == [0, 1, 2]
    for worker in (first, *later):
        worker.end()


def test_two_visitors_runs_of_the_lab_advance_side_by_side(monkeypatch):
    """Through jobs and cached steps, on a host with one place: nobody is starved."""
    monkeypatch.setattr(gate, "SLICE", 0.0)
    monkeypatch.setattr(jobs, "GATE", Gate(1))
    clear()
    config = registry.get("landmarks").Config(trials=40, counts=(20,), n=300)
    one, two = (
        jobs.Job(lab_runs.measured, Run("landmarks", replace(config, seed=seed)), steady=True)
        for seed in (1, 2)
    )  # fmt: skip
    until(lambda: one.partial is not None and two.partial is not None and two.partial.done > 2)
    assert one.state == two.state == "running"
    assert 0 < one.partial.done < 40
    one.cancel()
    assert one.wait(WAIT)
    assert two.wait(WAIT)
    assert two.result().complete
    clear()


def test_the_host_takes_so_many_runs_and_says_so(monkeypatch):
    door = Gate(1)
    monkeypatch.setattr(lab_runs, "GATE", door)
    monkeypatch.setattr(lab_runs, "MOST", 1)
    run = Runner(door)
    until(lambda: run.parts)
    with pytest.raises(ValueError, match="takes no more"):
        lab_runs.ask(Run("landmarks", registry.get("landmarks").Config(trials=1)))
    run.end()
