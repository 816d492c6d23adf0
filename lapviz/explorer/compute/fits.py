"""The fits of a page: :mod:`lapviz.fit` with the explorer's cache as its memo.

Everything behind a picture is computed from settings without "auto". On the Labels page
:func:`for_labels` replaces it by numbers, as :class:`lapviz.LaplacianClassifier` does; on the
Eigenfunctions page :func:`for_modes` does, as :class:`lapviz.GalerkinEmbedding`. Nothing here
imports Streamlit.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from lapviz import estimates, fit, forms, operators
from lapviz.bilinear import orthonormal_basis
from lapviz.estimates import partial as partial_labels
from lapviz.explorer.compute import points
from lapviz.explorer.compute.cache import Timed, memo, once, step, timed
from lapviz.explorer.compute.points import Labelled, Sites
from lapviz.explorer.settings.records import ALONE, AUTO, Chosen, Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import EstimateSpec
from lapviz.spaces import KernelSpace

Array = np.ndarray

RICHER = 0.8  # right landmarks for each independent left function of a first-order form


# Steps without labels.


def rows(data: DataSpec) -> fit.Sample:
    """Points of a fit, loaded on demand."""

    def load():
        dataset = points.sample(data)
        return dataset.X, dataset.weights

    return fit.Sample(data, load, memo)


def method(settings: Settings) -> fit.Galerkin:
    """Trial space and energy of settings whose operator is not "auto"."""
    energy = replace(settings.energy, operator=settings.operator)
    sample = fit.plans.nodes(rows(settings.data), settings.chosen.required)
    return fit.Galerkin(sample, settings.space.relevant(), energy)


@step
def landmarks_of_right(left: fit.Galerkin) -> int:
    """Number of landmarks of the right test functions of a first-order form.

    Half of the left ones, and fewer where these are nearly dependent: the left space would not be
    the larger one, and right functions whose images it lacks get small singular values.
    """
    half = -(-left.space.n_landmarks // 2)
    n_independent = orthonormal_basis(left.trial_space(), left.sample.X).shape[1]
    return min(half, math.ceil(RICHER * n_independent))


def operator(data: DataSpec, spec: object) -> object:
    """Operator on all samples, with what it learns from them."""
    return fit.Galerkin(rows(data), fit.SpaceSpec(), fit.EnergySpec(spec)).operator


# What the data choose.


def for_labels(settings: Settings) -> Settings:
    """Replace "auto" by numbers, as :class:`lapviz.LaplacianClassifier` chooses them.

    Raises
    ------
    ValueError
        If a number cannot be chosen.
    """
    settings = scaled(settings)
    requested = settings.estimate
    lam = AUTO if requested.lam == AUTO else EstimateSpec.lam
    labels = points.labelled(settings.data, settings.labels)
    # The plan does not depend on a λ that is a number.
    n_passes = 0 if settings.labels.partial else requested.n_passes
    estimate = replace(requested, lam=lam, n_passes=n_passes)
    energy = replace(settings.energy, operator=settings.operator)
    specs = rows(settings.data), _required(settings), settings.space.relevant(), energy
    plan = once(("plan", specs, estimate), lambda: _fit_problem(specs, estimate).plan)
    plan = plan.for_labels(len(labels.labels), points.sample(settings.data).n_classes)
    estimate = replace(plan.estimate, n_passes=passes_of(settings))
    estimate = estimate if lam == AUTO else replace(estimate, lam=requested.lam)
    resolved = replace(settings, space=plan.space, estimate=estimate)
    resolved = resolved.change(mu=plan.energy.mu)
    if plan.automatic:
        resolved = resolved.change(operator="graph", also=ALONE)
        resolved = replace(resolved, graph_energy=plan.energy.operator)
    report = plan.report
    if requested.scaling == AUTO and settings.data.scaling is not None:
        report = settings.data.scaling.reported(report)
    return replace(resolved, chosen=Chosen(report, plan.automatic, plan.required, plan.nodes))


def scaled(settings: Settings) -> Settings:
    """Settings whose data are scaled as a classifier scales the columns."""
    if settings.data.scaling is not None:
        return settings
    scaling = _scaling(settings.data, settings.estimate.scaling, may_be_on_nodes(settings))
    return replace(settings, data=replace(settings.data, scaling=scaling))


@step
def _scaling(data: DataSpec, requested: str | None, on_nodes: bool) -> fit.Scaling | None:
    dataset = points.sample(data)
    return fit.Scaling.of(dataset.X, dataset.weights, requested, on_nodes)


def for_kernel_functions(settings: Settings) -> Settings:
    """Settings with numbers for kernel functions, where the plan fits functions on the nodes."""
    if not settings.chosen.nodes:
        return settings
    names = settings.chosen.report.names
    lam = AUTO if "lam" in names else settings.estimate.lam
    automatic = settings.change(operator=AUTO, p=AUTO, sigma=AUTO, mu=AUTO, lam=lam, passes=0)
    return for_labels(replace(automatic, chosen=Chosen()))


def _required(settings: Settings) -> tuple[int, ...] | None:
    """Labelled rows, where an automatic energy is over a subsample of the rows; else None."""
    n = len(points.sample(settings.data).X)
    if settings.energy.operator != AUTO or n <= fit.few_labels.MOST_NODES:
        return None
    index = points.labelled(settings.data, settings.labels).index
    return tuple(sorted(int(i) for i in index if i >= 0))


def for_modes(settings: Settings) -> Settings:
    """Replace "auto" by numbers, as :class:`lapviz.GalerkinEmbedding` chooses them."""
    settings = with_energy(settings)
    data, requested = settings.data, settings.space.relevant()
    space, report = once(
        ("space", data, requested),
        lambda: fit.plans.of_space(points.sample(data).X, requested, modes=True),
    )
    resolved = replace(settings, space=space)
    if settings.view.form != "dirichlet":  # no μ
        mu = "floor" if settings.energy.mu == AUTO else settings.energy.mu
        return replace(resolved, chosen=Chosen(report)).change(mu=mu)
    mu, reason = method(resolved).mu_and_reason()
    if isinstance(settings.energy.mu, str):
        report = report.choose("mu", mu, reason)
    return replace(resolved.change(mu=mu), chosen=Chosen(report))


def may_be_on_nodes(settings: Settings) -> bool:
    """Whether all functions on the nodes of a graph are fitted, if that graph is reliable."""
    return fit.plans.is_fully_automatic(
        settings.space.relevant(), settings.energy, settings.estimate
    )


def estimate_of(settings: Settings) -> EstimateSpec:
    """Specification of the estimate with balance and passes, which do not depend on the data."""
    return fit.plans.with_balance(settings.estimate, settings.energy.operator == AUTO)[0]


def passes_of(settings: Settings) -> int:
    """Number of passes (MBO iterations); none without a balance, or if labels have several
    candidates."""
    spec = estimate_of(settings)
    return 0 if settings.labels.partial or spec.balance is None else spec.n_passes


def with_energy(settings: Settings) -> Settings:
    """Settings with the ambient energy in place of an automatic one: eigenfunctions need one."""
    return settings.change(operator="laplacian") if settings.energy.operator == AUTO else settings


# Classes from labels.


def problem(settings: Settings, sites: Sites | None = None) -> fit.Problem:
    """Classification problem of settings with numbers.

    Functions on the nodes of a graph are extended to the sites once.
    """
    key = _problem_key(settings), _shared(settings.estimate)
    on_nodes = sites is not None and settings.chosen.nodes
    return _problem(*key, sites) if on_nodes else _problem(*key)


def _problem_key(settings: Settings) -> tuple:
    """Arguments of :func:`lapviz.fit.problem` without the estimate."""
    chosen = settings.chosen
    operator = AUTO if chosen.automatic else settings.operator
    energy = replace(settings.energy, operator=operator)
    space = settings.space.relevant()
    if chosen.nodes:
        energy = replace(energy, mu=AUTO)
        space = replace(space, n_landmarks=AUTO, bandwidth=AUTO)
    return rows(settings.data), chosen.required, space, energy


def _shared(spec: EstimateSpec) -> EstimateSpec:
    """The part of an estimate's specification on which its problem depends."""
    shared = EstimateSpec(data_term=spec.data_term, fit_intercept=spec.fit_intercept)
    if not spec.n_passes:
        return shared
    return replace(shared, n_passes=1, balance=spec.balance, filter=spec.filter)


