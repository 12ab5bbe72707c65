"""Lists the calls between compiled functions, from and to one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tslint.diagnostics import Position
from tslint.project.definitions import Function
from tslint.script.model import Model
from tslint.sources.file import SourceFile
from tslint.util.record import record

Area = tuple[Position, Position]


@record
class Compiled:
    """A function that is compiled.

    Args:
        name: its name with its class, such as ``Net.forward``.
        source: its file.
        area: the range from its first decorator to its last line.
        named: the range of its name in the ``def``.
    """

    name: str
    source: SourceFile
    area: Area
    named: Area


@record
class Call:
    """All calls of one function inside another one.

    Args:
        caller: the function that contains the calls.
        callee: the function that is called.
        areas: the places in the caller, in order.
    """

    caller: Compiled
    callee: Compiled
    areas: tuple[Area, ...]


@record
class Calls:
    """The compiled functions of a file, and the calls from and to them."""

    functions: tuple[Compiled, ...] = ()
    calls: tuple[Call, ...] = ()

    def at(self, position: Position) -> list[Compiled]:
        """Return the functions that a call at a position reaches; if there is no call, the innermost function around
        the position.
        """
        reached = [
            (area, call.callee)
            for call in self.calls
            if call.caller in self.functions
            for area in call.areas
            if _covers(area, position)
        ]
        if reached:
            innermost = max(area for area, _ in reached)
            return [callee for area, callee in reached if area == innermost]
        around = [each for each in self.functions if _covers(each.area, position)]
        return [max(around, key=lambda each: each.area[0])] if around else []


def calls(model: Model, path: object) -> Calls:
    """Return the calls of compiled functions from and to a file.

    Args:
        model: the static model that has compiled the file, and the files whose code calls its functions.
        path: the path of the file.
    """
    known: dict[int, Compiled] = {}
    found: dict[tuple[int, int], tuple[Function, Function, dict[int, ast.AST]]] = {}
    for unit in model.units.values():
        callee = unit.function
        if callee.module.source.path == path:
            known.setdefault(id(callee), _compiled(callee))
        for reach in unit.reached:
            if reach.caller is None or reach.node is None:
                continue
            caller = reach.caller.function
            if path in (caller.module.source.path, callee.module.source.path):
                nodes = found.setdefault((id(caller), id(callee)), (caller, callee, {}))[2]
                nodes.setdefault(id(reach.node), reach.node)
    functions = tuple(sorted(known.values(), key=lambda each: each.area))
    edges = []
    for caller, callee, uses in found.values():
        first, second = (known.setdefault(id(each), _compiled(each)) for each in (caller, callee))
        edges.append(Call(first, second, _areas(first, uses.values())))
    return Calls(functions, tuple(sorted(edges, key=lambda each: (str(each.callee.source.path), each.callee.area))))


def _covers(area: Area, position: Position) -> bool:
    return area[0] <= position <= area[1]


def _area(source: SourceFile, node: ast.expr | ast.stmt) -> Area:
    start = source.from_ast(node.lineno, node.col_offset)
    return start, source.from_ast(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


def _areas(caller: Compiled, uses: Iterable[ast.AST]) -> tuple[Area, ...]:
    """Return the ranges where the callee is named; for a use without a position in the caller, the range of the
    caller's name.
    """
    found = set()
    for each in uses:
        node = each.func if isinstance(each, ast.Call) else each
        area = _area(caller.source, node) if isinstance(node, (ast.expr, ast.stmt)) else caller.named
        found.add(area if _covers(caller.area, area[0]) else caller.named)
    return tuple(sorted(found))


def _compiled(function: Function) -> Compiled:
    source, node = function.module.source, function.node
    start, end = _area(source, node)
    begins = [source.from_ast(each.lineno, node.col_offset) for each in node.decorator_list]
    line = source.lines[start.row - 1][start.column - 1 :]
    before = re.match(r"(async\s+)?def\s+", line)
    column = start.column + (before.end() if before else 0)
    named = Position(start.row, column), Position(start.row, column + len(function.name))
    return Compiled(function.qualname, source, (min([start, *begins]), end), named)
