"""Specifications, estimators and parameters tell one story; what plays no part is said."""

import inspect
import re
import warnings
from dataclasses import fields

import numpy as np
import pytest

from lapviz import (
    GraphLaplacianClassifier,
    LaplacianClassifier,
    fit,
    kernels,
)

SPECS = (fit.SpaceSpec, fit.EnergySpec, fit.EstimateSpec, fit.GraphSpec)


def test_the_two_semi_supervised_classifiers_cover_their_specifications():
    for estimator, specs, more in (
        (LaplacianClassifier, SPECS[:3], {"n_passes", "class_prior", "verbose"}),
        (GraphLaplacianClassifier, SPECS[3:], {"balance", "n_passes", "class_prior"}),
    ):
        names = {f.name for spec in specs for f in fields(spec)}
        assert names | more == set(inspect.signature(estimator).parameters)


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.__name__)
def test_every_parameter_is_described(spec):
    for parameter in spec.parameters():
        assert parameter.label
        assert parameter.help.endswith(".")
        if parameter.kind == "choice" and parameter.default is not None:
            assert parameter.default in (*parameter.choices, *["auto"] * parameter.auto)
        assert parameter.constraints()
    assert hash(spec()) == hash(spec())


def test_a_specification_reads_an_estimator():
    model = LaplacianClassifier(kernel="polynomial", degree=2, lam=0.3, random_state=4)
    space = fit.SpaceSpec(kernel="polynomial", degree=2, n_landmarks="auto", random_state=4)
    assert fit.SpaceSpec.of(model) == space
    assert fit.EstimateSpec.of(model).lam == 0.3


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (fit.SpaceSpec(degree=5), ["degree=5"]),
        (fit.SpaceSpec(kernel="polynomial", degree=5), []),
        (fit.SpaceSpec(kernel=kernels.get("gaussian", 2.0), bandwidth=1.0), ["bandwidth=1.0"]),
        (fit.SpaceSpec(landmarks=np.zeros((3, 2)), n_landmarks=7), ["n_landmarks=7"]),
        (
            fit.EstimateSpec(data_term="poisson", lam=2.0, filter="heat"),
            ["lam=2.0", "filter='heat'"],
        ),
        (fit.EstimateSpec(data_term="all", lam=2.0, filter="heat"), []),
        (fit.GraphSpec(bandwidth=1.0), ["bandwidth=1.0"]),
        (fit.GraphSpec(graph="dense", bandwidth=1.0, n_neighbors=3), ["n_neighbors=3"]),
        (fit.GraphSpec(alpha=0.5), ["alpha=0.5"]),
        (fit.GraphSpec(method="spreading", alpha=0.5), []),
    ],
)
def test_what_plays_no_part_is_said(spec, said):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        fit.warn_ignored(spec)
    sentence = " ".join(str(warning.message) for warning in told)
    assert re.findall(r"(\S+) is ignored: ", sentence) == said


@pytest.mark.slow
def test_estimators_warn_of_it_and_keep_quiet_otherwise():
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.r_[0, 1, np.full(28, -1)]
    with pytest.warns(fit.IgnoredParameterWarning, match="lam=3.0 is ignored: data_term='poisson'"):
        LaplacianClassifier(data_term="poisson", lam=3.0).fit(X, y)
    with pytest.warns(fit.IgnoredParameterWarning, match="alpha=0.5 is ignored"):
        GraphLaplacianClassifier(alpha=0.5).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", fit.IgnoredParameterWarning)
        LaplacianClassifier(data_term="poisson").fit(X, y)
        LaplacianClassifier(kernel="polynomial", degree=2, bandwidth=1.0, filter="heat").fit(X, y)
        GraphLaplacianClassifier(graph="dense", bandwidth=0.5).fit(X, y)
