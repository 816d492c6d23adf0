"""Operators: the derivatives of a function that the Dirichlet energy counts.

The ambient Laplacian uses the d coordinate axes, a tangential one an orthonormal basis of the
tangent space, known or learnt, a weighted one the columns of a square root of A(x), a graph the
differences along its edges. To add an operator, see :mod:`lapviz.operators.base`.
"""

from lapviz.operators.base import (
    Sum,
    assemble,
    at_rows,
    get,
    names,
    register,
    restricted,
    weighted_rows,
)
from lapviz.operators.directional import (
    GivenDirections,
    Laplacian,
    SphereTangent,
    TorusTangent,
    WeightedLaplacian,
)
from lapviz.operators.graph import Graph, WeightedGraph
from lapviz.operators.invariances import (
    AugmentationDifferences,
    ImageMoves,
    RandomDirections,
    UniformDirections,
)
from lapviz.operators.parts import Running, by_rows
from lapviz.operators.tangents import Tangent, Tangents, learn_tangents

for _operator in (Laplacian, Tangent, SphereTangent, TorusTangent, Graph):  # menu order
    register(_operator)

__all__ = [
    "AugmentationDifferences",
    "GivenDirections",
    "Graph",
    "ImageMoves",
    "Laplacian",
    "RandomDirections",
    "Running",
    "SphereTangent",
    "Sum",
    "Tangent",
    "Tangents",
    "TorusTangent",
    "UniformDirections",
    "WeightedGraph",
    "WeightedLaplacian",
    "assemble",
    "at_rows",
    "by_rows",
    "get",
    "learn_tangents",
    "names",
    "register",
    "restricted",
    "weighted_rows",
]
