"""Mass, stiffness, Gram and load of a trial space, in one streaming pass over the rows.

Work goes in blocks of rows, so that memory is O(block·p + p²) whatever n is, and almost all time
is spent in BLAS. All expectations are means over the samples. Directions are passed as arrays;
:mod:`lapviz.operators` chooses them.
"""

from lapviz.forms.assembly import assemble, load, mass
from lapviz.forms.base import ENERGIES, Accumulator, Forms, accumulator
from lapviz.forms.kernel import FourierAccumulator  # registers the formulas of kernel spaces too

__all__ = [
    "ENERGIES",
    "Accumulator",
    "Forms",
    "FourierAccumulator",
    "accumulator",
    "assemble",
    "load",
    "mass",
]
