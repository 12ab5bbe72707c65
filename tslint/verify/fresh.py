"""Loads and runs archives in a fresh process that imports only torch.

It is run by path, and must not import tslint, so that only torch is available. The worker imports it for
:func:`encode`, which both sides must share; the fork server loads it by its path for :func:`serve`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any

Encoded = dict[str, Any]
"""A value as plain containers: ``{"kind": "tuple", "items": [...]}``; ``torch.load(weights_only=True)`` can load it."""


class NotPlain(Exception):
    """A value that cannot be sent to another process; the message is the name of its type."""


def encode(value: Any) -> Encoded:
    """Return a copy of a value as plain containers; values of unknown types keep only the type's name."""
    import torch

    if isinstance(value, torch.Tensor):
        return {"kind": "tensor", "value": value.detach().clone(), "requires_grad": value.requires_grad}
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        plain = str(value) if isinstance(value, str) else value
        return {"kind": "None" if value is None else type(plain).__name__, "value": plain}
    if isinstance(value, (tuple, list)):
        # A named tuple becomes a plain tuple in a trace; that is not a difference in structure.
        return {"kind": "tuple" if isinstance(value, tuple) else "list", "items": [encode(item) for item in value]}
    if isinstance(value, Mapping):
        return {"kind": "dict", "items": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, torch.device):
        return {"kind": "device", "value": str(value)}
    return {"kind": "object", "type": type(value).__name__}


def decode(encoded: Encoded) -> Any:
    """Return a copy of the value that :func:`encode` has encoded.

    Raises:
        NotPlain: a part of it has an unknown type.
    """
    import torch

    kind = encoded["kind"]
    if kind == "tensor":
        return encoded["value"].detach().clone().requires_grad_(encoded["requires_grad"])
    if kind == "tuple":
        return tuple(decode(item) for item in encoded["items"])
    if kind == "list":
        return [decode(item) for item in encoded["items"]]
    if kind == "dict":
        return {decode(key): decode(item) for key, item in encoded["items"]}
    if kind == "device":
        return torch.device(encoded["value"])
    if kind == "object":
        raise NotPlain(encoded["type"])
    return encoded["value"]


def _load(path: str) -> Any:
    import torch

    try:
        return torch.load(path, weights_only=True)
    except TypeError:  # early builds of torch 1.13 do not have the argument
        return torch.load(path)


def main(job_path: str) -> None:
    """Run a job: load and call every archive; each result is written at once, so that it remains after a crash."""
    with open(job_path, encoding="utf-8") as stream:
        job = json.load(stream)
    try:
        import torch
    except ImportError:  # -I hides a torch that is found through PYTHONPATH or in the user's site folder
        sys.path.append(job["torch_root"])
        import torch
    for category in (DeprecationWarning, FutureWarning):  # FutureWarning since torch 2.14
        warnings.filterwarnings("ignore", message=r".*torch\.jit", category=category)
    torch.set_grad_enabled(job["grad"])
    if job["imports"]:
        # The worker finds these modules in the folders of its path. They come last, so torch is the same as before.
        sys.path += [folder for folder in job["path"] if folder not in sys.path]
    with open(job["result"], "w", encoding="utf-8") as result:

        def tell(**event: Any) -> None:
            result.write(json.dumps(event) + "\n")
            result.flush()

        if not _prepared(job, tell):
            return
        inputs = _load(job["inputs"]) if job["inputs"] else []
        for mode, archive in job["archives"].items():
            tell(mode=mode, event="loading")
            try:
                module = torch.jit.load(archive)
            except Exception as error:
                tell(mode=mode, event="not loaded", type=type(error).__name__, error=str(error))
                continue
            tell(mode=mode, event="loaded")
            for number in job["runs"][mode]:
                if number != job["runs"][mode][0]:
                    module = torch.jit.load(archive)  # a call may have changed its state
                tell(mode=mode, event="running", set=number)
                torch.manual_seed(job["seed"])
                try:
                    positional = decode(inputs[number])
                    named = positional[-1] if job["named"][number] else {}
                    positional = positional[:-1] if job["named"][number] else positional
                    output = encode(module(*positional, **named))
                    torch.save(output, f"{job['outputs']}/{mode}-{number}.pt")
                except Exception as error:
                    tell(mode=mode, event="not run", set=number, type=type(error).__name__, error=str(error))
                else:
                    tell(mode=mode, event="ran", set=number)


def _prepared(job: dict[str, Any], tell: Callable[..., None]) -> bool:
    """Load the libraries and import the modules that the archives need; return whether that succeeded."""
    import importlib

    import torch

    for name in (*job["libraries"], *job["imports"]):
        tell(event="preparing", name=name)
        try:
            if name in job["libraries"]:
                torch.ops.load_library(name)
            else:
                importlib.import_module(name)
        except Exception as error:
            tell(event="not prepared", name=name, type=type(error).__name__, error=str(error))
            return False
    return True


def serve(requests: socket.socket) -> None:
    """Fork for every requested job, until the socket is closed (POSIX).

    A message is ``{"job": path}`` with one descriptor for the exit status. If the other side closes the descriptor
    first, the process is no longer needed and is ended.
    """
    _forget_the_user()
    parent = os.getppid()
    running: dict[int, socket.socket] = {}
    while os.getppid() == parent:
        # A datagram socket does not report that the other side is gone, so the parent is checked from time to time.
        ready, _, _ = select.select([requests, *running.values()], [], [], 0.01 if running else 0.5)
        if requests in ready:
            message, descriptors, _, _ = socket.recv_fds(requests, 65536, 1)
            answer = socket.socket(fileno=descriptors[0])
            process = os.fork()
            if process == 0:
                requests.close()
                for other in running.values():
                    other.close()
                _one(json.loads(message)["job"], answer)
            running[process] = answer
        for process, answer in list(running.items()):
            if answer in ready:
                _kill(process)
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                with contextlib.suppress(OSError):
                    answer.send(str(os.waitstatus_to_exitcode(status)).encode())
                answer.close()
                del running[process]
    for process in running:
        _kill(process)


def _forget_the_user() -> None:
    """Set the import path of ``python -I``: without PYTHONPATH, the working folder and the user's site folder."""
    import site

    own = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    hidden = {os.path.abspath(folder) for folder in (*own, site.getusersitepackages(), os.getcwd())}
    sys.path[:] = [folder for folder in sys.path if folder and os.path.abspath(folder) not in hidden]


def _one(job_path: str, answer: socket.socket) -> None:
    """Run the forked process; does not return."""
    status = 1
    try:
        answer.close()
        os.setsid()
        os.chdir(os.path.dirname(job_path))
        main(job_path)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _kill(process: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1])
