"""What the Lab shows: an experiment with a configuration, its way into a link, its controls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lapviz.experiments import registry
from lapviz.experiments.config import setting_value
from lapviz.experiments.registry import SIZES, Config, Experiment, Setting
from lapviz.explorer.compute import points
from lapviz.explorer.host.store import STORE, DataExpired
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.widgets import shell

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

    @property
    def experiment(self) -> Experiment:
        """The experiment as registered; on other data if these are a visitor's own."""
        found = registry.get(self.name)
        return found if self.data is None else found.on(own_source(self.data))


@dataclass(frozen=True)
class LabSettings:
    """What the page shows; ``figure`` counts from 0. The paper's size has a table, and no run."""

    run: Run
    size: str = "small"
    figure: int = 0

    @property
    def experiment(self) -> Experiment:
        """What is run."""
        return self.run.experiment

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
            If a value is outside of what the explorer runs, or a run has too many tasks.
        """
        known = {field.name: field for field in self.config.settings()}
        values = {n: setting_value(known[n], value, page=True) for n, value in values.items()}
        config, count = replace(self.config, **values), 0
        with suppress(ValueError):  # settings that do not go together: said where they would run
            count = len(self.experiment.tasks(config))
        if count > MOST_TASKS:
            raise ValueError(
                f"These settings make {count:,} tasks, and the explorer runs at most "
                f"{MOST_TASKS:,}: take fewer trials or values, or run it from the command line."
            )
        return replace(self, run=replace(self.run, config=config))


def own_source(data: DataSpec) -> Callable[[int, int], tuple]:
    """Where an experiment gets a visitor's data: X (n, d), y with -1 or NaN if unknown, and the
    weights of the rows, None if all are equal."""

    def load(n: int, seed: int) -> tuple:
        table = STORE.get(data.source) if data.private else None
        prepared = getattr(table, "prepared", None)
        if prepared is not None and prepared.task == "values":
            rows, weights = table.picked(n, seed), prepared.weights
            y = np.asarray(prepared.y, dtype=float)[rows]
            return prepared.X[rows], y, None if weights is None else weights[rows]
        found = points.sample(replace(data, n_samples=n, random_state=seed))
        return found.X, found.y, found.weights

    return load


def base(name: str = FIRST, size: str = "small") -> LabSettings:
    """An experiment as it comes."""
    return LabSettings(Run(name, registry.get(name).sizes[size]), size)


def brought() -> DataSpec | None:
    """The visitor's own data: the table, or else what was drawn; None if there is nothing."""
    drawn = user_data.last_drawing()
    return user_data.latest("table") or (drawn if drawn.source else None)


@dataclass(frozen=True, eq=False)
class _Lab(PageState):
    """An experiment with its configuration, and what is shown of it."""

    def read(
        self, query: dict[str, str], first: LabSettings | None = None
    ) -> tuple[LabSettings, list[str]]:
        """Settings of a link, and sentences about what cannot be used.

        A visitor's own data are the session's.
        """
        complaints: list[str] = []
        name, size = query.get("experiment", FIRST), query.get("size", "small")
        if name not in registry.names():
            return base(), [f"There is no experiment “{name[:40]}”: choose one from the list."]
        if size not in SIZES:
            complaints.append(f"The link's size ({size[:40]}) must be one of {', '.join(SIZES)}.")
            size = "small"
        settings = base(name, size)
        linked = settings.config.settings() if size == "small" else ()
        for field in linked:
            if field.name in query:
                try:
                    settings = settings.change(**{field.name: query[field.name]})
                except ValueError as error:
                    complaints.append(f"{error} Ignored; previous value kept.")
        if "figure" in query:
            count = len(settings.experiment.drawn(settings.config))
            if query["figure"] in map(str, range(1, count + 1)):
                settings = replace(settings, figure=int(query["figure"]) - 1)
            else:
                complaints.append(f"The link's figure must be a number from 1 to {count}.")
        if query.get("with") == _OWN:
            own = brought()
            if own is not None and settings.takes_data:
                return settings.on_data(own), complaints
            complaints.append(
                "This link is about somebody's own data, which are not in the link: upload the "
                "table on the page “Your data” to see the same."
            )
        return settings, complaints

    def write(self, settings: LabSettings) -> dict[str, str]:
        """The experiment, and what differs from its size's settings."""
        query, own = {"experiment": settings.run.name}, settings.run.data is not None
        if settings.size != "small":
            query["size"] = settings.size
        for field in settings.config.differing(settings.experiment.sizes[settings.size]):
            if not (own and field.name == "data"):  # “with” says so
                query[field.name] = field.write(getattr(settings.config, field.name))
        if settings.figure:
            query["figure"] = str(settings.figure + 1)
        return query | ({"with": _OWN} if own else {})

    def base(self, settings: LabSettings) -> LabSettings:
        """The experiment as it comes."""
        return base(settings.run.name, settings.size)

    def source(self, settings: LabSettings) -> str:
        """The visitor's own data, if it is measured on these."""
        data = settings.run.data
        return "" if data is None else data.source

    def instead(self, settings: LabSettings) -> tuple[LabSettings, str]:
        """On the experiment's own data."""
        return settings.on_data(None), str(DataExpired())


LAB = _Lab("lapviz_lab", whose="experiment")


# ---- controls: one for each setting of the experiment -------------------------------------------


def controls(settings: LabSettings) -> None:
    """All settings of the present experiment."""
    if settings.takes_data:
        _own_data(settings)
    for field in settings.config.settings():
        if settings.run.data is None or field.name not in ("data", "noise"):
            _control(settings.run.name, field, getattr(settings.config, field.name))


def _own_data(settings: LabSettings) -> None:
    data, own = settings.run.data, brought()

    def use(wanted: bool) -> None:
        state.put(state.settings().on_data(brought() if wanted else None))

    st.toggle("On my own data", data is not None, disabled=own is None,
              **widget_keys.bind("w-lab-own", data is not None, use),
              help="The table that you uploaded or the points that you drew on the page “Your "
              "data”. Bring some there first.")  # fmt: skip
    table = user_data.get(data.source) if data is not None else None
    if getattr(getattr(table, "prepared", None), "weights", None) is not None:
        st.caption(f"Rows count by the column “{shell.plain(table.asked.weight)}”.")


def _control(experiment: str, field: Setting, value: object) -> None:
    label = field.label[0].upper() + field.label[1:]
    line = field.many and not field.choices  # several numbers or texts
    shown = field.write(value).replace(",", ", ") if line else list(value) if field.many else value

    def use(new: object) -> bool:
        try:
            if new is not None:  # as an emptied field is
                state.update(**{field.name: new})
        except ValueError as error:
            state.tell(f"{error} Ignored; previous value kept.")
            return False
        return True

    own = widget_keys.bind(f"w-lab-{experiment}-{field.name}", shown, use) | {"help": field.help}
    if line:
        st.text_input(label, shown, **own | {"help": f"{field.help} Separate several by commas."})
    elif field.many:
        st.multiselect(label, field.choices, shown, **own)
    elif field.choices:
        st.selectbox(label, field.choices, widget_keys.place(field.choices, shown), **own)
    elif field.kind == "flag":
        st.toggle(label, shown, **own)
    elif field.kind == "text":
        st.text_input(label, shown, **own)
    else:
        number = int if field.whole else float
        low, high = (None if end is None else number(end) for end in field.range(page=True))
        value = None if shown is None else number(shown)
        st.number_input(label, low, high, value, step=1 if field.whole else None,
                        format="%d" if field.whole else "%g", **own)  # fmt: skip
