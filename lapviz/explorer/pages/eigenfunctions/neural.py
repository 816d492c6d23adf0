"""A network trained on the sample, as a job with a live loss curve."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from lapviz import NeuralEigenfunctions
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.eigenfunctions import weights
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, NeuralSpec
from lapviz.progress import Enough, report
from lapviz.spaces.network import NetworkSpace

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
    space : NetworkSpace, the span of 1 and the outputs
    gamma : array (k,), eigenvalues, ascending
    vectors : array (1 + m, k), the eigenfunctions in ``space``
    n_batches : int, batches done
    curve : Curve
    stopped : bool, whether it was ended by hand
    seconds : float, of training
    came : bool, whether it came trained
    """

    space: NetworkSpace
    gamma: Array
    vectors: Array
    n_batches: int
    curve: Curve
    stopped: bool = False
    seconds: float = 0.0
    came: bool = False

    def evaluate(self, Z: Array) -> Array:
        """The functions at points Z (n, d), array (n, k)."""
        return self.space.evaluate(Z, self.vectors)


def work(settings: Settings) -> tuple:
    """The function and the arguments of the training, for a job."""
    return trained_or_train, *weights.training_of(settings)


def trained_or_train(data: DataSpec, asked: object, spec: NeuralSpec) -> Network:
    """A trained network; without JAX the one that comes with the explorer, if there is one.

    Raises
    ------
    ImportError
        If it has to be trained, and JAX or optax is not installed.
    ValueError
        If training diverged, or the operator has no directions.
    """
    try:
        return train(data, asked, spec)
    except ImportError:
        arrays = weights.load((data, asked, spec))
        if arrays is None:
            raise
    return of_arrays(arrays)


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
        operator=fits.operator(data, asked),
        n_batches=spec.batches,
        learning_rate=spec.rate,
        window=WINDOW,
        callback=hear,
        random_state=data.random_state,
    ).fit(points.sample(data).X)
    return Network(
        model.space_,
        model.eigenvalues_,
        model.coefficients_,
        model.n_iter_,
        _curve(seen),
        stopped=model.n_iter_ < spec.batches,
        seconds=time.perf_counter() - start,
    )


def arrays_of(network: Network) -> dict[str, Array]:
    """A network as named arrays, its weights in the single precision of their training."""
    space, curve = network.space, network.curve
    layers = {}
    for i, (W, b) in enumerate(space.weights):
        layers |= {f"W{i}": W.astype(np.float32), f"b{i}": b.astype(np.float32)}
    return layers | {
        "center": space.center,
        "scale": np.float64(space.scale),
        "landmarks": space.landmarks,
        "gamma": network.gamma,
        "vectors": network.vectors,
        "curve": np.column_stack([curve.batches, curve.loss, curve.regulariser]),
    }


def of_arrays(arrays: dict[str, Array]) -> Network:
    """The network of :func:`arrays_of`."""
    n_layers = sum(name.startswith("W") for name in arrays)
    layers = tuple((arrays[f"W{i}"].astype(float), arrays[f"b{i}"].astype(float))
                   for i in range(n_layers))  # fmt: skip
    space = NetworkSpace(layers, arrays["center"], float(arrays["scale"]), arrays["landmarks"])
    curve = _curve(arrays["curve"])
    return Network(
        space, arrays["gamma"], arrays["vectors"], int(curve.batches[-1]), curve, came=True
    )


def _curve(seen: list[tuple[int, float, float]] | Array) -> Curve:
    return Curve(*np.array(seen, dtype=float).T)
