"""Many visitors at once, who move controls and measure the time of each answer.

A visitor waits for the exact answer, looks at it for one to three seconds, and makes the next move.
Each has its own seed, so that nobody is served another's results, and knows what its next picture
must show: an answer that shows anything else is an error.
"""

from __future__ import annotations

import asyncio
import random
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import websockets

from benchmarks.live.client import SHEET, Session
from lapviz.explorer.host.check import STAGE, in_a_loop
from lapviz.explorer.widgets.knobs import LANDMARKS, WIDTHS_PER_DECADE

THINKING = 1.0, 3.0  # seconds between an answer and the next move
STEPS = 3  # most steps of a slider in one move
STEP_SECONDS = 0.1  # between two steps of a drag
PATIENCE = 90.0  # seconds for an answer
P = [p for p in LANDMARKS if 50 <= p <= 500]
LAM_PER_DECADE = 10
SAMPLES, NOISES = (300, 500, 700, 1000, 1500, 2000), (0.0, 0.05, 0.1, 0.15, 0.2)
RETURNS = 5  # every fifth visitor leaves in the middle and comes back
DATA = {
    "labels": {"Four circles": "four_circles", "half-moons": "half_moons"},
    "eigenfunctions": {"half-moons": "half_moons", "Swiss roll": "swiss_roll"},
}
UPLOADS = "data"  # the page for user data, its uploader, and the button that leads back to it
FILE, AGAIN = "A file: CSV, TSV or Parquet", "Another table"
START = {"labels": "data=four_circles&p=200&sigma=0.3", "eigenfunctions": "data=half_moons&p=200"}


@dataclass(frozen=True)
class Answer:
    """One move: its kind, when it was made and how many seconds its exact picture took."""

    what: str
    at: float
    seconds: float


