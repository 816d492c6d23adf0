"""The loss of one batch (GAL23 eq. 17, 18) and the compiled descent on it.

JAX and optax are imported inside functions only.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from lapviz._extras import needed

REGULARISERS = ("contrastive", "whitening")
OPTIMIZERS = ("adam", "sgd")
MOMENTUM = 0.5  # of "sgd", as in Figure 5


def require_jax():
    """The modules jax and optax, or an error that says how to install them.

    Raises
    ------
    ImportError
        If one of them is missing.
    """
    with needed("neural", "The training of neural eigenfunctions"):
        import jax
        import optax
    return jax, optax


def batch_terms(forward: Callable, Z, frames, regulariser: str, xp=np):
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
def compiled(regulariser: str, optimizer: str):
    """Two functions: the optimizer's state at the start, and one window of batches, jitted.

    ``run(params, state, Z, frames, rates, c)`` takes steps of the learning rates ``rates`` and
    returns parameters, state and (loss, energy, regulariser) of every batch.
    """
    jax, optax = require_jax()
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

        energy, reg = batch_terms(forward, Z, frames, regulariser, jnp)
        total = 2.0 / c * energy + reg
        return total, jnp.stack([total, energy, reg])

    def steps_of(rate):  # the state does not depend on the rate, which may differ at every step
        return optax.adam(rate) if optimizer == "adam" else optax.sgd(rate, momentum=MOMENTUM)

    @jax.jit
    def run(params, state, Z, frames, rates, c):
        def step(carry, now):
            params, state = carry
            Z, frames, rate = now
            gradient, seen = jax.grad(loss, has_aux=True)(params, Z, frames, c)
            moves, state = steps_of(rate).update(gradient, state)
            return (optax.apply_updates(params, moves), state), seen

        carry, seen = jax.lax.scan(step, (params, state), (Z, frames, rates))
        return *carry, seen

    return steps_of(0.0).init, run
