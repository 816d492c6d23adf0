"""Your data: files that cannot be used get a sentence, and labels by hand come back."""

from dataclasses import replace

import numpy as np
import pytest
from page_tests import uploaded
from streamlit.testing.v1 import AppTest

from lapviz.explorer.compute import own_fit, own_table, points
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.host.visitors import Visitor
from lapviz.explorer.pages.data import labels, table, view
from lapviz.explorer.session import state
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell
from lapviz.labels import Label

# ---- files that are refused ----------------------------------------------------------------------


TEXTS = "id,remark\n" + "".join(f"A{k},a long remark of number {k}\n" for k in range(300))


def test_a_table_of_texts_is_kept_and_its_message_says_what_to_do():
    app = uploaded(TEXTS.encode(), "remarks.csv")
    assert not app.exception
    assert [header.value for header in app.header] == [r"remarks\.csv"]
    assert any("turn them into vectors first" in error.value for error in app.error)
    visitor = app.session_state["lapviz_visitor"]
    (user_table,) = STORE.owned(visitor).values()
    assert user_table.info is None, "no other page shows it"
    assert user_table.table.n_rows == 300


def test_the_first_rows_show_days_without_a_time():
    days = "".join(f"2024-01-{k + 1:02d},{k * k % 9},{k}.5\n" for k in range(28))
    app = uploaded(b"day,a,b\n" + days.encode(), "days.csv")
    assert str(app.dataframe[0].value["day"].iloc[0]) == "2024-01-01"


def _columns() -> None:
    import streamlit as st

    from lapviz.explorer.pages.data import table

    st.session_state["chosen"] = table._choose_roles(st.session_state["table"])


def test_further_classes_of_a_file_of_labels_are_kept_and_can_be_entered():
    lines = "".join(f"{k},{'uv'[k % 2]}\n" for k in range(30))
    user_table = own_table.read(f"a,species\n{lines}".encode(), "few.csv")
    app = AppTest.from_function(_columns)
    many = tuple(f"{k:>30}".replace(" ", "n") for k in range(18))
    for classes in ((), ("Smith, J", "B"), many, ()):
        app.session_state["table"] = replace(user_table, extra_classes=classes)
        app.run()
        assert app.session_state["chosen"] == (user_table.roles, classes)
    app.text_input[0].set_value("cat, dog ,cat").run()
    assert app.session_state["chosen"][1] == ("cat", "dog")


def test_a_column_may_have_the_name_of_another_choice(visitor):
    lines = "".join(f"{k}.5,{k * k % 9},{k % 3 + 1},{'uv'[k % 2]}\n" for k in range(30))
    user_table = own_table.read(f"x,component 1,None,kind\n{lines}".encode(), "none.csv")
    app = AppTest.from_function(_columns)
    app.session_state["table"] = user_table
    app.run()
    assert app.session_state["chosen"] == (user_table.roles, ())
    weight = next(box for box in app.selectbox if box.label == "Weight column")
    assert len(set(weight.options)) == 5
    weight.set_value("").run()
    assert app.session_state["chosen"][0].weight is None
    roles = replace(user_table.roles, scale=False)
    unscaled = OwnTable(user_table.table, user_table.table.prepare(roles), roles)
    axes = view.axes_of(unscaled)
    assert axes[2:] == ["x", "component 1", "None"]
    assert len(set(axes)) == 5


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(
    ("name", "classes"),
    [("class 2", ("class 2", "class 1")), ("cat", ("cat", "class 2"))],
)
def test_one_class_is_completed_by_another(known, name, classes):
    lines = "".join(f"{k}.5,{k * k % 9},{name * (known and k < 9)}\n" for k in range(30))
    user_table = own_table.read(f"x,z,species\n{lines}".encode(), "one.csv")
    added = () if known else (name,)
    assert replace(user_table, extra_classes=added).classes == classes


def test_a_kept_table_is_used_once_its_columns_can_be(visitor):
    lines = [line + "," + ("species" if not k else "uv"[k % 2]) for k, line in
             enumerate(TEXTS.splitlines())]  # fmt: skip
    unused = own_table.read("\n".join(lines).encode(), "remarks.csv")
    assert "vectors first" in unused.why
    assert unused.roles.label == "species"
    token = STORE.add(visitor, unused)
    roles = replace(unused.roles, features=("species",), label=None)
    rebuilt = own_table.with_roles(token, roles, ())
    token = STORE.add(visitor, rebuilt, token)
    assert list(STORE.owned(visitor)) == [token]
    assert rebuilt.info.name == "table"