@dataclass
class Visitor:
    """One visitor, with the answers and errors that it has seen."""

    number: int
    page: str
    session: Session
    answers: list[Answer] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rev: int = 0
    last_answer: dict = field(default_factory=dict)  # the last answer received
    samples_too: bool = False  # whether it moves n and noise in place of λ, p and tables
    sheet_rev: int = 0  # revision of the sliders beside the stage

    def __post_init__(self):
        self.random = random.Random(self.number)
        self.data = START[self.page].partition("&")[0].removeprefix("data=")

    @property
    def seed(self) -> int:
        return 100 + self.number

    @property
    def answer(self) -> dict:
        """The stage's exact answer, or {}."""
        return self.session.stage.get("answer") or {}

    def knob(self, name: str) -> dict:
        return next((k for k in self.session.stage.get("knobs", ()) if k["name"] == name), {})

    # ---- moves ------------------------------------------------------------------------------

    async def move(self) -> None:
        """Make a move and wait for its exact answer."""
        weights = {self.sigma: 10, self.other_data: 3}
        if self.samples_too:
            weights |= {self.samples: 10, self.noise: 5}
        else:
            weights |= {self.landmarks: 3}
            if self.page == "labels":  # on other pages λ has no effect
                weights[self.lam] = 4
            if UPLOADS in self.session.pages:
                weights[self.upload] = 1
        await self.random.choices(*zip(*weights.items(), strict=True))[0]()

    def _steps(self) -> int:
        return self.random.choice((-1, 1)) * self.random.randint(1, STEPS)

    async def sigma(self) -> None:
        current, steps = self.knob("sigma")["value"], self._steps()
        if not 0.1 < current * 10 ** (steps / WIDTHS_PER_DECADE) < 1.0:
            steps = -steps
        sign = 1 if steps > 0 else -1
        values = [float(f"{current * 10 ** (k * sign / WIDTHS_PER_DECADE):.3g}")
                  for k in range(1, abs(steps) + 1)]  # fmt: skip
        await self._drag("sigma", values)

    async def landmarks(self) -> None:
        index = P.index(min(P, key=lambda p: abs(p - self.knob("p")["value"])))
        steps = self._steps()
        if not 0 <= index + steps < len(P):
            steps = -steps
        sign = 1 if steps > 0 else -1
        await self._drag("p", [P[index + k * sign] for k in range(1, abs(steps) + 1)])

    async def lam(self) -> None:
        lam = self.answer["lam"] * 10 ** (self._steps() / LAM_PER_DECADE)
        lam = float(f"{min(max(lam, 1e-4), 1e4):.4g}")
        await self._send("lam", lam)
        await self._exact("lam", lambda a: a["lam"] == lam)

    async def other_data(self) -> None:
        title = self.random.choice([t for t, n in DATA[self.page].items() if n != self.data])
        self.data = DATA[self.page][title]
        await self.session.choose("Data set", title)
        await self._exact("data")

    async def samples(self) -> None:
        await self._sheet("n", 1, SAMPLES)

    async def noise(self) -> None:
        await self._sheet("noise", 2, NOISES)

    async def _sheet(self, name: str, position: int, values: tuple) -> None:
        """Move a slider beside the stage; its value has a position in the key of the picture."""
        current = self.answer["view_key"].split("-")[position]
        value = self.random.choice([value for value in values if str(value) != current])
        sheets = (key for key in self.session.widgets if key.startswith(SHEET))
        sheet = next(key for key in sheets if name in key.partition(":")[2].split("+"))
        self.sheet_rev += 1
        state = {"rev": self.sheet_rev, "changes": {name: value}, "hand": False, "view_key": ""}
        await self.session.say(sheet, state=state)
        key = str(value)
        await self._exact(name, new=lambda a: a["view_key"].split("-")[position] == key)

    async def come_back(self, address: str) -> None:
        """Leave, and open the same link again."""
        previous = self.session
        await previous.close()
        self.session = await Session.open(address, self.page, previous.query)
        self.session.errors, self.session.received = previous.errors, previous.received
        self.rev = self.sheet_rev = 0
        await self._exact("again")

    async def upload(self) -> None:
        """Upload a table, check that the page shows it, and go back to the pictures."""
        name, rows = f"visitor-{self.number}.csv", 200 + self.number
        lines = [f"{k},{self.random.gauss(0, 1):.4f},{'ab'[k % 2]}" for k in range(rows)]
        start, session = time.monotonic(), self.session
        await session.go(UPLOADS)
        await session.until(lambda s: {AGAIN, FILE} & s.widgets.keys(), PATIENCE)
        if AGAIN in session.widgets:
            session.texts.clear()
            await session.press(AGAIN)
        if not await session.until(lambda s: FILE in s.widgets, PATIENCE):
            self.errors.append("no page to upload to")
            return
        await session.upload(FILE, name, "\n".join(["k,x,label", *lines]).encode())
        if await session.until(lambda s: any(f"{rows} rows" in t for t in s.texts), PATIENCE):
            self.answers.append(Answer("upload", start, time.monotonic() - start))
        else:
            self.errors.append(f"the table of {rows} rows did not come")
        owners = {n for text in session.texts for n in re.findall(r"visitor\W+(\d+)", text)}
        if owners - {str(self.number)}:
            self.errors.append(f"a table of the visitors {owners}")
        await session.go(self.page)
        await self._exact("back")

    async def _drag(self, name: str, values: list[float]) -> None:
        """Move a knob through these values, either by a drag that shows pictures or at once."""
        if self.random.random() < 0.5:
            for value in values[:-1]:
                sent = await self._send(name, value, hand=True)
                start = time.monotonic()
                await self._until(lambda s, sent=sent: self._rev >= sent, PATIENCE)
                await asyncio.sleep(max(STEP_SECONDS - (time.monotonic() - start), 0))
        await self._send(name, values[-1])
        await self._exact(name, lambda a: self.knob(name)["value"] == values[-1])

    async def _send(self, name: str, value: float, hand: bool = False) -> int:
        """Send a change of a control, as the stage does."""
        self.rev += 1
        self.last_answer = self.answer or self.last_answer
        state = {"rev": self.rev, "changes": {name: value}, "hand": hand,
                 "view_key": self.last_answer["view_key"]}  # fmt: skip
        await self.session.say(STAGE, state=state)
        return self.rev

    # ---- answers ----------------------------------------------------------------------------

    @property
    def _rev(self) -> int:
        """The last revision answered by Python."""
        return self.session.stage.get("rev") or 0

    def _is_own(self, answer: dict) -> bool:
        name, *rest = answer["view_key"].split("-")
        return name == self.data and str(self.seed) in rest

    async def _exact(
        self,
        what: str,
        shown: Callable[[dict], bool] = lambda answer: True,
        new: Callable[[dict], bool] = lambda answer: True,
    ) -> None:
        """Wait for the exact answer, and check that it belongs to this visitor.

        ``shown`` tests its contents, ``new`` distinguishes it from an older one of that revision.
        """
        start, rev = time.monotonic(), self.rev

        def has_arrived(_) -> bool:
            answer = self.answer
            fresh = answer and self._rev >= rev and not answer["light"]
            return bool(fresh) and answer["view_key"].startswith(f"{self.data}-") and new(answer)

        if not await self._until(has_arrived, PATIENCE):
            if not self.session.stage.get("failed"):
                self.errors.append(f"no answer to {what} within {PATIENCE:.0f} s")
            return
        self.answers.append(Answer(what, start, time.monotonic() - start))
        if not self._is_own(self.answer):
            self.errors.append(f"after {what} a picture of {self.answer['view_key']}")
        elif not shown(self.answer):
            self.errors.append(f"after {what} a picture of other settings")

    async def _until(self, met: Callable[[Session], bool], patience: float) -> bool:
        if await self.session.until_answered(met, patience):
            return True
        if failed := self.session.stage.get("failed"):
            self.errors.append(failed)
        return False


