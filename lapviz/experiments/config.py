"""What can be set of an experiment: a frozen record whose fields say their range and meaning.

    @dataclass(frozen=True)
    class Rates(Config):
        sizes: tuple[int, ...] = setting((50, 100, 200), "Samples of each run.", 10, 10_000,
                                         grid=True)
        bandwidth: float = setting(0.5, "Bandwidth σ of the kernel.", 1e-3, 1e3)

The command line, the explorer's controls and the link are made from this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from inspect import get_annotations
from math import isfinite

Scalar = int | float | str | bool
MOST = 64  # entries of a tuple


@dataclass(frozen=True)
class Setting:
    """One field of a configuration.

    Attributes
    ----------
    name : str
        As in Python and on the command line.
    default : scalar or tuple of scalars
        Also says the type.
    help : str
        One sentence.
    low, high : float or None
        Range of a number, or of every entry of a tuple.
    page_high : float or None
        Largest number in the explorer, where many share one machine.
    choices : tuple of str
        What a text may be; empty for numbers.
    label : str
        For people; by default the name in words.
    grid : bool
        Whether it only says which tasks there are: the tasks that two values have in common then
        have the same results.
    """

    name: str
    default: Scalar | tuple[Scalar, ...]
    help: str
    low: float | None = None
    high: float | None = None
    page_high: float | None = None
    choices: tuple[str, ...] = ()
    label: str = ""
    grid: bool = False

    @property
    def many(self) -> bool:
        """Whether its value is a tuple."""
        return isinstance(self.default, tuple)

    @property
    def kind(self) -> type:
        """The type of a value, or of a tuple's entries."""
        return type(self.default[0] if self.many else self.default)

    @property
    def comma(self) -> str:
        """What stands between the values of a tuple in a text."""
        return ";" if any("," in choice for choice in self.choices) else ","

    @property
    def words(self) -> str:
        """The label, or the name in words."""
        return self.label or self.name.replace("_", " ")

    def checked(self, value: object, page: bool = False) -> Scalar | tuple[Scalar, ...]:
        """The value in its type.

        Raises
        ------
        ValueError
            If it has another type or lies outside the range.
        """
        if not self.many:
            return self._entry(value, page)
        if isinstance(value, str) or not isinstance(value, tuple | list):
            value = (value,)
        if not 1 <= len(value) <= MOST:
            raise ValueError(f"The setting {self.name!r} takes from 1 to {MOST} values.")
        return tuple(dict.fromkeys(self._entry(entry, page) for entry in value))

    def parse(self, text: str, page: bool = False) -> Scalar | tuple[Scalar, ...]:
        """The value that a text says.

        A tuple's entries are separated by commas; by semicolons if some of its choices have commas.

        Raises
        ------
        ValueError
            If it cannot be read, or lies outside the range.
        """
        parts = [part.strip() for part in text.split(self.comma)] if self.many else [text.strip()]
        read = tuple(self._read(part) for part in parts if part or not self.many)
        return self.checked(read if self.many else read[0], page)

    def text(self, value: Scalar | tuple[Scalar, ...]) -> str:
        """What :meth:`parse` reads as this value."""
        entries = value if self.many else (value,)
        return self.comma.join(f"{v:.12g}" if self.kind is float else str(v).lower()
                        if self.kind is bool else str(v) for v in entries)  # fmt: skip

    def top(self, page: bool) -> float | None:
        """Largest number."""
        return self.page_high if page and self.page_high is not None else self.high

    def _read(self, text: str) -> Scalar:
        if self.kind is str:
            return text
        if self.kind is bool:
            known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
            if text.lower() not in known:
                raise ValueError(f"The setting {self.name!r} is true or false; got {text[:40]!r}.")
            return known[text.lower()]
        try:
            number = float(text)
        except ValueError:
            raise ValueError(
                f"The setting {self.name!r} takes numbers; got {text[:40]!r}."
            ) from None
        return int(number) if self.kind is int and number.is_integer() else number

    def _entry(self, value: object, page: bool) -> Scalar:
        if self.kind in (str, bool):
            if not isinstance(value, self.kind):
                raise ValueError(f"The setting {self.name!r} cannot be {value!r}.")
            if self.choices and value not in self.choices:
                have = ", ".join(self.choices)
                raise ValueError(f"The setting {self.name!r} is one of {have}; got {value!r}.")
            return value
        whole = self.kind is int
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not isfinite(value) or (whole and value != int(value)):
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"The setting {self.name!r} must be {kind}; got {value!r}.")
        top = self.top(page)
        if (self.low is not None and value < self.low) or (top is not None and value > top):
            raise ValueError(
                f"The setting {self.name!r} must lie from {self.low:g} to {top:g}; got {value:g}."
            )
        return self.kind(value)


