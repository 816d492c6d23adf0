"""The fits of a page: :mod:`lapviz.fit` with the explorer's cache as its memo.

Settings with "auto" go in, settings with numbers come out: everything behind a picture works with
the latter. The Labels page chooses as :class:`lapviz.LaplacianClassifier` does, the Eigenfunctions
page as :class:`lapviz.GalerkinEmbedding`. Nothing here imports Streamlit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import estimates, fit, forms, operators
from lapviz.estimates import partial as partial_labels
from lapviz.explorer.compute import points
from lapviz.explorer.compute.cache import Timed, memo, once, step, timed
from lapviz.explorer.compute.points import Labelled, Sites
from lapviz.explorer.settings.records import ALONE, AUTO, Chosen, Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import EstimateSpec
from lapviz.spaces import KernelSpace

Array = np.ndarray


# Steps without labels.


def rows(data: DataSpec) -> fit.Sample:
    """The points of a fit."""

    def load():
        drawn = points.sample(data)
        return drawn.X, drawn.weights

    return fit.Sample(data, load, memo)


def method(settings: Settings) -> fit.Galerkin:
    """Trial space and energy of settings whose energy is chosen."""
    energy = replace(settings.energy, operator=settings.operator)
    seen = fit.plans.nodes(rows(settings.data), settings.chosen.required)
    return fit.Galerkin(seen, settings.space.relevant(), energy)


def tangents(data: DataSpec, asked: operators.Tangent) -> operators.Tangents:
    """Local PCA at every sample: it depends on neither the kernel nor the labels."""
    return fit.Galerkin(rows(data), fit.SpaceSpec(), fit.EnergySpec(asked)).tangents(asked)


def operator(data: DataSpec, asked: object) -> object:
    """An operator on all samples, with what is learnt from them."""
    return fit.Galerkin(rows(data), fit.SpaceSpec(), fit.EnergySpec(asked)).operator


# What the data choose.


def for_labels(settings: Settings) -> Settings:
    """The settings with numbers, as a classifier chooses them.

    Raises
    ------
    ValueError
        If a number cannot be chosen.
    """
    settings = scaled(settings)
    asked = settings.estimate
    lam = AUTO if asked.lam == AUTO else EstimateSpec.lam
    given = points.labelled(settings.data, settings.labels)
    # The plan does not depend on λ, where that is a number. Several candidates have no passes.
    estimate = replace(asked, lam=lam, n_passes=0 if given.partial else asked.n_passes)
    energy = replace(settings.energy, operator=settings.operator)
    specs = rows(settings.data), _required(settings), settings.space.relevant(), energy
    plan = once(("plan", specs, estimate), lambda: _fit_problem(specs, estimate).plan)
    plan = plan.for_labels(len(given.labels), points.sample(settings.data).n_classes)
    estimate = replace(plan.estimate, n_passes=estimate_of(settings).n_passes)
    estimate = estimate if lam == AUTO else replace(estimate, lam=asked.lam)
    made = replace(settings, space=plan.space, estimate=estimate)
    made = made.change(mu=plan.energy.mu)
    if plan.automatic:
        made = made.change(operator="graph", also=ALONE)
        made = replace(made, graph_energy=plan.energy.operator)
    report = plan.report
    if asked.scaling == AUTO and settings.data.scaling is not None:
        report = settings.data.scaling.reported(report)
    return replace(made, chosen=Chosen(report, plan.automatic, plan.required, plan.nodes))


def scaled(settings: Settings) -> Settings:
    """The settings with what a classifier does to the columns of the data."""
    if settings.data.scaling is not None:
        return settings
    found = _scaling(settings.data, settings.estimate.scaling, may_be_on_nodes(settings))
    return replace(settings, data=replace(settings.data, scaling=found))


@step
def _scaling(data: DataSpec, asked: str | None, open_: bool) -> fit.Scaling | None:
    drawn = points.sample(data)
    return fit.Scaling.of(drawn.X, drawn.weights, asked, open_)


def of_functions(settings: Settings) -> Settings:
    """Settings with numbers for an estimate with kernel functions, where theirs is on the nodes."""
    if not settings.chosen.nodes:
        return settings
    names = settings.chosen.report.names
    lam = AUTO if "lam" in names else settings.estimate.lam
    open_ = settings.change(operator=AUTO, p=AUTO, sigma=AUTO, mu=AUTO, lam=lam, passes=0)
    return for_labels(replace(open_, chosen=Chosen()))


def _required(settings: Settings) -> tuple[int, ...] | None:
    """The labelled rows, where the energy is chosen and sees not all rows."""
    n = len(points.sample(settings.data).X)
    if settings.energy.operator != AUTO or n <= fit.few_labels.MOST_NODES:
        return None
    index = points.labelled(settings.data, settings.labels).index
    return tuple(sorted(int(i) for i in index if i >= 0))


def for_modes(settings: Settings) -> Settings:
    """The settings with numbers, as an embedding chooses them; its energy is the ambient one."""
    settings = named(settings)
    data, asked = settings.data, settings.space.relevant()
    space, report = once(
        ("space", data, asked), lambda: fit.plans.of_space(points.sample(data).X, asked)
    )
    made = replace(settings, space=space)
    if settings.view.form != "dirichlet":  # no μ
        given = settings.energy.mu
        return replace(made, chosen=Chosen(report)).change(mu="floor" if given == AUTO else given)
    mu, reason = method(made).mu_and_reason()
    if isinstance(settings.energy.mu, str):
        report = report.choose("mu", mu, reason)
    return replace(made.change(mu=mu), chosen=Chosen(report))


def may_be_on_nodes(settings: Settings) -> bool:
    """Whether all functions on a graph's nodes are fitted, if that graph is to be trusted."""
    return fit.plans.is_fully_automatic(
        settings.space.relevant(), settings.energy, settings.estimate
    )


