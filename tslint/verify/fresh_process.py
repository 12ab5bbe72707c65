"""Starts the fresh process of ``reload`` (worker side): forked from one that has only imported torch, or a new one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from tslint.verify import fresh

# The socket for requests, in a worker that the fork server has started.
SERVER: socket.socket | None = None


def run(job: Path) -> int:
    """Run a job of ``fresh.py`` in a process that has only imported torch, in the job's own folder.

    Returns:
        The exit status of the process, as ``subprocess`` returns it.
    """
    if SERVER is not None:
        status = _forked(SERVER, job)
        if status is not None:
            return status
    done = subprocess.run(
        # With -I, the user's code cannot be imported from the working folder, PYTHONPATH or the user's site folder.
        [sys.executable, "-I", fresh.__file__, str(job)],
        cwd=job.parent,
        stdin=subprocess.DEVNULL,
        env={key: value for key, value in os.environ.items() if key != "PYTORCH_JIT"},
        check=False,
    )
    return done.returncode


def _forked(server: socket.socket, job: Path) -> int | None:
    """Return the exit status of the job's process; None if the server has ended."""
    mine, theirs = socket.socketpair()
    with mine:
        try:
            socket.send_fds(server, [json.dumps({"job": str(job)}).encode()], [theirs.fileno()])
        except OSError:
            return None
        finally:
            theirs.close()
        answer = b""
        while piece := mine.recv(64):
            answer += piece
    return int(answer) if answer else None
