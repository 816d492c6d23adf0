"""The library's estimators with the unresolved settings of a page, "auto" included."""

import numpy as np
import pytest

from lapviz import LaplacianClassifier
from lapviz.estimates import class_scores
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.placement import plane_of
from lapviz.explorer.settings.records import Settings


def space_of(s: Settings) -> dict:
    """Trial space and energy as keyword arguments of an estimator."""
    return {
        "kernel": s.get("kernel"), "bandwidth": s.get("sigma"),
        "kernel_params": dict(s.space.kernel_params or ()),
        "n_landmarks": s.get("p"), "landmarks": s.get("landmarks"), "mu": s.get("mu"),
        "operator": s.operator, "random_state": s.get("seed"),
    }  # fmt: skip


def classifier(s: Settings) -> LaplacianClassifier:
    spec = s.estimate
    return LaplacianClassifier(
        **space_of(s), lam=spec.lam, filter=spec.filter, data_term=spec.data_term,
        fit_intercept=spec.fit_intercept, balance=spec.balance, n_passes=spec.n_passes,
        scaling=spec.scaling,
    )  # fmt: skip


def target(s: Settings) -> np.ndarray:
    """The page's labels, with -1 for unlabelled points."""
    labelled = points.labelled(s.data, s.labels)
    y = np.full(len(points.sample(s.data).X), -1)
    y[labelled.index] = labelled.codes
    return y


def fitted(s: Settings) -> LaplacianClassifier:
    return classifier(s).fit(points.sample(s.data).X, target(s))


def assert_close(scores: np.ndarray, expected: np.ndarray, rtol: float = 1e-7) -> None:
    """Compare a panel's scores (k, …) with those of an estimator, (n,) or (n, k)."""
    expected = expected.reshape(len(expected), -1).T
    atol = rtol * np.abs(expected).max() + 1e-12
    np.testing.assert_allclose(scores.reshape(len(expected), -1), expected, atol=atol)


def assert_same_as_estimators(view, names: dict, X: np.ndarray, rtol: float = 1e-7) -> None:
    """Compare the choices, and each method at the samples X, on the grid and far from the data."""
    model, ridge, graph = (names[name] for name in ("classifier", "ridge", "graph"))
    settings = view.settings
    assert view.bandwidth == pytest.approx(model.bandwidth_, rel=1e-12)
    assert view.scene.mu == pytest.approx(model.mu_, rel=1e-10)
    if "lam" in view.scene.panels[1].depends:
        assert settings.estimate.lam == pytest.approx(model.lam_, rel=1e-8)
    assert settings.estimate.n_passes == model.n_passes_
    # With a fixed operator, the script leaves the papers' balance and passes to the classifier.
    left = () if settings.chosen.automatic else ("balance", "n_passes")
    chosen = ([str(c) for c in report if c.name not in left]
              for report in (settings.chosen.report, model.report_))  # fmt: skip
    assert next(chosen) == next(chosen)
    assert view.scores[1].energy == pytest.approx(model.dirichlet_energy_, rel=1e-5)
    scaled = model.scaling_ or (lambda X: X)
    labelled = scaled(names["data"].X)[names["labelled"]]

    def by_ridge(X: np.ndarray) -> np.ndarray:
        codes = model.kernel_(scaled(X), labelled) @ ridge
        return codes[:, 1] - codes[:, 0] if codes.shape[1] == 2 else codes

    peers = (by_ridge, model.decision_function,
             lambda X: class_scores(graph.predict_proba(scaled(X))))  # fmt: skip
    sites = view.scene.grid and view.scene.grid.sites()
    if settings.view.plane == "slice":
        sites = plane_of(settings).lift(sites)
    for k, (panel, scores) in enumerate(zip(view.scene.panels, peers, strict=True)):
        panel_rtol = 1e-5 if k == 0 else rtol
        if k < 2:  # the graph has values at its nodes only
            assert_close(panel.points, scores(X), panel_rtol)
        if panel.grid is not None:
            assert_close(panel.grid, scores(sites), panel_rtol)
    at_nodes = class_scores(graph.label_distributions_)[view.scene.points.index]
    assert_close(view.scene.panels[2].points, at_nodes, rtol)
    far = names["data"].X[:50] * 3 + 1
    scaled_far, solution = points.scaled(settings.data, far), fits.solution(settings).value
    far_scores = fits.problem(settings).scores(scaled_far, solution)
    assert_close(far_scores.T, model.decision_function(far), rtol)
