"""Peers with shared kernels against scikit-learn's estimators."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from sklearn.svm import SVC

from lapviz import datasets
from lapviz.experiments import peers
from lapviz.experiments.peers import Sample

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample():
    data = datasets.load("iris", n_samples=140, random_state=0)
    X, y = data.X[:110], data.y[:110]
    labels = [
        np.flatnonzero(datasets.draw_labels(y, count, seed)) for count in (1, 4) for seed in (0, 1)
    ]
    return Sample(X, data.X[110:], y, data.y[110:], labels)


def width(sample, factor):
    return {"gamma": 1 / (2 * factor**2 * sample.X.var(axis=0).sum())}


def supervised(model, sample, rows):
    return model.fit(sample.X[rows], sample.y[rows]).predict(sample.points)


def ridge(model, sample, rows):
    codes = model.fit(sample.X[rows], np.eye(3)[sample.y[rows]]).predict(sample.points)
    return codes.argmax(axis=1)


def transductive(model, sample, rows):
    """Classes that the model predicts for the fit's points and for the new ones."""
    model.fit(sample.X, sample.target(rows))
    return np.append(model.transduction_, model.predict(sample.X_new))


LIMIT = {"max_iter": 20_000, "tol": 1e-12}  # of scikit-learn's iterations
SAME = [
    ("1-NN", "", supervised, lambda s: KNeighborsClassifier(1)),
    ("SVC", "σ = s/2, C = 10", supervised, lambda s: SVC(**width(s, 1 / 2), C=10)),
    ("KernelRidge", "σ = s/2, alpha = 0.1", ridge,
     lambda s: KernelRidge(kernel="rbf", **width(s, 1 / 2), alpha=0.1)),
    ("LabelPropagation", "σ = s/4", transductive,
     lambda s: LabelPropagation(**width(s, 1 / 4), max_iter=100_000, tol=1e-10)),
    *((name, f"{setting}, α = {alpha:g}", transductive,
       lambda s, alpha=alpha, options=options: LabelSpreading(**options(s), alpha=alpha, **LIMIT))
      for alpha in peers.ALPHAS for name, setting, options in (
          ("LabelSpreading, rbf", "σ = s/8", lambda s: {"kernel": "rbf", **width(s, 1 / 8)}),
          ("LabelSpreading, knn", "k = 10", lambda s: {"kernel": "knn", "n_neighbors": 10}))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "setting", "classes_of", "model"), SAME)
def test_a_peer_gives_the_classes_of_scikit_learns_estimator(
    sample, name, setting, classes_of, model
):
    classes = dict(peers.PEERS[name](sample))[setting]
    for rows, ours in zip(sample.labels, classes, strict=True):
        np.testing.assert_array_equal(ours, classes_of(model(sample), sample, rows))


@pytest.mark.parametrize("name", peers.PEERS)
def test_every_setting_learns_from_labels_and_names_itself(sample, name):
    names, predictions = zip(*peers.PEERS[name](sample), strict=True)
    truth = np.append(sample.y, sample.y_new)
    assert len(set(names)) == len(names)
    assert np.shape(predictions) == (len(names), 4, 140)
    best = max(np.mean(classes[2:] == truth) for classes in predictions)
    assert best > 0.85  # four labels per class
