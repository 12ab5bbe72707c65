"""Sets variables that compiled code would drop after the loop or the branch that assigns them."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import spelled
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, for_a_person, safe, unsafe
from tslint.rulekit.template import Line, block, code, expression, statement
from tslint.script.dataflow import loop_bindings
from tslint.script.dataflow.branches import read_only_where_bound, reading_statement
from tslint.script.types import ANYTHING, BOOL, FLOAT, INT, STRING, TENSOR, DictType, ListType, OptionalType, Type

# The value that a variable gets before a loop that binds it, by its type.
_FIRST: dict[Type, str] = {INT: "0", FLOAT: "0.0", BOOL: "False", STRING: '""'}
_CONTAINERS: dict[type[Type], str] = {ListType: "[]", DictType: "{}", OptionalType: "None"}
Loop = cst.For | cst.While


def loop_that_binds(match: Match, stored: Any) -> Loop | None:
    """Return the loop that binds a name, if the event reads the name after that loop; the outermost of several loops.

    Args:
        match: the match of the finding.
        stored: the node of the static model that binds the name.
    """
    loop = loop_bindings.ended_loop(match.file.tree, stored, match.event.node)
    found = match.libcst(loop) if loop is not None else None
    return found if isinstance(found, Loop) else None


def bound_before(match: Match, loop: Loop, name: str, type_: Type | None) -> Fix | None:
    """Bind a variable before the loop to an empty value of its type; to the placeholder ``...`` if none is known.

    If the loop may have no iterations, Python still has to raise: by an assertion where the variable is surely read
    next; otherwise only compiled code binds the variable.

    Args:
        match: a match in the function.
        loop: the loop that binds the variable.
        name: the variable.
        type_: its type; None if it is not known.

    Returns:
        The fix; None if the variable is bound before the loop already, or the loop shares its line.
    """
    unit, node = match.event.unit, match.model(loop)
    # In a later iteration of an enclosing loop, Python still has the value from an earlier iteration.
    first = [node, *loop_bindings.loops_around(match.file.tree, node)][-1]
    line = match.line(match.libcst(first))
    if unit is None or line is None or loop_bindings.bound_before(unit.function.node, first, name):
        return None
    value = _empty(match, name, type_ or ANYTHING)
    if value is None:
        return display(
            f"Assign `{name}` before the loop",
            lambda: [match.insert_before(line, statement("{name} = ...", name=name))],
        )
    bound, text, imports = value
    if first is node and loop_bindings.surely_binds(node, name):
        return safe(f"Assign `{name}` before the loop", lambda: [match.insert_before(line, bound)], *imports)
    asserted = _asserted(match, loop, line, name, type_ or ANYTHING) if first is node else None
    if asserted is not None:
        return asserted
    words = f"Assign `{text}` to `{name}` before the loop in compiled code (it keeps that value if the loop never runs)"
    return _where_compiled(match, line, bound, type_, imports, words)


def _asserted(match: Match, loop: cst.CSTNode, line: Line, name: str, type_: Type) -> Fix | None:
    """Bind the variable to None before the loop, and assert that it is not None before the statement that reads it."""
    tree, node = match.file.tree, match.model(loop)
    reading = reading_statement(tree, node, name)
    end = match.line(match.libcst(reading)) if reading is not None else None
    if end is None or node.orelse or isinstance(type_, OptionalType):
        return None
    written = spelled(match, OptionalType(type_))
    if written is None or not loop_bindings.reads_only_its_own(node, name):
        return None
    return _none_before(match, line, end, name, written)


def asserted_in_loop(match: Match, branch: Any, name: str, type_: Type | None) -> Fix | None:
    """Bind a variable to None before a loop, for an ``if`` in the loop that does not always bind the variable. After
    the ``if``, assert that the variable is not None.

    Args:
        match: the match of the finding.
        branch: the node of the static model for the ``if``.
        name: the variable.
        type_: its type; None if it is not known.

    Returns:
        None if it is not certain that a statement after the ``if`` reads the variable, or if further statements read
        it.
    """
    tree, unit, loops = match.file.tree, match.event.unit, loop_bindings.loops_around(match.file.tree, branch)
    reading = reading_statement(tree, branch, name) if loops else None
    if unit is None or reading is None or type_ is None or isinstance(type_, OptionalType):
        return None
    line, end = match.line(match.libcst(loops[-1])), match.line(match.libcst(reading))
    if line is None or end is None or not loop_bindings.is_read_only_in(unit.function.node, name, (branch, reading)):
        return None
    written = spelled(match, OptionalType(type_))
    if written is None or loop_bindings.bound_before(unit.function.node, loops[-1], name):
        return None
    return _none_before(match, line, end, name, written)


def _none_before(
    match: Match, line: Line, end: Line, name: str, written: tuple[cst.BaseExpression, tuple[Edit, ...]]
) -> Fix:
    annotation, imports = written
    first = statement("{name}: {type} = None", name=name, type=annotation)
    before = statement("assert {name} is not None", name=name)
    return unsafe(
        f"Set `{name}` to None before the loop, and put `assert {name} is not None` before its use",
        lambda: [match.insert_before(line, first), match.insert_before(end, before)],
        *imports,
        risks=(Risk.EXCEPTION,),
    )


def bound_before_branch(match: Match, stored: Any, name: str, type_: Type | None, use: Any) -> Fix | None:
    """Bind a variable in compiled code before the first statement that binds it, a branch or a loop; Python still
    raises if that statement did not bind the variable. If nothing could read the new value, Python binds the variable,
    too. For a loop, an assertion before the use may be possible instead, as in :func:`bound_before`.

    Args:
        match: the match of the finding.
        stored: the node of the static model that binds the variable: the ``if``, or the name in one of its branches.
        name: the variable.
        type_: its type; None if it is not known.
        use: the node of the static model that reads the variable.

    Returns:
        None if no empty value has that type, or if the variable may already have a value there.
    """
    unit, first = match.event.unit, loop_bindings.joined_before(match.file.tree, stored, name, use)
    line = match.line(match.libcst(first)) if first is not None else None
    if unit is None or first is None or line is None or loop_bindings.bound_before(unit.function.node, first, name):
        return None
    value = _empty(match, name, type_ or ANYTHING)
    if value is None:
        return None
    bound, text, imports = value
    if read_only_where_bound(unit.function.node, first, name):
        return safe(f"Assign `{name}` before the branch", lambda: [match.insert_before(line, bound)], *imports)
    loop = match.libcst(first)
    outermost = isinstance(loop, Loop) and not loop_bindings.loops_around(match.file.tree, first)
    asserted = _asserted(match, loop, line, name, type_ or ANYTHING) if outermost else None
    if asserted is not None:
        return asserted
    words = f"Assign `{text}` to `{name}` first in compiled code, which then continues where Python raises"
    return _where_compiled(match, line, bound, type_, imports, words)


def _where_compiled(
    match: Match, line: Line, bound: Line, type_: Type | None, imports: tuple[Edit, ...], message: str
) -> Fix | None:
    """Bind a variable in compiled code only; if the result may then be an empty Tensor, a person has to decide."""
    torch, more = match.imported("torch")
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
    fix = unsafe(
        message,
        lambda: [match.insert_before(line, test.with_changes(body=block([bound])))],
        *imports,
        *(each for each in more if each not in imports),
        risks=(Risk.DIFFERS,),
    )
    return for_a_person(fix) if type_ == TENSOR else fix


def _empty(match: Match, name: str, type_: Type) -> tuple[Line, str, tuple[Edit, ...]] | None:
    """Return the line that binds a variable to an empty value of a type, the text of this value, and the imports; None
    if there is no such value.
    """
    if type_ == TENSOR:
        torch, imports = match.imported("torch")
        value = expression("{torch}.empty(0)", torch=torch)
        return statement("{name} = {value}", name=name, value=value), code(value), imports
    if type_ in _FIRST:
        return statement("{name} = {value}", name=name, value=_FIRST[type_]), _FIRST[type_], ()
    empty = _CONTAINERS.get(type(type_))
    written = spelled(match, type_) if empty is not None else None
    if empty is None or written is None:
        return None
    annotation, imports = written
    return statement("{name}: {type} = {value}", name=name, type=annotation, value=empty), empty, imports
