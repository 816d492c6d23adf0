"""Settings to the URL and back: nothing is lost, and invalid values give messages."""

from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lapviz import datasets, fit, kernels
from lapviz.checks import Refused
from lapviz.explorer.settings.fields import (
    GROUPS,
    from_query,
    own_parameters,
    ranged,
    refusal,
    tidy,
    to_query,
)
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.settings.specs import PLANES, describe
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import Handle
from lapviz.labels import MOST_IN_LINK, Label, write_labels
from lapviz.parameters import AUTO, Parameter

BASES = [presets.papers_for(name) for name in (*datasets.names(), "waves", "hills")]
BASES += [presets.for_story(story.name) for story in presets.STORIES if story.page != "data"]
JUNK = ("", " ", "nan", "-nan", "inf", "-inf", "1e999", "-1", "1e30", "0x10", "None", "null", "[]",
        "<script>alert(1)</script>", "'; DROP TABLE x; --", "9" * 6000, "a" * 100_000, "\x00",
        "../../etc/passwd", "{}", "1;2", "½", "true")  # fmt: skip


def name_of(base: Settings) -> str:
    return base.story or base.data.name


def random_value(field: Parameter, rng: np.random.Generator) -> object:
    """A random value that the description of a setting allows."""
    if field.none and rng.random() < 0.3:
        return None
    if field.auto and rng.random() < 0.3:
        return AUTO
    if field.choices:
        return str(rng.choice(field.choices))
    if field.kind == "flag":
        return bool(rng.integers(2))
    low, high = field.range(page=True)
    if field.integral:
        return int(rng.integers(int(low), int(high) + 1))
    return float(f"{max(low, np.exp(rng.uniform(-20, np.log(high)))) if high else 0:.12g}")


def random_lists(info, n: int, rng: np.random.Generator) -> dict:
    """Random labels and points, the settings that are lists."""
    codes = rng.integers(0, max(info.n_classes, 1), 8)
    marks = [Label(int(rng.integers(n)), int(code)) for code in codes[:5]]
    marks.append(Label(int(rng.integers(n)), int(codes[5]), None, tuple(map(int, codes[6:]))))
    if info.n_features == 2:
        places = np.round(rng.normal(size=(3, 2)), 4)
        marks += [Label(-1, 0, (float(x), float(y))) for x, y in places]
    points = [Handle(float(x), float(y), None if x < 0.3 else float(y)).rounded()
              for x, y in rng.random((3, 2))]  # fmt: skip
    return {"marks": tuple(marks), "handles": tuple(points)}


def random_settings(base: Settings, rng: np.random.Generator) -> Settings:
    """Every setting drawn from its full range, as the controls could set it."""
    drawn = {field.name: random_value(field, rng) for field in own_parameters(base, "options")}
    base = base.change(options=tuple(sorted(drawn.items())))
    values = {name: random_value(ranged(base, name), rng) for name, field in SETTINGS.items()
              if field.codec is None}  # fmt: skip
    shaped = base.change(**values)
    drawn = {field.name: random_value(replace(field, high=field.range(page=True)[1]), rng)
             for field in own_parameters(shaped, "kernel_params")}  # fmt: skip
    lists = random_lists(base.data.info, shaped.data.n_samples, rng)
    return tidy(shaped.change(kernel_params=tuple(drawn.items()), **lists))


@pytest.mark.parametrize("base", BASES, ids=name_of)
def test_the_url_brings_back_any_settings(base):
    rng = np.random.default_rng(sum(map(ord, name_of(base))))
    for _ in range(8):
        wanted = random_settings(base, rng)
        query = to_query(wanted, base)
        assert all(isinstance(text, str) for text in query.values())
        read, complaints = from_query(query, base)
        assert complaints == []
        assert read == wanted


@pytest.mark.parametrize("base", BASES, ids=name_of)
def test_defaults_leave_the_url_short(base):
    expected = {"story": base.story} if base.story else {"data": base.data.name}
    assert to_query(base, base) == expected
    assert from_query(expected, base) == (base, [])


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_alone_shows_up_under_its_own_key(name):
    base = presets.papers_for({"topic": "waves", "plane": "iris", "standardise": "iris"}
                              .get(name, "half_moons"))  # fmt: skip
    rng, key = np.random.default_rng(0), SETTINGS[name].key
    for _ in range(8):
        drawn = random_settings(base, rng).get(name)
        wanted = tidy(base.change(**{name: drawn}))
        extra = to_query(wanted, base).keys() - to_query(base, base).keys()
        assert extra <= ({"ax", "ay"} if name in ("ax", "ay") else {key})  # never the same axis
        assert bool(extra) == (wanted.get(name) != base.get(name))
        assert from_query(to_query(wanted, base), base) == (wanted, [])


