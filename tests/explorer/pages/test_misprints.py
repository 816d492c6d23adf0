"""The misprints that the notes list: the printed form fails in numbers, the corrected one holds."""

import math
import re
import sys

import numpy as np
import pytest
from scipy.linalg import eigh, qr, solve

from lapviz import kernel_cg, kernels, stopping
from lapviz.estimates import exact
from lapviz.explorer.pages.notes import text as notes


def test_every_misprint_is_tested():
    listed = {a for a in notes.anchors() if a.startswith("misprint-")}
    module = sys.modules[__name__]
    tested = {
        f"misprint-{name[5:].replace('_', '-')}" for name in vars(module) if name[:5] == "test_"
    }
    assert listed <= tested
    assert len(listed) >= 18


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def positive(rng, n):
    A = rng.normal(size=(n, n))
    return A @ A.T / n


def test_drift():
    """Energies are positive: E[x · ℒx] for g = x and N(0, 1), and for g = x² − 1."""
    x, w = np.polynomial.hermite_e.hermegauss(20)
    w = w / w.sum()
    score = -x  # q′/q
    for g, slope, second, gamma in (
        (x, np.ones_like(x), 0 * x, 1),
        (x**2 - 1, 2 * x, 2 + 0 * x, 2),
    ):
        right, printed = -second - score * slope, -second + score * slope
        assert w @ (g * right) == pytest.approx(w @ slope**2)
        np.testing.assert_allclose(right, gamma * g, atol=1e-9)
        assert w @ (g * printed) != pytest.approx(w @ slope**2)
    assert w @ (x * (score * 1.0)) == pytest.approx(-1)


def test_courant(rng):
    """Least maximum over subspaces of dimension r: the first modes win with ℒ^½ only."""
    gamma = np.array([1.0, 2.0, 5.0, 9.0, 20.0])

    def largest(weights, F):
        return eigh(F.T @ (weights[:, None] * F), eigvals_only=True)[-1]

    first, last = np.eye(5)[:, :2], np.eye(5)[:, -2:]
    others = [qr(rng.normal(size=(5, 2)), mode="economic")[0] for _ in range(200)]
    assert largest(gamma, first) == 2
    assert min(largest(gamma, F) for F in others) > 2
    assert largest(1 / gamma, last) < min(largest(1 / gamma, F) for F in others)
    assert largest(1 / gamma, last) < largest(1 / gamma, first)


def test_fourier():
    n = 64
    x = np.arange(n) / n
    g = np.cos(2 * np.pi * 3 * x) + 0.3 * np.sin(2 * np.pi * 5 * x)
    slope = 2 * np.pi * (-3 * np.sin(2 * np.pi * 3 * x) + 1.5 * np.cos(2 * np.pi * 5 * x))
    ghat, omega = np.fft.fft(g) / n, np.fft.fftfreq(n, 1 / n)
    printed = float((omega**2 * abs(ghat) ** 2).sum())
    assert np.mean(slope**2) == pytest.approx(4 * np.pi**2 * printed)


def test_decay():
    m, sigma, c1 = 3, 2.0, 0.2
    omega = np.linspace(0, 50, 200)
    qhat = c1 * (1 + omega**2 / sigma) ** -m  # allowed: it attains the lower bound
    left = (1 + omega**2 / sigma) ** (-(m - 1))
    power = qhat ** ((m - 1) / m)
    assert (left <= c1 ** (-(m - 1) / m) * power * (1 + 1e-12)).all()
    assert (left > c1 ** (m / (m - 1)) * power).all()


def test_event(rng):
    """Splitting an expectation on A: with P(A) in place of P(not A) the bound never decreases."""
    error, bad = [], []
    for n in (10, 1000, 100_000):
        X = rng.normal(size=(200, min(n, 1000)))
        deviation = np.abs(X.mean(axis=1)) * math.sqrt(min(n, 1000) / n)
        bad.append(np.mean(deviation > 0.5))
        error.append(np.mean(np.clip(deviation, 0, 1) ** 2))
    right, printed = np.array(bad), 1 - np.array(bad)
    assert right[-1] == 0  # vanishes as the error does
    assert error[-1] < 1e-3
    assert printed[-1] == 1


def test_leverage():
    """The number of directions that matter at level λμ, and so of landmarks, grows as it falls."""
    X = np.linspace(0, 1, 200)[:, None]
    xi = np.linalg.eigvalsh(kernels.get("exponential", 0.5)(X, X) / 200)
    levels = np.array([1e-1, 1e-2, 1e-3])
    needed = [(xi / (xi + level)).sum() for level in levels]
    assert needed[0] < needed[1] < needed[2]
    for gamma in (0.25, 0.5):
        assert (np.diff(levels**gamma) < 0).all()
        assert (np.diff(levels**-gamma) > 0).all()


