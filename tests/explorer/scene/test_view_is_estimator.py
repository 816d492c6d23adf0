"""What a page shows is what the library's estimators give: one table of settings for all of it."""

from __future__ import annotations

import numpy as np
import pytest
from estimators_of import fitted, space_of, target
from sklearn.kernel_ridge import KernelRidge

from lapviz import GalerkinEmbedding, GraphLaplacianClassifier
from lapviz.estimates import class_codes, class_scores
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings
from lapviz.explorer.stories import presets
from lapviz.labels import Label

pytestmark = [
    pytest.mark.filterwarnings("ignore::lapviz.estimators.advice.DataWarning"),
    pytest.mark.filterwarnings("ignore::lapviz.fit.IgnoredParameterWarning"),
]
AUTOMATIC = dict.fromkeys(CHOOSABLE, AUTO)


def small(name: str, **changes) -> Settings:
    """The papers' settings on few points."""
    base = presets.papers_for(name)
    sizes = {"n": min(base.data.n_samples, 200), "p": min(base.space.n_landmarks, 60)}
    return tidy(base.change(**sizes | changes))


SETTINGS = {
    "moons": small("half_moons"),
    "circles": small("four_circles"),
    "σ and μ auto": small("half_moons", sigma="auto", mu="auto", landmarks="kmeans++", seed=4),
    "heat, constant": small("half_moons", term="all", filter="heat", lam=0.3, intercept=True),
    "cutoff": small("blobs", term="all", filter="cutoff", lam=0.2),
    "landweber": small("blobs", filter="landweber", lam=2.0),
    "exponential": small("iris", kernel="exponential", mu=1e-3),
    "polynomial": small(
        "half_moons", kernel="polynomial", kernel_params=(("degree", 4),), sigma=1.0
    ),
    "learnt tangents": small("half_moons", operator="tangent", neighbors=9, directions=1),
    "sphere": small("sphere"),
    "torus": small("torus"),
    "graph": small("blobs", operator="graph", energy_k=12, lam=0.01),
    "sum": small("half_moons", operator="tangent", also="graph", share=0.3),
    "sources": small("blobs", term="poisson", intercept=True),
    "scaled": small("blobs", balance="scale"),
    "shifted": small("half_moons", balance="shift", lam=0.01),
    "passes": small("half_moons", operator="graph", balance="scale", passes=10),
    "marks": small("blobs", marks=(Label(5, 0), Label(9, 1), Label(30, 2), Label(41, 3))),
    "dense": small("half_moons", graph="dense"),
    "spreading": small("iris", graph="dense", method="spreading", alpha=0.7),
    "p above n": small("half_moons", n=30, p=2000),
    "interpolation": small("half_moons", lam=0.0),
    "all auto": small("half_moons", noise=0.15, **AUTOMATIC),
    "wine": presets.for_data("wine"),
    "wine, named": presets.for_data("wine").change(operator="laplacian"),
    "wine, λ": presets.for_data("wine").change(lam=0.5, sigma=2.0, p=40),
    "wine, floor": presets.for_data("wine").change(mu="floor", seed=4, per_class=5),
    "raw wine": presets.for_data("wine").change(standardise=False),
    "raw wine, as it is": presets.for_data("wine").change(standardise=False, scaling=None),
    "raw wine, given": small(
        "wine", standardise=False, scaling="standard", sigma="auto", lam=0.1, balance="scale"
    ),
    "stretched": small("half_moons", scaling="standard", marks=(Label(3, 0), Label(90, 1))),
    "auto, heat": small("half_moons", **AUTOMATIC | {"term": "all", "filter": "heat"}),
    "auto, constant": small("blobs", **AUTOMATIC | {"intercept": True}),
    "auto, no balance": small("blobs", **AUTOMATIC | {"balance": None, "passes": 0}),
}
each = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def close(found, wanted, digits: float = 1e-7) -> None:
    """Scores (k, …) of a panel, against those of an estimator (n,) or (n, k)."""
    wanted = wanted.reshape(len(wanted), -1).T
    scale = digits * np.abs(wanted).max()
    np.testing.assert_allclose(found.reshape(len(wanted), -1), wanted, atol=scale)


