"""Evaluates flags for their default values: ``return_attention=False``, or ``self.training``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tslint.script.assumptions import HAS_RUN, Assumption
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.guards import Guard, blocks, guards, parents_of
from tslint.script.scope import Reach
from tslint.util import astwalk
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.events import Event

BEFORE_RUNNING = Assumption(HAS_RUN, False).words()

_PURE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.boolop, ast.cmpop, ast.unaryop,
    ast.expr_context,
)  # fmt: skip
_MAYBE_BOOL = re.compile(r"(?:typing\.)?Optional\[bool\]|bool \| None|bool")
_UNSET = object()


@record
class Drop:
    """A way to make the compiler drop the code under a test: compiled code is then only valid for the flags' defaults.

    Args:
        test: the test.
        skips: the result of the test with which the code does not run.
        asserted: the parts of the test that must have the same result as by default, each with this result.
        before: the statement above which a fix asserts them.
        above: the existing statements in which this may already be asserted.
    """

    test: ast.expr
    skips: bool
    asserted: list[tuple[ast.expr, bool]]
    before: ast.stmt
    above: list[ast.stmt]


class Flags:
    """The values that the flags of a function and its instance have if callers pass nothing for them.

    Args:
        function: the function.
        itself: the function's name for its instance, if it is a method.
        constructed: the class whose attributes have the values of a module that is built without arguments; None if
            constructors may set them to anything.
    """

    def __init__(self, function: FunctionNode, itself: str | None, constructed: ast.ClassDef | None = None) -> None:
        self.function = function
        self.itself = itself
        self.values = _defaults(function)
        self.constructed: Mapping[str, object] = _constructed(constructed) if constructed is not None else {}

    def is_default_path(self, node: ast.AST) -> bool:
        """Return whether the flags' defaults decide some of the tests on which a node depends, all of these so that the
        node runs.
        """
        values = [(self.value(guard.test), guard.skips) for guard in guards(self.function, node)]
        known = [bool(value) is not skips for value, skips in values if value is not _UNSET]
        return bool(known) and all(known)

    def drops(self, node: ast.AST) -> Iterator[Drop]:
        """Yield the ways to make the compiler drop a node of the function, the nearest test first."""
        for guard in guards(self.function, node):
            found = self._drop(guard)
            if found is not None:
                yield found

    def value(self, node: ast.expr) -> object:
        """Return the default value of an expression that only uses flags; ``_UNSET`` for all others."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.values.get(node.id, _UNSET)
        if isinstance(node, ast.Attribute):
            if not isinstance(node.value, ast.Name) or node.value.id != self.itself:
                return _UNSET
            return False if node.attr == "training" else self.constructed.get(node.attr, _UNSET)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.value(node.operand)
            return _UNSET if inner is _UNSET else not inner
        if isinstance(node, ast.BoolOp):
            values = [self.value(each) for each in node.values]
            if any(each is _UNSET for each in values):
                return _UNSET
            return any(values) if isinstance(node.op, ast.Or) else all(values)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            left, right = self.value(node.left), self.value(node.comparators[0])
            return _UNSET if _UNSET in (left, right) else (left is right) is isinstance(node.ops[0], ast.Is)
        return _UNSET

    def settling(self, test: ast.expr, outcome: bool) -> list[tuple[ast.expr, bool]] | None:
        """Return parts of a test that together give it a result if the flags have their defaults, each with its own
        result; None if no parts do.
        """
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.settling(test.operand, not outcome)
        value = self.value(test)
        if value is not _UNSET:
            return [(test, outcome)] if bool(value) is outcome and not isinstance(test, ast.Constant) else None
        if not isinstance(test, ast.BoolOp):
            return None
        parts = [self.settling(each, outcome) for each in test.values]
        if isinstance(test.op, ast.Or) is outcome:
            return next((part for part in parts if part is not None), None)
        return None if None in parts else [each for part in parts for each in part or ()]

    def _drop(self, guard: Guard) -> Drop | None:
        settled = self.settling(guard.test, guard.skips)
        if settled is None or any(not isinstance(node, _PURE) for part, _ in settled for node in astwalk.walk(part)):
            return None
        if any(part.lineno != part.end_lineno for part, _ in settled):
            return None
        return Drop(guard.test, guard.skips, settled, *self._before(guard.test))

    def _before(self, test: ast.expr) -> tuple[ast.stmt, list[ast.stmt]]:
        """Return the statement above which an assertion can reject calls that need the dropped code; and the existing
        statements in which this assertion may already be.

        The statement is the first one of the function, or, if the test is in a nested block, the statement of the test.
        """
        body = self.function.body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
        around = parents_of(self.function)
        holder: ast.AST = test
        while not isinstance(holder, ast.stmt):
            holder = around[holder]
        outer = around[holder]
        # An `elif` begins at the column of its `if`.
        is_elif = isinstance(outer, ast.If) and isinstance(holder, ast.If) and holder.col_offset == outer.col_offset
        for block in blocks(outer):
            if any(each is holder for each in block) and block is not body and not is_elif:
                index = block.index(holder)
                return holder, block[max(0, index - 1) : index]
        return body[1 if documented else 0], body

    def said(self, part: ast.expr) -> str:
        """Return the defaults that decide a condition, for messages: ``flag=False``, or ``eval mode`` if it reads no
        flag.
        """
        names = {node.id for node in astwalk.walk(part) if isinstance(node, ast.Name)} & self.values.keys()
        return ", ".join(f"{name}={self.values[name]}" for name in sorted(names)) or "eval mode"

    def left_alone(self, reach: Reach) -> bool:
        """Return whether a caller passes nothing for the flags, or only values with the same truth as the defaults."""
        call = reach.node
        if reach.caller is None or not isinstance(call, ast.Call):
            return True
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            return False
        names = [each.arg for each in self.function.args.args]
        passed = dict(zip(names[1:] if self.itself else names, call.args))
        passed |= {each.arg: each.value for each in call.keywords if each.arg is not None}
        caller = _defaults(reach.caller.function.node)
        for name, value in passed.items():
            if name not in self.values:
                continue
            known = value.value if isinstance(value, ast.Constant) else _UNSET
            known = caller.get(value.id, _UNSET) if isinstance(value, ast.Name) else known
            if known is _UNSET or bool(known) is not bool(self.values[name]):
                return False
        return True


