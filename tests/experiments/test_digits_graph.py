"""Digits with the graph's energy: the estimator of the same settings, and graphs alone."""

import numpy as np
import pytest

from lapviz import LaplacianClassifier, datasets
from lapviz.experiments import digits_graph
from lapviz.experiments.digits_graph import ENERGIES, LAM, prepare

BEST = ("graph", "least squares", "scale")


@pytest.mark.slow
def test_the_experiment_and_the_estimator_agree():
    data = datasets.load("digits", n_samples=500, random_state=0)
    labelled = datasets.draw_labels(data.y, 3, 0)
    y = np.where(labelled, data.y, -1)
    energy = ENERGIES["graph"]
    model = LaplacianClassifier(
        operator=energy.operator,
        bandwidth=energy.bandwidth,
        n_landmarks=energy.n_landmarks,
        mu=energy.mu,
        lam=LAM,
        balance="scale",
        random_state=0,
    ).fit(data.X, y)
    X_new = datasets.load("digits").X[:50]
    scores = prepare(BEST[:2], data.X, X_new)
    classes = digits_graph.predict(scores, data.y, labelled, 500, "scale")
    np.testing.assert_array_equal(classes[:500], model.predict(data.X))
    np.testing.assert_array_equal(classes[500:], model.predict(X_new))


@pytest.mark.parametrize("load", ["harmonic", "Poisson"])
def test_graphs_alone_have_values_at_new_points(load):
    data = datasets.load("digits", n_samples=300, random_state=0)
    labelled = datasets.draw_labels(data.y, 5, 0)
    scores = prepare(("k-NN graph alone, k = 7", load), data.X, data.X[:20] + 1e-9)
    classes = digits_graph.predict(scores, data.y, labelled, 300, None)
    assert len(classes) == 320
    assert np.mean(classes[:300] == data.y) > 0.85
    assert np.mean(classes[300:] == data.y[:20]) > 0.8
