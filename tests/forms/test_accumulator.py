"""The accumulator: rows in any split, order and weight give one pass; float32 rows."""

import pickle

import numpy as np
import pytest

from lapviz import auto_bandwidth, forms, kernels, operators, spectra
from lapviz.spaces import FunctionSpace, KernelSpace, fourier_space

N = 57
RNG = np.random.default_rng(5)
COUNTS = RNG.integers(0, 4, N)  # rows of weight 0 among them
REPEATED = np.repeat(np.arange(N), COUNTS)
Y = RNG.normal(size=(N, 2))
LABELLED = RNG.random(N) < 0.6
POINTS = {d: RNG.normal(size=(N, d)) for d in (2, 5)}
FIELDS = {d: RNG.normal(size=(N, 3, d)) for d in POINTS}


def slopes_of_squares(X):
    return 2 * X[:, :, None] * np.eye(X.shape[1])


def spaces(d):
    """One space for each formula, with landmarks at samples; the last uses the generic one."""
    C = np.vstack([POINTS[d][:4], RNG.normal(size=(5, d))])
    for name in kernels.names():
        for constant in (False, True):
            yield KernelSpace(kernels.get(name, 0.9 * np.sqrt(d)), C, constant)
    yield fourier_space(kernels.get("gaussian", 1.0), 8, C.mean(axis=0), True, 0)
    yield FunctionSpace(np.square, slopes_of_squares, d)


CASES = [(d, space) for d in POINTS for space in spaces(d)]
IDS = [f"{d}-{getattr(s, 'kernel', type(s)).__class__.__name__}" for d, s in CASES]
PLAIN, X = CASES[0][1], POINTS[2]
every = pytest.mark.parametrize(("d", "space"), CASES, ids=IDS)


def part(d, space, energy, rows=slice(None), weights=None, block=None):
    U = FIELDS[d][rows] if energy == "directions" else None
    running = forms.accumulator(space, energy, block)
    return running.update(POINTS[d][rows], U, Y[rows], LABELLED[rows], weights)


def same(left, right, tolerance=1e-12):
    for name in ("mass", "stiffness", "load"):
        a, b = getattr(left, name), getattr(right, name)
        atol = tolerance * np.abs(b).max(initial=1e-300)
        np.testing.assert_allclose(a, b, rtol=0, atol=atol, err_msg=name)


@pytest.mark.parametrize("weights", [np.ones(N), COUNTS], ids=["equal", "weighted"])
@every
def test_merged_parts_equal_a_single_pass(d, space, weights):
    for energy in forms.ENERGIES:
        expected = part(d, space, energy, weights=weights).forms()

        def rows(a, b, block=None, energy=energy):
            return part(d, space, energy, slice(a, b), weights[a:b], block)

        third = pickle.loads(pickle.dumps(rows(40, N, 4)))  # as if from another machine
        merged = forms.accumulator(space, energy).merge(third).merge(rows(0, 13))
        merged.merge(rows(13, 40, 8)).merge(forms.accumulator(space, energy))
        for result in (merged.forms(), merged.forms()):  # a second call changes nothing
            same(result, expected, 1e-10)
            assert result.n_samples == (weights > 0).sum()
        assert expected.stiffness.any() == (energy != "none")


@every
def test_weights_count_like_repeated_rows(d, space):
    for energy in forms.ENERGIES:
        weighted = part(d, space, energy, weights=0.3 * COUNTS, block=16)
        same(weighted.forms(), part(d, space, energy, REPEATED).forms())
        assert weighted.n_samples == (COUNTS > 0).sum()


def test_a_part_may_weigh_nothing():
    total = forms.accumulator(PLAIN).update(X, y=Y, weights=np.zeros(N)).update(X, y=Y)
    same(total.forms(), forms.accumulator(PLAIN).update(X, y=Y).forms())


def test_the_mass_alone():
    mass = forms.mass(PLAIN, X[REPEATED])
    np.testing.assert_allclose(forms.mass(PLAIN, X, COUNTS), mass, rtol=0, atol=1e-14)


def test_a_custom_space_can_register_an_accumulator():
    class CustomSpace(FunctionSpace):
        pass

    class CustomAccumulator(forms.Accumulator):
        pass

    space = CustomSpace(lambda X: X, lambda X: np.broadcast_to(np.eye(2), (len(X), 2, 2)), 2)
    assert type(forms.accumulator(space)) is forms.Accumulator
    forms.accumulator.register(CustomSpace)(CustomAccumulator)
    assert type(forms.accumulator(space)) is CustomAccumulator


