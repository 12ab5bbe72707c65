"""Lists the schemas of every operator, in the order in which the compiler tries them.

``torch._C._jit_get_schemas_for_operator`` is not enough: it lists the registered operators in registration order, and
not the functions that are defined in TorchScript (``add(float a, Tensor b)``, ``_pair``). It also does not show which
few schemas the compiler never matches (``aten::view.dtype``). So the compiler itself is asked: for a call that matches
nothing, it prints every variant, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
from torch.jit import _builtins

_VARIANT = re.compile(r"^\s*([\w:.]+\(.*\) -> .*):$")
# The compiler finds a builtin by the identity of the Python object, so these objects must stay alive.
_stand_ins: list[Callable[[], None]] = []


def builtin_named(operator: str) -> Callable[[], None]:
    """Return a Python function that the compiler treats as an operator (``aten::add``)."""

    def stand_in() -> None: ...

    _stand_ins.append(stand_in)
    _builtins._register_builtin(stand_in, operator)
    return stand_in


def variants(operator: str) -> list[str]:
    """Return every schema of an operator as the compiler prints it, in its order; empty if there is none.

    A schema that the compiler never matches begins with ``!``: it still counts, because the compiler treats a single
    schema differently from several schemas.
    """
    stand_in = builtin_named(operator)
    try:
        torch._C.CompilationUnit().define("def f():\n  return op(no_such_argument=1)\n", lambda name: stand_in)
    except RuntimeError as error:
        message = str(error)
    else:
        raise AssertionError(f"{operator} took an argument that no operator has")
    if message.lstrip().startswith("Unknown builtin op"):
        return []
    printed = [match.group(1) for match in map(_VARIANT.match, message.splitlines()) if match]
    registered = [str(schema) for schema in torch._C._jit_get_schemas_for_operator(operator)]
    tried = [schema for schema in registered if schema in printed]
    if printed[: len(tried)] != tried:
        raise AssertionError(f"the compiler does not try {operator} in registration order")
    return [schema if schema in printed else f"!{schema}" for schema in registered] + printed[len(tried) :]


def _internal(name: str, found: list[str]) -> bool:
    """Return whether only the compiler itself can insert an operator (``prim::FusionGroup(...) -> ...``)."""
    if not name.startswith("prim::"):
        return False
    return name.startswith("prim::MKLDNN") or any("(...)" in schema or "-> ..." in schema for schema in found)


def operator_schemas() -> dict[str, list[str]]:
    """Return all operators of ``aten`` and ``prim``, and of every other namespace reachable as
    ``torch.ops.NAMESPACE``.
    """
    registered = {schema.name for schema in torch._C._jit_get_all_schemas()}
    names = registered | set(_builtins._get_builtin_table().values())
    names |= {f"aten::{name}" for name in dir(torch.Tensor)}
    table: dict[str, list[str]] = {}
    for name in sorted(names):
        if name.startswith(("aten::", "prim::")):
            found = variants(name)
        else:
            found = [str(schema) for schema in torch._C._jit_get_schemas_for_operator(name)]
        if found and not _internal(name, found):
            table[name] = found
    return table
