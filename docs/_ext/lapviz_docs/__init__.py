"""Extensions of Sphinx for this documentation: formulas, live pictures, notebooks, the API."""

from __future__ import annotations

from lapviz_docs import api, formulas, live, notebooks, notes


def setup(app):
    """Register every module of this folder as one Sphinx extension."""
    for module in (formulas, live, notes, notebooks, api):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
