"""*Copy as Python* of the pages Labels and Eigenfunctions: the settings as a short script.

It uses the estimators where they suffice; with free labels, with several candidates, or with
classes without a label, it calls the functions of :mod:`lapviz.fit`, as the page itself does.
"""

from __future__ import annotations

from dataclasses import replace

from lapviz import fit
from lapviz._extras import command
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.host.limits import MAX_DRAWN
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, OF_MODES, Settings
from lapviz.explorer.share import script
from lapviz.explorer.share.script import Source, call

# ---- Labels -----------------------------------------------------------------------------------


def labels(settings: Settings) -> str:
    """Script of the Labels page: all its methods on the same labels."""
    settings = fits.scaled(settings)
    given = points.labelled(settings.data, settings.labels)
    if not given.labels:
        return "# Label a point first.\n"
    own = settings.data.name in ("table", drawing.NAME)  # points may have no known class
    n_classes = settings.data.info.n_classes
    # the classifier has only the classes of its labels, each of one sample
    all_classes = len(set(given.codes.tolist())) == n_classes
    suffices = all_classes and not given.partial and (given.index >= 0).all()
    methods = _by_estimators(settings, given) if suffices else _by_functions(settings, given)
    lines = f"""\
{script.data(settings)}
{methods}
judged = ~labelled{" & (data.y >= 0)" * own}
for name, predicted in by_method.items():
    accuracy = (predicted == data.y)[judged].mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
"""
    if settings.data.name == "table" and not given.partial:
        far, chances = "classifier.far_from_data(X)", "classifier.predict_proba(X)"
        if not suffices:
            whole = "X" if settings.data.scaling is None else "scaling(X)"
            scores = f"problem.scores({whole}, solved), {n_classes}, solved.temperature"
            chances = f"estimates.probabilities({scores})"
            far = f"problem.far_from_data({whole})"
        lines += "\nnames = np.array(data.class_names, dtype=object)" + script.every_row(
            chances, far, f"np.arange({n_classes})", "prepared"
        )
    return script.with_imports(lines)


def _by_estimators(settings: Settings, given: points.Labelled) -> str:
    arguments = script.space_and_energy(settings) | settings.estimate.arguments()
    if settings.energy.operator != AUTO:  # the papers' are what an estimator then takes
        for name, papers in (("balance", None), ("n_passes", 0)):
            if arguments.get(name, papers) == papers:
                arguments.pop(name, None)
    lam = "classifier.lam_" if settings.estimate.lam == AUTO else repr(settings.estimate.lam)
    if settings.labels.chosen is None:
        target = "y = data.semi_supervised_target()  # -1: unlabelled"
    else:
        target = (
            "y = np.full(len(data.X), -1)  # -1: unlabelled\n"
            f"y[{given.index.tolist()}] = {given.codes.tolist()}"
        )
    weights = script.weights(settings, "data.weights")
    mass = script.weights(settings, "data.weights[labelled] / data.weights[labelled].mean()")
    graph = _graph(settings, "classifier.bandwidth_", "GraphLaplacianClassifier")
    report = "\nprint(classifier.report_)" if settings.automatic(CHOOSABLE) else ""
    seen, scaling = "data.X", ""
    if settings.data.scaling is not None:
        seen, scaling = "scaled", "scaled = classifier.scaling_(data.X)  # for all methods\n"
    most = baseline.sampled_rows(settings.data, settings.baseline)
    nodes = f"{seen}, y{weights}"
    some, at_all = "", "graph.transduction_"
    if most:  # of very many points, as on the page
        some = f"rows = np.union1d({_draw(settings, most)}, np.flatnonzero(labelled))\n"
        nodes = f"{seen}[rows], y[rows]" + script.weights(settings, "data.weights[rows]")
        at_all = f"graph.predict({seen})"
    return f"""\
{target}
labelled = y >= 0
classifier = {call("LaplacianClassifier", arguments)}.fit(data.X, y{weights})
{scaling}{some}graph = {graph}.fit({nodes})

# kernel ridge on the labels alone, with the ridge λμ
kernel = classifier.kernel_
codes = np.eye(data.n_classes)[y[labelled]] - 1 / data.n_classes
weight = labelled.sum() * {lam} * classifier.mu_
ridge = KernelRidge(alpha=max(weight, 1e-12), kernel="precomputed")
ridge.fit(kernel({seen}[labelled], {seen}[labelled]), codes{mass})
{report}
by_method = {{
    "kernel ridge": ridge.predict(kernel({seen}, {seen}[labelled])).argmax(axis=1),
    "kernel Laplacian": classifier.predict(data.X),
    "graph Laplacian": {at_all},
}}"""


