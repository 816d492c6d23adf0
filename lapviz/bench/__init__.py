"""What lapviz costs: ``python -m lapviz.bench``, and ``--live`` for the explorer in a browser.

Each task runs in a process of its own, with one BLAS thread; a time is the median of five runs, in
CPU seconds of the timed call alone (imports, data and compilation excluded); memory is the peak
resident size of that process, everything included.

:mod:`lapviz.bench.tasks` says what is timed, :mod:`lapviz.bench.measure` how,
:mod:`lapviz.bench.child` where, :mod:`lapviz.bench.cases` what is compared with what and what must
hold; :mod:`lapviz.bench.live` drives the browser.
"""
