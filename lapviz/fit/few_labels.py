r"""The rules for "auto" in a classifier with few labels.

The rules are deterministic and follow the units of the data. Those before the class proportions do
not use the classes of the labels.

- **Units**: columns are standardised where half of them are far narrower than the widest
  (:mod:`lapviz.fit.scaling`).
- **Energy**: that of the k-NN graph over the sample, inside the trial space
  (:class:`lapviz.operators.Graph`) over at most :data:`MOST_NODES` of its rows. On tables with few
  labels it was ahead of the ambient and the tangential energy nearly everywhere, and on curves and
  surfaces it is as good. Its weights are self-tuning, times the share of common neighbours: they
  are robust to noise features and varying density, and hardly connect two classes.
- **Overlap**: the mean J of these shares (:func:`lapviz.graphs.mean_overlap`) measures how much of
  the graph reflects the shape of the data: .6 on curves, .3 on digits, .15 and less where noise
  features or wide clusters make neighbours nearly random.
- **Nodes**: from 200 rows on, a reliable graph is solved on its nodes, p = n functions: J at
  least .4 up to 1500 rows, falling to .2 at 4000. Kernel functions smooth, which helps where
  neighbours are partly random; where they are not, it blurs what the graph separates: on four
  circles of 250 points with noise .1, one label each, the accuracy is .67, and on the nodes .99.
  Nodes have 10 neighbours. Where J is .48 or more, as on curves, so many could join two of them:
  there nodes have 6, and 8 from 800 rows on. Connected components without a label are joined to the
  rest by the shortest edge. Before the passes every label stands for an equal part of the sample,
  as far as the graph is reliable (:mod:`lapviz.fit.graph`); no longer where labels times nodes are
  over 2 million and a class has more than 5 labels on average. All rows up to 200 000 are nodes (of
  wide rows, up to some 60 million numbers), unless most rows have only duplicates of themselves as
  neighbours. Setting p, σ, μ, a kernel, a filter or no passes selects kernel functions.
- **p**: of kernel functions, the share 1 − J of the rows, from a third to two thirds, between 20
  and 1200. On a curve a few functions follow the graph; as many functions as rows would fit the
  sample and not its distribution.
- **μ**: penalty and energy are compared by their traces, μ = c·tr S/tr K, with
  c = min(½, (112/n)²): it vanishes as the sample grows.
- **λ**: with G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′), 1/100 of the mean over the sample of G(x, x), so that
  the labels are nearly interpolated, and at most twice the variance of a typical mode of G, so that
  passes do not flatten it. Both leave out G's leading mode, the constant: only μ penalises it, so
  that it would be nearly all of G in a large sample, and it does not separate classes. With m
  labels per class it is multiplied by m^(−s). Where J is .35 or more the graph is reliable, and
  s = ¾; where it is .2 or less, s = 0: neighbours contradict labels, however many there are. Where
  most rows have copies s = ¾, too: those of a labelled row nearly always have its label.
- **Class proportions**: as given, else of the labels, with 16 pseudo-labels added to each class,
  since the proportions of a few random labels are far from those of the classes. Ten passes of
  thresholding, or MBO iterations (:mod:`lapviz.estimates.passes`), impose them: given ones on the
  guesses, those of m labels per class on mean shares, with strength m^(−1/5), as many labels show
  the proportions by themselves, and labels set by hand are rarely in proportion to their classes.
  Where J is .2 or less labels show nothing, and the strength stays 1; from .25 on it falls so.
  Where wide gaps separate parts of the sample, they say how large classes are: the proportions are
  estimated in each part, from its labels and for its classes.
- **Linear part**: from the second label of a class on, proportions and scores are combined with
  those of a logistic regression, as far as held-out labels support it, the less the fewer there
  are, and more where the estimate depends on single labels; from the third label on it also uses
  unlabelled points, on the same condition. Two further ones are in uncorrelated coordinates, and in
  ranks and their squares (:mod:`lapviz.fit.supervised`).
- **Guard**: passes that lose a class or held-out labels are undone, and probabilities are
  calibrated on held-out labels (:mod:`lapviz.fit.guard`).

:mod:`lapviz.fit.plans` applies the rules in this order and reports them. The constants were chosen
on standardised tables, blobs, curves and digits together, and are not the best on any one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import eigsh

from lapviz import graphs, operators
from lapviz.estimates.labelled import EnergyFactor
from lapviz.forms import Forms
from lapviz.linalg import OVERFLOW, solve_lower
from lapviz.spaces import sampling

Array = np.ndarray

MOST_NODES = 10_000
NEIGHBORS = 6
GRAPH = operators.Graph(n_neighbors=NEIGHBORS, weights="shared")  # the automatic operator
FEWEST_NODES, ALL_NODES = 200, 200_000  # number of rows for which nodes are the trial space
NODE_NUMBERS = 60_000_000  # entries of all nodes, about: of wide rows there are fewer nodes
NODE_ROWS, NODE_OVERLAPS = (1500, 4000), (0.4, 0.2)  # mean overlap above which nodes are used
NODE_NEIGHBORS = 10
CURVE_OVERLAP = 0.48  # above which nodes have fewer: NEIGHBORS, and from CURVE_ROWS rows on
CURVE_ROWS, CURVE_NEIGHBORS = 800, 8
FEWEST, MOST = 20, 1200  # test functions
LEAST_SHARE, MOST_SHARE = 1 / 3, 2 / 3  # test functions per row
MU_ROWS, MU_POWER, MU_MOST = 112, 2, 0.5
LAM = 0.01
MODES = 2.0  # λ/θ of a typical mode, at most: a pass then keeps a fifth of it
NOISE_OVERLAP, RELIABLE_OVERLAP = 0.2, 0.35  # mean overlaps of graphs of noise, of reliable ones
PROPORTIONS_OVERLAP = 0.25  # mean overlap above which labels show the class proportions
LAM_POWER = 3 / 4  # decay of λ with the number of labels, for a reliable graph
PSEUDO = 16  # pseudo-labels of each class, for the proportions
FADING = 1 / 5  # decay of the proportions' strength with the number of labels, likewise
INDEPENDENT = 1e-9  # squared distance in energy from the span of the other functions, for λ
_ROUNDING = 1e-9  # of the mean of G


def uses_nodes(n: int, overlap: float) -> bool:
    """Whether the trial space of n rows is that of the nodes of a graph with this mean overlap."""
    needed = np.interp(np.log(n), np.log(NODE_ROWS), NODE_OVERLAPS)
    return n >= FEWEST_NODES and overlap >= needed


def most_nodes(n_features: int) -> int:
    """Upper limit on the number of nodes."""
    return max(MOST_NODES, min(ALL_NODES, NODE_NUMBERS // n_features))


def node_operator(n: int, overlap: float):
    """The operator on n nodes of a graph with this mean overlap."""
    if overlap < CURVE_OVERLAP:
        return replace(GRAPH, n_neighbors=NODE_NEIGHBORS)
    return replace(GRAPH, n_neighbors=CURVE_NEIGHBORS) if n >= CURVE_ROWS else GRAPH


def share(overlap: float) -> float:
    """Test functions per row, for a graph with this mean overlap."""
    return float(np.clip(1 - overlap, LEAST_SHARE, MOST_SHARE))


def landmarks(n: int, overlap: float = 0.0) -> int:
    """p for n rows and a graph with this mean overlap; by default its largest value."""
    return max(1, min(n, max(FEWEST, min(MOST, round(share(overlap) * n)))))


def nodes(n: int, labelled: Array, max_nodes: int | None = None) -> Array:
    """Rows of the graph over n rows: the labelled ones and a random sample of the others.

    ``max_nodes`` is MOST_NODES by default; more nodes only if labels take up more than half.

    ``labelled`` is a mask (n,), or ascending rows. The sample does not depend on how the rows are
    split (:mod:`lapviz.spaces.sampling`).
    """
    rows, max_nodes = row_numbers(labelled), MOST_NODES if max_nodes is None else max_nodes
    n_others = max(max_nodes - len(rows), min(max_nodes // 2, n - len(rows)))
    return np.union1d(rows, np.arange(n)[sampling.rows(n, n_others, without=rows)])


def row_numbers(labelled: Array) -> Array:
    """Ascending row numbers, from a mask (n,) or from row numbers."""
    return np.flatnonzero(labelled) if labelled.dtype == bool else labelled


def mu(forms: Forms, n: int) -> float:
    """μ from the traces of stiffness and Gram matrix.

    Raises
    ------
    ValueError
        If numbers overflow.
    """
    share = min(MU_MOST, (MU_ROWS / n) ** MU_POWER)
    gram, energy = np.trace(forms.gram), np.trace(forms.stiffness)
    if not (np.isfinite(gram) and np.isfinite(energy)):
        raise ValueError(OVERFLOW)
    return float(share * energy / gram) if gram > 0 else 0.0


def green_moments(factor: EnergyFactor, forms: Forms) -> tuple[float, float]:
    """Two moments of G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′) without its leading mode, in length².

    The mean of G(x, x) over the sample, Σθ, and the variance of a typical mode, Σθ²/Σθ. θ are the
    eigenvalues of L⁻¹ML⁻ᵀ, without functions whose energy of unit norm is so close to that of
    others that L⁻¹ amplifies the rounding of M.
    """
    rank = np.count_nonzero(np.diag(factor.L) ** 2 > INDEPENDENT)  # pivots decrease
    keep, L = factor.keep[:rank], factor.L[:rank, :rank]
    scale = factor.scale[keep]
    M = forms.mass[np.ix_(keep, keep)] * scale * scale[:, None]
    whitened = solve_lower(L, solve_lower(L, M).T)
    total = max(float(np.trace(whitened)), 0.0)
    unit = 2.0 ** np.frexp(total)[1] if np.isfinite(total) else 1.0  # keeps squares in range
    whitened /= unit
    squares = float(np.sum(whitened**2))
    if len(whitened) > FEWEST:
        top = eigsh(whitened, 1, v0=np.ones(len(whitened)), return_eigenvectors=False)[0]
    else:
        top = np.linalg.eigvalsh(whitened)[-1]
    remainder = total / unit - float(top)
    if not remainder > _ROUNDING * (total / unit):  # a single function
        return total, total
    return remainder * unit, unit * (max(squares - float(top) ** 2, 0.0) / remainder)


def lam(factor: EnergyFactor, forms: Forms) -> float:
    """λ for one label of each class: a small part of the mean of G(x, x), at most two modes."""
    mean, typical = green_moments(factor, forms)
    return min(LAM * mean, MODES * typical)


def lam_factor(per_class: float, overlap: float) -> float:
    """The factor of λ for m labels per class and a graph with this mean overlap."""
    return max(per_class, 1.0) ** (-LAM_POWER * trust(overlap))


def trust(overlap: float, reliable: float = RELIABLE_OVERLAP) -> float:
    """Reliability of a graph with this mean overlap: from 0, for noise, to 1."""
    return float(np.clip((overlap - NOISE_OVERLAP) / (reliable - NOISE_OVERLAP), 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Proportions:
    """Class proportions of the sample.

    Attributes
    ----------
    shares : array (K,), of sum 1
    strength : float, with which passes impose estimated proportions
    known : bool, whether they are given, so that the guesses of passes have them
    n_parts : int, of the sample, in each of which they were estimated
    """

    shares: Array
    strength: float = 1.0
    known: bool = False
    n_parts: int = 1


def given_proportions(class_prior, n_classes: int) -> Proportions | None:
    """Class proportions (K,) from ``class_prior``, None without it.

    Raises
    ------
    ValueError
        If it is not one positive number for each class.
    """
    if class_prior is None:
        return None
    try:
        prior = np.asarray(class_prior, dtype=float)
    except (TypeError, ValueError):  # texts, or lists of different lengths
        prior = np.empty(0)
    if prior.shape != (n_classes,) or not (prior > 0).all() or not np.isfinite(prior.sum()):
        raise ValueError(
            f"class_prior must be {n_classes} positive numbers, one for each class in y, in "
            f"sorted order; got {class_prior!r}."
        )
    return Proportions(prior / prior.sum(), known=True)


def separated_parts(
    W: csr_matrix, X: Array, positions: Array, mass: Array | None = None
) -> tuple[Array, Array] | None:
    """The part of the sample in which each label is, and the sizes of these parts.

    Parts are separated by gaps (:func:`lapviz.graphs.separated`), after those without a label are
    joined to the nearest others (:func:`lapviz.graphs.bridged`).

    Parameters
    ----------
    W : CSR matrix (n, n)
    X : array (n, d)
        The nodes.
    positions : int array (m,)
        Nodes of the labels, -1 for one that is not a node: parts are then not known.
    mass : array (n,), optional
        Weights of the nodes.

    Returns
    -------
    tuple of arrays (m,) and (c,), or None if there is one part
    """
    if (positions < 0).any():
        return None
    labelled = np.isin(np.arange(len(X)), positions)
    part = graphs.separated(graphs.bridged(W, X, labelled), X)
    return (part[positions], np.bincount(part, mass)) if part.any() else None


def proportions(
    labels: Array,
    pseudo: float = PSEUDO,
    overlap: float = 1.0,
    parts: tuple[Array, Array] | None = None,
) -> Proportions:
    """Class proportions from labels, with ``pseudo`` more of each class.

    Parameters
    ----------
    labels : array (m, K)
        What each counts for each class: one-hot without weights.
    pseudo, overlap : float
    parts : tuple of arrays, optional
        As returned by :func:`separated_parts`. A class that has labels elsewhere is not assumed
        where it has none.
    """
    where, sizes = parts or (np.zeros(len(labels), dtype=int), np.ones(1))
    counts = np.zeros((len(sizes), labels.shape[1]))
    np.add.at(counts, where, labels)
    total = counts.sum(axis=0)
    counts += pseudo * ((counts > 0) | (total == 0))
    shares = np.average(counts / counts.sum(axis=1, keepdims=True), axis=0, weights=sizes)
    strength = max(total.mean(), 1.0) ** (-FADING * trust(overlap, PROPORTIONS_OVERLAP))
    return Proportions(shares, float(strength), n_parts=len(sizes))
