"""lapviz.live for every fitted estimator."""

import warnings

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lapviz
from lapviz import datasets, operators
from lapviz.figures import live_picture, live_scenes
from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.fields import is_constant
from lapviz.figures.fitted_scenes import Picture
from lapviz.figures.live_scenes import all_functions, depends, modes_of
from lapviz.figures.stage.payload import lasting_of
from lapviz.scenes import Modes


@pytest.fixture(scope="module")
def moons():
    data = datasets.load("half_moons", n_samples=240, random_state=0)
    return data.X, np.where(data.labelled, data.y, -1)


@pytest.fixture(scope="module")
def values(moons):
    y = np.sin(2 * moons[0][:, 0]) + 3
    y[30:] = np.nan
    return y


def papers(**options):
    return lapviz.LaplacianClassifier(operator="laplacian", random_state=0, **options)


CLASSIFIERS = {
    "auto": lapviz.LaplacianClassifier(random_state=0),
    "papers": papers(),
    "all": papers(data_term="all"),
    "poisson": papers(data_term="poisson"),
    "intercept": papers(fit_intercept=True),
    "fourier": papers(landmarks="fourier"),
    "graph": lapviz.GraphLaplacianClassifier(),
    "exact": lapviz.ExactLaplacianClassifier(),
    "sklearn": LogisticRegression(),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_show_their_scores_and_labels(moons, name):
    X, y = moons
    model = CLASSIFIERS[name].fit(X, y)
    scene = lapviz.live(model, X, y).scene
    exact = model.decision_function(X[scene.points.index])
    k = 1 if exact.ndim == 1 else exact.shape[1]
    np.testing.assert_allclose(scene.panels[0].points, exact.reshape(-1, k).T, atol=1e-9)
    movable = isinstance(scene.panels[-1].model, Modes)
    assert movable == (name not in ("graph", "exact", "sklearn"))
    assert scene.editable == movable
    assert len(scene.panels) == (2 if name == "auto" else 1)
    if name == "auto":
        assert scene.panels[0].subtitle == f"λ = {model.lam_:.3g} on nodes, 10 passes, balanced"
        assert scene.panels[0].model is None
        inner = model._with_kernel_functions(X, y)  # what the slider moves
        assert scene.lam == inner.lam_ != model.lam_
        assert f"p = {len(inner.landmarks_)} · μ = {inner.mu_:.3g}" in scene.about
    if movable:
        moves = ("labels",) if name == "poisson" else ("lam", "filter", "labels")
        assert {panel.depends for panel in scene.panels} == {moves}
        words = "Change the labels here" if name == "poisson" else "λ, the filter and the labels"
        assert words in lapviz.live(model, X, y).html


def test_curves_with_an_offset_are_curves():
    """Air pressure in hPa: half floats would leave steps of 0.5."""
    x = np.linspace(0, 6, 120)[:, None]
    y = 1013 + np.sin(x[:, 0])
    scene = lapviz.live(lapviz.LaplacianRegressor(lam=1e-3, random_state=0).fit(x, y), x, y).scene
    (sent,), (path,) = lasting_of(scene)["paths"], scene.paths
    np.testing.assert_allclose(sent["curves"], path.curves, atol=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.1, 1013.2, 1e9])
def test_constant_predictions_have_room_around_them(value):
    """Means of 0.1 are 0.1 and a bit: a view of that height has no ticks."""
    x, y = np.linspace(0, 1, 40)[:, None], np.full(40, value)
    scene = lapviz.live(KNeighborsRegressor(3).fit(x, y), x, y).scene
    *_, low, high = scene.view
    assert high - low >= max(1.0, 0.09 * value)
    assert low < value < high


def test_functions_beside_a_free_constant_are_sent_without_it():
    """With μ = 0 a wide kernel nearly contains the constant: functions of 1e3 that vary by 1."""
    side = np.linspace(-1, 1, 15)
    X = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    y = np.where(np.arange(225) % 6 == 0, np.sin(3 * X[:, 0]) * X[:, 1], np.nan)
    options = {"operator": "laplacian", "bandwidth": 2.0, "mu": 0.0, "fit_intercept": True}
    model = lapviz.LaplacianRegressor(lam=1e-4, n_landmarks=80, random_state=0, **options)
    values = all_functions(model.fit(X, y).space_, model.solver_, X, len(X))[1]
    assert (np.abs(values).max(axis=1) < 2 * np.ptp(values, axis=1)).all()


