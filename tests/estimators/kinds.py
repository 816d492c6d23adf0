"""All estimators by their parameters, and helpers to create, fit and evaluate them."""

import inspect
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, is_classifier

import lapviz

EVERY = {
    name: cls
    for name in lapviz.__all__
    if inspect.isclass(cls := getattr(lapviz, name)) and issubclass(cls, BaseEstimator)
}
ESTIMATORS = {name: cls for name, cls in EVERY.items() if name != "NeuralEigenfunctions"}  # slow
# The papers' estimator: parameters that are not set do not follow the automatic rules.
plain_classifier = partial(lapviz.LaplacianClassifier, operator="laplacian")


def having(parameter, among=ESTIMATORS):
    """The classes that have a parameter."""
    return [cls for cls in among.values() if parameter in inspect.signature(cls).parameters]


def create(cls, **options):
    """An estimator, with a seed if it takes one."""
    seed = {"random_state": 0} if cls in having("random_state") else {}
    return cls(**seed | options)


def target(model, codes):
    """Classes for a classifier, -1 where unlabelled; else numbers, NaN where unlabelled."""
    return codes if is_classifier(model) else np.where(codes < 0, np.nan, codes.astype(float))


def outputs(model, X):
    """Predictions of a fitted estimator, or the output of a transformer."""
    return model.predict(X) if hasattr(model, "predict") else model.transform(X)
