r"""Tangent spaces learnt by local PCA, with neighbours and dimension chosen from the data.

At a sample x the k nearest samples are centred, and their q leading principal directions are the
tangents at x. On a noisy curve the neighbourhood must be wider than the noise but narrower than the
radius of curvature; on a few thousand images k must be small to exclude samples of other classes.
One rule serves both: *the smallest neighbourhood that is as flat as any*. Flatness is measured by

    D(k) = ((k + 1) r − 2) / (k − r),    1/r = mean of Σ_j s_j²,

with s_j the shares of the local variance along its principal directions, and the mean over anchor
samples. r estimates the number of directions, with a downward bias for few points: for k + 1 normal
points of D equal variances E[tr C²] / E[(tr C)²] = (k + D + 1) / (kD + 2) (moments of the Wishart
distribution), and solving for D removes the bias. So D(k) stays at d for every k if the sample
fills R^d or an affine subspace of dimension d; near a noisy curve it falls from d towards 1 as the
neighbourhood outgrows the noise, and rises again where the curve bends.

Evidence for the rule and its constants (:mod:`lapviz.experiments.dimension`: 24 manifolds of
dimension 1 to 6, 7 of them with noise, n = 300, 1000 and 3000): the number of directions is right
in 69 of 72 rows, that of TwoNN and of Levina and Bickel's maximum likelihood, rounded, in 47 each.
Both count noise (four circles, noise .1, n = 3000: 1 here, 2.05 and 1.83 there; at the k chosen
here still 1.6) and fall short in high dimension (the 6-cube in R⁶, n = 3000: 6, 5.58, 5.29). The
rule is wrong, at every n, on a plane in R⁵⁰ with noise .02 in each coordinate (7 to 14; TwoNN 17 to
25), and of a sample that does not fill its affine hull it considers at most k/2 directions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.checks import check_count, check_points, check_weights
from lapviz.operators.directional import GivenDirections, Laplacian
from lapviz.operators.neighborhoods import References, batches, references_among
from lapviz.parameters import parameter
from lapviz.progress import track

Array = np.ndarray

MAX_REFERENCES = 5000  # neighbours are searched among at most this many samples
SMALLEST = 10  # neighbours; with fewer, two equal variances appear as shares of .7 and .3
LARGEST = 1 / 8  # of the references: a larger neighbourhood is hardly local
SLACK = 1.15  # "as flat as any" is D(k) within 15 % of the smallest
FILLED = 0.9  # if D never falls below this share of the hull's dimension, the sample fills it
THIN = 1e-12  # share of the largest variance below which the sample is flat in a direction
EXPLAINED = 0.7  # share of the local variance that the tangents must explain
_NO_FRAMES = np.empty(0)
DROP = 0.25  # a drop: less than this share of the variance of the previous direction


@dataclass(frozen=True, eq=False)
class Tangents:
    """Learnt tangents, with the k and q chosen.

    Attributes
    ----------
    frames : array (n, q, d)
        Orthonormal directions u_1(x), …, u_q(x) at every sample, of arbitrary sign. If q = d they
        are the coordinate axes (and the array is read-only).
    n_neighbors : int, k
    n_directions : int, q
    explained : float in [0, 1], mean share of the local variance along the frames
    effective_dimension : float, D(k); 0 if every neighbourhood consists of identical points
    n_references : int, number of distinct points among which neighbours were searched
    """

    frames: Array
    n_neighbors: int
    n_directions: int
    explained: float
    effective_dimension: float
    n_references: int

    @property
    def operator(self) -> Laplacian | GivenDirections:
        """The energy along the frames at the samples; the Laplacian if they have all directions."""
        full = self.n_directions == self.frames.shape[2]
        return Laplacian() if full else GivenDirections(self.frames)


@dataclass(frozen=True)
class Tangent:
    """Tangential gradient with tangents learnt from the data by local PCA.

    Energy E‖P_x ∇g‖², P_x the projection on the leading directions of the neighbours of x:
    TangentProp (GAL23 eq. 19) with tangents from unlabelled data. The ambient gradient also
    penalises change *across* a noisy curve; this one does not.

    Parameters
    ----------
    n_neighbors : int or "auto"
    n_directions : int or "auto"
        "auto": chosen from the data by :func:`lapviz.operators.learn_tangents`.
    """

    n_neighbors: int | str = parameter(
        "auto", "Neighbours for tangents",
        "Local PCA takes this many nearest neighbours of each point.",
        kind="integer", low=2, page_high=200, auto=True,
    )  # fmt: skip
    n_directions: int | str = parameter(
        "auto", "Tangent dimension",
        "How many leading directions of the local PCA count as tangents.",
        kind="integer", low=1, page_high=64, auto=True,
    )  # fmt: skip
    name = "tangent"
    title = "Tangential, learnt from the data"

    def directions(self, X: Array, sample_weight: Array | None = None) -> Array | None:
        return self.at_rows(X, slice(None), sample_weight).directions(X)

    def at_rows(
        self, X: Array, rows: Array | slice, sample_weight: Array | None = None
    ) -> Laplacian | GivenDirections:
        """Tangents learnt from those rows alone, as given directions."""
        k, q = self.n_neighbors, self.n_directions
        return learn_tangents(X[rows], k, q, sample_weight=sample_weight).operator

    def restricted(self, X: Array, rows: Array) -> Tangent:
        """The same rule: tangents are learnt from the rows passed to ``directions``."""
        return self

    def learn(self, X: Array, sample_weight: Array | None = None) -> Laplacian | LearntTangents:
        """Tangents learnt from a sample, for any points."""
        learnt = _learn(X, self.n_neighbors, self.n_directions, MAX_REFERENCES, sample_weight)
        full = learnt.tangents.n_directions == np.shape(X)[1]
        return Laplacian() if full else learnt


@dataclass(frozen=True, eq=False)
class LearntTangents:
    """Tangents learnt from one sample, at any points: the frame of the nearest reference.

    Attributes
    ----------
    references : References, the points among which neighbours are searched
    tangents : Tangents, with frames (m, q, d) at the references
    """

    references: References
    tangents: Tangents
    name = "tangent"
    title = "Tangential, learnt from a sample"

    def directions(self, X: Array) -> Array:
        return self.tangents.frames[self.references.rows_nearest_to(check_points(X))]


def learn_tangents(
    X: Array,
    n_neighbors: int | str = "auto",
    n_directions: int | str = "auto",
    *,
    max_references: int | None = MAX_REFERENCES,
    sample_weight: Array | None = None,
) -> Tangents:
    """Local PCA at every sample: tangents for GAL23 eq. 19, from unlabelled data.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_neighbors : int or "auto"
        k, in distinct points; capped at their number. "auto" takes the smallest k ≥ 10
        whose neighbourhoods are as flat as any: D(k), the effective dimension of this module's
        docstring, is within 15 % of its least value for k up to an eighth of the references.
    n_directions : int or "auto"
        q ≤ d. "auto" takes all m directions of the sample's affine hull (m = d but for constant or
        redundant columns) if D never falls below .9 m, since the sample then fills it; otherwise
        the fewest that explain 70 % of the local variance on average and, if a sharp drop (to a
        quarter) follows within the first k/2, all before the drop.
    max_references : int or None, default 5000
        In a larger sample neighbours are searched in a fixed random subset of this size, and any
        other sample takes the frame of the nearest reference. Without the limit (None) k
        grows with n, since the noise fixes the size of a neighbourhood in space.
    sample_weight : array (n,), optional
        Positive weights: within a neighbourhood a sample counts as that many copies. k counts
        distinct points regardless of their weights.

    Returns
    -------
    Tangents
        Frames (n, q, d), with the k and q chosen.

    Raises
    ------
    ValueError
        If n_directions exceeds d, a number is not a positive integer, X is not finite, or a weight
        is not positive.
    """
    learnt = _learn(X, n_neighbors, n_directions, max_references, sample_weight)
    X, tangents = np.asarray(X), learnt.tangents
    if tangents.n_directions == X.shape[1]:
        axes = np.broadcast_to(np.eye(X.shape[1]), (*X.shape, X.shape[1]))
        return replace(tangents, frames=axes)
    frames = tangents.frames if tangents.n_references == len(X) else learnt.directions(X)
    return replace(tangents, frames=frames)


def _learn(X, n_neighbors, n_directions, max_references, sample_weight) -> LearntTangents:
    X = check_points(X)
    n, d = X.shape
    n_directions = _count_or_auto("n_directions", n_directions)
    n_neighbors = _count_or_auto("n_neighbors", n_neighbors)
    if n_directions != "auto" and n_directions > d:
        raise ValueError(f"n_directions must be at most the {d} features of X, got {n_directions}.")
    limit = n if max_references is None else check_count("max_references", max_references)
    if sample_weight is not None and not (check_weights(sample_weight, n) > 0).all():
        raise ValueError("Tangents are learnt at every row of X: leave out rows of weight 0.")
    references = references_among(X, limit, sample_weight)
    candidates, n_points = [n_neighbors], len(references.points)
    if n_neighbors == "auto":  # from 10 to an eighth of the points, each a fifth above the last
        candidates = [SMALLEST]
        while (larger := round(1.2 * candidates[-1])) <= n_points * LARGEST:
            candidates.append(larger)
    hull = _hull(references.points)
    k, dimension, filled = _flattest(references, candidates, len(hull))
    q = n_directions
    if q == "auto" and filled:
        frames = np.broadcast_to(hull, (n_points, *hull.shape))
        return LearntTangents(references, Tangents(frames, k, len(hull), 1.0, dimension, n_points))
    if q == "auto":
        shares = _local_pca(references, references.anchors(), k, 0)[1]
        q = _dimension(shares[: len(hull)], k)
    if q == d:
        return LearntTangents(references, Tangents(_NO_FRAMES, k, d, 1.0, dimension, n_points))
    frames, shares = _local_pca(references, np.arange(n_points), k, q)
    tangents = Tangents(frames, k, q, float(shares[:q].sum()), dimension, n_points)
    return LearntTangents(references, tangents)


def _count_or_auto(name: str, value) -> Any:
    if not isinstance(value, str):
        return check_count(name, value)
    if value != "auto":
        raise ValueError(f'{name} must be "auto" or a positive integer, got {value!r}.')
    return value


def _hull(points: Array) -> Array:
    """Orthonormal directions (m, d) of the sample's affine hull: the axes if it has all d.

    Redundant columns, or constant ones, would otherwise count as directions in which it is flat.
    """
    n, d = points.shape
    Z = points - points.mean(axis=0)
    size = np.abs(Z).max()
    if n <= d or size == 0:  # the number of points says nothing
        return np.eye(d)
    Z /= size
    values, vectors = np.linalg.eigh(Z.T @ Z)
    spread = values > THIN * values[-1]
    return np.eye(d) if spread.all() else vectors[:, spread].T


def _flattest(references: References, candidates: list[int], d: int) -> tuple[int, float, bool]:
    """The smallest k with D(k) within the slack, its D(k), and whether D stays near d, the
    dimension of the hull."""
    n = len(references.points)
    candidates = sorted({min(k, n - 1) for k in candidates})
    if candidates[-1] == 0:  # a single point
        return 0, 0.0, True
    index = references.nearest(references.anchors(), candidates[-1])
    dimensions = np.array(
        [_effective_dimension(references, index[:, : k + 1], d) for k in candidates]
    )
    chosen = int(np.flatnonzero(dimensions <= SLACK * dimensions.min())[0])
    return candidates[chosen], float(dimensions[chosen]), bool(dimensions.min() >= FILLED * d)


def _effective_dimension(references: References, index: Array, d: int) -> float:
    """D(k), at most d, of the neighbourhoods whose rows are ``index`` (anchors, k + 1)."""
    k = index.shape[1] - 1
    concentration = []
    for rows in batches(len(index), (k + 1) * references.points.shape[1]):
        C = _small_gram(references.centred(index[rows]))
        trace = np.einsum("ijj->i", C)
        squares = np.einsum("ijk,ijk->i", C, C)
        distinct = trace > 0  # identical points have no directions
        concentration.append(squares[distinct] / trace[distinct] ** 2)
    concentration = np.concatenate(concentration)
    if not concentration.size:
        return 0.0
    r = 1.0 / concentration.mean()
    return d if r >= k else float(np.clip(((k + 1) * r - 2) / (k - r), 1.0, d))


def _dimension(shares: Array, k: int) -> int:
    """Number of directions that explain enough variance, extended to a sharp drop."""
    explained = np.cumsum(shares)
    q = int(np.argmax(explained >= min(EXPLAINED, explained[-1]))) + 1
    # Ten neighbours on a manifold of dimension 4 have 75 % of their variance along two directions;
    # the other two differ from noise by the sharp drop after them. Beyond k/2 every share drops.
    last = min(k // 2, len(shares) - 1)
    drops = np.flatnonzero(shares[q : last + 1] <= DROP * shares[q - 1 : last])
    return q + int(drops[0]) if drops.size else q


def _local_pca(references: References, rows: Array, k: int, q: int) -> tuple[Array, Array]:
    """Frames (len(rows), q, d) and mean shares of the local variance, largest first."""
    d = references.points.shape[1]
    frames = np.empty((len(rows), q, d))
    total, n_distinct = np.zeros(min(k + 1, d)), 0
    for batch in track(list(batches(len(rows), (k + 1) * d)), "tangents"):
        Z = references.centred(references.nearest(rows[batch], k))
        values, vectors = np.linalg.eigh(_small_gram(Z))
        values = np.maximum(values[:, ::-1], 0.0)
        sums = values.sum(axis=1)
        distinct = sums > 0  # identical points have no directions
        total += (values[distinct] / sums[distinct, None]).sum(axis=0)
        n_distinct += int(distinct.sum())
        if q:
            frames[batch] = _frames(Z, values, vectors[:, :, ::-1], q)
    return frames, total / max(n_distinct, 1)


def _frames(Z: Array, values: Array, vectors: Array, q: int) -> Array:
    """Leading q principal directions (b, q, d), orthonormal even where the rank is below q."""
    d = Z.shape[2]
    if vectors.shape[1] == d:
        return vectors[:, :, :q].swapaxes(1, 2)
    # From eigenvectors w of ZZᵀ, Zᵀw/√γ are those of ZᵀZ. If γ is rounding error the direction
    # is meaningless, and QR replaces it by any orthogonal one.
    leading = min(q, vectors.shape[1])
    scale = np.sqrt(values[:, :leading])
    reliable = scale > 1e-7 * scale[:, :1]
    scale = np.where(reliable, 1.0 / np.where(reliable, scale, 1.0), 0.0)
    columns = np.zeros((len(Z), d, q))
    columns[:, :, :leading] = (Z.swapaxes(1, 2) @ vectors[:, :, :leading]) * scale[:, None, :]
    return np.linalg.qr(columns)[0].swapaxes(1, 2)


def _small_gram(Z: Array) -> Array:
    """ZᵀZ (d, d) or ZZᵀ (k + 1, k + 1), whichever is smaller: same eigenvalues, less work."""
    return Z.swapaxes(1, 2) @ Z if Z.shape[2] <= Z.shape[1] else Z @ Z.swapaxes(1, 2)
