"""Describes how a process ended."""

from __future__ import annotations

import signal


def ending(status: int) -> str:
    """Describe a ``returncode`` of :mod:`subprocess`: ``was killed by SIGABRT`` or ``exited with status 3``."""
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