def bias(rng, lam):
    """‖Σ^½(θ_λ − θ*)‖² and ‖θ*‖², with Σ = TᵀT."""
    T, theta = rng.normal(size=(12, 6)), rng.normal(size=6)
    solution = solve(T.T @ T + lam * np.eye(6), T.T @ T @ theta)
    return float(((T @ (solution - theta)) ** 2).sum()), float(theta @ theta)


def test_lemma_11(rng):
    for lam in (1e-3, 0.1, 1.0, 10.0, 1e3):
        excess, norm = bias(rng, lam)
        assert excess <= lam / 4 * norm
    excess = []
    for lam in (1e3, 1e5):  # the printed bound would force this to 0: it tends to ‖Tθ*‖²
        same_rng = np.random.default_rng(0)
        value, norm = bias(same_rng, lam)
        excess.append(value)
        assert value > norm / lam
    assert excess[1] > excess[0]


def blocks(rng, n=4, d=2):
    """Gram matrices K (n, n), D (n, nd), Δ (nd, nd) of one positive matrix, and f."""
    G = positive(rng, n * (d + 1))
    return G[:n, :n], G[:n, n:], G[n:, n:], rng.normal(size=n)


def test_inverse(rng):
    K, D, Delta, f = blocks(rng)
    lam, mu = 0.3, 0.7
    n, nd = D.shape
    root = math.sqrt(mu)
    M = np.block([[K + lam * np.eye(n), root * D], [root * D.T, mu * Delta + lam * np.eye(nd)]])
    a, b = np.split(solve(M, np.r_[f, np.zeros(nd)]), [n])
    inner = np.linalg.inv(Delta + lam / mu * np.eye(nd))
    a_right = solve(K + lam * np.eye(n) - D @ inner @ D.T, f)
    np.testing.assert_allclose(a_right, a)
    np.testing.assert_allclose(-inner @ D.T @ a_right / root, b)
    assert not np.allclose(inner @ D.T @ a_right / root, b)  # as printed, without the minus
    with pytest.raises(ValueError, match="mismatch"):
        D.T @ inner @ D


def test_blocks():
    """With 1/n and √μ the formula is the library's exact estimate; as printed it is not."""
    rng = np.random.default_rng(0)
    X, lam, mu = rng.normal(size=(6, 2)), 0.3, 0.2
    y, kernel = rng.normal(size=6), kernels.get("gaussian", 1.2)
    n, m = 6, 12
    space = exact.RepresenterSpace(kernel, X)
    G = space.gram  # values first, then slopes
    np.testing.assert_allclose(G[:n, :n], kernel(X, X))
    weights = np.r_[np.ones(n), np.full(m, math.sqrt(lam))]  # KRR20's μ is λ here
    target = np.r_[y, np.zeros(m)]

    def fitted(scale, weights):
        """Values at the samples of the formula with blocks scaled by ``scale``."""
        TT = scale * weights[:, None] * G * weights
        a = solve(TT + lam * mu * np.eye(n + m), target)
        return scale * G[:n] @ (weights * a)

    estimate = exact.exact_estimate(space, y[:, None], np.ones(n, bool), lam, mu)
    best = G[:n] @ estimate.coefficients[:, 0]
    np.testing.assert_allclose(fitted(1 / n, weights), best, atol=1e-6)
    assert not np.allclose(fitted(1.0, weights), best, atol=1e-2)
    assert not np.allclose(fitted(1 / n, np.ones(n + m)), best, atol=1e-2)


def test_root(rng):
    T = rng.normal(size=(9, 5))
    _, s, U = np.linalg.svd(T, full_matrices=False)
    lam = s**2  # T = Σ λ^½ v ⊗ u
    printed, right = (U.T * lam) @ U, (U.T * np.sqrt(lam)) @ U
    np.testing.assert_allclose(printed, T.T @ T)
    np.testing.assert_allclose(right @ right, T.T @ T)
    assert not np.allclose(printed @ printed, T.T @ T)


def test_schedule(rng):
    """λ = e⁻ⁿ satisfies the printed condition, and interpolates the noise; n^−¼ does not."""
    n = 40
    X = np.linspace(0, 1, n)[:, None]
    y = np.sin(6 * X[:, 0]) + rng.normal(size=n)
    K = kernels.get("exponential", 0.3)(X, X) / n
    risk = {}
    for name, lam in (("allowed", np.exp(-n)), ("right", n**-0.25 / 10)):
        assert name == "right" or lam < n**-0.25
        fit = K @ solve(K + lam * np.eye(n), y)
        risk[name] = np.mean((fit - np.sin(6 * X[:, 0])) ** 2)
    assert risk["allowed"] > 3 * risk["right"]
    levels = np.array([1e-4, 1e-3, 1e-2])
    assert (np.diff(np.exp(-1000 * levels) / levels) < 0).all()  # Lemma 9's probability


