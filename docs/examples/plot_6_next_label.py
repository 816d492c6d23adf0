"""
Which point to label next
=========================

Starting from one label per class, ask which point would be most informative, label it, and ask
again (SSL21, §5).
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_6_next_label.png"

import numpy as np

from lapviz import LaplacianClassifier, datasets, live, next_label

data = datasets.load("four_circles", n_samples=800, random_state=0)
y = np.full(len(data.X), -1)
y[[np.flatnonzero(data.y == code)[5] for code in (0, 1)]] = 0, 1
settings = {"operator": "laplacian", "bandwidth": 0.2, "n_landmarks": 500, "lam": 1.0, "mu": 1e-3}
for _ in range(6):
    model = LaplacianClassifier(**settings, random_state=0).fit(data.X, y)
    right = (model.predict(data.X) == data.y)[y < 0].mean()
    print(f"{(y >= 0).sum()} labels: {right:.2f} right")
    asked = next_label(model, data.X, y, criterion="change").next
    y[asked] = data.y[asked]  # somebody answers

# %%
live(model, data.X, y, title="Labels where they were asked for")
