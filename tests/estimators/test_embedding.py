"""GalerkinEmbedding: normalisation, new points, and agreement with the core beneath it."""

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, datasets


@pytest.fixture(scope="module")
def moons():
    return datasets.load("half_moons", n_samples=2000, noise=0.05, random_state=0).X


@pytest.fixture(scope="module")
def fitted(moons):
    return GalerkinEmbedding(n_components=8, bandwidth=0.3, random_state=0).fit(moons)


def test_components_have_mean_square_one_and_are_orthogonal(moons, fitted):
    Z = fitted.transform(moons)
    assert Z.shape == (2000, 8)
    np.testing.assert_allclose((Z**2).mean(axis=0), 1.0, atol=1e-6)
    np.testing.assert_allclose(Z.T @ Z / 2000, np.eye(8), atol=1e-6)


def test_new_points_are_answered_one_by_one(moons, fitted):
    new = datasets.load("half_moons", n_samples=300, noise=0.05, random_state=1).X
    Z = fitted.transform(new)
    np.testing.assert_allclose(np.vstack([fitted.transform(x[None]) for x in new]), Z, atol=1e-6)
    # the eigenfunctions stay nearly orthonormal on another sample of the same law
    np.testing.assert_allclose(Z[:, :4].T @ Z[:, :4] / 300, np.eye(4), atol=0.25)
    step = 1e-6
    assert np.abs(fitted.transform(new + step) - Z).max() < 1e-3  # and are smooth


def test_eigenvalues_are_energies_of_the_components(moons):
    """γ = E‖∇e‖² + μ‖e‖², by finite differences of `transform`."""
    model = GalerkinEmbedding(n_components=5, bandwidth=0.5, mu=0.0, random_state=0).fit(moons)
    step, energy = 1e-4, 0.0
    for l in range(2):
        e = step * np.eye(2)[l]
        slope = (model.transform(moons + e) - model.transform(moons - e)) / (2 * step)
        energy = energy + (slope**2).mean(axis=0)
    np.testing.assert_allclose(energy, model.eigenvalues_, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(("degree", "rank"), [(2, 6), (3, 10)])
def test_more_components_than_the_space_has_functions(degree, rank):
    X = np.random.default_rng(0).normal(size=(500, 2))
    model = GalerkinEmbedding(
        n_components=50, kernel="polynomial", degree=degree, bandwidth=1.0, random_state=0
    ).fit(X)
    assert model.n_components_ == rank == len(model.eigenvalues_)
    assert model.n_dropped_ == model.n_landmarks_ + 1 - rank
    assert model.transform(X).shape == (500, rank)
    assert len(model.get_feature_names_out()) == rank


def test_more_components_than_samples():
    X = np.random.default_rng(0).normal(size=(7, 2))
    model = GalerkinEmbedding(n_components=16, bandwidth=1.0).fit(X)
    assert model.n_components_ <= 7
    np.testing.assert_allclose((model.transform(X) ** 2).mean(axis=0), 1.0, atol=1e-5)


def test_signs_do_not_depend_on_the_order_of_the_samples(moons, fitted):
    order = np.random.default_rng(0).permutation(len(moons))
    again = GalerkinEmbedding(n_components=8, bandwidth=0.3, landmarks=fitted.landmarks_)
    again.fit(moons[order])
    # μ keeps the two near-zero energies apart, so that the functions are determined
    signs = np.sign((again.transform(moons) * fitted.transform(moons)).mean(axis=0))
    np.testing.assert_array_equal(signs, 1.0)
    np.testing.assert_allclose(again.eigenvalues_, fitted.eigenvalues_, rtol=1e-3, atol=1e-8)


@pytest.mark.parametrize("n_components", [0, -1, 2.5, "all"])
def test_a_number_of_components_that_is_none_gets_a_sentence(n_components):
    with pytest.raises(ValueError, match="n_components"):
        GalerkinEmbedding(n_components=n_components).fit(np.zeros((4, 2)))
