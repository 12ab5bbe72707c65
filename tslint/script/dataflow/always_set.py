"""Determines whether an attribute has a value other than None wherever a statement of a method runs.

A fix may move the read of an attribute from the body of a loop into its header, where the attribute is read even if the
loop has no iterations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.guards import guards
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.local_bindings import is_parameter
from tslint.script.dataflow.loops import same
from tslint.script.dataflow.methods import is_itself, itself
from tslint.script.dataflow.stores import Store
from tslint.script.dataflow.sure_stores import branch_of, in_all_branches, surely
from tslint.util import astwalk

Fact = tuple[str, bool]
_UNKNOWN = ("", True)


def can_be_read(tree: ast.Module, path: ast.AST, loop: ast.AST, header: ast.AST) -> bool:
    """Return whether the header of a loop can evaluate a new expression instead of the present one, even if the loop
    has no iterations.

    Args:
        tree: the tree of the file.
        path: the new expression.
        loop: the loop.
        header: the expression that the loop iterates over now.
    """
    return any(same(each, path) for each in astwalk.walk(header)) or is_set_at(tree, path, loop)


def is_set_at(tree: ast.Module, path: ast.AST, statement: ast.AST) -> bool:
    """Return whether an expression can be evaluated wherever a statement runs, and is not None there.

    An attribute that no method of the file stores counts as set: the static model has found its value.

    Args:
        tree: the tree of the file.
        path: the expression; it counts as set unless it begins with an attribute of the method's own instance.
        statement: a statement of the method, such as a loop whose body evaluates the expression.
    """
    place = place_of(tree, statement)
    while isinstance(path, ast.Attribute) and isinstance(path.value, ast.Attribute):
        path = path.value
    if place is None or not isinstance(path, ast.Attribute) or not is_itself(path.value, place.function):
        return True
    facts, line = place.bounds.facts, place.bounds.facts.related(place.bounds.owner)
    stores = [each for each in facts.stores.get(path.attr, ()) if each.own and any(each.owner is one for one in line)]
    values = [each for each in stores if not _is_none(each.value)]
    if not stores or (len(values) == len(stores) and any(surely(each) or in_all_branches(each) for each in stores)):
        return True
    around = list(guards(place.function, statement))
    if any(_mentions(each, path.attr) for guard in around for each in astwalk.walk(guard.test)):
        return True  # the author tests whether it has a value
    known = {fact for guard in around for fact in _shown(guard.test, not guard.skips)}
    if len(values) == 1 and _needs(place, values[0]) <= known:
        return True
    in_order = sorted(stores, key=lambda each: getattr(each.value, "lineno", 0))
    if any(_is_none(each.value) for each in in_order[len(stores) - len(values) :]):
        return False  # a None after the value replaces it
    return any(_set_together(place, text, outcome, values) for text, outcome in known)


def _set_together(place: Place, test: str, outcome: bool, values: Sequence[Store]) -> bool:
    """Return whether a constructor stores one of the values wherever it stores the constant in a flag that makes a
    test have this outcome: ``self.plain = False`` beside ``self.layers = …``.
    """
    flag = ast.parse(test, mode="eval").body
    if not isinstance(flag, ast.Attribute) or not is_itself(flag.value, place.function):
        return False
    facts, owner = place.bounds.facts, place.bounds.owner
    bodies = [item for each in facts.related(owner) for item in each.body if not isinstance(item, ast.FunctionDef)]
    stores = instance_stores(facts, owner, flag.attr) or ()
    if any(flag.attr in astwalk.bound(item) for item in bodies) or any(each.value is None for each in values):
        return False
    constants = [each for each in stores if isinstance(each.value, ast.Constant)]
    wanted = [each for each in constants if bool(getattr(each.value, "value", None)) is outcome]
    together = all(any(_in_one_branch(each, other) for other in values) for each in wanted)
    return bool(wanted) and len(constants) == len(stores) and together


def _in_one_branch(a: Store, b: Store) -> bool:
    """Return whether a constructor without ``return`` makes two stores in one branch: both, or none of them."""
    branch = branch_of(a)
    if a.function is None or branch is None or branch is not branch_of(b):
        return False
    return not any(isinstance(each, ast.Return) for each in astwalk.walk(a.function))


def _is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _mentions(node: ast.AST, attribute: str) -> bool:
    """Return whether a part of a test is ``self.attribute``, or the string in ``hasattr(self, "attribute")``."""
    return attribute in (getattr(node, "attr", None), getattr(node, "value", None))


def _needs(place: Place, store: Store) -> set[Fact]:
    """Return the tests that a constructor makes before a store, each with the result that leads to the store.

    The tests are written as in other methods: ``self.norm`` for the parameter ``norm``. The text is empty for a test
    that other methods cannot make.
    """
    made, value = store.function, store.value
    if made is None or value is None:
        return {_UNKNOWN}
    above = list(takewhile(lambda each: each is not made, astwalk.around(made, value)))
    if not all(isinstance(each, ast.If) for each in above[1:]):
        return {_UNKNOWN}  # a loop or a `try` may not reach the statement
    return {
        (_in_attributes(place, made, text), outcome)
        for guard in guards(made, value)
        for text, outcome in _shown(guard.test, not guard.skips)
    } or {_UNKNOWN}


def _in_attributes(place: Place, made: FunctionNode, text: str) -> str:
    """Return a constructor's test as another method would write it, ``self.norm`` for the parameter ``norm``; empty if
    a part has no such attribute, or may change later.
    """
    stored = {
        each.value.id: name
        for name, stores in place.bounds.facts.stores.items()
        for each in stores
        if each.function is made and isinstance(each.value, ast.Name) and surely(each)
        if is_parameter(made, each.value.id) and each.value.id not in astwalk.bound(made)
    }
    own = itself(made)
    tested = _Renamed(own, stored).visit(ast.parse(text, mode="eval"))
    read = [each for each in astwalk.walk(tested) if isinstance(each, ast.Attribute)]
    names = [each.id for each in astwalk.walk(tested) if isinstance(each, ast.Name) and each.id != own]
    facts, owner = place.bounds.facts, place.bounds.owner
    settled = all(len(instance_stores(facts, owner, each.attr) or ()) == 1 for each in read)
    return ast.unparse(tested) if read and not names and settled and own == itself(place.function) else ""


class _Renamed(ast.NodeTransformer):
    """Replaces parameters of a constructor by the attributes that store them."""

    def __init__(self, own: str, stored: dict[str, str]) -> None:
        self.own, self.stored = own, stored

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.stored:
            return node
        return ast.Attribute(ast.Name(self.own, ast.Load()), self.stored[node.id], ast.Load())


def _shown(test: ast.expr, outcome: bool) -> Iterator[Fact]:
    """Yield the parts of a test whose results are known from its result: if ``a and not b`` is true, ``a`` is true and
    ``b`` is false.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _shown(test.operand, not outcome)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
        for value in test.values:
            yield from _shown(value, outcome)
    else:
        yield ast.unparse(test), outcome
