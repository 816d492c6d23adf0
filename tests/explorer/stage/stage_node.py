"""The stage's modules under Node, or in Chromium where there is no Node: the fixture ``js``."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lapviz.figures.stage import PLACE

ANSWER = """
import { createInterface } from "node:readline";
globalThis.window = Object.assign(globalThis, { addEventListener() {} });
globalThis.document = { getElementById: () => null };
window.stageModules = (await import(process.argv[1])).modules;
for await (const line of createInterface({ input: process.stdin })) {
  const [code, argument] = JSON.parse(line);
  let answer;
  try {
    answer = { value: (0, eval)(code)(argument) ?? null };
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  console.log(JSON.stringify(answer));
}"""


class Node:
    """A Node process with the ``evaluate(function, argument)`` of a page of Playwright."""

    def __init__(self, node: str, bundle: Path):
        command = [node, "--input-type=module", "-e", ANSWER, bundle.as_uri()]
        self.process = subprocess.Popen(command, stdin=-1, stdout=-1, text=True, encoding="utf-8")

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Return the function's value; AssertionError with the stack if it throws."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([function, argument]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["value"]


@pytest.fixture(scope="module")
def js(tmp_path_factory) -> Iterator[Any]:
    """Every module of the stage, as ``window.stageModules``."""
    node = shutil.which("node")
    if node is None:
        yield from _in_chromium()
        return
    bundle = tmp_path_factory.mktemp("stage") / "bundle.mjs"
    bundle.write_text((PLACE / "bundle.js").read_text("utf-8"), "utf-8")
    server = Node(node, bundle)
    yield server
    server.process.communicate(timeout=10)  # closing its input ends it


def _in_chromium() -> Iterator[Any]:
    from benchmarks.browser import NoBrowserError, chromium

    try:
        with chromium() as browser:
            page = browser.new_page()
            source = (PLACE / "bundle.js").read_text("utf-8")
            page.evaluate("""async (source) => {
              const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
              window.stageModules = (await import(url)).modules;
            }""", source)  # fmt: skip
            yield page
    except NoBrowserError as error:
        pytest.skip(f"NO BROWSER, and no Node: {error}")
