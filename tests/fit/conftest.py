"""Fixtures for tests of fits on many rows."""

import pytest

from lapviz import fit
from lapviz.spaces import sampling


@pytest.fixture
def few_rows_in_memory(monkeypatch):
    """Of more than 300 rows a sample decides; a graph has at most 200 rows, or 400 nodes."""
    for name, value in (("POOL", 300), ("PER_LANDMARK", 4)):
        monkeypatch.setattr(sampling, name, value)
    monkeypatch.setattr(fit.few_labels, "MOST_NODES", 200)
    monkeypatch.setattr(fit.few_labels, "ALL_NODES", 400)
