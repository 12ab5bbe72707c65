"""A small function that is defined and called inside another one, written out where it is called."""

from __future__ import annotations

import ast
import builtins

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import unsafe
from tslint.rules.syntax._common import alone_on_its_lines, operand, place, remove_statement, replace, spans_rows

_SIMPLE = (ast.Name, ast.Constant, ast.Attribute)
_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.NamedExpr)


def expression_of(node: ast.FunctionDef) -> ast.expr | None:
    """What a function returns, where that is all it does."""
    body = node.body
    if len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    only = body[0]
    return only.value if len(body) == 1 and isinstance(only, ast.Return) and not node.decorator_list else None


def inlined(
    match: Match, around: ast.FunctionDef, name: str, defined: ast.stmt, spec: ast.arguments, result: ast.expr
) -> Fix | None:
    """Replace the calls of a local function by what it returns, and remove it.

    Args:
        around: the function that holds it.
        defined: the statement that defines it.
        spec: its parameters.
        result: the expression that it returns.
    """
    if spec.vararg or spec.kwarg or spec.posonlyargs or not alone_on_its_lines(match, defined):
        return None
    inner = [each for each in walking.walk(result) if isinstance(each, _SCOPES)]
    if inner or name in _reads(result):
        return None
    writer = _Writer(match, name, spec, result)
    edits = [remove_statement(match, defined)]
    for call in _calls(around, name, defined):
        if call is None:
            return None
        text = writer.write(call)
        if text is None:
            return None
        edits.append(replace(match, call, text))
    if len(edits) == 1:
        return None
    return unsafe(f"Write out what `{name}` does where it is called", *edits)


def _reads(node: ast.AST) -> set[str]:
    return {each.id for each in walking.walk(node) if isinstance(each, ast.Name)}


def _calls(around: ast.FunctionDef, name: str, defined: ast.stmt) -> list[ast.Call | None]:
    """The outermost calls of a name; None for a use that is no call, and for what another function does with it."""
    found: list[ast.Call | None] = []
    pending: list[ast.AST] = list(around.body)
    while pending:
        node = pending.pop()
        if node is defined:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            found.append(node)
            pending += [child for child in walking.walk(node) if isinstance(child, ast.Lambda)]
        elif isinstance(node, (ast.Lambda, ast.FunctionDef)):
            found += [None] if name in _reads(node) else []
        elif isinstance(node, ast.Name) and node.id == name:
            found.append(None)
        else:
            pending += walking.children(node)
    return found


class _Writer:
    def __init__(self, match: Match, name: str, spec: ast.arguments, result: ast.expr) -> None:
        self.match, self.name, self.spec, self.result = match, name, spec, result
        self.names = [argument.arg for argument in (*spec.args, *spec.kwonlyargs)]
        self.uses = {
            each: sum(n.id == each for n in walking.walk(result) if isinstance(n, ast.Name)) for each in self.names
        }

    def write(self, call: ast.Call) -> str | None:
        """A call as the function's expression."""
        given = self._given(call)
        if given is None:
            return None
        for name, value in given.items():
            if self.uses[name] != 1 and not isinstance(value, _SIMPLE):
                return None
        texts: dict[str, str] = {}
        for name, value in given.items():
            text = self._argument(value)
            if text is None:
                return None
            texts[name] = text
        return f"({self._substituted(self.result, texts)})"

    def _given(self, call: ast.Call) -> dict[str, ast.expr] | None:
        spec = self.spec
        if len(call.args) > len(spec.args) or any(isinstance(each, ast.Starred) for each in call.args):
            return None
        given: dict[str, ast.expr] = dict(zip(self.names, call.args))
        for keyword in call.keywords:
            if keyword.arg not in self.names or keyword.arg in given or keyword.arg is None:
                return None
            given[keyword.arg] = keyword.value
        first = len(spec.args) - len(spec.defaults)
        defaults = {argument.arg: value for argument, value in zip(spec.args[first:], spec.defaults)}
        defaults |= {a.arg: value for a, value in zip(spec.kwonlyargs, spec.kw_defaults) if value is not None}
        for name in self.names:
            if name not in given:
                if not isinstance(defaults.get(name), ast.Constant):
                    return None
                given[name] = defaults[name]
        return given

    def _argument(self, value: ast.expr) -> str | None:
        """An argument's text, further calls inside it written out."""
        inner = [
            each
            for each in walking.walk(value)
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == self.name
        ]
        if not inner:
            return operand(self.match, value)
        return self.write(value) if inner[0] is value and isinstance(value, ast.Call) else None

    def _substituted(self, node: ast.expr, texts: dict[str, str]) -> str:
        source = self.match.source
        begin = source.offset(place(self.match, node)[0])
        text = self.match.text(node)
        names = [each for each in walking.walk(node) if isinstance(each, ast.Name) and each.id in texts]
        for each in sorted(names, key=lambda one: (one.lineno, one.col_offset), reverse=True):
            low, high = (source.offset(position) - begin for position in place(self.match, each))
            text = text[:low] + texts[each.id] + text[high:]
        return text


def as_method(match: Match, around: ast.FunctionDef, node: ast.FunctionDef) -> Fix | None:
    """Make a local function that needs nothing but ``self`` a method."""
    owner = next(
        (c for c in walking.around(match.border.tree, around) if isinstance(c, ast.ClassDef) and around in c.body),
        None,
    )
    itself = around.args.args[0].arg if around.args.args else ""
    name = "_" + node.name.lstrip("_")
    taken = {child.attr for child in walking.walk(owner or node) if isinstance(child, ast.Attribute)}
    taken |= {
        child.name for child in walking.walk(owner or node) if isinstance(child, ast.FunctionDef) and child is not node
    }
    if owner is None or itself != "self" or name in taken or around.decorator_list or node.decorator_list:
        return None
    if spans_rows(node) or not alone_on_its_lines(match, node) or len(around.body) < 2 or node.name in _reads(node):
        return None
    free = _free(node) & _bound(around)
    lambdas = [each for each in walking.walk(around) if isinstance(each, ast.Lambda)]
    if free - {itself} or any(node.name in _reads(each) for each in lambdas):
        return None
    uses = _calls(around, node.name, node)
    if None in uses or not uses:
        return None
    edits: list[Edit] = [remove_statement(match, node)]
    edits += [
        replace(match, each.func, f"{itself}.{name}")
        for each in walking.walk(around)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == node.name
    ]
    lines = match.source.lines[node.lineno - 1 : node.end_lineno]
    outer = around.col_offset
    moved = [line[node.col_offset - outer :] if line.strip() else line for line in lines]
    head, found, rest = moved[0].partition(f"def {node.name}(")
    if not found:
        return None
    comma = "" if not (node.args.args or node.args.kwonlyargs) else ", "
    text = head + f"def {name}({itself}{comma}" + rest + "".join(moved[1:]).rstrip() + 2 * match.source.newline
    first = min([around.lineno, *(decorator.lineno for decorator in around.decorator_list)])
    return unsafe(f"Make `{node.name}` a method", match.insert(Position(first, 1), text), *edits)


def _free(node: ast.FunctionDef) -> set[str]:
    own = {argument.arg for argument in walking.walk(node.args) if isinstance(argument, ast.arg)}
    own |= {each.id for each in walking.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return _reads(node) - own


def _bound(function: ast.FunctionDef) -> set[str]:
    names = {argument.arg for argument in walking.walk(function.args) if isinstance(argument, ast.arg)}
    for each in walking.walk(function):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each is not function:
            names.add(each.name)
    return names - set(dir(builtins))
