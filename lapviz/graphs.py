"""Graph Laplacians, dense and k-NN: weights, spectra, harmonic functions and spreading.

The baselines of the papers. A graph is nothing but its weight matrix W (n, n), symmetric,
non-negative, with an empty diagonal: an ndarray (dense) or a SciPy CSR matrix (k-NN). Every
function answers for isolated nodes, for components without a label, for weights that underflow.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import scipy.linalg as sla
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from lapviz.checks import check_bandwidth, check_choice, check_count

WEIGHTS = ("self-tuning", "gaussian", "binary")
KINDS = ("unnormalised", "normalised", "random-walk")
_TINY = 1e-250  # below this, 1/x risks overflow in the products that follow
_SMALL = 1500  # nodes up to which a dense eigenproblem or a direct sparse solve costs nothing


# --- weights ------------------------------------------------------------------------------------


def memory_limit():
    """Bytes that a dense graph may take: three quarters of the machine's, or of its container's."""
    limits = [8 << 30]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            limits.append(int(Path("/sys/fs/cgroup", name).read_text()))
        except (OSError, ValueError):  # no such group, or "max": no limit set
            continue
    return 3 * min(limits) // 4


def check_dense_size(n_samples, max_bytes=None):
    """Refuse a dense graph that does not fit: W, one working copy, one product (24 n² bytes).

    Raises
    ------
    MemoryError
        When 24 n² exceeds `max_bytes` (default: :func:`memory_limit`).
    """
    needed, limit = 24 * n_samples**2, memory_limit() if max_bytes is None else max_bytes
    if needed > limit:
        raise MemoryError(
            f"A dense graph over {n_samples} points takes {needed} bytes ({needed / 2**30:.1f} "
            f"GiB), and {int(limit)} bytes ({limit / 2**30:.1f} GiB) are allowed here: use the "
            f"k-NN graph, or at most {int((limit / 24) ** 0.5)} points."
        )


def dense_weights(X, bandwidth, *, max_bytes=None):
    """Gaussian weights between all pairs, w_ij = exp(−‖x_i − x_j‖² / 2σ²), w_ii = 0.

    Parameters
    ----------
    X : (n_samples, n_features) array
    bandwidth : float
        σ > 0, in the units of `X`.
    max_bytes : int, optional
        See :func:`check_dense_size`, whose MemoryError this may raise.

    Returns
    -------
    (n_samples, n_samples) array, exactly symmetric.
    """
    bandwidth = check_bandwidth(bandwidth)
    check_dense_size(len(X), max_bytes)
    X, _, bandwidth = _rescale(X, None, bandwidth)
    r = cdist(X, X)
    W = _gaussian(r, bandwidth)
    np.fill_diagonal(W, 0.0)
    return W


def knn_weights(X, n_neighbors=10, *, weights="self-tuning", bandwidth=None, symmetry="mean"):
    """Weights to the k nearest neighbours, symmetrised.

    Parameters
    ----------
    X : (n_samples, n_features) array
    n_neighbors : int
        k, the point itself not counted; at most n_samples − 1 are used.
    weights : {"self-tuning", "gaussian", "binary"}
        With r the distance, r_k that to the k-th neighbour: exp(−4r²/r_k²), exp(−r²/2σ²), or 1.
    bandwidth : float, optional
        σ, needed by "gaussian" alone.
    symmetry : {"mean", "max"}
        (W + Wᵀ)/2, or the larger of w_ij and w_ji. The mean measures better on the digits.

    Returns
    -------
    (n_samples, n_samples) CSR matrix, exactly symmetric, no explicit zeros.
    """
    check_count("n_neighbors", n_neighbors)
    check_choice("weights", weights, WEIGHTS)
    check_choice("symmetry", symmetry, ("mean", "max"))
    if weights == "gaussian":
        bandwidth = check_bandwidth(bandwidth)
    X, _, bandwidth = _rescale(X, None, bandwidth)
    n = len(X)
    k = min(n_neighbors, n - 1)
    if k == 0:
        return sp.csr_matrix((n, n))
    near = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
    w = _knn_rule(_row_distances(X, X, near), weights, bandwidth)
    W = sp.csr_matrix((w.ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    W = W.maximum(W.T) if symmetry == "max" else (W + W.T) / 2
    W = sp.csr_matrix(W)
    W.eliminate_zeros()
    W.sort_indices()
    return W


def extend_dense(X, values, X_new, bandwidth):
    """Values at new points, f(x) = Σ w(x, x_i) f_i / Σ w(x, x_i), Gaussian weights to all nodes.

    At an unlabelled node this average is what defines a harmonic function, so it extends one. A
    point that coincides with nodes takes their (mean) value; where every weight underflows, the
    nearest node's. Weights are taken relative to the largest, hence never 0/0.

    Parameters
    ----------
    X : (n_samples, n_features) array, the nodes.
    values : (n_samples,) or (n_samples, n_outputs) array, f at the nodes.
    X_new : (n_new, n_features) array
    bandwidth : float
        σ > 0.

    Returns
    -------
    (n_new,) or (n_new, n_outputs) array
    """
    bandwidth = check_bandwidth(bandwidth)
    X, X_new, bandwidth = _rescale(X, X_new, bandwidth)
    values = np.asarray(values, dtype=float)
    out = np.empty((len(X_new), *values.shape[1:]))
    step = max(1, (1 << 20) // len(X))
    for i in range(0, len(X_new), step):
        w = _relative(cdist(X_new[i : i + step], X), "gaussian", bandwidth)
        out[i : i + step] = w @ values
    return out


def extend_knn(X, values, X_new, n_neighbors=10, *, weights="self-tuning", bandwidth=None):
    """Values at new points: the average of :func:`extend_dense` over the k nearest nodes.

    The weights follow the rule of :func:`knn_weights`, r_k being the distance from the new point to
    its k-th nearest node; parameters and coincidences as there and in :func:`extend_dense`.
    """
    check_count("n_neighbors", n_neighbors)
    check_choice("weights", weights, WEIGHTS)
    if weights == "gaussian":
        bandwidth = check_bandwidth(bandwidth)
    X, X_new, bandwidth = _rescale(X, X_new, bandwidth)
    values = np.asarray(values, dtype=float)
    if not len(X_new):
        return np.empty((0, *values.shape[1:]))
    finder = NearestNeighbors(n_neighbors=min(n_neighbors, len(X))).fit(X)
    near = finder.kneighbors(X_new, return_distance=False)
    w = _relative(_row_distances(X_new, X, near), weights, bandwidth)
    return np.einsum("ij,ij...->i...", w, values[near])


def _rescale(X, X_new, bandwidth):
    """Nodes centred, within [−1, 1]; new points and σ moved along. r² then neither over- nor
    underflows, and neighbour searches lose no digits to a far-off origin."""
    X = np.asarray(X, dtype=float)
    centre = X.min(axis=0) / 2 + X.max(axis=0) / 2
    scale = np.abs(X - centre).max(initial=0.0) or 1.0
    if X_new is not None:
        with np.errstate(over="ignore"):
            X_new = np.clip((np.asarray(X_new, dtype=float) - centre) / scale, -1e100, 1e100)
    if bandwidth is not None:
        bandwidth = max(bandwidth / scale, 1e-300)
    return (X - centre) / scale, X_new, bandwidth


def _row_distances(A, B, near):
    """‖a_i − b_near(i,j)‖, (n, k), by differences: exact zeros, which fast searches do not give."""
    out = np.empty(near.shape)
    step = max(1, (1 << 21) // max(1, near.shape[1] * A.shape[1]))
    for i in range(0, len(A), step):
        rows = slice(i, i + step)
        gap = A[rows, None, :] - B[near[rows]]
        out[rows] = np.sqrt(np.einsum("ijl,ijl->ij", gap, gap))
    return out


def _gaussian(r, bandwidth):
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-0.5 * (r / bandwidth) ** 2)


def _knn_rule(r, weights, bandwidth):
    """Weights from the distances r (n, k) to k neighbours."""
    if weights == "binary":
        return np.ones_like(r)
    if weights == "gaussian":
        return _gaussian(r, bandwidth)
    reach = r.max(axis=1, keepdims=True)
    reach[reach == 0] = 1.0  # all neighbours coincide with the point: weight 1 each
    return np.exp(-4.0 * (r / reach) ** 2)


def _relative(r, weights, bandwidth):
    """Averaging weights (rows sum to 1) from distances; coincident nodes take all the weight."""
    here = r == 0
    if weights == "gaussian":  # relative to the nearest node, so that the largest is 1
        nearest = r.min(axis=1, keepdims=True)
        with np.errstate(over="ignore", under="ignore"):
            w = np.exp(-0.5 * ((r - nearest) / bandwidth) * ((r + nearest) / bandwidth))
    else:
        w = _knn_rule(r, weights, bandwidth)
    at_node = here.any(axis=1)
    w[at_node] = here[at_node]
    return w / w.sum(axis=1, keepdims=True)


# --- Laplacians and their spectra ---------------------------------------------------------------


def laplacian(W, kind="unnormalised"):
    """Graph Laplacian of symmetric weights W (n, n); d_i = Σ_j w_ij; sparse if W is.

    "unnormalised": D − W; "normalised": I − D^{−½} W D^{−½} (GAL23 B.1); "random-walk":
    I − D^{−1} W. An isolated node gets a zero row: it is a component of its own, with γ = 0.
    """
    check_choice("kind", kind, KINDS)
    d = _degrees(W)
    if kind == "unnormalised":
        if sp.issparse(W):
            return (sp.diags(d) - W).tocsr()
        L = -np.asarray(W, dtype=float)
        L[np.diag_indices_from(L)] += d
        return L
    left = _inverse_power(d, 0.5 if kind == "normalised" else 1.0)
    right = left if kind == "normalised" else np.ones_like(d)
    if sp.issparse(W):
        return (sp.diags((d > 0) * 1.0) - sp.diags(left) @ W @ sp.diags(right)).tocsr()
    L = -left[:, None] * W
    L *= right
    L[np.diag_indices_from(L)] += d > 0
    return L


@dataclass(frozen=True)
class GraphSpectrum:
    """Smallest eigenpairs of a graph Laplacian.

    gamma : (k,) ascending, ≥ 0, one exact 0 per connected component.
    vectors : (n, k), mean square 1 over the nodes.
    n_components : int, connected components of the graph.
    """

    gamma: np.ndarray
    vectors: np.ndarray
    n_components: int


def graph_spectrum(W, k=16, kind="unnormalised"):
    """The k smallest eigenvalues of a graph Laplacian, and its eigenvectors.

    Solved component by component with the known null vector deflated, so that the multiplicity of
    0 is right: dense `eigh` up to 1500 nodes, beyond that Lanczos, on the inverse (sparse direct
    factors) where the graph is of low dimension, on the Laplacian itself where factors would fill.

    Parameters
    ----------
    W : (n, n) ndarray or sparse matrix, symmetric weights.
    k : int
        Eigenpairs wanted; at most n are returned.
    kind : {"unnormalised", "normalised", "random-walk"}
        "random-walk" shares γ with "normalised"; its eigenvectors D^{−½}v start with the constant.

    Returns
    -------
    GraphSpectrum
        Signs: third moment positive, or, where that vanishes, the largest entry.
    """
    check_choice("kind", kind, KINDS)
    check_count("k", k)
    n, d = W.shape[0], _degrees(W)
    L = laplacian(W, "unnormalised" if kind == "unnormalised" else "normalised")
    null = np.ones(n) if kind == "unnormalised" else np.where(d > 0, np.sqrt(d), 1.0)
    pieces = sorted(_pieces(W), key=len, reverse=True)
    pairs = []
    for nodes in pieces:
        block = L if len(pieces) == 1 else L[nodes][:, nodes]
        pairs += [(g, nodes, v) for g, v in _component_modes(block, null[nodes], k)]
    pairs.sort(key=lambda pair: pair[0])
    pairs = pairs[:k]
    V = np.zeros((n, len(pairs)))
    for j, (_, nodes, v) in enumerate(pairs):
        V[nodes, j] = v
    if kind == "random-walk":
        V *= np.where(d > 0, _inverse_power(d, 0.5), 1.0)[:, None]
    V /= np.sqrt(np.mean(V**2, axis=0))
    return GraphSpectrum(np.array([g for g, _, _ in pairs]), V * _signs(V), len(pieces))


def match_scale(gamma_graph, gamma_reference):
    """Factor c that brings graph eigenvalues to a reference's scale: Σ c γ_graph = Σ γ_reference.

    A graph Laplacian fixes γ up to a constant only; as in the papers, the sums over the compared
    eigenvalues (here: as many as both lists have) are made equal.

    Raises
    ------
    ValueError
        When all compared graph eigenvalues are 0, as in a graph with too many components.
    """
    graph, reference = np.asarray(gamma_graph, float), np.asarray(gamma_reference, float)
    m = min(len(graph), len(reference))
    total = graph[:m].sum()
    if not total > 0:
        raise ValueError(
            f"The first {m} eigenvalues of the graph are all 0, so no scale can be matched: the "
            "graph falls into many pieces. Take more neighbours, a larger bandwidth or more modes."
        )
    return float(reference[:m].sum() / total)


def _degrees(W):
    return np.asarray(W.sum(axis=1)).ravel()


def _inverse_power(d, power):
    """d^{−power}, 0 where d = 0."""
    return np.divide(1.0, d**power, out=np.zeros_like(d), where=d > 0)


def _pieces(W):
    """Index arrays of the connected components; SciPy's own would first copy a dense W fourfold."""
    if sp.issparse(W):
        n_parts, part = connected_components(W, directed=False)
        order = np.argsort(part, kind="stable")
        bounds = np.searchsorted(part[order], np.arange(n_parts + 1))
        return [order[a:b] for a, b in pairwise(bounds)]
    pieces, unseen = [], np.ones(len(W), dtype=bool)
    while unseen.any():
        here = unseen.copy()
        edge = np.flatnonzero(unseen)[:1]
        unseen[edge] = False
        while len(edge):
            edge = np.flatnonzero(W[edge].any(axis=0) & unseen)
            unseen[edge] = False
        pieces.append(np.flatnonzero(here & ~unseen))
    return pieces


