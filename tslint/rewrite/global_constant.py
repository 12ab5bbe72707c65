"""How a global constant gets into compiled code: declared in the class, read through its module, or written out."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.base_method import derived
from tslint.rewrite.statements import function, own_class, replace, self_name
from tslint.rewrite.when_compiled import either, is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.scopes import bound_times, module_bindings

_BASES = frozenset(["nn.Module", "torch.nn.Module", "Module"])
_SCALARS = frozenset(["int", "float", "bool", "str"])
_OTHERS = frozenset(["dtype", "device"])


def assignment(match: Match, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The statement of this file that gives a global its value."""
    for statement in match.file.tree.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            assert isinstance(statement, (ast.Assign, ast.AnnAssign))
            return statement
    return None


def constant_fix(match: Match, name: str) -> Fix | None:
    """The mend for a bare global; None where it is no plain name of this file, or no constant."""
    node = match.event.node
    # A variable that holds it has another name.
    if not isinstance(node, ast.Name) or node.id != name:
        return None
    statement = assignment(match, name)
    if statement is None:
        readable = match.event.facts["type_name"] in _SCALARS | _OTHERS | {"layout", "memory_format"}
        return _through_module(match, node) if readable else None
    return _in_class(match, node, statement) or _literal(match, node, statement)


def _through_module(match: Match, node: ast.Name) -> Fix | None:
    """``from math import pi`` → ``math.pi``."""
    for statement in match.file.tree.body:
        if not isinstance(statement, ast.ImportFrom) or statement.level or not statement.module:
            continue
        for alias in statement.names:
            if (alias.asname or alias.name) == node.id:
                module, imports = match.imported(statement.module)
                if any(
                    isinstance(s, ast.ImportFrom) and s is not statement and _binds(s, module)
                    for s in match.file.tree.body
                ):
                    return None
                root = module.partition(".")[0]
                if is_local(match, module) or (imports and root in module_bindings(match.file.tree)):
                    return None
                text = f"{module}.{alias.name}"
                if statement.module == "math" and module_bindings(match.file.tree).get(node.id) == 1:
                    return safe("Read it through its module", replace(match, node, text), *imports)
                # What the module says now need not be what was imported.
                return either(match, node, text, "Read it through its module where it is compiled", *imports)
    return None


def _binds(statement: ast.ImportFrom, name: str) -> bool:
    return any((alias.asname or alias.name) == name for alias in statement.names)


def _in_class(match: Match, node: ast.Name, statement: ast.Assign | ast.AnnAssign) -> Fix | None:
    """Declare the constant in the class that holds the method, and read it from the instance."""
    owner, itself = own_class(match), self_name(match)
    type_name = match.event.facts["type_name"]
    if owner is None or itself is None or owner not in match.file.tree.body or type_name not in _SCALARS | _OTHERS:
        return None
    future = any(
        isinstance(s, ast.ImportFrom) and s.module == "__future__" and any(a.name == "annotations" for a in s.names)
        for s in match.file.tree.body
    )
    if future or statement.lineno > owner.lineno:
        # Class annotations that are texts declare nothing to the compiler.
        return None
    if not _stays(match, owner, node.id, itself):
        return None
    use = replace(match, node, f"{itself}.{node.id}")
    held = _held(owner, node.id)
    if held is True:
        return safe(f"Read the class's constant `{node.id}`", use)
    # The annotations of a derived class hide those of its bases from the compiler.
    if held is False or not owner.bases or any(ast.unparse(base) not in _BASES for base in owner.bases):
        return None
    final, imports = match.imported("typing", "Final")
    declared = f"{final}[{type_name}]" if type_name in _SCALARS else final
    return safe(
        f"Declare `{node.id}` a constant of the class",
        use,
        _declare(match, owner, f"{node.id}: {declared} = {node.id}"),
        *imports,
    )


def _stays(match: Match, owner: ast.ClassDef, name: str, itself: str) -> bool:
    """Whether a global keeps its value, and an instance has nothing else under its name."""
    tree, held = match.file.tree, function(match)
    if module_bindings(tree).get(name) != 1 or name in OF_MODULES or owner.decorator_list or owner.keywords:
        return False
    if held is None or bound_times(held, itself) != 1:
        return False
    for child in walking.walk(tree):
        if isinstance(child, ast.Attribute) and child.attr == name and not isinstance(child.ctx, ast.Load):
            return False
        if isinstance(child, ast.Constant) and child.value == name:
            return False  # `setattr(…, "NAME", …)`, `globals()["NAME"]`
    return all(_held(each, name) is None for each in derived(match, owner))


def _held(owner: ast.ClassDef, name: str) -> bool | None:
    """Whether the class declares the name as a constant already; False where it means something else by it."""
    for statement in owner.body:
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.target.id == name
        ):
            return "Final" in ast.unparse(statement.annotation)
        if isinstance(statement, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == name for t in statement.targets
        ):
            return False
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == name:
            return False
    for child in walking.walk(owner):
        if isinstance(child, ast.Attribute) and child.attr == name:
            return False
    return None


def _declare(match: Match, owner: ast.ClassDef, text: str) -> Edit:
    """A line at the top of the class's body, after its docstring."""
    body = owner.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    first = body[1] if documented else body[0]
    rows = [first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]
    line = match.source.lines[min(rows) - 1]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    newline = match.source.newline
    gap = "" if isinstance(first, (ast.Assign, ast.AnnAssign)) else newline
    at = Position(min(rows), 1)
    return Edit(at, at, f"{indent}{text}{newline}{gap}")


def _literal(match: Match, node: ast.Name, statement: ast.Assign | ast.AnnAssign) -> Fix | None:
    value = statement.value
    plain = value.operand if isinstance(value, ast.UnaryOp) else value
    if value is None or not isinstance(plain, ast.Constant) or value.end_lineno != value.lineno:
        return None
    text = match.text(value)
    return either(match, node, text, f"Write {text} where it is compiled")
