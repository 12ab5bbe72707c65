"""Runs tslint on a text for tests of rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.rules.pages import TARGET
from tslint.config import Settings
from tslint.diagnostics import Diagnostic
from tslint.lint.analysis import analyse
from tslint.sources.file import SourceFile

HERE = Path("/example/page.py")
_SKIPPED = ("ignore", "unused", "overload")


@cache
def findings(text: str) -> tuple[Diagnostic, ...]:
    """Return tslint's findings in a text, before suppression and selection; its first line may name the target.

    Fixes that are a last resort are left out; ``test_aside.py`` tests them.
    """
    target = TARGET.match(text)
    settings = Settings(target_torch=target[1] if target is not None else None)
    found = analyse([SourceFile(HERE, text)], settings=settings)[HERE]
    # A rule that raises finds nothing: a test that expects nothing would pass.
    assert not [each.message for each in found if each.code == "TS900"]
    return tuple(replace(each, fix=None) if each.fix is not None and each.fix.last_resort else each for each in found)


def compiled_functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """Yield functions and methods that the compiler may read, and whether they are methods."""
    for statement in tree.body:
        for node in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
                decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
                if not any(word in decorator for decorator in decorators for word in _SKIPPED):
                    yield node, isinstance(statement, ast.ClassDef)
