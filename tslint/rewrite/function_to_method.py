"""A function that is given modules, as a method that has them: TorchScript cannot pass modules."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.project.definitions import Function
from tslint.rewrite.statements import deeper, indentation, lines, movable, own_class, place, self_name
from tslint.rewrite.when_compiled import branch
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.dataflow.module_members import OF_MODULES

_SCOPED = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal)


def as_method(match: Match, call: ast.Call, function: Function, name: str) -> Fix | None:
    """Copy the function into the caller's class, with the modules' attributes in the place of its parameters.

    Args:
        match: for the call, in a method.
        function: what is called, a function or a method of the same class.
        name: of the parameter that is given a module.

    Returns:
        None where a module is no attribute of ``self``, or the function does more with it than call it and ask whether
        it is None.
    """
    owner, itself, caller = own_class(match), self_name(match), match.event.unit
    node = function.node
    if owner is None or itself is None or caller is None or not isinstance(node, ast.FunctionDef):
        return None
    same_class = function.owner is not None
    if function.module.source.path != match.source.path or function.outer is not None or node.decorator_list:
        return None
    if same_class and function.owner is not caller.function.owner:
        return None
    given = _modules(call, node, itself, bound=same_class)
    if name not in given or not _can_move(match, node, owner, itself, same_class):
        return None
    method = f"_{node.name.lstrip('_')}_with_{'_'.join(given[each].attr for each in given)}"
    text = _method(match, node, caller.function.node, method, itself, given, bound=same_class)
    if text is None:
        return None
    known = next((each for each in owner.body if getattr(each, "name", "") == method), None)
    if known is not None and "\n".join(lines(match, [known])) != "\n".join(text):
        return None
    # Python goes on to call the function, whatever it may have become by then.
    edits = branch(match, call, _call(match, call, node, f"{itself}.{method}", given, bound=same_class))
    if edits is None or not _is_free(match, owner, method, known):
        return None
    if known is None:
        if _first_of(match, owner, call, given) is not call:
            return None  # the next time: it is there then
        edits = [*edits, _after(match, caller.function.node, text)]
    words = f"Call a method, `{method}`, that takes the module from `{itself}` where it is compiled"
    return unsafe(words, *edits, risks=(Risk.DIFFERS,))


def _is_free(match: Match, owner: ast.ClassDef, name: str, known: ast.stmt | None) -> bool:
    """Whether no other class or attribute of the file has the method's name."""
    others = (each for each in walking.walk(match.file.tree) if getattr(each, "name", "") == name)
    return name not in OF_MODULES and all(each is known for each in others)


def _modules(call: ast.Call, node: ast.FunctionDef, itself: str, *, bound: bool) -> dict[str, ast.Attribute]:
    """The attributes of ``self`` that are given for parameters which the function calls, by parameter."""
    spec = node.args
    if spec.vararg or spec.kwarg or spec.posonlyargs or spec.kwonlyargs:
        return {}
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return {}
    parameters = [argument.arg for argument in spec.args[bound:]]
    pairs = [*zip(parameters, call.args), *((each.arg or "", each.value) for each in call.keywords)]
    return {
        parameter: value
        for parameter, value in pairs
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == itself
        if _only_called(node, parameter)
    }


def _only_called(node: ast.FunctionDef, parameter: str) -> bool:
    """Whether a function calls what it is given, and does nothing else with it but ask whether it is None."""
    uses = {id(each) for each in walking.walk(node) if isinstance(each, ast.Name) and each.id == parameter}
    called: set[int] = set()
    asked: set[int] = set()
    for each in walking.walk(node):
        if isinstance(each, ast.Call):
            called.add(id(each.func))
        elif isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.Is, ast.IsNot)):
            asked.add(id(each.left))
    return bool(uses & called) and not uses - called - asked


