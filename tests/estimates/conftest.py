"""Makes ``brute_force``, which the tests of this folder share, importable."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
