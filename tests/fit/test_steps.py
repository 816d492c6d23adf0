"""The core against the estimators and against forms and solves written out."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz import (
    datasets,
    fit,
    kernels,
    operators,
)
from lapviz.spaces import KernelSpace, auto_bandwidth, landmarks

DATA = datasets.load("half_moons", n_samples=300, noise=0.1, random_state=0, labels_per_class=3)
X = DATA.X
SPACE = fit.SpaceSpec(n_landmarks=40, random_state=1)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("rule", ["uniform", "kmeans++", "leverage"])
def test_the_steps_are_those_written_out(rule, constant):
    spec = fit.SpaceSpec(n_landmarks=40, landmarks=rule, random_state=1)
    assembled = fit.build(X, spec, "laplacian", constant)
    kernel = kernels.get("gaussian", auto_bandwidth(X, n_landmarks=30, random_state=0))
    C = landmarks.choose(X, 40, rule, 1, kernel=kernel)
    expected = operators.assemble(KernelSpace(kernel, C, constant), X, "laplacian")
    assert assembled.basis.kernel == kernel
    np.testing.assert_array_equal(assembled.basis.centres, C)
    np.testing.assert_array_equal(assembled.forms.stiffness, expected.stiffness)
    np.testing.assert_array_equal(assembled.forms.mass, expected.mass)


def test_forms_without_the_constant_are_those_assembled_without_it():
    whole = fit.build(X, SPACE, "laplacian", True)
    part, expected = whole.with_constant(False), fit.build(X, SPACE, "laplacian", False)
    for name in ("mass", "stiffness", "gram"):
        np.testing.assert_allclose(
            getattr(part.forms, name), getattr(expected.forms, name), atol=1e-14
        )
    assert part.space.n_functions == 40
    assert whole.with_constant(True) is whole
    with pytest.raises(ValueError, match="assembled without the constant"):
        part.with_constant(True)


@pytest.mark.parametrize("constant", [False, True])
def test_every_second_function_is_the_space_on_every_second_landmark(constant):
    whole = fit.build(X, SPACE, "laplacian", constant)
    half = whole.every_second_function()
    kernel, centres = whole.basis.kernel, whole.basis.centres[::2]
    expected = operators.assemble(KernelSpace(kernel, centres, constant), X)
    np.testing.assert_allclose(half.forms.stiffness, expected.stiffness, atol=1e-12)
    assert half.space.n_functions == len(half.forms.mass)


def test_mu_follows_the_units():
    spec = replace(SPACE, bandwidth=0.1)
    basis = fit.build(X, spec, "laplacian", True).basis
    assert fit.mu(X, basis, fit.EnergySpec(mu=7)) == 7.0
    far = fit.build(64 * X, replace(spec, bandwidth=6.4), "laplacian", True).basis
    expected = fit.mu(X, basis, fit.EnergySpec()) / 64**2
    assert fit.mu(64 * X, far, fit.EnergySpec()) == pytest.approx(expected)
