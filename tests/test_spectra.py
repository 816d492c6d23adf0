"""Spectra: a peer, identities, null directions, signs; eigenproblems of narrow kernels."""

from typing import NamedTuple

import numpy as np
import pytest
import scipy.linalg as sla
from scipy.special import factorial
from sklearn.datasets import load_wine

from lapviz import GalerkinEmbedding, datasets, kernels, linalg, operators
from lapviz.forms import Forms
from lapviz.linalg import eigh
from lapviz.spaces import KernelSpace, landmarks
from lapviz.spectra import Pencil, Spectrum, independent_functions, orient, spectrum


class Problem(NamedTuple):
    space: KernelSpace
    form: Forms
    X: np.ndarray


def random_forms(p=30, seed=0):
    """Well-conditioned forms that come from no kernel."""
    rng = np.random.default_rng(seed)
    B, C, D = (rng.normal(size=(3 * p, p)) for _ in range(3))
    return Forms(B.T @ B / 90, C.T @ C / 90, D.T @ D / 90, 90)


def assembled(name, bandwidth, p, n=2000, data="gaussian", operator="laplacian", constant=True):
    X = datasets.load(data, n_samples=n, random_state=0).X
    C = landmarks.choose(X, p, random_state=0)
    space = KernelSpace(kernels.get(name, bandwidth), C, constant)
    return Problem(space, operators.assemble(space, X, operator), X)


def check_eigenpairs(solution, form, mu, rtol=1e-7):
    """VᵀMV = I and Vᵀ(S + μK)V = diag(γ).

    Directions of squared length 1e-10 are kept with a rounding error of 1e-16: six digits remain.
    """
    V, M, A = solution.vectors, form.mass, form.penalty(mu)
    np.testing.assert_allclose(V.T @ M @ V, np.eye(V.shape[1]), atol=10 * rtol)
    largest = max(solution.gamma.max(), 1e-300)
    np.testing.assert_allclose(V.T @ A @ V, np.diag(solution.gamma), atol=rtol * largest)
    assert np.all(np.diff(solution.gamma) >= 0)
    assert np.all(solution.gamma >= 0)
    assert np.all(np.isfinite(V))


@pytest.mark.parametrize("mu", [0.0, 0.05])
@pytest.mark.parametrize("solver", ["dense", "lanczos"])
@pytest.mark.parametrize("n_modes", [1, 6, 12])
def test_equals_scipy_where_scipy_is_safe(mu, solver, n_modes):
    form = random_forms()
    values, vectors = sla.eigh(form.penalty(mu), form.mass)
    ours = spectrum(form, mu, n_modes, solver=solver)
    np.testing.assert_allclose(ours.gamma, values[:n_modes], rtol=1e-9)
    np.testing.assert_allclose(np.abs(ours.vectors), np.abs(vectors[:, :n_modes]), atol=1e-7)
    assert ours.n_dropped == 0
    check_eigenpairs(ours, form, mu, 1e-10)


@pytest.mark.parametrize("seed", [0, 2])
def test_leading_eigenvalues_do_not_depend_on_how_many_are_asked_for(seed):
    """With random waves on a circle those far above them are no longer orthonormal as computed."""
    X = datasets.load("circle", n_samples=1000, random_state=seed).X
    few, many = (
        GalerkinEmbedding(n_components=k, landmarks="fourier", random_state=seed) for k in (4, 64)
    )
    np.testing.assert_allclose(
        many.fit(X).eigenvalues_[:4], few.fit(X).eigenvalues_, rtol=1e-3, atol=1e-9
    )
    E = many.transform(X)
    np.testing.assert_allclose(E.T @ E / len(X), np.eye(E.shape[1]), atol=1e-6)


@pytest.mark.parametrize("n_functions", [1, 8])
def test_lanczos_with_few_functions(n_functions):
    form = assembled("gaussian", 0.4, n_functions, n=300).form
    found = spectrum(form, 0.0, 3, solver="lanczos")
    np.testing.assert_allclose(found.gamma, spectrum(form, 0.0, 3).gamma, atol=1e-9)


