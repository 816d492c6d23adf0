"""Benchmarks: ``python -m benchmarks`` in a checkout, and ``--live`` for the explorer in a browser.

Each task runs in its own process with one BLAS thread. A time is the median of five runs, in CPU
seconds of the timed call alone (imports, data and compilation excluded); memory is the peak
resident size of that process, everything included.

:mod:`benchmarks.tasks` has the timed code, :mod:`benchmarks.measure` measures time and memory,
:mod:`benchmarks.child` runs a task in its own process, :mod:`benchmarks.cases` has the comparisons
and their bounds, :mod:`benchmarks.report` the table and the check of its copy in the documentation,
:mod:`benchmarks.live` the explorer under its users. :mod:`benchmarks.weight` measures the size of
the code.
"""
