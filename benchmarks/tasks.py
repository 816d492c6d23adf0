"""The timed tasks: each function makes data and returns a :class:`~benchmarks.measure.Task`.

Peers are imported inside their tasks, so that no other process loads them.
"""

from __future__ import annotations

import numpy as np

from benchmarks.measure import Task
from lapviz import operators

Array = np.ndarray

N_MODES = 17  # klap's default of 16 gives 17 eigenpairs
FLOOR_BLOCKS = (256, 512, 2048)  # rows per block, besides the full matrix; the fastest counts


def points(data: str, n: int) -> Array:
    """Half-moons (d = 2) or N(0, I_10), with a fixed seed."""
    from lapviz import datasets

    options = {"dimension": 10} if data == "gaussian" else {}
    return datasets.load(data, n_samples=n, random_state=0, **options).X


def fit_ours(data: str, n: int, p: int, bandwidth: float) -> Task:
    """`GalerkinEmbedding.fit`, exponential kernel, on klap's test functions.

    ``fit`` solves klap's problem, which has no regulariser; ``calibrated`` also chooses μ.
    """
    from lapviz import GalerkinEmbedding

    X = points(data, n)

    def fit(X=X, p=p, mu=0.0):
        return GalerkinEmbedding(
            n_components=N_MODES, kernel="exponential", bandwidth=bandwidth, landmarks=X[:p], mu=mu
        ).fit(X)

    return Task(
        timed={"fit": fit, "calibrated": lambda: fit(mu="auto")},
        facts=lambda results: {"eigenvalues": results["fit"].eigenvalues_[:6].tolist()},
        warm_up=lambda: fit(X[:50], 10),
    )


def fit_klap(data: str, n: int, p: int, bandwidth: float) -> Task:
    """klap's `fit` of that problem: exponential kernel, test functions at the first p samples."""
    from klap import ExponentialKernel

    X = points(data, n)

    def fit(X=X, p=p):
        model = ExponentialKernel(sigma=bandwidth)
        model.fit(X, p=p)
        return model

    return Task(
        timed={"fit": fit},
        facts=lambda results: {"eigenvalues": results["fit"].eigenvalues[:6].tolist()},
        warm_up=lambda: fit(X[:50], 10),
    )


def assembly(data: str, n: int, p: int, bandwidth: float) -> Task:
    """Forms of an exponential kernel's space, and the floor: three syrk and one exp pass.

    The floor runs on the full matrix and on blocks of rows; the fastest counts.
    """
    from scipy.linalg.blas import dsyrk

    from lapviz import kernels
    from lapviz.spaces import KernelSpace

    X = points(data, n)
    kernel = kernels.get("exponential", bandwidth)
    numbers = -np.random.default_rng(0).random((n, p))

    def floor(block):
        total, out = np.zeros((p, p), order="F"), np.empty((min(block, n), p))
        for start in range(0, n, block):
            rows = numbers[start : start + block]
            for _ in range(3):
                dsyrk(1.0, rows.T, beta=1.0, c=total, overwrite_c=1)
            np.exp(rows, out=out[: len(rows)])

    blocks = {f"floor, {block} rows": block for block in (*FLOOR_BLOCKS, n) if block <= n}
    return Task(
        timed={
            "assembly": lambda: operators.assemble(KernelSpace(kernel, X[:p].copy()), X),
            **{name: lambda block=block: floor(block) for name, block in blocks.items()},
        },
        warm_up=lambda: operators.assemble(KernelSpace(kernel, X[:10].copy()), X[:50]),
    )


def fit_million(n: int, p: int) -> Task:
    """`GalerkinEmbedding.fit` with default settings except the kernel's width, half-moons."""
    from lapviz import GalerkinEmbedding

    X = points("half_moons", n)

    def fit(X=X, p=p):
        return GalerkinEmbedding(bandwidth=0.2, n_landmarks=p, random_state=0).fit(X)

    return Task(timed={"fit": fit}, warm_up=lambda: fit(X[:50], 10))


def single(n: int, p: int, d: int) -> Task:
    """Assembly in float64 and float32, Gaussian kernel, N(0, I_d), and the eigenvalues of both."""
    from lapviz import auto_bandwidth, kernels
    from lapviz.spaces import KernelSpace
    from lapviz.spectra import spectrum

    X = np.random.default_rng(0).normal(size=(n, d)).astype(np.float32)
    width, double = auto_bandwidth(X), X.astype(np.float64)

    def assemble(X=X, p=p):
        space = KernelSpace(kernels.get("gaussian", width), X[:p].astype(np.float64))
        return operators.assemble(space, X)

    def facts(results):
        mu = 1e-3 / width**2
        gamma = [spectrum(results[name], mu, N_MODES).gamma[1:] for name in ("float64", "float32")]
        return {"apart": float(np.abs(gamma[1] / gamma[0] - 1).max())}

    return Task(
        timed={"float64": lambda: assemble(double), "float32": assemble},
        facts=facts,
        warm_up=lambda: assemble(X[:300], 50),
    )


def cluster(n: int, d: int, p: int, workers: int) -> Task:
    """`GalerkinEmbedding.fit` by Dask on single-threaded workers; rows are drawn in the graph.

    Measured are wall time, as the work is done in other processes, and the largest peak memory of a
    worker.
    """
    import time

    import dask.array as da
    from distributed import Client, LocalCluster

    from benchmarks.process import peak_mb
    from lapviz import GalerkinEmbedding

    def fit():
        options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(**options) as local, Client(local) as client:
            rows = da.random.default_rng(0).normal(size=(n, d), chunks=(min(n, 50_000), d))
            start = time.perf_counter()
            model = GalerkinEmbedding(n_landmarks=p, random_state=0).fit(rows)
            wall = time.perf_counter() - start
            return wall, max(client.run(peak_mb).values()), model.eigenvalues_[:4].tolist()

    def facts(results):
        wall, peak, gamma = results["fit"]
        return {"wall": wall, "worker_mb": peak, "eigenvalues": gamma}

    return Task(timed={"fit": fit}, facts=facts)


