"""A module that passes its argument through, where a constructor sets none."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import unsafe
from tslint.rules.modules._common import parent
from tslint.rules.modules._instance import file_facts


def passed_through(match: Match) -> Fix | None:
    """Set ``nn.Identity()`` in the other case of the ``if`` of ``__init__`` that sets a module.

    Only where the module is called with one argument, and nothing asks whether it is there.
    """
    facts, node = match.event.facts, match.event.node
    call = parent(match, node)
    if not (isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 and not call.keywords):
        return None
    class_ = facts["class_"]
    if class_ is None or class_.module.source.path != match.source.path or isinstance(call.args[0], ast.Starred):
        return None
    known = file_facts(match.border.tree)
    name = facts["attribute"]
    stores = [store for store in known.stores.get(name, ()) if store.owner is class_.node]
    if name in known.named or not stores or any(not s.own or not isinstance(s.value, ast.Call) for s in stores):
        return None
    statements = {id(store.statement): store.statement for store in stores}
    first = stores[0].statement
    if len(statements) != 1 or not isinstance(first, ast.If) or stores[0].function is None:
        return None
    if stores[0].function.name != "__init__" or name in _asked_for(match.border.tree):
        return None
    if not any(store.statement is first and _directly(first, name) for store in stores):
        return None
    return _otherwise(match, first, name, stores[0].function)


@walking.kept
def _asked_for(tree: ast.Module) -> frozenset[object]:
    """The attributes that anything looks for before it takes them."""
    return frozenset(
        argument.value
        for node in walking.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("hasattr", "getattr")
        for argument in node.args
        if isinstance(argument, ast.Constant)
    )


def _sets(block: list[ast.stmt], name: str) -> bool:
    return any(
        isinstance(target, ast.Attribute) and target.attr == name
        for statement in block
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    )


def _directly(statement: ast.If, name: str) -> bool:
    return _sets(statement.body, name) or (
        len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If) and _directly(statement.orelse[0], name)
    )


def _otherwise(
    match: Match, statement: ast.If, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Fix | None:
    last = statement
    while len(last.orelse) == 1 and isinstance(last.orelse[0], ast.If):
        if not _sets(last.body, name):
            return None
        last = last.orelse[0]
    lines = match.source.lines
    inner = lines[last.body[0].lineno - 1]
    inner = inner[: len(inner) - len(inner.lstrip())]
    outer = lines[statement.lineno - 1]
    outer = outer[: len(outer) - len(outer.lstrip())]
    final = last.orelse[-1] if last.orelse else last.body[-1]
    if not _sets(last.body, name) or _sets(last.orelse, name) or final.end_lineno is None or len(inner) <= len(outer):
        return None
    if not lines[final.end_lineno - 1].endswith(("\n", "\r")) or last.body[0].lineno == last.lineno:
        return None
    own = function.args.args[0].arg
    text, imports = match.imported("torch", "nn")
    newline = match.source.newline
    content = ("" if last.orelse else f"{outer}else:{newline}") + f"{inner}{own}.{name} = {text}.Identity(){newline}"
    where = Position(final.end_lineno + 1, 1)
    return unsafe(
        "Set `nn.Identity()` in the other case (a call there no longer fails)", Edit(where, where, content), *imports
    )
