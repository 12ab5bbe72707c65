"""A decorator that wraps a function, written out: the compiler looks through ``functools.wraps`` and never sees it."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.spans import spans_rows
from tslint.rewrite.type_wording import function, spelled, unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.events import Span

_TYPES = {str: "str", bool: "bool", int: "int", float: "float"}


def written_out(match: Match) -> Fix | None:
    """Split a decorated function of this file that is called: the plain one, and what the decorator makes of it.

    ``@weighted def loss(p, t)`` becomes ``def _loss(p, t)`` and a ``def loss(p, t, weight=None)`` with the wrapper's
    body, in which ``**kwargs`` are the parameters that the plain function has besides.
    """
    call = match.event.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    functions = {each.name: each for each in match.file.tree.body if isinstance(each, ast.FunctionDef)}
    plain = functions.get(call.func.id)
    if plain is None or len(plain.decorator_list) != 1 or not isinstance(plain.decorator_list[0], ast.Name):
        return None
    wrapper, parameter = _wrapper(functions.get(plain.decorator_list[0].id))
    hidden = f"_{plain.name}"
    if wrapper is None or not _is_plain(match, plain, wrapper, hidden) or _named(plain, plain.name):
        return None
    return _split(match, plain, wrapper, parameter, hidden)


def _wrapper(decorator: ast.FunctionDef | None) -> tuple[ast.FunctionDef | None, str]:
    """The function that a decorator returns, and the name by which it calls the decorated one."""
    if decorator is None or decorator.decorator_list or len(decorator.args.args) != 1:
        return None, ""
    body = [
        each for each in decorator.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]
    if len(body) != 2 or not isinstance(body[0], ast.FunctionDef) or not isinstance(body[1], ast.Return):
        return None, ""
    inner, returned = body
    if not isinstance(inner, ast.FunctionDef) or not isinstance(returned, ast.Return):
        return None, ""
    wraps = [ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in inner.decorator_list]
    if not isinstance(returned.value, ast.Name) or returned.value.id != inner.name or wraps not in ([], ["wraps"]):
        return None, ""
    if inner.args.vararg or inner.args.kwonlyargs or inner.args.posonlyargs or inner.body[0].lineno == inner.lineno:
        return None, ""
    return inner, decorator.args.args[0].arg


def _is_plain(match: Match, plain: ast.FunctionDef, wrapper: ast.FunctionDef, hidden: str) -> bool:
    """Whether each name is bound once, nobody looks at the function but to call it, and defaults are constants."""
    tree = match.file.tree
    for name in (plain.name, plain.decorator_list[0].id if isinstance(plain.decorator_list[0], ast.Name) else ""):
        bound = [
            each for each in walking.walk(tree) if getattr(each, "name", None) == name and isinstance(each, ast.stmt)
        ]
        if len(bound) != 1 or name in walking.bound(tree):
            return False
    named = {each.id for each in walking.walk(tree) if isinstance(each, ast.Name)}
    asked = {each.attr for each in walking.walk(tree) if isinstance(each, ast.Attribute)}
    if hidden in named | {getattr(each, "name", "") for each in tree.body} or "__wrapped__" in asked:
        return False
    defaults = [*plain.args.defaults, *wrapper.args.defaults]
    scoped = (ast.Nonlocal, ast.Global, ast.Lambda, ast.FunctionDef, ast.Yield, ast.YieldFrom)
    inner = [each for statement in wrapper.body for each in walking.walk(statement)]
    if plain.args.vararg or plain.args.kwonlyargs or plain.args.posonlyargs or _named(wrapper, wrapper.name):
        return False
    return all(isinstance(each, ast.Constant) for each in defaults) and not any(isinstance(n, scoped) for n in inner)


def _named(node: ast.AST, name: str) -> list[ast.Name]:
    return [each for each in walking.walk(node) if isinstance(each, ast.Name) and each.id == name]


def _split(match: Match, plain: ast.FunctionDef, wrapper: ast.FunctionDef, parameter: str, hidden: str) -> Fix | None:
    calls = [
        each for each in walking.walk(wrapper)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == parameter
    ]  # fmt: skip
    options = wrapper.args.kwarg.arg if wrapper.args.kwarg else ""
    uses = [name for statement in wrapper.body for name in _named(statement, parameter)]
    if len(calls) != 1 or len(uses) != 1 or any(spans_rows(each) for each in wrapper.body):
        return None
    call = calls[0]
    expanded = next((keyword for keyword in call.keywords if keyword.arg is None), None)
    own = [name for statement in wrapper.body for name in _named(statement, options)] if options else []
    if any(isinstance(each, ast.Starred) for each in call.args) or len(own) != (1 if expanded is not None else 0):
        return None
    taken = {each.arg for each in wrapper.args.args}
    rest = _defaults(plain.args)[len(call.args) :] if options else []
    # What the wrapper takes under the same name does not reach the plain function, which keeps its default.
    rest = [(name, value) for name, value in rest if name not in taken | {keyword.arg for keyword in call.keywords}]
    if any(value is None for _, value in rest) or plain.args.kwarg:
        return None
    signature, imports = _signature(match, [*_defaults(wrapper.args), *rest])
    edits = {call.func: hidden}
    passed = ", ".join(f"{name}={name}" for name, _ in rest)
    body = _body(match, wrapper, edits, call, expanded, passed)
    row = plain.decorator_list[0].lineno
    newline = match.source.newline
    name_at = match.source.lines[plain.lineno - 1].find(f"def {plain.name}(")
    if body is None or name_at != 0 or row + 1 != plain.lineno:
        return None
    end = (plain.end_lineno or plain.lineno) + 1
    made = newline.join(["", "", f"def {plain.name}({signature}):", *body, ""])
    if end > len(match.source.lines) and not match.source.text.endswith(("\n", "\r")):
        made = newline + made
    return unsafe(
        f"Write out what `@{ast.unparse(plain.decorator_list[0])}` makes of it",
        Edit(Position(row, 1), Position(row + 1, 1), ""),
        Edit(Position(plain.lineno, 5), Position(plain.lineno, 5 + len(plain.name)), hidden),
        Edit(Position(end, 1), Position(end, 1), made),
        *dict.fromkeys([*imports, *_passed_on(match, _defaults(wrapper.args))]),
        risks=(Risk.ASSUMES,),
    )


def _passed_on(match: Match, listed: list[tuple[str, ast.expr | None]]) -> list[Edit]:
    """Annotations of the caller's own parameters, None by default, that it passes for ones that are None by default."""
    call, held = match.event.node, function(match)
    if not isinstance(call, ast.Call) or held is None:
        return []
    optional = {name for name, value in listed if isinstance(value, ast.Constant) and value.value is None}
    given = [(name, value) for (name, _), value in zip(listed, call.args)]
    given += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    own = dict(_defaults(held.args))
    edits: list[Edit] = []
    for name, value in given:
        argument = unannotated(match, value)
        default = own.get(argument.arg) if argument is not None else None
        if argument is None or name not in optional or not isinstance(default, ast.Constant):
            continue
        fix = annotation_fix(match, held, argument, wanted="Tensor") if default.value is None else None
        edits += fix.edits if fix is not None else ()
    return edits


