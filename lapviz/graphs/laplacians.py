"""Graph Laplacians (von Luxburg, 2007; GAL23 B.1) and their leading eigenpairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components

from lapviz.checks import check_choice, check_count, check_dense
from lapviz.graphs.solvers import SMALL, factor, has_large_diameter
from lapviz.linalg import eigh

KINDS = ("unnormalised", "normalised", "random-walk")
DENSE = 600  # nodes up to which a dense eigenproblem is as fast as a sparse one
MOST_DENSE = 5000  # nodes up to which it replaces one that does not converge
RESTARTS = 300  # of Lanczos, if a dense eigenproblem can replace it; most graphs need up to 100
_ZERO, _ROUNDING = 1e-2, 1e-9  # of the median and largest γ: below is the 0 of a component


def laplacian(W, kind: str = "unnormalised"):
    """Graph Laplacian of symmetric weights, with degrees d_i = Σ_j w_ij.

    An isolated node gets a zero row: it is its own component, with γ = 0.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    kind : {"unnormalised", "normalised", "random-walk"}
        D − W; I − D^{−½} W D^{−½}; or I − D^{−1} W.

    Returns
    -------
    array or CSR matrix (n, n)
        The Laplacian, sparse if W is.
    """
    check_choice("kind", kind, KINDS)
    W = check_graph(W)
    d = degrees(W)
    if kind == "unnormalised":
        if sp.issparse(W):
            return (sp.diags(d) - W).tocsr()
        L = -W
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
    """The k smallest eigenpairs of a graph Laplacian.

    Solved per connected component with the known null vector deflated, so that the multiplicity of
    0 is exact: by Lanczos on the inverse (sparse factors) for graphs of low dimension, and on the
    Laplacian itself where factors would fill in; by dense `eigh` up to 600 nodes, up to 1500 where
    factors would fill in, and up to 5000 where Lanczos does not converge.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    k : int
        Number of eigenpairs; at most n are returned.
    kind : {"unnormalised", "normalised", "random-walk"}
        "random-walk" shares γ with "normalised"; its eigenvectors D^{−½}v start with the constant.

    Returns
    -------
    GraphSpectrum
        Signs: the third moment is positive, or the largest entry where that moment vanishes.

    Raises
    ------
    ValueError
        If the eigenvalues of more than 5000 nodes do not converge.
    """
    check_choice("kind", kind, KINDS)
    k, W = check_count("k", k), check_graph(W)
    n, d = W.shape[0], degrees(W)
    L = laplacian(W, "unnormalised" if kind == "unnormalised" else "normalised")
    null = np.ones(n) if kind == "unnormalised" else np.where(d > 0, np.sqrt(d), 1.0)
    components = sorted(_components(W), key=len, reverse=True)
    pairs = []
    for nodes in components:
        block = L if len(components) == 1 else L[nodes][:, nodes]
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
    third_moment = cubes.sum(axis=0)
    clear = np.abs(third_moment) > 1e-6 * np.abs(cubes).sum(axis=0)
    largest = V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])]
    V *= np.where(np.where(clear, third_moment, largest) < 0, -1, 1)
    return GraphSpectrum(np.array([g for g, _, _ in pairs]), V, len(components))


def match_scale(gamma_graph, gamma_reference, *, robust: bool = False):
    """Factor c that scales graph eigenvalues to a reference: Σ c γ_graph = Σ γ_reference.

    A graph Laplacian determines γ only up to a constant; as in the papers, the sums over the
    compared eigenvalues (as many as both lists have) are made equal. A single outlying eigenvalue
    can then determine the scale; it cannot with the median.

    Parameters
    ----------
    gamma_graph : array (k,)
        Eigenvalues of the graph, ascending.
    gamma_reference : array (m,)
        Eigenvalues to compare with, ascending.
    robust : bool, default False
        Whether c is the median of γ_reference / γ_graph instead, without the graph's zeros.

    Returns
    -------
    float
        The factor c.

    Raises
    ------
    ValueError
        If all compared graph eigenvalues are 0, as in a graph with too many components.
    """
    graph, reference = np.asarray(gamma_graph, float), np.asarray(gamma_reference, float)
    m = min(len(graph), len(reference))
    graph, reference = graph[:m], reference[:m]
    total = graph.sum()
    if not total > 0:
        raise ValueError(
            "The compared eigenvalues of the graph are all 0, so no scale can be matched: it has "
            f"too many components, at least {m}. Take more neighbours, a larger bandwidth or more "
            "modes."
        )
    if not robust:
        return float(reference.sum() / total)
    positive = graph > max(_ZERO * np.median(graph), _ROUNDING * graph.max())
    return float(np.median(reference[positive] / graph[positive]))


def degrees(W):
    """Row sums of W, shape (n,)."""
    return np.asarray(W.sum(axis=1, dtype=float)).ravel()


def inverse_power(d, power):
    """d^{−power}, 0 where d = 0."""
    return np.divide(1.0, d**power, out=np.zeros_like(d), where=d > 0)


def without_zeros(W):
    """A sparse W, as CSR, without stored zeros, which SciPy counts as edges between components."""
    if not sp.issparse(W):
        return W
    edges = W.tocsr()
    if not edges.data.all():
        edges = edges.copy()
        edges.eliminate_zeros()
    return edges


def check_graph(W):
    """The weights as floats, CSR without stored zeros if sparse.

    Raises
    ------
    ValueError
        If W is not square, or holds anything but finite real numbers of at least 0.
    """
    if sp.issparse(W):
        W = sp.csr_matrix(W)
        W = without_zeros(W if W.dtype.kind in "fc" else W.astype(float))
        weights = np.asarray(W.data)
    else:
        check_dense(W, "W")
        weights = W = np.asarray(W, dtype=float)
    is_square = W.ndim == 2 and W.shape[0] == W.shape[1]
    is_real = weights.dtype.kind == "f"
    if not (
        is_square and is_real and 0 <= weights.min(initial=0) <= weights.max(initial=0) < np.inf
    ):
        raise ValueError("W must be a square matrix of weights, finite and at least 0.")
    return W


def _components(W):
    """Index arrays of the connected components."""
    if sp.issparse(W):
        n_components, component = connected_components(W, directed=False)
    else:
        n_components, component = _dense_components(W)
    order = np.argsort(component, kind="stable")
    return np.split(order, np.searchsorted(component[order], np.arange(1, n_components)))


def _dense_components(W, block=256):
    """`connected_components` by blocks of rows, as SciPy's makes three copies of a dense W.

    See test_components_of_a_dense_graph_take_little_memory.
    """
    n = len(W)
    n_components, component = n, np.arange(n)
    for start in range(0, n, block):
        i, j = np.nonzero(W[start : start + block])
        shape = n_components, n_components
        links = sp.coo_matrix((np.ones(len(i), bool), (component[i + start], component[j])), shape)
        n_components, merged = connected_components(links, directed=False)
        component = merged[component]
        if n_components == 1:
            break
    return n_components, component


def _component_modes(L, null, k):
    """Pairs (γ, v) of one connected component, the null vector first; L (m, m), null (m,)."""
    m, u = len(null), null / np.linalg.norm(null)
    modes = [(0.0, u)]
    k = min(k, m) - 1
    if k == 0:
        return modes
    few = m <= max(DENSE, 4 * k)
    gamma, V = (_dense_modes if few or not sp.issparse(L) else _sparse_modes)(L, u, k)
    return modes + list(zip(np.maximum(gamma, 0.0), V.T, strict=True))


def _dense_modes(L, u, k):
    A = L.toarray() if sp.issparse(L) else L
    bound = 2 * A.diagonal().max()  # Gershgorin: no eigenvalue is larger
    A += np.outer(2 * bound * u, u)  # in place: the caller no longer needs L
    return eigh(A.T, (0, k - 1), overwrite=True)


def _sparse_modes(L, u, k):
    m, by_inverse = len(u), has_large_diameter(abs(L))
    if m <= SMALL and not by_inverse:
        return _dense_modes(L, u, k)
    start = np.random.default_rng(0).standard_normal(m)
    try:
        V = _lanczos(L, u, start - u * (u @ start), k, by_inverse)
    except spla.ArpackNoConvergence:
        if m <= MOST_DENSE:
            return _dense_modes(L, u, k)
        raise ValueError(
            f"The first {k + 1} eigenvalues of the graph do not converge: its weights differ by "
            "too many orders of magnitude. Take a larger bandwidth, more neighbours or fewer modes."
        ) from None
    gamma, Q = np.linalg.eigh(V.T @ (L @ V))  # Rayleigh-Ritz: full accuracy for small γ
    return gamma, V @ Q


def _lanczos(L, u, start, k, by_inverse):
    """Orthonormal basis of the k lowest modes of sparse L, orthogonal to its null vector u."""
    m, d = len(u), L.diagonal().max()

    def operator(apply):
        return spla.LinearOperator((m, m), matvec=lambda x: apply(x.ravel()), dtype=float)

    if by_inverse:
        solve = factor(L + 1e-10 * d * sp.eye(m)).solve

        def inverse(x):
            x = solve(x - u * (u @ x))
            return x - u * (u @ x)

        op, which = operator(inverse), "LA"
    else:
        op, which = operator(lambda x: L @ x + 4 * d * u * (u @ x)), "SA"
    # A large basis, as close and repeated eigenvalues are common
    basis = min(m, max(2 * k + 1, k + 30))
    restarts = RESTARTS if m <= MOST_DENSE else None
    V = spla.eigsh(op, k, which=which, v0=start, ncv=basis, maxiter=restarts)[1]
    return np.linalg.qr(V)[0]
