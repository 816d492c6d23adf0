"""A click on the stage causes one run. For fast clicks see tests/browser/test_fast_hands.py."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from benchmarks.streamlit_server import serve
from lapviz.explorer.host.check import STAGE, Session, header_of, in_a_loop

pytestmark = pytest.mark.slow

PATIENCE = 120  # seconds, for a busy machine
QUIET = 2.0  # seconds within which a second run would start


@dataclass
class Listener(Session):
    """A visitor that records the answers of the stage and the captions below it."""

    answers: list[dict] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)

    def _element(self, kind: str, proto, fragment: str) -> None:
        super()._element(kind, proto, fragment)
        if kind == "bidi_component" and proto.component_name == STAGE:
            self.answers.append(header_of(proto.bytes))
        elif kind == "markdown" and " labels, σ = " in proto.body:
            self.captions.append(proto.body)

    @classmethod
    async def at_labels(cls, address: str) -> Listener:
        visitor = await cls.open(address, "labels", "data=half_moons&n=60&p=20")
        is_answered = await visitor.until_answered(
            lambda s: s.stage.get("answer") and s.captions, PATIENCE
        )
        assert is_answered, visitor.errors
        return visitor

    async def act(self, rev: int, hand: bool, again: int | None = None, **changes: object) -> None:
        view_key = next(a["answer"]["view_key"] for a in self.answers if a["answer"])
        message = {"rev": rev, "hand": hand, "changes": changes, "view_key": view_key}
        message |= {} if again is None else {"again": again}
        await self.say(STAGE, state=message)


@pytest.fixture(scope="module")
def address():
    with serve() as address:
        yield address


def test_a_click_is_answered_once_with_everything_that_depends_on_it(address):
    async def click() -> Listener:
        visitor = await Listener.at_labels(address)
        n_answers, n_captions = len(visitor.answers), len(visitor.captions)
        await visitor.act(1, False, labels=[[0.0, 0.0, row, row % 2] for row in range(5)])
        await visitor.until_answered(lambda s: len(s.captions) > n_captions, PATIENCE)
        await asyncio.sleep(QUIET)
        await visitor.close()
        del visitor.answers[:n_answers], visitor.captions[:n_captions]
        return visitor

    visitor = in_a_loop(click())
    assert visitor.errors == []
    answers = [header for header in visitor.answers if header["answer"]]
    assert [header["rev"] for header in answers] == [1]
    assert len(answers[0]["answer"]["labels"]) == 5
    assert len(visitor.captions) == 1
    assert ", 5 labels, " in visitor.captions[0]


def test_a_message_sent_again_after_its_answer_undoes_nothing(address):
    async def acts() -> list[float]:
        visitor = await Listener.at_labels(address)
        start = len(visitor.answers)
        for rev, lam, again in ((1, 3.0, None), (2, 5.0, None), (2, 3.0, 7), (3, 4.0, 8)):
            count = len(visitor.answers)
            await visitor.act(rev, False, again, lam=lam)
            await visitor.until_answered(
                lambda s, n=count: any(a["answer"] for a in s.answers[n:]), PATIENCE
            )
        await asyncio.sleep(QUIET)
        await visitor.close()
        assert visitor.errors == []
        return [a["answer"]["lam"] for a in visitor.answers[start:] if a["answer"]]

    assert in_a_loop(acts()) == [3.0, 5.0, 5.0, 4.0], "one answer to each message"
