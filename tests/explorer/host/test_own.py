"""What visitors bring stays with them, in memory, and goes with them."""

import gc
import random
import sys
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import pytest

from lapviz import datasets
from lapviz.explorer.compute import cache, steps
from lapviz.explorer.host import visitors as own
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets


@dataclass(eq=False)
class Heap:
    """Points that a visitor brought."""

    data: datasets.Dataset
    name: str = "table"
    nbytes: int = 0
    info: datasets.Info = field(init=False)

    def __post_init__(self):
        n, d = self.data.X.shape
        self.nbytes = self.nbytes or self.data.X.nbytes
        self.info = datasets.Info(
            self.name, "Heap", "", n, n, 0.0, 0.0, d, 2, ("a", "b"), None, True, d == 2, (), "Own"
        )

    def sample(self, n_samples, random_state):
        if n_samples == len(self.data.X):
            return self.data
        rows = np.random.default_rng(random_state).permutation(len(self.data.X))[:n_samples]
        d = self.data
        return datasets.Dataset(d.X[rows], d.y[rows], d.labelled[rows], "table", d.truth,
                                d.class_names, d.feature_names)  # fmt: skip


def heap(seed=0, **more):
    return Heap(datasets.load("half_moons", n_samples=60, random_state=seed), **more)


@pytest.fixture
def visitor():
    cache.clear()
    made = own.Visitor("a session")
    yield made
    made.leave()


def settings_of(token):
    return presets.papers_of_data(DataSpec("table", source=token)).change(p=20)


def test_results_of_own_data_are_kept_with_the_visitor_and_never_for_all(visitor):
    token = own.put(visitor, heap())
    problem = steps.Problem.of(settings_of(token))
    values = steps.eigenfunctions(problem, 5).value.gamma
    assert len(visitor.results) >= 3
    assert steps.eigenfunctions(problem, 5).value.gamma is values, "answered from the cache"
    assert not len(cache.CACHE)
    same = steps.Problem.of(presets.for_data("half_moons").change(n=60, p=20))
    steps.eigenfunctions(same, 5)
    assert len(cache.CACHE), "what anybody may see is shared"


def test_a_token_is_found_however_deep_it_is_in_a_key(visitor):
    token = own.put(visitor, heap())
    spec = DataSpec("table", source=token)
    assert own.source_in(("f", 1, ("x", (Settings(data=spec),)))) == token
    assert own.source_in(("f", Settings(), DataSpec("drawn", source="a-code"))) == ""


def test_another_visitors_token_is_not_the_own_one(visitor):
    other = own.Visitor("another")
    token = own.put(other, heap())
    assert token not in visitor.things
    other.leave()
    with pytest.raises(own.Gone, match="not here any more"):
        steps.sample(DataSpec("table", n_samples=60, source=token))
    with pytest.raises(own.Gone):
        steps.kernel(DataSpec("table", n_samples=60, source=token), Settings().space)


def test_tokens_cannot_be_guessed(visitor):
    tokens = {own.put(visitor, heap()) for _ in range(20)}
    assert len(tokens) == 20
    assert all(own.is_token(t) and len(t) > 30 for t in tokens)


@pytest.mark.slow
def test_data_and_results_are_freed_with_the_last_reference_to_the_visitor():
    visitor = own.Visitor("a session")
    thing = heap()
    token = own.put(visitor, thing)
    assembled = steps.assembled(steps.Problem.of(settings_of(token))).value
    seen = [weakref.ref(o) for o in (visitor, thing, thing.data, assembled)]
    del visitor, thing, assembled
    gc.collect()
    assert not any(ref() for ref in seen)
    with pytest.raises(own.Gone):
        own.get(token)


def test_forgotten_data_take_their_results_with_them(visitor):
    first, second = own.put(visitor, heap()), own.put(visitor, heap(1))
    for token in (first, second):
        steps.assembled(steps.Problem.of(settings_of(token)))
    own.forget(visitor, first)
    assert visitor.results
    assert all(own.source_in(key) == second for key in visitor.results)
    assert list(visitor.things) == [second]


