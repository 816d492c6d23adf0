"""*Copy as Python*: the settings written out as a short script.

It uses the estimators where they suffice; with free labels, or classes without a label, it calls
the functions of :mod:`lapviz.fit`, as the page itself does.
"""

from __future__ import annotations

from dataclasses import fields

from lapviz import operators
from lapviz.explorer import eigen_recipes, own_recipe, steps
from lapviz.explorer.settings import Settings
from lapviz.fit import Spec


def _call(name: str, arguments: dict[str, str]) -> str:
    inside = "".join(f"    {key}={value},\n" for key, value in arguments.items())
    return f"{name}(\n{inside})"


def _dump(spec: Spec) -> dict[str, str]:
    """The fields of a specification that are in use, as source text."""
    unused = {name for name, _ in spec.unused()}
    return {f.name: repr(getattr(spec, f.name)) for f in fields(spec) if f.name not in unused}


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
    return f"data = datasets.load({data.name!r}{inside})"


def _fit_arguments(settings: Settings) -> dict[str, str]:
    energy = {"mu": repr(settings.energy.mu), "operator": _operator(settings)}
    return _dump(settings.space) | energy


def _imports(settings: Settings, *names: str) -> str:
    extra = ("operators",) if _operator(settings).startswith("operators.") else ()
    return f"from lapviz import {', '.join(sorted({*names, 'datasets', *extra}, key=str.lower))}"


def eigenfunctions(settings: Settings) -> str:
    """Script of the Eigenfunctions page: eigenvalues, and eigenfunctions at the samples."""
    if settings.view.form != "dirichlet":
        spec, kernel = _dump(settings.space), _imports(settings, "bilinear", "fit")
        space = _call("fit.SpaceSpec", spec)
        return eigen_recipes.form(settings, kernel, _load(settings), space)
    fit = _call("GalerkinEmbedding", {"n_components": "17"} | _fit_arguments(settings))
    lines = eigen_recipes.method(settings, _operator(settings))
    names = ("GalerkinEmbedding", *eigen_recipes.names(settings))
    return f"""\
{eigen_recipes.head(lines)}{_imports(settings, *names)}{eigen_recipes.more(settings)}

{_load(settings)}
embedding = {fit}.fit(data.X)
E = embedding.transform(data.X)  # eigenfunctions at the samples, or at any other points
print(embedding.eigenvalues_.round(3), embedding.n_dropped_)
{lines}"""


def labels(settings: Settings) -> str:
    """Script of the Labels page: the three methods on the same labels."""
    given = steps.labelled(settings.data, settings.labels)
    if not given.labels:
        return "# Label a point first.\n"
    if given.partial:
        return _candidates(settings)
    n_classes = settings.data.info.n_classes
    if (given.index < 0).any() or len(set(given.codes.tolist())) < n_classes:
        return _any_labels(settings)  # the classifier has only the classes of its labels
    estimate = _dump(settings.estimate)
    if settings.estimate.balance is None:
        estimate.pop("balance")
    graph = _dump(settings.baseline)
    if settings.baseline.needs_bandwidth:
        graph["bandwidth"] = "classifier.bandwidth_"
    if settings.labels.chosen is None:
        target = "y = data.semi_supervised_target()  # -1: unlabelled"
    else:
        target = (
            "y = np.full(len(data.X), -1)  # -1: unlabelled\n"
            f"y[{given.index.tolist()}] = {given.codes.tolist()}"
        )
    return f"""\
import numpy as np
from sklearn.kernel_ridge import KernelRidge

{_imports(settings, "GraphLaplacianClassifier", "LaplacianClassifier")}

{_load(settings)}
{target}
labelled = y >= 0
classifier = {_call("LaplacianClassifier", _fit_arguments(settings) | estimate)}.fit(data.X, y)
graph = {_call("GraphLaplacianClassifier", graph)}.fit(data.X, y)

# kernel ridge on the labels alone, with the ridge λμ
kernel = classifier.kernel_
codes = np.eye(data.n_classes)[y[labelled]] - 1 / data.n_classes
weight = labelled.sum() * {settings.estimate.lam!r} * classifier.mu_
ridge = KernelRidge(alpha=max(weight, 1e-12), kernel="precomputed")
ridge.fit(kernel(data.X[labelled], data.X[labelled]), codes)
at_ridge = ridge.predict(kernel(data.X, data.X[labelled])).argmax(axis=1)

for name, predicted in [
    ("kernel ridge", at_ridge),
    ("kernel Laplacian", classifier.predict(data.X)),
    ("graph Laplacian", graph.transduction_),
]:
    accuracy = (predicted == data.y)[{_judged(settings, "~labelled")}].mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
""" + _every_row(settings, "classifier.predict_proba(X)", "classifier.far_from_data(X)")


def _every_row(settings: Settings, chances: str, far: str) -> str:
    """For a table, lines that write the predictions of every row."""
    return own_recipe.predictions(chances, far) if settings.data.name == "table" else ""


def _everywhere(settings: Settings, given: steps.Labelled) -> str:
    """Scores at every row of a table, balanced as those of the page."""
    rule, scores = settings.estimate.balance, "assembled.space.evaluate(X, c)"
    if rule is None:
        return scores
    prior = given.shares(settings.data.info.n_classes).mean(axis=0).tolist()
    of = f"assembled.space.evaluate(data.X, c), np.array({prior}), {rule!r}"
    return f"estimates.balance({of})({scores})"


