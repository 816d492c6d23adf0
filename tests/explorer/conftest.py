"""What the tests of the explorer share: its pages without a browser, the estimators of settings."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
