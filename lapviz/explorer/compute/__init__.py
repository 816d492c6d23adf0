"""The steps of :mod:`lapviz.fit` with a cache, a queue, progress reports and cancellation."""
