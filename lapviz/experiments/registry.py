"""The registry of experiments: the base class, and access to all experiments by name.

An experiment is one class in one module of this folder; it needs no other registration:

    class Rates(Experiment):
        '''Eigenvalue error against n.

        What is shown, and what the measurements say: title and text are taken from here.
        '''

        name, source = "gal23-rates", "GAL23, Figure 3"
        settings = {"sizes": samples((50, 100, 200), 10, 10_000, 400)}
        small, paper = {"trials": 5}, {"sizes": (100, 1000, 10_000)}
        drawings = (Drawing("n", "error", colour="method", log_x=True, log_y=True),)
        grid = {"n": "sizes"}                     # independent tasks: trials × sizes

        def run(self, config, task, rng):         # rows of a tidy table
            return [{"method": "kernel", "error": ...}]

The runner adds the task's factors and trial to each row. Most experiments are of this form: a grid
of factors, and a measurement at each grid point. An experiment with other tasks defines ``tasks``.
"""

from __future__ import annotations

import hashlib
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from inspect import cleandoc
from itertools import product
from typing import Any, ClassVar

import numpy as np

from lapviz.charts import Drawing, Reference, Row, Slope
from lapviz.experiments.config import Config, Scalar, Setting, configuration, setting
from lapviz.experiments.rates import Finding, Ratios, Slopes

__all__ = [
    "Config",
    "Drawing",
    "Experiment",
    "Finding",
    "Reference",
    "Row",
    "Setting",
    "Slope",
    "Task",
    "get",
    "names",
    "setting",
]

SIZES = ("small", "paper")


@dataclass(frozen=True)
class Task:
    """One independent task of an experiment.

    Attributes
    ----------
    factors : dict of scalars
        Factor values of the task; they become columns of its rows.
    trial : int
        Number of the repetition.
    paired : tuple of str
        Factors that do not enter the random stream: tasks that differ only in these draw the same
        random numbers, so that they can be compared trial by trial.
    """

    factors: Mapping[str, Scalar] = field(default_factory=dict)
    trial: int = 0
    paired: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Scalar:
        if name not in self.factors:
            factors = ", ".join(self.factors) or "none"
            raise KeyError(f"The task has no factor {name!r}; the grid's factors are: {factors}.")
        return self.factors[name]

    def rng(self, experiment: str, seed: int) -> np.random.Generator:
        """Random stream of the task, independent of what ran before it and where."""
        unpaired = {n: v for n, v in self.factors.items() if n not in self.paired}
        digest = hashlib.sha256(canonical([experiment, unpaired, self.trial]).encode()).digest()
        key = tuple(int(word) for word in np.frombuffer(digest[:16], dtype="<u4"))
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def grid_points(factors: Mapping[str, Iterable[Scalar]]) -> Iterator[dict[str, Scalar]]:
    """Yield each combination of the factors' values, the last factor varying fastest."""
    for values in product(*factors.values()):
        yield dict(zip(factors, values, strict=True))