@pytest.mark.parametrize("mu", [0.0, 1e-5])
@pytest.mark.parametrize(("name", "bandwidth"), [("gaussian", 0.4), ("exponential", 3.0)])
def test_lanczos_equals_dense(name, bandwidth, mu):
    form = assembled(name, bandwidth, 300, data="half_moons").form
    dense = spectrum(form, mu, 24, solver="dense")
    lanczos = spectrum(form, mu, 24, solver="lanczos")
    np.testing.assert_allclose(lanczos.gamma, dense.gamma, rtol=1e-6, atol=1e-9)
    assert lanczos.n_dropped == dense.n_dropped
    check_eigenpairs(lanczos, form, mu, 1e-6)
    gap = dense.gamma[23] < spectrum(form, mu, 25).gamma[24] * 0.999
    assert gap, "choose a mode with a gap after it, else the spans may differ"
    cosines = sla.svdvals(dense.vectors.T @ form.mass @ lanczos.vectors)
    np.testing.assert_allclose(cosines, 1.0, atol=1e-8)


@pytest.mark.parametrize("solver", ["dense", "lanczos"])
@pytest.mark.parametrize("n_modes", [1, 2, 12])
def test_the_constant_comes_first_among_functions_without_energy(solver, n_modes):
    """Two peaks in three have no slope at any sample; the constant used to be mixed with them."""
    X = np.random.default_rng(0).normal(size=(300, 2))
    X[::3] += 1e-3  # so that there are some slopes
    space = KernelSpace(kernels.get("matern32", 1e-3), X)
    solution = spectrum(operators.assemble(space, X), 0.0, n_modes, solver=solver)
    assert solution.gamma[0] == 0
    values = space.phi(X) @ solution.vectors
    np.testing.assert_allclose(values[:, 0], 1.0, rtol=1e-12)
    np.testing.assert_allclose(values.T @ values / 300, np.eye(n_modes), atol=1e-8)


@pytest.mark.parametrize(("bandwidth", "constant"), [(0.5, True), (0.5, False), (5.0, True)])
def test_a_pencil_has_the_spectra_of_every_mu(bandwidth, constant):
    """Well-conditioned, and 60 functions of rank 20 or so."""
    X = np.random.default_rng(0).normal(size=(300, 2))
    form = operators.assemble(KernelSpace(kernels.get("gaussian", bandwidth), X[:60], constant), X)
    pencil = Pencil(form)
    for mu in (1e-6, 1e-3, 1.0):
        direct, shared = spectrum(form, mu, 9, solver="dense"), pencil.spectrum(mu, 9)
        np.testing.assert_allclose(shared.gamma, direct.gamma, rtol=1e-7, atol=1e-10)
        np.testing.assert_allclose(
            np.abs(np.diag(shared.vectors.T @ form.mass @ direct.vectors)), 1.0, atol=1e-6
        )
        assert shared.n_dropped == direct.n_dropped
        check_eigenpairs(shared, form, mu)
    assert len(pencil.spectrum(1e-3).gamma) == 60 + constant - shared.n_dropped
    assert (shared.n_dropped > 30) == (bandwidth == 5.0)


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize(("degree", "rank"), [(1, 3), (2, 6), (3, 10), (4, 15)])
def test_polynomials_have_the_rank_of_their_monomials(degree, rank, constant):
    """C(degree + 2, 2) monomials in the plane, including 1, however many landmarks."""
    X = np.random.default_rng(0).normal(size=(500, 2))
    space = KernelSpace(kernels.Polynomial(1.5, degree), X[:80], constant)
    solution = spectrum(operators.assemble(space, X))
    assert len(solution.gamma) == rank
    assert solution.n_dropped == space.n_functions - rank


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("degree", "mu"), [(1, 1.0), (2, 0.1), (3, 0.01)])
def test_polynomials_are_those_of_their_monomials_whatever_the_landmarks(degree, mu, seed):
    """With the norm modulo constants, which a polynomial's RKHS contains."""
    X, sigma = datasets.load("half_moons", n_samples=600, random_state=0).X, 1.25
    fitted = GalerkinEmbedding(
        n_components=6,
        kernel="polynomial",
        degree=degree,
        bandwidth=sigma,
        mu=mu,
        random_state=seed,
    ).fit(X)
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    Z = X / sigma
    size = [
        np.sqrt(factorial(degree) / factorial([i, j, degree - i - j]).prod()) for i, j in powers
    ]
    phi = size * np.stack([Z[:, 0] ** i * Z[:, 1] ** j for i, j in powers], axis=1)
    slopes = [
        size * np.stack([power[axis] * Z[:, 0] ** (power[0] - (axis == 0))
                         * Z[:, 1] ** (power[1] - (axis == 1)) if power[axis] else 0 * Z[:, 0]
                         for power in powers], axis=1) / sigma
        for axis in range(2)
    ]  # fmt: skip
    energy = sum(d.T @ d for d in slopes) / len(X) + mu * np.diag([0.0] + [1.0] * len(powers[1:]))
    expected = sla.eigvalsh(energy, phi.T @ phi / len(X))[1:]
    assert len(fitted.eigenvalues_) == min(6, len(powers))
    np.testing.assert_allclose(fitted.eigenvalues_[1:], expected[:5], rtol=1e-6)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("operator", ["laplacian", "sphere"])
