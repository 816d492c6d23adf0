"""Specifications of a fit, and reports of automatic choices, as small frozen records.

They have the estimators' own parameter names, and each step of :mod:`lapviz.fit.galerkin` takes
exactly those that it needs. Unless they contain arrays or random generators they are hashable, so
that a cache can use them as keys.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from lapviz import kernels
from lapviz.checks import as_python, stack_level
from lapviz.estimates import data_terms
from lapviz.fit import parameters
from lapviz.parameters import AUTO, described


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

    kernel: Any = described(parameters.KERNEL)
    bandwidth: Any = described(parameters.BANDWIDTH)
    degree: int = described(parameters.DEGREE)
    kernel_params: Any = described(parameters.KERNEL_PARAMS)
    n_landmarks: Any = described(parameters.N_LANDMARKS)
    landmarks: Any = described(parameters.LANDMARKS)
    random_state: Any = described(parameters.RANDOM_STATE)

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

    operator: Any = described(parameters.OPERATOR)
    mu: Any = described(parameters.MU)


@dataclass(frozen=True)
class EstimateSpec(Spec):
    """The estimate from labels; in a classifier λ, balance and passes may be "auto"."""

    lam: float = described(parameters.LAM)
    filter: Any = described(parameters.FILTER)
    data_term: str = described(parameters.DATA_TERM)
    fit_intercept: bool = described(parameters.FIT_INTERCEPT)
    balance: str | None = described(parameters.BALANCE)
    n_passes: int = described(parameters.N_PASSES)
    class_prior: tuple[float, ...] | None = described(parameters.CLASS_PRIOR)
    linear: bool = described(parameters.LINEAR)
    scaling: str | None = described(parameters.SCALING)

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

    method: str = described(parameters.METHOD)
    graph: str = described(parameters.GRAPH)
    n_neighbors: int = described(parameters.N_NEIGHBORS)
    weights: str = described(parameters.WEIGHTS)
    bandwidth: Any = described(parameters.BANDWIDTH)
    alpha: float = described(parameters.ALPHA)

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


@dataclass(frozen=True)
class Choice:
    """One automatic choice: parameter, value and reason."""

    name: str
    value: object
    reason: str

    @property
    def shown(self) -> str:
        """The value as a short text."""
        return f"{self.value:.4g}" if isinstance(self.value, float) else str(self.value)

    def __str__(self) -> str:
        return f"{self.name} = {self.shown}: {self.reason}"


@dataclass(frozen=True)
class Report:
    """The automatic choices of a fit, in order; printed one per line."""

    choices: tuple[Choice, ...] = ()

    def choose(self, name: str, value: object, reason: str) -> Report:
        """The report with a choice, which replaces an earlier one for the same parameter."""
        chosen = {choice.name: choice for choice in self.choices}
        return Report(tuple({**chosen, name: Choice(name, value, reason)}.values()))

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, name: str) -> Choice:
        """The choice of a parameter.

        Raises
        ------
        KeyError
            If nothing was chosen for it.
        """
        for choice in self.choices:
            if choice.name == name:
                return choice
        raise KeyError(f"{name!r} was not chosen automatically, only {self.names} were.")

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that were chosen from the data."""
        return tuple(choice.name for choice in self.choices)

    def __str__(self) -> str:
        return "\n".join(map(str, self.choices)) or "Nothing was chosen from the data."
