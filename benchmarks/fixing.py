"""Applies fixes on request: reads a JSON object per line from stdin, and answers in the same way.

It is started with the Python whose tslint is measured, and imports nothing else, so that an older tslint can be
measured, too. Each request runs in a fork, so that its memory is released.

A request has ``paths`` (files or folders that are fixed in place), ``root`` (names of files are relative to it),
``unsafe``, and ``again`` (whether to report the changes of a second run). The answer has ``fixed`` (the findings that
were fixed), ``left`` (those that remain), ``notes`` and ``stable``; or only ``error``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer until there are no more requests."""
    for line in sys.stdin:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            try:
                answer = _answered(json.loads(line))
            except BaseException:
                answer = {"error": traceback.format_exc()[-1500:]}
            with os.fdopen(writer, "w", encoding="utf-8") as pipe:
                pipe.write(json.dumps(answer))
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as pipe:
            text = pipe.read()
        os.waitpid(pid, 0)
        print(text or '{"error": "crashed"}', flush=True)


def _answered(request: dict[str, Any]) -> dict[str, Any]:
    from tslint.config import load_settings
    from tslint.fixing.rounds import fix
    from tslint.lint.engine import load
    from tslint.lint.incremental import Judge

    paths, root = [Path(path) for path in request["paths"]], Path(request["root"])
    settings = load_settings(paths, isolated=True)
    loaded = load(paths, settings)
    outcome = fix(loaded, Judge(settings), unsafe=request["unsafe"])
    for _, after in outcome.changed:
        Path(after.path).write_bytes(after.encode())
    stable = True
    if request["again"] and outcome.changed:
        stable = not fix(load(paths, settings), Judge(settings), unsafe=request["unsafe"]).changed
    return {
        "fixed": [_fixed(each, root) for each in outcome.applied],
        "left": [_left(each, root) for each in _findings(load(paths, settings), settings, outcome)],
        "notes": list(outcome.notes),
        "stable": stable,
    }


def _findings(loaded: Any, settings: Any, outcome: Any) -> Any:
    """Return the remaining findings, including those of the rule that is off by default: a None default that cannot be
    saved.
    """
    from dataclasses import replace

    from tslint.lint.incremental import Judge

    report = Judge(replace(settings, select=(*settings.select, "TS810")))(loaded)
    kept = {(each.code, each.start, each.filename): each for each in report.diagnostics}
    kept.update({(each.code, each.start, each.filename): each for each in outcome.report.diagnostics})
    return list(kept.values())


def _fixed(applied: Any, root: Path) -> dict[str, Any]:
    finding = applied.finding
    fix = finding.fix
    return {
        **_left(finding, root),
        "fix": fix.message,
        "applicability": fix.applicability.value,
        # Older versions of tslint have fixes without risks.
        "risks": [risk.value for risk in getattr(fix, "risks", ())],
        "last_resort": getattr(fix, "last_resort", False),
        "within": sorted({(os.path.relpath(path, root), name) for path, name in applied.within}),
    }


def _left(finding: Any, root: Path) -> dict[str, Any]:
    return {
        "code": finding.code,
        "file": os.path.relpath(finding.filename, root),
        "rows": [finding.start.row, finding.end.row],
        "message": finding.message,
        "offered": finding.fix.applicability.value if finding.fix is not None else None,
    }


def _prepare() -> None:
    """Import what each request needs before any fork, without writing compiled files."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.py")
        path.write_text("import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x\n")
        _answered({"paths": [str(path)], "root": folder, "unsafe": True, "again": False})


if __name__ == "__main__":
    _prepare()
    main()
