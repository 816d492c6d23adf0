"""The registry of experiments: what an experiment is, and where to find those that there are.

An experiment is one class in one module of this folder; nothing else has to know it:

    class Rates(Experiment):
        '''Eigenvalue error against n.

        What is shown, and what the measured run says: title and text come from here.
        '''

        name, source = "gal23-rates", "GAL23, Figure 3"
        settings = {"sizes": sample_sizes((50, 100, 200), 10, 10_000, 400)}
        small, paper = {"trials": 5}, {"sizes": (100, 1000, 10_000)}
        drawings = (Drawing("n", "error", colour="method", log_x=True, log_y=True),)
        grid = {"n": "sizes"}                     # independent pieces of work: trials × sizes

        def run(self, config, task, rng):         # rows of a tidy table
            return [{"method": "kernel", "error": ...}]

The runner adds the task's factors and trial to each row. Most experiments are this: a grid of
factors, and what is measured at one of its places. One with other tasks writes ``tasks`` itself.
"""

from __future__ import annotations

import hashlib
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    """One independent piece of an experiment's work.

    Attributes
    ----------
    factors : dict of scalars
        What it varies; becomes columns of its rows.
    trial : int
        Number of the repetition.
    paired : tuple of str
        Factors that do not enter the random stream: tasks that differ in these only draw the same
        random numbers, and can so be compared trial by trial.
    """

    factors: Mapping[str, Scalar] = field(default_factory=dict)
    trial: int = 0
    paired: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Scalar:
        return self.factors[name]

    def rng(self, experiment: str, seed: int) -> np.random.Generator:
        """The task's own random stream, whatever ran before it and where."""
        drawn = {n: v for n, v in self.factors.items() if n not in self.paired}
        digest = hashlib.sha256(canonical([experiment, drawn, self.trial]).encode()).digest()
        key = tuple(int(word) for word in np.frombuffer(digest[:16], dtype="<u4"))
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def places(factors: Mapping[str, Iterable[Scalar]]) -> Iterator[dict[str, Scalar]]:
    """Each combination of the factors' values, the last one fastest."""
    for values in product(*factors.values()):
        yield dict(zip(factors, values, strict=True))


class Experiment(ABC):
    """One experiment; subclasses define the class variables and ``run``.

    Attributes
    ----------
    name : str
        Lower-case letters, digits and hyphens: paper and figure, or what is measured.
    title, text : str
        A heading, by default the docstring's first line; and a few sentences, by default the rest
        of it: what is shown, what the measured run says, where paper and code disagree.
    source : str
        Where it comes from.
    settings : dict of settings
        What can be set beside the trials and the seed.
    small, paper : dict
        What differs from the settings' defaults: in less than 20 s on two cores, and in the paper.
    Config : type
        The class of its configurations, made of the settings.
    sizes : dict of Config
        Those of ``small`` and ``paper``; or given, of a class of configurations of one's own.
    seconds : float
        CPU time that ``"small"`` took where it was measured; by default one or less.
    grid : dict
        What is varied: for each factor its values, or the setting that has them.
    paired : tuple of str
        As :class:`Task` has it.
    drawings : tuple of Drawing
        The figures, the first one the main one.
    claims : tuple of Slopes or Ratios
        What is read off the figures (:mod:`lapviz.experiments.rates`).
    table : str
        The experiment whose stored table it draws too; by default its own.
    usual : str
        The size that the command line runs if it is told none.
    version : int
        To be raised when the rows of a configuration change: stored tasks are then run again.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str] = ""
    text: ClassVar[str] = ""
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
        own = vars(cls)
        title, _, text = cleandoc(cls.__doc__ or "").partition("\n\n")
        if "title" not in own:
            cls.title = title.removesuffix(".")
        if "text" not in own:
            cls.text = " ".join(text.split())
        if "settings" in own:
            cls.Config = configuration(f"{cls.__name__}Config", cls.settings)
            cls.Config.__module__ = cls.__module__  # where other processes find it
            cls.Config.__qualname__ = f"{cls.__qualname__}.Config"
        if own.keys() & {"settings", "small", "paper"}:
            cls.sizes = {size: cls.Config(**getattr(cls, size)) for size in SIZES}
        elif "Config" not in own and "sizes" in own:
            cls.Config = type(cls.sizes["small"])
        if "name" in own and cls.__module__.startswith(__package__):
            _classes.append(cls)

    def tasks(self, config: Config) -> list[Task]:
        """The independent pieces of work: each trial at each place of the grid that is wanted."""
        values = {
            name: getattr(config, given) if isinstance(given, str) else given
            for name, given in self.grid.items()
        }
        tasks = (
            Task(at, trial, self.paired) for trial in range(config.trials) for at in places(values)
        )
        return [task for task in tasks if self.wanted(config, task)]

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether a place of the grid is part of it; by default every one."""
        return True

    @abstractmethod
    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Rows of one task, scalars only; all that is random comes from ``rng``."""

    def drawn(self, config: Config) -> tuple[Drawing, ...]:
        """The figures of a configuration; by default the same for all."""
        return self.drawings

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """What the rows say, for people; of part of the rows too. By default the claims."""
        return [finding for claim in self.claims for finding in claim.findings(rows, self.drawings)]

    def markdown(self, rows: Sequence[Row]) -> str:
        """The table for the documentation; empty if the drawings' means are the table."""
        return ""

    def key(self, config: Config, task: Task) -> str:
        """Names what the rows of a task depend on."""
        parts = [self.name, self.version, config.result_settings(), dict(task.factors), task.trial]
        return hashlib.sha256(canonical(parts).encode()).hexdigest()[:24]


def canonical(value: object) -> str:
    """Text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A factor or setting is a number or a text; got {value!r}.")


_classes: list[type[Experiment]] = []  # those of this folder, as they are imported
_experiments: dict[str, Experiment] = {}


def _all() -> dict[str, Experiment]:
    """The experiments by name; the modules of this folder are imported at the first call."""
    if not _experiments:
        package = import_module(__package__)
        for module in pkgutil.walk_packages(package.__path__, f"{__package__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
        for experiment in sorted(_classes, key=lambda cls: cls.name):
            if experiment.name in _experiments:
                raise ValueError(f"Two experiments are called {experiment.name!r}.")
            _experiments[experiment.name] = experiment()
    return _experiments


def names() -> tuple[str, ...]:
    """Names of all experiments, in alphabetical order."""
    return tuple(_all())


def get(name: str) -> Experiment:
    """The experiment of a name.

    Raises
    ------
    ValueError
        If there is none; the message lists those that there are.
    """
    if name not in _all():
        raise ValueError(f"No experiment is called {name!r}. There are: {', '.join(_all())}.")
    return _all()[name]
