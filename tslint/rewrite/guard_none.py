"""Values that may be None, made certain; and values of several types, told apart."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.loops import evaluated
from tslint.rewrite.scripted_form import asserted, before, either_fix, is_split, step_of
from tslint.rewrite.spans import alone_on_its_lines, block
from tslint.rewrite.statements import indentation, lines, movable, statement, whole_lines
from tslint.rewrite.type_wording import (
    function,
    inside,
    optional_inside,
    parent,
    place,
    replace,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.shallow import full_name

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


def assert_not_none(match: Match, node: ast.AST, type_: str) -> Fix | None:
    """An ``assert`` before the statement that makes an Optional variable certain.

    Python gets it too where it raises in that statement anyway; elsewhere it is for compiled code alone.
    """
    around = statement(match)
    if optional_inside(type_) is None or not isinstance(node, ast.Name) or around is None or hasattr(around, "body"):
        return None
    above = match.source.lines[around.lineno - 2] if around.lineno > 1 else ""
    text = f"assert {node.id} is not None"
    if not alone_on_its_lines(match, around) or above.strip() == text or _raised_before(match, around, node.id):
        # It has not helped: the same line is compiled for a caller of whom it says nothing.
        return None
    made, imports = asserted(match, around, node.id, raises=raises_with_none(match, around, node.id))
    return _for_certain(f"Put `{text}` before it", len(made) == 1, before(match, around, made), *imports)


def _for_certain(message: str, for_python: bool, *edits: Edit) -> Fix:
    """Of an assertion: where Python gets it, it raised another exception there before."""
    risks = (Risk.EXCEPTION,) if for_python else (Risk.RAISES,)
    return unsafe(message if for_python else f"{message}, in compiled code", *edits, risks=risks)


def raises_with_none(match: Match, member: ast.stmt, name: str) -> bool:
    """Whether a statement raises whichever way it goes if a variable is None, as nothing of the kind is there."""
    parents = walking.parents(match.file.tree)
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        and evaluated([member], each) and _forbids_none(each, parents.get(each))
        for each in walking.walk(member)
    )  # fmt: skip


def _forbids_none(node: ast.Name, around: ast.AST | None) -> bool:
    if isinstance(around, ast.Attribute):
        return not hasattr(None, around.attr)
    if isinstance(around, ast.Subscript):
        return around.value is node
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, ast.BinOp):
        # What stands on the other side may know what to do with None only where it is an object of the author's.
        other = around.right if around.left is node else around.left
        return isinstance(other, ast.Constant) and not isinstance(other.value, str)
    return isinstance(around, ast.For) and around.iter is node


def _computes(match: Match, member: ast.stmt, name: str) -> bool:
    """Whether a statement computes with a variable whichever way it goes, or looks into it."""
    parents = walking.parents(match.file.tree)
    return any(
        isinstance(each, ast.Name)
        and each.id == name
        and isinstance(parents.get(each), (ast.BinOp, ast.Attribute, ast.Subscript))
        and evaluated([member], each)
        for each in walking.walk(member)
    )


def _raised_before(match: Match, member: ast.stmt, name: str) -> bool:
    """Whether a statement that always runs before this one needs it not to be None: the assertion goes there first."""
    current: ast.AST = member
    while (statements := block(match, current)) is not None:
        index = next(index for index, each in enumerate(statements) if each is current)
        for each in reversed(statements[:index]):
            if name in walking.bound(each):
                return False
            if isinstance(each, _SIMPLE) and _computes(match, each, name):
                return True
        around = parent(match, current)
        if around is None or isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if isinstance(around, (ast.For, ast.While)) and name in walking.bound(around):
            return False
        current = around
    return False


def _by_local(match: Match, node: ast.Attribute) -> Fix | None:
    """``bias = self.bias`` and an ``assert`` before the statement, and ``bias`` in it."""
    member = statement(match)
    if not isinstance(member, _SIMPLE) or not movable(match, [member]) or block(match, member) is None:
        return None
    text = match.text(node)
    if "(" in text or "[" in text or not _is_steady(match, member, node):
        return None
    name = fresh(match, node.attr)
    reads = [
        each for each in walking.walk(member)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load) and ast.unparse(each) == ast.unparse(node)
    ]  # fmt: skip
    newline = match.source.newline
    start, end = whole_lines(match, [member])
    indent = indentation(lines(match, [member])[0])
    made, for_python = [f"{indent}{name} = {text}"], True
    imports: tuple[Edit, ...] = ()
    in_place = isinstance(member, ast.AugAssign) and ast.unparse(member.target) == ast.unparse(node)
    if not in_place and not any(evaluated([member], each) for each in reads):
        return None
    if not _asked(member, ast.unparse(node)):
        for_python = in_place or any(
            evaluated([member], each) and _attribute_forbids_none(match, each) for each in reads
        )
        lines_, imports = asserted(match, member, name, raises=for_python)
        made += lines_
    edits = [Edit(start, start, newline.join([*made, ""])), *(replace(match, each, name) for each in reads)]
    if in_place and isinstance(member, ast.AugAssign):
        edits += [replace(match, member.target, name), Edit(end, end, f"{newline}{indent}{text} = {name}")]
    return _for_certain(f"Take it in a variable that is not None, `{name}`", for_python, *edits, *imports)


def _attribute_forbids_none(match: Match, node: ast.Attribute) -> bool:
    around = walking.parents(match.file.tree).get(node)
    if isinstance(around, ast.Attribute):
        return not hasattr(None, around.attr)
    return isinstance(around, ast.Subscript) and around.value is node


def _is_steady(match: Match, member: ast.stmt, node: ast.Attribute) -> bool:
    """Whether an attribute reads the same before the statement as in it, and reading it does nothing else."""
    name = node.attr
    called = any(
        isinstance(each, (ast.Await, ast.NamedExpr)) or (isinstance(each, ast.Call) and not _is_torch(match, each))
        for each in walking.walk(member)
    )
    for owner in walking.walk(match.file.tree):
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if owner.name in (name, "__getattr__", "__getattribute__"):
                return False
            if called and owner.name != "__init__" and owner is not function(match) and _stores(owner, name):
                return False
    return True


def _is_torch(match: Match, call: ast.Call) -> bool:
    """Whether a call is of torch's own functions, which store no attributes."""
    return (full_name(match.file.tree, call.func) or "").startswith("torch.")


