"""What scikit-learn, SciPy, joblib and Streamlit keep private is used in one module each."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config
from scipy import sparse
from sklearn.base import BaseEstimator

import lapviz
from lapviz import LaplacianClassifier, _sklearn

PACKAGE = Path(lapviz.__file__).parent
WRAPPERS = (  # the modules that may know private names
    "_sklearn.py",  # and joblib's
    "explorer/host/_streamlit.py",
    "fit/dask_reduce.py",  # Dask's, which has no public way to build a graph
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
INTERNAL = {  # of Streamlit, without an underscore, and who else may import it
    "streamlit.runtime": (),
    "streamlit.proto": ("explorer/host/check.py",),
    "streamlit.web": (),
    "starlette": (),
}


@cache
def trees():
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8"))
            for path in PACKAGE.rglob("*.py")}  # fmt: skip


@cache
def own():
    """Names that the package defines: of functions, classes, attributes and variables."""
    nodes = [node for tree in trees().values() for node in ast.walk(tree)]
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    defined = {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    return defined | {getattr(node, "id", getattr(node, "attr", "")) for node in stored}


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


def private_names(tree, place):
    """Private names of other packages, and internal modules, that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own():
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
            name = getattr(node.args[1], "value", "")
            if isinstance(name, str) and is_private(name) and name not in own():
                yield name
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for module in modules:
            top, *rest = module.split(".")
            if top != "lapviz" and any(map(is_private, rest)):
                yield module
            for internal, allowed in INTERNAL.items():
                if f"{module}.".startswith(f"{internal}.") and place not in allowed:
                    yield module


@pytest.mark.slow
def test_private_names_are_in_the_wrappers_alone():
    knowing = {place for place, tree in trees().items() if set(private_names(tree, place))}
    assert knowing == set(WRAPPERS)


def test_parameters_are_checked_as_scikit_learn_does():
    good, bad = LaplacianClassifier(), LaplacianClassifier(lam=-1.0)
    _sklearn.check_parameters(good)
    with pytest.raises(_sklearn.InvalidParameterError) as ours:
        _sklearn.check_parameters(bad)
    assert issubclass(_sklearn.InvalidParameterError, ValueError)
    with pytest.raises(ValueError, match="'lam' parameter of LaplacianClassifier") as its:
        BaseEstimator._validate_params(bad)
    assert str(ours.value) == str(its.value)


def test_rows_of_anything():
    values = np.arange(12.0).reshape(6, 2)
    rows = np.array([1, 4])
    np.testing.assert_array_equal(_sklearn.rows_of(values, rows), values[rows])
    taken = _sklearn.rows_of(sparse.csr_array(values), rows)
    np.testing.assert_array_equal(taken.toarray(), values[rows])
    assert _sklearn.rows_of(values.tolist(), rows) == values[rows].tolist()
    mask = np.isin(np.arange(6), rows)
    np.testing.assert_array_equal(_sklearn.rows_of(values, mask), values[mask])


def test_one_process_or_several():
    assert _sklearn.is_alone(None)
    assert _sklearn.is_alone(1)
    assert not _sklearn.is_alone(2)
    with parallel_config(backend="threading", n_jobs=2):
        assert not _sklearn.is_alone(None)
        assert _sklearn.is_alone(1)


def test_an_old_joblib_gets_a_sentence(monkeypatch):
    def old(**options):
        raise TypeError("unexpected keyword argument 'return_as'")

    monkeypatch.setattr(_sklearn, "Parallel", old)
    with pytest.raises(ImportError, match=r"joblib 1\.4"):
        _sklearn.unordered(2)


def test_workers_can_be_ended_early():
    with parallel_config(backend="threading", n_jobs=2):
        parallel = _sklearn.unordered(2)
        found = parallel(_sklearn.delayed(abs)(-i) for i in range(20))
        assert next(found) >= 0
        _sklearn.abort(parallel)
    _sklearn.abort(object())  # a backend that cannot
