"""*Copy as Python*: the settings written out as a short script.

It uses the estimators where they suffice; with free labels, or classes without a label, it calls
the functions of :mod:`lapviz.fit`, as the page itself does.
"""

from __future__ import annotations

from dataclasses import replace

from lapviz import operators
from lapviz.explorer.compute import fits, points
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, OF_MODES, Settings
from lapviz.explorer.share import eigen_recipes, own_recipe
from lapviz.fit import Spec, auto

WIDE = 88  # letters of a drawing's code on a line


def _call(name: str, arguments: dict[str, str]) -> str:
    inside = "".join(f"    {key}={value},\n" for key, value in arguments.items())
    return f"{name}(\n{inside})"


def _dump(spec: Spec) -> dict[str, str]:
    """The fields of a specification that are in use, as source text."""
    return {name: repr(value) for name, value in spec.arguments().items()}


def _chosen(arguments: dict[str, str]) -> dict[str, str]:
    """Arguments of an estimator without those that the data choose by default."""
    return {name: text for name, text in arguments.items() if text != repr(AUTO)}


def _operator(settings: Settings) -> str:
    return _written(settings.operator)


def _written(asked) -> str:
    """An operator as source text: its name where that is enough."""
    if isinstance(asked, operators.Sum):
        parts = ", ".join(_written(part) for part in asked.parts)
        return f"operators.Sum(({parts}), {asked.weights!r}, match={asked.match!r})"
    if isinstance(asked, operators.Graph):
        own = asked == operators.Graph()
        return repr("graph") if own else f"operators.Graph(n_neighbors={asked.n_neighbors!r})"
    if isinstance(asked, operators.AugmentationDifferences):
        moves = f"operators.ImageMoves({asked.augment.shift}, {asked.augment.turn})"
        return f"operators.AugmentationDifferences({moves}, {asked.n_pairs})"
    if not isinstance(asked, operators.Tangent):
        return repr(asked)
    if asked == operators.Tangent():
        return repr("tangent")
    k, q = asked.n_neighbors, asked.n_directions
    return f"operators.Tangent(n_neighbors={k!r}, n_directions={q!r})"


def _load(settings: Settings) -> str:
    data = settings.data
    if drawing.is_drawn(data):
        return _drawing(settings)
    if data.name == "table":
        return own_recipe.loaded(settings)
    arguments = {
        "n_samples": data.n_samples,
        "noise": data.noise,
        "random_state": data.random_state,
    }
    if settings.labels.per_class is not None:
        arguments["labels_per_class"] = settings.labels.per_class
    inside = "".join(f", {key}={value!r}" for key, value in (arguments | data.keywords).items())
    load = f"data = datasets.load({data.name!r}{inside})"
    if data.scales:
        return f"{load}\ndata = replace(data, X=StandardScaler().fit_transform(data.X))"
    comes = data.info.standardised and data.standardise
    return f"{load}  # standardised; raw=True: as measured" if comes else load


def _packages(settings: Settings, *lines: str) -> str:
    """Imports of other packages, with what the data need."""
    scales = settings.data.scales
    standard = ["from dataclasses import replace"] * scales
    others = [*lines, *["from sklearn.preprocessing import StandardScaler"] * scales]
    blocks = ["\n".join(block) for block in (standard, others) if block]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _drawing(settings: Settings) -> str:
    """A drawing, whose code is the data."""
    code = drawing.code_of(settings.data)
    lines = "".join(f'    "{code[at : at + WIDE]}"\n' for at in range(0, len(code), WIDE))
    per_class = settings.labels.per_class
    given = "" if per_class is None else f", labels_per_class={per_class!r}"
    seed = settings.data.random_state
    return f"""drawing = (  # every point in 12 + 12 bits, with its class
{lines})
data = datasets.load("drawn", source=drawing, random_state={seed!r}{given})"""


def _fit_arguments(settings: Settings) -> dict[str, str]:
    energy = {"mu": repr(settings.energy.mu), "operator": _operator(settings)}
    return _dump(settings.space) | energy


def _imports(settings: Settings, *names: str) -> str:
    extra = ("operators",) if _operator(settings).startswith("operators.") else ()
    return f"from lapviz import {', '.join(sorted({*names, 'datasets', *extra}, key=str.lower))}"