def _draw(settings: Settings, count: int) -> str:
    """Rows of very many points, as the page draws those of its graph."""
    rng = f"np.random.default_rng({settings.data.random_state})"
    return f"{rng}.choice(len(data.X), {count}, replace=False)"


def _graph(settings: Settings, width: str, name: str) -> str:
    """The graph to compare; ``width`` is where the script has the σ that a dense one takes."""
    own = {"bandwidth": Source(width)} if settings.baseline.needs_bandwidth else {}
    return call(name, settings.baseline.arguments() | own)


def _by_functions(settings: Settings, given: points.Labelled) -> str:
    """The same problem as the page's; labels may be free, and have several candidates."""
    estimate, n_classes = settings.estimate, settings.data.info.n_classes
    if given.partial:  # no passes: they need labels of one class each
        estimate = replace(estimate, n_passes=0)
    energy = {"operator": settings.operator, "mu": settings.energy.mu}
    free = (given.index < 0).any()
    sets = [list(label.candidates) for label in given.labels]
    scaling = settings.data.scaling is not None
    seen = "scaled" if scaling else "data.X"
    lines = f"""\
index = np.array({given.index.tolist()})  # rows of the data; -1: a point of its own
X_labelled = {f"np.array({given.X.tolist()})" if free else f"{seen}[index]"}
sets = {sets}  # candidate classes of each label
allowed = np.array([np.isin(np.arange({n_classes}), s) for s in sets])
shares = allowed / allowed.sum(axis=1, keepdims=True)
labelled = np.isin(np.arange(len(data.X)), index)
space = {call("fit.SpaceSpec", settings.space.arguments())}
energy = {call("fit.EnergySpec", energy)}
estimate = {call("fit.EstimateSpec", estimate.arguments())}
weights = {"None" if points.weights(settings.data) is None else "data.weights"}
problem = fit.problem({seen}, labelled, space, energy, estimate, weights)
labels = fit.Labels(X_labelled, shares, index)
solved = problem.solve(labels)
scores = problem.scores({seen}, solved)
"""
    if scaling:
        lines = f"""\
scaling = fit.Scaling.of(data.X, data.weights, {estimate.scaling!r})
scaled = scaling(data.X)  # for all methods
{lines}"""
    if not given.partial:
        return lines + 'by_method = {"kernel Laplacian": estimates.decode(scores)}'
    graph = _graph(settings, "problem.kernel.bandwidth", "fit.GraphSpec")
    return f"""\
{lines}
# the infimum loss: the smoothest function that agrees with the candidates
tells = ~allowed.all(axis=1)  # a label that allows every class says nothing
phi = problem.space.phi(X_labelled[tells])
codes = estimates.class_codes(np.arange({n_classes}), {n_classes})
lam = problem.plan_for(labels).estimate.lam
mass = None if weights is None else problem.weights_of(labels)[tells]
found = partial_labels.disambiguate(problem.factor, phi, allowed[tells], codes, lam, weights=mass)
smoothest = problem.space.evaluate({seen}, found.coefficients)

# the graph over samples and free labels: of several candidates each has an equal share
graph = {graph}
own = index < 0
nodes = np.vstack([{seen}, X_labelled[own]])
if weights is not None:
    weights = np.r_[weights, np.full(own.sum(), weights.mean())]
W = fit.graph.weights(nodes, graph, weights)
given = np.zeros((len(nodes), {n_classes}))
given[np.where(own, len(data.X) - 1 + np.cumsum(own), index)] = shares
told = given.any(axis=1)
at_nodes = fit.graph.shares(W, told, given[told], graph, weights)
by_graph = estimates.class_scores(at_nodes[: len(data.X)])

by_method = {{
    "candidates averaged": estimates.decode(scores),
    "infimum loss": estimates.decode(smoothest),
    "graph Laplacian": estimates.decode(by_graph),
}}"""


# ---- Eigenfunctions ---------------------------------------------------------------------------


def eigenfunctions(settings: Settings) -> str:
    """Script of the page: eigenvalues, and eigenfunctions at the samples."""
    if settings.view.form != "dirichlet":
        return _form(settings)
    settings = fits.named(settings)
    arguments = {"n_components": 17} | script.space_and_energy(settings)
    weights = script.weights(settings, "sample_weight=data.weights")
    report = "  # .report_: what the data chose" if settings.automatic(OF_MODES) else ""
    return script.with_imports(f"""\
{script.data(settings)}
embedding = {call("GalerkinEmbedding", arguments)}.fit(data.X{weights}){report}
E = embedding.transform(data.X)  # eigenfunctions at the samples, or at any other points
print("eigenvalues:", embedding.eigenvalues_.round(3))
print("null directions dropped:", embedding.n_dropped_)
{_method(settings)}""")


