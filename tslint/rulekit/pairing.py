"""Walks both trees of a definition in parallel: ``ast``, which the static model reads, and libcst, which rules use.

Positions come from ``ast``, which already has them: asking libcst for positions takes several times as long as parsing.
What only libcst has (parentheses, commas, white space, ``else:`` as a clause) has no partner.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import libcst as cst

from tslint.rulekit.parts import statements_of

Pair = tuple[ast.AST, cst.CSTNode]
Handler = Callable[[Any, Any], Iterable[Pair]]
_HANDLERS: dict[type[ast.AST], Handler] = {}
_HEADERS: dict[type[ast.AST], Handler] = {}
_CLAUSES = (cst.If, cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)


class Pairing:
    """The corresponding nodes of the two trees.

    Args:
        statement: a statement in one tree. In a class, and in other statements outside functions, nested statements
            with their own lines are left out, because each is paired separately.
        node: the same statement in the other tree.
        in_function: whether the statement is inside a function, so that nested statements are not left out.
        header_only: whether to leave out the body of the function or class.
    """

    def __init__(
        self, statement: ast.stmt, node: cst.CSTNode, *, in_function: bool = False, header_only: bool = False
    ) -> None:
        self.libcst: dict[ast.AST, cst.CSTNode] = {}
        self.model: dict[cst.CSTNode, ast.AST] = {}
        whole = in_function or isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
        inline: set[cst.CSTNode] = set() if whole else set(_inline(node))
        pending: list[Pair] = [(statement, node)]
        while pending:
            one, other = pending.pop()
            if not whole and isinstance(one, ast.stmt) and one is not statement and other not in inline:
                continue
            self.libcst[one] = other
            self.model.setdefault(other, one)
            handler = (_HEADERS if header_only and one is statement else _HANDLERS).get(type(one))
            if handler is not None:
                pending.extend(handler(one, other))


def _pairs(*kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def _inline(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the nested statements without their own lines: those after a colon, and ``elif``."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        parts = getattr(node, field, None)
        for each in parts if isinstance(parts, (list, tuple)) else [parts]:
            if isinstance(each, cst.SimpleStatementSuite):
                yield from each.body
            elif isinstance(each, _CLAUSES):
                yield each
                yield from _inline(each)


def _block(body: list[ast.stmt], block: cst.BaseSuite) -> Iterable[Pair]:
    return zip(body, statements_of(block.body))


def _clause(body: list[ast.stmt], clause: cst.Else | cst.Finally | None) -> Iterable[Pair]:
    return _block(body, clause.body) if clause is not None else ()


def _maybe(one: ast.AST | None, other: cst.CSTNode | None) -> Iterable[Pair]:
    return [(one, other)] if one is not None and other is not None else ()


# Statements


def _signature(one: ast.FunctionDef, other: cst.FunctionDef) -> Iterable[Pair]:
    yield from zip(one.decorator_list, (each.decorator for each in other.decorators))
    yield from _parameters(one.args, other.params)
    if one.returns is not None and other.returns is not None:
        yield one.returns, other.returns.annotation


def _bases(one: ast.ClassDef, other: cst.ClassDef) -> Iterable[Pair]:
    yield from zip(one.decorator_list, (each.decorator for each in other.decorators))
    yield from _arguments(one.bases, one.keywords, [*other.bases, *other.keywords])


def _with_body(header: Handler) -> Handler:
    return lambda one, other: chain(header(one, other), _block(one.body, other.body))


_HEADERS.update({ast.FunctionDef: _signature, ast.AsyncFunctionDef: _signature, ast.ClassDef: _bases})
_HANDLERS.update({kind: _with_body(header) for kind, header in _HEADERS.items()})


def _parameters(one: ast.arguments, other: cst.Parameters) -> Iterable[Pair]:
    listed = [*one.posonlyargs, *one.args]
    params = [*other.posonly_params, *other.params]
    pairs = [*zip(listed, params), *zip(one.kwonlyargs, other.kwonly_params)]
    if one.vararg is not None and isinstance(other.star_arg, cst.Param):
        pairs.append((one.vararg, other.star_arg))
    if one.kwarg is not None and other.star_kwarg is not None:
        pairs.append((one.kwarg, other.star_kwarg))
    for argument, param in pairs:
        yield argument, param
        if argument.annotation is not None and param.annotation is not None:
            yield argument.annotation, param.annotation.annotation
    with_default = [each.default for each in params if each.default is not None]
    yield from zip(one.defaults, with_default)
    for default, param in zip(one.kw_defaults, other.kwonly_params):
        yield from _maybe(default, param.default)


@_pairs(ast.Return, ast.Expr, ast.Await)
def _value(one: ast.Return | ast.Expr | ast.Await, other: cst.Return | cst.Expr | cst.Await) -> Iterable[Pair]:
    return _maybe(one.value, other.value if not isinstance(other, cst.Await) else other.expression)


@_pairs(ast.Delete)
def _delete(one: ast.Delete, other: cst.Del) -> Iterable[Pair]:
    target = other.target
    if isinstance(target, cst.Tuple) and not target.lpar:
        return zip(one.targets, (each.value for each in target.elements))
    return [(one.targets[0], target)]


@_pairs(ast.Assign)
def _assign(one: ast.Assign, other: cst.Assign) -> Iterable[Pair]:
    return [*zip(one.targets, (each.target for each in other.targets)), (one.value, other.value)]


@_pairs(ast.AugAssign)
def _augmented(one: ast.AugAssign, other: cst.AugAssign) -> Iterable[Pair]:
    return [(one.target, other.target), (one.value, other.value)]


@_pairs(ast.AnnAssign)
def _annotated(one: ast.AnnAssign, other: cst.AnnAssign) -> Iterable[Pair]:
    annotation = other.annotation.annotation
    return [(one.target, other.target), (one.annotation, annotation), *_maybe(one.value, other.value)]


@_pairs(ast.For, ast.AsyncFor)
def _for(one: ast.For, other: cst.For) -> Iterable[Pair]:
    head: list[Pair] = [(one.target, other.target), (one.iter, other.iter)]
    return chain(head, _block(one.body, other.body), _clause(one.orelse, other.orelse))


@_pairs(ast.While)
def _while(one: ast.While, other: cst.While) -> Iterable[Pair]:
    return chain([(one.test, other.test)], _block(one.body, other.body), _clause(one.orelse, other.orelse))


@_pairs(ast.If)
def _if(one: ast.If, other: cst.If) -> Iterable[Pair]:
    rest = [(one.orelse[0], other.orelse)] if isinstance(other.orelse, cst.If) else _clause(one.orelse, other.orelse)
    return chain([(one.test, other.test)], _block(one.body, other.body), rest)


@_pairs(ast.With, ast.AsyncWith)
def _with(one: ast.With, other: cst.With) -> Iterable[Pair]:
    for item, node in zip(one.items, other.items):
        yield item, node
        yield item.context_expr, node.item
        yield from _maybe(item.optional_vars, node.asname.name if node.asname is not None else None)
    yield from _block(one.body, other.body)


@_pairs(ast.Raise)
def _raise(one: ast.Raise, other: cst.Raise) -> Iterable[Pair]:
    return [*_maybe(one.exc, other.exc), *_maybe(one.cause, other.cause.item if other.cause is not None else None)]


@_pairs(ast.Assert)
def _assert(one: ast.Assert, other: cst.Assert) -> Iterable[Pair]:
    return [(one.test, other.test), *_maybe(one.msg, other.msg)]


def _try(one: Any, other: cst.Try | cst.TryStar) -> Iterable[Pair]:
    yield from _block(one.body, other.body)
    clauses: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = other.handlers
    for handler, node in zip(one.handlers, clauses):
        yield handler, node
        yield from _maybe(handler.type, node.type)
        yield from _block(handler.body, node.body)
    yield from _clause(one.orelse, other.orelse)
    yield from _clause(one.finalbody, other.finalbody)


_HANDLERS[ast.Try] = _try
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = _try


@_pairs(ast.Import, ast.ImportFrom)
def _import(one: ast.Import | ast.ImportFrom, other: cst.Import | cst.ImportFrom) -> Iterable[Pair]:
    return zip(one.names, other.names) if not isinstance(other.names, cst.ImportStar) else [(one.names[0], other.names)]


@_pairs(ast.Match)
def _match(one: ast.Match, other: cst.Match) -> Iterable[Pair]:
    yield one.subject, other.subject
    for case, node in zip(one.cases, other.cases):
        yield case, node
        yield from _maybe(case.guard, node.guard)
        yield from _block(case.body, node.body)


# Expressions


@_pairs(ast.BoolOp)
def _boolean(one: ast.BoolOp, other: cst.BooleanOperation) -> Iterable[Pair]:
    values: list[cst.BaseExpression] = []
    node: cst.BaseExpression = other
    # `a and b and c` is one node in ast and two in libcst, unless the first two are in parentheses.
    while isinstance(node, cst.BooleanOperation) and len(values) < len(one.values) - 1:
        values.append(node.right)
        node = node.left
    return zip(one.values, [node, *reversed(values)])


@_pairs(ast.NamedExpr)
def _named(one: ast.NamedExpr, other: cst.NamedExpr) -> Iterable[Pair]:
    return [(one.target, other.target), (one.value, other.value)]


@_pairs(ast.BinOp)
def _binary(one: ast.BinOp, other: cst.BinaryOperation) -> Iterable[Pair]:
    return [(one.left, other.left), (one.right, other.right)]


@_pairs(ast.UnaryOp)
def _unary(one: ast.UnaryOp, other: cst.UnaryOperation) -> Iterable[Pair]:
    return [(one.operand, other.expression)]


@_pairs(ast.Lambda)
def _lambda(one: ast.Lambda, other: cst.Lambda) -> Iterable[Pair]:
    return [*_parameters(one.args, other.params), (one.body, other.body)]


@_pairs(ast.IfExp)
def _conditional(one: ast.IfExp, other: cst.IfExp) -> Iterable[Pair]:
    return [(one.test, other.test), (one.body, other.body), (one.orelse, other.orelse)]


@_pairs(ast.Dict)
def _dict(one: ast.Dict, other: cst.Dict) -> Iterable[Pair]:
    for key, value, node in zip(one.keys, one.values, other.elements):
        if key is not None and isinstance(node, cst.DictElement):
            yield key, node.key
        yield value, node.value


@_pairs(ast.Set, ast.List, ast.Tuple)
def _display(one: ast.Set | ast.List | ast.Tuple, other: cst.Set | cst.List | cst.Tuple) -> Iterable[Pair]:
    for value, node in zip(one.elts, other.elements):
        if isinstance(value, ast.Starred):
            yield value, node
            yield value.value, node.value
        else:
            yield value, node.value


@_pairs(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def _comprehension(one: ast.ListComp, other: cst.ListComp) -> Iterable[Pair]:
    return [(one.elt, other.elt), *_generators(one.generators, other.for_in)]


@_pairs(ast.DictComp)
def _dict_comprehension(one: ast.DictComp, other: cst.DictComp) -> Iterable[Pair]:
    return [(one.key, other.key), (one.value, other.value), *_generators(one.generators, other.for_in)]


def _generators(generators: list[ast.comprehension], node: cst.CompFor | None) -> Iterable[Pair]:
    for each in generators:
        if node is None:
            return
        yield each, node
        yield each.target, node.target
        yield each.iter, node.iter
        yield from zip(each.ifs, (test.test for test in node.ifs))
        node = node.inner_for_in


@_pairs(ast.Yield)
def _yield(one: ast.Yield, other: cst.Yield) -> Iterable[Pair]:
    return _maybe(one.value, other.value)


@_pairs(ast.YieldFrom)
def _yield_from(one: ast.YieldFrom, other: cst.Yield) -> Iterable[Pair]:
    return [(one.value, other.value.item)] if isinstance(other.value, cst.From) else ()


@_pairs(ast.Compare)
def _compare(one: ast.Compare, other: cst.Comparison) -> Iterable[Pair]:
    return [(one.left, other.left), *zip(one.comparators, (each.comparator for each in other.comparisons))]


@_pairs(ast.Call)
def _call(one: ast.Call, other: cst.Call) -> Iterable[Pair]:
    return [(one.func, other.func), *_arguments(one.args, one.keywords, other.args)]


def _arguments(args: list[ast.expr], keywords: list[ast.keyword], nodes: Iterable[cst.Arg]) -> Iterable[Pair]:
    positional, named = iter(args), iter(keywords)
    for node in nodes:
        if node.keyword is not None or node.star == "**":
            keyword = next(named)
            yield keyword, node
            yield keyword.value, node.value
            continue
        value = next(positional)
        if isinstance(value, ast.Starred):
            yield value, node
            value = value.value
        yield value, node.value


@_pairs(ast.Attribute)
def _attribute(one: ast.Attribute, other: cst.Attribute) -> Iterable[Pair]:
    return [(one.value, other.value)]


@_pairs(ast.Subscript)
def _subscript(one: ast.Subscript, other: cst.Subscript) -> Iterable[Pair]:
    yield one.value, other.value
    elements = other.slice
    several = len(elements) > 1 or isinstance(elements[0].comma, cst.Comma)
    if not several and isinstance(elements[0].slice, cst.Index) and elements[0].slice.star:
        several = True
    slices = one.slice.elts if several and isinstance(one.slice, ast.Tuple) else [one.slice]
    for value, element in zip(slices, elements):
        node = element.slice
        if isinstance(node, cst.Index):
            if isinstance(value, ast.Starred):
                yield value, node
                value = value.value
            yield value, node.value
        elif isinstance(value, ast.Slice) and isinstance(node, cst.Slice):
            yield value, node
            for part, other_part in ((value.lower, node.lower), (value.upper, node.upper), (value.step, node.step)):
                yield from _maybe(part, other_part)


@_pairs(ast.JoinedStr)
def _formatted(one: ast.JoinedStr, other: cst.BaseString) -> Iterable[Pair]:
    values = (each for each in one.values if isinstance(each, ast.FormattedValue))
    for value, node in zip(values, _fields(other)):
        yield value, node
        yield value.value, node.expression
        if isinstance(value.format_spec, ast.JoinedStr) and node.format_spec is not None:
            inner = (each for each in value.format_spec.values if isinstance(each, ast.FormattedValue))
            parts = (each for each in node.format_spec if isinstance(each, cst.FormattedStringExpression))
            for deeper, part in zip(inner, parts):
                yield deeper, part
                yield deeper.value, part.expression


def _fields(node: cst.CSTNode) -> Iterator[cst.FormattedStringExpression]:
    """Yield the ``{…}`` of an f-string, or of several that are concatenated."""
    if isinstance(node, cst.ConcatenatedString):
        yield from _fields(node.left)
        yield from _fields(node.right)
    elif isinstance(node, cst.FormattedString):
        yield from (each for each in node.parts if isinstance(each, cst.FormattedStringExpression))


@_pairs(ast.FormattedValue, ast.Starred)
def _nothing(one: ast.AST, other: cst.CSTNode) -> Iterable[Pair]:
    """Return no pairs, because the children are already paired."""
    return ()