@each
def test_the_labels_page(settings):
    data, y = points.sample(settings.data), target(settings)
    view, rest = labels_view(settings), (y < 0) & (data.y >= 0)
    scene, made, given = view.scene, view.settings, points.labelled(settings.data, settings.labels)
    model = fitted(settings)
    assert view.bandwidth == pytest.approx(model.bandwidth_, rel=1e-12)
    assert view.mu == pytest.approx(model.mu_, rel=1e-10)
    assert made.estimate.lam == pytest.approx(model.lam_, rel=1e-8)
    assert made.estimate.n_passes == model.n_passes_
    assert [str(c) for c in made.chosen.report] == [str(c) for c in model.report_]
    assert view.scores[1].energy == pytest.approx(model.dirichlet_energy_, rel=1e-5)

    scaled = model.scaling_ or (lambda X: X)
    kernel, codes = model.kernel_, class_codes(given.codes, data.n_classes)
    labelled = scaled(given.X)
    alpha = max(len(given.codes) * made.estimate.lam * view.mu, 1e-13)
    ridge = KernelRidge(alpha=alpha, kernel="precomputed").fit(kernel(labelled, labelled), codes)
    spec = settings.baseline
    graph = GraphLaplacianClassifier(
        method=spec.method, graph=spec.graph, n_neighbors=min(spec.n_neighbors, len(data.X) - 1),
        bandwidth=view.bandwidth if spec.graph == "dense" else "auto", alpha=spec.alpha,
    ).fit(scaled(data.X), y)  # fmt: skip
    peers = (
        lambda X: ridge.predict(kernel(scaled(X), labelled)),
        model.decision_function,
        lambda X: class_scores(graph.predict_proba(scaled(X))),
    )
    at = data.X[scene.points.index]
    for panel, score, scores in zip(scene.panels, view.scores, peers, strict=True):
        digits = 1e-5 if panel is scene.panels[0] else 1e-7
        if panel is not scene.panels[2]:  # the graph's own values stand at its nodes
            close(panel.points, scores(at), digits)
        if panel.grid is not None:
            close(panel.grid, scores(scene.grid.sites()), digits)
        shown = panel.points[0] > 0 if len(panel.points) == 1 else panel.points.argmax(axis=0)
        assert panel.accuracy == score.accuracy
        assert score.accuracy == pytest.approx(np.mean((shown == data.y)[rest]))
        assert score.seconds > 0
    close(scene.panels[2].points, class_scores(graph.label_distributions_))
    far = data.X[:50] * 3 + 1
    found = fits.problem(made).scores(points.scaled(made.data, far), fits.solution(made).value)
    close(found.T, model.decision_function(far))


@each
def test_the_eigenfunctions_page(settings):
    settings = fits.named(settings)
    data, view = points.sample(settings.data), eigen_view(settings)
    model = GalerkinEmbedding(n_components=17, **space_of(settings)).fit(data.X)
    np.testing.assert_allclose(view.gamma, model.eigenvalues_, rtol=1e-6, atol=1e-8)
    method = fits.method(view.settings)
    assert method.kernel.bandwidth == model.bandwidth_
    assert method.mu == pytest.approx(model.mu_, rel=1e-10)
    assert method.eigenfunctions(17).n_dropped == model.n_dropped_
    assert [str(c) for c in view.settings.chosen.report] == [str(c) for c in model.report_]
    E = model.transform(data.X)
    for i, panel in enumerate(view.scene.panels[: E.shape[1]]):
        np.testing.assert_allclose(panel.points[0], E[:, i], atol=1e-5 * np.abs(E).max())
        assert panel.subtitle.startswith(f"γ = {max(model.eigenvalues_[i], 0):.3g}")
