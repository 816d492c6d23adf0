"""Parquet decoded in a process of its own, since a damaged file can crash the decoder.

    file's bytes ─> stdin of the child ─> columns ─> frames on its stdout ─> columns

A frame is a letter, a length of 8 bytes and so many bytes: P progress, E the sentence of an error,
H the columns' records as JSON, V the values of a column, T its texts. Nothing is pickled. The child
has bounds on memory and processor time where the system knows them; without processes (in a
browser) the file is decoded in place.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np

from lapviz import progress
from lapviz.tables.limits import MIB, Limits
from lapviz.tables.parquet import BROKEN, read_parquet
from lapviz.tables.records import Column
from lapviz.tables.sources import Source, seekable

ADDRESSES = 3 << 30  # bytes of address space of the child
FRAME = 1 << 30  # bytes; a longer one is nonsense
SECONDS = 120  # of processor time
FIELDS = ("name", "kind", "n_missing", "n_distinct", "identifier", "done", "words")


def read_isolated(source: Source, limits: Limits) -> tuple[list[Column], list[str]]:
    """Columns of a Parquet file and what was done; see :func:`read_parquet`."""
    file = seekable(source, limits)
    paths = filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # takes no addresses in advance
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-P", "-m", "lapviz.tables.isolated"]
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip
    except (OSError, ValueError):
        return read_parquet(source, limits)
    try:
        return _answer(child, file, limits)
    finally:
        child.kill()
        for pipe in filter(None, (child.stdin, child.stdout)):
            with suppress(OSError):  # what is not yet written has no reader
                pipe.close()
        child.wait()


def _answer(child: subprocess.Popen, file, limits: Limits) -> tuple[list[Column], list[str]]:
    import pyarrow as pa

    assert child.stdin is not None  # they are pipes
    try:
        _send(child.stdin, b"L", json.dumps(asdict(limits)).encode())
        while chunk := file.read(MIB):
            child.stdin.write(chunk)
        child.stdin.close()
        records, values, texts = None, [], {}
        for kind, content in _frames(child.stdout):
            if kind == b"P":
                progress.report(*json.loads(content))
            elif kind == b"E":
                raise ValueError(content.decode())
            elif kind == b"H":
                records = json.loads(content)
            elif kind == b"V":
                values.append(np.load(io.BytesIO(content), allow_pickle=False))
            elif kind == b"T":
                batch = next(pa.ipc.open_stream(content))
                batch.validate(full=True)
                texts[len(values) - 1] = batch.column(0)
    except (OSError, EOFError, pa.ArrowException) as error:
        raise ValueError(BROKEN) from error
    if records is None or len(values) != len(records["columns"]):
        raise ValueError(BROKEN)
    columns = [
        Column(**record, values=array, texts=texts.get(place))
        for place, (record, array) in enumerate(zip(records["columns"], values, strict=True))
    ]
    return columns, records["done"]


def _send(file, kind: bytes, content: bytes) -> None:
    file.write(kind + len(content).to_bytes(8, "little"))
    file.write(content)
    file.flush()


def _frames(file) -> Iterator[tuple[bytes, bytes]]:
    while kind := file.read(1):
        length = int.from_bytes(file.read(8), "little")
        content = file.read(length) if length < FRAME else b""
        if len(content) < length:
            raise EOFError
        yield kind, content


def _limit() -> None:
    try:
        import resource
    except ImportError:
        return
    for what, bound in ((resource.RLIMIT_AS, ADDRESSES), (resource.RLIMIT_CPU, SECONDS),
                        (resource.RLIMIT_CORE, 0)):  # fmt: skip
        _, most = resource.getrlimit(what)
        least = bound if most == resource.RLIM_INFINITY else min(bound, most)
        resource.setrlimit(what, (least, most))


def main() -> None:
    """The child: a file on stdin, frames on stdout."""
    import pyarrow as pa

    _limit()
    out = sys.stdout.buffer
    head = sys.stdin.buffer.read(9)
    limits = Limits(**json.loads(sys.stdin.buffer.read(int.from_bytes(head[1:], "little"))))
    content = io.BytesIO(sys.stdin.buffer.read())

    def tell(report: progress.Report) -> None:
        _send(out, b"P", json.dumps([report.what, report.done, report.total]).encode())

    try:
        with progress.listening(tell):
            columns, done = read_parquet(Source(content, "", None), limits)
    except ValueError as error:
        _send(out, b"E", str(error).encode())
        return
    except MemoryError:
        _send(out, b"E", b"The table does not fit into memory: take a part of its rows.")
        return
    records = [{name: getattr(column, name) for name in FIELDS} for column in columns]
    _send(out, b"H", json.dumps({"columns": records, "done": done}).encode())
    for column in columns:
        file = io.BytesIO()
        np.save(file, column.values, allow_pickle=False)
        _send(out, b"V", file.getvalue())
        if column.texts is not None:
            sink = pa.BufferOutputStream()
            batch = pa.record_batch([column.texts], names=["texts"])
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            _send(out, b"T", sink.getvalue().to_pybytes())


if __name__ == "__main__":
    main()
