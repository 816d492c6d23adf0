"""The pages' controls without a browser: all of them, on all data, and in random order."""

import importlib
import io
import logging
import threading
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from page_tests import opened, page_of, run_until
from streamlit.testing.v1 import AppTest

from lapviz import datasets
from lapviz.explorer.session import state
from lapviz.explorer.settings.fields import from_query, to_query
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, knobs, shell

OWN = ("options", "kernel_params")  # parameters of a single data set or kernel
KINDS = ("selectbox", "select_slider", "slider", "checkbox", "number_input", "text_input",
         "toggle", "button")  # fmt: skip


each_page = pytest.mark.parametrize("place", ["labels", "eigenfunctions"])


def shown(app: AppTest) -> Settings:
    return app.session_state["lapviz_settings"]


def stands(app: AppTest) -> None:
    """Assert that there is no exception, and that every error is a message for the visitor."""
    assert not app.exception, app.exception
    for error in app.error:
        assert "unexpected error" not in error.value
        assert error.value.endswith(".")


def explain_themselves(app: AppTest) -> None:
    for widget in widgets(app):
        assert widget.label, widget
        assert widget.proto.help.endswith((".", "?", ")")), widget.label  # or a link


def widgets(app: AppTest) -> list:
    return [widget for kind in KINDS for widget in getattr(app, kind)]


def enabled(app: AppTest) -> list:
    return [widget for widget in widgets(app) if not getattr(widget, "disabled", False)]


def name_of(widget) -> str:
    """A widget's key without its page."""
    return (widget.key or "").partition("@")[0].partition("#")[0]


def find(app: AppTest, name: str):
    """The widget of that key."""
    (match,) = (widget for widget in widgets(app) if name_of(widget) == name)
    return match


def size(name: str) -> dict[str, object]:
    base = presets.papers_for(name)
    return {"data": name, "n": min(base.data.n_samples, 120), "p": min(base.space.n_landmarks, 30)}


@pytest.mark.slow
@each_page
def test_a_slow_browser_draws_what_is_set(place):
    """A value written to a widget is sent with one run; later runs have it as the default."""
    own = {"seed": 7, "kernel": "polynomial", "operator": "tangent", "open": "plotly"}
    app = opened(place, **size("digits"), **own).run()
    stands(app)
    switch = state.PARTS[place]["plotly"]
    bound = [w for w in widgets(app) if "#" in (w.key or "") or w.key == switch]
    assert {"w-seed", "w-data", "w-kernel", "w-standardise", switch} <= set(map(name_of, bound))
    for widget in bound:
        value = widget.index if widget.type == "selectbox" else widget.value
        assert widget.proto.default == value, widget.key


@pytest.mark.slow
@each_page
@pytest.mark.parametrize("name", datasets.names())
def test_controls_show_the_settings_and_explain_themselves(place, name):
    app = opened(place, **size(name), operator="tangent", kernel="polynomial")
    stands(app)
    assert not app.error
    assert not app.warning
    settings = shown(app)
    assert settings == from_query({**{k: str(v) for k, v in size(name).items() if k != "data"},
                                   "operator": "tangent", "kernel": "polynomial"},
                                  presets.for_data(name))[0]  # fmt: skip
    explain_themselves(app)
    values = {name_of(widget): widget.value for widget in widgets(app) if widget.key}
    for field in SETTINGS.values():
        key = f"w-{field.name}"
        value = settings.get(field.name)
        if key in values and value not in (None, "auto"):
            expected = pytest.approx(value, rel=1e-2) if isinstance(value, float) else value
            assert values[key] == (str(expected) if field.name == "seed" else expected), field.name
    assert values["w-data"] == name


