"""Trains the networks that come with the explorer; needs the extra ``neural``."""

from lapviz.explorer.pages.eigenfunctions import weights

for name, settings in weights.examples().items():
    training = weights.training_of(settings)
    path = weights.save(name, training, weights.train(*training))
    print(f"{path.name}: {path.stat().st_size:,} bytes")
