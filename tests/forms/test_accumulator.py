"""The accumulator: rows in any split and order, from any engine, give the forms of one pass."""

import pickle

import numpy as np
import pytest

from lapviz import forms, kernels
from lapviz.spaces import FunctionSpace, KernelSpace, fourier_space

RNG = np.random.default_rng(5)


def slopes_of_squares(X):
    return 2 * X[:, :, None] * np.eye(X.shape[1])


def spaces(d):
    X = RNG.normal(size=(9, d))
    yield from (
        KernelSpace(kernels.get(name, 1.3), X, constant)
        for name in kernels.names()
        for constant in (False, True)
    )
    yield fourier_space(kernels.get("gaussian", 1.0), 8, X.mean(axis=0), True, 0)
    yield FunctionSpace(np.square, slopes_of_squares, d)


CASES = [(d, space) for d in (5,) for space in spaces(d)]
IDS = [f"{d}-{getattr(s, 'kernel', type(s)).__class__.__name__}" for d, s in CASES]


@pytest.mark.parametrize("energy", forms.ENERGIES)
@pytest.mark.parametrize(("d", "space"), CASES, ids=IDS)
def test_parts_merge_to_the_whole(d, space, energy):
    X, y = RNG.normal(size=(57, d)), RNG.normal(size=(57, 2))
    U = RNG.normal(size=(57, 3, d)) if energy == "directions" else None
    labelled = np.arange(57) % 3 == 0

    def rows(a, b, block=None):
        part = forms.accumulator(space, energy, block)
        return part.update(X[a:b], None if U is None else U[a:b], y[a:b], labelled[a:b])

    whole = rows(0, 57).forms()
    third = pickle.loads(pickle.dumps(rows(40, 57, 4)))  # as if from another machine
    merged = third.merge(rows(0, 13)).merge(rows(13, 40, 8))
    for found in (merged.forms(), merged.forms()):  # asking twice changes nothing
        for name in ("mass", "stiffness", "load"):
            expected = getattr(whole, name)
            np.testing.assert_allclose(
                getattr(found, name), expected, atol=1e-10 * abs(expected).max(initial=1.0)
            )
        assert found.n_samples == 57
    if energy == "none":
        assert not whole.stiffness.any()


def test_a_space_of_ones_own_brings_its_own_accumulator():
    class Doubled(FunctionSpace):
        pass

    class Mine(forms.Accumulator):
        pass

    space = Doubled(lambda X: X, lambda X: np.broadcast_to(np.eye(2), (len(X), 2, 2)), 2)
    assert type(forms.accumulator(space)) is forms.Accumulator
    forms.accumulator.register(Doubled)(Mine)
    assert type(forms.accumulator(space)) is Mine


def test_input_that_cannot_work_gets_a_sentence():
    space = KernelSpace(kernels.get("gaussian", 1.0), RNG.normal(size=(6, 2)))
    X = RNG.normal(size=(5, 2))
    plain, along = forms.accumulator(space), forms.accumulator(space, "directions")
    for call, words in (
        (lambda: plain.forms(), "No row was added"),
        (lambda: plain.update(X, np.ones((5, 1, 2))), "takes no directions"),
        (lambda: along.update(X), "needs directions"),
        (lambda: along.update(X, np.ones((5, 1, 3))), r"must have shape \(5, q, 2\)"),
        (lambda: plain.merge(along), "same trial space"),
        (lambda: forms.accumulator(space, "tangents"), "energy must be one of"),
        (lambda: forms.assemble(space, X, "tangent"), r"lapviz\.operators\.assemble"),
        (lambda: plain.update(X, y=np.ones(5), labelled=np.zeros(5, bool)).forms(), "No sample is"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
