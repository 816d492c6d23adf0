"""Points and labels of a page: specifications in, arrays out."""

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
    """Points X (m, d) at which functions are evaluated; the cache identifies them by ``key``."""

    key: str
    X: Array = field(compare=False)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Labels and their points X (m, d)."""

    labels: tuple[Label, ...]
    X: Array

    @property
    def index(self) -> Array:
        """Rows of the data (m,), -1 for labels off the sample."""
        return np.array([label.index for label in self.labels], dtype=int)

    def positions(self, rows: Array) -> Array:
        """Positions (m,) among ascending rows of the data, then the labels off the sample."""
        off = self.index < 0
        return np.where(off, len(rows) + np.cumsum(off) - 1, np.searchsorted(rows, self.index))

    @property
    def codes(self) -> Array:
        """Class codes (m,)."""
        return np.array([label.code for label in self.labels], dtype=int)

    def candidates(self, n_classes: int) -> Array:
        """Mask (m, n_classes) of the classes that each label allows."""
        allowed = np.zeros((len(self.labels), n_classes), dtype=bool)
        for row, label in zip(allowed, self.labels, strict=True):
            row[list(label.candidates)] = True
        return allowed

    def shares(self, n_classes: int) -> Array:
        """One-hot rows (m, n_classes); several candidates have equal shares."""
        allowed = self.candidates(n_classes)
        return allowed / allowed.sum(axis=1, keepdims=True)

    def targets(self, n_classes: int) -> Array:
        """Targets (m, k): the code of the class, or the mean code of several candidates."""
        codes = estimates.class_codes(np.arange(n_classes), n_classes)
        return self.shares(n_classes) @ codes

    def mask(self, n_samples: int) -> Array:
        """Mask (n_samples,) of the labelled samples."""
        labelled = np.zeros(n_samples, dtype=bool)
        labelled[self.index[self.index >= 0]] = True
        return labelled


def sample(data: DataSpec) -> datasets.Dataset:
    """Data set with its default labels; specifications become points here and nowhere else."""
    if data.scaling is not None:
        return _scaled(data)
    if data.private:
        return STORE.get(data.source).sample(data.n_samples, data.random_state)
    return _loaded(data)


@step
def _scaled(data: DataSpec) -> datasets.Dataset:
    original = sample(data.in_units)
    return replace(original, X=scaled(data, original.X))


def scaled(data: DataSpec, X: Array) -> Array:
    """Scale points (m, d) as the estimate scales the data."""
    return X if data.scaling is None else data.scaling(X)


@step
def _loaded(data: DataSpec) -> datasets.Dataset:
    dataset = datasets.load(
        data.name,
        n_samples=data.n_samples,
        noise=data.noise,
        random_state=data.random_state,
        **data.keywords,
    )
    if data.scales:
        dataset = replace(dataset, X=StandardScaler().fit_transform(dataset.X), image_shape=None)
    return dataset


def labelled(data: DataSpec, labels: LabelSpec) -> Labelled:
    """Labelled points: set by hand, else drawn, else the data set's default ones."""
    dataset, chosen = sample(data), labels.chosen
    if chosen is None:
        drawn = sample(data.in_units)  # a drawing's draw depends on its coordinates
        if labels.per_class is not None:
            drawn = datasets.relabel(drawn, labels.per_class, data.random_state)
        chosen = [Label(int(i), int(drawn.y[i])) for i in np.flatnonzero(drawn.labelled)]
    chosen = tuple(label for label in chosen if label.index < len(dataset.X))
    X = [
        scaled(data, np.array(label.place, dtype=float))
        if label.off_sample
        else dataset.X[label.index]
        for label in chosen
    ]
    return Labelled(chosen, np.array(X, dtype=float) if chosen else dataset.X[:0])


def judged(data: datasets.Dataset, labelled: Array) -> Array:
    """Mask (n,) of the samples that measure accuracy: unlabelled, with a known class."""
    return ~labelled & (data.y >= 0)


def proportions_of_labelled(
    class_prior: tuple[float, ...] | None, y: Array
) -> tuple[float, ...] | None:
    """Proportions of those classes that are in y (n,), which alone an estimator knows."""
    if class_prior is None:
        return None
    return tuple(class_prior[code] for code in np.unique(y[y >= 0]))


def with_label(data: DataSpec, labels: LabelSpec, row: int, code: int) -> tuple[Label, ...]:
    """The labels, with a row labelled as class ``code``."""
    current = labelled(data, labels).labels
    others = tuple(label.lasting() for label in current if label.index != row)
    return (*others, Label(row, code))


def weights(data: DataSpec) -> Array | None:
    """Weights (n,) of the rows; None if all are equal."""
    return sample(data).weights


def weights_at(data: DataSpec, index: Array) -> Array | None:
    """Weights of rows (m,); of points off the sample, whose index is -1, the mean weight."""
    row_weights = weights(data)
    if row_weights is None:
        return None
    return np.where(index >= 0, row_weights[index], row_weights.mean())
