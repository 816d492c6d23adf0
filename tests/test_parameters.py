"""Descriptions of settings: checks, texts and parameters of kernels."""

from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, kernels
from lapviz.checks import Refused
from lapviz.parameters import Parameter, descriptions, integer, parameter


@dataclass(frozen=True)
class Everything:
    real: float = parameter(0.5, "Real", "A number.", low=0, high=10, page_high=5)
    count: int = parameter(3, "Count", "A whole number.", low=1)
    sizes: tuple[int, ...] = parameter((1, 2), "Sizes", "Some.", low=1, high=100)
    kind: str = parameter("a", "Kind", "A name.", names=lambda: ("a", "b,c"))
    kinds: tuple[str, ...] = parameter(("a",), "Kinds", "Some.", names=lambda: ("a", "b,c"))
    flag: bool = parameter(False, "Flag", "Yes or no.")
    title: str = parameter("x", "Title", "Any text.")
    mu: float = parameter("auto", "μ", "A weight.", kind="real", low=0, auto=True, words=("floor",))
    known: int = parameter(None, "Known", "How many.", kind="integer", low=2, none="all")


PARAMETERS = {described.name: described for described in descriptions(Everything)}


@pytest.mark.parametrize(
    ("name", "value"),
    [("real", 0.1), ("real", 10.0), ("count", 10**9), ("sizes", (5,)), ("sizes", (1, 2, 100)),
     ("kind", "b,c"), ("kinds", ("a", "b,c")), ("flag", True), ("flag", False), ("title", "any"),
     ("mu", "auto"), ("mu", "floor"), ("mu", 1e-300), ("known", None), ("known", 2)],
)  # fmt: skip
def test_a_value_comes_back_from_its_text(name, value):
    assert PARAMETERS[name].read(PARAMETERS[name].write(value)) == value


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [("real", "11", "a number from 0 to 10"), ("real", "nan", "a number"), ("real", "x", "number"),
     ("count", "0", "a whole number of at least 1"), ("count", "1.5", "whole"),
     ("count", "1" * 400, "whole"), ("real", "1" * 400, "a number from 0 to 10"),
     ("sizes", "", "from 1 to 64 values"), ("sizes", "1,x", "whole number from 1 to 100"),
     ("kind", "z", "one of a; b,c"), ("flag", "maybe", "true or false"), ("known", "1", "least 2"),
     ("mu", "ceiling", "number")],
)  # fmt: skip
def test_an_invalid_text_gets_a_reason(name, text, reason):
    with pytest.raises(Refused, match=reason):
        PARAMETERS[name].read(text)


def test_a_title_is_capitalised_but_a_symbol_is_not():
    titles = [parameter(1.0, label, "").metadata["parameter"].title for label in ("range", "λ₀")]
    assert titles == ["Range", "λ₀"]


def test_a_page_has_its_own_range():
    assert PARAMETERS["real"].read("7") == 7.0
    with pytest.raises(Refused, match="to 5"):
        PARAMETERS["real"].read("7", page=True)


def test_numbers_are_read_in_any_usual_notation():
    for text in ("2000", "2,000", "2 000", "2'000", "2e3", " 2000 "):
        assert integer(text) == 2000
    for text in ("2,00", "2e-3", "1.5", ""):
        with pytest.raises(ValueError):  # noqa: PT011
            integer(text)


@patch.dict(kernels.base.REGISTRY)
def test_a_kernel_class_declares_its_parameters():
    @kernels.register
    @dataclass(frozen=True)
    class Rational(kernels.DistanceKernel):
        alpha: float = parameter(1.5, "Shape α", "How heavy the tails are.", low=0.1)
        name = "rational"

        def profile(self, r2, q, t):
            base = 1 + r2 / (2 * self.alpha * self.bandwidth**2)
            if t is not None:
                t[...] = -(base ** (-self.alpha - 1)) / self.bandwidth**2
            q[...] = base**-self.alpha

    (alpha,) = kernels.parameters("rational")
    assert isinstance(alpha, Parameter)
    assert (alpha.name, alpha.default, alpha.kind) == ("alpha", 1.5, "real")
    X = np.random.default_rng(0).normal(size=(40, 2))
    by_name = GalerkinEmbedding(
        kernel="rational", kernel_params={"alpha": 3.0}, n_landmarks=20, random_state=0
    )
    assert by_name.fit(X).kernel_.alpha == 3.0  # and its width is chosen from the data
    by_object = GalerkinEmbedding(kernel=Rational(by_name.bandwidth_, 3.0), n_landmarks=20,
                                  random_state=0).fit(X)  # fmt: skip
    np.testing.assert_allclose(by_name.eigenvalues_, by_object.eigenvalues_)
    with pytest.raises(ValueError, match=r"alpha must be a number of at least 0.1; got 0"):
        kernels.get("rational", 1.0, alpha=0)
    with pytest.raises(ValueError, match=r"rational kernel has no parameter 'degree'.*has: alpha"):
        kernels.get("rational", 1.0, degree=3)
    with pytest.raises(ValueError, match="kernel_params holds 'bandwidth'"):
        GalerkinEmbedding(kernel="rational", kernel_params={"bandwidth": 3.0}).fit(X)
