"""Forms: every formula against the plain sum over samples."""

from dataclasses import dataclass

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.spaces import KernelSpace, TrialSpace, fourier_space


@dataclass(frozen=True)
class Fixed:
    """An operator with given directions, so that the tangents do not depend on a search."""

    frames: np.ndarray

    def directions(self, X):
        return self.frames


def brute_force(space, X, frames=None):
    """M and S by their definitions, as means."""
    phi, gradient = space.phi(X), space.gradient(X)
    M = np.einsum("ni,nj->ij", phi, phi) / len(X)
    if frames is not None:
        gradient = np.einsum("nql,nlj->nqj", frames, gradient)
    return M, np.einsum("nqi,nqj->ij", gradient, gradient) / len(X)


def close(actual, expected, rtol=1e-9):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=rtol * np.abs(expected).max())


def problem(name, d, n=53, p=9, constant=True, bandwidth=None, seed=0):
    rng = np.random.default_rng([seed, d])
    X = rng.normal(size=(n, d))
    kernel = kernels.get(name, bandwidth or 0.8 * np.sqrt(d))
    # half of the landmarks are samples, as is usual: some r² are 0
    C = np.vstack([X[: p // 2], rng.normal(size=(p - p // 2, d))])
    return KernelSpace(kernel, C, constant), X


def frames_of(operator, X):
    if operator == "laplacian":
        return operator, None
    if operator == "sphere":
        return operator, operators.SphereTangent().directions(X)
    if operator == "learnt":
        tangent = operators.Tangent(8, min(2, X.shape[1]))
        return tangent, tangent.directions(X)
    frames = np.random.default_rng(5).normal(size=(len(X), 3, X.shape[1]))  # any field, any size
    return Fixed(frames), frames


class Wrapped(TrialSpace):
    """A kernel space of unknown class, so that the forms use only values and gradients."""

    def __init__(self, space):
        self.phi, self.gradient, self.gram = space.phi, space.gradient, space.gram
        self.n_functions, self.n_features = space.n_functions, space.n_features
        self.constant = space.constant


@pytest.mark.parametrize("operator", ["laplacian", "sphere", "learnt", "given"])
@pytest.mark.parametrize(("d", "constant"), [(1, True), (3, False), (10, True)])
@pytest.mark.parametrize("name", [*kernels.names(), "waves", "any"])
def test_mass_and_stiffness_are_the_plain_means(name, d, constant, operator):
    space, X = problem("gaussian" if name in ("waves", "any") else name, d, constant=constant)
    if name == "waves":
        space = fourier_space(space.kernel, 21, X.mean(axis=0), constant, 3)
    space = Wrapped(space) if name == "any" else space
    operator, frames = frames_of(operator, X)
    assembled = operators.assemble(space, X, operator, block=16)
    M, S = brute_force(space, X, frames)
    close(assembled.mass, M)
    if S.any():  # in d = 1 a sphere has no direction at all
        close(assembled.stiffness, S)
    else:
        assert not assembled.stiffness.any()
    for form in (assembled.mass, assembled.stiffness):
        np.testing.assert_array_equal(form, form.T)
    np.testing.assert_array_equal(assembled.gram, space.gram)
    assert assembled.n_samples == len(X)


@pytest.mark.parametrize("d", [1, 3, 10])
@pytest.mark.parametrize("name", kernels.names())
@pytest.mark.parametrize("bandwidth", [0.3, 3.0])
def test_positive_with_landmarks_at_the_samples_and_duplicates(name, d, bandwidth):
    """Rounding where x = c must not reach the exponential kernel's diagonal (−2619 in klap)."""
    X = np.random.default_rng(d).normal(size=(60, d))
    X[10:20] = X[:10]
    space = KernelSpace(kernels.get(name, bandwidth * np.sqrt(d)), X, constant=True)
    for operator in ("laplacian", "sphere"):
        assembled = operators.assemble(space, X, operator)
        for form in (assembled.mass, assembled.stiffness, assembled.gram):
            values = np.linalg.eigvalsh(form)
            assert values.min() >= -1e-11 * max(values.max(), 1e-300)
        S = brute_force(space, X, frames_of(operator, X)[1])[1]
        np.testing.assert_allclose(assembled.stiffness, S, rtol=0, atol=1e-10 * S.max())


@pytest.mark.parametrize("d", [2, 8])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "matern32", "matern52"])
def test_far_data_have_the_forms_of_near_data(name, d):
    # multiples of 1/1024, so that the shift itself loses no digit
    X = np.round(np.random.default_rng(0).normal(size=(80, d)) * 1024) / 1024
    kernel = kernels.get(name, np.sqrt(d))
    near = operators.assemble(KernelSpace(kernel, X[:20]), X)
    far = operators.assemble(KernelSpace(kernel, X[:20] + 1e6), X + 1e6)
    for form in ("mass", "stiffness", "gram"):
        close(getattr(far, form), getattr(near, form), 1e-9)


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("name", ["gaussian", "polynomial", "any"])
def test_the_load_is_a_mean_over_the_labelled_rows_only(name, constant):
    space, X = problem("gaussian" if name == "any" else name, 2, constant=constant)
    space = Wrapped(space) if name == "any" else space
    rng = np.random.default_rng(3)
    y, labelled = rng.normal(size=(len(X), 2)), rng.random(len(X)) < 0.3
    y[~labelled] = np.nan  # unlabelled targets must not matter
    assembled = operators.assemble(space, X, y=y, labelled=labelled, block=8)
    expected = np.mean(
        [f[:, None] * t for f, t in zip(space.phi(X[labelled]), y[labelled], strict=True)], axis=0
    )
    close(assembled.load, expected)
    single = operators.assemble(space, X, y=y[:, 0], labelled=labelled)
    assert single.load.shape == (space.n_functions, 1)
    close(single.load[:, 0], expected[:, 0])
    assert operators.assemble(space, X).load is None
    all_labelled = operators.assemble(space, X, y=np.ones(len(X)))
    close(all_labelled.load[:, 0], space.phi(X).mean(axis=0))


@dataclass(frozen=True)
class Values:
    """An operator with its own stiffness: the energy is the mean square."""

    weight: float

    def stiffness(self, space, X):
        phi = space.phi(X)
        return self.weight * phi.T @ phi / len(X)


@pytest.mark.parametrize("wrap", [lambda space: space, Wrapped])
@pytest.mark.parametrize(("name", "d"), [("matern32", 2), ("gaussian", 6), ("polynomial", 2)])
def test_an_operator_may_have_its_own_stiffness(name, d, wrap):
    space, X = problem(name, d)
    y = np.ones(len(X))
    assembled = operators.assemble(wrap(space), X, Values(3.0), y=y)
    expected = operators.assemble(space, X, y=y)
    close(assembled.stiffness, 3.0 * assembled.mass)
    close(assembled.mass, expected.mass)
    close(assembled.load, expected.load)
    np.testing.assert_array_equal(assembled.stiffness, assembled.stiffness.T)


def test_memory_does_not_grow_with_the_sample():
    """40 blocks of rows take no more memory than two (bytes allocated by NumPy)."""
    import tracemalloc

    space, _ = problem("matern32", 2, p=50)
    peaks = []
    for n in (2_000, 40_000):
        X = np.random.default_rng(0).normal(size=(n, 2))
        tracemalloc.start()
        operators.assemble(space, X, block=1000)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
