"""User data are invisible to other sessions, and are deleted when their visitor leaves."""

import gc
import tempfile
import weakref
from importlib.resources import files
from types import SimpleNamespace

import pytest
import streamlit
from page_tests import opened, page_of, uploaded
from starlette.formparsers import MultiPartParser

from lapviz.datasets import drawings
from lapviz.explorer.compute import cache
from lapviz.explorer.host import limits
from lapviz.explorer.host.store import STORE, token_in
from lapviz.explorer.session import user_data
from lapviz.explorer.session.state import SHARED
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.labels import Label
from lapviz.tables import LIMITS

RAW = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes(), "secret-penguins.csv"


def texts(app):
    return [text.value for kind in ("caption", "markdown", "warning", "error", "header")
            for text in app.get(kind)]  # fmt: skip


def visitor_of(app):
    return app.session_state["lapviz_visitor"]


def token_of(app):
    (token,) = STORE.owned(visitor_of(app))
    return token


@pytest.fixture
def one(monkeypatch, tmp_path):
    """A session with an uploaded table; fails if anything is written to disk."""

    def refuse(*args, **kwargs):
        raise AssertionError("a temporary file")

    cache.clear()
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "_mkstemp_inner", refuse)
        patched.setattr(tempfile, "TemporaryFile", refuse)
        patched.chdir(tmp_path)
        yield uploaded(*RAW, lambda app: any("Predicted" in text.value for text in app.markdown))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_other_session_sees_nothing(one):
    """Not even if somebody else's token is put into its state."""
    other = opened("data")
    assert "secret-penguins.csv" not in str(texts(other))
    assert any("Bring a table" in text for text in texts(other))
    assert not STORE.owned(visitor_of(other))
    assert STORE.kept(visitor_of(one))
    assert token_of(one) not in repr(list(STORE.kept()))

    thief = page_of("labels")
    thief.session_state["lapviz_settings"] = presets.for_spec(
        DataSpec("table", source=token_of(one))
    )
    thief.run()
    assert not thief.session_state["lapviz_settings"].data.private
    assert "not here any more" in str(texts(thief))


def test_a_drawing_that_undo_has_brought_back_can_be_gone_on_with(visitor, monkeypatch):
    """Though it is the oldest of those that are kept."""
    visitor.session = ""  # that of no browser
    monkeypatch.setattr("streamlit.session_state", {"lapviz_visitor": visitor})
    sizes = [drawings.MOST_IN_LINK + k for k in range(1, drawing.MOST_KEPT + 2)]
    settings = presets.for_spec(DataSpec(drawing.NAME))
    for n in (*sizes[:-1], sizes[0], sizes[-1]):
        points = drawings.Drawing.of_numbers(range(n), drawings.SHEET)
        settings = user_data.take_drawing(settings, drawings.encode(points))
        assert settings.data.n_samples == n
        streamlit.session_state[SHARED.slot] = settings
        assert SHARED.has_unsaved(), "no link holds so many points"
    streamlit.session_state[SHARED.slot] = presets.for_data("circle")
    assert not SHARED.has_unsaved()


@pytest.mark.slow
def test_labels_that_were_not_downloaded_are_not_forgotten_at_one_click(one):
    assert one.button(key="table-forget").label == "Another table"
    settings = presets.for_spec(DataSpec("table", source=token_of(one)))
    one.session_state["lapviz_settings"] = settings.change(marks=(Label(0, 0),))
    assert one.run().button(key="table-forget").label == "Forget table and labels"
    one.session_state["lapviz_settings"] = settings
    assert one.run().button(key="table-forget").label == "Another table"


@pytest.mark.slow
def test_forgetting_a_table_frees_everything_that_was_computed_from_it(one):
    """Jobs, fits and pictures, which the session object of this test does not keep alive."""
    visitor, jobs = visitor_of(one), one.session_state["lapviz_jobs"]
    token, (table,) = token_of(one), STORE.owned(visitor).values()
    fitted = [value for value in STORE.kept(visitor).values() if hasattr(value, "model")]
    references = [weakref.ref(o) for o in (table, table.table, table.prepared, *fitted)]
    assert len(references) > 3
    fits = [job for job in jobs.values() if token_in(job.work) == token]
    assert fits
    one.button(key="table-forget").click().run()
    assert any("Bring a table" in text for text in texts(one))
    assert not [job for job in jobs.values() if token_in(job.work) == token]
    assert {job.state for job in fits} <= {"done", "cancelled"}
    del table, fitted, fits
    gc.collect()
    assert not STORE.owned(visitor)
    assert not STORE.kept(visitor)
    assert not any(ref() for ref in references)


@pytest.mark.slow
def test_a_visitor_who_left_has_no_jobs_and_no_pictures(one):
    visitor_of(one).forget()
    assert not one.session_state["lapviz_jobs"]
    one.run()
    assert any("Bring a table" in text for text in texts(one))


def test_uploads_stay_in_memory_while_they_arrive():
    limits.prepare()
    assert MultiPartParser.spool_max_size > LIMITS.bytes


def test_a_column_that_is_no_longer_the_label_is_a_feature_again(monkeypatch):
    """``species`` is the label at first, and so not among the features."""
    monkeypatch.setattr("lapviz.explorer.pages.data.view.fit", lambda *_: None)
    app = uploaded(*RAW, lambda app: app.selectbox)
    by_key = {box.key.rpartition("-")[2]: box for box in app.selectbox}
    assert "species" not in app.multiselect[0].value
    by_key["label"].select("island").run()
    assert "species" in app.multiselect[0].value


def test_quotation_marks_in_a_file_name_are_those_of_the_file():
    assert user_data.file_name(SimpleNamespace(name="my %22own%22.csv")) == 'my "own".csv'