def _stores(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(each, ast.Attribute) and each.attr == name and not isinstance(each.ctx, ast.Load)
        for each in walking.walk(function)
    )


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
    step = step_of(match, member)
    made: list[str] = []
    for index, option in enumerate(options):
        test = f"isinstance({node.id}, {_WRITTEN[option] or f'{torch}.Tensor'})"
        word = "else:" if index == len(options) - 1 else f"{'elif' if index else 'if'} {test}:"
        made += [indent + word, *(step + line if line.strip() else line for line in text)]
    start, end = whole_lines(match, [member])
    return safe(f"Do it for each type of `{node.id}`", Edit(start, end, newline.join(made)), *imports)


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
    if len(nones) != 1 or several or not _is_dotted(nones[0]) or is_split(match, node):
        return None
    name, text = match.text(nones[0]), match.text(node)
    if _asked_around(match, node, name):
        return None  # it has not helped
    other = operands[1] if nones[0] is operands[0] else operands[0]
    if "NoneType" in types:
        new, closed = f"({text} if {name} is not None else {not equal})", ""
    else:
        new = f"{name} is not None and {text}" if equal else f"{name} is None or {text}"
        closed = new if isinstance(parent(match, node), (ast.If, ast.While)) else f"({new})"
    if isinstance(other, ast.Constant) and _is_plain(match, nones[0]):
        # No number and no text is equal to None.
        return safe("Ask first whether it is None", replace(match, node, closed or new))
    return either_fix(match, node, (closed and f"({new})") or new, "Ask first whether it is None")


def _asked_around(match: Match, node: ast.AST, name: str) -> bool:
    """Whether an expression around asks whether it is None already."""
    for each in walking.around(match.file.tree, node):
        if isinstance(each, ast.stmt):
            return False
        tests = [each.test] if isinstance(each, ast.IfExp) else each.values if isinstance(each, ast.BoolOp) else []
        for test in tests:
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
                if ast.unparse(test.left) == name:
                    return True
    return False


def _is_plain(match: Match, node: ast.expr) -> bool:
    """Whether reading a variable or attribute twice gives the same and does nothing else."""
    if isinstance(node, ast.Name):
        return True
    return isinstance(node, ast.Attribute) and not any(
        isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
        and each.name in (node.attr, "__getattr__", "__getattribute__")
        for each in walking.walk(match.file.tree)
    )


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
    if any(isinstance(each, ast.FunctionDef) and each.name in ("__eq__", "__ne__") for each in _all(match)):
        return None
    return unsafe(f"Write `{word} None`", Edit(start, end, f" {word} "), risks=(Risk.ASSUMES,))


def _all(match: Match) -> Sequence[ast.AST]:
    return walking.walk(match.file.tree)
