"""Waiting until the browser has been sent what a run of the script has drawn.

When a fragment starts to run, Streamlit drops the messages of that fragment which still wait to be
sent, but not the word that the run before has finished. After a run of the whole page the browser
then takes the missing stage for one that the page no longer has: it removes it, under the hand that
moves it, and puts up another one a moment later. So a run of the page ends when it is sent.
"""

from __future__ import annotations

import time

from lapviz.explorer.host import _streamlit, limits

LOOK = 0.01  # seconds between two looks; Streamlit sends every 10 ms
PATIENCE = 3.0  # seconds: then nobody listens
BLIND = 0.05  # seconds to wait where the queue cannot be seen


def wait() -> None:
    """Return when the browser has been sent all that this run of the page has drawn."""
    if not _streamlit.served():  # no browser: a test of a page, or a bare import
        return
    end = time.monotonic() + PATIENCE
    empty = 0
    while empty < 2 and time.monotonic() < end:  # the first look may come before the last message
        time.sleep(LOOK)
        waiting = _streamlit.messages_wait()
        if waiting is None:
            time.sleep(BLIND)
            return
        empty = 0 if waiting else empty + 1


def end_run() -> None:
    """What follows when all is drawn: let the browser have it, and free what is not needed."""
    wait()
    limits.collect()
