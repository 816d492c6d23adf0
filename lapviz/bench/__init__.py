"""Benchmarks: ``python -m lapviz.bench``, and ``--live`` for the explorer in a browser.

Each task runs in a process of its own, with one BLAS thread; a time is the median of five runs, in
CPU seconds of the timed call alone (imports, data and compilation excluded); memory is the peak
resident size of that process, everything included.

:mod:`lapviz.bench.tasks` has the timed code, :mod:`lapviz.bench.measure` takes times and memory,
:mod:`lapviz.bench.child` runs a task in its own process, :mod:`lapviz.bench.cases` has the
comparisons and their bounds, :mod:`lapviz.bench.report` the table and README's check,
:mod:`lapviz.bench.live` drives the browser.
"""