@pytest.mark.parametrize("mu", [0.01, 0.3])
def test_what_vanishes_on_the_sample_lowers_the_norm_whatever_the_landmarks(mu, operator, seed):
    """|x|² − 1 on the circle has an RKHS norm, and no energy along the circle."""
    X = datasets.load("circle", n_samples=300, random_state=0).X
    fitted = GalerkinEmbedding(
        n_components=5, kernel="polynomial", degree=2, bandwidth=1.0, mu=mu, operator=operator,
        n_landmarks=40, random_state=seed,
    ).fit(X)  # fmt: skip
    x, y = X.T
    zero, one, r = 0 * x, 0 * x + 1, np.sqrt(2)
    phi = np.stack([one, r * x, r * y, x * x, r * x * y, y * y], axis=1)
    along_x = np.stack([zero, r * one, zero, 2 * x, r * y, zero], axis=1)
    along_y = np.stack([zero, zero, r * one, zero, r * x, 2 * y], axis=1)
    slopes = [along_x, along_y]
    if operator == "sphere":
        slopes = [x[:, None] * along_y - y[:, None] * along_x]
    energy = sum(d.T @ d for d in slopes) / len(X) + mu * np.diag([0.0] + [1.0] * 5)
    mass = phi.T @ phi / len(X)
    null = np.array([[-1.0, 0, 0, 1, 0, 1]]).T  # |x|² − 1
    coupling = energy @ null
    least = energy - coupling @ coupling.T / (null.T @ coupling)
    rest = np.eye(6)[:, :5]
    expected = sla.eigvalsh(rest.T @ least @ rest, rest.T @ mass @ rest)
    np.testing.assert_allclose(fitted.eigenvalues_[1:], expected[1:5], rtol=1e-6)
    forms = operators.assemble(fitted.space_, X, operator)
    np.testing.assert_allclose(Pencil(forms).spectrum(mu, 5).gamma[1:], expected[1:5], rtol=1e-6)


@pytest.mark.parametrize("degree", [1, 2, 3, 9])
@pytest.mark.parametrize("bandwidth", [1e-5, 1.0, 100.0])
def test_a_polynomial_of_large_numbers_keeps_the_constant(bandwidth, degree):
    """Raw wine has numbers up to 1680; the constant, 1e-36 of the rest, used to be dropped."""
    X = load_wine().data
    model = GalerkinEmbedding(
        kernel="polynomial", degree=degree, bandwidth=bandwidth, random_state=0
    ).fit(X)
    assert model.eigenvalues_[0] == 0.0
    np.testing.assert_allclose(model.transform(X)[:, 0], 1.0, rtol=1e-12)


def test_functions_of_norm_zero_reduce_the_energy():
    """On the sphere 1 is a sum of kernel functions with a normal gradient; γ₁₅ used to be 2570."""
    X = datasets.load("sphere", n_samples=2000, random_state=0).X
    form = operators.assemble(KernelSpace(kernels.get("polynomial", degree=3), X[:80]), X)
    w, U = np.linalg.eigh(form.stiffness + form.mass)  # its null functions are 0 everywhere
    U = U[:, w > 1e-11 * w[-1]] / np.sqrt(w[w > 1e-11 * w[-1]])
    theta = np.linalg.eigvalsh(U.T @ form.mass @ U)[:0:-1]  # 1/(1 + γ); the last is 0
    assert len(theta) == 16
    np.testing.assert_allclose(spectrum(form).gamma, 1 / theta - 1, rtol=1e-6, atol=1e-8)
    assert spectrum(form, least_energy=False).gamma[15] > 1000
    solution, compared = spectrum(form, 1e-3), Pencil(form).spectrum(1e-3)
    check_eigenpairs(solution, form, 1e-3)
    np.testing.assert_allclose(compared.gamma, solution.gamma, rtol=1e-12, atol=1e-12)
    form = operators.assemble(KernelSpace(kernels.get("gaussian", 1.0), X[:150]), X)
    dense, compared = (spectrum(form, 1e-4, 9, solver=solver) for solver in ("dense", "lanczos"))
    np.testing.assert_allclose(compared.gamma, dense.gamma, rtol=1e-6, atol=1e-9)
    assert dense.gamma[8] < spectrum(form, 1e-4, 9, least_energy=False).gamma[8] * (1 - 1e-4)


