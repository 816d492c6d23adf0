"""What the data choose on a page, by the rules of the library's estimators, under the cache.

Settings with "auto" go in, settings with numbers come out: everything behind a picture works with
the latter. The Labels page chooses as :class:`lapviz.LaplacianClassifier` does, the Eigenfunctions
page as :class:`lapviz.GalerkinEmbedding`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import fit
from lapviz.explorer.compute import steps
from lapviz.explorer.compute.cache import step
from lapviz.explorer.settings.records import ALONE, AUTO, CHOOSABLE, OF_MODES, Chosen, Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.fit import EnergySpec, EstimateSpec, SpaceSpec


def for_labels(settings: Settings) -> Settings:
    """The settings with numbers, as a classifier chooses them.

    Raises
    ------
    ValueError
        If a number cannot be chosen.
    """
    asked = settings.estimate
    energy = replace(settings.energy, operator=settings.operator)
    lam = AUTO if asked.lam == AUTO else fit.EstimateSpec.lam
    # The plan does not depend on λ, where that is a number.
    plan = _plan(settings.data, settings.space.relevant(), energy, replace(asked, lam=lam),
                 _must(settings))  # fmt: skip
    labels = steps.labelled(settings.data, settings.labels).labels
    plan = plan.for_labels(len(labels), steps.sample(settings.data).n_classes)
    estimate = plan.estimate if lam == AUTO else replace(plan.estimate, lam=asked.lam)
    made = replace(settings, space=plan.space, estimate=estimate)
    made = made.change(mu=plan.energy.mu)
    if plan.free:
        made = made.change(operator="graph", also=ALONE)
        made = replace(made, graph_energy=plan.energy.operator)
    return replace(made, chosen=Chosen(plan.report, plan.free, _must(settings)))


def for_modes(settings: Settings) -> Settings:
    """The settings with numbers, as an embedding chooses them; its energy is the ambient one."""
    settings = named(settings)
    space, report = _space(settings.data, settings.space.relevant())
    made = replace(settings, space=space)
    if settings.view.form != "dirichlet":  # no μ
        given = settings.energy.mu
        return replace(made, chosen=Chosen(report)).change(mu="floor" if given == AUTO else given)
    mu, reason = steps.mu_and_reason(steps.Problem.of(made))
    if isinstance(settings.energy.mu, str):
        report = report.and_then(fit.Choice("mu", mu, reason))
    return replace(made.change(mu=mu), chosen=Chosen(report))


def estimate_of(settings: Settings) -> EstimateSpec:
    """The estimate's specification with its balance and passes, which need no look at the data."""
    free = settings.energy.operator == AUTO
    plan = fit.Plan(settings.space, settings.energy, settings.estimate, slice(None), 0, free)
    return fit.plans.volumes(plan).estimate


def named(settings: Settings) -> Settings:
    """The settings with an energy, where eigenfunctions need one."""
    return settings.change(operator="laplacian") if settings.energy.operator == AUTO else settings


def choosable(page: str) -> tuple[str, ...]:
    """Settings that the data can choose on a page."""
    return OF_MODES if page == "eigenfunctions" else CHOOSABLE


def _must(settings: Settings) -> tuple[int, ...] | None:
    """The labelled rows, where the energy sees not all rows."""
    if settings.energy.operator != AUTO:
        return None
    if len(steps.sample(settings.data).X) <= fit.few_labels.MOST_NODES:
        return None
    index = steps.labelled(settings.data, settings.labels).index
    return tuple(sorted(int(i) for i in index if i >= 0))


@step
def _plan(
    data: DataSpec, space: SpaceSpec, energy: EnergySpec, estimate: EstimateSpec, must
) -> fit.Plan:
    X = steps.sample(data).X
    labelled = np.zeros(len(X), dtype=bool)
    labelled[list(must or ())] = True
    free = fit.plans.is_auto(energy.operator)
    graph = steps.operator(data, fit.few_labels.energy(), must) if free else None
    plan = replace(fit.plan(X, labelled, space, energy, estimate, graph), graph=None)
    problem = steps.Problem(data, plan.space.relevant(), plan.energy, must)
    assembled = steps.assembled(problem, estimate.fit_intercept).value
    plan = plan.with_mu(assembled)
    problem = replace(problem, energy=plan.energy)
    solver = (
        steps.solver(problem, "labelled", estimate.fit_intercept) if plan.needs_factor else None
    )
    return plan.with_lam(assembled, solver and solver.value)


@step
def _space(data: DataSpec, space: SpaceSpec) -> tuple[SpaceSpec, fit.Report]:
    return fit.plans.of_space(steps.sample(data).X, space)
