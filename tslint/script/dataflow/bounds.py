"""Computes the length of a list or container of modules, and the value of an index, as sums that are valid for every
construction.
"""

from __future__ import annotations

import ast
from functools import cached_property, partial

from tslint.script.dataflow.comparisons import shown
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.foreign_changes import changed_by_caller, is_of_another, is_own, may_escape
from tslint.script.dataflow.growth import Growth
from tslint.script.dataflow.held_objects import has_other_name
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.linear import Linear, number, product, turns, unknown, with_parameters
from tslint.script.dataflow.list_changes import LISTS, change_at, escapes
from tslint.script.dataflow.list_makers import made_by
from tslint.script.dataflow.local_bindings import (
    bindings_in,
    binds,
    comes_before,
    inside,
    is_parameter,
    loop_that_binds,
    only_value,
)
from tslint.script.dataflow.methods import is_itself, itself, method_of
from tslint.script.dataflow.names import short_name
from tslint.script.dataflow.one_line_functions import returned_by
from tslint.script.dataflow.ranges import downwards, range_ends
from tslint.script.dataflow.stores import FileFacts, Store, file_facts
from tslint.script.dataflow.sure_stores import branch_of, in_all_branches, surely, surely_at
from tslint.util import astwalk
from tslint.util.record import record

_MOST = 16
_KEEPING = ("cuda", "cpu", "to", "float", "double", "half", "train", "eval")
_OPAQUE = (ast.FloorDiv, ast.Mod, ast.Pow)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)


