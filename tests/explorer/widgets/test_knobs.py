"""Knobs: their values and scales, and what they read from the browser."""

import pytest

from lapviz import datasets
from lapviz.explorer.compute import fits
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs


@pytest.mark.parametrize("name", datasets.names())
def test_the_toolbar_has_the_settings_numbers_on_a_scale_that_holds_them(name):
    settings = presets.papers_for(name).change(n=min(presets.papers_for(name).data.n_samples, 200))
    numbers = knobs.numbers(settings)
    toolbar = {knob.name: knob for knob in knobs.toolbar(settings, numbers, frozenset())}
    assert set(toolbar) == {"sigma", "p", "mu"}
    assert toolbar["sigma"].value == pytest.approx(numbers.sigma)
    assert toolbar["mu"].value == pytest.approx(numbers.mu)
    assert toolbar["p"].value == settings.space.n_landmarks
    for knob in toolbar.values():
        assert knob.low < knob.value < knob.high or knob.value == 0 == knob.low
        assert knob.help.endswith(".")


def test_the_scale_of_the_width_does_not_move_with_what_a_hand_moves():
    start = presets.papers_for("half_moons")

    def ends(**changes):
        settings = start.change(**changes)
        knob = knobs.toolbar(settings, knobs.numbers(settings), frozenset())[0]
        return knob.low, knob.high

    assert ends() == ends(n=100) == ends(p=10) == ends(sigma=3.0) == ends(noise=0.2)


def test_a_link_may_hide_them():
    settings = presets.papers_for("iris")
    names = [k.name for k in knobs.toolbar(settings, None, frozenset({"regularisation"}))]
    assert names == ["p"], "σ is automatic and not known yet"
    assert knobs.toolbar(settings, knobs.numbers(settings), frozenset({"kernel"}))[0].name == "mu"


def test_a_page_has_the_knobs_that_its_numbers_have():
    settings = fits.for_labels(presets.for_data("iris"))
    requested, numbers = presets.for_data("iris"), knobs.numbers(settings)
    names = {page: [knob.name for knob in knobs.toolbar(requested, numbers, frozenset(), page)]
             for page in ("labels", "eigenfunctions", "regression")}  # fmt: skip
    assert names["labels"] == ["sigma", "p", "mu", "lam"]
    assert names["eigenfunctions"] == names["regression"] == ["sigma", "p", "mu"]
    for knob in knobs.toolbar(requested, numbers, frozenset(), "labels"):
        assert knob.auto is True
        assert knob.read("auto") == "auto"
        assert knob.value == pytest.approx(float(getattr(numbers, knob.name)))
    toolbar = knobs.toolbar(presets.papers_for("iris"), numbers, frozenset(), "regression")
    assert next(knob for knob in toolbar if knob.name == "p").auto is None
