"""The host's queue: order, fairness, yielding, leaving, and no deadlock."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest
from page_tests import WAIT, until

from lapviz import progress
from lapviz.experiments import registry
from lapviz.explorer.compute import queue
from lapviz.explorer.compute.cache import clear, step
from lapviz.explorer.compute.queue import Job, Queue
from lapviz.explorer.pages.lab import steps as lab_steps
from lapviz.explorer.pages.lab.settings import Run


class Work:
    """A computation that reports in small parts until it is released."""

    def __init__(self, host_queue: Queue, spent: float = 0.0, done: list | None = None, **options):
        self.parts, self.go = 0, threading.Event()
        self.done = [] if done is None else done
        self.job = Job(self, queue=host_queue, **options)
        self.job.spent = spent  # seconds of computing so far
        self.job.start()

    def __call__(self):
        while not self.go.is_set():
            self.parts += 1
            progress.report("parts", self.parts)
            time.sleep(0.002)
        self.done.append(self)

    @property
    def waits(self) -> bool:
        return self.job.waiting

    def runs(self) -> Work:
        until(lambda: self.parts)
        return self

    def queued(self) -> Work:
        until(lambda: self.waits)
        return self

    def end(self) -> None:
        self.go.set()
        assert self.job.wait(WAIT)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(queue, "LOOK", 0.01)
    monkeypatch.setattr(queue, "SLICE", 0.01)


@pytest.mark.parametrize("fails", [False, True])
def test_a_discarded_job_holds_nothing_of_what_it_worked_on(fails):
    """Not by its error's traceback either."""

    class Large:
        pass

    def work(large):
        if fails:
            raise ValueError("no")
        return large

    large = Large()
    held, job = weakref.ref(large), Job(work, large, queue=Queue(1))
    job.start()
    assert job.wait(WAIT)
    del large
    job.discard()
    gc.collect()
    assert held() is None


def test_no_more_at_once_than_there_are_slots():
    host_queue, counts = Queue(2), []

    def one(number):
        counts.append(len(host_queue.running))
        time.sleep(0.005)
        if number == 5:
            raise ZeroDivisionError

    jobs = [Job(one, number, queue=host_queue) for number in range(12)]
    for job in jobs:
        job.spent = queue.MOMENT
        job.start()
    assert all(job.wait(WAIT) for job in jobs)
    assert max(counts) == 2
    assert [job.state for job in jobs].count("failed") == 1
    until(lambda: not host_queue.running and not host_queue.waiting)


def test_the_shortest_so_far_goes_first_and_equals_in_their_order():
    host_queue, done = Queue(1), []
    first = Work(host_queue, 0.6, done).runs()
    others = [Work(host_queue, spent, done).queued() for spent in (30, 9, 8, 1)]
    long, middle, equal, short = others
    assert [work.job.position for work in (first, *others)] == [0, 4, 2, 3, 1]
    for work in (*others, first):
        work.go.set()
    assert all(work.job.wait(WAIT) for work in others)
    assert done == [first, short, middle, equal, long]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"spent": 30.0, "since": -31.0 / queue.CREDIT}, {}),  # has waited long enough
        # earlier waits offset half of the computing, and no more
        ({"spent": 30.0, "waited": 31.0 / queue.CREDIT, "since": -16.0 / queue.CREDIT}, {}),
        ({"spent": 8.0, "waited": 0.0}, {"spent": 30.0, "waited": 99.0}),
        ({"spent": 100.0}, {"asked": -queue.LEFT - 1}),  # nobody asks about the second
        ({"spent": 20.0, "waiting": False}, {"spent": 17.0}),  # two long ones do not alternate
        ({"spent": 10.0}, {"spent": 20.0, "waiting": False}),
        ({"spent": 30.0}, {"long_running": True}),
        ({"long_running": True, "spent": 900.0, "since": -1.0}, {"long_running": True}),
    ],
)
def test_who_goes_first(first, second):
    now = time.monotonic()
    jobs = [Job(print), Job(print)]
    for job, attributes in zip(jobs, (first, second), strict=True):
        job.waiting, job.asked, job.since = True, now, now
        for name, value in attributes.items():
            setattr(job, name, now + value if name in ("since", "asked") else value)
    assert jobs[0].rank(now) < jobs[1].rank(now)


