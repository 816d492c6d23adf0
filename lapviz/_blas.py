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
INT = np.dtype(np.intc if b"int *" in _NAME(_CAPSULES["dsyrk"]) else np.int64)


@cache
def _routine(name: str) -> Callable:
    capsule = _CAPSULES[name]
    return ctypes.CFUNCTYPE(None)(_POINTER(capsule, _NAME(capsule)))


def call(name: str, *arguments: bytes | int | np.ndarray) -> None:
    """Call a routine of BLAS or LAPACK.

    Parameters
    ----------
    name : str
        Name with the letter of its type, such as ``"dsyrk"``.
    *arguments : bytes, int or array
        All arguments in the order of the Fortran routine. Real numbers are arrays, too, of the
        routine's type; integers that it writes are arrays of type ``INT``.

    Raises
    ------
    ValueError
        If an array is of another type, or not contiguous in Fortran order.
    """
    types, pointers = (INT, np.dtype(np.float32 if name[0] == "s" else float)), []
    for argument in arguments:
        if isinstance(argument, bytes):
            pointers.append(ctypes.c_char_p(argument))
            continue
        array = np.array(argument, INT) if isinstance(argument, int) else argument
        if not array.flags.f_contiguous or array.dtype not in types:
            raise ValueError(f"{name} takes arrays of {types[1]} in Fortran order.")
        pointers.append(array.ctypes.data_as(ctypes.c_void_p))  # keeps the array alive
    _routine(name)(*pointers)
