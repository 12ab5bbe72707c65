"""Finds tests that the compiler could evaluate at compile time, because their operands never change and can be declared
constant.

The compiler drops a branch of an ``if`` whose test it can evaluate. It evaluates attributes that are declared constant
(``Final`` in the class body, or ``__constants__``) and are bools, but not comparisons of them. A fix puts a comparison
into a property, which the compiler reads once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial

from tslint.script.dataflow.bool_attributes import has_truth, is_bool
from tslint.script.dataflow.called_by_python import only_python_calls
from tslint.script.dataflow.class_annotations import body_annotations, constants
from tslint.script.dataflow.flag_names import worded
from tslint.script.dataflow.flags import Method, Plan, copied
from tslint.script.dataflow.guards import Guard, guards
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.nones import equals_none
from tslint.script.dataflow.stores import Store
from tslint.util import astwalk


class Decider(Method):
    """Makes tests of one method decidable: the compiler can evaluate them at compile time."""

    any_truth = False
    """Whether a plan may evaluate attributes of unknown types as conditions."""

    def dropping(self, node: ast.AST) -> Iterator[Plan]:
        """Yield plans after which the compiler drops a node, because it can evaluate a test around the node."""
        for guard in guards(self.function, node):
            plan = self._plan([guard])
            if plan is not None:
                yield plan

    def taking_one_branch(self, tests: Iterable[ast.expr]) -> Iterator[Plan]:
        """Yield plans after which the compiler takes only one branch of each test that depends on constants only, or at
        least of those that are false.
        """
        wanted = list(tests)
        both = [[Guard(test, True), Guard(test, False)] for test in wanted]
        for groups in (both, [[Guard(test, False)] for test in wanted]):
            plan = self._plan(*groups)
            if plan is not None:
                yield plan

    def decides(self, test: ast.expr) -> bool:
        """Return whether a plan exists after which the compiler can evaluate a test, both if it is true and if it is
        false.
        """
        return all(self._decide(Plan(), test, outcome) for outcome in (True, False))

    def reading_once(self, node: ast.expr, name: str) -> Plan | None:
        """Return the plan after which the compiler reads an expression once, as a constant of a given name; None if
        there is none.
        """
        plan = Plan(made={name: node}, replaced=[(node, name)])
        # The base class declares it: a `__constants__` list in this class would hide the one of the base.
        holder = (self.facts.line(self.owner) or [self.owner])[-1]
        free = all(_same(each, node) for each in self.kept(name))
        return plan if free and self._aim(plan, holder) and plan.target is holder else None

    def _plan(self, *wanted: list[Guard]) -> Plan | None:
        """Return a plan that makes groups of guards decidable: all guards of a group, or none of them. Return None if
        there is nothing to change.
        """
        plan = Plan()
        for group in wanted:
            attempt = copied(plan)
            if all(self._decide(attempt, guard.test, guard.skips) for guard in group):
                plan = attempt
        return plan if plan.flags or plan.made or plan.replaced or plan.compared else None

    def _decide(self, plan: Plan, test: ast.expr, outcome: bool) -> bool:
        """Plan the changes with which the compiler can decide a test whose result is ``outcome``; return whether that
        is possible.
        """
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._decide(plan, test.operand, not outcome)
        if isinstance(test, ast.IfExp) and ast.unparse(test.test).endswith("jit.is_scripting()"):
            return self._decide(plan, test.body if not isinstance(test.test, ast.UnaryOp) else test.orelse, outcome)
        if isinstance(test, ast.BoolOp):
            # One operand decides that an `and` is false or an `or` is true; for the other results, all operands are
            # needed.
            settles = isinstance(test.op, ast.Or) is outcome
            known = []
            for value in test.values:
                attempt = copied(plan)
                known.append(self._decide(attempt, value, outcome))
                if known[-1]:
                    plan.take(attempt)
            return any(known) if settles else all(known)
        return self._leaf(plan, test)

    def _leaf(self, plan: Plan, test: ast.expr) -> bool:
        attribute = self.own(test) or self._named(test)
        if attribute is not None:
            if attribute in self.declared():
                return True
            # Methods that only Python calls may store it, too: compiled code does not see that.
            stores = instance_stores(self.facts, self.owner, attribute, besides=partial(only_python_calls, self.tree))
            if stores is None:
                return False
            if all(is_bool(self.facts, store) for store in stores):
                return self._declare(plan, attribute, stores)
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            return self._is_plain(test.left)
        if isinstance(test, ast.Compare) and equals_none(self.tree, test) and self._is_plain(test.left):
            plan.compared.append(test)
            return True
        return self._made(plan, test)

    def _is_plain(self, node: ast.expr) -> bool:
        """Return whether the compiler itself knows if an attribute is None: no annotation in a class leaves it open."""
        asked, line = self.own(node), self.facts.line(self.receiver) or []
        return asked is not None and not any(asked in body_annotations(each) for each in line)

    def _named(self, node: ast.AST) -> str | None:
        """Return the attribute in ``getattr(self, "flag", False)``; None unless the class's constructor always sets
        it.
        """
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"):
            return None
        if len(node.args) < 2 or not isinstance(node.args[0], ast.Name) or node.args[0].id != self.itself:
            return None
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
        if not isinstance(name, str) or not name.isidentifier():
            return None
        stores = instance_stores(self.facts, self.owner, name) or []
        always = [store for store in stores if store.is_always()]
        return name if any(store.owner is self.owner for store in always) else None

    def _declare(self, plan: Plan, attribute: str, stores: list[Store]) -> bool:
        line = self.facts.line(self.receiver) or []
        holders = [each for each in line if any(store.owner is each for store in stores)]
        if not holders or not self._aim(plan, holders[-1]):
            return False
        plan.flags[attribute] = None
        return True

    def _aim(self, plan: Plan, holder: ast.ClassDef) -> bool:
        """Choose the class that declares an attribute: the class that stores it, or a subclass with declarations of its
        own.

        Return False if the plan already has another class.
        """
        line = self.facts.line(self.receiver) or []
        nearer = line[: next(i for i, each in enumerate(line) if each is holder)]
        target = next((each for each in nearer if body_annotations(each) or constants(each) is not None), holder)
        if plan.target is not None and plan.target is not target:
            return False
        plan.target = target
        return True

    def _made(self, plan: Plan, test: ast.expr) -> bool:
        """Plan a property that returns the result of a test; return whether that is possible."""
        if not self._fixed(test):
            return False
        parts = [part for part in astwalk.walk(test) if self.own(part) is not None]
        holders: list[ast.ClassDef] = []
        for part in parts:
            for store in instance_stores(self.facts, self.owner, self.own(part) or "") or ():
                if store.owner is not None and not any(store.owner is each for each in holders):
                    holders.append(store.owner)
        # The constructor of a subclass may store another value later.
        if len(holders) != 1 or not self._aim(plan, holders[0]) or plan.target is not holders[0]:
            return False
        name = self._name(plan, test)
        plan.made[name] = test
        for leaf in _tests_by_text(self.function).get(ast.dump(test), ()):
            if not any(leaf is test for test, _ in plan.replaced):
                plan.replaced.append((leaf, name))
        asked = self.not_none(plan, name)
        return asked is not None and all(_tests_none(each, len(asked)) for each in self.kept(name))

    def _fixed(self, test: ast.expr) -> bool:
        """Return whether a test only depends on attributes that never change, and on constants."""
        if isinstance(test, ast.Compare):
            parts = [test.left, *test.comparators]
        elif isinstance(test, ast.Call):
            if not (isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2):
                return False
            parts = [test.args[0]]
        else:
            parts = [test]
        if not _never_raises(test):
            return False
        asked = False
        for part in parts:
            sized = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len"
            if isinstance(part, ast.Call) and sized:
                part = part.args[0] if len(part.args) == 1 else part
            attribute = self.own(part)
            if attribute is not None:
                stores = instance_stores(self.facts, self.owner, attribute)
                if stores is None or any(_holds_tensor(store.value) for store in stores):
                    return False
                # If no constructor always stores the attribute, reading it may raise.
                if not any(store.is_always() for store in stores):
                    return False
                if sized and not all(isinstance(store.value, _SIZED) for store in stores):
                    return False
                if test is part and not self.any_truth and not all(has_truth(store) for store in stores):
                    return False
                asked = True
            elif not _constant(part):
                return False
        return asked

    def _name(self, plan: Plan, test: ast.expr) -> str:
        wished = worded(test)
        name, number = wished, 2
        while True:
            if all(_same(value, test) for value in (*self.kept(name), plan.made.get(name, test))):
                return name
            name, number = f"{wished}_{number}", number + 1


@astwalk.kept
def _tests_by_text(function: ast.AST) -> dict[str, list[ast.expr]]:
    """Return the parts of a function's tests, without ``not``, ``and`` and ``or``, by their syntax trees."""
    asked: dict[str, list[ast.expr]] = {}
    for node in astwalk.walk(function):
        if isinstance(node, (ast.If, ast.IfExp)):
            for leaf in _leaves(node.test):
                asked.setdefault(ast.dump(leaf), []).append(leaf)
    return asked


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    else:
        yield test


