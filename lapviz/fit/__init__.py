"""Fits from specifications: centres → kernel → space → forms → modes → estimate.

Small frozen specifications under the estimators' own parameter names (:mod:`lapviz.fit.specs`,
where each is described), and the steps that follow from them (:mod:`lapviz.fit.galerkin`;
:mod:`lapviz.fit.graph` for the baseline). :mod:`lapviz.fit.plans` replaces every "auto" by what the
data suggest, and :mod:`lapviz.fit.classes` fits classes by such a plan, with kernel functions or on
the nodes of a graph. Many fits at once: :mod:`lapviz.fit.parallel`.
"""

from lapviz.fit import auto, chunks, few_labels, graph, parallel, plans, problems
from lapviz.fit.classes import problem
from lapviz.fit.dask_reduce import WorkerLostWarning
from lapviz.fit.galerkin import Assembled, Galerkin, kernel, solve
from lapviz.fit.plans import Plan
from lapviz.fit.problems import Labels, Problem, Solution, Verdict
from lapviz.fit.reports import Choice, Report
from lapviz.fit.rows import Batches, RowRequest, RowSubset, StreamedRows, stream
from lapviz.fit.sample import Sample
from lapviz.fit.scaling import Scaling
from lapviz.fit.specs import (
    EnergySpec,
    EstimateSpec,
    GraphSpec,
    IgnoredParameterWarning,
    SpaceSpec,
    Spec,
    warn_ignored,
)
from lapviz.parameters import Parameter

__all__ = ["Assembled", "Batches", "Choice", "EnergySpec", "EstimateSpec", "Galerkin",
           "GraphSpec", "IgnoredParameterWarning", "Labels", "Parameter", "Plan", "Problem",
           "Report", "RowRequest", "RowSubset", "Sample", "Scaling", "Solution", "SpaceSpec",
           "Spec", "StreamedRows", "Verdict", "WorkerLostWarning", "auto", "chunks", "few_labels",
           "graph", "kernel", "parallel", "plans", "problem", "problems", "solve", "stream",
           "warn_ignored"]  # fmt: skip
