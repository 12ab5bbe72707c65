"""Makes a global constant available to compiled code: declared in the class, read through its module, or inlined."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.class_body import at_top
from tslint.rewrite.scripting import either
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, for_a_person, safe, unsafe
from tslint.rulekit.template import code, expression, statement
from tslint.script.dataflow.closed_calls import is_private
from tslint.script.dataflow.constant_readers import all_have_instances, can_declare, is_constant_sequence
from tslint.script.dataflow.constants import can_be_read_from, global_assignment, is_set_by_name, other_reads
from tslint.script.dataflow.names import full_name, imported_names
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import ClosedOverGlobal

_SCALARS = frozenset(["int", "float", "bool", "str"])
_OTHERS = frozenset(["dtype", "device"])


def constant_fix(match: Match[ClosedOverGlobal], name: str) -> Fix | None:
    """Return the fix for a global variable; None if it is read under another name, or no form compiles."""
    node = match.node
    # The node may be a variable of another name that has the value of the global.
    if not isinstance(node, cst.Name) or node.value != name:
        return None
    if global_assignment(match.file.tree, name) is None:
        readable = match.event.type_name in _SCALARS | _OTHERS | {"layout", "memory_format"}
        return _through_module(match, node) if readable else None
    value = _value(match, name)
    # All uses in the file get the same form. A declaration in a class needs an instance, which functions do not have.
    if value is None or all_have_instances(match.file.tree, name):
        fix = _in_class(match, node)
        if fix is not None or value is None:
            return fix
    # For a person to decide, because the author would have to change both the global and the written value.
    return for_a_person(either(match, node, value, f"Write `{match.code(value)}` in compiled code"))


def _through_module(match: Match, node: cst.Name) -> Fix | None:
    """Write ``pi`` as ``math.pi``, for ``from math import pi``; None if the module cannot be read under its name."""
    tree = match.file.tree
    origin, _, name = imported_names(tree).get(node.value, "").rpartition(".")
    if not origin or origin.startswith("."):
        return None
    module, imports = match.imported(origin)
    hidden = module.partition(".")[0] in module_bindings(tree) if imports else full_name(tree, module) != origin
    if hidden or match.binds(module):
        return None
    new = expression("{module}.{name}", module=module, name=name)
    if origin == "math" and module_bindings(tree).get(node.value) == 1:
        return safe(f"Write `{code(new)}`", lambda: match.replace(node, new), *imports)
    # The variable of the module may have changed since the import.
    return either(match, node, new, f"Write `{code(new)}` in compiled code", *imports)


def _in_class(match: Match[ClosedOverGlobal], node: cst.Name) -> Fix | None:
    """Declare the constant in the class of the method, if that is not done yet, and read it from the instance; None if
    that is not possible.
    """
    unit, itself = match.event.unit, match.self_name
    name, type_name = node.value, match.event.type_name
    owner = unit.function.owner if unit is not None else None
    if unit is None or owner is None or itself is None:
        return None
    if type_name not in _SCALARS | _OTHERS and not is_constant_sequence(match.file.tree, name):
        return None
    # The compiler reads no class annotations that are strings.
    if unit.function.module.postponed_annotations:
        return None
    if not can_be_read_from(match.file.tree, owner.node, unit.function.node, itself, name):
        return None

    def read() -> tuple[Edit, ...]:
        found = [node, *(match.libcst(each) for each in other_reads(match.file.tree, owner.node, match.model(node)))]
        return tuple(
            edit
            for each in dict.fromkeys(found)
            for edit in match.replace(each, expression("{self}.{name}", self=itself, name=name))
        )

    # Another file may give a public global another value.
    sure = is_private(name) and not is_set_by_name(match.file.tree, owner.node, name)
    known = can_declare(owner.node, name)
    if known is not None:
        return _copied(name, sure, f"Read the class's constant `{name}`", read) if known else None
    final, imports = match.imported("typing", "Final")
    annotation = expression("{final}[{type}]", final=final, type=type_name) if type_name in _SCALARS else final
    line = statement("{name}: {annotation} = {name}", name=name, annotation=annotation)
    place = at_top(match, owner.node, name, line, match.file.tree)
    if place is None:
        return None
    return _copied(name, sure, f"Declare `{name}` as a constant of the class", read, place, *imports)


def _copied(name: str, sure: bool, message: str, *edits: Edits) -> Fix:
    """Return the fix that copies the value of a global, unsafe unless an instance certainly has the same value."""
    if sure:
        return replace(safe(message, *edits), settled=name)
    return unsafe(message, *edits, assumes=f"other code may give `{name}` another value")


def _value(match: Match, name: str) -> cst.BaseExpression | None:
    """Return the expression of the constant's value, if it is a literal on one line."""
    set_by = match.libcst(global_assignment(match.file.tree, name))
    value = set_by.value if isinstance(set_by, (cst.Assign, cst.AnnAssign)) else None
    plain = value.expression if isinstance(value, cst.UnaryOperation) else value
    written = value is not None and plain is not None and is_constant(plain) and "\n" not in match.code(value)
    return value if written else None
