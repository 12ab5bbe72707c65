"""Separates what is certain about an index from what only annotations claim."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from tslint.script.dataflow.bounds import Bounds
from tslint.script.dataflow.callers import arguments_for, callers
from tslint.script.dataflow.definitions import default_of
from tslint.script.dataflow.guards import tests_for
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.linear import Linear, number, turns
from tslint.script.dataflow.local_bindings import is_parameter
from tslint.script.dataflow.loops import measured_by
from tslint.script.dataflow.methods import itself
from tslint.script.dataflow.scopes import function_around
from tslint.script.dataflow.shallow import type_of
from tslint.script.dataflow.stores import CHANGING, file_facts
from tslint.script.dataflow.sure_stores import always_evaluated
from tslint.script.types import ANYTHING, INT, ListType, TensorType, TupleType, Type, is_inferred
from tslint.util import astwalk

_COUNTING = ("len", "int", "abs", "min", "max")
_NOTHING: Mapping[str, Type] = MappingProxyType({})
_STEPS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def place_of(tree: ast.Module, node: ast.AST) -> Place | None:
    """Return the place of a node, for questions about indices; None outside of methods of a class of the file."""
    function = function_around(tree, node)
    above = astwalk.parents(tree).get(function) if function is not None else None
    if function is None or not isinstance(above, ast.ClassDef):
        return None
    known = _bounds(tree)
    if above not in known:
        known[above] = Bounds(tree, above)
    return Place(known[above], function, node)


@astwalk.kept
def _bounds(tree: ast.Module) -> dict[ast.ClassDef, Bounds]:
    return {}


def if_zips_are_even(place: Place) -> Place:
    """Return a place where the arguments of every ``zip`` count as equally long."""
    return replace(place, bounds=replace(place.bounds, even_zips=True))


def is_proven(place: Place, value: Linear | None) -> bool:
    """Return whether a value is certainly an int in Python."""
    if value is None:
        return False
    for atom, _ in value.terms:
        if atom[0] == "variable":
            loop = next((each for each in astwalk.walk(place.function) if id(each) == atom[1]), None)
            over = getattr(loop, "iter", None)
            counts = isinstance(over, ast.Call) and isinstance(over.func, ast.Name)
            target = getattr(loop, "target", None)
            first = target.elts[0] if isinstance(target, ast.Tuple) else target
            named = isinstance(first, ast.Name) and first.id == atom[2]
            if not counts or not named or over.func.id not in ("range", "enumerate"):  # type: ignore[union-attr]
                return False
            if isinstance(target, ast.Tuple) is not (over.func.id == "enumerate"):  # type: ignore[union-attr]
                return False
        elif atom[0] == "computed":
            if not all(is_proven(place, part) for part in atom[2:]):
                return False
        elif atom[0] not in ("length", "turns"):
            return False
    return True


def is_surely_integer(place: Place, node: ast.expr) -> bool:
    """Return whether an expression is certainly an int in Python, even if its value is not known, as for a length."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _STEPS):
        return is_surely_integer(place, node.left) and is_surely_integer(place, node.right)
    length = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
    return length or is_proven(place, place.value(node))


def reach(
    where: Place, ends: tuple[ast.expr | None, ast.expr], path: ast.expr, by: int
) -> tuple[Linear, bool] | None:  # fmt: skip
    """Return how many modules precede the first module that a loop reads, and whether the loop reads the last module.

    Args:
        where: the place of the loop.
        ends: the ends of its range.
        path: the container.
        by: the difference between the module's index and the loop's.

    Returns:
        None if an index may be out of range, or may not be an int in Python.
    """
    first, stop = (number(0) if ends[0] is None else where.value(ends[0])), where.value(ends[1])
    length = where.length(path)
    if first is None or stop is None or length is None or not is_proven(where, first):
        return None
    before, to_the_end = first + number(by), length == turns(stop + number(by))
    # If the loop does not go to the end of the container, its end must be shown to be an int.
    within = to_the_end or (is_proven(where, stop) and where.holds(length - stop - number(by)))
    return (before, to_the_end) if within and where.holds(before) else None


