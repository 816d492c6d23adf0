"""When a message at rest runs the full page, and when only the stage and the parts about it."""

from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st

from lapviz.datasets.drawings import SHEET, Drawing, encode
from lapviz.explorer.channel.component import Message
from lapviz.explorer.pages.regression import page as regression
from lapviz.explorer.session import state
from lapviz.explorer.settings import drawing
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets
from lapviz.labels import Label

OLD, NEW = (presets.papers_for("half_moons").change(n=n, lam=0.5) for n in (200, 300))


@pytest.mark.parametrize(
    ("complete", "before", "after", "full"),
    [
        (OLD, OLD, OLD.change(lam=3.0), False),
        (OLD, OLD.change(lam=2.0), OLD.change(lam=3.0), False),  # a step of the hand
        (OLD, NEW, NEW, True),  # another step, which the page around has not shown
        (None, NEW, NEW, True),  # without any answer, or if its drawing was dropped
        (OLD, NEW, OLD, True),  # undone before the answer
    ],
)
def test_the_full_page_runs_where_it_shows_other_settings(
    monkeypatch, complete, before, after, full
):
    runs, last = [], complete and SimpleNamespace(complete=SimpleNamespace(settings=complete))
    session = {state.SHARED.slot: before, "lapviz_page": ("labels", state.SHARED)}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(live, "_last", lambda key: last)
    monkeypatch.setattr(live._streamlit, "fragments", lambda: 1)
    monkeypatch.setattr(live, "_run_parts", lambda: runs.append("parts"))
    monkeypatch.setattr(st, "rerun", lambda: runs.append("full"))
    stage = SimpleNamespace(key="", stage_settings=("lam", "filter", "marks"))
    stage.apply = lambda message: state.put(after)
    live._apply(stage, Message(1))
    assert runs == ["full" if full else "parts"]


@pytest.mark.parametrize(
    ("changes", "kept"),
    [({}, True), ({"lam": 2.0}, True), ({"seed": 7}, False), ({"n": 300}, False)],
)
def test_labels_set_on_points_that_a_control_has_just_replaced_are_dropped(
    monkeypatch, changes, kept
):
    """Streamlit may run the callbacks of a field and of a click that leaves it together."""
    session = {state.SHARED.slot: OLD, "lapviz_page": ("labels", state.SHARED)}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(live, "_last", lambda key: SimpleNamespace(settings=OLD))
    state.update(**changes)
    click = Message(1, {"labels": (Label(3, 1), Label(5, 0)), "lam": 0.25})
    live.LiveStage("", "", lambda *_: None).apply(click)
    settings = state.settings()
    assert settings.labels.chosen == ((Label(3, 1), Label(5, 0)) if kept else None)
    assert settings.estimate.lam == 0.25
    assert settings.data == OLD.change(**changes).data


def test_labels_set_on_a_drawing_that_has_just_grown_stay_on_their_points(monkeypatch):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])  # a point is painted before the others
    small, large = (Drawing.of(X[k:], [0, 0, 1][k:], sheet=SHEET) for k in (1, 0))
    old, new = (OLD.change(data=drawing.NAME, source=encode(d)) for d in (small, large))
    session = {state.SHARED.slot: new, "lapviz_page": ("labels", state.SHARED)}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(live, "_last", lambda key: SimpleNamespace(settings=old))
    click = Message(1, {"labels": (Label(0, 0), Label(1, 1))})
    live.LiveStage("", "", lambda *_: None).apply(click)
    assert state.settings().labels.chosen == (Label(1, 0), Label(2, 1))


def test_two_quick_steps_of_p_count_in_the_path_on_screen(monkeypatch):
    """The path contains the present p until it is answered."""
    shown = presets.papers_for("waves").change(topic="exact", p=37)
    session = {state.SHARED.slot: shown, "lapviz_page": ("regression", state.SHARED)}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(live, "_last", lambda key: SimpleNamespace(settings=shown))
    stage = regression.Curves("", "", lambda *_: None)
    counts = regression.steps.counts(shown)
    for further in (1, 2):
        stage.apply(Message(further, {"step": counts.index(37) + further}))
        assert state.settings().space.n_landmarks == counts[counts.index(37) + further]
