"""Drive a stage in Chromium, alone on a bare page."""

import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from lapviz.figures.stage import PLACE
from lapviz.figures.stage.container import pack
from lapviz.figures.stage.payload import answer_of, encode_parts, lasting_of

CANVAS = """
window.words = []; window.lines = new Set();
const C = CanvasRenderingContext2D.prototype, { fillText: fill, stroke } = C;
C.fillText = function (text, x, y, most) {
  const [size, place] = [this.measureText(text), this.getTransform()];
  const squeeze = Math.min(1, (most ?? Infinity) / size.width);
  const ends = [-size.actualBoundingBoxLeft, size.actualBoundingBoxRight].map((u) =>
    place.transformPoint({ x: x + squeeze * u, y }));
  if (String(text).trim())
    window.words.push({ text, size: parseFloat(this.font.match(/([\\d.]+)px/)[1]),
      ends: ends.map((p) => [p.x, p.y]), room: [this.canvas.width, this.canvas.height] });
  return fill.call(this, text, x, y, most);
};
C.stroke = function () {
  if (this.canvas.className === "base") window.lines.add(`${this.lineWidth}|${this.strokeStyle}`);
  return stroke.call(this);
};
"""
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "has_touch": True}
DOUBLE_CLICK = 0.4  # seconds within which two clicks are a double click
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"
)
PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/stage.css">
<div id="place" data-testid="stApp"></div><script type="module" src="/mount.js"></script>"""
MOUNT = """import code from "/bundle.js";
window.violations = [];
window.painted = []; // reasons of all paints
addEventListener("lapviz:painted", (e) => window.painted.push(e.detail.reason));
addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective));
const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
code({});
globalThis.__lapvizMount("store", { data: await bytes("/static") });
const parentElement = document.getElementById("place");
window.sent = []; // messages to Python
const setStateValue = (name, value) => window.sent.push(value);
window.answer = async (name) =>
  globalThis.__lapvizMount("stage", { parentElement, data: await bytes(name), setStateValue });
await window.answer("/answer");
// In a separate task: the policy does not apply to what Playwright calls directly.
window.tryText = () => new Promise((resolve) => setTimeout(() => {
  try { resolve(new Function("return 1")()); } catch { resolve("refused"); }
}));
"""


def until(page, condition: str, seconds: float = 60) -> None:
    """Wait for a condition; a page's strict policy would refuse Playwright's own waiting."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"never came true: {condition}"
        time.sleep(0.03)


class StageDriver:
    """A page with a stage, and queries about it; ``s`` in JavaScript code is the stage."""

    stage_js = "Object.values(window.__lapviz?.stages ?? {})[0]"

    def __init__(self, page):
        self.page = page

    def _code(self, code: str) -> str:
        return f"(() => {{ const s = {self.stage_js}; return {code}; }})()"

    def ask(self, code: str):
        """Value of a JavaScript expression."""
        return self.page.evaluate(self._code(code))

    def wait(self, code: str) -> None:
        """Wait until a JavaScript expression is true."""
        until(self.page, self._code(code))

    def push(self, name, role: str = "button", **options):
        """Click the control of that name."""
        self.page.get_by_role(role, name=name, **options).click()
        return self

    def saved(self, name: str, file: str | None = None, exact: bool = True) -> bytes:
        """The file from a download button, whose name must be ``file`` if given."""
        with self.page.expect_download() as waiting:
            self.push(name, exact=exact)
        assert file in (None, waiting.value.suggested_filename)
        return Path(waiting.value.path()).read_bytes()

    def stroke(self, *places, steps: int = 1, release: bool = True) -> None:
        """Drag the mouse along places in the window."""
        mouse = self.page.mouse
        mouse.move(*places[0])
        mouse.down()
        for place in places[1:]:
            mouse.move(*place, steps=steps)
        if release:
            mouse.up()

    def open_more(self):
        """Open the box behind “More”, as in the shared tab."""
        button = self.page.locator(".opens").first
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        return self

    @property
    def labels(self) -> list[list]:
        return self.ask("s.labels.map(({ x, y, index, code }) => [x, y, index, code])")

    @property
    def places(self) -> np.ndarray:
        """Coordinates of the drawn points, (n, 2)."""
        return np.array(self.ask("Array.from(s.scene.points.xy)")).reshape(-1, 2)

    def spot(self, x: float, y: float, panel: int = 0) -> tuple[float, float]:
        """Place in the window of a place in the plane."""
        plot = self.page.locator(".plot").nth(panel)
        plot.scroll_into_view_if_needed()
        px, py = self.ask(f"s.view.toPixel({x}, {y}, s.board.place.box)")
        frame = plot.bounding_box()
        return frame["x"] + px, frame["y"] + py

    def isolated_point(self) -> tuple[int, float, float]:
        """Row, x and y of the drawn point farthest from other points, labels and the edge."""
        xy, (x0, x1, y0, y1) = self.places, self.ask("s.scene.view")
        taken = np.vstack([xy, *([label[:2]] for label in self.labels)])
        distances = np.linalg.norm(xy[:, None] - taken[None], axis=2)
        distances[np.arange(len(xy)), np.arange(len(xy))] = np.inf
        edge = np.minimum(xy - [x0, y0], [x1, y1] - xy).min(axis=1)
        i = int(np.minimum(distances.min(axis=1), edge).argmax())
        return self.ask(f"s.scene.points.index[{i}]"), *map(float, xy[i])


