"""What a page shows is what the estimators of its script give: one table of settings for all.

The scripts of *Copy as Python* run by themselves, on public names.
"""

import re

import numpy as np
import pytest
from estimators_of import assert_close, assert_same_as_estimators
from page_tests import opened

from lapviz import datasets
from lapviz.datasets.drawings import SHEET, Drawing, encode
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.pages.eigenfunctions import weights
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression import script as recipes_regression
from lapviz.explorer.pages.regression import steps as regression_steps
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene import placement
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings
from lapviz.explorer.settings.specs import SHOWN, DataSpec
from lapviz.explorer.share import recipes
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import CurveScene, Handle, Mark
from lapviz.labels import Label
from lapviz.markdown import short

AUTOMATIC = dict.fromkeys(CHOOSABLE, AUTO)
WINE = presets.for_data("wine")
DEGREE_5 = (("degree", 5),)
FREE = (Label(3, 0), Label(90, 1), Label(-1, 1, (1.0, 0.5)), Label(-1, 0, (-1.25, 0.125)))
CANDIDATES = (Label(3, 0, None, (1,)), Label(90, 1), Label(150, 2), Label(170, 0, None, (2,)),
              Label(-1, 1, (1.0, 0.5), (2,)), Label(-1, 0, (-1.0, 0.5)))  # fmt: skip


def smaller(settings: Settings, **changes) -> Settings:
    few = {"n": min(settings.data.n_samples, 200), "p": min(settings.space.n_landmarks, 60)}
    return tidy(settings.change(**(few | changes)))


def case(data: str, **changes) -> Settings:
    return smaller(presets.papers_for(data), **changes)


def drawn() -> Settings:
    """A drawing in which every seventh point has no class."""
    rng, codes = np.random.default_rng(0), np.arange(120) % 2
    X = rng.normal(size=(120, 2)) * 0.1 + np.column_stack([0.8 * codes - 0.4, 0 * codes])
    drawing = Drawing.of(X, np.where(np.arange(120) % 7, codes, -1), sheet=SHEET)
    return presets.for_spec(DataSpec("drawn", source=encode(drawing))).change(seed=4, p=60)


