"""Keeps the value of an attribute in a local variable for compiled code; Python sets the attribute as well."""

from __future__ import annotations

import ast

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.fresh_names import fresh_name
from tslint.rulekit.copying import replaced
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, block, statement
from tslint.script.dataflow.own_values import own_value


def attribute_to_local(match: Match, name: str) -> Fix | None:
    """Assign to a variable instead of an attribute of ``self``, read it, and set the attribute in eager mode only.

    Args:
        match: the match of the finding, in the method that sets the attribute.
        name: the attribute.

    Returns:
        None if the method may read a value that it has not set itself.
    """
    unit, owner = match.event.unit, match.owner
    found = own_value(match.file.tree, owner, unit.function.node, name) if unit is not None and owner else None
    torch, imports = match.imported("torch")
    if found is None or match.binds(torch):
        return None
    lines = [match.line(match.libcst(each)) for each in found.stores]
    if None in lines:
        return None
    local = cst.Name(fresh_name(match, name.lstrip("_") or "value"))
    reads = [match.libcst(each) for each in found.reads]
    test = statement("if not {torch}.jit.is_scripting():\n    pass", torch=torch)

    def read(node: cst.CSTNode, around: list[cst.CSTNode]) -> cst.CSTNode | None:
        return local if any(node is each for each in reads) else None

    def edits() -> tuple[Edit, ...]:
        written: list[Edit] = []
        inside: set[ast.AST] = set()
        for each, line in zip(found.stores, lines):
            assert line is not None
            old = small(line)
            assert isinstance(old, cst.Assign)
            target = old.targets[0]
            value = replaced(old.value, read)
            first = old.with_changes(targets=[target.with_changes(target=local)], value=value)
            kept = cst.SimpleStatementLine([old.with_changes(value=local)])
            inside.update(ast.walk(each))
            written += match.rewrite(line, _with(line, first), test.with_changes(body=block([kept])))
        for node in reads:
            if match.model(node) not in inside:
                written += match.replace(node, local)
        return tuple(written)

    message = f"Keep it in a variable, `{local.value}`, and set the attribute in eager mode only"
    return unsafe(message, edits, *imports, risks=(Risk.DIFFERS,))


def _with(line: Line, statement: cst.Assign) -> Line:
    assert isinstance(line, cst.SimpleStatementLine)
    return line.with_changes(body=[statement])