def double_and_single(name, X, p, operator="laplacian", weights=None):
    width = float(auto_bandwidth(X, name))
    space = KernelSpace(kernels.get(name, width), X[:p])
    for rows in (X.astype(np.float64), X):
        yield operators.assemble(space, rows, operator, sample_weight=weights)
    yield 1e-3 / width**2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "operator", "weighted"),
    [("gaussian", "laplacian", True), ("exponential", "sphere", False),
     ("matern32", "laplacian", False), ("matern52", "sphere", True)],
)  # fmt: skip
def test_float32_keeps_the_eigenvalues(name, operator, weighted):
    weights = RNG.uniform(0, 2, 6000) if weighted else None
    X = (RNG.normal(size=(6000, 10)) + 5).astype(np.float32)
    double, single, mu = double_and_single(name, X, 200, operator, weights)
    assert np.abs(single.mass - double.mass).max() > 0  # not the same arithmetic
    expected, gamma = (spectra.spectrum(f, mu, 16).gamma for f in (double, single))
    np.testing.assert_allclose(gamma[1:], expected[1:], rtol=1e-4)
    np.testing.assert_allclose(single.mass, double.mass, atol=1e-6)


def test_blocks_are_single_and_sums_double():
    X = RNG.normal(size=(600, 8)).astype(np.float32)
    running = forms.accumulator(KernelSpace(kernels.get("exponential", 5.0), X[:50])).update(X)
    assert {buffer.dtype for buffer in running._buffers} == {np.dtype(np.float32)}
    assert {total.dtype for total in running.sums.values()} == {np.dtype(np.float64)}


@pytest.mark.parametrize(
    ("name", "d", "unit"),
    [("gaussian", 2, 1), ("polynomial", 10, 1), ("exponential", 6, 1e25)],  # squares overflow
)
def test_products_are_double_if_single_is_not_accurate_enough(name, d, unit):
    X = (unit * RNG.normal(size=(2000, d))).astype(np.float32)
    double, single, _ = double_and_single(name, X, 100)
    np.testing.assert_allclose(single.mass, double.mass, rtol=1e-13)
    np.testing.assert_allclose(single.stiffness, double.stiffness, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("operator", ["laplacian", "sphere"])
@pytest.mark.parametrize("unit", [1e-6, 1e-3])
def test_single_keeps_the_slope_of_a_cusp_beside_a_landmark(unit, operator):
    """It is 1/σ however close the row, and used to be the 0 of a copy."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    X = np.vstack([X, X + unit * rng.normal(size=(300, 5))])
    double, single, _ = double_and_single("exponential", X.astype(np.float32), 60, operator)
    np.testing.assert_allclose(single.stiffness, double.stiffness, rtol=1e-5, atol=1e-8)


def test_blocks_have_their_distances_computed_once(monkeypatch):
    """Those of float32 rows are also looked through for rows beside a landmark."""
    X, calls = RNG.normal(size=(600, 8)).astype(np.float32), []
    running = forms.accumulator(KernelSpace(kernels.get("exponential", 5.0), X[:50]), block=300)
    assert running.space.takes_single
    clear = kernels.clear_coincidences
    for module in ("lapviz.forms.kernel", "lapviz.kernels.distance"):
        monkeypatch.setattr(
            f"{module}.clear_coincidences", lambda *a: (calls.append(0), clear(*a))[1]
        )
    running.update(X)
    assert len(calls) == 2


def test_single_and_double_parts_merge():
    X = RNG.normal(size=(900, 8)).astype(np.float32)
    space = KernelSpace(kernels.get("exponential", 5.0), X[:50])
    expected = forms.accumulator(space).update(X).forms()
    left, right = forms.accumulator(space), forms.accumulator(space)
    merged = left.update(X[:300]).merge(right.update(X[300:].astype(np.float64))).forms()
    np.testing.assert_allclose(merged.mass, expected.mass, atol=1e-7)


def test_more_functions_than_fit_are_refused_before_they_take_memory():
    X = np.random.default_rng(0).normal(size=(200_000, 1))
    with pytest.raises(MemoryError, match=r"200,000 test functions .* smaller n_landmarks"):
        forms.accumulator(KernelSpace(kernels.get("gaussian"), X))
