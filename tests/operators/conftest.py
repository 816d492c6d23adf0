"""What the tests of operators share is in ``frames``."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