# Cases for the Labels page only: eigenfunctions do not depend on them.
LABELS = {
    "marks": case("half_moons", marks=(Label(3, 0), Label(90, 1), Label(10**8, 1))),
    "one-class": case("half_moons", marks=(Label(3, 1), Label(90, 1))),
    "several-classes": case("digits", marks=tuple(Label(7 * i, i) for i in range(10))),
    "few-classes": case("digits", marks=(Label(0, 3), Label(1, 7), Label(2, 3))),
    "free": case("half_moons", marks=FREE),
    "free-constant": case("half_moons", marks=FREE, intercept=True, lam=1e-3),
    "free-scaled": case("half_moons", marks=FREE, scaling="standard", balance="scale"),
    "candidates-scaled": case("blobs", marks=CANDIDATES, scaling="standard", noise=0.3),
    "proportions": WINE.change(class_prior=(1.0, 2.0, 3.0)),
    "proportions-shift": case("blobs", balance="shift", noise=0.3, class_prior=(4, 3, 2, 1)),
    "free-proportions": case(
        "half_moons", **AUTOMATIC, n=400, noise=0.15, marks=FREE[:3], class_prior=(1, 3)
    ),
    "candidates": case("blobs", marks=CANDIDATES, noise=0.3),
    "candidates-constant": case("blobs", marks=CANDIDATES, noise=0.3, intercept=True, lam=0.01),
    "candidates-auto": case("blobs", marks=CANDIDATES, noise=0.3, operator="auto"),
    "candidates-passes": case("blobs", marks=CANDIDATES, noise=0.3, balance="scale", passes=5),
    "candidates-dense": case("blobs", marks=CANDIDATES, noise=0.3, graph="dense"),
    # the graph is over 3000 of the points and all labelled ones
    "candidates-many": case("blobs", marks=CANDIDATES, noise=0.9, graph="dense", n=3300, p=40),
    "candidates-poisson": case("blobs", marks=CANDIDATES, noise=0.9, term="poisson", lam=100.0),
    "drawn-scaled": drawn().change(scaling="standard"),
    "spreading": case("half_moons", method="spreading", alpha=0.9, noise=0.3),
    "dense-spreading": case("iris", graph="dense", method="spreading", sigma="auto", alpha=0.6),
    "constant": case("half_moons", intercept=True, noise=0.3),
    "all-cutoff": case("blobs", term="all", filter="cutoff", lam=0.2, intercept=True),
    "poisson": case("blobs", term="poisson", lam=0.3, noise=0.3),
    "poisson-passes": case(
        "four_circles", term="poisson", lam=1000.0, noise=0.1, balance="scale", passes=5
    ),
    "balance": case("blobs", balance="scale", noise=0.3),
    "automatic-free": case("half_moons", **AUTOMATIC, n=400, noise=0.15, marks=FREE[:3]),
    "automatic-class": presets.for_data("iris").change(marks=(Label(3, 0), Label(120, 2))),
    "passes": case("half_moons", operator="graph", balance="scale", passes=10),
    "interpolation": case("half_moons", lam=0.0),
    "scaled-marks": case("half_moons", scaling="standard", marks=(Label(3, 0), Label(90, 1))),
    "automatic-constant": case("blobs", **AUTOMATIC | {"intercept": True}),
    # the energy is over 10 000 of the points, among them all labelled ones
    **{
        f"automatic-many-{k}": case("half_moons", **AUTOMATIC | {"p": 60}, n=10_400, per_class=k)
        for k in (3, 4)
    },
    "automatic-fading": case("blobs", **AUTOMATIC | {"balance": None, "passes": 0}),
}
BOTH = {name: case(name) for name in datasets.names()} | {
    "drawn": drawn(),
    "slice": case("wine", plane="slice", ax=6, ay=9),
    "polynomial": case("half_moons", kernel="polynomial", kernel_params=DEGREE_5, sigma=1.0),
    "exponential": case("blobs", kernel="exponential", mu=1e-3, lam=0.0),
    "tangent-k": case("half_moons", operator="tangent", neighbors=12, noise=0.2),
    "tangent-q": case("swiss_roll", operator="tangent", directions=1),
    "options": case("two_gaussians", options=(("dimension", 3.0), ("separation", 1.0))),
    "leverage": case("half_moons", landmarks="leverage"),
    "fourier": case("half_moons", landmarks="fourier", sigma=0.5),
    "invariance": case("digits", operator="invariance", mu=1e-3, turn=5.0),
    "graph-energy-k": case("half_moons", operator="graph", energy_k=11, noise=0.2),
    "sum": case("half_moons", operator="tangent", also="graph", share=0.25, noise=0.2),
    "p-above-n": case("half_moons", n=40, p=2000, graph_neighbors=100),
    "auto-widths": case("half_moons", sigma="auto", mu="auto", landmarks="kmeans++", seed=4),
    "automatic": WINE,
    "automatic-moons": case("half_moons", noise=0.15, **AUTOMATIC),
    "automatic-axes": WINE.change(operator="laplacian"),
    "automatic-some": WINE.change(lam=0.5, sigma=2.0, p=40),
    "automatic-floor": WINE.change(mu="floor", seed=4, per_class=5),
    "raw-scaled": case(
        "wine", standardise=False, scaling="standard", sigma="auto", lam=0.1, balance="scale"
    ),
    "automatic-raw": WINE.change(standardise=False),
    "automatic-raw-class": WINE.change(standardise=False, marks=(Label(3, 0), Label(90, 1))),
    "raw-as-it-is": WINE.change(standardise=False, scaling=None),
    "automatic-no-balance": WINE.change(passes=0, balance=None),
    "automatic-scaled": presets.for_data("cells").change(standardise=True, n=300),
}


def stories(page: str) -> dict[str, Settings]:
    """Stories of a page, except those on other methods and forms, which are below."""
    elsewhere = {"methods", "rotation", "ornstein", "neural"}
    names = [s.name for s in presets.STORIES if s.page == page and s.name not in elsewhere]
    rows = {"candidates": {"n": 1797}}  # needed by its labels
    return {f"story-{n}": smaller(presets.for_story(n), **rows.get(n, {})) for n in names}


