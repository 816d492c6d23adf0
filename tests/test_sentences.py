"""Error messages for invalid input: one table for all modules below the estimators."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import bilinear, forms, graphs, kernels, metrics, operators
from lapviz.estimates import (
    conjugate_gradient,
    disentangling,
    exact,
    factorise,
    filters,
    hermite,
    kernel_filters,
    labelled_estimate,
    leave_one_out,
    partial,
    passes,
    queries,
    stopping,
)
from lapviz.graphs.eigenmaps import diffusion_maps
from lapviz.operators import Graph, ImageMoves, Sum
from lapviz.operators.invariances import (
    AugmentationDifferences,
    RandomDirections,
    UniformDirections,
)
from lapviz.operators.tangents import learn_tangents
from lapviz.spaces import (
    FunctionSpace,
    KernelSpace,
    NetworkSpace,
    RepresenterSpace,
    auto_bandwidth,
    landmarks,
)
from lapviz.spaces.fourier import fourier_space
from lapviz.spectra import spectrum

N = 20
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(N, 2)), RNG.normal(size=(N, 2))
FAR, NAN, LABELLED = np.zeros((4, 3)), np.array([[np.nan, 1.0]]), np.arange(N) < 6


def changed(values, index, value):
    """A copy with another value at an index."""
    values = values.copy()
    values[index] = value
    return values


class Box(kernels.DistanceKernel):
    name = "box"


def registering(profile, base=kernels.DistanceKernel, **members):
    members |= {"profile": profile, "name": "mine"}
    return lambda: kernels.register(dataclass(frozen=True)(type("Mine", (base,), members)))


def early(self, r2, q, t):
    q[...] = np.exp(-r2)
    if t is not None:
        t[...] = -r2 * q


def without_slopes(self, r2, q, t):
    q[...] = np.exp(-r2)


def decaying(sign=-1.0):
    def profile(self, r2, q, t):
        values = np.exp(-r2)
        if t is not None:
            t[...] = sign * 2 * values
        q[...] = values

    return profile


def with_slopes_always(self, r2, q, t):
    t[...] = -2 * np.exp(-r2)
    q[...] = np.exp(-r2)


GAUSSIAN, BANDWIDTH = kernels.get("gaussian", 0.8), "bandwidth must be a positive finite"
KERNELS = [
    (lambda: kernels.get("gaussian", 0), BANDWIDTH),
    (lambda: kernels.get("polynomial", "wide"), BANDWIDTH),
    *((lambda degree=degree: kernels.Polynomial(1.0, degree), "degree must be a whole number of at")
      for degree in (0, 2.5, True)),
    (lambda: kernels.get("gauss", 1.0), r"'gauss'.*gaussian, exponential"),
    (lambda: kernels.get("exponential").curvature(np.zeros((1, 1))),
     r"no second derivative .* use matern32"),
    (lambda: kernels.get("gaussian", 1.0, alpha=2), "no parameter 'alpha'; it has only"),
    (lambda: kernels.register(Box), r"Box needs a method profile\(self, value, q, t\)"),
    (registering(lambda self, r2, q, t: np.exp(-r2)),
     r"must write numbers into the array q .*: q\[\.\.\.\] = …"),
    (registering(without_slopes), "must write numbers into the array t"),
    (registering(early), "must read its first argument before it writes q"),
    (registering(with_slopes_always), "fails where t is None.* “if t is not None”"),
    (registering(decaying(1.0)),
     r"must write q′\(r\)/r into t, .*: at r2 = 0.45 it writes 1\.27\d+, and .* give -1\.27\d+"),
    (registering(decaying(), browser="exp(-2 * r2)"), "browser of Mine must give what Python comp"),
    (registering(decaying(), scale=3.0, __annotations__={"scale": float}),
     "field 'scale' of Mine hides an attribute that every kernel has"),
    (registering(decaying(), rough="no", __annotations__={"rough": str}),
     "field 'rough' of Mine must be a number"),
    (registering(decaying(), title="Mine", __annotations__={"title": str}),
     "hides an attribute .* or leave its annotation out"),
    (lambda: Box().curvature(np.zeros((1, 1))), "'box' states no second derivatives: write its cu"),
]  # fmt: skip

SPACE = KernelSpace(GAUSSIAN, X[:8], False)
REPRESENTER, SQUARES = RepresenterSpace(GAUSSIAN, X), FunctionSpace(np.square, lambda X: X, 2)
NETWORK = NetworkSpace(((np.eye(2), np.zeros(2)),), np.zeros(2), 1.0, X)
OTHER = "X has 3 features, but the trial space was built on"
SPACES = [
    *((lambda ask=ask: ask(FAR), OTHER)
      for ask in (SPACE.phi, SPACE.gradient, SQUARES.phi, NETWORK.phi, NETWORK.gradient)),
    (lambda: SPACE.evaluate(FAR, np.ones(8)), OTHER),
    (lambda: REPRESENTER.phi(FAR), "X has 3 features"),
    (lambda: KernelSpace(GAUSSIAN, np.zeros(3)), "landmarks must have shape"),
    (lambda: RepresenterSpace(kernels.get("exponential", 1.0), X), "no second derivative"),
    (lambda: SQUARES.gradient(X), r"gradients\(X\) must have shape \(20, 2, 2\), got \(20, 2"),
    (lambda: fourier_space(kernels.get("polynomial", 1.0), 10, np.zeros(2)),
     "'polynomial' has no known distribution of frequencies"),
    (lambda: fourier_space(GAUSSIAN, 0, np.zeros(2)), "n_functions must be an integer"),
    (lambda: landmarks.choose(X, 5, "grid"), "landmarks must be one of 'stratified'"),
    (lambda: landmarks.choose(X, 5, "leverage"), "'leverage' needs the kernel: pass kernel="),
    (lambda: landmarks.choose(X, 2.5, "uniform"), "n_landmarks must be an integer"),
    (lambda: landmarks.choose(NAN, 1, "uniform"), "NaN or infinite"),
    (lambda: auto_bandwidth(NAN), "NaN"),
    (lambda: auto_bandwidth(X, "cubic"), "Unknown kernel"),
    (lambda: auto_bandwidth(X, "gaussian", 0), "n_landmarks"),
]  # fmt: skip

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


FORMS = [
    *((lambda w=w: PLAIN.update(X, weights=w), words) for w, words in WEIGHTS),
    *((assembled(X, sample_weight=w), words) for w, words in WEIGHTS),
    (assembled(X, sample_weight=np.zeros(N)), "All weights"),
    (lambda: forms.accumulator(SPACE).update(X, weights=np.zeros(N)).forms(), "of positive weight"),
    (lambda: forms.accumulator(SPACE).update(X, None, np.ones(N), LABELLED, 1.0 - LABELLED).forms(),
     "No sample is labelled"),
    (lambda: PLAIN.forms(), "No row of positive weight was added"),
    (lambda: PLAIN.update(X, np.ones((N, 1, 2))), "takes no directions"),
    (lambda: ALONG.update(X), "needs directions"),
    (lambda: ALONG.update(X, np.ones((N, 1, 3))), r"must have shape \(20, q, 2\)"),
    (lambda: PLAIN.merge(ALONG), "same trial space"),
    (lambda: forms.accumulator(SPACE, "tangents"), "energy must be one of"),
    (lambda: forms.assemble(SPACE, X, "tangent"), r"lapviz\.operators\.assemble"),
    (assembled(X, SimpleNamespace(directions=lambda X: [[[1.0, 0.0]]] * N)),
     r"NumPy array of shape \(n, q, d\), or None .*; got a list\.$"),
    (lambda: operators.register(Sum), r"Sum cannot be used by name.*'parts'.*operator=Sum\("),
    (assembled(X, y=np.ones(3)), "one entry for each row of X"),
    (assembled(X, y=np.ones(N), labelled=np.zeros(N, bool)), "No sample is labelled"),
    (assembled(FAR), "X has 3 features"),
    (assembled(NAN), "NaN or infinite"),
    (assembled(X, SimpleNamespace(directions=lambda X: np.zeros((N, 1, 3)))),
     r"must have shape \(20, q, 2\), got \(20, 1, 3\)"),
    (assembled(X, SimpleNamespace(stiffness=lambda *_: np.ones(8))),
     r"stiffness must have shape \(8, 8\), got \(8,\)"),
    (assembled(X, SimpleNamespace(stiffness=lambda space, X: space.gram), sample_weight=X[:, 0]**2),
     "takes no sample_weight"),
]  # fmt: skip

FRAMES = np.ones((4, 2, 2))


def at_four(operator):
    return lambda: operators.get(operator).directions(np.zeros((4, 2)))


def copies(change):
    return lambda: AugmentationDifferences(lambda X, rng: change(X)).stiffness(SPACE, X)


OPERATORS = [
    *((at_four(bad), "must be a name or have a method directions") for bad in (None, np.eye(2))),
    (at_four("nabla"), r"'nabla'.*laplacian, tangent"),
    (at_four(operators.Tangent), "is the class Tangent"),
    (at_four(operators.WeightedLaplacian(lambda X: -FRAMES @ FRAMES)), "positive semi-definite"),
    (at_four(operators.WeightedLaplacian(lambda X: np.eye(2))), r"\(4, 2, 2\), got \(2, 2\)"),
    (at_four(operators.GivenDirections(FRAMES[:3])), "give directions for exactly these samples"),
    (at_four(operators.GivenDirections(FRAMES[:, 0])), "must have shape"),
    (lambda: operators.TorusTangent().directions(np.zeros((2, 3))), "number of coordinates, got 3"),
    (lambda: Graph(n_neighbors=0), "n_neighbors"),
    (lambda: Graph(weights="cosine"), "weights"),
    (lambda: Graph(graph="sparse"), "graph"),
    (lambda: Graph(kind="random-walk"), "kind"),
    (lambda: Graph(bandwidth=-1.0), "bandwidth"),
    (lambda: Graph(dimension=0), "dimension"),
    (lambda: Sum(("graph",), (1.0, 2.0)), "one weight for each part"),
    (lambda: Sum(("graph",), (-1.0,)), "at least 0"),
    (lambda: ImageMoves(0.0, 0.0), "set one above 0"),
    (lambda: ImageMoves(-1.0), "shift"),
    (lambda: ImageMoves()(np.ones((2, 3)), RNG), "have 64 features; X has 3"),
    (lambda: RandomDirections(lambda X, rng: X).directions(X), r"shape \(20, q, 2\), got \(20"),
    (lambda: UniformDirections(0), "n_draws must be an integer of at least 1"),
    (lambda: AugmentationDifferences(X.copy, 0), "n_pairs must be an integer of at least 1"),
    (copies(lambda X: X[:3]), r"augment\(X, rng\) must have shape \(20, 2\), got \(3, 2"),
    (copies(lambda X: X * np.nan), r"augment\(X, rng\) holds NaN"),
    (lambda: learn_tangents(X, n_directions=3), "at most the 2 features"),
    (lambda: learn_tangents(X, n_directions=0), "n_directions must be an integer"),
    (lambda: learn_tangents(X, n_neighbors=0), "n_neighbors must be an integer"),
    (lambda: learn_tangents(X, n_neighbors="many"), 'n_neighbors must be "auto"'),
    (lambda: learn_tangents(X, max_references=0), "max_references"),
]

FORM, FIRST = operators.assemble(SPACE, X), bilinear.Derivative(0)
NOTHING = forms.Forms(np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3), 5)
TINY = KernelSpace(kernels.get("gaussian", 1e-9), np.full((3, 2), 9.0), constant=False)


def svd(H, right=SPACE, X=X, **options):
    return lambda: bilinear.galerkin_svd(H, SPACE, right, X, **options)


SPECTRA = [
    (lambda: spectrum(FORM, -1.0), "mu must be a finite number of at least 0"),
    (lambda: spectrum(FORM, n_modes=0), "n_modes must be an integer of at least 1"),
    (lambda: spectrum(NOTHING), r"trial space vanishes.*larger bandwidth"),
    (lambda: spectrum(FORM, solver="qz"), "one of 'auto', 'dense', 'lanczos', got 'qz'"),
    (svd(3.0), "H must be a form"),
    (svd(lambda f, g, X: np.eye(5)), r"must have shape \(8, 8\), got \(5, 5\)"),
    (svd(bilinear.Derivative(2)), "field must be a coordinate from 0 to 1"),
    (svd(bilinear.Derivative(lambda X: X[:, 0])), r"field\(X\).*\(20, 2\), got \(20,\)"),
    (svd(bilinear.WeightedGradients(lambda X: X)), r"weight\(X\).* shape \(20, 2, 2\)"),
    (svd(FIRST, which="middle"), "which must be one of"),
    (svd(FIRST, n_components=0), "n_components must be an integer"),
    (svd(FIRST, X=FAR), "X has 3 features"),
    (svd(FIRST, TINY), "vanishes on the data"),
]

PATH = sp.diags([np.ones(4), np.ones(4)], [-1, 1], format="csr")
GRAPHS = [
    (lambda: graphs.dense_weights(X, 0.0), "bandwidth"),
    (lambda: graphs.knn_weights(X, weights="gaussian"), "bandwidth"),
    (lambda: graphs.knn_weights(X, 0), "n_neighbors"),
    (lambda: graphs.knn_weights(X, weights="cosine"), "cosine"),
    (lambda: graphs.knn_weights(X, symmetry="min"), "symmetry"),
    (lambda: graphs.search(X, 5, "fast"), "method"),
    (lambda: graphs.search(X, 0), "k must"),
    (lambda: graphs.laplacian(PATH, "signed"), "kind"),
    (lambda: graphs.graph_spectrum(PATH, 0), "k must"),
    (lambda: graphs.harmonic(PATH, [], np.empty((0, 1))), "No node"),
    (lambda: graphs.harmonic(PATH, [0, 1], np.ones(3)), "3 values"),
    (lambda: graphs.harmonic(PATH, [1, 1], np.ones(2)), "2 values for 1"),
    (lambda: graphs.spreading(PATH, [0], np.ones(1), alpha=1.0), "alpha"),
    (lambda: graphs.bridged(PATH, X[:5], np.zeros(5, bool)), "No node is labelled"),
    (lambda: graphs.extend_knn(X, np.ones(N), X[:, :1]), "1 columns, and X 2"),
    (lambda: graphs.extend_knn(X, np.ones(N - 1), X), "19 values for 20 nodes"),
    (lambda: graphs.extend_dense(X, np.ones(N), NAN, 1.0), "X_new holds NaN"),
    (lambda: graphs.dense_weights(NAN, 1.0), "X holds NaN"),
    (lambda: graphs.harmonic(PATH, np.ones(4, bool), np.ones(4)), r"\(4,\) for 5 nodes"),
    (lambda: graphs.harmonic(PATH, [0, 1], [0.0, np.nan]), "hold NaN"),
    (lambda: graphs.harmonic(-PATH, [0, 1], [0.0, 1.0]), "weights, finite and at least 0"),
    (lambda: graphs.match_functions(X, X[:5]), "same samples"),
    (lambda: graphs.match_functions(X, X * np.nan), "must be finite"),
    (lambda: graphs.match_functions(X, X, np.ones(3)), r"gamma must have shape \(2,\)"),
    (lambda: graphs.match_functions(X, X, other_gamma=np.ones(3)), r"other_gamma must .*\(2,\)"),
    (lambda: graphs.match_scale(np.zeros(3), np.ones(3)), "many components"),
    (lambda: diffusion_maps(X, alpha=2), "alpha must be a number from 0 to 1"),
    (lambda: diffusion_maps(X, 0), "n_components"),
]

FACTOR, PHI = factorise(FORM, 1e-2, False), SPACE.phi(X)
K, RESPONSE = SPACE.kernel(X, X), Y[:, 0]
STEPS = conjugate_gradient.krylov_path(K, RESPONSE, 3)
SLOPES = RNG.normal(size=(N, 2, 2))
HERMITE = hermite.assemble(SPACE, X, Y, SLOPES)
TWO, THREE = np.array([[-1.0], [1.0]]), np.eye(3) - 1 / 3
SETS = RNG.permuted(np.tile([True, True, False], (N, 1)), axis=1)


def rank(**changes):
    arguments = {"rows": [1], "classes": [0], "lam": 0.1} | changes
    return lambda: queries.rank_candidates(FACTOR.whiten(PHI), codes=TWO, **arguments)


def exact_estimate(y=Y[:6], labelled=LABELLED, lam=0.1, mu=1e-2, **options):
    return lambda: exact.exact_estimate(REPRESENTER, y, labelled, lam, mu, **options)


def candidates(sets):
    return lambda: partial.candidate_matrix(sets, 3)


def filtered(method="ridge", parameters=(1.0,), K=K, y=RESPONSE):
    return lambda: kernel_filters.kernel_filters(K, y, method, parameters)


def path(K=K, y=RESPONSE, m=3, **options):
    return lambda: conjugate_gradient.krylov_path(K, y, m, **options)


def with_the_constant():
    space = KernelSpace(GAUSSIAN, X[:8])
    return passes.whitened(factorise(operators.assemble(space, X), 0.1, True), space, X)


ESTIMATES = [
    (lambda: factorise(FORM, -1.0, False), "mu must be a finite number of at least 0"),
    (lambda: labelled_estimate(FACTOR, PHI, Y, np.nan), "lam must be a finite number of at least"),
    (lambda: type("Short", (filters.Filter,), {"h": lambda self, gamma, lam: gamma}),
     r"h of Short must take the arguments of h\(self, gamma, lam, gamma1\)"),
    (lambda: filters.get("lowpass"), "Unknown filter 'lowpass'.*tikhonov, cutoff"),
    (lambda: filters.get("heat")(np.ones(2), -1.0), "lam must be a finite number of at least"),
    (with_the_constant, "without the constant"),
    # the full RKHS
    (exact_estimate(mu=0.0), "mu must be above 0"),
    (exact_estimate(lam=-1.0), "lam must be a finite number"),
    (exact_estimate(solver="inverse"), "solver must be one of 'direct', 'block'"),
    (exact_estimate(labelled=np.zeros(N, bool)), "No sample is labelled"),
    (exact_estimate(labelled=LABELLED[:3]), r"labelled must have shape \(20,\)"),
    (exact_estimate(y=Y[:3]), "one row for each of the 6 labelled points, got 3"),
    # gradients
    (lambda: hermite.assemble(SPACE, X, Y, np.zeros((N, 3))),
     r"gradients must have shape \(20, 2, 2\), got \(20, 3\)"),
    (lambda: hermite.check_gradients(np.zeros((19, 2)), (N, 2), 1),
     r"gradients must have shape \(20, 2\), got \(19, 2\)"),
    (lambda: hermite.assemble(SPACE, X, Y, changed(SLOPES, (7, 1, 0), np.nan)),
     "Row 7 of gradients is partly NaN"),
    (lambda: hermite.assemble(SPACE, X, Y, SLOPES * np.inf), "gradients holds infinite values"),
    (lambda: hermite.assemble(SPACE, X, Y * np.nan), "Neither a value nor a slope"),
    (lambda: hermite.assemble(SPACE, X, Y[:4]), "one entry for each row of X"),
    (lambda: hermite.hermite_estimate(HERMITE, -1.0), "weight must be a finite number"),
    (lambda: hermite.hermite_estimate(HERMITE, 1.0, np.nan), "ridge must be a finite number"),
    (lambda: hermite.hermite_estimate(HERMITE, 1.0, 0.0, "l2"), "ridge_norm must be one of"),
    # conjugate gradients, stopping rules, and other filters of a kernel matrix
    (path(K[:5]), r"K must have shape \(20, 20\)"),
    (path(y=Y), "y must have shape"),
    (path(y=RESPONSE * np.nan), "NaN"),
    (path(K * np.inf), "K holds NaN or infinite"),
    (path(-K), "not positive semi-definite"),
    (path(m=-1), "n_iterations"),
    (path(norm="other"), "norm must be one of"),
    (lambda: conjugate_gradient.semi_supervised_response(RESPONSE, np.zeros(N)), "No sample is"),
    (lambda: stopping.stop_by_discrepancy(STEPS, 1.0, 1.0, risk=1.5), "probability"),
    (lambda: stopping.stop_by_discrepancy(STEPS, 1.0, 1.0, tau=0.0), "tau must be positive"),
    (lambda: stopping.stop_by_discrepancy(STEPS, 1.0, -1.0), "bound"),
    (lambda: stopping.stop_by_discrepancy(STEPS, 1.0, 1.0, step_back="yes"), "step_back"),
    (lambda: stopping.stop_by_threshold(STEPS, 1.0, 1.0, r=0.0, s=0.0), "cannot both be 0"),
    (filtered("lasso"), "method must be one of"),
    (filtered(y=RESPONSE[:5]), "y must have shape"),
    (filtered(K=K[:5]), "square kernel matrix"),
    (filtered(K=-K), "semi-definite"),
    (filtered(K=np.triu(K)), "symmetric"),
    (filtered(parameters=[0.0]), "λ must be positive"),
    (filtered("cg", [1.5]), "must be integers of at least 0"),
    (filtered("pcr", []), "list of finite numbers"),
    (filtered("pcr", [1], y=RESPONSE * np.nan), "NaN"),
    (lambda: kernel_filters.effective_dimension(K, [-1.0]), "λ must be positive"),
    *((lambda kappa=kappa: kernel_filters.source_condition(K, RESPONSE, kappa), "kappa must be")
      for kappa in (0.0, -1.0)),
    *((lambda kappa=kappa: kernel_filters.intrinsic_dimension(K, kappa), "kappa must be")
      for kappa in (0.0, -1.0)),
    (lambda: disentangling.disentangle(SPACE, X, method="ica"), "method must be one of"),
    # held-out labels
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI, Y[:3], [1.0]), "one row for each of the 20"),
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI[:1], Y[:1], [1.0]), "Only one point"),
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI, Y, [-1.0]), "lam must be"),
    (lambda: leave_one_out.label_folds(3, 5), "only 3 points are labelled"),
    (lambda: leave_one_out.label_folds(3, 1), "n_splits must be"),
    # the next label
    (rank(rows=range(N), classes=np.zeros(N)), "Every point is labelled"),
    (rank(rows=[], classes=[], constant=True), "Label at least one point first"),
    (rank(rows=[1, 1], classes=[0, 1]), "a point twice"),
    (rank(rows=[N], classes=[0]), "between 0 and 19"),
    (rank(rows=[1], classes=[2]), "codes from 0 to 1"),
    (rank(rows=[1, 2], classes=[0]), "the same length"),
    (rank(lam=-1.0), "lam must be"),
    (rank(criterion="best"), "criterion must be one of 'energy', 'change'"),
    # candidate classes
    (candidates(np.array([[1, 0], [0, 0], [0, 0]], bool)), r"row 1 is empty \(2 in all\)"),
    (candidates([None] * 3), "No candidate set rules out any class"),
    (candidates(np.array([[0.2, 0.8]] * 3)), "must be boolean"),
    (candidates([{0}, {"a"}, {1}]), "of one type"),
    (lambda: partial.disambiguate(FACTOR, PHI, SETS, THREE, 0), "lam must be above 0"),
    (lambda: partial.disambiguate(FACTOR, PHI, changed(SETS, 2, False), THREE, 1.0),
     "row 2 is empty"),
    (lambda: partial.disambiguate(FACTOR, PHI, SETS[:, :2], THREE, 1.0),
     r"candidates must have shape \(20, 3\)"),
]  # fmt: skip

ONES, HALF = np.ones((5, 2)), np.array([True, False])
METRICS = [
    *((lambda truth=truth: metrics.spectral_error(truth, [0, 1, 2]), "gamma_true must")
      for truth in ([0, np.nan], [0, 2, 1], [-1, 1], [0, 0, 0], [])),
    (lambda: metrics.unlabelled_accuracy([0, 1], [0, 1], HALF | True), "no unlabelled point"),
    (lambda: metrics.unlabelled_accuracy([0, 1], [0, 1, 1], HALF), "one shape"),
    (lambda: metrics.unlabelled_accuracy([0, 1], [0, 1], np.array([1, 0])), "boolean mask"),
    (lambda: metrics.eigenspace_angles([0, 1], ONES, np.ones((5, 3))), "one column per"),
    (lambda: metrics.eigenspace_angles([1, 0], ONES, ONES), "ascending"),
    (lambda: metrics.eigenspace_angles([0, 1], ONES * np.nan, ONES), "finite"),
    (lambda: metrics.principal_angles(np.ones(4), np.ones(5)), "share their samples"),
    (lambda: metrics.principal_angles(np.zeros(4), np.ones(4)), "span something"),
    (lambda: metrics.dirichlet_energy(np.ones(3)), "gradients must have shape"),
    (lambda: metrics.dirichlet_energy(np.ones((3, 2)), np.ones((3, 3, 1))), "frames must have"),
    (lambda: metrics.calibration_error([True], [0.5, 0.5]), "one shape"),
    (lambda: metrics.calibration_error([], []), "one shape"),
    (lambda: metrics.calibration_error([True], [1.5]), "in .0, 1."),
    (lambda: metrics.calibration_error([True], [np.nan]), "in .0, 1."),
]  # fmt: skip

CASES = [*KERNELS, *SPACES, *FORMS, *OPERATORS, *SPECTRA, *GRAPHS, *ESTIMATES, *METRICS]


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_invalid_input_gets_a_clear_message(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
