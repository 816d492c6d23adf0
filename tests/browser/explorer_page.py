"""Driving the explorer in Chromium, by the names shown on the page."""

from __future__ import annotations

import re
import time
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import TimeoutError
from stage_page import OnStage

from benchmarks.browser import wait_at_rest
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.markdown import Share

APP = Path(__file__).parents[2] / "app.py"
# Streamlit asks for these on its own; on a page below the root they are answered with 404.
NOT_OURS = re.compile(r"/_stcore/(health|host-config)$")
PATIENCE = 60_000  # milliseconds: a machine may be busy
_HAS_STAGE = "Object.keys(window.__lapviz?.stages ?? {}).length > 0"
_UNREST = """() => [document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState,
  Object.values(window.__lapviz?.stages ?? {}).map((s) => JSON.stringify({
    key: s.key, scene: Boolean(s.scene), changed: s.scene && s.changed, failed: s.failed,
    unsent: s.channel.unsent, rev: s.channel.rev, sent: s.channel.sentRev,
    answered: s.channel.answeredRev, moving: s.channel.moving,
    here: s.board.root.isConnected, place: Boolean(s.board.place), pending: s.board.pending,
  }))]"""

_MENU = """(box) => ({ shown: box.checkVisibility(), focused: document.activeElement === box,
  value: box.value, disabled: box.disabled, expanded: box.ariaExpanded,
  folds: [...document.querySelectorAll("details[open] > summary")].map((s) => s.innerText),
  options: [...document.querySelectorAll("[role=option]")].map((o) => o.innerText) })"""


