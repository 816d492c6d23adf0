"""The comparisons and their bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.measure import Measurement
from lapviz import _extras

KLAP, DASK = "klap", "dask"
NEEDS = {  # extra, purpose, packages; klap imports numba without declaring it
    KLAP: ("bench", "A comparison with the authors' package", "klap", "numba"),
    DASK: ("dask", "A cluster of processes", "dask", "distributed"),
}

Runner = Callable[..., Measurement]  # (task, **options)


@dataclass(frozen=True)
class Row:
    """One line of the report.

    Attributes
    ----------
    case, what : str
    ours, peer : str, with units; ``peer`` may be empty
    ratio : float or None, of ours to the peer's or the reverse
    bound : str, empty if there is no bound
    ok : bool or None; None if there is no bound or the sizes are too small to judge it
    """

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    bound: str = ""
    ok: bool | None = None
    case: str = ""


_SIGNS = {"≥": operator.ge, "≤": operator.le, "<": operator.lt}


def verdict(value: float, sign: str, limit: float, unit: str = "") -> dict:
    """``bound`` and ``ok`` of a row whose figure has a limit."""
    return {"bound": f"{sign} {limit:g} {unit}".strip(), "ok": bool(_SIGNS[sign](value, limit))}


@dataclass(frozen=True)
class Case:
    """``run(runner, quick)`` yields rows; ``quick`` is for sizes that take about a second."""

    name: str
    title: str
    run: Callable[[Runner, bool], Iterator[Row]]
    needs: str = ""

    def missing(self) -> str:
        """What must be installed first, as a message; empty if the case can run."""
        return _extras.missing(*NEEDS[self.needs]) if self.needs else ""

    def rows(self, runner: Runner, quick: bool) -> Iterator[Row]:
        """Rows with the name of the case; no bound is judged at small sizes."""
        for row in self.run(runner, quick):
            yield replace(row, case=self.name, ok=None if quick else row.ok)


# d = 2 and d = 10 use different formulas; of the kernels, the exponential needs care.
def _sizes(data: str, quick: bool) -> dict:
    if data == "half_moons":
        return {"data": data, "n": 2000 if quick else 100_000, "p": 50 if quick else 200,
                "bandwidth": 1.0}  # fmt: skip
    return {"data": data, "n": 500 if quick else 10_000, "p": 50 if quick else 1000,
            "bandwidth": 3.0}  # fmt: skip


def _describe(options: dict) -> str:
    data = "half-moons" if options["data"] == "half_moons" else "d = 10"
    return f"exponential, {data}, {_size(options)}"


def versus_klap(data: str, at_least: float, runner: Runner, quick: bool):
    options = _sizes(data, quick)
    ours, klap = runner("fit_ours", **options), runner("fit_klap", **options)
    peer = klap.seconds["fit"]
    for name, what in (
        ("fit", f"fit without regulariser, {_describe(options)}"),
        ("calibrated", "the same and the calibration of μ, which klap has not"),
    ):
        ratio = peer / ours.seconds[name]
        bound = verdict(ratio, "≥", at_least) if name == "fit" else {}
        yield Row(what, _time(ours.seconds[name]), f"klap {_time(peer)}", ratio, **bound)
    ratio = klap.peak_mb / ours.peak_mb
    yield Row("peak memory of that", _memory(ours), f"klap {_memory(klap)}", ratio)


def versus_floor(data: str, runner: Runner, quick: bool):
    options = _sizes(data, quick)
    seconds = runner("assembly", **options).seconds
    floors = {name: value for name, value in seconds.items() if name.startswith("floor")}
    best = min(floors, key=floors.get)
    ratio = seconds["assembly"] / floors[best]
    yield Row(
        f"assembly, {_describe(options)}",
        _time(seconds["assembly"]),
        f"3 syrk + exp {_time(floors[best])} ({best.removeprefix('floor, ')})",
        ratio,
        **verdict(ratio, "≤", 1.5),
    )


def single(runner, quick):
    options = {"n": 2000 if quick else 100_000, "p": 50 if quick else 500, "d": 10}
    run = runner("single", **options)
    ratio, difference = run.seconds["float64"] / run.seconds["float32"], run.facts["apart"]
    yield Row(
        f"assembly, Gaussian, d = 10, {_size(options)}, in float32",
        _time(run.seconds["float32"]),
        f"float64 {_time(run.seconds['float64'])}, eigenvalues apart {difference:.1g}",
        ratio,
        "≥ 1.7, apart ≤ 1e-4",
        ratio >= 1.7 and difference <= 1e-4,
    )


def cluster(runner, quick):
    """In wall time; takes minutes, so use ``--repeats 1``."""
    options = {"n": 20_000 if quick else 10_000_000, "d": 10, "p": 50 if quick else 500}
    one, two = (runner("cluster", **options, workers=count).facts for count in (1, 2))
    ratio, worker_mb = two["wall"] / one["wall"], max(one["worker_mb"], two["worker_mb"])
    yield Row(
        f"fit on two workers, d = 10, {_size(options)}, {worker_mb:.0f} MB a worker",
        _time(two["wall"]),
        f"one worker {_time(one['wall'])}",
        ratio,
        "≤ 0.6, below 1000 MB",
        ratio <= 0.6 and worker_mb < 1000,
    )


def million(runner, quick):
    options = {"n": 10_000 if quick else 1_000_000, "p": 50 if quick else 200}
    run = runner("fit_million", **options)
    yield Row(
        f"fit of all defaults but σ, half-moons, {_size(options)}",
        f"{_time(run.seconds['fit'])}, {_memory(run)}",
        f"before the fit {run.before_mb:.0f} MB",
        **verdict(run.peak_mb, "≤", 400, "MB"),
    )


def modes(kernel: str, bandwidth: float, runner: Runner, quick: bool):
    n = 400 if quick else 2000
    run = runner("modes", n=n, kernel=kernel, bandwidth=bandwidth, n_modes=64)
    ratio = run.seconds["ours"] / run.seconds["dense"]
    yield Row(
        f"assembly and 64 modes, four circles, {kernel}, σ = {bandwidth:g}, p = n = {n}, "
        f"rank {n - run.facts['n_dropped']}",
        _time(run.seconds["ours"]),
        f"eigh(A, B) alone {_time(run.seconds['dense'])}",
        ratio,
        **verdict(ratio, "<", 1),
    )


def labels(runner, quick):
    options = {"n": 500 if quick else 10_000, "n_labels": 20, "side": 20 if quick else 100}
    ours = runner("label", method="ours", **options)
    judged = verdict(1000 * ours.seconds["run"], "≤", 300, "ms")
    for method in ("knn", "rbf"):
        peer = runner("label", method=method, **options)
        yield Row(
            f"half-moons, n = {_count(options['n'])}, 20 labels, `LaplacianClassifier()` "
            f"as it comes, fit and {options['side']}² grid",
            _labelled(ours),
            f"LabelSpreading {method} {_labelled(peer)}",
            peer.seconds["run"] / ours.seconds["run"],
            **(judged if method == "knn" else {}),
        )


def neighbours(runner, quick):
    options = {"n": 4500 if quick else 10_000, "d": 20 if quick else 784, "k": 10}
    run = runner("nearest", **options)
    ratio = run.seconds["ours"] / run.seconds["brute"]
    yield Row(
        f"10 neighbours of each of {_count(options['n'])} rows, {options['d']} columns; "
        f"{100 * run.facts['same']:.4g} % the same",
        _time(run.seconds["ours"]),
        f"scikit-learn, brute force {_time(run.seconds['brute'])}",
        ratio,
        **verdict(ratio, "≤", 0.7),
    )


def picture(runner, quick):
    run = runner("picture", most_pixels=20_000 if quick else 400_000)
    stroke = run.seconds["coarse"] + run.seconds["fine"]
    yield Row(
        f"a stroke on a photograph, {_count(run.facts['n_pixels'])} pixels, p = 200: "
        "every few pixels, then all",
        f"{_time(run.seconds['coarse'])} + {_time(run.seconds['fine'])}",
        f"once, before the strokes {_time(run.seconds['once'])}",
        **verdict(1000 * stroke, "≤", 300, "ms"),
    )


def _labelled(run: Measurement) -> str:
    n_nan = run.facts["nan_grid_rows"]
    remark = f", {n_nan} NaN rows" if n_nan else ""
    return f"{_time(run.seconds['run'])} (accuracy {100 * run.facts['accuracy']:.1f} %{remark})"


def _size(options: dict) -> str:
    return f"n = {_count(options['n'])}, p = {options['p']}"


def _count(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _memory(run: Measurement) -> str:
    return f"{run.peak_mb:.0f} MB"


CASES = {
    case.name: case
    for case in (
        Case("klap-moons", "The authors' package, half-moons",
             partial(versus_klap, "half_moons", 20), KLAP),
        Case("klap-gaussian", "The authors' package, ten dimensions",
             partial(versus_klap, "gaussian", 30), KLAP),
        Case("floor-moons", "Assembly against its floor, half-moons",
             partial(versus_floor, "half_moons")),
        Case("floor-gaussian", "Assembly against its floor, ten dimensions",
             partial(versus_floor, "gaussian")),
        Case("single", "float32 blocks", single),
        Case("cluster", "Dask: one worker process against two", cluster, DASK),
        Case("million", "A million points", million),
        Case("modes-gaussian", "Leading modes at p = n, the paper's kernel",
             partial(modes, "gaussian", 0.2)),
        Case("modes-exponential", "Leading modes at p = n, full rank",
             partial(modes, "exponential", 0.5)),
        Case("labels", "Few labels: scikit-learn's LabelSpreading", labels),
        Case("neighbours", "Neighbours in many columns: scikit-learn's brute force", neighbours),
        Case("picture", "A stroke on a picture", picture),
    )
}  # fmt: skip
