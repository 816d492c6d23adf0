"""GalerkinEmbedding: normalisation, and eigenvalues as energies of what `transform` gives."""

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, datasets

pytestmark = pytest.mark.slow


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


def test_eigenvalues_are_energies_of_the_components(moons):
    """γ = E‖∇e‖² + μ‖e‖², by finite differences of `transform`."""
    model = GalerkinEmbedding(n_components=5, bandwidth=0.5, mu=0.0, random_state=0).fit(moons)
    step, energy = 1e-4, 0.0
    for l in range(2):
        e = step * np.eye(2)[l]
        slope = (model.transform(moons + e) - model.transform(moons - e)) / (2 * step)
        energy = energy + (slope**2).mean(axis=0)
    np.testing.assert_allclose(energy, model.eigenvalues_, rtol=1e-3, atol=1e-5)
