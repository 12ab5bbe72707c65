"""Builds the C++ program, once for each torch, with torch's own headers, libraries and CMake files (worker side)."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tslint.verify.outcome import one_line

# On a busy machine, compiling torch's headers takes minutes.
BUILD_TIMEOUT = 600.0
_SOURCES = ("main.cpp", "CMakeLists.txt")
_NAME = "tslint_native.exe" if os.name == "nt" else "tslint_native"
_COMPILERS = ("c++", "g++", "clang++", "cl")


class NoProgram(Exception):
    """The program cannot be built on this machine; the message is one line with the reason."""


def program(
    version: str, root: Path, cxx11_abi: bool, scratch: Path, more_time: Callable[[float], None] = lambda seconds: None
) -> Path:
    """Return the program for a torch, from the cache or newly built.

    Args:
        version: the version of torch.
        root: the folder of torch.
        cxx11_abi: whether torch was compiled with the new ABI of the C++ library.
        scratch: a folder to build in.
        more_time: postpones the time-out by the given seconds.

    Raises:
        NoProgram: there is no compiler or no CMake, or they fail.
    """
    home = cache_folder() / _key(version, root)
    built = home / _NAME
    if _works(built):
        return built
    cmake, _ = _tools()
    started = time.monotonic()
    more_time(BUILD_TIMEOUT)
    try:
        with _alone(home):
            # Another target may have built it in the meantime.
            return built if _works(built) else _keep(_build(cmake, root, cxx11_abi, scratch), built)
    finally:
        more_time(time.monotonic() - started - BUILD_TIMEOUT)


def cache_folder() -> Path:
    """Return the folder for programs, in the user's cache folder."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tslint" / "native"


def _key(version: str, root: Path) -> str:
    """Return the name of the program's folder, from torch's version, the program's sources, the machine, and torch's
    folder: in that folder, the program looks for its libraries.
    """
    digest = hashlib.sha256(f"{root.resolve()} {platform.machine()}".encode())
    for name in _SOURCES:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return f"torch-{version}-{digest.hexdigest()[:12]}"


def _works(built: Path) -> bool:
    if not built.is_file():
        return False
    try:
        return subprocess.run([built, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _tools() -> tuple[str, str]:
    cmake = shutil.which("cmake")
    chosen = os.environ.get("CXX", "").split(" ")[0]
    compiler = next(filter(None, map(shutil.which, (chosen, *_COMPILERS) if chosen else _COMPILERS)), None)
    missing = [*([] if compiler else ["C++ compiler (g++)"]), *([] if cmake else ["cmake"])]
    if not cmake or not compiler:
        raise NoProgram(f"no {' and no '.join(missing)} on PATH; the archive was not run outside Python")
    return cmake, compiler


def _build(cmake: str, root: Path, cxx11_abi: bool, scratch: Path) -> Path:
    source, build = scratch / "native-source", scratch / "native-build"
    source.mkdir(exist_ok=True)
    for name in _SOURCES:
        shutil.copyfile(Path(__file__).with_name(name), source / name)
    settings = (f"-DTORCH_ROOT={root.as_posix()}", f"-DCXX11_ABI={int(cxx11_abi)}", "-DCMAKE_BUILD_TYPE=")
    _run([cmake, "-S", str(source), "-B", str(build), *settings])
    _run([cmake, "--build", str(build)])
    found = next((path for path in build.rglob(_NAME) if path.is_file()), None)
    if found is None or not _works(found):
        raise NoProgram("the program against libtorch was built, but does not start")
    return found


def _run(command: list[str]) -> None:
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    _without_limit(process.pid)
    try:
        said, _ = process.communicate(timeout=BUILD_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise NoProgram(f"building against libtorch took more than {BUILD_TIMEOUT:g} s{_busy()}") from None
    if process.returncode:
        print(said, file=sys.stderr)
        step = "compiled" if "--build" in command else "configured"
        raise NoProgram(f"the program against libtorch cannot be {step}: {_complaint(said)}")


def _busy() -> str:
    """Return a remark if other processes have the cores, which the compiler needs."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return f"; the machine is busy: a load of {load:.0f} on {cores} cores" if load >= 2 * cores else ""


def _without_limit(process: int) -> None:
    """Remove the memory limit, which is for the user's code; the compiler may need more."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.prlimit(process, resource.RLIMIT_AS, (hard, hard))


def _complaint(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if line.startswith("CMake Error"):
            # The line with the error names the place, the lines after it the problem.
            return _uncut(" ".join(lines[number + 1 : number + 6]) or line)
        if "error" in line.lower():
            return _uncut(line)
    return _uncut(lines[-1] if lines else "no reason given")


def _uncut(text: str) -> str:
    """Return a message on one line; the reason may stand at its end, behind long paths and types of C++."""
    return one_line(text, len(text))


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Lock the build, so that only one process builds at a time; if there is no folder for the lock, do nothing."""
    try:
        import fcntl

        home.mkdir(parents=True, exist_ok=True)
        lock: Any = (home / "lock").open("w")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _keep(found: Path, built: Path) -> Path:
    """Move the program to the cache in one step, and return its path there; if it cannot be moved, return its current
    path.
    """
    try:
        built.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=built.parent) as folder:
            copy = Path(shutil.copy2(found, folder))
            copy.replace(built)
    except OSError:
        return found
    return built
