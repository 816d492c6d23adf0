"""Segmentation from scribbles: the kernel Laplacian over the pixels of a picture.

The estimate is that of SSL21 eq. 5, with the ambient gradient: the squared error over the scribbled
pixels, and λ times the Dirichlet energy over a lattice of all pixels. With thin scribbles on the
tower of scikit-learn's `china.jpg`, 4.3 % of the pixels are wrong; with the energy of a k-NN graph
on the same test functions 6 to 7 %, with kernel ridge and the same penalty 9.5 % (5.9 % with its
best penalty in hindsight), and with harmonic functions on a graph over one pixel in 36, 4.2 %. With
400 test functions instead of 200 hardly anything changes.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lapviz import estimates, fit
from lapviz.checks import check_count
from lapviz.kernels import Kernel
from lapviz.linalg import blocks
from lapviz.pictures.features import features
from lapviz.pictures.reading import Picture
from lapviz.pictures.strokes import Stroke, paint
from lapviz.progress import report

Array = np.ndarray

MOST_ASSEMBLED = 40_000  # pixels over which the energy is taken
MOST_LABELLED = 8000  # scribbled pixels used; of more, every second, third, …
WEIGHT, N_LANDMARKS, LAM = 0.5, 200, 0.01
_BLOCK = 1 << 16  # pixels classified between two reports of progress


@dataclass(frozen=True, eq=False)
class Segmentation:
    """Classes of every ``step``-th pixel in either direction, (h', w') of them.

    Attributes
    ----------
    codes : tuple of int
        The classes of the strokes, ascending.
    probabilities : float32 array (h', w', K)
        Least-squares class probabilities, in the order of ``codes``.
    mask : uint8 array (h', w')
        The most probable class of each pixel, one of ``codes``.
    step : int
    """

    codes: tuple[int, ...]
    probabilities: Array
    mask: Array
    step: int = 1

    @property
    def shares(self) -> dict[int, float]:
        """Share of the pixels of each class."""
        return {code: float((self.mask == code).mean()) for code in self.codes}


@dataclass(frozen=True, eq=False)
class Segmenter:
    """A picture with everything that does not depend on the strokes; from :func:`prepare`.

    Attributes
    ----------
    shape : (int, int)
        Rows and columns of the picture.
    points : float32 array (h·w, 5)
        One point for each pixel (:func:`lapviz.pictures.features`).
    kernel : Kernel
        With its σ, in the units of the points.
    assembled : lapviz.fit.Assembled
        Trial space and forms over every ``lattice``-th pixel.
    mu : float
        μ, in 1/length².
    prepared : object
        A factor of S + μK.
    lattice : int
    """

    shape: tuple[int, int]
    points: Array
    kernel: Kernel
    assembled: fit.Assembled
    mu: float
    prepared: object = field(repr=False)
    lattice: int

    @property
    def bandwidth(self) -> float:
        """σ, in the units of the points."""
        return self.kernel.bandwidth

    @property
    def n_landmarks(self) -> int:
        """Number p of landmarks."""
        return self.assembled.space.n_functions

    def at(self, step: int) -> Array:
        """Points (m, 5) of every ``step``-th pixel in either direction."""
        return _every(self.points, self.shape, step)

    def labelled(self, strokes: Sequence[Stroke]) -> tuple[Array, Array]:
        """Rows of ``points`` under the strokes, evenly thinned, and their class codes.

        Raises
        ------
        ValueError
            If fewer than two classes are scribbled.
        """
        codes = paint(strokes, self.shape).ravel()
        rows = np.flatnonzero(codes >= 0)
        if len(np.unique(codes[rows])) < 2:
            raise ValueError(
                "Scribble at least two classes: a segmentation tells one from the other."
            )
        return thinned(rows, codes[rows].astype(int), MOST_LABELLED)

    def coefficients(self, strokes: Sequence[Stroke], lam: float = LAM) -> tuple[Array, Array]:
        """Coefficients (p, k) of the estimate, and the strokes' classes (K,)."""
        rows, codes = self.labelled(strokes)
        classes, codes = np.unique(codes, return_inverse=True)
        targets = estimates.class_codes(codes, len(classes))
        spec = fit.EstimateSpec(lam=lam)
        space = self.assembled.space
        return fit.solve(space, self.prepared, self.points[rows], targets, spec), classes

    def segment(self, strokes: Sequence[Stroke], lam: float = LAM, step: int = 1) -> Segmentation:
        """Segment the picture from its scribbles.

        Parameters
        ----------
        strokes : sequence of Stroke
            Of at least two classes.
        lam : float, default 0.01
            λ, weight of the energy.
        step : int, default 1
            Only every ``step``-th pixel is classified, in either direction. A coarse segmentation
            has the same values as the full one at its pixels.

        Returns
        -------
        Segmentation

        Raises
        ------
        ValueError
            If fewer than two classes are scribbled, or the step is not a whole number from 1 on.
        """
        c, classes = self.coefficients(strokes, lam)
        return self.classify(c, classes, step)

    def classify(self, c: Array, classes: Array, step: int = 1) -> Segmentation:
        """The second half of :meth:`segment`: classify the pixels from :meth:`coefficients`."""
        check_count("step", step)
        points, space = self.at(step), self.assembled.space
        scores = np.empty((len(points), c.shape[1]), dtype=np.float32)
        for rows in blocks(len(points), _BLOCK):
            scores[rows] = space.evaluate(points[rows], c)
            report("classification", rows.stop, len(points))
        shape = tuple(-(-n // step) for n in self.shape)
        mask = classes[estimates.decode(scores)].astype(np.uint8).reshape(shape)
        probabilities = estimates.probabilities(scores, len(classes)).astype(np.float32)
        codes = tuple(int(code) for code in classes)
        return Segmentation(codes, probabilities.reshape(*shape, len(classes)), mask, step)


def thinned(rows: Array, codes: Array, most: int) -> tuple[Array, Array]:
    """Keep every k-th row of each class, so that about ``most`` remain."""
    k = max(1, -(-len(rows) // most))
    indices = np.concatenate([np.flatnonzero(codes == code)[::k] for code in np.unique(codes)])
    return rows[indices], codes[indices]


def prepare(
    picture: Picture,
    *,
    weight: float = WEIGHT,
    n_landmarks: int = N_LANDMARKS,
    bandwidth: float | str = "auto",
    random_state: int = 0,
) -> Segmenter:
    """Compute what does not depend on the strokes: points, landmarks, forms, a factor of S + μK.

    Parameters
    ----------
    picture : Picture
        From :func:`lapviz.pictures.read` or :func:`lapviz.pictures.load`.
    weight : float, default 0.5
        Share of the position in the distance of two pixels (:func:`lapviz.pictures.features`).
    n_landmarks : int, default 200
        Number p of landmarks.
    bandwidth : "auto" or float, default "auto"
        σ of the Gaussian kernel; "auto" is chosen from the pixels.
    random_state : int, default 0
        Seed of the landmarks.

    Returns
    -------
    Segmenter
        Ready for strokes.

    Raises
    ------
    ValueError
        If a parameter is out of range, or the picture is of one colour and ``weight`` is 0.
    """
    if isinstance(bandwidth, str) and bandwidth != "auto":
        raise ValueError(f'bandwidth must be a positive number or "auto", got {bandwidth!r}.')
    points, shape = features(picture.rgb, weight), picture.rgb.shape[:2]
    lattice = max(1, int(np.ceil(np.sqrt(len(points) / MOST_ASSEMBLED))))
    rows = _every(points, shape, lattice)
    if not np.ptp(rows, axis=0).any():
        raise ValueError(
            "All pixels are the same point: the picture is of one colour, and the weight of the "
            "position is 0. Give the position some weight, or choose another picture."
        )
    space = fit.SpaceSpec(n_landmarks=n_landmarks, bandwidth=bandwidth, random_state=random_state)
    method = fit.Galerkin(fit.Sample.of(rows), space, fit.EnergySpec(mu="floor"))
    assembled, prepared = method.assembled(False), method.solver()
    return Segmenter(shape, points, method.kernel, assembled, method.mu, prepared, lattice)


def _every(points: Array, shape: tuple[int, int], step: int) -> Array:
    if step == 1:
        return points
    grid = points.reshape(*shape, points.shape[1])
    return np.ascontiguousarray(grid[::step, ::step]).reshape(-1, points.shape[1])
