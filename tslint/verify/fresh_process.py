"""Starts the fresh process of ``reload`` (worker side): forked from one that has only imported torch, or a new one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from tslint.verify import fresh

# The socket for requests, in a worker of the fork server.
SERVER: socket.socket | None = None


def run(job: Path) -> int:
    """Do a job of ``fresh.py`` in a process that has only imported torch, in the job's own folder.

    Returns:
        Its exit status, as ``subprocess`` returns it.
    """
    if SERVER is not None:
        status = _forked(SERVER, job)
        if status is not None:
            return status
    done = subprocess.run(
        # -I: neither the working folder nor PYTHONPATH nor the user's site can bring the user's code in.
        [sys.executable, "-I", fresh.__file__, str(job)],
        cwd=job.parent,
        stdin=subprocess.DEVNULL,
        env={key: value for key, value in os.environ.items() if key != "PYTORCH_JIT"},
        check=False,
    )
    return done.returncode


def _forked(server: socket.socket, job: Path) -> int | None:
    """Return the exit status; None if the server has ended."""
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
