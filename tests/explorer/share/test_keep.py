"""Exports: links as QR codes, names of files, and every control in the link."""

import ast
from pathlib import Path

import numpy as np
import pytest
import segno

from lapviz.explorer.session import state
from lapviz.explorer.share import links

EXPLORER = Path(links.__file__).parents[1]


def test_a_qr_code_is_of_the_link():
    link = "https://lapviz.example/labels?story=circles&labels=3c0~1.5,2c1"
    image, reason = links.qr_code(link)
    assert reason == ""
    assert image.startswith("data:image/svg+xml")
    code = segno.make(link, error="l", micro=False, boost_error=False)
    # a reader finds three squares of 7 modules, and a quiet zone of four around
    matrix = np.array(code.matrix)
    square = np.pad(np.pad(np.ones((3, 3)), 1), 1, constant_values=1)
    for corner in (matrix[:7, :7], matrix[:7, -7:], matrix[-7:, :7]):
        np.testing.assert_array_equal(corner, square)
    assert f"{4 * (len(matrix) + 8)}" in image


@pytest.mark.parametrize("link", ["", "https://lapviz.example/?labels=" + "1c0~" * 500])
def test_a_link_that_no_phone_can_read_is_refused(link):
    image, reason = links.qr_code(link)
    assert image == ""
    assert reason.endswith(".")


WIDGETS = {
    "toggle", "checkbox", "selectbox", "segmented_control", "radio", "slider", "select_slider",
    "number_input", "multiselect", "pills", "text_input", "tabs", "data_editor", "switch",
}  # fmt: skip
# Files with widgets that are not in the page's link, which widgets these are, and why.
EXCUSED = {
    "pages/labels/table.py": (("data_editor",), "its content is the labels, which are in the link"),
    "pages/labels/view.py": (
        ("segmented_control", "Search", "own-take"),
        "a search is started by hand, and a visitor's own table is in no link",
    ),
    "share/links.py": (("segmented_control",), "format of a file that is saved"),
    "pages/data/view.py": (("table-check", "take-embed"), "a visitor's own table is in no link"),
    "pages/data/table.py": (
        ("multiselect", "selectbox", "segmented_control", "toggle", "text_input"),
        "a visitor's own table is in no link",
    ),
    "pages/lab/settings.py": (("**bound",), "bound a few lines before"),
    "widgets/shell.py": (("is_on, key",), "the keys of switches are looked at where they are used"),
}


def widgets(path: Path):
    """(line, name of the widget, source of the call) of a file."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if getattr(node.func.value, "id", "") in ("st", "shell") and node.func.attr in WIDGETS:
            yield node.lineno, node.func.attr, ast.get_source_segment(text, node)


@pytest.mark.slow
def test_every_widget_is_in_the_link_or_says_why_not():
    """Bound to a setting (``widget_keys.bind``), a part that is open, or excused."""
    switches = {f'"{key}"' for page in state.PARTS.values() for key in page.values()}
    bindings = ("bind(", "_bound(", "SETTINGS[", 'f"{key}-plotly"', *switches)
    n_widgets, missing = 0, []
    for path in sorted(EXPLORER.rglob("*.py")):
        name = path.relative_to(EXPLORER).as_posix()
        for line, kind, source in widgets(path):
            excuses = EXCUSED.get(name, ((),))[0]
            n_widgets += 1
            if kind not in excuses and not any(text in source for text in (*bindings, *excuses)):
                missing.append(f"{name}:{line}: {kind}")
    assert missing == []
    assert n_widgets > 20


def test_the_switches_exist():
    """A key of a part that no widget has would never be in a link."""
    text = "".join(path.read_text("utf-8") for path in EXPLORER.rglob("*.py"))
    for page in state.PARTS.values():
        for key in page.values():
            assert f'key="{key}"' in text or key.endswith("-plotly")
