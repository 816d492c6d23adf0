r"""The rules by which a classifier with few labels chooses where its parameters say "auto".

All rules are label-free but the class proportions, deterministic, and follow the units of the data.

- **Units**: columns are standardised where half of them are far narrower than the widest
  (:mod:`lapviz.fit.scaling`).
- **Energy**: that of the k-NN graph over the sample, inside the trial space
  (:class:`lapviz.operators.Graph`) over at most :data:`MOST_NODES` of its rows. On tables with few
  labels it was ahead of the ambient and the tangential energy nearly everywhere, and on curves and
  surfaces it is as good. Its weights are self-tuning, times the share of common neighbours: they
  see through noise features and different densities, and hardly join two classes.
- **Overlap**: the mean J of these shares (:func:`lapviz.graphs.mean_overlap`) tells how much of the
  graph is the data's shape: .6 on curves, .3 on digits, .15 and less where noise features or wide
  clusters make neighbours nearly random.
- **Nodes**: from 200 rows on, a graph to be trusted is solved on its nodes, p = n functions: J at
  least .4 up to 2000 rows, falling to .2 at 10 000. Kernel functions smooth, which helps where
  neighbours are partly chance; where they are not, they join what the graph tells apart: four
  circles of 250 points with noise .1, one label each, are right at .67 and on the nodes at .999.
  Nodes have 8 neighbours at J ≥ .4 from 800 rows on, and pieces that no label reaches are joined to
  the rest by their shortest way out. Before the passes every label speaks for an equal part of the
  sample, as far as the graph is to be trusted (:mod:`lapviz.fit.graph`). All rows up to 200 000, of
  wide ones some 60 million numbers, are nodes, but not where most rows have none but copies of
  themselves near. Where p, σ, μ, a kernel, a filter or no passes are asked for, kernel functions
  are meant.
- **p**: of kernel functions, the share 1 − J of the rows, from a third to two thirds, between 20
  and 1200. Functions on a curve follow its graph with few; as many functions as rows would fit the
  sample and not its law.
- **μ**: penalty and energy are compared by their traces, μ = c·tr S/tr K, with
  c = min(½, (112/n)²): it vanishes as the sample grows.
- **λ**: of G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′) 1/100 of the mean over the sample of G(x, x), so that
  the labels are nearly interpolated, and no more than twice what a typical mode of G has, so that
  passes do not flatten it. Both without G's leading mode, the constant: no energy holds it but
  μ's, so that it would be nearly all of G in a large sample, and it tells no classes apart. With m
  labels per class times m^(−s). Where J is .35 or more the graph is to be trusted, and s = ¾; where
  it is .2 or less, s = 0: neighbours contradict labels, however many.
- **Proportions**: as given, else of the labels: their numbers and 16 more of each class, since the
  shares of a few random labels are far from those of the classes. Ten passes of thresholding
  (:mod:`lapviz.estimates.passes`) impose them; with m labels per class those of the labels with
  strength m^(−1/5), as many labels show them by themselves, and labels that somebody has set
  are rarely in proportion to their classes. Where J is .2 or less they show nothing, and the
  strength stays 1; from .25 on it falls so.
- **Linear part**: from the second label of a class on a logistic regression has a say in the
  proportions and in the scores, as far as labels held back speak for it, few of them less; from
  the third on it is helped by unlabelled points. A second one is in uncorrelated coordinates
  (:mod:`lapviz.fit.supervised`).
- **Guard**: passes that lose a class or labels held back are undone, and probabilities are those at
  which labels held back are best foretold (:mod:`lapviz.fit.guard`).

:mod:`lapviz.fit.plans` applies them, in this order, and says so. The constants were chosen on
standardised tables, blobs, curves and digits together, and are not those that are best on any of
them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse.linalg import eigsh

from lapviz import operators
from lapviz.estimates.labelled import EnergyFactor
from lapviz.forms import Forms
from lapviz.linalg import OVERFLOW
from lapviz.spaces import sampling

Array = np.ndarray

MOST_NODES = 10_000
NEIGHBORS = 6
GRAPH = operators.Graph(n_neighbors=NEIGHBORS, weights="shared")  # what "auto" stands for
FEWEST_NODES, ALL_NODES = 200, 200_000  # rows that are nodes by themselves
NODE_NUMBERS = 60_000_000  # in all of them, about: of wide rows there are fewer
NODE_ROWS, NODE_OVERLAPS = (2000, 10_000), (0.4, 0.2)  # mean overlap from which on they are
CURVE_OVERLAP, CURVE_ROWS = 0.4, 800  # from which on nodes have more neighbours
CURVE_NEIGHBORS = 8
FEWEST, MOST = 20, 1200  # test functions
LEAST_SHARE, MOST_SHARE = 1 / 3, 2 / 3  # the same for each row
MU_ROWS, MU_POWER, MU_MOST = 112, 2, 0.5
LAM = 0.01
MODES = 2.0  # λ/θ of a typical mode at most: a pass keeps a fifth of what guesses say of it
NOISE_OVERLAP, RELIABLE_OVERLAP = (
    0.2,
    0.35,
)  # mean overlaps of a graph of noise, and of one to be trusted
PROPORTIONS_OVERLAP = 0.25  # mean overlap from which on labels show the proportions
LAM_POWER = 3 / 4  # how fast λ falls with more labels, where the graph is to be trusted
PSEUDO = 16  # labels of each class that are added to the given ones, for the proportions
FADING = 1 / 5  # how fast the proportions count less with more labels, where the graph is trusted
_NOTHING = 1e-9  # of the mean of G: rounding


def trusts_nodes(n: int, overlap: float) -> bool:
    """Whether n rows are nodes by themselves, for a graph of that mean overlap."""
    needed = np.interp(np.log(n), np.log(NODE_ROWS), NODE_OVERLAPS)
    return n >= FEWEST_NODES and overlap >= needed


def most_nodes(n_features: int) -> int:
    """How many rows of so many columns are nodes at most."""
    return max(MOST_NODES, min(ALL_NODES, NODE_NUMBERS // n_features))


def node_energy(n: int, overlap: float):
    """The operator of n nodes, for a graph of that mean overlap."""
    more = n >= CURVE_ROWS and overlap >= CURVE_OVERLAP
    return replace(GRAPH, n_neighbors=CURVE_NEIGHBORS) if more else GRAPH


def share(overlap: float) -> float:
    """Test functions for each row, for a graph of that mean overlap."""
    return float(np.clip(1 - overlap, LEAST_SHARE, MOST_SHARE))


def landmarks(n: int, overlap: float = 0.0) -> int:
    """p for n rows and a graph of that mean overlap; by default the most that it can be."""
    return max(1, min(n, max(FEWEST, min(MOST, round(share(overlap) * n)))))


def nodes(n: int, labelled: Array, most: int | None = None) -> Array:
    """Of more than ``most`` rows those for the graph: the labelled ones and others at random.

    By default they are MOST_NODES.

    ``labelled`` is a mask (n,), or ascending rows. The others are a sample that does not depend on
    how the rows are split (:mod:`lapviz.spaces.sampling`).
    """
    rows, most = row_numbers(labelled), MOST_NODES if most is None else most
    wanted = max(most - len(rows), min(most // 2, n - len(rows)))
    return np.union1d(rows, np.arange(n)[sampling.rows(n, wanted, without=rows)])


def row_numbers(labelled: Array) -> Array:
    """Ascending rows, from a mask (n,) or from themselves."""
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


def green(factor: EnergyFactor, forms: Forms) -> tuple[float, float]:
    """Two numbers of G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′) without its leading mode, in length².

    The mean of G(x, x) over the sample, Σθ; the variance of a mode that much of G is in, Σθ²/Σθ.
    θ are the eigenvalues of L⁻¹ML⁻ᵀ.
    """
    keep, scale = factor.keep, factor.scale[factor.keep]
    M = forms.mass[np.ix_(keep, keep)] * scale * scale[:, None]
    half = solve_triangular(factor.L, M, lower=True, check_finite=False)
    whole = solve_triangular(factor.L, half.T, lower=True, check_finite=False)
    total, squares = max(float(np.trace(whole)), 0.0), float(np.sum(whole**2))
    if len(whole) > FEWEST:
        top = eigsh(whole, 1, v0=np.ones(len(whole)), return_eigenvectors=False)[0]
    else:
        top = np.linalg.eigvalsh(whole)[-1]
    rest = total - float(top)
    if not rest > _NOTHING * total:  # a single function
        return total, total
    return rest, max(squares - float(top) ** 2, 0.0) / rest


def lam(factor: EnergyFactor, forms: Forms) -> float:
    """λ for one label of each class: a small part of the mean of G(x, x), at most two modes."""
    mean, typical = green(factor, forms)
    return min(LAM * mean, MODES * typical)


def lam_factor(per_class: float, overlap: float) -> float:
    """By what λ is multiplied for m labels per class and a graph of that mean overlap."""
    return max(per_class, 1.0) ** (-LAM_POWER * trust(overlap))


def trust(overlap: float, sure: float = RELIABLE_OVERLAP) -> float:
    """How far a graph of that mean overlap is no noise: from 0, at that of noise, to 1."""
    return float(np.clip((overlap - NOISE_OVERLAP) / (sure - NOISE_OVERLAP), 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Proportions:
    """Shares (K,) of the classes in the sample, and with which strength passes impose them."""

    shares: Array
    strength: float = 1.0


def proportions(counts: Array, pseudo: float = PSEUDO, overlap: float = 1.0) -> Proportions:
    """Of labels, from their numbers (K,) and ``pseudo`` more of each class, beside that graph."""
    shares = (counts + pseudo) / (counts.sum() + pseudo * len(counts))
    return Proportions(
        shares, float(max(counts.mean(), 1.0) ** (-FADING * trust(overlap, PROPORTIONS_OVERLAP)))
    )
