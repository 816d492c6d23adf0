"""Conventions common to all estimators: tables, metadata, pickles, arrays, processes."""

import copy
import logging
import pickle

import joblib
import numpy as np
import pytest
import sklearn
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks as checks

import lapviz
from lapviz import GalerkinEmbedding, LaplacianRegressor, progress, select_parameters
from lapviz.estimators import base
from tests.estimators.kinds import ESTIMATORS, EVERY, create, having, outputs

N = 60
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
NAMES = ["length", "width", "depth"]
CLASSES = np.where(np.arange(N) < 12, np.arange(N) % 2, -1)
VALUES = np.where(CLASSES < 0, np.nan, X[:, 0])
WEIGHTS = RNG.uniform(0.1, 2.0, N) * np.where(X[:, 1] > 0, 10.0, 1.0)
pytestmark = pytest.mark.filterwarnings("ignore::lapviz.estimators.advice.DataWarning")


def target(model):
    return CLASSES if is_classifier(model) else VALUES


def fitted(cls, points=X, **options):
    model = create(cls)
    return model.fit(points, target(model), **options)


# ---------------------------------------------------------------------------------- tables


@pytest.mark.slow
@pytest.mark.parametrize("check", [
    checks.check_set_output_transform, checks.check_set_output_transform_pandas,
    checks.check_set_output_transform_polars, checks.check_transformer_get_feature_names_out_pandas,
])  # fmt: skip
def test_a_transformer_gives_tables_with_named_columns(check):
    check("GalerkinEmbedding", GalerkinEmbedding(n_components=4, random_state=0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_feature_names_are_checked_and_change_nothing(name):
    pd = pytest.importorskip("pandas")
    checks.check_dataframe_column_names_consistency(name, create(ESTIMATORS[name]))
    table = pd.DataFrame(X, columns=NAMES)
    output = outputs(fitted(ESTIMATORS[name], table), table)
    np.testing.assert_array_equal(output, outputs(fitted(ESTIMATORS[name]), X))


def test_a_dask_collection_stays_lazy_unless_tables_are_requested():
    dask_array, pd = pytest.importorskip("dask.array"), pytest.importorskip("pandas")
    model = GalerkinEmbedding(n_components=3, n_landmarks=20, random_state=0).fit(X)
    chunks = dask_array.from_array(X, chunks=(25, 3))
    lazy = model.transform(chunks)
    assert isinstance(lazy, dask_array.Array)
    frame = chunks.to_dask_dataframe(columns=["a", "b", "c"])
    model.set_output(transform="pandas")
    for collection in (chunks, frame):
        table = model.transform(collection)
        assert isinstance(table, pd.DataFrame)
        np.testing.assert_allclose(table.to_numpy(), lazy.compute())


# -------------------------------------------------------------------------------- metadata


@pytest.mark.parametrize(
    ("unit", "cure"),
    [(unit, "Multiply") for unit in (1e-200, 1e-160, 1e-150)]
    + [(unit, "Divide") for unit in (1e150, 1e200)],
)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_units_beyond_floating_point_are_named_with_the_cure(name, unit, cure):
    """Unless nothing is divided by squared lengths: then they do no harm."""
    model, message = create(ESTIMATORS[name]), ""
    try:
        model.fit(unit * X, target(model))
    except ValueError as error:
        message = str(error)
    if message:
        assert f"{cure} the columns" in message
    else:
        assert np.isfinite(np.asarray(outputs(model, unit * X), float)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_weights_are_routed_through_a_pipeline(name):
    model = create(ESTIMATORS[name])
    y, scaled = target(model), StandardScaler().fit_transform(X)
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipe = make_pipeline(scaler, clone(model).set_fit_request(sample_weight=True))
        pipe.fit(X, y, sample_weight=WEIGHTS)
    actual = outputs(pipe[-1], scaled)
    expected = outputs(clone(model).fit(scaled, y, sample_weight=WEIGHTS), scaled)
    np.testing.assert_array_equal(actual, expected)
    if not is_classifier(model):  # predicted classes may be the same
        assert not np.array_equal(actual, outputs(clone(model).fit(scaled, y), scaled))


# --------------------------------------------------------------------------------- pickles


@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", EVERY)
def test_a_pickle_of_this_version_is_read_without_a_warning(name):
    model = create(EVERY[name])
    unpickled = pickle.loads(pickle.dumps(model))
    assert unpickled.get_params().keys() == model.get_params().keys()
    copy.deepcopy(model)
    assert "_lapviz_version" not in vars(unpickled)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_pickle_of_another_version_is_read_with_a_warning(name, monkeypatch):
    model = fitted(ESTIMATORS[name])
    monkeypatch.setattr(base, "__version__", "0.0.7")
    old = pickle.dumps(model)
    monkeypatch.undo()
    message = rf"{name} was pickled by lapviz 0\.0\.7 and is read by"
    with pytest.warns(lapviz.estimators.InconsistentVersionWarning, match=message):
        unpickled = pickle.loads(old)
    np.testing.assert_array_equal(outputs(unpickled, X), outputs(model, X))


# ---------------------------------------------------------------------------------- arrays


class Foreign:
    """An array of another library, which can be converted only on the CPU."""

    def __init__(self, values, device=1):
        self.values, self.device = values, device
        self.shape, self.dtype, self.ndim = values.shape, values.dtype, values.ndim

    def __array__(self, dtype=None, copy=None):
        if self.device != 1:
            raise TypeError("cannot convert")
        return np.asarray(self.values, dtype)

    def __dlpack_device__(self):
        return (self.device, 0)

    def __len__(self):
        return len(self.values)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_arrays_of_other_libraries_are_converted_or_refused_with_the_cure(name):
    model = fitted(ESTIMATORS[name])
    np.testing.assert_array_equal(
        outputs(fitted(ESTIMATORS[name], Foreign(X)), X), outputs(model, X)
    )
    assert type(outputs(model, Foreign(X))) is np.ndarray
    with pytest.raises(TypeError, match=r"X lies in the memory of a device.* X\.cpu\(\)"):
        fitted(ESTIMATORS[name], Foreign(X, device=2))
    with pytest.raises(TypeError, match=r"numpy\.asarray\(X\) of a JAX"):
        outputs(model, Foreign(X, device=2))


def test_functions_refuse_arrays_on_a_device_too():
    with pytest.raises(TypeError, match="memory of a device"):
        lapviz.auto_bandwidth(Foreign(X, device=2))


def test_array_api_dispatch_changes_nothing(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    expected = fitted(GalerkinEmbedding).transform(X)
    if sklearn.__version__.startswith("1.6."):  # later versions include it
        pytest.importorskip("array_api_compat")
    with config_context(array_api_dispatch=True):
        np.testing.assert_array_equal(fitted(GalerkinEmbedding).transform(X), expected)


# ------------------------------------------------------------------------------- processes


def assert_same_rows(a, b):
    assert [row.parameters for row in a.rows] == [row.parameters for row in b.rows]
    np.testing.assert_allclose(
        [(r.squared_error, r.mu, r.lam) for r in a.rows],
        [(r.squared_error, r.mu, r.lam) for r in b.rows],
        rtol=1e-12,
    )


SELECTIONS = [
    (LaplacianRegressor(random_state=0), VALUES, {"bandwidth": [0.5, 1.0, 2.0], "lam": [0.1, 1.0]}),
    (lapviz.LaplacianClassifier(random_state=0), CLASSES, {}),  # plans
]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize(("model", "y", "grid"), SELECTIONS, ids=["grid", "plans"])
def test_a_selection_is_the_same_for_any_number_of_jobs(model, y, grid, backend):
    candidates, reports = [], []
    sequential = select_parameters(model, X, y, **grid)
    with joblib.parallel_config(backend=backend), progress.listening(reports.append):
        parallel = select_parameters(
            model, X, y, **grid, n_jobs=2, callback=lambda s: candidates.append(s.candidate)
        )
    assert_same_rows(sequential, parallel)
    assert tuple(candidates) == parallel.rows  # in the order of the table
    assert reports[-1].share == 1
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert_same_rows(sequential, select_parameters(model, X, y, **grid))


# --------------------------------------------------------------------------------- logging


def test_the_rows_of_a_selection_are_logged(caplog):
    with caplog.at_level(logging.INFO, logger="lapviz"):
        select_parameters(LaplacianRegressor(random_state=0), X, VALUES, lam=[0.1, 1.0])
    assert [r.getMessage()[:7] for r in caplog.records] == ["1 of 2:", "2 of 2:"]


@pytest.mark.slow
@pytest.mark.parametrize("cls", having("verbose"))
def test_verbose_shows_fit_and_prediction_and_is_off_by_default(cls, capsys):
    model = fitted(cls)
    outputs(model, X)
    assert capsys.readouterr() == ("", "")
    model = clone(model).set_params(verbose=True).fit(X, target(model))
    assert "assembly" in capsys.readouterr().err
    outputs(model, X)
    assert "values" in capsys.readouterr().err
    with progress.listening(lambda report: None):  # there is a listener already
        outputs(model, X)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_prediction_computes_the_kernel_matrix_once(monkeypatch):
    model, sizes = fitted(ESTIMATORS["LaplacianClassifier"]), []
    original = type(model.kernel_).__call__
    monkeypatch.setattr(type(model.kernel_), "__call__", lambda self, A, B: (
        sizes.append(len(A) * len(B)) or original(self, A, B)))  # fmt: skip
    model.predict_proba(X)
    assert sum(sizes) == len(X) * model.n_landmarks_


def test_automatic_choices_are_logged(caplog):
    with caplog.at_level(logging.INFO, logger="lapviz"):
        model = fitted(GalerkinEmbedding)
    assert str(model.report_) in caplog.text
