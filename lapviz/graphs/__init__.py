"""Graph Laplacians, dense and k-NN: weights, spectra, harmonic functions and spreading.

The baselines of the papers. A graph is represented by its weight matrix W (n, n), symmetric,
non-negative, with a zero diagonal: an array (dense) or a SciPy CSR matrix (k-NN). Every function
handles isolated nodes, components without a label, and weights that underflow.
"""

from lapviz.graphs.components import bridged, separated
from lapviz.graphs.grounded import GroundedLaplacian
from lapviz.graphs.laplacians import KINDS, GraphSpectrum, graph_spectrum, laplacian, match_scale
from lapviz.graphs.matching import eigenspaces, match_functions
from lapviz.graphs.neighbours import Neighbours, past_copies, recall, search
from lapviz.graphs.propagation import harmonic, spreading, without_labels
from lapviz.graphs.space import NodeReach, NodeSpace, extend_dense, extend_knn, knn_extension
from lapviz.graphs.weights import (
    WEIGHTS,
    check_dense_size,
    dense_weights,
    knn_weights,
    mean_overlap,
    overlap,
    with_mass,
)

__all__ = [
    "KINDS",
    "WEIGHTS",
    "GraphSpectrum",
    "GroundedLaplacian",
    "Neighbours",
    "NodeReach",
    "NodeSpace",
    "bridged",
    "check_dense_size",
    "dense_weights",
    "eigenspaces",
    "extend_dense",
    "extend_knn",
    "graph_spectrum",
    "harmonic",
    "knn_extension",
    "knn_weights",
    "laplacian",
    "match_functions",
    "match_scale",
    "mean_overlap",
    "overlap",
    "past_copies",
    "recall",
    "search",
    "separated",
    "spreading",
    "with_mass",
    "without_labels",
]