def test_settings_have_a_help_a_group_and_a_key_of_their_own():
    keys = [field.key for field in SETTINGS.values()]
    assert len(set(keys)) == len(keys)
    assert not {"story", "data", "hide", "embed"} & set(keys)
    for field in SETTINGS.values():
        assert field.label
        assert field.help.endswith("."), field.name
        assert field.group in GROUPS


# A link of version 0.1 that sets everything.
OLD = (
    "data=half_moons&n=77&noise=0.1&seed=5&per_class=3&kernel=polynomial&sigma=0.3&degree=5&p=50"
    "&landmarks=uniform&operator=tangent&neighbors=12&directions=1&shift=1&turn=5&pairs=3"
    "&energy_k=9&also=graph&share=0.25&mu=0.25&lam=0.5&filter=heat&term=all&intercept=1"
    "&balance=scale&passes=4&ask=energy&graph=dense&method=spreading&graph_k=6&alpha=0.5"
    "&show=graph&beside=1&form=rotation&centres=1&angles=1&batches=100&rate=0.01"
    "&labels=3c1~0.5,1c0~7c0.1&topic=exact&along=ridge&m=7&known=40&unlabelled=response&tau=2"
    "&weight=0.5&ridge=0.001&points=0.1,1.5,-2~0.4,1"
)


def test_an_old_link_opens_the_same_view():
    base = presets.for_data("half_moons")
    read, complaints = from_query(dict(parse_qsl(OLD)), base)
    assert complaints == []
    space = {"kernel_params": {"degree": 5}, "n_landmarks": 50, "landmarks": "uniform"}
    assert read.space == fit.SpaceSpec("polynomial", 0.3, random_state=5, **space)
    assert fit.kernel(np.zeros((2, 2)), read.space) == kernels.Polynomial(0.3, 5)
    assert read.estimate == fit.EstimateSpec(0.5, "heat", "all", True, "scale", 4)
    assert read.energy == fit.EnergySpec("tangent", 0.25)
    assert read.baseline == fit.GraphSpec("spreading", "dense", 6, alpha=0.5)
    assert read.labels.chosen == (Label(3, 1), Label(-1, 0, (0.5, 1.0)), Label(7, 0, None, (1,)))
    assert read.regression.handles == (Handle(0.1, 1.5, -2.0), Handle(0.4, 1.0))
    assert dict(parse_qsl(OLD)) == to_query(read, base)  # and is written as it was


@pytest.mark.parametrize("field", SETTINGS.values(), ids=lambda f: f.name)
def test_junk_in_a_link_is_left_out_with_a_sentence(field):
    base = presets.papers_for("half_moons")
    for junk in JUNK:
        read, complaints = from_query({field.key: junk}, base)
        if (field.name, junk) == ("marks", ""):  # a link to no labels at all
            assert (read.labels.chosen, complaints) == ((), [])
            continue
        if (field.kind, junk) == ("flag", "true"):
            continue
        assert read == base
        (sentence,) = complaints
        assert sentence.startswith(f"The link's “{field.label}” (")
        assert sentence.endswith(" Ignored.")
        assert len(sentence) < 300


NOT_TAKEN = [  # data set, query, changes, words of the complaints
    ("half_moons", {"intercept": "true"}, {"intercept": True}, []),
    ("half_moons", {"intercept": "false"}, {}, []),
    ("half_moons", {"n": "0"}, {}, ["must be a whole number from 1 to 100000"]),
    ("half_moons", {"noise": "9"}, {}, ["must be a number from 0 to 0.5"]),
    ("half_moons", {"class_prior": "1, 3"}, {"class_prior": (1.0, 3.0)}, []),
    *[("half_moons", {"class_prior": junk}, {}, ["must be 2 positive numbers with commas"])
      for junk in ("1", "1,2,3", "0,1", "1,nan", "-1,2", "even")],
    ("half_moons", {"sigma": "0"}, {}, ["must be auto or a number from 1e-12 to 1e+12"]),
    ("half_moons", {"p": "2001"}, {}, ["must be auto or a whole number from 1 to 2000"]),
    ("half_moons", {"balance": "no"}, {}, ["must be one of none, auto, scale, shift"]),
    ("half_moons", {"mu": "low"}, {}, ["must be auto, floor or a number from 0"]),
    *[("half_moons", {"labels": junk}, {}, ["must be labels like 12c1~1.5,-2c0"])
      for junk in ("x", "0:0", "1,2,3c0", "-1c0")],
    ("waves", {"points": ","}, {}, ["must be points like 0.1,1.5,-2~0.4,1"]),
    ("half_moons", {"kernel": "sinc"}, {}, [f"must be one of {', '.join(kernels.names())}"]),
    ("half_moons", {"n": "77", "sigma": "nan", "kernel": "exponential", "p": "many", "seed": "5"},
     {"n": 77, "kernel": "exponential", "seed": 5}, ["Reach σ", "Detail p"]),
    *[("two_gaussians", {"opt_dimension": junk}, {}, ["Dimension"])
      for junk in ("-1", "51", "nan", "2.5", "x")],
    ("two_gaussians", {"opt_colour": "3", "utm_source": "mail"}, {}, ["it has: opt_dimension"]),
    ("two_gaussians", {"opt_dimension": "3", "opt_separation": "1.5"},
     {"options": (("dimension", 3), ("separation", 1.5))}, []),
    ("hills", {"topic": "manifold"}, {}, ["“Noisy manifold” cannot show the data set “Hills”: "
                                          "“Exact against Galerkin” is shown"]),
    ("iris", {"form": "rotation"}, {}, ["“Iris” the Dirichlet energy is shown instead"]),
    ("wine", {"operator": "invariance"}, {"operator": "laplacian"}, ["There are no images in"]),
    ("wine", {"operator": "known"}, {"operator": "laplacian"}, ["No tangents are known for"]),
    ("wine", {"also": "known"}, {}, ["“Known tangents” is not for “Wine”: no second energy"]),
    ("circle", {"plane": "space"}, {}, ["fewer than three features"]),
    ("circle", {"plane": "pca"}, {}, ["“Plane” (pca) is not for “Circle” here: “features” is"]),
    ("circle", {"operator": "tangent", "directions": "50"},
     {"operator": "tangent", "directions": 2}, ["(50) is not for “Circle” here: “2” is used"]),
    ("iris", {"standardise": "1"}, {}, []),
    ("digits", {"plane": "space"}, {"plane": "space"}, []),
    ("sphere", {"opt_dimension": "2"}, {"options": (("dimension", 2),), "plane": "features"}, []),
    ("square", {"opt_dimension": "1"}, {"options": (("dimension", 1),), "ay": 0}, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "query", "changes", "words"), NOT_TAKEN, ids=str)