def test_no_spurious_zeros_where_a_ridge_makes_sixteen():
    """One zero, then the Hermite spectrum, although M is singular up to rounding."""
    form = assembled("gaussian", 2.0, 200, n=5000).form
    assert np.linalg.cond(form.mass) > 1e15
    solution = spectrum(form, n_modes=16)
    assert solution.n_dropped > 50
    assert solution.gamma[0] < 1e-9
    assert solution.gamma[1] > 0.9
    check_eigenpairs(solution, form, 0.0, 1e-6)
    ridge = sla.eigh(
        form.stiffness, form.mass + 1e-10 * np.eye(201), eigvals_only=True, subset_by_index=(0, 15)
    )
    assert (ridge < 0.5).sum() > 1, "a ridge no longer makes spurious zeros: drop this test"


@pytest.mark.parametrize("name", kernels.names())
@pytest.mark.parametrize("bandwidth", [0.05, 1.0, 30.0])
def test_eigenpairs_of_every_kernel_at_every_width(name, bandwidth):
    form = assembled(name, bandwidth, 120, n=800, data="half_moons").form
    solution = spectrum(form, n_modes=20)
    assert solution.gamma[0] < 1e-8 * solution.gamma[-1]
    assert solution.gamma[1] > 1e-8 * solution.gamma[-1], "a second zero"
    check_eigenpairs(solution, form, 0.0, 1e-5)


