"""*Copy as Python* of the Regression page."""

from __future__ import annotations

from lapviz.experiments.stopping import N_ITERATIONS
from lapviz.explorer.pages.regression import steps, stop
from lapviz.explorer.pages.regression.steps import N_GRID
from lapviz.explorer.settings.records import ALONE, Settings
from lapviz.explorer.share import script
from lapviz.explorer.share.script import arguments_of, as_source, call


def regression(settings: Settings) -> str:
    """Script of the page for the topic in the settings."""
    return script.with_imports(_SCRIPTS[settings.regression.topic](settings))


def _values(settings: Settings) -> str:
    """Lines that load the data and mask the values that are not known."""
    load = script.data(settings.change(per_class=None))
    known = settings.regression.known
    every = known is None or known >= settings.data.n_samples
    mask = "" if every else f"y[{known}:] = np.nan  # unlabelled\n"
    return f"{load}\ny = data.values.copy()\n{mask}"


def _line(settings: Settings) -> str:
    low, high = steps.line(settings)[[0, -1], 0]
    return f"np.linspace({low:.17g}, {high:.17g}, {N_GRID})[:, None]"


def _stop(settings: Settings) -> str:
    spec = settings.regression
    _, stops, constants = stop.all_paths(settings)
    tau = {} if spec.tau == "auto" else {"tau": spec.tau}
    fitted = {"dimension": (constants["s"], constants["D"]), "regularity": constants["r"]}
    if spec.unlabelled == "response":
        fitted["source_norm"] = constants["rho"]
    rules = {
        "(8)": {"stopping": "discrepancy"} | tau,
        "(9)": {"stopping": "threshold"} | tau,
        "(9) fitted": {"stopping": "threshold"} | tau | fitted,
        "Hold-out": {"stopping": "holdout"},
    }
    lines = "".join(
        f'    ("{name}", dict({", ".join(f"{key}={value!r}" for key, value in rule.items())})),\n'
        for name, rule in rules.items()
        if name in stops
    )
    known = "np.isfinite(y)"
    centred = f"y[{known}] - model.target_mean_"
    if spec.unlabelled == "response":
        centred = f"np.nan_to_num(y - model.target_mean_) * (len(y) / {known}.sum())"
    return f"""\
{_values(settings)}
x = {_line(settings)}
common = {arguments_of(stop.cg(settings))}

# all iterates at once, from the eigenvalues of the kernel matrix
model = KernelCGRegressor(**common, stopping="fixed").fit(data.X, y)
spectrum = kernel_filters.kernel_spectrum(model.kernel_(model.X_fit_, model.X_fit_))
response = {centred}
path = kernel_filters.krylov_path_of(spectrum, response, {N_ITERATIONS})
curves = path.predict(model.kernel_(x, model.X_fit_)) + model.target_mean_
errors = np.sqrt(np.mean((curves.T - data.target(x)) ** 2, axis=1))

# where the rules stop, and the first iterate that the truth would choose
for name, rule in [
{lines}]:
    stopped = KernelCGRegressor(**common, **rule).fit(data.X, y)
    m = min(stopped.n_iterations_, path.n_iterations)
    print(f"{{name}}: m = {{m}}, error {{errors[m]:.4f}}")
best = (errors <= errors.min() * (1 + 1e-6)).argmax()
print(f"Truth: m = {{best}}, error {{errors[best]:.4f}}")

# every method on the same kernel matrix, at the best place on its path
grids = {{
    "cg": np.arange({N_ITERATIONS + 1}),
    "pls": np.arange({N_ITERATIONS + 1}),
    "ridge": np.geomspace(1, 1e-7, 40),
    "pcr": np.arange(40),
    "boosting": np.unique(np.geomspace(1, 1e6, 60).astype(int)),
}}
for method, grid in grids.items():
    path = kernel_filters.kernel_filters(spectrum, response, method, grid)
    values = path.predict(model.kernel_(x, model.X_fit_)).T + model.target_mean_
    at_place = np.sqrt(np.mean((values - data.target(x)) ** 2, axis=1))
    best = (at_place <= at_place.min() * (1 + 1e-6)).argmax()
    print(f"{{kernel_filters.METHODS[method]}}: {{grid[best]:.3g}}, error {{at_place[best]:.4f}}")
"""


def _slopes(settings: Settings) -> str:
    X, y, slopes = (a.tolist() for a in steps.given(settings))
    slopes = str([[slope] for slope in slopes]).replace("nan", "np.nan")
    return f"""\
X = np.array({X})
y = np.array({y})
slopes = np.array({slopes})
model = {as_source(steps.hermite(settings))}
x = np.linspace(0, 1, {N_GRID})[:, None]
plain = model.fit(X, y).predict(x)
hermite = model.fit(X, y, gradients=slopes).predict(x)
print("values missed by", np.sqrt(np.mean((model.predict(X) - y) ** 2)))
"""


def _exact(settings: Settings) -> str:
    relevant = steps.relevant(settings)
    models = {"Galerkin": steps.galerkin(relevant, steps.n_functions(settings))}
    if not steps.why_not_exact(settings):
        models["Exact"] = steps.exact(relevant)
    lines = "".join(f"{name.lower()} = {as_source(model)}\n" for name, model in models.items())
    pairs = ", ".join(f'("{name}", {name.lower()})' for name in models)
    return f"""\
{_values(settings)}
x = {"data.X" if settings.data.info.n_features > 1 else _line(settings)}
{lines}for name, model in [{pairs}]:
    error = np.sqrt(np.mean((model.fit(data.X, y).predict(x) - data.target(x)) ** 2))
    print(f"{{name}}: error {{error:.4f}}")
"""


def _manifold(settings: Settings) -> str:
    lam = settings.estimate.lam
    options = script.space_and_energy(settings.change(operator="tangent", also=ALONE))
    tangent = script.as_source(options.pop("operator"))
    common = call("dict", options | {"lam": lam}, of="LaplacianRegressor")
    return f"""\
{_values(settings)}
scored = np.isnan(y) if np.isnan(y).any() else np.isfinite(y)
common = {common}
by_method = {{}}
for name, operator in [("Ambient gradient", "laplacian"), ("Learnt tangents", {tangent})]:
    model = LaplacianRegressor(operator=operator, **common).fit(data.X, y)
    by_method[name] = model.predict(data.X)

# kernel ridge on the known values alone, with the ridge λμ
known, kernel = np.isfinite(y), model.kernel_
mean, weight = y[known].mean(), {lam!r} * model.mu_
ridge = estimates.ridge_on_labels(kernel, data.X[known], y[known] - mean, weight)
by_method["Kernel ridge"] = kernel(data.X, data.X[known]) @ ridge + mean

for name, predicted in by_method.items():
    error = np.sqrt(np.mean((predicted - data.values)[scored] ** 2))
    print(f"{{name}}: error {{error:.2f}}")
"""


_SCRIPTS = {"stop": _stop, "slopes": _slopes, "exact": _exact, "manifold": _manifold}
