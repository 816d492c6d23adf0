"""Base classes of the estimators: parameters as specifications, and fitted attributes."""

from __future__ import annotations

import copy
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from lapviz import __version__, fit, operators, progress
from lapviz._sklearn import default_output
from lapviz.checks import check_dense, check_on_cpu, is_dask
from lapviz.estimates.filters import Filter
from lapviz.estimators import advice
from lapviz.estimators.targets import (
    labelled_rows,
    mark_unlabelled,
    regression_targets,
    split_labels,
)
from lapviz.fit.specs import PARAMETERS
from lapviz.graphs import NodeSpace
from lapviz.kernels import Kernel
from lapviz.parameters import described
from lapviz.spaces import TrialSpace, sampling

_LOG = logging.getLogger("lapviz")
Specs = tuple[fit.SpaceSpec, fit.EnergySpec, fit.EstimateSpec]
Method = TypeVar("Method", bound=Callable[..., Any])
Class = TypeVar("Class")


def with_progress(method: Method) -> Method:
    """Show the progress of a method in the terminal, if ``verbose`` is set."""

    @wraps(method)
    def with_bar(self, *args, **kwargs):
        with progress.shown(getattr(self, "verbose", False)):
            return method(self, *args, **kwargs)

    return cast(Method, with_bar)


def checked(default: Any, *allowed: Any) -> Any:
    """A parameter of a single estimator: its default, and scikit-learn's constraints if any."""
    return field(default=default, metadata={"allowed": list(allowed) or "no_validation"})


@dataclass_transform(kw_only_default=True, eq_default=False)
def parametrised(cls: type[Class]) -> type[Class]:
    """Make the fields of an estimator its parameters, with default, type and constraints.

    Those of :mod:`lapviz.fit.specs` are ``described(…)`` there, others are :func:`checked`.
    """
    cls = dataclass(kw_only=True, eq=False, repr=False)(cls)
    cast(Any, cls)._parameter_constraints = {
        f.name: f.metadata["allowed"] if "allowed" in f.metadata
        else f.metadata["parameter"].constraints()
        for f in fields(cast(Any, cls))
    }  # fmt: skip
    return cls


class InconsistentVersionWarning(UserWarning):
    """Warning that an estimator was pickled by another version of lapviz."""


def _all_or_nothing(fit):
    """A fit that, where it fails, leaves the estimator as it was: never half of another fit."""

    @wraps(fit)
    def guarded(self, *arguments, **options):
        before = dict(vars(self))
        try:
            return fit(self, *arguments, **options)
        except BaseException:  # Ctrl+C too
            vars(self).clear()
            vars(self).update(before)
            raise

    return guarded


class PointsEstimator(BaseEstimator):
    """Base of all estimators on points: validation of X, and pickles that store the version."""

    _dtypes: ClassVar[tuple[type, ...]] = (np.float64,)  # others are converted to the first

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "fit" in vars(cls):
            cls.fit = _all_or_nothing(cls.fit)

    def _validate_points(self, X, *, reset: bool = True) -> np.ndarray:
        """Return X (n, d) as a NumPy array; store (or compare) feature names and their number."""
        check_dense(X)
        check_on_cpu(X)
        with config_context(array_api_dispatch=False):  # everything after this is NumPy
            return np.asarray(validate_data(self, X, dtype=self._dtypes, order="C", reset=reset))

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self)
        return self._validate_points(X, reset=False)

    def _scores(self, X) -> np.ndarray:
        """Values of the fitted functions at points, (n, n_outputs)."""
        return self._values(self._points(X))

    @with_progress
    def _values(self, X) -> np.ndarray:
        """The same at points that have been validated."""
        return self.space_.evaluate(X, self.coefficients_)

    def _read_classes(self, X, y, sample_weight) -> tuple:
        """Validate classes: points (n, d), rows of positive weight, their weights, mask and codes.

        Sets ``classes_``.
        """
        y = mark_unlabelled(y)
        check_dense(X)
        check_on_cpu(X)
        check_on_cpu(y, "y")
        with config_context(array_api_dispatch=False):
            X, y = map(np.asarray, validate_data(self, X, y, dtype=self._dtypes, order="C"))
        rows, weights = self._weighted_rows(sample_weight, len(X))
        self.classes_, labelled, codes = split_labels(y[rows])
        return X, rows, weights, labelled, codes

    def _read_targets(self, X, y, sample_weight) -> tuple:
        """Validate targets: points (n, d), rows of positive weight, their weights, mask, targets.

        The mask is that of the labelled rows; every other row of the targets (n, k) has a NaN.
        """
        X = self._validate_points(X)
        y = regression_targets(y, len(X))
        self._single = y.ndim == 1
        rows, weights = self._weighted_rows(sample_weight, len(X))
        targets, labelled = labelled_rows(y[rows])
        return X, rows, weights, labelled, targets

    def __getstate__(self):
        return super().__getstate__() | {"_lapviz_version": __version__}

    def __setstate__(self, state):
        state = dict(state)
        version = state.pop("_lapviz_version", "of an unknown version")
        if version != __version__:
            warnings.warn(
                f"This {type(self).__name__} was pickled by lapviz {version} and is read by "
                f"{__version__}: its attributes may have changed their meaning, and its results "
                "may be wrong. Fit it again, or read it with the version that wrote it.",
                InconsistentVersionWarning,
                stacklevel=2,
            )
        super().__setstate__(state)

    def _weighted_rows(self, sample_weight, n: int) -> tuple[slice | np.ndarray, np.ndarray | None]:
        """Rows of positive weight, and their weights; all n rows if there are no weights."""
        if sample_weight is None:
            return slice(None), None
        rows, weights = operators.weighted_rows(sample_weight, n)
        return (slice(None) if len(rows) == n else rows), weights


