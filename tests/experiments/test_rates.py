"""Measured slopes: closed forms, and the theorems with which they are compared."""

import numpy as np
import pytest

from lapviz.charts import Drawing, points
from lapviz.estimates.kernel_filters import effective_dimension
from lapviz.experiments import rates, theorems
from tests.helpers import quotients

GRID = (np.arange(4096) + 0.5) / 4096


def test_the_slope_of_a_power_is_its_exponent():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert rates.slope(x, 3 * x**-0.5, np.zeros(4)) == pytest.approx((-0.5, 0.0), abs=1e-12)


@pytest.mark.slow
def test_the_slopes_error_is_its_spread_over_repetitions():
    rng, x = np.random.default_rng(0), np.geomspace(10, 1000, 5)
    spread = 0.1
    slopes = [rates.slope(x, x**-0.5 * (1 + spread * rng.normal(size=5)), spread * x**-0.5)
              for _ in range(2000)]  # fmt: skip
    values, errors = np.array(slopes).T
    assert values.mean() == pytest.approx(-0.5, abs=0.01)
    assert errors.mean() == pytest.approx(values.std(), rel=0.3)


def test_a_line_that_is_too_flat_does_not_hold():
    rows = [{"n": n, "e": n**power * (1 + 0.01 * k), "power": power, "trial": k}
            for power in (-0.5, -0.2) for n in (10, 100, 1000) for k in range(3)]  # fmt: skip
    drawing = Drawing("n", "e", colour="power")
    steep, flat = rates.Slopes("{colour}: slope", -0.5).findings(rows, [drawing])
    assert (steep.holds, flat.holds, flat.text) == (True, False, "power = -0.2: slope")
    assert flat.sentence.endswith("(at most −0.5).")  # an upper bound, not a prediction
    assert flat.value == pytest.approx(-0.2)


def test_ratios_stand_at_the_same_place_and_at_the_selected_ends():
    rows = [{"n": n, "m": m, "e": factor / n} for m, factor in (("a", 3.0), ("b", 2.0))
            for n in (10, 20, 40)]  # fmt: skip
    drawing = Drawing("n", "e", colour="m", names=(("a", "A"),))
    for select, sizes in (("all", (10, 20, 40)), ("ends", (10, 40)), ("last", (40,))):
        claim = rates.Ratios("{colour}, n = {below.x}", "a", "b", select=select, wins=True)
        findings = claim.findings(rows, [drawing])
        assert [f.text for f in findings] == [f"A, n = {n}" for n in sizes]
        assert all(f.value == pytest.approx(1.5) and f.holds for f in findings)


def test_rows_are_spread_out_over_the_values_of_a_column():
    cells = ((2, "a", 1.0), (2, "b", 5.0), (1, "a", 7.0), (2, "a", 2.0), (2, "a", 9.0))
    rows = [{"n": n, "m": m, "e": e} for n, m, e in cells]
    means = rates.spread_out(rows, ("n",), "m", "e")
    assert means == {(2,): {"a": 4.0, "b": 5.0}, (1,): {"a": 7.0}}
    medians = rates.by_place(rows, Drawing("n", "e", colour="m", summary="median"))
    assert {n: {m: p.y for m, p in cell.items()} for n, cell in medians.items()} == {
        1: {"a": 7.0}, 2: {"a": 2.0, "b": 5.0}
    }  # fmt: skip
    assert (2, "b") not in rates.by_place(rows, Drawing("n", "e", colour="m", facet="m"))


def test_the_lines_of_a_table_ascend_in_each_panel():
    places = {"a": (100, 200), "b": (200, 50)}
    rows = [{"f": f, "n": n, "m": m, "e": 1.0}
            for f in ("second", "first") for m, sizes in places.items() for n in sizes]  # fmt: skip
    text = rates.drawing_table(rows, Drawing("n", "e", colour="m", facet="f"))
    lines = [tuple(line.split(" | ")[:2]) for line in text.splitlines()[4:]]
    assert lines == [(f"| {f}", n) for f in ("second", "first") for n in ("50", "100", "200")]


@pytest.mark.parametrize("trials", [1, 2, 3])
def test_fewer_than_three_trials_say_no_spread(trials):
    rows = [{"n": n, "e": n**-0.7 * (1 + 0.1 * k)} for n in (10, 100) for k in range(trials)]
    drawing = Drawing("n", "e")
    (finding,) = rates.Slopes("slope", -0.5).findings(rows, [drawing])
    assert ("±" in finding.sentence) is (trials == 3)
    assert (rates.ratio(*points(rows, drawing))[1] is not None) is (trials == 3)
    medians = [Drawing("n", "e", summary="median")]  # quartiles are no standard error
    assert "±" not in rates.Slopes("slope", -0.5).findings(rows, medians)[0].sentence


def test_the_periodic_kernel_has_the_eigenvalues_that_the_rates_rest_on():
    K = theorems.periodic_kernel(GRID[::8], GRID[::8])
    eigenvalues = np.linalg.eigvalsh(K / len(K))[::-1][:7]
    expected = np.array([1, 1, 1, 1 / 4, 1 / 4, 1 / 9, 1 / 9]) / (1 + np.pi**2 / 3)
    np.testing.assert_allclose(eigenvalues, expected, rtol=1e-3)
    np.testing.assert_allclose(np.diag(K), 1.0)
    lam = np.array([1e-4, 1e-3])
    slope = np.diff(np.log(effective_dimension(K, lam))) / np.diff(np.log(lam))
    assert slope == pytest.approx(-theorems.S, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("r", [0.3, 0.5, 1.0])
def test_the_target_has_the_smoothness_that_it_says(r):
    """Coefficients of f* fall like j^(−2r − .55), and f* has mean square 1."""
    values = theorems.target(GRID, r)
    assert np.mean(values**2) == pytest.approx(1.0, abs=1e-2)
    size = np.abs(np.fft.rfft(values))
    j = np.array([4, 40])
    assert np.diff(np.log(size[j]))[0] / np.log(10) == pytest.approx(-2 * r - 0.55, abs=0.05)


def test_the_minimum_of_the_risk_is_where_it_should_be():
    """f* = wave/(1 + μπ²) has no excess risk, and the excess of its multiples is quadratic."""

    class Multiple:
        def __init__(self, a):
            self.a = a

        def evaluate(self, X, c):
            return self.a * theorems.wave(X)[:, None]

        def gradient(self, X):
            return self.a * theorems.wave_gradient(X)[:, :, None]

    X, mu = np.random.default_rng(0).random((200_000, 2)), 0.1
    shrunk = 1 / (1 + mu * np.pi**2)

    def excess(a):
        return theorems.excess_risk(Multiple(a), np.ones((1, 1)), X, mu)

    assert excess(shrunk) == pytest.approx(0.0, abs=1e-12)
    # R(a wave) = (a − 1)² + μπ²a²
    risk = (0.2 - 1) ** 2 + mu * np.pi**2 * 0.04
    minimum = (shrunk - 1) ** 2 + mu * np.pi**2 * shrunk**2
    assert excess(0.2) == pytest.approx(risk - minimum, rel=0.01)


def test_the_gradient_is_the_difference_quotient():
    X = np.random.default_rng(0).random((20, 3))
    expected = quotients(theorems.wave, X, 1e-6)
    np.testing.assert_allclose(theorems.wave_gradient(X), expected, atol=1e-6)
