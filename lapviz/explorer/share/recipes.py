"""*Copy as Python* of the pages Labels and Eigenfunctions: the settings as a short script.

It uses the estimators where they suffice; with off-sample labels, with several candidates, or with
classes without a label, it calls the functions of :mod:`lapviz.fit`, as the page itself does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lapviz import fit
from lapviz._extras import command
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.host.limits import MAX_DRAWN
from lapviz.explorer.scene.label_methods import AVERAGED, GRAPH, INFIMUM, LAPLACIAN, RIDGE
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, OF_MODES, Settings
from lapviz.explorer.share import script
from lapviz.explorer.share.script import Source, call

# ---- Labels -----------------------------------------------------------------------------------


def labels(settings: Settings, refused: Mapping[str, str] | None = None) -> str:
    """Script of the Labels page, with its methods on the same labels; off-sample labels, or classes
    without one, leave the kernel Laplacian alone.

    ``refused`` has the reasons why the page refuses methods, by their titles.
    """
    settings, refused = fits.scaled(settings), refused or {}
    labelled = points.labelled(settings.data, settings.labels)
    if not labelled.labels:
        return "# Label a point first.\n"
    may_be_unknown = settings.data.name in ("table", drawing.NAME)  # points may have no class
    n_classes = settings.data.info.n_classes
    # A classifier has only the classes of its labels; each label is of one sample and one class.
    all_classes = len(set(labelled.codes.tolist())) == n_classes
    estimators_suffice = all_classes and not settings.labels.partial and (labelled.index >= 0).all()
    lines_of = _by_estimators if estimators_suffice else _by_functions
    reasons = "".join(f"{script.comment(f'{name}: {refused[name]}')}\n\n" for name in refused)
    body = f"{script.data(settings)}\n{reasons}{lines_of(settings, labelled, refused)}\n"
    data = points.sample(settings.data)
    if points.judged(data, labelled.mask(len(data.X))).any():
        body += f"""\
judged = ~labelled{" & (data.y >= 0)" * may_be_unknown}
for name, predicted in by_method.items():
    accuracy = (predicted == data.y)[judged].mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
