"""*Copy as Python*: the scripts run by themselves and give the numbers on screen."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lapviz import datasets
from lapviz.explorer.compute import baseline, fits, points
from lapviz.explorer.pages.eigenfunctions import weights
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression import script as recipes_regression
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene import placement
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.explorer.share import recipes
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import Handle
from lapviz.labels import Label

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


# Of the labels alone: the eigenfunctions do not depend on them.
LABELS = {
    "marks": case("half_moons", marks=(Label(3, 0), Label(90, 1), Label(10**8, 1))),
    "one-class": case("half_moons", marks=(Label(3, 1), Label(90, 1))),
    "several-classes": case("digits", marks=tuple(Label(7 * i, i) for i in range(10))),
    "few-classes": case("digits", marks=(Label(0, 3), Label(1, 7), Label(2, 3))),
    "free": case("half_moons", marks=FREE),
    "free-all": case("half_moons", marks=FREE, term="all", filter="heat", lam=0.3),
    "free-constant": case("half_moons", marks=FREE, intercept=True, lam=1e-3),
    "free-polynomial": case(
        "half_moons", marks=FREE, kernel="polynomial", kernel_params=(("degree", 4),), sigma=1.0
    ),
    "free-tangent": case("half_moons", marks=FREE, operator="tangent", neighbors=9, directions=1),
    "free-known": case("circle", marks=FREE),
    "free-auto": case("half_moons", marks=FREE, sigma="auto", mu="auto", landmarks="kmeans++"),
    "free-scaled": case("half_moons", marks=FREE, scaling="standard", balance="scale"),
    "candidates-scaled": case("blobs", marks=CANDIDATES, scaling="standard", noise=0.3),
    "free-poisson": case("half_moons", marks=FREE, term="poisson", intercept=True),
    "free-balance": case("half_moons", marks=FREE, balance="shift"),
    "candidates": case("blobs", marks=CANDIDATES, noise=0.3),
    "candidates-constant": case("blobs", marks=CANDIDATES, noise=0.3, intercept=True, lam=0.01),
    "candidates-auto": case("blobs", marks=CANDIDATES, noise=0.3, operator="auto"),
    "candidates-passes": case("blobs", marks=CANDIDATES, noise=0.3, balance="scale", passes=5),
    "candidates-dense": case("blobs", marks=CANDIDATES, noise=0.3, graph="dense"),
    "spreading": case("half_moons", method="spreading", alpha=0.9, noise=0.3),
    "dense": case("half_moons", graph="dense", noise=0.3),
    "dense-spreading": case("iris", graph="dense", method="spreading", sigma="auto", alpha=0.6),
    "constant": case("half_moons", intercept=True, noise=0.3),
    "all-cutoff": case("blobs", term="all", filter="cutoff", lam=0.2, intercept=True),
    "landweber": case("blobs", term="all", filter="landweber", lam=0.2),
    "more-labels": case("half_moons", per_class=20, noise=0.3, seed=5),
    "poisson": case("blobs", term="poisson", lam=0.3, noise=0.3),
    "balance": case("blobs", balance="scale", noise=0.3),
    "automatic-free": case("half_moons", **AUTOMATIC, n=400, noise=0.15, marks=FREE[:3]),
    "automatic-class": presets.for_data("iris").change(marks=(Label(3, 0), Label(120, 2))),
}
BOTH = {name: case(name) for name in datasets.names()} | {
    "polynomial": case("half_moons", kernel="polynomial", kernel_params=DEGREE_5, sigma=1.0),
    "exponential": case("blobs", kernel="exponential", mu=1e-3, lam=0.0),
    "tangent": case("half_moons", operator="tangent", noise=0.2),
    "tangent-k": case("half_moons", operator="tangent", neighbors=12, noise=0.2),
    "tangent-q": case("swiss_roll", operator="tangent", directions=1),
    "options": case("two_gaussians", options=(("dimension", 3.0), ("separation", 1.0))),
    "leverage": case("half_moons", landmarks="leverage"),
    "fourier": case("half_moons", landmarks="fourier", sigma=0.5),
    "invariance": case("digits", operator="invariance", mu=1e-3, turn=5.0),
    "graph-energy": case("half_moons", operator="graph"),
    "graph-energy-k": case("half_moons", operator="graph", energy_k=11, noise=0.2),
    "sum": case("half_moons", operator="tangent", also="graph", share=0.25, noise=0.2),
    "sum-known": case("circle", operator="known", also="laplacian", share=0.75),
    "p-above-n": case("half_moons", n=40, p=2000, graph_neighbors=100),
    "automatic": WINE,
    "automatic-raw": WINE.change(standardise=False),
    "automatic-raw-class": WINE.change(standardise=False, marks=(Label(3, 0), Label(90, 1))),
    "raw-as-it-is": WINE.change(standardise=False, scaling=None),
    "automatic-no-balance": WINE.change(passes=0, balance=None),
    "automatic-scaled": presets.for_data("cells").change(standardise=True, n=300),
}


def stories(page: str) -> dict[str, Settings]:
    """Those of a page, but for other methods and forms, which are below."""
    below = {"methods", "rotation", "ornstein", "neural"}
    names = [s.name for s in presets.STORIES if s.page == page and s.name not in below]
    rows = {"candidates": {"n": 1797}}  # that its labels name
    return {f"story-{n}": smaller(presets.for_story(n), **rows.get(n, {})) for n in names}


def each(cases: dict[str, Settings]):
    return pytest.mark.parametrize("settings", cases.values(), ids=cases)


def run(script: str, capsys) -> tuple[dict, str]:
    """Names that a short script on public names leaves behind, and what it prints."""
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
@each(BOTH | LABELS | stories("labels"))
def test_the_labels_script_gives_the_pages_numbers(settings, capsys):
    view = labels_view(settings)
    wanted = {s.method.lower(): 100 * s.accuracy for s in view.scores}
    names, said = run(recipes.labels(settings), capsys)
    data, given = points.sample(settings.data), points.labelled(settings.data, settings.labels)
    if given.partial:
        at = dict(enumerate((names["scores"], names["smoothest"], names["by_graph"])))
    elif (given.index < 0).any() or len(set(given.codes.tolist())) < data.n_classes:
        at = {1: names["scores"]}
        wanted = {"kernel laplacian": wanted["kernel laplacian"]}
    else:
        at = {1: names["classifier"].decision_function(data.X)}
    shares = {m[1].lower(): float(m[2]) for m in re.finditer(r"(?m)^(.+): ([\d.]+) %", said)}
    assert shares == pytest.approx(wanted, abs=0.0501)
    for k, values in at.items():
        panel = view.scene.panels[k].points.T
        values = values[view.scene.points.index].reshape(panel.shape)
        np.testing.assert_allclose(values, panel, atol=5e-4 * np.abs(panel).max() + 1e-12)


@pytest.mark.slow
@each(BOTH | stories("eigenfunctions"))
def test_the_eigenfunctions_script_gives_the_pages_numbers(settings, capsys):
    view = eigen_view(settings)
    names, said = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(
        names["embedding"].eigenvalues_, view.gamma, rtol=1e-5, atol=1e-7 * view.gamma.max()
    )
    n_dropped = fits.method(view.settings).eigenfunctions(17).n_dropped
    assert f"null directions dropped: {n_dropped}\n" in said
    np.testing.assert_allclose(numbers(said)[: len(view.gamma)], view.gamma, rtol=1e-3, atol=1e-3)
    rows = view.scene.points.index
    for i, panel in enumerate(view.scene.panels):
        np.testing.assert_allclose(names["E"][rows, i], panel.points[0], atol=2e-4)


def numbers(text: str) -> list[float]:
    return [float(v) for v in re.findall(r"-?\d+\.(?:\d*)(?:e[+-]\d+)?", text)]


HANDLES = (Handle(0.1, 1.0), Handle(0.5, 0.0, 2.0), Handle(0.9, 1.0))
REGRESSION = {
    "stop-unlabelled": case("waves", n=120, known=40, unlabelled="response"),
    "stop-step": case("step", tau=0.01, seed=3, kernel="polynomial", kernel_params=DEGREE_5),
    "slopes-plain": case("waves", topic="slopes", sigma="auto", kernel="gaussian", handles=HANDLES),
    "exact-some": case("waves", topic="exact", known=30, n=100, p=20),
    "exact-two": case("hills", p=30, sigma="auto"),
    "manifold": case("swiss_roll", n=400, p=80, noise=0.3, known=30, lam=0.1),
}


@each(REGRESSION | stories("regression"))
def test_the_regression_script_gives_the_pages_numbers(settings, capsys):
    """Its numbers stand in the page's first table."""
    view = regression_view(settings)
    said = run(recipes_regression.regression(settings), capsys)[1]
    if settings.regression.topic == "slopes":
        assert float(said.split()[-1]) == pytest.approx(view.tables[0].rows[0][1], rel=1e-6)
        return
    names = {"ambient": "Ambient gradient", "tangents": "Learnt tangents"}
    titles = view.tables[0].heads
    rows = {
        row[0].partition(",")[0].partition(" (in")[0]: dict(zip(titles, row, strict=True))
        for row in view.tables[0].rows
        if "Galerkin" not in row[0] or "shown" in row[0]
    }
    lines = re.findall(r"(?m)^(.+?): (?:m = (\d+), )?error ([\d.]+)$", said)
    assert len(lines) >= 2
    for name, m, error in lines:
        row = rows[names.get(name, name)]
        assert float(error) == pytest.approx(row["Error"], abs=0.00502 if not m else 6e-5)
        assert not m or int(m) == row["Stops at m"]