# ---- labels by hand ------------------------------------------------------------------------------


def people_csv(rows=300, label=True, weights=False):
    rng = np.random.default_rng(0)
    lines = ["id,a,b,c,=agrees" + ",weight" * weights]
    for i, x in enumerate(rng.standard_normal((rows, 3))):
        cell = ["=No", "yes", "", ""][i % 4] if label else ""
        weight = f",{i % 3}" if weights else ""
        lines.append(f"P{i + 100},{x[0]:.3f},{x[1]:.3f},{x[2]:.3f},{cell}{weight}")
    return "\n".join(lines).encode()


def visit(visitor, raw, **roles):
    table = own_table.read(raw, "people.csv").table
    chosen = table.roles.__class__(("a", "b", "c"), **roles)
    user_table = OwnTable(table, table.prepare(chosen), chosen, ("maybe",))
    return user_table, presets.for_spec(DataSpec("table", source=STORE.add(visitor, user_table)))


def marks_of(settings):
    return own_out.marks_of(STORE.get(settings.data.source), settings)


def carried(visitor, shown, old, roles, classes=None):
    """The table with other roles, and what is kept for it, and how many labels are lost."""
    classes = old.extra_classes if classes is None else classes
    new = own_table.with_roles(shown.data.source, roles, classes)
    base = presets.for_spec(DataSpec("table", source=STORE.add(visitor, new)))
    return new, *labels.carry_over(shown, old, new, base)


@pytest.mark.parametrize("n", [300, 200])
def test_the_file_restores_the_labels(visitor, monkeypatch, n):
    monkeypatch.setattr(own_table, "USUAL", 200)
    roles = {"label": "=agrees", "weight": "weight"}
    _, settings = visit(visitor, people_csv(weights=True), **roles)
    marks = (Label(7, 1), Label(30, 0), Label(120, 2))
    settings = settings.change(n=n, marks=marks)
    file = own_out.labels(settings.data, marks_of(settings))

    later = Visitor("another session")
    user_table, start = visit(later, people_csv(weights=True), **roles)
    names = labels.read(file, "people-labels.csv", user_table.table.n_rows)
    assert sorted(names.values()) == sorted(["yes", "'=No", "maybe"])
    assert not labels.new_classes(user_table, names)
    restored, lost = labels.restore(user_table, start, names)
    assert lost == 0
    assert sorted(marks_of(restored)) == sorted(marks_of(settings))


CLASSES = ("01", "1.0", "1,5", "1e3", "50%", "1 000", "NA", "?", "null", "no", "2020-01-01")


@pytest.mark.parametrize(
    "label", ["kind", "row", "row'", "label on the page", "label on the page'"]
)
def test_the_file_has_every_class_to_the_letter(visitor, label):
    """Whatever it looks like, and whatever the table's own columns are called."""
    rows = "".join(f"{k},{-k},{'AB'[k % 2] if k < 20 else ''}\n" for k in range(40))
    table = own_table.read(f"x,y,{label}\n{rows}".encode(), "letters.csv").table
    roles = table.roles.__class__(("x", "y"), label=label)
    user_table = OwnTable(table, table.prepare(roles), roles, CLASSES)
    data = presets.for_spec(DataSpec("table", source=STORE.add(visitor, user_table))).data
    marks = tuple((20 + k, 2 + k) for k in range(len(CLASSES)))
    names = labels.read(own_out.labels(data, marks), "letters-labels.csv", 40)
    assert names == {20 + k: name for k, name in enumerate(CLASSES)}


@pytest.mark.parametrize(
    ("features", "classes", "kept", "n_lost"),
    [
        ("abc", ("maybe", "never"), [(7, "yes"), (30, "maybe")], 0),
        ("ab", ("maybe",), [(7, "yes"), (30, "maybe")], 1),
        ("ab", (), [(7, "yes")], 2),
        ("abc", ("no",), [(7, "yes"), (30, "no")], 0),  # a class is renamed
        ("ab", ("no",), [(7, "yes")], 2),
    ],
)
def test_labels_survive_other_columns_if_their_row_and_class_do(
    visitor, features, classes, kept, n_lost
):
    old, settings = visit(visitor, people_csv(), label="=agrees")
    off_sample = Label(-1, 1, (0.5, 0.5, 0.5))
    shown = settings.change(marks=(Label(7, 1), Label(30, 2), off_sample))
    roles = replace(old.roles, features=tuple(features))
    new, restored, lost = carried(visitor, shown, old, roles, classes)
    rows = marks_of(restored)
    assert sorted((row, new.classes[code]) for row, code in rows if code >= 0) == kept
    assert lost == n_lost
    assert (off_sample in restored.labels.chosen) == (n_lost == 0)


