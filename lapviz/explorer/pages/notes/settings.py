"""The live stages of the Notes page, and what can be set in them: :file:`stages.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings.fields import differing, said
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.settings.texts import MAX_URL_LABELS
from lapviz.explorer.stories import presets
from lapviz.parameters import Parameter

ON_STAGE = ("lam", "filter", "marks")  # what hands change on a stage with labels
TOPIC = "topic"  # in the link: the section whose stage was changed last
SHOWN = "shown"  # the section on the screen, which the browser's address names behind its #


@dataclass(frozen=True)
class NoteStage:
    """A live stage: what it draws, and what is set below it.

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
        """Everything that can be changed, by name."""
        own = {knob.name: knob for knob in self.knobs}
        if self.base is None or self.draw != "labels":
            return own
        return own | {
            name: replace(SETTINGS[name], default=self.base.get(name)) for name in ON_STAGE
        }

    @property
    def defaults(self) -> dict[str, object]:
        """Values of everything that can be changed."""
        return {name: its.default for name, its in self.settings.items()}


def _knob(
    name: str, default: object, values: Sequence, like: str = "", titles: Sequence = (), **own: str
) -> Parameter:
    """A parameter of which a note takes a few values only, with what they are called."""
    own_text = Parameter(name, default=default, **own) if "help" in own else None
    described = own_text or SETTINGS[like or name]
    titles = titles or [f"{v:.3g}" if isinstance(v, float) else f"{v:,}" for v in values]
    only = tuple(zip(values, titles, strict=True))
    return replace(described, name=name, key=name, default=default, only=only, **own)


def _stage(name: str, knobs: Sequence[Mapping], base: Mapping | None = None, **more) -> NoteStage:
    settings = None
    if base is not None:
        values = presets.parsed(base)
        settings = presets.for_data(values.pop("data")).change(**values)
    return NoteStage(name, knobs=tuple(_knob(**knob) for knob in knobs), base=settings, **more)


_STAGES = tomllib.loads(Path(__file__).with_name("stages.toml").read_text("utf-8"))
STAGES = {name: _stage(name, **listed) for name, listed in _STAGES.items()}
_LINKED = [
    replace(its, name=f"{live.name}.{name}", key=f"{live.name}.{name}", label=f"{live.name}.{name}")
    for live in STAGES.values()
    for name, its in live.settings.items()
]


@dataclass(frozen=True, eq=False)
class _Notes(PageState):
    """What was set in the live stages, by “stage.setting” as in the URL; and the section."""

    def read(self, query: dict[str, str], first: dict) -> tuple[dict, list[str]]:
        """Values of a link."""
        known = {its.key for its in _LINKED}
        problems = [
            f"There is no “{key[:40]}” on this page; it was ignored."
            for key in query
            if key.partition(".")[2] and key not in known
        ]
        values = said(_LINKED, query, problems)
        topic = query.get(TOPIC, "")
        if topic and topic == notes.section_of(topic):
            return values | {TOPIC: topic, SHOWN: topic}, problems
        if topic:
            problems.append(f"There is no section “{topic[:40]}” in the notes; it was ignored.")
        for name in values:  # of a link without a section: that of its first stage
            return values | {SHOWN: section_with(name.partition(".")[0])}, problems
        return values, problems

    def write(self, settings: dict) -> dict[str, str]:
        """What differs from the defaults."""
        defaults = {its.name: its.default for its in _LINKED}
        query = differing(_LINKED, (defaults | settings).get, defaults.get)
        long = {key for key, value in settings.items()
                if key.endswith(".marks") and len(value or ()) > MAX_URL_LABELS}  # fmt: skip
        changed = {key: text for key, text in query.items() if key not in long}
        return {TOPIC: settings[TOPIC]} | changed if changed and TOPIC in settings else changed


NOTES = _Notes("lapviz_notes_values")


def section_with(stage: str) -> str:
    """Name of the section in which a stage stands."""
    return next(its.head.anchor for its in notes.sections() if notes.Stage(stage) in its.parts)


def values_of(live: NoteStage) -> dict[str, object]:
    """What was set in a stage."""
    now = NOTES.settings()
    return {name: now[key] for name in live.settings if (key := f"{live.name}.{name}") in now}


def change(live: NoteStage, **values: object) -> None:
    """Set something in a stage."""
    new = {f"{live.name}.{name}": value for name, value in values.items()}
    NOTES.put(NOTES.settings() | new | {TOPIC: section_with(live.name)})
