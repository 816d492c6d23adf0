"""The next point to label, for a fitted classifier."""

from __future__ import annotations

from typing import cast

import numpy as np

from lapviz import estimates
from lapviz.checks import check_points
from lapviz.estimates import EnergyFactor
from lapviz.estimates import queries as active
from lapviz.estimators.laplacian_classifier import LaplacianClassifier
from lapviz.estimators.targets import mark_unlabelled, split_labels


def next_label(
    classifier: LaplacianClassifier, X, y, *, criterion: str = "energy"
) -> active.Ranking:
    """Rank all points by the benefit of labelling them next (SSL21 §5; Karzand and Nowak).

    Parameters
    ----------
    classifier : LaplacianClassifier
        Fitted on X and y, with the Tikhonov filter and the data term on the labelled points: for
        these the scores are exact, without a refit. Labels count equally here, even if it was
        fitted with weights. One on the nodes of a graph is refitted with kernel functions
        and without weights. Leave out rows of weight 0: their labels would change nothing.
    X : array (n, d)
        All points, as in `fit`.
    y : array (n,)
        Classes, -1 where unlabelled, as in `fit`.
    criterion : {"energy", "change"}, default "energy"
        "energy" prefers points where even the likeliest class would cost much energy: between
        different labels, or far from all of them. "change" prefers points whose likeliest class
        would change the estimate most over the data, which finds unlabelled clusters first. With a
        large λ a single label changes little anywhere: use "energy".

    Returns
    -------
    lapviz.active.Ranking
        ``ranking.next`` is the row to label; ``classifier.classes_[ranking.likeliest]`` holds
        the likeliest class of every point.

    Raises
    ------
    ValueError
        If the classifier has other settings, or X and y do not match it.

    Examples
    --------
    >>> from lapviz import LaplacianClassifier, datasets, next_label
    >>> data = datasets.load("four_circles", n_samples=400)
    >>> y = data.semi_supervised_target()
    >>> model = LaplacianClassifier(random_state=0).fit(data.X, y)
    >>> bool(y[next_label(model, data.X, y).next] == -1)
    True
    """
    if not isinstance(classifier, LaplacianClassifier):
        raise ValueError(
            f"next_label takes a fitted LaplacianClassifier, not a {type(classifier).__name__}: of "
            "a pipeline its last step, pipeline[-1], and the points pipeline[:-1].transform(X)."
        )
    name = getattr(classifier.filter, "name", classifier.filter)
    if name != "tikhonov" or classifier.data_term != "labelled":
        raise ValueError(
            "The closed form of the scores needs filter='tikhonov' and data_term='labelled': "
            "fit a LaplacianClassifier with these."
        )
    X = check_points(classifier._points(X))
    y = mark_unlabelled(y)
    if np.shape(y) != (len(X),):
        raise ValueError(f"y must have shape ({len(X)},), got {np.shape(y)}.")
    classes, labelled, codes = split_labels(y)
    if not np.array_equal(classes, classifier.classes_):
        raise ValueError(
            "y has other classes than the classifier: fit it on this X and y first, and give "
            "labels whose weight was 0 as -1."
        )
    if len(classes) < 2:
        raise ValueError("All labels are of one class: label a point of another class first.")
    classifier = classifier._with_kernel_functions(X, y)
    factor = cast(EnergyFactor, classifier.solver_)  # given this filter and data term
    return active.rank_candidates(
        factor.whiten(classifier.space_.phi(X)),
        np.flatnonzero(labelled),
        codes,
        estimates.class_codes(np.arange(len(classes)), len(classes)),
        classifier.lam_,
        criterion=criterion,
        constant=bool(classifier.fit_intercept),
    )
