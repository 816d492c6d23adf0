"""The cached steps: what each change recomputes, the budget, and the estimators' numbers."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import numpy as np
import pytest

from lapviz import datasets, fit, landmarks, operators, spectra
from lapviz.estimates import calibration, data_terms
from lapviz.explorer.compute import baseline, cache, fits, points
from lapviz.explorer.host import store as sizes
from lapviz.explorer.host.limits import LOCAL_MODES
from lapviz.explorer.host.store import STORE
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stories import presets
from lapviz.labels import Label
from lapviz.progress import Cancelled

SMALL = presets.papers_for("half_moons").change(n=120, p=25)
EXPENSIVE = {  # step -> where the function that it calls stands, and its name
    "data": (datasets, "load"),
    "tangents": (operators, "learn_tangents"),
    "landmarks": (landmarks, "choose"),
    "bandwidth": (fit.auto, "auto_bandwidth"),
    "calibration": (calibration, "calibrate"),
    "assemble": (fit.galerkin, "assemble"),
    "spectrum": (spectra, "spectrum"),
    "penalty": (data_terms.DataTerm, "prepare"),
    "graph": (fit.graph, "weights"),
}


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()
    yield
    cache.clear()


def labelled(settings: Settings) -> points.Labelled:
    return points.labelled(settings.data, settings.labels)


def graph_scores(settings: Settings, sites: points.Sites):
    return baseline.scores(settings.data, baseline.spec_of(settings), settings.labels, sites).value


def estimate(settings: Settings) -> tuple[fit.Assembled, np.ndarray]:
    """Trial space of the estimate, and its coefficients."""
    problem, spec = fits.method(settings), settings.estimate
    basis = problem.assembled(spec.fit_intercept)
    return basis, fits.solution(settings).value.coefficients


def numbers(settings: Settings) -> list[np.ndarray]:
    """Everything that the pages compute, as arrays."""
    problem, labels = fits.method(settings), labelled(settings)
    constant = settings.estimate.fit_intercept
    basis, pairs = problem.assembled(), problem.eigenfunctions(9)
    X = points.sample(settings.data).X
    sites = points.Sites("0.01 off", X[:9] + 0.01)
    at_samples, at_sites = graph_scores(settings, sites)
    columns = fits.label_columns(problem, constant, settings.data, settings.labels, sites)
    return [
        X,
        labels.X,
        labels.codes,
        np.array([problem.kernel.bandwidth, problem.mu]),
        pairs.gamma,
        basis.space.evaluate(X, pairs.vectors),
        problem.eigenvalues_of_half(9),
        estimate(settings)[1],
        fits.ridge(settings, labels).value,
        problem.spectrum(LOCAL_MODES, constant).gamma,
        at_samples,
        at_sites,
        *columns,
    ]


def assert_same_when_warm(walk: list[Settings], computed: Callable) -> None:
    """After all others, settings have the numbers that they have with an empty cache."""
    warm = [computed(settings) for settings in walk]
    for settings, arrays in zip(walk, warm, strict=True):
        cache.clear()
        for a, b in zip(arrays, computed(settings), strict=True):
            np.testing.assert_array_equal(a, b)


def wander(rng: np.random.Generator, n_steps: int) -> list[Settings]:
    """Random walk through small settings, which changes one setting at a time and may come back."""
    walk = [SMALL]

    def pick(*values):
        return values[rng.integers(len(values))]

    for _ in range(n_steps):
        current = walk[-1]
        name, value = [
            ("lam", float(rng.choice([0.0, 0.1, 3.0]))),
            ("filter", str(rng.choice(["tikhonov", "heat", "cutoff"]))),
            ("term", str(rng.choice(["labelled", "all"]))),
            ("intercept", bool(rng.integers(2))),
            ("mu", pick("auto", 1e-3, 0.1)),
            ("sigma", pick("auto", 0.3, 0.6)),
            ("kernel", str(rng.choice(["gaussian", "exponential", "polynomial"]))),
            ("kernel_params", (("degree", int(rng.integers(2, 4))),)),
            ("p", int(rng.choice([10, 25]))),
            ("landmarks", str(rng.choice(["stratified", "uniform", "kmeans++"]))),
            ("operator", str(rng.choice(["laplacian", "tangent"]))),
            ("neighbors", pick("auto", 8)),
            ("directions", pick("auto", 1, 2)),
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
            changes["marks"] = (Label(3, 0), Label(7, 1), Label(-1, 1, (0.5, 0.2)))
        if name == "data":
            changes["options"] = presets.papers_for(value).data.options
        if name == "options" and current.data.name == "blobs":
            changes["options"] = (("dimension", 2.0), ("n_blobs", float(rng.integers(3, 6))))
        walk.append(tidy(current.change(**changes)))
    return walk


@pytest.mark.slow
def test_a_warm_cache_never_changes_a_number():
    """The key of a step contains everything on which it depends."""
    walk = wander(np.random.default_rng(0), 120)
    assert len(set(walk)) > 60
    assert_same_when_warm(walk, numbers)


AUTOMATIC = presets.for_data("half_moons").change(
    n=300, **dict.fromkeys(("operator", "sigma", "p", "mu", "lam", "balance", "passes"), "auto")
)
MARKS = (Label(3, 0), Label(20, 1), Label(40, 0))


def pictures(settings: Settings) -> list[np.ndarray]:
    """Fields, points and numbers of the Labels page."""
    view = labels_view(settings)
    fields = [values for panel in view.scene.panels for values in (panel.points, panel.grid)]
    return [*fields, *(np.array([score.accuracy, score.energy]) for score in view.scores)]


@pytest.mark.slow
def test_what_labels_share_is_that_of_the_data_at_hand():
    """Graphs, factors and extensions to the grid, after other data, graphs and labels."""
    off_sample = Label(-1, 1, (0.5, 0.2))
    assert_same_when_warm([
        AUTOMATIC.change(**change, marks=marks)
        for change in ({}, {"n": 250}, {"noise": 0.2}, {"graph_neighbors": 7}, {"seed": 1},
                       {"lam": 0.1}, {"graph": "dense"}, {"method": "spreading"}, {})
        for marks in (MARKS, MARKS[:2], (*MARKS, off_sample), (*MARKS, Label(60, 1)))
    ], pictures)  # fmt: skip


def test_a_label_searches_no_neighbours_and_factorises_nothing(monkeypatch):
    y = points.sample(AUTOMATIC.data).y
    first = tuple(Label(int(np.argmax(y == code)), code) for code in (0, 1))  # one per component
    pictures(AUTOMATIC.change(marks=first))
    for name in ("lapviz.graphs.space.knn_extension", "lapviz.graphs.solvers.factor",
                 "lapviz.graphs.solvers.has_large_diameter", "lapviz.graphs.grounded.factor",
                 "lapviz.estimates.passes.laplacian", "lapviz.operators.Graph.weights_of",
                 "sklearn.neighbors.NearestNeighbors.kneighbors"):  # fmt: skip
        monkeypatch.setattr(name, lambda *_, **__: pytest.fail("it does not depend on labels"))
    pictures(AUTOMATIC.change(marks=(*first, Label(60, int(y[60])), Label(61, int(y[61])))))


def test_on_nodes_the_energy_of_kernel_ridge_is_that_of_its_forms():
    settings = AUTOMATIC.change(marks=MARKS)
    view = labels_view(settings)
    labels, resolved = labelled(settings), view.settings
    forms = fits.ridge_forms(fits.method(resolved), resolved.data, resolved.labels)
    wanted = forms.energy(fits.ridge(resolved, labels).value)
    np.testing.assert_allclose(view.scores[0].energy, wanted, rtol=1e-10)


@pytest.mark.parametrize(
    ("change", "repeated"),
    [
        ({"lam": 7.0}, set()),
        ({"filter": "heat"}, set()),
        ({"marks": (Label(1, 0), Label(2, 1))}, set()),
        ({"method": "spreading"}, set()),
        ({"alpha": 0.5}, set()),
        ({"plane": "pca"}, set()),
        ({"show": "graph"}, set()),
        ({"mu": 0.1}, {"spectrum", "penalty"}),
        ({"mu": "auto"}, {"calibration", "spectrum", "penalty"}),
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
def test_a_change_repeats_only_what_is_downstream(monkeypatch, change, repeated):
    calls: Counter[str] = Counter()
    for step, (home, name) in EXPENSIVE.items():
        original = getattr(home, name)

        def counted(*args, _step=step, _original=original, **kwargs):
            calls[_step] += 1
            return _original(*args, **kwargs)

        monkeypatch.setattr(home, name, counted)
    numbers(SMALL)
    assert calls["assemble"] == 2  # with the constant for the modes, without it for the labels
    assert calls["penalty"] == calls["data"] == calls["graph"] == 1
    calls.clear()
    numbers(SMALL.change(**change))
    assert set(calls) <= repeated, "something upstream was computed again"
    if repeated & {"penalty"}:
        assert calls["penalty"] == 1
    if "assemble" in repeated:
        assert calls["assemble"] == 2
    calls.clear()
    numbers(SMALL)
    assert not calls, "the way back is free"


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


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["knn", "dense"])
@pytest.mark.parametrize("operator", ["laplacian", "tangent"])
def test_the_cache_counts_every_array(graph, operator):
    settings = SMALL.change(n=500, p=150, graph=graph, operator=operator, term="all")
    numbers(settings)
    baseline.modes(settings.data, baseline.spec_of(settings), 17)
    assert len(STORE.kept()) >= 9
    for key, value in STORE.kept().items():
        sizes_by_id = {id(a): a.nbytes for a in arrays_in(value, set())}
        assert sizes.size_of(value) >= 0.9 * sum(sizes_by_id.values()), key[0]


def test_a_label_in_empty_space_is_a_node_of_a_subsampled_graph(monkeypatch):
    """That every labelled point is a node: test_recipes.py."""
    monkeypatch.setattr(baseline, "MAX_GRAPH_SAMPLES", 60)
    settings = SMALL.change(marks=(Label(3, 0), Label(-1, 1, (0.5, 0.2))))
    nodes = baseline.nodes(settings.data, baseline.spec_of(settings), labelled(settings))
    assert len(nodes.X) <= 62
    np.testing.assert_array_equal(nodes.X[-1], [0.5, 0.2])
    _, at_label = graph_scores(settings, points.Sites("the off-sample label", nodes.X[-1:]))
    np.testing.assert_allclose(at_label, [[1.0]])


@pytest.mark.parametrize("error", [ValueError("too wide"), SystemExit(), Cancelled()])
def test_a_failure_is_of_all_who_wait_and_is_tried_again_and_a_stop_takes_nobody_along(error):
    calls, entered, go_on = [], Event(), Event()

    @cache.step
    def broken_once(n: int) -> int:
        calls.append(n)
        entered.set()
        assert go_on.wait(10)
        if len(calls) == 1:
            raise error  # SystemExit: as in a page whose visitor has left; Cancelled: at a report
        return n

    with ThreadPoolExecutor(2) as visitors:
        first = visitors.submit(broken_once, 1)
        assert entered.wait(10)
        second = visitors.submit(broken_once, 1)
        go_on.set()
        assert first.exception(10) is error
        failure = second.exception(10)  # None, if it started after the first had failed
        assert failure is None or (failure is error and isinstance(error, ValueError))
    assert broken_once(1) == 1


def test_a_result_for_which_there_is_no_room_blocks_nobody(monkeypatch):
    @cache.step
    def large(n: int) -> int:
        return n

    def keep(*_) -> None:
        raise MemoryError

    with monkeypatch.context() as full:
        full.setattr(cache.STORE, "keep", keep)
        with pytest.raises(MemoryError):
            large(1)
    with ThreadPoolExecutor(1) as visitor:
        assert visitor.submit(large, 1).result(10) == 1


def test_a_result_that_came_while_a_visitor_waited_for_a_slot_is_no_error_of_time(monkeypatch):
    entered, go_on = Event(), Event()

    @cache.step
    def slow(n: int) -> int:
        entered.set()
        assert go_on.wait(10)
        return n

    @contextmanager
    def slot_released():
        try:
            yield
        finally:  # the slot is free again when the result is there
            go_on.set()
            first.result(10)

    monkeypatch.setattr(cache.queue, "slot_released", slot_released)
    monkeypatch.setattr(cache, "PATIENCE", 0.01)
    with ThreadPoolExecutor(2) as visitors:
        first = visitors.submit(slow, 1)
        assert entered.wait(10)
        assert visitors.submit(slow, 1).result(10) == 1


def test_ridges_energy_needs_no_new_pass_over_the_data_for_another_lambda(monkeypatch):
    settings = SMALL.change(lam=1.0)
    assembled, original = [], operators.assemble

    def counted(space, *arguments, **options):
        assembled.append(space)
        return original(space, *arguments, **options)

    first = labels_view(settings).scores[0]
    monkeypatch.setattr(operators, "assemble", counted)
    second = labels_view(settings.change(lam=3.0)).scores[0]
    assert not assembled
    assert 0 < second.energy < first.energy
    labels_view(settings.change(sigma=0.7))
    assert assembled