@pytest.mark.parametrize("leave", [False, True], ids=["forget", "leave"])
def test_a_result_that_is_ready_after_its_data_are_forgotten_is_not_kept(visitor, leave):
    token = own.put(visitor, heap())
    results = visitor.results

    @cache.step
    def slow(data):
        visitor.leave() if leave else own.forget(visitor, token)
        return np.ones(3)

    data = DataSpec("table", source=token)
    assert slow(data).sum() == 3, "whoever waits for it still gets it"
    cache.keep(("a task", data), 1)
    assert not results
    assert not cache.CACHE


def test_one_lock_holds_where_many_compute_and_forget(visitor, monkeypatch):
    """Results are asked for, kept, pushed out by others and forgotten, all at the same time."""
    monkeypatch.setattr(own, "OWN_RESULTS", 6_000)  # a handful of results
    errors, end = [], threading.Event()
    step = cache.step(lambda data, turn: np.zeros(100) + turn)
    tokens = [own.put(visitor, heap()) for _ in range(3)]

    def compute(seed):
        chance = random.Random(seed)
        while not end.is_set():
            data = DataSpec("table", source=chance.choice(tokens))
            with suppress(own.Gone):
                step(data, chance.randrange(6))

    def forget():
        while not end.is_set():
            own.forget(visitor, tokens[0])
            tokens[:] = [*tokens[1:], own.put(visitor, heap())]

    def guarded(function, *arguments):
        try:
            function(*arguments)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(compute, seed)) for seed in range(4)]
    threads.append(threading.Thread(target=guarded, args=(forget,)))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    end.wait(2.0)
    end.set()
    for thread in threads:
        thread.join(30)
    sys.setswitchinterval(interval)
    assert errors == []
    assert {own.source_in(key) for key in visitor.results} <= set(tokens)


def test_a_visitor_who_left_is_seen_off_after_a_moment_and_one_who_came_back_is_not(visitor):
    own.put(visitor, heap())
    pictures = {"stage": object()}
    visitor.tie(pictures)
    here = {visitor.session: False}
    own.see_off([visitor], here.get, 0.0)
    here[visitor.session] = True
    own.see_off([visitor], here.get, own.GRACE + 1)
    assert visitor.things
    assert pictures
    here[visitor.session] = False
    own.see_off([visitor], here.get, 1000.0)
    own.see_off([visitor], here.get, 1000.0 + own.GRACE)
    assert not visitor.things
    assert not pictures
    assert not own.present()


def test_what_does_not_fit_gets_a_sentence(visitor, monkeypatch):
    monkeypatch.setattr(own, "VISITOR_BYTES", 5e6)
    monkeypatch.setattr(own, "OWN_BYTES", 8e6)
    own.put(visitor, heap(nbytes=4_000_000))
    with pytest.raises(ValueError, match=r"takes 2 MB, and you have 1 MB of 5 MB left"):
        own.put(visitor, heap(nbytes=2_000_000))
    other = own.Visitor("another")
    with pytest.raises(ValueError, match="all visitors together may take 8 MB"):
        own.put(other, heap(nbytes=4_500_000))
    assert own.put(other, heap(nbytes=3_000_000)) in other.things
    other.leave()


def test_results_are_bounded_for_one_visitor_and_for_all(visitor, monkeypatch):
    other = own.Visitor("another")
    tokens = own.put(visitor, heap()), own.put(other, heap(1))
    step = cache.step(lambda data, turn: np.zeros(1000) + turn)
    monkeypatch.setattr(visitor.results, "_Cache__maxsize", 50_000)
    for turn in range(20):
        step(DataSpec("table", source=tokens[0]), turn)
    assert 40_000 <= visitor.results.currsize <= 50_000
    monkeypatch.setattr(own, "OWN_RESULTS", 60_000)
    for turn in range(20):
        step(DataSpec("table", source=tokens[1]), turn)
        assert visitor.results.currsize + other.results.currsize <= 60_000
    other.leave()