def modes(n: int, kernel: str, bandwidth: float, n_modes: int) -> Task:
    """Assembly and leading modes at p = n on four circles, and a dense solve of that size.

    The dense solve is only scipy's `eigh(A, B)` of S + μK against M. With a Gaussian kernel M is
    numerically singular and eigh would fail at once; a ridge on M lets it run, which is enough to
    time it (its eigenvalues would be wrong).
    """
    from scipy.linalg import eigh

    from lapviz import datasets, kernels
    from lapviz.spaces import KernelSpace
    from lapviz.spectra import spectrum

    X = datasets.load("four_circles", n_samples=n - 4, random_state=0).X
    space_kernel, mu = kernels.get(kernel, bandwidth), 1 / n

    def ours():
        return spectrum(operators.assemble(KernelSpace(space_kernel, X, False), X), mu, n_modes)

    pair = operators.assemble(KernelSpace(space_kernel, X, False), X)
    A = pair.penalty(mu)
    B = pair.mass + 1e-8 * np.trace(pair.mass) / n * np.eye(n)
    return Task(
        timed={"ours": ours, "dense": lambda: eigh(A, B)},
        facts=lambda results: {
            "n_dropped": results["ours"].n_dropped,
            "eigenvalues": results["ours"].gamma[:6].tolist(),
            "dense_eigenvalues": results["dense"][0][:6].tolist(),
        },
    )


def label(method: str, n: int, n_labels: int, side: int) -> Task:
    """Fit on half-moons with few labels, and predict on a grid of side² nodes.

    ``method`` is "ours", "knn" or "rbf" (scikit-learn's `LabelSpreading`). The width of the rbf
    kernel is ours: γ = 1/2σ².
    """
    from sklearn.semi_supervised import LabelSpreading

    from lapviz import LaplacianClassifier, auto_bandwidth, datasets

    data = datasets.load("half_moons", n_samples=n, labels_per_class=n_labels // 2, random_state=0)
    y = np.where(data.labelled, data.y, -1)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    grid = np.stack(np.meshgrid(*np.linspace(low, high, side).T), axis=-1).reshape(-1, 2)
    gamma = 0.5 / auto_bandwidth(data.X) ** 2
    make_model = {
        "ours": lambda: LaplacianClassifier(random_state=0),
        "knn": lambda: LabelSpreading(kernel="knn"),
        "rbf": lambda: LabelSpreading(kernel="rbf", gamma=gamma),
    }[method]

    def run(X=data.X, y=y):
        with np.errstate(all="ignore"):  # scikit-learn warns of its NaN rows, counted below
            model = make_model().fit(X, y)
            return model, model.predict_proba(grid)

    def facts(results):
        model, probabilities = results["run"]
        unlabelled = ~data.labelled
        with np.errstate(all="ignore"):
            correct = model.predict(data.X[unlabelled]) == data.y[unlabelled]
        return {
            "accuracy": float(correct.mean()),
            "nan_grid_rows": int(np.isnan(probabilities).any(axis=1).sum()),
        }

    labelled_rows = np.flatnonzero(data.labelled)
    return Task({"run": run}, facts, warm_up=lambda: run(data.X[labelled_rows], y[labelled_rows]))


def nearest(n: int, d: int, k: int) -> Task:
    """The k nearest neighbours of all rows, N(0, I_d), and scikit-learn's brute force."""
    from sklearn.neighbors import NearestNeighbors

    from lapviz import graphs

    X = np.random.default_rng(0).normal(size=(n, d))

    def brute(X=X):
        model = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
        return model.kneighbors(return_distance=False)

    def facts(results):
        same = np.sort(results["ours"], axis=1) == np.sort(results["brute"], axis=1)
        return {"same": float(same.mean())}

    return Task(
        timed={"ours": lambda: graphs.search(X, k, "exact").neighbours(), "brute": brute},
        facts=facts,
        warm_up=lambda: (graphs.search(X[:100], k).neighbours(), brute(X[:100])),
    )


def picture(most_pixels: int) -> Task:
    """A photograph of at most ``most_pixels`` pixels: preparation, and the cost of each stroke."""
    from importlib import resources

    from lapviz import pictures

    file = resources.files("sklearn.datasets.images").joinpath("flower.jpg")
    with file.open("rb") as source:
        photograph = pictures.read(source, most_pixels=most_pixels)
    h, w = photograph.rgb.shape[:2]

    def path(*positions):
        return tuple((round(x * w), round(y * h)) for x, y in positions)

    strokes = (
        pictures.Stroke(1, 5, path((0.37, 0.56), (0.48, 0.47), (0.6, 0.54))),
        pictures.Stroke(0, 6, path((0.11, 0.14), (0.1, 0.47), (0.14, 0.77))),
    )
    coarse = max(1, round(np.sqrt(h * w / 40_000)))
    prepared = pictures.prepare(photograph)
    coefficients = prepared.coefficients(strokes)
    return Task(
        timed={
            "once": lambda: pictures.prepare(photograph),
            "coarse": lambda: prepared.segment(strokes, step=coarse),
            "fine": lambda: prepared.classify(*coefficients),
        },
        facts=lambda results: {"n_pixels": h * w, "share": results["fine"].shares[1]},
        warm_up=lambda: prepared.segment(strokes, step=coarse),
    )