def eigenfunctions(settings: Settings) -> str:
    """Script of the Eigenfunctions page: eigenvalues, and eigenfunctions at the samples."""
    if settings.view.form != "dirichlet":
        if settings.space.n_landmarks == AUTO:  # half of them are asked for, too
            n = len(points.sample(settings.data).X)
            settings = settings.change(p=auto.landmarks(n))
        spec, kernel = _dump(settings.space), _imports(settings, "bilinear", "fit")
        space = _call("fit.SpaceSpec", spec)
        kernel = _packages(settings) + ("\n" if settings.data.scales else "") + kernel
        return eigen_recipes.form(settings, kernel, _load(settings), space)
    settings = fits.named(settings)
    fit = _call("GalerkinEmbedding", {"n_components": "17"} | _chosen(_fit_arguments(settings)))
    lines = eigen_recipes.method(settings, _operator(settings))
    names = ("GalerkinEmbedding", *eigen_recipes.names(settings))
    numpy = ("import numpy as np",) if "np." in lines else ()
    others = _packages(settings, *numpy)
    others += "\n" if others else ""
    report = "  # .report_: what the data chose" if settings.automatic(OF_MODES) else ""
    return f"""\
{others}{_imports(settings, *names)}{eigen_recipes.more(settings)}

{_load(settings)}
embedding = {fit}.fit(data.X{_weights(settings, "sample_weight=data.weights")}){report}
E = embedding.transform(data.X)  # eigenfunctions at the samples, or at any other points
print("eigenvalues:", embedding.eigenvalues_.round(3))
print("null directions dropped:", embedding.n_dropped_)
{lines}"""


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
    estimate = _dump(settings.estimate)
    if settings.energy.operator != AUTO:  # the papers' are what an estimator then takes
        papers = {"balance": repr(None), "n_passes": repr(0)}
        estimate = {k: v for k, v in estimate.items() if papers.get(k) != v}
    arguments = _chosen(_fit_arguments(settings) | estimate)
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
    ridge = "from sklearn.kernel_ridge import KernelRidge"
    weights = _weights(settings, "data.weights")
    mass = _weights(settings, "data.weights[labelled] / data.weights[labelled].mean()")
    return f"""\
{_packages(settings, "import numpy as np", ridge)}
{_imports(settings, "GraphLaplacianClassifier", "LaplacianClassifier")}

{_load(settings)}
{target}
labelled = y >= 0
classifier = {_call("LaplacianClassifier", arguments)}.fit(data.X, y{weights})
graph = {_call("GraphLaplacianClassifier", graph)}.fit(data.X, y{weights})

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
""" + _every_row(settings, "classifier.predict_proba(X)", "classifier.far_from_data(X)")


def _graph(settings: Settings, width: str) -> dict[str, str]:
    """The graph to compare; ``width`` is where the script has the σ that a dense one takes."""
    made = _dump(settings.baseline)
    return made | ({"bandwidth": width} if settings.baseline.needs_bandwidth else {})


def _weights(settings: Settings, text: str) -> str:
    """A further argument where the rows have weights."""
    return "" if points.weights(settings.data) is None else f", {text}"


def _every_row(settings: Settings, chances: str, far: str) -> str:
    """For a table, lines that write the predictions of every row."""
    return own_recipe.predictions(chances, far) if settings.data.name == "table" else ""


def _some_unknown(settings: Settings) -> bool:
    """Whether points may have no known class."""
    return settings.data.name in ("table", drawing.NAME)


def _judged(settings: Settings, unlabelled: str) -> str:
    """Over which points an accuracy is taken: those of known class."""
    return f"{unlabelled} & (data.y >= 0)" if _some_unknown(settings) else unlabelled


def _problem(settings: Settings, given: points.Labelled, estimate: str) -> str:
    """Lines that make the problem of classes by the same plan as the page's."""
    energy = f"fit.EnergySpec({_operator(settings)}, {settings.energy.mu!r})"
    labelled = sorted(int(i) for i in given.index if i >= 0)
    return f"""\
labelled = np.isin(np.arange(len(data.X)), {labelled})
space = {_call("fit.SpaceSpec", _dump(settings.space))}
energy = {energy}
estimate = {estimate}
problem = fit.problem(data.X, labelled, space, energy, estimate{_weights(settings, "data.weights")})
"""


def _any_labels(settings: Settings) -> str:
    """The script with free labels (of points that are no samples), or classes without a label."""
    given = points.labelled(settings.data, settings.labels)
    n_classes = settings.data.info.n_classes
    estimate = _call("fit.EstimateSpec", _dump(settings.estimate))
    return f"""\
{_packages(settings, "import numpy as np")}
{_imports(settings, "estimates", "fit")}

{_load(settings)}
X_labelled = np.array({given.X.tolist()})
shares = np.eye({n_classes})[{given.codes.tolist()}]
index = np.array({given.index.tolist()})  # rows of the data; -1: a point of its own
{_problem(settings, given, estimate)}labels = fit.Labels(X_labelled, shares, index)
solved = problem.solve(labels)
scores = problem.scores(data.X, solved)
predicted = estimates.decode(scores)
accuracy = (predicted == data.y)[{_judged(settings, "~labelled")}].mean()
print(f"kernel Laplacian: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
""" + _every_row(settings, "estimates.probabilities(problem.scores(X, solved), "
                 f"{n_classes}, solved.temperature)", "problem.far_from_data(X)")  # fmt: skip


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
    graph = _call("fit.GraphSpec", _graph(settings, "problem.assembled.basis.kernel.bandwidth"))
    mass = "mass = np.r_[data.weights, np.full((index < 0).sum(), data.weights.mean())]\n"
    massive = ", mass" * weighted
    # No passes: they need labels of one class each.
    asked = fits.estimate_of(settings)
    estimate = _dump(replace(asked, lam=settings.estimate.lam, n_passes=0))
    return f"""\
{_packages(settings, "import numpy as np")}
{_imports(settings, "estimates", "fit", "partial_labels")}

{_load(settings)}
index = np.array({given.index.tolist()})  # rows of the data; -1: a point of its own
X_labelled = {places}
sets = {sets}  # candidate classes of each label
allowed = np.array([np.isin(np.arange({n_classes}), s) for s in sets])
shares = allowed / allowed.sum(axis=1, keepdims=True)
codes = estimates.class_codes(np.arange({n_classes}), {n_classes})
{_problem(settings, given, _call("fit.EstimateSpec", estimate))}
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
"""
