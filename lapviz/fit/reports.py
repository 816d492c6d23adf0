"""Reports of the automatic choices of a fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One automatic choice: parameter, value and reason."""

    name: str
    value: object
    reason: str

    @property
    def shown(self) -> str:
        """The value as a short text."""
        return f"{self.value:.4g}" if isinstance(self.value, float) else str(self.value)

    def __str__(self) -> str:
        return f"{self.name} = {self.shown}: {self.reason}"


@dataclass(frozen=True)
class Report:
    """The automatic choices of a fit, in order; printed one per line."""

    choices: tuple[Choice, ...] = ()

    def choose(self, name: str, value: object, reason: str) -> Report:
        """The report with a choice, which replaces an earlier one for the same parameter."""
        chosen = {choice.name: choice for choice in self.choices}
        return Report(tuple({**chosen, name: Choice(name, value, reason)}.values()))

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
        raise KeyError(f"{name!r} was not chosen automatically, only {self.names} were.")

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters that were chosen from the data."""
        return tuple(choice.name for choice in self.choices)

    def __str__(self) -> str:
        return "\n".join(map(str, self.choices)) or "Nothing was chosen from the data."