def droppable(event: Event, itself: str | None, nodes: Iterable[Any]) -> Iterator[tuple[Flags, Drop]]:
    """Yield the ways to make the compiler drop one of the given nodes, if no construction needs the nodes in compiled
    code.

    Args:
        event: an error in these nodes.
        itself: the function's name for its instance, if it is a method.
        nodes: nodes of the static model, or None; those that compiled code needs least come first.
    """
    unit = event.unit
    # If some construction can compile the code, it is kept for all.
    if unit is None or event.condition not in (None, BEFORE_RUNNING):
        return
    flags = Flags(unit.function.node, itself)
    for node in nodes:
        for drop in flags.drops(node) if node is not None else ():
            if all(flags.left_alone(reach) for reach in unit.reached):
                yield flags, drop


def _constructed(owner: ast.ClassDef) -> dict[str, object]:
    """Return the attributes that a constructor sets to its own flags or to bools, with their default values."""
    init = next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    found: dict[str, object] = {}
    values = _defaults(init) if init is not None else {}
    for node in astwalk.walk(init) if init is not None else ():
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute):
            value = node.value
            if isinstance(value, ast.Name) and value.id in values:
                found[node.targets[0].attr] = values[value.id]
            elif isinstance(value, ast.Constant) and isinstance(value.value, bool):
                found[node.targets[0].attr] = value.value
    return found


def _defaults(function: FunctionNode) -> dict[str, object]:
    """Return the parameters that are flags, and their defaults."""
    return {name: value for name, value in _flags(function.args) if name not in astwalk.bound(function)}


def _flags(arguments: ast.arguments) -> Iterator[tuple[str, object]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(positional[::-1], arguments.defaults[::-1]), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    for argument, default in pairs:
        if not isinstance(default, ast.Constant):
            continue
        is_bool = argument.annotation is not None and _MAYBE_BOOL.fullmatch(ast.unparse(argument.annotation))
        if isinstance(default.value, bool) or (default.value is None and is_bool):
            yield argument.arg, default.value
