"""Estimates: functions fitted to a few labels, and other methods on forms and spectra."""

from lapviz.estimates.codes import (
    Balance,
    balance,
    class_codes,
    class_scores,
    class_shares,
    decode,
    probabilities,
)
from lapviz.estimates.labelled import (
    EnergyFactor,
    factorise,
    labelled_estimate,
    poisson_estimate,
    ridge_on_labels,
    spectral_estimate,
)

__all__ = ["Balance", "EnergyFactor", "balance", "class_codes", "class_scores", "class_shares",
           "decode", "factorise", "labelled_estimate", "poisson_estimate", "probabilities",
           "ridge_on_labels", "spectral_estimate"]  # fmt: skip
