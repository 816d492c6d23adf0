"""The formula language: what it accepts, what it refuses, and the same values as NumPy."""

from dataclasses import dataclass

import numpy as np
import pytest

from lapviz import formulas, kernels, operators
from lapviz.estimates import filters


def value(text, **values):
    return formulas.evaluate(formulas.parse(text, values), **values)


def test_a_formula_is_nested_tuples():
    formula = formulas.parse("exp(-r2 / (2 * sigma**2))", ("r2", "sigma"))
    assert formula == ("exp", ("/", ("neg", "r2"), ("*", 2.0, ("**", "sigma", 2.0))))
    assert formulas.parse("3", ()) == 3.0
    assert formulas.parse("1 if a < 2 else 0", "a") == ("if", ("<", "a", 2.0), 1.0, 0.0)


def test_values_agree_with_numpy():
    x, y = np.random.default_rng(0).uniform(0.1, 3, (2, 50))
    expected = {
        "x + y - x * y / 3 - -x": x + y - x * y / 3 + x,
        "x ** 2 ** y": x ** (2**y),
        "-x ** 2": -(x**2),
        "exp(x) + expm1(y) + log(x) + log1p(y)": np.exp(x) + np.expm1(y) + np.log(x) + np.log1p(y),
        "sqrt(x) + abs(-y) + floor(x)": np.sqrt(x) + y + np.floor(x),
        "minimum(x, y) - maximum(x, 1)": np.minimum(x, y) - np.maximum(x, 1),
        "(x < y) + (x <= 1) + (x > 2) + (x >= y) + (x == y)": (x < y) * 1.0
        + (x <= 1)
        + (x > 2)
        + (x >= y),
        "sqrt(x - 1) if x >= 1 else 7": np.where(x >= 1, np.sqrt(np.maximum(x - 1, 0)), 7),
    }
    for text, result in expected.items():
        np.testing.assert_allclose(value(text, x=x, y=y), result, rtol=1e-14, err_msg=text)


REFUSED = {
    "is not a Python expression": ("", "x = 1", "x +", "lam > 0 ? 1 : 0"),
    "cannot hold 'z': the names here are x": ("z",),
    "cannot hold 'exp': the names here are x": ("exp",),
    "the language has numbers": (
        "Math.exp(x)", "np.exp(x)", "open('x')", "exp(x)(x)", "exp(x=1)", "exp(*x)", "x and 1",
        "not x", "x % 2", "[x]", "x[0]", "'x'", "True", "1j", "(lambda: x)()",
        "x if x else (y := 1)",
    ),
    r"exp takes 1 argument\(s\)": ("exp(x, x)",),
    r"maximum takes 2 argument\(s\)": ("maximum(x)",),
    "one comparison at a time": ("0 < x < 1",),
    "numbers must be finite": ("1e999",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"), [(text, message) for message, texts in REFUSED.items() for text in texts]
)
def test_anything_else_raises_a_clear_error(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        formulas.parse(text, "x")
    assert str(caught.value).startswith("The formula ")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("name", filters.names())
@pytest.mark.parametrize("lam", [1e-6, 0.05, 1.0, 1e4])
def test_a_filters_formula_is_its_h(name, lam):
    rule, gamma = filters.get(name), np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 60)])
    values = formulas.evaluate(rule.browser_formula(), gamma=gamma, gamma1=0.5, lam=lam)
    np.testing.assert_allclose(values, rule(gamma, lam, 0.5), rtol=1e-12, atol=1e-15)


def test_a_formula_outside_the_language_is_refused_when_it_is_registered():
    class Bad(filters.Filter):
        name = "bad"
        browser = "Math.exp(-lam * gamma)"

    with pytest.raises(ValueError, match="the language has numbers"):
        filters.register(Bad)
    assert "bad" not in filters.names()

    class Worse(kernels.DistanceKernel):
        name = "worse"
        browser = "exp(-u)"

    with pytest.raises(ValueError, match="the names here are r2, sigma"):
        kernels.register(Worse)
    assert "worse" not in kernels.names()


@pytest.mark.parametrize(
    ("h", "browser", "message"),
    [
        (lambda gamma: np.full_like(gamma, np.nan), "", "must return one finite number for each e"),
        (lambda gamma: 1.0, "", "must return one finite number for each energy"),
        (lambda gamma: 1 / (1 + gamma), "1 / (1 + 2 * gamma)", "browser of Bad must give what Pyt"),
    ],
)
def test_a_filter_that_is_plainly_wrong_is_refused_when_it_is_registered(h, browser, message):
    class Bad(filters.Filter):
        name, title = "bad", "Bad"

        def h(self, gamma, lam, gamma1):
            return h(gamma)

    Bad.browser = browser

    @dataclass(frozen=True)
    class Needy(Bad):
        steps: int
        name = "needy"

    with pytest.raises(ValueError, match="Needy must need no arguments"):
        filters.register(Needy)
    with pytest.raises(ValueError, match=message):
        filters.register(Bad)
    assert "bad" not in filters.names()


@pytest.mark.parametrize("registry", [kernels, filters, operators], ids=lambda m: m.__name__)
def test_a_class_needs_a_name_that_no_other_class_has(registry):
    name = registry.names()[0]
    base = type(registry.get(name, *[1.0] * (registry is kernels)))
    with pytest.raises(ValueError, match=rf"{base.__name__} is the .* '{name}': give Mine another"):
        registry.register(type("Mine", (base,), {"name": name}))
    with pytest.raises(ValueError, match="Mine needs a name of its own"):
        registry.register(type("Mine", (base,), {}))
    if registry is not operators:  # which no menu shows by their titles
        with pytest.raises(ValueError, match=rf"'{name}' has the title .* give Mine another title"):
            registry.register(type("Mine", (base,), {"name": "mine"}))
        assert "mine" not in registry.names()
    registry.register(base)  # once more, as a notebook's cell that is run again
    assert registry.names()[0] == name
