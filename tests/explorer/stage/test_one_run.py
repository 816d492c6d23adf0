"""A click on the stage ends in one run of the page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from benchmarks.streamlit_server import serve
from lapviz.explorer.host.check import STAGE, Session, header_of, in_a_loop

PATIENCE = 120  # seconds: a machine may be busy
QUIET = 2.0  # seconds in which a second run would have come


@dataclass
class Listener(Session):
    """A visitor that notes every answer of the stage, and texts of the page below it."""

    answers: list[dict] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)

    def _element(self, kind: str, proto, fragment: str) -> None:
        super()._element(kind, proto, fragment)
        if kind == "bidi_component" and proto.component_name == STAGE:
            self.answers.append(header_of(proto.bytes))
        elif kind == "markdown" and " labels, σ = " in proto.body:
            self.captions.append(proto.body)


async def _click(address: str) -> Listener:
    visitor = await Listener.open(address, "labels", "data=half_moons&n=60&p=20")
    shown = await visitor.until_answered(lambda s: s.stage.get("answer") and s.captions, PATIENCE)
    assert shown, visitor.errors
    visitor.answers.clear()
    visitor.captions.clear()
    changes = {"labels": [[0.0, 0.0, row, row % 2] for row in range(5)]}
    said = {"rev": 1, "changes": changes, "view_key": visitor.stage["answer"]["view_key"]}
    await visitor.say(STAGE, state=said)
    await visitor.until_answered(lambda s: s.captions, PATIENCE)
    await asyncio.sleep(QUIET)
    await visitor.close()
    return visitor


@pytest.mark.slow
def test_a_click_is_answered_once_with_all_that_depends_on_it():
    with serve() as address:
        visitor = in_a_loop(_click(address))
    assert visitor.errors == []
    answers = [header["answer"] for header in visitor.answers if header["answer"]]
    assert [answer["rev"] for answer in answers] == [1]
    assert len(answers[0]["labels"]) == 5
    assert len(visitor.captions) == 1
    assert ", 5 labels, " in visitor.captions[0]
