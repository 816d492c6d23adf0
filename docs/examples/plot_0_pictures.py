"""
Twenty live pictures
====================

At most ten lines each, run when this page was built. Each picture is interactive: drag λ, click
a point to label it, zoom with the buttons above it.

`See it`_ · `Why it works`_ · `When it fails`_ · `On real data`_
"""

# %%
# See it
# ------
#
# Four labels on four circles
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~
# Two classes, 1000 points, four labels. Each label spreads along its circle.

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_0_pictures.png"

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=1000, random_state=0)
y = data.semi_supervised_target()  # -1: unlabelled
settings = {"operator": "laplacian", "bandwidth": 0.2, "n_landmarks": 400, "mu": 1e-3}
model = LaplacianClassifier(**settings, random_state=0).fit(data.X, y)
live(model, data.X, y, title="Four labels, four circles")

# %%
# The same without the unlabelled points
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
# A support vector machine sees only the four labels. Any scikit-learn classifier can be shown.

from sklearn.svm import SVC

from lapviz import datasets, live

data = datasets.load("four_circles", n_samples=1000, random_state=0)
y = data.semi_supervised_target()
model = SVC(gamma=1).fit(data.X[y >= 0], y[y >= 0])
live(model, data.X, y, title="Four labels, and nothing else")

# %%
# Half-moons
# ~~~~~~~~~~
# Remove a label, and put it somewhere else.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("half_moons", n_samples=400, noise=0.1, random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(operator="laplacian", random_state=0).fit(data.X, y)
live(model, data.X, y, title="Two half-moons")

# %%
# Candidates instead of labels
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
# Every fifth point names two of four classes, and one of them is wrong.

import numpy as np

from lapviz import PartialLabelClassifier, datasets, live

data = datasets.load("blobs", n_samples=300, random_state=0)
wrong = (data.y + np.random.default_rng(0).integers(1, 4, len(data.y))) % 4
pairs = map(set, zip(data.y, wrong, strict=True))
candidates = [pair if i % 5 == 0 else None for i, pair in enumerate(pairs)]
model = PartialLabelClassifier(random_state=0).fit(data.X, candidates)
live(model, data.X, title="Two candidates each")

# %%
# Which point to label next?
# ~~~~~~~~~~~~~~~~~~~~~~~~~~
# One label per class at the start, then four queries.

from lapviz import LaplacianClassifier, datasets, live, next_label

data = datasets.load("four_circles", n_samples=1000, labels_per_class=1, random_state=0)
y = data.semi_supervised_target()
settings = {"operator": "laplacian", "bandwidth": 0.2, "n_landmarks": 400, "mu": 1e-3}
model = LaplacianClassifier(**settings, random_state=0)
for _ in range(4):
    row = next_label(model.fit(data.X, y), data.X, y, criterion="change").next
    y[row] = data.y[row]
live(model.fit(data.X, y), data.X, y, title="Six labels, four of them asked for")

# %%
# Why it works
# ------------
#
# Functions that vary least
# ~~~~~~~~~~~~~~~~~~~~~~~~~
# The second separates the moons at almost no cost; the others are waves along them.

from lapviz import GalerkinEmbedding, datasets, live

data = datasets.load("half_moons", n_samples=600, noise=0.05, random_state=0)
embedding = GalerkinEmbedding(n_components=4, random_state=0).fit(data.X)
live(embedding, data.X, title="Eigenfunctions of two half-moons")

# %%
# Hermite polynomials, from points
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
# For normal data the eigenvalues are 0, 1, 1, 2, …

from lapviz import GalerkinEmbedding, datasets, live

data = datasets.load("gaussian", n_samples=2000, random_state=0)
embedding = GalerkinEmbedding(n_components=4, random_state=0).fit(data.X)
live(embedding, data.X, title="Eigenfunctions of normal data")

# %%
# Spherical harmonics
# ~~~~~~~~~~~~~~~~~~~
# The energy counts slopes along the sphere: 0, then 2 three times.

from lapviz import GalerkinEmbedding, datasets, live

data = datasets.load("sphere", n_samples=1000, random_state=0)
model = GalerkinEmbedding(n_components=4, kernel="polynomial", operator="sphere", random_state=0)
live(model.fit(data.X), data.X, title="Eigenfunctions of a sphere")

# %%
# A roll, unrolled
# ~~~~~~~~~~~~~~~~
# With learnt tangents a function varies along the sheet, never from one turn to the next.

from lapviz import GalerkinEmbedding, datasets, live

data = datasets.load("swiss_roll", n_samples=1000, random_state=0)
model = GalerkinEmbedding(n_components=4, n_landmarks=300, operator="tangent", random_state=0)
live(model.fit(data.X), data.X, title="Eigenfunctions of a Swiss roll")

