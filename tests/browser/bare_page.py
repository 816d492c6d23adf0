"""A page with nothing but the stage, without Streamlit, under a strict Content-Security-Policy."""

from __future__ import annotations

import time

from lapviz.figures.stage import PLACE
from lapviz.figures.stage.payload import encode_parts

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"
)
PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/stage.css">
<div id="place"></div><script type="module" src="/mount.js"></script>"""
MOUNT = """import code from "/bundle.js";
window.violations = [];
window.painted = []; // why, one entry each time
addEventListener("lapviz:painted", (e) => window.painted.push(e.detail.reason));
addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective));
const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
code({});
globalThis.__lapvizMount("store", { data: await bytes("/static") });
const parentElement = document.getElementById("place");
window.sent = []; // what Python would hear
const setStateValue = (name, value) => window.sent.push(value);
window.answer = async (name) =>
  globalThis.__lapvizMount("stage", { parentElement, data: await bytes(name), setStateValue });
await window.answer("/answer");
// In a turn of its own: what Playwright calls directly, the policy lets pass.
window.tryText = () => new Promise((tell) => setTimeout(() => {
  try { tell(new Function("return 1")()); } catch { tell("refused"); }
}));
"""


def opened(page, scene, title="", key="alone"):
    """The page with this scene on its stage, painted."""
    static, answer = encode_parts(scene, {"key": key, "title": title})
    folder = PLACE
    script, binary = "text/javascript", "application/octet-stream"
    served = {
        "/": (PAGE, "text/html"),
        "/mount.js": (MOUNT, script),
        "/bundle.js": ((folder / "bundle.js").read_text("utf-8"), script),
        "/stage.css": ((folder / "stage.css").read_text("utf-8"), "text/css"),
        "/static": (static, binary),
        "/answer": (answer, binary),
    }

    def answer_request(route):
        body, kind = served["/" + route.request.url.split("/", 3)[3]]
        headers = {"Content-Type": kind, "Content-Security-Policy": POLICY}
        route.fulfill(body=body, headers=headers)

    page.route("http://stage.test/**", answer_request)
    page.goto("http://stage.test/")
    until(page, "window.__lapviz?.paints > 0")
    return page


def answer(page, scene):
    """Python's next answer with the same lasting part."""
    _, said = encode_parts(scene, {"key": "alone"})
    headers = {"Content-Type": "application/octet-stream", "Content-Security-Policy": POLICY}
    page.route("**/next", lambda route: route.fulfill(body=said, headers=headers))
    page.evaluate("window.answer('/next')")
    page.unroute("**/next")


def until(page, condition, seconds=60):
    """Wait for a condition; Playwright's own waiting would itself be refused by the policy."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"never came true: {condition}"
        time.sleep(0.05)
