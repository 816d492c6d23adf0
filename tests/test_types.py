"""Hints reach the user. Whether they hold is for pyright: `pyright` at the root."""

import inspect
import tomllib
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import lapviz

PACKAGE = Path(lapviz.__file__).parent
ROOT = PACKAGE.parent
ESTIMATORS = [
    cls
    for cls in (getattr(lapviz, name) for name in lapviz.__all__)
    if inspect.isclass(cls) and issubclass(cls, BaseEstimator)
]


def test_the_marker_is_shipped():
    assert (PACKAGE / "py.typed").is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "py.typed" in project["tool"]["setuptools"]["package-data"]["lapviz"]
    assert project["tool"]["pyright"]["typeCheckingMode"] == "basic"


def open_defaults(function) -> list[str]:
    """Parameters whose type would be guessed from their default, such as str from "auto"."""
    parameters = inspect.signature(function).parameters.values()
    return [
        p.name for p in parameters if p.annotation is p.empty and p.default not in (p.empty, None)
    ]


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_no_parameter_of_an_estimator_is_guessed_from_its_default(cls):
    assert open_defaults(cls.__init__) == []
    for name in ("fit", "predict", "transform", "predict_proba", "decision_function"):
        if method := getattr(cls, name, None):
            assert open_defaults(method) == []
            assert inspect.signature(method).return_annotation is not inspect.Signature.empty
