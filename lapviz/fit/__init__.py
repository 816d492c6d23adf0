"""Fits from specifications: centres → kernel → space → forms → modes → estimate.

Small frozen specifications under the estimators' own parameter names (:mod:`lapviz.fit.specs`,
described in :mod:`lapviz.fit.parameters`), and pure functions from them (:mod:`lapviz.fit.steps`;
:mod:`lapviz.fit.graph` for the baseline).
"""

from lapviz.fit import auto, automatic, graph
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
    Assembled,
    Basis,
    assemble,
    balance,
    basis,
    build,
    centres,
    eigenfunctions,
    factor,
    kernel,
    mu,
    prepare,
    ridge,
    solve,
    volumes,
)

__all__ = [
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
    "auto",
    "automatic",
    "balance",
    "basis",
    "build",
    "centres",
    "eigenfunctions",
    "factor",
    "graph",
    "kernel",
    "mu",
    "prepare",
    "ridge",
    "solve",
    "volumes",
    "warn_ignored",
]
