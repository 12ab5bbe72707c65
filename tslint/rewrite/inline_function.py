"""A small function that is defined and called inside another one, written out where it is called."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.spans import alone_on_its_lines, operand, place, remove_statement, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.evaluation import quiet, steps
from tslint.script.dataflow.scopes import before_all, bound_times, comprehension_names, peeps

_SCOPES = (
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.NamedExpr, ast.Await,
    ast.Yield, ast.YieldFrom,
)  # fmt: skip


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
    if inner or name in _reads(result) or not is_one(match, around, name, defined):
        return None
    writer = _Writer(match, name, spec, result)
    outer = _reads(result) - set(writer.names)
    edits = [remove_statement(match, defined)]
    for call in _calls(around, name, defined):
        text = writer.write(call) if call is not None and not _hidden(match, call, around, outer) else None
        if call is None or text is None:
            return None
        edits.append(replace(match, call, text))
    if len(edits) == 1:
        return None
    return safe(f"Write out what `{name}` does where it is called", *edits)


def is_one(match: Match, around: ast.FunctionDef, name: str, defined: ast.stmt) -> bool:
    """Whether a name means what a statement defines wherever the function uses it: it is bound once, before."""
    uses = [
        each for each in walking.walk(around)
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
    ]  # fmt: skip
    inside = {id(each) for each in walking.walk(defined)}
    uses = [each for each in uses if id(each) not in inside]
    return bound_times(around, name) == 1 and not peeps(around) and before_all(match.file.tree, defined, uses)


def _hidden(match: Match, call: ast.Call, around: ast.FunctionDef, outer: set[str]) -> bool:
    """Whether a name that the function reads means something else where it is called: the variable of a comprehension.

    What stands in an f-string has no place of its own before Python 3.12.
    """
    for each in walking.around(match.file.tree, call):
        if each is around:
            return False
        if isinstance(each, ast.JoinedStr) or comprehension_names(each) & outer:
            return True
    return True


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
        if not self._same_order(given):
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

    def _same_order(self, given: dict[str, ast.expr]) -> bool:
        """Whether the arguments can be evaluated where the parameters stand, instead of before.

        Each is used once and in any case then, and in the order of the call, and nothing runs between.
        """
        moving = {name: value for name, value in given.items() if not isinstance(value, (ast.Name, ast.Constant))}
        if any(isinstance(each, _SCOPES) for value in moving.values() for each in walking.walk(value)):
            return False
        finished = list(steps(self.result))
        uses = [(each.id, sure) for each, sure in finished if isinstance(each, ast.Name) and each.id in moving]
        if sorted(name for name, _ in uses) != sorted(moving) or not all(sure for _, sure in uses):
            return False
        if quiet(self.result) and all(quiet(value) for value in moving.values()):
            return True
        if [name for name, _ in uses] != list(moving):
            return False
        last = max((i for i, (e, _) in enumerate(finished) if isinstance(e, ast.Name) and e.id in moving), default=0)
        called = {id(each.func) for each, _ in finished if isinstance(each, ast.Call)}
        return all(
            isinstance(each, (ast.Name, ast.Constant))
            or (isinstance(each, ast.Attribute) and (id(each) in called or _of_module(each)))
            for each, _ in finished[:last]
        )

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


def _of_module(node: ast.Attribute) -> bool:
    """``nn.functional`` of ``nn.functional.relu``: looked up on the way to a function."""
    return isinstance(node.value, ast.Name) and node.value.id in ("torch", "nn", "F", "math")
