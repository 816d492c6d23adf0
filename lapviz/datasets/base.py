"""Base class of data sets: options and their validation, noise, labels, and the registry.

To add a data set, write a registered subclass of :class:`Generator` in one of the modules beside
this one: ``names()``, ``info()``, ``load()``, the explorer and the tests pick it up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from lapviz.checks import Refused, Registry
from lapviz.datasets.dataset import GROUPS, Dataset, Info, Option
from lapviz.datasets.truths import Truth
from lapviz.parameters import check_numbers, descriptions, parameter

Array = np.ndarray

N_TRUE = 32  # leading true eigenvalues that a data set carries

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_registry: Registry[type[Generator]] = Registry("data set", titled=True)


def generator(random_state: Any) -> np.random.Generator:
    """A numpy Generator from None, a non-negative int, a RandomState or a Generator."""
    if isinstance(random_state, np.random.RandomState):
        random_state = int(random_state.randint(np.iinfo(np.int32).max))
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    is_integer = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if is_integer and int(random_state) >= 0:
        return np.random.default_rng(int(random_state))
    raise ValueError(
        "random_state must be None, a whole number from 0 on, or a numpy random generator; "
        f"got {random_state!r}."
    )


def draw_labels(y: Array, per_class: int, random_state: Any = 0) -> Array:
    """Label ``per_class`` points of every class, drawn without replacement.

    Parameters
    ----------
    y : int array (n,)
        Class codes; negative ones (class unknown) are never labelled.
    per_class : int
        Labels per class, from 0; a class with fewer points has all of them labelled.
    random_state : None, int, RandomState or Generator
        With the same seed the labels are nested: a larger ``per_class`` only adds labels.

    Returns
    -------
    boolean array (n,)
        True where labelled.

    Raises
    ------
    ValueError
        If ``y`` is not a vector of integers, or ``per_class`` or the seed is invalid.
    """
    y = np.asarray(y)
    if y.ndim != 1 or not np.issubdtype(y.dtype, np.integer):
        raise ValueError("y must be a vector of whole class codes, one per point.")
    if isinstance(per_class, bool) or not isinstance(per_class, Integral) or per_class < 0:
        raise ValueError(
            f"The number of labels per class must be a whole number from 0 on; got {per_class!r}."
        )
    rng = generator(random_state)
    labelled = np.zeros(y.size, dtype=bool)
    for code in np.unique(y[y >= 0]):
        labelled[rng.permutation(np.flatnonzero(y == code))[:per_class]] = True
    return labelled


def option(default, low, high, label: str, help: str):
    """Declare a dataclass field as an option with a default, a range and a help text."""
    return parameter(default, label, help, low=low, high=high)


def streams(random_state) -> list[np.random.Generator]:
    """Independent random streams for points, noise and labels.

    So more noise moves the same points, and more labels keep the points and earlier labels.
    """
    return generator(random_state).spawn(3)


Registered = TypeVar("Registered", bound="type[Generator]")


def register(cls: Registered) -> Registered:
    """Register a generator under its ``name``, also in place of an older definition of it.

    Raises
    ------
    ValueError
        If the name is another's or missing, the title is another's or missing, there is no
        description, an option is no number, the group is not one of ``GROUPS``, or it has values
        and neither ``target`` nor ``observe``.
    """
    if cls.group not in GROUPS:
        groups = ", ".join(GROUPS)
        raise ValueError(f"The group of {cls.name!r} must be one of {groups}; got {cls.group!r}.")
    if cls.has_values and cls.target is Generator.target and cls.observe is Generator.observe:
        raise ValueError(
            f"{cls.__name__} has has_values = True: write target(self, X), which returns one value "
            "for each row of X."
        )
    for text in ("title", "description"):
        if not getattr(cls, text, ""):
            raise ValueError(f'{cls.__name__} needs a {text}: write {text} = "…" in the class.')
    check_numbers(cls.__name__, cls.options())
    _registry.add(cls)
    return cls


def registered() -> dict[str, type[Generator]]:
    """All generators by name, sorted by group and then by registration."""
    ordered = sorted(_registry.items(), key=lambda item: GROUPS.index(item[1].group))
    return dict(ordered)


@dataclass(frozen=True)
class Generator:
    """One data set. Subclasses define the class variables, ``n_features`` and ``points``."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    class_names: ClassVar[tuple[str, ...]] = ("class 0", "class 1")
    n_features: ClassVar[int] = 2
    n_samples: ClassVar[int] = 2000
    max_samples: ClassVar[int] = 100_000
    noise: ClassVar[float] = 0.0
    max_noise: ClassVar[float] = 0.5
    labels_per_class: ClassVar[int | None] = 2
    real: ClassVar[bool] = False
    group: ClassVar[str] = "Plane"
    image_shape: ClassVar[tuple[int, int] | None] = None
    has_values: ClassVar[bool] = False  # whether it defines `target`
    gradient: ClassVar[Callable[[Array], Array] | None] = None  # of `target`, if known
    credit: ClassVar[str] = ""  # source of real data
    licence: ClassVar[str] = ""
    note: ClassVar[str] = "No closed form is known for these eigenvalues."  # of `truth`
    standardised: ClassVar[bool] = False  # whether it has a field `raw` for features as measured

    def __post_init__(self) -> None:
        for option in self.options():
            value = getattr(self, option.name)
            try:
                option.checked(value)
            except Refused as error:
                raise ValueError(
                    f"The {option.name} of {self.name!r} {error}; got {value!r}."
                ) from None

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        return descriptions(cls)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple("x" + str(l + 1).translate(_SUBSCRIPTS) for l in range(self.n_features))

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw n noise-free points (n, d) and class codes (n,) of any integer or boolean type."""
        raise NotImplementedError(f"{type(self).__name__} needs a method points(self, n, rng).")

    def perturb(self, X: Array, noise: float, rng: np.random.Generator) -> Array:
        """Add independent normal noise to every coordinate."""
        return X + noise * rng.standard_normal(X.shape)

    def target(self, X: Array) -> Array:
        """The regression function at noise-free points (n, d): array (n,)."""
        raise NotImplementedError(f"{type(self).__name__} needs a method target(self, X).")

    def observe(self, X: Array, noise: float, rng: np.random.Generator) -> tuple[Array, Array]:
        """Noisy points (n, d) and values (n,) from noise-free ones; here noise moves points."""
        return self.perturb(X, noise, rng) if noise else X, self.target(X)

    def fixed_labels(self, n: int) -> Array | None:
        """Mask (n,) of the labels that are part of the data set, or None to draw them."""
        return None

    @staticmethod
    def pick(X: Array, y: Array, per_class: int, rng: np.random.Generator) -> Array:
        """Mask (n,) of ``per_class`` labels in every class, drawn with ``rng``."""
        return draw_labels(y, per_class, rng)

    def truth(self, noise: float) -> Truth:
        """Known eigenvalues, those without noise unless the note speaks of it, and Bayes error."""
        return Truth(note=self.note)

    def info(self) -> Info:
        names = (field.name for field in fields(Info) if field.name != "options")
        return Info(options=self.options(), **{name: getattr(self, name) for name in names})

    def check_samples(self, n_samples: int | None) -> int:
        if n_samples is None:
            return self.n_samples
        if isinstance(n_samples, bool) or not isinstance(n_samples, Integral) or n_samples < 1:
            raise ValueError(
                f"n_samples must be a whole number, at least 1 (or None for this data set's "
                f"own); got {n_samples!r}."
            )
        if self.real and n_samples > self.max_samples:
            raise ValueError(
                f"{self.name!r} has {self.max_samples} samples; {n_samples} were requested. "
                "Give a smaller number, or None for all."
            )
        return int(n_samples)

    def check_noise(self, noise: float | None) -> float:
        if noise is None:
            return self.noise
        is_number = isinstance(noise, Real) and not isinstance(noise, bool)
        if not is_number or not isfinite(noise) or noise < 0:
            raise ValueError(
                f"noise must be a finite number, at least 0 (or None for this data set's own); "
                f"got {noise!r}."
            )
        return float(noise)

    def load(self, n_samples, noise, random_state, labels_per_class) -> Dataset:
        n, noise = self.check_samples(n_samples), self.check_noise(noise)
        point_rng, noise_rng, label_rng = streams(random_state)
        drawn = self.points(n, point_rng)
        if not isinstance(drawn, tuple | list) or len(drawn) != 2:
            raise ValueError(
                f"points({n}) of {self.name!r} must return two arrays, the points and their "
                "classes: return X, y. Without classes, y is np.zeros(n, dtype=int)."
            )
        X, y = drawn[0], np.asarray(drawn[1])
        if y.dtype.kind not in "iubf" or (y.dtype.kind == "f" and (y % 1 != 0).any()):
            raise ValueError(
                f"The classes from points({n}) of {self.name!r} must be whole numbers, got "
                f"{str(y)[:60]}: return codes 0, 1, … and write the names into class_names."
            )
        y = y.astype(np.int64)  # a copy: real tables are cached
        n_classes = max(len(self.class_names), 1)
        fits = np.ndim(X) == 2 and y.shape == (len(X),) and y.max(initial=-1) < n_classes
        if not fits or not np.isfinite(X).all():
            raise ValueError(
                f"points({n}) of {self.name!r} must return rows of finite coordinates and as many "
                f"classes, numbered below {n_classes}."
            )
        if np.shape(X)[1] != self.n_features:
            raise ValueError(
                f"points({n}) of {self.name!r} returns rows of {np.shape(X)[1]} coordinates, and "
                f"its n_features is {self.n_features}: they must agree."
            )
        values = None
        if self.has_values:
            X, values = self.observe(X, noise, noise_rng)
            values = np.asarray(values)
            if values.shape != (len(X),):
                raise ValueError(
                    f"target of {self.name!r} must return one value for each of the {len(X)} rows: "
                    f"an array of shape ({len(X)},), got shape {values.shape}."
                )
        elif noise:
            X = self.perturb(X, noise, noise_rng)
        labelled = self.fixed_labels(len(y)) if labels_per_class is None else None
        if labelled is None:
            per_class = self.labels_per_class if labels_per_class is None else labels_per_class
            labelled = self.pick(X, y, cast(int, per_class), label_rng)
        truth = self.truth(noise)
        if not isinstance(truth, Truth):
            raise ValueError(
                f"truth of {self.name!r} must return a lapviz.datasets.truths.Truth, got "
                f"{str(truth)[:60]}: leave the method out if nothing is known."
            )
        if noise and truth.eigenvalues is not None and "noise" not in truth.note:
            remark = f" They belong to the noise-free set; noise {noise:g} moves them."
            truth = replace(truth, note=truth.note + remark)
        return Dataset(
            X=np.array(X, dtype=float, order="C"),
            y=y,
            labelled=labelled,
            name=self.name,
            truth=truth,
            class_names=self.class_names,
            feature_names=self.feature_names,
            image_shape=self.image_shape,
            values=values,
            target=self.target if self.has_values else None,
            gradient=self.gradient,
        )


class OfAnyDimension(Generator):
    """Base of data sets whose number of coordinates is the option ``dimension``."""

    dimension: int

    @property
    def n_features(self) -> int:
        return self.dimension
