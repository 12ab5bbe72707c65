"""Code for one value of a flag: compiled code is left with what the flag's default means, and asserts it.

Where a flag of the call decides what a function gives, ``return_attention=False`` or ``self.training``, the compiler
would need one type for both. ``if flag and not torch.jit.is_scripting():`` does in Python what ``if flag:`` does, and
the compiler drops it (``emitShortCircuitLogical`` and ``emitIfElseBlocks`` in torch/csrc/jit/frontend/ir_emitter.cpp).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tslint import walking
from tslint.diagnostics import Applicability, Edit, Fix, Position
from tslint.rewrite.statements import indentation, own_class, self_name
from tslint.rewrite.type_wording import function, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.attributes import HAS_RUN, Atom
from tslint.script.dataflow.guards import Guard, blocks, guards, parents_of
from tslint.script.scope import Reach

_PURE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.boolop, ast.cmpop, ast.unaryop,
    ast.expr_context,
)  # fmt: skip
_MAYBE_BOOL = re.compile(r"(?:typing\.)?Optional\[bool\]|bool \| None|bool")
_UNSET = object()
BEFORE_RUNNING = Atom(HAS_RUN, False).words()


def by_default(match: Match, nodes: Iterable[ast.AST | None]) -> Fix | None:
    """A last resort after which the compiler does not see the first of some nodes that it need not see.

    Args:
        match: the event.
        nodes: what stands in the way, the one that compiled code needs least first.
    """
    held, unit = function(match), match.event.unit
    if held is None or unit is None or match.file.tree is not unit.function.module.tree:
        return None
    # What some construction compiles stays in all of them.
    if match.event.condition not in (None, BEFORE_RUNNING):
        return None
    flags = _Flags(match, held)
    for node in nodes:
        for guard in guards(held, node) if node is not None else ():
            fix = flags.dropped(guard)
            if fix is not None and all(flags.left_alone(reach) for reach in unit.reached):
                return replace(fix, applicability=Applicability.DISPLAY, last_resort=True)
    return None


def is_default_path(match: Match, node: ast.AST) -> bool:
    """Whether a test around a node lets it run where callers and constructors leave the test's flags as they are by
    default."""
    held = function(match)
    if held is None:
        return False
    flags = _Flags(match, held, _constructed(own_class(match)))
    values = [(flags.value(guard.test), guard.skips) for guard in guards(held, node)]
    return any(value is not _UNSET and bool(value) is not skips for value, skips in values)


class _Flags:
    """What a function is told by its callers, and what it is where they say nothing.

    Args:
        match: the event.
        held: the function.
        constructed: what attributes hold in a module that is built without arguments.
    """

    def __init__(
        self,
        match: Match,
        held: ast.FunctionDef | ast.AsyncFunctionDef,
        constructed: Mapping[str, object] | None = None,
    ) -> None:
        self.match = match
        self.held = held
        self.itself = self_name(match)
        self.values = _defaults(held)
        self.constructed = constructed if constructed is not None else {}

    def value(self, node: ast.expr) -> object:
        """What an expression of flags alone is by default; ``_UNSET`` for all others."""
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
        """Parts of a test and their outcomes by default, which together give the test an outcome; None for none."""
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

    def dropped(self, guard: Guard) -> Fix | None:
        """The compiler drops what a test guards, where the test lets it be dropped by default."""
        settled = self.settling(guard.test, guard.skips)
        if settled is None or any(not isinstance(node, _PURE) for part, _ in settled for node in walking.walk(part)):
            return None
        asserted = self._asserted(self._before(guard.test), settled)
        if asserted is None:
            return None
        torch, imports = self.match.imported("torch")
        start, end = place(self.match, guard.test)
        word, scripting = ("or", "") if guard.skips else ("and", "not ")
        loose = (ast.IfExp, ast.Lambda, ast.NamedExpr, *(() if guard.skips else (ast.Or,)))
        wraps = isinstance(guard.test, loose) or isinstance(getattr(guard.test, "op", None), loose)
        added = [Edit(end, end, f"{')' if wraps else ''} {word} {scripting}{torch}.jit.is_scripting()")]
        added += [Edit(start, start, "(")] if wraps else []
        words = ", ".join(self._said(part) for part, _ in settled)
        return unsafe(f"Compile it for {words} only (other calls of compiled code raise)", *asserted, *added, *imports)

    def _before(self, test: ast.expr) -> tuple[ast.stmt, list[ast.stmt]]:
        """Where to refuse what is dropped, and what is refused there already: at the top of the function, or before a
        test that not every call comes to."""
        body = self.held.body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
        around = parents_of(self.held)
        holder: ast.AST = test
        while not isinstance(holder, ast.stmt):
            holder = around[holder]
        for block in blocks(around[holder]):
            is_elif = isinstance(around[holder], ast.If) and self.match.text(holder).startswith("elif")
            if any(each is holder for each in block) and block is not body and not is_elif:
                index = block.index(holder)
                return holder, block[max(0, index - 1) : index]
        return body[1 if documented else 0], body

    def _asserted(
        self, where: tuple[ast.stmt, list[ast.stmt]], settled: list[tuple[ast.expr, bool]]
    ) -> list[Edit] | None:
        """Lines that refuse in compiled code what is no longer in it."""
        first, others = where
        row = place(self.match, first)[0].row
        line = self.match.source.lines[row - 1]
        indent, newline = indentation(line), self.match.source.newline
        if first.col_offset != len(indent.encode()):
            return None
        present = {ast.unparse(each) for each in others if isinstance(each, ast.Assert)}
        edits = []
        for part, outcome in settled:
            text = self.match.text(part)
            if "\n" in text:
                return None
            whole = f"({text})" if isinstance(part, (ast.BoolOp, ast.Compare, ast.UnaryOp)) else text
            test = f"{'' if outcome else 'not '}{whole} or not {self.match.imported('torch')[0]}.jit.is_scripting()"
            written = f'assert {test}, "scripted for {self._said(part)} only"'
            if ast.unparse(ast.parse(written)) not in present:
                edits.append(Edit(Position(row, 1), Position(row, 1), f"{indent}{written}{newline}"))
        return edits

    def _said(self, part: ast.expr) -> str:
        """``flag=False``, as a caller would write it."""
        names = {node.id for node in walking.walk(part) if isinstance(node, ast.Name)} & self.values.keys()
        return ", ".join(f"{name}={self.values[name]}" for name in sorted(names)) or "eval mode"

    def left_alone(self, reach: Reach) -> bool:
        """Whether a caller leaves the flags as they are by default."""
        call = reach.node
        if reach.caller is None or not isinstance(call, ast.Call):
            return True
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            return False
        names = [each.arg for each in self.held.args.args]
        given = dict(zip(names[1:] if self.itself else names, call.args))
        given |= {each.arg: each.value for each in call.keywords if each.arg is not None}
        caller = _defaults(reach.caller.function.node)
        for name, value in given.items():
            if name not in self.values:
                continue
            known = value.value if isinstance(value, ast.Constant) else _UNSET
            known = caller.get(value.id, _UNSET) if isinstance(value, ast.Name) else known
            if known is _UNSET or bool(known) is not bool(self.values[name]):
                return False
        return True


def _constructed(owner: ast.ClassDef | None) -> dict[str, object]:
    """The attributes that a constructor takes over from flags of its own, with their defaults, or sets to a bool."""
    methods = owner.body if owner is not None else []
    init = next((each for each in methods if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    found: dict[str, object] = {}
    values = _defaults(init) if init is not None else {}
    for node in walking.walk(init) if init is not None else ():
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute):
            value = node.value
            if isinstance(value, ast.Name) and value.id in values:
                found[node.targets[0].attr] = values[value.id]
            elif isinstance(value, ast.Constant) and isinstance(value.value, bool):
                found[node.targets[0].attr] = value.value
    return found


def _defaults(held: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, object]:
    """The parameters that are flags, and their defaults."""
    stored = {node.id for node in walking.walk(held) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {name: value for name, value in _flags(held.args) if name not in stored}


def _flags(arguments: ast.arguments) -> Iterator[tuple[str, object]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(positional[::-1], arguments.defaults[::-1]), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    for argument, default in pairs:
        if not isinstance(default, ast.Constant):
            continue
        is_bool = argument.annotation is not None and _MAYBE_BOOL.fullmatch(ast.unparse(argument.annotation))
        if isinstance(default.value, bool) or (default.value is None and is_bool):
            yield argument.arg, default.value
