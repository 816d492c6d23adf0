"""Kernel ridge, kernel Laplacian and graph Laplacian on the same labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import fit
from lapviz.estimates import decode, filters
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_LARGE
from lapviz.explorer.scene import sheet
from lapviz.explorer.scene.label_methods import (
    AVERAGED,
    GRAPH,
    INFIMUM,
    LAPLACIAN,
    METHODS,
    RIDGE,
    TITLES,
    Picture,
    Score,
    titles,
)
from lapviz.explorer.scene.next_point import Next, next_panel
from lapviz.explorer.scene.placement import about, drawn_rows, plane_of, slice_remark
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.markdown import Share
from lapviz.scenes import FilterChoice, Panel, Scene

# Names by which stories refer to the methods' accuracies.
_NUMBERS = {RIDGE: "ridge", LAPLACIAN: "laplacian", GRAPH: "graph", AVERAGED: "averaged",
            INFIMUM: "infimum"}  # fmt: skip


@dataclass(frozen=True, eq=False)
class LabelsView:
    """Everything that the Labels page shows."""

    scene: Scene
    scores: tuple[Score, ...]
    bandwidth: float
    settings: Settings  # with numbers in place of "auto"
    numbers: dict[str, float]  # for stories: accuracy of each method, and number of labels
    hints: tuple[Advice, ...] = ()
    next: Next | None = None

    @property
    def refused(self) -> dict[str, str]:
        """Why methods have no estimate, by their titles."""
        return {p.title: p.note for p in self.scene.panels if p.note and p.title in METHODS}


def labels_view(
    settings: Settings,
    hidden: frozenset[str] = frozenset(),
    light: bool = False,
    complete: bool = False,
) -> LabelsView | sheet.SheetView:
    """Compare three methods on the same labels.

    ``hidden`` names groups of controls; their tools on the stage are hidden as well. A ``light``
    view has only the fields, without the models with which the browser repaints them; these are
    ``complete`` where no Python will correct them, as far as a page holds them.
    """
    if sheet.is_empty(settings):
        tools = {"editable": "labels" not in hidden, "filters": filter_choices()}
        tools |= {"hide": _stage_tools(hidden), "first": TITLES.index(LAPLACIAN)}
        return sheet.sheet_view(settings, TITLES, "classes", hidden, **tools)
    requested_passes = fits.estimate_of(settings).n_passes
    settings = fits.for_labels(settings)
    data, plane = points.sample(settings.data), plane_of(settings)
    labelled = points.labelled(settings.data, settings.labels)
    rows, grid = drawn_rows(len(data.X), labelled), plane.grid(GRID_LARGE)
    picture = Picture(settings, labelled, rows, grid, plane, light, complete)
    results = [picture.shown(title) for title in titles(settings)]
    mu, bandwidth = picture.method.mu, picture.method.kernel.bandwidth
    panels = [panel for panel, _ in results]
    first = next(i for i, panel in enumerate(panels) if panel.title in (LAPLACIAN, AVERAGED))
    next_point = None
    if settings.query.criterion != "off":
        panel, next_point = next_panel(picture, panels[first])
        panels.append(panel)
    slow = "" if complete else _slow_tools(settings)
    remark = slow or _idle_tools(settings, requested_passes)
    scene = Scene(
        tuple(panels),
        **plane.frame(settings.data, rows, grid),
        kind="classes",
        classes=data.class_names,
        labels=tuple(p if p.off_sample else p.at(*plane.xy[p.index]) for p in labelled.labels),
        lam=settings.estimate.lam,
        mu=mu,
        filter=settings.estimate.filter,
        data_term=settings.estimate.data_term,
        remark=" ".join(filter(None, (remark, slice_remark(plane, settings)))),
        marked=None if next_point is None else next_point.row,
        editable="labels" not in hidden,
        free_labels=plane.flat,
        columns=len(panels) if len(panels) > 3 else 0,
        filters=filter_choices(),
        hide=_stage_tools(hidden),
        first=first,
        light=light,
        about=about(settings, bandwidth, mu),
        drawing=sheet.code_for_stage(settings, hidden),
    )
    scores = tuple(score for _, score in results) if labelled.labels else ()
    numbers = {_NUMBERS[s.method]: Share(s.accuracy) for s in scores if s.accuracy is not None}
    numbers["labels"] = len(labelled.labels)
    hints = () if light else label_hints(picture, panels[scene.first])
    if labelled.labels:
        chosen = replace(settings.chosen, report=fits.report(settings))
        settings = replace(settings, chosen=chosen)
    return LabelsView(scene, scores, bandwidth, settings, numbers, hints, next_point)


def _slow_tools(settings: Settings) -> str:
    """A sentence about panels that only the server computes; "" if there are none."""
    if points.weights(settings.data) is not None:
        return (
            "The rows have weights, which only the server uses: the panels follow λ and labels a "
            "moment later."
        )
    if settings.estimate.n_passes and not settings.estimate.fit_intercept:
        where = " on the nodes of the graph" if settings.chosen.nodes else ""
        return (
            f"The kernel Laplacian{where} iterates: a first estimate is thresholded and smoothed "
            "again, pass after pass. The server does this, so its panel follows λ and labels a "
            "moment later."
        )
    if settings.estimate.balance is not None and settings.estimate.class_prior is not None:
        return (
            "The class proportions are given, which only the server uses: the kernel Laplacian’s "
            "panel follows λ and labels a moment later."
        )
    return ""


def _idle_tools(settings: Settings, requested_passes: int) -> str:
    """A sentence about tools of the stage without effect; "" if all have one."""
    if settings.labels.partial and requested_passes:
        return "Labels of several candidate classes: there are no passes of thresholding."
    if dict(settings.estimate.unused()).keys() >= {"lam", "filter"}:
        method = "the infimum loss" if settings.labels.partial else "kernel ridge"
        return (
            "Labels are sources (Poisson): the kernel Laplacian uses neither λ nor the filter; "
            f"λ moves {method} only."
        )
    return ""


def _stage_tools(hidden: frozenset[str]) -> tuple[str, ...]:
    tools = {"labels": ["labels"], "regularisation": ["lam", "filter"]}
    return tuple(tool for group, names in tools.items() if group in hidden for tool in names)


def filter_choices() -> tuple[FilterChoice, ...]:
    """Every filter, with its formula for the browser."""
    rules = (filters.get(name) for name in filters.names())
    return tuple(FilterChoice(f.name, f.title, f.browser_formula()) for f in rules)


# The library's advice on few or badly placed labels and on features of different scales.


def points_hints(settings: Settings) -> tuple[Advice, ...]:
    """Advice on the features and on σ, for settings without "auto"."""
    all_advice = _points_advice(fits.method(settings), settings.data, settings.chosen.nodes)
    return tuple(filter(None, all_advice))


@step
def _points_advice(method: fit.Galerkin, data: DataSpec, nodes: bool) -> tuple[Advice | None, ...]:
    X, names = method.sample.X, np.array(points.sample(data).feature_names)
    features = advice.scales(X, names), advice.single_row(X, names)
    return features if nodes else (*features, advice.width(method.kernel, X, method.centres))


def label_hints(picture: Picture, panel: Panel) -> tuple[Advice, ...]:
    """All advice for the Labels page; ``panel`` is that of the kernel Laplacian."""
    settings, data, labelled = picture.settings, picture.data, picture.labelled
    hints = [*points_hints(settings)]
    if panel.note:
        return tuple(filter(None, hints))
    is_labelled = labelled.mask(len(data.X))
    scores = panel.points.T[~is_labelled[picture.rows]][: advice.SEEN]
    names, spec = np.array(data.class_names), settings.estimate
    given = fit.few_labels.given_proportions(spec.class_prior, data.n_classes)
    prior = given.shares if given else labelled.shares(data.n_classes).mean(axis=0)
    imposed = fits.solution(settings).value.verdict.proportions
    if imposed is not None and len(imposed) == len(prior):  # each class has a label
        prior = imposed
    predictions, has_prior = decode(scores), given is not None
    hints.append(
        advice.same_everywhere(scores, len(set(labelled.codes.tolist())))
        or advice.one_class(predictions, prior, names, spec.balance, has_prior)
    )
    problem = fits.problem(settings)
    is_labelled = is_labelled[problem.plan.rows]
    if len(is_labelled) <= advice.MOST_NODES:
        hints.append(advice.components(problem.weights, is_labelled))
    return tuple(filter(None, hints))
