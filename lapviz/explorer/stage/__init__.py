"""The stage: one live canvas for every field over the plane (DESIGN.md, "The stage")."""

from lapviz.explorer.stage.component import stage
from lapviz.explorer.stage.messages import StageState
from lapviz.explorer.stage.payload import encode

__all__ = ["StageState", "encode", "stage"]
