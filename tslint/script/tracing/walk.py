"""Runs one function as the tracer does: statements, branches, loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.scope import Unit

# Imported for their registrations, which evaluate expressions.
from tslint.script.tracing import calls, conditions, expressions, outputs
from tslint.script.tracing.frame import Frame, Locals
from tslint.script.tracing.iteration import looped
from tslint.script.tracing.kinds import STATE, TENSOR, UNKNOWN, Kind, join, join_all
from tslint.script.tracing.roots import Root
from tslint.script.tracing.run import Tracing


class Walk(Frame):
    """Runs the statements of one function.

    Args:
        tracing: the run.
        unit: the function, with the class of its ``self``.
        given: the kinds of its parameters; missing ones are unknown.
        root: the root that is this function, if the tracer itself calls it; otherwise None.
    """

    def __init__(self, tracing: Tracing, unit: Unit, given: Locals, root: Root | None) -> None:
        super().__init__(tracing, unit, given)
        self.root = root
        self.returned: list[Kind] = []
        self.branches = 0  # the number of conditions around the current statement

    def run(self) -> Kind:
        """Analyse the body; return the kind of its result."""
        self.block(self.unit.function.node.body)
        return join_all(tuple(self.returned)) if self.returned else UNKNOWN

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Analyse statements; return True if their end is never reached."""
        return any(self.statement(statement) for statement in body)

    def statement(self, node: ast.stmt) -> bool:
        """Analyse a statement; return True if the code after it is never reached."""
        if isinstance(node, ast.Return):
            self.returned.append(self.evaluate(node.value) if node.value is not None else UNKNOWN)
            if self.root is not None and self.root.sure:
                outputs.check(self, node, strict=self.root.strict, sure=not self.branches)
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
            value = self.evaluate(node.value)
            for target in node.targets:
                self.assign(target, value, node)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.assign(node.target, self.evaluate(node.value), node)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node)
        elif isinstance(node, ast.Expr):
            self.evaluate(node.value)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.evaluate(item.context_expr)
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
        # Twice, because the second iteration begins with the values that the first one has left in variables.
        for _ in range(2):
            before = dict(self.locals)
            if target is not None:
                self.assign(target, item or UNKNOWN, target)
            self.block(body)
            self._join(before)
        self.branches -= 1

    def _augmented(self, node: ast.AugAssign) -> None:
        value = self.evaluate(node.value)
        if isinstance(node.target, ast.Name):
            known = self.locals.get(node.target.id, UNKNOWN)
            self.locals[node.target.id] = value if value in (TENSOR, STATE) and known != TENSOR else known
        elif isinstance(node.target, ast.Attribute):
            # A tensor is changed in place, which the tracer records; a number is replaced.
            if self._is_self(node.target) and self._attribute_kinds(node.target.attr) == {"PyConst"}:
                self._lost(node, node.target, number=True)


__all__ = ["Walk", "calls", "expressions"]
