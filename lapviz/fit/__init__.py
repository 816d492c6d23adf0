"""Fits from specifications: centres → kernel → space → forms → modes → estimate.

Small frozen specifications under the estimators' own parameter names (:mod:`lapviz.fit.specs`,
described in :mod:`lapviz.fit.parameters`), and pure functions from them (:mod:`lapviz.fit.steps`;
:mod:`lapviz.fit.graph` for the baseline).
"""

from lapviz.fit import graph
from lapviz.fit.parameters import Parameter
from lapviz.fit.specs import (
    EnergySpec,
    EstimateSpec,
    GraphSpec,
    IgnoredParameterWarning,
    SpaceSpec,
    Spec,
    warn_ignored,
)
from lapviz.fit.steps import (
    AUTO_MU,
    Assembled,
    Basis,
    assemble,
    balance,
    basis,
    build,
    centres,
    eigenfunctions,
    kernel,
    mu,
    prepare,
    ridge,
    solve,
)

__all__ = [
    "AUTO_MU",
    "Assembled",
    "Basis",
    "EnergySpec",
    "EstimateSpec",
    "GraphSpec",
    "IgnoredParameterWarning",
    "Parameter",
    "SpaceSpec",
    "Spec",
    "assemble",
    "balance",
    "basis",
    "build",
    "centres",
    "eigenfunctions",
    "graph",
    "kernel",
    "mu",
    "prepare",
    "ridge",
    "solve",
    "warn_ignored",
]
