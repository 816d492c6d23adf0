"""The description of anything that can be set: name, range, default, help and text form.

A frozen record declares its fields with it::

    @dataclass(frozen=True)
    class Blobs(Generator):
        n_blobs: int = parameter(4, "Blobs", "Number of clusters and classes.", low=3, high=5)

and :func:`descriptions` returns the descriptions. The validation of estimators and records,
controls, sliders, links, command lines and scripts are all derived from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Set
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import Any

from lapviz._sklearn import Interval, StrOptions
from lapviz.checks import Refused

AUTO = "auto"  # the value is chosen from the data
MOST = 64  # largest number of entries of a tuple
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"  # in a link; read in one way only
_CONSTRAINTS = {"flag": ["boolean"], "seed": ["random_state"], "options": [dict, tuple, None],
                "array": ["array-like", None]}  # fmt: skip
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True)
class Slider:
    """The scale of a slider.

    Attributes
    ----------
    low, high, step : float
        Ends, and the distance of two positions, or positions per decade on a log scale.
    log, zero : bool
        Whether it is logarithmic, and whether 0 comes before its low end.
    values : tuple of float
        The positions, if they are not evenly spaced.
    """

    low: float
    high: float
    step: float
    log: bool = False
    zero: bool = False
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """Description of one setting.

    Attributes
    ----------
    name : str
        As in specifications and estimators.
    label, help : str
        For users: a title and a sentence.
    default : object
        If it is a tuple, the setting takes several values.
    symbol : str
        As in formulas; empty if it has none.
    kind : {"real", "integer", "choice", "flag", "seed", "text", "options", "array"}
    low, high : float or None
        Range of a number, or of every entry of a tuple; None if unbounded.
    closed : {"left", "neither"}
        Whether ``low`` itself is allowed.
    auto : bool
        Whether "auto", chosen from the data, is allowed.
    words : tuple of str
        For a number: names of rules that are allowed in place of a value.
    names : callable or None
        For a choice: returns the names to choose from, in menu order; the keys of a registry, as a
        view, include those that are registered later.
    more : tuple
        For a choice: further constraints as in scikit-learn, for example a class of objects.
    page_low, page_high : float or None
        Range in the explorer, where many users share one machine, if it differs.
    none : str
        The text for None; empty if None has no text.
    key, group : str
        Its name in a link; the group of controls that it belongs to, as in ``?hide=``.
    codec : (callable, callable) or None
        Reads a value from a text and writes it, for values other than numbers and names.
    slider : Slider or None
    only : tuple of (value, str)
        All allowed values with their titles, if these are few.
    fewest : int
        Smallest number of entries of a tuple.
    grid : bool
        Whether it only determines which tasks an experiment has: tasks that two values have in
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
    names: Callable[[], Collection[str]] | None = None
    more: tuple = ()
    page_low: float | None = None
    page_high: float | None = None
    none: str = ""
    key: str = ""
    group: str = ""
    codec: tuple[Callable[[str], object], Callable[[Any], str]] | None = None
    slider: Slider | None = None
    only: tuple[tuple[Any, str], ...] = ()
    fewest: int = 1
    grid: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        """Names to choose from, as currently registered; empty for numbers."""
        return () if self.names is None else tuple(self.names())

    @property
    def title(self) -> str:
        """The label as a page shows it; a symbol such as λ₀ stays as it is."""
        first = self.label[:1]
        return (first.upper() if first.isascii() else first) + self.label[1:]

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
        """Separator of the values of a tuple in a text."""
        return ";" if any("," in choice for choice in self.choices) else ","

    def range(self, page: bool = False) -> tuple[float | None, float | None]:
        """Smallest and largest number."""
        low = self.page_low if page and self.page_low is not None else self.low
        return low, self.page_high if page and self.page_high is not None else self.high

    def constraints(self) -> list:
        """Constraints for scikit-learn's parameter validation."""
        rules = {AUTO} if self.auto else set()
        rules.update(self.words)
        allowed: list = [StrOptions(rules)] if rules else []
        if self.kind in _CONSTRAINTS:
            allowed += _CONSTRAINTS[self.kind]
        elif self.kind == "choice":
            names = self.names() if self.names else ()
            allowed.append(StrOptions(names if isinstance(names, Set) else set(names)))
        else:
            number = Real if self.kind == "real" else Integral
            allowed.append(Interval(number, self.low, self.high, closed=self.closed))
        return [*allowed, *self.more]

    def checked(self, value: Any, page: bool = False) -> Any:
        """Validate a value and convert it to its type.

        Raises
        ------
        Refused
            If it has another type or is outside the range; the message completes a sentence.
        """
        if not self.many:
            return self._entry(value, page)
        entries = value if isinstance(value, tuple | list) else (value,)
        if not self.fewest <= len(entries) <= MOST:
            raise Refused(f"must have from {self.fewest} to {MOST} values")
        return tuple(dict.fromkeys(self._entry(entry, page) for entry in entries))

    def read(self, text: str, page: bool = False) -> Any:
        """Read a value from a text.

        Entries of a tuple are separated by commas, or by semicolons if a choice contains a comma.

        Raises
        ------
        ValueError
            If it cannot be read or is outside the range; :class:`Refused` says why.
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
            return self.checked(self._parsed(text.strip()), page)
        parts = [part.strip() for part in text.split(self.comma)]
        return self.checked(tuple(self._parsed(part) for part in parts if part), page)

    def write(self, value: Any) -> str:
        """Write a value as a text, the inverse of :meth:`read`."""
        if value is None and self.none:
            return self.none
        if self.codec is not None:
            return self.codec[1](value)
        return self.comma.join(map(_text, value or ())) if self.many else _text(value)

    def _parsed(self, text: str) -> object:
        if self.kind in ("choice", "text"):
            return text
        if self.kind == "flag":
            return _FLAGS.get(text.lower(), text)
        try:
            return integer(text) if self.integral else float(_text(float(text)))
        except ValueError:
            return text  # invalid, and refused as a text

    def _entry(self, value: Any, page: bool) -> Any:
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise Refused("must be true or false")
            return value
        rules = [*filter(None, (self.none, AUTO * self.auto)), *self.words]
        if self.kind in ("choice", "text"):
            if self.kind == "choice" and value not in self.choices:
                raise Refused(f"must be one of {f'{self.comma} '.join([*rules, *self.choices])}")
            if not isinstance(value, str):
                raise Refused("must be a text")
            return value
        low, high = self.range(page)
        inside = (
            _is_number(value) and (low is None or value >= low) and (high is None or value <= high)
        )
        if not inside or (self.integral and value != int(value)):
            number = f"a {'whole ' * self.integral}number{_ends(low, high)}"
            number = " or ".join(filter(None, (", ".join(rules), number)))
            raise Refused(f"must be {number}{', or several joined by commas' * self.many}")
        return int(value) if self.integral else float(value)


def parameter(default: object, label: str, help: str, **options: Any) -> Any:
    """Declare a field of a frozen record with its description, see :class:`Parameter`.

    The kind is that of the default or its first entry; a text with ``names`` is a choice.
    """
    first = default[0] if isinstance(default, tuple) and default else default
    kinds = {bool: "flag", int: "integer", float: "real", str: "text"}
    kind = "choice" if "names" in options else kinds.get(type(first), "real")
    options.setdefault("kind", kind)
    return described(Parameter("", label, help, default, **options))


def described(parameter: Parameter, **changes: Any) -> Any:
    """Declare a field of a frozen record by an existing description, with ``changes``."""
    parameter = replace(parameter, **changes)
    return field(default=parameter.default, metadata={"parameter": parameter})


def check_numbers(owner: str, settings: tuple[Parameter, ...]) -> None:
    """Refuse settings of a kernel or data set that are no numbers: pages show them as sliders."""
    for setting in settings:
        if setting.kind not in ("real", "integer") or isinstance(setting.default, tuple):
            raise ValueError(
                f"The field {setting.name!r} of {owner} must be a number, since pages show it as a "
                f"slider; its default is {setting.default!r}."
            )


def descriptions(cls: Any) -> tuple[Parameter, ...]:
    """Descriptions of a record's fields, in order, without fields that have none."""
    declared = (f for f in fields(cls) if "parameter" in f.metadata)
    return tuple(replace(f.metadata["parameter"], name=f.name, default=f.default) for f in declared)


def integer(text: str) -> int:
    """Read an integer in any usual notation: 2000, 2,000, 2 000, 2'000 or 2e3."""
    text = text.strip()
    if re.fullmatch(r"\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*", text):
        text = re.sub(r"\D", "", text)
    if re.fullmatch(r"\d(\.\d+)?[eE]\d{1,2}", text) and float(text) == int(float(text)):
        return int(float(text))
    return int(text)


def within(value: float, low: float, high: float) -> Any:
    """The value, if it is in a range.

    Raises
    ------
    Refused
        If not; the message completes a sentence.
    """
    if not low <= value <= high:  # also refuses NaN
        ends = "a whole number from {} to {}" if isinstance(value, int) else "from {:g} to {:g}"
        raise Refused("must be " + ends.format(low, high))
    return value


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:  # an integer beyond the largest float
        return False


def _ends(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "" if low is None else f" of at least {low:.12g}"
    return f" from {low:.12g} to {high:.12g}"
