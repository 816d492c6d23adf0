"""Digits with the graph's energy: the required accuracies, on a few draws."""

import numpy as np
import pytest

from lapviz import LaplacianClassifier, datasets
from lapviz.experiments import digits_graph, registry, runs
from lapviz.experiments.digits_graph import ENERGIES, LAM, means, prepare

BEST = ("graph", "least squares", "scale")
BARS = {1: 0.88, 2: 0.92, 5: 0.95, 10: 0.97}


@pytest.mark.long
def test_the_bars():
    """Means of 20 draws, as the module prints; the loss over four has a standard error of .01."""
    experiment = registry.get("digits_graph")
    config = experiment.Config(trials=20, methods=(" | ".join(BEST),))
    rows = runs.run(experiment, config).rows
    accuracies = means(rows)
    assert list(accuracies) == [(BEST, count) for count in BARS]
    for (_, count), mean in accuracies.items():
        assert mean["unlabelled"] > BARS[count] - 0.005
        assert mean["seen"] - mean["held_out"] < 0.02
    assert f"| {accuracies[BEST, 10]['unlabelled']:.3f} (" in experiment.markdown(rows)


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