def parametrised(cases: dict[str, Settings]):
    return pytest.mark.parametrize("settings", cases.values(), ids=cases)


def run(script: str, capsys) -> tuple[dict, str]:
    """Run a short script on public names; return its names and its output."""
    compile(script, "recipe", "exec")
    lines = script.splitlines()
    assert max(map(len, lines)) < 2500
    assert len(lines) <= 70
    assert "lapviz.explorer" not in script
    assert not re.search(r"\._\w|import _", script)
    names: dict = {}
    capsys.readouterr()
    exec(script, names)
    return names, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::lapviz.fit.IgnoredParameterWarning")
@parametrised(BOTH | LABELS | stories("labels"))
def test_the_labels_page(settings, capsys):
    view = labels_view(settings)
    wanted = {s.method.lower(): 100 * s.accuracy for s in view.scores}
    names, output = run(recipes.labels(settings), capsys)
    data, labelled = points.sample(settings.data), points.labelled(settings.data, settings.labels)
    X_shown = data.X[view.scene.points.index]
    if settings.labels.partial:
        methods = [names["scores"], names["smoothest"], names["by_graph"]]
        for values, panel in zip(methods, view.scene.panels, strict=True):
            assert_close(panel.points, values[view.scene.points.index], 1e-6)
    elif (labelled.index < 0).any() or len(set(labelled.codes.tolist())) < data.n_classes:
        assert_close(view.scene.panels[1].points, names["scores"][view.scene.points.index], 1e-6)
        wanted = {"kernel laplacian": wanted["kernel laplacian"]}
        chosen = names["solved"].verdict.reported(names["problem"].plan_for(names["labels"]).report)
        assert not settings.automatic(CHOOSABLE) or str(chosen) in output
    else:
        assert_same_as_estimators(view, names, X_shown)
    shares = {m[1].lower(): float(m[2]) for m in re.finditer(r"(?m)^(.+): ([\d.]+) %", output)}
    assert shares == pytest.approx(wanted, abs=0.0501)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::lapviz.fit.IgnoredParameterWarning")
@parametrised(BOTH | stories("eigenfunctions"))
def test_the_eigenfunctions_page(settings, capsys):
    view = eigen_view(settings)
    names, output = run(recipes.eigenfunctions(settings), capsys)
    model, method, E = names["embedding"], fits.method(view.settings), names["E"]
    np.testing.assert_allclose(view.gamma, model.eigenvalues_, rtol=1e-6, atol=1e-8)
    shown = values_in(output)[: len(view.gamma)]
    np.testing.assert_allclose(shown, view.gamma, rtol=1e-5, atol=1e-8)
    assert method.kernel.bandwidth == model.bandwidth_
    assert method.mu == pytest.approx(model.mu_, rel=1e-10)
    assert method.eigenfunctions(17).n_dropped == model.n_dropped_
    assert f"null directions dropped: {model.n_dropped_}\n" in output
    assert [str(c) for c in view.settings.chosen.report] == [str(c) for c in model.report_]
    rows, scale = view.scene.points.index, 1e-5 * np.abs(E).max()
    for i, panel in enumerate(view.scene.panels):
        np.testing.assert_allclose(panel.points[0], E[rows, i], atol=scale)
        assert panel.subtitle.startswith(f"γ = {short(max(model.eigenvalues_[i], 0))}")


def values_in(output: str) -> list[float]:
    """The first values that a script prints."""
    match = re.search(r"values: (.+)", output)
    assert match
    return [float(v) for v in match[1].split()]


