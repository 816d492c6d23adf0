r"""Eigenfunctions from the outputs of a trained neural network (GAL23 §6.2).

The outputs of a network trained by :mod:`lapviz.estimates.neural_training` span the leading
eigenfunctions, in no particular order. The Galerkin problem on that span separates them, and so do
principal components, since training scales the function of energy γ by √(1 − γ/c).

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

import numpy as np

from lapviz.checks import check_choice, check_count
from lapviz.forms import Forms
from lapviz.operators import assemble
from lapviz.spaces import NetworkSpace
from lapviz.spectra import Spectrum, spectrum

Array = np.ndarray
DISENTANGLE = ("ritz", "pca")


def disentangle(
    space: NetworkSpace,
    X: Array,
    operator: object = "laplacian",
    *,
    method: str = "pca",
    n_components: int | None = None,
    sample_weight: Array | None = None,
) -> Spectrum:
    """Eigenfunctions and energies from a trained network, on the sample X (GAL23 §6.2).

    Parameters
    ----------
    space : NetworkSpace
        Span of 1 and the m outputs of the network.
    X : array (n, d)
        The sample.
    operator : str or operator object, default "laplacian"
        Directions of the gradient, as in the training.
    method : {"pca", "ritz"}, default "pca"
        "pca": the constant and the principal components of the outputs, as in Figure 5; it relies
        on the different lengths that (18) gives to different energies. "ritz": the Galerkin
        problem on the span of 1 and the outputs, the best combinations for any training.
    n_components : int, optional
        Number of components, including the constant; all by default.
    sample_weight : array (n,), optional
        Weights of the samples.

    Returns
    -------
    Spectrum
        Vectors in the 1 + m functions of ``space``, energies ascending, in 1/length².

    Raises
    ------
    ValueError
        If the method is unknown.
    """
    check_choice("method", method, DISENTANGLE)
    forms = assemble(space, X, operator, sample_weight=sample_weight)
    if method == "ritz":
        return spectrum(forms, 0.0, n_components)
    return principal_components(forms, n_components)


def principal_components(forms: Forms, n_components: int | None = None) -> Spectrum:
    """The constant and the leading principal components of the other functions (GAL23 Figure 5).

    Components are scaled to mean square 1; among those whose variance exceeds rounding, the
    ``n_components`` − 1 of largest variance are kept.

    Parameters
    ----------
    forms : Forms
        Forms of functions of which the first is the constant.
    n_components : int, optional
        Number of components, including the constant; all by default.

    Returns
    -------
    Spectrum
        Vectors in the functions of the forms, ordered by energy.
    """
    mean = forms.mass[0, 1:]
    variances, V = np.linalg.eigh(forms.mass[1:, 1:] - np.outer(mean, mean))
    variances, V = variances[::-1], V[:, ::-1]
    rank = int(np.sum(variances > 1e-8 * np.diag(forms.mass).max()))
    m = rank if n_components is None else min(check_count("n_components", n_components) - 1, rank)
    vectors = np.zeros((len(forms.mass), m + 1))
    vectors[0, 0] = 1.0
    vectors[1:, 1:] = V[:, :m] / np.sqrt(variances[:m])
    vectors[0, 1:] = -mean @ vectors[1:, 1:]  # centred, hence orthogonal to the constant
    gamma = np.einsum("im,ij,jm->m", vectors, forms.stiffness, vectors)
    order = np.argsort(gamma, kind="stable")
    return Spectrum(np.maximum(gamma[order], 0.0), vectors[:, order], len(variances) - rank)
