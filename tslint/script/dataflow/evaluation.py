"""Determines in which order Python evaluates the parts of an expression, which are always evaluated, and whether they
have effects."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from tslint.util import astwalk

# Functions and methods that only compute: they change nothing, and draw no random numbers.
_QUIET = frozenset(
    """
    abs all any bool dict divmod enumerate float int isinstance len list max min pow range round sorted str sum tuple
    zip size dim numel item tolist shape view reshape permute transpose flatten squeeze unsqueeze expand expand_as
    repeat chunk split unbind narrow select index_select masked_select gather mean std var prod norm softmax
    log_softmax argmax argmin topk sort cumsum relu leaky_relu elu gelu silu hardtanh hardswish tanh sigmoid exp log
    log2 sqrt rsqrt sin cos floor ceil clamp clone detach contiguous to type type_as cpu matmul mm bmm mul add sub div
    einsum cat stack where zeros ones full arange tensor zeros_like ones_like full_like eye linspace new_zeros
    new_ones new_full flip roll triu tril pad interpolate keys values items get t square reciprocal sign ne eq lt gt
    le ge logical_not logical_and logical_or is_floating_point startswith endswith lower upper strip join format numpy
    astype copy cuda
    """.split()
)
_COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp)
_FIRST = {
    ast.If: "test", ast.IfExp: "test", ast.While: "test", ast.Assert: "test", ast.For: "iter", ast.Match: "subject"
}  # fmt: skip
_INERT = (ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.UnaryOp)
_LOUD = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def quiet(node: ast.AST) -> bool:
    """Return whether an expression may be evaluated at any time: it changes nothing and draws no random numbers."""
    for each in astwalk.walk(node):
        if isinstance(each, _LOUD):
            return False
        if isinstance(each, ast.Call) and not is_quiet_call(each):
            return False
    return True


def is_quiet_call(call: ast.Call) -> bool:
    """Return whether a call only computes, according to its callee's name: it changes nothing and draws no random
    numbers.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in _QUIET and all(keyword.arg not in ("inplace", "out", None) for keyword in call.keywords)


def inert(tree: ast.Module, nodes: Iterable[ast.AST]) -> bool:
    """Return whether expressions run no code of the author: they consist of constants, names, tuples, lists, unary
    operators, and attributes that are not properties of this file.
    """
    properties = {each.name for each in astwalk.of_kind(tree, ast.FunctionDef) if each.decorator_list}
    parts = [each for node in nodes for each in astwalk.walk(node) if isinstance(each, ast.expr)]
    return all(isinstance(each, _INERT) and getattr(each, "attr", "") not in properties for each in parts)


def steps(node: ast.AST, certain: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the nodes of an expression in the order of evaluation, each with whether it is always evaluated."""
    if isinstance(node, ast.IfExp):
        yield from steps(node.test, certain)
        yield from steps(node.body, False)
        yield from steps(node.orelse, False)
    elif isinstance(node, ast.Assert):
        yield from steps(node.test, certain)
        if node.msg is not None:
            yield from steps(node.msg, False)
    elif isinstance(node, ast.BoolOp):
        yield from steps(node.values[0], certain)
        for each in node.values[1:]:
            yield from steps(each, False)
    elif isinstance(node, ast.Compare):
        yield from steps(node.left, certain)
        for index, each in enumerate(node.comparators):
            yield from steps(each, certain and not index)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                yield from steps(key, certain)
            yield from steps(value, certain)
    else:
        for child in astwalk.children(node):
            yield from steps(child, certain)
    yield node, certain


def evaluated(parts: Sequence[ast.AST], node: ast.AST) -> bool:
    """Return whether statements or expressions always evaluate a node inside them."""
    pending: list[ast.AST] = [*parts]
    while pending:
        current = pending.pop()
        if current is node:
            return True
        if isinstance(current, ast.BoolOp):
            pending.append(current.values[0])
        elif isinstance(current, ast.Compare):
            # `a < b < c` evaluates `c` only if `a < b` is true.
            pending += [current.left, current.comparators[0]]
        elif type(current) in _FIRST:
            pending.append(getattr(current, _FIRST[type(current)]))
        elif isinstance(current, _COMPREHENSIONS):
            pending.append(current.generators[0].iter)
        elif not isinstance(current, (ast.Try, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += astwalk.children(current)
    return False
