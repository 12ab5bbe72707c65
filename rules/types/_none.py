"""Values that may be None, made certain; and values of several types, told apart."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix
from tslint.rule import safe, unsafe
from tslint.rules.names._common import deeper, indentation, lines, movable, statement, whole_lines
from tslint.rules.syntax._common import block
from tslint.rules.types._common import (
    assert_not_none,
    function,
    inside,
    optional_inside,
    parent,
    place,
    replace,
)

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_MOST_UNIONS = 2
_WRITTEN = {"Tensor": "", "float": "float", "int": "int", "bool": "bool", "str": "str"}


def without_none_fix(match: Match, node: ast.AST, type_: str) -> Fix | None:
    """Make an Optional certain where it is used: a variable by an ``assert``, an attribute by way of a variable."""
    if optional_inside(type_) is None:
        return None
    if isinstance(node, ast.Name):
        return assert_not_none(match, node, type_)
    return _by_local(match, node) if isinstance(node, ast.Attribute) else None


def _by_local(match: Match, node: ast.Attribute) -> Fix | None:
    """``bias = self.bias`` and an ``assert`` before the statement, and ``bias`` in it."""
    member = statement(match)
    if not isinstance(member, _SIMPLE) or not movable(match, [member]) or block(match, member) is None:
        return None
    text = match.text(node)
    if "(" in text or "[" in text:
        return None
    name = fresh(match, node.attr)
    reads = [
        each for each in walking.walk(member)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load) and ast.unparse(each) == ast.unparse(node)
    ]  # fmt: skip
    newline = match.source.newline
    start, end = whole_lines(match, [member])
    indent = indentation(lines(match, [member])[0])
    made = [f"{indent}{name} = {text}"]
    if not _asked(member, ast.unparse(node)):
        made.append(f"{indent}assert {name} is not None")
    edits = [Edit(start, start, newline.join([*made, ""])), *(replace(match, each, name) for each in reads)]
    if isinstance(member, ast.AugAssign) and ast.unparse(member.target) == ast.unparse(node):
        edits += [replace(match, member.target, name), Edit(end, end, f"{newline}{indent}{text} = {name}")]
    elif not reads:
        return None
    return unsafe(f"Take it in a variable that is not None, `{name}`", *edits)


def _asked(member: ast.stmt, text: str) -> bool:
    """Whether the statement itself asks if the attribute is None."""
    return any(
        isinstance(each, ast.Compare)
        and ast.unparse(each.left) == text
        and isinstance(each.ops[0], (ast.Is, ast.IsNot))
        for each in walking.walk(member)
    )


def fresh(match: Match, wished: str) -> str:
    """A name that the function does not know yet."""
    known = {each.id for each in inside(match) if isinstance(each, ast.Name)}
    known |= {each.arg for each in inside(match) if isinstance(each, ast.arg)}
    while wished in known:
        wished += "_"
    return wished


def by_type(match: Match, node: ast.expr, type_: str) -> Fix | None:
    """The statement once for each type that a variable may have, under ``isinstance``."""
    member = statement(match)
    if not isinstance(node, ast.Name) or not type_.startswith("Union[") or not isinstance(member, _SIMPLE):
        return None
    options = type_[len("Union[") : -1].split(", ")
    if not set(options) <= set(_WRITTEN) or not movable(match, [member]) or isinstance(member, ast.AnnAssign):
        return None
    if isinstance(member, ast.AugAssign) and ast.unparse(member.target) == node.id:
        return None
    if len(_alike(match, node, member)) > _MOST_UNIONS:
        return None
    torch, imports = match.imported("torch")
    text, newline = lines(match, [member]), match.source.newline
    indent = indentation(text[0])
    step = deeper(text[0])
    made: list[str] = []
    for index, option in enumerate(options):
        test = f"isinstance({node.id}, {_WRITTEN[option] or f'{torch}.Tensor'})"
        word = "else:" if index == len(options) - 1 else f"{'elif' if index else 'if'} {test}:"
        made += [indent + word, *(step + line if line.strip() else line for line in text)]
    start, end = whole_lines(match, [member])
    return unsafe(f"Do it for each type of `{node.id}`", Edit(start, end, newline.join(made)), *imports)


def _alike(match: Match, node: ast.Name, member: ast.stmt) -> set[str]:
    """The parameters in a statement that are annotated as one of them is: it would have to be written for each type of
    each."""
    held = function(match)
    spec = held.args if held is not None else None
    arguments = [each for each in walking.walk(spec) if isinstance(each, ast.arg)] if spec is not None else []
    written = {each.arg: ast.unparse(each.annotation) for each in arguments if each.annotation is not None}
    used = {each.id for each in walking.walk(member) if isinstance(each, ast.Name)}
    return {name for name in used & written.keys() if written[name] == written.get(node.id)}


def none_first(match: Match, node: ast.Compare, operands: list[ast.expr], types: list[str]) -> Fix | None:
    """``mode == "a"`` → ``(mode is not None and mode == "a")`` for a variable that may be None.

    For what is None in some constructions ``(mode == "a" if mode is not None else False)``: both sides of an ``and``
    are compiled (``emitShortCircuitLogical`` in the compiler's ``ir_emitter.cpp``), of a conditional expression only
    the one that is taken (``emitTernaryIf``).
    """
    equal = {ast.Eq: True, ast.NotEq: False}.get(type(node.ops[0]))
    known = len(operands) == 2 and not any("Tensor" in each or each == "?" for each in types)
    if equal is None or not known or "\n" in match.text(node):
        return None
    nones = [
        operand
        for operand, type_ in zip(operands, types)
        if type_ == "NoneType" or (optional_inside(type_) is not None and isinstance(operand, ast.Name))
    ]
    # Where both may be None they may be equal.
    several = sum(type_ == "NoneType" or optional_inside(type_) is not None for type_ in types) > 1
    if len(nones) != 1 or several or not _is_dotted(nones[0]):
        return None
    name, text = match.text(nones[0]), match.text(node)
    if "NoneType" in types:
        text = f"({text} if {name} is not None else {not equal})"
    else:
        text = f"{name} is not None and {text}" if equal else f"{name} is None or {text}"
        around = parent(match, node)
        text = text if isinstance(around, (ast.If, ast.While)) else f"({text})"
    return safe("Ask first whether it is None", replace(match, node, text))


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def is_none(match: Match, node: ast.Compare) -> Fix | None:
    """``x == None`` → ``x is None``."""
    right = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(right, ast.Constant) or right.value is not None:
        return None
    word = {ast.Eq: "is", ast.NotEq: "is not"}.get(type(node.ops[0]))
    if word is None:
        return None
    start, end = place(match, node.left)[1], place(match, right)[0]
    between = match.source.slice(start, end)
    if between.strip() not in ("==", "!="):
        return None
    return unsafe(f"Write `{word} None`", Edit(start, end, f" {word} "))
