"""Visitors that speak Streamlit's protocol: each gets its own pictures and notices errors."""

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
        for seconds in (4, 25, 60):  # more time for a busy machine
            visits = crowd(address, visitors=3, seconds=seconds)
            assert visits.errors == ()
            if len(visits.of()) >= 3:
                break
    moves = {answer.what for answer in visits.answers}
    assert [a.what for a in visits.answers].count("first") == 3
    assert len(visits.of()) >= 3, "each has moved something"
    assert moves <= {"first", "sigma", "lam", "p", "data", "upload", "back"}
    assert visits.received > 1e5


SHOWN = {"view_key": "four_circles-2000-0.0-103-()-features", "light": False, "lam": 1.0}
OTHER_SEED = "four_circles-2000-0.0-104-()-features"


async def _now(value):
    return value


@pytest.mark.parametrize(
    ("what", "answer", "conditions", "error"),
    [
        ("sigma", {}, {}, None),
        ("sigma", {"view_key": OTHER_SEED}, {}, f"after sigma a picture of {OTHER_SEED}"),
        ("lam", {}, {"shown": lambda a: a["lam"] == 2.0}, "after lam a picture of other settings"),
        ("sigma", {"rev": 1}, {}, "no answer to sigma"),
        ("sigma", {"light": True}, {}, "no answer to sigma"),
        ("sigma", {"view_key": "half_moons-2000-0.0-103"}, {}, "no answer to sigma"),
        ("n", {}, {"new": lambda a: a["view_key"].split("-")[1] == "300"}, "no answer to n"),
    ],
)
def test_wrong_pictures_are_errors_and_older_ones_are_no_answers(what, answer, conditions, error):
    visitor = Visitor(3, "labels", Session(connection=None), rev=2)
    knobs = [{"name": "sigma", "value": 0.3}]
    rev = answer.get("rev", 2)
    visitor.session.stage = {"answer": SHOWN | answer, "knobs": knobs, "rev": rev}
    visitor._until = lambda met, patience: _now(met(visitor.session))
    with pytest.raises(StopIteration):  # it does not wait
        visitor._exact(what, **conditions).send(None)
    assert [e[: len(error)] for e in visitor.errors] == [error] if error else not visitor.errors
    assert bool(visitor.answers) is not (error or "").startswith("no answer")


def test_quantiles_leave_the_first_pictures_out():
    answers = [Answer("first", 0.0, 50.0), *(Answer("sigma", 0.0, k / 10) for k in range(1, 101))]
    visits = Visits(tuple(answers), (), 0)
    assert visits.median == pytest.approx(5.05)
    assert visits.quantile(0.95) == pytest.approx(9.6)
    assert visits.of("first") == [50.0]
    empty = dataclasses.replace(visits, answers=())
    assert empty.median != empty.median
    assert empty.quantile(0.5) != empty.quantile(0.5)


BUSY = """
from lapviz.explorer.stage import live
live.LiveStage.first_patience = 0.0  # as on a busy machine: at first there is no picture
from lapviz.explorer.entry import main
main()
"""


@pytest.mark.slow
def test_a_health_check_sees_a_picture_or_says_what_is_wrong(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    with serve(script) as address:
        assert check(address, patience=PATIENCE) == ""
    nothing = check(address, patience=5)  # the server ended with the block
    assert nothing.startswith(f"No explorer answers at {address}: ")
    script.write_text("import streamlit as st\nst.error('out of order')\n")
    with serve(script) as address:
        assert check(address, patience=PATIENCE) == f"{address} shows an error: out of order"