@pytest.mark.slow
@each_page
def test_every_setting_has_one_control(place, monkeypatch):
    """One widget, or one knob on the stage or in the sidebar, never two that could disagree."""
    shown: list[str] = []
    one = {"data": "two_gaussians", "method": "spreading", "balance": "scale"}
    two = {"data": "half_moons", "kernel": "polynomial", "operator": "tangent", "also": "graph"}
    controls_of = []
    three = {"data": "digits", "operator": "invariance", "show": "neural", "p": 20}
    for query in (one, two, three):
        shown.clear()
        monkeypatch.setattr(knobs.channel, "show", lambda payload, allowed, **_: shown.extend(
            knob["name"] for knob in payload["knobs"] if allowed.kind == "knobs"))  # fmt: skip
        app = opened(place, **query, n=60)
        settings = app.session_state["lapviz_settings"]
        toolbar = knobs.toolbar(settings, knobs.numbers(settings), frozenset())
        widget_names = [name_of(widget) for widget in widgets(app)]
        names = [key.split("-")[1] for key in widget_names if key.startswith("w-")]
        names += [name.partition("-")[0] for name in shown] + [knob.name for knob in toolbar]
        single = [name for name in names if name not in OWN]  # one may have several
        assert len(single) == len(set(single)), names
        controls_of += names
    wanted = {field.name for field in SETTINGS.values()} | {"data", *OWN}
    wanted -= {"lam", "filter", "marks"}  # on the stage
    wanted -= {"topic", "along", "step", "known", "unlabelled", "tau", "weight", "ridge", "handles"}
    if place == "labels":
        wanted -= {"show", "beside", "form", "centres", "angles", "batches", "rate"}
    else:
        wanted -= {"per_class", "class_prior", "ask", "term", "balance", "passes", "linear",
                   "scaling", "intercept", "method", "alpha"}  # fmt: skip
    assert set(controls_of) == wanted


@pytest.mark.slow
def test_the_menu_says_whose_real_data_it_is():
    app = opened("labels", **size("cells"))
    (menu,) = (box for box in app.selectbox if box.label == "Data set")
    assert "10x Genomics" in menu.help
    assert "CC BY 4.0" in menu.help


@pytest.mark.slow
@each_page
def test_every_menu_and_switch_works_and_is_in_the_link(place):
    """With all folds open. Changes add up: each menu ends at its last option."""
    app = page_of(place, data="swiss_roll", n=80, p=20, plane="features")
    for fold in ("recipe", "table", "tune", "confusions", "next", "path", "take", "share"):
        app.session_state[f"fold-{fold}@{place}"] = True
    explain_themselves(app.run())
    axes = [f"w-{axis}-swiss_roll-features" for axis in ("ax", "ay")]
    kinds = ("selectbox", "checkbox", "toggle")
    names = {name_of(widget) for widget in enabled(app) if widget.type in kinds}
    names -= {"w-data", "w-plane", *axes}
    for name in [*sorted(names), *axes, "w-plane"]:  # another plane has other axes
        for index in range(len(getattr(find(app, name), "options", "12"))):
            widget, setting = find(app, name), name.split("-")[1]
            is_menu = widget.type == "selectbox"
            value = _value_of(widget, index) if is_menu else not widget.value
            widget.set_value(value)
            app.run()
            stands(app)
            assert not app.error, (name, value)
            settings = shown(app)
            if name not in axes and setting in SETTINGS:  # an axis changes places with the other
                assert settings.get(setting) == (None if value == SETTINGS[setting].none else value)
            base = presets.base_of(settings)
            assert from_query(to_query(settings, base), base) == (settings, []), (name, value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "query", "sentence"),
    [("labels", {"data": "half_moons", "also": "graph"}, "up to a factor only"),
     ("eigenfunctions", {"data": "square", "landmarks": "fourier", "centres": 1},
      "Random waves have no places")],
)  # fmt: skip
def test_a_caption_says_what_a_setting_cannot_show(place, query, sentence):
    app = opened(place, **query, n=60, p=20)
    assert any(sentence in words.value for words in app.caption)