def may_hold_none(tree: ast.Module, path: ast.AST) -> bool:
    """Return whether a container may contain None: compiled code leaves it out, and the next module gets its index."""
    if not isinstance(path, ast.Attribute):
        return False
    facts = file_facts(tree)
    found: list[ast.AST] = [*facts.changes.get(path.attr, ())]
    for store in facts.stores.get(path.attr, ()):
        if store.value is not None and store.function is not None:
            names = {each.id for each in astwalk.walk(store.value) if isinstance(each, ast.Name)}
            found += [store.value, *_fillings(store.function, names)]
    return any(
        isinstance(each, ast.Constant) and each.value is None and _is_item(tree, each)
        for part in found
        for each in astwalk.walk(part)
    )


def _fillings(function: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """Yield the assignments of a function to the given variables, and its calls of methods of these variables."""
    for each in astwalk.walk(function):
        if isinstance(each, (ast.Assign, ast.AugAssign)) and astwalk.bound(each) & names:
            yield each
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            if isinstance(each.func.value, ast.Name) and each.func.value.id in names:
                yield each


def _is_item(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether None is an element of a list, tuple, dict or comprehension, or is passed to a method that changes
    a container.
    """
    around = astwalk.parents(tree).get(node)
    while isinstance(around, (ast.IfExp, ast.BoolOp)):
        node, around = around, astwalk.parents(tree).get(around)
    if isinstance(around, ast.Call):
        return isinstance(around.func, ast.Attribute) and around.func.attr in CHANGING
    return isinstance(around, (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.GeneratorExp, ast.DictComp))


def looks_integer(
    tree: ast.Module, node: ast.expr, names: Mapping[str, Type] = _NOTHING, depth: int = 0, by_default: bool = True
) -> bool:
    """Return whether annotations, defaults and stored values indicate that an expression is an int.

    Args:
        tree: the file.
        node: the expression.
        names: the types of the variables in it.
        depth: how many attributes were followed so far.
        by_default: whether the default of a constructor's parameter counts, too, although a caller may pass None.
    """
    function = function_around(tree, node)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return looks_integer(tree, node.operand, names, depth, by_default)
    if isinstance(node, ast.BinOp):
        parts = (node.left, node.right)
        return isinstance(node.op, _STEPS) and all(
            looks_integer(tree, part, names, depth, by_default) for part in parts
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        counted = node.func.id == "len"
        return node.func.id in _COUNTING and all(
            counted or looks_integer(tree, each, names, by_default=by_default) for each in node.args
        )
    if _is_size(node, names):
        return True
    if isinstance(node, ast.Name) and function is not None:
        if not is_parameter(function, node.id):
            return names.get(node.id) == INT and not _stored_otherwise(tree, function, node.id)
        declared = names.get(node.id) == INT or _declared(function, node.id, by_default)
        return declared and not _given_otherwise(tree, function, node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and depth < 4:
        place = place_of(tree, node)
        if place is None or node.value.id != itself(place.function):
            return False
        stores = instance_stores(place.bounds.facts, place.bounds.owner, node.attr) or []
        values = [store.value for store in stores]

        def known(value: ast.expr) -> Mapping[str, Type]:
            return names if function_around(tree, value) is function else _NOTHING

        return bool(values) and all(
            each is not None and looks_integer(tree, each, known(each), depth + 1, by_default) for each in values
        )
    return False


def _is_size(node: ast.expr, names: Mapping[str, Type]) -> bool:
    """Return whether an expression is a size of a tensor, an item of a list of ints, or an item of a pair of ints."""
    measured = measured_by(node)
    if isinstance(measured, ast.Name) and isinstance(names.get(measured.id), TensorType):
        return True
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    return names.get(node.value.id) in (ListType(INT), TupleType((INT, INT)))


def _declared(function: ast.FunctionDef, name: str, by_default: bool) -> bool:
    """Return whether a parameter is annotated as int. In a constructor, one without annotation also counts if it has an
    int default, or is always passed to ``range``.

    In compiled functions, a default alone proves nothing: without an annotation the parameter is a Tensor.
    """
    spec = function.args
    argument = next((a for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs] if a.arg == name), None)
    if argument is None or any(name in astwalk.bound(each) for each in function.body):
        return False
    if argument.annotation is not None:
        return ast.unparse(argument.annotation) == "int"
    default = default_of(function, name)
    by_default = by_default and isinstance(default, ast.Constant) and type(default.value) is int
    return function.name == "__init__" and (by_default or _counts(function, name))


def _counts(function: ast.FunctionDef, name: str) -> bool:
    """Return whether a function always passes a parameter to ``range``, which raises for any value but an int."""
    return any(
        astwalk.is_name(each.func, "range")
        and any(astwalk.is_name(argument, name) for argument in each.args)
        and always_evaluated(function, each)
        for each in astwalk.of_kind(function, ast.Call)
    )


def _stored_otherwise(tree: ast.Module, function: ast.AST, name: str) -> bool:
    """Return whether a function assigns a value other than an int to a name, as ``2.0`` in ``2 if is_scripting() else
    2.0``.
    """
    stores = [each for each in astwalk.of_kind(function, ast.Assign) if name in astwalk.bound(each)]
    values = [each.value for each in stores if len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)]
    arms = [arm for each in values for arm in ([each.body, each.orelse] if isinstance(each, ast.IfExp) else [each])]
    return any(type_of(tree, arm) not in (None, "int") for arm in arms)


def _given_otherwise(tree: ast.Module, function: ast.FunctionDef, name: str) -> bool:
    """Return whether a call in the file passes something other than an int for a parameter."""
    given = (value for site in callers(tree).of(function) for value in arguments_for(function, name, site.node))
    return any(type_of(tree, value) not in (None, "int") for value in given)


def given_ints(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an attribute only stores parameters that are annotated as int or passed to ``range``, and calls in
    the file pass only ints for them. There must be such a call.
    """
    place = place_of(tree, node)
    if not isinstance(node, ast.Attribute) or place is None or not looks_integer(tree, node, by_default=False):
        return False
    stores = instance_stores(place.bounds.facts, place.bounds.owner, node.attr) or []
    given: list[ast.expr] = []
    for store in stores:
        if not isinstance(store.value, ast.Name) or store.function is None:
            return False
        found = [arguments_for(store.function, store.value.id, each.node) for each in callers(tree).of(store.function)]
        given += [value for values in found for value in values]
    return bool(given) and all(type_of(tree, value) == "int" for value in given)


def is_sequence(items: ast.AST, names: Mapping[str, Type]) -> bool:
    """Return whether a variable is a list, a tuple or a tensor, for which an index and a loop give the same items.

    A parameter without annotation is a Tensor only for the compiler: Python may be given any iterable.
    """
    type_ = names.get(items.id, ANYTHING) if isinstance(items, ast.Name) else ANYTHING
    plain_tuple = isinstance(type_, TupleType) and type_.name is None
    return not is_inferred(type_) and (plain_tuple or isinstance(type_, (ListType, TensorType)))


def may_be_none(tree: ast.Module, items: ast.AST) -> bool:
    """Return whether a variable is a parameter with the default None that no test excludes: iterating over None with
    ``zip`` always raises.
    """
    function = function_around(tree, items)
    if function is None or not isinstance(items, ast.Name) or items.id in astwalk.bound(function):
        return False
    default = default_of(function, items.id)
    asked = {
        name.id for test in tests_for(function, items) for name in astwalk.walk(test) if isinstance(name, ast.Name)
    }
    return isinstance(default, ast.Constant) and default.value is None and items.id not in asked
