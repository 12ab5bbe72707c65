"""Copies a function that takes modules into a method that reads them from ``self``: TorchScript cannot pass modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.project.definitions import Function
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import passed_on
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, code, expression
from tslint.script.dataflow.copied_functions import can_be_method, first_alike, only_calls, uses_of
from tslint.script.dataflow.methods import definitions_of, method_of
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.name_patterns import may_be_computed
from tslint.script.dataflow.scopes import module_bindings

_DOCSTRING = m.SimpleStatementLine([m.Expr(m.SimpleString() | m.ConcatenatedString())])


def as_method(match: Match, call: cst.Call, function: Function, name: str) -> Fix | None:
    """Copy a function into the caller's class, as a method that reads modules from attributes instead of parameters.

    Args:
        match: the match of the call, in a method.
        call: a call with a module as an argument.
        function: the called function, or method of the same class.
        name: the parameter that receives the module.

    Returns:
        None if a module is not an attribute of ``self``, or if the function does more with a module than to call it and
        compare it with None.
    """
    itself, caller, tree = match.self_name, match.event.unit, match.file.tree
    owner = caller.function.owner if caller is not None else None
    if caller is None or owner is None or itself is None or function.owner not in (None, owner):
        return None
    if function.module.source.path != match.source.path or function.outer is not None:
        return None
    bound, copied = function.owner is not None, match.libcst(function.node)
    if not isinstance(copied, cst.FunctionDef) or copied.asynchronous is not None or copied.decorators:
        return None
    modules = _modules(call, copied, function, itself)
    plain = not bound and module_bindings(tree).get(function.name) == 1
    allowed = can_be_method(match.model(copied), itself, bound) and (plain or can_branch(match, call))
    if name not in modules or not allowed:
        return None
    method = f"_{function.name.lstrip('_')}_with_{'_'.join(each.attr.value for each in modules.values())}"
    known, line = method_of(owner.node, method), match.line(match.libcst(caller.function.node))
    others = {*definitions_of(tree, method)} - {known}
    if line is None or others or method in OF_MODULES or may_be_computed(tree, method):
        return None
    made, values = _method(match, copied, function, method, itself, modules), {match.code(v) for v in modules.values()}
    if known is not None and not _same(match.libcst(known), made):
        return None
    if known is None and first_alike(owner.node, match.model(call), values) is not match.model(call):
        return None  # the fix of the first call adds the method; this call is fixed in the next round

    def edits() -> list[Edit]:
        # Python keeps its old call of a method, which a subclass may override, or of a name that may be bound again.
        called = _call(call, copied, f"{itself}.{method}", modules, bound)
        new = [*(match.replace(call, called) if plain else branch(match, call, called))]
        below = made.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        return new + ([match.insert_after(line, below)] if known is None else [])

    words = f"Copy `{function.name}` into a method, `{method}`, that reads the module from `{itself}`, and call that"
    words += "" if plain else " in compiled code"
    bypassed = f"{owner.name}.{function.name}" if bound else function.name
    return replace(unsafe(words, edits, risks=(Risk.ASSUMES if plain else Risk.DIFFERS,)), bypasses=bypassed)


def _modules(call: cst.Call, copied: cst.FunctionDef, function: Function, itself: str) -> dict[str, cst.Attribute]:
    """Return the attributes of ``self`` that the call passes as modules, by the names of their parameters: the function
    must call these parameters.
    """
    spec = copied.params
    starred = isinstance(spec.star_arg, cst.Param) or spec.star_kwarg is not None
    if starred or spec.posonly_params or spec.kwonly_params or any(each.star for each in call.args):
        return {}
    pattern = m.Attribute(value=m.Name(itself))
    return {
        parameter: each.value
        for parameter, each in _passed(call, copied, function.owner is not None)
        if isinstance(each.value, cst.Attribute) and m.matches(each.value, pattern)
        if only_calls(function.node, parameter)
    }


def _passed(call: cst.Call, copied: cst.FunctionDef, bound: bool) -> list[tuple[str, cst.Arg]]:
    """Return the arguments of a call with the names of their parameters."""
    names = [each.name.value for each in copied.params.params[bound:]]
    positional = (each for each in call.args if each.keyword is None)
    by_name = ((each.keyword.value, each) for each in call.args if each.keyword is not None)
    return [*zip(names, positional), *by_name]


def _method(
    match: Match, copied: cst.FunctionDef, function: Function, name: str, itself: str,
    modules: Mapping[str, cst.Attribute],
) -> cst.FunctionDef:  # fmt: skip
    """Return the function as a method, without its docstring."""
    uses = {match.libcst(each): modules[each.id] for each in uses_of(function.node, modules)}
    changed = copied.visit(_Replaced(uses))
    assert isinstance(changed, cst.FunctionDef)
    body = changed.body
    if isinstance(body, cst.IndentedBlock):
        body = body.with_changes(body=_without_docstring(body.body), footer=())
    others = [each for each in changed.params.params[function.owner is not None :] if each.name.value not in modules]
    bare = {"comma": cst.MaybeSentinel.DEFAULT, "whitespace_after_param": cst.SimpleWhitespace("")}
    params = [cst.Param(cst.Name(itself)), *(each.with_changes(**bare) for each in others)]
    return changed.with_changes(
        name=cst.Name(name),
        params=changed.params.with_changes(params=params),
        whitespace_before_params=cst.SimpleWhitespace(""),
        body=body,
        leading_lines=(),
        lines_after_decorators=(),
    )


def _without_docstring(statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """Return the statements of a function, without the docstring and the blank lines after it."""
    if len(statements) == 1 or not m.matches(statements[0], _DOCSTRING):
        return [*statements]
    _, first, *rest = statements
    if isinstance(first, Line):
        first = first.with_changes(leading_lines=[each for each in first.leading_lines if each.comment is not None])
    return [first, *rest]


def _same(known: cst.CSTNode, made: cst.FunctionDef) -> bool:
    """Return whether a method of the class is the same as the one that would be added."""
    return isinstance(known, cst.FunctionDef) and code(known.with_changes(leading_lines=())) == code(made)


def _call(
    call: cst.Call, copied: cst.FunctionDef, method: str, modules: Mapping[str, cst.Attribute], bound: bool
) -> cst.Call:
    """Return a call of the method, without the modules."""
    args = [each for parameter, each in _passed(call, copied, bound) if parameter not in modules]
    bare = cst.SimpleWhitespace("")
    return call.with_changes(func=expression(method), args=passed_on(args), whitespace_before_args=bare)


class _Replaced(cst.CSTTransformer):
    """Replaces names by other expressions."""

    def __init__(self, new: Mapping[cst.CSTNode, cst.BaseExpression]) -> None:
        super().__init__()
        self.new = new

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        new = self.new.get(original_node)
        return updated_node if new is None else new.deep_clone()
