"""Finds methods that assign to attributes: a trace does not record such assignments (worker side)."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from tslint.verify.blame import is_users

_EVERY_MODULE = frozenset(vars(torch.nn.Module()))
_SETUP = ("__init__", "__setstate__", "reset_parameters", "train", "eval")


def rewritten(module: torch.nn.Module, name: str = "") -> Mapping[str, Any] | None:
    """Return the first line that assigns to an attribute of ``self``, outside ``__init__``, ``train`` and similar.

    Args:
        module: the eager module.
        name: the name of an attribute, as in ``named_buffers``; empty for any attribute of any submodule.

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


Kept = Mapping[str, Mapping[str, Any]]
"""The buffers and the author's other attributes, by submodule."""


def kept(module: torch.nn.Module) -> Kept:
    """Return copies of the buffers of a module and its submodules, and the values of their other attributes."""
    return {path: dict(_values(part)) for path, part in module.named_modules()}


def changed_since(before: Kept, module: torch.nn.Module) -> str:
    """Return the first attribute whose value has changed, as in ``layer.cache``, or an empty string."""
    for path, part in module.named_modules():
        for name, value in _values(part):
            if not _same(before.get(path, {}).get(name), value):
                return f"{path}.{name}" if path else name
    return ""


def _values(part: torch.nn.Module) -> Iterator[tuple[str, Any]]:
    for name, buffer in part.named_buffers(recurse=False):
        yield name, buffer.detach().clone()
    for name, value in vars(part).items():
        if name not in _EVERY_MODULE:
            yield name, value


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one is other or (one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other))
    return one is other


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
