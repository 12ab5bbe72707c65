"""A signature without ``*args`` and ``**kwargs``, and the calls that handed them on without them."""

from __future__ import annotations

import ast
import re

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_signature import without_variadics
from tslint.rewrite.extra_arguments import ignored_outside
from tslint.rewrite.spans import delete, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, unsafe
from tslint.script.dataflow.call_arity import given
from tslint.script.dataflow.callers import callers, expansions
from tslint.script.dataflow.closed_calls import all_calls_seen
from tslint.script.dataflow.scopes import peeps

_NAMES = ("input", "x", "value", "argument")
_MOST = 4


def fixed_signature(match: Match, function: ast.FunctionDef) -> Fix | None:
    """Remove the variadic parameters of a function, or name what callers give; None where somebody needs them."""
    spec = function.args
    variadic = [argument for argument in (spec.vararg, spec.kwarg) if argument is not None]
    if not all(_only_handed_on(function, argument.arg) for argument in variadic) or spec.posonlyargs:
        return None
    if peeps(function):
        return None
    said = " and ".join(f"`{'*' if a is spec.vararg else '**'}{a.arg}`" for a in variadic)
    seen = all_calls_seen(match.file.tree, function)
    if not seen and not _hands_on(function) and _keeps_something(match, function):
        fix = ignored_outside(match, function, _parameters(match, function, []), said)
        if fix is not None:
            return fix
    # What those that implement it take, nobody can tell from here.
    if _decorated(function, "abstractmethod"):
        return None
    got = given(match.file.tree, function)
    bound = id(function) in callers(match.file.tree).owners and not _decorated(function, "staticmethod")
    room = len(spec.args) - bound
    if spec.kwarg is not None and got.keywords:
        return None
    if got.unknown:
        return without_variadics(match, function, [], said) if spec.vararg is None and spec.args[bound:] else None
    if spec.vararg is None and any(count > room for count in got.counts):
        return None
    if not got.counts and not room and spec.vararg is None and not spec.kwonlyargs and _hands_on(function):
        return None  # callers that are not seen can give it something in no other way
    new: list[str] = []
    if (spec.vararg is not None and any(count > room for count in got.counts)) or not _takes(function, bound):
        named = _asked(match, function) if not got.counts else _named(function, got.counts, room)
        if named is None:
            return None
        new = named
    edits = _calls(match, function, new)
    if new and not _hands_on(function):
        # It asks for nothing: it need not be given.
        optional, imports = match.imported("typing", "Optional")
        tensor, more = match.imported("torch", "Tensor")
        edits += [*imports, *more]
        new = [f"{name}: {optional}[{tensor}] = None" for name in new]
    edits += _parameters(match, function, new)
    if new:
        words = f"Replace {said} by {', '.join(f'`{name}`' for name in new)}"
    else:
        words = f"Remove {said}, which {'no call of this file gives' if _hands_on(function) else 'is never read'}"
    # Callers that are not seen may give more than the file's own, and what is handed on counts.
    sure = seen and bool(got.counts) and (not _hands_on(function) or function.name != "forward")
    if sure:
        return unsafe(words, *edits, risks=(Risk.ASSUMES,))
    beside = without_variadics(match, function, new, said) if _hands_on(function) else None
    return beside or display(words, *edits)


def _decorated(function: ast.FunctionDef, name: str) -> bool:
    return any(getattr(each, "attr", getattr(each, "id", "")) == name for each in function.decorator_list)


def _keeps_something(match: Match, function: ast.FunctionDef) -> bool:
    """Whether a function can be given something else; `*args` before keywords is a separator besides."""
    spec = function.args
    bound = id(function) in callers(match.file.tree).owners
    return len(spec.args) > bound and not (spec.vararg is not None and spec.kwonlyargs)


def _hands_on(function: ast.FunctionDef) -> bool:
    variadic = [argument for argument in (function.args.vararg, function.args.kwarg) if argument is not None]
    return any(list(expansions(function, argument.arg)) for argument in variadic)


def _only_handed_on(function: ast.FunctionDef, name: str) -> bool:
    reads = sum(isinstance(node, ast.Name) and node.id == name for node in walking.walk(function))
    return reads == len(list(expansions(function, name)))


def _takes(function: ast.FunctionDef, bound: bool) -> bool:
    """Whether something is left to be called with, or nothing is handed on."""
    spec = function.args
    if len(spec.args) - bound or spec.kwonlyargs or spec.vararg is None:
        return True
    return not list(expansions(function, spec.vararg.arg)) and function.name != "forward"


