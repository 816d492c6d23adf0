"""Knobs: what they offer, and what they take from the browser."""

from __future__ import annotations

import math

import pytest

from lapviz import datasets
from lapviz.explorer.compute import fits
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.explorer.widgets.stage_knobs import Knob, read

SIGMA = Knob("sigma", "Width σ", 1.0, 0.1, 10.0, 16, scale="log", auto=True, limits=(1e-12, 1e12))
COUNT = Knob("p", "Test functions p", 50, 5, 2000, 16, whole=True, limits=(1, 2000))
MU = Knob("mu", "RKHS weight μ", 1e-3, 1e-10, 100, 4, scale="log", zero=True, limits=(0.0, 1e24))


@pytest.mark.parametrize(
    ("knob", "raw", "value"),
    [
        (SIGMA, 0.25, 0.25),
        (SIGMA, 1e30, 1e12),
        (SIGMA, -3, 1e-12),
        (SIGMA, "auto", "auto"),
        (COUNT, "auto", None),
        (COUNT, 77.4, 77),
        (COUNT, 1e9, 2000),
        (MU, 0, 0.0),
        (MU, -1, 0.0),
        *((SIGMA, raw, None) for raw in (None, "x", True, [], {}, math.nan, math.inf, 10**400)),
    ],
)
def test_what_the_browser_sends_is_brought_into_the_limits_or_dropped(knob, raw, value):
    assert knob.read(raw) == value


def test_a_message_has_values_of_known_knobs_only():
    said = {"values": {"sigma": 2, "mu": "much", "shell": 1}, "count": 3}
    assert read(said, (SIGMA, MU)) == {"sigma": 2.0}
    for raw in (None, 3, [], {}, {"values": 3}, {"values": [1]}):
        assert read(raw, (SIGMA,)) == {}


@pytest.mark.parametrize("name", datasets.names())
def test_the_strip_has_the_settings_numbers_on_a_scale_that_holds_them(name):
    settings = presets.papers_for(name).change(n=min(presets.papers_for(name).data.n_samples, 200))
    known = knobs.numbers(settings)
    strip = {knob.name: knob for knob in knobs.strip(settings, known, frozenset())}
    assert set(strip) == {"sigma", "p", "mu"}
    assert strip["sigma"].value == pytest.approx(known.bandwidth)
    assert strip["mu"].value == pytest.approx(known.mu)
    assert strip["p"].value == settings.space.n_landmarks
    for knob in strip.values():
        assert knob.low < knob.value < knob.high or knob.value == 0 == knob.low
        assert knob.help.endswith(".")


def test_the_scale_of_the_width_does_not_move_with_what_a_hand_moves():
    start = presets.papers_for("half_moons")

    def ends(**changes):
        settings = start.change(**changes)
        knob = knobs.strip(settings, knobs.numbers(settings), frozenset())[0]
        return knob.low, knob.high

    assert ends() == ends(n=100) == ends(p=10) == ends(sigma=3.0) == ends(noise=0.2)


def test_a_link_may_hide_them():
    settings = presets.papers_for("iris")
    names = [k.name for k in knobs.strip(settings, None, frozenset({"regularisation"}))]
    assert names == ["p"], "σ is automatic and not known yet"
    assert knobs.strip(settings, knobs.numbers(settings), frozenset({"kernel"}))[0].name == "mu"


def test_a_page_has_the_knobs_that_its_numbers_have():
    settings = fits.for_labels(presets.for_data("iris"))
    asked, known = presets.for_data("iris"), knobs.numbers(settings)
    names = {page: [knob.name for knob in knobs.strip(asked, known, frozenset(), page)]
             for page in ("labels", "eigenfunctions", "regression")}  # fmt: skip
    assert names["labels"] == ["sigma", "p", "mu", "lam"]
    assert names["eigenfunctions"] == names["regression"] == ["sigma", "p", "mu"]
    for knob in knobs.strip(asked, known, frozenset(), "labels"):
        assert knob.auto is True
        assert knob.read("auto") == "auto"
        assert knob.value == pytest.approx(float(getattr(known, {"sigma": "bandwidth"}.get(
            knob.name, knob.name))))  # fmt: skip
    p = next(k for k in knobs.strip(presets.papers_for("iris"), known, frozenset(), "regression")
             if k.name == "p")  # fmt: skip
    assert p.auto is None
