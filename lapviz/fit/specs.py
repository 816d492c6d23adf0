"""Specifications of a fit as small frozen records, with every parameter described once.

They have the estimators' own parameter names, and each step of :mod:`lapviz.fit.galerkin` takes
exactly those that it needs. Unless they contain arrays or random generators they are hashable, so
that a cache can use them as keys. Estimators take their validation from the descriptions, and the
explorer its controls, URL keys and help texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from lapviz import graphs, kernels, operators
from lapviz.checks import as_python, stack_level
from lapviz.contract import CONTRACT
from lapviz.estimates import data_terms, filters
from lapviz.parameters import AUTO, Parameter, described, descriptions, parameter
from lapviz.spaces import landmarks

_LAM = CONTRACT["knobs"]["lam"]  # shared with saved pages, which run without Python
_BANDWIDTH = Parameter(
    "bandwidth", "Reach σ",
    "More lets one test function reach further, in the units of the data: the kernel's width. Too "
    "little and nothing is shared between points; too much and all detail is lost.",
    "auto", "σ", low=0, closed="neither", auto=True,
)  # fmt: skip


class IgnoredParameterWarning(UserWarning):
    """Warning that a parameter was set which has no effect in combination with the others."""


@dataclass(frozen=True)
class Spec:
    """Base of the specifications."""

    @classmethod
    def of(cls, estimator: object) -> Self:
        """The specification given by an object's attributes; defaults for those it lacks."""
        return cls(
            **{f.name: as_python(getattr(estimator, f.name, f.default)) for f in fields(cls)}
        )

    def unused(self) -> Iterator[tuple[str, str]]:
        """Pairs (parameter, reason) of parameters without effect in this combination."""
        return iter(())

    def relevant(self) -> Self:
        """The same with defaults for parameters that have no effect, as a key for caches."""
        return type(self)(**Spec.arguments(self))

    def arguments(self) -> dict[str, Any]:
        """The fields that have an effect in this combination, as estimators take them."""
        unused = {name for name, _ in self.unused()}
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in unused}


@dataclass(frozen=True)
class SpaceSpec(Spec):
    """The trial space: kernel functions at landmarks, or random waves."""

    kernel: Any = parameter(
        "gaussian", "Kernel",
        "Shape of the test functions k(·, c). The Gaussian is smoothest; the exponential follows "
        "finer detail.",
        names=kernels.REGISTRY.keys, more=(kernels.Kernel,),
    )  # fmt: skip
    bandwidth: Any = described(_BANDWIDTH)
    degree: int = described(kernels.parameters("polynomial")[0])
    kernel_params: Any = parameter(
        None, "Shape of the kernel",
        "Further parameters of the kernel's class by name, the degree of a polynomial for example.",
        kind="options",
    )  # fmt: skip
    n_landmarks: Any = parameter(
        "auto", "Detail p",
        "More resolves more detail and costs p² memory: how many kernel functions span the trial "
        "space (at most one per sample, but for random waves).",
        kind="integer", symbol="p", low=1, auto=True,
    )  # fmt: skip
    landmarks: Any = parameter(
        "stratified", "Landmarks",
        "How the centres of the test functions are picked among the samples: one from each cell of "
        "a tree (stratified, no gaps), uniformly at random, far apart (k-means++), or by leverage "
        "scores. Random waves have no centres.",
        names=landmarks.RULES.new_child({"fourier": None}).keys, more=("array-like",),
    )  # fmt: skip
    random_state: Any = parameter(
        None, "Seed", "Everything random follows this number: data, labels and landmarks.",
        kind="seed",
    )  # fmt: skip

    def __post_init__(self):
        try:  # a dict, as estimators have it; its names are texts
            params = sorted(dict(**dict(self.kernel_params or ())).items())
        except (TypeError, ValueError):
            raise ValueError(
                f"kernel_params must be a dict of a kernel's parameters by name, got "
                f"{self.kernel_params!r}."
            ) from None
        if getattr(self.landmarks, "shape", None) == ():
            raise ValueError("landmarks must be the name of a rule or points, not a single number.")
        object.__setattr__(self, "kernel_params", tuple(params) or None)

    def arguments(self):
        """The same, with the kernel's own parameters in ``kernel_params``."""
        shape = {} if isinstance(self.kernel, kernels.Kernel) else self.kernel_options
        plain = {name: value for name, value in super().arguments().items()
                 if name not in ("degree", "kernel_params")}  # fmt: skip
        return plain | ({"kernel_params": shape} if shape else {})

    @property
    def kernel_options(self) -> dict[str, Any]:
        """The named kernel's own parameters; ``kernel_params`` takes precedence over ``degree``."""
        params = dict(self.kernel_params or ())
        if own := {"kernel", "bandwidth"} & set(params):
            raise ValueError(f"kernel_params holds {min(own)!r}: it is a parameter by itself.")
        own_parameters = kernels.parameters(self.kernel)
        options = {p.name: getattr(self, p.name, p.default) for p in own_parameters}
        return options | params

    def unused(self):
        if isinstance(self.kernel, kernels.Kernel):
            if self.bandwidth != self.kernel.bandwidth:
                yield "bandwidth", "a kernel object has its own bandwidth."
            yield "degree", "a kernel object has its own options."
            yield "kernel_params", "a kernel object has its own options."
        else:
            names = [p.name for p in kernels.parameters(self.kernel)]
            if "degree" not in names:
                yield "degree", f"the {self.kernel} kernel has none."
            elif "degree" in dict(self.kernel_params or ()):
                yield "degree", "kernel_params holds it."
        if not isinstance(self.landmarks, str):
            yield "n_landmarks", "the landmarks are given."


