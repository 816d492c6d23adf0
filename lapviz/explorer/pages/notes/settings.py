"""The live stages of the Notes page and their settings, read from :file:`stages.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings.fields import differing, read_values
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.stories import presets
from lapviz.labels import MOST_IN_LINK
from lapviz.parameters import Parameter

ON_STAGE = ("lam", "filter", "marks")  # settings changed on the stage itself, if it has labels
TOPIC = "topic"  # in links: the section whose stage was changed last
SHOWN = "shown"  # the section on the screen, which the browser's address names after its #


@dataclass(frozen=True)
class NoteStage:
    """A live stage: what it draws, and the controls below it.

    Attributes
    ----------
    name, title : str
    draw : str
        One of :data:`lapviz.explorer.pages.notes.view.DRAW`.
    knobs : tuple of Parameter
    base : Settings or None
        Of the explorer; with labels, the stage itself changes :data:`ON_STAGE`.
    panels : sequence
        Titles of methods, or numbers of eigenfunctions.
    """

    name: str
    title: str
    draw: str
    knobs: tuple[Parameter, ...]
    base: Settings | None = None
    panels: Sequence = ()

    @property
    def settings(self) -> dict[str, Parameter]:
        """Every setting that can be changed, by name."""
        knobs = {knob.name: knob for knob in self.knobs}
        if self.base is None or self.draw != "labels":
            return knobs
        return knobs | {
            name: replace(SETTINGS[name], default=self.base.get(name)) for name in ON_STAGE
        }

    @property
    def defaults(self) -> dict[str, object]:
        """Default values of all settings."""
        return {name: setting.default for name, setting in self.settings.items()}


def _knob(
    name: str, default: object, values: Sequence, like: str = "", titles: Sequence = (), **text: str
) -> Parameter:
    """A parameter limited to a few values, with their titles."""
    own_parameter = Parameter(name, default=default, **text) if "help" in text else None
    described = own_parameter or SETTINGS[like or name]
    titles = titles or [f"{v:.3g}" if isinstance(v, float) else f"{v:,}" for v in values]
    only = tuple(zip(values, titles, strict=True))
    return replace(described, name=name, key=name, default=default, only=only, **text)


def _stage(name: str, knobs: Sequence[Mapping], base: Mapping | None = None, **fields) -> NoteStage:
    settings = None
    if base is not None:
        values = presets.parsed(base)
        settings = presets.for_data(values.pop("data")).change(**values)
    return NoteStage(name, knobs=tuple(_knob(**knob) for knob in knobs), base=settings, **fields)


_STAGES = tomllib.loads(Path(__file__).with_name("stages.toml").read_text("utf-8"))
STAGES = {name: _stage(name, **listed) for name, listed in _STAGES.items()}
_LINKED = [
    replace(setting, name=path, key=path, label=path)
    for live in STAGES.values()
    for name, setting in live.settings.items()
    for path in [f"{live.name}.{name}"]
]


@dataclass(frozen=True, eq=False)
class _Notes(PageState):
    """Values set in the live stages, by “stage.setting” as in the URL; and the section."""

    def read(self, query: dict[str, str], first: dict) -> tuple[dict, list[str]]:
        """Read the values of a link."""
        known = {setting.key for setting in _LINKED}
        problems = [
            f"There is no “{key[:40]}” on this page; it was ignored."
            for key in query
            if key.partition(".")[2] and key not in known
        ]
        values = read_values(_LINKED, query, problems)
        topic = query.get(TOPIC, "")
        if topic and topic == notes.section_of(topic):
            return values | {TOPIC: topic, SHOWN: topic}, problems
        if topic:
            problems.append(f"There is no section “{topic[:40]}” in the notes; it was ignored.")
        for name in values:  # a link without a section opens that of its first stage
            return values | {SHOWN: section_with(name.partition(".")[0])}, problems
        return values, problems

    def write(self, settings: dict) -> dict[str, str]:
        """Write what differs from the defaults."""
        defaults = {setting.name: setting.default for setting in _LINKED}
        query = differing(_LINKED, (defaults | settings).get, defaults.get)
        too_long = {key for key, value in settings.items()
                    if key.endswith(".marks") and len(value or ()) > MOST_IN_LINK}  # fmt: skip
        changed = {key: text for key, text in query.items() if key not in too_long}
        return {TOPIC: settings[TOPIC]} | changed if TOPIC in settings else changed


NOTES = _Notes("lapviz_notes_values")


def section_with(stage: str) -> str:
    """Anchor of the section that contains a stage."""
    return next(s.head.anchor for s in notes.sections() if notes.Stage(stage) in s.parts)


def values_of(live: NoteStage) -> dict[str, object]:
    """Values set in a stage."""
    values = NOTES.settings()
    return {name: values[key] for name in live.settings if (key := f"{live.name}.{name}") in values}


def change(live: NoteStage, **values: object) -> None:
    """Set values in a stage."""
    changes = {f"{live.name}.{name}": value for name, value in values.items()}
    NOTES.put(NOTES.settings() | changes | {TOPIC: section_with(live.name)})
