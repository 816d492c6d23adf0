"""Whose change a widget's value is, when the browser still sends what it had before."""

from types import SimpleNamespace

import pytest

from lapviz.explorer.session import widget_keys


@pytest.fixture
def session(monkeypatch) -> dict:
    state: dict = {}
    monkeypatch.setattr(widget_keys, "st", SimpleNamespace(session_state=state))
    return state


def test_a_widget_that_was_replaced_says_its_value_once_more_and_is_not_heard(session):
    taken: list = []
    old = widget_keys.bind("graph", "dense", taken.append)
    new = widget_keys.bind("graph", "knn", taken.append)  # reset
    assert new["key"] != old["key"]
    assert session[new["key"]] == "knn"
    session[old["key"]] = "dense"  # what the browser still has
    old["on_change"]()
    new["on_change"]()
    assert taken == []


def test_what_a_user_changes_is_heard_once_each_time_also_from_the_old_widget(session):
    taken: list = []
    old = widget_keys.bind("graph", "dense", taken.append)
    for value in ("knn", "knn", "dense"):
        session[old["key"]] = value
        old["on_change"]()
    assert taken == ["knn", "dense"]
    widget_keys.bind("graph", "knn", taken.append)
    session[old["key"]] = "spreading"
    old["on_change"]()
    assert taken == ["knn", "dense", "spreading"]


def test_a_widget_stays_until_its_setting_is_another_or_its_value_is_refused(session):
    first = widget_keys.bind("seed", "1", lambda new: new != "nonsense")
    session[first["key"]] = "2"
    first["on_change"]()
    assert widget_keys.bind("seed", "2", bool)["key"] == first["key"]
    again = widget_keys.bind("seed", "2", lambda new: False)
    session[again["key"]] = "nonsense"
    again["on_change"]()
    fresh = widget_keys.bind("seed", "2", bool)["key"]
    assert fresh != first["key"]
    assert session[fresh] == "2"
