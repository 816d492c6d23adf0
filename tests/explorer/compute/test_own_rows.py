"""Rows of the pages are those of the visitor's file, numbered from 1, with their cells."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.scene import placement
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets


def people(rows=400):
    """Two groups with an ID, a remark and a label that is mostly blank; a value is missing."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, rows)
    X = rng.standard_normal((rows, 3)) + 4 * group[:, None]
    lines = ["id,remark,a,b,c,agrees"]
    for i, (x, g) in enumerate(zip(X, group, strict=True)):
        label = ["No", "yes"][g] if i % 5 == 0 else ""
        a = "" if i == 2 else f"{x[0]:.3f}"
        lines.append(f"P{i + 100},said {i} things,{a},{x[1]:.3f},{x[2]:.3f},{label}")
    return "\n".join(lines).encode()


@pytest.fixture
def brought(bring):
    def brought(**roles):
        table, spec = bring(people(), "people.csv", **roles)
        return table, presets.for_spec(spec)

    return brought


def test_rows_of_a_part_are_called_as_in_the_file(brought):
    table, settings = brought(missing="drop")
    data = settings.change(n=150).data
    for row in (0, 40, 149):
        number = own_rows.numbers(data)[row]
        cells = {c.name: c.cells([number - 1])[0] for c in table.table.columns}
        assert cells["id"] == f"P{number + 99}"
        assert own_rows.name(data, row) == f"row {number}, id P{number + 99}"
        scaled = table.prepared.encoders[1].encode(table.table.column("b"))[0][number - 1, 0]
        assert points.sample(data).X[row, 1] == scaled
        assert own_rows.cells(data, row)[:2] == (("id", cells["id"]), ("remark", cells["remark"]))
    assert own_rows.identities(data, np.array([0]))[0] == "id"


def test_rows_of_other_data_are_counted_from_1():
    data = presets.for_data("four_circles").data
    assert own_rows.name(data, 0) == "row 1"
    assert own_rows.numbers(data)[-1] == len(points.sample(data).X)
    assert own_rows.notes(data, np.arange(3)) is None


@pytest.mark.slow
def test_the_stage_is_told_what_the_drawn_rows_hold(brought, monkeypatch):
    monkeypatch.setattr(placement, "MAX_DRAWN", 60)
    _, settings = brought()
    points = labels_view(settings).scene.points
    assert 60 < len(points.index) == len(points.notes) < 400
    for index, note in zip(points.index, points.notes, strict=True):
        assert note.startswith(f"row {index + 1}, id P{index + 100}\nremark: said {index} things")


def asked_panel():
    import streamlit as st

    from lapviz.explorer.pages.labels import view

    view._about(st.session_state["settings"], 5)


@pytest.mark.slow
def test_the_point_that_is_asked_for_shows_its_columns_or_its_image(brought):
    _, settings = brought()
    app = AppTest.from_function(asked_panel)
    app.session_state["settings"] = settings
    app.run()
    assert [text.value.split("  \n")[:2] for text in app.markdown] == [
        ["**id** P105", "**remark** said 5 things"]
    ]
    app.session_state["settings"] = presets.for_data("digits")
    app.run()
    assert not app.exception
    assert len(app.get("image")) == 1
