"""What the Lab shows: an experiment with a configuration, and how a link writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from lapviz.experiments import registry
from lapviz.experiments.config import taken
from lapviz.experiments.registry import SIZES, Config, Experiment
from lapviz.explorer.compute import points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec

FIRST = "gal23-fig3"
MOST_TASKS = 4000  # of one run in the explorer
_OWN = "own"  # in a link, in place of a visitor's own data


@dataclass(frozen=True)
class Run:
    """What is measured: the key of its results.

    ``data`` are a visitor's own, in place of the data set that the configuration names.
    """

    name: str
    config: Config
    data: DataSpec | None = None


@dataclass(frozen=True)
class LabSettings:
    """What the page shows; ``figure`` counts from 0. The paper's size has a table, and no run."""

    run: Run
    size: str = "small"
    figure: int = 0

    @property
    def experiment(self) -> Experiment:
        """The experiment as registered; on other data if these are a visitor's own."""
        found = registry.get(self.run.name)
        return found if self.run.data is None else found.on(own_source(self.run.data))

    @property
    def takes_data(self) -> bool:
        """Whether the experiment can run on a visitor's own data."""
        return hasattr(registry.get(self.run.name), "on")

    @property
    def config(self) -> Config:
        """What is set."""
        return self.run.config

    def on_data(self, data: DataSpec | None) -> LabSettings:
        """The same on a visitor's own data; None: on the experiment's."""
        named = _OWN if data is not None else base(self.run.name).config.data
        return replace(self, run=Run(self.run.name, replace(self.config, data=named), data))

    def change(self, **values: object) -> LabSettings:
        """The same with other values of the configuration.

        Raises
        ------
        ValueError
            If a value is outside of what the explorer runs.
        """
        known = {said.name: said for said in self.config.settings()}
        values = {name: taken(known[name], value, page=True) for name, value in values.items()}
        config = replace(self.config, **values)
        check(self.experiment, config)
        return replace(self, run=replace(self.run, config=config))


def own_source(data: DataSpec) -> Callable[[int, int], tuple]:
    """Where an experiment gets a visitor's data: X (n, d), y with -1 or NaN if unknown, and the
    weights of the rows, None if all are equal."""

    def load(n: int, seed: int) -> tuple:
        thing = STORE.get(data.source) if data.private else None
        prepared = getattr(thing, "prepared", None)
        if prepared is not None and prepared.task == "values":
            rows, weights = thing.picked(n, seed), prepared.weights
            y = np.asarray(prepared.y, dtype=float)[rows]
            return prepared.X[rows], y, None if weights is None else weights[rows]
        found = points.sample(replace(data, n_samples=n, random_state=seed))
        return found.X, found.y, found.weights

    return load


def check(experiment: Experiment, config: Config) -> None:
    """Raise ValueError if a run has more tasks than the explorer takes."""
    try:
        count = len(experiment.tasks(config))
    except ValueError:  # settings that do not go together yet: said where they would run
        return
    if count > MOST_TASKS:
        raise ValueError(
            f"These settings make {count:,} tasks, and the explorer runs at most {MOST_TASKS:,}: "
            "take fewer trials or values, or run it from the command line."
        )


def base(name: str = FIRST, size: str = "small") -> LabSettings:
    """An experiment as it comes."""
    return LabSettings(Run(name, registry.get(name).sizes[size]), size)


def to_query(settings: LabSettings) -> dict[str, str]:
    """URL parameters: the experiment, and what differs from its size's settings."""
    query = {"experiment": settings.run.name}
    if settings.size != "small":
        query["size"] = settings.size
    start = settings.experiment.sizes[settings.size]
    for said in settings.config.differing(start):
        if said.name == "data" and settings.run.data is not None:
            continue  # said by “with”
        query[said.name] = said.write(getattr(settings.config, said.name))
    if settings.figure:
        query["figure"] = str(settings.figure + 1)
    if settings.run.data is not None:
        query["with"] = _OWN
    return query


def from_query(
    query: Mapping[str, str], brought: DataSpec | None = None
) -> tuple[LabSettings, list[str]]:
    """Settings from URL parameters, and sentences about those that cannot be used.

    Parameters
    ----------
    query : mapping
    brought : DataSpec, optional
        The visitor's own data, for a link that is about such.
    """
    complaints: list[str] = []
    name, size = query.get("experiment", FIRST), query.get("size", "small")
    if name not in registry.names():
        complaints.append(f"There is no experiment “{name[:40]}”: choose one from the list.")
        return base(), complaints
    if size not in SIZES:
        complaints.append(f"The link's size ({size[:40]}) must be one of {', '.join(SIZES)}.")
        size = "small"
    settings = base(name, size)
    if size == "small":
        for said in settings.config.settings():
            if said.name not in query:
                continue
            try:
                settings = settings.change(**{said.name: query[said.name]})
            except ValueError as error:
                complaints.append(f"{error} Ignored; previous value kept.")
    if "figure" in query:
        count = len(settings.experiment.drawn(settings.config))
        if query["figure"] in map(str, range(1, count + 1)):
            settings = replace(settings, figure=int(query["figure"]) - 1)
        else:
            complaints.append(f"The link's figure must be a number from 1 to {count}.")
    if query.get("with") == _OWN:
        if brought is not None and settings.takes_data:
            settings = settings.on_data(brought)
        else:
            complaints.append(
                "This link is about somebody's own data, which are not in the link: upload the "
                "table on the page “Your data” to see the same."
            )
    return settings, complaints
