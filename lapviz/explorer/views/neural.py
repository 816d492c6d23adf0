"""A network trained on the sample, as a job with a live loss curve."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from lapviz import NeuralEigenfunctions
from lapviz.explorer import steps
from lapviz.explorer.settings import Settings
from lapviz.explorer.specs import DataSpec, NeuralSpec
from lapviz.progress import Enough, report

Array = np.ndarray
N_OUTPUTS = 17
WINDOW = 25  # batches between two points of the loss curve


@dataclass(frozen=True, eq=False)
class Curve:
    """The loss so far.

    Attributes
    ----------
    batches : array (k,)
    loss, regulariser : arrays (k,), means over the batches since the last entry
    """

    batches: Array
    loss: Array
    regulariser: Array


@dataclass(frozen=True, eq=False)
class Network:
    """Eigenfunctions of a trained network.

    Attributes
    ----------
    model : NeuralEigenfunctions
    curve : Curve
    stopped : bool, whether it was ended by hand
    seconds : float, of training
    """

    model: NeuralEigenfunctions
    curve: Curve
    stopped: bool
    seconds: float

    @property
    def gamma(self) -> Array:
        """Eigenvalues (k,), ascending."""
        return self.model.eigenvalues_

    @property
    def n_batches(self) -> int:
        """Batches done."""
        return self.model.n_iter_

    def evaluate(self, Z: Array) -> Array:
        """The functions at points Z (n, d), array (n, k)."""
        return self.model.transform(Z)


def work(settings: Settings) -> tuple:
    """The function and the arguments of the training, for a job."""
    return train, settings.data, settings.operator, settings.neural


def train(data: DataSpec, asked: object, spec: NeuralSpec) -> Network:
    """Train a network; reports its curve, and keeps what it has when told that it is enough.

    Raises
    ------
    ImportError
        If JAX or optax is not installed; the message has the command.
    ValueError
        If training diverged, or the operator has no directions.
    """
    seen: list[tuple[int, float, float]] = []

    def hear(now) -> bool:
        seen.append((now.batch, now.loss, now.regulariser))
        try:
            report("training the network", now.batch, now.n_batches, _curve(seen))
        except Enough:
            return True
        return False

    start = time.perf_counter()
    model = NeuralEigenfunctions(
        n_components=N_OUTPUTS,
        operator=steps.operator(data, asked),
        n_batches=spec.batches,
        learning_rate=spec.rate,
        window=WINDOW,
        callback=hear,
        random_state=data.random_state,
    ).fit(steps.sample(data).X)
    stopped = model.n_iter_ < spec.batches
    model.set_params(callback=None)
    return Network(model, _curve(seen), stopped, time.perf_counter() - start)


def _curve(seen: list[tuple[int, float, float]]) -> Curve:
    return Curve(*np.array(seen, dtype=float).T)
