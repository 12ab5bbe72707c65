"""Evaluates expressions of a constructor, as far as the source determines them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tslint.project.definitions import Class, Definition, External, Function, GlobalValue, ModuleRef
from tslint.script.assumptions import Assumptions, satisfiable
from tslint.script.attributes import (
    PY_UNKNOWN,
    Instance,
    PyClass,
    PyConst,
    PyDict,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySequence,
    PyValue,
)
from tslint.script.construct.aliases import GROWING, changed
from tslint.script.construct.arithmetic import SMALL, combined, constant
from tslint.script.construct.branch_values import narrowed
from tslint.script.construct.conditions import Conditions
from tslint.script.construct.foreign import METHOD
from tslint.script.construct.frame import Frame
from tslint.script.construct.lookups import is_only_read, looked_up
from tslint.script.construct.members import is_applied, is_bound_method, is_enum_member
from tslint.script.construct.pyvalues import as_set, cases, choose, common_element, truth
from tslint.script.constructed import only_value
from tslint.script.operators import module_class
from tslint.script.scope import is_property, is_staticmethod
from tslint.util import astwalk

_OF_INTS = frozenset(f"{name}[int]" for name in ("List", "list", "Sequence")) | {"Tuple[int, ...]", "tuple[int, ...]"}
CONTAINERS = ("ModuleList", "ModuleDict", "Sequential", "ParameterList", "ParameterDict")


class _Self(PyValue):
    """The instance under construction."""


SELF = _Self()


def is_torch_module(name: str) -> bool:
    """Return whether a full name looks like a class of ``torch.nn`` (``torch.nn.Linear``), or is a module class of
    another package in the tables.
    """
    if not name.startswith("torch."):
        return module_class(name) is not None
    return name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper() and ".functional" not in name


def canonical(name: str) -> str:
    """Return ``torch.nn.Linear`` for ``torch.nn.modules.linear.Linear``; other names unchanged."""
    if name.startswith("torch.nn.modules.") and name.rpartition(".")[2][:1].isupper():
        return "torch.nn." + name.rpartition(".")[2]
    if name.startswith("torch.nn.parameter."):
        return "torch.nn." + name.rpartition(".")[2]
    return name


def _holds_ints(annotation: ast.expr | None) -> bool:
    """Return whether an annotation is ``Tuple[int, ...]`` or ``List[int]``."""
    return annotation is not None and ast.unparse(annotation).removeprefix("typing.") in _OF_INTS


class Evaluator(Conditions):
    """Evaluates expressions in one frame of a constructor."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def evaluate(self, node: ast.expr | None) -> PyValue:
        """Return the value of an expression; ``PY_UNKNOWN`` if it is not known."""
        if node is None:
            return PY_UNKNOWN
        handler = _HANDLERS.get(node.__class__)
        return PY_UNKNOWN if handler is None else handler(self, node)

    def _constant(self, node: ast.Constant) -> PyValue:
        return PyConst(node.value)

    def _name(self, node: ast.Name) -> PyValue:
        if node.id in self.frame.locals:
            return self.frame.locals[node.id]
        return self.from_definition(self.frame.resolve(node))

    def from_definition(self, found: Definition) -> PyValue:
        """Return the value of a module-level name."""
        if isinstance(found, Class):
            return PyClass(found)
        if isinstance(found, Function):
            return PyFunction(found)
        if isinstance(found, External):
            return PyExternal(canonical(found.name))
        if isinstance(found, GlobalValue) and not found.rebound and isinstance(found.value, ast.Constant):
            return PyConst(found.value.value)
        if isinstance(found, GlobalValue) and not found.rebound and isinstance(found.value, ast.Dict):
            if is_only_read(found.module.tree, found.name):
                return self.frame.at_top(found.module).evaluate(found.value)
        return PY_UNKNOWN

    def _attribute(self, node: ast.Attribute) -> PyValue:
        if node.attr in ("__name__", "__qualname__"):  # of a class, a function or a module
            return PyKind("str")
        if isinstance(node.value, (ast.Name, ast.Attribute)) and not self._local_root(node):
            found = self.frame.resolve(node)
            if isinstance(found, (Class, Function, External, GlobalValue)):
                return self.from_definition(found)
            if isinstance(found, ModuleRef):
                return PY_UNKNOWN
            owned = self.frame.resolve(node.value)
            if isinstance(owned, Class) and is_enum_member(self.frame.run.project, owned, node.attr):
                return Instance(definition=owned, node=node)
            if isinstance(owned, Class) and is_applied(self.frame.run.project, owned, node.attr):
                return PyKind(METHOD)
        owner = self.evaluate(node.value)
        if owner is SELF:
            return self._own(node.attr)
        if node.attr in GROWING and isinstance(
            owner, (PySequence, PyDict)
        ):  # a bound method, which may be called later
            self.frame.replace(node.value, owner, changed(owner))
        if isinstance(owner, PyKind) and owner.kind in ("Tensor", "Parameter"):
            return PyKind("Tensor") if node.attr in ("data", "T", "grad") else PY_UNKNOWN
        if isinstance(owner, PyExternal):
            return PyExternal(canonical(f"{owner.name}.{node.attr}"))
        if isinstance(owner, PyClass) and is_applied(self.frame.run.project, owner.definition, node.attr):
            return PyKind(METHOD)
        if isinstance(owner, Instance) and is_bound_method(self.frame.run.project, owner, node.attr):
            return PyKind(METHOD)
        return PY_UNKNOWN

    def _own(self, name: str) -> PyValue:
        run = self.frame.run
        stored = run.stored(self.frame.attribute_name(name))
        if stored:
            live = [a for a in stored if satisfiable(a.assumptions, self.frame.assumptions)]
            values = [(a.assumptions - self.frame.assumptions, a.value) for a in live if a.value is not None]
            if len(values) == len(live):
                return choose([(assumptions, value) for assumptions, value in values if value is not None])
            return PY_UNKNOWN
        member = run.member(name)
        if member is not None and member.function is not None:
            if is_property(member.function, run.project):
                return run.calls.read_property(self.frame, member.function)
            return PyFunction(member.function, bound=not is_staticmethod(member.function))
        if member is not None and isinstance(member.node, ast.ClassDef):
            return self.from_definition(run.project.attribute(member.owner, name))
        run.open = run.open or name.startswith("register_") or name in ("add_module", "__setattr__")  # called elsewhere
        if member is not None and isinstance(member.node, (ast.Assign, ast.AnnAssign)):
            return self.evaluate(member.node.value) if isinstance(member.node.value, ast.Constant) else PY_UNKNOWN
        return PY_UNKNOWN

    def _local_root(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return not isinstance(node, ast.Name) or node.id in self.frame.locals

    def _sequence(self, kind: str, elements: list[ast.expr]) -> PySequence:
        items: list[PyValue] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                inner = self.evaluate(element.value)
                if not isinstance(inner, PySequence) or inner.items is None:
                    known = inner.element if isinstance(inner, PySequence) else PY_UNKNOWN
                    some = (*items, *(inner.known() if isinstance(inner, PySequence) else ()))
                    return PySequence(kind, None, common_element([*items, known]) if items else known, some=some)
                items += inner.items
            else:
                items.append(self.evaluate(element))
        return PySequence(kind, tuple(items), common_element(items))

    def _list(self, node: ast.List) -> PyValue:
        return self._sequence("list", node.elts)

    def _tuple(self, node: ast.Tuple) -> PyValue:
        return self._sequence("tuple", node.elts)

    def _set(self, node: ast.Set) -> PyValue:
        return as_set(self._sequence("list", node.elts))

    def _dict(self, node: ast.Dict) -> PyValue:
        if any(key is None for key in node.keys):
            return PyDict(None)
        keys = [self.evaluate(key) for key in node.keys]
        values = [self.evaluate(value) for value in node.values]
        return PyDict(tuple(zip(keys, values)))

    def _lambda(self, node: ast.Lambda) -> PyValue:
        return PyFunction(None, node=node)

    def _joined_string(self, node: ast.JoinedStr) -> PyValue:
        text = ""
        for part in node.values:
            value = self.evaluate(part.value if isinstance(part, ast.FormattedValue) else part)
            if not isinstance(value, PyConst) or (isinstance(part, ast.FormattedValue) and part.format_spec):
                return PyKind("str")
            text += str(value.value)
        return constant(text)

    def _binary(self, node: ast.BinOp) -> PyValue:
        return combined(node.op, self.evaluate(node.left), self.evaluate(node.right))

    def _unary(self, node: ast.UnaryOp) -> PyValue:
        value = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            known = truth(value)
            return self.outcome(node) if known is None else PyConst(not known)
        if isinstance(value, PyConst) and isinstance(value.value, (int, float)) and isinstance(node.op, ast.USub):
            return PyConst(-value.value)
        if isinstance(value, PyKind):
            return PyKind("int") if value.kind == "bool" else value
        return PY_UNKNOWN

    def _assigned(self, node: ast.NamedExpr) -> PyValue:
        value = self.evaluate(node.value)
        self.frame.bind(node.target, value)
        return value

    def _ternary(self, node: ast.IfExp) -> PyValue:
        known, when_true, when_false = self.test(node.test)
        if known is not None:
            return self.evaluate(node.body if known else node.orelse)
        with narrowed(self.frame, node.test, True):
            options = self._under(when_true, node.body)
        with narrowed(self.frame, node.test, False):
            return choose(options + self._under(when_false, node.orelse))

    def _under(self, assumptions: Assumptions, node: ast.expr) -> list[tuple[Assumptions, PyValue]]:
        before = self.frame.assumptions
        self.frame.assumptions = before | assumptions
        try:
            value = self.evaluate(node)
        finally:
            self.frame.assumptions = before
        options = cases(value, assumptions)
        return [(assumptions | more, leaf) for more, leaf in options if satisfiable(more, assumptions)]

    def _list_comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> PySequence:
        rows, element = self._comprehended(node.generators, node.elt)
        if rows is None:
            kept = element[0] if element else PY_UNKNOWN
            return PySequence("list", None, kept, self.may_be_empty(node.generators[0].iter))
        values = [value for (value,) in rows]
        return PySequence("list", tuple(values), common_element(values))

    def _generator(self, node: ast.GeneratorExp) -> PyValue:
        return replace(self._list_comprehension(node), kind="generator")

    def _dict_comprehension(self, node: ast.DictComp) -> PyValue:
        rows, element = self._comprehended(node.generators, node.key, node.value)
        if rows is None:
            return PyDict(None, element=element[1] if element else PY_UNKNOWN)
        keys = {repr(key.value) for key, _ in rows if isinstance(key, PyConst)}
        if len(keys) < len(rows):  # two items may have the same key
            return PyDict(None, element=common_element(value for _, value in rows))
        return PyDict(tuple((key, value) for key, value in rows))

    def _comprehended(
        self, generators: list[ast.comprehension], *parts: ast.expr
    ) -> tuple[list[list[PyValue]] | None, list[PyValue]]:
        """Return the values of a comprehension's parts (the element, or key and value) for each item. If the items are
        not known, return None, and the parts' values for an unknown item (none with an ``if`` or several ``for``).
        """
        if len(generators) != 1 or generators[0].ifs:
            return None, []
        generator, frame = generators[0], self.frame
        saved, varying, unknown_loops = dict(frame.locals), frame.varying, frame.unknown_loops
        try:
            items = self.iterate(generator.iter)
            if items is None or len(items) > SMALL:
                frame.bind(generator.target, self.element_of(generator.iter))
                frame.varying |= {each.id for each in astwalk.walk(generator.target) if isinstance(each, ast.Name)}
                frame.unknown_loops += 1
                return None, [self.evaluate(part) for part in parts]
            rows = []
            for item in items:
                frame.bind(generator.target, item)
                rows.append([self.evaluate(part) for part in parts])
            return rows, []
        finally:
            frame.locals, frame.varying, frame.unknown_loops = saved, varying, unknown_loops

    def iterate(self, node: ast.expr) -> list[PyValue] | None:
        """Return the items of an iterable one by one, None if they are not known."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            arguments = node.args
            if node.func.id == "range" and 1 <= len(arguments) <= 3:
                bounds = [self.evaluate(argument) for argument in arguments]
                numbers = [b.value for b in bounds if isinstance(b, PyConst) and type(b.value) is int]
                if len(numbers) != len(bounds) or (len(numbers) == 3 and numbers[2] == 0):
                    return None
                spread = range(*numbers)
                return [PyConst(i) for i in spread] if len(spread) <= SMALL else None
            if node.func.id == "enumerate" and len(arguments) == 1:
                inner = self.iterate(arguments[0])
                if inner is None:
                    return None
                return [PySequence("tuple", (PyConst(i), item)) for i, item in enumerate(inner)]
            if node.func.id == "zip":
                columns = [self.iterate(argument) for argument in arguments]
                if any(column is None for column in columns):
                    return None
                return [PySequence("tuple", row) for row in zip(*(c for c in columns if c is not None))]
            if node.func.id == "reversed" and len(arguments) == 1:
                inner = self.iterate(arguments[0])
                return None if inner is None else inner[::-1]
        value = self.evaluate(node)
        items = value.items if isinstance(value, (PySequence, Instance)) else None
        return None if items is None else list(items)

    def may_be_empty(self, node: ast.expr) -> bool:
        """Return whether the constructor's defaults, or a division that may give 0, can leave an iterable empty."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range" and len(node.args) == 1:
                return self._may_be_zero(node.args[0])
            if node.func.id in ("enumerate", "zip", "reversed", "sorted"):
                return any(self.may_be_empty(argument) for argument in node.args)
        value = self.evaluate(node)
        if isinstance(value, PyParameter) and value.default is not None:
            value = value.default
        return isinstance(value, (PySequence, PyDict, Instance)) and (value.items == () or value.may_be_empty)

    def _may_be_zero(self, node: ast.expr) -> bool:
        """Return whether an expression may be 0 because it divides an unknown number with ``//``: ``depth // 4``, or a
        variable with this value.
        """
        function = self.frame.function
        written = only_value(function.node, node.id) if isinstance(node, ast.Name) and function is not None else node
        divides = isinstance(written, ast.BinOp) and isinstance(written.op, ast.FloorDiv)
        known = [leaf.value for _, leaf in cases(self.evaluate(node)) if isinstance(leaf, PyConst)] if divides else []
        return divides and (not known or 0 in known)

    def element_of(self, node: ast.expr) -> PyValue:
        """Return one value that stands for each item of an iterable of unknown length."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return PyKind("int")
            if node.func.id == "enumerate" and node.args:
                return PySequence("tuple", (PyKind("int"), self.element_of(node.args[0])))
            if node.func.id == "zip":
                return PySequence("tuple", tuple(self.element_of(argument) for argument in node.args))
        value = self.evaluate(node)
        return value.element if isinstance(value, (PySequence, Instance)) else PY_UNKNOWN

    def _subscript(self, node: ast.Subscript) -> PyValue:
        owner, index = self.evaluate(node.value), self.evaluate(node.slice)
        items = owner.items if isinstance(owner, (PySequence, Instance)) else None
        if items is not None and isinstance(index, PyConst) and type(index.value) is int:
            return items[index.value] if -len(items) <= index.value < len(items) else PY_UNKNOWN
        if isinstance(owner, PyParameter) and _holds_ints(owner.annotation):
            return PySequence("tuple", None, PyKind("int")) if isinstance(node.slice, ast.Slice) else PyKind("int")
        if isinstance(owner, PyDict) and owner.items is not None:
            frame = self.frame
            return looked_up(owner, index, None, lambda tests: frame.run.impossible.append(frame.assumptions | tests))
        if isinstance(owner, (PySequence, Instance)):
            if isinstance(node.slice, ast.Slice):
                return PySequence("list", None, owner.element) if isinstance(owner, PySequence) else PY_UNKNOWN
            return owner.element
        return PY_UNKNOWN

    def _call(self, node: ast.Call) -> PyValue:
        return self.frame.run.calls.call(self.frame, self, node)


_HANDLERS: dict[type[ast.AST], Callable[[Evaluator, Any], PyValue]] = {
    ast.Constant: Evaluator._constant,
    ast.Name: Evaluator._name,
    ast.Attribute: Evaluator._attribute,
    ast.List: Evaluator._list,
    ast.Tuple: Evaluator._tuple,
    ast.Set: Evaluator._set,
    ast.Dict: Evaluator._dict,
    ast.Lambda: Evaluator._lambda,
    ast.NamedExpr: Evaluator._assigned,
    ast.JoinedStr: Evaluator._joined_string,
    ast.BinOp: Evaluator._binary,
    ast.UnaryOp: Evaluator._unary,
    ast.IfExp: Evaluator._ternary,
    ast.ListComp: Evaluator._list_comprehension,
    ast.GeneratorExp: Evaluator._generator,
    ast.DictComp: Evaluator._dict_comprehension,
    ast.Subscript: Evaluator._subscript,
    ast.Call: Evaluator._call,
    ast.BoolOp: Evaluator._boolean,
    ast.Compare: Evaluator._compare,
}