def _component_modes(L, null, k):
    """(γ, v) of one connected component, the null vector first; L (m, m), null (m,)."""
    m, u = len(null), null / np.linalg.norm(null)
    modes = [(0.0, u)]
    k = min(k, m) - 1
    if k == 0:
        return modes
    if m <= max(_SMALL, 4 * k) or not sp.issparse(L):
        A = L.toarray() if sp.issparse(L) else L
        top = 2 * A.diagonal().max()  # Gershgorin: above every eigenvalue
        A += np.outer(2 * top * u, u)  # L is the caller's to spend
        gamma, V = sla.eigh(A.T, subset_by_index=[0, k - 1], overwrite_a=True)
    else:
        start = np.random.default_rng(0).standard_normal(m)
        V = _lanczos(L, u, start - u * (u @ start), k)
        gamma, Q = np.linalg.eigh(V.T @ (L @ V))  # Rayleigh-Ritz: full accuracy for small γ
        V = V @ Q
    return modes + list(zip(np.maximum(gamma, 0.0), V.T, strict=True))


def _lanczos(L, u, start, k):
    """Orthonormal basis of the k lowest modes of sparse L, orthogonal to its null vector u."""
    m, d = len(u), L.diagonal().max()

    def operator(apply):
        return spla.LinearOperator((m, m), matvec=lambda x: apply(x.ravel()), dtype=float)

    if _is_deep(abs(L)):
        solve = _factor(L + 1e-10 * d * sp.eye(m)).solve

        def inverse(x):
            x = solve(x - u * (u @ x))
            return x - u * (u @ x)

        op, which = operator(inverse), "LA"
    else:
        op, which = operator(lambda x: L @ x + 4 * d * u * (u @ x)), "SA"
    # A generous basis: close and repeated eigenvalues are the rule here
    basis = min(m, max(2 * k + 1, k + 30))
    V = spla.eigsh(op, k, which=which, v0=start, ncv=basis)[1]
    return np.linalg.qr(V)[0]


