"""Driving the explorer in Chromium, by the names shown on the page."""

from __future__ import annotations

import re
import time
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Error, TimeoutError
from stage_page import StageDriver

from benchmarks.browser import wait_at_rest
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.markdown import Share

# Streamlit itself requests these; on a page below the root the answer is 404.
NOT_OURS = re.compile(r"/_stcore/(health|host-config)$")
PATIENCE = 60_000  # milliseconds, for a busy machine
_HAS_STAGE = "Object.keys(window.__lapviz?.stages ?? {}).length > 0"
_STATE = """() => [document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState,
  document.querySelector("h1")?.innerText,
  Object.values(window.__lapviz?.stages ?? {}).map((s) => JSON.stringify({
    key: s.key, scene: Boolean(s.scene), changed: s.scene && s.changed, failed: s.failed,
    unsent: s.channel.unsent, rev: s.channel.rev, sent: s.channel.sentRev,
    answered: s.channel.answeredRev, moving: s.channel.moving,
    connected: s.board.root.isConnected, place: Boolean(s.board.place), pending: s.board.pending,
  }))]"""

THEME_SHOWN = """(isDark) => {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app) return true; // before the first page
  const { backgroundColor } = getComputedStyle(app);
  const dark = backgroundColor.match(/[\\d.]+/g).slice(0, 3).every((part) => part < 100);
  return dark === isDark
    && Object.values(window.__lapviz?.stages ?? {})
      .every((s) => (s.board.theme ?? s.theme ?? { dark }).dark === dark)
    && !document.getAnimations().some((animation) => animation instanceof CSSTransition
      && animation.playState === "running");
}"""