def estimate_of(settings: Settings) -> EstimateSpec:
    """The estimate's specification with its balance and passes, which need no look at the data."""
    return fit.plans.with_balance(settings.estimate, settings.energy.operator == AUTO)[0]


def named(settings: Settings) -> Settings:
    """The settings with an energy, where eigenfunctions need one."""
    return settings.change(operator="laplacian") if settings.energy.operator == AUTO else settings


# Classes from labels.


def problem(settings: Settings, sites: Sites | None = None) -> fit.Problem:
    """The classification problem of settings with numbers everywhere; from the nodes of a graph
    its functions are extended to the sites once."""
    asked = _asked(settings), _shared(settings.estimate)
    on_nodes = sites is not None and settings.chosen.nodes
    return _problem(*asked, sites) if on_nodes else _problem(*asked)


def _asked(settings: Settings) -> tuple:
    """What :func:`lapviz.fit.problem` takes besides the estimate."""
    chosen = settings.chosen
    operator = AUTO if chosen.automatic else settings.operator
    energy = replace(settings.energy, operator=operator)
    space = settings.space.relevant()
    if chosen.nodes:
        energy = replace(energy, mu=AUTO)
        space = replace(space, n_landmarks=AUTO, bandwidth=AUTO)
    return rows(settings.data), chosen.required, space, energy


def _shared(spec: EstimateSpec) -> EstimateSpec:
    """What of an estimate its problem depends on."""
    its = EstimateSpec(data_term=spec.data_term, fit_intercept=spec.fit_intercept)
    if not spec.n_passes:
        return its
    return replace(its, n_passes=1, balance=spec.balance, filter=spec.filter)


@step
def _problem(asked: tuple, estimate: EstimateSpec, sites: Sites | None = None) -> fit.Problem:
    """What all labels share, with what passes need if there are to be any."""
    if sites is not None:
        made = _problem(asked, estimate)
        return replace(made, space=made.space.extended_to(sites.X))
    made = _fit_problem(asked, estimate)
    if estimate.n_passes and not estimate.fit_intercept:
        made.prepare_passes()  # here, for a cache that counts bytes
    return made