@step
def _problem(key: tuple, estimate: EstimateSpec, sites: Sites | None = None) -> fit.Problem:
    """What all label sets share, with what passes need if there are any."""
    if sites is not None:
        problem = _problem(key, estimate)
        return replace(problem, space=problem.space.extended_to(sites.X))
    problem = _fit_problem(key, estimate)
    if estimate.n_passes and not estimate.fit_intercept:
        problem.prepare_passes()  # now, so that the cache counts their bytes
    return problem


def _fit_problem(key: tuple, estimate: EstimateSpec) -> fit.Problem:
    sample, required, space, energy = key
    return fit.problem(sample, np.array(required or (), dtype=int), space, energy, estimate)


def solution(settings: Settings) -> Timed:
    """Estimate of the kernel Laplacian (:class:`lapviz.fit.Solution`) with the time of a fit."""
    return _solution(_problem_key(settings), method(settings), settings.estimate, settings.labels)


@step
def _solution(key: tuple, galerkin: fit.Galerkin, spec: EstimateSpec, labels: LabelSpec) -> Timed:
    data, problem = key[0].name, _problem(key, _shared(spec))
    labelled = points.labelled(data, labels)
    shares = labelled.shares(points.sample(data).n_classes)

    def solve() -> fit.Solution:
        if problem.plan.nodes:  # prepare what a fit needs, so that its time counts
            galerkin.operator  # noqa: B018
        else:
            galerkin.solver(spec.data_term, spec.fit_intercept)
        return problem.solve(fit.Labels(labelled.X, shares, labelled.index), spec)

    return timed(solve)


