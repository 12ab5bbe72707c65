"""Replaces a condition whose value is a module, a container or None by a comparison with None, or by a test of the
container's length.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.nested_if import nested_if
from tslint.rewrite.static_branch import read_once
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.attribute_uses import no_numbers, properties, used_as_modules
from tslint.script.dataflow.filled import never_empty
from tslint.script.dataflow.flag_names import worded
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.modules import NotACondition
from tslint.script.types import NONE

_OF_MODULES = frozenset(["module", "container"])
_NOT = m.UnaryOperation(operator=m.Not())
Asked = cst.Name | cst.Attribute


def tested(match: Match, node: cst.CSTNode) -> tuple[Asked, cst.BaseExpression] | None:
    """Return the tested variable or attribute, and the whole test, which may have a ``not`` before it. Return None for
    other expressions, or if the value has a further use, as in ``x = a or b``.
    """
    if not isinstance(node, Asked):
        return None
    around = match.parent(node)
    whole = around if isinstance(around, cst.UnaryOperation) else node
    return (node, whole) if only_tested(match, node) else None


def only_tested(match: Match, node: cst.CSTNode) -> bool:
    """Return whether a value only decides a condition (of ``if``, ``while``, ``assert`` or ``a if x else b``), directly
    or in ``and``, ``or`` and ``not``.
    """
    around = match.parent(node)
    while around is not None and m.matches(around, m.BooleanOperation() | _NOT):
        node, around = around, match.parent(around)
    return isinstance(around, (cst.If, cst.While, cst.IfExp, cst.Assert)) and around.test is node


def against_none(match: Match[NotACondition], asked: tuple[Asked, cst.BaseExpression] | None) -> Fix | None:
    """Return a fix that compares the value with None, or the length of a container with 0; None if there is no such
    fix.

    The new test is for compiled code only, unless it is known to have the same result in Python. ``asked`` is what
    :func:`tested` returns.
    """
    if asked is None:
        return None
    node, whole = asked
    denied = whole is not node
    kinds = _kinds(match, node)
    if kinds == {"container"}:
        words = "len({x}) == 0" if denied else "len({x}) > 0"
    else:
        words = "{x} is None" if denied else "{x} is not None"
    test = expression(words, x=node)
    if kinds == {"container"} or (kinds and kinds <= {"none", "module"}):
        fix = safe(f"Test `{code(test)}`", lambda: match.replace(whole, test))
        return replace(fix, unset=(node.attr.value,)) if isinstance(node, cst.Attribute) else fix
    names = {each.attr.value for each in m.findall(node, m.Attribute()) if isinstance(each, cst.Attribute)}
    if names & properties(match.file.tree):
        return None
    tree = match.file.tree
    if "unknown" in kinds and isinstance(node, cst.Attribute):
        if match.event.type == NONE and node.attr.value not in used_as_modules(tree):
            # In another construction, the attribute may be a number or a tensor, and its test compiles unchanged.
            return _or_false(match, node)
        if node.attr.value not in no_numbers(tree):
            return None
    used = used_as_modules(match.owner or tree)
    if isinstance(node, cst.Attribute) and not kinds & _OF_MODULES and node.attr.value not in used:
        once = read_once(match, match.model(node), worded(match.model(node)))
        if once is not None:
            return once
    torch, imports = match.imported("torch")

    def choice() -> cst.BaseExpression:
        return expression("{new} if {torch}.jit.is_scripting() else {old}", new=test, torch=torch, old=whole)

    message = f"Test `{code(test)}` in compiled code"
    return unsafe(message, lambda: match.replace(whole, choice()), *imports, risks=(Risk.DIFFERS,))


def _kinds(match: Match[NotACondition], node: Asked) -> frozenset[str]:
    """Return the kinds of values that an attribute may have, in all constructions, also of subclasses in the file:
    ``module``, ``container``, ``none``, ``unknown``.
    """
    kinds, unit = match.event.held, match.event.unit
    if unit is None or unit.receiver is None or not isinstance(node, cst.Attribute):
        return frozenset(["unknown"])
    facts, receiver = file_facts(match.file.tree), unit.receiver.node
    stores = instance_stores(facts, receiver, node.attr.value) if receiver.name in facts.classes else None
    line = facts.line(receiver) or []
    if stores is None or any(not any(store.owner is each for each in line) for store in stores):
        return frozenset(["unknown"])
    if kinds == {"container", "none"} and never_empty(match.file.tree, node.attr.value, stores):
        return frozenset(["module", "none"])
    return kinds


def _or_false(match: Match, node: cst.Attribute) -> Fix:
    """Test a value only if it is not None, as in ``x if x is not None else False``. The compiler knows whether the
    value is None, and drops the other branch.
    """
    message, there = f"Test `{match.code(node)}` only where it is not None", expression("{x} is not None", x=node)
    nested = nested_if(match, node, there)
    either = expression("{x} if {there} else False", x=node, there=there)
    return safe(message, nested or (lambda: match.replace(node, either)))
