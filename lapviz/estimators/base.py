"""Base classes of the estimators: parameters as specifications, and fitted attributes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from lapviz import fit
from lapviz.estimators import advice
from lapviz.estimators.report import Choice, Report
from lapviz.fit import parameters as p


class PointsEstimator(BaseEstimator):
    """Base of all estimators on points: validation of X in `predict` and `transform`."""

    _dtypes: ClassVar[tuple[type, ...]] = (np.float64,)  # others are converted to the first

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=self._dtypes, order="C", reset=False)


class KernelEstimator(PointsEstimator):
    """Base class of estimators with a kernel of their own at all samples."""

    _parameter_constraints = p.constraints(p.KERNEL, p.BANDWIDTH, p.DEGREE)

    def _kernel(self, X: np.ndarray, n_centres: int | None = None):
        """The kernel from the parameters; "auto" depends on X and on the number of centres."""
        given = {"n_landmarks": n_centres} if n_centres is not None else {}
        space = fit.SpaceSpec(
            kernel=self.kernel, bandwidth=self.bandwidth, degree=self.degree, **given
        )
        fit.warn_ignored(space)
        return fit.kernel(X, space)


class KernelLaplacianEstimator(PointsEstimator):
    """Base class of estimators on a trial space with an energy.

    float32 input stays so and is converted one block of rows at a time.
    """

    _dtypes = (np.float64, np.float32)
    _parameter_constraints = {  # noqa: RUF012  (scikit-learn's protocol)
        **p.constraints(
            p.KERNEL, p.BANDWIDTH, p.DEGREE, p.N_LANDMARKS, p.LANDMARKS, p.MU, p.RANDOM_STATE
        ),
        "operator": "no_validation",  # a name or an operator object: operators.get
    }

    def _assemble(
        self, X: np.ndarray, constant: bool, settings=None, calibrates: bool = True
    ) -> fit.Assembled:
        """Set the fitted attributes (``kernel_``, ``report_``, …); return space and forms.

        ``settings`` has the parameters where those of the estimator itself are "auto"; without
        ``calibrates`` an automatic μ is the "floor".
        """
        settings = self if settings is None else settings
        energy, space = fit.EnergySpec.of(settings), self._space_spec(len(X), settings)
        if not calibrates and isinstance(energy.mu, str):
            energy = replace(energy, mu="floor")
        assembled = fit.build(X, space, energy.operator, constant)
        self.kernel_, self.space_ = assembled.basis.kernel, assembled.space
        self.landmarks_ = assembled.basis.centres
        self.n_landmarks_ = self.space_.n_functions - constant
        self.bandwidth_ = self.kernel_.bandwidth
        self.mu_, why = fit.auto.mu(X, self.kernel_, self.space_, energy)
        self.report_ = self._choices(space, len(X), why)
        return assembled

    def _advice_on_points(self, X: np.ndarray) -> list[str]:
        """What the points and the width spoil, in sentences, empty where all is well."""
        names = getattr(self, "feature_names_in_", None)
        return [advice.scales(X, names), advice.width(self.kernel_, X, self.landmarks_)]

    def _choices(self, space: fit.SpaceSpec, n: int, why_mu: str) -> Report:
        """The report on what was chosen for the trial space and its energy."""
        made = []
        if isinstance(self.n_landmarks, str) and isinstance(self.landmarks, str):
            made.append(Choice("n_landmarks", self.n_landmarks_, f"of {n} samples"))
        if fit.auto.chooses_bandwidth(space):
            reason = fit.auto.reason_for_bandwidth(self.kernel_, space, n)
            made.append(Choice("bandwidth", self.bandwidth_, reason))
        if isinstance(self.mu, str):
            made.append(Choice("mu", self.mu_, why_mu))
        return Report(tuple(made))

    def _space_spec(self, n: int, settings=None) -> fit.SpaceSpec:
        """The trial space's specification for n samples, with p as a number."""
        space = fit.SpaceSpec.of(self if settings is None else settings)
        if isinstance(space.n_landmarks, str):
            space = replace(space, n_landmarks=fit.auto.landmarks(n))
        return space