class Experiment(ABC):
    """One experiment; subclasses define the class variables and ``run``.

    Attributes
    ----------
    name : str
        Lower-case letters, digits, hyphens and underscores: paper and figure, or what is measured.
    title, text : str
        A heading, the docstring's first line; and a few sentences, the rest of it: what is shown,
        what the measurements say, where paper and code disagree.
    source : str
        Paper and figure that it reproduces.
    settings : dict of settings
        Settings besides the trials and the seed.
    small, paper : dict
        Changes to the settings' defaults: for less than 20 s on two cores, and as in the paper.
    Config : type
        Class of the configurations, made from the settings.
    sizes : dict of Config
        Configurations of ``small`` and ``paper``.
    seconds : float
        Measured CPU time of ``"small"``; by default one or less.
    grid : dict
        What is varied: for each factor its values, or the setting that has them.
    paired : tuple of str
        As in :class:`Task`.
    drawings : tuple of Drawing
        The figures, the main one first.
    claims : tuple of Slopes or Ratios
        What is read off the figures (:mod:`lapviz.experiments.rates`).
    table : str
        Experiment whose stored table is shared; by default its own.
    usual : str
        Default size on the command line.
    version : int
        Increment it when the rows of a configuration change; stored tasks are then run again.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str] = ""
    text: ClassVar[str]
    settings: ClassVar[Mapping[str, Any]] = {}
    small: ClassVar[Mapping[str, Any]] = {}
    paper: ClassVar[Mapping[str, Any]] = {}
    Config: ClassVar[type[Config]] = Config
    sizes: ClassVar[Mapping[str, Config]]
    seconds: ClassVar[float] = 1
    grid: ClassVar[Mapping[str, str | Iterable[Scalar]]] = {}
    paired: ClassVar[tuple[str, ...]] = ()
    drawings: ClassVar[tuple[Drawing, ...]] = ()
    claims: ClassVar[tuple[Slopes | Ratios, ...]] = ()
    table: ClassVar[str] = ""
    usual: ClassVar[str] = "small"
    version: ClassVar[int] = 1

    def __init_subclass__(cls) -> None:
        title, _, text = cleandoc(cls.__doc__ or "").partition("\n\n")
        cls.title, cls.text = title.removesuffix("."), " ".join(text.split())
        if "settings" in vars(cls):
            cls.Config = configuration(f"{cls.__name__}Config", cls.settings)
            cls.Config.__module__ = cls.__module__  # so that it can be pickled
            cls.Config.__qualname__ = f"{cls.__qualname__}.Config"
        known = [field.name for field in cls.Config.settings()]
        for factor, axis in cls.grid.items():
            if isinstance(axis, str) and axis not in known:
                raise ValueError(
                    f"In the grid of {cls.__name__}, {factor!r} takes its values from the setting "
                    f"{axis!r}, which does not exist; the settings are: {', '.join(known)}."
                )
        cls.sizes = {size: cls.Config(**getattr(cls, size)) for size in SIZES}
        if "name" in vars(cls) and cls.__module__.startswith(__package__):
            if cls.name in _classes:
                raise ValueError(f"Two experiments are called {cls.name!r}.")
            _classes[cls.name] = cls

    @property
    def of_paper(self) -> bool:
        """Whether it is a figure of a paper, and so ``paper`` has its settings."""
        return "Figure" in self.source

    def tasks(self, config: Config) -> list[Task]:
        """Return the independent tasks: each trial at each grid point that is ``wanted``.

        Raises
        ------
        ValueError
            If a setting has several values, over which a figure would average.
        """
        values = {
            name: getattr(config, axis) if isinstance(axis, str) else axis
            for name, axis in self.grid.items()
        }
        for name, axis_values in values.items():
            if isinstance(axis_values, str) or not isinstance(axis_values, Iterable):
                raise ValueError(
                    f"The factor {name!r} of the grid needs several values, got {axis_values!r}: "
                    "give its setting a tuple and grid=True, or write a tuple into the grid."
                )
        titles = {field.name: field.title for field in config.settings()}
        for drawing, name in product(self.drawn(config), values):
            if name not in drawing.columns and len(values[name]) > 1:
                title = titles.get(str(self.grid[name]), name)
                raise ValueError(f"The figures are for one value of “{title}”: give one only.")
        tasks = (
            Task(factors, trial, self.paired)
            for trial in range(config.trials)
            for factors in grid_points(values)
        )
        return [task for task in tasks if self.wanted(config, task)]

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether a task of the grid is run; by default every one."""
        return True

    @abstractmethod
    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the rows of one task, scalars only; all random numbers come from ``rng``."""

    def drawn(self, config: Config) -> tuple[Drawing, ...]:
        """Return the figures of a configuration; by default the same for all."""
        return self.drawings

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """Findings on the rows, which may be incomplete; by default those of the claims."""
        return [finding for claim in self.claims for finding in claim.findings(rows, self.drawings)]

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return the experiment's own tables; empty to print those of its drawings."""
        return ""

    def key(self, config: Config, task: Task) -> str:
        """Key of all that the rows of a task depend on."""
        parts = [self.name, self.version, config.result_settings(), dict(task.factors), task.trial]
        return hashlib.sha256(canonical(parts).encode()).hexdigest()[:24]


def canonical(value: object) -> str:
    """Return a text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A factor or setting is a number or a text; got {value!r}.")


_classes: dict[str, type[Experiment]] = {}  # of this folder, by name


@cache
def _all() -> dict[str, Experiment]:
    """Experiments by name; the first call imports the modules of this folder."""
    for module in pkgutil.iter_modules(import_module(__package__).__path__):
        if module.name != "__main__":
            import_module(f"{__package__}.{module.name}")
    return {name: _classes[name]() for name in sorted(_classes)}


def names() -> tuple[str, ...]:
    """Return the names of all experiments, in alphabetical order."""
    return tuple(_all())


def get(name: str) -> Experiment:
    """Return the experiment of a name.

    Raises
    ------
    ValueError
        If there is none; the message lists all names.
    """
    if name not in _all():
        raise ValueError(f"No experiment is called {name!r}. Available: {', '.join(_all())}.")
    return _all()[name]
