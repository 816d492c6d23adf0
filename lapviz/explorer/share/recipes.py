"""*Copy as Python* of the Labels page: the settings written out as a short script.

It uses the estimators where they suffice; with free labels, or classes without a label, it calls
the functions of :mod:`lapviz.fit`, as the page itself does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lapviz.explorer.compute import fits, points
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings
from lapviz.explorer.share import eigen_recipes, own_recipe, script
from lapviz.explorer.share.script import Source, call
from lapviz.fit import Spec

eigenfunctions = eigen_recipes.eigenfunctions


def labels(settings: Settings) -> str:
    """Script of the Labels page: the three methods on the same labels."""
    given = points.labelled(settings.data, settings.labels)
    if not given.labels:
        return "# Label a point first.\n"
    if given.partial:
        return _candidates(settings)
    n_classes = settings.data.info.n_classes
    if (given.index < 0).any() or len(set(given.codes.tolist())) < n_classes:
        return _any_labels(settings)  # the classifier has only the classes of its labels
    arguments = script.space_and_energy(settings) | settings.estimate.arguments()
    if settings.energy.operator != AUTO:  # the papers' are what an estimator then takes
        for name, papers in (("balance", None), ("n_passes", 0)):
            if arguments.get(name, papers) == papers:
                arguments.pop(name, None)
    lam = "classifier.lam_" if settings.estimate.lam == AUTO else repr(settings.estimate.lam)
    report = "print(classifier.report_)\n" if settings.automatic(CHOOSABLE) else ""
    graph = _graph(settings, "classifier.bandwidth_")
    if settings.labels.chosen is None:
        target = "y = data.semi_supervised_target()  # -1: unlabelled"
    else:
        target = (
            "y = np.full(len(data.X), -1)  # -1: unlabelled\n"
            f"y[{given.index.tolist()}] = {given.codes.tolist()}"
        )
    weights = script.weights(settings, "data.weights")
    mass = script.weights(settings, "data.weights[labelled] / data.weights[labelled].mean()")
    lines = f"""\
{script.data(settings)}
{target}
labelled = y >= 0
classifier = {call("LaplacianClassifier", arguments)}.fit(data.X, y{weights})
graph = {call("GraphLaplacianClassifier", graph)}.fit(data.X, y{weights})

# kernel ridge on the labels alone, with the ridge λμ
kernel = classifier.kernel_
codes = np.eye(data.n_classes)[y[labelled]] - 1 / data.n_classes
weight = labelled.sum() * {lam} * classifier.mu_
ridge = KernelRidge(alpha=max(weight, 1e-12), kernel="precomputed")
ridge.fit(kernel(data.X[labelled], data.X[labelled]), codes{mass})
at_ridge = ridge.predict(kernel(data.X, data.X[labelled])).argmax(axis=1)

{report}for name, predicted in [
    ("kernel ridge", at_ridge),
    ("kernel Laplacian", classifier.predict(data.X)),
    ("graph Laplacian", graph.transduction_),
]:
    accuracy = (predicted == data.y)[{_judged(settings, "~labelled")}].mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
"""
    rows = _every_row(settings, "classifier.predict_proba(X)", "classifier.far_from_data(X)")
    return script.whole(lines + rows)


def _graph(settings: Settings, width: str) -> dict[str, Any]:
    """The graph to compare; ``width`` is where the script has the σ that a dense one takes."""
    own = {"bandwidth": Source(width)} if settings.baseline.needs_bandwidth else {}
    return settings.baseline.arguments() | own


def _every_row(settings: Settings, chances: str, far: str) -> str:
    """For a table, lines that write the predictions of every row."""
    return own_recipe.predictions(chances, far) if settings.data.name == "table" else ""


def _some_unknown(settings: Settings) -> bool:
    """Whether points may have no known class."""
    return settings.data.name in ("table", drawing.NAME)


def _judged(settings: Settings, unlabelled: str) -> str:
    """Over which points an accuracy is taken: those of known class."""
    return f"{unlabelled} & (data.y >= 0)" if _some_unknown(settings) else unlabelled


def _problem(settings: Settings, given: points.Labelled, estimate: Spec) -> str:
    """Lines that make the problem of classes by the same plan as the page's."""
    energy = {"operator": settings.operator, "mu": settings.energy.mu}
    weights = script.weights(settings, "data.weights")
    labelled = sorted(int(i) for i in given.index if i >= 0)
    return f"""\
labelled = np.isin(np.arange(len(data.X)), {labelled})
space = {call("fit.SpaceSpec", settings.space.arguments())}
energy = {call("fit.EnergySpec", energy)}
estimate = {call("fit.EstimateSpec", estimate.arguments())}
problem = fit.problem(data.X, labelled, space, energy, estimate{weights})
"""


