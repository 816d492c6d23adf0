"""Settings of the Lab: an experiment with a configuration, in links and as controls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lapviz import datasets
from lapviz.experiments import registry
from lapviz.experiments.config import setting_value
from lapviz.experiments.registry import SIZES, Config, Experiment, Setting
from lapviz.explorer.compute import points
from lapviz.explorer.host.store import STORE, DataExpired
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.specs import DataSpec
from lapviz.markdown import plain

FIRST = "gal23-fig3"
MOST_TASKS = 4000  # of one run in the explorer
_OWN = "own"  # in a link, in place of a visitor's own data


@dataclass(frozen=True)
class Run:
    """An experiment with its configuration; the key of its results.

    ``data`` are a visitor's own, in place of the data set that the configuration names.
    """

    name: str
    config: Config
    data: DataSpec | None = None

    @property
    def experiment(self) -> Experiment:
        """The experiment as registered, or on a visitor's own data."""
        experiment = registry.get(self.name)
        return experiment if self.data is None else experiment.on(own_source(self.data))


@dataclass(frozen=True)
class LabSettings(Run):
    """Settings of the page; ``figure`` counts from 0. The paper's size has stored results only."""

    size: str = "small"
    figure: int = 0

    @property
    def run(self) -> Run:
        """What is run."""
        return Run(self.name, self.config, self.data)

    @property
    def takes_data(self) -> bool:
        """Whether the experiment can run on a visitor's own data."""
        return hasattr(registry.get(self.name), "on")

    def on_data(self, data: DataSpec | None) -> LabSettings:
        """Return the settings on a visitor's own data; for None on those of the experiment."""
        name = _OWN if data is not None else base(self.name).config.data
        return replace(self, config=replace(self.config, data=name), data=data)

    def change(self, **values: object) -> LabSettings:
        """Return the settings with other values of the configuration.

        Raises
        ------
        ValueError
            If a value is outside the explorer's range, or a run has too many tasks.
        """
        fields = {field.name: field for field in self.config.settings()}
        values = {
            name: setting_value(fields[name], value, page=True) for name, value in values.items()
        }
        config, count = replace(self.config, **values), 0
        with suppress(ValueError):  # incompatible settings: reported where they would run
            count = len(self.experiment.tasks(config))
        if count > MOST_TASKS:
            raise ValueError(
                f"These settings make {count:,} tasks, and the explorer runs at most "
                f"{MOST_TASKS:,}: take fewer trials or values, or run it from the command line."
            )
        return replace(self, config=config)


def own_source(data: DataSpec) -> Callable[[int, int], tuple]:
    """Loader of a visitor's data for an experiment: X (n, d), y with -1 or NaN if unknown, and the
    weights of the rows, None if all are equal."""

    def load(n: int, seed: int) -> tuple:
        table = STORE.get(data.source) if data.private else None
        prepared = getattr(table, "prepared", None)
        if prepared is not None and prepared.task == "values":
            rows, weights = table.sample_rows(n, seed), prepared.weights
            y = np.asarray(prepared.y, dtype=float)[rows]
            return prepared.X[rows], y, None if weights is None else weights[rows]
        if data.name == drawing.NAME:  # whose number of points is fixed
            sample = datasets.load(data.name, source=drawing.code_of(data))
            rows = np.sort(np.random.default_rng(seed).permutation(len(sample.X))[:n])
            return sample.X[rows], sample.y[rows], None
        sample = points.sample(replace(data, n_samples=n, random_state=seed))
        return sample.X, sample.y, sample.weights

    return load


def base(name: str = FIRST, size: str = "small") -> LabSettings:
    """Default settings of an experiment."""
    return LabSettings(name, registry.get(name).sizes[size], size=size)


def own_data() -> DataSpec | None:
    """The visitor's own data: the latest table, or else the drawing, or None."""
    drawn = user_data.last_drawing()
    return user_data.latest("table") or (drawn if drawn.source else None)


