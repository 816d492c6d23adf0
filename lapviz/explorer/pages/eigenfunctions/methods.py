"""Eigenfunctions by each method on the same points, and how two methods are matched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import fit, graphs
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.eigenfunctions.neural import Network
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.fit import GraphSpec
from lapviz.graphs import eigenmaps

Array = np.ndarray
N_MODES = 17  # sixteen and one more, the constant included


@dataclass(frozen=True, eq=False)
class Functions:
    """Eigenfunctions of one method, by ascending eigenvalue, the constant first.

    Attributes
    ----------
    gamma : array (k,)
    at : callable, points Z (n, d) and m to the values (n, m) of the first m functions
    note : str, a sentence about what they were computed on; empty if there is nothing to say
    scaled : bool, whether ``gamma`` is known up to a factor, and scaled to the learnt sum
    rows, values : the samples (r,) at which the method itself gives values (r, k), or None
    """

    gamma: Array
    at: Callable[[Array, int], Array]
    note: str = ""
    scaled: bool = False
    rows: Array | None = field(default=None)
    values: Array | None = field(default=None)

    def on_samples(self, X: Array, rows: Array, m: int) -> Array:
        """The first m functions at some rows of the samples X (n, d), array (len(rows), m)."""
        m = min(m, len(self.gamma))
        if self.rows is None:
            return self.at(X[rows], m)
        out = np.empty((len(rows), m))
        place = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        own = self.rows[place] == rows  # at the method's own nodes nothing is extended
        out[own] = self.values[place[own], :m]
        if not own.all():
            out[~own] = self.at(X[rows[~own]], m)
        return out

    def signed(self, signs: Array) -> Functions:
        """The same with functions multiplied by ±1 (k,)."""
        at = self.at
        values = None if self.values is None else self.values * signs
        return replace(self, at=lambda Z, m: at(Z, m) * signs[:m], values=values)


def learnt(settings: Settings) -> Functions:
    """The learnt operator's."""
    method = fits.method(settings)
    pairs, space = method.eigenfunctions(N_MODES), method.assembled().space
    return Functions(pairs.gamma, lambda Z, m: space.evaluate(Z, pairs.vectors[:, :m]))


def other(settings: Settings, name: str, gamma: Array, network: Network | None) -> Functions:
    """Those of another method of ``settings.specs.SHOWN`` than the learnt operator.

    Parameters
    ----------
    settings : Settings
    name : {"graph", "eigenmaps", "diffusion", "neural"}
    gamma : array (k,), eigenvalues to which those of graphs are scaled
    network : Network or None, a trained one

    Raises
    ------
    ValueError
        If the method has no eigenfunctions for these settings; the sentence says why.
    """
    if name == "neural":
        return _neural(network)
    return {"graph": _graph, "eigenmaps": _eigenmaps, "diffusion": _diffusion}[name](
        settings, gamma
    )


def _graph(settings: Settings, gamma: Array) -> Functions:
    spec = baseline.spec_of(settings)
    nodes, modes = baseline.modes(settings.data, spec, N_MODES)
    vectors = modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))
    return _on_nodes(settings.data, nodes, spec, modes.gamma, vectors, gamma)


def _eigenmaps(settings: Settings, gamma: Array) -> Functions:
    spec = GraphSpec(n_neighbors=settings.baseline.n_neighbors).relevant()
    nodes = baseline.nodes(settings.data, spec)
    values, theirs = _embedded(settings.data, spec)
    return _on_nodes(settings.data, nodes, spec, theirs, values, gamma)


@step
def _embedded(data: DataSpec, spec: GraphSpec) -> tuple[Array, Array]:
    """Eigenmaps with the constant at the nodes (m, k), and the eigenvalues (k,)."""
    nodes = baseline.nodes(data, spec)
    values = eigenmaps.laplacian_eigenmaps(nodes.X, N_MODES - 1, spec.n_neighbors)
    gamma = graphs.graph_spectrum(nodes.W, values.shape[1] + 1, kind="random-walk").gamma
    return np.column_stack([np.ones(len(values)), values]), gamma


def _on_nodes(data, nodes, spec, theirs: Array, values: Array, gamma: Array) -> Functions:
    """Functions at the nodes of a graph; elsewhere a weighted mean of those nearby."""
    n, m = len(points.sample(data).X), len(nodes.rows)
    note = "" if n == m else f"The graph is built on {m:,} of the {n:,} points."
    scale = graphs.match_scale(theirs, gamma, robust=True)

    def at(Z: Array, k: int) -> Array:
        return fit.graph.extend(nodes.X, values[:, :k], Z, spec)

    return Functions(scale * theirs, at, note, True, nodes.rows, values)


@step
def _diffusion_map(data: DataSpec) -> tuple[Array, eigenmaps.DiffusionMap]:
    """The rows used, and the diffusion map on them."""
    X, dense = points.sample(data).X, GraphSpec(graph="dense")
    rows, limit = np.arange(len(X)), baseline.sampled_rows(data, dense)
    if limit is not None:
        rows = np.sort(np.random.default_rng(data.random_state).choice(len(X), limit, False))
    return rows, eigenmaps.diffusion_maps(X[rows], N_MODES)


def _diffusion(settings: Settings, gamma: Array) -> Functions:
    rows, found = _diffusion_map(settings.data)
    n = len(points.sample(settings.data).X)
    note = f"Diffusion maps with σ = {found.bandwidth:.3g}"
    note += "." if len(rows) == n else f", on {len(rows):,} of the {n:,} points."

    def at(Z: Array, k: int) -> Array:
        return found.transform(Z)[:, :k]

    return Functions(found.gamma, at, note, False, rows, found.values)


def _neural(network: Network | None) -> Functions:
    if network is None:
        raise ValueError("The network is not trained yet.")
    note = f"A network after {network.n_batches:,} batches."
    return Functions(network.gamma, lambda Z, m: network.evaluate(Z)[:, :m], note)


def with_signs_of(functions: Functions, reference: Array, values: Array) -> Functions:
    """The same functions, each with the sign that its partner among the reference has.

    Parameters
    ----------
    functions : Functions
    reference : array (n, k), values of the learnt functions at some samples
    values : array (n, m), values of these functions at the same samples
    """
    T = graphs.match_functions(reference, values)
    signs = np.ones(len(functions.gamma))
    lead = T.sum(axis=1)  # of each function ±1, or 0 without a partner
    signs[: len(lead)] = np.where(lead < 0, -1.0, 1.0)
    return functions.signed(signs)
