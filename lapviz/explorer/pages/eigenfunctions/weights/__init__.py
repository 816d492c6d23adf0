"""A network trained on the sample, as a job; those of the story “neural” come trained.

They are for hosts without JAX.
``python -m lapviz.explorer.pages.eigenfunctions.weights`` trains them anew (extra ``neural``). A
file holds the result of `fit`: the weights, the eigenfunctions in the span of the outputs, and the
loss curve; and its input: sample, seed, operator, batches and learning rate, as one line of text.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lapviz import NeuralEigenfunctions
from lapviz.explorer.compute import fits, points
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, NeuralSpec
from lapviz.explorer.stories import presets, steps
from lapviz.progress import StopEarly, report
from lapviz.spaces import NetworkSpace

Array = np.ndarray
N_OUTPUTS = 17
WINDOW = 25  # batches between two points of the loss curve
PLACE = Path(__file__).parent
STORY = "neural"


@dataclass(frozen=True, eq=False)
class Network:
    """Eigenfunctions of a trained network.

    Attributes
    ----------
    space : NetworkSpace, the span of 1 and the outputs
    gamma : array (k,), eigenvalues, ascending
    vectors : array (1 + m, k), the eigenfunctions in ``space``
    n_batches : int, batches done
    curve : array (k, 3), batches, and the means of loss and regulariser since the last row
    stopped : bool, whether it was stopped by hand
    seconds : float, of training
    pretrained : bool, whether it came with the explorer
    """

    space: NetworkSpace
    gamma: Array
    vectors: Array
    n_batches: int
    curve: Array
    stopped: bool = False
    seconds: float = 0.0
    pretrained: bool = False

    def evaluate(self, Z: Array) -> Array:
        """Values of the functions at points Z (n, d), array (n, k)."""
        return self.space.evaluate(Z, self.vectors)


def work(settings: Settings) -> tuple:
    """Function and arguments of the training, for a job."""
    return trained_or_train, *training_of(settings)


def trained_or_train(data: DataSpec, operator: object, spec: NeuralSpec) -> Network:
    """Train a network; without JAX load the one that comes with the explorer, if there is one.

    Raises
    ------
    ImportError
        If it has to be trained, and JAX or optax is not installed.
    ValueError
        If training diverged, or the operator has no directions.
    """
    try:
        return train(data, operator, spec)
    except ImportError:
        if (network := load((data, operator, spec))) is None:
            raise
        return network


def train(data: DataSpec, operator: object, spec: NeuralSpec) -> Network:
    """Train a network; reports its curve, and keeps what it has after :class:`StopEarly`.

    Raises
    ------
    ImportError
        If JAX or optax is not installed; the message has the command.
    ValueError
        If training diverged, or the operator has no directions.
    """
    curve: list[tuple[int, float, float]] = []

    def on_batches(status) -> bool:
        curve.append((status.batch, status.loss, status.regulariser))
        try:
            partial = np.array(curve, dtype=float)
            report("training the network", status.batch, status.n_batches, partial)
        except StopEarly:
            return True
        return False

    start = time.perf_counter()
    model = NeuralEigenfunctions(
        n_components=N_OUTPUTS,
        operator=fits.operator(data, operator),
        n_batches=spec.batches,
        learning_rate=spec.rate,
        window=WINDOW,
        callback=on_batches,
        random_state=data.random_state,
    ).fit(points.sample(data).X)
    learnt = model.space_, model.eigenvalues_, model.coefficients_, model.n_iter_
    stopped, seconds = model.n_iter_ < spec.batches, time.perf_counter() - start
    return Network(*learnt, np.array(curve, dtype=float), stopped, seconds)


# Networks that come trained.


def examples() -> dict[str, Settings]:
    """Settings that have a trained network, by the name of its file."""
    story = presets.for_story(STORY)
    walked = enumerate(steps.walk(story, steps.STEPS[STORY]))
    named = {f"{STORY}-{i}" if i else STORY: settings for i, settings in walked}
    return {name: settings for name, settings in named.items() if settings.view.show == "neural"}


def training_of(settings: Settings) -> tuple:
    """Specifications of sample, operator and training, on which a network depends."""
    return settings.data, settings.operator, settings.neural


def save(name: str, training: tuple, network: Network) -> Path:
    """Write a network beside this file, with weights in single precision, as they were trained."""
    path, space = PLACE / f"{name}.npz", network.space
    arrays = {n: getattr(space, n) for n in ("center", "scale", "landmarks")}
    arrays |= {n: getattr(network, n) for n in ("gamma", "vectors", "curve")}
    for i, (W, b) in enumerate(space.weights):
        arrays |= {f"W{i}": W.astype(np.float32), f"b{i}": b.astype(np.float32)}
    np.savez_compressed(path, training=repr(training), **arrays)
    return path


def load(training: tuple) -> Network | None:
    """Load the network of a training; None if none comes with the explorer."""
    for path in sorted(PLACE.glob("*.npz")):
        with np.load(path) as file:
            if str(file["training"]) != repr(training):
                continue
            n_layers = sum(name.startswith("W") for name in file.files)
            layers = tuple((file[f"W{i}"].astype(float), file[f"b{i}"].astype(float))
                           for i in range(n_layers))  # fmt: skip
            space = NetworkSpace(layers, file["center"], float(file["scale"]), file["landmarks"])
            n = int(file["curve"][-1, 0])
            return Network(space, file["gamma"], file["vectors"], n, file["curve"], pretrained=True)
    return None
