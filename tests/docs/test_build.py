"""The build of the documentation: formulas, links, pages of the API, and completeness."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.text import Text

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture
def part(monkeypatch):
    """A module of the documentation's extension, by name."""
    for needed in ("sphinx", "myst_parser", "latex2mathml"):
        pytest.importorskip(needed, reason="the extra docs is not installed")
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module


# ---- formulas -------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_formula_of_the_notes_is_converted(part):
    mathml = part("lapviz_docs.formulas").mathml
    count = 0
    for section in notes.parts():
        if isinstance(section, Text):
            formulas = re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", section.markdown, re.DOTALL)
            for block, inline in formulas:
                html = mathml(block or inline, display=bool(block))
                assert html.startswith("<math")
                assert html.endswith("</math>")
                count += 1
    assert count > 300


def test_commands_of_formulas(part):
    mathml = part("lapviz_docs.formulas").mathml
    assert "<mi>ℋ</mi>" in mathml(r"\mathcal H", display=False)
    assert "<mi>𝒩</mi>" in mathml(r"\mathcal N", display=False)
    assert "<mi>ℝ</mi>" in mathml(r"\mathbb R^d", display=False)
    assert "<munder>" in mathml(r"\operatorname*{arg\,min}_{g} E", display=True)
    assert "<mtable" in mathml(r"\begin{gathered} a \\ b \end{gathered}", display=True)
    assert mathml("a = b + c = d", display=False).count("<math") == 3
    assert mathml("a = b + c = d", display=True).count("<math") == 1
    with pytest.raises(ValueError, match="not known"):
        mathml(r"\nosuchcommand x", display=False)


# ---- the notes ------------------------------------------------------------------------------


def test_every_note_is_on_one_page():
    files = sorted(Path(notes.__file__).parent.glob("*.md"))
    note = re.compile(r"^```\{include\} (\S*explorer/pages/notes/text/\S+)$", re.MULTILINE)
    included = [
        (page.parent / name).resolve()
        for page in DOCS.rglob("*.md")
        for name in note.findall(page.read_text("utf-8"))
    ]
    assert sorted(included) == files != []
    listed = (DOCS / "mathematics" / "index.md").read_text("utf-8")
    for page in (DOCS / "mathematics").glob("*.md"):
        assert page.stem == "index" or page.stem in listed


def test_headings_are_raised_outside_code(part):
    content = ["## A\n\n### B\n\n```python\n## not a heading\n```\n"]
    part("lapviz_docs.notes").raise_headings(None, Path("../pages/notes/text/x.md"), "p", content)
    assert content == ["# A\n\n## B\n\n```python\n## not a heading\n```\n"]
    readme = ["## A"]
    part("lapviz_docs.notes").raise_headings(None, Path("README.md"), "p", readme)
    assert readme == ["## A"]


# ---- the API --------------------------------------------------------------------------------


def test_every_public_name_has_a_page(part):
    import lapviz
    from lapviz import _names

    pages = part("lapviz_docs.api").pages()
    assert set(_names.PLACES) - set(pages) == {"trial_spaces"}  # another name of lapviz.spaces
    listed = {f"lapviz.{place}.{name}" if place else f"lapviz.{name}"
              for place, names in pages.items() for name in names}  # fmt: skip
    ids = set()
    for name in listed:
        module, _, last = name.rpartition(".")
        ids.add(id(getattr(importlib.import_module(module), last)))
    assert len(ids) == len(listed), "an object has two pages"
    for name in lapviz.__all__:
        item = getattr(lapviz, name)
        assert name in pages or (callable(item) and id(item) in ids), name
    for place in pages:
        module = importlib.import_module(f"lapviz.{place}" if place else "lapviz")
        for name in getattr(module, "__all__", ()):
            item = getattr(module, name)
            assert not isinstance(item, type) or id(item) in ids, f"{place}.{name}"


def test_formulas_in_docstrings_are_no_markup(part):
    lines = ["|g − y| of w_ and ``a_`` with :func:`f_`", ">>> x | y_", "", "parts/*.csv"]
    part("lapviz_docs.api").escape(None, "", "", None, None, lines)
    assert lines[0] == "\\|g − y\\| of w\\_ and ``a_`` with :func:`f_`"
    assert lines[1] == ">>> x | y_"
    assert lines[3] == "parts/\\*.csv"


# ---- links ----------------------------------------------------------------------------------

PAGE = """<p id="here">x</p><a href="#here">.</a><a href="other.html#there">.</a>
<a href="https://example.org/x">.</a><img src="a.png">"""


