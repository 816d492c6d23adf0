"""One description of anything that can be set: its name, range, default and words, and its text.

A frozen record declares its fields with it::

    @dataclass(frozen=True)
    class Blobs(Generator):
        n_blobs: int = parameter(4, "Blobs", "Number of clusters and classes.", low=3, high=5)

and :func:`descriptions` gives the descriptions back. Validation by estimators, records' own checks,
controls, sliders, links, command lines and scripts are all made from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import Any

from lapviz._sklearn import Interval, StrOptions
from lapviz.checks import Refused

AUTO = "auto"  # of a setting: chosen from the data
MOST = 64  # entries of a tuple
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


class Registered(StrOptions):
    """A name that is registered at the time of validation."""

    def __init__(self, names: Callable[[], tuple[str, ...]]):
        super().__init__(set(names()))
        self.names = names

    def is_satisfied_by(self, val) -> bool:
        self.options = set(self.names())
        return super().is_satisfied_by(val)


@dataclass(frozen=True)
class Slider:
    """The scale of a slider.

    Attributes
    ----------
    low, high, step : float
        Ends; the distance of two positions, or on a log scale positions per decade.
    log, zero : bool
        Whether it is logarithmic, and whether 0 stands before its low end.
    values : tuple of float
        The positions, where they are not even.
    """

    low: float
    high: float
    step: float
    log: bool = False
    zero: bool = False
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """What can be set.

    Attributes
    ----------
    name : str
        As specifications and estimators call it.
    label, help : str
        For people: a title, and a sentence.
    default : object
        A tuple: several values can be given.
    symbol : str
        As formulas write it; empty if it has none.
    kind : {"real", "integer", "choice", "flag", "seed", "text", "options"}
    low, high : float or None
        Range of a number, or of every entry of a tuple; None: unbounded.
    closed : {"left", "neither"}
        Whether ``low`` itself is allowed.
    auto : bool
        Whether "auto" is allowed: chosen from the data.
    words : tuple of str
        Of a number: further rules by name.
    names : callable or None
        Of a choice: returns the names to choose from, in menu order, registered ones included.
    more : tuple
        Of a choice: further constraints of scikit-learn's kind, a class of objects for example.
    page_low, page_high : float or None
        Range in the explorer, where many share one machine, if that is another one.
    none : str
        What a text says for None; empty if None cannot be said.
    key, group : str
        Its name in a link; the group of controls that it belongs to, as in ``?hide=``.
    codec : (callable, callable) or None
        Reads a value from a text, and writes it, where neither a number nor a name is meant.
    slider : Slider or None
    only : tuple of (value, str)
        All values that it takes, where these are few, and what they are called.
    grid : bool
        Whether it only says which tasks an experiment has: the tasks that two values have in
        common then have the same results.
    """

    name: str
    label: str
    help: str
    default: object
    symbol: str = ""
    kind: str = "real"
    low: float | None = None
    high: float | None = None
    closed: str = "left"
    auto: bool = False
    words: tuple[str, ...] = ()
    names: Callable[[], tuple[str, ...]] | None = None
    more: tuple = ()
    page_low: float | None = None
    page_high: float | None = None
    none: str = ""
    key: str = ""
    group: str = ""
    codec: tuple[Callable[[str], object], Callable[[Any], str]] | None = None
    slider: Slider | None = None
    only: tuple[tuple[Any, str], ...] = ()
    grid: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        """Names to choose from, as registered now; empty for numbers."""
        return () if self.names is None else self.names()

    @property
    def many(self) -> bool:
        """Whether its value is a tuple."""
        return isinstance(self.default, tuple) and self.codec is None

    @property
    def integral(self) -> bool:
        """Whether values are integers."""
        return self.kind in ("integer", "seed")

    @property
    def comma(self) -> str:
        """What stands between the values of a tuple in a text."""
        return ";" if any("," in choice for choice in self.choices) else ","

    def range(self, page: bool = False) -> tuple[float | None, float | None]:
        """Smallest and largest number."""
        low = self.page_low if page and self.page_low is not None else self.low
        return low, self.page_high if page and self.page_high is not None else self.high

    def constraints(self) -> list:
        """Constraints for scikit-learn's parameter validation."""
        words = {AUTO} if self.auto else set()
        words.update(self.words)
        allowed: list = [StrOptions(words)] if words else []
        if self.kind == "flag":
            allowed.append("boolean")
        elif self.kind == "seed":
            allowed.append("random_state")
        elif self.kind == "options":
            allowed += [dict, tuple, None]
        elif self.kind == "choice":
            allowed.append(Registered(self.names or tuple))
        else:
            number = Real if self.kind == "real" else Integral
            allowed.append(Interval(number, self.low, self.high, closed=self.closed))
        return [*allowed, *self.more]

    def checked(self, value: Any, page: bool = False) -> Any:
        """The value in its type.

        Raises
        ------
        Refused
            If it has another type or lies outside the range; the text completes a sentence.
        """
        if not self.many:
            return self._entry(value, page)
        entries = value if isinstance(value, tuple | list) else (value,)
        if not 1 <= len(entries) <= MOST:
            raise Refused(f"must have from 1 to {MOST} values")
        return tuple(dict.fromkeys(self._entry(entry, page) for entry in entries))

    def read(self, text: str, page: bool = False) -> Any:
        """The value that a text says.

        A tuple's entries are separated by commas; by semicolons if some of its choices have commas.

        Raises
        ------
        ValueError
            If it cannot be read, or lies outside the range; :class:`Refused` says why.
        """
        if self.none and text == self.none:
            return None
        if self.only:
            values = {self.write(value): value for value, _ in self.only}
            if text not in values:
                raise Refused(f"must be one of {', '.join(values)}")
            return values[text]
        if self.codec is not None:
            return self.codec[0](text)
        if text in self.words or (self.auto and text == AUTO):
            return text
        if not self.many:
            return self.checked(self._said(text.strip()), page)
        parts = [part.strip() for part in text.split(self.comma)]
        return self.checked(tuple(self._said(part) for part in parts if part), page)

    def write(self, value: Any) -> str:
        """What :meth:`read` reads as this value."""
        if value is None and self.none:
            return self.none
        if self.codec is not None:
            return self.codec[1](value)
        return self.comma.join(map(_text, value or ())) if self.many else _text(value)

    def _said(self, text: str) -> object:
        if self.kind in ("choice", "text"):
            return text
        if self.kind == "flag":
            return _FLAGS.get(text.lower(), text)
        try:
            return integer(text) if self.integral else float(_text(float(text)))
        except ValueError:
            return text  # refused as what it is

    def _entry(self, value: Any, page: bool) -> Any:
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise Refused("must be true or false")
            return value
        if self.kind in ("choice", "text"):
            if self.kind == "choice" and value not in self.choices:
                raise Refused(f"must be one of {', '.join(self.choices)}")
            if not isinstance(value, str):
                raise Refused("must be a text")
            return value
        low, high = self.range(page)
        inside = (
            _is_number(value) and (low is None or value >= low) and (high is None or value <= high)
        )
        if not inside or (self.integral and value != int(value)):
            raise Refused(f"must be a {'whole ' * self.integral}number{_ends(low, high)}")
        return int(value) if self.integral else float(value)


