r"""Any bilinear form: GAL23's Algorithm 1, with left and right trial spaces.

An operator ℒ is given by a form, ⟨f, ℒg⟩ = E[H(f, g, X)] (GAL23 eq. 1), symmetric or not. On test
functions φ_i (left) and ψ_j (right) it is the matrix L_ij = E[H(φ_i, ψ_j, X)] (eq. 5), and its
singular value decomposition in L² of the data is the weighted one,

    A L Bᵀ = Λ,   A Φ Aᵀ = B Ψ Bᵀ = I,   Φ = E[φφᵀ], Ψ = E[ψψᵀ]   (eq. 7).

Φ and Ψ are singular in practice: their null directions are dropped, as in :mod:`lapviz.spectra`.

A form is one of the classes below, a sum or multiple of them, the name of an operator or an
operator object (:mod:`lapviz.operators`, :mod:`lapviz.invariances`), or any callable H(φ, ψ, X)
that takes two trial spaces and a block of samples and returns the *mean* of H(φ_i, ψ_j, x) over it.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from lapviz.bilinear.forms import (
    BlockForm,
    Combination,
    Derivative,
    Dirichlet,
    Form,
    Multiplication,
    WeightedGradients,
    as_form,
)
from lapviz.bilinear.svd import GalerkinSVD, galerkin_svd, orthonormal_basis

__all__ = [
    "BlockForm",
    "Combination",
    "Derivative",
    "Dirichlet",
    "Form",
    "GalerkinSVD",
    "Multiplication",
    "WeightedGradients",
    "as_form",
    "galerkin_svd",
    "orthonormal_basis",
]
