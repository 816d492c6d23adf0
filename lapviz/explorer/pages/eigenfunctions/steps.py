"""Eigenfunctions by each method on the same points, and each method beside the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import fit, graphs, metrics
from lapviz.datasets.base import N_TRUE
from lapviz.datasets.truths import gaussian_spectrum
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.eigenfunctions.weights import Network
from lapviz.explorer.scene.placement import drawn_rows
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN, DataSpec
from lapviz.fit import GraphSpec
from lapviz.graphs import eigenmaps
from lapviz.progress import track

Array = np.ndarray
N_MODES = 17  # sixteen and one more, the constant included


@dataclass(frozen=True, eq=False)
class Functions:
    """Eigenfunctions of one method, by ascending eigenvalue, the constant first.

    Attributes
    ----------
    gamma : array (k,)
    evaluate : callable, from points Z (n, d) and m to the values (n, m) of the first m functions
    note : str, a sentence about what they were computed on, or empty
    scaled : bool, whether ``gamma`` is known up to a factor, and scaled to the learnt sum
    rows, values : the samples (r,) at which the method gives values (r, k) directly, or None
    """

    gamma: Array
    evaluate: Callable[[Array, int], Array]
    note: str = ""
    scaled: bool = False
    rows: Array | None = None
    values: Array | None = None

    def on_samples(self, X: Array, rows: Array, m: int) -> Array:
        """The first m functions at some rows of the samples X (n, d), array (len(rows), m)."""
        m = min(m, len(self.gamma))
        if self.rows is None:
            return self.evaluate(X[rows], m)
        values = np.empty((len(rows), m))
        positions = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        is_node = self.rows[positions] == rows  # at the method's own nodes nothing is extended
        values[is_node] = self.values[positions[is_node], :m]
        if not is_node.all():
            values[~is_node] = self.evaluate(X[rows[~is_node]], m)
        return values


def learnt(settings: Settings) -> Functions:
    """Eigenfunctions of the learnt operator."""
    method = fits.method(settings)
    pairs, space = method.eigenfunctions(N_MODES), method.assembled().space
    return Functions(pairs.gamma, lambda Z, m: space.evaluate(Z, pairs.vectors[:, :m]))


# The other methods.


def other(settings: Settings, name: str, gamma: Array, network: Network | None) -> Functions:
    """Eigenfunctions by another method of ``settings.specs.SHOWN`` than the learnt operator.

    Parameters
    ----------
    settings : Settings
    name : {"graph", "eigenmaps", "diffusion", "neural"}
    gamma : array (k,), the eigenvalues to which those of graphs are scaled
    network : Network or None, a trained one

    Raises
    ------
    ValueError
        If the method has no eigenfunctions for these settings; the message says why.
    """
    if name == "neural":
        if network is None:
            raise ValueError("The network is not trained yet.")
        note = (
            f"A network after {network.n_batches:,} batches. Its energies are those at the points "
            "of the training: with few points it learns these by heart, and eigenvalues are too "
            "small."
        )
        return Functions(network.gamma, lambda Z, m: network.evaluate(Z)[:, :m], note)
    if name == "diffusion":
        return _diffusion(settings)
    return _of_graph(settings, name, gamma)


def _of_graph(settings: Settings, name: str, gamma: Array) -> Functions:
    """Functions at the nodes of a graph, extended by a weighted mean over nodes nearby."""
    if name == "graph":
        spec = baseline.spec_of(settings)
        nodes, modes = baseline.modes(settings.data, spec, N_MODES)
        own_gamma, values = modes.gamma, modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))
    else:
        spec = GraphSpec(n_neighbors=settings.baseline.n_neighbors).relevant()
        nodes = baseline.nodes(settings.data, spec)
        values, own_gamma = _embedded(settings.data, spec)
    n, m = len(points.sample(settings.data).X), len(nodes.rows)
    note = "" if n == m else f"The graph is built on {m:,} of the {n:,} points."
    if len(gamma) < 2:
        raise ValueError(
            "The learnt operator has the constant alone, and no eigenvalue to which those of a "
            "graph can be scaled: take a smaller σ, or more points."
        )
    scale = graphs.match_scale(own_gamma, gamma, robust=True)

    def evaluate(Z: Array, k: int) -> Array:
        return fit.graph.extend(nodes.X, values[:, :k], Z, spec)

    return Functions(scale * own_gamma, evaluate, note, True, nodes.rows, values)


@step
def _embedded(data: DataSpec, spec: GraphSpec) -> tuple[Array, Array]:
    """Return eigenmaps, the constant included, at the nodes (m, k), and the eigenvalues (k,)."""
    nodes = baseline.nodes(data, spec)
    values = eigenmaps.laplacian_eigenmaps(nodes.X, N_MODES - 1, spec.n_neighbors)
    gamma = graphs.graph_spectrum(nodes.W, values.shape[1] + 1, kind="random-walk").gamma
    return np.column_stack([np.ones(len(values)), values]), gamma


@step
def _diffusion_map(data: DataSpec) -> tuple[Array, eigenmaps.DiffusionMap]:
    """Return the rows used, and the diffusion map on them."""
    rows = baseline.node_rows(data, GraphSpec(graph="dense"))
    return rows, eigenmaps.diffusion_maps(points.sample(data).X[rows], N_MODES)


def _diffusion(settings: Settings) -> Functions:
    rows, mapped = _diffusion_map(settings.data)
    n = len(points.sample(settings.data).X)
    note = f"Diffusion maps with σ = {mapped.bandwidth:.3g}"
    note += "." if len(rows) == n else f", on {len(rows):,} of the {n:,} points."
    return Functions(mapped.gamma, lambda Z, m: mapped.transform(Z)[:, :m], note,
                     rows=rows, values=mapped.values)  # fmt: skip


# The truth, where it is known.


@dataclass(frozen=True, eq=False)
class MethodErrors:
    """One method's errors.

    ``error`` is E_S (GAL23 eq. 21) over the complete eigenspaces among the first 17 eigenvalues;
    ``angles`` (degrees) the largest principal angle of each of them, or empty where the true
    functions are not known; ``reason`` says why there is neither.
    """

    method: str
    error: float | None
    angles: tuple[float, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class TruthComparison:
    """The errors of every method against the truth.

    ``spaces`` are the true eigenvalues with their multiplicities.
    """

    spaces: tuple[tuple[float, int], ...]
    methods: tuple[MethodErrors, ...]
    scaled: bool
    note: str = ""


def known_eigenvalues(settings: Settings, m: int = N_TRUE) -> Array | None:
    """The first m true eigenvalues of the operator, or singular values of the form, in use.

    None if they are not known.
    """
    data, truth = settings.data, points.sample(settings.data).truth
    if settings.view.form == "ornstein":
        return gaussian_spectrum(data.info.n_features, m) / (1 + data.noise**2)
    if settings.view.form == "rotation":
        on_circle = data.name == "circle" and data.noise == 0
        return (np.arange(1, m + 1) // 2).astype(float) if on_circle else None
    ambient = settings.energy.operator == "laplacian"
    tangential = settings.energy.operator in ("tangent", "known")
    in_use = {"laplacian": ambient, "tangent": tangential}
    if settings.mixes:  # no closed form for a sum of energies
        return None
    known = truth.eigenvalues is not None and in_use.get(truth.operator, ambient or tangential)
    return np.array(truth.eigenvalues)[:m] if known else None


def compare_with_truth(settings: Settings, network: Network | None = None) -> TruthComparison:
    """Compute the errors of all methods on these points; the network's if it is trained.

    Raises
    ------
    ValueError
        If the true eigenvalues are not known for the operator in use.
    """
    settings = fits.for_modes(settings)
    data = points.sample(settings.data)
    truth, gamma = data.truth, known_eigenvalues(settings)
    if truth.eigenvalues is None:
        raise ValueError(truth.note or "The true eigenvalues of these data are not known.")
    if gamma is None:
        gradient = "ambient" if truth.operator == "laplacian" else "tangential"
        raise ValueError(
            f"The true eigenvalues of these data are those of the {gradient} gradient alone: "
            "choose it under “Gradient”, without a second energy, to compare."
        )
    ends = np.flatnonzero(np.diff(gamma) > 1e-8 * (1 + gamma[:-1])) + 1  # of eigenspaces
    has_space = len(ends) > 1 and ends[1] <= N_MODES
    count = int(ends[ends <= N_MODES][-1]) if has_space else min(N_MODES, len(gamma))
    rows = drawn_rows(len(data.X))
    methods, scaled = [], False
    for name in track([n for n in SHOWN if n != "neural" or network is not None], "comparing"):
        try:
            method = learnt(settings) if name == "learnt" else other(settings, name, gamma, network)
            methods.append(_errors(settings, SHOWN[name], method, gamma[:count], rows, has_space))
            scaled |= method.scaled
        except (ValueError, MemoryError) as error:
            methods.append(MethodErrors(SHOWN[name], None, reason=str(error)))
    note = ""
    if truth.functions is None:
        note = "The true eigenfunctions are not known here, the eigenvalues are: E_S alone."
    elif not has_space:
        note = f"The first {count} eigenfunctions hold no whole eigenspace: E_S alone."
    spaces = tuple((float(g[0]), len(g)) for g in np.split(gamma[:count], ends[ends < count]))
    return TruthComparison(spaces, tuple(methods), scaled, note)


def _errors(
    settings, title, method: Functions, gamma: Array, rows: Array, has_space: bool
) -> MethodErrors:
    data, count = points.sample(settings.data), len(gamma)
    estimated = method.gamma[:count]
    if method.scaled:  # a graph's eigenvalues are known up to a factor: take the best one
        estimated = estimated * graphs.match_scale(estimated, gamma)
    error = metrics.spectral_error(gamma, estimated)
    if data.truth.functions is None or not has_space or len(estimated) < count:
        return MethodErrors(title, error)
    if method.rows is not None:  # where the method gives values directly
        rows = method.rows[drawn_rows(len(method.rows))]
    values, true = method.on_samples(data.X, rows, count), data.truth.functions(data.X[rows], count)
    angles = metrics.eigenspace_angles(gamma, true, values)
    return MethodErrors(title, error, tuple(float(np.degrees(a.angle)) for a in angles))