def _can_move(match: Match, node: ast.FunctionDef, owner: ast.ClassDef, itself: str, bound: bool) -> bool:
    """Whether the function means the same in the class."""
    defaults = [each for each in node.args.defaults if not isinstance(each, ast.Constant)]
    if defaults or node.body[0].lineno == node.lineno or any(isinstance(n, _SCOPED) for n in _inside(node)):
        return False
    if bound and node.args.args[0].arg != itself:
        return False
    names = {each.id for each in walking.walk(node) if isinstance(each, ast.Name)}
    names |= {each.attr for each in walking.walk(node) if isinstance(each, ast.Attribute)}
    if any(each.startswith("__") and not each.endswith("__") for each in names) or (itself in names and not bound):
        return False
    return movable(match, _body(node))


def _inside(node: ast.FunctionDef) -> list[ast.AST]:
    return [each for each in walking.walk(node) if each is not node]


def _body(node: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(node.body) > 1
    return node.body[1:] if documented else node.body


def _method(
    match: Match, node: ast.FunctionDef, caller: ast.AST, name: str, itself: str,
    given: Mapping[str, ast.Attribute], *, bound: bool,
) -> list[str] | None:  # fmt: skip
    """The lines of the method, with the indentation of the calling one."""
    margin = indentation(match.source.lines[place(match, caller)[0].row - 1])
    body = _body(node)
    text = lines(match, body)
    first = place(match, body[0])[0].row
    names = [each for statement in body for each in walking.walk(statement) if isinstance(each, ast.Name)]
    uses = [(place(match, each)[0], each.id) for each in names if each.id in given]
    for use, parameter in sorted(uses, reverse=True):
        line, column = text[use.row - first], use.column - 1
        if not line[column:].startswith(parameter):
            return None  # the places of what stands in f-strings are not known before Python 3.12
        text[use.row - first] = f"{line[:column]}{match.text(given[parameter])}{line[column + len(parameter) :]}"
    signature = [itself, *(_parameter(match, node, each) for each in node.args.args[bound:] if each.arg not in given)]
    returns = f" -> {match.text(node.returns)}" if node.returns is not None else ""
    inner, indent = margin + deeper(margin), indentation(text[0])
    moved = [inner + line[len(indent) :] if line.strip() else "" for line in text]
    head = f"{margin}def {name}({', '.join(signature)}){returns}:"
    return None if "\n" in head else [head, *moved]


def _parameter(match: Match, node: ast.FunctionDef, argument: ast.arg) -> str:
    """A parameter with its annotation and its default, as they are written."""
    spec = node.args
    defaults = dict(zip(spec.args[len(spec.args) - len(spec.defaults) :], spec.defaults))
    text = match.text(argument)
    if argument not in defaults:
        return text
    equal = " = " if argument.annotation is not None else "="
    return f"{text}{equal}{match.text(defaults[argument])}"


def _call(
    match: Match, call: ast.Call, node: ast.FunctionDef, method: str, given: Mapping[str, ast.Attribute], *, bound: bool
) -> str:
    """Call the method, without the modules."""
    parameters = [argument.arg for argument in node.args.args[bound:]]
    parts = [match.text(value) for parameter, value in zip(parameters, call.args) if parameter not in given]
    parts += [f"{each.arg}={match.text(each.value)}" for each in call.keywords if each.arg not in given]
    return f"{method}({', '.join(parts)})"


def _first_of(match: Match, owner: ast.ClassDef, call: ast.Call, given: Mapping[str, ast.Attribute]) -> ast.AST:
    """The first call of a class that would get the same method."""
    wanted = match.text(call.func), {match.text(value) for value in given.values()}
    for each in sorted(
        (node for node in walking.walk(owner) if isinstance(node, ast.Call)),
        key=lambda node: (node.lineno, node.col_offset),
    ):
        values = {match.text(value) for value in (*each.args, *(keyword.value for keyword in each.keywords))}
        if match.text(each.func) == wanted[0] and wanted[1] <= values:
            return each
    return call


def _after(match: Match, method: ast.AST, text: list[str]) -> Edit:
    row = (getattr(method, "end_lineno", None) or 0) + 1
    newline = match.source.newline
    lead = newline if row > len(match.source.lines) and not match.source.text.endswith(("\n", "\r")) else ""
    return Edit(Position(row, 1), Position(row, 1), lead + newline.join(["", *text, ""]))
