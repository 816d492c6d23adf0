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
from lapviz.checks import check_on_cpu, is_dask
from lapviz.estimates.filters import Filter
from lapviz.estimators import advice
from lapviz.estimators.targets import labelled_rows, marked, regression_targets, split_labels
from lapviz.fit import parameters as p
from lapviz.graphs import NodeSpace
from lapviz.kernels import Kernel
from lapviz.parameters import described
from lapviz.spaces import TrialSpace, sampling

_LOG = logging.getLogger("lapviz")
Specs = tuple[fit.SpaceSpec, fit.EnergySpec, fit.EstimateSpec]
Method = TypeVar("Method", bound=Callable[..., Any])
Class = TypeVar("Class")


def with_progress(method: Method) -> Method:
    """Show in the terminal how far a method is, if ``verbose`` asks for it."""

    @wraps(method)
    def shown(self, *args, **kwargs):
        with progress.shown(getattr(self, "verbose", False)):
            return method(self, *args, **kwargs)

    return cast(Method, shown)


def checked(default: Any, *allowed: Any) -> Any:
    """A parameter that one estimator has: its default, and scikit-learn's constraints if any."""
    return field(default=default, metadata={"allowed": list(allowed) or "no_validation"})


@dataclass_transform(kw_only_default=True, eq_default=False)
def parametrised(cls: type[Class]) -> type[Class]:
    """An estimator whose parameters are its fields, described once: default, type, what is allowed.

    Those of :mod:`lapviz.fit.parameters` are ``described(…)`` there, others are :func:`checked`.
    """
    cls = dataclass(kw_only=True, eq=False, repr=False)(cls)
    cast(Any, cls)._parameter_constraints = {
        f.name: f.metadata["allowed"] if "allowed" in f.metadata
        else f.metadata["parameter"].constraints()
        for f in fields(cast(Any, cls))
    }  # fmt: skip
    return cls


class InconsistentVersionWarning(UserWarning):
    """An estimator was pickled by another version of lapviz."""


class PointsEstimator(BaseEstimator):
    """Base of all estimators on points: validation of X, and pickles that know their version."""

    _dtypes: ClassVar[tuple[type, ...]] = (np.float64,)  # others are converted to the first

    def _checked(self, X, *, reset: bool = True) -> np.ndarray:
        """X (n, d) as a NumPy array; keeps, or compares, names and number of its features."""
        check_on_cpu(X)
        with config_context(array_api_dispatch=False):  # all that follows is NumPy
            return np.asarray(validate_data(self, X, dtype=self._dtypes, order="C", reset=reset))

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self)
        return self._checked(X, reset=False)

    def _read_classes(self, X, y, sample_weight) -> tuple:
        """Points (n, d); the rows that count, their weights, which are labelled, and their codes.

        Sets ``classes_``.
        """
        y = marked(y)
        check_on_cpu(X)
        check_on_cpu(y, "y")
        with config_context(array_api_dispatch=False):
            X, y = map(np.asarray, validate_data(self, X, y, dtype=self._dtypes, order="C"))
        rows, weights = self._counted(sample_weight, len(X))
        self.classes_, labelled, codes = split_labels(y[rows])
        return X, rows, weights, labelled, codes

    def _read_targets(self, X, y, sample_weight) -> tuple:
        """Points (n, d); the rows that count, their weights, which are labelled, targets (m, k)."""
        X = self._checked(X)
        y = regression_targets(y, len(X))
        self._single = y.ndim == 1
        rows, weights = self._counted(sample_weight, len(X))
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
                f"{__version__}: its attributes may mean something else now, and its answers may "
                "be wrong. Fit it again, or read it with the version that wrote it.",
                InconsistentVersionWarning,
                stacklevel=2,
            )
        super().__setstate__(state)

    def _counted(self, sample_weight, n: int) -> tuple[slice | np.ndarray, np.ndarray | None]:
        """Rows of positive weight, and their weights; all of n rows without weights."""
        if sample_weight is None:
            return slice(None), None
        rows, weights = operators.weighted_rows(sample_weight, n)
        return (slice(None) if len(rows) == n else rows), weights


@parametrised
class KernelEstimator(PointsEstimator):
    """Base class of estimators with a kernel."""

    kernel: str | Kernel = described(p.KERNEL)
    bandwidth: float | str = described(p.BANDWIDTH)
    degree: int = described(p.DEGREE)
    kernel_params: dict[str, Any] | None = described(p.KERNEL_PARAMS)

    def _kernel(self, X: np.ndarray, **given: Any) -> Kernel:
        """The kernel for test functions at all samples, or at a number of them."""
        space = replace(fit.SpaceSpec.of(self), landmarks="stratified", **given)
        fit.warn_ignored(space)
        return fit.kernel(X, space)


