"""
Four labels on four circles
===========================

Kernel ridge regression puts a bump around each label. The energy of the data's diffusion operator
carries a label along its circle (SSL21, Figure 1).
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_1_circles.png"

from sklearn.kernel_ridge import KernelRidge

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=1000, random_state=0)
y = data.semi_supervised_target()
labelled = y >= 0

ridge = KernelRidge(kernel="rbf", gamma=12.5, alpha=1e-3)
ridge.fit(data.X[labelled], 2 * y[labelled] - 1)
right = (ridge.predict(data.X) > 0) == data.y
print(f"kernel ridge: {right[~labelled].mean():.2f} right")

# %%
# Now with the energy: λ is its weight, and μ keeps the function small where there are no data.

model = LaplacianClassifier(
    operator="laplacian", bandwidth=0.2, n_landmarks=500, mu=1e-3, random_state=0
).fit(data.X, y)
print(f"kernel Laplacian: {(model.predict(data.X) == data.y)[~labelled].mean():.2f} right")

# %%
live(model, data.X, y, title="Four labels on four circles")
