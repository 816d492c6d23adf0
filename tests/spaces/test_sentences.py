"""What cannot work gets a sentence: one table for trial spaces, landmarks and widths."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.spaces import FunctionSpace, KernelSpace, NetworkSpace, auto_bandwidth, landmarks
from lapviz.spaces.fourier import fourier_space

X = np.random.default_rng(0).normal(size=(30, 2))
GAUSSIAN, FAR, NAN = kernels.get("gaussian", 1.0), np.zeros((4, 3)), np.array([[np.nan, 1.0]])
SPACE, SQUARES = KernelSpace(GAUSSIAN, X[:7]), FunctionSpace(np.square, lambda X: X, 2)
NETWORK = NetworkSpace(((np.eye(2), np.zeros(2)),), np.zeros(2), 1.0, X)
OTHER = "X has 3 features, but the trial space was built on"
CASES = [
    *((lambda ask=ask: ask(FAR), OTHER)
      for ask in (SPACE.phi, SPACE.gradient, SQUARES.phi, NETWORK.phi, NETWORK.gradient)),
    (lambda: SPACE.evaluate(FAR, np.ones(8)), OTHER),
    (lambda: KernelSpace(GAUSSIAN, np.zeros(3)), "landmarks must have shape"),
    (lambda: SQUARES.gradient(X), r"gradients\(X\) must have shape \(30, 2, 2\), got \(30, 2"),
    (lambda: fourier_space(kernels.get("polynomial", 1.0), 10, np.zeros(2)),
     "'polynomial' has no known law of frequencies"),
    (lambda: fourier_space(GAUSSIAN, 0, np.zeros(2)), "n_functions must be an integer"),
    (lambda: landmarks.choose(X, 5, "grid"), "landmarks must be one of 'stratified'"),
    (lambda: landmarks.choose(X, 5, "leverage"), "asks the kernel which samples it needs"),
    *((lambda p=p: landmarks.choose(X, p, "uniform"), "n_landmarks must be an integer")
      for p in (0, -1, 2.5, True)),
    (lambda: landmarks.choose(NAN, 1, "uniform"), "NaN or infinite"),
    (lambda: auto_bandwidth(NAN), "NaN"),
    (lambda: auto_bandwidth(X, "cubic"), "Unknown kernel"),
    (lambda: auto_bandwidth(X, "gaussian", 0), "n_landmarks"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
