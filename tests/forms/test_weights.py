"""Weights of rows: the forms are those of repeated rows, whatever the formula."""

import numpy as np
import pytest

from lapviz import forms, kernels, operators
from lapviz.spaces import KernelSpace, TrialSpace, fourier_space

RNG = np.random.default_rng(0)
N = 41
COUNTS = RNG.integers(0, 4, N)  # rows of weight 0 among them
Y = RNG.normal(size=(N, 2))
LABELLED = RNG.random(N) < 0.6


class Plain(TrialSpace):
    """Without formulas of its own: the general accumulator."""

    def __init__(self, space):
        self.space = space

    n_features = property(lambda self: self.space.n_features)
    n_functions = property(lambda self: self.space.n_functions)
    gram = property(lambda self: self.space.gram)
    constant = property(lambda self: self.space.constant)

    def phi(self, X):
        return self.space.phi(X)

    def gradient(self, X):
        return self.space.gradient(X)


def spaces(d):
    X = np.random.default_rng([1, d]).normal(size=(N, d))
    C = np.vstack([X[:4], RNG.normal(size=(5, d))])
    for name in kernels.names():
        for constant in (True, False):
            yield KernelSpace(kernels.get(name, np.sqrt(d)), C, constant), X
    yield Plain(KernelSpace(kernels.get("gaussian", 1.0), C)), X
    yield fourier_space(kernels.get("gaussian", 1.0), 12, np.zeros(d), True, 0), X


def same(left, right, tolerance=1e-12):
    for name in ("mass", "stiffness", "load"):
        a, b = getattr(left, name), getattr(right, name)
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * np.abs(b).max(), err_msg=name)


@pytest.mark.parametrize("energy", ["ambient", "directions", "none"])
@pytest.mark.parametrize("d", [2, 5])
def test_weights_count_like_repeated_rows(d, energy):
    rows = np.repeat(np.arange(N), COUNTS)
    U = np.random.default_rng(3).normal(size=(N, 2, d)) if energy == "directions" else None
    for space, X in spaces(d):
        again = None if U is None else U[rows]
        repeated = forms.accumulator(space, energy).update(X[rows], again, Y[rows], LABELLED[rows])
        weighted = forms.accumulator(space, energy, block=16)
        weighted.update(X, U, Y, LABELLED, 0.3 * COUNTS)
        same(weighted.forms(), repeated.forms())
        assert weighted.n_samples == (COUNTS > 0).sum()
        assert weighted.n_labelled == (LABELLED & (COUNTS > 0)).sum()


@pytest.mark.parametrize("cut", [0, 13, N])
def test_merged_parts_divide_by_the_sum_of_all_weights(cut):
    for space, X in spaces(3):
        whole = forms.accumulator(space).update(X, None, Y, LABELLED, COUNTS).forms()
        left, right = forms.accumulator(space), forms.accumulator(space)
        for part, rows in ((left, slice(cut)), (right, slice(cut, None))):
            if len(X[rows]):
                part.update(X[rows], None, Y[rows], LABELLED[rows], COUNTS[rows])
        same(left.merge(right).forms(), whole)


def test_a_part_may_weigh_nothing_but_not_the_whole():
    space, X = next(spaces(2))
    total = forms.accumulator(space).update(X, y=Y, weights=np.zeros(N))
    with pytest.raises(ValueError, match="none of positive weight"):
        total.forms()
    plain = forms.accumulator(space).update(X, y=Y).forms()
    same(total.update(X, y=Y).forms(), plain)
    weights = np.where(LABELLED, 0.0, 1.0)
    with pytest.raises(ValueError, match="No sample is labelled"):
        forms.accumulator(space).update(X, None, Y, LABELLED, weights).forms()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (-np.eye(1, N)[0], "negative"),
        (np.full(N, np.nan), "NaN"),
        (np.full(N, np.inf), "infinite"),
        (np.ones(N - 1), "shape"),
        (np.ones((N, 1)), "shape"),
        (2.0, "shape"),
        (["many"] * N, "numbers"),
        (np.full(N, 1e308), "overflows"),
    ],
)
def test_bad_weights_get_a_sentence(weights, message):
    space, X = next(spaces(2))
    with pytest.raises(ValueError, match=message):
        forms.accumulator(space).update(X, weights=weights)
    with pytest.raises(ValueError, match=message):
        operators.assemble(space, X, sample_weight=weights)
    with pytest.raises(ValueError, match="All weights"):
        operators.assemble(space, X, sample_weight=np.zeros(N))


def test_mass_and_load_alone():
    space, X = next(spaces(2))
    rows = np.repeat(np.arange(N), COUNTS)
    np.testing.assert_allclose(
        forms.mass(space, X, COUNTS), forms.mass(space, X[rows]), rtol=0, atol=1e-14
    )
    np.testing.assert_allclose(
        forms.load(space, X, Y, COUNTS), forms.load(space, X[rows], Y[rows]), rtol=0, atol=1e-14
    )
