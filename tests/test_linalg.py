"""The symmetric eigenproblem, on the matrices of a kernel narrower than the distances."""

import numpy as np
import pytest
import scipy.linalg as sla

from lapviz import GalerkinEmbedding
from lapviz.linalg import eigh


def narrow(p=20, scale=1e-2):
    """The form of functions that hardly overlap, in coordinates orthonormal under the mass.

    All but the constant have the same energy.
    """
    peaks = scale * np.eye(p)
    peaks[0, 0] = 0.0
    mass = np.eye(p)
    mass[0, 1:] = mass[1:, 0] = 1.0 / np.sqrt(p)
    L = np.linalg.cholesky(mass)
    C = sla.solve_triangular(L, sla.solve_triangular(L, peaks, lower=True).T, lower=True)
    return 0.5 * (C + C.T)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("subset", [(0, 7), (12, 19), (0, 19), None])
@pytest.mark.parametrize("scale", [1e-200, 1e-2, 1e200])
def test_a_large_multiplicity(scale, subset, overwrite):
    A = narrow(scale=scale)
    values, vectors = eigh(A.copy(order="F"), subset, overwrite)
    first, last = (0, 19) if subset is None else subset
    np.testing.assert_allclose(
        values, np.linalg.eigvalsh(A)[first : last + 1], rtol=1e-9, atol=1e-14 * scale
    )
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(last + 1 - first), atol=1e-12)
    np.testing.assert_allclose(A @ vectors, values * vectors, atol=1e-12 * scale)


def test_the_driver_that_gives_up_leaves_a_matrix_to_start_again_with(monkeypatch):
    """Whatever LAPACK does on this machine: a failure of evr that has spoilt its triangle."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 30))
    A = np.asfortranarray(A + A.T)
    expected, whole = np.linalg.eigvalsh(A)[2:9], sla.eigh

    def failing(A, driver, **options):
        if driver == "evr":
            A[np.tril_indices(30)] = np.nan
            raise np.linalg.LinAlgError("Internal Error.")
        return whole(A, driver=driver, **options)

    monkeypatch.setattr(sla, "eigh", failing)
    np.testing.assert_allclose(eigh(A, (2, 8), overwrite=True)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("mu", ["auto", 0.5])
def test_a_width_far_below_the_distances(mu):
    """20 peaks that do not overlap, on which evr gave up with "Internal Error".

    At its own centre a peak has no slope, and elsewhere it is 0: its energy is μ, over the mean
    square 1/20. So has every combination of peaks that is orthogonal to 1.
    """
    X = np.random.default_rng(0).normal(size=(20, 25))
    model = GalerkinEmbedding(bandwidth=0.2, n_components=8, mu=mu, random_state=0).fit(X)
    assert model.eigenvalues_[0] < 1e-12
    np.testing.assert_allclose(model.eigenvalues_[1:], 20 * model.mu_, rtol=1e-6)


def test_overflow_is_a_sentence():
    with pytest.raises(ValueError, match="Numbers overflow"):
        eigh(np.full((3, 3), np.inf), (0, 1))
