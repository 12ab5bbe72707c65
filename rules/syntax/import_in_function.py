"""# Import inside compiled code

## What it does

Finds `import` and `from … import` inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled code runs without Python and cannot import. The compiler looks up names in the file of the function when it
compiles the function.

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

If the module must not be imported early, move the import into a function marked `@torch.jit.unused` or
`@torch.jit.ignore`.

## Fix safety

The fix moves the import to module level. This is *safe* for torch and for small modules of the standard library. If the
file already has the same import at module level, the fix removes the second one, which is *safe*, too. For other
modules, the fix is only shown (*display*): the import would run when the file is imported, which may be slow or
circular, or fail if the package is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.removal import removed
from tslint.rulekit.import_place import new_import
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, safe
from tslint.rulekit.template import code
from tslint.rulekit.wording import listed
from tslint.script.dataflow.inner_imports import Standing, standing
from tslint.script.events.syntax import ImportStatement

RULE = Rule(code="TS105", name="import-in-function", events=(ImportStatement,))


def check(match: Match[ImportStatement]) -> Iterator[Finding]:
    """Report the import, with a fix that moves it to module level, or removes it if it is already there."""
    names = listed(match.event.bound)
    yield match.finding(
        f"{names} {'is' if len(match.event.bound) == 1 else 'are'} imported in a function: TorchScript has no `import`",
        help="Import at module level. Or move the code that needs the import into a function marked "
        "`@torch.jit.ignore`, which Python runs: the compiled module then cannot be saved.",
        fix=_move(match),
        keyword="from" if isinstance(match.node, cst.ImportFrom) else "import",
    )


def _move(match: Match) -> Fix | None:
    node, function = match.node, match.function
    if not isinstance(node, (cst.Import, cst.ImportFrom)) or match.line() is None or function is None:
        return None
    known = standing(match.file.tree, match.model(function), match.model(node))
    if known is Standing.REPEATED:
        return safe("Remove the second import", lambda: removed(match, node))
    made = safe if known is Standing.MOVABLE else display
    return made("Import at module level", lambda: [_at_the_top(match, node)], lambda: removed(match, node))


def _at_the_top(match: Match, node: cst.Import | cst.ImportFrom) -> Edit:
    """Return the edit that adds the import above the other imports of the file, on one row."""
    if not isinstance(node.names, cst.ImportStar):
        names = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in node.names]
        node = node.with_changes(names=names)
    if isinstance(node, cst.ImportFrom):
        node = node.with_changes(lpar=None, rpar=None)
    return new_import(match.source, match.file.tree, code(node))
