"""Runs the loops of a constructor: once for each item if the items are known; otherwise once, with what is known of the
variables in every iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tslint.script.attributes import PY_UNKNOWN, PyConst, PySequence, PyValue
from tslint.script.construct.branch_values import narrowed
from tslint.script.construct.expressions import Evaluator
from tslint.script.construct.frame import Frame
from tslint.script.construct.pyvalues import either, of_any_length
from tslint.script.dataflow.liveness import Use, first_use
from tslint.util import astwalk


class Loops(Frame):
    """Runs the loops of a function, and the tests that depend on the iteration."""

    evaluator: Evaluator

    def _for(self, node: ast.For) -> bool | None:
        items = self.evaluator.iterate(node.iter)
        if items is not None:
            return self._known_iterations(node, items)
        self.bind(node.target, self.evaluator.element_of(node.iter))
        skipped, self.perhaps_skipped = self.perhaps_skipped, self.evaluator.may_be_empty(node.iter)
        self._iterations(node)
        self.perhaps_skipped = skipped
        constants = (name for name in assigned(node) if isinstance(self.locals.get(name), PyConst))
        self.locals.update(dict.fromkeys(constants, PY_UNKNOWN))
        self._after_loop(node)
        return True

    def _while(self, node: ast.While) -> None:
        self._iterations(node)
        self.locals.update(dict.fromkeys(assigned(node), PY_UNKNOWN))
        self._after_loop(node)

    def _known_iterations(self, node: ast.For, items: Iterable[PyValue]) -> bool:
        """Run the body of a loop for each of its items; return whether the code after the loop is reached."""
        outer, self.loop_assumptions = self.loop_assumptions, self.assumptions
        unknown_loops = self.unknown_loops
        left, goes_on = "", True
        for item in items:
            self.bind(node.target, item)
            goes_on = self.block(node.body)
            left, self.left = self.left, ""
            if not goes_on and left != "continue":
                break
        certain, self.unknown_loops = self.unknown_loops == unknown_loops, unknown_loops
        self.loop_assumptions = outer
        if not certain:
            self._after_loop(node)
            return True
        if not goes_on and not left:
            return False
        return left == "break" or self.block(node.orelse)

    def _after_loop(self, node: ast.For | ast.While) -> None:
        """Run the ``else`` of a loop that a ``break`` may have left."""
        if node.orelse:
            with self._perhaps():
                self.block(node.orelse)

    def _leave(self, node: ast.Break | ast.Continue) -> bool | None:
        """End an iteration. If only some constructions reach the statement, the rest of the loop may run or not."""
        if self.assumptions == self.loop_assumptions and not self.unknown_loops:
            self.left = "break" if isinstance(node, ast.Break) else "continue"
            return False
        self.unknown_loops += 1
        return None

    def _iterations(self, node: ast.For | ast.While) -> None:
        """Run the body of a loop of unknown length once, with what is known of its variables in every iteration."""
        outer, self.varying = self.varying, self.varying | _bound(node)
        unknown_loops, loop_assumptions = self.unknown_loops, self.loop_assumptions
        for name in _kept_for_next(node):
            value = self.locals.get(name)
            if isinstance(value, PySequence) and value.items:
                self.locals[name] = of_any_length(value, grows=name in _growing(node))
            elif isinstance(value, PyConst):
                self.locals[name] = PY_UNKNOWN
        self.unknown_loops += 1
        self.block(node.body)
        self.unknown_loops, self.loop_assumptions, self.varying = unknown_loops, loop_assumptions, outer

    def if_in_some_iterations(self, node: ast.If) -> bool:
        """Run both branches of a test whose result depends on the iteration: one construction may run both."""
        self.evaluator.requires_values(node.test)
        goes_on = []
        for holds, body in ((True, node.body), (False, node.orelse)):
            with self._perhaps(), narrowed(self, node.test, holds):
                goes_on.append(self.block(body))
        return any(goes_on)

    @contextmanager
    def _perhaps(self) -> Iterator[None]:
        """Run code that only some iterations or constructions run, while no test shows which ones."""
        before, impossible = dict(self.locals), len(self.run.impossible)
        self.in_some_iterations += 1
        self.unknown_loops += 1
        yield
        self.unknown_loops -= 1
        self.in_some_iterations -= 1
        self.left = ""
        del self.run.impossible[impossible:]  # the code that raises may not run at all
        for name, value in before.items():
            if self.locals[name] is not value:
                self.locals[name] = either(value, self.locals[name])
                self.versions[name] = self.run.version()


@astwalk.kept
def assigned(block: ast.For | ast.While | ast.ExceptHandler) -> set[str]:
    """Return the names that a block assigns anywhere."""
    return {
        name.id
        for statement in block.body
        for node in astwalk.walk(statement)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in astwalk.walk(target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }


@astwalk.kept
def _bound(loop: ast.For | ast.While) -> frozenset[str]:
    """Return the names, and the attributes as ``self.name``, that a loop binds."""
    targets = [loop.target] if isinstance(loop, ast.For) else []
    parts = [part for each in (*targets, *loop.body) for part in astwalk.walk(each)]
    return frozenset(ast.unparse(part) for part in parts if isinstance(getattr(part, "ctx", None), ast.Store))


@astwalk.kept
def read_names(node: ast.expr) -> frozenset[str]:
    """Return the names, and the attributes as ``self.name``, that an expression reads or gives to ``hasattr``."""
    parts = list(astwalk.walk(node))
    calls = [part for part in parts if isinstance(part, ast.Call) and len(part.args) > 1]
    asked = [
        f"{ast.unparse(call.args[0])}.{call.args[1].value!s}"
        for call in calls
        if isinstance(call.args[1], ast.Constant) and getattr(call.func, "id", "") in ("hasattr", "getattr")
    ]
    return frozenset(asked).union(ast.unparse(part) for part in parts if isinstance(part, (ast.Name, ast.Attribute)))


@astwalk.kept
def _kept_for_next(loop: ast.For | ast.While) -> set[str]:
    """Return the names whose value from one iteration is read by the next one."""
    return {name for name in assigned(loop) if first_use(loop.body, name) is Use.READ}


@astwalk.kept
def _growing(loop: ast.For | ast.While) -> set[str]:
    """Return the names of lists to which a loop only adds."""
    other = {
        name.id
        for node in astwalk.walk(loop)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and not _adds(node)
        for name in astwalk.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return assigned(loop) - other


def _adds(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    """Return whether an assignment is ``layers += […]`` or ``layers = layers + […]``."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add)
    value = node.value
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and isinstance(value.left, ast.Name)


@astwalk.kept
def reads_targets(node: ast.Assign) -> bool:
    """Return whether a value depends on the earlier value of its variable, as in ``layers = layers + [layer]``."""
    targets = {each.id for each in node.targets if isinstance(each, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in targets for each in astwalk.walk(node.value))
