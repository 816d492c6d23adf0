"""Training against the minimum of the loss in closed form, and spherical harmonics.

Most of it needs JAX and optax, the extra ``neural``, and is skipped without them, unless the
environment has LAPVIZ_REQUIRE_NEURAL.
"""

import sys

import numpy as np
import pytest

from lapviz import operators
from lapviz.datasets.truths import sphere_spectrum
from lapviz.estimates import disentangling as networks
from lapviz.estimates import neural_training as neural
from lapviz.experiments import registry, runs
from lapviz.experiments.gal23_functions import energies
from tests.helpers import needs

needs_jax = needs("jax", "optax", extra="neural", required="LAPVIZ_REQUIRE_NEURAL")
SMALL = {"hidden": (32, 32), "n_batches": 600, "batch_size": 200, "window": 50}


def circle(n=2000):
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def outputs(seed=0, b=9, m=4, q=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(b, m)), rng.normal(size=(q, b, m))


def test_the_contrastive_term_is_the_mean_over_pairs_of_different_samples():
    F, D = outputs()
    energy, term = neural._batch_terms(lambda Z, frames: (F, D), None, None, "contrastive")
    pairs = [(F[i] @ F[j]) ** 2 for i in range(9) for j in range(9) if i != j]
    squares = (F**2).sum(axis=1)
    assert term == pytest.approx(np.mean(pairs) - 2 * np.mean(squares) + 4)
    slopes = [(D[:, i] ** 2).sum() for i in range(9)]
    assert energy == pytest.approx(np.mean(slopes))


def test_only_the_contrastive_term_is_unbiased():
    """Over all batches of 3 from 5 points, drawn with replacement: GAL23 eq. 17."""
    F = outputs(b=5)[0]
    expected = np.sum((F.T @ F / 5 - np.eye(4)) ** 2)
    batches = np.stack(np.meshgrid(*[np.arange(5)] * 3), axis=-1).reshape(-1, 3)

    def mean(regulariser):
        terms = [
            neural._batch_terms(lambda Z, f, r=rows: (F[r], F[r][None]), None, None, regulariser)[1]
            for rows in batches
        ]
        return np.mean(terms)

    assert mean("contrastive") == pytest.approx(expected, rel=1e-12)
    assert mean("whitening") > expected * 1.05


def test_without_jax_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r"JAX, which is not installed.*explorer\[neural]"):
        neural.train(circle(20))


@pytest.mark.slow
@needs_jax
@pytest.mark.parametrize("regulariser", neural.REGULARISERS)
def test_the_minimum_has_the_lengths_of_equation_18(regulariser):
    """On the circle with c = 6: squares of the lengths 1 − γ/6, γ = 0, 1, 1, 4, 4, then 0, since 9
    is above the cutoff."""
    X, sphere = circle(), operators.SphereTangent()
    options = SMALL | {"n_batches": 1500, "batch_size": 500}
    space, path = neural.train(
        X, 7, operator=sphere, regulariser=regulariser, cutoff=6.0, seed=1, **options
    )
    outputs = space.phi(X)[:, 1:]
    squares = np.linalg.eigvalsh(outputs.T @ outputs / len(X))[::-1]
    truth = np.array([1, 5 / 6, 5 / 6, 2 / 6, 2 / 6, 0, 0])
    np.testing.assert_allclose(squares, truth, atol=0.06)
    minimum = 2 * np.sum(np.array([0, 1, 1, 4, 4]) / 6 * truth[:5]) + np.sum((truth - 1) ** 2)
    assert path.loss[-5:].mean() == pytest.approx(minimum, abs=0.2)
    for method in networks.DISENTANGLE:
        gamma = networks.disentangle(space, X, sphere, method=method, n_components=5).gamma
        np.testing.assert_allclose(gamma, [0, 1, 1, 4, 4], rtol=0.15, atol=1e-9)


@pytest.mark.long
@needs_jax
def test_eight_energies_of_the_sphere_within_fifteen_per_cent():
    """Tangential and ambient gradient, each disentangled by both methods."""
    neural_runs = registry.get("neural")
    config = neural_runs.Config(
        trials=1, regularisers=("contrastive",), n_samples=8000, n_batches=1500
    )
    rows = runs.run(neural_runs, config).rows
    assert len(rows) == 4
    truth = sphere_spectrum(3, 8)
    for row in rows:
        np.testing.assert_allclose(energies(row), truth, rtol=0.15, atol=1e-6)
        worst = np.abs(np.array(energies(row)[1:]) / truth[1:] - 1).max()
        assert row["error"] == pytest.approx(worst)
    lines = neural_runs.markdown(rows).splitlines()
    assert len(lines) == 6
    assert f"| {rows[0]['error']:.3f} |" in lines[2]


@pytest.mark.slow
@needs_jax
def test_the_losses_add_up_and_the_callback_gets_them():
    reports = []
    options = SMALL | {"n_batches": 130}
    _, path = neural.train(circle(200), 4, cutoff=10.0, callback=reports.append, **options)
    assert path.batches.tolist() == [50, 100, 130]
    np.testing.assert_allclose(
        path.loss, 2 * path.energy / path.cutoff + path.regulariser, rtol=1e-5
    )
    assert [report.loss for report in reports] == path.loss.tolist()
    assert path.stopped == "finished"


@pytest.mark.slow
@needs_jax
def test_it_stops_by_the_callback_and_when_nothing_improves():
    X = circle(200)
    _, path = neural.train(X, 4, callback=lambda report: report.batch >= 100, **SMALL)
    assert (path.batches[-1], path.stopped) == (100, "callback")
    _, path = neural.train(X, 4, cutoff=6.0, tol=1e3, patience=3, **SMALL)
    assert (len(path.loss), path.stopped) == (4, "flat")


@pytest.mark.slow
@needs_jax
def test_a_seed_determines_the_result_and_units_do_not_matter():
    X, options = circle(300), SMALL | {"n_batches": 50}
    first, path = neural.train(X, 4, seed=3, **options)
    repeated, _ = neural.train(X, 4, seed=3, **options)
    np.testing.assert_array_equal(first.phi(X), repeated.phi(X))
    other, _ = neural.train(X, 4, seed=4, **options)
    assert not np.allclose(first.phi(X), other.phi(X))
    large, scaled = neural.train(1024 * X + 512, 4, seed=3, **options)
    np.testing.assert_allclose(large.phi(1024 * X + 512), first.phi(X), atol=1e-3)
    np.testing.assert_allclose(scaled.cutoff * 1024**2, path.cutoff, rtol=1e-3)


@pytest.mark.slow
@needs_jax
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"regulariser": "vicreg"}, "regulariser must be one of"),
        ({"optimizer": "lbfgs"}, "optimizer must be one of"),
        ({"learning_rate": 0}, "learning_rate must be above 0"),
        ({"cutoff": -1.0}, "cutoff must be"),
        ({"cutoff": "low"}, "cutoff must be above 0"),
        ({"hidden": (0,)}, "hidden must be"),
        ({"n_batches": 0}, "n_batches must be"),
        ({"operator": "nabla"}, "Unknown operator"),
        ({"operator": "graph"}, "needs an operator with directions"),
        ({"optimizer": "sgd", "learning_rate": 1e9}, "no longer finite .* smaller learning_rate"),
    ],
    ids=str,
)
def test_invalid_input_gets_a_clear_message(wrong, sentence):
    with pytest.raises(ValueError, match=sentence), np.errstate(all="ignore"):
        neural.train(circle(50), 3, **(SMALL | {"n_batches": 50, "hidden": (4,)} | wrong))
