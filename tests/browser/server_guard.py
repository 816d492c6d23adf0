"""Servers end with the process that started them, however that one ends."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

# Reads process groups until its input closes, which it does when the starter is gone.
GUARD = 'while read -r group; do all="$all $group"; done; for g in $all; do kill -- "-$g"; done'


class ServerGuard:
    """``with ServerGuard() as guard``: call ``watch`` after each server that was started."""

    def __enter__(self) -> ServerGuard:
        self.seen: set[str] = set()
        self.process = subprocess.Popen(
            ["sh", "-c", GUARD],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        return self

    def watch(self) -> None:
        """Remember the children that lead a group of their own, as servers do (Linux alone)."""
        listed = Path(f"/proc/self/task/{os.getpid()}/children")
        if not listed.exists():
            return
        for child in set(listed.read_text().split()) - self.seen - {str(self.process.pid)}:
            with suppress(ProcessLookupError):
                if os.getpgid(int(child)) == int(child):
                    self.process.stdin.write(f"{child}\n")
                    self.process.stdin.flush()
                    self.seen.add(child)

    def __exit__(self, *_) -> None:
        self.process.kill()  # the servers have ended in their own way
        self.process.wait()
        self.process.stdin.close()
