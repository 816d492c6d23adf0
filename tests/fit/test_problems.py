"""Problems: what all sets of labels on the same points share."""

import numpy as np

from lapviz import datasets, fit


def test_the_order_of_the_labels_changes_nothing():
    """Class proportions are imposed up to a tolerance, and rounding decides where within it."""
    data, rng = datasets.load("wine"), np.random.default_rng(0)
    index = np.r_[rng.permutation(len(data.X))[:38], -1]
    X = np.vstack([data.X[index[:-1]], data.X[:2].mean(axis=0)])
    labels = fit.Labels(X, np.eye(3)[np.r_[data.y[index[:-1]], 0]], index)
    labelled = np.isin(np.arange(len(data.X)), index)
    estimate = fit.EstimateSpec("auto", balance="auto", n_passes="auto", class_prior=(1, 2, 3))
    space = fit.SpaceSpec(n_landmarks="auto", bandwidth="auto")
    problem = fit.problem(data.X, labelled, space, fit.EnergySpec("auto", "auto"), estimate)
    order = rng.permutation(len(index))
    first, second = problem.solve(labels), problem.solve(labels.reordered(order))
    np.testing.assert_array_equal(problem.scores(data.X, second), problem.scores(data.X, first))
    held_out = second.verdict.held_out
    np.testing.assert_array_equal(order[held_out], first.verdict.held_out)
