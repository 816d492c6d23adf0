"""Settings to the URL and back: nothing is lost, and invalid values give messages."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lapviz import datasets, kernels
from lapviz.checks import Refused
from lapviz.estimates import filters
from lapviz.explorer.settings import fields
from lapviz.explorer.settings.fields import (
    BY_NAME,
    FIELDS,
    GROUPS,
    MAX_URL_LABELS,
    from_query,
    read_labels,
    tidy,
    to_query,
    write_labels,
)
from lapviz.explorer.settings.records import PLACES, Settings
from lapviz.explorer.settings.regression_specs import Handle, read_handles, write_handles
from lapviz.explorer.settings.specs import PLANES, describe
from lapviz.explorer.settings.texts import refusal
from lapviz.explorer.stories import presets
from lapviz.labels import Label
from lapviz.spaces import landmarks

BASES = [presets.papers_for(name) for name in (*datasets.names(), "waves", "hills")]
BASES += [presets.for_story(story.name) for story in presets.STORIES if story.page != "data"]
JUNK = ("", " ", "nan", "-nan", "inf", "-inf", "1e999", "-1", "1e30", "0x10", "None", "null", "[]",
        "<script>alert(1)</script>", "'; DROP TABLE x; --", "9" * 6000, "a" * 100_000, "\x00",
        "../../etc/passwd", "{}", "1;2", "½", "true")  # fmt: skip


def name_of(base: Settings) -> str:
    return base.story or base.data.name


def handle(rng: np.random.Generator) -> Handle:
    slope = None if rng.random() < 0.3 else float(rng.normal())
    return Handle(float(rng.random()), float(rng.normal()), slope).rounded()


def random_settings(base: Settings, rng: np.random.Generator) -> Settings:
    """Every field drawn anew over its whole range, as the controls could set it."""
    options = {}
    for option in describe(base.data.name).options:
        value = rng.uniform(option.low, option.high)
        options[option.name] = round(value) if option.whole else float(f"{value:.12g}")
    options = tuple(sorted(options.items()))
    info = describe(base.data.name, options)

    def number(low: float, high: float) -> float:
        return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.12g}")

    def or_auto(value: object) -> object:
        return "auto" if rng.random() < 0.3 else value

    n = int(rng.integers(1, info.max_samples + 1))
    marks = [
        Label(int(i), int(rng.integers(max(info.n_classes, 1)))) for i in rng.integers(0, n, 5)
    ]
    others = tuple(int(code) for code in rng.integers(0, max(info.n_classes, 1), 2))
    marks.append(
        Label(int(rng.integers(n)), int(rng.integers(max(info.n_classes, 1))), None, others)
    )
    if info.n_features == 2:
        places = np.round(rng.normal(size=(3, 2)), 4)
        marks += [Label(-1, 0, (float(x), float(y))) for x, y in places]
    pick = lambda name: str(rng.choice(BY_NAME[name].choices))  # noqa: E731
    return tidy(
        base.change(
            options=options,
            n=n,
            noise=float(f"{rng.uniform(0, info.max_noise):.12g}"),
            seed=int(rng.integers(2**31)),
            per_class=None if rng.random() < 0.3 else int(rng.integers(1, 501)),
            kernel=pick("kernel"),
            sigma=or_auto(number(1e-9, 1e9)),
            degree=int(rng.integers(1, 13)),
            p=or_auto(int(rng.integers(1, 2001))),
            landmarks=pick("landmarks"),
            operator=pick("operator"),
            neighbors=or_auto(int(rng.integers(2, 201))),
            directions=or_auto(int(rng.integers(1, 65))),
            mu=or_auto(number(1e-12, 1e12)),
            lam=0.0 if rng.random() < 0.1 else or_auto(number(1e-12, 1e12)),
            energy_k=int(rng.integers(1, 101)),
            also=pick("also"),
            share=number(0.001, 1.0),
            balance=None if rng.random() < 0.5 else or_auto(pick("balance")),
            passes=or_auto(int(rng.integers(0, 101))),
            standardise=bool(rng.integers(2)),
            ask=pick("ask"),
            filter=pick("filter"),
            term=pick("term"),
            intercept=bool(rng.integers(2)),
            graph=pick("graph"),
            method=pick("method"),
            graph_neighbors=int(rng.integers(1, 101)),
            alpha=number(0.001, 0.999),
            plane=pick("plane"),
            ax=int(rng.integers(1000)),
            ay=int(rng.integers(1000)),
            show=pick("show"),
            beside=bool(rng.integers(2)),
            form=pick("form"),
            centres=bool(rng.integers(2)),
            angles=bool(rng.integers(2)),
            shift=float(f"{rng.uniform(0, 4):.12g}"),
            turn=float(f"{rng.uniform(0, 90):.12g}"),
            pairs=int(rng.integers(1, 21)),
            batches=int(rng.integers(50, 20_001)),
            rate=number(1e-6, 1),
            marks=None if rng.random() < 0.3 else tuple(marks),
            topic=pick("topic"),
            along=pick("along"),
            step=int(rng.integers(201)),
            known=None if rng.random() < 0.3 else int(rng.integers(2, 2000)),
            unlabelled=pick("unlabelled"),
            tau=or_auto(number(1e-6, 10)),
            weight=number(1e-6, 1e6),
            ridge=number(1e-12, 1e3),
            handles=tuple(handle(rng) for _ in range(rng.integers(1, 6))),
        )
    )


@pytest.mark.parametrize("base", BASES, ids=name_of)
def test_the_url_brings_back_any_settings(base):
    rng = np.random.default_rng(sum(map(ord, name_of(base))))
    for _ in range(40):
        wanted = random_settings(base, rng)
        query = to_query(wanted, base)
        assert all(isinstance(text, str) for text in query.values())
        found, complaints = from_query(query, base)
        assert complaints == []
        assert found == wanted


@pytest.mark.parametrize("base", BASES, ids=name_of)
def test_defaults_leave_the_url_short(base):
    expected = {"story": base.story} if base.story else {"data": base.data.name}
    assert to_query(base, base) == expected
    assert from_query(expected, base) == (base, [])


@cache
def drawn_from(base: Settings) -> list[Settings]:
    rng = np.random.default_rng(1)
    return [random_settings(base.change(plane="features"), rng) for _ in range(200)]


@pytest.mark.parametrize("field", FIELDS, ids=lambda f: f.name)
def test_each_field_alone_shows_up_under_its_own_key(field):
    base = presets.papers_for("blobs" if field.name in ("options", "per_class") else "half_moons")
    values = {s.get(field.name) for s in drawn_from(base)} - {base.get(field.name)}
    if field.name == "topic":  # a data set with classes has them all, one with values some
        base, values = presets.papers_for("waves"), {"slopes", "exact"}
    if field.name in ("plane", "ax", "ay", "standardise"):  # nothing to choose in the plane
        base = presets.papers_for("iris")
        values = {"plane": {"modes"}, "ax": {2}, "ay": {3}, "standardise": {False}}[field.name]
    assert values
    for value in sorted(values, key=str)[:5]:
        wanted = tidy(base.change(**{field.name: value}))
        value = wanted.get(field.name)
        extra = to_query(wanted, base).keys() - to_query(base, base).keys()
        assert extra == {field.key}
        assert from_query(to_query(wanted, base), base)[0].get(field.name) == value


def test_fields_have_a_help_a_group_and_a_key_of_their_own():
    keys = [field.key for field in FIELDS]
    assert len(set(keys)) == len(keys)
    assert not {"story", "data", "hide", "embed"} & set(keys)
    for field in FIELDS:
        assert field.help.endswith("."), field.name
        assert field.group in GROUPS
    shown = {f.name for f in FIELDS} | {"data", "options", "source", "story"}
    assert shown == set(PLACES)


def test_choices_follow_the_library():
    assert BY_NAME["kernel"].choices == kernels.names()
    assert BY_NAME["filter"].choices == filters.names()
    assert BY_NAME["landmarks"].choices == (*landmarks.names(with_kernel=True), "fourier")


@pytest.mark.parametrize("field", FIELDS, ids=lambda f: f.name)
def test_junk_in_a_link_is_left_out_with_a_sentence(field):
    base = presets.papers_for("half_moons")
    for junk in JUNK:
        found, complaints = from_query({field.key: junk}, base)
        if (field.name, junk) == ("marks", ""):  # a link to no labels at all
            assert (found.labels.chosen, complaints) == ((), [])
            continue
        assert found == base
        (sentence,) = complaints
        assert sentence.startswith(f"The link's “{field.label}” (")
        assert sentence.endswith("Ignored; previous value kept.")
        assert len(sentence) < 300


def test_numbers_out_of_range_name_the_range():
    base = presets.papers_for("half_moons")
    for key, text, said in (
        ("n", "0", "must be a whole number from 1 to 100000"),
        ("n", "100001", "must be a whole number from 1 to 100000"),
        ("noise", "9", "must be from 0 to 0.5"),
        ("sigma", "0", "must be from 1e-12 to 1e+12"),
        ("p", "2001", "must be a whole number from 1 to 2000"),
        ("kernel", "sinc", f"must be one of {', '.join(kernels.names())}"),
        ("lam", "-1", "must be from 0 to 1e+12"),
    ):
        found, complaints = from_query({key: text}, base)
        assert found == base
        assert said in complaints[0], key


def test_one_bad_setting_does_not_take_the_good_ones_along():
    base = presets.papers_for("half_moons")
    query = {"n": "77", "sigma": "nan", "kernel": "exponential", "p": "many", "seed": "5"}
    found, complaints = from_query(query, base)
    assert found == base.change(n=77, kernel="exponential", seed=5)
    assert len(complaints) == 2


@pytest.mark.parametrize("junk", ["-1", "51", "nan", "2.5", "x"])
def test_an_options_range_is_kept(junk):
    base = presets.papers_for("two_gaussians")
    found, complaints = from_query({"opt_dimension": junk}, base)
    assert found == base
    assert "Dimension" in complaints[0]


def test_an_option_of_another_data_set_is_told():
    base = presets.papers_for("two_gaussians")
    found, (sentence,) = from_query({"opt_colour": "3", "utm_source": "mail"}, base)
    assert found == base
    assert "opt_dimension" in sentence
    assert "colour" not in sentence


def test_options_reach_the_generator_with_their_type():
    base = presets.papers_for("two_gaussians")
    found, _ = from_query({"opt_dimension": "3", "opt_separation": "1.5"}, base)
    assert found.data.keywords == {"dimension": 3, "separation": 1.5}
    assert isinstance(found.data.keywords["dimension"], int)


def test_marks_read_and_write_are_inverse():
    marks = (Label(12, 1), Label(-1, 0, (1.5, -2.0)), Label(0, 9), Label(-1, 3, (-1e-7, 1e8)))
    assert write_labels(marks) == "12c1~1.5,-2c0~0c9~-1e-07,1e+08c3"
    assert read_labels(write_labels(marks)) == marks
    assert write_labels(None) == write_labels(()) == ""
    assert read_labels("") == ()


@pytest.mark.parametrize("junk", ["c", "5", "c1", "5c", "5cx", "-3c1", "5c-1", "5c100", "1,2,3c0",
                                  "nan,1c0", "1e99,0c0", "1.5c1", "5c1;6c1", ",c1",
                                  "1c0~" * 401])  # fmt: skip
def test_broken_labels_are_refused(junk):
    with pytest.raises(ValueError, match=r".") as caught:
        read_labels(junk)
    base = presets.papers_for("half_moons")
    found, complaints = from_query({"labels": junk}, base)
    assert found.labels.chosen is None
    assert "Labels" in complaints[0]
    assert "Traceback" not in str(caught.value)


def test_points_read_and_write_are_inverse():
    points = (Handle(0.1, 1.5, -2.0), Handle(0.4, 1.0), Handle(1.0, -100.0, 1e-5))
    assert write_handles(points) == "0.1,1.5,-2~0.4,1~1,-100,1e-05"
    assert read_handles(write_handles(points)) == points
    assert Handle(0.123456, 1.23456, None).rounded() == Handle(0.1235, 1.235, None)


@pytest.mark.parametrize(
    "junk",
    ["", "1", "0.1,2,3,4", "2,1", "-0.1,1", "0.1,101", "0.1,1,nan", "0.1,1,", "a,b", "0.1,1~",
     "0.1,1~" * 30 + "0.2,1"],
)  # fmt: skip
def test_broken_points_are_refused(junk):
    with pytest.raises(ValueError, match=r"."):
        read_handles(junk)
    base = presets.papers_for("waves")
    found, (sentence,) = from_query({"points": junk}, base)
    assert found == base
    assert "Points and slopes" in sentence


def test_a_topic_that_the_data_cannot_show_is_told():
    base = presets.papers_for("hills")
    assert base.regression.topic == "exact"
    found, (sentence,) = from_query({"topic": "manifold"}, base)
    assert found == base
    assert "“Noisy manifold” cannot show the data set “Hills”" in sentence


def test_labels_that_no_link_can_hold_stay_out_of_it():
    base = presets.papers_for("half_moons")
    few = base.change(marks=tuple(Label(i, i % 2) for i in range(MAX_URL_LABELS)))
    many = base.change(marks=(*few.labels.chosen, Label(999, 0)))
    assert from_query(to_query(few, base), base) == (few, [])
    assert "labels" not in to_query(many, base)


@pytest.mark.parametrize("name", datasets.names())
def test_tidy_brings_back_into_range_and_then_rests(name):
    base = presets.papers_for(name)
    info = describe(name, base.data.options)
    for plane in PLANES:
        wild = base.change(
            plane=plane,
            ax=999,
            ay=999,
            operator="known",
            directions=64,
            marks=(Label(3, 0), Label(-1, 1, (0.0, 0.0)), Label(3, 1), Label(4, 98)),
        )
        tame = tidy(wild)
        assert tidy(tame) == tame
        assert tame.view.ax != tame.view.ay
        assert tame.tangents.n_directions <= info.n_features
        assert tame.view.plane == ("features" if info.n_features == 2 else plane)
        assert Label(3, 1) in tame.labels.chosen, "the last label of a point counts"
        assert Label(3, 0) not in tame.labels.chosen
        assert all(mark.code < info.n_classes for mark in tame.labels.chosen)
        free = [mark for mark in tame.labels.chosen if mark.free]
        assert len(free) == (info.n_features == 2), "a place needs data in the plane"


def test_space_needs_three_features():
    base = presets.papers_for("sphere")
    assert base.view.plane == "space"
    found, complaints = from_query({"data": "sphere", "opt_dimension": "2"}, base)
    assert found.view.plane == "features"
    found, complaints = from_query(
        {"data": "moons", "plane": "space"}, presets.papers_for("circle")
    )
    assert found.view.plane == "features"
    assert len(complaints) == 1
    assert "fewer than three features" in complaints[0]
    found, complaints = from_query(
        {"data": "digits", "plane": "space"}, presets.papers_for("digits")
    )
    assert (found.view.plane, complaints) == ("space", [])


def test_one_feature_has_one_axis():
    base = presets.papers_for("square")
    flat = tidy(base.change(options=(("dimension", 1),), ax=0, ay=1))
    assert (flat.view.ax, flat.view.ay) == (0, 0)


def test_a_refusal_is_told_by_its_class_not_by_its_first_word(monkeypatch):
    def read(text):
        raise ValueError("mustard")

    monkeypatch.setitem(fields._READERS, "handles", read)
    _, (said,) = from_query({"points": "1"}, Settings())
    assert "(1) is not a value it can take. Ignored; previous" in said
    assert "(5) spans too much. Ignored" in refusal("p", "5", Refused("spans too much"))
