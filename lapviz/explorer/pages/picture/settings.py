"""Settings of the page on which a picture is segmented, and how a link writes them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from lapviz import pictures
from lapviz.contract import CONTRACT
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.host.store import is_token
from lapviz.explorer.settings.texts import number, one_of, refusal, short, whole
from lapviz.fit import Parameter, parameters
from lapviz.pictures import Stroke
from lapviz.pictures.segment import LAM, N_LANDMARKS, WEIGHT
from lapviz.pictures.strokes import MOST_CLASSES

MOST_LINKED = 6000  # characters of strokes in a link

SOURCE = Parameter("source", "Picture", "Which picture is segmented.", "flower", kind="choice",
                   names=pictures.names)  # fmt: skip
POSITION = Parameter("weight", "Position against colour",
                     "How much the place of two pixels counts in their distance, beside their "
                     "colour: 0 is colour alone, 1 position alone.", WEIGHT, "w",
                     low=0, high=1)  # fmt: skip
CLASSES = Parameter("classes", "Classes", "How many classes there are to scribble.", 2,
                    kind="integer", low=2, high=MOST_CLASSES)  # fmt: skip
BESIDE = Parameter("beside", "Compare",
                   "Beside it kernel ridge, which sees the scribbled pixels alone, and a graph "
                   "over some of the pixels, on the same scribbles.", False,
                   kind="flag")  # fmt: skip


@dataclass(frozen=True)
class PixelSpec:
    """What the segmentation depends on before the first stroke.

    ``source`` is the name of a built-in picture or a token of :mod:`lapviz.explorer.host.visitors`.
    """

    source: str = SOURCE.default
    weight: float = WEIGHT
    p: int = N_LANDMARKS
    sigma: float | str = "auto"
    seed: int = 0

    @property
    def view_key(self) -> str:
        """Name of the picture for the browser, which does not give away a token."""
        return hashlib.blake2b(self.source.encode(), digest_size=8).hexdigest()

    @property
    def private(self) -> bool:
        """Whether it is a visitor's own picture."""
        return is_token(self.source)


@dataclass(frozen=True)
class PictureSettings:
    """All settings of the page."""

    pixels: PixelSpec = PixelSpec()
    lam: float = LAM
    classes: int = CLASSES.default
    beside: bool = False
    strokes: tuple[Stroke, ...] = ()
    story: str = ""

    def change(self, **values: object) -> PictureSettings:
        """The same with some settings changed, by name."""
        inner = {f.name for f in fields(PixelSpec)}
        pixels = replace(self.pixels, **{k: v for k, v in values.items() if k in inner})
        return replace(self, pixels=pixels, **{k: v for k, v in values.items() if k not in inner})

    def get(self, name: str) -> object:
        """A setting by name."""
        return getattr(self if name in {f.name for f in fields(self)} else self.pixels, name)

    @property
    def scribbled(self) -> int:
        """How many classes have a stroke."""
        return len({s.code for s in self.strokes if s.code >= 0})


def _sigma(text: str) -> float | str:
    return "auto" if text == "auto" else number(1e-6, 1e6)(text)


# Name: (in the URL, what it is, how it is read).
_FIELDS: dict[str, tuple[str, Parameter, Callable[[str], object]]] = {
    "weight": ("w", POSITION, number(0, 1)),
    "p": ("p", parameters.N_LANDMARKS, whole(2, MAX_LANDMARKS)),
    "sigma": ("sigma", parameters.BANDWIDTH, _sigma),
    "lam": ("lam", parameters.LAM, number(0, CONTRACT["lam"]["limit"])),
    "seed": ("seed", parameters.RANDOM_STATE, whole(0, 2**31 - 1)),
    "classes": ("classes", CLASSES, whole(2, MOST_CLASSES)),
    "beside": ("beside", BESIDE, lambda text: one_of(lambda: ("0", "1"))(text) == "1"),
}
STORIES = {
    "flower": PictureSettings(
        strokes=pictures.read_strokes(
            "1r5p235p240p70m40p80p30.0r6p70p60m5p140p25p130.0r6p520p70p10p150m10p140"
        ),
        story="flower",
    )
}


@dataclass(frozen=True)
class Try:
    """One step of a story, as a button says it and by what a hand would do the same."""

    text: str
    by: str
    change: Callable[[PictureSettings], PictureSettings]


def _stroke(text: str, code: str) -> Try:
    (added,) = pictures.read_strokes(code)
    return Try(text, "the brush", lambda now: now.change(strokes=(*now.strokes, added)))


TRIES = {
    "flower": (
        _stroke("Class 1 on the small flower", "0r6p352p397p79p0"),
        _stroke("Class 2 along the petals", "1r6p250p300p70p35p70m35"),
        Try("w = 1", "“Position against colour”", lambda now: now.change(weight=1.0)),
    )
}


def base_of(settings: PictureSettings) -> PictureSettings:
    """What “Reset” restores."""
    blank = PictureSettings().change(source=settings.pixels.source)
    return STORIES.get(settings.story, blank)


def to_query(settings: PictureSettings) -> dict[str, str]:
    """URL parameters: the story or the picture, and whatever differs from its defaults.

    A visitor's own picture is not in a link, nor are its strokes, or more than 6000 characters of
    strokes.
    """
    base = base_of(settings)
    private = settings.pixels.private
    query = {"story": settings.story} if settings.story else {}
    if not settings.story:
        query["picture"] = "own" if private else settings.pixels.source
    for name, (key, _, _) in _FIELDS.items():
        value = settings.get(name)
        if value != base.get(name):
            query[key] = str(int(value)) if isinstance(value, bool) else short(value)
    text = pictures.write_strokes(settings.strokes)
    if settings.strokes != base.strokes and not private and len(text) <= MOST_LINKED:
        query["strokes"] = text
    return query


def linked_whole(settings: PictureSettings) -> bool:
    """Whether a link holds picture and strokes."""
    text = pictures.write_strokes(settings.strokes)
    return not settings.pixels.private and len(text) <= MOST_LINKED


def from_query(
    query: Mapping[str, str], default: PictureSettings
) -> tuple[PictureSettings, list[str]]:
    """Settings from URL parameters, and messages about those that cannot be used."""
    complaints: list[str] = []
    story, source = query.get("story"), query.get("picture")
    settings = STORIES.get(story, PictureSettings())
    if story is not None and story not in STORIES:
        complaints.append(f"There is no story “{story[:40]}” with a picture.")
    if source in pictures.names():
        settings = settings.change(source=source)
    elif source == "own" and default.pixels.private:
        settings = settings.change(source=default.pixels.source)
    elif source == "own":
        complaints.append(
            "This link is about somebody's own picture, which is not in the link: upload the "
            "picture to see the same."
        )
    elif source is not None:
        complaints.append(f"There is no picture “{source[:40]}”: choose one from the list.")
    readers = {key: (name, parameter.label, read) for name, (key, parameter, read)
               in _FIELDS.items()}  # fmt: skip
    readers["strokes"] = ("strokes", "Strokes", pictures.read_strokes)
    for key, (name, label, read) in readers.items():
        if key not in query:
            continue
        text = query[key]
        try:
            settings = settings.change(**{name: read(text)})
        except (ValueError, OverflowError) as error:
            complaints.append(refusal(label, text, error))
    return tidy(settings), complaints


def tidy(settings: PictureSettings) -> PictureSettings:
    """The same with as many classes as the strokes have, at least."""
    most = max((stroke.code + 1 for stroke in settings.strokes), default=0)
    return settings.change(classes=max(settings.classes, most))
