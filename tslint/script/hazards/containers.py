"""Finds None in a ModuleList: Python counts it as an item, but the compiler leaves it out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.hazards import NoneLeftOut
from tslint.script.interpreter import observers
from tslint.script.values import ContainerValue, IterableValue, Value
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.assumptions import Assumptions
    from tslint.script.interpreter.emitter import Emitter


@observers.container_index.observe
def notice_none_index(em: Emitter, node: ast.Subscript, owner: ContainerValue, index: int) -> None:
    """Report that ``self.layers[1]`` is another module in compiled code, because None is at or before this index."""
    length = _length(owner)
    position = index if index >= 0 else length + index
    for none, assumptions in owner.nones if 0 <= position < length else ():
        # A negative index counts from the end, so only a None after the item changes it.
        if none == position or (none < position if index >= 0 else none > position):
            with em.assume(assumptions):
                em.notice(NoneLeftOut(node, "", path=owner.path, position=none, use="index"))
            return


@observers.view_iteration.observe
def notice_none_items(em: Emitter, node: ast.expr, value: IterableValue) -> None:
    """Report ``enumerate`` and ``zip``, which count in compiled code as if there were no None."""
    if value.kind == "enumerate" and not _is_counted(em, node):
        return
    if value.kind == "zip" and len({_places(child) for child in value.children}) == 1:
        return  # all containers have None at the same positions
    for child in value.children:
        if not isinstance(child, ContainerValue) or child.items is None:
            continue
        for none, assumptions in child.nones:
            if none < _length(child) - 1:  # an item follows the None
                with em.assume(assumptions):
                    em.notice(NoneLeftOut(node, "", path=child.path, position=none, use=value.kind))
                return


def _length(owner: ContainerValue) -> int:
    """Return the number of items in Python, including each None that does not depend on a test."""
    return len(owner.items or ()) + sum(not assumptions for _, assumptions in owner.nones)


def _places(value: Value) -> frozenset[tuple[int, Assumptions]]:
    return frozenset(value.nones) if isinstance(value, ContainerValue) else frozenset()


def _is_counted(em: Emitter, node: ast.expr) -> bool:
    """Return whether the loop over ``enumerate(...)`` reads the index; True if that is not known."""
    for loop in astwalk.of_kind(em.unit.function.node, ast.For):
        if loop.iter is node and isinstance(loop.target, ast.Tuple) and isinstance(loop.target.elts[0], ast.Name):
            name = loop.target.elts[0].id
            return any(
                isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
                for statement in loop.body
                for each in astwalk.walk(statement)
            )
    return True