@pytest.mark.slow
def test_another_form_has_no_gradient_and_belongs_to_its_data():
    app = opened("eigenfunctions", data="circle", n=100, p=20)
    find(app, "w-form").set_value("rotation")
    run_until(
        app, lambda app: "not symmetric" in str([w.value for w in [*app.markdown, *app.caption]])
    )
    assert shown(app).view.form == "rotation"
    assert "w-operator" not in map(name_of, widgets(app)), "it plays no part here"
    find(app, "w-data").set_value("wine").run()
    assert app.query_params["data"] == "wine"
    assert "form" not in app.query_params
    assert "w-form" not in map(name_of, widgets(app))


def _value_of(box, index: int) -> object:
    """The value behind a menu's entry: axes count, everything else goes by its name."""
    if name_of(box).startswith(("w-ax", "w-ay")):
        return index
    for field in SETTINGS.values():
        if name_of(box) == f"w-{field.name}":
            if box.options[index].startswith("From the data"):
                return "auto"
            choices = (*([field.none] if field.none else []), *field.choices)
            titles = [controls.title_of(choice) for choice in choices]
            return choices[titles.index(box.options[index])]
    raise AssertionError(box.key)


def test_every_choice_has_a_title_of_its_own():
    for field in SETTINGS.values():
        titles = [controls.title_of(choice) for choice in field.choices]
        assert len(set(titles)) == len(titles)
        assert not set(titles) & set(field.choices), field.name


# ---- a page without its controls, and while it computes ------------------------------------------


@pytest.mark.slow
@each_page
def test_an_embedded_page_is_the_stage_and_a_sentence(place):
    app = opened(place, story="moons", n=100, p=20, hide="data,page", embed="true")
    stands(app)
    assert len(app.sidebar.children) == 0
    assert widgets(app) == list(app.expander) == []
    (sentence,) = app.caption
    assert sentence.value.count("[Open with all controls]") == 1
    assert sentence.value.endswith("&hide=data)")
    assert "data,page" in app.query_params["hide"]


def test_the_link_to_all_controls_keeps_that_labels_were_removed():
    (sentence,) = opened("labels", data="half_moons", n=100, labels="", hide="page").caption
    assert sentence.value.endswith("(?data=half_moons&n=100&labels=)")


@pytest.mark.slow
@each_page
def test_below_the_stage_the_old_numbers_stand_until_the_new_ones_come(place, monkeypatch):
    module = importlib.import_module(f"lapviz.explorer.pages.{place}.page")
    page, go = module.page, threading.Event()
    app = page_of(place, data="half_moons", n=100, p=20)
    app.session_state[f"fold-recipe@{place}"] = True  # opened
    before = below(run_until(app, lambda app: app.code))

    def late(settings: Settings) -> LiveStage:
        stage = page.stage(settings)
        return replace(stage, view=lambda *arguments: (go.wait(60), stage.view(*arguments))[1])

    monkeypatch.setattr(module, "page", replace(page, stage=cache(late)))
    find(app, "w-kernel").set_value("matern32").run()
    assert below(app) == before
    assert "lv-old" in marks_of(app)
    go.set()
    while "lv-old" in marks_of(app.run()):
        stands(app)
    assert below(app) != before


def below(app: AppTest) -> list[str]:
    return [box.label for box in app.expander] + [code.value for code in app.code]


def marks_of(app: AppTest) -> str:
    return " ".join(html.proto.body for html in app.get("html"))


@pytest.mark.slow
def test_what_stands_in_the_seeds_box_is_what_is_used():
    app = opened("labels", data="half_moons", n=100, p=20)
    find(app, "w-seed").set_value("1e9").run()
    assert shown(app).data.random_state == int(find(app, "w-seed").value) == 10**9
    for refused in ("-3", "99999999999999999999", "x"):
        find(app, "w-seed").set_value(refused).run()
        assert shown(app).data.random_state == int(find(app, "w-seed").value) == 10**9
        assert "whole number from 0 to 2147483647" in app.toast[0].value
        assert not app.warning