def test_valid_links(part, tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "other.html").write_text('<p id="there">x</p>')
    (tmp_path / "a.png").write_bytes(b"")
    assert part("check_links").faults(tmp_path) == []


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ('<a href="gone.html">.</a>', "not there"),
        ('<a href="#gone">.</a>', "no such anchor"),
        ('<img src="https://example.org/x.png">', "another site"),
        ('<script src="//example.org/x.js"></script>', "another site"),
        ('<link rel="stylesheet" href="https://example.org/x.css">', "another site"),
        ('<iframe src="gone.html"></iframe>', "not there"),
    ],
)
def test_a_broken_link_is_found(part, tmp_path, html, message):
    (tmp_path / "index.html").write_text(html)
    (fault,) = part("check_links").faults(tmp_path)
    assert message in fault


def test_an_empty_site_is_a_fault(part, tmp_path):
    assert part("check_links").faults(tmp_path)


# ---- notebooks as pages ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_notebook_becomes_a_page(part, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="the extra docs is not installed")
    v4 = nbformat.v4
    picture = {"image/png": "iVBORw0KGgo=", "text/plain": "x"}
    cells = [
        v4.new_markdown_cell("# Title"),
        v4.new_code_cell("print(1)", outputs=[v4.new_output("stream", text="1\n")]),
        v4.new_code_cell("figure", outputs=[
            v4.new_output("execute_result", data=picture, metadata={"alt": "A figure"})
        ]),
    ]  # fmt: skip
    text = part("lapviz_docs.notebooks").markdown(
        v4.new_notebook(cells=cells), tmp_path, "name", "/images"
    )
    assert "# Title\n\n```python\nprint(1)\n```\n\n```text\n1\n```" in text
    assert "![A figure](/images/name-2-0.png)" in text
    assert (tmp_path / "name-2-0.png").read_bytes().startswith(b"\x89PNG")
    failed = v4.new_code_cell("x", outputs=[v4.new_output("error", ename="KeyError")])
    with pytest.raises(ValueError, match="KeyError"):
        part("lapviz_docs.notebooks").markdown(
            v4.new_notebook(cells=[failed]), tmp_path, "name", "/images"
        )


# ---- the gallery ----------------------------------------------------------------------------


def test_every_example_has_its_thumbnail():
    examples = sorted((DOCS / "examples").glob("plot_*.py"))
    assert 6 <= len(examples) <= 12
    for example in examples:
        text = example.read_text("utf-8")
        assert f'thumbnail_path = "_static/thumbnails/{example.stem}.png"' in text
        picture = DOCS / "_static" / "thumbnails" / f"{example.stem}.png"
        assert 1000 < picture.stat().st_size < 60_000


def test_twenty_pictures_have_ten_independent_lines_each():
    """The build runs them one after the other; here each must not need the previous ones."""
    text = (DOCS / "examples" / "plot_0_pictures.py").read_text("utf-8")
    pieces = text.split("\n# %%\n")[1:]
    assert len(pieces) == 20
    for piece in pieces:
        tree = ast.parse(piece)
        lines = [line for line in piece.splitlines() if line and not line.startswith("#")]
        assert len(lines) <= 10, piece
        assert ast.unparse(tree.body[-1]).startswith("live("), piece
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.alias)]
        defined = {n.asname or n.name for n in names if isinstance(n, ast.alias)}
        defined |= {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        used = {n.id for n in names if isinstance(n, ast.Name)}
        assert used <= defined | set(dir(builtins)), piece


def test_pictures_of_an_example_are_scraped(part, tmp_path, monkeypatch):
    from lapviz import GalerkinEmbedding
    from lapviz.figures import live

    module = part("lapviz_docs.live")
    monkeypatch.setattr(module, "MADE", tmp_path / "made")
    X = np.random.default_rng(0).normal(size=(60, 2))
    picture = live(GalerkinEmbedding(n_components=3, random_state=0).fit(X), X)
    block, source = ("code", "picture", 7), DOCS / "examples" / "plot_x.py"
    html = module.scrape(block, {"example_globals": {"___": picture}, "src_file": source}, {})
    assert 'src="../_static/plot_x-7.html"' in html
    assert (tmp_path / "made" / "plot_x-7.html").stat().st_size > 100_000
    import plotly.graph_objects as go

    variables = {"example_globals": {"___": go.Figure()}, "src_file": source}
    html = module.scrape(("code", "x = 1\nfigures.sphere(X)", 9), variables, {})
    assert 'aria-label="Figure made by figures.sphere(X)"' in html
    assert (tmp_path / "made" / "plotly.min.js").stat().st_size > 1_000_000
    for value in (None, 3):  # no pictures
        variables = {"example_globals": {"___": value}, "src_file": source}
        assert module.scrape(block, variables, {}) == ""
