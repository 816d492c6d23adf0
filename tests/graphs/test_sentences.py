"""What cannot work gets a sentence: one table for all graphs."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import graphs
from lapviz.graphs.eigenmaps import diffusion_maps

X = np.random.default_rng(0).normal(size=(60, 3))
PATH = sp.diags([np.ones(4), np.ones(4)], [-1, 1], format="csr")
CASES = [
    (lambda: graphs.dense_weights(X, 0.0), "bandwidth"),
    (lambda: graphs.knn_weights(X, weights="gaussian"), "bandwidth"),
    (lambda: graphs.knn_weights(X, 0), "n_neighbors"),
    (lambda: graphs.knn_weights(X, weights="cosine"), "cosine"),
    (lambda: graphs.knn_weights(X, symmetry="min"), "symmetry"),
    (lambda: graphs.search(X, 5, "fast"), "method"),
    (lambda: graphs.search(X, 0), "k must"),
    (lambda: graphs.laplacian(PATH, "signed"), "kind"),
    (lambda: graphs.graph_spectrum(PATH, 0), "k must"),
    (lambda: graphs.harmonic(PATH, [], np.empty((0, 1))), "No node"),
    (lambda: graphs.harmonic(PATH, [0, 1], np.ones(3)), "3 values"),
    (lambda: graphs.harmonic(PATH, [1, 1], np.ones(2)), "2 values for 1"),
    (lambda: graphs.spreading(PATH, [0], np.ones(1), alpha=1.0), "alpha"),
    (lambda: graphs.bridged(PATH, X[:5], np.zeros(5, bool)), "No node is labelled"),
    (lambda: graphs.match_functions(X, X[:5]), "same samples"),
    (lambda: graphs.match_functions(X, X * np.nan), "must be finite"),
    (lambda: graphs.match_functions(X, X, np.ones(2)), r"gamma must have shape \(3,\)"),
    (lambda: graphs.match_scale(np.zeros(3), np.ones(3)), "pieces"),
    (lambda: diffusion_maps(X, alpha=2), "alpha must be a number from 0 to 1"),
    (lambda: diffusion_maps(X, 0), "n_components"),
]


@pytest.mark.parametrize(("call", "sentence"), CASES)
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
