"""Two sessions: what one brings is not there for the other, and is gone with its session."""

import gc
import re
import tempfile
import weakref
from importlib.resources import files

import pytest
from starlette.formparsers import MultiPartParser
from streamlit.testing.v1 import AppTest

from lapviz.explorer.compute import cache
from lapviz.explorer.host import limits as hosting
from lapviz.explorer.host import visitors as own
from lapviz.explorer.settings.specs import OWN_DATA, DataSpec
from lapviz.explorer.stories import presets
from lapviz.tables import LIMITS

RAW = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes()


def data_page():
    from lapviz.explorer.pages.data import page as data

    data.page()


def labels_page():
    from lapviz.explorer.pages.labels import page as labels

    labels.page()


def bring(app):
    """Upload the sample and wait until its fit is there."""
    app.session_state["lapviz_raw"] = {"file": (RAW, "secret-penguins.csv")}
    app.run()
    for _ in range(100):
        if any("Predicted" in text.value for text in app.markdown):
            return app
        app.run()
    raise AssertionError("the table was not fitted")


def said(app):
    return [text.value for kind in ("caption", "markdown", "warning", "error", "header")
            for text in app.get(kind)]  # fmt: skip


@pytest.fixture
def one():
    cache.clear()
    app = AppTest.from_function(data_page, default_timeout=60).run()
    assert not app.exception
    return bring(app)


def token_of(app):
    (token,) = app.session_state["lapviz_visitor"].things
    return token


@pytest.mark.slow
def test_the_other_session_sees_nothing(one):
    other = AppTest.from_function(data_page, default_timeout=60).run()
    assert "secret-penguins.csv" not in str(said(other))
    assert any("Bring a table" in text for text in said(other))
    assert not other.session_state["lapviz_visitor"].things


@pytest.mark.slow
def test_nothing_of_it_is_in_the_shared_cache(one):
    assert one.session_state["lapviz_visitor"].results
    assert not any(own.source_in(key) for key in cache.CACHE)
    assert token_of(one) not in repr(list(cache.CACHE))


@pytest.mark.slow
def test_a_link_about_a_table_gets_a_sentence_elsewhere(one):
    other = AppTest.from_function(labels_page, default_timeout=60)
    other.query_params["data"] = "table"
    other.query_params["sigma"] = "0.5"
    other.run()
    assert OWN_DATA["table"] in re.sub(r"\\", "", str(said(other)))
    assert other.session_state["lapviz_settings"].data.name != "table"


@pytest.mark.slow
def test_a_foreign_token_in_a_session_is_dropped(one):
    """Not even a session state that somebody has got a token into shows the other's data."""
    other = AppTest.from_function(labels_page, default_timeout=60)
    stolen = presets.for_own(DataSpec("table", source=token_of(one)))
    other.session_state["lapviz_settings"] = stolen
    other.run()
    assert not other.session_state["lapviz_settings"].data.private
    assert "not here any more" in str(said(other))


@pytest.mark.slow
def test_all_of_it_is_freed_with_the_session():
    app = bring(AppTest.from_function(data_page, default_timeout=60).run())
    token, visitor = token_of(app), app.session_state["lapviz_visitor"]
    thing = visitor.things[token]
    fits = [value for value in visitor.results.values() if hasattr(value, "model")]
    seen = [weakref.ref(o) for o in (visitor, thing, thing.table, thing.prepared, *fits)]
    assert len(seen) > 4
    del app, visitor, thing, fits
    gc.collect()
    assert not any(ref() for ref in seen)
    with pytest.raises(own.Gone):
        own.get(token)


@pytest.mark.slow
def test_a_table_that_is_taken_away_takes_its_jobs_along(one):
    token, jobs = token_of(one), one.session_state["lapviz_jobs"]
    fits = [job for job in jobs.values() if own.source_in(job.work) == token]
    assert fits
    one.button(key="table-forget").click().run()
    assert not [job for job in jobs.values() if own.source_in(job.work) == token]
    assert {job.state for job in fits} <= {"done", "cancelled"}


@pytest.mark.slow
def test_nothing_is_written_to_disk(one, monkeypatch, tmp_path):
    def refuse(*args, **more):
        raise AssertionError("a temporary file")

    monkeypatch.setattr(tempfile, "_mkstemp_inner", refuse)
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    monkeypatch.chdir(tmp_path)
    bring(AppTest.from_function(data_page, default_timeout=60).run())
    assert not list(tmp_path.iterdir())
    hosting.prepare()
    assert MultiPartParser.spool_max_size > LIMITS.bytes, "uploads stay in memory as they arrive"


@pytest.mark.slow
def test_another_table_forgets_the_first(one):
    seen = weakref.ref(one.session_state["lapviz_visitor"].things[token_of(one)])
    next(button for button in one.button if button.label == "Another table").click().run()
    assert any("Bring a table" in text for text in said(one))
    gc.collect()
    assert not one.session_state["lapviz_visitor"].things
    assert seen() is None


def test_a_column_that_is_no_longer_the_label_is_a_feature_again(monkeypatch):
    """``species`` was taken for the label, so that it had never been among the features."""
    monkeypatch.setattr("lapviz.explorer.pages.data.fit.fit", lambda *_: None)
    app = AppTest.from_function(data_page, default_timeout=60)
    app.session_state["lapviz_raw"] = {"file": (RAW, "penguins.csv")}
    app.run()
    for _ in range(100):
        if app.selectbox:
            break
        app.run()
    by_key = {box.key.rpartition("-")[2]: box for box in app.selectbox}
    assert "species" not in app.multiselect[0].value
    by_key["label"].select("island").run()
    assert "species" in app.multiselect[0].value
