"""The notebooks run, print what is stored in them, and are small."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="the extra docs is not installed")

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LARGEST = 100_000  # bytes of a picture


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_its_stored_output(path, monkeypatch):
    pytest.importorskip("nbclient", reason="the extra docs is not installed")
    pytest.importorskip("ipykernel", reason="the extra docs is not installed")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    pictures = importlib.import_module("pictures")
    monkeypatch.delitem(sys.modules, "pictures")
    stored = nbformat.read(path, 4)
    for old, new in zip(stored.cells, pictures.executed(path).cells, strict=True):
        if old.cell_type == "code":
            assert kinds(old) == kinds(new)
            assert words(old) == words(new)


def kinds(cell) -> list[str]:
    """Kinds of outputs of a cell."""
    return [output.output_type for output in cell.outputs]


def words(cell) -> list[str]:
    """Words that a cell prints, with numbers rounded to two digits."""
    text = "".join(o.text for o in cell.outputs if o.output_type == "stream")
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda m: f"{float(m[0]):.2g}", text).split()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_output_is_small_and_names_no_local_path(path):
    text = path.read_text("utf-8")
    assert not re.search(r"/(home|root|work|Users|tmp)/", text)
    notebook = nbformat.read(path, 4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    pictures = 0
    for cell in notebook.cells:
        assert not cell.metadata
        for output in cell.get("outputs", ()):
            if output.output_type != "stream":
                assert output.output_type in ("display_data", "execute_result")
                assert set(output.data) == {"image/png"}
                assert len(output.data["image/png"]) * 3 / 4 < LARGEST
                assert output.metadata["alt"]
                pictures += 1
    assert pictures, "a notebook without a picture"
