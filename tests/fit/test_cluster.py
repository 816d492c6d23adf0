"""A cluster that loses a worker during a fit: the same numbers, and a warning. Loopback only."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, fit

da = pytest.importorskip("dask.array", reason='install the extra: pip install -e ".[dask]"')
distributed = pytest.importorskip("distributed")

N_CHUNKS, ROWS = 24, 100


def rows(tally):
    """Random rows, generated in the graph; the folder ``tally`` counts the chunks generated."""

    def random_chunk(block_info=None):
        (chunk, _) = block_info[None]["chunk-location"]
        with open(tally / str(os.getpid()), "a") as file:
            file.write(".")
        time.sleep(0.03)
        return np.random.default_rng(chunk).normal(size=(ROWS, 3))

    return da.map_blocks(
        random_chunk, chunks=((ROWS,) * N_CHUNKS, (3,)), dtype=float, meta=np.empty((0, 3))
    )


def wait_for_second_pass(tally):
    """Wait until a second pass has begun; return the number of chunks of each process."""
    for _ in range(12_000):  # a minute: the machine may be busy
        counts = {int(path.name): path.stat().st_size for path in tally.iterdir()}
        if sum(counts.values()) > N_CHUNKS + 6:
            break
        time.sleep(0.005)
    return counts


def kill_one(tally, cluster):
    """Kill a worker in the middle of the second pass."""
    counts = wait_for_second_pass(tally)
    os.kill(max(counts, key=counts.get), signal.SIGKILL)


def lose_one(tally, cluster):
    """Let the scheduler lose a worker when the second pass has begun."""
    wait_for_second_pass(tally)
    cluster.sync(cluster.scheduler.remove_worker, cluster.workers[0].address, stimulus_id="test")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("processes", "lose"),
    [
        pytest.param(False, lose_one, marks=pytest.mark.slow),
        pytest.param(True, kill_one, marks=pytest.mark.long),  # starts three processes
    ],
)
def test_a_lost_worker_costs_time_only(tmp_path, recwarn, processes, lose):
    tally, quiet = tmp_path / "tally", tmp_path / "quiet"
    tally.mkdir()
    quiet.mkdir()
    X = np.vstack([np.random.default_rng(i).normal(size=(ROWS, 3)) for i in range(N_CHUNKS)])
    model = GalerkinEmbedding(n_components=6, kernel="exponential", random_state=0)
    expected = model.fit(X).eigenvalues_
    options = {"processes": processes, "threads_per_worker": 1, "dashboard_address": None}
    local = distributed.LocalCluster(n_workers=2, **options)
    with local as cluster, distributed.Client(cluster) as client:
        loss = threading.Thread(target=lose, args=(tally, cluster))
        loss.start()
        with pytest.warns(fit.WorkerLostWarning, match="1 worker of the cluster was lost"):
            model.fit(rows(tally))
        loss.join()
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        if processes:  # a nanny restarts the worker
            client.wait_for_workers(2)
        recwarn.clear()
        model.fit(rows(quiet), client=client)
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        assert not [w for w in recwarn if issubclass(w.category, fit.WorkerLostWarning)]
        lazy = model.transform(rows(quiet))
        np.testing.assert_allclose(lazy.compute(), model.transform(X), atol=1e-10)