def _asked(match: Match, function: ast.FunctionDef) -> list[str] | None:
    """Names for what ``*args`` took where no caller is seen: those of the method that it is handed to, else one."""
    graph, spec = callers(match.file.tree), function.args
    for call, _ in expansions(function, spec.vararg.arg) if spec.vararg is not None else ():
        callee = call.func
        if isinstance(callee, ast.Attribute) and callee.attr in graph.defined and callee.attr != "forward":
            family = graph.family(graph.owners.get(id(function)))
            asked = [
                [argument.arg for argument in item.args.args[1 : len(item.args.args) - len(item.args.defaults)]]
                for owner in graph.classes.values()
                for item in owner.body
                if graph.family(owner) == family and isinstance(item, ast.FunctionDef)
                if item.name == callee.attr and item.args.vararg is None
            ]
            same = len({len(names) for names in asked}) == 1 and bool(asked[0])
            return asked[0] if same and len(call.args) == 1 else None
    return _named(function, set(), 0)


def _named(function: ast.FunctionDef, counts: set[int], room: int) -> list[str] | None:
    """Names for what ``*args`` took."""
    more = {max(0, count - room) for count in counts} or {1}
    if len(more) != 1 or not 0 < max(more) <= _MOST:
        return None
    number = max(more)
    used = {node.id for node in walking.walk(function) if isinstance(node, ast.Name)}
    used |= {node.arg for node in walking.walk(function.args) if isinstance(node, ast.arg)}
    used |= {node.arg for node in walking.walk(function) if isinstance(node, ast.keyword) and node.arg}
    # Their own names are free again: a caller may well say `input=…` where there was an `*input`.
    used -= {each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None}
    for name in _NAMES:
        names = [name] if number == 1 else [f"{name}{index + 1}" for index in range(number)]
        if not used & set(names):
            return names
    return None


def _parameters(match: Match, function: ast.FunctionDef, new: list[str]) -> list[Edit]:
    spec, source = function.args, match.source
    edits: list[Edit] = []
    last = max((source.offset(place(match, each)[1]) for each in _fixed_parts(function)), default=None)
    stop = max(source.offset(place(match, each)[1]) for each in (spec.vararg, spec.kwarg) if each is not None)
    if spec.vararg is not None and spec.kwonlyargs:
        low = source.text.rfind("*", 0, source.offset(place(match, spec.vararg)[0]))
        high = source.offset(place(match, spec.vararg)[1])
        text = ", ".join([*new, "*"])
        edits.append(Edit(source.position(low), source.position(high), text))
        if spec.kwarg is None:
            return edits
        last = max(source.offset(place(match, each)[1]) for each in [*spec.kwonlyargs, *filter(None, spec.kw_defaults)])
        return [*edits, delete(match, last, stop)]
    if last is not None:
        text = "".join(f", {name}" for name in new)
        # A default may stand in parentheses of its own.
        comma = re.compile(r"[\s)]*,").match(source.text, last)
        begin = comma.end() - 1 if comma is not None else last
        return [Edit(source.position(begin), source.position(stop), text)]
    first = spec.vararg or spec.kwarg
    assert first is not None
    begin = source.text.rfind("(", 0, source.offset(place(match, first)[0])) + 1
    rest = re.compile(r"\s*,?\s*(?=\))").match(source.text, stop)
    return [Edit(source.position(begin), source.position(rest.end() if rest else stop), ", ".join(new))]


def _fixed_parts(function: ast.FunctionDef) -> list[ast.AST]:
    spec = function.args
    return [*spec.args, *spec.defaults, *spec.kwonlyargs, *(each for each in spec.kw_defaults if each is not None)]


def _calls(match: Match, function: ast.FunctionDef, new: list[str]) -> list[Edit]:
    """Calls that expand what is gone, without it."""
    spec = function.args
    edits: list[Edit] = []
    gone: dict[int, tuple[ast.Call, list[ast.AST]]] = {}
    for argument in (spec.vararg, spec.kwarg):
        for call, part in expansions(function, argument.arg) if argument is not None else ():
            if argument is spec.vararg and new:
                edits.append(Edit(*place(match, part), ", ".join(new)))
            else:
                gone.setdefault(id(call), (call, []))[1].append(part)
    for call, parts in gone.values():
        edits += _without(match, call, parts)
    return edits


def _without(match: Match, call: ast.Call, parts: list[ast.AST]) -> list[Edit]:
    """The edits that take arguments out of a call."""
    source = match.source
    spans = {
        id(each): (source.offset(place(match, each)[0]), source.offset(place(match, each)[1]))
        for each in [*call.args, *call.keywords]
    }
    order = sorted([*call.args, *call.keywords], key=lambda each: spans[id(each)])
    dropped = {id(each) for each in parts}
    if len(dropped) == len(order):
        return [delete(match, spans[id(order[0])][0], source.offset(place(match, call)[1]) - 1)]
    edits: list[Edit] = []
    kept = False
    for index, each in enumerate(order):
        if id(each) not in dropped:
            kept = True
        elif kept:
            comma = source.text.rfind(",", 0, spans[id(each)][0])
            edits.append(delete(match, comma, spans[id(each)][1]))
        else:
            edits.append(delete(match, spans[id(each)][0], spans[id(order[index + 1])][0]))
    return edits
