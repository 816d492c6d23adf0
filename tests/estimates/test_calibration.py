"""μ from held-out points: brute force, degenerate data, and energies that cannot be split."""

import numpy as np
import pytest
from scipy import linalg

from lapviz import GalerkinEmbedding, datasets, fit, operators, spectra
from lapviz.estimates import calibration
from lapviz.spaces import KernelSpace

NORMAL = np.random.default_rng(0).normal(size=(120, 3))


def assembled(X=NORMAL, operator="laplacian", **options):
    space = fit.SpaceSpec(random_state=0, **options)
    return fit.Galerkin(fit.Sample.of(X), space, fit.EnergySpec(operator)).assembled()


def calibrated(X=NORMAL, operator="laplacian", **options):
    basis = assembled(X, operator, **options)
    return calibration.calibrate(basis.space, X, operator, basis.space.kernel.bandwidth)


def test_the_excess_matches_its_definition():
    """Dense eigenproblems on values and gradients at the two halves, without the forms."""
    basis = assembled(n_landmarks=15, bandwidth=2.0)
    halves = NORMAL[:60], NORMAL[60:]
    forms = [operators.assemble(basis.space, half) for half in halves]
    mu = 0.01
    (values, slopes), (held_out, held_out_slopes) = (
        (basis.space.phi(half), basis.space.gradient(half)) for half in halves
    )
    n = len(values)
    S, M = np.einsum("ndp,ndq->pq", slopes, slopes) / n, values.T @ values / n
    gamma, V = linalg.eigh(S + mu * basis.space.gram, M)
    modes = V[:, 1:12]
    g = held_out @ modes
    g_slopes = held_out_slopes @ modes
    M = np.cov(g.T, bias=True)
    S = np.einsum("ndm,ndk->mk", g_slopes, g_slopes) / n
    tau = 0.2 * np.median(gamma[1:8])
    claims = np.sum(1 / (gamma[1:8] + tau))
    confirmed = np.sort(linalg.eigh(M, S + tau * M, eigvals_only=True))[-7:].sum()
    excess, share = calibration.judge(*forms, spectra.spectrum(forms[0], mu, calibration.N_SPAN))
    assert excess == pytest.approx(np.log(claims / confirmed), abs=1e-6)
    norm = mu * np.einsum("pm,pq,qm->m", V[:, 1:8], basis.space.gram, V[:, 1:8])
    assert share == pytest.approx(1 - claims / np.sum(1 / (gamma[1:8] - norm + tau)), abs=1e-6)


def test_the_crossing_is_where_the_excess_meets_the_tolerance():
    result = calibrated(n_landmarks=60)
    tolerance = calibration.tolerance(len(NORMAL))
    assert result.excess[0] > tolerance  # 60 functions on 120 points in three dimensions
    assert result.excess[-2] > tolerance >= result.excess[-1]
    assert result.tried[-2] < result.mu < result.tried[-1]


@pytest.mark.long
def test_overfitted_modes_are_not_excused_by_their_norm():
    """With 3000 functions the first eight energies came out at half of the truth."""
    X = datasets.load("gaussian", n_samples=5000, noise=0.0, random_state=0, dimension=2).X
    spec = fit.SpaceSpec(n_landmarks=3000, landmarks="uniform", random_state=0)
    method = fit.Galerkin(fit.Sample.of(X), spec, fit.EnergySpec())
    kernel = method.kernel
    result = calibration.calibrate(method.trial_space(), X, "laplacian", kernel.bandwidth)
    assert result.excess[0] > 0.4
    assert result.mu * kernel.bandwidth**2 > 1e-4


@pytest.mark.parametrize(
    ("operator", "reason"), [("graph", "not a mean over single rows"), (operators.Sum(
        ("laplacian", "graph"), (1.0, 1.0)), "not a mean over single rows")], ids=["graph", "sum"]
)  # fmt: skip
def test_an_energy_between_rows_is_not_split(operator, reason):
    model = GalerkinEmbedding(operator=operator, random_state=0).fit(NORMAL)
    assert model.mu_ == pytest.approx(2e-5 / model.bandwidth_**2)
    assert reason in str(model.report_)


def test_directions_at_given_samples_are_split_with_them():
    """The coordinate axes, given row by row, in another order at each sample."""
    order = np.argsort(np.random.default_rng(0).random((len(NORMAL), 3)), axis=1)
    axes = operators.GivenDirections(np.eye(3)[order])
    assert calibrated(operator=axes).mu == pytest.approx(calibrated().mu, rel=1e-6)


@pytest.mark.parametrize(
    ("X", "reason"),
    [
        (np.zeros((50, 2)), "no variation"),
        (NORMAL[:19], "19 rows are too few"),
        (np.repeat(NORMAL[:2], 40, axis=0), ""),
        (np.repeat(NORMAL[:1], 40, axis=0), "no variation"),
        (np.r_[NORMAL, [[1e9, 0, 0]]], ""),
        (NORMAL[:, :1] * [1.0, 1.0, 1e-9], ""),
        (np.arange(40.0)[:, None], ""),
    ],
)
def test_degenerate_data_get_a_number_and_a_reason(X, reason):
    model = GalerkinEmbedding(n_components=4, random_state=0).fit(X)
    assert 0 < model.mu_ < np.inf
    assert reason in model.report_["mu"].reason
    assert (model.eigenvalues_ >= 0).all()


def test_many_landmarks_are_thinned_evenly():
    space = KernelSpace(assembled().space.kernel, np.arange(2500.0)[:, None], constant=False)
    small = calibration.thinned(space)
    assert small.constant
    assert len(small.landmarks) == 1000
    assert np.ptp(np.diff(small.landmarks[:, 0])) <= 1


@pytest.mark.slow
def test_with_very_many_functions_three_draws_of_the_halves_are_averaged(monkeypatch):
    assert [calibration.draws(p) for p in (20, 2000, 2001)] == [1, 1, 3]
    one_draw = calibrated(n_landmarks=60)
    monkeypatch.setattr(calibration, "draws", lambda p: 3)
    three_draws = calibrated(n_landmarks=60)
    space, excess = calibration.thinned(assembled(n_landmarks=60).space), []
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(len(NORMAL))
        halves = [operators.assemble(space, NORMAL[rows[part::2]]) for part in (0, 1)]
        for a, b in (halves, halves[::-1]):
            modes = spectra.spectrum(a, three_draws.tried[0], calibration.N_SPAN)
            excess.append(calibration.judge(a, b, modes)[0])
    assert three_draws.excess[0] == pytest.approx(np.mean(excess))
    assert one_draw.excess[0] == pytest.approx(np.mean(excess[:2]))
    assert three_draws.mu != one_draw.mu