def test_sphere(rng):
    for d in (2, 5, 50):
        U = rng.normal(size=(40_000, d))
        U /= np.linalg.norm(U, axis=1, keepdims=True)
        G = d * U[:, 0] ** 2
        assert G.mean() == pytest.approx(1, rel=0.05)
        assert (G**2).mean() == pytest.approx(3 * d / (d + 2), rel=0.1)
        assert G.var() < 2.3


def test_exponent():
    assert np.log(0.2 / 2) / np.log(1e5 / 1e3) == pytest.approx(-0.5)


def test_default():
    lam = np.array([2.0] * 3 + [6.0] * 5)
    right, printed = np.full(8, lam.mean()), np.full(8, 1 / lam.sum())
    assert right.sum() == pytest.approx(lam.sum())
    assert printed.sum() != pytest.approx(lam.sum())


def krylov(rng, update, steps=4, n=12):
    """Residuals in the K_n-norm of Algorithm 1 with an update of d, and the least ones."""
    K, y = positive(rng, n) / n, rng.normal(size=n)

    def inner(u, v):
        return u @ K @ v / n

    alpha, r, d, residuals, least = np.zeros(n), y.copy(), y.copy(), [], []
    basis = np.column_stack([np.linalg.matrix_power(K, i) @ y for i in range(steps)])
    root = np.linalg.cholesky(K + 1e-15 * np.eye(n)).T / math.sqrt(n)
    for m in range(1, steps + 1):
        d = d / math.sqrt(inner(K @ d, K @ d))
        gamma = inner(y, K @ d)
        alpha, r = alpha + gamma * d, r - gamma * K @ d
        residuals.append(math.sqrt(inner(y - K @ alpha, y - K @ alpha)))
        B = basis[:, :m] / np.linalg.norm(basis[:, :m], axis=0)
        c = np.linalg.lstsq(root @ K @ B, root @ y, rcond=None)[0]
        least.append(np.linalg.norm(root @ (y - K @ B @ c)))
        zero = inner(K @ d, r)
        d = update(K, d, r, inner)
    return np.array(residuals), np.array(least), zero


def test_direction(rng):
    def right(K, d, r, inner):
        return r - inner(K @ d, K @ r) * d

    def printed(K, d, r, inner):
        return r - inner(K @ d, r) / inner(r, r)

    residuals, least, zero = krylov(np.random.default_rng(1), right)
    np.testing.assert_allclose(residuals, least, rtol=1e-6)
    assert abs(zero) < 1e-10
    residuals, least, _ = krylov(np.random.default_rng(1), printed, steps=3)
    assert residuals[2] > 1.01 * least[2]


def test_scale(rng):
    X = rng.normal(size=(15, 2))
    K, y = kernels.get("exponential", 1.0)(X, X), rng.normal(size=15)
    alpha = kernel_cg.krylov_path(K, y, 15).alpha[-1]
    np.testing.assert_allclose(K @ alpha / 15, y, atol=1e-6)  # not K α


def test_step_back(rng):
    """q_m(0) ≥ 1/κ, so that the printed condition always holds; that of the proof does not."""
    n, risk, tau = 1600, 0.9, 1.1
    X = rng.uniform(-1, 1, size=(n, 1))
    K = kernels.get("gaussian", 0.5)(X, X)
    path = kernel_cg.krylov_path(K, np.sin(3 * X[:, 0]), 8)
    assert n >= 16 * math.log(2 / risk)
    delta = 4 * math.sqrt(math.log(2 / risk) / n)
    at_zero = path.polynomial_at_zero[1:]
    assert (at_zero >= 1).all()
    assert (at_zero >= delta).all()  # printed: always
    assert at_zero[0] < 1 / (2 * tau * delta)  # of the proof: not at first
    stops = {rule: stopping.stop_by_discrepancy(path, 1.0, 0.01, tau=tau, risk=risk, step_back=rule)
             for rule in ("printed", "never")}  # fmt: skip
    assert stops["never"].iteration > 0
    assert stops["printed"].iteration == stops["never"].iteration - 1


def test_perturbation(rng):
    S, Sn, lam = positive(rng, 5), positive(rng, 5), 0.4
    s, U = np.linalg.eigh(S + lam * np.eye(5))
    root, inverse = (U * np.sqrt(s)) @ U.T, (U / np.sqrt(s)) @ U.T
    left = root @ np.linalg.inv(Sn + lam * np.eye(5)) @ root
    right = np.linalg.inv(np.eye(5) - inverse @ (S - Sn) @ inverse)
    printed = np.linalg.inv(np.eye(5) - root @ np.linalg.inv(S - Sn) @ root)
    np.testing.assert_allclose(left, right)
    assert not np.allclose(left, printed)


def test_the_anchors_are_words():
    assert all(re.fullmatch(r"[a-z0-9-]+", anchor) for anchor in notes.anchors())
