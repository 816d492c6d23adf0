"""A cluster that loses a worker in mid-run: the same numbers, and a warning. Loopback only."""

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
    """Random rows, made in the graph; every chunk that is made is told in the folder ``tally``."""

    def make(block_info=None):
        (chunk, _) = block_info[None]["chunk-location"]
        with open(tally / str(os.getpid()), "a") as file:
            file.write(".")
        time.sleep(0.03)
        return np.random.default_rng(chunk).normal(size=(ROWS, 3))

    return da.map_blocks(
        make, chunks=((ROWS,) * N_CHUNKS, (3,)), dtype=float, meta=np.empty((0, 3))
    )


def second_pass_begun(tally):
    """The processes that have made chunks, by how many, once a second pass has begun."""
    for _ in range(12_000):  # a minute: a machine may be busy
        made = {int(path.name): path.stat().st_size for path in tally.iterdir()}
        if sum(made.values()) > N_CHUNKS + 6:
            break
        time.sleep(0.005)
    return made


def kill_one(tally, cluster):
    """Kill a worker that is in the middle of the second pass."""
    made = second_pass_begun(tally)
    os.kill(max(made, key=made.get), signal.SIGKILL)


def lose_one(tally, cluster):
    """Let the scheduler lose a worker when the second pass has begun."""
    second_pass_begun(tally)
    cluster.sync(cluster.scheduler.remove_worker, cluster.workers[0].address, stimulus_id="test")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("processes", "lose"),
    [
        pytest.param(False, lose_one, marks=pytest.mark.slow),
        pytest.param(True, kill_one, marks=pytest.mark.long),  # three that start, and import all
    ],
)
def test_a_worker_that_is_lost_costs_time_only(tmp_path, recwarn, processes, lose):
    tally, quiet = tmp_path / "tally", tmp_path / "quiet"
    tally.mkdir()
    quiet.mkdir()
    whole = np.vstack([np.random.default_rng(i).normal(size=(ROWS, 3)) for i in range(N_CHUNKS)])
    model = GalerkinEmbedding(n_components=6, kernel="exponential", random_state=0)
    expected = model.fit(whole).eigenvalues_
    options = {"processes": processes, "threads_per_worker": 1, "dashboard_address": None}
    local = distributed.LocalCluster(n_workers=2, **options)
    with local as cluster, distributed.Client(cluster) as client:
        loss = threading.Thread(target=lose, args=(tally, cluster))
        loss.start()
        with pytest.warns(fit.WorkerLostWarning, match="1 worker of the cluster was lost"):
            model.fit(rows(tally))
        loss.join()
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        if processes:  # which a nanny starts again
            client.wait_for_workers(2)
        recwarn.clear()
        model.fit(rows(quiet), client=client)
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        assert not [w for w in recwarn if issubclass(w.category, fit.WorkerLostWarning)]
        lazy = model.transform(rows(quiet))
        np.testing.assert_allclose(lazy.compute(), model.transform(whole), atol=1e-10)