def test_live_pages_of_regressors_ring_the_known_values(moons):
    X, y = moons
    y = np.where(np.arange(len(X)) % 9 == 0, X[:, 0], np.nan)
    options = {"n_landmarks": 20, "lam": 0.1, "mu": 1e-3, "random_state": 0}
    for movable in (True, False):
        model = lapviz.LaplacianRegressor(**options if movable else {}).fit(X, y)
        scene = lapviz.live(model, X, y).scene
        assert (scene.panels[0].model is not None) is movable
        assert scene.known == tuple(np.flatnonzero(~np.isnan(y)))


def test_a_page_offers_only_what_the_browser_computes(monkeypatch):
    """It solves for 160 labels or 320 values; from leading functions alone for few labels."""
    data = lapviz.datasets.load("half_moons", n_samples=900, random_state=0)
    few, many = data.semi_supervised_target(), np.where(np.arange(900) % 4, -1, data.y)
    for n_known, moves in ((300, True), (500, False)):
        y = np.where(np.arange(900) < n_known, data.X[:, 0], np.nan)
        model = lapviz.LaplacianRegressor(kernel="exponential", lam=0.1, mu=1e-3, n_landmarks=500)
        page = lapviz.live(model.fit(data.X, y), data.X, y).html
        assert ("Change λ and the filter here" in page) is moves
    for complete in (True, False):
        for y, moves in ((few, True), (many, False)):
            model = papers(kernel="exponential", n_landmarks=200).fit(data.X, y)
            page = lapviz.live(model, data.X, y).html
            assert ("Change λ, the filter and the labels here" in page) is moves
            waits = moves and not complete  # for a new label
            assert ("a panel that says “needs Python” stays" in page) is waits
        monkeypatch.setattr(live_scenes, "MAX_BYTES", 0)


def test_passes_weigh_their_own_energy_by_lambda():
    assert depends(papers(data_term="poisson", balance="scale", n_passes=3)) == ("lam", "labels")


def test_poisson_learning_in_one_step_depends_on_no_lambda(moons):
    X, y = moons
    model = papers(data_term="poisson", balance="scale", n_passes=3).fit(X, y)
    page = lapviz.live(model, X, y)
    assert [panel.depends for panel in page.scene.panels] == [("lam", "labels"), ("labels",)]
    assert "Change the labels here" in page.html
    assert "· λ = 1<" in page.html


def test_columns_in_units_of_their_own_are_drawn_scaled(moons):
    """At an equal scale the points would lie on a line, and the field be zero at all nodes."""
    X, y = moons
    options = {"scaling": "standard", "lam": 0.1, "mu": 1e-3}
    model, raw = papers(**options).fit(X, y), 1e4 + X * [1e4, 10]
    scene = lapviz.live(papers(**options).fit(raw, y), raw, y).scene
    assert scene.axes == ("x₁ (scaled)", "x₂ (scaled)")
    np.testing.assert_allclose(scene.points.xy.std(axis=0), 1)
    nodes = X.mean(axis=0) + X.std(axis=0) * scene.grid.sites()
    field, panel = model.decision_function(nodes), scene.panels[0]
    np.testing.assert_allclose(panel.grid[0].ravel(), field, atol=1e-3)
    whitened = [model.solver_.whiten(model.space_.phi(model._scaled(Z))) for Z in (nodes, X)]
    G, modes = whitened[0].T @ whitened[1], panel.model
    made = modes.grid.reshape(len(modes.grid), -1).T @ modes.points
    np.testing.assert_allclose(made, G, atol=1e-3 * np.abs(G).max())


@pytest.mark.parametrize("name", ["papers", "graph"])
def test_nullable_classes_are_shown(moons, name):
    X, y = moons
    pd = pytest.importorskip("pandas")
    nullable = pd.Series(y, dtype="Int64").replace(-1, pd.NA)
    model = CLASSIFIERS[name].fit(X, y)
    assert lapviz.live(model, X, nullable).scene.labels == lapviz.live(model, X, y).scene.labels


