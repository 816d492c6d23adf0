"""*Copy as Python*: the scripts run by themselves and give the numbers on screen."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lapviz import datasets
from lapviz.explorer.compute import points
from lapviz.explorer.pages.eigenfunctions import neural
from lapviz.explorer.pages.eigenfunctions.bilinear import form_view
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression import script as recipes_regression
from lapviz.explorer.pages.regression.page import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.regression_specs import Handle
from lapviz.explorer.share import recipes
from lapviz.explorer.stories import presets
from lapviz.labels import Label

DEGREE_4 = (("degree", 4),)
DEGREE_5 = (("degree", 5),)

FREE = (Label(3, 0), Label(90, 1), Label(-1, 1, (1.0, 0.5)), Label(-1, 0, (-1.25, 0.125)))


def small(name: str, **changes) -> Settings:
    base = presets.papers_for(name)
    return tidy(
        base.change(
            **({"n": min(base.data.n_samples, 300), "p": min(base.space.n_landmarks, 80)} | changes)
        )
    )


SETTINGS = {name: small(name) for name in datasets.names()} | {
    "marks": small("half_moons", marks=(Label(3, 0), Label(90, 1), Label(10**8, 1))),
    "one-class": small("half_moons", marks=(Label(3, 1), Label(90, 1))),
    "several-classes": small("digits", marks=tuple(Label(7 * i, i) for i in range(10))),
    "few-classes": small("digits", marks=(Label(0, 3), Label(1, 7), Label(2, 3))),
    "free": small("half_moons", marks=FREE),
    "free-all": small("half_moons", marks=FREE, term="all", filter="heat", lam=0.3),
    "free-constant": small("half_moons", marks=FREE, intercept=True, lam=1e-3),
    "free-polynomial": small(
        "half_moons", marks=FREE, kernel="polynomial", kernel_params=DEGREE_4, sigma=1.0
    ),
    "free-tangent": small("half_moons", marks=FREE, operator="tangent", neighbors=9, directions=1),
    "free-known": small("circle", marks=FREE),
    "free-auto": small("half_moons", marks=FREE, sigma="auto", mu="auto", landmarks="kmeans++"),
    "polynomial": small("half_moons", kernel="polynomial", kernel_params=DEGREE_5, sigma=1.0),
    "exponential": small("blobs", kernel="exponential", mu=1e-3, lam=0.0),
    "tangent": small("half_moons", operator="tangent", noise=0.2),
    "tangent-k": small("half_moons", operator="tangent", neighbors=12, noise=0.2),
    "tangent-q": small("swiss_roll", operator="tangent", directions=1),
    "spreading": small("half_moons", method="spreading", alpha=0.9, noise=0.3),
    "dense": small("half_moons", graph="dense", noise=0.3),
    "dense-spreading": small("iris", graph="dense", method="spreading", sigma="auto", alpha=0.6),
    "constant": small("half_moons", intercept=True, noise=0.3),
    "all-cutoff": small("blobs", term="all", filter="cutoff", lam=0.2, intercept=True),
    "landweber": small("blobs", term="all", filter="landweber", lam=0.2),
    "more-labels": small("half_moons", per_class=20, noise=0.3, seed=5),
    "options": small("two_gaussians", options=(("dimension", 3.0), ("separation", 1.0))),
    "leverage": small("half_moons", landmarks="leverage"),
    "fourier": small("half_moons", landmarks="fourier", sigma=0.5),
    "invariance": small("digits", operator="invariance", mu=1e-3, turn=5.0),
    "graph-energy": small("half_moons", operator="graph"),
    "graph-energy-k": small("half_moons", operator="graph", energy_k=11, noise=0.2),
    "sum": small("half_moons", operator="tangent", also="graph", share=0.25, noise=0.2),
    "sum-known": small("circle", operator="known", also="laplacian", share=0.75),
    "poisson": small("blobs", term="poisson", lam=0.3, noise=0.3),
    "free-poisson": small("half_moons", marks=FREE, term="poisson", intercept=True),
    "balance": small("blobs", balance="scale", noise=0.3),
    "free-balance": small("half_moons", marks=FREE, balance="shift"),
    "p-above-n": small("half_moons", n=40, p=2000, graph_neighbors=100),
}
FEATURES = {
    "digits",
    "invariance",
    "breast_cancer",
    "cells",
    "several-classes",
    "few-classes",
}  # many: these take longer
each = pytest.mark.parametrize(
    "settings",
    [
        pytest.param(value, id=name, marks=[pytest.mark.slow] if name in FEATURES else [])
        for name, value in SETTINGS.items()
    ],
)


def run(script: str, capsys) -> tuple[dict, str]:
    """Names that a script leaves behind, and what it prints."""
    compile(script, "recipe", "exec")
    assert max(map(len, script.splitlines())) < 2500
    names: dict = {}
    capsys.readouterr()
    exec(script, names)
    return names, capsys.readouterr().out


def follow_labels(settings: Settings, capsys) -> None:
    """Run the script of the Labels page and compare all its numbers with the page's."""
    view = labels_view(settings)
    wanted = {s.method: s.accuracy for s in view.scores}
    names, said = run(recipes.labels(settings), capsys)
    shares = {m[1].lower(): float(m[2]) for m in re.finditer(r"(?m)^(.+): ([\d.]+) %", said)}
    given = points.labelled(settings.data, settings.labels)
    k = points.sample(settings.data).n_classes
    free = (given.index < 0).any() or len(set(given.codes.tolist())) < k
    assert set(shares) == ({"kernel laplacian"} if free else {m.lower() for m in wanted})
    for method, share in wanted.items():
        if method.lower() in shares:
            assert shares[method.lower()] == pytest.approx(100 * share, abs=0.0501)
    rows, panel = view.scene.points.index, view.scene.panels[1].points.T
    if free:
        scores = names["scores"][rows]
    else:
        scores = names["classifier"].decision_function(points.sample(settings.data).X)[rows]
    np.testing.assert_allclose(
        scores.reshape(panel.shape), panel, atol=5e-4 * np.abs(panel).max() + 1e-12
    )


