"""Many visitors at once: they move what they can, and measure how long each answer takes.

A visitor waits for the exact answer, looks at it for a second or three, and moves on. Each has a
seed of its own, so that nobody is served another's results, and knows what its next picture must
show: an answer that shows anything else is an error.
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
STEPS = 3  # of a slider in one move, at most
STEP_SECONDS = 0.1  # between two of them in a drag
PATIENCE = 90.0  # seconds for an answer
P = [p for p in LANDMARKS if 50 <= p <= 500]
LAM_PER_DECADE = 10
SAMPLES, NOISES = (300, 500, 700, 1000, 1500, 2000), (0.0, 0.05, 0.1, 0.15, 0.2)
RETURNS = 5  # every so many-th visitor leaves in the middle, and comes back
DATA = {
    "labels": {"Four circles": "four_circles", "half-moons": "half_moons"},
    "eigenfunctions": {"half-moons": "half_moons", "Swiss roll": "swiss_roll"},
}
UPLOADS = "data"  # the page for people's own tables; its uploader and the way back to it
FILE, AGAIN = "A file: CSV, TSV or Parquet", "Another table"
START = {"labels": "data=four_circles&p=200&sigma=0.3", "eigenfunctions": "data=half_moons&p=200"}


@dataclass(frozen=True)
class Answer:
    """One move: what it was, when it was made and how many seconds its exact picture took."""

    what: str
    at: float
    seconds: float


@dataclass
class Visitor:
    """One visitor and what it has seen."""

    number: int
    page: str
    session: Session
    answers: list[Answer] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rev: int = 0
    known: dict = field(default_factory=dict)  # the last answer there was
    samples_too: bool = False  # moves n and noise in place of λ, p and tables
    count: int = 0  # revision of what it has moved beside the stage

    def __post_init__(self):
        self.random = random.Random(self.number)
        self.data = START[self.page].partition("&")[0].removeprefix("data=")

    @property
    def seed(self) -> int:
        return 100 + self.number

    @property
    def answer(self) -> dict:
        """The stage's exact answer; {} while there is none."""
        return self.session.stage.get("answer") or {}

    def knob(self, name: str) -> dict:
        return next((k for k in self.session.stage.get("knobs", ()) if k["name"] == name), {})

    # ---- moves ------------------------------------------------------------------------------

    async def move(self) -> None:
        """One move, up to its exact answer."""
        weights = {self.sigma: 10, self.other_data: 3}
        if self.samples_too:
            weights |= {self.samples: 10, self.noise: 5}
        else:
            weights |= {self.landmarks: 3}
            if self.page == "labels":  # elsewhere λ has no effect
                weights[self.lam] = 4
            if UPLOADS in self.session.pages:
                weights[self.upload] = 1
        await self.random.choices(*zip(*weights.items(), strict=True))[0]()

    def _steps(self) -> int:
        return self.random.choice((-1, 1)) * self.random.randint(1, STEPS)

    async def sigma(self) -> None:
        now, steps = self.knob("sigma")["value"], self._steps()
        if not 0.1 < now * 10 ** (steps / WIDTHS_PER_DECADE) < 1.0:
            steps = -steps
        sign = 1 if steps > 0 else -1
        values = [float(f"{now * 10 ** (k * sign / WIDTHS_PER_DECADE):.3g}")
                  for k in range(1, abs(steps) + 1)]  # fmt: skip
        await self._drag("sigma", values)

    async def landmarks(self) -> None:
        at = P.index(min(P, key=lambda p: abs(p - self.knob("p")["value"])))
        steps = self._steps()
        if not 0 <= at + steps < len(P):
            steps = -steps
        sign = 1 if steps > 0 else -1
        await self._drag("p", [P[at + k * sign] for k in range(1, abs(steps) + 1)])

    async def lam(self) -> None:
        lam = self.answer["lam"] * 10 ** (self._steps() / LAM_PER_DECADE)
        lam = float(f"{min(max(lam, 1e-4), 1e4):.4g}")
        await self._tell("lam", lam)
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

    async def _sheet(self, name: str, place: int, values: tuple) -> None:
        """Move a slider beside the stage; its value has a place in the key of the picture."""
        now = self.answer["view_key"].split("-")[place]
        value = self.random.choice([value for value in values if str(value) != now])
        sheets = (key for key in self.session.widgets if key.startswith(SHEET))
        sheet = next(key for key in sheets if name in key.partition(":")[2].split("+"))
        self.count += 1
        state = {"rev": self.count, "changes": {name: value}, "hand": False, "view_key": ""}
        await self.session.say(sheet, state=state)
        key = str(value)
        await self._exact(name, new=lambda a: a["view_key"].split("-")[place] == key)

    async def come_back(self, address: str) -> None:
        """Leave, and open the same link again."""
        old = self.session
        await old.close()
        self.session = await Session.open(address, self.page, old.query)
        self.session.errors, self.session.received = old.errors, old.received
        self.rev = self.count = 0
        await self._exact("again")

    async def upload(self) -> None:
        """Bring a table, see that it is one's own, and go back to the pictures."""
        name, rows = f"visitor-{self.number}.csv", 200 + self.number
        lines = [f"{k},{self.random.gauss(0, 1):.4f},{'ab'[k % 2]}" for k in range(rows)]
        begun, session = time.monotonic(), self.session
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
            self.answers.append(Answer("upload", begun, time.monotonic() - begun))
        else:
            self.errors.append(f"the table of {rows} rows did not come")
        whose = {n for text in session.texts for n in re.findall(r"visitor\W+(\d+)", text)}
        if whose - {str(self.number)}:
            self.errors.append(f"a table of the visitors {whose}")
        await session.go(self.page)
        await self._exact("back")

    async def _drag(self, name: str, values: list[float]) -> None:
        """Move a knob over these values: by a drag that shows pictures on the way, or at once."""
        if self.random.random() < 0.5:
            for value in values[:-1]:
                sent = await self._tell(name, value, hand=True)
                start = time.monotonic()
                await self._until(lambda s, sent=sent: self._rev >= sent, PATIENCE)
                await asyncio.sleep(max(STEP_SECONDS - (time.monotonic() - start), 0))
        await self._tell(name, values[-1])
        await self._exact(name, lambda a: self.knob(name)["value"] == values[-1])

    async def _tell(self, name: str, value: float, hand: bool = False) -> int:
        """Send what a hand has changed, as the stage does."""
        self.rev += 1
        self.known = self.answer or self.known
        state = {"rev": self.rev, "changes": {name: value}, "hand": hand,
                 "view_key": self.known["view_key"]}  # fmt: skip
        await self.session.say(STAGE, state=state)
        return self.rev

    # ---- answers ----------------------------------------------------------------------------

    @property
    def _rev(self) -> int:
        """The last revision that Python has answered."""
        stage = self.session.stage
        return (self.answer.get("rev") if self.answer else stage.get("rev")) or 0

    def _mine(self, answer: dict) -> bool:
        name, *rest = answer["view_key"].split("-")
        return name == self.data and str(self.seed) in rest

    async def _exact(
        self,
        what: str,
        shown: Callable[[dict], bool] = lambda answer: True,
        new: Callable[[dict], bool] = lambda answer: True,
    ) -> None:
        """Wait for the exact answer, and check that it is this visitor's.

        ``shown`` is what it must show, ``new`` tells it from an older one of the same revision.
        """
        begun, rev = time.monotonic(), self.rev

        def there(_) -> bool:
            answer = self.answer
            fresh = answer and (answer["rev"] or 0) >= rev and not answer["light"]
            return bool(fresh) and answer["view_key"].startswith(f"{self.data}-") and new(answer)

        if not await self._until(there, PATIENCE):
            if not self.session.stage.get("failed"):
                self.errors.append(f"no answer to {what} within {PATIENCE:.0f} s")
            return
        self.answers.append(Answer(what, begun, time.monotonic() - begun))
        if not self._mine(self.answer):
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
    """Come, move until a time of the monotonic clock, and leave."""
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
    """What a crowd has seen: answers and errors of all visitors, their bytes."""

    answers: tuple[Answer, ...]
    errors: tuple[str, ...]
    received: int

    def of(self, *names: str) -> list[float]:
        """Seconds of the answers to some kinds of move, sorted; of all but the first by default."""
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
    """So many visitors, who come over the first seconds and stay until the time is up."""

    async def all_of_them() -> list[Visitor]:
        end = time.monotonic() + seconds

        async def one(number: int) -> Visitor:
            await asyncio.sleep(0.3 * number)
            return await visit(address, number, end, samples_too)

        return await asyncio.gather(*map(one, range(visitors)))

    seen = in_a_loop(all_of_them())
    return Visits(
        tuple(answer for visitor in seen for answer in visitor.answers),
        tuple(f"visitor {v.number}: {error}" for v in seen for error in v.errors),
        sum(visitor.session.received for visitor in seen),
    )
