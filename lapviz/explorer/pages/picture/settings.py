"""Settings of the page on which a picture is segmented, and how a link writes them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from lapviz import pictures
from lapviz.contract import CONTRACT
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.host.store import DataExpired, is_token, public_key
from lapviz.explorer.session import state
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings.fields import changed, differing, read_values
from lapviz.explorer.stories.presets import BY_NAME
from lapviz.explorer.stories.steps import Place, Step
from lapviz.fit.specs import PARAMETERS
from lapviz.parameters import Slider, described, descriptions, parameter
from lapviz.pictures import Stroke
from lapviz.pictures.segment import LAM, N_LANDMARKS, WEIGHT
from lapviz.pictures.strokes import MOST_CLASSES

MOST_LINKED = 6000  # characters of strokes in a link


@dataclass(frozen=True)
class PixelSpec:
    """Settings on which the segmentation depends before the first stroke.

    ``source`` is the name of a built-in picture or a token of :mod:`lapviz.explorer.host.visitors`.
    """

    source: str = parameter(
        "flower", "Picture", "Which picture is segmented.", names=pictures.names
    )
    weight: float = parameter(
        WEIGHT, "Position against colour",
        "How much the place of two pixels counts in their distance, beside their colour: 0 is "
        "colour alone, 1 position alone.",
        symbol="w", low=0, high=1, key="w", slider=Slider(0.0, 1.0, 0.02),
    )  # fmt: skip
    p: int = described(
        PARAMETERS["n_landmarks"], default=N_LANDMARKS, low=2, high=MAX_LANDMARKS, auto=False,
        key="p",
    )  # fmt: skip
    sigma: float | str = described(
        PARAMETERS["bandwidth"], low=1e-6, high=1e6, key="sigma",
        slider=Slider(0.05, 3.0, 32, log=True),
    )  # fmt: skip
    seed: int = described(
        PARAMETERS["random_state"], default=0, kind="integer", low=0, high=2**31 - 1, key="seed"
    )

    @property
    def view_key(self) -> str:
        """Name of the picture for the browser."""
        return public_key(self.source)

    @property
    def private(self) -> bool:
        """Whether it is a visitor's own picture."""
        return is_token(self.source)


@dataclass(frozen=True)
class PictureSettings(PixelSpec):
    """All settings of the page."""

    lam: float = described(
        PARAMETERS["lam"], default=LAM, high=CONTRACT["lam"]["limit"], key="lam",
        slider=Slider(1e-6, 1e2, 8, log=True, zero=True),
    )  # fmt: skip
    classes: int = parameter(
        2, "Classes", "How many classes there are to scribble.",
        low=2, high=MOST_CLASSES, key="classes",
    )  # fmt: skip
    beside: bool = parameter(
        False, "Compare",
        "Also show kernel ridge, which sees the scribbled pixels alone, and a graph over some of "
        "the pixels, on the same scribbles.", key="beside",
    )  # fmt: skip
    strokes: tuple[Stroke, ...] = parameter(
        (), "Strokes", "What was scribbled.", key="strokes",
        codec=(pictures.read_strokes, pictures.write_strokes),
    )  # fmt: skip
    story: str = ""

    @property
    def pixels(self) -> PixelSpec:
        """The settings that come before the strokes."""
        return PixelSpec(**{f.name: getattr(self, f.name) for f in fields(PixelSpec)})

    def change(self, **values: object) -> PictureSettings:
        """Return a copy with some settings changed."""
        return replace(self, **values)

    def get(self, name: str) -> object:
        """A setting by name."""
        return getattr(self, name)


SETTINGS = {setting.name: setting for setting in descriptions(PictureSettings)}
_LINKED = [setting for setting in SETTINGS.values() if setting.key]
_STORIES = tomllib.loads(Path(__file__).with_name("stories.toml").read_text("utf-8"))
STORIES = {
    name: PictureSettings(strokes=pictures.read_strokes(story["strokes"]), story=name)
    for name, story in _STORIES.items()
}


def _step(text: str, by: str = "the brush", stroke: str = "", **entry: Any) -> Step:
    """A step from its entry."""
    added, values = pictures.read_strokes(stroke) if stroke else (), entry.pop("set", {})
    return Step(text, by, lambda now: now.change(strokes=now.strokes + added, **values), **entry)


