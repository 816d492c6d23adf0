"""
A table with two labels of each kind
====================================

Wine: 178 bottles, 13 measurements, three kinds, six labels. Nothing is set by hand.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/plot_5_tables.png"

from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from lapviz import LaplacianClassifier, datasets, live

data = datasets.load("wine", random_state=0)
y = data.semi_supervised_target()
hidden = y < 0
model = LaplacianClassifier(random_state=0).fit(data.X, y)
print(model.report_)

# %%
# Beside two of scikit-learn's classifiers:
svc = SVC().fit(data.X[~hidden], y[~hidden])
spreading = LabelSpreading(kernel="knn", n_neighbors=7).fit(data.X, y)
for name, it in {"lapviz": model, "SVC": svc, "label spreading": spreading}.items():
    print(f"{name}: {(it.predict(data.X) == data.y)[hidden].mean():.2f}")

# %%
# In the plane of the first two principal components:
live(model, data.X, y, title="Wine from six labels")
