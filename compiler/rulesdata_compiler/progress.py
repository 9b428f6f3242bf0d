"""A line on the terminal while something takes long.

In: what is being done. Out: one line on stderr, only on a terminal and only after a second, gone again at the end.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0  # seconds that nobody minds


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """While this runs for more than a second, the terminal says what is being done."""
    if not sys.stderr.isatty():
        yield
        return
    told = threading.Event()

    def tell() -> None:
        told.set()
        print(f"{doing} …", end="\r", file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if told.is_set():
            print(" " * (len(doing) + 2), end="\r", file=sys.stderr, flush=True)
