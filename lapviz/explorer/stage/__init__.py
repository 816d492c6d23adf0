"""The stage in a Streamlit page: an interactive canvas, drawn in the browser.

What Python sends to it, and the file that it runs, are in :mod:`lapviz.figures.stage`; the sources
of that file are in ``js/`` here.
"""

from lapviz.explorer.stage.component import Waiting, stage
from lapviz.explorer.stage.curve_component import curve_stage
from lapviz.explorer.stage.curve_messages import CurveState
from lapviz.explorer.stage.messages import StageState

__all__ = ["CurveState", "StageState", "Waiting", "curve_stage", "stage"]
