"""What a story suggests to try: buttons that do it, and say which control does the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stories import presets
from lapviz.labels import Label


@dataclass(frozen=True)
class Try:
    """One step of a story.

    Attributes
    ----------
    text : str
        What it does, as its button says it.
    at : str
        The setting whose control does it by hand.
    change : callable
        The settings after it.
    act : {"", "play"}
        What the stage does besides.
    """

    text: str
    at: str
    change: Callable[[Settings], Settings]
    act: str = ""


def _set(text: str, at: str, **changes: object) -> Try:
    return Try(text, at, lambda settings: _start(settings).change(**changes))


def _start(settings: Settings) -> Settings:
    """Where a step begins, so that steps do not add up."""
    return presets.base_of(settings)


def _without_first_label(settings: Settings) -> Settings:
    settings = _start(settings)
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=given[1:])


def _next_seed(settings: Settings) -> Settings:
    return _start(settings).change(seed=settings.data.random_state + 1, marks=None)


def _true_labels(settings: Settings) -> Settings:
    """Every label with its true class alone."""
    settings = _start(settings)
    truth = points.sample(settings.data).y
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=tuple(Label(g.index, int(truth[g.index])) for g in given))


def _ask_the_truth(settings: Settings) -> Settings:
    """The point that the criterion asks for, with its true class."""
    following = labels_view(settings, light=True).next
    if following is None:
        return settings
    truth = following.row, following.truth
    return settings.change(marks=points.with_label(settings.data, settings.labels, *truth))


AMBIENT = _set("Ambient gradient", "operator", operator="laplacian")
TANGENT = _set("Learnt tangents", "operator", operator="tangent")
# By the story's name; a story without an entry has its sentence only.
TRIES: dict[str, tuple[Try, ...]] = {
    "circles": (
        Try("Sweep λ", "lam", lambda settings: settings, "play"),
        Try("Remove a label", "marks", _without_first_label),
        _set("Unpenalised constant", "intercept", intercept=True),
    ),
    "noisy-circles": (AMBIENT, TANGENT),
    "moons": (_set("p = 20", "p", p=20), _set("σ = 1", "sigma", sigma=1.0)),
    "hermite": (
        _set("n = 300", "n", n=300),
        _set("Polynomials of degree 3", "kernel", kernel="polynomial", kernel_params=()),
    ),
    "digits": (
        _set("One label per class", "per_class", per_class=1, marks=None),
        _set("Ambient gradient", "operator", operator="laplacian"),
    ),
    "sources": (
        _set("Least squares", "term", term="labelled"),
        _set("… with class masses", "balance", term="labelled", balance="scale"),
    ),
    "candidates": (Try("The true digits alone", "marks", _true_labels),),
    "next-label": (
        Try("Ask the truth", "marks", _ask_the_truth),
        _set("Choose by energy", "ask", ask="energy"),
    ),
    "stop": (
        _set("τ = 0.01", "tau", tau=0.01),
        _set("Noise 0.6", "noise", noise=0.6),
    ),
    "unlabelled": (
        _set("Leave them out", "unlabelled", unlabelled="ignore"),
        _set("Use them", "unlabelled", unlabelled="response"),
    ),
    "slopes": (_set("Slopes without weight", "weight", weight=0.0),),
    "exact": (_set("p = 20", "p", p=20), _set("n = 2,000", "n", n=2000)),
    "roll-values": (_set("Noise 0", "noise", noise=0.0), _set("Noise 1", "noise", noise=1.0)),
    "gaussians": (
        Try("Next seed", "seed", _next_seed),
        _set("n = 700", "n", n=700, marks=None),
        _set("k-NN graph", "graph", graph="knn"),
    ),
    "sphere": (AMBIENT, _set("Known tangents", "operator", operator="known")),
    "roll": (AMBIENT, TANGENT),
    "square": (
        _set("Graph Laplacian", "show", show="graph"),
        _set("Learnt operator", "show", show="learnt"),
    ),
    "methods": (
        _set("Graph Laplacian", "show", show="graph"),
        _set("Laplacian eigenmaps", "show", show="eigenmaps"),
        _set("n = 300", "n", n=300),
    ),
    "landmarks": (
        _set("Stratified", "landmarks", landmarks="stratified"),
        _set("k-means++", "landmarks", landmarks="kmeans++"),
        _set("Leverage scores", "landmarks", landmarks="leverage"),
    ),
    "rotation": (_set("n = 300", "n", n=300), _set("Noise 0.2", "noise", noise=0.2)),
    "ornstein": (
        _set("n = 1,000", "n", n=1000),
        _set("Gaussian kernel", "kernel", kernel="gaussian"),
    ),
    "invariances": (
        _set("Learnt tangents", "operator", operator="tangent", mu=1e-4),
        _set("Largest turn 30°", "turn", operator="invariance", mu=1e-3, turn=30.0),
    ),
    "single-points": (_set("μ = 0.01", "mu", mu=0.01), _set("σ = 16", "sigma", sigma=16.0)),
    "neural": (_set("Learning rate 0.001", "rate", rate=1e-3),),
}


def of(story: str) -> tuple[Try, ...]:
    """The steps of a story."""
    return TRIES.get(story, ())
