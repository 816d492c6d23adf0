"""The points and the labels of a page: where specifications become arrays."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.preprocessing import StandardScaler

from lapviz import datasets, estimates
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.labels import Label

Array = np.ndarray


@dataclass(frozen=True)
class Sites:
    """Points X (m, d) to evaluate at; the cache identifies them by their key."""

    key: str
    X: Array = field(compare=False, hash=False)


@dataclass(frozen=True, eq=False)
class Labelled:
    """The labels and their points X (m, d)."""

    labels: tuple[Label, ...]
    X: Array

    @property
    def index(self) -> Array:
        """Rows of the data (m,), -1 for labels off the sample."""
        return np.array([label.index for label in self.labels], dtype=int)

    @property
    def codes(self) -> Array:
        """Class codes (m,)."""
        return np.array([label.code for label in self.labels], dtype=int)

    @property
    def partial(self) -> bool:
        """Whether a label has several candidate classes."""
        return any(label.others for label in self.labels)

    def candidates(self, n_classes: int) -> Array:
        """Which classes each label allows, boolean (m, n_classes)."""
        allowed = np.zeros((len(self.labels), n_classes), dtype=bool)
        for row, label in zip(allowed, self.labels, strict=True):
            row[list(label.candidates)] = True
        return allowed

    def shares(self, n_classes: int) -> Array:
        """One-hot rows (m, n_classes); of several candidates each gets an equal share."""
        allowed = self.candidates(n_classes)
        return allowed / allowed.sum(axis=1, keepdims=True)

    def targets(self, n_classes: int) -> Array:
        """Targets (m, k): the class's code, the mean code of several candidates."""
        codes = estimates.class_codes(np.arange(n_classes), n_classes)
        return self.shares(n_classes) @ codes

    def mask(self, n_samples: int) -> Array:
        """Which samples (n_samples,) are labelled."""
        labelled = np.zeros(n_samples, dtype=bool)
        labelled[self.index[self.index >= 0]] = True
        return labelled


def sample(data: DataSpec) -> datasets.Dataset:
    """The data set with its default labels: the only place where a specification becomes points."""
    if data.scaling is not None:
        return _scaled(data)
    if data.private:
        return STORE.get(data.source).sample(data.n_samples, data.random_state)
    return _loaded(data)


@step
def _scaled(data: DataSpec) -> datasets.Dataset:
    drawn = sample(data.in_units)
    return replace(drawn, X=scaled(data, drawn.X))


def scaled(data: DataSpec, X: Array) -> Array:
    """Points (m, d) in the units of the data, as an estimate takes them."""
    return X if data.scaling is None else data.scaling(X)


@step
def _loaded(data: DataSpec) -> datasets.Dataset:
    drawn = datasets.load(
        data.name,
        n_samples=data.n_samples,
        noise=data.noise,
        random_state=data.random_state,
        **data.keywords,
    )
    if data.scales:
        drawn = replace(drawn, X=StandardScaler().fit_transform(drawn.X), image_shape=None)
    return drawn


def labelled(data: DataSpec, labels: LabelSpec) -> Labelled:
    """The labelled points: set by hand, or else drawn, or else the data set's default."""
    points, chosen = sample(data), labels.chosen
    if chosen is None:
        if labels.per_class is not None:
            points = datasets.relabel(points, labels.per_class, data.random_state)
        chosen = [Label(int(i), int(points.y[i])) for i in np.flatnonzero(points.labelled)]
    chosen = tuple(label for label in chosen if label.index < len(points.X))
    X = [
        scaled(data, np.array(label.place, dtype=float))
        if label.off_sample
        else points.X[label.index]
        for label in chosen
    ]
    return Labelled(chosen, np.array(X, dtype=float) if chosen else points.X[:0])


def judged(data: datasets.Dataset, labelled: Array) -> Array:
    """Which samples (n,) accuracies are taken over: unlabelled ones whose class is known."""
    return ~labelled & (data.y >= 0)


def with_label(data: DataSpec, labels: LabelSpec, row: int, code: int) -> tuple[Label, ...]:
    """The labels, with that class for a row."""
    given = labelled(data, labels).labels
    kept = tuple(label.lasting() for label in given if label.index != row)
    return (*kept, Label(row, code))


def weights(data: DataSpec) -> Array | None:
    """Weights (n,) of the rows, None where all are equal."""
    return sample(data).weights


def label_weights(data: DataSpec, given: Labelled) -> Array | None:
    """Weights (m,) of the labelled points: those of their rows, the mean for labels off them."""
    whole = weights(data)
    if whole is None:
        return None
    return np.where(given.index >= 0, whole[given.index], whole.mean())