def _signs(V):
    cubes = V**3
    skew = cubes.sum(axis=0)
    peak = V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])]
    return np.where(
        np.where(np.abs(skew) > 1e-6 * np.abs(cubes).sum(axis=0), skew, peak) < 0, -1, 1
    )


# --- labels -------------------------------------------------------------------------------------


def harmonic(W, labelled, values):
    """Harmonic functions of Zhu, Ghahramani and Lafferty (2003), eq. (5): L_uu f_u = W_ul f_l.

    At every unlabelled node f is the weighted average of its neighbours. The dense solver
    eliminates nodes without a subtraction, so it stays right when weights span hundreds of orders
    of magnitude; the sparse one, beyond 1500 nodes, solves for the constant too and divides by it,
    which saves weakly attached pieces. Nodes that no label reaches get the mean of the labels.

    Parameters
    ----------
    W : (n, n) ndarray or sparse matrix, symmetric weights.
    labelled : (n_labelled,) int array, or (n,) mask
        Labelled nodes, at least one.
    values : (n_labelled,) or (n_labelled, n_outputs) array
        Their values, one-hot, ±1 or any; in the order of `labelled`.

    Returns
    -------
    (n,) or (n, n_outputs) array
    """
    W = sp.csr_matrix(W) if sp.issparse(W) else np.asarray(W, dtype=float)
    l, u, values, shape = _labels(W, labelled, values)
    F = np.empty((W.shape[0], values.shape[1]))
    F[l], F[u] = values, values.mean(axis=0)
    one_and_values = np.column_stack([np.ones(len(l)), values])
    if sp.issparse(W):
        part = connected_components(W, directed=False)[1]
        u = u[np.isin(part[u], part[l])]
    if sp.issparse(W) and not (len(u) <= _SMALL and _is_wild(W)):
        load = W[u][:, l] @ one_and_values
        d = _degrees(W)[u]
        # A last trace of mass keeps the pivots of barely attached pieces positive
        G = _solve(sp.csr_matrix(sp.diags(d * (1 + 1e-13)) - W[u][:, u]), load, W)
    else:
        W = W.toarray() if sp.issparse(W) else W
        top = np.maximum(W.max(axis=1)[u, None], _TINY)  # rows may be scaled at will
        P = W[np.ix_(u, u)]
        P /= top
        G = _eliminate(P, (W[np.ix_(u, l)] / top) @ one_and_values)
    reached = G[:, 0] > _TINY
    F[u[reached]] = G[reached, 1:] / G[reached, :1]
    return F.reshape(shape)


