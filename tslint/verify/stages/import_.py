"""import: imports the Python module of the target, and reads the target from it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

import torch

from tslint.util.suggest import nearest
from tslint.verify.blame import describe, place, print_traceback, raised
from tslint.verify.outcome import Outcome, StageFailed
from tslint.verify.place import BadTarget, Place, locate
from tslint.verify.session import Session, seed


def run(session: Session) -> Outcome:
    """Import the target; every failure is one line that names the target and a solution."""
    from pathlib import Path

    try:
        where = locate(session.request.target, Path(session.request.base))
    except BadTarget as error:
        raise StageFailed(str(error)) from error
    sys.path.insert(0, str(where.search))
    sys.argv[:] = [str(where.file or where.module)]
    seed()
    try:
        module = _import(where)
    except BaseException as error:
        raise StageFailed(_reason(where, error)) from error
    session.attribute = _attribute(module, where)
    return Outcome(detail=place(module.__file__, 1).rpartition(":")[0] if module.__file__ else "")


def _import(where: Place) -> ModuleType:
    if where.file is None or "." in where.module:
        return importlib.import_module(where.module)
    # The file is imported by its path, because a module with the name of the stem may exist already (types.py,
    # test.py).
    taken = where.module in sys.modules or where.module in sys.stdlib_module_names
    name = f"{where.module}_" if taken else where.module
    spec = importlib.util.spec_from_file_location(name, where.file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _reason(where: Place, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing and (where.module == missing or where.module.startswith(missing + ".")):
        return (
            f"cannot import {where.module}: there is no module {missing!r} on sys.path (searched from {where.search}); "
            "run from the project's root, or give the file: path.py:" + where.attribute
        )
    print_traceback(error)
    hint = f"; install {missing.partition('.')[0]}, or run tslint with the project's Python" if missing else ""
    name = where.file.name if where.file else where.module
    if isinstance(error, SystemExit):
        return (
            raised(f"cannot import {name}: it", error) + "; put the code of the script under if __name__ == '__main__'"
        )
    return f"cannot import {name}: {describe(error)}{hint}"


def _attribute(module: ModuleType, where: Place) -> Any:
    found: Any = module
    for part in where.attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            known = [name for name in dir(found) if not name.startswith("_")]
            modules = [name for name in known if _is_own_module(getattr(found, name, None), module)]
            near = nearest(part, modules) or nearest(part, known)
            hint = f"; did you mean {near!r}?" if near else f"; it defines {', '.join(modules[:8])}" if modules else ""
            owner = where.file.name if where.file else where.module
            raise StageFailed(f"{owner} has no attribute {part!r}{hint}") from error
    return found


def _is_own_module(thing: Any, module: ModuleType) -> bool:
    if isinstance(thing, torch.nn.Module):
        return True
    return isinstance(thing, type) and issubclass(thing, torch.nn.Module) and thing.__module__ == module.__name__
