"""What tests of directions share: frames as projections, and that they are orthonormal."""

import numpy as np


def projections(frames):
    """U Uᵀ, which knows nothing of signs or of the basis inside the tangent space."""
    return np.einsum("nqi,nqj->nij", frames, frames)


def check_orthonormal(frames):
    gram = np.einsum("nqi,nri->nqr", frames, frames)
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(gram.shape[1]), gram.shape), atol=1e-12)
