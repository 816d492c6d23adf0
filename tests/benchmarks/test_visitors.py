"""Visitors that speak Streamlit's protocol: each gets its own pictures, and what they notice."""

from __future__ import annotations

import dataclasses

import pytest

from benchmarks.live.client import Session
from benchmarks.live.visitor import Answer, Visitor, Visits, crowd
from benchmarks.streamlit_server import serve
from lapviz.explorer.host.check import check

PATIENCE = 180  # seconds: a machine may be busy


@pytest.mark.slow
def test_three_visitors_get_their_own_pictures():
    with serve() as address:
        for seconds in (4, 25, 60):  # a busy machine gets the time that it takes
            seen = crowd(address, visitors=3, seconds=seconds)
            assert seen.errors == ()
            if len(seen.of()) >= 3:
                break
    moves = {answer.what for answer in seen.answers}
    assert [a.what for a in seen.answers].count("first") == 3
    assert len(seen.of()) >= 3, "each has moved something"
    assert moves <= {"first", "sigma", "lam", "p", "data", "upload", "back"}
    assert seen.received > 1e5


@pytest.fixture
def visitor() -> Visitor:
    return Visitor(3, "labels", Session(connection=None))


def shown(visitor: Visitor, **more) -> None:
    answer = {"view_key": "four_circles-2000-0.0-103-()-features", "rev": 0, "light": False}
    visitor.session.stage = {"answer": answer | more, "knobs": [{"name": "sigma", "value": 0.3}]}


async def _exact(visitor: Visitor, what: str, met=lambda answer: True) -> None:
    visitor._until = lambda found, patience: _now(found(visitor.session))
    await visitor._exact(what, met)


async def _now(value):
    return value


def run(coroutine) -> None:
    with pytest.raises(StopIteration):
        coroutine.send(None)


def test_a_picture_of_another_seed_is_an_error(visitor):
    shown(visitor)
    run(_exact(visitor, "sigma"))
    assert visitor.errors == []
    shown(visitor, view_key="four_circles-2000-0.0-104-()-features")
    run(_exact(visitor, "sigma"))
    assert visitor.errors == ["after sigma a picture of four_circles-2000-0.0-104-()-features"]


def test_a_picture_of_other_settings_is_an_error(visitor):
    shown(visitor, lam=1.0)
    run(_exact(visitor, "lam", lambda answer: answer["lam"] == 2.0))
    assert visitor.errors == ["after lam a picture of other settings"]


@pytest.mark.parametrize(
    "late",
    [{"rev": 1}, {"rev": 2, "light": True}, {"rev": 2, "view_key": "half_moons-2000-0.0-103"}],
)
def test_an_older_light_or_other_picture_is_no_answer(visitor, late):
    visitor.rev = 2
    shown(visitor, **late)
    run(_exact(visitor, "sigma"))
    assert visitor.answers == []
    assert visitor.errors[0].startswith("no answer to sigma")


def test_a_picture_of_the_n_before_is_no_answer(visitor):
    shown(visitor)
    visitor._until = lambda found, patience: _now(found(visitor.session))
    run(visitor._exact("n", new=lambda answer: answer["view_key"].split("-")[1] == "300"))
    assert visitor.errors[0].startswith("no answer to n")


def test_quantiles_leave_the_first_pictures_out():
    answers = [Answer("first", 0.0, 50.0), *(Answer("sigma", 0.0, k / 10) for k in range(1, 101))]
    seen = Visits(tuple(answers), (), 0)
    assert seen.median == pytest.approx(5.05)
    assert seen.quantile(0.95) == pytest.approx(9.6)
    assert seen.of("first") == [50.0]
    none = dataclasses.replace(seen, answers=())
    assert none.median != none.median
    assert none.quantile(0.5) != none.quantile(0.5)


BUSY = """
from lapviz.explorer.stage import live
live.LiveStage.first = 0.0  # as where others compute: first there is no picture yet
from lapviz.explorer.entry import main
main()
"""


@pytest.mark.slow
def test_a_health_check_sees_a_picture_or_says_what_is_wrong(tmp_path):
    nothing = check("http://127.0.0.1:9", patience=5)
    assert nothing.startswith("No explorer answers at http://127.0.0.1:9: ")
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    with serve(script) as address:
        assert check(address, patience=PATIENCE) == ""
    script.write_text("import streamlit as st\nst.error('out of order')\n")
    with serve(script) as address:
        assert check(address, patience=PATIENCE) == f"{address} shows an error: out of order"
