"""Hidden labels: closed forms against the explicit loop."""

import numpy as np
import pytest

from lapviz.estimates import filters
from lapviz.estimates import leave_one_out as selection
from lapviz.estimates.labelled import labelled_estimate, spectral_estimate
from lapviz.spectra import spectrum
from tests.estimates.brute_force import galerkin

LAMS = [0.0, 1e-9, 1e-3, 1.0, 1e4]


def problem(constant, n_labelled, p=25, mu=1e-3, outputs=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (150, 2))
    space, forms, factor = galerkin(X, X[-p:], "matern32", 0.8, constant, mu)
    phi = space.phi(X[:n_labelled])
    y = np.column_stack([np.sin(3 * X[:n_labelled, 0]) + 2, rng.normal(size=n_labelled)])
    return forms, factor, phi, y[:, :outputs]


def loop(phi, y, center, fit):
    """Predictions of each label by ``fit(phi, y) -> coefficients`` to the others."""
    predictions = np.empty_like(y)
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        mean = y[others].mean(axis=0) if center else 0.0
        predictions[i] = phi[i] @ fit(phi[others], y[others] - mean) + mean
    return predictions


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("n_labelled", [2, 12, 25, 26, 52])
def test_leave_one_out_is_the_explicit_loop(n_labelled, constant, center):
    _, factor, phi, y = problem(constant, n_labelled)
    # With as many labels as functions, λ = 1e-9 leaves a system so ill-conditioned that the loop
    # is inaccurate too (both are 1e-7 off a least-squares reference, relative to values of 2000).
    lams = LAMS if n_labelled < 25 else LAMS[2:] if n_labelled < 30 else LAMS[1:]
    results = selection.leave_one_out(factor, phi, y, lams, center=center)
    for lam, hidden in zip(lams, results, strict=True):
        expected = loop(phi, y, center, lambda p, t, lam=lam: labelled_estimate(factor, p, t, lam))
        assert np.abs(hidden.predictions - expected).max() < 1e-8, lam
        np.testing.assert_allclose(hidden.residuals, y - hidden.predictions)
        assert hidden.squared_error == pytest.approx(np.mean((y - expected) ** 2), rel=1e-7)
        assert hidden.lam == lam


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("filter", filters.names())
def test_spectral_leave_one_out_is_the_explicit_loop(filter, constant, center):
    forms, _, phi, y = problem(constant, 12)
    modes = spectrum(forms, 1e-3)

    def fit(lam):
        return lambda phi, y: spectral_estimate(modes, phi.T @ y / len(y), lam, filter)

    results = selection.spectral_leave_one_out(modes, phi, y, LAMS, filter, center=center)
    for lam, hidden in zip(LAMS, results, strict=True):
        np.testing.assert_allclose(
            hidden.predictions, loop(phi, y, center, fit(lam)), rtol=1e-8, atol=1e-8
        )


def test_label_folds_partition_the_labels_and_spread_the_classes():
    codes = np.repeat([0, 1, 2], [11, 7, 3])
    folds = selection.label_folds(21, 4, codes, random_state=1)
    np.testing.assert_array_equal(np.sort(np.concatenate(folds)), np.arange(21))
    assert max(map(len, folds)) - min(map(len, folds)) <= 1
    for k in range(3):
        counts = [np.sum(codes[fold] == k) for fold in folds]
        assert max(counts) - min(counts) <= 1
    repeated = selection.label_folds(21, 4, codes, random_state=1)
    assert all(np.array_equal(a, b) for a, b in zip(folds, repeated, strict=True))
    other = selection.label_folds(21, 4, codes, random_state=2)
    assert not all(np.array_equal(a, b) for a, b in zip(folds, other, strict=True))
