"""Plans the declarations with which the compiler can evaluate tests, given what a class already declares constant."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TypeVar

from tslint.script.dataflow.annotation_style import postpones
from tslint.script.dataflow.class_annotations import body_annotations, constants
from tslint.script.dataflow.guards import parents_of
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.nones import asks_first, is_under_test, raises_with_none
from tslint.script.dataflow.stores import FileFacts, Store, file_facts
from tslint.script.dataflow.sure_stores import always_evaluated
from tslint.script.scope import Unit
from tslint.util import astwalk

_BY_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_Method = TypeVar("_Method", bound="Method")


@dataclass
class Plan:
    """The declarations and properties to add to a class.

    Args:
        flags: the attributes that become constants.
        made: the tests, by the names of the properties that return their results.
        replaced: the expressions that are replaced by a property, with its name.
        compared: the comparisons with None by ``==`` or ``!=``, which the compiler decides if they use ``is``.
        target: the class that declares the attributes and properties.
    """

    flags: dict[str, None] = field(default_factory=dict)
    made: dict[str, ast.expr] = field(default_factory=dict)
    replaced: list[tuple[ast.expr, str]] = field(default_factory=list)
    compared: list[ast.Compare] = field(default_factory=list)
    target: ast.ClassDef | None = None

    def take(self, other: Plan) -> None:
        """Replace the contents of this plan by those of another one."""
        self.flags, self.made, self.replaced = other.flags, other.made, other.replaced
        self.compared, self.target = other.compared, other.target


def copied(plan: Plan) -> Plan:
    """Return a copy of a plan, which can be discarded."""
    return Plan(dict(plan.flags), dict(plan.made), list(plan.replaced), list(plan.compared), plan.target)


@dataclass
class Method:
    """A method of a module, and what the compiler knows about its class.

    Args:
        tree: the tree of the file.
        facts: the facts of the file.
        function: the method.
        owner: the class that defines the method.
        receiver: the class of the instance for which it is compiled.
    """

    tree: ast.Module
    facts: FileFacts
    function: ast.FunctionDef | ast.AsyncFunctionDef
    owner: ast.ClassDef
    receiver: ast.ClassDef

    @classmethod
    def of(cls: type[_Method], tree: ast.Module, unit: Unit | None) -> _Method | None:
        """Return the record for a compiled method; None if it is not a method of a module of this file."""
        if unit is None or unit.function.owner is None or unit.receiver is None or not unit.function.node.args.args:
            return None
        for class_ in (unit.function.owner, unit.receiver):
            if class_.module.tree is not tree:
                return None
        facts = file_facts(tree)
        owner, receiver = unit.function.owner.node, unit.receiver.node
        if facts.classes.get(receiver.name) is not receiver or facts.line(receiver) is None:
            return None
        return cls(tree, facts, unit.function.node, owner, receiver)

    @property
    def itself(self) -> str:
        """Return the name of the method's first parameter, usually ``self``."""
        return self.function.args.args[0].arg

    def own(self, node: ast.AST) -> str | None:
        """Return the attribute of the instance that an expression reads; None for other expressions."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.itself:
            return node.attr
        return None

    def declared(self) -> set[str]:
        """Return the attributes of the receiver that the compiler treats as constants."""
        found: set[str] = set()
        line = self.facts.line(self.receiver) or []
        nearest = next((each for each in line if body_annotations(each)), None)
        if nearest is not None and not postpones(self.tree):
            found |= {n for n, a in body_annotations(nearest).items() if re.search(r"\bFinal\b", ast.unparse(a))}
        for each in line:
            listed = constants(each)
            if listed is not None:
                return found | {
                    n.value for n in astwalk.walk(listed) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                }
        return found

    def may_list_constants(self) -> bool:
        """Return whether a ``__constants__`` list can be added: neither the receiver nor a base has one, which the new
        list would hide.
        """
        line = self.facts.line(self.receiver) or []
        return all(constants(each) is None for each in line) and not self.facts.extends_torch(line)

    def may_annotate(self, target: ast.ClassDef) -> bool:
        """Return whether a class can get annotations: the compiler reads them, and they hide none of a base class."""
        line = self.facts.line(self.receiver) or []
        bases = line[1 + next(i for i, each in enumerate(line) if each is target) :]
        hides = not body_annotations(target) and any(body_annotations(each) for each in bases)
        return not postpones(self.tree) and not hides

    def unmade(self, plan: Plan) -> list[tuple[str, ast.expr]]:
        """Return the tests of a plan for which the class has no property yet, each with the property's name."""
        return [(name, test) for name, test in plan.made.items() if not self.kept(name)]

    def kept(self, name: str) -> list[ast.AST]:
        """Return what a name stands for in instances: the values that are stored under it, and what a property of this
        name returns.
        """
        line = self.facts.related(self.receiver)
        found: list[ast.AST] = [
            each.value or each.function or each.owner
            for each in self.facts.stores.get(name, ())
            if each.owner and any(each.owner is kind for kind in line)
        ]
        methods = [each for kind in line for each in kind.body if isinstance(each, ast.FunctionDef)]
        return found + [getattr(each.body[-1], "value", None) or each for each in methods if each.name == name]

    def place(self, plan: Plan, test: ast.expr) -> ast.AST | None:
        """Return the method below which a property for a test is added: the constructor of the property's class that
        stores an operand of the test, else its other constructor, else this method if the class is its own.
        """
        target = plan.target or self.owner
        stored = [each.function for each in self._stores(test) if each.function is not None and each.owner is target]
        own = method_of(target, "__init__") or (self.function if target is self.owner else None)
        return max(stored, key=lambda each: each.lineno, default=own)

    def stored_below(self, plan: Plan, name: str) -> ast.stmt | None:
        """Return the statement of the constructor below which the result of the test ``name`` can be stored, because
        no operand changes there or later. Return None if only a property is right: the test may be too early there, or
        raise.
        """
        test, made = plan.made[name], method_of(plan.target or self.owner, "__init__")
        stores, asked = self._stores(test), {self.own(part) for part in astwalk.walk(test)} - {None}
        if made is None or not made.args.args or made.args.args[0].arg != self.itself or not self._can_be_early(test):
            return None
        if any(each.function is not made or not each.own for each in stores) or asked != {s.attribute for s in stores}:
            return None
        if not asked.isdisjoint(self.facts.changes):
            return None
        places = [i for i, each in enumerate(made.body) if any(each is store.statement for store in stores)]
        through = made.body[places[0] : places[-1] + 1] if places else []
        parts = [part for statement in through for part in astwalk.walk(statement)]
        # Between the stores, code that gets the instance could ask for the result before it is stored.
        uses = sum(isinstance(part, ast.Name) and part.id == self.itself for part in parts)
        reads = sum(isinstance(part, ast.Attribute) and self.own(part) is not None for part in parts)
        calls = any(isinstance(part, ast.Call) and self.own(part.func) is not None for part in parts)
        returns = any(isinstance(part, ast.Return) for part in astwalk.walk(made))
        return through[-1] if through and uses == reads and not calls and not returns else None

    def _can_be_early(self, test: ast.expr) -> bool:
        """Return whether a test only compares attributes and literals, and never raises, whatever they are."""
        if not isinstance(test, ast.Compare):
            return False  # the truth of a tensor may raise
        if any(isinstance(each, _BY_ORDER) for each in test.ops):
            asked = [self.own(part) for part in (test.left, *test.comparators)]
            if not all(each is None or self._is_number(each) for each in asked):
                return False
        kinds = (ast.Compare, ast.Constant, ast.UnaryOp, ast.List, ast.Tuple)
        own = [part for part in astwalk.walk(test) if self.own(part) is not None]
        inner = {id(part.value) for part in own if isinstance(part, ast.Attribute)}
        others = (ast.unaryop, ast.cmpop, ast.expr_context)
        return all(
            isinstance(part, (*kinds, *others)) or self.own(part) is not None or id(part) in inner
            for part in astwalk.walk(test)
        )

    def not_none(self, plan: Plan, name: str) -> list[ast.expr] | None:
        """Return the operands that the property ``name`` first has to compare with None: where the property replaces a
        comparison by order, other tests exclude None, but the compiler reads the property without them.

        Return None if the property may raise although the compiler did not look at the comparison before.
        """
        asked = plan.made[name]
        if not isinstance(asked, ast.Compare) or not isinstance(asked.ops[0], _BY_ORDER):
            return []
        tests = [test for test, made in plan.replaced if made == name]
        found = []
        for part in (asked.left, *asked.comparators):
            attribute = self.own(part)
            if attribute is None:
                continue
            if all(self._excludes_none(test, part) for test in tests):
                found.append(part)
            elif not (self._is_compared(tests) or self._is_number(attribute)):
                return None
        return found

    def _excludes_none(self, test: ast.expr, part: ast.expr) -> bool:
        """Return whether Python only evaluates a test if an operand of it is not None."""
        around = parents_of(self.function).get(test)
        first = isinstance(around, ast.BoolOp) and isinstance(part, ast.Attribute) and asks_first(around, part)
        return first or is_under_test(self.function, test, ast.unparse(part))

    def _is_compared(self, tests: list[ast.expr]) -> bool:
        """Return whether the compiler always compiles one of the tests: then it rejects None there."""
        return self.function.name == "forward" and any(always_evaluated(self.function, test) for test in tests)

    def _is_number(self, attribute: str) -> bool:
        stores = instance_stores(self.facts, self.owner, attribute)
        return stores is not None and all(self._stores_number(each) for each in stores)

    def _stores_number(self, store: Store) -> bool:
        value, made = store.value, store.function
        if isinstance(value, ast.Constant):
            return type(value.value) in (int, float)
        if not isinstance(value, ast.Name) or made is None or value.id in astwalk.bound(made):
            return False
        spec = made.args
        named = [each for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if each.arg == value.id]
        if any(isinstance(each.annotation, ast.Name) and each.annotation.id in ("int", "float") for each in named):
            return True
        returns = any(isinstance(each, ast.Return) for each in astwalk.walk(made))
        return not returns and any(raises_with_none(self.tree, each, value.id) for each in made.body)

    def _stores(self, test: ast.expr) -> list[Store]:
        """Return the places where constructors store the operands of a test."""
        asked = {self.own(part) for part in astwalk.walk(test)} - {None}
        return [store for each in asked for store in instance_stores(self.facts, self.owner, each or "") or ()]
