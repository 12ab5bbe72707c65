"""The generated data: loaded once, each entry read on first use."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tslint.script.operators.schema import Schema, parse


@cache
def table(name: str) -> dict[str, Any]:
    """One file of ``data/`` by its stem, as JSON has it."""
    path = Path(__file__).parent / "data" / f"{name}.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def torch_version() -> str:
    """The torch that the data was generated from."""
    return str(table("schemas")["torch"])


@cache
def schemas(name: str) -> tuple[Schema, ...]:
    """The overloads of an operator in the order in which the compiler tries them; empty where there is none.

    Args:
        name: ``aten::add``; any namespace reachable as ``torch.ops.NAMESPACE.NAME``.
    """
    if "::" not in name:
        return ()
    core = name.startswith(("aten::", "prim::"))
    return tuple(parse(text) for text in table("schemas" if core else "schemas_other").get(name, ()))