"""
    if settings.data.name == "table" and LAPLACIAN not in refused:
        far, probabilities = "classifier.far_from_data(X)", "classifier.predict_proba(X)"
        if not estimators_suffice:
            X = "X" if settings.data.scaling is None else "scaling(X)"
            scores = f"problem.scores({X}, solved), {n_classes}, solved.temperature"
            probabilities = f"estimates.probabilities({scores})"
            far = f"problem.far_from_data({X})"
        body += "\nnames = np.array(data.class_names, dtype=object)" + script.every_row(
            probabilities, far, f"np.arange({n_classes})", "prepared"
        )
    return script.with_imports(body)


def _by_estimators(
    settings: Settings, labelled: points.Labelled, refused: Mapping[str, str]
) -> str:
    if LAPLACIAN in refused:  # because of its passes: without them it has the others' kernel and μ
        settings = replace(settings, estimate=replace(settings.estimate, n_passes=0))
    arguments = script.space_and_energy(settings) | settings.estimate.arguments()
    if settings.energy.operator != AUTO:  # an estimator then takes the papers' by default
        for name, papers in (("balance", None), ("n_passes", 0)):
            if arguments.get(name, papers) == papers:
                arguments.pop(name, None)
    lam = "classifier.lam_" if settings.estimate.lam == AUTO else repr(settings.estimate.lam)
    if settings.labels.chosen is None:
        target = "y = data.semi_supervised_target()  # -1: unlabelled"
    else:
        target = (
            "y = np.full(len(data.X), -1)  # -1: unlabelled\n"
            f"y[{labelled.index.tolist()}] = {labelled.codes.tolist()}"
        )
    weights = script.weights(settings, "data.weights")
    mass = script.weights(settings, "data.weights[labelled]")
    graph = _graph(settings, "classifier.bandwidth_", "GraphLaplacianClassifier")
    report = "\nprint(classifier.report_)" if settings.automatic(CHOOSABLE) else ""
    X, scaling = "data.X", ""
    if settings.data.scaling is not None:
        X, scaling = "scaled", "scaled = classifier.scaling_(data.X)  # for all methods\n"
    limit = baseline.sampled_rows(settings.data, settings.baseline)
    nodes = f"{X}, y{weights}"
    sample_rows, at_all_points = "", "graph.transduction_"
    if limit:  # for very many points, as on the page
        sample_rows = f"rows = np.union1d({_draw(settings, limit)}, np.flatnonzero(labelled))\n"
        nodes = f"{X}[rows], y[rows]" + script.weights(settings, "data.weights[rows]")
        at_all_points = f"graph.predict({X})"
    by_method = {
        RIDGE: f"(kernel({X}, {X}[labelled]) @ ridge).argmax(axis=1)",
        LAPLACIAN: "classifier.predict(data.X)",
        GRAPH: at_all_points,
    }
    fit_graph = "" if GRAPH in refused else f"{sample_rows}graph = {graph}.fit({nodes})\n"
    return f"""\
{target}
labelled = y >= 0
classifier = {call("LaplacianClassifier", arguments)}.fit(data.X, y{weights})
{scaling}{fit_graph}
# kernel ridge on the labels alone, with the ridge λμ
kernel = classifier.kernel_
codes = np.eye(data.n_classes)[y[labelled]] - 1 / data.n_classes
weight = {lam} * classifier.mu_
ridge = estimates.ridge_on_labels(kernel, {X}[labelled], codes, weight{mass})
{report}
{_by_method(by_method, refused)}"""


def _by_method(sources: dict[str, str], refused: Mapping[str, str]) -> str:
    """Source of the classes by each method, by its title, that is not refused."""
    lines = "".join(
        f'    "{name[0].lower()}{name[1:]}": {source},\n'
        for name, source in sources.items()
        if name not in refused
    )
    return f"by_method = {{\n{lines}}}"


def _draw(settings: Settings, count: int) -> str:
    """Source of the draw of a subsample, as the page draws that of its graph."""
    rng = f"np.random.default_rng({settings.data.random_state})"
    return f"{rng}.choice(len(data.X), {count}, replace=False)"


def _graph(settings: Settings, width: str, name: str) -> str:
    """Source of the graph baseline; ``width`` is the script's expression for a dense graph's σ."""
    bandwidth = {"bandwidth": Source(width)} if settings.baseline.needs_bandwidth else {}
    return call(name, settings.baseline.arguments() | bandwidth)


def _by_functions(settings: Settings, labelled: points.Labelled, refused: Mapping[str, str]) -> str:
    """Lines for the page's own problem, with off-sample labels or several candidates."""
    estimate, n_classes = settings.estimate, settings.data.info.n_classes
    if settings.labels.partial:  # passes need labels of one class each
        estimate = replace(estimate, n_passes=0)
    energy = {"operator": settings.operator, "mu": settings.energy.mu}
    off_sample = (labelled.index < 0).any()
    sets = [list(label.candidates) for label in labelled.labels]
    scaling = settings.data.scaling is not None
    X = "scaled" if scaling else "data.X"
    lines = f"""\
index = np.array({labelled.index.tolist()})  # rows of the data; -1: off the sample
X_labelled = {f"np.array({labelled.X.tolist()})" if off_sample else f"{X}[index]"}
sets = {sets}  # candidate classes of each label
allowed = np.array([np.isin(np.arange({n_classes}), s) for s in sets])
shares = allowed / allowed.sum(axis=1, keepdims=True)
labelled = np.isin(np.arange(len(data.X)), index)
space = {call("fit.SpaceSpec", settings.space.arguments())}
energy = {call("fit.EnergySpec", energy)}
estimate = {call("fit.EstimateSpec", estimate.arguments())}
weights = {"None" if points.weights(settings.data) is None else "data.weights"}
problem = fit.problem({X}, labelled, space, energy, estimate, weights)
labels = fit.Labels(X_labelled, shares, index)
"""
    if LAPLACIAN not in refused:
        lines += f"solved = problem.solve(labels)\nscores = problem.scores({X}, solved)\n"
    if scaling:
        lines = f"""\
scaling = fit.Scaling.of(data.X, data.weights, {estimate.scaling!r})
scaled = scaling(data.X)  # for all methods
{lines}"""
    if settings.automatic(CHOOSABLE) and LAPLACIAN not in refused:
        report = "solved.verdict.reported(problem.plan_for(labels).report)"
        if scaling and estimate.scaling == AUTO:
            report = f"scaling.reported({report})"
        lines += f"print({report})\n"
    if not settings.labels.partial:
        return lines + _by_method({LAPLACIAN: "estimates.decode(scores)"}, refused)
    graph = _graph(settings, "problem.kernel.bandwidth", "fit.GraphSpec")
    if INFIMUM not in refused:
        lam = settings.estimate.lam
        lam = "problem.plan_for(labels).estimate.lam" if lam == AUTO else repr(lam)
        lines += f"""
# the infimum loss: the smoothest function that agrees with the candidates
informative = ~allowed.all(axis=1)  # labels that rule out a class
phi = problem.space.phi(X_labelled[informative])
codes = estimates.class_codes(np.arange({n_classes}), {n_classes})
lam = {lam}
mass = None if weights is None else problem.weights_of(labels)[informative]
solution = partial_labels.disambiguate(
    problem.factor, phi, allowed[informative], codes, lam, weights=mass
)
smoothest = problem.space.evaluate({X}, solution.coefficients)
"""
    if GRAPH not in refused:
        limit = baseline.sampled_rows(settings.data, settings.baseline)
        rows = "np.arange(len(data.X))"
        if limit:  # for very many points, as on the page
            rows = f"np.union1d({_draw(settings, limit)}, index[index >= 0])"
        lines += f"""
# the graph over samples and off-sample labels: several candidates have equal shares
graph = {graph}
off_sample, rows = index < 0, {rows}
nodes = np.vstack([{X}[rows], X_labelled[off_sample]])
if weights is not None:
    weights = np.r_[weights[rows], np.full(off_sample.sum(), weights.mean())]
W = fit.graph.weights(nodes, graph, weights)
node_shares = np.zeros((len(nodes), {n_classes}))
added = len(rows) - 1 + np.cumsum(off_sample)
node_shares[np.where(off_sample, added, np.searchsorted(rows, index))] = shares
is_labelled = node_shares.any(axis=1)
at_nodes = fit.graph.shares(W, is_labelled, node_shares[is_labelled], graph, weights)
at_rows = at_nodes[: len(rows)]
"""
        if limit:
            lines += f"""\
at_rows = fit.graph.extend(nodes, at_nodes, {X}, graph, weights)
at_rows[rows] = at_nodes[: len(rows)]
"""
        lines += "by_graph = estimates.class_scores(at_rows)\n"
    by_method = {
        AVERAGED: "estimates.decode(scores)",
        INFIMUM: "estimates.decode(smoothest)",
        GRAPH: "estimates.decode(by_graph)",
    }
    return f"{lines}\n{_by_method(by_method, refused)}"


