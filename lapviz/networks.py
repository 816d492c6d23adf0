r"""Neural networks as trial spaces, and how eigenfunctions are read off one (GAL23 §6.2).

The outputs of a network trained by :mod:`lapviz.neural` span the leading eigenfunctions, in no
order. The Galerkin problem on that span finds them, and so do principal components, since the
training leaves the function of energy γ at the length √(1 − γ/c). All here is plain NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_choice, check_count
from lapviz.forms import Forms, assemble
from lapviz.spectra import Spectrum, spectrum
from lapviz.trial_spaces import TrialSpace

Array = np.ndarray
DISENTANGLE = ("ritz", "pca")


@dataclass(frozen=True, eq=False)
class NetworkSpace(TrialSpace):
    """Span of 1 and the m outputs of a tanh network W_L tanh(… tanh(W_1 (x − center)/scale + b_1)).

    The constant comes first: it is the first eigenfunction, and need not be learnt exactly.

    Attributes
    ----------
    weights : tuple of (W, b) with W (in, out) and b (out,), the first layer first
    center : array (d,); scale : float
    landmarks : array (k, d), samples at which signs of eigenfunctions are decided
    """

    weights: tuple[tuple[Array, Array], ...]
    center: Array
    scale: float
    landmarks: Array
    constant = True

    @property
    def n_functions(self) -> int:
        return 1 + len(self.weights[-1][1])

    @property
    def n_features(self) -> int:
        return len(self.center)

    @property
    def gram(self) -> Array:
        """The identity, for want of a Hilbert norm; 0 for the constant."""
        return np.diag(np.append(0.0, np.ones(self.n_functions - 1)))

    def phi(self, X: Array) -> Array:
        """1 and the outputs of the network, shape (n, m + 1)."""
        H = (self._check(X) - self.center) / self.scale
        for W, b in self.weights[:-1]:
            H = np.tanh(H @ W + b)
        W, b = self.weights[-1]
        return np.column_stack([np.ones(len(H)), H @ W + b])

    def gradient(self, X: Array) -> Array:
        """Their gradients, shape (n, d, m + 1), by forward differentiation."""
        H = (self._check(X) - self.center) / self.scale
        D = np.broadcast_to(np.eye(self.n_features) / self.scale, (len(H), *(self.n_features,) * 2))
        for W, b in self.weights[:-1]:
            H = np.tanh(H @ W + b)
            D = (D @ W) * (1.0 - H * H)[:, None, :]
        out = np.zeros((len(H), self.n_features, self.n_functions))
        out[:, :, 1:] = D @ self.weights[-1][0]
        return out


def disentangle(
    space: NetworkSpace,
    X: Array,
    operator="laplacian",
    *,
    method: str = "pca",
    n_components: int | None = None,
) -> Spectrum:
    """Eigenfunctions and energies from a trained network, on the sample X.

    Parameters
    ----------
    method : {"pca", "ritz"}
        "pca": the constant and the principal components of the outputs, as in Figure 5; it relies
        on the different lengths that (18) gives to different energies. "ritz": the Galerkin
        problem on the span of 1 and the outputs, the best combinations whatever the training did.
    n_components : int, optional; the constant included; all by default

    Returns
    -------
    Spectrum, vectors in the 1 + m functions of ``space``, energies ascending

    Raises
    ------
    ValueError
        If the method is unknown.
    """
    check_choice("method", method, DISENTANGLE)
    forms = assemble(space, X, operator)
    if method == "ritz":
        return spectrum(forms, 0.0, n_components)
    return principal_components(forms, n_components)


def principal_components(forms: Forms, n_components: int | None = None) -> Spectrum:
    """The constant and the leading principal components of the other functions, by energy.

    Function 0 of the forms is the constant. Components are scaled to mean square 1; of those whose
    variance is not rounding, the ``n_components`` − 1 of largest variance are kept.
    """
    mean = forms.mass[0, 1:]
    variances, V = np.linalg.eigh(forms.mass[1:, 1:] - np.outer(mean, mean))
    variances, V = variances[::-1], V[:, ::-1]
    kept = int(np.sum(variances > 1e-8 * np.diag(forms.mass).max()))
    m = kept if n_components is None else min(check_count("n_components", n_components) - 1, kept)
    vectors = np.zeros((len(forms.mass), m + 1))
    vectors[0, 0] = 1.0
    vectors[1:, 1:] = V[:, :m] / np.sqrt(variances[:m])
    vectors[0, 1:] = -mean @ vectors[1:, 1:]  # centred, that is orthogonal to the constant
    gamma = np.einsum("im,ij,jm->m", vectors, forms.stiffness, vectors)
    order = np.argsort(gamma, kind="stable")
    return Spectrum(np.maximum(gamma[order], 0.0), vectors[:, order], len(variances) - kept)
