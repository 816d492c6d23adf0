"""Scenes of fitted estimators, and their figures in one line of a notebook."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils.validation import check_is_fitted

from lapviz._sklearn import nameless
from lapviz.checks import check_count, check_points
from lapviz.estimates.codes import class_codes, class_scores, decode
from lapviz.estimators.targets import is_unlabelled, mark_unlabelled
from lapviz.figures import planes
from lapviz.labels import Label
from lapviz.markdown import short
from lapviz.scenes import Grid, Panel, Points, Scene

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Array = np.ndarray

MAX_POINTS = 2000  # drawn; of more points, a fixed random subset
MARGIN = 0.06  # around the data, as a share of their extent
FLAT = 0.05  # the shorter side of a view is at least this share of the longer one
LEAST_NODES = 12  # along a side of a grid
ALIKE = 0.99  # share of points at which scores must give the class that is predicted
NODES = 96  # grid nodes along the longer side of a single panel
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def eigenfunctions(
    embedding, X: Array, n: int = 16, *, plane: Array | None = None, theme: str = "auto"
) -> Figure:
    """Draw the first n eigenfunctions of a fitted :class:`~lapviz.GalerkinEmbedding`.

    Parameters
    ----------
    embedding : fitted GalerkinEmbedding
        As in :func:`eigenfunction_scene`.
    X : array (n_samples, n_features)
        The points to draw.
    n : int
        Number of panels.
    plane : array (n_samples, 2), optional
        Where to draw the points.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.
    """
    return planes.scene(eigenfunction_scene(embedding, X, n, plane=plane), theme=theme)


def decision(
    classifier, X: Array, y: Array, *, plane: Array | None = None, theme: str = "auto"
) -> Figure:
    """Draw the decision regions of a fitted classifier, with the labels that it was fitted on.

    Parameters
    ----------
    classifier : fitted classifier
        As in :func:`decision_scene`.
    X : array (n_samples, n_features)
        The points to draw.
    y : array (n_samples,)
        Classes, -1 where unlabelled.
    plane : array (n_samples, 2), optional
        Where to draw the points.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.
    """
    return planes.scene(decision_scene(classifier, X, y, plane=plane), theme=theme)


def eigenfunction_scene(embedding, X: Array, n: int = 16, *, plane: Array | None = None) -> Scene:
    """A panel for each of the first n eigenfunctions.

    Parameters
    ----------
    embedding : fitted GalerkinEmbedding
        Or any estimator with ``eigenvalues_`` and ``transform``.
    X : array (n_samples, n_features)
        The points to draw. With two features the functions are drawn over the plane, otherwise
        only at the points.
    n : int
        Number of panels; at most the number of eigenfunctions.
    plane : array (n_samples, 2), optional
        Where to draw the points; by default X itself, or its first two principal components.

    Returns
    -------
    Scene
        Input of :func:`scene`.

    Raises
    ------
    ValueError
        If the shapes of X, the plane and the fitted data do not agree.
    TypeError
        If the estimator has no eigenfunctions.
    NotFittedError
        If the estimator was not fitted.
    """
    if not hasattr(embedding, "transform"):
        raise TypeError(
            f"{type(embedding).__name__} has no eigenfunctions: fit a GalerkinEmbedding to X."
        )
    check_is_fitted(embedding, "eigenvalues_")
    n = min(check_count("n", n), len(embedding.eigenvalues_))
    picture = Picture(X, plane, NODES if n == 1 else 64 if n <= 4 else 48)
    transform = outputs(nameless(embedding).transform)
    titles = [f"e{str(i).translate(SUBSCRIPTS)}" for i in range(n)]
    subtitles = [f"γ = {short(gamma)}" for gamma in embedding.eigenvalues_[:n]]
    return picture.scene(picture.panels(transform, titles, subtitles), kind="functions")


def decision_scene(classifier, X: Array, y: Array, *, plane: Array | None = None) -> Scene:
    """One panel: the scores of a classifier, the points, and the labelled points as class symbols.

    Parameters
    ----------
    classifier : fitted classifier
        One of lapviz, or any with ``classes_`` and ``decision_function`` or ``predict_proba``.
    X : array (n_samples, n_features)
        As in :func:`eigenfunction_scene`.
    y : array (n_samples,)
        Classes, -1 where unlabelled, as given to ``fit``.
    plane : array (n_samples, 2), optional
        As in :func:`eigenfunction_scene`.

    Returns
    -------
    Scene
        Input of :func:`scene`.

    Raises
    ------
    ValueError
        If the shapes do not agree, or y has a class that the classifier was not fitted on.
    TypeError
        If the estimator is not a classifier with scores.
    NotFittedError
        If the classifier was not fitted.
    """
    scores = scorer(classifier)
    y = np.asarray(mark_unlabelled(y))
    picture = Picture(X, plane, NODES, keep=labelled_rows(y, X))
    labels = labels_of(classifier, y, picture)
    classes = np.asarray(classifier.classes_).tolist()
    scores = as_predicted(classifier, scores, picture.X[picture.drawn])
    panel = picture.panel(scores, title=type(classifier).__name__)
    if len(classes) < 2:
        note = "There is one class only: label points of at least two."
        panel = replace(panel, grid=None, note=note)
    names = tuple(str(c) for c in classes)
    return picture.scene((panel,), kind="classes", classes=names, labels=labels)


def labelled_rows(y: Array, X: Array) -> Array | None:
    """Mask of the labelled rows; None if y is not a class per point."""
    return ~is_unlabelled(y) if y.shape == (len(X),) else None


def labels_of(classifier, y: Array, picture: Picture) -> tuple[Label, ...]:
    """The labels of the labelled rows of y, at their positions."""
    if y.shape != (len(picture.X),):
        raise ValueError(
            f"y must have shape ({len(picture.X)},), one per point; got {y.shape}. "
            "Candidate sets are not drawn: leave y out."
        )
    classes = np.asarray(classifier.classes_).tolist()
    labels = []
    names = y.tolist()
    for row in np.flatnonzero(~is_unlabelled(y)):
        if names[row] not in classes:
            raise ValueError(
                f"y holds {names[row]!r}, which is none of the classifier's classes: give one of "
                "them for each point, -1 where unlabelled, or no y. Candidate sets are not drawn."
            )
        labels.append(Label(int(row), classes.index(names[row])).at(*picture.xy[row]))
    return tuple(labels)


def view_of(xy: Array) -> tuple[float, float, float, float]:
    """Box (x0, x1, y0, y1) around points (n, 2), with a margin; of a single point with side 1."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    span = np.maximum(high - low, FLAT * (high - low).max() or 1.0)
    middle, half_span = 0.5 * (low + high), (0.5 + MARGIN) * span
    (x0, y0), (x1, y1) = (middle - half_span).tolist(), (middle + half_span).tolist()
    return x0, x1, y0, y1