def report(settings: Settings) -> fit.Report:
    """Report of what was chosen, and of the outcome of the passes, if there are any."""
    try:
        return solution(settings).value.verdict.reported(settings.chosen.report)
    except ValueError:  # the panel says why
        return settings.chosen.report


def disambiguated(settings: Settings, labels: Labelled) -> Timed:
    """Smoothest estimate consistent with the candidates of every label (SSL21 A.2).

    Labels that allow every class carry no information and are left out.

    Raises
    ------
    ValueError
        If λ is 0, or no label rules out a class.
    """
    n_classes, spec = points.sample(settings.data).n_classes, settings.estimate
    allowed = labels.candidates(n_classes)
    informative = ~allowed.all(axis=1)
    if not informative.any():
        raise ValueError("Every label allows every class: give at least one point fewer of them.")
    row_weights, galerkin = points.weights_at(settings.data, labels.index), method(settings)

    def solve() -> partial_labels.Disambiguation:
        factor = galerkin.solver(constant=spec.fit_intercept)
        phi = galerkin.assembled(spec.fit_intercept).space.phi(labels.X[informative])
        codes = estimates.class_codes(np.arange(n_classes), n_classes)
        weights = None if row_weights is None else row_weights[informative]
        return partial_labels.disambiguate(
            factor, phi, allowed[informative], codes, spec.lam, weights=weights
        )

    return timed(solve)


# Kernel ridge on the labels alone.


def ridge(settings: Settings, labels: Labelled) -> Timed:
    """Coefficients (m, k) of k(·, x_j), for the ridge λμ."""
    galerkin = method(settings)
    targets = labels.targets(points.sample(settings.data).n_classes)
    weights, lam = points.weights_at(settings.data, labels.index), settings.estimate.lam
    kernel, mu = galerkin.kernel, galerkin.mu
    return timed(lambda: estimates.ridge_on_labels(kernel, labels.X, targets, lam * mu, weights))


@step
def ridge_forms(galerkin: fit.Galerkin, data: DataSpec, labels: LabelSpec) -> forms.Forms:
    """Forms of k(·, x_j) at the labels, for the energy of kernel ridge; independent of λ."""
    at_labels = KernelSpace(galerkin.kernel, points.labelled(data, labels).X, constant=False)
    X, weights = galerkin.sample.load()
    return operators.assemble(at_labels, X, galerkin.operator, sample_weight=weights)


@step
def label_columns(
    galerkin: fit.Galerkin, constant: bool, data: DataSpec, labels: LabelSpec, sites: Sites
) -> tuple[Array, Array]:
    """Representers G(·, x_j) of the labels at the sites (n_sites, m), and their Gram matrix."""
    factor, space = galerkin.solver(constant=constant), galerkin.assembled(constant).space
    W = factor.whiten(space.phi(points.labelled(data, labels).X))
    c = factor.coefficients(W, np.zeros(W.shape[1]))
    return space.evaluate(sites.X, c), W.T @ W
