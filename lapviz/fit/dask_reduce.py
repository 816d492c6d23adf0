"""Sums over the chunks of Dask collections: a few long tasks, and a tree of merges.

    chunks  0 1 2 3 4 5 │ 6 7 8 9 10 11      of each group: load a chunk, add it, drop it
            └─group 0─┘   └──group 1──┘      one task per group
                    └── merge ──┘            in pairs, until one is left

One sum per chunk would be one p×p matrix per chunk, and with chains of small tasks workers would
load chunks ahead of those that add them. So a group's task contains the graph of its chunks and
runs it itself, chunk by chunk: at any time a thread holds one chunk and one sum. Values that
several groups need (a mean that all chunks subtract), and data already on the cluster, are
dependencies of the task and handled by Dask. Everything is in the graph, nothing is scattered: if
a worker dies, its groups are run again elsewhere.
"""

# Dask's type hints are partial: pyright does not know what it exports.
# pyright: reportPrivateImportUsage=false, reportCallIssue=false

from __future__ import annotations

import logging
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
from threadpoolctl import threadpool_limits

GROUPS_PER_THREAD = 2  # so that a slow worker can take fewer
_LOG = logging.getLogger("lapviz")


class WorkerLostWarning(UserWarning):
    """Warning that a worker was lost; its part was computed again, and the result is complete."""


def total(arrays: Sequence, start: Callable[[], Any], client=None) -> Any:
    """The sum over all chunks of row-aligned arrays.

    Parameters
    ----------
    arrays : sequence of dask arrays
        The same chunks of rows in each, one chunk of columns.
    start : callable
        Returns an empty sum: an object with ``update(*blocks)`` and ``merge(other)``.
    client : distributed.Client, optional
        By default Dask's current client or scheduler.

    Returns
    -------
    object
        The sum.
    """
    from dask.delayed import Delayed

    threads = n_threads(client)
    graph, outer = _graph(arrays, start, GROUPS_PER_THREAD * threads)
    return compute(Delayed(outer, graph), client=client)[0]


def compute(*lazy, client=None) -> tuple:
    """Compute with one BLAS thread for each of Dask's, and warn if workers were lost."""
    import dask

    client = current(client)
    if client is None:
        with one_blas_thread():
            return dask.compute(*lazy)
    with _warn_of_lost_workers(client):
        return dask.compute(*lazy, scheduler=client)


def current(client=None):
    """The given client, or Dask's current one; None for threads or processes."""
    from dask.base import get_scheduler

    if client is not None and not hasattr(client, "get_events"):
        raise ValueError(
            "client must be a distributed.Client, or None for Dask's current one; got "
            f"{str(client)[:60]}."
        )
    return client if client is not None else getattr(get_scheduler(), "__self__", None)


def n_threads(client=None) -> int:
    """Number of threads that compute concurrently."""
    import dask
    from dask.system import CPU_COUNT

    client = current(client)
    if client is not None:
        return max(sum(client.nthreads().values()), 1)
    if dask.config.get("scheduler", None) in ("synchronous", "single-threaded", "sync"):
        return 1
    return dask.config.get("num_workers", None) or CPU_COUNT


def _graph(arrays: Sequence, start: Callable, n_groups: int) -> tuple[dict, str]:
    """A graph of groups and merges, and the key of its result."""
    import dask
    from dask.core import flatten

    graph = {}
    for array in arrays:  # an optimised graph no longer contains data already on the cluster
        nodes = dict(array.__dask_graph__())
        graph |= {key: task for key, task in nodes.items() if not _is_task(task)}
    arrays = dask.optimize(*arrays)
    for array in arrays:
        graph |= dict(array.__dask_graph__())
    chunks = list(zip(*(flatten(array.__dask_keys__()) for array in arrays), strict=True))
    dependencies = {key: _dependencies(task, graph) & graph.keys() for key, task in graph.items()}
    groups = [list(part) for part in _partition(chunks, arrays[0].chunks[0], n_groups)]
    outputs = [[key for chunk in group for key in chunk] for group in groups]
    closures = [_closure(keys, dependencies) for keys in outputs]
    n_users = Counter(key for keys in closures for key in keys)
    common = frozenset(k for k, task in graph.items() if n_users[k] > 1 or not _is_task(task))
    name, tasks = f"lapviz-rows-{uuid4().hex}", {}
    for i, (group, keys) in enumerate(zip(groups, outputs, strict=True)):
        private = _closure(keys, dependencies, common)
        inputs = {*keys, *(k for key in private for k in dependencies[key])}
        shared = sorted(inputs & common, key=str)
        body = ChunkGroup({key: graph[key] for key in private}, group, shared)
        tasks[f"{name}-{i}"] = (partial(body, start), shared)
    for key in _closure([k for _, shared in tasks.values() for k in shared], dependencies):
        tasks[key] = graph[key]
    keys_left, level = [f"{name}-{i}" for i in range(len(groups))], 0
    while len(keys_left) > 1:
        merged = []
        for i, pair in enumerate(keys_left[k : k + 2] for k in range(0, len(keys_left), 2)):
            merged.append(pair[0] if len(pair) == 1 else f"{name}-merge-{level}-{i}")
            if len(pair) == 2:
                tasks[merged[-1]] = (partial(_merged, start), *pair)
        keys_left, level = merged, level + 1
    return tasks, keys_left[0]


