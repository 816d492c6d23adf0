"""The steps of :mod:`lapviz.fit` under one cache, in a queue, with progress and cancel."""