def _far(settings: Settings) -> str:
    """Which rows of a table are far from those of the page."""
    space = settings.space.relevant()
    kernel = steps.kernel(settings.data, space)
    if steps.centres(settings.data, space) is None or not kernel.shift_invariant:
        return "np.zeros(len(X), dtype=bool)"
    return "spaces.Reach.of(assembled.basis.kernel, assembled.basis.centres, data.X).far(X)"


def _judged(settings: Settings, unlabelled: str) -> str:
    """Over which points an accuracy is taken: in a table a class may be unknown."""
    return f"{unlabelled} & (data.y >= 0)" if settings.data.name == "table" else unlabelled


def _unlabelled(settings: Settings) -> str:
    if settings.data.name != "table":
        return ""
    return "judged = np.setdiff1d(np.flatnonzero(data.y >= 0), labelled)\n"


def _right(settings: Settings, predicted: str) -> str:
    if settings.data.name == "table":
        return f"({predicted} == data.y)[judged]"
    return f"np.delete({predicted} == data.y, labelled)"


def _any_labels(settings: Settings) -> str:
    """The script with free labels (of points that are no samples), or classes without a label."""
    given = steps.labelled(settings.data, settings.labels)
    estimate, constant = settings.estimate, settings.estimate.fit_intercept
    labelled = sorted(int(i) for i in given.index if i >= 0)
    n_classes = settings.data.info.n_classes
    extra = ("spaces",) if settings.data.name == "table" else ()
    return f"""\
import numpy as np

{_imports(settings, "estimates", "fit", *extra)}

{_load(settings)}
X_labelled = np.array({given.X.tolist()})
targets = estimates.class_codes(np.array({given.codes.tolist()}), {settings.data.info.n_classes})
space = {_call("fit.SpaceSpec", _dump(settings.space))}
estimate = {_call("fit.EstimateSpec", _dump(estimate))}
assembled = fit.build(data.X, space, {_operator(settings)}, constant={constant})
mu = fit.mu(data.X, assembled.basis, fit.EnergySpec({_operator(settings)}, {settings.energy.mu!r}))
solver = fit.prepare(assembled, mu, estimate)
c = fit.solve(assembled.space, solver, X_labelled, targets, estimate)
scores = assembled.space.evaluate(data.X, c)
{_balance(settings, given)}predicted = estimates.decode(scores)
labelled = np.array({labelled}, dtype=int)
{_unlabelled(settings)}accuracy = {_right(settings, "predicted")}.mean()
print(f"kernel Laplacian: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
""" + _every_row(settings, f"estimates.probabilities({_everywhere(settings, given)}, {n_classes})",
                 _far(settings))  # fmt: skip


def _balance(settings: Settings, given: steps.Labelled) -> str:
    """The line that balances the scores, if that is asked for."""
    rule = settings.estimate.balance
    if rule is None:
        return ""
    prior = given.shares(settings.data.info.n_classes).mean(axis=0).tolist()
    return f"scores = estimates.balance(scores, np.array({prior}), {rule!r})(scores)\n"


def _candidates(settings: Settings) -> str:
    """The script with several candidates: their mean code, and the infimum loss."""
    given = steps.labelled(settings.data, settings.labels)
    estimate, constant = settings.estimate, settings.estimate.fit_intercept
    labelled = sorted(int(i) for i in given.index if i >= 0)
    n_classes = settings.data.info.n_classes
    sets = [list(label.candidates) for label in given.labels]
    free = (given.index < 0).any()
    places = f"np.array({given.X.tolist()})" if free else f"data.X[{given.index.tolist()}]"
    return f"""\
import numpy as np

{_imports(settings, "estimates", "fit", "partial_labels")}

{_load(settings)}
X_labelled = {places}
sets = {sets}  # candidate classes of each label
allowed = np.array([np.isin(np.arange({n_classes}), s) for s in sets])
codes = estimates.class_codes(np.arange({n_classes}), {n_classes})
space = {_call("fit.SpaceSpec", _dump(settings.space))}
estimate = {_call("fit.EstimateSpec", _dump(estimate))}
assembled = fit.build(data.X, space, {_operator(settings)}, constant={constant})
mu = fit.mu(data.X, assembled.basis, fit.EnergySpec({_operator(settings)}, {settings.energy.mu!r}))

# the naive way: the mean code of the candidates
targets = allowed @ codes / allowed.sum(axis=1, keepdims=True)
c = fit.solve(assembled.space, fit.prepare(assembled, mu, estimate), X_labelled, targets, estimate)
scores = assembled.space.evaluate(data.X, c)
{_balance(settings, given)}
# the infimum loss: the smoothest function that agrees with the candidates
tells = ~allowed.all(axis=1)  # a label that allows every class says nothing
factor = estimates.factorise(assembled.forms, mu, {constant})
phi = assembled.space.phi(X_labelled[tells])
found = partial_labels.disambiguate(factor, phi, allowed[tells], codes, {estimate.lam!r})
smoothest = assembled.space.evaluate(data.X, found.coefficients)

labelled = np.array({labelled}, dtype=int)
{_unlabelled(settings)}\
for name, values in [("candidates averaged", scores), ("infimum loss", smoothest)]:
    accuracy = {_right(settings, "estimates.decode(values)")}.mean()
    print(f"{{name}}: {{100 * accuracy:.1f}} % accuracy on the unlabelled points")
"""