def _fit_problem(asked: tuple, estimate: EstimateSpec) -> fit.Problem:
    sample, required, space, energy = asked
    return fit.problem(sample, np.array(required or (), dtype=int), space, energy, estimate)


def solution(settings: Settings) -> Timed:
    """The kernel Laplacian's estimate, a :class:`lapviz.fit.Solution`, and the time of a fit."""
    return _solution(_asked(settings), method(settings), settings.estimate, settings.labels)


@step
def _solution(asked: tuple, its: fit.Galerkin, spec: EstimateSpec, labels: LabelSpec) -> Timed:
    data, made = asked[0].name, _problem(asked, _shared(spec))
    given = points.labelled(data, labels)
    shares = given.shares(points.sample(data).n_classes)

    def solve() -> fit.Solution:
        if made.plan.nodes:  # their time is part of a fit's
            its.operator  # noqa: B018
        else:
            its.solver(spec.data_term, spec.fit_intercept)
        return made.solve(fit.Labels(given.X, shares, given.index), spec)

    return timed(solve)


def report(settings: Settings) -> fit.Report:
    """What was chosen, and what became of the passes, if there are any."""
    said = settings.chosen.report
    try:
        return (
            solution(settings).value.verdict.reported(said) if settings.estimate.n_passes else said
        )
    except ValueError:  # the panel says why
        return said


def disambiguated(settings: Settings, given: Labelled) -> Timed:
    """The smoothest estimate that agrees with every label's candidates (SSL21 A.2).

    Labels that allow every class say nothing and are left out.

    Raises
    ------
    ValueError
        If λ is 0, or no label rules out a class.
    """
    n_classes, spec = points.sample(settings.data).n_classes, settings.estimate
    allowed = given.candidates(n_classes)
    tells = ~allowed.all(axis=1)
    if not tells.any():
        raise ValueError("Every label allows every class: give at least one point fewer of them.")
    its, asked = points.label_weights(settings.data, given), method(settings)

    def solve() -> partial_labels.Disambiguation:
        factor = asked.solver(constant=spec.fit_intercept)
        phi = asked.assembled(spec.fit_intercept).space.phi(given.X[tells])
        codes = estimates.class_codes(np.arange(n_classes), n_classes)
        weights = None if its is None else its[tells]
        return partial_labels.disambiguate(
            factor, phi, allowed[tells], codes, spec.lam, weights=weights
        )

    return timed(solve)


# Kernel ridge on the labels alone.


def ridge(settings: Settings, given: Labelled) -> Timed:
    """Coefficients (m, k) of k(·, x_j), ridge λμ."""
    asked = method(settings)
    targets = given.targets(points.sample(settings.data).n_classes)
    its, lam = points.label_weights(settings.data, given), settings.estimate.lam
    kernel, mu = asked.kernel, asked.mu
    return timed(lambda: fit.ridge(kernel, given.X, targets, lam, mu, its))


def ridge_forms(settings: Settings) -> forms.Forms:
    """Forms of k(·, x_j) at the labels, for the energy of kernel ridge: λ does not change them."""
    return _ridge_forms(method(settings), settings.data, settings.labels)


@step
def _ridge_forms(asked: fit.Galerkin, data: DataSpec, labels: LabelSpec) -> forms.Forms:
    at_labels = KernelSpace(asked.kernel, points.labelled(data, labels).X, constant=False)
    X, its = asked.sample.load()
    return operators.assemble(at_labels, X, asked.operator, sample_weight=its)


@step
def label_columns(
    asked: fit.Galerkin, constant: bool, data: DataSpec, labels: LabelSpec, sites: Sites
) -> tuple[Array, Array]:
    """Representers G(·, x_j) of the labels at the sites (n_sites, m), and their Gram matrix."""
    factor, space = asked.solver(constant=constant), asked.assembled(constant).space
    W = factor.whiten(space.phi(points.labelled(data, labels).X))
    c = factor.coefficients(W, np.zeros(W.shape[1]))
    return space.evaluate(sites.X, c), W.T @ W