def parameter(default: object, label: str, help: str, **more: Any) -> Any:
    """A field of a frozen record, with its description: see :class:`Parameter` for what it takes.

    The kind is that of the default, or of its first entry; a text with ``names`` is a choice.
    """
    first = default[0] if isinstance(default, tuple) and default else default
    kinds = {bool: "flag", int: "integer", float: "real", str: "text"}
    kind = "choice" if "names" in more else kinds.get(type(first), "real")
    more.setdefault("kind", kind)
    return described(Parameter("", label, help, default, **more))


def described(parameter: Parameter, **own: Any) -> Any:
    """A field of a frozen record that is described elsewhere, perhaps with some of it changed."""
    parameter = replace(parameter, **own)
    return field(default=parameter.default, metadata={"parameter": parameter})


def descriptions(cls: Any) -> tuple[Parameter, ...]:
    """Descriptions of a record's fields, in order; of those that have one."""
    own = (f for f in fields(cls) if "parameter" in f.metadata)
    return tuple(replace(f.metadata["parameter"], name=f.name, default=f.default) for f in own)


def integer(text: str) -> int:
    """A whole number in any usual notation: 2000, 2,000, 2 000, 2'000 or 2e3."""
    text = text.strip()
    if re.fullmatch(r"\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*", text):
        text = re.sub(r"\D", "", text)
    if re.fullmatch(r"\d(\.\d+)?[eE]\d{1,2}", text) and float(text) == int(float(text)):
        return int(float(text))
    return int(text)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def _ends(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "" if low is None else f" of at least {low:g}"
    return f" from {low:g} to {high:g}"