class Stage(StageDriver):
    """A stage on a bare page, once it has a scene."""

    def __init__(self, page, key: str):
        super().__init__(page)
        self.key, self.stage_js = key, f"window.__lapviz?.stages['{key}']"
        self.plots = page.get_by_role("application")
        self._clicked = 0.0
        self.wait("s?.scene && s.board.place")
        self.settle()

    def settle(self):
        """Wait until the picture is up to date."""
        self.wait("!s.board.pending && !s.board.moving")
        return self

    def lam(self, value: float) -> None:
        """Set λ as a drag does before the release."""
        self.ask(f"s.setLam({value})")
        self.settle()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str, **options):
        return self.page.get_by_role("button", name=name, **options)

    @property
    def announcement(self) -> str:
        return self.page.locator(".live").inner_text()

    def click(self, x: float, y: float, panel: int = 0) -> None:
        time.sleep(max(0.0, self._clicked + DOUBLE_CLICK - time.monotonic()))
        self.page.mouse.click(*self.spot(x, y, panel))
        self._clicked = time.monotonic()
        self.settle()

    def drag(self, start, shift, steps: int = 4) -> None:
        self.stroke(start, np.add(start, shift).tolist(), steps=steps)
        self.page.mouse.move(0, 0)
        self.settle()

    def holes(self, n: int = 1) -> list[tuple[float, float]]:
        """``n`` places far from all points, labels and each other."""
        taken = np.vstack([self.places, *([label[:2]] for label in self.labels)])
        sites = np.stack(np.meshgrid(*[np.linspace(0.06, 0.94, 45)] * 2), axis=-1).reshape(-1, 2)
        holes = []
        for _ in range(n):
            room = np.linalg.norm(sites[:, None] - taken[None], axis=2).min(axis=1)
            holes.append(tuple(map(float, sites[room.argmax()])))
            taken = np.vstack([taken, holes[-1]])
        return holes

    def answer(self, scene, with_static: bool = False, rev: int = 0, **mount) -> None:
        """Python's next answer on a bare page, with the same static part or a new one."""
        mount |= {"key": self.key, "rev": rev}
        _, body = encode_parts(scene, mount)
        if with_static:
            body = pack({"static": lasting_of(scene), "answer": answer_of(scene), **mount})
        headers = {"Content-Type": "application/octet-stream", "Content-Security-Policy": POLICY}
        self.page.route("**/next", lambda route: route.fulfill(body=body, headers=headers))
        self.page.evaluate("window.answer('/next')")
        self.page.unroute("**/next")


def bare(
    page, scene, title: str = "", key: str = "alone", story: bool = False, query: str = ""
) -> Stage:
    """The scene on a bare page, under a strict Content-Security-Policy."""
    mount = {"key": key, "title": title, "story": story, "rev": 0}
    static, answer = encode_parts(scene, mount)
    script, binary = "text/javascript", "application/octet-stream"
    served = {
        "/": (PAGE, "text/html"),
        "/mount.js": (MOUNT, script),
        "/bundle.js": ((PLACE / "bundle.js").read_text("utf-8"), script),
        "/stage.css": ((PLACE / "stage.css").read_text("utf-8"), "text/css"),
        "/static": (static, binary),
        "/answer": (answer, binary),
    }

    def answer_request(route):
        body, kind = served[urlsplit(route.request.url).path]
        headers = {"Content-Type": kind, "Content-Security-Policy": POLICY}
        route.fulfill(body=body, headers=headers)

    page.unroute("http://stage.test/**")
    page.route("http://stage.test/**", answer_request)
    page.goto(f"http://stage.test/{query}")
    return Stage(page, key)


def centre_of(node) -> tuple[float, float]:
    """Place in the window of an element's middle."""
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def in_view(page) -> list[int]:
    """Indices of the panels that are completely within the window's width."""
    return page.evaluate(
        """[...document.querySelectorAll(".panel")].flatMap((node, i) => {
          const { left, right } = node.querySelector(".plot").getBoundingClientRect();
          return left >= -1 && right <= innerWidth + 1 ? [i] : [];
        })"""
    )


def touch(page, path, pause: int = 0) -> None:
    """One finger along places in the window; the page needs ``has_touch``."""
    fingers = page.context.new_cdp_session(page)
    for k, (x, y) in enumerate(path):
        kind, points = "touchMove" if k else "touchStart", [{"x": x, "y": y}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(pause)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def swipe(page, dx, dy=0) -> None:
    """Swipe one finger across the middle of the pictures, by input events of the browser."""
    frame = page.locator(".plots").bounding_box()
    x, y = 195 - dx / 2, frame["y"] + frame["height"] / 2 - dy / 2
    shares = [0, *np.linspace(0.05, 1, 20)]
    touch(page, [(x + share * dx, y + share * dy) for share in shares], pause=16)
    page.wait_for_timeout(700)
