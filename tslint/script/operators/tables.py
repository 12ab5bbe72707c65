"""Reads the generated data: each file is loaded once, and each entry is parsed on first use."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tslint.script.operators.schema import Schema, parse
from tslint.util.record import record


@cache
def table(name: str) -> dict[str, Any]:
    """Return one file of ``data/`` as JSON, by its stem."""
    path = Path(__file__).parent / "data" / f"{name}.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def entry(name: str, of: str) -> Any:
    """Return the entry of a public name; None if there is none.

    Args:
        name: the full name.
        of: the file of ``data/`` with such entries for torch. Those of other packages are in ``packages.json``,
            which is written by hand, and is used even if they are not installed.
    """
    return table(of).get(name) or table("packages")[of].get(name)


@record
class ModuleBase:
    """A class of modules of another package. One of its properties raises when the compiler reads it.

    Args:
        property: the property's name.
        raises: the exception's text, after the name of the class.
        when: the condition.
        unused: the names in its ``__jit_unused_properties__``, separated by spaces.
    """

    property: str
    raises: str
    when: str
    unused: str = ""


def module_base(name: str) -> ModuleBase | None:
    """Return a class of modules of another package by its full name; None if it is not in ``packages.json``."""
    found = table("packages")["module_bases"].get(name)
    return None if found is None else ModuleBase(**found)


def torch_version() -> str:
    """Return the version of torch from which the data was generated."""
    return str(table("schemas")["torch"])


@cache
def schemas(name: str) -> tuple[Schema, ...]:
    """Return the overloads of an operator in the order in which the compiler tries them; empty if there are none.

    Args:
        name: ``aten::add``; any namespace reachable as ``torch.ops.NAMESPACE.NAME``.
    """
    if "::" not in name:
        return ()
    core = name.startswith(("aten::", "prim::"))
    return tuple(parse(text) for text in table("schemas" if core else "schemas_other").get(name, ()))
