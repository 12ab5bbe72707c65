"""Finds the loops around an event, statements and comprehensions alike, with their variables and bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of, variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line, bare, block, code, expression, parenthesized, statement
from tslint.script.dataflow import loops

Comprehension = cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp
_Node = TypeVar("_Node", bound=cst.CSTNode)
_Kind = TypeVar("_Kind", bound=cst.CSTNode)
Parts = Mapping[cst.CSTNode, cst.CSTNode | cst.RemovalSentinel]


class Loop:
    """A ``for`` statement, or a comprehension with one ``for``.

    Args:
        node: the statement or the comprehension.
        target: the loop variables.
        iterable: the value that the loop iterates over.
        inside: everything that runs once per iteration.
    """

    def __init__(self, node: cst.For | Comprehension) -> None:
        self.node = node
        self.inside: list[cst.CSTNode]
        if isinstance(node, cst.For):
            self.target, self.iterable, self.inside = node.target, node.iter, [node.body]
        else:
            self.target, self.iterable = node.for_in.target, node.for_in.iter
            self.inside = [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]
            self.inside += [each.test for each in node.for_in.ifs]

    def all(self, kind: type[_Kind]) -> list[_Kind]:
        """Return the nodes of a class in the code that runs in each iteration."""
        return [each for part in self.inside for each in all_of(part, kind)]

    @property
    def variables(self) -> list[cst.Name]:
        """Return the variables in the code that runs in each iteration."""
        return [each for part in self.inside for each in variables_in(part)]


def names_in(node: cst.CSTNode) -> list[str]:
    """Return the names of the variables in a node."""
    return [each.value for each in variables_in(node)]


def lines_of(block: cst.BaseSuite) -> list[Line]:
    """Return the statements of a block, as lines."""
    return [each for each in block.body if isinstance(each, Line)]


def loops_around(match: Match, node: cst.CSTNode) -> list[Loop]:
    """Return the loops around a node in the same function, the innermost first."""
    found: list[Loop] = []
    current = node
    for around in match.ancestors(node):
        if isinstance(around, cst.FunctionDef):
            break
        loop = _loop(around)
        header = around.iter if isinstance(around, cst.For) else getattr(around, "for_in", None)
        if loop is not None and current is not header:
            found.append(loop)
        current = around
    return found


def _loop(node: cst.CSTNode) -> Loop | None:
    if isinstance(node, cst.For):
        return Loop(node)
    return Loop(node) if isinstance(node, Comprehension) and node.for_in.inner_for_in is None else None


def loop_over(match: Match, node: cst.CSTNode) -> Loop | None:
    """Return the loop that iterates over a node: a statement, a list comprehension or a generator; None if there is
    none.
    """
    around = match.parent(node)
    if isinstance(around, cst.For) and around.iter is node:
        return Loop(around)
    if isinstance(around, cst.CompFor) and around.iter is node and around.inner_for_in is None:
        whole = match.parent(around)
        if isinstance(whole, (cst.ListComp, cst.GeneratorExp)) and whole.for_in is around:
            return Loop(whole)
    return None


def loop_of(match: Match, name: str, node: cst.CSTNode) -> Loop | None:
    """Return the innermost loop that is around a node and has a name in its target; None if there is none."""
    return next((loop for loop in loops_around(match, node) if name in names_in(loop.target)), None)


def is_plain(match: Match, loop: Loop, name: str) -> bool:
    """Return whether a loop is a ``for`` statement with a single variable, and its body can be put under a test: the
    loop has no ``break``, ``continue`` or ``else``, and the variable is neither rebound nor read later.
    """
    around, model = loop.node, match.model(loop.node)
    if not isinstance(around, cst.For) or around.orelse is not None or not isinstance(around.body, cst.IndentedBlock):
        return False
    left = loops.leaves_turn(model) or loops.rebinds(model, name)
    left = left or loops.read_after(match.file.tree, model, name)
    return m.matches(loop.target, m.Name(name)) and not left


def part_of(loop: Loop, name: str) -> cst.BaseExpression:
    """Return the part of a loop's iterable that gives a variable its values: an argument of ``zip`` or ``enumerate``,
    or the whole iterable.
    """
    target: cst.BaseExpression = loop.target
    whole = loop.iterable
    while isinstance(target, cst.Tuple) and isinstance(whole, cst.Call):
        position = next((i for i, each in enumerate(target.elements) if name in names_in(each)), -1)
        if m.matches(whole.func, m.Name("enumerate")) and position == 1 and whole.args:
            whole = whole.args[0].value
        elif m.matches(whole.func, m.Name("zip")) and 0 <= position < len(whole.args):
            whole = whole.args[position].value
        else:
            break
        target = target.elements[position].value
    return whole


def paired(target: str, others: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    """Return a target for an index and the item; several items get parentheses: ``i, (a, b)``."""
    return expression("{index}, {others}", index=target, others=grouped(others))


def grouped(parts: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    """Return a single target, or several in parentheses."""
    if len(parts) == 1:
        return parenthesized(parts[0]) if isinstance(parts[0], cst.Tuple) else parts[0]
    return parenthesized(cst.Tuple([cst.Element(each) for each in parts]))


def zipped(parts: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    """Return an iterable over several iterables at once (with ``zip``); a single iterable is returned unchanged."""
    return parts[0] if len(parts) == 1 else cst.Call(cst.Name("zip"), [cst.Arg(bare(each)) for each in parts])


def every(tests: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    """Return the test that is true if all given tests are: ``a and b``."""
    found = tests[0]
    for test in tests[1:]:
        found = expression("{found} and {test}", found=found, test=test)
    return found


def called(node: cst.CSTNode | None, name: str) -> cst.BaseExpression | None:
    """Return the argument of a call ``name(argument)``; None for other nodes, also for calls with more arguments."""
    if isinstance(node, cst.Call) and m.matches(node, m.Call(m.Name(name), [m.Arg(keyword=None, star="")])):
        return node.args[0].value
    return None


def same(match: Match, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Return whether two expressions of the author have the same syntax tree."""
    return loops.same(match.model(one), match.model(other))