def _defaults(arguments: ast.arguments) -> list[tuple[str, ast.expr | None]]:
    """Each parameter with its default."""
    missing: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults))
    return [(each.arg, value) for each, value in zip(arguments.args, [*missing, *arguments.defaults])]


def _signature(match: Match, listed: list[tuple[str, ast.expr | None]]) -> tuple[str, tuple[Edit, ...]]:
    """Parameters with the types that their defaults show."""
    shown: list[str] = []
    imports: dict[Edit, None] = {}
    for name, value in listed:
        if not isinstance(value, ast.Constant):
            shown.append(name if value is None else f"{name}={match.text(value)}")
            continue
        type_ = "Optional[Tensor]" if value.value is None else _TYPES.get(type(value.value), "")
        written = spelled(match, type_) if type_ else None
        if written is None:
            shown.append(f"{name}={match.text(value)}")
        else:
            shown.append(f"{name}: {written[0]} = {match.text(value)}")
            imports.update(dict.fromkeys(written[1]))
    return ", ".join(shown), tuple(imports)


def _body(
    match: Match,
    wrapper: ast.FunctionDef,
    edits: dict[ast.expr, str],
    call: ast.Call,
    expanded: ast.keyword | None,
    passed: str,
) -> list[str] | None:
    """The wrapper's body, one level out."""
    first, last = wrapper.body[0].lineno, wrapper.body[-1].end_lineno or wrapper.body[-1].lineno
    start = match.source.offset(Position(first, 1))
    text = "".join(match.source.lines[first - 1 : last])
    cuts: list[tuple[int, int, str]] = []
    for node, content in edits.items():
        low, high = match.file.span(Span.of(node))
        cuts.append((match.source.offset(low) - start, match.source.offset(high) - start, content))
    if expanded is not None:
        low, high = match.file.span(Span.of(expanded.value))
        begin, stop = match.source.offset(low) - start - 2, match.source.offset(high) - start
        if text[begin : begin + 2] != "**":
            return None
        while not passed and text[:begin].rstrip().endswith(","):
            begin = len(text[:begin].rstrip()) - 1
        cuts.append((begin, stop, passed))
    for low_, high_, content in sorted(cuts, reverse=True):
        text = text[:low_] + content + text[high_:]
    out = wrapper.col_offset
    lines = text.splitlines()
    if any(line.strip() and line[:out].strip() for line in lines):
        return None
    return [line[out:] for line in lines]
