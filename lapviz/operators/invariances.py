r"""Energies for invariances: random directions and augmentations (GAL23 §6.3).

Operators for ``operator=`` and for :func:`lapviz.galerkin_svd`. Tangent propagation,
eq. (19), E_X E_U⟨∇g(X), U⟩², penalises change along given directions; differences of augmentations,
eq. (20), E_X E|g(ξ) − g(ξ′)|², penalise change between two altered copies of one sample.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import map_coordinates

from lapviz.checks import check_count, check_nonnegative, check_points, check_shape, check_weights
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


def generator(random_state: int) -> np.random.Generator:
    """A separate random stream: the plain seed would repeat the random numbers of the data.

    Parameters
    ----------
    random_state : int
        Seed of the data.

    Returns
    -------
    Generator
        The stream.
    """
    return np.random.default_rng([check_count("random_state", random_state, 0), 19, 20])


@dataclass(frozen=True)
class RandomDirections:
    """Energy E_X E_U⟨∇g(X), U⟩² with directions drawn given X (TangentProp, GAL23 eq. 19).

    Parameters
    ----------
    sample : callable, (X, rng) to directions (n, q, d), q draws of U at each row of X
    random_state : int, default 0; the same seed gives the same directions
    """

    sample: Callable[[Array, np.random.Generator], Array]
    random_state: int = 0
    name = "tangentprop"
    title = "Random directions"

    def directions(self, X: Array) -> Array:
        """The draws divided by √q, so that the sum of squares is a mean."""
        X = check_points(X)
        U = np.asarray(self.sample(X, generator(self.random_state)), dtype=float)
        if U.ndim != 3 or U.shape[::2] != X.shape or not U.shape[1]:
            raise ValueError(
                f"sample(X, rng) must have shape ({len(X)}, q, {X.shape[1]}), got {U.shape}."
            )
        return U / np.sqrt(U.shape[1])


@dataclass(frozen=True)
class UniformDirections:
    """Equation (19) with U uniform on the unit sphere: the energy of ℒ₀/d, by sampling.

    E⟨∇g, U⟩² = ‖∇g‖²/d, and for one draw E⟨∇g, U⟩⁴ = 3d/(d + 2) times the square of that, at most 3
    times for every d (contrary to GAL23 A.7). The draws at a sample come in orthonormal groups
    of d: each is uniform, and a complete group gives ℒ₀/d exactly.

    Parameters
    ----------
    n_draws : int, default 1, directions at each sample
    random_state : int, default 0
    """

    n_draws: int = 1
    random_state: int = 0
    name = "uniform directions"
    title = "Uniform directions"

    def __post_init__(self):
        check_count("n_draws", self.n_draws)

    def directions(self, X: Array) -> Array:
        return RandomDirections(self._frames, self.random_state).directions(X)

    def _frames(self, X: Array, rng: np.random.Generator) -> Array:
        n, d = X.shape
        groups = []
        for start in range(0, self.n_draws, d):
            normal = rng.normal(size=(n, d, min(d, self.n_draws - start)))
            groups.append(np.linalg.qr(normal)[0].swapaxes(1, 2))  # up to sign, which is squared
        return np.concatenate(groups, axis=1)


@dataclass(frozen=True)
class AugmentationDifferences:
    """Energy E_X E|g(ξ) − g(ξ′)|² over two random copies ξ, ξ′ of each sample (GAL23 eq. 20).

    Not a direction field: its form on the trial space is a mean of products of differences.

    Parameters
    ----------
    augment : callable, (X, rng) to one altered copy (n, d) of every row of X
    n_pairs : int, default 1, pairs at each sample
    anchored : bool, default False; True compares each copy with the sample itself
    random_state : int, default 0; the same seed gives the same copies
    """

    augment: Callable[[Array, np.random.Generator], Array]
    n_pairs: int = 1
    anchored: bool = False
    random_state: int = 0
    name = "augmentation"
    title = "Differences of augmentations"
    local = True

    def __post_init__(self):
        check_count("n_pairs", self.n_pairs)

    def stiffness(self, space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
        """E[(φ(ξ) − φ(ξ′))(φ(ξ) − φ(ξ′))ᵀ], shape (p, p)."""
        return self.matrix(space, space, X, sample_weight)

    def matrix(
        self, phi: TrialSpace, psi: TrialSpace, X: Array, sample_weight: Array | None = None
    ) -> Array:
        """E[(φ(ξ) − φ(ξ′))(ψ(ξ) − ψ(ξ′))ᵀ], shape (p, q)."""
        X = check_points(X)
        rng = generator(self.random_state)
        weights = None if sample_weight is None else check_weights(sample_weight, len(X))
        total = np.zeros((phi.n_functions, psi.n_functions))
        block = max(16, (1 << 18) // max(total.shape))
        for _ in range(self.n_pairs):
            first, second = self._copy(X, rng), X if self.anchored else self._copy(X, rng)
            for rows in blocks(len(X), block):
                left = phi.phi(first[rows]) - phi.phi(second[rows])
                same = psi is phi
                right = left if same else psi.phi(first[rows]) - psi.phi(second[rows])
                if weights is not None:
                    right = right * weights[rows, None]
                total += left.T @ right
        mass = len(X) if weights is None else weights.sum()
        return total / (mass * self.n_pairs)

    def _copy(self, X: Array, rng: np.random.Generator) -> Array:
        copy = check_points(self.augment(X.copy(), rng), "augment(X, rng)")
        return check_shape("augment(X, rng)", copy, X.shape)


@dataclass(frozen=True)
class ImageMoves:
    """Small random shifts and rotations of images, for :class:`AugmentationDifferences`.

    Each image is rotated about its centre by an angle uniform in [−turn, turn], and moved by
    independent distances uniform in [−shift, shift] across and down (GAL23 eq. 20). Values between
    pixels are interpolated bilinearly; beyond the border they are 0.

    Parameters
    ----------
    shift : float, default 1, in pixels
    turn : float, default 10, in degrees
    height, width : int, default 8
        Size of the images; a row of X holds the pixels line by line.
    """

    shift: float = 1.0
    turn: float = 10.0
    height: int = 8
    width: int = 8

    def __post_init__(self):
        check_nonnegative("shift", self.shift)
        check_nonnegative("turn", self.turn)
        check_count("height", self.height)
        check_count("width", self.width)
        if self.shift == 0 and self.turn == 0:
            raise ValueError(
                "With shift = 0 and turn = 0 every copy is the image itself: set one above 0."
            )

    def __call__(self, X: Array, rng: np.random.Generator) -> Array:
        """One altered copy (n, height * width) of every row of X."""
        n = len(X)
        turn, shift = float(self.turn), float(self.shift)
        angle = np.deg2rad(rng.uniform(-turn, turn, n))
        return self.moved(X, rng.uniform(-shift, shift, (n, 2)), angle)

    def moved(self, X: Array, shifts: Array, angles: Array) -> Array:
        """Copies of images X (n, pixels), rotated by ``angles`` (n,) and then moved.

        ``shifts`` (n, 2) are in pixels, down and across; angles in radians, from down to across.
        """
        X = check_points(X)
        if X.shape[1] != self.height * self.width:
            raise ValueError(
                f"Images of {self.height} × {self.width} pixels have {self.height * self.width} "
                f"features; X has {X.shape[1]}."
            )
        down, across = np.divmod(np.arange(X.shape[1]), self.width)
        middle = (self.height - 1) / 2, (self.width - 1) / 2
        u = down - middle[0] - shifts[:, :1]
        v = across - middle[1] - shifts[:, 1:]
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        rows = np.broadcast_to(np.arange(len(X))[:, None], u.shape)
        places = rows, cos * u + sin * v + middle[0], cos * v - sin * u + middle[1]
        images = X.reshape(-1, self.height, self.width)
        return map_coordinates(images, places, order=1, mode="grid-constant")  # bilinear, 0 beyond
