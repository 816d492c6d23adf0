"""Number of labels that four circles need if labels are chosen by a score or at random.

Every run starts from one random label and ends when the estimate is right at 98 % of all points;
the count includes the first label. All choices share data, forms and first label.

The possible gain depends on the setting. Where one label per circle is enough (σ = .2, no noise),
every choice needs at least 4, and the random choice 7 in the median: the number of draws until all
of four equally likely circles have occurred, P(T ≤ 6) = .38, P(T ≤ 7) = .51. Where a circle needs
several labels, the random choice needs many more.
"""

from __future__ import annotations

import numpy as np

from lapviz import datasets, estimates, fit
from lapviz.estimates import queries as active
from lapviz.experiments.config import some_of, trials
from lapviz.experiments.registry import Config, Drawing, Experiment, Task
from lapviz.progress import report, track

Array = np.ndarray
CHOICES = ("random", *active.CRITERIA)
N_LANDMARKS, LAM, ACCURACY, LIMIT = 500, 1.0, 0.98, 150


SETTINGS = {  # noise of the four circles, operator, σ, μ
    "SSL21 Figure 6": (0.0, "laplacian", 0.5, 1e-7),
    "SSL21 Figure 1": (0.0, "laplacian", 0.2, 5e-4),
    "Figure 1, noise .05": (0.05, "laplacian", 0.2, 5e-4),
    "noise .1, learnt tangents": (0.1, "tangent", 0.2, 5e-4),
}


def problem(setting: str, seed: int) -> tuple[Array, Array]:
    """Whitened test functions (r, n) at all points, and the true class codes (n,)."""
    noise, operator, bandwidth, mu = SETTINGS[setting]
    data = datasets.load("four_circles", noise=noise, random_state=seed)
    space = fit.SpaceSpec(bandwidth=bandwidth, n_landmarks=N_LANDMARKS, random_state=seed)
    method = fit.Galerkin(fit.Sample.of(data.X), space, fit.EnergySpec(operator, mu))
    return method.solver().whiten(method.assembled(False).space.phi(data.X)), data.y


def accuracies(
    W: Array,
    y: Array,
    n_classes: int,
    lam: float,
    choice: str,
    n_labels: int,
    seed: int,
    constant: bool = False,
    target: float = np.inf,
) -> Array:
    """Share of all points that are right with 1, …, n_labels labels, shape (n_labels,).

    Parameters
    ----------
    W : array (r, n)
        Whitened test functions at all points.
    y : int array (n,)
        True class codes.
    n_classes : int
        Number K of classes.
    lam : float
        λ ≥ 0.
    choice : {"random", "energy", "change"}
        How labels are chosen.
    n_labels : int
        Number of labels, including the first; at most n.
    seed : int
        Seed of the first label, which is random, and of the random choice.
    constant : bool
        Whether to fit an unpenalised constant too.
    target : float
        Share at which the run ends.
    """
    codes = estimates.class_codes(np.arange(n_classes), n_classes)
    first = int(np.random.RandomState(seed).permutation(len(y))[0])
    start = active.fitted_values(W, [first], [int(y[first])], codes, lam, constant)
    shares = [float(np.mean(estimates.decode(start) == y))]

    def record(progress: active.QueryProgress) -> bool:
        shares.append(float(np.mean(estimates.decode(progress.values) == y)))
        report("labels", len(shares), n_labels)
        return shares[-1] >= target

    active.query(
        W,
        lambda row: int(y[row]),
        codes,
        lam,
        n_labels - 1,
        rows=[first],
        criterion=choice,
        constant=constant,
        random_state=seed,
        callback=record,
    )
    return np.array(shares)


def labels_needed(W: Array, y: Array, choice: str, seed: int) -> int:
    """Number of labels until 98 % of all points are right, including the first random one."""
    shares = accuracies(W, y, 2, LAM, choice, LIMIT, seed, target=ACCURACY)
    return len(shares) if shares[-1] >= ACCURACY else LIMIT + 1


class Active(Experiment):
    """Labels needed by active learning.

    How many labels four circles need until 98 % of all points are right, if each next point is the
    one whose label costs the most energy, the one that changes the estimate most, or a random one.
    Where one label per circle is enough, the best choice needs four in the median, the random one
    seven; where a circle needs several, the random choice needs many more.
    """

    name, source = "active", "SSL21, section 5"
    settings = {
        "trials": trials(20, "Draws of data, landmarks and first label."),
        "problems": some_of(SETTINGS, "Data and parameters of the estimate."),
    }
    small = {"trials": 3, "problems": ("SSL21 Figure 1",)}
    drawings = (
        Drawing("setting", "labels", colour="choice", summary="median",
                y_label=f"labels until 98 % are right ({LIMIT + 1}: more)"),
    )  # fmt: skip

    grid = {"setting": "problems"}

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the labels that each choice needs, from the same data and first label."""
        # integer seeds, as for the figures in the text
        seed = config.seed + task.trial
        W, y = problem(task["setting"], seed)
        return [
            {"choice": choice, "labels": labels_needed(W, y, choice, seed)}
            for choice in track(CHOICES, "choices")
        ]
