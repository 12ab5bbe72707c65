"""Builds statements and expressions as StmtBuilder and ExprBuilder of torch/jit/frontend.py do.

Each function in ``BUILDERS`` returns what the compiler builds from a node, in the same order: further nodes to build,
and events where the compiler stops. The walk has its own stack, so that an expression of any depth can be read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tslint.script.events import Event, syntax

Part = ast.AST | Event | None
"""A node to build, an event, or nothing."""

VARIADIC = "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults"
RESERVED_PREFIX = "__jit"

REFUSED: dict[type[ast.AST], tuple[type[Event], str]] = {
    ast.FunctionDef: (syntax.NestedFunction, "function definitions"),
    ast.AsyncFunctionDef: (syntax.NestedFunction, "async function definitions"),
    ast.ClassDef: (syntax.NestedClass, "class definitions"),
    ast.Import: (syntax.ImportStatement, "import statements"),
    ast.ImportFrom: (syntax.ImportStatement, "import statements"),
    ast.Global: (syntax.GlobalStatement, "global variables"),
    ast.Nonlocal: (syntax.NonlocalStatement, "nonlocal variables"),
    ast.Try: (syntax.TryBlock, "try blocks"),
    ast.Match: (syntax.MatchStatement, "Match"),
    ast.AsyncFor: (syntax.AsyncConstruct, "async for loops"),
    ast.AsyncWith: (syntax.AsyncConstruct, "async with statements"),
    ast.Await: (syntax.AsyncConstruct, "Await"),
    ast.Lambda: (syntax.Lambda, "Lambda"),
    ast.NamedExpr: (syntax.NamedExpression, "NamedExpr"),
    ast.Set: (syntax.SetLiteral, "Set"),
    ast.SetComp: (syntax.SetComprehension, "SetComp"),
    ast.Yield: (syntax.Yield, "Yield"),
    ast.YieldFrom: (syntax.Yield, "YieldFrom"),
}
"""Node types without a builder: the kind of event, and the compiler's name for them."""
# Node types of later Python versions.
_NEWER = {
    "TryStar": (syntax.ExceptStar, "TryStar"),
    "TypeAlias": (syntax.TypeAlias, "TypeAlias"),
    "TemplateStr": (syntax.TemplateString, "TemplateStr"),
}
REFUSED.update({getattr(ast, name): row for name, row in _NEWER.items() if hasattr(ast, name)})


def build(parts: Sequence[Part], *, is_init: bool = False) -> Iterator[Event]:
    """Yield every error in the given nodes, in the compiler's order."""
    pending = list(reversed(parts))
    while pending:
        part = pending.pop()
        if isinstance(part, Event):
            yield part
        elif isinstance(part, ast.AnnAssign):
            pending += reversed(_annotated_assignment(part, is_init))
        elif part is not None:
            pending += reversed(BUILDERS.get(type(part), _refused)(part))


def built_parameters(arguments: ast.arguments) -> list[Part]:
    """Return what ``build_param_list`` builds from a signature. Defaults are not built, because the compiler reads
    their values at run time, except the first one of a keyword-only parameter, which marks the place of the error.
    """
    parts: list[Part] = []
    for star, parameter in (("**", arguments.kwarg), ("*", arguments.vararg)):
        if parameter is not None:
            parts.append(syntax.VariadicParameter(parameter, VARIADIC, name=parameter.arg, star=star))
    pairs = [(arg, value) for arg, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value is not None]
    if pairs:
        names = tuple(arg.arg for arg, _ in pairs)
        parts += [pairs[0][1], syntax.KeywordOnlyDefault(pairs[0][1], VARIADIC, bound=names)]
    parts += [argument.annotation for argument in (*arguments.args, *arguments.kwonlyargs)]
    return parts


def _refused(node: ast.AST) -> list[Part]:
    """Return the event for a node without a builder, and the parts of the node that a fix would keep."""
    kind, words = REFUSED.get(type(node)) or (syntax.UnsupportedNode, type(node).__name__)
    event = kind(node, f"{words} aren't supported", **_named(node))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return [event]
    inside: list[Part] = [event]
    if kind in (syntax.TryBlock, syntax.ExceptStar):
        # A fix removes the handlers together with the `try`, and keeps its body.
        for field in ("body", "orelse", "finalbody"):
            inside += getattr(node, field)
        return inside
    if isinstance(node, ast.Match):
        inside.append(node.subject)
        for case in node.cases:
            inside += [case.guard, *case.body]
        return inside
    if isinstance(node, (ast.AsyncFor, ast.AsyncWith)):
        return [event, *node.body]
    if isinstance(node, ast.NamedExpr):
        return [event, node.value]
    if isinstance(node, ast.Set):
        return [event, *node.elts]
    if isinstance(node, ast.SetComp):
        return [event, *_comprehension(node, [node.elt])]
    if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom)):
        return [event, node.value]
    return [event]


