"""What the four papers contain: every reference of the notes must be to one of these places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper's numbered places.

    ``places`` maps a kind, as the notes write it, to its numbers: "eq." to "1", "2", …, "§" to
    sections, "App." to sections of the appendix, "Theorem" and the like.
    """

    name: str
    places: tuple[tuple[str, frozenset[str]], ...]

    def has(self, place: str) -> bool:
        """Whether the paper has a place such as "eq. 5", "§2.2", "App. C.1" or "Theorem 1"."""
        return any(
            place.startswith(kind) and place.removeprefix(kind).strip() in numbers
            for kind, numbers in self.places
        )


def _paper(name: str, **places: Iterable) -> Paper:
    kinds = {"eq": "eq.", "section": "§", "appendix": "App."}
    return Paper(
        name,
        tuple((kinds.get(kind, kind), frozenset(map(str, its))) for kind, its in places.items()),
    )


def _to(last: int) -> range:
    return range(1, last + 1)


PAPERS = {
    paper.name: paper
    for paper in (
        _paper(
            "SSL21",
            eq=_to(36),
            section=["1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "5"],
            appendix=[
                "A",
                "A.1",
                "A.2",
                "B",
                "B.1",
                "B.2",
                "B.3",
                "C",
                "C.1",
                "C.2",
                "C.3",
                "C.4",
                "C.5",
                "C.6",
                "D",
                "E",
            ],
            Theorem=(1, 4),
            Proposition=(1,),
            Remark=(25,),
            Algorithm=(1,),
            Figure=_to(6),
            Assumption=_to(3),
        ),
        _paper(
            "KRR20",
            eq=_to(10),
            section=_to(8),
            appendix=("A", "B"),
            Theorem=_to(5),
            Proposition=_to(6),
            Lemma=range(7, 12),
        ),
        _paper(
            "GAL23",
            eq=_to(24),
            section=[
                "1",
                "2",
                "3",
                "3.1",
                "3.2",
                "4",
                "5",
                "6",
                "6.1",
                "6.2",
                "6.3",
                "7",
                "7.1",
                "7.2",
                "8",
            ],
            appendix=[
                "A",
                "A.1",
                "A.2",
                "A.3",
                "A.4",
                "A.5",
                "A.6",
                "A.7",
                "B",
                "B.1",
                "B.2",
                "B.3",
                "B.4",
            ],
            Theorem=_to(3),
            Proposition=(1, 10),
            Algorithm=_to(5),
            Figure=_to(10),
        ),
        _paper(
            "KCG10",
            eq=_to(34),
            section=["1", "2", "2.1", "2.2", "2.3", "3", "4", "4.1", "4.2", "4.3", "5"],
            appendix=["A", "A.1", "A.2", "A.3", "A.4", "A.5"],
            Theorem=("2.1", "2.2", "2.3", "4.2"),
            Proposition=("4.1",),
            Lemma=[f"A.{i}" for i in _to(7)],
            Algorithm=(1,),
        ),
    )
}
