"""
A sphere, and a spectrum that is known
======================================

On the sphere the eigenvalues are s(s + 1), each 2s + 1 times: 0, 2, 2, 2, 6, 6, 6, 6, 6. The
derivative along the radius must not count (GAL23, §7.1, with the tangential energy).
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_4_sphere.png"

from lapviz import GalerkinEmbedding, datasets, figures, metrics

data = datasets.load("sphere", n_samples=4000, random_state=0)
for operator in ("laplacian", "sphere", "tangent"):
    model = GalerkinEmbedding(
        n_components=9, kernel="polynomial", degree=3, operator=operator, random_state=0
    ).fit(data.X)
    error = metrics.spectral_error(data.truth.eigenvalues[:9], model.eigenvalues_)
    print(f"{operator}: error of the spectrum {error:.2f}")

# %%
# The fourth function of degree 2, with tangents learnt from the points:
figures.sphere(data.X, model.transform(data.X)[:, 7])
