"""What the tests of the estimates share is in ``brute_force``."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
