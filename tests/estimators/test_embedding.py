"""GalerkinEmbedding: normalisation, energies, and automatic settings."""

import functools

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, LaplacianRegressor, datasets, fit, metrics
from tests.helpers import quotients

SETS = {
    "normal, d = 2": ("gaussian", {"dimension": 2}),
    "normal, d = 5": ("gaussian", {"dimension": 5}),
    "normal, d = 10": ("gaussian", {"dimension": 10}),
    "normal, d = 20": ("gaussian", {"dimension": 20}),
    "square": ("square", {}),
    "sphere": ("sphere", {}),
    "circle": ("circle", {}),
    "half-moons": ("half_moons", {}),
}


@functools.cache
def errors(name, n, seeds, p):
    """E_S of the first eight eigenvalues for each draw."""
    data, options = SETS[name]
    spectral_errors = []
    for seed in seeds:
        sample = datasets.load(data, n_samples=n, noise=0.0, random_state=seed, **options)
        model = GalerkinEmbedding(n_components=8, n_landmarks=p, random_state=0).fit(sample.X)
        error = metrics.spectral_error(sample.truth.eigenvalues[:8], model.eigenvalues_)
        spectral_errors.append(error)
    return np.array(spectral_errors)


NOISY = ("normal, d = 2", "normal, d = 20")  # two draws differ by a fifth
LARGE = [
    *((name, 200, range(8)) for name in SETS),
    *((name, 1000, range(16)) for name in SETS),
    *((name, 5000, range(16 if name in NOISY else 2)) for name in SETS),
]  # half an hour
CASES = [  # samples and draws
    *((name, 200, range(3)) for name in ("circle", "half-moons")),
    *(pytest.param(*case, marks=pytest.mark.long) for case in LARGE),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n", "seeds"), CASES)
def test_ten_times_as_many_landmarks_do_no_harm(name, n, seeds):
    many = errors(name, n, seeds, min(n, 10 * fit.auto.landmarks(n)))
    assert many.mean() <= 1.1 * errors(name, n, seeds, "auto").mean()


@pytest.mark.slow
@pytest.mark.parametrize("p", [50, 800, pytest.param(1500, marks=pytest.mark.long)])
def test_more_landmarks_on_a_thin_curve(p):
    """γ₁ was 1.08, 2.06, 10.4 and 56 at p = 200, 400, 800 and 1500 (truth 1)."""
    X = datasets.load("circle", n_samples=4000, random_state=0).X
    model = GalerkinEmbedding(n_components=5, n_landmarks=p, operator="sphere", random_state=0).fit(
        X
    )
    np.testing.assert_allclose(model.eigenvalues_, [0, 1, 1, 4, 4], rtol=0.08, atol=1e-9)


@pytest.mark.slow
def test_the_width_does_not_shrink_with_p():
    X = datasets.load("half_moons", n_samples=1000, noise=0.1, random_state=0).X
    few, enough, many = (
        GalerkinEmbedding(n_landmarks=p, random_state=0).fit(X).bandwidth_ for p in (50, 100, 1000)
    )
    assert few > enough == many


@pytest.mark.parametrize(("n", "p"), [(5, 5), (19, 19), (30, 20), (300, 100), (50_000, 300)])
def test_the_number_of_landmarks(n, p):
    assert fit.auto.landmarks(n) == p
    assert fit.auto.landmarks(n, samples_per_landmark=10, most=200) <= p


def test_the_report_has_a_line_for_every_choice():
    X = np.random.default_rng(0).normal(size=(150, 3))
    model = GalerkinEmbedding(random_state=0).fit(X)
    assert [choice.name for choice in model.report_] == ["n_landmarks", "bandwidth", "mu"]
    assert model.report_["n_landmarks"].value == model.n_landmarks_ == len(model.landmarks_) == 50
    assert model.report_["bandwidth"].value == model.bandwidth_
    assert model.report_["mu"].value == model.mu_
    lines = str(model.report_).splitlines()
    assert lines[0] == "n_landmarks = 50: a third of 150 samples, from 20 to 300"
    assert lines[1].startswith(f"bandwidth = {model.bandwidth_:.4g}: ")
    assert lines[2].startswith(f"mu = {model.mu_:.4g}: ")


def test_parameters_that_are_set_are_not_in_the_report():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0]
    model = LaplacianRegressor(n_landmarks=30, bandwidth=1.0, mu=1e-3, random_state=0).fit(X, y)
    assert len(model.report_) == 0
    floor = LaplacianRegressor(n_landmarks=30, bandwidth=2.0, mu="floor", random_state=0).fit(X, y)
    assert [choice.name for choice in floor.report_] == ["mu"]
    assert floor.mu_ == pytest.approx(5e-6)


@pytest.mark.parametrize(("degree", "rank"), [(2, 6), (3, 10)])
def test_more_components_than_the_space_has_functions(degree, rank):
    X = np.random.default_rng(0).normal(size=(500, 2))
    model = GalerkinEmbedding(
        n_components=50, kernel="polynomial", degree=degree, bandwidth=1.0, random_state=0
    ).fit(X)
    assert model.n_components_ == rank == len(model.eigenvalues_)
    assert model.n_dropped_ == model.n_landmarks_ + 1 - rank
    assert model.transform(X).shape == (500, rank)
    names = [f"galerkinembedding{i}" for i in range(rank)]
    assert model.get_feature_names_out().tolist() == names


@pytest.mark.slow
def test_components_are_orthonormal_and_eigenvalues_are_their_energies():
    """γ = E‖∇e‖² + μ‖e‖², by finite differences of `transform`, where μ is 0."""
    moons = datasets.load("half_moons", n_samples=2000, noise=0.05, random_state=0).X
    for bandwidth, mu in ((0.3, "auto"), (0.5, 0.0)):
        model = GalerkinEmbedding(n_components=5, bandwidth=bandwidth, mu=mu, random_state=0)
        Z = model.fit_transform(moons)
        assert Z.shape == (2000, 5)
        np.testing.assert_allclose(Z.T @ Z / 2000, np.eye(5), atol=1e-6)
    energy = metrics.dirichlet_energy(quotients(model.transform, moons, 1e-4))
    np.testing.assert_allclose(energy, model.eigenvalues_, rtol=1e-3, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "truth"),
    [("normal", [0, 1, 2]), ("uniform", np.pi**2 * np.array([0, 1, 4, 9]))],
)
def test_eigenvalues_of_one_variable(draw, truth):
    """Where points are few, functions reach each other: γ₁ of N(0, 1) was 1.54."""
    X = getattr(np.random.default_rng(0), draw)(size=(4000, 1))
    values = GalerkinEmbedding(n_components=4, random_state=0).fit(X).eigenvalues_
    np.testing.assert_allclose(values[: len(truth)], truth, rtol=0.05, atol=1e-6)
