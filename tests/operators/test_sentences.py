"""What cannot work gets a sentence: one table for all operators."""

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.operators import Graph, ImageMoves, Sum
from lapviz.operators.invariances import (
    AugmentationDifferences,
    RandomDirections,
    UniformDirections,
)
from lapviz.operators.tangents import learn_tangents
from lapviz.spaces import KernelSpace

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
SPACE, FRAMES = KernelSpace(kernels.get("gaussian", 1.0), X[:5]), np.ones((4, 2, 2))


def at_four(operator):
    return lambda: operators.get(operator).directions(np.zeros((4, 2)))


def copies(change):
    return lambda: AugmentationDifferences(lambda X, rng: change(X)).stiffness(SPACE, X)


NONSENSE = "must be a name or have a method directions"
CASES = [
    *((at_four(bad), NONSENSE) for bad in (None, 3.0, np.eye(2))),
    (at_four("nabla"), r"'nabla'.*laplacian, tangent"),
    (at_four(operators.Tangent), "is the class Tangent"),
    (at_four(operators.WeightedLaplacian(lambda X: -FRAMES @ FRAMES)), "positive semi-definite"),
    (at_four(operators.WeightedLaplacian(lambda X: np.eye(2))), r"\(4, 2, 2\), got \(2, 2\)"),
    (at_four(operators.GivenDirections(FRAMES[:3])), "give directions for exactly these samples"),
    (at_four(operators.GivenDirections(FRAMES[:, 0])), "must have shape"),
    (lambda: operators.TorusTangent().directions(np.zeros((2, 3))), "number of coordinates, got 3"),
    (lambda: Graph(n_neighbors=0), "n_neighbors"),
    (lambda: Graph(weights="cosine"), "weights"),
    (lambda: Graph(graph="sparse"), "graph"),
    (lambda: Graph(kind="random-walk"), "kind"),
    (lambda: Graph(bandwidth=-1.0), "bandwidth"),
    (lambda: Graph(dimension=0), "dimension"),
    (lambda: Sum(("graph",), (1.0, 2.0)), "one weight for each part"),
    (lambda: Sum(("graph",), (-1.0,)), "at least 0"),
    (lambda: ImageMoves(0.0, 0.0), "set one above 0"),
    (lambda: ImageMoves(-1.0), "shift"),
    (lambda: ImageMoves()(np.ones((2, 3)), RNG), "have 64 features; X has 3"),
    (lambda: RandomDirections(lambda X, rng: X).directions(X), r"shape \(40, q, 2\), got \(40"),
    (lambda: UniformDirections(0), "n_draws must be an integer of at least 1"),
    (lambda: AugmentationDifferences(X.copy, 0), "n_pairs must be an integer of at least 1"),
    (copies(lambda X: X[:3]), r"augment\(X, rng\) must have shape \(40, 2\), got \(3, 2"),
    (copies(lambda X: X * np.nan), r"augment\(X, rng\) holds NaN"),
    (lambda: learn_tangents(X, n_directions=3), "at most the 2 features"),
    (lambda: learn_tangents(X, n_directions=0), "n_directions must be an integer"),
    (lambda: learn_tangents(X, n_neighbors=0), "n_neighbors must be an integer"),
    (lambda: learn_tangents(X, n_neighbors="many"), 'n_neighbors must be "auto"'),
    (lambda: learn_tangents(X, max_references=0), "max_references"),
]


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
