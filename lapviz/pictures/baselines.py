"""Kernel ridge and the graph Laplacian on the same scribbles, to compare with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz import estimates, fit
from lapviz.checks import check_count, check_nonnegative
from lapviz.linalg import blocks
from lapviz.pictures.segment import LAM, Segmenter, thinned
from lapviz.pictures.strokes import Stroke

Array = np.ndarray

MOST_RIDGE = 1000  # scribbled pixels, over which kernel ridge holds a full matrix
MOST_NODES = 10_000  # pixels of a graph
_BLOCK = 8192


def ridge_classes(
    segmenter: Segmenter, strokes: Sequence[Stroke], lam: float = LAM, step: int = 1
) -> Array:
    """Classify by kernel ridge on the scribbled pixels alone, with the ridge λμ.

    Parameters
    ----------
    segmenter : Segmenter
        From :func:`prepare`.
    strokes : sequence of Stroke
        In the order in which they were painted.
    lam : float, default 0.01
        λ, at least 0.
    step : int, default 1
        Only every ``step``-th pixel is classified, in either direction.

    Returns
    -------
    uint8 array (h', w')
        Class codes of the classified pixels.

    Raises
    ------
    ValueError
        If fewer than two classes are scribbled, λ is negative, or the step is not a whole number
        from 1 on.
    """
    check_nonnegative("lam", lam)
    check_count("step", step)
    rows, codes = thinned(*segmenter.labelled(strokes), MOST_RIDGE)
    classes, codes = np.unique(codes, return_inverse=True)
    kernel, X = segmenter.kernel, segmenter.points[rows].astype(float)
    targets = estimates.class_codes(codes, len(classes))
    weights = estimates.ridge_on_labels(kernel, X, targets, lam * segmenter.mu)
    points = segmenter.at(step)
    batches = (points[rows].astype(float) for rows in blocks(len(points), _BLOCK))
    best = np.concatenate([estimates.decode(kernel(batch, X) @ weights) for batch in batches])
    return classes[best].astype(np.uint8).reshape([-(-n // step) for n in segmenter.shape])


def graph_classes(
    segmenter: Segmenter, strokes: Sequence[Stroke], spec: fit.GraphSpec | None = None
) -> tuple[Array, int]:
    """Classify by a graph over a lattice of at most 10 000 pixels.

    Each pixel of the lattice represents a square of pixels. It is labelled if a stroke touches the
    square, with the first class that occurs in it.

    Parameters
    ----------
    segmenter : Segmenter
        From :func:`prepare`.
    strokes : sequence of Stroke
        In the order in which they were painted.
    spec : lapviz.fit.GraphSpec, optional
        The graph and the method; by default harmonic functions on a k-NN graph.

    Returns
    -------
    uint8 array (h', w'), int
        Class codes of the lattice, and its step.

    Raises
    ------
    ValueError
        If fewer than two classes are scribbled, or a class has no square of its own.
    """
    h, w = segmenter.shape
    step = max(1, int(np.ceil(np.sqrt(h * w / MOST_NODES))))
    rows, codes = segmenter.labelled(strokes)
    nodes, (n_rows, n_columns) = segmenter.at(step), (-(-h // step), -(-w // step))
    squares = (rows // w // step) * n_columns + (rows % w) // step
    touched, first = np.unique(squares, return_index=True)
    n_scribbled = len(np.unique(codes))
    classes, codes = np.unique(codes[first], return_inverse=True)
    if len(classes) < n_scribbled:
        raise ValueError(
            f"The graph has one node for each square of {step} × {step} pixels, and a class is "
            "only in squares of other classes: scribble it farther from them, or longer."
        )
    labelled = np.zeros(len(nodes), dtype=bool)
    labelled[touched] = True
    spec = fit.graph.resolve(nodes, spec or fit.GraphSpec())
    one_hot = np.eye(len(classes))[codes]
    shares = fit.graph.shares(fit.graph.weights(nodes, spec), labelled, one_hot, spec)
    return classes[shares.argmax(axis=1)].astype(np.uint8).reshape(n_rows, n_columns), step
