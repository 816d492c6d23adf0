"""The library's estimators with the settings of a page, as they are: "auto" and all."""

from __future__ import annotations

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
    """The page's labels, -1 for the other points."""
    given = points.labelled(s.data, s.labels)
    y = np.full(len(points.sample(s.data).X), -1)
    y[given.index] = given.codes
    return y


def fitted(s: Settings) -> LaplacianClassifier:
    return classifier(s).fit(points.sample(s.data).X, target(s))


def close(found: np.ndarray, wanted: np.ndarray, digits: float = 1e-7) -> None:
    """Scores (k, …) of a panel, against those of an estimator (n,) or (n, k)."""
    wanted = wanted.reshape(len(wanted), -1).T
    scale = digits * np.abs(wanted).max() + 1e-12
    np.testing.assert_allclose(found.reshape(len(wanted), -1), wanted, atol=scale)


def same_as_estimators(view, names: dict, at: np.ndarray, digits: float = 1e-7) -> None:
    """What was chosen, and each method at the samples, on the grid and far from the data."""
    model, ridge, graph, made = (*(names[n] for n in ("classifier", "ridge", "graph")),
                                 view.settings)  # fmt: skip
    assert view.bandwidth == pytest.approx(model.bandwidth_, rel=1e-12)
    assert view.mu == pytest.approx(model.mu_, rel=1e-10)
    if "lam" in view.scene.panels[1].depends:
        assert made.estimate.lam == pytest.approx(model.lam_, rel=1e-8)
    assert made.estimate.n_passes == model.n_passes_
    # where the energy is given the script leaves the papers' balance and passes to the classifier
    left = () if made.chosen.automatic else ("balance", "n_passes")
    chosen = ([str(c) for c in report if c.name not in left]
              for report in (made.chosen.report, model.report_))  # fmt: skip
    assert next(chosen) == next(chosen)
    assert view.scores[1].energy == pytest.approx(model.dirichlet_energy_, rel=1e-5)
    scaled = model.scaling_ or (lambda X: X)
    labelled = scaled(names["data"].X)[names["labelled"]]

    def by_ridge(X: np.ndarray) -> np.ndarray:
        codes = ridge.predict(model.kernel_(scaled(X), labelled))
        return codes[:, 1] - codes[:, 0] if codes.shape[1] == 2 else codes

    peers = (by_ridge, model.decision_function,
             lambda X: class_scores(graph.predict_proba(scaled(X))))  # fmt: skip
    sites = view.scene.grid and view.scene.grid.sites()
    if made.view.plane == "slice":
        sites = plane_of(made).lift(sites)
    for k, (panel, scores) in enumerate(zip(view.scene.panels, peers, strict=True)):
        within = 1e-5 if k == 0 else digits
        if k < 2:  # the graph's own values stand at its nodes
            close(panel.points, scores(at), within)
        if panel.grid is not None:
            close(panel.grid, scores(sites), within)
    close(view.scene.panels[2].points, class_scores(graph.label_distributions_), digits)
    far = names["data"].X[:50] * 3 + 1
    found = fits.problem(made).scores(points.scaled(made.data, far), fits.solution(made).value)
    close(found.T, model.decision_function(far), digits)