@record
class Bounds:
    """Computes lengths and indices in the methods of one class of a file.

    Args:
        tree: the file.
        owner: the class that defines the methods.
        even_zips: whether to assume that the arguments of every ``zip`` have one length.
    """

    tree: ast.Module
    owner: ast.ClassDef
    even_zips: bool = False

    @cached_property
    def facts(self) -> FileFacts:
        """Return what the file stores, and where."""
        return file_facts(self.tree)

    @cached_property
    def _known(self) -> dict[str, tuple[Linear | None, int]]:
        """The lengths that are stored in attributes, each with the depth at which it was asked for."""
        return {}

    def value(self, node: ast.expr, function: FunctionNode, depth: int = 0) -> Linear | None:
        """Return the value of an integer expression as a sum, ``n + 1``; None if it may change, or is not known."""
        if depth > _MOST:
            return None
        if isinstance(node, ast.Constant):
            return number(node.value) if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operand = self.value(node.operand, function, depth + 1)
            return None if operand is None else operand.times(-1)
        if isinstance(node, ast.BinOp):
            return self._computed(node, function, depth)
        if isinstance(node, ast.Name):
            return self._name(node, function, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, function, depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id == "len" and len(node.args) == 1:
                return self.length(node.args[0], function, depth + 1)
        return None

    def _computed(self, node: ast.BinOp, function: FunctionNode, depth: int) -> Linear | None:
        left, right = self.value(node.left, function, depth + 1), self.value(node.right, function, depth + 1)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return product(left, right)
        if isinstance(node.op, _OPAQUE):
            return unknown("computed", type(node.op).__name__, left, right)
        return None

    def _name(self, node: ast.Name, function: FunctionNode, depth: int) -> Linear | None:
        stored = [n for n in astwalk.walk(function) if isinstance(n, ast.Name) and n.id == node.id and binds(n)]
        if is_parameter(function, node.id):
            return None if stored else unknown("parameter", id(function), node.id)
        if not stored:
            return self._global(node.id)
        loop = loop_that_binds(function, node)
        if loop is not None and len(bindings_in(loop, node.id)) == 1:
            if all(bound is bindings_in(loop, node.id)[0] or not inside(loop, bound, function) for bound in stored):
                return unknown("variable", id(loop), node.id)
        value = only_value(function, stored[0]) if len(stored) == 1 else None
        if value is None or not comes_before(function, stored[0], node):
            return None
        return self.value(value, function, depth + 1)

    def _global(self, name: str) -> Linear | None:
        mentioned = [n for n in astwalk.of_kind(self.tree, ast.Name) if n.id == name and binds(n)]
        if any(name in n.names for n in astwalk.of_kind(self.tree, ast.Global)):
            return None
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and statement.targets == mentioned:
                value = statement.value
                return number(value.value) if isinstance(value, ast.Constant) and type(value.value) is int else None
        return None

    def _attribute(self, node: ast.Attribute, function: FunctionNode, depth: int) -> Linear | None:
        if not isinstance(node.value, ast.Name):
            return None
        if node.value.id == itself(function):
            stores = instance_stores(self.facts, self.owner, node.attr)
            if stores is None or node.attr in self.facts.changes:
                return None
            only = stores[0] if len(stores) == 1 else None
            if only is not None and only.value is not None and only.function is not None and surely(only):
                found = self.value(only.value, only.function, depth + 1)
                if found is not None:
                    return found
            final = function.name != "__init__" or self._is_final(node, function)
            kind = (
                ("length", "stored") if only is not None and surely(only) and _is_length(only.value) else ("attribute",)
            )
            return unknown(*kind, node.attr) if final else None
        stored = self.facts.stores.get(node.attr, ())
        settled = not self.facts.is_set_by_name(node.attr) and all(
            store.own and store.function is not None and store.function.name == "__init__" for store in stored
        )
        root = self.value(node.value, function, depth + 1) if settled else None
        return None if root is None else unknown("member", root, node.attr)

    def _is_final(self, node: ast.Attribute, function: FunctionNode) -> bool:
        """Return whether a constructor reads an attribute after all assignments to it."""
        around = [node, *astwalk.around(function, node)]
        here = next((number for number, each in enumerate(function.body) if each in around), 0)
        later = (ast.FunctionDef, ast.Lambda)  # they may run later
        before = [each for each in function.body[:here] if not any(isinstance(n, later) for n in astwalk.walk(each))]
        stores = instance_stores(self.facts, self.owner, node.attr) or []
        return all(store.function is function and store.statement in before for store in stores)

    def length(self, node: ast.expr, function: FunctionNode, depth: int = 0) -> Linear | None:
        """Return the number of items in a list, a container of modules or the like; None if it is not known."""
        if depth > _MOST:
            return None
        if isinstance(node, (ast.List, ast.Tuple)):
            return self._total(node.elts, function, depth)
        if isinstance(node, _COMPREHENSIONS):
            only = node.generators[0]
            return None if len(node.generators) > 1 or only.ifs else self.turns(only.iter, function, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._total([ast.Starred(node.left), ast.Starred(node.right)], function, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            times = self.value(node.right, function, depth + 1) if len(node.left.elts) == 1 else None
            return None if times is None else turns(times)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == itself(function):
            if node.attr not in self._known or depth < self._known[node.attr][1]:  # less depth is left, less is found
                self._known[node.attr] = self._stored_length(node.attr, depth), depth
            held = self._known[node.attr][0]
            return unknown("length", "held", node.attr) if held is None and self._is_settled(node, function) else held
        if isinstance(node, ast.Attribute) and node.attr not in self.facts.changes:
            # An attribute of a configuration that a parameter contains.
            member = None if may_escape(self.tree, self.owner, node.attr) else self._attribute(node, function, depth)
            return None if member is None else unknown("length", "member", member)
        if isinstance(node, ast.Name):
            return self._local(node, function, depth)
        if isinstance(node, ast.Call):
            name = short_name(self.tree, node.func)
            if name in LISTS and not node.keywords:
                if name == "Sequential":
                    return self._total(node.args, function, depth)
                return self.turns(node.args[0], function, depth + 1) if node.args else number(0)
            written = returned_by(self.tree, node)
            if written is None:
                return self._made_length(node, function, depth)
            return self.length(written, function, depth + 1)
        return None

    def _made_length(self, call: ast.Call, function: FunctionNode, depth: int) -> Linear | None:
        """Return the length of the list that a called method creates; None unless it follows from the arguments."""
        own = isinstance(call.func, ast.Attribute) and is_itself(call.func.value, function)
        made = made_by(self.facts, self.owner, call) if own else None
        length = self.length(made.result, made.method, depth + 1) if made is not None else None
        if made is None or length is None:
            return None
        values = {name: self.value(value, function, depth + 1) for name, value in made.given.items()}
        return with_parameters(length, {("parameter", id(made.method), name): each for name, each in values.items()})

    def turns(self, node: ast.expr, function: FunctionNode, depth: int = 0) -> Linear | None:
        """Return the number of iterations of a loop over an expression; None if it is not known."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id == "range":
                ends = range_ends(node) or downwards(node)
                if ends is None:
                    return None
                first, stop = [self.value(end, function, depth + 1) if end else number(0) for end in ends]
                return None if first is None or stop is None else self._steps(stop - first)
            if node.func.id in ("enumerate", "reversed") and node.args:
                return self.turns(node.args[0], function, depth + 1)
            if node.func.id == "zip" and node.args:
                each = [self.turns(part, function, depth + 1) for part in node.args]
                return each[0] if self.even_zips or all(one == each[0] for one in each) else None
        return self.length(node, function, depth + 1)

    def _steps(self, distance: Linear) -> Linear:
        """Return the number of iterations of a ``range`` whose ends have this distance: 0 if that is negative."""
        ensured = any((distance - each).is_count for each in self.ensured)
        return distance if ensured else turns(distance)

    @cached_property
    def ensured(self) -> list[Linear]:
        """Return sums of the constructor's parameters that are never negative: its ``assert`` statements test this."""
        made = method_of(self.owner, "__init__")

        def value(node: ast.expr) -> Linear | None:
            plain = isinstance(node, ast.Name) and made is not None and is_parameter(made, node.id)
            return self.value(node, made) if made is not None and (plain or isinstance(node, ast.Constant)) else None

        tests = [(each.test, True) for each in made.body if isinstance(each, ast.Assert)] if made is not None else []
        return [one for test, outcome in tests for one in shown(test, outcome, value)]

    def _total(self, parts: list[ast.expr], function: FunctionNode, depth: int) -> Linear | None:
        total = number(0)
        for part in parts:
            one = self.turns(part.value, function, depth + 1) if isinstance(part, ast.Starred) else number(1)
            if one is None:
                return None
            total += one
        return total

    def length_unless_none(self, node: ast.expr, function: FunctionNode) -> Linear | None:
        """Return the length of a container for those constructions in which it is not None."""
        found = self.length(node, function)
        own = isinstance(node, ast.Attribute) and is_itself(node.value, function)
        if own and (found is None or any(atom[:2] == ("length", "held") for atom, _ in found.terms)):
            return self._length_in_branch(node.attr) or found  # type: ignore[attr-defined]
        return found

    def _length_in_branch(self, attribute: str) -> Linear | None:
        """Return the length of a list that only one branch of the constructor creates and fills; the other branches
        store None. Return None if the length is not known.
        """
        stores = instance_stores(self.facts, self.owner, attribute) or []
        lists = [each for each in stores if not (isinstance(each.value, ast.Constant) and each.value.value is None)]
        only = lists[0] if len(lists) == 1 else None
        if only is None or only.function is None or only.value is None or not isinstance(only.statement, ast.If):
            return None
        block = branch_of(only)
        changes = self._changes(attribute)
        within = {id(each) for part in block or () for each in astwalk.walk(part)}
        if block is None or not all(is_own(only.function, each, attribute) and id(each) in within for each in changes):
            return None
        if may_escape(self.tree, self.owner, attribute) or self.facts.may_gain_module(self.tree, self.owner, attribute):
            return None
        first = self._first_length(only.value, only.function, block)
        more = self._growth(changes, block, only.function, 0)
        return None if first is None or more is None else first + more

    def _first_length(self, value: ast.expr, function: FunctionNode, block: list[ast.stmt]) -> Linear | None:
        """Return the length of a list that a branch of a constructor stores; for ``nn.ModuleList(layers)``, the length
        of the local list, if only the branch adds to it. Return None if the length is not known.
        """
        only = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords else None
        name = short_name(self.tree, value.func) if isinstance(value, ast.Call) else ""
        only = only.value if isinstance(only, ast.Starred) and name == "Sequential" else only
        if isinstance(only, ast.Name) and name in LISTS:
            return self._local(only, function, 0, block)
        return None if isinstance(value, ast.Name) else self.length(value, function)

    def _stored_length(self, attribute: str, depth: int) -> Linear | None:
        """Return the length of an attribute's list after construction; None if it is not known, or may change later.

        Other files do not change the list that they passed to the constructor, just as they do not set the attribute.
        """
        stores = instance_stores(self.facts, self.owner, attribute)
        unsure = self.facts.may_gain_module(self.tree, self.owner, attribute)
        unsure = unsure or changed_by_caller(self.tree, stores or ())
        if stores is None or unsure or not any(surely(store) or in_all_branches(store) for store in stores):
            return None
        # A conversion keeps the length; what `+=` adds is among the changes.
        made = [store for store in stores if not store.adds and not _converts(self.tree, store, attribute)]
        lengths = [
            self.length(store.value, store.function, depth + 1) if store.value and store.function else None
            for store in made
        ]
        one = bool(lengths) and all(length == lengths[0] for length in lengths)
        if not one or lengths[0] is None or may_escape(self.tree, self.owner, attribute):
            return None
        grown, function = self._changes(attribute), made[0].function
        if not grown:
            return lengths[0]
        if len(made) > 1 or function is None or not all(is_own(function, change, attribute) for change in grown):
            return None
        more = self._growth(grown, function.body, function, depth)
        return None if more is None else lengths[0] + more

    def _is_settled(self, node: ast.Attribute, function: FunctionNode) -> bool:
        """Return whether only constructors create and change a list, so that its length is constant afterwards."""
        stores = instance_stores(self.facts, self.owner, node.attr)
        if stores is None or function.name == "__init__" or may_escape(self.tree, self.owner, node.attr):
            return False
        constructors = [store.function for store in stores if store.function is not None]
        return all(any(is_own(each, change, node.attr) for each in constructors) for change in self._changes(node.attr))

    def _changes(self, attribute: str) -> list[ast.AST]:
        """Return what may change an attribute's list on instances of the class."""
        changes = self.facts.changes.get(attribute, ())
        return [change for change in changes if not is_of_another(self.tree, self.owner, change)]

    def _is_kept_as_it_is(self, function: FunctionNode, node: ast.Name) -> bool:
        """Return whether a use of a variable only stores its list, in attributes that are never changed in place."""
        around: ast.AST | None = astwalk.parents(function).get(node)
        if isinstance(around, ast.Tuple):
            around = astwalk.parents(function).get(around)
        if not isinstance(around, ast.Assign) or len(around.targets) != 1:
            return False
        targets = getattr(around.targets[0], "elts", around.targets)
        return all(isinstance(t, ast.Attribute) and t.attr not in self.facts.changes for t in targets)

    def _local(
        self, node: ast.Name, function: FunctionNode, depth: int, block: list[ast.stmt] | None = None
    ) -> Linear | None:
        """Return the length of a variable's list; None if unknown, or if statements outside the block change it."""
        uses = [n for n in astwalk.walk(function) if isinstance(n, ast.Name) and n.id == node.id]
        changes = [change for n in uses for change in [change_at(function, n)] if change is not None]
        stored = [n for n in uses if binds(n) and astwalk.parents(function)[n] not in changes]
        others = [n for n in uses if n is not node and not binds(n)]
        if any(escapes(function, n) and not self._is_kept_as_it_is(function, n) for n in others):
            return None
        if is_parameter(function, node.id) and (not stored or self._is_replaced(function, stored, node)):
            return None if changes else unknown("length", "parameter", id(function), node.id)
        if is_parameter(function, node.id) and not comes_before(function, stored[0], node):
            return None
        alone = len(stored) == 1 and not has_other_name(function, stored[0])
        value = only_value(function, stored[0]) if alone else None
        if value is None or isinstance(value, (ast.Name, ast.Attribute)):
            return None
        configured = isinstance(value, ast.Subscript) and not changes
        total = unknown("length", "read", id(value)) if configured else self.length(value, function, depth + 1)
        within = {id(each) for part in block or function.body for each in astwalk.walk(part)}
        made_inside = any(getattr(each, "value", None) is value for each in block or ())
        if not (made_inside or surely_at(function, stored[0])) or any(id(each) not in within for each in changes):
            return None
        if not changes:
            return total
        own = all(isinstance(each, (ast.Call, ast.AugAssign)) and each.lineno < node.lineno for each in changes)
        more = self._growth(changes, block or function.body, function, depth) if own else None
        return None if total is None or more is None else total + more

    def _is_replaced(self, function: FunctionNode, stored: list[ast.Name], node: ast.Name) -> bool:
        """Return whether a parameter is used in the only statement that gives it another value: ``a = [1] + a``."""
        around = astwalk.parents(function).get(stored[0])
        if len(stored) > 1 or not isinstance(around, ast.Assign) or not surely_at(function, stored[0]):
            return False
        return around in astwalk.around(function, node)

    def _growth(
        self, changes: list[ast.AST], statements: list[ast.stmt], function: FunctionNode, depth: int
    ) -> Linear | None:
        """Return how many items statements of a constructor add to a list; None if that depends on the path."""
        turns = partial(self.turns, function=function, depth=depth + 1)
        return Growth(changes, turns, partial(self.value, function=function, depth=depth + 1)).of(statements)


def _is_length(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and astwalk.is_name(node.func, "len")


def _converts(tree: ast.Module, store: Store, attribute: str) -> bool:
    """Return whether a list is stored again in the same attribute, or put into another container there: ``self.a =
    self.a.cuda()``, ``self.a = nn.Sequential(*self.a)``.
    """
    held = store.value
    while isinstance(held, ast.Call) and isinstance(held.func, ast.Attribute) and held.func.attr in _KEEPING:
        held = held.func.value
    if isinstance(held, ast.Call) and len(held.args) == 1 and not held.keywords:
        name = short_name(tree, held.func)
        only = held.args[0]
        if name not in LISTS or isinstance(only, ast.Starred) is not (name == "Sequential"):
            return False
        held = only.value if isinstance(only, ast.Starred) else only
    own = isinstance(held, ast.Attribute) and held.attr == attribute and store.function is not None
    return own and is_itself(held.value, store.function)  # type: ignore[union-attr,arg-type]