HANDLES = (Handle(0.1, 1.0), Handle(0.5, 0.0, 2.0), Handle(0.9, 1.0))
REGRESSION = {
    "stop-unlabelled": case("waves", n=120, known=40, unlabelled="response"),
    "stop-step": case("step", tau=0.01, seed=3, kernel="polynomial", kernel_params=DEGREE_5),
    "slopes-plain": case("waves", topic="slopes", sigma="auto", kernel="gaussian", handles=HANDLES),
    "slopes-weights": case("waves", topic="slopes", weight=0.01, ridge=1e-3, kernel="matern52"),
    "slopes-two": case("waves", topic="slopes", handles=(Handle(0.2, 1.0), Handle(0.7, -1.0, 3.0))),
    "exact-some": case("waves", topic="exact", known=30, n=100, p=20),
    "exact-auto": case("waves", topic="exact", mu="auto", n=100, p=50),
    "exact-two": case("hills", p=30, sigma="auto"),
    "exact-waves": case("waves", topic="exact", landmarks="fourier", n=40, p=60),
    "manifold": case("swiss_roll", n=400, p=80, noise=0.3, known=30, lam=0.1),
    "manifold-known": case("swiss_roll", n=200, p=60, noise=0.3, lam=0.1, also="graph"),
    "stop-one": case("waves", n=1),
    "stop-rounding": case("waves", kernel="gaussian", sigma=1.0),
}


@pytest.mark.slow
@parametrised(REGRESSION | stories("regression"))
def test_the_regression_page(settings, capsys):
    """Its numbers are in the page's tables."""
    view = regression_view(settings)
    names, output = run(recipes_regression.regression(settings), capsys)
    on_stage[settings.regression.topic](view, names)
    if settings.regression.topic == "slopes":
        assert float(output.split()[-1]) == pytest.approx(view.tables[0].rows[0][1], rel=1e-6)
        return
    titles = view.tables[0].heads
    rows = {
        row[0].partition(",")[0].partition(" (in")[0]: dict(zip(titles, row, strict=True))
        for row in view.tables[0].rows
        if "Galerkin" not in row[0] or "shown" in row[0]
    }
    lines = re.findall(r"(?m)^(.+?): (?:m = (\d+), )?error ([\d.]+)$", output)
    best = re.findall(r"(?m)^(.+?): [\d.e+-]+, error ([\d.]+)$", output)
    in_hindsight = view.tables[1].rows if settings.regression.topic == "stop" else ()
    assert sorted(best) == sorted((title, f"{error:.4f}") for title, _, error in in_hindsight)
    assert len(lines) >= 2
    if settings.regression.topic == "stop":
        assert [name for name, *_ in lines] == list(rows)
    elif settings.regression.topic == "manifold":  # its script has kernel ridge last
        assert sorted(name for name, *_ in lines) == sorted(rows)
    for name, m, error in lines:
        row = rows[name]
        assert float(error) == pytest.approx(row["Error"], abs=0.00502 if not m else 6e-5)
        assert not m or int(m) == row["Stops at m"]


def stop_on_stage(view, names: dict) -> None:
    """Every iterate, and the marks where the table says that rules stop."""
    path, rows = view.scene.shown, {row[0]: row[1] for row in view.tables[0].rows}
    np.testing.assert_allclose(path.curves, names["curves"].T, atol=1e-7)
    np.testing.assert_allclose(path.series[1].values, names["errors"], rtol=1e-6)
    assert path.marks[-1] == Mark("Truth", int(names["errors"].argmin()))
    assert (np.diff(path.series[0].values) <= 1e-12).all(), "the residual falls"
    rules = {"(8)", "(9)"} | ({"Hold-out"} if len(names["data"].X) > 1 else set())
    assert rules <= {mark.title for mark in path.marks}
    assert all(rows[mark.title] == mark.step for mark in path.marks[:-1])


def test_the_automatic_mu_of_all_estimates_does_not_depend_on_the_p_shown():
    settings = REGRESSION["exact-auto"]
    relevant = [regression_steps.relevant(settings.change(p=p)) for p in (7, 50)]
    assert relevant[0] == relevant[1]
    assert relevant[0].energy.mu > 0


def slopes_on_stage(view, names: dict) -> None:
    values = [*(h.value for h in view.scene.handles), *(h.slope or 0.0 for h in view.scene.handles)]
    for response, name in zip(view.scene.responses, ("hermite", "plain"), strict=True):
        np.testing.assert_allclose(response.matrix @ values, names[name], atol=2e-4)


