"""What the tests of the estimators share is in ``kinds``."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