@pytest.mark.parametrize("name", ["gaussian", "exponential"])
@pytest.mark.parametrize("constant", [True, False])
def test_identities_of_scale_motion_and_order(name, constant):
    """x → cx, σ → cσ divides γ by c²; rotation, translation and permutation leave γ unchanged."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) * [1.0, 0.7, 0.4]
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]

    def gammas(X, scale=1.0, order=slice(None)):
        space = KernelSpace(kernels.get(name, 1.2 * scale), X[:40], constant)
        return spectrum(operators.assemble(space, X[order]), 0.01 / scale**2, 10).gamma

    base = gammas(X)
    for c in (1e-3, 7.0):
        np.testing.assert_allclose(gammas(c * X, c) * c**2, base, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(gammas(X @ Q.T), base, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(gammas(X + np.array([100.0, -7.0, 3e4])), base, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(gammas(X, order=rng.permutation(300)), base, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("mu", [0.0, 1e-5])
def test_dropped_functions_do_not_depend_on_the_order_of_the_samples(mu):
    """With ties broken by rounding, some of these eigenvalues moved by 8 % (n=500, σ=1)."""
    X = np.random.default_rng(0).normal(size=(500, 2)) * [1.0, 0.6]
    space = KernelSpace(kernels.get("gaussian", 1.0), X[:50])
    first = spectrum(operators.assemble(space, X), mu, 10)
    assert first.n_dropped > 5
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(500)
        permuted = spectrum(operators.assemble(space, X[order]), mu, 10)
        np.testing.assert_allclose(permuted.gamma, first.gamma, rtol=1e-5, atol=1e-9)


def test_orient_does_not_depend_on_signs_or_the_order_of_the_samples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2)) * [1.0, 0.6]  # simple eigenvalues: only signs are arbitrary
    space = KernelSpace(kernels.get("gaussian", 1.0), X[:50])
    unoriented = spectrum(operators.assemble(space, X), n_modes=6)
    first = orient(unoriented, space)
    np.testing.assert_array_equal(np.abs(first.vectors), np.abs(unoriented.vectors))
    np.testing.assert_array_equal(first.gamma, unoriented.gamma)
    values = space.phi(X) @ first.vectors
    np.testing.assert_allclose(values[:, 0], 1.0, atol=1e-5)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(500)
        permuted = spectrum(operators.assemble(space, X[order]), n_modes=6)
        V = permuted.vectors * rng.choice([-1.0, 1.0], 6)
        flipped = Spectrum(permuted.gamma, V, permuted.n_dropped)
        oriented = orient(flipped, space)
        np.testing.assert_allclose(space.phi(X) @ oriented.vectors, values, atol=1e-4)


def test_independent_functions_ignore_scale():
    """A function of tiny norm is independent, a zero function is not."""
    rng = np.random.default_rng(0)
    B = rng.normal(size=(40, 4)) * [1.0, 1e-6, 1e6, 0.0]
    B = np.column_stack([B, B[:, 0] + B[:, 1] * 1e6])
    keep, L, scale = independent_functions(B.T @ B, 1e-10)
    assert len(keep) == 3
    assert 3 not in keep
    scaled = (B.T @ B)[np.ix_(keep, keep)] * np.outer(scale[keep], scale[keep])
    np.testing.assert_allclose(L @ L.T, scaled, atol=1e-12)


def test_the_order_of_a_form_in_memory_does_not_matter():
    B = np.random.default_rng(0).normal(size=(40, 6))
    form = B.T @ B
    for left, right in zip(
        independent_functions(form, 1e-10),
        independent_functions(np.asfortranarray(form), 1e-10),
        strict=True,
    ):
        np.testing.assert_array_equal(left, right)


def narrow(p=20, scale=1e-2):
    """Form of functions that hardly overlap, in coordinates orthonormal under the mass.

    All except the constant have the same energy.
    """
    peaks = scale * np.eye(p)
    peaks[0, 0] = 0.0
    mass = np.eye(p)
    mass[0, 1:] = mass[1:, 0] = 1.0 / np.sqrt(p)
    L = np.linalg.cholesky(mass)
    C = sla.solve_triangular(L, sla.solve_triangular(L, peaks, lower=True).T, lower=True)
    return 0.5 * (C + C.T)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("subset", [(0, 7), (12, 19), (0, 19), None])
@pytest.mark.parametrize("scale", [1e-200, 1e-2, 1e200])
def test_a_large_multiplicity(scale, subset, overwrite):
    A = narrow(scale=scale)
    values, vectors = eigh(A.copy(order="F"), subset, overwrite)
    first, last = (0, 19) if subset is None else subset
    np.testing.assert_allclose(
        values, np.linalg.eigvalsh(A)[first : last + 1], rtol=1e-9, atol=1e-14 * scale
    )
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(last + 1 - first), atol=1e-12)
    np.testing.assert_allclose(A @ vectors, values * vectors, atol=1e-12 * scale)


def test_a_failing_driver_leaves_a_matrix_that_can_be_restored(monkeypatch):
    """Simulates a failure of evr after it has overwritten its triangle, on any LAPACK."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 30))
    A = np.asfortranarray(A + A.T)
    expected, original = np.linalg.eigvalsh(A)[2:9], linalg._few_pairs

    def failing(A, first, last):
        values, vectors, _ = original(A.copy("F"), first, last)
        A[np.tril_indices(30)] = np.nan
        return values, vectors, 1

    monkeypatch.setattr(linalg, "_few_pairs", failing)
    np.testing.assert_allclose(eigh(A, (2, 8), overwrite=True)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("mu", ["auto", 0.5])
def test_a_width_far_below_the_distances(mu):
    """20 peaks that do not overlap, on which evr fails with "Internal Error".

    At its own centre a peak has no slope, and elsewhere it is 0: its energy is μ over the mean
    square 1/20, as is that of every combination of peaks orthogonal to 1.
    """
    X = np.random.default_rng(0).normal(size=(20, 25))
    model = GalerkinEmbedding(bandwidth=0.2, n_components=8, mu=mu, random_state=0).fit(X)
    assert model.eigenvalues_[0] < 1e-12
    np.testing.assert_allclose(model.eigenvalues_[1:], 20 * model.mu_, rtol=1e-6)


def test_a_pencil_refuses_what_spectrum_refuses():
    form = random_forms(5)
    for solve in (Pencil(form).spectrum, lambda mu, m=None: spectrum(form, mu, m)):
        with pytest.raises(ValueError, match="mu must be"):
            solve(-1.0)
        with pytest.raises(ValueError, match="n_modes must be an integer of at least 1"):
            solve(0.1, 0)


def test_overflow_raises_a_clear_error():
    with pytest.raises(ValueError, match="Numbers overflow"):
        eigh(np.full((3, 3), np.inf), (0, 1))
