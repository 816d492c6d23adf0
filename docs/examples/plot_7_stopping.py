"""
Conjugate gradient, stopped early
=================================

With every point labelled, early stopping is the regularisation (KCG10): after too few steps the
estimate is flat, after too many it follows the noise. A hold-out set finds a good step.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_7_stopping.png"

import numpy as np

from lapviz import KernelCGRegressor, datasets, live

data = datasets.load("waves")
rng = np.random.default_rng(1)
X = rng.uniform(data.X.min(), data.X.max(), size=(100, 1))
noisy = data.target(X) + 0.5 * rng.normal(size=100)


def error(model):
    return np.sqrt(np.mean((model.predict(data.X) - data.target(data.X)) ** 2))


settings = {"bandwidth": 0.2, "random_state": 0}
for m in (2, 8, 50):
    fitted = KernelCGRegressor(stopping="fixed", n_iterations=m, **settings).fit(X, noisy)
    print(f"{m} steps: root mean square error {error(fitted):.2f}")

held = KernelCGRegressor(stopping="holdout", **settings).fit(X, noisy)
print(f"hold-out stops after {held.n_iterations_}: {error(held):.2f}")

# %%
live(held, X, noisy, title="Stopped by a hold-out set")
