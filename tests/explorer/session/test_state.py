"""The session's settings: from the URL once, through changes, back to the URL."""

from dataclasses import replace
from functools import partial

import page_tests
import pytest
import streamlit as st
from page_tests import opened
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy

from lapviz.explorer.channel.component import Message
from lapviz.explorer.compute import jobs
from lapviz.explorer.stories import presets
from lapviz.scenes import Label

MOONS = presets.for_data("half_moons")


def _page() -> None:
    """A page that makes the calls in ``calls``, without numerics."""
    import streamlit as st

    from lapviz.explorer.pages.start.page import START
    from lapviz.explorer.session import state
    from lapviz.explorer.stage.live import LiveStage
    from lapviz.explorer.stories import presets

    page, stage = st.session_state.get("page", "labels"), LiveStage("stage", "The picture", None)
    kind = {"start": START, "regression": state.REGRESSION}.get(page, state.SHARED)
    state.enter(page, kind, lambda: presets.for_data("half_moons"))
    for name, args, changes in st.session_state.pop("calls", ()):
        getattr(stage if name == "apply" else state, name)(*args, **changes)
    st.session_state["shown_notes"] = kind.notes()
    st.session_state["hidden"] = state.hidden()
    st.session_state["current_settings"] = state.settings()
    state.write_url()


Session = partial(page_tests.Session, _page)


def test_the_address_follows_the_settings_and_is_not_read_again():
    session = Session()
    assert (session.settings, session.query, session.notes) == (MOONS, {"data": "half_moons"}, [])
    session.do("update", lam=3.0)
    assert session.query == {"data": "half_moons", "lam": "3"}
    assert session.run().estimate.lam == 3.0, "not what the address bar said before"
    session.do("update", lam=MOONS.estimate.lam)
    assert session.query == {"data": "half_moons"}


def test_revert_brings_back_what_was_changed_before_reset_or_another_data_set():
    session = Session()
    session.do("revert")
    assert session.settings == MOONS, "there is nothing to bring back"
    session.do("update", lam=3.0, marks=MARKS)
    before = session.settings
    session.do("reset")
    assert session.settings == MOONS
    for data in ("penguins", "wine"):  # unchanged settings are not kept
        session.do("update", data=data)
    session.do("revert")
    assert session.settings == before
    assert session.query["lam"] == "3"
    session.do("reset")
    session.do("update", lam=5.0)
    session.do("revert")
    assert session.settings == before
    session.do("revert")
    assert session.settings == MOONS.change(lam=5.0), "both had changes: exchanged"
    session.do("update", marks=MARKS)
    before = session.settings
    session.do("hand_over", presets.for_data("iris"))  # as a story or a table opens a page
    assert session.do("revert") == before
    session.turn_to("regression")
    session.do("hand_over", presets.for_story("exact"))
    session.do("show_story", "circles")  # from a story as it is, of other settings
    assert session.turn_to("labels") == presets.for_story("circles")
    assert session.do("revert") == before


def test_large_type_leaves_out_stories_of_curves():
    for story, step, follows in (("roll", 1, "hermite"), ("gaussians", -1, "landmarks")):
        session = Session()
        session.do("show_story", story)
        session.do("turn", step)
        assert session.settings.story == follows


def test_invalid_parameters_are_reported_until_a_change_and_leave_the_url():
    session = Session(data="half_moons", n="-5", sigma="0.3")
    assert session.settings == MOONS.change(sigma=0.3)
    assert len(session.notes) == 1
    assert "“Samples n” (-5)" in session.notes[0]
    assert session.query == {"data": "half_moons", "sigma": "0.3"}
    session.run()
    assert len(session.notes) == 1, "the page may run again at once"
    session.do("update", lam=3.0)
    assert session.notes == []


@pytest.mark.parametrize("key", ["story", "data"])
def test_unknown_names_fall_back_with_a_note(key):
    session = Session(**{key: "atlantis" * 100})
    assert session.settings == MOONS
    (sentence,) = session.notes
    assert "“atlantis" in sentence
    assert len(sentence) < 150
    assert session.query == {"data": "half_moons"}
    (sentence,) = Session(story="stop").notes
    assert "This page does not show the story “stop”" in sentence


def test_settings_of_a_table_that_is_not_here_are_not_for_other_data():
    session = Session(data="table", labels="7c0~9c1", class_prior="3,6,1", lam="0.5")
    (sentence,) = session.notes
    assert "a table of somebody's own" in sentence
    assert session.settings == MOONS


