"""Follows ``self.apply(f)`` in a constructor, where ``f`` adds a hook to some of the layers: ``weight_norm(m)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tslint.project.definitions import External, Function
from tslint.script.attributes import Instance, Norm, PyFunction, PyValue
from tslint.script.construct.expressions import canonical
from tslint.script.construct.external_calls import HOOKED
from tslint.script.construct.frame import Frame
from tslint.util import astwalk


def apply_to_layers(frame: Frame, node: ast.Call, applied: PyFunction) -> None:
    """Run ``self.apply(f)``: add the hooks that ``f`` adds, to the layers that attributes certainly contain so far.

    Args:
        frame: the constructor's frame.
        node: the call of ``self.apply``.
        applied: the function ``f``.
    """
    function = applied.function
    names = [each.arg for each in function.node.args.args[applied.bound :]] if function is not None else []
    hooks = dict(_hooks(frame, function, names[0])) if names and function is not None else {}
    if hooks:
        frame.run.unfit()  # `apply` reads every attribute
    for name, stored in [*frame.run.attributes.items()] if hooks else ():
        only = stored[0] if len(stored) == 1 and not stored[0].assumptions else None
        if only is not None and only.node is not None and only.value is not None:
            hooked = _hooked(only.value, hooks, Norm("", node, frame.function))
            if hooked is not only.value:
                frame.run.set(name, hooked, frame.assumptions, only.node, only.kind)


def _hooked(value: PyValue, hooks: dict[str, str], norm: Norm) -> PyValue:
    """Return a value with the hooks added to its layers: a copy if a layer gets one, otherwise the value itself."""
    if not isinstance(value, Instance):
        return value
    items = None if value.items is None else tuple(_hooked(each, hooks, norm) for each in value.items)
    element, some = _hooked(value.element, hooks, norm), tuple(_hooked(each, hooks, norm) for each in value.some)
    hook = hooks.get(canonical(value.external))
    if hook is not None:
        return replace(value, hooks=[*value.hooks, hook], norm=replace(norm, hook=hook))
    parts, others = (value.element, *value.some, *(value.items or ())), (element, *some, *(items or ()))
    same = all(one is other for one, other in zip(parts, others))
    return value if same else replace(value, items=items, element=element, some=some)


def _hooks(frame: Frame, function: Function, name: str) -> Iterator[tuple[str, str]]:
    """Yield the classes of layers to which a function adds a hook, each with the hook's class. Only statements such as
    ``if isinstance(m, nn.Conv2d): weight_norm(m)`` count.
    """

    def named(node: ast.expr) -> str:
        found = frame.run.project.resolve_expression(function.module, node)
        return found.name if isinstance(found, External) else ""

    for statement in function.node.body:
        test = statement.test if isinstance(statement, ast.If) else None
        if not isinstance(test, ast.Call) or len(test.args) != 2 or named(test.func) != "builtins.isinstance":
            continue
        calls = [call for call in _calls(statement) if call.args and astwalk.is_name(call.args[0], name)]
        called = [named(call.func) for call in calls]
        hook = next((HOOKED[each] for each in called if each in HOOKED), None)
        if any(".remove_" in each for each in called):
            continue
        if hook is not None and astwalk.is_name(test.args[0], name):
            for layer in test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]:
                yield canonical(named(layer)), hook


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls in the body of an ``if`` that are statements of their own, or whose result is assigned."""
    for each in statement.body if isinstance(statement, ast.If) else ():
        value = each.value if isinstance(each, (ast.Expr, ast.Assign)) else None
        if isinstance(value, ast.Call):
            yield value