def test_a_class_that_is_taken_away_takes_only_its_labels_along(visitor):
    """And no setting; candidate classes and labels off the sample are kept, in the new codes."""
    old, settings = visit(visitor, people_csv(), label="=agrees")
    source = settings.data.source
    old = own_table.with_roles(source, old.roles, ("first", "second", "third"))
    codes = {name: code for code, name in enumerate(old.classes)}
    first, second, third = (codes[name] for name in ("first", "second", "third"))
    place = (0.5, 0.5, 0.5)
    marks = (Label(7, codes["yes"]), Label(8, first), Label(9, second, None, (first,)),
             Label(-1, third, place))  # fmt: skip
    shown = settings.change(marks=marks, lam=0.25)
    for left, n_lost in ((("third", "second"), 1), (("third",), 2), (("second", "new"), 2)):
        new, kept, lost = carried(visitor, shown, old, old.roles, left)
        assert (lost, kept.estimate.lam) == (n_lost, 0.25)
        assert STORE.get(kept.data.source) is new
        names = {label.key: new.classes[label.code] for label in kept.labels.chosen}
        expected = {7: "yes", 9: "second", place: "third"}
        assert names == {key: name for key, name in expected.items() if name in new.classes}
        assert all(label.others == () for label in kept.labels.chosen)


def test_rows_that_come_back_have_the_labels_of_the_file(visitor):
    """Not as if they had been removed by hand."""
    raw = b"a,b,c,=agrees\n" + b"".join(
        b"%s,%d,%d,%s\n" % (b"" if i == 4 else b"%d" % i, i % 7, i % 5, [b"yes", b"no", b""][i % 3])
        for i in range(60)
    )
    old, settings = visit(visitor, raw, label="=agrees")
    begun = points.labelled(settings.data, settings.labels).labels
    shown = settings.change(marks=tuple(label.lasting() for label in begun))
    table, after = old, []
    for missing in ("drop", "impute"):
        table, shown, _ = carried(visitor, shown, table, replace(table.roles, missing=missing))
        after.append(sorted(marks_of(shown)))
    assert len(after[0]) == 39
    assert after[1] == sorted(marks_of(settings.change(marks=begun)))
    assert all(code >= 0 for _, code in after[1])


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("before", [{"label": None}, {"label": "=agrees", "task": "none"}])
def test_a_label_column_brings_its_labels_beside_those_by_hand(visitor, before, weights):
    """And only those of rows that the pages show."""
    weight = "weight" if weights else None
    old, settings = visit(visitor, people_csv(60, weights=weights), weight=weight, **before)
    shown = settings.change(marks=(Label(1, old.classes.index("maybe")),))
    marks = marks_of(shown)
    roles = replace(old.roles, label="=agrees", task="classes")
    new, kept, lost = carried(visitor, shown, old, roles)
    after = dict(marks_of(kept))
    usable = [i for i in range(60) if i % 4 < 2 and (not weights or i % 3)]
    by_hand = old.prepared.rows[marks[0][0]]
    assert after == {i: new.codes[i] for i in usable} | {by_hand: new.classes.index("maybe")}
    assert lost == 0


def test_labels_of_another_column_stay_with_it(visitor):
    """Though both have the same classes; those of rows without weight are not shown."""
    rows = "".join(
        f"{i % 7},{i % 5},{'yn'[i % 2]},{'yn-'[i % 3]},{int(i < 150)}\n" for i in range(250)
    )
    raw = f"a,b,A,B,weight\n{rows}".replace("-", "").encode()
    table = own_table.read(raw, "two.csv").table
    roles = table.roles.__class__(("a", "b"), label="B", weight="weight")
    old = OwnTable(table, table.prepare(roles), roles, ())
    settings = presets.for_spec(DataSpec("table", source=STORE.add(visitor, old)))
    begun = points.labelled(settings.data, settings.labels).labels
    shown = settings.change(marks=(*(label.lasting() for label in begun), Label(2, 1)))
    assert len(marks_of(shown)) == 101
    new, kept, lost = carried(visitor, shown, old, replace(roles, label="A"))
    by_hand = old.classes[1]
    after = {row: new.classes[code] for row, code in marks_of(kept)}
    assert after == {row: "yn"[row % 2] for row in range(150)} | {2: by_hand}
    assert lost == 0


