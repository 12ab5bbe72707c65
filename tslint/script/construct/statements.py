"""Runs a constructor's statements; both branches if the result of a test is not known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from tslint.project.bindings import bound
from tslint.project.classes import is_external
from tslint.project.closures import local_class
from tslint.project.definitions import Class, Function, Module
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import (
    MOST_ITEMS,
    PY_UNKNOWN,
    Instance,
    PyClass,
    PyConst,
    PyDict,
    PyFunction,
    PySequence,
    PyValue,
)
from tslint.script.construct.aliases import change
from tslint.script.construct.branch_values import narrow, narrowed
from tslint.script.construct.escapes import TABLES, forget_changes
from tslint.script.construct.expressions import SELF, Evaluator
from tslint.script.construct.frame import Frame, Run
from tslint.script.construct.loops import Loops, assigned, read_names, reads_targets
from tslint.script.construct.pyvalues import (
    cases,
    choose,
    common_element,
    forget_items,
    of_any_length,
    truth,
)
from tslint.util import astwalk

MOST_STATEMENTS = 4000
_SET = "(set)"  # a variable for the value that a property's setter gets
_GROWN_IN_PLACE = ("ModuleList", "ParameterList")  # containers that `+=` changes in place


class Statements(Loops):
    """Runs the statements of a function."""

    def __init__(
        self, run: Run, module: Module, function: Function | None, owner: Class | None, assumptions: Assumptions
    ) -> None:
        super().__init__(run, module, function, owner, assumptions)
        self.evaluator = Evaluator(self)

    def evaluate(self, node: ast.expr | None) -> PyValue:
        """Return the value of an expression; ``PY_UNKNOWN`` if it is not known."""
        return self.evaluator.evaluate(node)

    def assumption(self, test: ast.expr) -> Assumption:
        """Return the assumption that a test is true."""
        return self.evaluator.assumption(test)

    def inner(self, function: Function) -> Frame:
        """Return the frame of a function that this function calls."""
        made = Statements(self.run, function.module, function, function.owner, self.assumptions)
        made.caller = self
        return made

    def at_top(self, module: Module) -> Frame:
        """Return the frame of a file's code outside functions."""
        return Statements(self.run, module, None, None, NO_ASSUMPTIONS)

    def _assert(self, node: ast.Assert) -> bool:
        for assumptions, outcome in cases(self.evaluator.computed(node.test)):
            if truth(outcome) is False and assumptions:
                self.run.impossible.append(self.assumptions | assumptions)
        known, _, no = self.evaluator.test(node.test)
        if known is None and no:
            self.run.impossible.append(self.assumptions | no)
        narrow(self.locals, node.test, True)
        return known is not False

    # Statements. Each handler returns False if the code after the statement is not reached.

    def block(self, body: list[ast.stmt]) -> bool:
        """Run statements in order; return False if the code after them is not reached."""
        for statement in body:
            self.run.steps += 1
            if self.run.steps > MOST_STATEMENTS:
                self.run.open = True
                self.run.cut_short += 1
                self.run.unfit()
                return False
            handler = _HANDLERS.get(statement.__class__, Statements._unread)
            if handler(self, statement) is False:
                return False
        return True

    def _unread(self, node: ast.stmt) -> None:
        """Treat what a statement may change as unknown, because it is not interpreted: ``match``, ``async with``."""
        forget_changes(self, node)
        patterns = (each for each in astwalk.walk(node) if isinstance(each, (ast.MatchAs, ast.MatchStar)))
        captured = {each.name for each in patterns if each.name is not None}
        self.locals.update(dict.fromkeys(astwalk.bound(node) | captured, PY_UNKNOWN))
        if any(isinstance(each, ast.Return) for each in astwalk.walk(node)):
            self.returns.append((self.assumptions, PY_UNKNOWN))

    def _expression(self, node: ast.Expr) -> None:
        self.evaluator.evaluate(node.value)

    def _assign(self, node: ast.Assign) -> None:
        value = self.evaluator.computed(node.value)
        if self.unknown_loops and isinstance(value, PySequence) and reads_targets(node):
            value = of_any_length(value, grows=isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add))
        for target in node.targets:
            self.assign(target, value, node)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluator.computed(node.value), node)

    def _augmented(self, node: ast.AugAssign) -> None:
        held = _as_load(node.target)
        if isinstance(node.op, ast.Add) and isinstance(node.target, (ast.Name, ast.Attribute)):
            owner = self.evaluator.evaluate(held)
            grows = isinstance(owner, Instance) and owner.external.endswith(_GROWN_IN_PLACE)
            if grows or (self.unknown_loops and isinstance(owner, PySequence) and owner.kind == "list"):
                self.extend(held, owner, self.evaluator.evaluate(node.value))
                return
        load = ast.copy_location(ast.BinOp(held, node.op, node.value), node)
        before, value = self.evaluator.evaluate(held), self.evaluator._binary(load)
        self.assign(node.target, value, node)
        if isinstance(before, PySequence) and before.kind == "list":  # `+=` changes the list for its other names, too
            change(self, before, value, node)

    def assign(self, target: ast.expr, value: PyValue, node: ast.AST) -> None:
        """Bind a target."""
        if isinstance(target, ast.Attribute):
            owner = self.evaluator.evaluate(target.value)
            if owner is SELF and self._is_set_by_property(target.attr):
                self.locals[_SET] = value
                method = ast.Attribute(ast.Name(self.self_name, ast.Load()), target.attr, ast.Load())
                call = ast.Call(method, [ast.Name(_SET, ast.Load())], [])
                self.evaluator.evaluate(ast.fix_missing_locations(ast.copy_location(call, target)))
            elif owner is SELF:
                name = self.attribute_name(target.attr)
                if self.in_some_iterations and self.run.stored(name):
                    self.run.forget(name, node)
                else:
                    self.run.set(name, value, self.assumptions, node)
            elif isinstance(owner, PyValue) and isinstance(target.value, ast.Attribute) and target.attr == "__dict__":
                self.run.open = True
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value)
        else:
            self.bind(target, value)

    def _is_set_by_property(self, name: str) -> bool:
        """Return whether assigning to the attribute calls the setter of a property."""
        member = self.run.member(name)
        marks = member.node.decorator_list if member is not None and isinstance(member.node, ast.FunctionDef) else []
        return any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in marks)

    def _store_item(self, target: ast.Subscript, value: PyValue) -> None:
        owner, key = self.evaluator.evaluate(target.value), self.evaluator.evaluate(target.slice)
        table = target.value
        if isinstance(table, ast.Attribute) and table.attr in TABLES and self.evaluator.evaluate(table.value) is SELF:
            if isinstance(key, PyConst) and isinstance(key.value, str):
                self.run.set(key.value, value if table.attr == "_modules" else PY_UNKNOWN, self.assumptions, target)
            else:
                self.run.set_computed(target.slice)
        if isinstance(owner, PyDict):
            sure = not self.unknown_loops and not self.assumptions
            known = owner.items is not None and isinstance(key, PyConst) and sure
            items = None
            if known and owner.items is not None:
                items = (*((k, v) for k, v in owner.items if k != key), (key, value))
            self.replace(target.value, owner, PyDict(items, may_be_empty=self.stays_empty(owner)))
        elif isinstance(owner, PySequence):
            self.replace(
                target.value, owner, PySequence(owner.kind, None, value if isinstance(value, Instance) else PY_UNKNOWN)
            )
        elif isinstance(owner, Instance):
            added, tests = owner.added, self.assumptions - owner.under
            forget_items(owner)
            if added is not None and isinstance(key, PyConst) and isinstance(key.value, str) and not self.unknown_loops:
                single = len(tests) == 1 and key.value not in added
                owner.added = {**added, key.value: tests if single else NO_ASSUMPTIONS}

    def replace(self, node: ast.expr, owner: PyValue, value: PyValue) -> None:
        """Write a changed container back to the place from which it was read, and to its other names."""
        change(self, owner, value, node)
        if isinstance(node, ast.Name):
            self.locals[node.id] = value
        elif isinstance(node, ast.Attribute) and self.evaluator.evaluate(node.value) is SELF:
            self.run.set(self.attribute_name(node.attr), value, self.assumptions, node)

    def bind(self, target: ast.expr, value: PyValue) -> None:
        """Bind local names."""
        if isinstance(target, ast.Name):
            self.locals[target.id] = value
            self.versions[target.id] = self.run.version()
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if isinstance(value, PySequence) else None
            exact = items is not None and len(items) == len(target.elts)
            for position, element in enumerate(target.elts):
                if isinstance(element, ast.Starred):
                    self.assign(element.value, PY_UNKNOWN, target)
                else:
                    self.assign(element, items[position] if exact and items else PY_UNKNOWN, target)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            self.assign(target, value, target)

    def _if(self, node: ast.If) -> bool | None:
        if self.varying and not self.varying.isdisjoint(read_names(node.test)):
            return self.if_in_some_iterations(node)
        known, yes, no = self.evaluator.decide(node.test)
        if known is not None:
            return self.block(node.body if known else node.orelse)
        outer, locals_before = self.assumptions, dict(self.locals)
        self.assumptions = outer | yes
        with narrowed(self, node.test, True) as if_true:
            true_goes_on = self.block(node.body)
        true_locals, self.locals = self.locals, locals_before
        self.assumptions = outer | no
        with narrowed(self, node.test, False) as if_false:
            false_goes_on = self.block(node.orelse)
        self.assumptions = outer
        for goes_on, body, assumptions in ((true_goes_on, node.body, yes), (false_goes_on, node.orelse, no)):
            if not goes_on and not self.run.cut_short and _raises(body):
                self.run.impossible.append(outer | assumptions)
        if true_goes_on and false_goes_on:
            self._join(true_locals, yes, no, if_true, if_false)
        elif true_goes_on:
            self.locals = true_locals
        elif not false_goes_on:
            return False
        if true_goes_on != false_goes_on and not _raises(node.body if not true_goes_on else node.orelse):
            self.assumptions = outer | (yes if true_goes_on else no)
        return True

    def _join(
        self,
        true_locals: dict[str, PyValue],
        yes: Assumptions,
        no: Assumptions,
        if_true: Mapping[str, PyValue],
        if_false: Mapping[str, PyValue],
    ) -> None:
        """Join the variables after both branches of a test. If a branch does not bind a variable, the variable has only
        the values that the test does not exclude in this branch.
        """
        for name in {*true_locals, *self.locals}:
            a, b = true_locals.get(name), self.locals.get(name)
            if a is b:
                continue
            if a is not None and b is not None:
                a, b = if_true.get(name, a), if_false.get(name, b)
                first = [(yes | more, leaf) for more, leaf in cases(a) if satisfiable(more, yes)]
                second = [(no | more, leaf) for more, leaf in cases(b) if satisfiable(more, no)]
                self.locals[name] = choose(first + second)
                self.versions[name] = self.run.version()
            elif a is not None:
                self.locals[name] = a

    def _with(self, node: ast.With) -> bool:
        for item in node.items:
            self.evaluator.evaluate(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, PY_UNKNOWN)
        return self.block(node.body) or any(map(self._suppresses, node.items))

    def _suppresses(self, item: ast.withitem) -> bool:
        """Return whether a context manager is ``contextlib.suppress``: the code after the block always runs."""
        manager = item.context_expr
        return isinstance(manager, ast.Call) and is_external(self.resolve(manager.func), "contextlib.suppress")

    def _try(self, node: ast.Try) -> bool:
        before = len(self.run.impossible)
        goes_on = self.block(node.body) and self.block(node.orelse)
        if not all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers):
            del self.run.impossible[before:]  # a handler may continue after the exception
        for handler in node.handlers:
            self.locals.update(dict.fromkeys(assigned(handler), PY_UNKNOWN))
            forget_changes(self, handler)
        self.block(node.finalbody)
        lasts = [handler.body[-1] for handler in node.handlers]
        if any(isinstance(last, ast.Return) for last in lasts):
            self.returns.append((self.assumptions, PY_UNKNOWN))
        return goes_on or not all(isinstance(last, (ast.Return, ast.Raise)) for last in lasts)

    def _return(self, node: ast.Return) -> bool:
        value = self.evaluator.evaluate(node.value) if node.value is not None else PyConst(None)
        self.returns.append((self.assumptions, value))
        around = self.caller.in_some_iterations if self.caller is not None else 0
        self.returns_sometimes = self.returns_sometimes or self.in_some_iterations > around
        return False

    def _raise(self, node: ast.Raise) -> bool:
        return False

    def _function(self, node: ast.FunctionDef) -> None:
        prefix = f"{self.function.qualname}.<locals>." if self.function is not None else "<locals>."
        self.locals[node.name] = PyFunction(self.module.function(node, None, prefix, self.function))

    def _class(self, node: ast.ClassDef) -> None:
        found = local_class(node, self.function) if self.function is not None else None
        self.locals[node.name] = PyClass(found) if found is not None else PY_UNKNOWN

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, binding in bound([node]):
            found = self.run.project.definition_of(self.module, name, binding)
            self.locals[name] = self.evaluator.from_definition(found)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Attribute) and self.evaluator.evaluate(target.value) is SELF:
                self.run.set(self.attribute_name(target.attr), None, self.assumptions, node)

    def append(
        self, node: ast.expr, owner: PyValue, added: list[PyValue] | None, element: PyValue = PY_UNKNOWN
    ) -> None:
        """Append items to a container. If their number is not known, ``added`` is None; each is like ``element``."""
        sure = added is not None and not self.unknown_loops and not self.conditional_growth(owner)
        new = tuple(added) if sure and added is not None else ()
        if isinstance(owner, PySequence):
            items = (*owner.items, *added) if sure and owner.items is not None and added is not None else None
            some = (*owner.known(), *new) if items is None else ()
            news = added if added is not None else [element]
            known = common_element([*([owner.element] if owner.items or owner.items is None else []), *news])
            element = known if news else owner.element
            self.replace(node, owner, PySequence(owner.kind, items, element, self.stays_empty(owner), some))
        elif isinstance(owner, Instance):
            news = added if added is not None else [element]
            fresh, owner.added = owner.items == (), None
            owner.may_be_empty = self.stays_empty(owner)
            owner.element = common_element(news if fresh else [owner.element, *news])
            some = owner.some if owner.items is None else owner.items
            if owner.items is not None and sure and len(some) + len(new) <= MOST_ITEMS:
                owner.items = (*some, *new)
            else:
                owner.items, owner.some = None, (*some, *new)[:MOST_ITEMS]

    def extend(self, node: ast.expr, owner: PyValue, added: PyValue) -> None:
        """Extend a container by the items of another one."""
        if isinstance(added, (PySequence, Instance)):
            self.append(node, owner, None if added.items is None else list(added.items), added.element)
        else:
            self.append(node, owner, None)

    def stays_empty(self, owner: PySequence | PyDict | Instance) -> bool:
        """Return whether a container may stay empty, because the constructor's defaults skip the code that fills it."""
        return self.perhaps_skipped and (owner.may_be_empty or owner.items == ())

    def conditional_growth(self, owner: PyValue) -> bool:
        """Return whether the current statement runs only under tests, so that not every construction adds the items."""
        return bool(self.assumptions)


