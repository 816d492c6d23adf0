"""The cached steps of classes from labels, by a plan: :mod:`lapviz.fit.classes` under the cache."""

from __future__ import annotations

from dataclasses import replace

from lapviz import fit, graphs
from lapviz.explorer.compute import steps
from lapviz.explorer.compute.cache import step
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import LabelSpec
from lapviz.fit import EstimateSpec


@step
def _problem(problem: steps.Problem, estimate: EstimateSpec, free: bool) -> fit.Problem:
    """What all labels share, with what passes need if there are to be any."""
    rows = steps.energy_rows(problem.data, problem.must)
    X = steps.sample(problem.data).X[rows]
    energy = replace(problem.energy, mu=steps.mu(problem))
    basis = steps.assembled(problem, estimate.fit_intercept).value
    prepared = steps.solver(problem, estimate.data_term, estimate.fit_intercept).value
    graph = steps.operator(problem.data, energy.operator, problem.must) if free else None
    overlap = graphs.mean_overlap(graph.weights) if graph else 1.0
    plan = fit.Plan(problem.space, energy, estimate, rows, len(X), free, overlap=overlap)
    weights = steps.weights(problem.data, rows)
    made = fit.Problem(plan, basis, prepared, X, graph and graph.weights, weights)
    if estimate.n_passes and not estimate.fit_intercept:
        made.prepare_passes()
    return made


def problem(settings: Settings) -> fit.Problem:
    """The classification problem of settings with numbers everywhere."""
    spec = _shared(settings.estimate)
    return _problem(steps.Problem.of(settings), spec, settings.chosen.free)


def _shared(spec: EstimateSpec) -> EstimateSpec:
    """What of an estimate its problem depends on."""
    return EstimateSpec(data_term=spec.data_term, fit_intercept=spec.fit_intercept,
                        n_passes=int(spec.n_passes > 0))  # fmt: skip


def solution(settings: Settings) -> steps.Timed:
    """The kernel Laplacian's estimate, a :class:`lapviz.fit.Solution`, and the time of a fit."""
    asked = steps.Problem.of(settings)
    return _solution(asked, settings.estimate, settings.chosen.free, settings.labels)


def report(settings: Settings) -> fit.Report:
    """What was chosen, and what became of the passes, if there are any."""
    said = settings.chosen.report
    try:
        return solution(settings).value.told(said) if settings.estimate.n_passes else said
    except ValueError:  # the panel says why
        return said


@step
def _solution(
    problem: steps.Problem, spec: EstimateSpec, free: bool, labels: LabelSpec
) -> steps.Timed:
    given = steps.labelled(problem.data, labels)
    shares = given.shares(steps.sample(problem.data).n_classes)
    made = _problem(problem, _shared(spec), free)
    solved = steps.timed(made.solve, fit.Labels(given.X, shares, given.index), spec)
    basis = steps.assembled(problem, spec.fit_intercept)
    prepared = steps.solver(problem, spec.data_term, spec.fit_intercept)
    return steps.Timed(solved.value, basis.seconds + prepared.seconds + solved.seconds)