@pytest.mark.parametrize("last", [None, Label(-1, 1, (0.5, 0.5, 0.5)), Label(7, 2)])
@pytest.mark.parametrize(("changed", "n_known"), [({"scale": False}, 0), ({"label": None}, None)])
def test_labels_that_were_all_removed_stay_so(visitor, changed, n_known, last):
    """Also where the last one left is in empty space, or of a class that goes."""
    old, settings = visit(visitor, people_csv(60), label="=agrees")
    shown = settings.change(marks=() if last is None else (last,))
    assert [code for _, code in marks_of(shown) if code < 0] == [-1] * 30
    _, kept, lost = carried(visitor, shown, old, replace(old.roles, **changed), ())
    assert lost == (last is not None)
    assert (kept.labels.chosen if n_known is None else len(kept.labels.chosen)) == n_known
    if n_known == 0:
        assert view._removed(marks_of(kept)).startswith(" 30 labels of the")


def test_labels_of_classes_do_not_become_values(visitor, monkeypatch):
    """Though classes without names are called the same in both tables."""
    old, settings = visit(visitor, people_csv(), label=None)
    shown = settings.change(marks=(Label(7, 0), Label(30, 1)))
    marks = marks_of(shown)
    assert len(marks) == 2
    roles = replace(old.roles, features=("a", "b"), label="c")
    new, kept, lost = carried(visitor, shown, old, roles)
    assert new.prepared.task == "values"
    assert (sorted(marks_of(kept)), lost) == (sorted(marks), 0)
    monkeypatch.setattr("streamlit.session_state", {state.SHARED.slot: kept})
    assert view._marks(new, kept.data) == ((), ""), "the fit is to the values"
    monkeypatch.setattr("streamlit.session_state", {state.SHARED.slot: shown})
    assert view._marks(old, shown.data) == (marks, "")


@pytest.fixture
def session(visitor, monkeypatch):
    """What a session holds, for functions that need no running page."""
    visitor.session = ""  # that of no browser
    held = {"lapviz_visitor": visitor}
    monkeypatch.setattr("streamlit.session_state", held)
    return held


@pytest.mark.parametrize(("label", "n_files"), [("c", 0), ("=agrees", 1)])
def test_labels_come_back_to_classes_only(visitor, monkeypatch, label, n_files):
    old, settings = visit(visitor, people_csv(), label="=agrees")
    roles = replace(old.roles, features=("a", "b"), label=label)
    user_table = own_table.with_roles(settings.data.source, roles, ())
    files = []
    monkeypatch.setattr(labels.FileInput, "file", lambda *args, **options: files.append(args))
    labels.bring_back(user_table, settings.data)
    assert len(files) == n_files


def test_labels_that_the_file_leaves_out_are_counted_and_stay_unsaved(
    visitor, session, monkeypatch
):
    old, settings = visit(visitor, people_csv(), label="=agrees")
    roles = replace(old.roles, features=("a", "b"))
    planar = own_table.with_roles(settings.data.source, roles, ())
    begun = presets.for_spec(DataSpec("table", source=STORE.add(visitor, planar)))
    monkeypatch.setattr(own_out, "download", lambda *_, on_click: callable(on_click) and on_click())
    monkeypatch.setattr(own_out.st, "caption", lambda text: None)
    one, two = Label(-1, 1, (0.5, 0.5)), Label(-1, 0, (0.1, 0.5))
    for others, count in (
        ((), ""),
        ((one,), "1 label in empty space"),
        ((one, two, Label(9, 0, None, (1,))),
         "2 labels in empty space and 1 label with several candidates"),
    ):  # fmt: skip
        state.SHARED.put(begun.change(marks=(Label(7, 1), *others)))
        marks, left_out = view._marks(planar, begun.data)
        assert left_out == count
        own_out.offer_labels(begun.data, marks, left_out)
        assert shell.has_unsaved_labels(state.SHARED.settings()) == bool(others)


def test_a_table_keeps_labels_and_proportions_while_other_data_are_shown(visitor, session):
    _, begun = visit(visitor, people_csv(), label="=agrees")
    shown = begun.change(marks=(Label(7, 1), Label(30, 2)), class_prior=(0.2, 0.3, 0.5), lam=3.0)
    state.SHARED.put(shown)
    state.SHARED.put(state.SHARED.changed(shown, data="half_moons"))
    assert state.SHARED.settings() == presets.for_data("half_moons")
    assert labels.settings_of(shown.data) == shown
    sheet = state.SHARED.changed(state.SHARED.settings(), data="drawn")
    assert (sheet.data.name, sheet.data.source) == ("drawn", "")
    state.SHARED.put(sheet)
    assert state.SHARED.changed(sheet, data="table") == shown
    linked, _ = state.SHARED.read({"data": "table", "lam": "5"}, begun)
    assert linked.labels.chosen == shown.labels.chosen, "which no link holds"
    assert linked.estimate.lam == 5.0

    state.SHARED.put(shown)
    session |= {"lapviz_page": ("labels", state.SHARED)}
    state.reset()
    state.SHARED.put(state.SHARED.changed(state.SHARED.settings(), data="iris"))
    assert labels.settings_of(shown.data) == begun, "not what was reset"


