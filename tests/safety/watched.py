"""Runs a tslint command under an audit hook, and logs everything that it does outside of the process.

    python watched.py LOG COMMAND…

It is run as a script, so that the hook exists before tslint is imported; audit hooks cannot be removed.
"""

from __future__ import annotations

import atexit
import os
import sys

LOG = sys.argv[1]
_EVENTS = (
    "open", "import", "exec", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link",
    "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime", "os.system", "os.exec", "os.fork", "os.spawn",
    "os.posix_spawn", "os.putenv", "os.kill", "subprocess.Popen", "ctypes.dlopen", "shutil.copyfile", "shutil.rmtree",
    "shutil.move", "tempfile.mkstemp", "tempfile.mkdtemp", "pickle.find_class",
)  # fmt: skip
_seen: dict[tuple[str, str], None] = {}
_busy = False


def _hook(event: str, args: tuple[object, ...]) -> None:
    global _busy
    if _busy or not (event in _EVENTS or event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib."))):
        return
    _busy = True
    try:
        detail = ""
        if event == "open":
            path, mode, flags = args
            if isinstance(path, int):
                return
            written = bool(isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
            writes = written or (isinstance(mode, str) and any(letter in mode for letter in "wax+"))
            event = "write" if writes else "read"
            detail = os.path.abspath(os.fsdecode(path)) if isinstance(path, (str, bytes)) else str(path)
        elif event == "exec":
            detail = getattr(args[0], "co_filename", "")
        elif args:
            first = args[0]
            detail = os.fsdecode(first) if isinstance(first, (str, bytes)) else repr(first)
        _seen[event, detail] = None
    finally:
        _busy = False


def _report() -> None:
    global _busy
    _busy = True
    with open(LOG, "w", encoding="utf-8", errors="surrogateescape") as file:
        for event, detail in _seen:
            file.write(f"{event}\t{detail}\n")
        for name, module in sorted(sys.modules.items()):
            file.write(f"module\t{name}\t{getattr(module, '__file__', None) or ''}\n")


if __name__ == "__main__":
    atexit.register(_report)
    # A command does not have the folder of this file on its path.
    sys.path.pop(0)
    sys.argv = ["tslint", *sys.argv[2:]]
    sys.addaudithook(_hook)
    from tslint.cli import main

    main()
