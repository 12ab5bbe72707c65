"""Finds arguments with which a class of ``torch.nn`` cannot be compiled: ``nn.Dropout(0)``, ``nn.LayerNorm(4, eps=1)``.

The ``forward`` of such a class passes them to operators, and the compiler does not convert ints to floats. The tables
contain the results of trying such arguments with torch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tslint.script.assumptions import Assumption, Assumptions, satisfiable
from tslint.script.attributes import Instance, PyConst, PyKind, PyParameter, PySequence, PyValue
from tslint.script.construct.foreign import FOREIGN
from tslint.script.construct.pyvalues import cases
from tslint.script.construct.sizes import INT_ANNOTATION
from tslint.script.operators import NNModule, Variant, module_class
from tslint.util import astwalk
from tslint.util.record import record

_CONVERTED = ("scale_factor",)  # nn.Upsample converts this argument to a float


@record
class BadArgument:
    """An argument that does not compile.

    Args:
        assumptions: the tests under which the argument has this value.
        name: the name of the parameter.
        given: the argument's Python type or, if it matters, the value itself.
        node: the argument, or the call if the argument is not written in it.
        compiler: the compiler's message.
        wanted: the type that the operator requires, empty if the message does not name it.
    """

    assumptions: Assumptions
    name: str
    given: str
    node: ast.AST
    compiler: str
    wanted: str


def bad_arguments(instance: Instance) -> Iterator[BadArgument]:
    """Yield the arguments that prevent an instance of a ``torch.nn`` class from being compiled."""
    found = module_class(instance.external) if instance.external else None
    if found is None or not instance.known or not isinstance(instance.node, ast.Call):
        return
    for name, value in named_arguments(found, instance):
        for assumptions, leaf in cases(without_passed(value)):
            variant = next((v for v in found.variants if v.argument == name and v.error and _is_like(leaf, v)), None)
            if variant is not None and not _type_is_typical(found, name, leaf):
                yield BadArgument(
                    assumptions,
                    name,
                    _kind(leaf) if not isinstance(_literal(variant), bool) else variant.value,
                    _argument_node(found, instance.node, name),
                    variant.error or "",
                    _wanted(variant.error or ""),
                )
            elif _kind(leaf) in FOREIGN and name in found.constants and name not in _CONVERTED:
                message = (
                    f"'{_kind(leaf)}' object in attribute '{found.name.rpartition('.')[2]}.{name}' is not a valid"
                    " constant."
                )
                yield BadArgument(
                    assumptions, name, _kind(leaf), _argument_node(found, instance.node, name), message, ""
                )


def without_passed(value: PyValue) -> PyValue:
    """Return a parameter without the arguments that calls pass for it: errors in these are reported at the calls (see
    ``passed_through``).
    """
    return replace(value, passed=()) if isinstance(value, PyParameter) else value


def _wanted(message: str) -> str:
    found = re.search(r"Expected a value of type '([^']*)'", message)
    return found.group(1) if found else ""


def named_arguments(found: NNModule, instance: Instance) -> Iterator[tuple[str, PyValue]]:
    """Yield the arguments of an instance of a class of torch.nn, with the names of its parameters."""
    positional = [parameter.name for parameter in found.init]
    yield from zip(positional, instance.arguments)
    yield from instance.keywords


def _literal(variant: Variant) -> object:
    try:
        return ast.literal_eval(variant.value)
    except (ValueError, SyntaxError):
        return Ellipsis


def _kind(value: PyValue) -> str:
    if isinstance(value, PyConst):
        return "None" if value.value is None else type(value.value).__name__
    if isinstance(value, PySequence):
        return value.kind
    if isinstance(value, PyParameter) and value.annotation is INT_ANNOTATION:
        return "int"
    return value.kind if isinstance(value, PyKind) else ""


def _is_like(value: PyValue, variant: Variant) -> bool:
    """Return whether an argument fails in the same way as an argument in the tables: it must have the same type; a bool
    must have the same value.
    """
    tried = _literal(variant)
    if isinstance(tried, bool):
        return isinstance(value, PyConst) and value.value is tried
    if isinstance(tried, tuple) and None in tried:
        items = value.items if isinstance(value, PySequence) and value.kind == "tuple" else None
        return items is not None and any(_kind(item) == "None" for item in items)
    if isinstance(tried, tuple):
        items = value.items if isinstance(value, PySequence) and value.kind == "tuple" else None
        return items is not None and len(items) == len(tried) and all(_kind(item) == "int" for item in items)
    if tried is None or isinstance(tried, (int, float, str)):
        return _kind(value) == ("None" if tried is None else type(tried).__name__)
    return False


def _type_is_typical(found: NNModule, name: str, value: PyValue) -> bool:
    """Return whether the tables show that other values of the argument's type compile, so that its value is the
    problem.
    """
    attribute = found.attributes.get(name)
    return attribute is not None and not isinstance(value, PySequence) and str(attribute.type) == _kind(value) != "bool"


def _argument_node(found: NNModule, call: ast.Call, name: str) -> ast.AST:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [parameter.name for parameter in found.init]
    position = names.index(name) if name in names else len(call.args)
    if position < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return call.args[position]
    return call


def possible(assumptions: Assumptions, given: Assumptions) -> bool:
    """Return whether an argument's tests can be true together with other tests.

    Tests of one name are compared: ``p > 0`` excludes ``p == 0``. If another test of that name cannot be evaluated
    here, the result is False.
    """
    if not satisfiable(assumptions, given):
        return False
    for assumption in assumptions:
        name, value = _equality(assumption)
        if not name:
            continue
        for other in given - assumptions:
            result = outcome(other, name, value)
            if result is not None and result is not other.holds:
                return False
            if result is None and _mentions(other, name):
                return False
    return True


def in_general(bad: BadArgument) -> Assumptions:
    """Return the tests of an argument, worded for messages: "`p` is an int like its default 0", not "`p` is 0"."""
    article = "an" if bad.given[:1] in "aeiou" else "a"
    return frozenset(
        replace(each, general=f"`{name}` is {article} {bad.given} like its default {value}")
        if name and type(value).__name__ == bad.given and not each.text.isidentifier()
        else each
        for each in bad.assumptions
        for name, value in [_equality(each)]
    )


def _equality(assumption: Assumption) -> tuple[str, object]:
    """Return the name and the literal of ``name == literal``, ``name is None`` or a plain truth test; an empty name for
    other tests.
    """
    if assumption.text.isidentifier():
        return assumption.text, assumption.holds
    for mark in (" == ", " is "):
        name, found, literal = assumption.text.partition(mark)
        if found and name.isidentifier() and assumption.holds:
            try:
                return name, ast.literal_eval(literal)
            except (ValueError, SyntaxError):
                return "", None
    return "", None


_ORDER = {
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


def outcome(assumption: Assumption, name: str, value: object) -> bool | None:
    """Return the result of a test for a given value of a name; None for other tests than its truth, or a comparison of
    the name with a literal.
    """
    if assumption.text == name:
        return bool(value)
    try:
        node = ast.parse(assumption.text, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in _ORDER:
        return None
    if not isinstance(node.left, ast.Name) or node.left.id != name or not isinstance(node.comparators[0], ast.Constant):
        return None
    try:
        compare: Callable[[object, object], object] = _ORDER[type(node.ops[0])]
        return bool(compare(value, node.comparators[0].value))
    except TypeError:
        return None


def _mentions(assumption: Assumption, name: str) -> bool:
    try:
        tree = ast.parse(assumption.text, mode="eval")
    except SyntaxError:
        return True
    return any(isinstance(node, ast.Name) and node.id == name for node in astwalk.walk(tree))