STEPS = {name: tuple(_step(**step) for step in story["steps"]) for name, story in _STORIES.items()}


@dataclass(frozen=True, eq=False)
class _Picture(PageState):
    """A picture, its strokes, and how it is segmented."""

    others: tuple[str, ...] = ("part",)

    source = staticmethod(attrgetter("source"))

    def read(
        self, query: Mapping[str, str], first: PictureSettings
    ) -> tuple[PictureSettings, list[str]]:
        """Return settings from URL parameters, and messages about those that cannot be used.

        A visitor's own picture is that of the session.
        """
        complaints: list[str] = []
        current = self.settings() or first
        story, source = query.get("story"), query.get("picture")
        settings = STORIES.get(story, PictureSettings())
        if story is not None and story not in STORIES:
            complaints.append(f"There is no story “{story[:40]}” with a picture.")
        if source in pictures.names():
            if source != settings.source:  # a story is about its own picture
                settings = PictureSettings(source)
        elif source == "own" and current.private:
            settings = settings.change(source=current.source)
        elif source == "own":
            complaints.append(
                "This link is about a picture of somebody's own, which is in no link, and which a "
                "reload or two minutes without a connection forgets: upload it to see the same."
            )
        elif source is not None:
            complaints.append(f"There is no picture “{source[:40]}”: choose one from the list.")
        values = read_values(_LINKED, query, complaints)
        return self.tidy(settings.change(**values)), complaints

    def write(self, settings: PictureSettings) -> dict[str, str]:
        """Return URL parameters: the story or the picture, and what differs from its defaults.

        A visitor's own picture is not in a link, nor are its strokes, nor more than 6000 characters
        of strokes.
        """
        query = {"story": settings.story}
        if not settings.story:
            query = {"picture": "own" if settings.private else settings.source}
        query |= differing(_LINKED, settings.get, self.base(settings).get)
        if not fits_in_link(settings):
            query.pop("strokes", None)
        return query

    def base(self, settings: PictureSettings) -> PictureSettings:
        """Settings that “Reset” restores."""
        return STORIES.get(settings.story, PictureSettings(settings.source))

    def place(self, settings: PictureSettings) -> Place | None:
        """Place of the settings in their story, or None."""
        if not settings.story:
            return None
        story = BY_NAME[settings.story]
        return Place.of(story, STEPS[story.name], settings, self.base(settings), _changed)

    def tidy(self, settings: PictureSettings) -> PictureSettings:
        """Return settings with at least as many classes as the strokes have."""
        n_classes = max((stroke.code + 1 for stroke in settings.strokes), default=0)
        return settings.change(classes=max(settings.classes, n_classes))

    def follow(self, first: Callable[[], PictureSettings]) -> None:
        """Show a story that was handed over, or follow a new link."""
        if story := state.story_of_picture():
            self.replace(STORIES[story])
        else:
            super().follow(first)

    def changed(self, settings: PictureSettings, **changes: object) -> PictureSettings:
        """Return changed settings; another picture begins without strokes."""
        if changes.get("source", settings.source) != settings.source:
            self.keep()
            changes = {"strokes": (), "story": "", **changes}
        return settings.change(**changes)

    def has_unsaved(self) -> bool:
        """Whether there are strokes that the address does not hold."""
        settings = self.settings()
        return settings is not None and bool(settings.strokes) and not fits_in_link(settings)

    def replacement(self, settings: PictureSettings) -> tuple[PictureSettings, str]:
        """Return the first picture, without strokes, and why."""
        return PictureSettings(), str(DataExpired())


PICTURE = _Picture("lapviz_picture")


def _changed(settings: PictureSettings, other: PictureSettings) -> tuple[str, ...]:
    """Titles of the controls whose values differ from other settings."""
    differing = changed(SETTINGS.values(), settings.get, other.get)
    return tuple(setting.label for setting in differing if setting.name != "beside")


def fits_in_link(settings: PictureSettings) -> bool:
    """Whether a link can hold picture and strokes."""
    text = pictures.write_strokes(settings.strokes)
    return not settings.private and len(text) <= MOST_LINKED
