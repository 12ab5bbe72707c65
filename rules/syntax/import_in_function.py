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

Moving the import to module level is *unsafe*: it then runs when the module is imported, which may be slow, circular,
or fail where the package is missing. Where the module has the same import already, removing the inner one is *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix, Position
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.syntax._common import alone_on_its_lines, at_keyword, remove_statement

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
    if not alone_on_its_lines(match, node):
        return None
    if any(ast.dump(statement) == ast.dump(node) for statement in match.border.tree.body):
        return safe("Remove the second import", remove_statement(match, node))
    row = Position(match.import_row(), 1)
    return unsafe(
        "Import at module level",
        match.insert(row, ast.unparse(node) + match.source.newline),
        remove_statement(match, node),
    )