@dataclass(frozen=True, eq=False)
class _Lab(PageState):
    """The page's state: an experiment with its configuration, and what is shown of it."""

    def read(
        self, query: dict[str, str], first: LabSettings | None = None
    ) -> tuple[LabSettings, list[str]]:
        """Read the settings of a link, and messages about what cannot be used.

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
        linked = [field for field in settings.config.settings() if field.name in query]
        if linked and size != "small":
            names = ", ".join(field.name for field in linked)
            complaints.append(f"The paper’s size has its own settings; ignored: {names}.")
            linked = []
        values = {}
        for field in linked:
            try:
                values[field.name] = setting_value(field, query[field.name], page=True)
            except ValueError as error:
                complaints.append(f"{error} Ignored.")
        try:  # at once: together they make a number of tasks
            settings = settings.change(**values) if values else settings
        except ValueError as error:
            complaints.append(f"{error} Ignored.")
        if "figure" in query:
            count = len(settings.experiment.drawn(settings.config))
            if query["figure"] in map(str, range(1, count + 1)):
                settings = replace(settings, figure=int(query["figure"]) - 1)
            else:
                complaints.append(f"The link's figure must be a number from 1 to {count}.")
        if query.get("with") == _OWN:
            data = own_data()
            if data is not None and settings.takes_data:
                return settings.on_data(data), complaints
            complaints.append(
                "This link is about somebody's own data, which are not in the link: bring the "
                "table or drawing on the page “Your data” to see the same."
                if settings.takes_data
                else "This experiment does not run on your own data: the link's “with” is ignored."
            )
        return settings, complaints

    def write(self, settings: LabSettings) -> dict[str, str]:
        """Write the experiment, and what differs from its default settings."""
        query, has_own = {"experiment": settings.name}, settings.data is not None
        if settings.size != "small":
            query["size"] = settings.size
        for field in settings.config.differing(settings.experiment.sizes[settings.size]):
            if not (has_own and field.name == "data"):  # “with” says so
                query[field.name] = field.write(getattr(settings.config, field.name))
        if settings.figure:  # another grid may have fewer
            figures = len(settings.experiment.drawn(settings.config))
            query["figure"] = str(min(settings.figure + 1, figures))
        return query | ({"with": _OWN} if has_own else {})

    def base(self, settings: LabSettings) -> LabSettings:
        """Return the experiment with default settings."""
        return base(settings.name, settings.size)

    def source(self, settings: LabSettings) -> str:
        """Token of the visitor's own data, if the run is on these."""
        return "" if settings.data is None else settings.data.source

    def replacement(self, settings: LabSettings) -> tuple[LabSettings, str]:
        """Return the settings on the table as it is now, or on the experiment's data, and why."""
        now = None if settings.data is None else user_data.latest(settings.data.name)
        return settings.on_data(now), "" if now else str(DataExpired())


LAB = _Lab("lapviz_lab", whose="experiment")


# ---- controls: one for each setting of the experiment -------------------------------------------


def controls(settings: LabSettings) -> None:
    """Draw the controls of the present experiment."""
    if settings.takes_data:
        _own_data(settings)
    for field in settings.config.settings():
        if settings.data is None or field.name not in ("data", "noise"):
            _control(settings.name, field, getattr(settings.config, field.name))


def _own_data(settings: LabSettings) -> None:
    data = settings.data

    def use(on: bool) -> None:
        state.put(state.settings().on_data(own_data() if on else None))

    st.toggle("On my own data", data is not None, disabled=own_data() is None,
              **widget_keys.bind("w-lab-own", data is not None, use),
              help="The table that you uploaded or the points that you drew on the page “Your "
              "data”. Bring some there first.")  # fmt: skip
    table = user_data.get(data.source) if data is not None else None
    if getattr(getattr(table, "prepared", None), "weights", None) is not None:
        st.caption(f"Rows are weighted by the column “{plain(table.roles.weight)}”.")


def _control(experiment: str, field: Setting, value: object) -> None:
    # a number field of the browser keeps what is refused, and reads 1e9 as 1
    typed = not field.choices and field.kind != "flag"
    shown = field.write(value).replace(",", ", ") if typed else list(value) if field.many else value

    def use(new: object) -> None:
        try:
            state.update(**{field.name: new})
        except ValueError as error:
            st.toast(plain(f"{error} Ignored; previous value kept."))

    bound = widget_keys.bind(f"w-lab-{experiment}-{field.name}", shown, use)
    bound["help"] = field.help + " Separate several by commas." * (typed and field.many)
    if typed:
        st.text_input(field.title, shown, **bound)
    elif field.many:
        st.multiselect(field.title, field.choices, shown, **bound)
    elif field.choices:
        choices = [c for c in field.choices if c != _OWN or c == shown]  # it has a switch
        st.selectbox(field.title, choices, widget_keys.place(choices, shown), **bound)
    else:
        st.toggle(field.title, shown, **bound)
