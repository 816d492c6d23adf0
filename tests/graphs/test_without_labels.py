"""Labels left out, from one solve for all of them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import graphs


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_labels_left_out_are_those_of_a_solve_without_them(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    W = graphs.knn_weights(X, 5) if kind == "sparse" else graphs.dense_weights(X, 0.5)
    W = graphs.bridged(sp.csr_matrix(W), X, np.arange(120) == 0)
    W = W if kind == "sparse" else W.toarray()
    labelled, values = rng.permutation(120)[:9], rng.normal(size=(9, 3))
    folds = [np.array([0]), np.array([1, 4, 7]), np.arange(8)]
    measure = graphs.harmonic(W, labelled, np.eye(9))
    np.testing.assert_allclose(measure.sum(axis=1), 1)
    for fold, left in zip(folds, graphs.without_labels(W, labelled, measure, folds), strict=True):
        its = measure @ (left @ values)
        wanted = graphs.harmonic(W, np.delete(labelled, fold), np.delete(values, fold, axis=0))
        np.testing.assert_allclose(its, wanted, atol=1e-9)


def test_a_piece_without_another_label_has_the_mean_of_the_others():
    W = sp.block_diag([np.ones((3, 3)) - np.eye(3), np.ones((4, 4)) - np.eye(4)], format="csr")
    labelled, values = np.array([0, 3, 4]), np.array([[1.0], [5.0], [9.0]])
    measure = graphs.harmonic(W, labelled, np.eye(3))
    (left,) = graphs.without_labels(W, labelled, measure, [np.array([0])])
    found = measure @ (left @ values)
    np.testing.assert_allclose(found[:3, 0], 7)
    np.testing.assert_allclose(found[3:5, 0], [5, 9])