# ---- Eigenfunctions ---------------------------------------------------------------------------


def eigenfunctions(settings: Settings, refused: str = "") -> str:
    """Script of the Eigenfunctions page: eigenvalues, and eigenfunctions at the samples.

    ``refused`` says why the page does not show the other method; "" if it does.
    """
    if settings.view.form != "dirichlet":
        return _form(settings)
    settings = fits.with_energy(settings)
    arguments = {"n_components": 17} | script.space_and_energy(settings)
    weights = script.weights(settings, "sample_weight=data.weights")
    report = "  # .report_: what the data chose" if settings.automatic(OF_MODES) else ""
    other = f"\n{script.comment(refused)}" if refused else _method(settings)
    return script.with_imports(f"""\
{script.data(settings)}
embedding = {call("GalerkinEmbedding", arguments)}.fit(data.X{weights}){report}
E = embedding.transform(data.X)  # eigenfunctions at the samples, or at any other points
print("eigenvalues:", *(f"{{v:.6g}}" for v in embedding.eigenvalues_))
print("null directions dropped:", embedding.n_dropped_)
{other}""")


_SCALED = """
scale = graphs.match_scale(modes.gamma, embedding.eigenvalues_, robust=True)
gamma = scale * modes.gamma"""


def _method(settings: Settings) -> str:
    """Lines for another method's eigenvalues and functions; "" for the learnt operator."""
    show, graph, seed = settings.view.show, settings.baseline, settings.data.random_state
    if show == "learnt":
        return ""
    if show == "neural":
        arguments = {"n_components": 17, "operator": settings.operator, "window": 25,
                     "n_batches": settings.neural.batches, "learning_rate": settings.neural.rate,
                     "random_state": seed}  # fmt: skip
        rows = None
        method = f"""\
# needs JAX and optax: {command("neural")}
network = {call("NeuralEigenfunctions", arguments)}.fit(data.X)
gamma, F = network.eigenvalues_, network.transform(data.X)"""
    else:
        specs = {"graph": graph, "diffusion": fit.GraphSpec(graph="dense")}
        rows = baseline.sampled_rows(settings.data, specs.get(show, fit.GraphSpec()))
        method = _at_nodes(settings, "data.X[rows]" if rows else "data.X")
    if rows:  # for very many points a graph is built on a subsample
        method = f"rows = np.sort({_draw(settings, rows)})\n{method}"
    matched = _matched(settings) if settings.view.beside and not rows else ""
    return f"""
{method}
print("the other method's eigenvalues:", *(f"{{v:.6g}}" for v in gamma))
{matched}"""


