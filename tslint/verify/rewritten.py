"""Finds methods that assign attributes, which a trace loses (worker side)."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from tslint.verify.blame import is_users

_SETUP = ("__init__", "__setstate__", "reset_parameters", "train", "eval")


def rewritten(module: torch.nn.Module, name: str = "") -> Mapping[str, Any] | None:
    """Return the first line outside ``__init__`` that assigns to an attribute of ``self``.

    Args:
        module: the eager module.
        name: a buffer's, as in ``named_buffers``; empty for any attribute of any submodule.

    Returns:
        ``{"filename", "row"}`` and ``"attribute"``; None if there is no such line in the user's files.
    """
    if name:
        owner, _, attribute = name.rpartition(".")
        try:
            return next(_assignments(type(module.get_submodule(owner)), attribute), None)
        except AttributeError:
            return None
    for part in module.modules():
        found = next(_assignments(type(part), ""), None)
        if found:
            return found
    return None


def _assignments(cls: type, attribute: str) -> Iterator[Mapping[str, Any]]:
    for base in cls.__mro__:
        if base is torch.nn.Module:
            return
        try:
            filename = inspect.getsourcefile(base) or ""
            lines, first = inspect.getsourcelines(base)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError, IndexError):
            continue
        if not is_users(filename):
            continue
        for method in ast.walk(tree):
            if isinstance(method, ast.FunctionDef) and method.name not in _SETUP:
                for node, target in _targets(method):
                    if target in (attribute, attribute or target):
                        yield {"filename": filename, "row": max(first, 1) + node.lineno - 1, "attribute": target}


def _targets(method: ast.FunctionDef) -> Iterator[tuple[ast.stmt, str]]:
    for node in ast.walk(method):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets = [node.target]
        for target in targets:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            for part in parts:
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
                    assert isinstance(node, ast.stmt)
                    yield node, part.attr
