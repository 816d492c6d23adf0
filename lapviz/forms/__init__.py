"""Mass, stiffness, Gram and load of a trial space, in one streaming pass over the rows.

Rows are processed in blocks, so that memory is O(block·p + p²) for any n, and almost all time
is spent in BLAS. All expectations are means over the samples. Directions are passed as arrays;
:mod:`lapviz.operators` chooses them.
"""

from lapviz.forms.assembly import assemble, mass
from lapviz.forms.base import ENERGIES, Accumulator, Forms, accumulator
from lapviz.forms.kernel import FourierAccumulator  # also registers the accumulators of kernels

__all__ = [
    "ENERGIES",
    "Accumulator",
    "Forms",
    "FourierAccumulator",
    "accumulator",
    "assemble",
    "mass",
]