class Explorer(OnStage):
    """One tab of the explorer."""

    def __init__(self, page, root: str):
        super().__init__(page)
        self.root, self.complaints = root, []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._heard)
        page.on("requestfailed", self._unanswered)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message) -> None:
        if message.type == "error" and not NOT_OURS.search(message.location.get("url", "")):
            self.complaints.append(message.text)

    def _unanswered(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a page asked for that is left is no loss
            self.complaints.append(f"no answer from {request.url}: {request.failure}")

    # ---- where we are -----------------------------------------------------------------------

    def open(self, place: str = "", **query: object) -> Explorer:
        self.page.goto(f"{self.root}/{place}?{urlencode(query)}")
        return self.rest()

    def reload(self) -> Explorer:
        """Follow the link that stands in the address."""
        self.page.goto(self.page.url)
        return self.rest()

    def rest(self) -> Explorer:
        """Wait until Python is done and every stage shows its answer."""
        try:
            wait_at_rest(self.page)
        except TimeoutError as error:
            error.add_note(f"not at rest: {self.page.evaluate(_UNREST)}")
            raise
        return self

    @property
    def query(self) -> dict[str, str]:
        pairs = parse_qs(urlsplit(self.page.url).query, keep_blank_values=True)
        return {key: values[-1] for key, values in pairs.items()}

    def until(self, key: str, value: str | None) -> Explorer:
        """Wait until the URL says so; None: until it says nothing of it."""
        return self._until(key, "===", value)

    def until_not(self, key: str, value: str | None) -> Explorer:
        return self._until(key, "!==", value)

    def _until(self, key: str, sign: str, value: str | None) -> Explorer:
        wanted = "null" if value is None else repr(value)
        said = f"new URLSearchParams(location.search).get({key!r})"
        self.page.wait_for_function(f"{said} {sign} {wanted}")
        return self.rest()

    @property
    def settings(self) -> Settings:
        """What the URL stands for."""
        query = self.query
        story = query.get("story")
        base = presets.for_story(story) if story else self._base(query)
        found, complaints = from_query(query, base)
        assert complaints == []
        return found

    def _base(self, query: dict[str, str]) -> Settings:
        if query["data"] != drawing.NAME:
            return presets.for_data(query["data"])
        text = query.get("drawing")
        return presets.for_spec(DataSpec(drawing.NAME, source=drawing.read(text) if text else ""))

    # ---- what it says -----------------------------------------------------------------------

    @property
    def errors(self) -> list[str]:
        return self._alerts("stAlertContentError")

    @property
    def warnings(self) -> list[str]:
        return self._alerts("stAlertContentWarning")

    def _alerts(self, kind: str) -> list[str]:
        said = self.page.get_by_test_id(kind).all_inner_texts()
        own = self.page.locator(".message").all_inner_texts()  # the stage's
        return said + [text for text in own if text]

    @property
    def complaints_of_knobs(self) -> list[str]:
        """What the page says about numbers that cannot be."""
        return [text for text in self.page.locator(".complaint").all_inner_texts() if text]

    @property
    def text(self) -> str:
        return self.page.locator("body").inner_text()

    def fine(self) -> Explorer:
        """No error on the page, no exception, nothing in the console."""
        assert self.errors == [], self.errors
        return self.fine_but_for_sentences()

    def fine_but_for_sentences(self) -> Explorer:
        """The same, but a message that is written for an error may stand there."""
        assert self.page.get_by_test_id("stException").count() == 0
        assert "Traceback" not in self.text
        assert self.complaints == [], self.complaints
        return self

    @property
    def scores(self) -> list[list[str]]:
        """The table of methods without the times, which no two runs share; it may be folded."""
        return self.page.evaluate(
            """() => [...document.querySelector("table").querySelectorAll("tbody tr")]
              .map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent))"""
        )

    @property
    def caption(self) -> str:
        return self.page.get_by_text(re.compile(r"points, \d+ labels, σ =")).text_content()

    def scores_of(self, settings: Settings) -> list[list[str]]:
        """What Python says to these settings, as the page writes it."""
        return [
            [
                s.method,
                "–" if s.accuracy is None else f"{Share(s.accuracy)}",
                "–" if s.energy is None else f"{s.energy:.3g}",
            ]
            for s in labels_view(settings).scores
        ]

    def agree(self, settings: Settings | None = None) -> Explorer:
        """The table has Python's numbers for these settings, by default those of the URL.

        It follows the picture, so a busy machine may show the numbers before for a moment.
        """
        wanted = self.scores_of(settings or self.settings)
        end = time.monotonic() + PATIENCE / 1000
        while self.scores != wanted and time.monotonic() < end:
            self.page.wait_for_timeout(100)
            self.rest()
        assert self.scores == wanted, f"{self.scores} are shown, Python has {wanted}"
        return self

    @property
    def controls(self) -> dict[str, str]:
        """What every visible control says."""
        found = {}
        for kind in ("slider", "combobox", "spinbutton", "checkbox"):
            for control in self.page.get_by_role(kind).all():
                name = control.get_attribute("aria-label") or control.inner_text()
                value = control.get_attribute("aria-valuetext")
                if kind == "checkbox":
                    value = str(control.is_checked())
                found[f"{kind} {name}"] = value or control.input_value()
        return found

    # ---- what one can do --------------------------------------------------------------------

    def unfold(self, title: str) -> Explorer:
        box = self.page.get_by_test_id("stExpander").filter(
            has=self.page.locator("summary", has_text=title)
        )
        if box.locator("details[open]").count() == 0:
            box.locator("summary").click()
        return self.rest()

    def unfold_all(self) -> Explorer:
        self.page.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
        )
        return self.rest()

    def slider(self, name: str):
        return self.page.get_by_role("slider").and_(self.page.locator(f'[aria-label="{name}"]'))

    def combobox(self, name: str):
        return self.page.get_by_role("combobox", name=name, exact=True)

    def choose(self, name: str, option: str) -> Explorer:
        box = self.combobox(name)
        entry = self.page.get_by_role("option", name=option, exact=True)
        end = time.monotonic() + PATIENCE / 1000
        while True:  # a menu that Streamlit has just replaced may miss the key
            box.press("ArrowDown")
            try:
                entry.wait_for(timeout=2000)
                break
            except TimeoutError as error:
                if time.monotonic() > end:
                    error.add_note(f"no “{option}” in “{name}”: {box.evaluate(_MENU)}")
                    raise
        entry.click()
        return self

    def tick(self, label: str) -> Explorer:
        self.page.get_by_test_id("stCheckbox").filter(has_text=label).locator("label").click()
        return self

    def automatic(self, name: str) -> Explorer:
        """Choose a number from the data, or no longer so."""
        self.page.get_by_role("button", name=f"{name}: from the data", exact=True).click()
        return self

    def press(self, name: str, key: str) -> Explorer:
        self.slider(name).press(key)
        return self

    def does(self, act: str, *given: str, key: str, value: str | None = None) -> Explorer:
        """One of these acts, and wait until the link says so.

        ``value``: what it then says of ``key``; "" nothing, None something else than before.
        """
        before = self.query.get(key)
        getattr(self, act)(*given)
        return self.until_not(key, before) if value is None else self.until(key, value or None)

    def open_sidebar(self) -> Explorer:
        """Open the sidebar, which is closed in a story."""
        opening = self.page.get_by_test_id("stExpandSidebarButton")
        if opening.is_visible():
            opening.click()
            self.page.locator('[data-testid="stSidebar"][data-collapsed="false"]').wait_for()
        return self

    def reset(self, left: str) -> Explorer:
        """Back to the beginning: of the link, these words are left."""
        self.open_sidebar()
        self.page.get_by_test_id("stButton").get_by_role("button", name="Reset").click()
        self.page.wait_for_url(re.compile(rf"\?{left}$"))
        return self.rest()

    def touch(self, path) -> None:
        """One finger along places in the window; the page needs ``has_touch``."""
        fingers = self.page.context.new_cdp_session(self.page)
        for k, (x, y) in enumerate(path):
            kind, points = "touchMove" if k else "touchStart", [{"x": x, "y": y}]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def saved(self, name: str, file: str | None = None, exact: bool = True) -> bytes:
        """What a download button gives, under that file's name."""
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name=name, exact=exact).click()
        assert file in (None, waiting.value.suggested_filename)
        return Path(waiting.value.path()).read_bytes()

    def field(self, name: str):
        return self.page.get_by_role("textbox", name=name, exact=True)

    def type(self, name: str, text: str) -> Explorer:
        self.field(name).fill(text)
        self.page.keyboard.press("Enter")
        return self

    def ask(self, code: str):
        if not self.page.evaluate(_HAS_STAGE):  # its script may still be on its way
            self.page.wait_for_function(_HAS_STAGE)
            self.rest()
        return super().ask(code)