def spreading(W, labelled, values, alpha=0.99):
    """Label spreading of Zhou et al. (2004): (I − αS) F = (1 − α) Y, S = D^{−½} W D^{−½}.

    Parameters
    ----------
    W, labelled, values
        As in :func:`harmonic`; Y holds the values at the labelled nodes, 0 elsewhere.
    alpha : float
        In (0, 1): the share a node takes from its neighbours rather than from its label.

    Returns
    -------
    (n,) or (n, n_outputs) array, 0 at nodes that no label reaches.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}: spreading needs a number between 0 and 1.")
    W = sp.csr_matrix(W) if sp.issparse(W) else np.asarray(W, dtype=float)
    l, _, values, shape = _labels(W, labelled, values)
    n, d = W.shape[0], _degrees(W)
    Y = np.zeros((n, values.shape[1]))
    Y[l] = (1 - alpha) * values
    root = _inverse_power(d, 0.5)
    if sp.issparse(W):
        S = sp.csr_matrix(sp.diags(root) @ W @ sp.diags(root))
        if alpha > 0.9 or n <= _SMALL or _is_deep(W):
            return _solve(sp.csr_matrix(sp.eye(n) - alpha * S), Y, W).reshape(shape)
        return _power_series(S, Y, alpha).reshape(shape)
    S = root[:, None] * W * root
    S *= -alpha
    S[np.diag_indices(n)] += 1.0
    # A Stieltjes matrix far from singular: Cholesky keeps even tiny entries of F to full accuracy
    return sla.solve(S, Y, assume_a="pos", overwrite_a=True).reshape(shape)


def _labels(W, labelled, values):
    labelled, values = np.asarray(labelled), np.asarray(values, dtype=float)
    l = np.flatnonzero(labelled) if labelled.dtype == bool else labelled.astype(int)
    if not len(l):
        raise ValueError("No node is labelled: label at least one.")
    if len(values) != len(l) or len(np.unique(l)) != len(l):
        raise ValueError(f"{len(values)} values for {len(np.unique(l))} different labelled nodes.")
    u = np.setdiff1d(np.arange(W.shape[0]), l)
    return l, u, values.reshape(len(l), -1), (W.shape[0], *values.shape[1:])


def _power_series(S, Y, alpha):
    """Σ_t (αS)^t Y. F decays by the hop, and this keeps far nodes' digits, which CG would drown."""
    F = Y
    for _ in range(len(Y)):  # in practice a few hops more than log(1e-13) / log(alpha)
        old, F = F, alpha * (S @ F) + Y
        if np.all(np.abs(F - old) <= 1e-13 * np.abs(F)):
            break
    return F