def test_another_link_within_the_session_is_followed():
    session = Session(data="half_moons", lam="2")
    assert session.go(story="circles") == presets.for_story("circles")
    assert session.go(data="iris", p="30") == presets.for_data("iris").change(p=30)
    assert session.do("revert") == MOONS.change(lam=2.0), "what was changed, not the story"


def test_on_arrival_an_earlier_address_of_the_page_before_is_no_link():
    session = Session(data="circle", n="300")
    session.turn_to("regression", data="waves")
    session.do("update", noise=0.1)
    session.turn_to("labels", data="waves")  # the browser's answer to the change comes later
    assert (session.settings, session.notes) == (presets.for_data("circle").change(n=300), [])
    assert session.query == {"data": "circle", "n": "300"}
    session.do("update", n=400)
    session.turn_to("regression", data="circle", n="300")
    assert session.settings == presets.for_data("waves").change(noise=0.1)
    session.turn_to("labels", data="circle", n="300")
    assert session.settings.data.n_samples == 300, "Back to an older state"


def test_a_page_without_parameters_keeps_the_settings():
    session = Session(data="iris", p="30")
    assert session.go().space.n_landmarks == 30
    assert session.query == {"data": "iris", "p": "30"}


def test_another_data_set_brings_its_own_settings_and_keeps_the_seed():
    session = Session(story="circles", seed="7", lam="9", labels="0c0")
    settings = session.do("update", data="iris")
    assert settings == presets.for_data("iris").change(seed=7)
    assert session.query == {"data": "iris", "seed": "7"}


MARKS = (Label(3, 0), Label(5, 1))


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        *((change, None) for change in ({"n": 300}, {"seed": 3}, {"noise": 0.1}, {"per_class": 4})),
        *((change, MARKS) for change in ({"lam": 3.0}, {"sigma": 1.0}, {"p": 9})),
        ({"graph": "dense"}, MARKS),
        ({"n": 300, "marks": MARKS[:1]}, MARKS[:1]),
    ],
    ids=str,
)
def test_other_points_drop_user_labels_and_say_so_once(change, kept):
    session = Session(data="half_moons", labels="3c0~5c1")
    assert session.settings.labels.chosen == MARKS
    assert session.do("update", **change).labels.chosen == kept
    assert len(session.notes) == (kept is None)
    assert any("points are others" in note for note in session.notes) == (
        kept is None and "per_class" not in change
    )
    if kept is None:
        assert session.do("revert").labels.chosen == MARKS, "as a button offers"
        session.do("update", **change)
    session.do("update", seed=5)
    assert len(session.notes) == (kept is not None)


@pytest.mark.slow
@pytest.mark.parametrize("link", [{"story": "sphere"}, {"data": "iris"}])
def test_reset_goes_back_to_the_story_or_the_data_set(link):
    base = presets.for_story("sphere") if "story" in link else presets.for_data("iris")
    session = Session(**link, lam="7", p="33", labels="1c0", seed="5")
    assert session.settings != base
    assert session.do("reset") == base
    assert session.query == link


def test_hidden_groups_stay_in_the_url_and_unknown_ones_are_reported():
    session = Session(data="half_moons", hide="graph,data,cheese,graph")
    assert session.app.session_state["hidden"] == {"graph", "data"}
    assert session.query["hide"] == "data,graph"
    assert "data, kernel" in session.notes[0]
    assert session.do("update", lam=4.0).estimate.lam == 4.0
    assert session.query["hide"] == "data,graph"
    session.do("reset")
    assert session.query == {"data": "half_moons", "hide": "data,graph"}
    session.go(data="iris")  # a link without hide= shows them again
    assert session.app.session_state["hidden"] == frozenset()


@pytest.mark.slow
def test_changes_of_the_stage_are_rounded_to_what_a_link_can_hold():
    session = Session()
    settings = session.do("apply", Message(4, {"lam": 0.05, "filter": "heat"}))
    assert (settings.estimate.lam, settings.estimate.filter) == (0.05, "heat")
    assert settings.labels.chosen is None, "the data set's own labels stay"
    assert session.query == {"data": "half_moons", "lam": "0.05", "filter": "heat"}
    labels = (Label(17, 1, (0.1, 0.2)), Label(-1, 0, (1.23456789, -2.0)))
    settings = session.do("apply", Message(5, {"labels": labels}))
    assert settings.labels.chosen == (Label(17, 1), Label(-1, 0, (1.23457, -2.0)))
    assert session.query["labels"] == "17c1~1.23457,-2c0"
    assert Session(**session.query).settings == settings