def setting(
    default,
    help: str,
    low: float | None = None,
    high: float | None = None,
    *,
    page_high: float | None = None,
    choices: tuple[str, ...] = (),
    label: str = "",
    grid: bool = False,
):
    """A field of a :class:`Config`; see :class:`Setting` for the parameters."""
    said = {"help": help, "low": low, "high": high, "page_high": page_high}
    return field(
        default=default, metadata=said | {"choices": choices, "label": label, "grid": grid}
    )


def sample_sizes(default: tuple[int, ...], low: int, high: int, page_high: int):
    """A field of a :class:`Config`: numbers of samples as a grid."""
    return setting(default, "Numbers n of samples.", low, high, page_high=page_high, grid=True,
                   label="samples n")  # fmt: skip


@dataclass(frozen=True)
class Config:
    """Base of all configurations: the number of trials and the seed."""

    trials: int = setting(
        10, "How often everything is drawn anew; error bars come from these.", 1, 1000,
        page_high=100, grid=True,
    )  # fmt: skip
    seed: int = setting(0, "Seed of all that is random.", 0, 2**31 - 1)

    def __init_subclass__(cls) -> None:
        for name in get_annotations(cls):
            if callable(getattr(Config, name, None)):
                raise TypeError(f"A setting cannot be called {name!r}: choose another name.")

    def __post_init__(self) -> None:
        for said in self.settings():
            object.__setattr__(self, said.name, said.checked(getattr(self, said.name)))

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """Its fields, in the order of the class."""
        return tuple(Setting(f.name, f.default, **f.metadata) for f in fields(cls))

    @classmethod
    def limit(cls, name: str) -> float | None:
        """Largest number of a field."""
        return next(said.high for said in cls.settings() if said.name == name)

    def as_dict(self) -> dict[str, Scalar | tuple[Scalar, ...]]:
        """Values by name."""
        return {said.name: getattr(self, said.name) for said in self.settings()}

    def texts(self) -> dict[str, str]:
        """Values as texts, by name."""
        return {said.name: said.text(getattr(self, said.name)) for said in self.settings()}

    def matter(self) -> dict[str, Scalar | tuple[Scalar, ...]]:
        """Values on which the result of one task depends: those that are no grid."""
        return {s.name: getattr(self, s.name) for s in self.settings() if not s.grid}

    def reading(self, texts: Mapping[str, str], page: bool = False) -> Config:
        """The same configuration with the fields that texts say.

        Raises
        ------
        ValueError
            If there is no such field, or a text is no value of it.
        """
        known = {said.name: said for said in self.settings()}
        for name in texts:
            if name not in known:
                raise ValueError(f"There is no setting {name!r}; there are: {', '.join(known)}.")
        return replace(self, **{n: known[n].parse(t, page) for n, t in texts.items()})

    def differing(self, other: Config) -> Iterator[Setting]:
        """The settings whose values are not those of another configuration."""
        return (s for s in self.settings() if getattr(self, s.name) != getattr(other, s.name))
