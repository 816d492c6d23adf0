"""GalerkinEmbedding: normalisation, and eigenvalues as energies of what `transform` gives."""

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, datasets


@pytest.mark.slow
def test_components_are_orthonormal_and_eigenvalues_are_their_energies():
    """γ = E‖∇e‖² + μ‖e‖², by finite differences of `transform`, where μ is 0."""
    moons = datasets.load("half_moons", n_samples=2000, noise=0.05, random_state=0).X
    for bandwidth, mu in ((0.3, "auto"), (0.5, 0.0)):
        model = GalerkinEmbedding(n_components=5, bandwidth=bandwidth, mu=mu, random_state=0)
        Z = model.fit_transform(moons)
        assert Z.shape == (2000, 5)
        np.testing.assert_allclose(Z.T @ Z / 2000, np.eye(5), atol=1e-6)
    step, energy = 1e-4, 0.0
    for l in range(2):
        e = step * np.eye(2)[l]
        slope = (model.transform(moons + e) - model.transform(moons - e)) / (2 * step)
        energy = energy + (slope**2).mean(axis=0)
    np.testing.assert_allclose(energy, model.eigenvalues_, rtol=1e-3, atol=1e-5)
