"""The accumulator: rows in any split, order and weight give the forms of one pass."""

import pickle

import numpy as np
import pytest

from lapviz import forms, kernels
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
    """One for each formula, with landmarks at samples; the last has no formula of its own."""
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
def test_parts_merge_to_the_whole(d, space, weights):
    for energy in forms.ENERGIES:
        whole = part(d, space, energy, weights=weights).forms()

        def rows(a, b, block=None, energy=energy):
            return part(d, space, energy, slice(a, b), weights[a:b], block)

        third = pickle.loads(pickle.dumps(rows(40, N, 4)))  # as if from another machine
        merged = forms.accumulator(space, energy).merge(third).merge(rows(0, 13))
        merged.merge(rows(13, 40, 8)).merge(forms.accumulator(space, energy))
        for found in (merged.forms(), merged.forms()):  # asking twice changes nothing
            same(found, whole, 1e-10)
            assert found.n_samples == (weights > 0).sum()
        assert whole.stiffness.any() == (energy != "none")


@every
def test_weights_count_like_repeated_rows(d, space):
    for energy in forms.ENERGIES:
        weighted = part(d, space, energy, weights=0.3 * COUNTS, block=16)
        same(weighted.forms(), part(d, space, energy, REPEATED).forms())
        assert weighted.n_samples == (COUNTS > 0).sum()


def test_a_part_may_weigh_nothing():
    total = forms.accumulator(PLAIN).update(X, y=Y, weights=np.zeros(N)).update(X, y=Y)
    same(total.forms(), forms.accumulator(PLAIN).update(X, y=Y).forms())


def test_mass_and_load_alone():
    mass, load = forms.mass(PLAIN, X[REPEATED]), forms.load(PLAIN, X[REPEATED], Y[REPEATED])
    np.testing.assert_allclose(forms.mass(PLAIN, X, COUNTS), mass, rtol=0, atol=1e-14)
    np.testing.assert_allclose(forms.load(PLAIN, X, Y, COUNTS), load, rtol=0, atol=1e-14)


def test_a_space_of_ones_own_brings_its_own_accumulator():
    class Doubled(FunctionSpace):
        pass

    class Mine(forms.Accumulator):
        pass

    space = Doubled(lambda X: X, lambda X: np.broadcast_to(np.eye(2), (len(X), 2, 2)), 2)
    assert type(forms.accumulator(space)) is forms.Accumulator
    forms.accumulator.register(Doubled)(Mine)
    assert type(forms.accumulator(space)) is Mine
