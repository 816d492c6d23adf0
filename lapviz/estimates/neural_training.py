r"""Eigenfunctions by gradient descent on a neural network (GAL23 §6.2, losses 17–18, Figure 5).

A network f: R^d → R^m is trained on small batches to minimise

    (2/c) Σ_j E‖∇f_j‖² + R(f),    R(f) = ‖E[f fᵀ] − I‖²
                                       = E[(f(X)ᵀf(X′))²] − 2 E‖f(X)‖² + m.

Its minimum is f_i = √(1 − γ_i/c)₊ e_i, up to a rotation: eigenfunctions of energy below the cutoff
c, each slightly shorter than the last, so that principal components disentangle them. The first
form of R over a batch (*whitening*) is biased by its finite size; the second, over pairs of
different samples (*contrastive*), is not.

The gradient is taken along the directions of an operator of :mod:`lapviz.operators`. On a manifold
the energy of the ambient gradient can be as small as the tangential one, but the network must learn
to be constant in normal directions; with tangents it need not.

Training needs JAX and optax, from the optional extra ``neural``, which are imported only then. A
trained network is a :class:`lapviz.spaces.NetworkSpace`, in plain NumPy: forms and spectra work on
it as on any trial space.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from lapviz import operators, progress
from lapviz._extras import needed
from lapviz.checks import check_choice, check_count, check_nonnegative, check_points, row_shares
from lapviz.operators import assemble
from lapviz.operators.base import directions
from lapviz.spaces import NetworkSpace
from lapviz.spectra import spectrum

Array = np.ndarray

REGULARISERS = ("contrastive", "whitening")
OPTIMIZERS = ("adam", "sgd")
MOMENTUM = 0.5  # of "sgd", as in Figure 5
CUTOFF_FACTOR = 1.5  # the automatic cutoff relative to the largest energy in the network's span
N_CUTOFF_ROWS = 1024  # samples on which that energy is measured
STAGE = "training the network"
N_SIGNS = 256  # samples at which signs are fixed


@dataclass(frozen=True)
class NeuralProgress:
    """Argument of the callback after each window of batches; means over the window."""

    batch: int
    n_batches: int
    loss: float
    energy: float
    regulariser: float
    cutoff: float


@dataclass(frozen=True, eq=False)
class NeuralPath:
    """The loss curve: one entry per window of batches, means over the window.

    Attributes
    ----------
    batches : int array (k,), batches completed by the end of the window
    loss, energy, regulariser : arrays (k,); loss = 2 energy/cutoff + regulariser
    cutoff : array (k,), in 1/length² of the data
    stopped : {"finished", "callback", "flat"}
    """

    batches: Array
    loss: Array
    energy: Array
    regulariser: Array
    cutoff: Array
    stopped: str


def train(
    X: Array,
    n_outputs: int = 16,
    *,
    operator: object = "laplacian",
    hidden: tuple[int, ...] = (64, 64, 64),
    regulariser: str = "contrastive",
    cutoff: float | str = "auto",
    n_batches: int = 5000,
    batch_size: int = 1000,
    optimizer: str = "adam",
    learning_rate: float = 5e-3,
    window: int = 50,
    tol: float = 0.0,
    patience: int = 10,
    seed: int = 0,
    sample_weight: Array | None = None,
    callback: Callable[[NeuralProgress], bool | None] | None = None,
) -> tuple[NetworkSpace, NeuralPath]:
    """Minimise GAL23's loss (18) over a tanh network.

    Parameters
    ----------
    X : array (n, d)
        Points.
    n_outputs : int, default 16
        m; outputs of energy above the cutoff fade out.
    operator : str or operator object, default "laplacian"
        An operator with directions.
    hidden : tuple of int, default (64, 64, 64)
        Widths of the hidden layers.
    regulariser : {"contrastive", "whitening"}, default "contrastive"
        The second or the first form of (17).
    cutoff : "auto" or float, default "auto"
        c, in 1/length². "auto" is 1.5 times the m-th energy in the span of 1 and the outputs,
        measured ten times during the first two thirds of the training.
    n_batches : int, default 5000
        Gradient steps.
    batch_size : int, default 1000
        Samples in a batch, drawn with replacement; at least 2.
    optimizer : {"adam", "sgd"}, default "adam"
        "sgd" has momentum 1/2.
    learning_rate : float, default 5e-3
        Divided by three after one third of the batches, and again after two thirds.
    window : int, default 50
        Batches between entries of the path and between calls of the callback.
    tol : float, default 0
        Stop early if the loss has not improved by ``tol`` for ``patience`` windows; 0 disables it.
    patience : int, default 10
        Windows without improvement.
    seed : int, default 0
        Seed of the initial weights and the batches.
    sample_weight : array (n,), optional
        Positive weights: samples are drawn for a batch in proportion to them.
    callback : callable, optional
        Called with a :class:`NeuralProgress` after each window; returning True stops.

    Returns
    -------
    NetworkSpace, NeuralPath
        Trial space of the outputs, and the loss curve.

    Raises
    ------
    ImportError
        If JAX or optax is not installed.
    ValueError
        If a parameter is out of range, or training diverged.
    """
    _require_jax()
    X = check_points(X)
    check_choice("regulariser", regulariser, REGULARISERS)
    check_choice("optimizer", optimizer, OPTIMIZERS)
    automatic = isinstance(cutoff, str) and cutoff == "auto"
    for name, value in (("learning_rate", learning_rate), ("cutoff", 1.0 if automatic else cutoff)):
        if isinstance(value, str) or check_nonnegative(name, value) == 0:
            raise ValueError(f"{name} must be above 0, got {value!r}.")
    hidden = tuple(check_count("hidden", width) for width in hidden)
    n_outputs = check_count("n_outputs", n_outputs)
    window = min(check_count("window", window), check_count("n_batches", n_batches))
    size = max(2, check_count("batch_size", batch_size))
    rng = np.random.default_rng(seed)
    center = np.average(X, axis=0, weights=sample_weight)
    squares = np.sum((X - center) ** 2, axis=1)
    scale = float(np.sqrt(np.average(squares, weights=sample_weight))) or 1.0
    operator = operators.get(operator)
    if hasattr(operator, "stiffness"):
        raise ValueError(
            "A network needs an operator with directions(X), along which it is "
            "differentiated: choose one of lapviz.operators that has them."
        )
    frames = directions(operator, X, sample_weight)
    frames = None if frames is None else np.asarray(frames, np.float32)
    cumulative = None if sample_weight is None else np.cumsum(row_shares(sample_weight, len(X)))
    Z = ((X - center) / scale).astype(np.float32)
    sign_points = X[rng.choice(len(X), min(N_SIGNS, len(X)), replace=False)]
    rows = rng.choice(len(X), min(N_CUTOFF_ROWS, len(X)), replace=False)
    cutoff_sample = (
        X[rows],
        None if frames is None else frames[rows],
        None if sample_weight is None else np.asarray(sample_weight)[rows],
    )

    def space_of(params) -> NetworkSpace:
        layers = tuple((np.asarray(W, float), np.asarray(b, float)) for W, b in params)
        return NetworkSpace(layers, center, scale, sign_points)

    params = tuple(
        (
            rng.normal(size=(a, b), scale=1.0 / np.sqrt(a)).astype(np.float32),
            rng.normal(size=b, scale=0.5).astype(np.float32),
        )
        for a, b in pairwise((X.shape[1], *hidden, n_outputs))
    )
    init, run = _compiled(regulariser, optimizer)
    state = init(params)
    c = 0.0 if automatic else float(cutoff) * scale**2
    interval = max(window, (2 * n_batches // 3) // 10)
    history, best, flat, stopped, next_cutoff = [], np.inf, 0, "finished", 0
    for start in range(0, n_batches, window):
        if automatic and start >= next_cutoff and start <= 2 * n_batches // 3:
            with progress.inside(STAGE, n_batches) as report_progress:  # keeps the training's bar
                report_progress(start)
                c = scale**2 * CUTOFF_FACTOR * _largest_energy(space_of(params), *cutoff_sample)
            next_cutoff, best, flat = start + interval, np.inf, 0
        steps = min(window, n_batches - start)
        if cumulative is None:
            index = rng.integers(len(X), size=(steps, size))
        else:
            index = np.searchsorted(cumulative[:-1], rng.random((steps, size)), side="right")
        batch_frames = None if frames is None else frames[index]
        t = np.arange(start, start + steps)
        rates = learning_rate * 3.0 ** -(3 * t // n_batches)
        params, state, losses = run(params, state, Z[index], batch_frames, rates, c)
        loss, energy, reg = (float(v) for v in np.asarray(losses, float).mean(axis=0))
        if not np.isfinite(loss):
            raise ValueError(
                f"The loss is no longer finite after {start + steps} batches: use a smaller "
                "learning_rate."
            )
        history.append((start + steps, loss, energy / scale**2, reg, c / scale**2))
        partial = NeuralProgress(history[-1][0], n_batches, *history[-1][1:])
        if progress.step(STAGE, partial.batch, n_batches, partial, callback):
            stopped = "callback"
            break
        flat = 0 if loss < best - tol else flat + 1
        best = min(best, loss)
        if tol > 0 and flat >= patience:
            stopped = "flat"
            break
    columns = (np.array(column) for column in zip(*history, strict=True))
    return space_of(params), NeuralPath(*columns, stopped=stopped)


def _largest_energy(
    space: NetworkSpace, X: Array, frames: Array | None, sample_weight: Array | None
) -> float:
    """The m-th Ritz value on 1 and the m outputs, one of which may repeat the constant."""
    operator = "laplacian" if frames is None else operators.GivenDirections(frames)
    forms = assemble(space, X, operator, sample_weight=sample_weight)
    ritz = spectrum(forms, n_modes=space.n_functions - 1)
    return float(ritz.gamma[-1]) or 1.0 / space.scale**2


def _require_jax():
    """Import jax and optax, or raise an error with the install command.

    Raises
    ------
    ImportError
        If one of them is missing.
    """
    with needed("neural", "The training of neural eigenfunctions"):
        import jax  # pyright: ignore[reportMissingImports]
        import optax  # pyright: ignore[reportMissingImports]
    return jax, optax


def _batch_terms(forward: Callable, Z, frames, regulariser: str, xp: Any = np):
    """Energy and regulariser (17) of one batch.

    ``forward(Z, directions)`` gives outputs (b, m) and slopes (q, b, m) along directions.
    """
    F, D = forward(Z, frames)
    b, m = F.shape
    energy = (D**2).sum() / b
    G = F.T @ F
    if regulariser == "whitening":
        return energy, ((G / b - xp.eye(m)) ** 2).sum()
    squares = (F**2).sum(axis=1)
    pairs = ((G**2).sum() - (squares**2).sum()) / (b * (b - 1))
    return energy, pairs - 2.0 * squares.mean() + m


@cache
def _compiled(regulariser: str, optimizer: str):
    """Two functions: the optimizer's initial state, and one window of batches, jitted.

    ``run(params, state, Z, frames, rates, c)`` takes a step for each of the learning rates and
    returns parameters, state and (loss, energy, regulariser) of every batch.
    """
    jax, optax = _require_jax()
    jnp = jax.numpy

    def net(params, Z):
        for W, b in params[:-1]:
            Z = jnp.tanh(Z @ W + b)
        W, b = params[-1]
        return Z @ W + b

    def loss(params, Z, frames, c):
        def forward(Z, frames):
            F, slopes = jax.linearize(lambda z: net(params, z), Z)
            if frames is None:
                frames = jnp.broadcast_to(jnp.eye(Z.shape[1])[:, None], (Z.shape[1], *Z.shape))
            else:
                frames = frames.swapaxes(0, 1)
            return F, jax.vmap(slopes)(frames)

        energy, reg = _batch_terms(forward, Z, frames, regulariser, jnp)
        total = 2.0 / c * energy + reg
        return total, jnp.stack([total, energy, reg])

    def transform(rate):  # the state does not depend on the rate, which may differ at every step
        return optax.adam(rate) if optimizer == "adam" else optax.sgd(rate, momentum=MOMENTUM)

    @jax.jit
    def run(params, state, Z, frames, rates, c):
        def step(carry, inputs):
            params, state = carry
            Z, frames, rate = inputs
            gradient, losses = jax.grad(loss, has_aux=True)(params, Z, frames, c)
            updates, state = transform(rate).update(gradient, state)
            return (optax.apply_updates(params, updates), state), losses

        carry, losses = jax.lax.scan(step, (params, state), (Z, frames, rates))
        return *carry, losses

    return transform(0.0).init, run