def index_of(node: cst.Subscript) -> cst.BaseExpression | None:
    """Return the only index of a subscript; None if there are several, or slices."""
    element = node.slice[0].slice
    single = len(node.slice) == 1 and not isinstance(node.slice[0].comma, cst.Comma)
    return element.value if single and isinstance(element, cst.Index) and not element.star else None


def failure(kind: str, message: str) -> cst.BaseExpression:
    """Return the expression that makes an exception with a message."""
    plain = '"' not in message and "\\" not in message
    return expression("{kind}({message})", kind=kind, message=f'"{message}"' if plain else repr(message))


def raised(test: cst.BaseExpression, error: cst.BaseExpression) -> Line:
    """Return the statement ``if TEST: raise ERROR``."""
    return statement("if {test}:\n    raise {error}", test=test, error=error)


def put(match: Match, loop: Loop, parts: Parts) -> tuple[Edit, ...]:
    """Replace the given nodes of a loop."""
    new = with_parts(loop.node, parts)
    if isinstance(loop.node, cst.For) and isinstance(new, cst.For):
        return match.rewrite(loop.node, new)
    return match.replace(loop.node, new)


def with_parts(node: _Node, parts: Parts) -> _Node:
    """Return a node in which the given nodes are replaced."""
    new = node.visit(_Parts(parts))
    if isinstance(node, Line) and isinstance(new, Line):
        # Rewritten statements are found again by their leading lines, so the copy must share them.
        new = new.with_changes(leading_lines=node.leading_lines)
    return new  # type: ignore[return-value]


def under(body: cst.IndentedBlock, *headers: Line, first: Sequence[Line] = ()) -> cst.IndentedBlock:
    """Nest the statements of a block under headers; the headers' own bodies are ignored.

    Args:
        body: the block.
        headers: compound statements, the outermost first.
        first: statements before the others, under the headers.
    """
    inner = block([*first, *lines_of(body)]).with_changes(footer=body.footer)
    for header in reversed(headers):
        inner = block([header.with_changes(body=inner)])
    return inner.with_changes(header=body.header, indent=body.indent)


def listed(items: cst.Tuple) -> cst.List:
    """Return a list with the elements and the layout of a tuple."""
    *first, last = items.elements
    if items.lpar and "\n" not in code(items.lpar[-1]):
        last = last.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    found = cst.List([*first, last])
    if not items.lpar:
        return found
    return found.with_changes(
        lbracket=cst.LeftSquareBracket(items.lpar[-1].whitespace_after),
        rbracket=cst.RightSquareBracket(items.rpar[0].whitespace_before),
    )


class _Parts(cst.CSTTransformer):
    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node not in self.parts

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.RemovalSentinel:
        found = self.parts.get(original_node, updated_node)
        return found.deep_clone() if isinstance(found, cst.CSTNode) and found is not updated_node else found
