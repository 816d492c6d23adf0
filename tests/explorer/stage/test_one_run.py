"""What a hand does on the stage: a click ends in one run, and of many acts the last holds."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from urllib.parse import parse_qs

import pytest

from benchmarks.streamlit_server import serve
from lapviz.explorer.host.check import STAGE, Session, header_of, in_a_loop

PATIENCE = 120  # seconds: a machine may be busy
LONGER = [pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2)]
QUIET = 2.0  # seconds in which a second run would have come


@dataclass
class Listener(Session):
    """A visitor that notes every answer of the stage, and texts of the page below it."""

    answers: list[dict] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    mark: str = ""

    def _element(self, kind: str, proto, fragment: str) -> None:
        super()._element(kind, proto, fragment)
        if kind == "bidi_component" and proto.component_name == STAGE:
            self.answers.append(header_of(proto.bytes))
        elif kind == "markdown" and " labels, σ = " in proto.body:
            self.captions.append(proto.body)
        elif kind == "html" and "lv-" in proto.body:
            self.mark = proto.body

    @classmethod
    async def at_labels(cls, address: str) -> Listener:
        visitor = await cls.open(address, "labels", "data=half_moons&n=60&p=20")
        shown = await visitor.until_answered(
            lambda s: s.stage.get("answer") and s.captions, PATIENCE
        )
        assert shown, visitor.errors
        return visitor

    async def act(self, rev: int, hand: bool, **changes: object) -> None:
        view_key = next(a["answer"]["view_key"] for a in self.answers if a["answer"])
        said = {"rev": rev, "hand": hand, "changes": changes, "view_key": view_key}
        await self.say(STAGE, state=said)


@pytest.fixture(scope="module")
def address():
    with serve() as address:
        yield address


@pytest.mark.slow
def test_a_click_is_answered_once_with_all_that_depends_on_it(address):
    async def click() -> Listener:
        visitor = await Listener.at_labels(address)
        before = len(visitor.answers), len(visitor.captions)
        await visitor.act(1, False, labels=[[0.0, 0.0, row, row % 2] for row in range(5)])
        await visitor.until_answered(lambda s: len(s.captions) > before[1], PATIENCE)
        await asyncio.sleep(QUIET)
        await visitor.close()
        del visitor.answers[: before[0]], visitor.captions[: before[1]]
        return visitor

    visitor = in_a_loop(click())
    assert visitor.errors == []
    answers = [header["answer"] for header in visitor.answers if header["answer"]]
    assert [answer["rev"] for answer in answers] == [1]
    assert len(answers[0]["labels"]) == 5
    assert len(visitor.captions) == 1
    assert ", 5 labels, " in visitor.captions[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *LONGER])
def test_of_many_acts_the_last_holds_in_stage_address_and_numbers(address, seed):
    async def drag() -> tuple[Listener, dict]:
        visitor, draw = await Listener.at_labels(address), random.Random(seed)
        rev, last = 0, {}
        for burst in range(4):
            for _ in range(draw.randint(1, 8)):
                rev += 1
                last |= draw.choice(
                    [{"lam": draw.choice([0.01, 0.2, 3.0, 40.0])},
                     {"sigma": draw.choice([0.1, 0.3, 0.7])},
                     {"labels": [[0.0, 0.0, row, row % 2] for row in range(draw.randint(2, 6))]}]
                )  # fmt: skip
                await visitor.act(rev, draw.random() < 0.7, **last)
                await asyncio.sleep(draw.choice([0, 0.02, 0.2]))
            rev += 1
            await visitor.act(rev, False, **last)
            done = await visitor.until_answered(
                lambda s, rev=rev: s.stage.get("answer") and s.stage["answer"]["rev"] == rev
                and "lv-new" in s.mark, PATIENCE)  # fmt: skip
            assert done, (burst, visitor.stage, visitor.errors)
        await asyncio.sleep(QUIET)  # what stands below the stage comes after it
        await visitor.close()
        return visitor, last

    visitor, last = in_a_loop(drag())
    assert visitor.errors == []
    answer, query = visitor.stage["answer"], parse_qs(visitor.query)
    if "lam" in last:
        assert answer["lam"] == float(query["lam"][0]) == last["lam"]
        assert f"λ = {last['lam']:.3g}" in visitor.captions[-1]
    if "sigma" in last:
        assert float(query["sigma"][0]) == last["sigma"]
        assert f"σ = {last['sigma']:.3g}" in visitor.captions[-1]
    if "labels" in last:
        assert len(answer["labels"]) == len(last["labels"])
        assert f" {len(last['labels'])} labels" in visitor.captions[-1]