def test_one_more_slot_is_for_the_first_moment_of_new_ones(monkeypatch):
    """The moment is an hour here, so that the speed of the machine does not matter."""
    monkeypatch.setattr(queue, "MOMENT", 3600.0)
    host_queue, begun, go = Queue(1), threading.Event(), threading.Event()

    def silent():  # it has had its moment, and would release a slot at its first report
        begun.set()
        assert go.wait(WAIT)
        progress.report("parts", 1)

    long = Job(silent, queue=host_queue)
    long.spent = 7200.0
    long.start()
    assert begun.wait(WAIT)
    waits, short = Work(host_queue, 7200.0).queued(), Work(host_queue).runs()
    assert host_queue.running == {long, short.job}, "beside the long one"
    assert waits.waits, "who has had its moment waits"
    go.set()
    until(lambda: host_queue.running == {short.job})  # released by the job that has had its moment
    for work in (short, waits):
        work.end()
    assert long.wait(WAIT)


def test_who_waits_can_be_cancelled_or_left_and_the_next_one_comes_in():
    host_queue = Queue(1)
    first = Work(host_queue, 0.6).runs()
    cancelled, left = Work(host_queue, 0.6).queued(), Work(host_queue, 0.6).queued()
    stays = Work(host_queue, 0.6).queued()
    cancelled.job.cancel()
    left.job.asked -= queue.UNASKED
    assert left.job._end.wait(WAIT)
    assert left.job.abandoned
    until(lambda: host_queue.waiting == {stays.job})
    first.end()
    stays.runs().end()
    assert not cancelled.parts
    for work in (cancelled, left):
        with pytest.raises(progress.Cancelled):
            work.job.result()


@pytest.mark.slow
def test_those_who_wait_for_a_computation_leave_it_a_slot(monkeypatch):
    """The computing job yields, and those that wait for it hold all slots."""
    clear()
    host_queue, begun, all_wait = Queue(1), threading.Event(), threading.Event()

    @step
    def shared(key):
        begun.set()
        assert all_wait.wait(WAIT)
        for done in range(20):
            progress.report("step", done, 20)  # where it yields to the shorter ones
            time.sleep(0.005)
        return key

    first = Job(shared, "a", queue=host_queue).start()
    assert begun.wait(WAIT)
    waiting = [Job(shared, "a", queue=host_queue).start() for _ in range(4)]
    until(lambda: all(job.waiting or job.spent for job in waiting))
    all_wait.set()
    for job in (first, *waiting):
        assert job.wait(WAIT), "a deadlock"
        assert job.result() == "a"


@pytest.mark.slow
def test_long_runs_take_turns_and_shorter_work_passes_them():
    """Two old runs hold both slots; the third one comes in, and again, and so do the old ones."""
    host_queue = Queue(2)
    old = [Work(host_queue, 1000.0, long_running=True).runs() for _ in range(2)]
    new = Work(host_queue, long_running=True)
    for _ in range(2):
        count = new.parts
        until(lambda count=count: new.parts > count + 10)
        counts = [run.parts for run in old]
        until(lambda counts=counts: all(r.parts > n + 10 for r, n in zip(old, counts, strict=True)))
    assert host_queue.long_runs() == 3
    fit = Work(host_queue, 10.0).runs()
    count = fit.parts
    until(lambda: fit.parts > count + 20)
    for work in (fit, *old, new):
        work.end()
    until(lambda: host_queue.long_runs() == 0)


def test_the_host_takes_so_many_runs_and_says_so(monkeypatch):
    host_queue = Queue(1)
    monkeypatch.setattr(lab_steps, "QUEUE", host_queue)
    monkeypatch.setattr(lab_steps, "MOST", 1)
    run = Work(host_queue, long_running=True).runs()
    with pytest.raises(ValueError, match="takes no more"):
        lab_steps.ask(Run("landmarks", registry.get("landmarks").Config(trials=1)))
    run.end()
