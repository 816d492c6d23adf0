"""
Noise across a curve: learnt tangents
=====================================

With noise the gradient in the plane also penalises change from one side of a noisy circle to the
other. Derivatives along tangents, estimated by local PCA, do not.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_2_tangents.png"

from lapviz import LaplacianClassifier, datasets, figures

data = datasets.load("four_circles", n_samples=2000, noise=0.1, random_state=0)
y = data.semi_supervised_target()
models = {
    operator: LaplacianClassifier(operator=operator, random_state=0).fit(data.X, y)
    for operator in ("laplacian", "tangent")
}
for operator, model in models.items():
    print(f"{operator}: {(model.predict(data.X) == data.y)[y < 0].mean():.2f} right")

# %%
# Along the axes of the plane:
figures.decision(models["laplacian"], data.X, y)

# %%
# Along learnt tangents:
figures.decision(models["tangent"], data.X, y)
