"""Trial spaces: the functions that the Galerkin method combines, and their landmarks.

Kernel functions at landmarks, random Fourier features, the representer theorem's functions, the
outputs of a network, linear functions, any functions with known gradients, or sums of these.
"""

from lapviz.spaces.bandwidth import auto_bandwidth
from lapviz.spaces.base import DirectSum, FunctionSpace, LinearSpace, NetworkSpace, TrialSpace
from lapviz.spaces.fourier import FourierSpace, fourier_space
from lapviz.spaces.kernel import KernelSpace, Reach
from lapviz.spaces.representer import RepresenterSpace

__all__ = [
    "DirectSum",
    "FourierSpace",
    "FunctionSpace",
    "KernelSpace",
    "LinearSpace",
    "NetworkSpace",
    "Reach",
    "RepresenterSpace",
    "TrialSpace",
    "auto_bandwidth",
    "fourier_space",
]
