"""Peers with shared kernels against scikit-learn's own estimators."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from sklearn.svm import SVC

from lapviz import datasets
from lapviz.experiments import peers
from lapviz.experiments.peers import Sample


@pytest.fixture(scope="module")
def sample():
    data = datasets.load("iris", n_samples=140, random_state=0)
    X, y = data.X[:110], data.y[:110]
    labels = [
        np.flatnonzero(datasets.draw_labels(y, count, seed)) for count in (1, 4) for seed in (0, 1)
    ]
    return Sample(X, data.X[110:], y, data.y[110:], labels)


def gamma(sample, factor):
    return 1 / (2 * factor**2 * sample.X.var(axis=0).sum())


def found(peer, sample, setting):
    return next(np.array(classes) for name, classes in peer(sample) if name == setting)


def transduced(model, sample, rows):
    """Classes that scikit-learn's model gives to the fit's points and to the new ones."""
    model.fit(sample.X, sample.target(rows))
    return np.append(model.transduction_, model.predict(sample.X_new))


@pytest.mark.parametrize("alpha", peers.ALPHAS)
@pytest.mark.parametrize(
    ("peer", "setting", "options"),
    [
        (peers.spreading, "σ = s/8", {"kernel": "rbf"}),
        (peers.spreading_knn, "k = 10", {"kernel": "knn", "n_neighbors": 10}),
    ],
)
def test_spreading_is_the_limit_of_scikit_learns(sample, alpha, peer, setting, options):
    if options["kernel"] == "rbf":
        options = options | {"gamma": gamma(sample, 1 / 8)}
    classes = found(peer, sample, f"{setting}, α = {alpha:g}")
    for rows, mine in zip(sample.labels, classes, strict=True):
        model = LabelSpreading(alpha=alpha, max_iter=20_000, tol=1e-12, **options)
        np.testing.assert_array_equal(mine, transduced(model, sample, rows))


@pytest.mark.slow
def test_propagation_is_the_limit_of_scikit_learns(sample):
    classes = found(peers.propagation, sample, "σ = s/4")
    for rows, mine in zip(sample.labels, classes, strict=True):
        model = LabelPropagation(gamma=gamma(sample, 1 / 4), max_iter=100_000, tol=1e-10)
        np.testing.assert_array_equal(mine, transduced(model, sample, rows))


@pytest.mark.slow
def test_kernels_are_scikit_learns(sample):
    g = gamma(sample, 1 / 2)
    svc = found(peers.svc, sample, "σ = s/2, C = 10")
    ridge = found(peers.kernel_ridge, sample, "σ = s/2, alpha = 0.1")
    nearest = found(peers.nearest, sample, "")
    for i, rows in enumerate(sample.labels):
        X, y = sample.X[rows], sample.y[rows]
        for classes, own in ((svc, SVC(gamma=g, C=10)), (nearest, KNeighborsClassifier(1))):
            np.testing.assert_array_equal(classes[i], own.fit(X, y).predict(sample.points))
        own = KernelRidge(kernel="rbf", gamma=g, alpha=0.1).fit(X, np.eye(3)[y])
        np.testing.assert_array_equal(ridge[i], own.predict(sample.points).argmax(axis=1))


@pytest.mark.parametrize("name", peers.PEERS)
def test_every_setting_learns_from_labels_and_names_itself(sample, name):
    names, tried = zip(*peers.PEERS[name](sample), strict=True)
    truth = np.append(sample.y, sample.y_new)
    assert len(set(names)) == len(names)
    assert np.shape(tried) == (len(names), 4, 140)
    best = max(np.mean(classes[2:] == truth) for classes in tried)
    assert best > 0.85  # four labels per class
