"""*Copy as Python* of the Regression page."""

from __future__ import annotations

from lapviz.experiments.stopping import N_ITERATIONS
from lapviz.explorer.pages.regression.view import N_GRID, kernel_of
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share.recipes import _call, _fit_arguments, _imports, _load


def regression(settings: Settings) -> str:
    """Script of the page for the topic in the settings."""
    return _SCRIPTS[settings.regression.topic](settings)


def _values(settings: Settings) -> str:
    """Lines that load the data and forget the values that are not known."""
    drawn = _load(settings.change(per_class=None))
    known = settings.regression.known
    forget = "" if known is None else f"y[{known}:] = np.nan  # unlabelled\n"
    return f"{drawn}\ny = data.values.copy()\n{forget}"


def _kernel(settings: Settings) -> dict[str, str]:
    space = settings.space
    made = {"kernel": repr(space.kernel), "bandwidth": repr(kernel_of(settings).bandwidth)}
    shape = dict(space.kernel_params or ())
    return made | ({"kernel_params": repr(shape)} if shape else {})


def _stop(settings: Settings) -> str:
    shown = settings.regression
    common = _kernel(settings) | {
        "n_iterations": str(N_ITERATIONS),
        "unlabelled": repr(shown.unlabelled),
        "random_state": repr(settings.data.random_state),
    }
    tau = "" if shown.tau == "auto" else f", tau={shown.tau!r}"
    return f"""\
import numpy as np

from lapviz import KernelCGRegressor, datasets

{_values(settings)}
x = np.linspace(0, 1, {N_GRID})[:, None]
common = {_call("dict", common)}
for name, rule in [
    ("(8)", dict(stopping="discrepancy"{tau})),
    ("(9)", dict(stopping="threshold"{tau})),
    ("Hold-out", dict(stopping="holdout")),
]:
    model = KernelCGRegressor(**common, **rule).fit(data.X, y)
    error = np.sqrt(np.mean((model.predict(x) - data.target(x)) ** 2))
    print(f"{{name}}: m = {{model.n_iterations_}}, error {{error:.4f}}")

# all iterates at once, and the one that the truth would choose
model = KernelCGRegressor(**common, stopping="fixed").fit(data.X, y)
curves = model.path_.predict(model.kernel_(x, model.X_fit_)) + model.target_mean_
errors = np.sqrt(np.mean((curves.T - data.target(x)) ** 2, axis=1))
print(f"Truth: m = {{errors.argmin()}}, error {{errors.min():.4f}}")
"""


def _slopes(settings: Settings) -> str:
    shown, space = settings.regression, settings.space.relevant()
    handles = shown.handles
    arguments = {
        "kernel": repr(space.kernel),
        "bandwidth": repr(space.bandwidth),
        "kernel_params": repr(dict(space.kernel_params or ())),
        "weight": repr(shown.weight),
        "ridge": repr(shown.ridge),
        "random_state": repr(space.random_state),
    }
    if not space.kernel_params:
        arguments.pop("kernel_params")
    slopes = [["np.nan"] if h.slope is None else [h.slope] for h in handles]
    return f"""\
import numpy as np

from lapviz import HermiteRegressor

X = np.array({[[h.x] for h in handles]})
y = np.array({[h.value for h in handles]})
slopes = np.array({str(slopes).replace("'", "")})
model = {_call("HermiteRegressor", arguments)}
x = np.linspace(0, 1, {N_GRID})[:, None]
plain = model.fit(X, y).predict(x)
hermite = model.fit(X, y, gradients=slopes).predict(x)
print("values missed by", np.sqrt(np.mean((model.predict(X) - y) ** 2)))
"""


def _exact(settings: Settings) -> str:
    common = _kernel(settings) | {
        "lam": repr(settings.estimate.lam),
        "mu": repr(settings.energy.mu),
    }
    space = settings.space
    own = {"n_landmarks": space.n_landmarks, "landmarks": space.landmarks,
           "random_state": space.random_state}  # fmt: skip
    line = f"np.linspace(0, 1, {N_GRID})[:, None]"
    places = "data.X" if settings.data.info.n_features > 1 else line
    inside = "".join(f", {name}={value!r}" for name, value in own.items())
    return f"""\
import numpy as np

from lapviz import ExactLaplacianRegressor, LaplacianRegressor, datasets

{_values(settings)}
common = {_call("dict", common)}
x = {places}
galerkin = LaplacianRegressor(**common{inside})
for name, model in [("Galerkin", galerkin), ("Exact", ExactLaplacianRegressor(**common))]:
    error = np.sqrt(np.mean((model.fit(data.X, y).predict(x) - data.target(x)) ** 2))
    print(f"{{name}}: error {{error:.4f}}")
"""


def _manifold(settings: Settings) -> str:
    estimate = settings.estimate
    names = ("lam", "data_term", "filter", "fit_intercept")
    weights = {name: repr(getattr(estimate, name)) for name in names}
    learnt = _fit_arguments(settings.change(operator="tangent"))
    common = {k: v for k, v in learnt.items() if k != "operator"} | weights
    return f"""\
import numpy as np

{_imports(settings.change(operator="tangent"), "LaplacianRegressor")}

{_values(settings)}
unknown = np.isnan(y)
common = {_call("dict", common)}
for name, operator in [("ambient", "laplacian"), ("tangents", {learnt["operator"]})]:
    model = LaplacianRegressor(operator=operator, **common).fit(data.X, y)
    error = np.sqrt(np.mean((model.predict(data.X) - data.values)[unknown] ** 2))
    print(f"{{name}}: error {{error:.2f}}")
"""


_SCRIPTS = {"stop": _stop, "slopes": _slopes, "exact": _exact, "manifold": _manifold}