@pytest.mark.slow
def test_class_proportions_are_those_in_the_box_or_estimated():
    app = opened("labels", data="half_moons", n=100, p=20, balance="scale")
    for entered, written in (("1 3", "1,3"), ("1,2,3", "1,3"), ("even", "1,3"), ("", "")):
        find(app, "w-class_prior").set_value(entered).run()
        assert find(app, "w-class_prior").value == written
        assert shown(app).estimate.class_prior == ((1, 3) if written else None)
        assert bool(app.toast) == (entered not in ("1 3", ""))
    find(app, "w-balance").set_value("none").run()
    assert "w-class_prior" not in map(name_of, widgets(app))


def test_a_singular_matrix_has_a_sentence_with_its_cure_and_odd_errors_are_logged(monkeypatch):
    error = np.linalg.LinAlgError("Singular matrix")
    assert shell.sentence_of(error, "The estimates").endswith("Use a larger σ or μ.")
    assert shell.sentence_of(ValueError("Why."), "The estimates").endswith("settings. Why.")
    (handler,) = logging.getLogger("lapviz.explorer").handlers  # the library's own is silent
    monkeypatch.setattr(handler, "stream", io.StringIO())
    assert "Reset" in shell.sentence_of(KeyError("odd"), "The estimates")
    assert "KeyError: 'odd'" in handler.stream.getvalue()


# ---- controls that have an effect in some settings only ------------------------------------------


def knob(knobs_shown: list, name: str):
    (match,) = (k for k in knobs_shown if k.name == name)
    return match


@pytest.mark.slow
def test_a_control_without_effect_says_why_and_one_with_an_effect_is_there(monkeypatch):
    shown_knobs: list = []
    monkeypatch.setattr(
        knobs, "sidebar_sliders", lambda name, shown, take=None: shown_knobs.extend(shown)
    )

    def page(place, **query):
        shown_knobs.clear()
        app = opened(place, **query, n=60, p=20)
        stands(app)
        return app, " ".join(caption.value for caption in app.sidebar.caption)

    passes = {"data": "half_moons", "passes": 3}
    app, captions = page("labels", **passes, balance="none")
    assert knob(shown_knobs, "passes").disabled
    assert find(app, "w-linear").disabled
    assert "Passes need a class balance." in captions
    app, captions = page("labels", **passes, balance="scale", intercept="1")
    assert not knob(shown_knobs, "passes").disabled, "its panel asks for fewer passes"
    assert "has no effect" not in captions
    assert "to shift scores has no effect" in page("labels", **passes, balance="shift")[1]

    prior = {"data": "half_moons", "class_prior": "3,1"}
    assert "Without a class balance" in page("labels", **prior, balance="none")[1]
    assert "Without a class balance" not in page("labels", **prior, balance="scale")[1]

    dense = {"data": "half_moons", "graph": "dense"}
    page("eigenfunctions", **dense, show="eigenmaps")
    assert knob(shown_knobs, "graph_neighbors").value == 10
    page("eigenfunctions", **dense, show="graph")
    assert "graph_neighbors" not in {k.name for k in shown_knobs}
    tangents = {"data": "half_moons", "operator": "tangent"}
    assert "neighbours play no part" in page("eigenfunctions", **tangents, directions=2)[1]
    assert "neighbours play no part" not in page("eigenfunctions", **tangents, directions=1)[1]

    flat = page("regression", data="waves", topic="slopes", points="0,1~1,2")[1]
    assert "No point has a slope" in flat
    assert "No point has a slope" not in page("regression", data="waves", topic="slopes")[1]
    menus = {name_of(w) for w in widgets(page("regression", data="waves", topic="stop")[0])}
    assert "w-unlabelled" not in menus, "every value is known"
    app = page("regression", data="waves", topic="stop", known=20)[0]
    assert find(app, "w-unlabelled")
