"""The stage: an interactive canvas for functions over the plane, drawn in the browser."""

from lapviz.explorer.stage.component import Waiting, stage
from lapviz.explorer.stage.curve_component import curve_stage
from lapviz.explorer.stage.curve_messages import CurveState
from lapviz.explorer.stage.messages import StageState
from lapviz.explorer.stage.payload import encode, encode_lasting

__all__ = [
    "CurveState",
    "StageState",
    "Waiting",
    "curve_stage",
    "encode",
    "encode_lasting",
    "stage",
]
