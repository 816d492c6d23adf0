"""BLAS and LAPACK by ctypes, which releases the interpreter's lock during the call.

SciPy's Python functions hold it (scipy/scipy#12436): while one thread computes eigenvectors, no
other thread runs, not even one that answers another visitor. The routines are the same; SciPy has
their addresses for Cython.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.linalg import cython_blas, cython_lapack

_NAME = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(
    ("PyCapsule_GetName", ctypes.pythonapi)
)
_POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_CAPSULES = {**cython_blas.__pyx_capi__, **cython_lapack.__pyx_capi__}
# The name of a capsule is the C declaration; SciPy can be built with integers of 64 bits.
_INTEGER: type = ctypes.c_int if b"int *" in _NAME(_CAPSULES["dsyrk"]) else ctypes.c_int64
_REAL: dict[str, type] = {"s": ctypes.c_float, "d": ctypes.c_double}
INT = np.dtype(_INTEGER)


@cache
def _routine(name: str) -> Callable:
    capsule = _CAPSULES[name]
    return ctypes.CFUNCTYPE(None)(_POINTER(capsule, _NAME(capsule)))


def call(name: str, *arguments: bytes | int | float | np.ndarray) -> None:
    """Call a routine of BLAS or LAPACK.

    Parameters
    ----------
    name : str
        Name with the letter of its type, such as ``"dsyrk"``.
    *arguments : bytes, int, float or array
        All arguments in the order of the Fortran routine. Those that it writes are arrays: of its
        type, or of type ``INT``.

    Raises
    ------
    ValueError
        If an array is of another type, or not contiguous in Fortran order. Shapes are for the
        caller to check.
    """
    real, pointers = _REAL[name[0]], []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            expected = INT if argument.dtype == INT and argument.ndim == 1 else np.dtype(real)
            if argument.dtype != expected or not argument.flags.f_contiguous:
                raise ValueError(f"{name} takes arrays of {expected} in Fortran order.")
            pointers.append(ctypes.c_void_p(argument.ctypes.data))
        elif isinstance(argument, bytes):
            pointers.append(argument)
        else:
            number = _INTEGER if isinstance(argument, int | np.integer) else real
            pointers.append(ctypes.byref(number(argument)))
    _routine(name)(*pointers)
