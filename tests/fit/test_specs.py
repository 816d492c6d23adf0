"""Specifications agree with estimators and parameters; steps are forms and solves written out."""

import inspect
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from lapviz import GraphLaplacianClassifier, LaplacianClassifier, datasets, fit, kernels, operators
from lapviz.parameters import descriptions
from lapviz.spaces import KernelSpace, auto_bandwidth, landmarks

SPECS = (fit.SpaceSpec, fit.EnergySpec, fit.EstimateSpec, fit.GraphSpec)


def test_the_two_semi_supervised_classifiers_cover_their_specifications():
    for estimator, specs, further in (
        (LaplacianClassifier, SPECS[:3], {"n_passes", "verbose"}),
        (GraphLaplacianClassifier, SPECS[3:], {"balance", "n_passes", "class_prior"}),
    ):
        names = {f.name for spec in specs for f in fields(spec)}
        assert names | further == set(inspect.signature(estimator).parameters)


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.__name__)
def test_every_parameter_is_described(spec):
    for parameter in descriptions(spec):
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
    ("spec", "ignored"),
    [
        (fit.SpaceSpec(degree=5), ["degree=5"]),
        (fit.SpaceSpec(kernel="polynomial", degree=5), []),
        (fit.SpaceSpec(kernel="polynomial", degree=5, kernel_params={"degree": 2}), ["degree=5"]),
        (fit.SpaceSpec(kernel=kernels.get("gaussian", 2.0), bandwidth=1.0), ["bandwidth=1.0"]),
        (fit.SpaceSpec(landmarks=np.zeros((3, 2)), n_landmarks=7), ["n_landmarks=7"]),
        (
            fit.EstimateSpec(data_term="poisson", lam=2.0, filter="heat"),
            ["lam=2.0", "filter='heat'"],
        ),
        (
            fit.EstimateSpec(
                data_term="poisson", lam=2.0, filter="heat", balance="scale", n_passes=3
            ),
            ["filter='heat'"],
        ),
        (fit.EstimateSpec(data_term="all", lam=2.0, filter="heat"), []),
        (fit.EstimateSpec(class_prior=np.ones(1)), ["class_prior=(1.0,)"]),
        (fit.EstimateSpec(class_prior=[1, 2], balance="scale"), []),
        (fit.GraphSpec(bandwidth=1.0), ["bandwidth=1.0"]),
        (fit.GraphSpec(graph="dense", bandwidth=1.0, n_neighbors=3), ["n_neighbors=3"]),
        (fit.GraphSpec(alpha=0.5), ["alpha=0.5"]),
        (fit.GraphSpec(method="spreading", alpha=0.5), []),
    ],
)
def test_ignored_parameters_are_named(spec, ignored, recwarn):
    fit.warn_ignored(spec)
    sentence = " ".join(str(warning.message) for warning in recwarn)
    assert re.findall(r"(\S+) is ignored: ", sentence) == ignored


DATA = datasets.load("half_moons", n_samples=300, noise=0.1, random_state=0, labels_per_class=3)
X = DATA.X
SPACE = fit.SpaceSpec(n_landmarks=40, random_state=1)
PRIOR = "class_prior=(1, 2) is ignored"


def method(X=X, space=SPACE, mu="auto") -> fit.Galerkin:
    return fit.Galerkin(fit.Sample.of(X), space, fit.EnergySpec(mu=mu))


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("rule", ["uniform", "kmeans++", "leverage"])
def test_the_steps_are_those_written_out(rule, constant):
    spec = fit.SpaceSpec(n_landmarks=40, landmarks=rule, random_state=1)
    assembled = method(X, spec).assembled(constant)
    kernel = kernels.get("gaussian", auto_bandwidth(X, n_landmarks=30, random_state=0))
    C = landmarks.choose(X, 40, rule, 1, kernel=kernel)
    expected = operators.assemble(KernelSpace(kernel, C, constant), X, "laplacian")
    assert assembled.space.kernel == kernel
    np.testing.assert_array_equal(assembled.space.landmarks, C)
    np.testing.assert_array_equal(assembled.forms.stiffness, expected.stiffness)
    np.testing.assert_array_equal(assembled.forms.mass, expected.mass)


def test_forms_without_the_constant_are_those_assembled_without_it():
    assembled = method().assembled(True)
    restricted = assembled.forms.restrict(slice(1, None))
    expected = method().assembled(False).forms
    for name in ("mass", "stiffness", "gram"):
        np.testing.assert_allclose(getattr(restricted, name), getattr(expected, name), atol=1e-14)


@pytest.mark.parametrize("constant", [False, True])
def test_every_second_function_is_the_space_on_every_second_landmark(constant):
    assembled = method().assembled(constant)
    half = assembled.forms_of_half()
    kernel, centres = assembled.space.kernel, assembled.space.landmarks[::2]
    expected = operators.assemble(KernelSpace(kernel, centres, constant), X)
    np.testing.assert_allclose(half.stiffness, expected.stiffness, atol=1e-12)


def test_mu_follows_the_units():
    spec = replace(SPACE, bandwidth=0.1)
    assert method(X, spec, mu=7).mu == 7.0
    expected = method(X, spec).mu / 64**2
    assert method(64 * X, replace(spec, bandwidth=6.4)).mu == pytest.approx(expected)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (LaplacianClassifier(data_term="poisson", lam=3.0), "lam=3.0 is ignored: data_term='poiss"),
        (LaplacianClassifier(n_passes=10, balance=None), "n_passes=10 is ignored"),
        (GraphLaplacianClassifier(alpha=0.5), "alpha=0.5 is ignored"),
        (LaplacianClassifier(class_prior=[1, 2]), None),
        (LaplacianClassifier(class_prior=[1, 2], operator="laplacian"), PRIOR),  # no balance
        (LaplacianClassifier(class_prior=[1, 2], operator="laplacian", balance="shift"), None),
        (GraphLaplacianClassifier(class_prior=[1, 2]), PRIOR),
        (GraphLaplacianClassifier(class_prior=[1, 2], balance="scale"), None),
    ],
    ids=str,
)
def test_estimators_warn_of_ignored_parameters(model, sentence, recwarn):
    data = datasets.load("half_moons", n_samples=60, random_state=0)
    model.fit(data.X, data.semi_supervised_target())
    texts = [str(w.message) for w in recwarn if w.category is fit.IgnoredParameterWarning]
    assert [text[: len(sentence or "")] for text in texts] == [sentence] * (sentence is not None)
