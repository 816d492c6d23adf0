"""The cached steps: what each change recomputes, the budget, and the estimators' numbers."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    LaplacianClassifier,
    datasets,
    operators,
)
from lapviz.explorer import cache, comparison, pipeline, presets
from lapviz.explorer.settings import Mark, Settings, describe, tidy

SMALL = replace(presets.for_data("half_moons"), n=120, p=25)
EXPENSIVE = {  # step -> the core's function that it calls
    "data": ("datasets", "load"),
    "tangents": ("tangents", "learn_tangents"),
    "landmarks": ("landmarks", "choose"),
    "bandwidth": ("bandwidths", "auto_bandwidth"),
    "assemble": ("forms", "assemble"),
    "spectrum": ("spectra", "spectrum"),
    "penalty": ("estimates", "penalty"),
    "graph": ("graphs", "knn_weights"),
}


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()
    yield
    cache.clear()


def numbers(settings: Settings) -> list[np.ndarray]:
    """All that the pages compute, as arrays."""
    given = pipeline.labels(settings)
    basis, found = pipeline.eigenfunctions(settings, 9)
    X = pipeline.sample(settings).X
    at, there, _ = comparison.graph_scores(
        comparison.graph_settings(settings), pipeline.Places("0.01 off", X[:9] + 0.01)
    )
    columns = pipeline.label_columns(settings, pipeline.Places("0.01 off", X[:9] + 0.01))
    return [
        X,
        given.X,
        given.codes,
        np.array([pipeline.bandwidth(settings), pipeline.mu(settings)]),
        found.gamma,
        basis.space.evaluate(X, found.vectors),
        pipeline.halved(settings, 9),
        pipeline.coefficients(settings, given).value,
        pipeline.ridge(settings, given).value,
        pipeline.estimate_modes(settings).value.gamma,
        at,
        there,
        *columns,
    ]


def agree(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def wander(rng: np.random.Generator, steps: int) -> list[Settings]:
    """A walk through small settings that changes one thing at a time and comes back at times."""
    walk = [SMALL]
    for _ in range(steps):
        now = walk[-1]
        name, value = [
            ("lam", float(rng.choice([0.0, 0.1, 3.0]))),
            ("filter", str(rng.choice(["tikhonov", "heat", "cutoff"]))),
            ("term", str(rng.choice(["labelled", "all"]))),
            ("intercept", bool(rng.integers(2))),
            ("mu", rng.choice([None, 1e-3, 0.1])),
            ("sigma", rng.choice([None, 0.3, 0.6])),
            ("kernel", str(rng.choice(["gaussian", "exponential", "polynomial"]))),
            ("degree", int(rng.integers(2, 4))),
            ("p", int(rng.choice([10, 25]))),
            ("landmarks", str(rng.choice(["uniform", "kmeans++"]))),
            ("operator", str(rng.choice(["laplacian", "tangent"]))),
            ("neighbors", rng.choice([None, 8])),
            ("directions", rng.choice([None, 1, 2])),
            ("seed", int(rng.integers(2))),
            ("n", int(rng.choice([80, 120]))),
            ("noise", float(rng.choice([0.05, 0.1]))),
            ("per_class", int(rng.choice([2, 5]))),
            ("data", str(rng.choice(["half_moons", "blobs"]))),
            ("options", ()),
            ("graph", str(rng.choice(["knn", "dense"]))),
            ("graph_neighbors", int(rng.choice([5, 10]))),
            ("method", str(rng.choice(["harmonic", "spreading"]))),
            ("alpha", float(rng.choice([0.5, 0.9]))),
            ("marks", rng.choice([None, 1])),
        ][rng.integers(24)]
        changes = {name: value}
        if name == "marks" and value is not None:
            changes["marks"] = (Mark(3, 0), Mark(7, 1), Mark(-1, 1, (0.5, 0.2)))
        if name == "data":
            changes["options"] = presets.for_data(value).options
        if name == "options" and now.data == "blobs":
            changes["options"] = (("dimension", 2.0), ("n_blobs", float(rng.integers(3, 6))))
        walk.append(tidy(replace(now, **changes)))
    return walk


@pytest.mark.slow
def test_a_warm_cache_never_changes_a_number():
    """Each step's key holds all that the step depends on."""
    walk = wander(np.random.default_rng(0), 220)
    warm = [numbers(settings) for settings in walk]
    assert len(set(walk)) > 110
    for settings, found in zip(walk, warm, strict=True):
        cache.clear()
        agree(found, numbers(settings))