# %%
# Waves on a ring
# ~~~~~~~~~~~~~~~
# A few waves are enough to build any smooth function on a ring, and few labels to choose them.

import numpy as np

from lapviz import GalerkinEmbedding, live

angle = np.random.default_rng(0).uniform(0, 2 * np.pi, 500)
X = np.column_stack([np.cos(angle), np.sin(angle)]) * (1 + 0.03 * np.sin(99 * angle))[:, None]
live(GalerkinEmbedding(n_components=4, random_state=0).fit(X), X, title="Waves on a ring")

# %%
# When it fails
# -------------
#
# Noise across the circles
# ~~~~~~~~~~~~~~~~~~~~~~~~
# Change across a thick circle costs as much as change along it: the labels do not get round.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=2000, noise=0.1, random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(operator="laplacian", random_state=0).fit(data.X, y)
live(model, data.X, y, title="Change in every direction costs")

# %%
# The cure: learnt tangents
# ~~~~~~~~~~~~~~~~~~~~~~~~~
# Only change along the data costs, in directions that the points themselves give.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=2000, noise=0.1, random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(operator="tangent", random_state=0).fit(data.X, y)
live(model, data.X, y, title="Change along the data costs")

# %%
# A reach that is too small
# ~~~~~~~~~~~~~~~~~~~~~~~~~
# With σ = 0.05 a point hardly sees the next one: the labels get round the small circles only.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=1000, random_state=0)
y = data.semi_supervised_target()
settings = {"operator": "laplacian", "bandwidth": 0.05, "n_landmarks": 400, "mu": 1e-3}
model = LaplacianClassifier(**settings, random_state=0).fit(data.X, y)
live(model, data.X, y, title="σ = 0.05")

# %%
# A constant that costs nothing
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
# It looks harmless, but far from the labels the estimate decays to it instead of to 0.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("four_circles", n_samples=1000, random_state=0)
y = data.semi_supervised_target()
settings = {"operator": "laplacian", "bandwidth": 0.2, "n_landmarks": 400, "mu": 1e-3}
model = LaplacianClassifier(**settings, fit_intercept=True, random_state=0).fit(data.X, y)
live(model, data.X, y, title="An unpenalised constant")

# %%
# Too many steps
# ~~~~~~~~~~~~~~
# With every point labelled, conjugate gradient has to stop early. Move m to the left, where the
# curve does not yet follow the noise.

import numpy as np

from lapviz import KernelCGRegressor, datasets, live

rng, data = np.random.default_rng(1), datasets.load("waves")
X = rng.uniform(data.X.min(), data.X.max(), size=(100, 1))
y = data.target(X) + 0.5 * rng.normal(size=100)
model = KernelCGRegressor(bandwidth=0.2, stopping="fixed", n_iterations=50).fit(X, y)
live(model, X, y, title="Conjugate gradient, to the end")

# %%
# Classes that are no clusters
# ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
# One cloud whose middle is a class of its own: there is no gap to follow.

import numpy as np
from sklearn.datasets import make_gaussian_quantiles

from lapviz import LaplacianClassifier, live

X, truth = make_gaussian_quantiles(n_samples=400, n_classes=2, random_state=0)
y = np.where(np.arange(400) < 8, truth, -1)
model = LaplacianClassifier(operator="laplacian", random_state=0).fit(X, y)
live(model, X, y, title="A class around another, without a gap")

# %%
# On real data
# ------------
#
# Wine
# ~~~~
# 178 bottles, 13 measurements, three kinds, six labels; nothing is set by hand.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("wine", random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(random_state=0).fit(data.X, y)
live(model, data.X, y, title="Wine from six labels")

# %%
# Handwritten digits
# ~~~~~~~~~~~~~~~~~~
# 64 pixels each, two labels of every digit.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("digits", n_samples=1000, random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(random_state=0).fit(data.X, y)
live(model, data.X, y, title="Digits from twenty labels")

# %%
# Penguins
# ~~~~~~~~
# Three species, four measurements.

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("penguins", random_state=0)
y = data.semi_supervised_target()
model = LaplacianClassifier(random_state=0).fit(data.X, y)
live(model, data.X, y, title="Penguins from six labels")

# %%
# Values in place of classes
# ~~~~~~~~~~~~~~~~~~~~~~~~~~
# Progression of diabetes after a year, known for 100 of 442 people.

import numpy as np
from sklearn.datasets import load_diabetes

from lapviz import LaplacianRegressor, live

X, truth = load_diabetes(return_X_y=True)
y = np.where(np.arange(442) < 100, truth, np.nan)
model = LaplacianRegressor(random_state=0).fit(X, y)
live(model, X, y, title="Diabetes from 100 values")