class Explorer(StageDriver):
    """One tab of the explorer."""

    def __init__(self, page, root: str):
        super().__init__(page)
        self.root, self.complaints = root, []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._on_console)
        page.on("requestfailed", self._on_failed_request)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _on_console(self, message) -> None:
        if message.type == "error" and not NOT_OURS.search(message.location.get("url", "")):
            self.complaints.append(message.text)

    def _on_failed_request(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # requests of a page that was left
            self.complaints.append(f"no answer from {request.url}: {request.failure}")

    # ---- navigation and settings ------------------------------------------------------------

    def open(self, place: str = "", **query: object) -> Explorer:
        self.page.goto(f"{self.root}/{place}?{urlencode(query)}")
        return self.settle()

    def reload(self) -> Explorer:
        """Open the page's current address again."""
        self.page.goto(self.page.url)
        return self.settle()

    def settle(self) -> Explorer:
        """Wait until Python is done and every stage shows its answer."""
        wait_at_rest(self.page)
        return self

    def whereabouts(self) -> str:
        """The address, the title, and what each stage waits for: a note on a failure."""
        try:
            return f"at {self.page.url}: {self.page.evaluate(_STATE)}"
        except Error as error:  # the page is gone
            return f"at {self.page.url}: {error.message}"

    @property
    def query(self) -> dict[str, str]:
        pairs = parse_qs(urlsplit(self.page.url).query, keep_blank_values=True)
        return {key: values[-1] for key, values in pairs.items()}

    def until(self, key: str, value: str | None) -> Explorer:
        """Wait until the URL has this value of ``key``; None: no value."""
        return self._until(key, "===", value)

    def until_not(self, key: str, value: str | None) -> Explorer:
        return self._until(key, "!==", value)

    def _until(self, key: str, sign: str, value: str | None) -> Explorer:
        expected = "null" if value is None else repr(value)
        current = f"new URLSearchParams(location.search).get({key!r})"
        self.page.wait_for_function(f"{current} {sign} {expected}")
        return self.settle()

    @property
    def settings(self) -> Settings:
        """The settings in the URL."""
        query = self.query
        story = query.get("story")
        base = presets.for_story(story) if story else self._base(query)
        settings, complaints = from_query(query, base)
        assert complaints == []
        return settings

    def _base(self, query: dict[str, str]) -> Settings:
        if "data" not in query:  # the page Start
            return presets.for_story("spread")
        if query["data"] != drawing.NAME:
            return presets.for_data(query["data"])
        text = query.get("drawing")
        return presets.for_spec(DataSpec(drawing.NAME, source=drawing.read(text) if text else ""))

    # ---- messages and numbers on the page ---------------------------------------------------

    @property
    def errors(self) -> list[str]:
        return self._alerts("stAlertContentError")

    @property
    def warnings(self) -> list[str]:
        return self._alerts("stAlertContentWarning")

    def _alerts(self, kind: str) -> list[str]:
        alerts = self.page.get_by_test_id(kind).all_inner_texts()
        stage_messages = self.page.locator(".message").all_inner_texts()
        return alerts + [text for text in stage_messages if text]

    @property
    def complaints_of_knobs(self) -> list[str]:
        """Messages about numbers that the knobs do not accept."""
        return [text for text in self.page.locator(".complaint").all_inner_texts() if text]

    @property
    def text(self) -> str:
        return self.page.locator("body").inner_text()

    def fine(self) -> Explorer:
        """Check that there is no error on the page, no exception, nothing in the console."""
        assert self.errors == [], self.errors
        return self.fine_but_for_sentences()

    def fine_but_for_sentences(self) -> Explorer:
        """The same, but the page may show error messages written for users."""
        assert self.page.get_by_test_id("stException").count() == 0
        assert "Traceback" not in self.text
        assert self.complaints == [], self.complaints
        return self

    @property
    def scores(self) -> list[list[str]]:
        """The table of methods, which may be folded; without the times, which vary."""
        return self.page.evaluate(
            """() => [...document.querySelector("table").querySelectorAll("tbody tr")]
              .map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent))"""
        )

    @property
    def caption(self) -> str:
        return self.page.get_by_text(re.compile(r"points, \d+ labels, σ =")).text_content()

    def agree(self, settings: Settings | None = None) -> Explorer:
        """Check that the table has Python's numbers for the settings, by default those of the URL.

        It follows the picture, so a busy machine may show the previous numbers for a moment.
        """
        expected = [
            [
                s.method,
                "–" if s.accuracy is None else f"{Share(s.accuracy)}",
                "–" if s.energy is None else f"{s.energy:.3g}",
            ]
            for s in labels_view(settings or self.settings).scores
        ]
        end = time.monotonic() + PATIENCE / 1000
        while self.scores != expected and time.monotonic() < end:
            self.page.wait_for_timeout(100)
            self.settle()
        assert self.scores == expected, f"{self.scores} are shown, Python has {expected}"
        return self

    @property
    def controls(self) -> dict[str, str]:
        """Text or value of every visible control."""
        values = {}
        for kind in ("slider", "combobox", "spinbutton", "checkbox"):
            for control in self.page.get_by_role(kind).all():
                name = control.get_attribute("aria-label") or control.inner_text()
                value = control.get_attribute("aria-valuetext")
                if kind == "checkbox":
                    value = str(control.is_checked())
                values[f"{kind} {name}"] = value or control.input_value()
        return values

    # ---- user actions -----------------------------------------------------------------------

    def set_theme(self, theme: str) -> Explorer:
        """Change between light and dark, without a reload."""
        self.page.emulate_media(color_scheme=theme)
        self.page.wait_for_function(THEME_SHOWN, arg=theme == "dark")
        return self

    def unfold(self, title: str) -> Explorer:
        box = self.page.get_by_test_id("stExpander").filter(
            has=self.page.locator("summary", has_text=title)
        )
        if box.locator("details[open]").count() == 0:
            box.locator("summary").click()
        return self.settle()

    def unfold_all(self) -> Explorer:
        self.page.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
        )
        return self.settle()

    def slider(self, name: str):
        return self.page.get_by_role("slider").and_(self.page.locator(f'[aria-label="{name}"]'))

    def combobox(self, name: str):
        return self.page.get_by_role("combobox", name=name, exact=True)

    def choose(self, name: str, option: str) -> Explorer:
        box = self.combobox(name)
        entry = self.page.get_by_role("option", name=option, exact=True)
        end = time.monotonic() + PATIENCE / 1000
        while True:  # a menu that Streamlit has just replaced may miss the key, or close
            if box.get_attribute("aria-expanded") != "true":  # in an open one it is the next entry
                box.press("ArrowDown")
            try:
                entry.wait_for(timeout=500)
                entry.click(timeout=5000)
                return self
            except TimeoutError:
                if time.monotonic() > end:
                    raise

    def tick(self, label: str) -> Explorer:
        self.page.get_by_test_id("stCheckbox").filter(has_text=label).locator("label").click()
        return self

    def automatic(self, name: str) -> Explorer:
        """Toggle whether a number is chosen from the data."""
        self.page.get_by_role("button", name=f"auto: {name} from the data", exact=True).click()
        return self

    def press(self, name: str, key: str) -> Explorer:
        self.slider(name).press(key)
        return self

    def does(self, action: str, *args: str, key: str, value: str | None = None) -> Explorer:
        """Call one of these methods, and wait until the link has changed.

        ``value``: the new value of ``key`` in the link; "" for none, None for any change.
        """
        before = self.query.get(key)
        getattr(self, action)(*args)
        return self.until_not(key, before) if value is None else self.until(key, value or None)

    def open_sidebar(self) -> Explorer:
        """Open the sidebar, which is closed in a story."""
        button = self.page.get_by_test_id("stExpandSidebarButton")
        if button.is_visible():
            button.click()
            self.page.locator('[data-testid="stSidebar"][data-collapsed="false"]').wait_for()
        return self

    def reset(self, query: str) -> Explorer:
        """Press Reset, after which only this query is left in the link."""
        self.open_sidebar().push("Reset")
        self.page.wait_for_url(re.compile(rf"\?{query}$"))
        return self.settle()

    def field(self, name: str):
        return self.page.get_by_role("textbox", name=name, exact=True)

    def type(self, name: str, text: str) -> Explorer:
        self.field(name).fill(text)
        self.page.keyboard.press("Enter")
        return self

    def ask(self, code: str):
        if not self.page.evaluate(_HAS_STAGE):  # the page's script may not have run yet
            self.page.wait_for_function(_HAS_STAGE)
            self.settle()
        return super().ask(code)
