r"""Random Fourier features: a trial space of waves for the shift-invariant kernels (SSL21 §3.2).

By Bochner's theorem k(x, x′) = E cos⟨ω, x − x′⟩ over a distribution of frequencies ω that belongs
to the kernel (Rahimi and Recht, 2007). With p waves φ_j(x) = √(2/p) cos(⟨ω_j, x⟩ + b_j) the kernel
φ(x)ᵀφ(x′) has mean k(x, x′), its RKHS norm is the plain norm of the coefficients, and so the Gram
matrix is the identity. There are no landmarks: the functions do not depend on the data.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.utils import check_random_state

from lapviz.checks import check_count
from lapviz.kernels import Kernel
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FourierSpace(TrialSpace):
    """Span of the waves √(2/p) cos(⟨ω_j, x − center⟩ + b_j), optionally with the constant 1 first.

    Drawn by :func:`fourier_space`. The gradients are ∇φ_j = t_j(x) ω_j with
    t = ``slope_profile``, which the forms use: ambient S = (ΩΩᵀ) ∘ E[ttᵀ].

    Parameters
    ----------
    frequencies : array (p, d), ω, in 1/length
    phases : array (p,), b
    center : array (d,), where the phases are b; avoids cancellation for data far from 0
    constant : bool, default True
    """

    frequencies: Array
    phases: Array
    center: Array
    constant: bool = True

    @property
    def n_functions(self) -> int:
        return len(self.frequencies) + self.constant

    @property
    def n_features(self) -> int:
        return self.frequencies.shape[1]

    @cached_property
    def wave_gram(self) -> Array:
        """⟨ω_i, ω_j⟩, (n_functions, n_functions); 0 for the constant."""
        waves = np.pad(self.frequencies, ((int(self.constant), 0), (0, 0)))
        return waves @ waves.T

    def phi(self, X: Array) -> Array:
        return self._waves(np.cos, X, 1.0)

    def slope_profile(self, X: Array) -> Array:
        """t with ∇φ_j(x) = t_j(x) ω_j, shape (n, n_functions)."""
        return self._waves(np.sin, X, -1.0)

    def gradient(self, X: Array) -> Array:
        values = np.zeros((len(X), self.n_features, self.n_functions))
        profile = self.slope_profile(X)[:, self.constant :]
        values[:, :, self.constant :] = profile[:, None, :] * self.frequencies.T
        return values

    def slope(self, X: Array, U: Array) -> Array:
        values = self.slope_profile(X)
        values[:, self.constant :] *= U @ self.frequencies.T
        return values

    def _waves(self, wave: np.ufunc, X: Array, sign: float) -> Array:
        """Waves of ⟨ω_j, x − center⟩ + b_j times ``sign``; the constant is 1, its slope 0."""
        angles = (self.check(X) - self.center) @ self.frequencies.T
        angles += self.phases
        values = np.empty((len(X), self.n_functions))
        values[:, : self.constant] = max(sign, 0.0)
        wave(angles, out=values[:, self.constant :])
        values[:, self.constant :] *= sign * np.sqrt(2.0 / len(self.frequencies))
        return values


def fourier_space(
    kernel: Kernel,
    n_functions: int,
    center: Array,
    constant: bool = True,
    random_state=None,
) -> FourierSpace:
    """Random waves for a shift-invariant kernel.

    Frequencies are normal with standard deviation 1/σ for the Gaussian, and multivariate Student-t
    with 2ν degrees of freedom and scale 1/σ for Matérn ν (1/2, the exponential kernel; 3/2; 5/2).
    Each frequency gives a cosine and a sine, so that φ(x)ᵀφ(x) = 1 at every x (an odd last one
    gets a random phase instead). The heavier the tail, the slower gradients converge: the mean
    squared gradient of a wave is infinite for the exponential kernel, whose functions need not be
    differentiable.

    Parameters
    ----------
    kernel : Kernel
        A kernel with a known distribution of frequencies (``draw_frequencies``).
    n_functions : int
        p, not counting the constant.
    center : array (d,)
        Origin of the phases, such as the mean of the data.
    constant : bool, default True
        Whether the constant 1 is in the space, as its first function.
    random_state : int, RandomState or None
        Seed of the frequencies.

    Returns
    -------
    FourierSpace
        The span of the waves.

    Raises
    ------
    ValueError
        If the distribution of the kernel's frequencies is not known.
    """
    p, center = check_count("n_functions", n_functions), np.asarray(center, dtype=float)
    rng = check_random_state(random_state)
    pairs = (p + 1) // 2
    waves = kernel.draw_frequencies(pairs, len(center), rng)
    phases = np.tile([0.0, -np.pi / 2], pairs)
    if p % 2:
        phases[p - 1] = rng.uniform(0.0, 2.0 * np.pi)
    return FourierSpace(np.repeat(waves, 2, axis=0)[:p], phases[:p], center, constant)
