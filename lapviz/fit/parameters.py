"""Every parameter of a fit, described once: name, symbol, range, default and help text.

Specifications take their defaults from here, estimators their validation, and the explorer its
controls, URL keys and help texts.
"""

from __future__ import annotations

from lapviz import graphs, kernels, operators
from lapviz.contract import CONTRACT
from lapviz.estimates import data_terms, filters
from lapviz.parameters import Parameter
from lapviz.spaces import landmarks

_NEITHER = "neither"
_LAM = CONTRACT["knobs"]["lam"]  # shared with saved pages, which run without Python


KERNEL = Parameter(
    "kernel", "Kernel",
    "Shape of the test functions k(·, c). The Gaussian is smoothest; the exponential follows finer "
    "detail.",
    "gaussian", kind="choice", names=kernels.REGISTRY.keys, more=(kernels.Kernel,),
)  # fmt: skip
BANDWIDTH = Parameter(
    "bandwidth", "Reach σ",
    "More lets one test function reach further, in the units of the data: the kernel's width. Too "
    "little and nothing is shared between points; too much and all detail is lost.",
    "auto", "σ", low=0, closed=_NEITHER, auto=True,
)  # fmt: skip
KERNEL_PARAMS = Parameter(
    "kernel_params", "Shape of the kernel",
    "Further parameters of the kernel's class by name, the degree of a polynomial for example.",
    None, kind="options",
)  # fmt: skip
DEGREE = kernels.parameters("polynomial")[0]
N_LANDMARKS = Parameter(
    "n_landmarks", "Detail p",
    "More resolves more detail and costs p² memory: how many kernel functions span the trial space "
    "(at most one per sample).",
    "auto", "p", kind="integer", low=1, auto=True,
)  # fmt: skip
LANDMARKS = Parameter(
    "landmarks", "Landmarks",
    "How the centres of the test functions are picked among the samples: one from each cell of a "
    "tree (stratified, no gaps), uniformly at random, far apart (k-means++), or by leverage "
    "scores. Random waves have no centres.",
    "stratified", kind="choice",
    names=landmarks.RULES.new_child({"fourier": None}).keys, more=("array-like",),
)  # fmt: skip
RANDOM_STATE = Parameter(
    "random_state", "Seed",
    "Everything random follows this number: data, labels and landmarks.",
    None, kind="seed",
)  # fmt: skip
OPERATOR = Parameter(
    "operator", "Gradient",
    "Which derivatives the energy counts. The ambient gradient also punishes change across a noisy "
    "curve; tangents, learnt from the data by local PCA or known as on a sphere, do not.",
    "laplacian", kind="choice", names=operators.names,
)  # fmt: skip
MU = Parameter(
    "mu", "Stability μ",
    "More keeps the functions calmer where there is no data: the weight of the squared RKHS norm "
    "beside the energy.",
    "auto", "μ", low=0, auto=True, words=("floor",),
)  # fmt: skip
LAM = Parameter(
    "lam", _LAM["label"], _LAM["help"],
    1.0, _LAM["symbol"], low=0,
)  # fmt: skip
FILTER = Parameter(
    "filter", "Filter", "How frequencies γ are damped by λ.",
    "tikhonov", "h", kind="choice", names=filters.REGISTRY.keys, more=(filters.Filter,),
)  # fmt: skip
DATA_TERM = Parameter(
    "data_term", "Data term",
    "Where the squared error is measured: on the labelled points (the papers' figures) or over all "
    "samples, in frequency form; or nowhere, with labels as sources (Poisson).",
    "labelled", kind="choice", names=data_terms.TERMS.keys,
)  # fmt: skip
FIT_INTERCEPT = Parameter(
    "fit_intercept", "Unpenalised constant",
    "Put the constant into the trial space of the estimate. Natural, but with few labels it can "
    "flip whole clusters: try it on the four circles.",
    False, kind="flag",
)  # fmt: skip
BALANCE = Parameter(
    "balance", "Class balance",
    "Match the class proportions over the sample to those of the labels: multiply each class's "
    "share, or shift its score.",
    None, kind="choice", names=lambda: ("scale", "shift"), more=(None,),
)  # fmt: skip
N_PASSES = Parameter(
    "n_passes", "Passes",
    "How often every point is assigned its class and the estimate is computed again from these "
    "classes and the labels: boundaries move to where little of the data is.",
    0, kind="integer", low=0,
)  # fmt: skip
CLASS_PRIOR = Parameter(
    "class_prior", "Class proportions",
    "Numbers in the order of the classes, such as 3, 1, 2, if you know how often each occurs. "
    "Passes and class balance then match them; otherwise proportions are estimated.",
    None, kind="array",
)  # fmt: skip
LINEAR = Parameter(
    "linear", "Linear part",
    "With an energy chosen from the data, and passes: combine the estimate with a logistic "
    "regression, as far as held-out labels support it. With one label of each class this has no "
    "effect.",
    True, kind="flag",
)  # fmt: skip
SCALING = Parameter(
    "scaling", "Scaling of columns",
    "Whether columns are standardised first. From the data: they are if everything else is chosen "
    "automatically, and half of the columns are narrower than a twentieth of the widest; in a "
    "regression also if the values are likelier then.",
    "auto", kind="choice", names=lambda: ("standard",), more=(None,), auto=True,
)  # fmt: skip
METHOD = Parameter(
    "method", "Graph method",
    "Harmonic functions clamp the labels; spreading softens them.",
    "harmonic", kind="choice", names=lambda: ("harmonic", "spreading"),
)  # fmt: skip
GRAPH = Parameter(
    "graph", "Graph",
    "Weights of the graph Laplacian: nearest neighbours with self-tuning widths, or all pairs with "
    "a Gaussian of width σ.",
    "knn", kind="choice", names=lambda: ("knn", "dense"),
)  # fmt: skip
N_NEIGHBORS = Parameter(
    "n_neighbors", "Graph neighbours", "Neighbours of each node in the k-NN graph.",
    10, "k", kind="integer", low=1,
)  # fmt: skip
WEIGHTS = Parameter(
    "weights", "Graph weights",
    "Weights of the k-NN graph: exp(−4r²/r_k²), the same times the share of common neighbours, "
    "exp(−r²/2σ²) or 1.",
    "self-tuning", kind="choice", names=lambda: graphs.WEIGHTS,
)  # fmt: skip
ALPHA = Parameter(
    "alpha", "Spreading α",
    "Share that a node takes from its neighbours; the rest from its own label.",
    0.99, "α", low=0, high=1, closed=_NEITHER,
)  # fmt: skip