def grid_of(view: tuple[float, float, float, float], longest: int) -> Grid:
    """Grid over the view with nearly square cells and ``longest`` nodes along the longer side."""
    x0, x1, y0, y1 = view
    spacing = max(x1 - x0, y1 - y0) / (longest - 1)
    nx, ny = (max(LEAST_NODES, round(side / spacing) + 1) for side in (x1 - x0, y1 - y0))
    return Grid(np.linspace(x0, x1, nx), np.linspace(y0, y1, ny))


class Picture:
    """Points in a plane, the view around them, and a grid if X itself has two features.

    Two features of very different spans are drawn standardised: in equal units the points would
    lie on a line.

    Of more than ``MAX_POINTS`` points a subset is drawn, rows of the mask ``keep`` first.
    """

    def __init__(self, X: Array, plane: Array | None, nodes: int, keep: Array | None = None):
        self.X = check_points(X)
        n, d = self.X.shape
        planar = plane is None and d == 2
        self.middle, self.unit = np.zeros(d), np.ones(d)
        if plane is not None:
            self.xy, self.axes = check_points(plane, "plane"), ("first", "second")
            if self.xy.shape != (n, 2):
                raise ValueError(f"plane must have shape ({n}, 2), got {self.xy.shape}.")
        elif planar:
            self.xy, self.axes = self.X, ("x₁", "x₂")
            span = np.ptp(self.X, axis=0)
            if 0 < span.min() < FLAT * span.max():
                self.middle, self.unit = self.X.mean(axis=0), self.X.std(axis=0)
                self.xy = (self.X - self.middle) / self.unit
                self.axes = ("x₁ (scaled)", "x₂ (scaled)")
        else:  # padded with zeros if there are fewer than two components
            components = principal_components(self.X, 2)
            self.xy = np.pad(components, ((0, 0), (0, 2 - components.shape[1])))
            self.axes = ("PC 1", "PC 2")
        self.view = view_of(self.xy)
        self.grid = grid_of(self.view, nodes) if planar else None
        self.drawn = np.arange(n)
        if n > MAX_POINTS:
            order = np.random.default_rng(0).permutation(n)
            if keep is not None:
                order = order[np.argsort(~keep[order], kind="stable")]
            self.drawn = np.sort(order[:MAX_POINTS])

    def sites(self) -> Array:
        """Points (n_nodes, 2) in the units of X at the nodes of the grid."""
        assert self.grid is not None
        return self.middle + self.unit * self.grid.sites()

    def panel(self, function, title: str = "", **fields) -> Panel:
        """A panel of all outputs of a function."""
        points, field = np.ascontiguousarray(function(self.X[self.drawn]).T), None
        if self.grid is not None:
            field = np.ascontiguousarray(self.grid.fields(function(self.sites())))
        return Panel(title, points, field, **fields)

    def panels(self, function, titles: list[str], subtitles: list[str]) -> tuple[Panel, ...]:
        """A panel for each of a function's first outputs, with its title and subtitle."""
        whole = self.panel(function)
        points, grid = whole.points, whole.grid
        return tuple(
            Panel(title, points[i : i + 1], None if grid is None else grid[i : i + 1], subtitle)
            for i, (title, subtitle) in enumerate(zip(titles, subtitles, strict=True))
        )

    def scene(self, panels: tuple[Panel, ...], **fields) -> Scene:
        """A scene of these points; one without ``lam`` does not depend on λ and the filter."""
        fields = fields if "lam" in fields else {"hide": ("lam", "filter"), **fields}
        notes = tuple(f"X[{index}]" for index in self.drawn)
        points = Points(xy=self.xy[self.drawn], index=self.drawn, notes=notes)
        common = {"grid": self.grid, "axes": self.axes, "n_samples": len(self.X)}
        return Scene(
            panels=panels, points=points, view=self.view, view_key="figure", **common, **fields
        )


