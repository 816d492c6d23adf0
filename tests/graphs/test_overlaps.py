"""The overlap of neighbourhoods by hand; sets of neighbours are compared in test_graphs."""

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import graphs


def test_weights_do_not_matter_but_zeros_do():
    W = sp.csr_matrix(np.array([[0, 5.0, 1e-9], [5.0, 0, 0], [1e-9, 0, 0]]))
    np.testing.assert_allclose(
        graphs.overlap(W).toarray(), [[0, 2 / 3, 2 / 3], [2 / 3, 0, 0], [2 / 3, 0, 0]]
    )
    W[0, 2] = W[2, 0] = 0  # an explicit zero is no edge
    assert graphs.overlap(W).toarray()[0].tolist() == [0, 1, 0]


def test_cliques_bridges_and_no_edges():
    clique = np.ones((4, 4)) - np.eye(4)
    W = np.kron(np.eye(2), clique)
    W[3, 4] = W[4, 3] = 1.0  # two cliques and a bridge
    shares = graphs.overlap(sp.csr_matrix(W)).toarray()
    assert shares[0, 1] == 1.0
    assert shares[3, 4] == pytest.approx(2 / 8)
    assert shares[2, 3] == pytest.approx(4 / 5)
    edges = [2 / 8] * 2 + [4 / 5] * 12 + [1.0] * 12
    assert graphs.mean_overlap(sp.csr_matrix(W)) == pytest.approx(np.mean(edges))
    assert graphs.mean_overlap(sp.csr_matrix((3, 3))) == 1.0
    assert graphs.overlap(sp.csr_matrix((0, 0))).shape == (0, 0)
