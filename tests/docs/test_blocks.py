"""Every block of Python in the documentation runs and prints the output shown below it."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from lapviz.datasets import base as data_sets
from lapviz.estimates import filters
from lapviz.kernels import base as kernels
from lapviz.operators import base as operators
from tests.helpers import printed

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OTHER_LANGUAGES = {"sh", "text", "ini", "nginx"}  # shell, output, and files of other programs
AS_SCRIPTS = {"beyond-one-machine"}  # starts workers, which import the script

_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.?\d*")
_INCLUDE = re.compile(r"^\{include\} (\S+)$")


@dataclass(frozen=True)
class Block:
    """Code, its expected output (None: any), and its line in the page."""

    code: str
    printed: str | None
    line: int


def fences(path: Path) -> list[tuple[str, str, int, bool]]:
    """Label, text, line, and whether output follows, of all fenced blocks; includes resolved."""
    return list(_fences(path, path.read_text("utf-8")))


def _fences(path: Path, source: str) -> Iterator[tuple[str, str, int, bool]]:
    for match in _FENCE.finditer(source):
        included = _INCLUDE.match(match[1])
        if included:
            other = (path.parent / included[1]).resolve()
            text = other.read_text("utf-8")
            for start in re.findall(r'^:start-after: "(.*)"$', match[2], re.MULTILINE):
                text = text.partition(start)[2]
            for end in re.findall(r'^:end-before: "(.*)"$', match[2], re.MULTILINE):
                text = text.partition(end)[0]
            yield from _fences(other, text)
        else:
            line = source.count("\n", 0, match.start()) + 2
            has_output = source[match.end() :].lstrip("\n").startswith("```text")
            yield match[1].strip(), match[2], line, has_output


def blocks(path: Path) -> list[Block]:
    """The blocks of Python of a page, in order."""
    listings = [fence for fence in fences(path) if not fence[0].startswith("{")]
    result = []
    for i, (label, text, line, has_output) in enumerate(listings):
        if label == "python":
            printed = listings[i + 1][1] if has_output else None
            result.append(Block(text, printed, line))
    return result


def pages() -> list[str]:
    """Pages of the documentation that are written by hand, without their suffix."""
    folders = ("_build", "_made", "made", "gallery", "_ext")
    paths = (p.relative_to(DOCS) for p in DOCS.rglob("*.md"))
    return sorted(str(p.with_suffix("")) for p in paths if not set(folders) & set(p.parts))


WITH_CODE = [page for page in pages() if blocks(DOCS / f"{page}.md")]


@pytest.fixture
def registries():
    """Restore the registries after a page."""
    registries = (kernels.REGISTRY, filters.REGISTRY, operators._REGISTRY, data_sets._registry)
    before = [dict(registry) for registry in registries]
    yield
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the files that the pages read."""
    shutil.copytree(ROOT / "assets", tmp_path / "assets")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 10))
    X.tofile(tmp_path / "rows.bin")
    np.save(tmp_path / "labels.npy", np.where(np.arange(3000) < 20, np.arange(3000) % 2, -1))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in WITH_CODE if page not in AS_SCRIPTS])
def test_the_page_runs(page, registries, place, monkeypatch):
    namespace = {"__name__": "__main__"}
    for block in blocks(DOCS / f"{page}.md"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("\n" * (block.line - 1) + block.code, f"{page}.md", "exec"), namespace)
        if block.printed is not None:
            assert same_output(out.getvalue(), block.printed), (
                f"{page}.md, line {block.line}: it prints\n{out.getvalue()}"
            )


@pytest.mark.long
@pytest.mark.parametrize("page", sorted(AS_SCRIPTS))
def test_the_blocks_run_as_scripts(page, place):
    for block in blocks(DOCS / f"{page}.md"):
        script = place / "block.py"
        script.write_text(block.code, "utf-8")
        printed(script, cwd=place, timeout=300)


def test_every_block_has_a_known_label():
    for page in pages():
        for label, _, line, _ in fences(DOCS / f"{page}.md"):
            known = label == "python" or label in OTHER_LANGUAGES or label.startswith("{")
            assert known, f"{page}.md, line {line}: name the language of the block {label!r}"


def same_output(printed: str, written: str) -> bool:
    """Whether two outputs have the same words, and the same numbers up to rounding."""
    pairs = [(_NUMBER.split(text), _NUMBER.findall(text)) for text in (printed, written)]
    (words, numbers), (written_words, written_numbers) = pairs
    if ["".join(w.split()) for w in words] != ["".join(w.split()) for w in written_words]:
        return False
    return all(
        abs(float(a) - float(b)) < (0.11 if "." in a + b else 1e-9)
        for a, b in zip(numbers, written_numbers, strict=True)
    )


def test_numbers_may_differ_by_rounding_only():
    assert same_output("a [0.  1.95]\n", "a [0. 2.0]\n")
    assert not same_output("a 1.2", "a 1.4")
    assert not same_output("2 b", "3 b")
    assert not same_output("2 b", "2 c")


def test_the_output_of_a_block_is_read(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n\n```python\nx = 1\n```\n")
    first, second = blocks(page)
    assert (first.printed, second.printed, second.line) == ("2\n", None, 10)


def test_includes_are_resolved():
    codes = [block.code for block in blocks(DOCS / "extend" / "kernel.md")]
    assert "class RationalQuadratic" in codes[0]
