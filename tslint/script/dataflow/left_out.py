"""Decides whether compiled code can omit statements, because their calls only log, test or compute."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.script.dataflow.evaluation import is_quiet_call
from tslint.script.operators.callables import Unsupported, python_callable
from tslint.util import astwalk

_LOGS = frozenset("debug info warning warn error exception critical fatal log".split())
# Packages whose functions do not communicate with other processes or devices.
_LOCAL = frozenset("datetime logging math numpy time traceback warnings".split())
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def can_be_left_out(tree: ast.Module, nodes: Iterable[ast.AST]) -> bool:
    """Return whether all functions that the given code calls, also through functions of this file, only log, test or
    compute.

    Other calls may have effects that other processes or devices wait for.
    """
    parts, done = [*nodes], set[str]()
    while parts:
        inner = astwalk.walk(parts.pop())
        if any(isinstance(each, ast.Call) and not _is_harmless(tree, each) for each in inner):
            return False
        # Properties are run without a call, so every mentioned function counts.
        mentioned = {name for each in inner if (name := _own_name(tree, each))} - done
        done |= mentioned
        parts += [each for each in astwalk.of_kind(tree, *_FUNCTIONS) if each.name in mentioned]
    return True


def _own_name(tree: ast.Module, node: ast.AST) -> str:
    """Return the name of a function or method of this file that a node refers to; empty for others."""
    name = node.attr if isinstance(node, ast.Attribute) and astwalk.is_name(node.value, "self") else ""
    name = node.id if isinstance(node, ast.Name) and node.id not in _imports(tree) else name
    return name if any(each.name == name for each in astwalk.of_kind(tree, *_FUNCTIONS)) else ""


def _is_harmless(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a call only logs, tests or computes, or calls a function of this file that does nothing else."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    logs = isinstance(call.func, ast.Attribute) and name in _LOGS
    origins = _origins(tree, call.func)
    packages = {each.partition(".")[0] for each in origins}
    if "torch" in packages:
        asks = name.startswith(("is_", "get_"))
        has_operator = not any(isinstance(python_callable(each), Unsupported) for each in origins)
        return asks or (has_operator and is_quiet_call(call))
    if packages:
        return packages <= _LOCAL or logs
    return logs or name == "print" or bool(_own_name(tree, call.func)) or is_quiet_call(call)


def _origins(tree: ast.Module, callee: ast.expr) -> set[str]:
    """Return the full names that a dotted name may have, by all imports of a file, also those in functions."""
    if isinstance(callee, ast.Attribute):
        return {f"{origin}.{callee.attr}" for origin in _origins(tree, callee.value)}
    return _imports(tree).get(callee.id, set()) if isinstance(callee, ast.Name) else set()


@astwalk.kept
def _imports(tree: ast.Module) -> dict[str, set[str]]:
    """Return the full names to which imports bind the names of a file; that of a relative import begins with ``.``."""
    found: dict[str, set[str]] = {}
    for node in astwalk.of_kind(tree, ast.Import, ast.ImportFrom):
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                origin = f"{'.' * node.level}{node.module or ''}.{alias.name}"
                found.setdefault(alias.asname or alias.name, set()).add(origin)
            else:
                root = alias.name.partition(".")[0]
                found.setdefault(alias.asname or root, set()).add(alias.name if alias.asname else root)
    return found