_SCALED = """
scale = graphs.match_scale(modes.gamma, embedding.eigenvalues_, robust=True)
gamma = scale * modes.gamma"""


def _method(settings: Settings) -> str:
    """Lines that give another method's eigenvalues and functions; "" for the learnt operator."""
    show, graph, seed = settings.view.show, settings.baseline, settings.data.random_state
    if show == "learnt":
        return ""
    if show == "neural":
        arguments = {"n_components": 17, "operator": settings.operator, "window": 25,
                     "n_batches": settings.neural.batches, "learning_rate": settings.neural.rate,
                     "random_state": seed}  # fmt: skip
        rows, method = (
            None,
            f"""\
# needs JAX and optax: {command("neural")}
network = {call("NeuralEigenfunctions", arguments)}.fit(data.X)
gamma, F = network.eigenvalues_, network.transform(data.X)""",
        )
    else:
        built = {"graph": graph, "diffusion": fit.GraphSpec(graph="dense")}
        rows = baseline.sampled_rows(settings.data, built.get(show, fit.GraphSpec()))
        method = _at_nodes(settings, "data.X[rows]" if rows else "data.X")
    if rows:  # of very many points a graph is built on some
        method = f"rows = np.sort({_draw(settings, rows)})\n{method}"
    matched = _matched(settings) if settings.view.beside and not rows else ""
    return f"""
{method}
print("the other method's eigenvalues:", gamma.round(3))
{matched}"""


def _matched(settings: Settings) -> str:
    """The other method's functions in the place of the learnt ones, as they are drawn."""
    part, of = "", ""
    if settings.data.n_samples > MAX_DRAWN:
        order = "np.random.default_rng(0).permutation(len(data.X))"
        part, of = f"drawn = np.sort({order}[:{MAX_DRAWN}])\n", "[drawn]"
    return f"""\
{part}T = graphs.match_functions(E{of}[:, :9], F{of}, embedding.eigenvalues_[:9])
matched = F @ T  # beside e0, e1, …
print("of the matched functions:", ((T**2).T @ gamma).round(3))
"""


def _at_nodes(settings: Settings, nodes: str) -> str:
    """Another method's functions at its nodes, and their eigenvalues."""
    graph, k = settings.baseline, settings.baseline.n_neighbors
    if settings.view.show == "diffusion":
        return f"""\
maps = eigenmaps.diffusion_maps({nodes}, 17)
gamma, F = maps.gamma, maps.values  # maps.transform: at any points"""
    if settings.view.show == "eigenmaps":
        return f"""\
F = eigenmaps.laplacian_eigenmaps({nodes}, 16, {k})
F = np.column_stack([np.ones(len(F)), F])  # at the nodes
W = graphs.knn_weights({nodes}, {k})
modes = graphs.graph_spectrum(W, F.shape[1], kind="random-walk"){_SCALED}"""
    dense = graph.graph == "dense"
    made = (
        f"dense_weights({nodes}, embedding.bandwidth_)" if dense else f"knn_weights({nodes}, {k})"
    )
    return f"""\
modes = graphs.graph_spectrum(graphs.{made}, 17){_SCALED}
F = modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))  # at the nodes"""


def _form(settings: Settings) -> str:
    """The whole script of a bilinear form."""
    if settings.space.n_landmarks == AUTO:  # half of them are asked for, too
        n = len(points.sample(settings.data).X)
        settings = settings.change(p=fit.auto.landmarks(n))
    lines = f"""\
{script.data(settings)}
spec = {call("fit.SpaceSpec", settings.space.arguments())}
kernel = fit.kernel(data.X, spec)
phi = fit.basis(data.X, spec, True, kernel, fit.centres(data.X, spec, kernel)).space

"""
    if settings.view.form == "ornstein":
        return script.with_imports(
            lines
            + """\
found = bilinear.galerkin_svd("laplacian", phi, None, data.X, n_components=17)
print("eigenvalues:", found.values.round(3))
E = found.evaluate_right(data.X)  # eigenfunctions at the samples, or at any other points
"""
        )
    half = -(-settings.space.n_landmarks // 2)
    return script.with_imports(f"""\
{lines}# of first order: images of the right functions must lie in the left space
fewer = replace(spec, n_landmarks={half}, bandwidth=kernel.bandwidth)
psi = fit.basis(data.X, fewer, True, kernel, fit.centres(data.X, fewer, kernel)).space


def turning(X):
    return np.column_stack([-X[:, 1], X[:, 0]])  # the slope along it is d/dθ


slope = bilinear.Derivative(turning)
found = bilinear.galerkin_svd(slope, phi, psi, data.X, n_components=17)
print("singular values:", found.values.round(3))
F, G = found.evaluate_left(data.X), found.evaluate_right(data.X)
""")
