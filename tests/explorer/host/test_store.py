"""Visitors' data stay in memory and are dropped with their visitor; results have one limit."""

import gc
import random
import sys
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import pytest
from page_tests import until

from lapviz import datasets
from lapviz.explorer.compute import cache, fits
from lapviz.explorer.host import _streamlit, visitors
from lapviz.explorer.host.store import STORE, DataExpired, Store, is_token, token_in
from lapviz.explorer.host.visitors import Visitor
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets

MOONS = datasets.load("half_moons", n_samples=60, random_state=0)


@dataclass(eq=False)
class Heap:
    """Points that a visitor brought."""

    nbytes: int = 1000
    data: datasets.Dataset = MOONS
    info: datasets.Info = field(init=False)

    def __post_init__(self):
        n, d = self.data.X.shape
        self.info = datasets.Info(
            "table", "Heap", "", n, n, 0.0, 0.0, d, ("a", "b"), None, True, (), "Own"
        )

    def sample(self, n_samples, random_state):
        return self.data


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def about(token):
    return DataSpec("table", n_samples=60, source=token)


def problem_of(token):
    return fits.method(presets.papers_of_data(DataSpec("table", source=token)).change(p=20))


def test_a_token_is_found_however_deep_it_is_in_a_key(visitor):
    token = STORE.add(visitor, Heap())
    assert token_in(("f", 1, ("x", (Settings(data=about(token)),)))) == token
    assert token_in(("f", Settings(), DataSpec("drawn", source="a-code"))) == ""


def test_tokens_cannot_be_guessed_and_are_their_visitors(visitor):
    tokens = {STORE.add(visitor, Heap()) for _ in range(20)}
    assert len(tokens) == 20
    assert all(is_token(t) and len(t) > 30 for t in tokens)
    assert set(STORE.owned(visitor)) == tokens
    assert not STORE.owned(Visitor("another"))


@pytest.mark.slow
def test_a_visitor_who_left_has_left_nothing():
    visitor, pictures = Visitor("a session"), {"stage": object()}
    visitor.dicts["pictures"] = pictures
    token = STORE.add(visitor, Heap(data=datasets.load("blobs", n_samples=60)))
    heap = STORE.get(token)
    problem = problem_of(token)
    assembled = problem.assembled()
    references = [weakref.ref(o) for o in (visitor, heap, heap.data, assembled)]
    visitor.forget()
    assert not pictures
    del visitor, heap, assembled
    gc.collect()
    assert not any(ref() for ref in references)
    for lookup in (lambda: STORE.get(token), problem.assembled):
        with pytest.raises(DataExpired, match="not here any more"):
            lookup()


def test_who_does_not_come_back_is_forgotten(visitor, monkeypatch):
    """Streamlit reports a lost browser; after a moment the visitor's return is checked."""
    calls = []
    monkeypatch.setattr(_streamlit, "connected", lambda session: calls.append(session) or not left)
    STORE.add(visitor, Heap())
    left = True
    visitor.disconnected()
    waiting = visitor._leaving
    visitor.stay()
    waiting.join(10)
    assert STORE.owned(visitor), "back, with a request"
    monkeypatch.setattr(visitors, "GRACE", 0.0)
    left = False
    visitor.disconnected()
    until(lambda: len(calls) >= 3)  # back, without a request yet: it is checked again
    assert STORE.owned(visitor)
    left = True
    until(lambda: not STORE.owned(visitor))


def test_replaced_data_take_their_results_with_them(visitor):
    first = STORE.add(visitor, Heap())
    STORE.keep(("a step", about(first)), np.ones(3))
    second = STORE.add(visitor, Heap(), instead_of=first)
    assert list(STORE.owned(visitor)) == [second]
    assert not STORE.kept(visitor)


def test_a_result_that_is_ready_after_its_data_are_forgotten_is_not_kept(visitor):
    token = STORE.add(visitor, Heap())

    @cache.step
    def slow(data):
        STORE.forget(token)
        return np.ones(3)

    assert slow(about(token)).sum() == 3, "whoever waits for it still gets it"
    assert not STORE.kept(visitor)
    assert not STORE.kept()


def test_data_that_do_not_fit_are_refused():
    store = Store(data=8_000_000, own_data=5_000_000)
    first = store.add("one", Heap(4_000_000))
    with pytest.raises(ValueError, match=r"takes 2 MB, and you have 1 MB of 5 MB left"):
        store.add("one", Heap(2_000_000))
    with pytest.raises(ValueError, match="all visitors together may take 8 MB"):
        store.add("other", Heap(4_500_000))
    store.add("other", Heap(3_000_000))
    store.add("one", Heap(5_000_000), instead_of=first)