def _matched(settings: Settings) -> str:
    """Lines that match the other method's functions to the learnt ones, as they are drawn."""
    draw_rows, rows = "", ""
    if settings.data.n_samples > MAX_DRAWN:
        order = "np.random.default_rng(0).permutation(len(data.X))"
        draw_rows, rows = f"drawn = np.sort({order}[:{MAX_DRAWN}])\n", "[drawn]"
    return f"""\
{draw_rows}ours, theirs = embedding.eigenvalues_[:9], gamma
T = graphs.match_functions(E{rows}[:, :9], F{rows}, ours, other_gamma=theirs)
matched = F @ T  # beside e0, e1, …
print("of the matched functions:", *(f"{{v:.6g}}" for v in (T**2).T @ gamma))
"""


def _at_nodes(settings: Settings, nodes: str) -> str:
    """Lines for another method's functions at its nodes, and their eigenvalues."""
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
    weights = (
        f"dense_weights({nodes}, embedding.bandwidth_)" if dense else f"knn_weights({nodes}, {k})"
    )
    return f"""\
modes = graphs.graph_spectrum(graphs.{weights}, 17){_SCALED}
F = modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))  # at the nodes"""


def _form(settings: Settings) -> str:
    """Script of a bilinear form other than the Dirichlet energy."""
    if settings.space.n_landmarks == AUTO:  # half of this number is used, too
        n = len(points.sample(settings.data).X)
        settings = settings.change(p=fit.auto.landmarks(n))
    lines = f"""\
{script.data(settings)}
spec = {call("fit.SpaceSpec", settings.space.arguments())}
method = fit.Galerkin(fit.Sample.of(data.X), spec, fit.EnergySpec())
phi = method.trial_space()

"""
    if settings.view.form == "ornstein":
        return script.with_imports(
            lines
            + """\
svd = bilinear.galerkin_svd("laplacian", phi, None, data.X, n_components=17)
print("eigenvalues:", *(f"{v:.6g}" for v in svd.values))
E = svd.evaluate_right(data.X)  # eigenfunctions at the samples, or at any other points
"""
        )
    left = replace(fits.method(settings), energy=fit.EnergySpec())
    n_landmarks = fits.landmarks_of_right(left)
    return script.with_imports(f"""\
{lines}# of first order: images of the right functions must lie in the left space
fewer = replace(spec, n_landmarks={n_landmarks}, bandwidth=method.kernel.bandwidth)
psi = replace(method, space=fewer).trial_space()


def turning(X):
    return np.column_stack([-X[:, 1], X[:, 0]])  # the slope along it is d/dθ


slope = bilinear.Derivative(turning)
svd = bilinear.galerkin_svd(slope, phi, psi, data.X, n_components=17)
print("singular values:", *(f"{{v:.6g}}" for v in svd.values))
F, G = svd.evaluate_left(data.X), svd.evaluate_right(data.X)
""")
