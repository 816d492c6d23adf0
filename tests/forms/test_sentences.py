"""What cannot be summed gets a sentence: one table for forms and their accumulators."""

from types import SimpleNamespace

import numpy as np
import pytest

from lapviz import forms, kernels, operators
from lapviz.spaces import KernelSpace

N = 57
X = np.random.default_rng(0).normal(size=(N, 2))
SPACE, LABELS = KernelSpace(kernels.get("gaussian", 1.0), X[:9]), np.arange(N) < 9
PLAIN, ALONG = forms.accumulator(SPACE), forms.accumulator(SPACE, "directions")
WEIGHTS = [
    (-np.eye(1, N)[0], "negative"),
    (np.full(N, np.nan), "NaN"),
    (np.full(N, np.inf), "infinite"),
    (np.ones(N - 1), "shape"),
    (np.ones((N, 1)), "shape"),
    (2.0, "shape"),
    (["many"] * N, "numbers"),
    (np.full(N, 1e308), "overflows"),
]


def assembled(*arguments, **options):
    return lambda: operators.assemble(SPACE, *arguments, **options)


CASES = [
    *((lambda w=w: PLAIN.update(X, weights=w), words) for w, words in WEIGHTS),
    *((assembled(X, sample_weight=w), words) for w, words in WEIGHTS),
    (assembled(X, sample_weight=np.zeros(N)), "All weights"),
    (lambda: forms.accumulator(SPACE).update(X, weights=np.zeros(N)).forms(), "of positive weight"),
    (lambda: forms.accumulator(SPACE).update(X, None, np.ones(N), LABELS, 1.0 - LABELS).forms(),
     "No sample is labelled"),
    (lambda: PLAIN.forms(), "No row was added"),
    (lambda: PLAIN.update(X, np.ones((N, 1, 2))), "takes no directions"),
    (lambda: ALONG.update(X), "needs directions"),
    (lambda: ALONG.update(X, np.ones((N, 1, 3))), rf"must have shape \({N}, q, 2\)"),
    (lambda: PLAIN.merge(ALONG), "same trial space"),
    (lambda: forms.accumulator(SPACE, "tangents"), "energy must be one of"),
    (lambda: forms.assemble(SPACE, X, "tangent"), r"lapviz\.operators\.assemble"),
    (assembled(X, y=np.ones(3)), "one entry for each row of X"),
    (assembled(X, y=np.ones(N), labelled=np.zeros(N, bool)), "No sample is labelled"),
    (assembled(np.zeros((4, 3))), "X has 3 features"),
    (assembled(np.array([[np.nan, 0.0]])), "NaN or infinite"),
    (assembled(X, SimpleNamespace(directions=lambda X: np.zeros((N, 1, 3)))),
     rf"must have shape \({N}, q, 2\), got \({N}, 1, 3\)"),
    (assembled(X, SimpleNamespace(stiffness=lambda *_: np.ones(10))),
     r"stiffness must have shape \(10, 10\), got \(10,\)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
