"""Networks that come trained: those of the story “neural” and of its steps, for who has no JAX.

``python -m lapviz.explorer.pages.eigenfunctions.weights`` trains them anew (extra ``neural``). A
file holds what `fit` gave: the weights, the eigenfunctions in the span of the outputs, and the loss
curve; and what it was given: sample, seed, operator, batches and learning rate, as one line of
text.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stories import actions, presets

PLACE = Path(__file__).parent
STORY = "neural"


def examples() -> dict[str, Settings]:
    """The settings that have a trained network, by the name of its file."""
    story = presets.for_story(STORY)
    steps = {f"{STORY}-{i}": step.change(story) for i, step in enumerate(actions.of(STORY), 1)}
    return {STORY: story, **steps}


def training_of(settings: Settings) -> tuple:
    """What a network depends on: sample, operator and training."""
    return settings.data, settings.operator, settings.neural


def save(name: str, training: tuple, arrays: dict[str, np.ndarray]) -> Path:
    """Write the arrays of a network, beside this file."""
    path = PLACE / f"{name}.npz"
    np.savez_compressed(path, training=repr(training), **arrays)
    return path


def load(training: tuple) -> dict[str, np.ndarray] | None:
    """The arrays of the network of a training, or None if none comes with it."""
    for path in sorted(PLACE.glob("*.npz")):
        with np.load(path) as file:
            if str(file["training"]) == repr(training):
                return {name: file[name] for name in file.files if name != "training"}
    return None
