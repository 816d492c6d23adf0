"""
Four labels, a thousand points
==============================

Text.
"""

from lapviz import LaplacianClassifier, datasets, figures, live

data = datasets.load("four_circles", n_samples=1000, noise=0.1)
y = data.semi_supervised_target()
model = LaplacianClassifier(operator="tangent", random_state=0).fit(data.X, y)
print((model.predict(data.X) == data.y).mean())

# %%
live(model, data.X, y)

# %%
figures.decision(model, data.X, y)