CANDIDATES = (Label(3, 0, None, (1,)), Label(90, 1), Label(200, 2), Label(250, 0, None, (2,)),
              Label(-1, 1, (1.0, 0.5), (2,)))  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [{}, {"intercept": True, "lam": 0.01}, {"balance": "scale"}, {"graph": "dense"}],
)
def test_the_script_with_several_candidates_gives_the_pages_numbers(changes, capsys):
    follow_candidates(small("blobs", marks=CANDIDATES, noise=0.3, **changes), capsys)


def follow_candidates(settings: Settings, capsys) -> None:
    view = labels_view(settings)
    names, said = run(recipes.labels(settings), capsys)
    shares = {m[1].lower(): float(m[2]) for m in re.finditer(r"(?m)^(.+): ([\d.]+) %", said)}
    assert shares == {
        s.method.lower(): pytest.approx(100 * s.accuracy, abs=0.0501) for s in view.scores
    }
    rows = view.scene.points.index
    for name, panel in zip(("scores", "smoothest", "by_graph"), view.scene.panels, strict=True):
        atol = 5e-4 * np.abs(panel.points).max()
        np.testing.assert_allclose(names[name][rows].T, panel.points, atol=atol)


@pytest.mark.slow
@each
def test_the_labels_script_gives_the_pages_numbers(settings, capsys):
    follow_labels(settings, capsys)


def follow_eigenfunctions(settings: Settings, capsys) -> None:
    view = eigen_view(settings)
    names, said = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(
        names["embedding"].eigenvalues_, view.gamma, rtol=1e-5, atol=1e-7 * view.gamma.max()
    )
    assert f"null directions dropped: {view.n_dropped}\n" in said
    printed = [float(number) for number in re.findall(r"-?\d+\.\d*(?:e[+-]\d+)?", said)]
    np.testing.assert_allclose(printed[: len(view.gamma)], view.gamma, rtol=1e-3, atol=1e-3)
    rows = view.scene.points.index
    for i, panel in enumerate(view.scene.panels):
        np.testing.assert_allclose(names["E"][rows, i], panel.points[0], atol=2e-4)


@pytest.mark.slow
@each
def test_the_eigenfunctions_script_gives_the_pages_numbers(settings, capsys):
    follow_eigenfunctions(settings, capsys)


def follow_regression(settings: Settings, capsys) -> None:
    """Run the script of the Regression page and find its numbers in the page's first table."""
    view = regression_view(settings)
    said = run(recipes_regression.regression(settings), capsys)[1]
    if settings.regression.topic == "slopes":
        missed = float(said.split()[-1])
        assert missed == pytest.approx(view.tables[0].rows[0][1], rel=1e-6)
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


REGRESSION = {
    "stop-unlabelled": {"data": "waves", "n": 120, "known": 40, "unlabelled": "response"},
    "stop-step": {"data": "step", "tau": 0.01, "seed": 3, "kernel": "polynomial",
                  "kernel_params": DEGREE_5},
    "slopes-plain": {"data": "waves", "topic": "slopes", "sigma": "auto", "kernel": "gaussian",
                     "handles": (Handle(0.1, 1.0), Handle(0.5, 0.0, 2.0), Handle(0.9, 1.0))},
    "exact-some": {"data": "waves", "topic": "exact", "known": 30, "n": 100, "p": 20},
    "exact-two": {"data": "hills", "p": 30, "sigma": "auto"},
    "manifold": {"data": "swiss_roll", "n": 400, "p": 80, "noise": 0.3, "known": 30, "lam": 0.1},
}  # fmt: skip


