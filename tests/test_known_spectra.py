"""Learnt spectra of distributions with known spectra, up to sampling error."""

import numpy as np
import pytest

from lapviz import datasets, kernels, metrics, operators
from lapviz.datasets import truths
from lapviz.spaces import KernelSpace, landmarks
from lapviz.spectra import spectrum


def learn(name, kernel, *, n, p=200, operator="laplacian", modes=16, mu=0.0, seed=0, **options):
    """Space, forms, spectrum and sample of a data set, landmarks among the samples."""
    X = datasets.load(name, n_samples=n, random_state=seed, **options).X
    space = KernelSpace(kernel, landmarks.choose(X, p, random_state=seed))
    form = operators.assemble(space, X, operator)
    return space, form, spectrum(form, mu, modes), X


def relative_errors(gamma, truth):
    truth = np.asarray(truth)
    return np.abs(gamma[: len(truth)] - truth) / truth


HERMITE = [1, 1, 2, 2, 2, 3, 3, 3, 3]
FOURIER = [1, 1, 4, 4, 9, 9, 16, 16]
NEUMANN = np.pi**2 * np.array([1, 1, 2, 4, 4])
GAUSSIAN, CUBIC = kernels.Gaussian, kernels.Polynomial(1.0, degree=3)
CIRCLE = ("circle", GAUSSIAN(0.5), FOURIER, 0.08)
KNOWN = {  # data, kernel, positive energies, relative error, and further options of `learn`
    "normal law": ("gaussian", GAUSSIAN(2.0), HERMITE, 0.12, {"n": 20_000}),
    "normal law, cubic": ("gaussian", CUBIC, HERMITE, 0.12, {"n": 20_000, "seed": 1}),
    "d = 5": ("gaussian", GAUSSIAN(2 * 5**0.5), np.ones(5), 0.08, {"n": 20_000, "dimension": 5}),
    "d = 10": ("gaussian", GAUSSIAN(2 * 10**0.5), np.ones(10), 0.08,
               {"n": 20_000, "dimension": 10}),
    "square": ("square", GAUSSIAN(0.25), NEUMANN, 0.05, {"n": 20_000}),
    "circle": (*CIRCLE, {"n": 5_000, "p": 80, "operator": "sphere"}),
    "circle, learnt": (*CIRCLE, {"n": 5_000, "p": 80, "operator": "tangent"}),
    "flat torus": ("torus", GAUSSIAN(1.0), truths.torus_spectrum(2, 9)[1:], 0.08,
                   {"n": 10_000, "p": 300, "operator": "torus"}),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("law", KNOWN)
def test_a_known_spectrum(law):
    name, kernel, truth, tolerance, options = KNOWN[law]
    *_, learnt, _ = learn(name, kernel, modes=len(truth) + 1, **options)
    assert learnt.gamma[0] < 1e-8
    assert relative_errors(learnt.gamma[1:], truth).max() < tolerance
    if kernel is CUBIC:
        assert learnt.n_dropped == 201 - 10  # the cubic polynomials of the plane


@pytest.mark.long
def test_sphere_by_the_tangential_gradient_and_by_the_ambient_one():
    """GAL23 section 7.1 uses the ambient gradient, which counts the normal derivative as well."""
    kernel, truth = kernels.Polynomial(1.0, degree=3), truths.sphere_spectrum(3, 16)
    errors = {}
    for operator in ("sphere", "laplacian", "tangent"):
        *_, learnt, _ = learn("sphere", kernel, n=10_000, operator=operator)
        assert learnt.gamma[0] < 1e-8
        errors[operator] = metrics.spectral_error(truth, learnt.gamma)
    print("S², E_S over 15 eigenvalues:", {k: round(v, 3) for k, v in errors.items()})
    assert errors["sphere"] <= 0.04
    assert errors["tangent"] <= 0.06, "learnt tangents should come close to the known ones"
    assert errors["laplacian"] > 0.3, "the ambient gradient has a normal part"
