"""What was chosen from the data, to be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One automatic choice: of which parameter, what, and why."""

    name: str
    value: object
    reason: str

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return f"{self.value:.4g}" if isinstance(self.value, float) else str(self.value)

    def __str__(self) -> str:
        return f"{self.name} = {self.shown}: {self.reason}"


@dataclass(frozen=True)
class Report:
    """The automatic choices of a fit, in order; printed one a line."""

    choices: tuple[Choice, ...] = ()

    def choose(self, name: str, value: object, reason: str) -> Report:
        """The report with a choice: in place of one of the same parameter, or behind the others."""
        made = Choice(name, value, reason)
        if name not in self.names:
            return Report((*self.choices, made))
        return Report(tuple(made if choice.name == name else choice for choice in self.choices))

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, name: str) -> Choice:
        """The choice of a parameter.

        Raises
        ------
        KeyError
            If nothing was chosen for it.
        """
        for choice in self.choices:
            if choice.name == name:
                return choice
        raise KeyError(f"{name!r} was given, not chosen: the choices are of {self.names}.")

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that were chosen from the data."""
        return tuple(choice.name for choice in self.choices)

    def __str__(self) -> str:
        return "\n".join(map(str, self.choices)) or "Nothing was chosen from the data."