def test_changes_under_way_while_a_button_restores_are_dropped_but_later_ones_taken():
    session = Session(data="half_moons", lam="3")
    session.do("reset")
    assert session.do("apply", Message(4, {"lam": 5.0})) == MOONS, "in the run of the button"
    session.do("pointed")  # a stage has been drawn
    moving = Message(5, {"lam": 5.0}, hand=True, point=0)
    assert session.do("apply", moving) == MOONS
    assert session.do("apply", replace(moving, point=1)).estimate.lam == 5.0
    assert session.do("apply", Message(6, {"lam": 7.0}, point=0)).estimate.lam == 7.0


@pytest.mark.slow
def test_two_sessions_share_nothing():
    one, two = Session(data="iris"), Session(data="wine")
    one.do("update", lam=3.0)
    two.do("tell", "psst")
    assert two.notes == ["psst"]
    assert one.run() == presets.for_data("iris").change(lam=3.0)
    assert one.notes == []
    assert two.run() == presets.for_data("wine")


@pytest.mark.slow
def test_the_start_page_has_its_own_settings():
    """A look at the start page loses no work; its stories open on the other pages."""
    session = Session(data="iris", p="30")
    session.turn_to("start")
    session.do("put", presets.for_story("circles"))
    assert session.query == {"story": "circles"}
    assert session.turn_to("eigenfunctions").space.n_landmarks == 30
    assert session.turn_to("start") == presets.for_story("circles")
    assert session.do("hand_over", presets.for_story("sphere")) == presets.for_story("circles")
    assert session.turn_to("labels") == presets.for_story("sphere")


@pytest.mark.parametrize("labels", ["5c99", "5000c0", "5c0~5c1"])
def test_labels_that_the_data_set_cannot_hold_are_reported(labels):
    session = Session(data="half_moons", labels=labels)
    (sentence,) = session.notes
    assert sentence.startswith("1 of the link's labels")
    assert session.query.get("labels") == {"5c0~5c1": "5c1"}.get(labels, "")


def test_a_change_and_its_undo_are_written_though_the_browser_missed_the_change(monkeypatch):
    session = Session()
    session.do("update", n=300)
    start = session.query
    session.do("update", n=500)
    queries = []
    from_dict = QueryParamsProxy.from_dict
    monkeypatch.setattr(
        QueryParamsProxy, "from_dict", lambda self, new: (queries.append(new), from_dict(self, new))
    )
    session.app.query_params.clear()
    for key, value in start.items():  # the browser still has the first address
        session.app.query_params[key] = value
    session.do("update", n=300)
    assert [new.get("n") for new in queries] == ["300"]


def test_open_panels_are_in_the_link_and_unknown_ones_are_reported():
    session = Session(data="half_moons", open="path,cheese,plotly")
    assert session.query == {"data": "half_moons", "open": "path,plotly"}
    assert session.app.session_state["path-on"]
    assert not session.app.session_state["path-seeds"]
    assert len(session.notes) == 1
    assert "open= takes path, seeds, random, plotly" in session.notes[0]
    session.turn_to("eigenfunctions")
    assert "open" not in session.query
    session.turn_to("labels")
    session.go(data="half_moons", lam="3")
    assert session.query == {"data": "half_moons", "lam": "3"}
    assert not session.app.session_state["path-on"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "change", "item"),
    [("labels", {"lam": 0.7}, ("lam", "0.7")), ("regression", {"step": 3}, ("m", "3"))],
)
def test_the_address_has_a_setting_before_its_result_is_computed(monkeypatch, page, change, item):
    """A reload during the computation loses nothing."""
    app = opened(page)
    slot = "lapviz_regression" if page == "regression" else "lapviz_settings"
    app.session_state[slot] = app.session_state[slot].change(**change)
    queries, ask = [], jobs.ask

    def recorded(*args, **kwargs):
        queries.append(st.query_params.to_dict())
        return ask(*args, **kwargs)

    monkeypatch.setattr(jobs, "ask", recorded)
    app.run()
    assert not app.exception
    assert queries[0].get(item[0]) == item[1]
