"""Changes of widgets are told apart from values that the browser sends late."""

from types import SimpleNamespace

import pytest

from lapviz.explorer.session import widget_keys


@pytest.fixture
def session(monkeypatch) -> dict:
    state: dict = {}
    monkeypatch.setattr(widget_keys, "st", SimpleNamespace(session_state=state))
    return state


def test_a_value_repeated_by_a_replaced_widget_is_ignored(session):
    changes: list = []
    old = widget_keys.bind("graph", "dense", changes.append)
    new = widget_keys.bind("graph", "knn", changes.append)  # reset
    assert new["key"] != old["key"]
    assert session[new["key"]] == "knn"
    session[old["key"]] = "dense"  # the browser's value
    old["on_change"]()
    new["on_change"]()
    assert changes == []


def test_a_change_is_taken_once_also_from_the_replaced_widget(session):
    changes: list = []
    old = widget_keys.bind("graph", "dense", changes.append)
    for value in ("knn", "knn", "dense"):
        session[old["key"]] = value
        old["on_change"]()
    assert changes == ["knn", "dense"]
    widget_keys.bind("graph", "knn", changes.append)
    session[old["key"]] = "spreading"
    old["on_change"]()
    assert changes == ["knn", "dense", "spreading"]


def test_a_widget_stays_until_its_setting_changes_or_its_value_is_refused(session):
    first = widget_keys.bind("seed", "1", lambda new: new != "nonsense")
    session[first["key"]] = "2"
    first["on_change"]()
    assert widget_keys.bind("seed", "2", bool)["key"] == first["key"]
    second = widget_keys.bind("seed", "2", lambda new: False)
    session[second["key"]] = "nonsense"
    second["on_change"]()
    assert second["key"] in session  # Streamlit looks up there what is entered before the next run
    third_key = widget_keys.bind("seed", "2", bool)["key"]
    assert third_key != first["key"]
    assert session[third_key] == "2"
