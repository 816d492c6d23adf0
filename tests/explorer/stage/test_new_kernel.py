"""A new kernel or filter is one class: everything else picks it up, including the canvas.

The classes are those printed on the page Notes.
"""

import importlib
import sys
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pytest
import stage_scenes
from page_tests import opened

from lapviz import kernels
from lapviz.estimates import filters
from lapviz.estimates.codes import class_codes
from lapviz.estimates.labelled import ridge_on_labels
from lapviz.experiments.records import Results
from lapviz.experiments.sweep import Sweep
from lapviz.explorer.compute import cache, fits, points
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query, tidy, to_query
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.share import recipes
from lapviz.explorer.share.script import command
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.parameters import parameter
from lapviz.scenes import RidgeModel

# The kernel and the filter, exactly as the page Notes prints them.
KERNEL, _, FILTER = (
    part.text
    for part in notes.parts()
    if isinstance(part, notes.Code) and part.language == "python"
)


@pytest.fixture
def added(monkeypatch, tmp_path):
    """Register the two classes above from a module of their own, for one test."""
    (tmp_path / "mine.py").write_text("\n\n".join((KERNEL, FILTER)), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with patch.dict(kernels.base.REGISTRY), patch.dict(filters.REGISTRY):
        yield importlib.import_module("mine")
    del sys.modules["mine"]
    cache.clear()


def small(**changes):
    base = presets.for_data("half_moons")
    defaults = {"n": 150, "p": 40, "kernel": "rational", "filter": "squared", "lam": 0.1}
    return base.change(**defaults | changes)


@pytest.mark.slow
def test_menus_links_and_recipes_include_new_classes(added, capsys):
    for name, key in (("kernel", "rational"), ("filter", "squared")):
        assert SETTINGS[name].choices[-1] == key
    base, settings = presets.for_data("half_moons"), small(kernel_params=(("alpha", 3.0),))
    assert fits.method(settings).kernel == added.RationalQuadratic(0.2, alpha=3.0)
    query = to_query(settings, base)
    assert from_query(query, base) == (settings, [])
    app = opened("labels", **query)
    assert not app.exception
    assert not app.error
    (menu,) = (box for box in app.selectbox if (box.key or "").startswith("w-kernel"))
    assert menu.options[-1] == "Rational quadratic"
    assert menu.value == "rational"
    script = recipes.labels(settings)
    for words in ("kernel='rational'", "kernel_params={'alpha': 3.0}", "filter='squared'"):
        assert words in script
    (line,) = (line for line in script.splitlines() if line.startswith("import mine"))
    assert line == "import mine  # registers 'rational', 'squared'"
    exec(compile(script, "recipe", "exec"), {})
    config = Sweep.Config(parameter="kernel", values=("rational", "gaussian"))
    run = Results("sweep", config, (), 0, 0)
    start = "# mine registers 'rational'\npython -c \"import mine; from lapviz.experiments.__main__"
    assert command(run).startswith(start)
    accuracy = labels_view(settings).scores[1].accuracy
    assert f"kernel Laplacian: {100 * accuracy:.1f} %" in capsys.readouterr().out


@pytest.mark.slow
def test_a_parameter_with_a_range_is_a_control_and_is_checked_in_links(added, monkeypatch):
    @kernels.register
    @dataclass(frozen=True)
    class Ranged(added.RationalQuadratic):
        alpha: float = parameter(1.5, "Shape α", "How heavy the tails are.", low=0.1, high=9)
        name = "ranged"
        title = "With a range"

    base = presets.for_data("half_moons")
    query = to_query(small(kernel="ranged", kernel_params=(("alpha", 3.0),)), base)
    assert query["kernel_alpha"] == "3"
    settings, (sentence,) = from_query(query | {"kernel_alpha": "10"}, base)
    assert settings == tidy(small(kernel="ranged"))
    assert "“Shape α” (10) must be a number from 0.1 to 9" in sentence
    _, (sentence,) = from_query(query | {"kernel": "gaussian"}, base)
    assert "an option that this kernel does not have (it has: none)" in sentence
    sliders = []
    monkeypatch.setattr(
        knobs, "sidebar_sliders", lambda name, shown, take=None: sliders.extend(shown)
    )
    assert not opened("labels", **query).exception
    (control,) = (knob for knob in sliders if knob.label == "Shape α")
    assert (control.value, control.low, control.high) == (3.0, 0.1, 9)
    assert control.help == "How heavy the tails are."


@pytest.mark.slow
def test_plain_fields_have_a_scale_and_take_any_number(added, monkeypatch):
    @kernels.register
    @dataclass(frozen=True)
    class Plain(added.RationalQuadratic):
        shift: float = -1.5
        power: int = 2
        none: int = 0
        name = "plain"
        title = "With plain fields"

    sliders = []
    monkeypatch.setattr(
        knobs, "sidebar_sliders", lambda name, shown, take=None: sliders.extend(shown)
    )
    view = {"n": 60, "p": 10, "kernel": "plain", "mu": 0.01, "kernel_shift": -3.0}
    assert not opened("eigenfunctions", data="half_moons", **view).exception
    shown = {k.label: (k.value, k.low, k.high, k.limits) for k in sliders}
    free = (-1e9, 1e9)
    assert shown["Shift"] == (-3.0, -6.0, -0.015, free)
    assert shown["Power"] == (2, 1, 8, free)
    assert shown["None"] == (0, 0, 1, free)


@pytest.mark.slow
def test_the_canvas_computes_with_new_classes(added, js):
    scene = labels_view(small()).scene
    labels = points.labelled(small().data, small().labels)
    kernel = fits.method(small()).kernel
    y = class_codes(labels.codes, 2)
    assert scene.panels[0].model == RidgeModel.of(kernel)
    for lam in (0.1, 7.0):
        c = ridge_on_labels(kernel, labels.X, y, lam * scene.mu)
        grid, values = stage_scenes.evaluate(js, scene, 0, lam)
        np.testing.assert_allclose(grid, (kernel(scene.grid.sites(), labels.X) @ c).T, atol=1e-5)
        at_points = kernel(scene.points.xy.astype("f4"), labels.X) @ c
        np.testing.assert_allclose(values, at_points.T, atol=1e-5)
    # The panel of the kernel Laplacian weights its modes by the filter.
    grid, _ = stage_scenes.evaluate(js, scene, 1, 0.3, "squared")
    expected = labels_view(small(lam=0.3)).scene.panels[1].grid.reshape(1, -1)
    np.testing.assert_allclose(grid, expected, atol=2e-3)