_HANDLERS: dict[type[ast.AST], Callable[[Statements, Any], bool | None]] = {
    ast.Assert: Statements._assert,
    ast.Expr: Statements._expression,
    ast.Assign: Statements._assign,
    ast.AnnAssign: Statements._annotated,
    ast.AugAssign: Statements._augmented,
    ast.If: Statements._if,
    ast.For: Statements._for,
    ast.While: Statements._while,
    ast.With: Statements._with,
    ast.Try: Statements._try,
    ast.Return: Statements._return,
    ast.Raise: Statements._raise,
    ast.FunctionDef: Statements._function,
    ast.ClassDef: Statements._class,
    ast.Import: Statements._import,
    ast.ImportFrom: Statements._import,
    ast.Delete: Statements._delete,
    ast.Break: Statements._leave,
    ast.Continue: Statements._leave,
}


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    return target


def _raises(body: list[ast.stmt]) -> bool:
    """Return whether a block whose end is not reached raises, and does not return: no construction runs it."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _raises(last.body) and (not last.orelse or _raises(last.orelse))
    if isinstance(last, ast.With):
        return _raises(last.body)
    if isinstance(last, (ast.For, ast.While, ast.Try)):
        return not astwalk.of_kind(last, ast.Return)
    return not isinstance(last, ast.Return)
