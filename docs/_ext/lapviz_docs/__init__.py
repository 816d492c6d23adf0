"""What the documentation needs beyond Sphinx: formulas, live pictures, notebooks, the API."""

from __future__ import annotations

from lapviz_docs import api, formulas, live, notebooks, notes


def setup(app):
    """Everything of this folder, as one Sphinx extension."""
    for part in (formulas, live, notes, notebooks, api):
        part.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
