"""Replaces calls of a base class's method, through ``super()`` or the class, which the compiler cannot follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.project.definitions import Class
from tslint.rewrite.compiled_form import small
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.functional import functional_module
from tslint.rewrite.nn_forwards import FORMS, Form
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, block, code, expression, statement, substituted
from tslint.script.dataflow.closed_calls import is_private
from tslint.script.dataflow.inheritance import (
    ClassNode,
    always_follows,
    called_with_others,
    defining,
    derived,
    outer_bases,
)
from tslint.script.dataflow.methods import definitions_of, hands_over, method_of
from tslint.script.dataflow.name_patterns import may_be_computed
from tslint.script.dataflow.names import full_name
from tslint.script.dataflow.naming import snake_case
from tslint.script.dataflow.stores import file_facts

_THROUGH_SUPER = m.Call(func=m.Attribute(value=m.Call()))
_TO_A_NAME = m.Assign(targets=[m.AssignTarget(m.Name())])
_STRING = m.SimpleString() | m.ConcatenatedString()
_TEXT = m.SimpleStatementLine(body=[m.Expr(value=_STRING)])
_OWN_SCOPE = m.Lambda() | m.CompFor() | m.NamedExpr() | m.Name("super") | m.Name("__class__")
_BLANK = cst.EmptyLine(indent=False)
# The base class that `super()` means depends on the class of the instance.
_ORDER = "a subclass in another file may put another class between this class and its base"


def written_out(match: Match, base: str, method: str, call: cst.Call, passed: list[cst.Arg]) -> Fix | None:
    """Replace the call of a torch class's ``forward`` by the code that it runs. Return None for other classes and
    methods, or if that code cannot be used for this call.

    Args:
        match: the match of the finding, in a method.
        base: the class by its full name, or as the file writes it: ``torch.nn.Linear``, ``nn.Linear``.
        method: the called method.
        call: ``super().forward(x)`` or ``nn.Linear.forward(self, x)``.
        passed: its arguments, without ``self``.
    """
    tree, itself, owner = match.file.tree, match.self_name, _owner(match)
    kind, full = base.rpartition(".")[2], full_name(tree, base)
    known = full == f"torch.nn.{kind}" or (full.startswith("torch.nn.modules.") and full.endswith(f".{kind}"))
    form = FORMS.get(kind) if method == "forward" and known else None
    if form is None or itself is None or owner is None or len(passed) != form.arguments:
        return None
    if any(each.keyword is not None or each.star for each in call.args):
        return None
    module, imports = functional_module(match) if form.needs_functional else ("torch", ())
    helper = _helper(match, owner, form, itself, module)
    if helper is None or match.binds(module):
        return None
    said = f"Write out what `{kind}.forward` does"
    new = form.call(itself, module, (each.value for each in passed))
    first = next((text for text in outer_bases(tree, owner.node) if text.endswith(kind)), "")
    follows = not m.matches(call, _THROUGH_SUPER) or always_follows(tree, owner.node, method, first)
    if follows and form is FORMS["Sequential"] and (lines := _in_place(match, call, passed[0].value, itself)):
        return unsafe(said, lambda: match.rewrite_all([lines[0]], *lines[1:]), assumes=_ORDER)
    if follows and not form.copied:
        # A subclass in another file may have a base that comes between this class and its base in the resolution order.
        risks = (Risk.DIFFERS,) if form is FORMS["Embedding"] else ()
        return unsafe(said, lambda: match.replace(call, new), helper, *imports, risks=risks, assumes=_ORDER)
    if not can_branch(match, call):
        return None
    return unsafe(said, lambda: branch(match, call, new), helper, *imports, risks=(Risk.DIFFERS,))


def _in_place(match: Match, call: cst.Call, passed: cst.BaseExpression, itself: str) -> list[Line]:
    """Return the line that returns or stores what a Sequential computes, followed by the lines that replace it: a loop
    over its modules.

    The list is empty unless the line is ``return CALL``, where the call passes a variable, or ``x = CALL``.
    """
    line = match.line(call)
    if not isinstance(line, cst.SimpleStatementLine) or match.parent(call) is not small(line):
        return []
    returned = m.matches(line.body[0], m.Return())
    if returned and isinstance(passed, cst.Name):
        x = passed.value
    elif isinstance(only := line.body[0], cst.Assign) and m.matches(only, _TO_A_NAME):
        x = match.code(only.targets[0].target)
    else:
        return []
    module = fresh_name(match, "module")
    first = [] if m.matches(passed, m.Name(x)) else [statement("{x} = {value}", x=x, value=passed)]
    loop = statement("for {module} in {self}:\n    {x} = {module}({x})", module=module, self=itself, x=x)
    return [line, *first, loop, *([statement("return {x}", x=x)] if returned else [])]


def _helper(match: Match, owner: Class, form: Form, itself: str, module: str) -> Callable[[], tuple[Edit, ...]] | None:
    """Return a function that creates the edits that add a form's helper method; it creates no edits if no method is
    needed, or if the class already has one of that name. Return None if the method cannot be added, for example because
    a subclass has one of that name.
    """
    if not form.helper or method_of(owner.node, form.function) is not None:
        return tuple
    if any(method_of(each, form.function) is not None for each in derived(match.file.tree, owner.node)):
        return None
    line = match.line(match.function)
    if line is None:
        return None
    return lambda: (match.insert_after(line, form.method(itself, module).with_changes(leading_lines=[_BLANK])),)


def renamed(match: Match, start: ClassNode, call: cst.Call, callee: cst.Attribute, passed: list[cst.Arg]) -> Fix | None:
    """Move the body of a base class's method to a method with a new name. The method with the old name calls it, and
    the author's call through ``super()`` or the base class becomes a call of the new name. If the method only returns
    an expression, write this expression instead, if possible.

    Return None if that could change which method runs, or if the method cannot be split.

    Args:
        match: the match of the finding, in a method.
        start: the base class.
        call: the call of the method, in a subclass.
        callee: the called expression: ``super().forward`` or ``Base.forward``.
        passed: the call's arguments, without ``self``.
    """
    tree, itself, owner, method = match.file.tree, match.self_name, _owner(match), callee.attr.value
    holder = defining(tree, start, method)
    if holder is None or itself is None or owner is None or owner.node not in derived(tree, holder):
        return None
    if m.matches(call, _THROUGH_SUPER) and not always_follows(tree, owner.node, method, holder.name):
        return None
    if any(base.rpartition(".")[2] == holder.name for base in outer_bases(tree, holder)):
        return None  # another fix may add a method of the new name to a base of this class
    name = f"_{snake_case(holder.name)}_{method.lstrip('_')}"
    target = method_of(holder, method)
    functions = {target, match.event.unit.function.node} if match.event.unit is not None else set()
    if any(each.star for each in passed) or functions & match.file.uncompilable:
        return None  # compiled code could not call the new method either
    body = match.libcst(target)
    value = _only_expression(match, body, passed, itself) if isinstance(body, cst.FunctionDef) else None
    if value is not None:
        said = f"Write out what `{holder.name}.{method}` does"
        return replace(unsafe(said, lambda: match.replace(call, value), assumes=_ORDER), unset=(method,))
    split = _split(match, body, name) if isinstance(body, cst.FunctionDef) else None
    if definitions_of(tree, name):
        if not hands_over(holder, method, name) or len(definitions_of(tree, name)) != 1:
            return None
        split = tuple
    elif split is None or called_with_others(tree, holder, method) or may_be_computed(tree, name):
        return None
    new = call.with_changes(func=expression("{self}.{name}", self=itself, name=name), args=passed)
    # A subclass in another file may have a base that comes between this class and its base in the resolution order.
    said = f"Move the body of `{holder.name}.{method}` into `{name}`, and call that"
    fix = unsafe(said, lambda: match.replace(call, new), split, assumes=_ORDER)
    return replace(fix, unset=(method,))


def _only_expression(
    match: Match, method: cst.FunctionDef, passed: list[cst.Arg], itself: str
) -> cst.BaseExpression | None:
    """Return the expression that a method returns, with the passed variables instead of its parameters; None if the
    method does more, or if a name has another meaning at the call.
    """
    params, body = method.params, _docstring(method.body)[1]
    if not m.matches(body, m.IndentedBlock([m.SimpleStatementLine([m.Return(m.DoNotCare())])])) or method.decorators:
        return None
    result = cst.ensure_type(cst.ensure_type(body.body[0], cst.SimpleStatementLine).body[0], cst.Return).value
    names = [each.name.value for each in params.params]
    more = params.kwonly_params or params.posonly_params or params.star_kwarg or isinstance(params.star_arg, cst.Param)
    if result is None or m.findall(result, _OWN_SCOPE) or more or names[:1] != [itself]:
        return None
    if len(passed) != len(names) - 1 or not all(m.matches(each, m.Arg(m.Name(), keyword=None)) for each in passed):
        return None
    values = dict(zip(names[1:], (each.value for each in passed)))
    used = variables_in(result)
    attributes = [cst.ensure_type(each, cst.Attribute).attr.value for each in m.findall(result, m.Attribute())]
    if any(is_private(each) for each in attributes):
        return None  # its name depends on the class
    if any(match.binds(each.value) for each in used if each.value not in names):
        return None
    return substituted(result, {each: values[each.value] for each in used if each.value in values})


def _split(match: Match, method: cst.FunctionDef, name: str) -> Callable[[], tuple[Edit, ...]] | None:
    """Return a function that creates the edits: a method is renamed, and a new method with its old name calls it.

    Return None for a method with decorators, ``*args``, ``**kwargs`` or positional-only parameters.
    """
    params, line = method.params, match.line(method)
    starred = isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None
    if method.decorators or starred or params.posonly_params or not params.params or line is None:
        return None

    def edits() -> tuple[Edit, ...]:
        itself, *rest = params.params
        args = [_passed(each, named=each.default is not None) for each in rest]
        args += [_passed(each, named=True) for each in params.kwonly_params]
        call = expression("{self}.{name}()", self=itself.name, name=name).with_changes(args=args)
        documented, left = _docstring(method.body)
        body = block([*documented, cst.SimpleStatementLine([cst.Return(call)])])
        if isinstance(method.body, cst.IndentedBlock):
            body = body.with_changes(header=method.body.header)  # the header may contain a type comment
        same = method.with_changes(leading_lines=[_BLANK], body=body)
        own = method.with_changes(name=cst.Name(name), body=left)
        return (*match.rewrite(line, own), match.insert_after(line, same))

    return edits


def _passed(parameter: cst.Param, *, named: bool) -> cst.Arg:
    """Return the argument that passes a parameter on: ``x``, or ``x=x`` if ``named``."""
    return by_keyword(parameter.name.value, parameter.name) if named else cst.Arg(parameter.name)


def _docstring(body: cst.BaseSuite) -> tuple[list[cst.SimpleStatementLine], cst.BaseSuite]:
    """Split a method's body into its docstring, which stays with the method's name, and the rest.

    No docstring is split off if it is the whole body, has a comment or blank line above it, or stands on the line of
    the ``def``.
    """
    first, *rest = body.body
    if not rest or not m.matches(first, _TEXT) or not isinstance(first, cst.SimpleStatementLine):
        return [], body
    if first.leading_lines or not isinstance(body, cst.IndentedBlock):
        return [], body
    return [first], body.with_changes(body=rest)


def _owner(match: Match) -> Class | None:
    """Return the class whose method contains the event."""
    return match.event.unit.function.owner if match.event.unit is not None else None


def without_method(match: Match, call: cst.Call, method: str) -> Fix | None:
    """Remove a method that only passes its arguments on to the base class's method. Calls then run that method
    directly.

    Return None if the method does more, or if a call in the file may pass one of its arguments by name.

    Args:
        match: the match of ``super()``.
        call: the call of the base's method.
        method: its name.
    """
    function, line = match.function, match.line(call)
    if function is None or function.name.value != method or function.decorators or line is None:
        return None
    if not m.matches(function.body, m.IndentedBlock([m.SimpleStatementLine([m.Return(m.Call())])])):
        return None
    spec, returned = function.params, match.parent(call) is small(line)
    names = [each.name.value for each in spec.params[1:]]
    plain = cst.Parameters([cst.Param(spec.params[0].name), *(cst.Param(cst.Name(each)) for each in names)])
    bare = spec.with_changes(params=[cst.Param(each.name) for each in spec.params if each.default is None])
    passed = [code(each.value) for each in call.args if each.keyword is None and not each.star]
    if not returned or names != passed or len(passed) != len(call.args) or code(bare) != code(plain):
        return None
    if any(each in file_facts(match.file.tree).keywords for each in names):
        return None
    message = f"Remove `{method}`, which only calls the method of the base class"
    return unsafe(message, lambda: match.remove(function), assumes="a call in another file may name its arguments")
