"""
Eigenfunctions of two half-moons
================================

Two arcs of length π: in the limit of small noise the eigenvalues are 0, 1, 4, 9, …, each twice.
The second one is not quite 0, because the arcs come near each other (GAL23, Figure 1).
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_3_moons.png"

import numpy as np

from lapviz import GalerkinEmbedding, datasets, figures, live

data = datasets.load("half_moons", n_samples=5000, noise=0.05, random_state=0)
embedding = GalerkinEmbedding(n_components=8, random_state=0).fit(data.X)
print(embedding.report_)

# %%
live(embedding, data.X[::5], title="The first eight eigenfunctions")

# %%
# Learnt against true:
figures.spectrum({"learnt": embedding.eigenvalues_}, truth=np.array(data.truth.eigenvalues[:8]))
