"""A line on the terminal while something takes long.

In: what is being done. Out: one line on stderr, only on a terminal and only after a second, gone again at the end.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0  # seconds that nobody minds


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """While this runs for more than a second, the terminal says what is being done."""
    if not sys.stderr.isatty():
        yield
        return
    begun: list[Status] = []

    def tell() -> None:
        # Loaded here, where a second has gone by anyway: most commands are done before.
        from rich.console import Console
        from rich.text import Text

        status = Console(stderr=True).status(Text(f"{doing} …"))
        status.start()
        begun.append(status)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in begun:
            status.stop()
