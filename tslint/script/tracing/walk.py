"""One function as the tracer runs it: statements, branches, loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tslint import walking
from tslint.script.tracing import conditions, outputs
from tslint.script.tracing.expressions import evaluate
from tslint.script.tracing.iteration import looped
from tslint.script.tracing.kinds import SIZE, STATE, TENSOR, UNKNOWN, Kind, element, holds, join, join_all

if TYPE_CHECKING:
    from tslint.script.scope import Unit
    from tslint.script.tracing.analysis import Tracing
    from tslint.script.tracing.roots import Root

Locals = dict[str, Kind]


class Walk:
    """See the module's docstring.

    Args:
        tracing: the run.
        unit: the function, and whose method it is.
        given: what its parameters are; those that are missing are unknown.
        root: where the tracer itself calls it.
    """

    def __init__(self, tracing: Tracing, unit: Unit, given: Locals, root: Root | None) -> None:
        self.tracing = tracing
        self.unit = unit
        self.root = root
        self.module = unit.function.module
        self.locals: Locals = {}
        self.returned: list[Kind] = []
        self.branches = 0  # how many conditions stand around the statement
        node = unit.function.node
        spec = node.args
        for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]:
            if argument is not None:
                self.locals[argument.arg] = given.get(argument.arg, UNKNOWN)
        arguments = [*spec.posonlyargs, *spec.args]
        self.self_name = arguments[0].arg if unit.receiver is not None and arguments else ""
        # What a function binds is never a global, even before it is bound.
        for each in walking.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self.locals.setdefault(each.id, UNKNOWN)

    def run(self) -> Kind:
        """Walk the body; what it returns."""
        self.block(self.unit.function.node.body)
        return join_all(tuple(self.returned)) if self.returned else UNKNOWN

    def report(self, kind: str, node: ast.AST, compiler: str, **facts: Any) -> None:
        """Remember an event in this function."""
        self.tracing.report(kind, node, compiler, self.unit, **facts)

    def is_plain_parameter(self, name: str) -> bool:
        """Whether a name is a parameter that nobody says is a tensor."""
        spec = self.unit.function.node.args
        return any(
            argument.arg == name and argument.annotation is None
            for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        )

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Walk statements; whether the end is never reached."""
        return any(self.statement(statement) for statement in body)

    def statement(self, node: ast.stmt) -> bool:
        """Walk a statement; whether what follows is never reached."""
        if isinstance(node, ast.Return):
            self.returned.append(evaluate(self, node.value) if node.value is not None else UNKNOWN)
            if self.root is not None and self.root.sure:
                outputs.check(self, node)
            return True
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While):
            conditions.truth(self, node.test, "while")
            self._loop(node.body, None, None)
            self.block(node.orelse)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._loop(node.body, node.target, looped(self, node.iter, node))
            self.block(node.orelse)
        elif isinstance(node, ast.Assert):
            conditions.asserted(self, node)
        elif isinstance(node, ast.Assign):
            value = evaluate(self, node.value)
            for target in node.targets:
                self.assign(target, value, node)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.assign(node.target, evaluate(self, node.value), node)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node)
        elif isinstance(node, ast.Expr):
            evaluate(self, node.value)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                evaluate(self, item.context_expr)
                if item.optional_vars is not None:
                    self.assign(item.optional_vars, UNKNOWN, node)
            return self.block(node.body)
        elif isinstance(node, ast.Try):
            self.branches += 1
            self.block(node.body)
            for handler in node.handlers:
                self.block(handler.body)
            self.block(node.orelse)
            self.branches -= 1
            return self.block(node.finalbody)
        return False

    def _if(self, node: ast.If) -> bool:
        static = conditions.static(self, node.test)
        if static is None:
            conditions.truth(self, node.test, "if")
        if static is not None:
            return self.block(node.body if static else node.orelse)
        before = dict(self.locals)
        self.branches += 1
        first_ends = self.block(node.body)
        first, self.locals = self.locals, dict(before)
        second_ends = self.block(node.orelse)
        self.branches -= 1
        if first_ends and not second_ends:
            return False
        if second_ends and not first_ends:
            self.locals = first
        else:
            self._join(first)
        return first_ends and second_ends

    def _join(self, other: Locals) -> None:
        for name in {*self.locals, *other}:
            self.locals[name] = join(self.locals.get(name, UNKNOWN), other.get(name, UNKNOWN))

    def _loop(self, body: Sequence[ast.stmt], target: ast.expr | None, item: Kind | None) -> None:
        self.branches += 1
        # Twice: what the first round leaves in a variable is what the second begins with.
        for _ in range(2):
            before = dict(self.locals)
            if target is not None:
                self.assign(target, item or UNKNOWN, target)
            self.block(body)
            self._join(before)
        self.branches -= 1

    def assign(self, target: ast.expr, value: Kind, node: ast.AST) -> None:
        """Bind a target."""
        if isinstance(target, ast.Name):
            self.locals[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if value.items is not None and len(value.items) == len(target.elts) else None
            starred = any(isinstance(each, ast.Starred) for each in target.elts)
            for index, each in enumerate(target.elts):
                if isinstance(each, ast.Starred):
                    self.assign(each.value, SIZE if value == SIZE else UNKNOWN, node)
                else:
                    self.assign(each, items[index] if items is not None and not starred else element(value), node)
        elif isinstance(target, ast.Attribute):
            self._rebound(target, value, node)
            evaluate(self, target.value)
        elif isinstance(target, ast.Subscript):
            evaluate(self, target.value)
            evaluate(self, target.slice)

    def _augmented(self, node: ast.AugAssign) -> None:
        value = evaluate(self, node.value)
        if isinstance(node.target, ast.Name):
            known = self.locals.get(node.target.id, UNKNOWN)
            self.locals[node.target.id] = value if value in (TENSOR, STATE) and known != TENSOR else known
        elif isinstance(node.target, ast.Attribute):
            # A tensor is changed in place, and the tracer records that; a number is a new one.
            if self._is_self(node.target) and self._attribute_kinds(node.target.attr) == {"PyConst"}:
                self._lost(node, node.target, number=True)

    def _is_self(self, target: ast.Attribute) -> bool:
        return isinstance(target.value, ast.Name) and bool(self.self_name) and target.value.id == self.self_name

    def _rebound(self, target: ast.Attribute, value: Kind, node: ast.AST) -> None:
        """``self.buf = …`` where the old value mattered: what the next call reads is what it was before the trace."""
        if not self._is_self(target) or not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            return
        reads = any(
            isinstance(each, ast.Attribute) and each.attr == target.attr and self._is_self(each)
            for each in walking.walk(node.value)
        )
        kinds = self._attribute_kinds(target.attr)
        if "buffer" in kinds or (reads and (kinds or holds(value, "tensor"))):
            self._lost(node, target, number=not holds(value, "tensor") and "buffer" not in kinds)

    def _attribute_kinds(self, name: str) -> set[str]:
        """Of which kinds an attribute of ``self`` may be."""
        assert self.unit.receiver is not None
        facts = self.tracing.model.facts(self.unit.receiver)
        return {option.kind or type(option.value).__name__ for option in facts.attributes.get(name, ())}

    def _lost(self, node: ast.AST, target: ast.Attribute, *, number: bool) -> None:
        buffer = "buffer" in self._attribute_kinds(target.attr)
        self.report("trace-rebound-state", node, "", attribute=target.attr, number=number, buffer=buffer)
