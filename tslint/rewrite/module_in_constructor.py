"""Modules of the file's own without parameters, made once in the constructor instead of in every call."""

from __future__ import annotations

import ast
import re

from tslint import walking
from tslint.diagnostics import Fix, Position
from tslint.rewrite.base_method import classes, method_of
from tslint.rewrite.statements import alone_on_its_lines, indentation, own_class, self_name
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.scopes import module_bindings

_BASES = frozenset(["nn.Module", "torch.nn.Module", "Module"])
# A module more shows in these.
_LISTING = frozenset(["children", "named_children", "modules", "named_modules", "_modules", "apply"])


def in_constructor(match: Match, made: ast.Call, outer: ast.AST | None) -> Fix | None:
    """Move the construction of a module that holds nothing, and that is called where it is made, to ``__init__``."""
    owner, itself = own_class(match), self_name(match)
    if not isinstance(outer, ast.Call) or outer.func is not made or owner is None or itself is None:
        return None
    if not isinstance(made.func, ast.Name) or owner not in match.file.tree.body:
        return None
    kind, constructor = classes(match).get(made.func.id), method_of(owner, "__init__")
    if kind is None or constructor is None or not _holds_nothing(kind):
        return None
    given = [*made.args, *(keyword.value for keyword in made.keywords)]
    if not all(isinstance(each, ast.Constant) for each in given):
        return None
    first = next((each for each in constructor.body if _is_super(each)), None)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.name).lower().lstrip("_")
    tree = match.file.tree
    used = {each.attr for each in walking.walk(tree) if isinstance(each, ast.Attribute)}
    used |= {getattr(each, "name", "") or "" for each in walking.walk(tree)}
    if first is None or name in used | OF_MODULES or not name.isidentifier() or used & _LISTING:
        return None
    if module_bindings(tree).get(kind.name) != 1 or any(not _is_plain(base) for base in owner.bases):
        return None
    if first.end_lineno is None or not alone_on_its_lines(match, first):
        return None
    indent = indentation(match.source.lines[first.lineno - 1])
    line = f"{indent}{constructor.args.args[0].arg}.{name} = {match.text(made)}{match.source.newline}"
    at = Position(first.end_lineno + 1, 1)
    text = f"{itself}.{name}{match.text(outer)[len(match.text(made)) :]}"
    # Python makes one in every call: one that `eval()` has reached may compute something else.
    return either(
        match, outer, text, f"Call one that is made in `__init__`, `{itself}.{name}`, where it is compiled",
        match.insert(at, line),
    )  # fmt: skip


def _is_plain(base: ast.expr) -> bool:
    return ast.unparse(base) in _BASES


def _is_super(statement: ast.stmt) -> bool:
    text = ast.unparse(statement)
    return text.startswith("super(") and text.endswith(".__init__()")


def _holds_nothing(kind: ast.ClassDef) -> bool:
    """Whether a class has no parameters, buffers or submodules: its constructor keeps names and constants.

    Nor does it ask whether it is in training: one that is made in a call always is.
    """
    if any(isinstance(each, ast.Attribute) and each.attr == "training" for each in walking.walk(kind)):
        return False
    if len(kind.bases) != 1 or ast.unparse(kind.bases[0]) not in _BASES:
        return False
    made = method_of(kind, "__init__")
    for statement in made.body if made is not None else ():
        documented = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        plain = isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Name, ast.Constant))
        if not (documented or plain or _is_super(statement) or isinstance(statement, ast.Pass)):
            return False
    # What it keeps on itself while it runs would outlive the call.
    stored = (
        each
        for item in kind.body
        if item is not made
        for each in walking.walk(item)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    )
    return not any(stored)