class ChunkGroup:
    """The graph of a group of chunks, to be loaded and added one after the other.

    Parameters
    ----------
    graph : dict, tasks that no other group needs
    chunks : list of tuples of keys, one tuple for each call of ``update``
    shared : list of keys whose values are passed to the call
    """

    def __init__(self, graph: dict, chunks: list[tuple], shared: list):
        self.graph, self.chunks, self.shared = graph, chunks, shared

    def __call__(self, start: Callable[[], Any], values: list) -> Any:
        """The sum over the chunks."""
        total = start()
        with one_blas_thread():
            for blocks in self._blocks(dict(zip(self.shared, values, strict=True))):
                if len(blocks[0]):
                    total.update(*blocks)
        return total

    def _blocks(self, known: dict) -> Iterator[tuple]:
        """Yield the chunks; values that several need are computed once and kept while needed."""
        import dask
        from dask.core import quote

        dependencies = {key: _dependencies(task, self.graph) for key, task in self.graph.items()}
        closures = [_closure(keys, dependencies) for keys in self.chunks]
        uses_left = Counter(key for keys in closures for key in keys)
        for keys, closure in zip(self.chunks, closures, strict=True):
            uses_left.subtract(closure)
            kept = [key for key in closure if uses_left[key] > 0 and key not in known]
            tasks = {key: self.graph[key] for key in closure if key not in known}
            constants = {key: quote(value) for key, value in known.items()}
            values = dask.get({**tasks, **constants}, [*keys, *kept])
            known.update(zip(kept, values[len(keys) :], strict=True))
            for key in closure:
                if uses_left[key] == 0:
                    known.pop(key, None)
            yield tuple(values[: len(keys)])
            del values


def _merged(start: Callable, *sums: object) -> Any:
    """A new sum, since Dask may need its parts again."""
    total = start()
    for part in sums:
        total.merge(part)
    return total


def _partition(chunks: list, sizes: Sequence[int], count: int) -> Iterator[list]:
    """Contiguous groups of chunks with about equally many rows."""
    ends = np.cumsum(sizes)
    middles = ends - 0.5 * np.asarray(sizes)
    group = np.minimum((middles * count / max(ends[-1], 1)).astype(int), count - 1)
    for i in np.unique(group):
        yield [chunks[k] for k in np.flatnonzero(group == i)]


def _dependencies(task, graph: dict) -> set:
    from dask.core import get_dependencies

    if not _is_task(task):
        return set()
    return set(getattr(task, "dependencies", None) or get_dependencies(graph, task=task))


def _is_task(task) -> bool:
    """Whether it is to be run, rather than data or a future."""
    from dask._task_spec import DataNode, GraphNode

    if isinstance(task, GraphNode):
        return not isinstance(task, DataNode)
    return isinstance(task, tuple) and bool(task) and callable(task[0])


def _closure(keys, dependencies: dict[object, set], exclude=frozenset()) -> list:
    """The keys and all their dependencies, without those in ``exclude``."""
    closure, todo = {}, [key for key in keys if key not in exclude]
    while todo:
        key = todo.pop()
        if key in dependencies and key not in closure:
            closure[key] = None
            todo.extend(dependencies[key].difference(exclude))
    return list(closure)


@contextmanager
def _warn_of_lost_workers(client) -> Iterator[None]:
    """Warn if a worker was lost meanwhile."""
    begin = max((time for time, _ in client.get_events("all")), default=0.0)
    yield
    lost = {
        str(event.get("worker"))
        for time, event in client.get_events("all")
        if time > begin and isinstance(event, dict) and event.get("action") == "remove-worker"
    }
    if lost:
        workers = "worker of the cluster was" if len(lost) == 1 else "workers of the cluster were"
        text = (
            f"{len(lost)} {workers} lost meanwhile ({', '.join(sorted(lost))}). The work done "
            "there was repeated: the result is complete."
        )
        _LOG.warning(text)
        warnings.warn(text, WorkerLostWarning, stacklevel=2)


_LIMIT: list[Any] = [None]
_LOCK, _INSIDE = threading.Lock(), [0]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """One BLAS thread for each thread of Dask, process-wide, while any thread is inside."""
    with _LOCK:
        _INSIDE[0] += 1
        if _INSIDE[0] == 1:
            _LIMIT[0] = threadpool_limits(1, user_api="blas")
    try:
        yield
    finally:
        with _LOCK:
            _INSIDE[0] -= 1
            if not _INSIDE[0]:
                _LIMIT[0].restore_original_limits()