@dataclass(frozen=True)
class EnergySpec(Spec):
    """The energy E_n‖∇g‖² + μ‖g‖²_H, with the derivatives selected by the operator."""

    operator: Any = parameter(
        "laplacian", "Gradient",
        "Which derivatives the energy counts. The ambient gradient also punishes change across a "
        "noisy curve; tangents, learnt from the data by local PCA or known as on a sphere, do not.",
        names=operators.names,
    )  # fmt: skip
    mu: Any = parameter(
        "auto", "Stability μ",
        "More keeps the functions calmer where there is no data: the weight of the squared RKHS "
        "norm beside the energy.",
        kind="real", symbol="μ", low=0, auto=True, words=("floor",),
    )  # fmt: skip


@dataclass(frozen=True)
class EstimateSpec(Spec):
    """The estimate from labels; in a classifier λ, balance and passes may be "auto"."""

    lam: float = parameter(
        1.0, _LAM["label"], _LAM["help"],
        symbol=_LAM["symbol"], low=0,
    )  # fmt: skip
    filter: Any = parameter(
        "tikhonov", "Filter", "How frequencies γ are damped by λ.",
        symbol="h", names=filters.REGISTRY.keys, more=(filters.Filter,),
    )  # fmt: skip
    data_term: str = parameter(
        "labelled", "Data term",
        "Where the squared error is measured: on the labelled points (the papers' figures) or over "
        "all samples, in frequency form; or nowhere, with labels as sources (Poisson).",
        names=data_terms.TERMS.keys,
    )  # fmt: skip
    fit_intercept: bool = parameter(
        False, "Unpenalised constant",
        "Put the constant into the trial space of the estimate. Natural, but with few labels it "
        "can flip whole clusters: try it on the four circles.",
    )  # fmt: skip
    balance: str | None = parameter(
        None, "Class balance",
        "Match the class proportions over the sample to those of the labels: multiply each class's "
        "share, or shift its score.",
        names=lambda: ("scale", "shift"), more=(None,),
    )  # fmt: skip
    n_passes: int = parameter(
        0, "Passes",
        "How often every point is assigned its class and the estimate is computed again from these "
        "classes and the labels: boundaries move to where little of the data is.",
        low=0,
    )  # fmt: skip
    class_prior: tuple[float, ...] | None = parameter(
        None, "Class proportions",
        "Numbers in the order of the classes, such as 3, 1, 2, if you know how often each occurs. "
        "Passes and class balance then match them; otherwise proportions are estimated.",
        kind="array",
    )  # fmt: skip
    linear: bool = parameter(
        True, "Linear part",
        "With an energy chosen from the data, and passes: combine the estimate with a logistic "
        "regression, as far as held-out labels support it. With one label of each class this has "
        "no effect.",
    )  # fmt: skip
    scaling: str | None = parameter(
        "auto", "Scaling of columns",
        "Whether columns are standardised first. From the data: they are if everything else is "
        "chosen automatically, and half of the columns are narrower than a twentieth of the "
        "widest; in a regression also if the values are likelier then.",
        names=lambda: ("standard",), more=(None,), auto=True,
    )  # fmt: skip

    def __post_init__(self):
        prior = self.class_prior
        if prior is None:
            return
        index = list(getattr(prior, "index", ())) if hasattr(prior, "iloc") else None
        if isinstance(prior, Mapping) or (index is not None and index != list(range(len(index)))):
            raise ValueError(
                "class_prior must be a list or an array in the order of the sorted classes: of a "
                "Series pass .sort_index().to_numpy(), of a dict the values in that order."
            )
        values = np.atleast_1d(np.asarray(prior, dtype=object)).tolist()
        object.__setattr__(self, "class_prior", tuple(map(as_python, values)))  # hashable

    def unused(self):
        if self.balance is None:
            yield "class_prior", "without a balance, proportions are not matched."
            if self.n_passes:
                yield "n_passes", "passes need a balance, such as balance='scale'."
        passes = self.balance is not None and self.n_passes not in (0, AUTO)
        for name in data_terms.TERMS[self.data_term].unused:
            if not (passes and name == "lam"):  # passes weigh their own energy by λ
                yield name, f"data_term={self.data_term!r} has no use for it."


