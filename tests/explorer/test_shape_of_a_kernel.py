"""A kernel's own parameter reaches estimator, page, link and script from its class alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from lapviz import LaplacianClassifier, kernels
from lapviz.explorer.compute import cache, fits, points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query, tidy, to_query
from lapviz.explorer.share import recipes
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.parameters import parameter


@pytest.fixture
def rational(monkeypatch):
    monkeypatch.setattr(kernels.base, "_REGISTRY", dict(kernels.base._REGISTRY))

    @kernels.register
    @dataclass(frozen=True)
    class Rational(kernels.DistanceKernel):
        alpha: float = parameter(1.5, "Shape α", "How heavy the tails are.", low=0.1, high=9)
        name = "rational"
        title = "Rational quadratic"

        def profile(self, r2, q, t):
            base = 1 + r2 / (2 * self.alpha * self.bandwidth**2)
            if t is not None:
                t[...] = -(base ** (-self.alpha - 1)) / self.bandwidth**2
            q[...] = base**-self.alpha

    yield Rational
    cache.clear()


def shown(**changes):
    base = presets.for_data("half_moons")
    return tidy(base.change(n=150, p=40, kernel="rational", lam=0.1, **changes))


def test_an_estimator_takes_it(rational):
    settings = shown(kernel_params=(("alpha", 3.0),))
    data = points.sample(settings.data)
    model = LaplacianClassifier(kernel="rational", kernel_params={"alpha": 3.0}, bandwidth=0.2)
    fitted = model.fit(data.X, data.semi_supervised_target())
    assert fitted.kernel_ == rational(0.2, 3.0)
    assert fits.method(settings).kernel == rational(0.2, 3.0)


def test_a_link_has_it_and_says_what_it_cannot_be(rational):
    base, settings = presets.for_data("half_moons"), shown(kernel_params=(("alpha", 3.0),))
    query = to_query(settings, base)
    assert query["kernel_alpha"] == "3"
    assert from_query(query, base) == (settings, [])
    found, (sentence,) = from_query(query | {"kernel_alpha": "10"}, base)
    assert found == shown()
    assert "“Shape α” (10) must be a number from 0.1 to 9" in sentence
    _, (sentence,) = from_query(query | {"kernel": "gaussian"}, base)
    assert "an option that this kernel does not have (it has: none)" in sentence


def _page() -> None:
    from lapviz.explorer.pages.labels import page as labels

    labels.page()


def test_the_page_has_a_control_for_it(rational, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        knobs, "sidebar_sliders", lambda name, made, take=None: drawn.append((made, take))
    )
    app = AppTest.from_function(_page, default_timeout=60)
    query = to_query(shown(kernel_params=(("alpha", 3.0),)), presets.for_data("half_moons"))
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    (control,) = (k for made, _ in drawn for k in made if k.label == "Shape α")
    assert (control.value, control.low, control.high) == (3.0, 0.1, 9)
    assert control.help == "How heavy the tails are."


def test_the_script_has_it_and_gives_the_same_numbers(rational, capsys):
    settings = shown(kernel_params=(("alpha", 3.0),))
    script = recipes.labels(settings)
    assert "kernel_params={'alpha': 3.0}" in script
    exec(compile(script, "recipe", "exec"), {})
    accuracy = labels_view(settings).scores[1].accuracy
    assert f"kernel Laplacian: {100 * accuracy:.1f} %" in capsys.readouterr().out