def _constant(node: ast.expr) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(_constant(element) for element in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _constant(node.operand)
    return isinstance(node, ast.Constant)


_SIZED = (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp)


def _never_raises(test: ast.expr) -> bool:
    """Return whether a test is no comparison that is likely to raise: no chain, and no ``in`` except in a literal tuple
    or list.

    After the fix, the compiler evaluates the test, even if the method is never called.
    """
    if not isinstance(test, ast.Compare):
        return True
    for op, part in zip(test.ops, test.comparators):
        if isinstance(op, (ast.In, ast.NotIn)) and not isinstance(part, (ast.Tuple, ast.List)):
            return False
    return len(test.ops) == 1


def _holds_tensor(value: ast.expr | None) -> bool:
    """Return whether a stored value may be a tensor, whose truth value may raise."""
    if value is None:
        return True
    calls = [ast.unparse(node.func) for node in astwalk.walk(value) if isinstance(node, ast.Call)]
    return any(call.startswith("torch.") or call.endswith(("Parameter", "Buffer", "Tensor")) for call in calls)


def _tests_none(kept: ast.AST, count: int) -> bool:
    """Return whether an existing property tests as many operands for None as it has to."""
    return len(kept.values) - 1 == count if isinstance(kept, ast.BoolOp) else not count


def _same(a: ast.AST, b: ast.expr) -> bool:
    """Return whether a property returns the result of a given test: the test itself, ``bool(…)`` of the test, or a test
    for None and then the test.
    """
    if isinstance(a, ast.Call) and isinstance(a.func, ast.Name) and a.func.id == "bool" and len(a.args) == 1:
        a = a.args[0]
    if isinstance(a, ast.BoolOp) and isinstance(a.op, ast.And):
        a = a.values[-1]
    return ast.dump(a) == ast.dump(b)
