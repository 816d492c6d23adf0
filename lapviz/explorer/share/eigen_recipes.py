"""*Copy as Python* of the Eigenfunctions page: other methods, matching, bilinear forms."""

from __future__ import annotations

from lapviz import fit
from lapviz._extras import command
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.host.limits import MAX_DRAWN
from lapviz.explorer.settings.records import AUTO, OF_MODES, Settings
from lapviz.explorer.share import script
from lapviz.explorer.share.script import call
from lapviz.fit import GraphSpec


def eigenfunctions(settings: Settings) -> str:
    """Script of the page: eigenvalues, and eigenfunctions at the samples."""
    if settings.view.form != "dirichlet":
        return _form(settings)
    settings = fits.named(settings)
    arguments = {"n_components": 17} | script.space_and_energy(settings)
    weights = script.weights(settings, "sample_weight=data.weights")
    report = "  # .report_: what the data chose" if settings.automatic(OF_MODES) else ""
    return script.whole(f"""\
{script.data(settings)}
embedding = {call("GalerkinEmbedding", arguments)}.fit(data.X{weights}){report}
E = embedding.transform(data.X)  # eigenfunctions at the samples, or at any other points
print("eigenvalues:", embedding.eigenvalues_.round(3))
print("null directions dropped:", embedding.n_dropped_)
{_method(settings)}""")


def _method(settings: Settings) -> str:
    """Lines that give another method's eigenvalues and functions; "" for the learnt operator."""
    show = settings.view.show
    if show == "learnt":
        return ""
    own = {"graph": _graph, "eigenmaps": _eigenmaps, "diffusion": _diffusion}
    rows = None
    if show == "neural":
        lines = _neural(settings)
    else:
        graph = settings.baseline if show == "graph" else GraphSpec()
        dense = GraphSpec(graph="dense")
        rows = baseline.sampled_rows(settings.data, dense if show == "diffusion" else graph)
        lines = _nodes(settings, rows) + own[show](settings, "data.X[rows]" if rows else "data.X")
    lines.append('print("the other method\'s eigenvalues:", gamma.round(3))')
    if settings.view.beside and not rows:
        lines += _matching(settings)
    return "\n".join(["", *lines, ""])


def _nodes(settings: Settings, rows: int | None) -> list[str]:
    """Of very many points a graph is built on some."""
    if not rows:
        return []
    draw = f"np.random.default_rng({settings.data.random_state}).choice"
    return [f"rows = np.sort({draw}(len(data.X), {rows}, replace=False))"]


def _scaled(modes: str) -> list[str]:
    return [
        f"scale = graphs.match_scale({modes}, embedding.eigenvalues_, robust=True)",
        f"gamma = scale * {modes}",
    ]


def _graph(settings: Settings, nodes: str) -> list[str]:
    spec = settings.baseline
    dense = spec.graph == "dense"
    width = "embedding.bandwidth_"
    made = (
        f"dense_weights({nodes}, {width})" if dense else f"knn_weights({nodes}, {spec.n_neighbors})"
    )
    return [
        f"W = graphs.{made}",
        "modes = graphs.graph_spectrum(W, 17)",
        *_scaled("modes.gamma"),
        "F = modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))  # at the nodes",
    ]


def _eigenmaps(settings: Settings, nodes: str) -> list[str]:
    k = settings.baseline.n_neighbors
    return [
        f"F = eigenmaps.laplacian_eigenmaps({nodes}, 16, {k})",
        "F = np.column_stack([np.ones(len(F)), F])  # at the nodes",
        f"W = graphs.knn_weights({nodes}, {k})",
        'theirs = graphs.graph_spectrum(W, F.shape[1], kind="random-walk").gamma',
        *_scaled("theirs"),
    ]


def _diffusion(settings: Settings, nodes: str) -> list[str]:
    return [
        f"maps = eigenmaps.diffusion_maps({nodes}, 17)",
        "gamma, F = maps.gamma, maps.values  # maps.transform: at any points",
    ]


def _neural(settings: Settings) -> list[str]:
    arguments = {"n_components": 17, "operator": settings.operator, "window": 25,
                 "n_batches": settings.neural.batches, "learning_rate": settings.neural.rate,
                 "random_state": settings.data.random_state}  # fmt: skip
    return [
        f"# needs JAX and optax: {command('neural')}",
        f"network = {call('NeuralEigenfunctions', arguments)}.fit(data.X)",
        "gamma, F = network.eigenvalues_, network.transform(data.X)",
    ]


def _matching(settings: Settings) -> list[str]:
    """The other method's functions in the place of the learnt ones, as they are drawn."""
    drawn = settings.data.n_samples > MAX_DRAWN
    some = "[drawn]" if drawn else ""
    lines = []
    if drawn:
        order = "np.random.default_rng(0).permutation(len(data.X))"
        lines.append(f"drawn = np.sort({order}[:{MAX_DRAWN}])")
    return [
        *lines,
        f"T = graphs.match_functions(E{some}[:, :9], F{some}, embedding.eigenvalues_[:9])",
        "matched = F @ T  # beside e0, e1, …",
        'print("of the matched functions:", ((T**2).T @ gamma).round(3))',
    ]


def _form(settings: Settings) -> str:
    """The whole script of a bilinear form."""
    if settings.space.n_landmarks == AUTO:  # half of them are asked for, too
        n = len(points.sample(settings.data).X)
        settings = settings.change(p=fit.auto.landmarks(n))
    space = call("fit.SpaceSpec", settings.space.arguments())
    lines = f"""\
{script.data(settings)}
spec = {space}
kernel = fit.kernel(data.X, spec)
phi = fit.basis(data.X, spec, True, kernel, fit.centres(data.X, spec, kernel)).space
"""
    if settings.view.form == "ornstein":
        return script.whole(f"""\
{lines}
found = bilinear.galerkin_svd("laplacian", phi, None, data.X, n_components=17)
print("eigenvalues:", found.values.round(3))
E = found.evaluate_right(data.X)  # eigenfunctions at the samples, or at any other points
""")
    half = -(-settings.space.n_landmarks // 2)
    return script.whole(f"""\
{lines}
# of first order: images of the right functions must lie in the left space
fewer = replace(spec, n_landmarks={half}, bandwidth=kernel.bandwidth)
psi = fit.basis(data.X, fewer, True, kernel, fit.centres(data.X, fewer, kernel)).space


def turning(X):
    return np.column_stack([-X[:, 1], X[:, 0]])  # the slope along it is d/dθ


slope = bilinear.Derivative(turning)
found = bilinear.galerkin_svd(slope, phi, psi, data.X, n_components=17)
print("singular values:", found.values.round(3))
F, G = found.evaluate_left(data.X), found.evaluate_right(data.X)
""")