def scorer(classifier):
    """Return the function from points (n, d) to centred scores (n, 1) or (n, K)."""
    if not hasattr(classifier, "fit") or hasattr(classifier, "target_mean_"):
        raise TypeError(f"{type(classifier).__name__} is no classifier: its fit gives no classes.")
    check_is_fitted(classifier)
    if not hasattr(classifier, "classes_"):
        raise TypeError(f"{type(classifier).__name__} is no classifier: it has no classes_.")
    if not hasattr(classifier, "decision_function") and not hasattr(classifier, "predict_proba"):
        raise TypeError(
            f"{type(classifier).__name__} has neither decision_function nor predict_proba: there "
            "is no score to draw."
        )
    classifier = nameless(classifier)

    def scores(points: Array) -> Array:
        if hasattr(classifier, "decision_function"):
            values = np.asarray(classifier.decision_function(points))
            return values.reshape(len(points), -1)
        return class_scores(np.asarray(classifier.predict_proba(points)))

    return scores


def as_predicted(classifier, scores, X: Array):
    """The scores if ``predict`` decides by them at the points X (n, d); else codes of its classes.

    A classifier may have a threshold of its own, or scores of pairs of classes.
    """
    classes, predict = np.asarray(classifier.classes_), nameless(classifier).predict
    n_classes = len(classes)
    shown = scores(X)
    if n_classes < 2:
        return scores
    if shown.shape[1] == (n_classes if n_classes > 2 else 1):
        agree = classes[decode(shown)] == np.asarray(predict(X))
        if agree.mean() >= ALIKE:
            return scores
    return lambda points: class_codes(np.searchsorted(classes, predict(points)), n_classes)


def outputs(function):
    """Wrap a method so that it maps points (n, d) to a dense float array (n, n_outputs)."""

    def values(points: Array) -> Array:
        columns = function(points)
        columns = columns.toarray() if hasattr(columns, "toarray") else columns
        return np.asarray(columns, dtype=float).reshape(len(points), -1)

    return values


def principal_components(X: Array, n_components: int) -> Array:
    """Scores (n, ≤ n_components) of the samples X (n, d) on their leading principal components.

    At most min(n, d) of them. In each direction the largest loading is positive, so that pictures
    do not depend on the machine.
    """
    k = min(n_components, *X.shape)
    if len(X) == 1:
        return np.zeros((1, k))
    # Both solvers are deterministic; for tall X the covariance's eigenproblem is faster
    solver = "covariance_eigh" if len(X) > max(5000, 10 * X.shape[1]) else "full"
    with np.errstate(all="ignore"):  # unused variance ratios are 0/0 for equal samples
        return PCA(k, svd_solver=solver).fit_transform(X)
