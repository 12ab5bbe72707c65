"""# Import inside compiled code

## What it does

Finds `import` and `from … import` inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled code runs without Python and cannot import. Names are resolved in the function's module when it is compiled.

```text
import statements aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        import math

        return x * math.pi


inputs = (torch.rand(3),)
```

## Use instead

```python
import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * math.pi


inputs = (torch.rand(3),)
```

An import that must not happen early goes into a function marked `@torch.jit.unused` or `@torch.jit.ignore`.

## Fix safety

Moving the import of a small module of the standard library to module level is *safe*, and so is removing one that the
module has already. Of others that is only shown: the import would run when the module is imported, which may be slow,
circular, or fail where the package is missing.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from importlib import import_module

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.spans import alone_on_its_lines, at_keyword, compiled_function, remove_statement
from tslint.rulekit.imports import import_row
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, safe
from tslint.script.dataflow.scopes import before_all, bound_times, module_bindings, peeps

# Modules that import quickly, depend on nothing, and keep what they hold.
_STANDARD = frozenset(
    "abc collections contextlib copy dataclasses enum functools itertools json logging math numbers operator os random "
    "re string time typing warnings".split()
)
_TORCH = frozenset(["torch", "torch.nn", "torch.nn.functional"])

RULE = Rule(code="TS105", name="import-in-function", events=("import-statement",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the keyword; offer to move the import to the top."""
    node = match.event.node
    names = ", ".join(f"`{name}`" for name in match.event.facts["names"])
    yield at_keyword(
        match,
        "from" if isinstance(node, ast.ImportFrom) else "import",
        f"{names} is imported inside compiled code",
        "Import at module level, or keep the import in a function marked `@torch.jit.unused` or `@torch.jit.ignore`.",
        _move(match, node),
    )


def _move(match: Match, node: ast.AST) -> Fix | None:
    function = compiled_function(match)
    if not alone_on_its_lines(match, node) or not isinstance(node, (ast.Import, ast.ImportFrom)) or function is None:
        return None
    names = [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    uses = [each for each in walking.walk(function) if isinstance(each, ast.Name) and each.id in names]
    once = all(bound_times(function, name) == 1 for name in names)
    if not once or peeps(function) or not before_all(match.file.tree, node, uses):
        return display("Import at module level", *_edits(match, node))
    if _is_there(match, node, names, function):
        return safe("Remove the second import", remove_statement(match, node))
    known = all(_always_there(match, node, alias.name) for alias in node.names)
    if known and not any(_used_elsewhere(match, function, name) for name in names):
        return safe("Import at module level", *_edits(match, node))
    # It may be slow or circular there, or miss its package.
    return display("Import at module level", *_edits(match, node))


def _edits(match: Match, node: ast.AST) -> tuple[Edit, Edit]:
    row = Position(import_row(match.source, match.file.tree), 1)
    return match.insert(row, ast.unparse(node) + match.source.newline), remove_statement(match, node)


def _is_there(match: Match, node: ast.Import | ast.ImportFrom, names: list[str], function: ast.FunctionDef) -> bool:
    """Whether the file imports the same before the function, and binds its names to nothing else.

    What is imported from a module of the author's may be another value by the time the function runs.
    """
    counts = module_bindings(match.file.tree)
    fixed = isinstance(node, ast.Import) or (node.module or "").partition(".")[0] in _STANDARD | {"torch"}
    return (
        fixed
        and any(
            ast.dump(statement) == ast.dump(node) and statement.lineno < function.lineno
            for statement in match.file.tree.body
        )
        and all(counts.get(name) == 1 for name in names)
    )


def _always_there(match: Match, node: ast.Import | ast.ImportFrom, name: str) -> bool:
    """Whether an import cannot fail, takes no time, and finds the same at any moment."""
    if isinstance(node, ast.Import):
        return name in _STANDARD or (name in _TORCH and _imports_torch(match))
    if node.level or node.module is None:
        return False
    if node.module in _STANDARD:
        return hasattr(import_module(node.module), name)
    return f"{node.module}.{name}" in _TORCH | {"torch.Tensor"} and _imports_torch(match)


def _imports_torch(match: Match) -> bool:
    return any(
        (isinstance(each, ast.Import) and any(alias.name.partition(".")[0] == "torch" for alias in each.names))
        or (isinstance(each, ast.ImportFrom) and not each.level and (each.module or "").partition(".")[0] == "torch")
        for each in match.file.tree.body
    )


def _used_elsewhere(match: Match, function: ast.FunctionDef, name: str) -> bool:
    """Whether the name has a meaning outside of the function."""
    inner = {id(each) for each in walking.walk(function)}
    for each in match.file.tree.body:
        if isinstance(each, ast.ImportFrom) and any(alias.name == "*" for alias in each.names):
            if each.level or each.module not in _STANDARD or hasattr(import_module(each.module), name):
                return True
    return hasattr(builtins, name) or any(
        (isinstance(each, ast.Name) and each.id == name and id(each) not in inner)
        or ((isinstance(each, ast.alias) and (each.asname or each.name).partition(".")[0] == name)
        and id(each) not in inner)
        or (isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each.name == name)
        for each in walking.walk(match.file.tree)
    )  # fmt: skip