@pytest.mark.parametrize("many", [False, True], ids=["all", "part"])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside"])
@pytest.mark.parametrize(
    "changes",
    [{"show": "graph"}, {"show": "graph", "graph": "dense"}, {"show": "diffusion"},
     {"show": "eigenmaps", "graph_neighbors": 8}],
    ids=["graph", "dense", "diffusion", "eigenmaps"],
)  # fmt: skip
def test_other_methods_scripts(changes, beside, many, capsys, monkeypatch):
    """Of many points the methods take a part of them for a graph, the picture another."""
    n = 230 if many else 200  # results are kept by their settings
    if many:
        monkeypatch.setattr(baseline, "MAX_DENSE_GRAPH_SAMPLES", 220)
        for module in (placement, recipes):
            monkeypatch.setattr(module, "MAX_DRAWN", 150)
    settings = case("square", beside=beside, n=n, **changes)
    view = eigen_view(settings)
    names, _ = run(recipes.eigenfunctions(settings), capsys)
    show = settings.view.show
    gamma = view.series["graph, scaled" if show == "graph" else SHOWN[show].lower()]
    np.testing.assert_allclose(names["gamma"], gamma, rtol=1e-6, atol=1e-9)
    shown, panels, rows = names["F"], view.scene.panels, view.scene.points.index
    if "rows" in names:  # the others are known at these alone
        assert len(shown) == 220
        return
    if beside:
        shown, panels = names["matched"], view.scene.panels[1::2]
    for i, panel in enumerate(panels, beside):
        values, wanted = np.abs(shown[rows, i]), np.abs(panel.points[0])
        np.testing.assert_allclose(values, wanted, atol=1e-4)
        if beside:
            energy = ((names["T"] ** 2).T @ gamma)[i]
            assert panel.subtitle.startswith(f"γ = {energy:.3g} ·")


@pytest.mark.parametrize("name", ["rotation", "ornstein"])
def test_the_forms_scripts(name, capsys):
    settings = presets.for_story(name).change(n=400, p=60)
    view = eigen_view(settings)
    names, said = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(names["found"].values, view.gamma, atol=1e-8)
    np.testing.assert_allclose(numbers(said)[: len(view.gamma)], view.gamma, atol=6e-4)
    which = {"f": "F", "g": "G", "e": "E"}
    for panel in view.scene.panels:
        kind, i = panel.title[0], "₀₁₂₃₄₅₆₇₈".index(panel.title[1])
        if panel.title.endswith("learnt"):
            np.testing.assert_allclose(names[which[kind]][:, i], panel.points[0], atol=1e-6)


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
    judged = ~names["labelled"]
    found = names["by_method"]["graph Laplacian"] == names["data"].y
    assert len(names["rows"]) < len(judged)
    assert found[judged].mean() == pytest.approx(wanted, abs=1e-12)


def test_without_labels_the_script_says_what_to_do(capsys):
    script = recipes.labels(case("half_moons", marks=()))
    assert "Label a point first" in script
    assert run(script, capsys)[1] == ""