@pytest.mark.parametrize(
    ("change", "again"),
    [
        ({"lam": 7.0}, set()),
        ({"filter": "heat"}, set()),
        ({"marks": (Mark(1, 0), Mark(2, 1))}, set()),
        ({"method": "spreading"}, set()),
        ({"alpha": 0.5}, set()),
        ({"plane": "pca"}, set()),
        ({"show": "graph"}, set()),
        ({"mu": 0.1}, {"spectrum", "penalty"}),
        ({"intercept": True}, {"spectrum", "penalty"}),
        ({"graph_neighbors": 5}, {"graph"}),
        ({"per_class": 5}, {"data"}),
        ({"operator": "tangent"}, {"tangents", "assemble", "spectrum", "penalty", "landmarks",
                                   "graph"}),
        ({"sigma": 0.5}, {"landmarks", "assemble", "spectrum", "penalty", "graph"}),
        ({"seed": 1}, {"data", "landmarks", "assemble", "spectrum", "penalty", "graph"}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_change_repeats_only_what_is_downstream(monkeypatch, change, again):
    calls: Counter[str] = Counter()
    for step, (module, name) in EXPENSIVE.items():
        home = getattr(comparison if module == "graphs" else pipeline, module)
        original = getattr(home, name)

        def counted(*args, _step=step, _original=original, **kwargs):
            calls[_step] += 1
            return _original(*args, **kwargs)

        monkeypatch.setattr(home, name, counted)
    numbers(SMALL)
    assert calls["assemble"] == calls["penalty"] == calls["data"] == calls["graph"] == 1
    calls.clear()
    numbers(replace(SMALL, **change))
    assert set(calls) <= again, "something upstream was computed again"
    if again & {"penalty"}:
        assert calls["penalty"] == 1
    if "assemble" in again:
        assert calls["assemble"] == 1
    calls.clear()
    numbers(SMALL)
    assert not calls, "the way back is free"


def test_labels_do_not_move_the_points():
    """The trial space's cache leaves out how many labels there are: X must not depend on it."""
    for name in datasets.names():
        base = presets.for_data(name)
        if base.per_class is None:
            continue
        base = replace(base, n=min(base.n, 100))
        X = pipeline.sample(base).X
        np.testing.assert_array_equal(pipeline.sample(replace(base, per_class=1)).X, X)


@pytest.fixture
def tight(monkeypatch):
    """Half a megabyte for all cached steps, from when it is called."""
    return lambda: (cache.clear(), monkeypatch.setattr(cache.CACHE, "_Cache__maxsize", 2**19))


def test_the_cache_stays_below_its_budget_and_right(tight):
    walk = wander(np.random.default_rng(1), 60)
    wanted = [numbers(settings) for settings in walk]
    assert cache.CACHE.currsize > 2**20, "the walk must need more than the tight budget"
    tight()
    for settings, want in zip(walk, wanted, strict=True):
        agree(numbers(settings), want)
        assert 0 < cache.CACHE.currsize <= cache.CACHE.maxsize == 2**19


def test_a_result_above_the_budget_is_given_though_not_kept(tight):
    settings = replace(SMALL, n=400, p=300)
    wanted = numbers(settings)
    tight()
    agree(numbers(settings), wanted)
    assert cache.CACHE.currsize <= 2**19


def arrays_in(value: object, seen: set[int]):
    """Every array that a value keeps alive, by brute force."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from arrays_in(item, seen)
    elif hasattr(value, "__dict__"):
        for item in vars(value).values():
            yield from arrays_in(item, seen)


@pytest.mark.parametrize("graph", ["knn", "dense"])
@pytest.mark.parametrize("operator", ["laplacian", "tangent"])
def test_the_cache_counts_every_array(graph, operator):
    settings = replace(SMALL, n=500, p=150, graph=graph, operator=operator, term="all")
    numbers(settings)
    comparison.graph_modes(settings, 17)
    assert len(cache.CACHE) >= 9
    for key, value in cache.CACHE.items():
        held = {id(a): a.nbytes for a in arrays_in(value, set())}
        assert cache.size_of(value) >= 0.9 * sum(held.values()), key[0]


def test_sessions_at_the_same_time_get_their_own_numbers():
    some = wander(np.random.default_rng(2), 12)
    alone = []
    for settings in some:
        cache.clear()
        alone.append(numbers(settings))
    cache.clear()
    with ThreadPoolExecutor(6) as sessions:
        together = list(sessions.map(numbers, some * 3))
    for found, wanted in zip(together, alone * 3, strict=True):
        agree(found, wanted)


def small(name: str, **changes) -> Settings:
    base = presets.for_data(name)
    return tidy(replace(base, **({"n": min(base.n, 200), "p": min(base.p, 60)} | changes)))


SETTINGS = {
    "moons": small("half_moons"),
    "circles": small("four_circles"),
    "auto": small("half_moons", sigma=None, mu=None, landmarks="kmeans++", seed=4),
    "all-heat-constant": small("half_moons", term="all", filter="heat", lam=0.3, intercept=True),
    "cutoff": small("blobs", term="all", filter="cutoff", lam=0.2),
    "landweber": small("blobs", filter="landweber", lam=2.0),
    "exponential": small("iris", kernel="exponential", mu=1e-3),
    "matern": small("wine", kernel="matern52"),
    "polynomial": small("half_moons", kernel="polynomial", degree=4, sigma=1.0),
    "tangent": small("swiss_roll"),
    "tangent-k": small("half_moons", operator="tangent", neighbors=9, directions=1),
    "sphere": small("sphere"),
    "torus": small("torus"),
    "marks": small("blobs", marks=(Mark(5, 0), Mark(9, 1), Mark(30, 2), Mark(41, 3))),
    "dense": small("half_moons", graph="dense"),
    "dense-spreading": small("iris", graph="dense", method="spreading", alpha=0.7),
    "spreading": small("half_moons", method="spreading", alpha=0.9, graph_neighbors=6),
    "p-above-n": small("half_moons", n=30, p=2000),
    "interpolation": small("half_moons", lam=0.0),
}
each = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def parameters(s: Settings) -> dict:
    """The same settings as an estimator's keyword arguments."""
    operator = s.operator
    if operator == "known":
        operator = pipeline.KNOWN_TANGENTS[s.data]
    elif operator == "tangent":
        operator = operators.Tangent(s.neighbors or "auto", s.directions or "auto")
    return {
        "kernel": s.kernel,
        "bandwidth": "auto" if s.sigma is None else s.sigma,
        "degree": s.degree,
        "n_landmarks": s.p,
        "landmarks": s.landmarks,
        "mu": "auto" if s.mu is None else s.mu,
        "operator": operator,
        "random_state": s.seed,
    }


def target(settings: Settings) -> np.ndarray:
    given = pipeline.labels(settings)
    y = np.full(len(pipeline.sample(settings).X), -1)
    y[given.index] = given.codes
    return y


def elsewhere(settings: Settings) -> np.ndarray:
    """Points that are no samples."""
    X = pipeline.sample(settings).X
    return X[:40] + 0.1 * np.random.default_rng(0).normal(size=X[:40].shape)


@each
def test_the_estimate_is_the_classifiers(settings):
    X, new = pipeline.sample(settings).X, elsewhere(settings)
    peer = LaplacianClassifier(
        **parameters(settings),
        lam=settings.lam,
        filter=settings.filter,
        data_term=settings.term,
        fit_intercept=settings.intercept,
    ).fit(X, target(settings))
    found = pipeline.coefficients(settings, pipeline.labels(settings))
    scores = pipeline.estimate_basis(settings).space.evaluate(new, found.value)
    scores = scores[:, 0] if scores.shape[1] == 1 else scores
    wanted = peer.decision_function(new)
    np.testing.assert_allclose(scores, wanted, atol=1e-8 * np.abs(wanted).max())
    assert pipeline.bandwidth(settings) == peer.bandwidth_
    assert pipeline.mu(settings) == peer.mu_


@each
def test_ridge_is_scikit_learns(settings):
    given, new = pipeline.labels(settings), elsewhere(settings)
    k = describe(settings.data, settings.options).n_classes
    codes = np.eye(k)[given.codes] - 1 / k
    if k == 2:
        codes = 2 * given.codes[:, None] - 1.0
    kernel = pipeline.kernel_of(settings)
    alpha = len(given.codes) * settings.lam * pipeline.mu(settings)
    peer = KernelRidge(alpha=max(alpha, 1e-13), kernel="precomputed")
    peer.fit(kernel(given.X, given.X), codes)
    wanted = peer.predict(kernel(new, given.X))
    found = kernel(new, given.X) @ pipeline.ridge(settings, given).value
    np.testing.assert_allclose(found, wanted, atol=1e-5 * np.abs(wanted).max())


@each
def test_the_graph_is_the_graph_classifiers(settings):
    X, new = pipeline.sample(settings).X, elsewhere(settings)
    dense = settings.graph == "dense"
    peer = GraphLaplacianClassifier(
        method=settings.method,
        graph=settings.graph,
        n_neighbors=min(settings.graph_neighbors, len(X) - 1),
        bandwidth=pipeline.bandwidth(settings) if dense else "auto",
        alpha=settings.alpha,
    ).fit(X, target(settings))
    nodes = comparison.graph_shares(settings, pipeline.labels(settings))
    np.testing.assert_allclose(nodes.shares, peer.label_distributions_, atol=1e-8)
    places = pipeline.Places("new", new)
    at, there, _ = comparison.graph_scores(comparison.graph_settings(settings), places)
    for found, shares in ((at, peer.label_distributions_), (there, peer.predict_proba(new))):
        k = shares.shape[1]
        wanted = shares[:, 1:] - shares[:, :1] if k == 2 else shares - 1 / k
        np.testing.assert_allclose(found, wanted, atol=1e-8)


@each
def test_the_eigenfunctions_are_the_embeddings(settings):
    X, new = pipeline.sample(settings).X, elsewhere(settings)
    peer = GalerkinEmbedding(n_components=9, **parameters(settings)).fit(X)
    basis, found = pipeline.eigenfunctions(settings, 9)
    np.testing.assert_allclose(found.gamma, peer.eigenvalues_, rtol=1e-6, atol=1e-8)
    assert found.n_dropped == peer.n_dropped_
    values, wanted = basis.space.evaluate(new, found.vectors), peer.transform(new)
    np.testing.assert_allclose(values, wanted, atol=1e-5 * np.abs(wanted).max())


def test_a_mark_beyond_the_data_is_no_label():
    settings = replace(SMALL, marks=(Mark(5, 1), Mark(10**8, 0), Mark(-1, 0, (0.3, 0.4))))
    given = pipeline.labels(settings)
    assert given.index.tolist() == [5, -1]
    assert given.codes.tolist() == [1, 0]
    np.testing.assert_array_equal(given.X, [pipeline.sample(settings).X[5], [0.3, 0.4]])


def test_a_graph_just_above_its_size_holds_the_labelled_points(monkeypatch):
    """The four circles put their labelled points in front of the n others."""
    monkeypatch.setattr(comparison, "MAX_GRAPH_SAMPLES", 200)
    for seed in range(40):
        settings = small("four_circles", n=198, seed=seed)
        nodes = comparison.graph_shares(settings, pipeline.labels(settings))
        assert np.isin(pipeline.labels(settings).index, nodes.graph.rows).all()


def test_a_large_graph_is_subsampled_with_every_labelled_point(monkeypatch):
    monkeypatch.setattr(comparison, "MAX_GRAPH_SAMPLES", 60)
    given = pipeline.labels(SMALL)
    nodes = comparison.graph_shares(SMALL, given)
    rows = nodes.graph.rows
    assert 60 <= len(rows) <= 60 + len(given.index)
    assert np.isin(given.index, rows).all()
    np.testing.assert_array_equal(nodes.graph.nodes, pipeline.sample(SMALL).X[rows])
    own = nodes.shares[np.searchsorted(rows, given.index)]
    np.testing.assert_allclose(own, np.eye(2)[given.codes])  # harmonic functions keep the labels
    free = replace(SMALL, marks=(Mark(3, 0), Mark(-1, 1, (0.5, 0.2))))
    nodes = comparison.graph_shares(free, pipeline.labels(free))
    np.testing.assert_array_equal(nodes.graph.nodes[-1], [0.5, 0.2])
    np.testing.assert_allclose(nodes.shares[-1], [0, 1])


def test_halved_is_the_spectrum_of_half_of_the_functions():
    peer = pipeline.spectra.spectrum(
        pipeline.operators.assemble(
            replace(
                pipeline.trial(SMALL).space, landmarks=pipeline.trial(SMALL).space.landmarks[::2]
            ),
            pipeline.sample(SMALL).X,
            operators.Laplacian(),
        ),
        pipeline.mu(SMALL),
        8,
    )
    np.testing.assert_allclose(pipeline.halved(SMALL, 8), peer.gamma, rtol=1e-6, atol=1e-9)
