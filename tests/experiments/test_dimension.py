"""The table of dimensions: known truths, and the peers' formulas on distances made for them."""

import numpy as np
import pytest

from lapviz.experiments import registry
from lapviz.experiments.dimension import NAMES, maximum_likelihood, summary, two_nn


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_peers_on_a_flat_torus(dimension):
    """Uniform and without a border: what both formulas assume. Units must not matter."""
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, (3000, dimension))
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    for estimator in (two_nn, maximum_likelihood):
        assert estimator(X) == pytest.approx(dimension, rel=0.06)
        assert estimator(1e-3 * X + 7) == pytest.approx(estimator(X), rel=1e-6)


def test_maximum_likelihood_is_the_formula_of_levina_and_bickel():
    X, k = np.random.default_rng(1).normal(size=(30, 3)), 6
    inverse = []
    for x in X:
        r = np.sort(np.linalg.norm(X - x, axis=1))[1 : k + 1]
        inverse.append(np.sum(np.log(r[-1] / r[:-1])) / (k - 1))
    assert maximum_likelihood(X, [k]) == pytest.approx(1 / np.mean(inverse), rel=1e-12)


@pytest.mark.long
def test_all_three_know_manifolds_without_noise_and_only_tangents_see_through_it(rows_of):
    clean = ("circle", "Swiss roll", "sphere S²", "torus in R⁴", "plane in R⁵⁰")
    noisy = ("four circles, noise .1", "half-moons, noise .1", "plane in R¹⁰, noise .02")
    rows = rows_of("dimension", trials=1, cases=clean + noisy, sizes=(1000,))
    for (case, truth, _), its in summary(rows).items():
        tangents, *peers = its.values()
        if case in clean:
            assert [tangents, *peers] == pytest.approx(3 * [truth], abs=0.2)
        else:
            assert tangents == truth
            assert min(peers) > 1.4 * truth


def test_the_table_as_markdown():
    rows = [{"case": case, "truth": truth, "n_samples": 10, "estimator": name, "dimension": value}
            for case, truth, *values in (("a", 1, 1.0, 1.4, 1.6), ("b", 0, 2.0, 2.0, 2.0))
            for name, value in zip(NAMES, values, strict=True)]  # fmt: skip
    text = registry.get("dimension").markdown(rows)
    assert "| b | ? | 10 |" in text
    assert text.endswith("| 1 of 1 | 1 of 1 | 0 of 1 |")


def test_a_fixed_sample_is_measured_once():
    dimension = registry.get("dimension")
    config = dimension.Config(trials=2, cases=("circle", "digits"), sizes=(100, 200))
    assert [t["case"] for t in dimension.tasks(config)].count("digits") == 1
    assert len(dimension.tasks(config)) == 5