@pytest.mark.parametrize("intercept", [False, True])
def test_all_functions_of_a_small_trial_space_make_its_kernel(moons, intercept):
    """G(x, x') is the sum of products of functions of energy 1, also between the points.

    Beside a free constant up to constants.
    """
    X, y = moons
    model = papers(fit_intercept=intercept, n_landmarks=15).fit(X, y)
    picture = Picture(X, None, 20)
    modes = modes_of(model, X, picture, None)
    assert modes.complete
    values = np.hstack([modes.grid.reshape(len(modes.grid), -1), modes.points])
    sites = np.vstack([picture.grid.sites(), X[picture.drawn]])
    forms = operators.assemble(model.space_, X, "laplacian")
    first = int(intercept)  # the constant has no energy
    phi = model.space_.phi(sites)[:, first:]
    G = phi @ np.linalg.solve(forms.penalty(model.mu_)[first:, first:], phi.T)
    weighted = values / np.sqrt(modes.gamma)[:, None]
    if intercept:
        weighted -= weighted.mean(axis=1, keepdims=True)
        G = G - G.mean(axis=0) - G.mean(axis=1)[:, None] + G.mean()
    np.testing.assert_allclose(weighted.T @ weighted, G, atol=1e-6 * np.abs(G).max())


def test_modes_are_eigenfunctions_of_energy_and_sample(moons, monkeypatch):
    X, y = moons
    monkeypatch.setattr("lapviz.figures.live_scenes.MAX_BYTES", 0)
    model, picture = papers().fit(X, y), Picture(X, X, 0)
    modes = modes_of(model, X, picture, X[:3])
    e = modes.points
    np.testing.assert_allclose(e @ e.T / len(X), np.eye(len(e)), atol=1e-6)
    # the representers of a few points: sum over the modes of e_i(x) e_i(x_j) / gamma_i, and a tail
    truncated = (e / modes.gamma[:, None]).T @ e[:, :3]
    tail = modes.columns_points.T - truncated
    assert (np.diag(modes.columns_gram - truncated[:3]) > -1e-9 * np.diag(truncated[:3])).all()
    assert np.abs(tail).mean() < 0.05 * np.abs(truncated).mean()
    small = papers(n_landmarks=15).fit(X, y)
    forms = operators.assemble(small.space_, X, "laplacian")
    expected = eigh(forms.penalty(small.mu_), forms.mass, eigvals_only=True)
    np.testing.assert_allclose(modes_of(small, X, picture, None).gamma, expected, rtol=1e-6)


@pytest.mark.slow
def test_regressors_show_their_values(moons, values):
    X, _ = moons
    model = lapviz.LaplacianRegressor(lam=1e-3, random_state=0).fit(X, values)
    scene = lapviz.live(model, X, values).scene
    np.testing.assert_allclose(scene.panels[0].points[0], model.predict(X), atol=1e-9)
    known = scene.panels[0].model.known
    np.testing.assert_allclose(known.values + known.offset, values[:30])
    two_outputs = np.column_stack([values, -values])
    first, second = lapviz.live(model.fit(X, two_outputs), X, two_outputs).scene.panels
    assert second.model.known.offset == pytest.approx(-first.model.known.offset)
    weighted = lapviz.LaplacianRegressor(lam=1e-3).fit(X, values, np.linspace(1, 2, len(X)))
    assert "· λ = 0.001</p>" in lapviz.live(weighted, X, values).html
    averaged = "points · an average over several σ, μ and λ</p>"
    others = {lapviz.LaplacianRegressor(random_state=0): averaged, LinearRegression(): "points</p>"}
    for other, about in others.items():
        other.fit(X[:30], values[:30])  # with default settings it has no single λ to change
        picture = lapviz.live(other, X, values)
        assert about in picture.html
        panel = picture.scene.panels[0]
        np.testing.assert_allclose(panel.points[0], other.predict(X), atol=1e-9)
        assert panel.model is None


@pytest.mark.parametrize("cls", [lapviz.LaplacianRegressor, LinearRegression])
def test_values_far_from_0_are_drawn_around_their_middle(cls, moons, values):
    X, _ = moons
    y = np.column_stack([1e6 + 5 * (values - 3), values])
    options = {"lam": 1e-3, "random_state": 0} if cls is lapviz.LaplacianRegressor else {}
    model = cls(**options).fit(X[:30], y[:30])
    first, second = lapviz.live(model, X, y).scene.panels
    assert (first.subtitle, second.subtitle) == ("values minus 1,000,000", "")
    np.testing.assert_allclose(first.points[0], model.predict(X)[:, 0] - 1e6, atol=1e-6)
    assert not is_constant(first.grid)
    np.testing.assert_allclose(second.points[0], model.predict(X)[:, 1], atol=1e-9)
    for panel, column in ((first, y[:30, 0] - 1e6), (second, y[:30, 1])) if first.model else ():
        known = panel.model.known
        np.testing.assert_allclose(known.values + known.offset, column, atol=1e-6)