@pytest.mark.parametrize("changes", REGRESSION.values(), ids=REGRESSION)
def test_the_regression_script_gives_the_pages_numbers(changes, capsys):
    changes = dict(changes)
    settings = tidy(presets.papers_for(changes.pop("data")).change(**changes))
    follow_regression(settings, capsys)
    script = recipes_regression.regression(settings)
    assert "explorer" not in script
    assert not re.search(r"\._\w|import _", script)
    assert len(script.splitlines()) <= 60


@pytest.mark.slow
@pytest.mark.parametrize("story", presets.STORIES, ids=lambda s: s.name)
def test_the_stories_scripts(story, capsys):
    if story.page == "data":
        return  # test_picture.py
    if presets.for_story(story.name).view.form != "dirichlet" or "beside" in dict(story.changes):
        return  # above, at a smaller size
    follow = {"labels": follow_labels, "eigenfunctions": follow_eigenfunctions,
              "regression": follow_regression}[story.page]  # fmt: skip
    follow = follow_candidates if story.name == "candidates" else follow
    follow(presets.for_story(story.name), capsys)


def numbers(text: str) -> list[float]:
    return [float(v) for v in re.findall(r"-?\d+\.(?:\d*)(?:e[+-]\d+)?", text)]


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    ("show", "changes"),
    [("graph", {}), ("graph", {"graph": "dense"}), ("eigenmaps", {"graph_neighbors": 8}),
     ("diffusion", {})],
)  # fmt: skip
def test_other_methods_scripts(show, changes, beside, capsys):
    settings = small("square", show=show, beside=beside, **changes)
    view = eigen_view(settings)
    names, _ = run(recipes.eigenfunctions(settings), capsys)
    gamma = view.graph if show == "graph" else view.other
    np.testing.assert_allclose(names["gamma"], gamma, rtol=1e-6, atol=1e-9)
    if not beside:
        for i, panel in enumerate(view.scene.panels):
            values = np.abs(names["F"][view.scene.points.index, i])
            np.testing.assert_allclose(values, np.abs(panel.points[0]), atol=1e-5)
        return
    for i, panel in enumerate(view.scene.panels[1::2], 1):
        np.testing.assert_allclose(np.abs(names["matched"][:, i]), np.abs(panel.points[0]),
                                   atol=1e-4)  # fmt: skip
        assert panel.subtitle.startswith(f"γ = {((names['T'] ** 2).T @ gamma)[i]:.3g} ·")


@pytest.mark.slow
def test_of_many_points_the_script_takes_the_same_part(capsys):
    settings = tidy(
        presets.papers_for("square").change(n=3500, p=60, show="diffusion", beside=True)
    )
    names, _ = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(names["gamma"], eigen_view(settings).other, rtol=1e-6, atol=1e-9)
    graph = settings.change(show="graph")
    names, _ = run(recipes.eigenfunctions(graph), capsys)
    panels = eigen_view(graph).scene.panels[1::2]
    for i, panel in enumerate(panels, 1):
        values = names["matched"][names["drawn"], i]
        np.testing.assert_allclose(np.abs(values), np.abs(panel.points[0]), atol=1e-4)


@pytest.mark.parametrize("name", ["rotation", "ornstein"])
def test_the_forms_scripts(name, capsys):
    settings = presets.for_story(name).change(n=400, p=60)
    view = form_view(settings)
    names, said = run(recipes.eigenfunctions(settings), capsys)
    np.testing.assert_allclose(names["found"].values, view.values, atol=1e-8)
    np.testing.assert_allclose(numbers(said)[: len(view.values)], view.values, atol=6e-4)
    which = {"f": "F", "g": "G", "e": "E"}
    for panel in view.scene.panels:
        kind, i = panel.title[0], "₀₁₂₃₄₅₆₇₈".index(panel.title[1])
        if panel.title.endswith("learnt"):
            np.testing.assert_allclose(names[which[kind]][:, i], panel.points[0], atol=1e-6)


def test_the_networks_script_is_the_estimator(capsys):
    settings = small("square", show="neural", beside=True, batches=100)
    script = recipes.eigenfunctions(settings)
    compile(script, "recipe", "exec")
    assert "n_batches=100" in script
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    function, *arguments = neural.work(settings)
    names, _ = run(script, capsys)
    np.testing.assert_allclose(names["gamma"], function(*arguments).gamma, rtol=1e-5)


def test_without_labels_the_script_says_what_to_do(capsys):
    script = recipes.labels(small("half_moons", marks=()))
    assert "Label a point first" in script
    assert run(script, capsys)[1] == ""


@each
def test_scripts_are_short_and_use_public_names_alone(settings):
    for script in (recipes.labels(settings), recipes.eigenfunctions(settings)):
        assert "explorer" not in script
        assert not re.search(r"\._\w|import _", script)
        assert len(script.splitlines()) <= 60