def exact_on_stage(view, names: dict) -> None:
    """Curves over one input, fields over two."""
    exact, galerkin = names["exact"], names["galerkin"]
    if isinstance(view.scene, CurveScene):
        path, x = view.scene.shown, names["x"]
        np.testing.assert_allclose(view.scene.curves[1].values, exact.predict(x), atol=1e-8)
        np.testing.assert_allclose(path.curves[view.scene.step], galerkin.predict(x), atol=1e-8)
        assert path.positions[view.scene.step] == galerkin.n_landmarks
        return
    truth, *panels = view.scene.panels
    np.testing.assert_allclose(truth.points[0], names["data"].target(names["x"]))
    for panel, model in zip(panels, (exact, galerkin), strict=True):
        np.testing.assert_allclose(panel.points[0], model.predict(names["x"]), atol=1e-7)
        at_grid = model.predict(view.scene.grid.sites())
        np.testing.assert_allclose(panel.grid.ravel(), at_grid, atol=1e-7)


def manifold_on_stage(view, names: dict) -> None:
    """The script's last model has the learnt tangents."""
    predicted = names["model"].predict(names["data"].X)[view.scene.points.index]
    np.testing.assert_allclose(view.scene.panels[3].points[0], predicted, atol=1e-4)


on_stage = {"stop": stop_on_stage, "slopes": slopes_on_stage, "exact": exact_on_stage,
            "manifold": manifold_on_stage}  # fmt: skip


@pytest.mark.parametrize("subsampled", [False, True], ids=["all", "part"])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside"])
@pytest.mark.parametrize(
    "changes",
    [{"show": "graph"}, {"show": "graph", "graph": "dense"}, {"show": "diffusion"},
     {"show": "eigenmaps", "graph_neighbors": 8}],
    ids=["graph", "dense", "diffusion", "eigenmaps"],
)  # fmt: skip
def test_other_methods_scripts(changes, beside, subsampled, capsys, monkeypatch):
    """With many points, the graph is over one subsample of them, and the picture over another."""
    n = 230 if subsampled else 200  # results are kept by their settings
    if subsampled:
        monkeypatch.setattr(baseline, "MAX_DENSE_GRAPH_SAMPLES", 220)
        for module in (placement, recipes):
            monkeypatch.setattr(module, "MAX_DRAWN", 150)
    settings = case("square", beside=beside, n=n, **changes)
    view = eigen_view(settings)
    names, _ = run(recipes.eigenfunctions(settings), capsys)
    show = settings.view.show
    gamma = view.series["graph, scaled" if show == "graph" else SHOWN[show].lower()]
    np.testing.assert_allclose(names["gamma"], gamma, rtol=1e-6, atol=1e-9)
    functions, panels, rows = names["F"], view.scene.panels, view.scene.points.index
    if "rows" in names:  # the other methods have values at these rows only
        assert len(functions) == 220
        return
    if beside:
        functions, panels = names["matched"], view.scene.panels[1::2]
    for i, panel in enumerate(panels, beside):
        values, wanted = np.abs(functions[rows, i]), np.abs(panel.points[0])
        np.testing.assert_allclose(values, wanted, atol=1e-4)
        if beside:
            energy = ((names["T"] ** 2).T @ gamma)[i]
            assert panel.subtitle.startswith(f"γ = {energy:.3g} ·")


@pytest.mark.parametrize("name", ["rotation", "ornstein"])
def test_the_forms_scripts(name, capsys):
    settings = presets.for_story(name).change(n=400, p=60)
    view = eigen_view(settings)
    names, output = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(names["svd"].values, view.gamma, atol=1e-8)
    shown = values_in(output)[: len(view.gamma)]
    np.testing.assert_allclose(shown, view.gamma, rtol=1e-5, atol=1e-8)
    functions = {"f": "F", "g": "G", "e": "E"}
    for panel in view.scene.panels:
        kind, i = panel.title[0], "₀₁₂₃₄₅₆₇₈".index(panel.title[1])
        if panel.title.endswith("learnt"):
            np.testing.assert_allclose(names[functions[kind]][:, i], panel.points[0], atol=1e-6)