def _any_labels(settings: Settings) -> str:
    """The script with free labels (of points that are no samples), or classes without a label."""
    given = points.labelled(settings.data, settings.labels)
    n_classes = settings.data.info.n_classes
    lines = f"""\
{script.data(settings)}
X_labelled = np.array({given.X.tolist()})
shares = np.eye({n_classes})[{given.codes.tolist()}]
index = np.array({given.index.tolist()})  # rows of the data; -1: a point of its own
{_problem(settings, given, settings.estimate)}labels = fit.Labels(X_labelled, shares, index)
solved = problem.solve(labels)
scores = problem.scores(data.X, solved)
predicted = estimates.decode(scores)
accuracy = (predicted == data.y)[{_judged(settings, "~labelled")}].mean()
print(f"kernel Laplacian: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
"""
    chances = f"estimates.probabilities(problem.scores(X, solved), {n_classes}, solved.temperature)"
    return script.whole(lines + _every_row(settings, chances, "problem.far_from_data(X)"))


def _candidates(settings: Settings) -> str:
    """The script with several candidates: their mean code, the infimum loss, and the graph."""
    given = points.labelled(settings.data, settings.labels)
    n_classes = settings.data.info.n_classes
    sets = [list(label.candidates) for label in given.labels]
    free = (given.index < 0).any()
    weighted = points.weights(settings.data) is not None
    weights = "weights = problem.weights_of(labels)[tells]\n" if weighted else ""
    places = f"np.array({given.X.tolist()})" if free else "data.X[index]"
    nodes, at = "data.X", "index"
    if free:
        nodes = "np.vstack([data.X, X_labelled[index < 0]])"
        at = "np.where(index < 0, len(data.X) - 1 + np.cumsum(index < 0), index)"
    graph = call("fit.GraphSpec", _graph(settings, "problem.assembled.basis.kernel.bandwidth"))
    mass = "mass = np.r_[data.weights, np.full((index < 0).sum(), data.weights.mean())]\n"
    massive = ", mass" * weighted
    # No passes: they need labels of one class each.
    asked = fits.estimate_of(settings)
    estimate = replace(asked, lam=settings.estimate.lam, n_passes=0)
    return script.whole(f"""\
{script.data(settings)}
index = np.array({given.index.tolist()})  # rows of the data; -1: a point of its own
X_labelled = {places}
sets = {sets}  # candidate classes of each label
allowed = np.array([np.isin(np.arange({n_classes}), s) for s in sets])
shares = allowed / allowed.sum(axis=1, keepdims=True)
codes = estimates.class_codes(np.arange({n_classes}), {n_classes})
{_problem(settings, given, estimate)}
# the naive way: the mean code of the candidates
labels = fit.Labels(X_labelled, shares, index)
scores = problem.scores(data.X, problem.solve(labels))

# the infimum loss: the smoothest function that agrees with the candidates
tells = ~allowed.all(axis=1)  # a label that allows every class says nothing
phi = problem.assembled.space.phi(X_labelled[tells])
lam = problem.plan_for(labels).estimate.lam
{weights}found = partial_labels.disambiguate(
    problem.factor, phi, allowed[tells], codes, lam{", weights=weights" * weighted}
)
smoothest = problem.assembled.space.evaluate(data.X, found.coefficients)

# the graph: of several candidates each has an equal share
graph = {graph}
nodes = {nodes}
{mass * weighted}W = fit.graph.weights(nodes, graph{massive})
given = np.zeros((len(nodes), {n_classes}))
given[{at}] = shares
told = given.any(axis=1)
at_nodes = fit.graph.shares(W, told, given[told], graph{massive})
by_graph = estimates.class_scores(at_nodes[: len(data.X)])

for name, values in [
    ("candidates averaged", scores),
    ("infimum loss", smoothest),
    ("graph Laplacian", by_graph),
]:
    accuracy = (estimates.decode(values) == data.y)[{_judged(settings, "~labelled")}].mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
""")
