"""The stage's modules under Node, and scenes for them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
from stage_node import js  # noqa: F401
