"""Inputs that cannot be drawn raise an error with a sentence: one table for all figures."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression

from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, figures, live
from lapviz.charts import Drawing

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.arange(40) % 2
FEW = {"n_landmarks": 20, "random_state": 0}
NEW = LaplacianClassifier()
EMPTY = np.empty(0)


def fitted(model, y=Y):
    return model.fit(X, y)


def classes(y, model=None):
    return lambda: figures.decision(model or fitted(LaplacianClassifier(**FEW)), X, y)


def embedding(**options):
    return lambda: figures.eigenfunctions(fitted(GalerkinEmbedding(**FEW)), X, **options)


CASES = [
    (lambda: figures.spectrum({}), ValueError, "no eigenvalue"),
    (lambda: figures.spectrum({"learnt": []}), ValueError, "no eigenvalue"),
    (lambda: figures.spectrum({"learnt": [np.nan]}), ValueError, "no eigenvalue"),
    (lambda: figures.spectrum({"learnt": np.ones(3)}, theme="sepia"), ValueError, "theme"),
    (lambda: figures.path([1, 2, 3], {}), ValueError, "no curve"),
    (lambda: figures.path([1, 2, 3], {"a": [1, 2]}), ValueError, "2 values for 3 settings"),
    (lambda: figures.agreement({"none": (EMPTY, EMPTY)}), ValueError, "no given value"),
    (lambda: figures.chart([{"n": 1, "e": np.nan}], Drawing("n", "e")), ValueError, "nothing to"),
    (lambda: figures.sphere(np.ones((5, 2)), np.ones(5)), ValueError, r"\(n, 3\)"),
    (lambda: figures.sphere(np.ones((5, 3)), np.ones(4)), ValueError, r"\(5,\)"),
    (lambda: figures.eigenfunctions(GalerkinEmbedding(), X), NotFittedError, ""),
    (embedding(plane=X[1:]), ValueError, "plane"),
    (lambda: figures.eigenfunctions(NEW, X), TypeError, "no eigenfunctions: fit a Galerkin"),
    (classes(Y, NEW), NotFittedError, ""),
    (classes(Y[1:]), ValueError, "one per point"),
    (classes(np.full(40, 7)), ValueError, "none of the classifier's classes"),
    (classes(Y, fitted(LaplacianRegressor(n_landmarks=20), X[:, 0])), TypeError, "no classifier"),
    (lambda: live(NEW, X, Y), NotFittedError, "not fitted yet"),
    (lambda: live(7, X, Y), TypeError, "no estimator"),
    (lambda: live(fitted(DBSCAN()), X, Y), TypeError, "cannot be shown"),
    (lambda: live(fitted(LogisticRegression()), X, Y[:5]), ValueError, "must have shape"),
    (lambda: live(fitted(LogisticRegression()), X[:, :1], Y), ValueError, "feature"),
    (lambda: live(fitted(LinearRegression()), X, Y[:5]), ValueError, "must have shape"),
    (lambda: live(fitted(LinearRegression()), X * np.nan, Y), ValueError, "finite|NaN"),
]


@pytest.mark.parametrize(("draw", "error", "message"), CASES)
def test_inputs_that_cannot_be_drawn_raise_an_error(draw, error, message):
    with pytest.raises(error, match=message):
        draw()