async def visit(address: str, number: int, until: float, samples_too: bool = False) -> Visitor:
    """Open a page, make moves until a time of the monotonic clock, and leave."""
    page = ("labels", "labels", "eigenfunctions")[number % 3]
    query = f"{START[page]}&seed={100 + number}"
    session = await Session.open(address, page, query)
    visitor = Visitor(number, page, session, samples_too=samples_too)
    leaves = samples_too and number % RETURNS == 0
    middle = (time.monotonic() + until) / 2
    try:
        await visitor._exact("first")
        while (now := time.monotonic()) < until and not visitor.errors:
            await asyncio.sleep(visitor.random.uniform(*THINKING))
            if leaves and now > middle:
                leaves = False
                await visitor.come_back(address)
            else:
                await visitor.move()
    except (ConnectionError, KeyError, websockets.ConnectionClosed) as error:
        visitor.errors.append(repr(error))
    finally:
        visitor.errors += visitor.session.errors
        await visitor.session.close()
    return visitor


@dataclass(frozen=True)
class Visits:
    """Answers and errors of all visitors of a crowd, and the bytes that they received."""

    answers: tuple[Answer, ...]
    errors: tuple[str, ...]
    received: int

    def of(self, *names: str) -> list[float]:
        """Sorted seconds of the answers to these kinds of move, by default all except the first."""
        return sorted(a.seconds for a in self.answers
                      if a.what in names or (not names and a.what != "first"))  # fmt: skip

    def quantile(self, share: float) -> float:
        """A quantile of all answers' seconds."""
        waits = self.of()
        return waits[min(int(share * len(waits)), len(waits) - 1)] if waits else float("nan")

    @property
    def median(self) -> float:
        return statistics.median(self.of() or [float("nan")])


def crowd(address: str, visitors: int, seconds: float, samples_too: bool = False) -> Visits:
    """Simulate ``visitors`` visitors, who arrive one by one and stay until the time is up."""

    async def all_visits() -> list[Visitor]:
        end = time.monotonic() + seconds

        async def delayed_visit(number: int) -> Visitor:
            await asyncio.sleep(0.3 * number)
            return await visit(address, number, end, samples_too)

        return await asyncio.gather(*map(delayed_visit, range(visitors)))

    finished = in_a_loop(all_visits())
    return Visits(
        tuple(answer for visitor in finished for answer in visitor.answers),
        tuple(f"visitor {v.number}: {error}" for v in finished for error in v.errors),
        sum(visitor.session.received for visitor in finished),
    )