@parametrised
class KernelEstimator(PointsEstimator):
    """Base class of estimators with a kernel."""

    kernel: str | Kernel = described(PARAMETERS["kernel"])
    bandwidth: float | str = described(PARAMETERS["bandwidth"])
    degree: int = described(PARAMETERS["degree"])
    kernel_params: dict[str, Any] | None = described(PARAMETERS["kernel_params"])

    def _kernel(self, X: np.ndarray, **changes: Any) -> Kernel:
        """The kernel, with test functions at samples; ``changes`` of the space's specification."""
        space = replace(fit.SpaceSpec.of(self), landmarks="stratified", **changes)
        fit.warn_ignored(space)
        return fit.kernel(X, space)


@parametrised
class KernelLaplacianEstimator(KernelEstimator):
    """Base class of estimators on a trial space with an energy.

    float32 input is kept and converted one block of rows at a time.
    """

    takes_batches: ClassVar[bool] = True  # for lapviz.fit.stream
    _dtypes = (np.float64, np.float32)
    _modes: ClassVar[bool] = False  # of lapviz.fit.plans.of_space
    n_landmarks: int | str = described(PARAMETERS["n_landmarks"])
    landmarks: str | ArrayLike = described(PARAMETERS["landmarks"])
    mu: float | str = described(PARAMETERS["mu"])
    operator: object = checked("laplacian")  # a name or an operator object: operators.get
    random_state: int | np.random.RandomState | None = described(PARAMETERS["random_state"])
    verbose: bool | int = checked(False, "verbose")

    def _specs(self) -> Specs:
        """The parameters as specifications."""
        return fit.SpaceSpec.of(self), fit.EnergySpec.of(self), fit.EstimateSpec.of(self)

    def _streamed(
        self, specs: Specs, X, y, sample_weight, client, is_labelled: Callable | None = None
    ) -> fit.StreamedRows | None:
        """Rows of a Dask collection or of batches; None for an array.

        ``is_labelled`` maps targets to the mask of labels; None for estimators without targets.
        """
        batches = isinstance(X, fit.Batches)
        if not batches and not is_dask(X):
            return None
        graph = fit.plans.is_auto(specs[1].operator)
        nodes = fit.plans.is_fully_automatic(*specs)
        request = fit.RowRequest(specs[0], is_labelled, graph, nodes)
        rows = X.rows(request) if batches else fit.chunks.read(X, request, y, sample_weight, client)
        row = fit.chunks.example(X, rows.shape[1])
        self._validate_points(row)  # stores names and number of features
        if is_labelled is not None and rows.targets is None:
            raise ValueError("This estimator requires y to be passed, but the target y is None.")
        return rows

    def _map_chunks(self, method: str, X) -> Any:
        """Apply a method to each chunk of a Dask collection; a lazy dask array."""
        check_is_fitted(self)
        width = fit.chunks.lazy_points(X).shape[1]
        row = self._validate_points(fit.chunks.example(X, width), reset=False)
        light = copy.copy(self)  # for the workers: without the matrices of the solver
        for name in ("solver_", "report_", "feature_names_in_"):
            light.__dict__.pop(name, None)
        light.verbose = False
        default_output(light)  # chunks are arrays, whatever the output of the whole
        output = getattr(light, method)(row)  # has the columns and the dtype
        width = None if output.ndim == 1 else output.shape[1]
        return fit.chunks.map_rows(X, getattr(light, method), width, output.dtype)

    def _specs_for_rows(self, specs: Specs, X: np.ndarray, rows: slice | np.ndarray) -> Specs:
        """The specifications restricted to a subset of the rows of X."""
        space, energy, estimate = specs
        if isinstance(rows, slice) or fit.plans.is_auto(energy.operator):
            return specs
        operator = operators.restricted(operators.get(energy.operator), X, rows)
        return space, replace(energy, operator=operator), estimate

    def _assemble(
        self,
        X: Any,  # rows as an array, or StreamedRows
        weights: Any,
        specs: Specs,
        constant: bool,
    ) -> fit.Galerkin:
        """Set the fitted attributes (``kernel_``, ``report_``, …); return the Galerkin method."""
        fit.warn_ignored(specs[0], specs[2])
        energy, (space, report) = specs[1], fit.plans.of_space(X, specs[0], self._modes)
        method = fit.Galerkin(fit.Sample.of(X, weights), space, energy)
        assembled = method.assembled(constant)
        self._set_space(method.kernel, assembled.space, method.centres, constant)
        self._weighted = weights is not None
        self.mu_, reason = method.mu_and_reason(constant)
        chosen = isinstance(self.mu, str)
        self._set_report(report.choose("mu", self.mu_, reason) if chosen else report)
        return method.with_mu(self.mu_)

    def _set_report(self, report: fit.Report, because: str = "") -> None:
        """Store and log the automatic choices, with the scaling of columns and its reason first."""
        chosen = report["n_landmarks"] if "n_landmarks" in report.names else None
        if chosen and isinstance(chosen.value, int) and chosen.value > self.n_landmarks_:
            reason = f"{chosen.reason}; fewer, as samples coincide"  # k-means++
            report = report.choose("n_landmarks", self.n_landmarks_, reason)
        scaling = getattr(self, "scaling_", None)
        if scaling is not None and self.scaling == "auto":
            report = scaling.reported(report, because)
        self.report_ = report
        _LOG.info("%s chose from the data\n%s", type(self).__name__, report)

    def _set_space(self, kernel: Kernel, space: TrialSpace, centres, constant: bool) -> None:
        """Set the fitted attributes of the trial space."""
        self.kernel_, self.space_, self.landmarks_ = kernel, space, centres
        without = centres is None  # waves have no places
        self.n_landmarks_ = space.n_functions - constant if without else len(centres)
        self.bandwidth_ = self.kernel_.bandwidth

    def _advice_on_points(self, X: np.ndarray | fit.StreamedRows) -> list[advice.Advice | None]:
        """Advice on the points and the width."""
        X = sampling.sampled(X, self.n_landmarks_)
        names = getattr(self, "feature_names_in_", None)
        all_advice = [advice.scales(X, names), advice.single_row(X, names)]
        if not isinstance(self.space_, NodeSpace):
            all_advice.append(advice.width(self.kernel_, X, self.landmarks_))
        return all_advice