def test_what_data_or_ranges_do_not_allow_is_reported(name, query, changes, words):
    base = presets.papers_for(name)
    read, complaints = from_query(query, base)
    assert read == base.change(**changes)
    assert len(complaints) == len(words)
    for complaint, word in zip(complaints, words, strict=True):
        assert word in complaint
        assert "colour" not in complaint
    if "options" in changes:  # with the generator's own types
        assert repr(read.data.keywords) == repr(dict(changes["options"]))


def test_points_and_labels_have_as_few_digits_as_a_link_holds():
    assert Handle(0.123456, 1.23456, None).rounded() == Handle(0.1235, 1.235, None)
    assert write_labels(None) == ""


BROKEN = {
    "labels": ["c", "5", "c1", "5c", "5cx", "-3c1", "5c-1", "5c100", "1,2,3c0", "nan,1c0",
               "1e99,0c0", "1.5c1", "5c1;6c1", ",c1", "1c0~" * 401],
    "points": ["", "1", "0.1,2,3,4", "2,1", "-0.1,1", "0.1,101", "0.1,1,nan", "0.1,1,", "a,b",
               "0.1,1~", "0.1,1~" * 30 + "0.2,1"],
}  # fmt: skip


@pytest.mark.parametrize(("key", "junk"), [(key, text) for key in BROKEN for text in BROKEN[key]])
def test_broken_lists_are_refused(key, junk):
    base = presets.papers_for("waves" if key == "points" else "half_moons")
    read, (sentence,) = from_query({key: junk}, base)
    assert read == base
    assert ("Points and slopes" if key == "points" else "Labels") in sentence


@pytest.mark.parametrize(("key", "junk"), [
    ("labels", "1" * 9000 + "," + "1" * 9000 + "e"), ("points", "~".join(["0.1,123"] * 29) + "~"),
], ids=["labels", "points"])  # fmt: skip
def test_a_broken_list_is_refused_at_once(key, junk):
    """A pattern that may split digits in several ways would take minutes, for all visitors."""
    base = presets.papers_for("waves" if key == "points" else "half_moons")
    read, (sentence,) = from_query({key: junk}, base)
    assert read == base
    assert f"must be {key} like" in sentence


def test_labels_that_no_link_can_hold_stay_out_of_it():
    base = presets.papers_for("half_moons")
    few = base.change(marks=tuple(Label(i, i % 2) for i in range(MOST_IN_LINK)))
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
        off_sample = [mark for mark in tame.labels.chosen if mark.off_sample]
        assert len(off_sample) == (info.n_features == 2), "off-sample labels need data in the plane"


def test_a_refusal_is_recognised_by_its_class_not_by_its_first_word(monkeypatch):
    def read(text):
        raise ValueError("mustard")

    points = replace(SETTINGS["handles"], codec=(read, str))
    monkeypatch.setitem(SETTINGS, "handles", points)
    _, (complaint,) = from_query({"points": "1"}, Settings())
    assert "(1) is not a value it can take. Ignored." in complaint
    assert "(5) spans too much. Ignored" in refusal("p", "5", Refused("spans too much"))
