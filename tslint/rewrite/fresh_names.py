"""Names for the variables that fixes bring in."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable

from tslint import walking
from tslint.rewrite.loops import Loop
from tslint.rewrite.spans import compiled_function, parent
from tslint.rulekit.match import Match


def fresh_name(match: Match, wished: str, taken: Iterable[str] = ()) -> str:
    """A name that the function does not use yet."""
    function = compiled_function(match)
    nodes = list(walking.walk(function)) if function is not None else []
    used = {node.id for node in nodes if isinstance(node, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    used |= {*taken, *keyword.kwlist, *dir(builtins)}
    name, number = wished, 2
    while name in used:
        name, number = f"{wished}_{number}", number + 1
    return name


def module_name(match: Match, loop: Loop, path: ast.expr, taken: Iterable[str] = ()) -> str:
    """A name for the modules of a container in a loop that is to go over them.

    A module cannot be assigned again in an inner block, so loops of one function share a name only where they stand in
    one block; the fixes of all of them may be applied at once.
    """
    function = compiled_function(match)
    one = singular(path)
    rivals: list[ast.AST] = []
    for node in walking.walk(function) if function is not None else ():
        if isinstance(node, (ast.For, ast.ListComp, ast.DictComp, ast.GeneratorExp)):
            uses = [n for n in walking.walk(node) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name)]
            if any(singular(use.value) == one for use in uses) or node is loop.node:
                rivals.append(node)
    rivals.sort(key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
    blocks = {id(parent(match, rival)) if isinstance(rival, ast.For) else id(rival) for rival in rivals}
    names: list[str] = []
    for _ in range(rivals.index(loop.node) + 1 if len(blocks) > 1 else 1):
        names.append(fresh_name(match, one, [*taken, *names]))
    return names[-1]


def singular(path: ast.expr) -> str:
    """What one of ``self.layers`` is called."""
    name = path.attr if isinstance(path, ast.Attribute) else path.id if isinstance(path, ast.Name) else "module"
    name = name.strip("_").removesuffix("_list").removesuffix("List") or "module"
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith("s") and not name.endswith(("ss", "us")) and len(name) > 2:
        return name[:-1]
    return name if name.isidentifier() and name != getattr(path, "attr", "") else f"one_{name}"


def stored_once(match: Match, name: str) -> bool:
    """Whether the function binds a name in one place only."""
    function = compiled_function(match)
    nodes = walking.walk(function) if function is not None else iter(())
    return sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes) == 1
