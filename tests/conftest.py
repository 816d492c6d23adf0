"""One BLAS thread for the whole suite: same numbers everywhere, and no threads that spin."""

from __future__ import annotations

import os

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
