"""All estimators, by what they take and give, and how each is fitted and asked."""

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
# The papers' estimator: what is not given is not chosen by the automatic rules.
plain_classifier = partial(lapviz.LaplacianClassifier, operator="laplacian")


def having(parameter, among=ESTIMATORS):
    """Those with a parameter, the classes."""
    return [cls for cls in among.values() if parameter in inspect.signature(cls).parameters]


def made(cls, **given):
    """One with a seed, where it takes one."""
    seed = {"random_state": 0} if cls in having("random_state") else {}
    return cls(**seed | given)


def target(model, codes):
    """Classes for a classifier, -1 where there is none; else numbers, and NaN."""
    return codes if is_classifier(model) else np.where(codes < 0, np.nan, codes.astype(float))


def answers(model, X):
    """What a fitted estimator gives at points."""
    return model.predict(X) if hasattr(model, "predict") else model.transform(X)