@dataclass(frozen=True)
class GraphSpec(Spec):
    """The graph baseline."""

    method: str = parameter(
        "harmonic", "Graph method", "Harmonic functions clamp the labels; spreading softens them.",
        names=lambda: ("harmonic", "spreading"),
    )  # fmt: skip
    graph: str = parameter(
        "knn", "Graph",
        "Weights of the graph Laplacian: nearest neighbours with self-tuning widths, or all pairs "
        "with a Gaussian of width σ.",
        names=lambda: ("knn", "dense"),
    )  # fmt: skip
    n_neighbors: int = parameter(
        10, "Graph neighbours", "Neighbours of each node in the k-NN graph.",
        symbol="k", low=1,
    )  # fmt: skip
    weights: str = parameter(
        "self-tuning", "Graph weights",
        "Weights of the k-NN graph: exp(−4r²/r_k²), the same times the share of common neighbours, "
        "exp(−r²/2σ²) or 1.",
        names=lambda: graphs.WEIGHTS,
    )  # fmt: skip
    bandwidth: Any = described(_BANDWIDTH)
    alpha: float = parameter(
        0.99, "Spreading α",
        "Share that a node takes from its neighbours; the rest from its own label.",
        symbol="α", low=0, high=1, closed="neither",
    )  # fmt: skip

    @property
    def needs_bandwidth(self) -> bool:
        """Whether σ is used."""
        return self.graph == "dense" or self.weights == "gaussian"

    def unused(self):
        if self.graph == "dense":
            yield "n_neighbors", "a dense graph joins all pairs."
            yield "weights", "a dense graph has Gaussian weights."
        if not self.needs_bandwidth:
            yield "bandwidth", f"{self.weights} weights of a k-NN graph have no σ."
        if self.method == "harmonic":
            yield "alpha", "harmonic functions clamp the labels."


SPECS = SpaceSpec, EnergySpec, EstimateSpec, GraphSpec
PARAMETERS = {p.name: p for spec in SPECS for p in descriptions(spec)}


def warn_ignored(*specs: Spec) -> None:
    """Warn, in one text, of all parameters that were set and have no effect."""
    unused = (
        (name, getattr(spec, name), getattr(type(spec), name), reason)
        for spec in specs
        for name, reason in spec.unused()
    )
    sentences = [
        f"{name}={dict(value) if name == 'kernel_params' else value!r} is ignored: {reason}"
        for name, value, default, reason in unused
        if value != AUTO and value != default
    ]
    if sentences:
        warnings.warn(" ".join(sentences), IgnoredParameterWarning, stacklevel=stack_level())