def _named(node: ast.AST) -> dict[str, Any]:
    """Return the fields of the event for a node, by name."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {"name": node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {"bound": tuple(alias.asname or alias.name for alias in node.names)}
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return {"bound": tuple(node.names)}
    if isinstance(node, ast.NamedExpr):
        return {"name": node.target.id}
    return {}


def _annotated_assignment(node: ast.AnnAssign, is_init: bool) -> list[Part]:
    if node.value is None:
        message = "annotated assignments without assigned value aren't supported"
        return [syntax.AnnotationWithoutValue(node, message)]
    parts: list[Part] = [node.value, node.target, node.annotation]
    if isinstance(node.target, ast.Attribute):
        owner = node.target.value
        if not isinstance(owner, ast.Name):
            message = f"'{type(owner).__name__}' object has no attribute 'id'"
            parts.insert(0, syntax.AttributeAnnotation(node, message))
        elif owner.id == "self" and not is_init:
            message = "Type annotations on instance attributes must be declared in __init__"
            parts.insert(0, syntax.AttributeAnnotation(node, message))
    return parts


# Statements


def _expression(node: ast.Expr) -> list[Part]:
    return [node.value]


def _assign(node: ast.Assign) -> list[Part]:
    return [node.value, *node.targets]


def _delete(node: ast.Delete) -> list[Part]:
    return list(node.targets)


def _return(node: ast.Return) -> list[Part]:
    return [node.value]


def _raise(node: ast.Raise) -> list[Part]:
    # The compiler drops ``from cause`` without reading it.
    if node.exc is None:
        return [syntax.BareRaise(node, "'NoneType' object has no attribute 'lineno'")]
    return [node.exc]


def _assert(node: ast.Assert) -> list[Part]:
    return [node.test, node.msg]


def _augmented(node: ast.AugAssign) -> list[Part]:
    parts: list[Part] = [node.target, node.value]
    if isinstance(node.op, (ast.MatMult, ast.FloorDiv)):
        message = f"unsupported kind of augmented assignment: {type(node.op).__name__}"
        operator = "@" if isinstance(node.op, ast.MatMult) else "//"
        parts.append(syntax.AugmentedAssignment(node, message, operator=operator))
    return parts


def _while(node: ast.While) -> list[Part]:
    parts: list[Part] = [node.test, *node.body, *node.orelse]
    if node.orelse:
        # The compiler is meant to report "else branches of while loops aren't supported", but crashes.
        message = "__init__(): incompatible constructor arguments. The following argument types are supported"
        parts.insert(0, syntax.LoopElse(node, message, loop="while"))
    return parts


def _for(node: ast.For) -> list[Part]:
    parts: list[Part] = [node.target, node.iter, *node.body, *node.orelse]
    if node.orelse:
        message = "else branches of for loops aren't supported"
        parts.insert(0, syntax.LoopElse(node, message, loop="for"))
    return parts


def _if(node: ast.If) -> list[Part]:
    return [node.test, *node.body, *node.orelse]


def _with(node: ast.With) -> list[Part]:
    if is_ignore_context_manager(node):
        return []
    parts: list[Part] = []
    for item in node.items:
        parts += [item.context_expr, item.optional_vars]
        if item.optional_vars is not None and not isinstance(item.optional_vars, ast.Name):
            message = "__init__(): incompatible constructor arguments. The following argument types are supported"
            parts.append(syntax.WithTarget(item.context_expr, message, target=item.optional_vars))
    return [*parts, *node.body]


def is_ignore_context_manager(node: ast.With) -> bool:
    """Return whether a statement is ``with torch.jit._IgnoreContextManager(…)``, whose body becomes an ignored
    function.
    """
    call = node.items[0].context_expr
    path: list[str] = []
    part: ast.expr | None = call.func if isinstance(call, ast.Call) else None
    while isinstance(part, ast.Attribute) and len(path) < 3:
        path.append(part.attr)
        part = part.value
    return path == ["_IgnoreContextManager", "jit"] and isinstance(part, ast.Name) and part.id == "torch"


# Expressions


def _attribute(node: ast.Attribute) -> list[Part]:
    return [node.value]


def _call(node: ast.Call) -> list[Part]:
    parts: list[Part] = [node.func, *node.args]
    for keyword in node.keywords:
        parts.append(keyword.value)
        if keyword.arg is None:
            message = "keyword-arg expansion is not supported"
            parts.append(syntax.KeywordExpansion(keyword.value, message, call=node))
    return parts


def _name(node: ast.Name) -> list[Part]:
    if not node.id.startswith(RESERVED_PREFIX):
        return []
    message = f"names of variables used in JIT-ed functions can't start with {RESERVED_PREFIX}"
    return [syntax.ReservedName(node, message, name=node.id)]


def _binary(node: ast.BinOp) -> list[Part]:
    return [node.left, node.right]


def _unary(node: ast.UnaryOp) -> list[Part]:
    if isinstance(node.op, ast.UAdd):
        return [node.operand, syntax.UnaryPlus(node, "'UnaryOp' object has no attribute 'range'")]
    return [node.operand]


def _boolean(node: ast.BoolOp) -> list[Part]:
    return list(node.values)


def _ternary(node: ast.IfExp) -> list[Part]:
    return [node.test, node.body, node.orelse]


def _compare(node: ast.Compare) -> list[Part]:
    return [node.left, *node.comparators]


def _subscript(node: ast.Subscript) -> list[Part]:
    index = node.slice
    return [node.value, *(index.elts if isinstance(index, ast.Tuple) else [index])]


def _slice(node: ast.Slice) -> list[Part]:
    return [node.lower, node.upper, node.step]


def _elements(node: ast.List | ast.Tuple) -> list[Part]:
    return list(node.elts)


def _dict(node: ast.Dict) -> list[Part]:
    parts: list[Part] = [*node.keys, *node.values]
    if None in node.keys:
        first = node.keys[0] is None
        message = "Dict expansion (e.g. `{**dict}`) is not supported"
        event = syntax.DictExpansion(node, message if first else "'NoneType' object has no attribute 'lineno'")
        parts.insert(0 if first else node.keys.index(None), event)
    return parts


def _constant(node: ast.Constant) -> list[Part]:
    if isinstance(node.value, bytes):
        return [syntax.BytesLiteral(node, "Unknown Constant expression type")]
    if isinstance(node.value, str) and not node.value.isascii():
        try:
            node.value.encode("utf-8")
        except UnicodeEncodeError:
            message = "__init__(): incompatible constructor arguments. The following argument types are supported"
            return [syntax.SurrogateString(node, message)]
    return []


def _formatted_string(node: ast.JoinedStr) -> list[Part]:
    parts: list[Part] = []
    for value in node.values:
        if not isinstance(value, ast.FormattedValue):
            continue
        if value.conversion != -1:
            parts.append(syntax.FStringConversion(value, "Don't support conversion in JoinedStr", string=node))
        elif value.format_spec is not None:
            parts.append(syntax.FStringFormat(value, "Don't support formatting in JoinedStr", string=node))
        parts.append(value.value)
    return parts


def _comprehension(
    node: ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp, made: list[ast.expr]
) -> list[Part]:
    parts: list[Part] = []
    refused = not isinstance(node, ast.SetComp)
    if len(node.generators) != 1 and refused:
        message = "Only a single generator is currently supported"
        parts.append(syntax.ComprehensionGenerators(node, message, count=len(node.generators)))
    elif node.generators[0].ifs and refused:
        parts.append(syntax.ComprehensionCondition(node, "Comprehension ifs are not supported yet"))
    parts += made
    for generator in node.generators:
        parts += [generator.target, generator.iter, *generator.ifs]
    return parts


def _list_comprehension(node: ast.ListComp | ast.GeneratorExp) -> list[Part]:
    return _comprehension(node, [node.elt])


def _dict_comprehension(node: ast.DictComp) -> list[Part]:
    return _comprehension(node, [node.key, node.value])


def _starred(node: ast.Starred) -> list[Part]:
    return [node.value]


def _nothing(node: ast.AST) -> list[Part]:
    return []


BUILDERS: dict[type[ast.AST], Callable[..., list[Part]]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.Delete: _delete,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.AugAssign: _augmented,
    ast.While: _while,
    ast.For: _for,
    ast.If: _if,
    ast.With: _with,
    ast.Pass: _nothing,
    ast.Break: _nothing,
    ast.Continue: _nothing,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.IfExp: _ternary,
    ast.Compare: _compare,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.List: _elements,
    ast.Tuple: _elements,
    ast.Dict: _dict,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted_string,
    ast.ListComp: _list_comprehension,
    ast.GeneratorExp: _list_comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Starred: _starred,
}
"""Node types with a builder, except ``AnnAssign``: its builder needs to know whether the function is ``__init__``."""