def _eliminate(P, B, block=64):
    """Solve (diag(P1 + b) − P) F = B, b = B[:, 0], for P ≥ 0: both arrays are overwritten.

    State reduction (Grassmann, Taksar and Heyman 1985), in blocks: the diagonal is never formed
    but summed anew from what leaves a node, so nothing cancels and every entry keeps its relative
    accuracy. P (m, m), its diagonal never read; B (m, K), first column the weight to the labels.
    """
    m = len(P)
    starts = range(0, m, block)
    for a in starts:
        b = min(a + block, m)
        inverse = _eliminate_block(P[a:b, a:b], P[a:b, b:].sum(axis=1) + B[a:b, 0])
        P[a:b, b:] = inverse @ P[a:b, b:]
        B[a:b] = inverse @ B[a:b]
        P[b:, b:] += P[b:, a:b] @ P[a:b, b:]
        B[b:] += P[b:, a:b] @ B[a:b]
    for a in reversed(starts):
        b = min(a + block, m)
        B[a:b] += P[a:b, b:] @ B[b:]
    return B


def _eliminate_block(P, leaving):
    """(diag(P1 + leaving) − P)^{−1} ≥ 0, without a subtraction; P (m, m), leaving (m,)."""
    P, leaving, m = P.copy(), leaving.copy(), len(P)
    pivots = np.empty(m)
    for i in range(m):
        pivots[i] = P[i, i + 1 :].sum() + leaving[i]
        if pivots[i] < _TINY:  # nowhere to go
            pivots[i] = 1.0
        P[i + 1 :, i] /= pivots[i]
        P[i + 1 :, i + 1 :] += np.outer(P[i + 1 :, i], P[i, i + 1 :])
        leaving[i + 1 :] += P[i + 1 :, i] * leaving[i]
    lower, upper = np.eye(m) - np.tril(P, -1), np.diag(pivots) - np.triu(P, 1)
    inverse = sla.solve_triangular(lower, np.eye(m), lower=True, unit_diagonal=True)
    return sla.solve_triangular(upper, inverse)


