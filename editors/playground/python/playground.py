"""What the page asks of tslint: the findings, and the types that nobody wrote, of a few files that are on no disk."""

from __future__ import annotations

import gc
import json
import shutil
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pure_parser

try:
    import libcst.native  # noqa: F401
except ImportError:
    pure_parser.install()

from tslint.config import Settings, load_settings
from tslint.diagnostics import Diagnostic
from tslint.lint import engine
from tslint.lint.analysis import analyse
from tslint.lint.engine import Loaded
from tslint.lint.internal import internal_error
from tslint.lint.selection import Selection
from tslint.lint.unparsable import unreadable_file
from tslint.project.definitions import Module
from tslint.reporters.json import finding
from tslint.script.operators.tables import table
from tslint.script.recording import Recording
from tslint.server.insight import insight
from tslint.sources import reading
from tslint.sources.file import SourceFile, UnreadableSource

FOLDER = Path("/models")
_warm: dict[Path, Module] = {}


def check(request: str) -> str:
    """The answer to a request, both JSON: ``findings``, ``hints``, and ``newer``: whether some code could not be read.

    Args:
        request: ``files``, their texts by name; ``settings``: ``targetTorch`` and ``select``; ``edits``: whether fixes
            have theirs, instead of the hints.
    """
    asked = json.loads(request)
    _write(asked["files"])
    settings = replace(
        load_settings([FOLDER], isolated=True),
        root=FOLDER,
        select=tuple(asked["settings"]["select"]),
        target_torch=asked["settings"]["targetTorch"] or None,
        edits=asked["edits"],
    )
    sources: list[SourceFile] = []
    unreadable: list[Diagnostic] = []
    for name, text in asked["files"].items():
        try:
            sources.append(reading.decode(FOLDER / name, text.encode()))
        except UnreadableSource as error:
            unreadable.append(unreadable_file(FOLDER / name, str(error)))
    pure_parser.newer.clear()
    found, hints = _judged(sources, settings)
    newer = bool(pure_parser.newer)
    if newer:
        # Rules that need a definition which cannot be read: no failure of tslint's.
        found = [each for each in found if each.code != "TS900" or "ParserSyntaxError" not in each.message]
    answer = {"findings": [finding(each) for each in [*unreadable, *found]], "hints": hints, "newer": newer}
    return json.dumps(answer)


def warm_up(texts: list[str]) -> None:
    """Look at models, so that what tslint imports and reads is in memory; forget the models.

    Args:
        texts: the models.
    """
    for text in texts:
        settings = {"targetTorch": "", "select": ["ALL"]}
        for edits in (False, True):
            check(json.dumps({"files": {"model.py": text}, "settings": settings, "edits": edits}))
    for file in files("tslint.script.operators.data").iterdir():
        if file.name.endswith(".json"):
            table(file.name.removesuffix(".json"))
    internal_error(FOLDER, RuntimeError())
    _warm.clear()
    gc.collect()
    # As in the language server: what has been imported stays, and is not looked through for garbage.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def unpack(path: str) -> Iterator[None]:
    """Unpack an archive into the working folder, a few files at a time.

    Args:
        path: of the archive.
    """
    with zipfile.ZipFile(path) as archive:
        for number, name in enumerate(archive.namelist()):
            archive.extract(name)
            if number % 40 == 0:
                yield


def _write(files: dict[str, str]) -> None:
    """Files find each other as modules in a folder."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="")


def _judged(sources: list[SourceFile], settings: Settings) -> tuple[list[Diagnostic], list[dict[str, Any]]]:
    recording = None if settings.edits else Recording()
    selection = Selection(settings)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = analyse(sources, settings=settings, unsaved=sources, recording=recording, warm=_warm)
    except Exception as error:
        return [internal_error(source.path, error) for source in sources], []
    kept = {
        source.path: engine.kept(source, found[source.path], found.compiled.get(source.path, ()), settings, selection)
        for source in sources
    }
    report = engine.report(Loaded(tuple(sources)), kept, selection)
    hints: list[dict[str, Any]] = []
    for source in sources:
        module = _warm.get(source.path)
        if recording is None or found.model is None or module is None or module.source != source:
            continue
        for hint in insight(found.model, recording, module, settings).hints:
            place = {"row": hint.position.row, "column": hint.position.column}
            hints.append({"filename": str(source.path), "location": place, "type": hint.type})
    return list(report.diagnostics), hints