def test_values_far_below_0_are_drawn_around_their_middle_in_words(moons, values):
    X, _ = moons
    picture = lapviz.live(LinearRegression().fit(X[:30], values[:30] - 1953), X)
    assert picture.scene.panels[0].subtitle == "values plus 1,950"


def test_constant_values_are_no_picture_of_their_rounding(moons):
    X, _ = moons
    model = LinearRegression().fit(X, 1e6 / 3 + 1e-9 * X[:, 0])
    assert np.ptp(model.predict(X)) > 0
    (panel,) = lapviz.live(model, X).scene.panels
    assert panel.subtitle == ""
    assert is_constant(panel.grid)


def test_on_a_line_there_is_a_path():
    x = np.linspace(0, 1, 60)[:, None]
    y = np.sin(6 * x[:, 0])
    model = lapviz.LaplacianRegressor(lam=3e-4, random_state=0).fit(x, y)
    scene = lapviz.live(model, x, y).scene
    assert isinstance(scene, CurveScene)
    path = scene.shown
    assert path.positions[scene.step] == 3e-4
    np.testing.assert_allclose(path.curves[scene.step], model.predict(scene.x[:, None]), atol=1e-8)
    other = lapviz.LaplacianRegressor(lam=path.positions[50], random_state=0).fit(x, y)
    np.testing.assert_allclose(path.curves[50], other.predict(scene.x[:, None]), atol=1e-8)
    for lam in (0.0, 1e-9):
        small = lapviz.live(
            lapviz.LaplacianRegressor(lam=lam, random_state=0).fit(x, y), x, y
        ).scene
        assert small.shown.positions[small.step] == lam
    poisson = lapviz.LaplacianRegressor(data_term="poisson", random_state=0).fit(x, y)
    assert lapviz.live(poisson, x, y).scene.paths == (), "λ changes nothing"
    steps = lapviz.KernelCGRegressor().fit(x, y)
    scene = lapviz.live(steps, x, y).scene
    assert scene.step == steps.n_iterations_
    iterate = scene.shown.curves[scene.step]
    np.testing.assert_allclose(iterate, steps.predict(scene.x[:, None]), atol=1e-8)
    plain = lapviz.live(LinearRegression().fit(x, y), x, y).scene
    assert (plain.paths, plain.curves[0].role) == ((), "main")
    assert live_picture._abilities(plain) == "Other settings and data need Python."
    Y = np.column_stack([y, 5 + np.cos(x[:, 0])])
    scene = lapviz.live(LinearRegression().fit(x, Y), x, Y).scene
    assert {tuple(point) for point in scene.points} == {
        (a, b) for a, values in zip(x[:, 0], Y, strict=True) for b in values
    }
    assert scene.known.all()
    assert scene.view[3] > Y.max()


def test_transforms_show_their_functions_and_a_file_says_how_to_embed_it(moons, tmp_path):
    X, _ = moons
    embedding = lapviz.GalerkinEmbedding(n_components=5, random_state=0).fit(X)
    picture = lapviz.live(embedding, X, title="Moons")
    assert len(picture.scene.panels) == 5
    text = picture.save(tmp_path / "moons.html").read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "moons.html&quot;" in text
    assert picture.embed("moons.html").startswith('<iframe src="moons.html" title="Moons"')
    assert "MB" in repr(picture)
    assert len(picture.html) < 1.5e6
    three_features = np.column_stack([X, X[:, 0] ** 2])
    scene = lapviz.live(PCA(3).fit(three_features), three_features).scene
    assert (len(scene.panels), scene.grid) == (3, None)


def test_named_columns_give_no_warning(moons):
    pd = pytest.importorskip("pandas")
    X, y = pd.DataFrame(moons[0], columns=["a", "b"]), moons[1]
    scaled = make_pipeline(StandardScaler(), papers())
    for model in (papers(), scaled, lapviz.GalerkinEmbedding(n_components=3, random_state=0)):
        model.fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lapviz.live(model, X, y)
        assert list(model.feature_names_in_) == ["a", "b"]
    line = X[["a"]]
    values = np.where(np.arange(len(X)) % 9, None, X["b"])
    model = lapviz.LaplacianRegressor(lam=0.1, random_state=0).fit(line, values)
    assert lapviz.live(model, line, values).scene.axes == ("a", "value")