@pytest.mark.slow
def test_the_networks_script_is_the_estimator(capsys):
    settings = case("square", show="neural", beside=True, batches=100)
    script = recipes.eigenfunctions(settings)
    compile(script, "recipe", "exec")
    assert "n_batches=100" in script
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    function, *arguments = weights.work(settings)
    names, _ = run(script, capsys)
    np.testing.assert_allclose(names["gamma"], function(*arguments).gamma, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["knn", "dense"])
def test_of_very_many_points_the_scripts_graph_is_over_the_pages_rows(monkeypatch, capsys, graph):
    for name in ("MAX_GRAPH_SAMPLES", "MAX_DENSE_GRAPH_SAMPLES"):
        monkeypatch.setattr(baseline, name, 60)
    settings = case("half_moons", noise=0.3, seed=77, graph=graph)
    wanted = labels_view(settings).scores[2].accuracy
    names, _ = run(recipes.labels(settings), capsys)
    unlabelled = ~names["labelled"]
    correct = names["by_method"]["graph Laplacian"] == names["data"].y
    assert len(names["rows"]) < len(unlabelled)
    assert correct[unlabelled].mean() == pytest.approx(wanted, abs=1e-12)


def test_without_labels_the_script_says_what_to_do(capsys):
    script = recipes.labels(case("half_moons", marks=()))
    assert "Label a point first" in script
    assert run(script, capsys)[1] == ""


PASSES = {"intercept": True, "passes": 3, "balance": "scale"}  # refused by the kernel Laplacian
ONE_CHOICE = (Label(3, 0), Label(90, 1), Label(50, 0, None, (1,)))
REFUSED = {
    "passes": (case("half_moons", n=150, **PASSES), ["kernel ridge", "graph Laplacian"]),
    "passes-free": (case("half_moons", n=150, marks=FREE, **PASSES), []),
    "candidates": (case("half_moons", n=150, marks=ONE_CHOICE, lam=0.0),
                   ["candidates averaged", "graph Laplacian"]),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "methods"), REFUSED.values(), ids=REFUSED)
def test_a_refused_method_is_left_out_of_the_script_with_the_reason(settings, methods, capsys):
    view = labels_view(settings)
    ((title, reason),) = view.refused.items()
    script = recipes.labels(settings, view.refused)
    assert f"{title}: {reason}" in script.replace("\n# ", " ")
    _, output = run(script, capsys)
    wanted = {score.method: score.accuracy for score in view.scores}
    lines = [f"{name}: {100 * wanted[name[0].upper() + name[1:]]:.1f} %" for name in methods]
    assert [line.partition(" accuracy")[0] for line in output.splitlines()] == lines


@pytest.mark.parametrize("show", ["graph", "eigenmaps"])
def test_without_a_spectrum_of_the_graph_the_script_has_the_learnt_functions(show, capsys):
    view = eigen_view(settings := case("half_moons", n=150, show=show, graph_neighbors=1))
    script = recipes.eigenfunctions(settings, view.refused)
    assert "too many components" in script.replace("\n# ", " ")
    shown = values_in(run(script, capsys)[1])
    np.testing.assert_allclose(shown, view.gamma, rtol=1e-5, atol=1e-8)


PAGES = {
    "labels": ({"data": "blobs", "n": 100, "p": 20, "labels": "3c0~9c1~30c2~41c3", "lam": 0.2},
               "lapviz_settings", recipes.labels),
    "eigenfunctions": ({"data": "square", "n": 100, "p": 20, "show": "diffusion"},
                       "lapviz_settings", recipes.eigenfunctions),
    "regression": ({"data": "waves", "n": 60, "known": 30, "tau": 0.01},
                   "lapviz_regression", recipes_regression.regression),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("place", PAGES)
def test_a_page_shows_the_script_of_its_settings(place, monkeypatch):
    monkeypatch.setattr(live.LiveStage, "first_patience", 60.0)
    query, slot, script_of = PAGES[place]
    app = opened(place, **query)
    settings = app.session_state[slot]
    assert settings != presets.for_data(query["data"])
    app.session_state[f"fold-recipe@{place}"] = True  # opened
    app.run()
    assert [code.value for code in app.code] == [script_of(settings).rstrip("\n")]
