"""Graph Laplacians (von Luxburg, 2007; GAL23 B.1) and their leading eigenpairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components

from lapviz.checks import check_choice, check_count
from lapviz.graphs.solvers import SMALL, factor, has_large_diameter
from lapviz.linalg import eigh

KINDS = ("unnormalised", "normalised", "random-walk")
_ZERO, _ROUNDING = 1e-2, 1e-9  # of the median, of the largest: γ of components, up to rounding


def laplacian(W, kind: str = "unnormalised"):
    """Graph Laplacian of symmetric weights, with degrees d_i = Σ_j w_ij.

    An isolated node gets a zero row: it is a component of its own, with γ = 0.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    kind : {"unnormalised", "normalised", "random-walk"}
        D − W; I − D^{−½} W D^{−½} (GAL23 B.1); or I − D^{−1} W.

    Returns
    -------
    array or CSR matrix (n, n)
        The Laplacian, sparse if W is.
    """
    check_choice("kind", kind, KINDS)
    d = degrees(W)
    if kind == "unnormalised":
        if sp.issparse(W):
            return (sp.diags(d) - W).tocsr()
        L = -np.asarray(W, dtype=float)
        L[np.diag_indices_from(L)] += d
        return L
    left = inverse_power(d, 0.5 if kind == "normalised" else 1.0)
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

    Attributes
    ----------
    gamma : array (k,), ascending, at least 0, one exact 0 per connected component
    vectors : array (n, k), mean square 1 over the nodes
    n_components : int, connected components of the graph
    """

    gamma: np.ndarray
    vectors: np.ndarray
    n_components: int


def graph_spectrum(W, k: int = 16, kind: str = "unnormalised"):
    """The k smallest eigenvalues of a graph Laplacian, and its eigenvectors.

    Solved component by component with the known null vector deflated, so that the multiplicity of
    0 is right: dense `eigh` up to 1500 nodes; beyond, Lanczos on the inverse (sparse factors) for
    graphs of low dimension, and on the Laplacian itself where the factors would fill in.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
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
    n, d = W.shape[0], degrees(W)
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
        V *= np.where(d > 0, inverse_power(d, 0.5), 1.0)[:, None]
    V /= np.sqrt(np.mean(V**2, axis=0))
    cubes = V**3
    skew = cubes.sum(axis=0)
    clear = np.abs(skew) > 1e-6 * np.abs(cubes).sum(axis=0)
    peak = V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])]
    V *= np.where(np.where(clear, skew, peak) < 0, -1, 1)
    return GraphSpectrum(np.array([g for g, _, _ in pairs]), V, len(pieces))


def match_scale(gamma_graph, gamma_reference, *, robust: bool = False):
    """Factor c that scales graph eigenvalues to a reference: Σ c γ_graph = Σ γ_reference.

    A graph Laplacian determines γ up to a constant only; as in the papers, the sums over the
    compared eigenvalues (as many as both lists have) are made equal. One eigenvalue that is far
    from its partner then determines the scale: the median does not.

    Parameters
    ----------
    gamma_graph : array (k,)
        Eigenvalues of the graph, ascending.
    gamma_reference : array (m,)
        Eigenvalues to compare with, ascending.
    robust : bool, default False
        Whether c is the median of γ_reference / γ_graph instead, the graph's zeros left out.

    Returns
    -------
    float
        The factor c.

    Raises
    ------
    ValueError
        When all compared graph eigenvalues are 0, as in a graph with too many components.
    """
    graph, reference = np.asarray(gamma_graph, float), np.asarray(gamma_reference, float)
    m = min(len(graph), len(reference))
    graph, reference = graph[:m], reference[:m]
    total = graph.sum()
    if not total > 0:
        raise ValueError(
            f"The first {m} eigenvalues of the graph are all 0, so no scale can be matched: the "
            "graph falls into many pieces. Take more neighbours, a larger bandwidth or more modes."
        )
    if not robust:
        return float(reference.sum() / total)
    above = graph > max(_ZERO * np.median(graph), _ROUNDING * graph.max())
    return float(np.median(reference[above] / graph[above]))


def degrees(W):
    return np.asarray(W.sum(axis=1)).ravel()


def inverse_power(d, power):
    """d^{−power}, 0 where d = 0."""
    return np.divide(1.0, d**power, out=np.zeros_like(d), where=d > 0)


def _pieces(W):
    """Index arrays of the connected components."""
    if sp.issparse(W):
        n_parts, part = connected_components(W, directed=False)
    else:
        n_parts, part = _dense_components(W)
    order = np.argsort(part, kind="stable")
    return np.split(order, np.searchsorted(part[order], np.arange(1, n_parts)))


def _dense_components(W, block=256):
    """`connected_components` by blocks of rows: SciPy's makes three copies of a dense W.

    test_components_of_a_dense_graph_take_little_memory shows it.
    """
    n = len(W)
    n_parts, part = n, np.arange(n)
    for start in range(0, n, block):
        i, j = np.nonzero(W[start : start + block])
        links = sp.coo_matrix((np.ones(len(i), bool), (part[i + start], part[j])), (n_parts,) * 2)
        n_parts, merged = connected_components(links, directed=False)
        part = merged[part]
        if n_parts == 1:
            break
    return n_parts, part


def _component_modes(L, null, k):
    """(γ, v) of one connected component, the null vector first; L (m, m), null (m,)."""
    m, u = len(null), null / np.linalg.norm(null)
    modes = [(0.0, u)]
    k = min(k, m) - 1
    if k == 0:
        return modes
    if m <= max(SMALL, 4 * k) or not sp.issparse(L):
        A = L.toarray() if sp.issparse(L) else L
        top = 2 * A.diagonal().max()  # Gershgorin: above every eigenvalue
        A += np.outer(2 * top * u, u)  # in place: the caller does not need L again
        gamma, V = eigh(A.T, (0, k - 1), overwrite=True)
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

    if has_large_diameter(abs(L)):
        solve = factor(L + 1e-10 * d * sp.eye(m)).solve

        def inverse(x):
            x = solve(x - u * (u @ x))
            return x - u * (u @ x)

        op, which = operator(inverse), "LA"
    else:
        op, which = operator(lambda x: L @ x + 4 * d * u * (u @ x)), "SA"
    # A large basis, as close and repeated eigenvalues are common
    basis = min(m, max(2 * k + 1, k + 30))
    V = spla.eigsh(op, k, which=which, v0=start, ncv=basis)[1]
    return np.linalg.qr(V)[0]