def _is_deep(W):
    """Is the graph of low dimension, judged by the hops across its pieces?

    There sparse factors stay small and iterations many; else the other way round (moons, n=1e5:
    factors 0.7 s, CG 20 s; N(0, I_10), n=1e4: factors 9 s, CG 0.04 s).
    """
    first = np.unique(connected_components(W, directed=False)[1], return_index=True)[1]
    hops = dijkstra(W, directed=False, unweighted=True, indices=first, min_only=True)
    return hops.max() > 1.5 * W.shape[0] ** (1 / 3)


def _factor(A):
    options = {"SymmetricMode": True}
    return spla.splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def _solve(A, B, W):
    """Solve A X = B for a sparse symmetric M-matrix; factors or Jacobi-preconditioned CG."""
    if not len(B):
        return B
    if len(B) > _SMALL and not _is_wild(W) and not _is_deep(W):
        X = _conjugate_gradients(A, B)
        if X is not None:
            return X
    return _factor(A).solve(B)


def _is_wild(W):
    """Do sparse weights span so much that a plain solve loses the weakest links?"""
    return W.nnz > 0 and W.data.min() < 1e-8 * W.data.max()


def _conjugate_gradients(A, B, tol=1e-12, max_iter=2000):
    """CG on all columns of B at once; None when it does not get below `tol` in `max_iter` steps."""
    scale = 1 / A.diagonal()[:, None]
    X, R = np.zeros_like(B), B.copy()
    P = Z = scale * R
    rz, goal = np.sum(R * Z, axis=0), tol**2 * np.sum(B * scale * B, axis=0)
    for _ in range(max_iter):
        if np.all(rz <= goal):
            return X
        AP = A @ P
        curvature = np.sum(P * AP, axis=0)
        step = np.divide(rz, curvature, out=np.zeros_like(rz), where=curvature > 0)
        X += step * P
        R -= step * AP
        Z = scale * R
        old, rz = rz, np.sum(R * Z, axis=0)
        P = Z + np.divide(rz, old, out=np.zeros_like(rz), where=old > 0) * P
    return None