@parametrised
class KernelLaplacianEstimator(KernelEstimator):
    """Base class of estimators on a trial space with an energy.

    float32 input stays so and is converted one block of rows at a time.
    """

    takes_batches: ClassVar[bool] = True  # for lapviz.fit.stream
    _dtypes = (np.float64, np.float32)
    n_landmarks: int | str = described(p.N_LANDMARKS)
    landmarks: str | ArrayLike = described(p.LANDMARKS)
    mu: float | str = described(p.MU)
    operator: object = checked("laplacian")  # a name or an operator object: operators.get
    random_state: int | np.random.RandomState | None = described(p.RANDOM_STATE)
    verbose: bool | int = checked(False, "verbose")

    def _specs(self) -> Specs:
        """The parameters as specifications."""
        return fit.SpaceSpec.of(self), fit.EnergySpec.of(self), fit.EstimateSpec.of(self)

    def _streamed(
        self, specs: Specs, X, y, sample_weight, client, is_labelled: Callable | None = None
    ) -> fit.StreamedRows | None:
        """Rows in a Dask collection or in batches; None for an array.

        ``is_labelled`` tells which targets are labels; None for estimators without targets.
        """
        batches = isinstance(X, fit.Batches)
        if not batches and not is_dask(X):
            return None
        graph = fit.plans.is_auto(specs[1].operator)
        nodes = fit.plans.is_fully_automatic(*specs)
        wanted = fit.RowRequest(specs[0], is_labelled, graph, nodes)
        if batches:
            rows = X.rows(wanted)
            row = np.zeros((1, rows.shape[1]))
        else:
            row = fit.chunks.example(X)
            rows = fit.chunks.read(X, wanted, y, sample_weight, client)
        self._checked(row)  # the names and the number of features
        if is_labelled is not None and rows.targets is None:
            raise ValueError("This estimator requires y to be passed, but the target y is None.")
        return rows

    def _over_chunks(self, method: str, X) -> Any:
        """What a method makes of a Dask collection, as a lazy dask array."""
        check_is_fitted(self)
        row = self._checked(fit.chunks.example(X), reset=False)
        light = copy.copy(self)  # for the workers: without matrices of the solution
        for name in ("solver_", "report_", "feature_names_in_"):
            light.__dict__.pop(name, None)
        light.verbose = False
        default_output(light)  # chunks are arrays, whatever is made of all
        one = getattr(light, method)(row)  # tells the columns and the type
        width = None if one.ndim == 1 else one.shape[1]
        return fit.chunks.map_rows(X, getattr(light, method), width, one.dtype)

    def _scores(self, X) -> np.ndarray:
        """Values of the fitted functions at points, (n, n_outputs)."""
        return self._values(self._points(X))

    @with_progress
    def _values(self, X) -> np.ndarray:
        """The same at points that have been checked."""
        return self.space_.evaluate(X, self.coefficients_)

    def _counting(self, specs: Specs, X: np.ndarray, rows: slice | np.ndarray) -> Specs:
        """The specifications over some of the rows of X, as if there were no others."""
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
        """Set the fitted attributes (``kernel_``, ``report_``, …); return the method."""
        fit.warn_ignored(specs[0], specs[2])
        energy, (space, report) = specs[1], fit.plans.of_space(X, specs[0])
        method = fit.Galerkin(fit.Sample.of(X, weights), space, energy)
        assembled = method.assembled(constant)
        self._adopt(assembled.basis.kernel, assembled.space, assembled.basis.centres, constant)
        self._weighted = weights is not None
        self.mu_, why = method.mu_and_reason(constant)
        chosen = isinstance(self.mu, str)
        self._tell(report.choose("mu", self.mu_, why) if chosen else report)
        return method.with_mu(self.mu_)

    def _tell(self, report: fit.Report) -> None:
        """Keep and log what was chosen from the data, first of all the columns' scaling."""
        scaling = getattr(self, "scaling_", None)
        if scaling is not None and self.scaling == "auto":
            report = scaling.reported(report)
        self.report_ = report
        _LOG.info("%s chose from the data\n%s", type(self).__name__, report)

    def _adopt(self, kernel: Kernel, space: TrialSpace, centres, constant: bool) -> None:
        """The fitted attributes that a trial space has."""
        self.kernel_, self.space_, self.landmarks_ = kernel, space, centres
        self.n_landmarks_ = self.space_.n_functions - constant
        self.bandwidth_ = self.kernel_.bandwidth

    def _advice_on_points(self, X: np.ndarray | fit.StreamedRows) -> list[advice.Advice | None]:
        """What the points and the width spoil; empty where all is well."""
        X = sampling.sampled(X, self.n_landmarks_)
        names = getattr(self, "feature_names_in_", None)
        said = [advice.scales(X, names)]
        if not isinstance(self.space_, NodeSpace):
            said.append(advice.width(self.kernel_, X, self.landmarks_))
        return said


@parametrised
class LaplacianEstimator(KernelLaplacianEstimator):
    """Base class of the semi-supervised classifier and regressor with a Dirichlet energy."""

    lam: float | str = described(p.LAM, default="auto", auto=True)
    operator: object = checked("auto")
    filter: str | Filter = described(p.FILTER)
    data_term: str = described(p.DATA_TERM)
    fit_intercept: bool = described(p.FIT_INTERCEPT)
    scaling: str | None = described(p.SCALING)

    def _scaled(self, X: Any) -> Any:
        """Points in the units of ``space_``."""
        return X if self.scaling_ is None else self.scaling_(X)

    def _points(self, X) -> np.ndarray:
        return self._scaled(super()._points(X))