@pytest.mark.parametrize("classes", [("maybe",), ("maybe", "never")])
@pytest.mark.parametrize("marks", [None, (Label(7, 1),)], ids=["no labels", "labels"])
def test_class_proportions_stay_as_long_as_the_classes(
    visitor, session, monkeypatch, marks, classes
):
    said = []
    monkeypatch.setattr("streamlit.toast", said.append)
    old, begun = visit(visitor, people_csv(), label="=agrees")
    shown = begun.change(marks=marks, class_prior=(0.2, 0.3, 0.5))
    new = own_table.with_roles(shown.data.source, replace(old.roles, scale=False), classes)
    STORE.add(visitor, new, shown.data.source)
    table._keep_for_new_columns(shown.data, shown, old, new)
    kept = state.SHARED.settings()
    if classes == old.extra_classes:
        assert kept.estimate.class_prior == (0.2, 0.3, 0.5)
        assert not said
    else:
        assert kept is None or kept.estimate.class_prior is None
        assert "proportions" in said[0]
    assert len(kept.labels.chosen if marks else ()) == len(marks or ())


@pytest.mark.parametrize("marks", [None, (Label(7, 1),)], ids=["no labels", "labels"])
@pytest.mark.parametrize("by_file", [False, True], ids=["by hand", "by file"])
def test_another_class_leaves_the_settings_of_the_page_labels(visitor, session, marks, by_file):
    old, begun = visit(visitor, people_csv(), label="=agrees")
    shown = begun.change(lam=3.0, plane="features", ask="energy", marks=marks)
    state.SHARED.put(shown)
    if by_file:
        labels._take(old, shown.data, {7: "yes", 9: "never"})
    else:
        new = own_table.with_roles(shown.data.source, old.roles, ("maybe", "never"))
        STORE.add(visitor, new, shown.data.source)
        table._keep_for_new_columns(shown.data, shown, old, new)
    kept = state.SHARED.settings()
    assert kept.data.info.class_names == ("=No", "yes", "maybe", "never")
    expected = (Label(7, 1), Label(9, 3)) if by_file else marks
    assert kept == shown.change(source=kept.data.source, marks=expected)


def test_a_class_without_a_label_is_left_out_of_the_proportions_and_named(visitor):
    user_table, begun = visit(visitor, people_csv(), label="=agrees")
    targets = own_fit.targets(begun.data)
    words = view._proportions(user_table, targets, (0.2, 0.3, 0.5))
    assert "without “maybe”: no row has that label" in words
    assert "without" not in view._proportions(user_table, targets, (0.4, 0.6, 0.0))


def test_classes_that_ended_with_the_visit_are_added_again(visitor):
    user_table, settings = visit(visitor, people_csv(label=False))
    user_table = own_table.with_roles(settings.data.source, user_table.roles, ())
    names = labels.read(b"row,label by hand\n2,'+\n1,\n9,'ham\n", "labels.csv", 300)
    assert names == {1: "'+", 8: "'ham"}, "rows are counted from 1"
    added = labels.new_classes(user_table, names)
    assert added == ("+", "'ham"), "without the apostrophe that the file has for spreadsheets"
    again = own_table.with_roles(settings.data.source, user_table.roles, added)
    assert again.classes == added
    assert labels.restore(again, settings, names)[0].labels.chosen == (Label(1, 0), Label(8, 1))


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"row,b\n1,u\n2,v\n", "This is no file of labels"),
        (b"row,label on the page\n1,\n2,\n", "No row of this file has a label"),
        (b"row,label on the page\n0,u\n2,v\n", "row 0, and the table 300 rows"),
        (b"row,label on the page\n1,u\n301,v\n", "row 301, and the table 300 rows"),
        (b"row,label on the page\n,u\n2,v\n", "rows without a number"),
    ],
)
def test_a_file_of_other_data_is_refused(raw, sentence):
    with pytest.raises(ValueError, match=sentence):
        labels.read(raw, "labels.csv", 300)
