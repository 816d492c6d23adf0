"""*Copy as Python*: short scripts on the public names that give the numbers on screen."""

from __future__ import annotations

from lapviz.explorer import pipeline
from lapviz.explorer.settings import KNOWN_TANGENTS, Settings, dataset_options, describe


def _call(name: str, **arguments: object) -> str:
    inside = "".join(f"    {key}={value},\n" for key, value in arguments.items())
    return f"{name}(\n{inside})"


def _load(settings: Settings) -> str:
    arguments = {"n_samples": settings.n, "noise": settings.noise, "random_state": settings.seed}
    if settings.per_class is not None:
        arguments["labels_per_class"] = settings.per_class
    arguments |= dataset_options(settings)
    inside = "".join(f", {key}={value!r}" for key, value in arguments.items())
    return f"data = datasets.load({settings.data!r}{inside})"


def _operator(settings: Settings) -> str:
    if settings.operator == "known":
        return repr(KNOWN_TANGENTS[settings.data])
    if settings.operator == "tangent" and (settings.neighbors or settings.directions):
        return (
            f"operators.Tangent(n_neighbors={settings.neighbors or 'auto'!r}, "
            f"n_directions={settings.directions or 'auto'!r})"
        )
    return repr(settings.operator)


def _auto(value: object) -> str:
    return repr("auto" if value is None else value)


def _space(settings: Settings) -> dict[str, str]:
    arguments = {"kernel": repr(settings.kernel), "bandwidth": _auto(settings.sigma)}
    if settings.kernel == "polynomial":
        arguments["degree"] = repr(settings.degree)
    return arguments | {
        "n_landmarks": repr(settings.p),
        "landmarks": repr(settings.landmarks),
        "mu": _auto(settings.mu),
        "operator": _operator(settings),
        "random_state": repr(settings.seed),
    }


def _imports(settings: Settings, *names: str) -> str:
    extra = ("operators",) if _operator(settings).startswith("operators.") else ()
    return f"from lapviz import {', '.join(sorted((*names, 'datasets', *extra), key=str.lower))}"


def eigenfunctions(settings: Settings) -> str:
    """Script of the Eigenfunctions page: learnt eigenvalues, and the functions at the samples."""
    fit = _call("GalerkinEmbedding", n_components=17, **_space(settings))
    return "\n".join(
        [
            _imports(settings, "GalerkinEmbedding"),
            "",
            _load(settings),
            f"embedding = {fit}.fit(data.X)",
            "E = embedding.transform(data.X)  # eigenfunctions at the samples; any points will do",
            "print(embedding.eigenvalues_.round(3), embedding.n_dropped_)",
            "",
        ]
    )


def labels(settings: Settings) -> str:
    """Script of the Labels page: the three methods on the same labels."""
    given = pipeline.labels(settings)
    if not len(given.codes):
        return "# Label a point first.\n"
    n_classes = describe(settings.data, settings.options).n_classes
    if (given.index < 0).any() or len(set(given.codes.tolist())) < n_classes:
        return _any_labels(settings)  # the classifier knows no classes but those of its labels
    estimate = _space(settings) | {
        "lam": repr(settings.lam),
        "filter": repr(settings.filter),
        "data_term": repr(settings.term),
        "fit_intercept": repr(settings.intercept),
    }
    graph = {"method": repr(settings.method), "graph": repr(settings.graph)}
    if settings.graph == "knn":
        graph["n_neighbors"] = repr(settings.graph_neighbors)
    else:
        graph["bandwidth"] = "classifier.bandwidth_"
    if settings.method == "spreading":
        graph["alpha"] = repr(settings.alpha)
    if settings.marks is None:
        target = ["y = data.semi_supervised_target()  # -1: unlabelled"]
    else:
        target = [
            "y = np.full(len(data.X), -1)  # -1: unlabelled",
            f"y[{given.index.tolist()}] = {given.codes.tolist()}",
        ]
    return "\n".join(
        [
            "import numpy as np",
            "from sklearn.kernel_ridge import KernelRidge",
            "",
            _imports(settings, "GraphLaplacianClassifier", "LaplacianClassifier"),
            "",
            _load(settings),
            *target,
            "labelled = y >= 0",
            f"classifier = {_call('LaplacianClassifier', **estimate)}.fit(data.X, y)",
            f"graph = {_call('GraphLaplacianClassifier', **graph)}.fit(data.X, y)",
            "",
            "# kernel ridge on the labels alone, with the ridge λμ",
            "kernel = classifier.kernel_",
            "codes = np.eye(data.n_classes)[y[labelled]] - 1 / data.n_classes",
            "weight = labelled.sum() * classifier.lam * classifier.mu_",
            'ridge = KernelRidge(alpha=max(weight, 1e-12), kernel="precomputed")',
            "ridge.fit(kernel(data.X[labelled], data.X[labelled]), codes)",
            "at_ridge = ridge.predict(kernel(data.X, data.X[labelled])).argmax(axis=1)",
            "",
            "for name, predicted in [",
            '    ("kernel ridge", at_ridge),',
            '    ("kernel Laplacian", classifier.predict(data.X)),',
            '    ("graph Laplacian", graph.transduction_),',
            "]:",
            "    right = (predicted == data.y)[~labelled].mean()",
            '    print(f"{name}: {100 * right:.1f} % of the unlabelled points right")',
            "",
        ]
    )


def _any_labels(settings: Settings) -> str:
    """With points that people added (labels, but no samples), or classes without a label."""
    given = pipeline.labels(settings)
    info = describe(settings.data, settings.options)
    options = f", degree={settings.degree}" if settings.kernel == "polynomial" else ""
    width = pipeline.bandwidth(settings)
    solve = (
        f"c = estimates.labelled_estimate(estimates.factorise(forms, {pipeline.mu(settings)!r}, "
        f"{settings.intercept}), space.phi(X_labelled), targets, {settings.lam!r}, "
        f"{settings.filter!r})"
        if settings.term == "labelled"
        else f"c = estimates.spectral_estimate(spectra.spectrum(forms, {pipeline.mu(settings)!r}), "
        f"load(space, X_labelled, targets), {settings.lam!r}, {settings.filter!r})"
    )
    return "\n".join(
        [
            "import numpy as np",
            "",
            "from lapviz import datasets, estimates, kernels, landmarks, operators, spectra",
            "from lapviz.forms import load",
            "from lapviz.spaces import KernelSpace",
            "",
            _load(settings),
            f"X_labelled = np.array({given.X.tolist()})",
            f"targets = estimates.class_codes(np.array({given.codes.tolist()}), {info.n_classes})",
            f"centres = landmarks.choose(data.X, {settings.p}, {settings.landmarks!r}, "
            f"{settings.seed})",
            f"kernel = kernels.get({settings.kernel!r}, {width!r}{options})",
            f"space = KernelSpace(kernel, centres, constant={settings.intercept})",
            f"forms = operators.assemble(space, data.X, operators.get({_operator(settings)}))",
            solve,
            "scores = space.evaluate(data.X, c)",
            "predicted = scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1)",
            f"labelled = np.array({sorted(int(i) for i in given.index if i >= 0)}, dtype=int)",
            "right = np.delete(predicted == data.y, labelled).mean()",
            'print(f"kernel Laplacian: {100 * right:.1f} % of the unlabelled points right")',
            "",
        ]
    )
