"""Fits from specifications: centres → kernel → space → forms → modes → estimate.

Small frozen specifications under the estimators' own parameter names (:mod:`lapviz.fit.specs`,
described in :mod:`lapviz.fit.parameters`), and pure functions from them (:mod:`lapviz.fit.steps`;
:mod:`lapviz.fit.graph` for the baseline). Where the data are to choose, :mod:`lapviz.fit.plans`
resolves it, and :mod:`lapviz.fit.classes` fits classes by such a plan.
"""

from lapviz.fit import auto, classes, few_labels, graph, plans
from lapviz.fit.classes import Labels, Problem, Solution, problem
from lapviz.fit.parameters import Parameter
from lapviz.fit.plans import Plan, plan
from lapviz.fit.report import Choice, Report
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
)

__all__ = [
    "Assembled",
    "Basis",
    "Choice",
    "EnergySpec",
    "EstimateSpec",
    "GraphSpec",
    "IgnoredParameterWarning",
    "Labels",
    "Parameter",
    "Plan",
    "Problem",
    "Report",
    "Solution",
    "SpaceSpec",
    "Spec",
    "assemble",
    "auto",
    "basis",
    "build",
    "centres",
    "classes",
    "eigenfunctions",
    "factor",
    "few_labels",
    "graph",
    "kernel",
    "mu",
    "plan",
    "plans",
    "prepare",
    "problem",
    "ridge",
    "solve",
    "warn_ignored",
]