def test_results_are_bounded_for_one_visitor_and_for_all():
    store = Store(results=60_000, own_results=40_000)
    tokens = {owner: store.add(owner, Heap()) for owner in ("one", "other")}

    def fill(token="", count=20):
        for turn in range(count):
            store.keep(("a step", about(token) if token else None, turn), np.zeros(1000))
            assert sum(map(store.nbytes, (None, "one", "other"))) <= 60_000

    fill(count=5)
    fill(tokens["one"])
    assert 32_000 <= store.nbytes("one") <= 40_000
    assert store.nbytes() > 8_000, "one visitor does not push out what all use"
    fill(tokens["other"])
    assert 32_000 <= store.nbytes("other") <= 40_000
    store.find(("a step", about(tokens["other"]), 16))
    store.keep(("another",), np.zeros(4000))
    assert ("a step", about(tokens["other"]), 16) in store.kept("other"), "used a moment ago"
    store.keep(("too large",), np.zeros(10_000))
    assert store.find(("too large",)) is None


def test_the_only_visitor_with_data_may_keep_more():
    store = Store(results=70_000, own_results=60_000)
    token = store.add("one", Heap())
    for turn in range(20):
        store.keep(("a step", about(token), turn), np.zeros(1000))
    assert 52_000 <= store.nbytes("one") <= 60_000
    store.add("other", Heap())
    store.keep(("a step", about(token), 20), np.zeros(1000))
    assert 32_000 <= store.nbytes("one") <= 40_000
    store.forget(token)
    assert store.nbytes("one") == 0


def test_an_array_that_several_results_keep_counts_once():
    store = Store(results=60_000)
    shared = np.zeros(5000)
    for turn in range(10):
        store.keep(("a step", turn), (shared[turn:], np.zeros(100)))
    assert len(store.kept()) == 10
    assert 48_000 <= store.nbytes() <= 50_000
    store.keep(("another",), np.zeros(1500))
    assert ("a step", 0) not in store.kept()
    store.keep(("large",), np.zeros(7400))
    assert list(store.kept()) == [("large",)]


def test_what_costs_nothing_beside_newer_results_stays():
    """To drop matrices that a newer problem holds would free no memory, and cost the next step."""
    store, matrices = Store(results=60_000), np.zeros(5000)
    store.keep(("matrices",), matrices)
    store.keep(("factor of the last step",), np.zeros(1500))
    store.keep(("problem",), (matrices, np.zeros(1000)))
    assert set(store.kept()) == {("matrices",), ("problem",)}
    assert 48_000 <= store.nbytes() <= 49_000


def test_only_the_last_results_of_a_step_are_kept():
    store = Store()
    for turn in range(5):
        store.keep(("a step", turn), np.zeros(10), most=2)
        store.keep(("another", turn), np.zeros(10))
    assert [key for key in store.kept() if key[0] == "a step"] == [("a step", 3), ("a step", 4)]
    assert len(store.kept()) == 2 + 5


@pytest.mark.slow
def test_one_lock_holds_where_many_compute_and_forget(visitor, monkeypatch):
    """Results are looked up, stored, evicted and dropped, all at the same time."""
    monkeypatch.setattr(STORE, "own_results", 6_000)  # a handful of results
    errors, end = [], threading.Event()
    step = cache.step(lambda data, turn: np.zeros(100) + turn)
    tokens = [STORE.add(visitor, Heap()) for _ in range(3)]

    def compute(rng):
        step(about(rng.choice(tokens)), rng.randrange(6))

    def forget(rng):
        STORE.forget(tokens[0])
        tokens[:] = [*tokens[1:], STORE.add(visitor, Heap())]

    def again(function, seed):
        rng = random.Random(seed)
        try:
            while not end.is_set():
                with suppress(DataExpired):
                    function(rng)
        except Exception as error:
            errors.append(error)

    work = [(compute, 0), (compute, 1), (compute, 2), (forget, 3)]
    threads = [threading.Thread(target=again, args=job) for job in work]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    end.wait(1.0)
    end.set()
    for thread in threads:
        thread.join(30)
    sys.setswitchinterval(interval)
    assert errors == []
    assert {token_in(key) for key in STORE.kept(visitor)} <= set(tokens)
    assert STORE.nbytes(visitor) <= 6_000
