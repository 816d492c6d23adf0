r"""Data terms: how an estimate depends on the labels.

A data term defines what it is solved with (a factor of S + μK, or the spectrum), which parameters
it does not use, and how coefficients follow from the labels. To add one: subclass
:class:`DataTerm`, write ``prepare`` and ``solve``, and add it to ``TERMS`` below.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from lapviz.checks import Registry, row_shares
from lapviz.estimates import filters
from lapviz.estimates.labelled import (
    factorise,
    labelled_estimate,
    poisson_estimate,
    spectral_estimate,
)
from lapviz.estimates.leave_one_out import leave_one_out, spectral_leave_one_out
from lapviz.forms import Forms
from lapviz.spectra import spectrum

Array = np.ndarray


class DataTerm:
    """Base class of data terms.

    Attributes
    ----------
    name, title : str
    unused : tuple of str
        Parameters of an estimate that have no effect.
    uses_spectrum : bool
        Whether it is solved with the spectrum; otherwise with a factor of S + μK.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    unused: ClassVar[tuple[str, ...]] = ()
    uses_spectrum: ClassVar[bool] = False

    def prepare(self, forms: Forms, mu: float, constant: bool):
        """Compute what all λ, filters and labels share: by default a factor of S + μK."""
        return factorise(forms, mu, constant)

    def solve(
        self, prepared, phi: Array, targets: Array, lam: float, filter, weights=None
    ) -> Array:
        """Coefficients (p, k) from values φ (n_labelled, p) and targets (n_labelled, k).

        ``weights`` (n_labelled,) are the weights of the points, None if all are equal.
        """
        raise NotImplementedError

    def solve_outputs(self, *args, **options) -> Array:
        """As :meth:`solve`, of which the columns are the outputs of a regression."""
        return self.solve(*args, **options)

    def has_leave_one_out(self, filter) -> bool:
        """Whether :meth:`leave_one_out` has a closed form with this filter."""
        return False

    def leave_one_out(self, prepared, phi: Array, y: Array, lams, filter, center: bool):
        """Predictions of each label while it is hidden: a list of one HiddenLabels for each λ."""
        raise NotImplementedError


class Labelled(DataTerm):
    """The mean squared error over the labelled points (SSL21 eq. 5)."""

    name = "labelled"
    title = "Labelled points"

    def solve(self, prepared, phi, targets, lam, filter, weights=None):
        return labelled_estimate(prepared, phi, targets, lam, filter, weights)

    def has_leave_one_out(self, filter):
        return filters.get(filter).name == "tikhonov"

    def leave_one_out(self, prepared, phi, y, lams, filter, center):
        return leave_one_out(prepared, phi, y, lams, center=center)


class AllSamples(DataTerm):
    """The norm over all samples, with the labels only in the load (SSL21 eq. 9)."""

    name = "all"
    title = "All samples"
    uses_spectrum = True

    def prepare(self, forms, mu, constant):
        return spectrum(forms, mu)

    def solve(self, prepared, phi, targets, lam, filter, weights=None):
        load = phi.T @ (row_shares(weights, len(targets))[:, None] * targets)
        return spectral_estimate(prepared, load, lam, filter)

    def has_leave_one_out(self, filter):
        return True

    def leave_one_out(self, prepared, phi, y, lams, filter, center):
        return spectral_leave_one_out(prepared, phi, y, lams, filter, center=center)


class Poisson(DataTerm):
    """No error term: labels are sources (Calder, Cook, Thorpe and Slepčev, 2020)."""

    name = "poisson"
    title = "Poisson: labels as sources"
    unused = ("lam", "filter")

    def solve(self, prepared, phi, targets, lam, filter, weights=None):
        return poisson_estimate(prepared, phi, targets, weights)

    def solve_outputs(self, prepared, phi, targets, lam, filter, weights=None):
        return poisson_estimate(prepared, phi, targets, weights, by_column=True)


# By the names accepted by every ``data_term=`` parameter, in menu order.
TERMS: Registry[DataTerm] = Registry("data term")
TERMS.update({term.name: term for term in (Labelled(), AllSamples(), Poisson())})
