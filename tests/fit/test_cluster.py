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


def kill_one(tally):
    """Kill a worker that is in the middle of the second pass."""
    for _ in range(12_000):  # a minute: a machine may be busy
        made = {int(path.name): path.stat().st_size for path in tally.iterdir()}
        if sum(made.values()) > N_CHUNKS + 6:
            os.kill(max(made, key=made.get), signal.SIGKILL)
            return
        time.sleep(0.005)


@pytest.mark.slow
def test_a_worker_that_dies_costs_time_only(tmp_path, recwarn):
    tally, quiet = tmp_path / "tally", tmp_path / "quiet"
    tally.mkdir()
    quiet.mkdir()
    whole = np.vstack([np.random.default_rng(i).normal(size=(ROWS, 3)) for i in range(N_CHUNKS)])
    model = GalerkinEmbedding(n_components=6, kernel="exponential", random_state=0)
    expected = model.fit(whole).eigenvalues_
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        killer = threading.Thread(target=kill_one, args=(tally,))
        killer.start()
        with pytest.warns(fit.WorkerLostWarning, match="1 worker of the cluster was lost"):
            model.fit(rows(tally))
        killer.join()
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        client.wait_for_workers(2)
        recwarn.clear()
        model.fit(rows(quiet), client=client)
        np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-10, atol=1e-12)
        assert not [w for w in recwarn if issubclass(w.category, fit.WorkerLostWarning)]
        lazily = model.transform(rows(quiet))
        np.testing.assert_allclose(lazily.compute(), model.transform(whole), atol=1e-10)
