"""Settings of an experiment: a frozen record whose fields state their range and meaning.

    Rates = configuration("Rates", {
        "sizes": setting((50, 100, 200), "Samples of each run.", 10, 10_000, grid=True),
        "bandwidth": setting(0.5, "Bandwidth σ of the kernel.", 1e-3, 1e3),
    })

The command line, the explorer's controls and its links are made from this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, make_dataclass, replace
from inspect import get_annotations
from typing import Any

from lapviz.checks import Refused
from lapviz.parameters import Parameter, descriptions, parameter

Scalar = int | float | str | bool
Setting = Parameter  # a field of a configuration; its label is by default its name in words


def setting(
    default,
    help: str,
    low: float | None = None,
    high: float | None = None,
    *,
    choices: tuple[str, ...] = (),
    label: str = "",
    **options: Any,
):
    """Make a field of a :class:`Config`; see :class:`lapviz.parameters.Parameter`."""
    names = {"names": lambda: choices} if choices else {}
    return parameter(default, label, help, low=low, high=high, **names, **options)


# Settings that several experiments share.


def samples(default: int | tuple[int, ...], low: int, high: int, page_high: int | None = None,
            text: str = "", label: str = "samples n"):  # fmt: skip
    """Number of samples, or several as a grid."""
    grid = isinstance(default, tuple)
    text = text or ("Numbers n of samples." if grid else "Number of samples.")
    return setting(default, text, low, high, page_high=page_high, grid=grid, label=label)


def largest(default: int, low: int, high: int, page_high: int, of: str, text: str = ""):
    """Largest n for a method whose cost grows fast."""
    text = f"Largest n of {of}{text}."
    return setting(default, text, low, high, page_high=page_high, grid=True,
                   label=f"largest n of {of}")  # fmt: skip


def landmarks(
    default: int, low: int, high: int, page_high: int, text: str = "Number of landmarks."
):
    """Number of landmarks."""
    return setting(default, text, low, high, page_high=page_high, label="landmarks p")


def dimensions(default: tuple[int, ...], low: int, high: int, text: str = "Dimensions d."):
    """Dimensions, as a grid."""
    return setting(default, text, low, high, grid=True, label="dimensions d")


def noise():
    """Noise on the values of a target."""
    return setting(0.5, "Standard deviation of the noise; the target's is 1.", 0.0, 10.0)


def labels_per_class(high: int = 50, nested: str = "; the draws are nested", grid: bool = False):
    """Numbers of labels per class."""
    return setting((1, 2, 5, 10), f"Labels per class{nested}.", 1, high, grid=grid)


def trials(default: int, text: str = "Draws of the samples.", high: int = 1000, page_high: int = 50,
           grid: bool = True):  # fmt: skip
    """Number of repetitions with new random draws."""
    return setting(default, text, 1, high, page_high=page_high, grid=grid)


def some_of(names: Iterable[str], text: str, first: Iterable[str] = (), grid: bool = True,
            **options: Any):  # fmt: skip
    """A choice of several names, by default all."""
    return setting(tuple(first or names), text, choices=tuple(names), grid=grid, **options)


def setting_value(field: Setting, value: object, page: bool = False) -> Any:
    """Validate the value of a setting, or parse it from a text.

    Raises
    ------
    ValueError
        If the value is not valid.
    """
    try:
        return field.read(value, page) if isinstance(value, str) else field.checked(value, page)
    except Refused as error:
        name = field.title if page else field.name
        got = repr(value)
        got = got if len(got) <= 60 else got[:59] + "…"
        raise ValueError(f"The setting {name!r} {error}; got {got}.") from None


@dataclass(frozen=True)
class Config:
    """Base of all configurations: the number of trials and the seed."""

    trials: int = setting(
        10, "Number of repetitions with new draws; error bars come from these.", 1, 1000,
        page_high=100, grid=True,
    )  # fmt: skip
    seed: int = setting(0, "Seed of all that is random.", 0, 2**31 - 1)

    def __init_subclass__(cls) -> None:
        for name in get_annotations(cls):
            if callable(getattr(Config, name, None)):
                raise TypeError(f"A setting cannot be called {name!r}: choose another name.")

    def __post_init__(self) -> None:
        for field in self.settings():
            object.__setattr__(self, field.name, setting_value(field, getattr(self, field.name)))

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """Return the fields, in the order of the class."""
        return tuple(
            replace(field, label=field.label or field.name.replace("_", " "))
            for field in descriptions(cls)
        )

    def texts(self) -> dict[str, str]:
        """Return the values as texts, by name."""
        return {field.name: field.write(getattr(self, field.name)) for field in self.settings()}

    def result_settings(self) -> dict[str, Scalar | tuple[Scalar, ...]]:
        """Return the values on which the result of one task depends: all but the grids."""
        return {s.name: getattr(self, s.name) for s in self.settings() if not s.grid}

    def from_texts(self, texts: Mapping[str, str]) -> Config:
        """Return a copy with fields parsed from texts.

        Raises
        ------
        ValueError
            If there is no such field, or a text is not a value of it.
        """
        fields = {field.name: field for field in self.settings()}
        for name in texts:
            if name not in fields:
                raise ValueError(f"There is no setting {name!r}; available: {', '.join(fields)}.")
        return replace(self, **{n: setting_value(fields[n], t) for n, t in texts.items()})

    def differing(self, other: Config) -> Iterator[Setting]:
        """Yield the settings whose values differ from another configuration's."""
        return (s for s in self.settings() if getattr(self, s.name) != getattr(other, s.name))


def configuration(name: str, settings: Mapping[str, Any]) -> type[Config]:
    """Make the class of an experiment's configurations: trials, seed, and its settings."""
    fields = [(key, Any, field) for key, field in settings.items()]
    return make_dataclass(name, fields, bases=(Config,), frozen=True)
