"""
Values and slopes
=================

Hermite regression: slopes are data, too. In the plane each is worth up to two values
(GAL23, §7.2).
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_8_slopes.png"

import numpy as np

from lapviz import HermiteRegressor, live


def surface(X):
    return np.sin(2.5 * X[:, 0]) * np.cos(2 * X[:, 1])


def slopes(X):
    return np.column_stack(
        [
            2.5 * np.cos(2.5 * X[:, 0]) * np.cos(2 * X[:, 1]),
            -2 * np.sin(2.5 * X[:, 0]) * np.sin(2 * X[:, 1]),
        ]
    )


rng = np.random.default_rng(0)
X, new = rng.uniform(-1, 1, size=(15, 2)), rng.uniform(-1, 1, size=(1000, 2))
without = HermiteRegressor(bandwidth=0.7, ridge=1e-8, random_state=0).fit(X, surface(X))
model = HermiteRegressor(bandwidth=0.7, ridge=1e-8, random_state=0)
model.fit(X, surface(X), gradients=slopes(X))
for name, it in {"values": without, "values and slopes": model}.items():
    print(f"{name}: error {np.sqrt(np.mean((it.predict(new) - surface(new)) ** 2)):.3f}")

# %%
live(model, X, surface(X), title="Fifteen values and slopes")
