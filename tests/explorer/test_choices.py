"""What the data choose on a page is what the estimators choose, and so are its numbers."""

from __future__ import annotations

import numpy as np
import pytest

from lapviz import LaplacianClassifier
from lapviz.explorer import presets, steps
from lapviz.explorer.fields import tidy
from lapviz.explorer.settings import AUTO, CHOOSABLE, Settings
from lapviz.explorer.views.labels import labels_view

WINE = presets.for_data("wine")
MOONS = tidy(presets.papers_for("half_moons").change(n=400, noise=0.15))
AUTOMATIC = dict.fromkeys(CHOOSABLE, AUTO)


def peer(s: Settings) -> LaplacianClassifier:
    """The estimator with the settings as they are, "auto" and all."""
    return LaplacianClassifier(
        kernel=s.space.kernel,
        bandwidth=s.space.bandwidth,
        n_landmarks=s.space.n_landmarks,
        landmarks=s.space.landmarks,
        mu=s.energy.mu,
        operator=s.operator,
        lam=s.estimate.lam,
        filter=s.estimate.filter,
        data_term=s.estimate.data_term,
        fit_intercept=s.estimate.fit_intercept,
        balance=s.estimate.balance,
        n_passes=s.estimate.n_passes,
        random_state=s.data.random_state,
    )


def fitted(settings: Settings) -> LaplacianClassifier:
    data = steps.sample(settings.data)
    given = steps.labelled(settings.data, settings.labels)
    y = np.full(len(data.X), -1)
    y[given.index] = given.codes
    return peer(settings).fit(data.X, y)


MIXTURES = {
    "all": {},
    "named operator, λ and p": {"operator": "laplacian", "balance": None, "passes": 0, "mu": 1e-3},
    "named operator": {"operator": "tangent"},
    "μ given": {"mu": 1e-3},
    "λ given": {"lam": 0.5},
    "σ and p given": {"sigma": 2.0, "p": 40},
    "no passes": {"passes": 0},
    "three passes": {"passes": 3},
    "shift": {"balance": "shift"},
    "no balance": {"balance": None},
    "a graph by name, balanced": {"operator": "graph", "balance": "scale", "passes": 10},
    "constant": {"intercept": True},
    "all samples": {"term": "all", "filter": "heat"},
    "sources": {"term": "poisson"},
    "floor": {"mu": "floor"},
    "exponential": {"kernel": "exponential"},
    "another seed": {"seed": 4, "per_class": 5},
}


@pytest.mark.filterwarnings("ignore::lapviz.estimators.advice.DataWarning")
@pytest.mark.filterwarnings("ignore::lapviz.fit.IgnoredParameterWarning")
@pytest.mark.parametrize("changes", MIXTURES.values(), ids=MIXTURES)
@pytest.mark.parametrize("base", [WINE, MOONS.change(**AUTOMATIC)], ids=["wine", "moons"])
def test_the_page_has_the_estimators_numbers(base, changes):
    settings = tidy(base.change(**changes))
    data, model = steps.sample(settings.data), fitted(settings)
    view = labels_view(settings)
    made = view.settings
    given = steps.labelled(settings.data, settings.labels).mask(len(data.X))
    ours = next(s for s in view.scores if s.method == "Kernel Laplacian")
    assert ours.accuracy == np.mean((model.predict(data.X) == data.y)[~given])
    assert made.space.bandwidth == pytest.approx(model.bandwidth_, rel=1e-12)
    assert steps.mu(steps.Problem.of(made)) == pytest.approx(model.mu_, rel=1e-10)
    assert made.estimate.lam == pytest.approx(model.lam_, rel=1e-8)
    assert made.estimate.n_passes == model.n_passes_
    assert min(made.space.n_landmarks, len(data.X)) == model.n_landmarks_
    assert [str(c) for c in made.chosen.report] == [str(c) for c in model.report_]
    scores, theirs = view.scene.panels[1].points, model.decision_function(data.X)
    theirs = theirs.T if theirs.ndim == 2 else theirs[None]
    np.testing.assert_allclose(scores, theirs, atol=1e-10)
    solved, everywhere = steps.solution(made).value, data.X[:50] * 3 + 1
    there = steps.classes(made).scores(everywhere, solved)
    there = there if there.shape[1] > 1 else there[:, 0]
    np.testing.assert_allclose(there, model.decision_function(everywhere), atol=1e-10)
