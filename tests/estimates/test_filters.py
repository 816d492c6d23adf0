"""Filters: formulas, range, gradient descent step by step, and SSL21's ψ."""

import numpy as np
import pytest

from lapviz.estimates import filters

GAMMA = np.array([0.0, 0.3, 1.0, 1.0, 4.0, 50.0, 1e4])


def test_the_registry():
    assert filters.names()[:4] == ("tikhonov", "cutoff", "heat", "landweber")
    for name in filters.names():
        rule = filters.get(name)
        assert rule.name == name
        assert rule.title
        assert rule.formula
        assert filters.get(rule) is rule


@pytest.mark.parametrize("lam", [0.05, 0.3, 2.0, 1e9])
def test_landweber_is_gradient_descent_step_by_step(lam):
    """a ← a + η (b − a)/γ along each eigenfunction, from 0, b = 1."""
    gamma = GAMMA[1:]
    rule = filters.Landweber()
    a, steps = np.zeros_like(gamma), round(max(1.0, 1 / (lam * 0.3)))
    assert rule.steps(lam, 0.3) == steps
    for _ in range(steps):
        a += 0.3 / gamma * (1.0 - a)
    np.testing.assert_allclose(rule(gamma, lam), a, rtol=1e-10, atol=1e-15)


def test_energies_so_small_that_their_product_with_lambda_is_0_pass():
    h = filters.get("landweber")(np.array([0.0, 1e-30, 1e-25]), 1e-300)
    np.testing.assert_array_equal(h, 1.0)


@pytest.mark.parametrize("name", filters.names())
@pytest.mark.parametrize("lam", [0, 1e-12, 0.1, 1.0, 1e3, 1e12])
def test_weights_are_low_pass(name, lam):
    h = filters.get(name)(GAMMA, lam)
    assert h.shape == GAMMA.shape
    assert np.all((h >= 0) & (h <= 1))
    assert np.all(np.diff(h) <= 0), "a higher frequency has a larger weight than a lower one"
    assert h[0] == 1.0, "the constant passes"


def test_the_first_energy_skips_numerical_zeros():
    assert filters.first_energy([0.0, 1e-14, 0.4, 7.0]) == 0.4
    assert filters.first_energy([0.0, 0.0]) == 1.0
    assert filters.first_energy([]) == 1.0


def test_a_given_first_energy_sets_the_gradient_step():
    """A few leading modes must be filtered as they are among all modes."""
    rule = filters.Landweber()
    all_modes = rule(GAMMA, 0.2)
    np.testing.assert_array_equal(rule(GAMMA[2:], 0.2, gamma1=0.3), all_modes[2:])
    assert rule(GAMMA[2:], 0.2)[1] != all_modes[3]


@pytest.mark.parametrize("name", filters.names())
@pytest.mark.parametrize("lam", [0.0, 0.4])
def test_psi_and_h_are_one_filter(name, lam):
    rule, x = filters.get(name), np.array([0.02, 0.1, 1.0, 5.0])
    np.testing.assert_allclose(rule.psi(x, lam) * x, rule(1 / x, lam), rtol=1e-12)


def test_psi_of_zero_is_zero():
    assert filters.get("tikhonov").psi(np.array([0.0, 1.0]), 0.5)[0] == 0
