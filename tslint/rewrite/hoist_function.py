"""A function that is defined inside another one, defined once at module level or in the class."""

from __future__ import annotations

import ast
import builtins
import textwrap

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.inline_function import is_one
from tslint.rewrite.spans import alone_on_its_lines, parent, remove_statement, replace, spans_rows
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.scopes import bindings, free, module_bindings


def to_module(match: Match, around: ast.FunctionDef, node: ast.FunctionDef) -> Fix | None:
    """Define a function that takes nothing from the one around it at module level, above what holds it."""
    tree = match.file.tree
    top = next(each for each in tree.body if each.lineno <= node.lineno <= (each.end_lineno or 0))
    if not _movable(match, around, node) or free(node) & bindings(around) or parent(match, node) is not around:
        return None
    if _mentioned(match, around, node.name) or hasattr(builtins, node.name) or not _defined_above(match, node, top):
        return None
    names = {each.attr for each in walking.walk(node) if isinstance(each, ast.Attribute)} | free(node)
    if any(each.startswith("__") and not each.endswith("__") for each in names):
        return None  # a name that its class makes private
    first = min([top.lineno, *(decorator.lineno for decorator in getattr(top, "decorator_list", []))])
    newline = match.source.newline
    lines = match.source.lines[node.lineno - 1 : node.end_lineno]
    text = textwrap.dedent("".join(lines)).rstrip() + 3 * newline
    edit = match.insert(Position(first, 1), text)
    return safe(f"Move `{node.name}` to module level", edit, remove_statement(match, node))


def as_method(match: Match, around: ast.FunctionDef, node: ast.FunctionDef) -> Fix | None:
    """Make a local function that needs nothing but ``self`` a method."""
    owner = next(
        (c for c in walking.around(match.file.tree, around) if isinstance(c, ast.ClassDef) and around in c.body),
        None,
    )
    itself = around.args.args[0].arg if around.args.args else ""
    name = "_" + node.name.lstrip("_")
    if owner is None or owner not in match.file.tree.body or itself != "self" or around.decorator_list:
        return None
    own = {each.arg for each in walking.walk(node.args) if isinstance(each, ast.arg)}
    if not _movable(match, around, node) or free(node) & bindings(around) - {itself} or itself in bindings(node) | own:
        return None
    if name in OF_MODULES or _mentioned(match, around, name) or _mentioned(match, around, node.name):
        return None
    if not _defined_above(match, node, owner) or not _is(match, around, itself):
        return None
    edits: list[Edit] = [remove_statement(match, node)]
    for each in walking.walk(around):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == node.name:
            if any(isinstance(outer, ast.JoinedStr) for outer in walking.around(match.file.tree, each)):
                return None
            edits.append(replace(match, each.func, f"{itself}.{name}"))
    lines = match.source.lines[node.lineno - 1 : node.end_lineno]
    outer_column = around.col_offset
    moved = [line[node.col_offset - outer_column :] if line.strip() else line for line in lines]
    head, found, rest = moved[0].partition(f"def {node.name}(")
    if not found:
        return None
    comma = "" if not (node.args.args or node.args.kwonlyargs) else ", "
    text = head + f"def {name}({itself}{comma}" + rest + "".join(moved[1:]).rstrip() + 2 * match.source.newline
    first = min([around.lineno, *(decorator.lineno for decorator in around.decorator_list)])
    return safe(f"Make `{node.name}` a method", match.insert(Position(first, 1), text), *edits)


def _movable(match: Match, around: ast.FunctionDef, node: ast.FunctionDef) -> bool:
    """Whether a function is the same whenever it is defined, and is called and nothing else."""
    if node.decorator_list or spans_rows(node) or not alone_on_its_lines(match, node) or len(around.body) < 2:
        return False
    defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
    if not all(isinstance(each, ast.Constant) for each in defaults) or node.args.vararg or node.args.posonlyargs:
        return False
    if {"super", "__class__", node.name} & free(node) or not is_one(match, around, node.name, node):
        return False
    inner = walking.walk(node)
    if any(isinstance(each, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)) for each in inner):
        return False
    called = {id(each.func) for each in walking.walk(around) if isinstance(each, ast.Call)}
    uses = [each for each in walking.walk(around) if isinstance(each, ast.Name) and each.id == node.name]
    return bool(uses) and all(id(each) in called and not _in_function(match, each, around) for each in uses)


def _in_function(match: Match, node: ast.AST, around: ast.FunctionDef) -> bool:
    for each in walking.around(match.file.tree, node):
        if each is around:
            return False
        if isinstance(each, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return True
    return True


def _mentioned(match: Match, around: ast.FunctionDef, name: str) -> bool:
    """Whether a name means something elsewhere in the file, or a text may be it."""
    inner = {id(each) for each in walking.walk(around)}
    own = (ast.Name, ast.FunctionDef, ast.ClassDef)
    return any(
        id(each) not in inner if isinstance(each, own) else isinstance(each, (ast.Attribute, ast.alias, ast.Constant))
        for each in walking.mentions(match.file.tree).get(name, ())
    )


def _defined_above(match: Match, node: ast.FunctionDef, top: ast.stmt) -> bool:
    """Whether the names of the annotations are there where the function would be defined."""
    tree = match.file.tree
    if any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in tree.body):
        return True
    spec = node.args
    arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *([spec.kwarg] if spec.kwarg else [])]
    written = [each.annotation for each in arguments if each.annotation is not None]
    written += [node.returns] if node.returns is not None else []
    names = {each.id for one in written for each in walking.walk(one) if isinstance(each, ast.Name)}
    position = next((index for index, each in enumerate(tree.body) if each is top), 0)
    above = module_bindings(ast.Module(body=tree.body[:position], type_ignores=[]))
    return all(name in above or hasattr(builtins, name) for name in names)


def _is(match: Match, around: ast.FunctionDef, itself: str) -> bool:
    """Whether ``self`` stays what it is, also in the comprehensions of the function."""
    inner = (each for each in walking.walk(around) if isinstance(each, ast.Name) and each.id == itself)
    return all(isinstance(each.ctx, ast.Load) for each in inner)