@parametrised
class LaplacianEstimator(KernelLaplacianEstimator):
    """Base class of the semi-supervised classifier and regressor with a Dirichlet energy."""

    lam: float | str = described(PARAMETERS["lam"], default="auto", auto=True)
    operator: object = checked("auto")
    filter: str | Filter = described(PARAMETERS["filter"])
    data_term: str = described(PARAMETERS["data_term"])
    fit_intercept: bool = described(PARAMETERS["fit_intercept"])
    scaling: str | None = described(PARAMETERS["scaling"])

    def _scaled(self, X: Any) -> Any:
        """Points in the units of ``space_``."""
        return X if self.scaling_ is None else self.scaling_(X)

    def _fit_scaling(
        self, X: Any, weights: Any, specs: Specs, automatic: bool
    ) -> tuple[Any, Specs]:
        """Set ``scaling_``; return the points, and the specifications with given landmarks, scaled.

        ``automatic`` is as in :meth:`lapviz.fit.Scaling.of`.
        """
        self.scaling_ = scaling = fit.Scaling.of(X, weights, self.scaling, automatic)
        if scaling is None:
            return X, specs
        space, energy, estimate = specs
        if np.shape(space.landmarks)[1:] == np.shape(scaling.center):
            space = replace(space, landmarks=scaling(np.asarray(space.landmarks, float)))
        return scaling(X), (space, energy, estimate)

    def _points(self, X) -> np.ndarray:
        return self._scaled(super()._points(X))
