"""What several rules of this family need: loops, fresh names, and expressions compared."""

from __future__ import annotations

import ast

from tslint.rewrite.fresh_names import fresh_name, module_name, singular, stored_once
from tslint.rewrite.loops import (
    Loop,
    acts_before,
    evaluated,
    every_turn,
    folded,
    leaves_turn,
    loop_of,
    loop_over,
    loops_around,
    moved_right,
    one_step,
    raised_after,
    raised_before,
    read_after,
)
from tslint.rewrite.spans import compiled_function, parent, place, replace


def same(a: ast.AST, b: ast.AST) -> bool:
    """Whether two expressions are the same text but for white space."""
    return ast.dump(a) == ast.dump(b)


def called(node: ast.AST, name: str, arguments: int = 1) -> list[ast.expr] | None:
    """The arguments of a plain call of a builtin."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
        if len(node.args) == arguments and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args):
            return node.args
    return None


__all__ = [
    "Loop",
    "acts_before",
    "called",
    "compiled_function",
    "evaluated",
    "every_turn",
    "folded",
    "fresh_name",
    "leaves_turn",
    "loop_of",
    "loop_over",
    "loops_around",
    "module_name",
    "moved_right",
    "one_step",
    "parent",
    "place",
    "raised_after",
    "raised_before",
    "read_after",
    "replace",
    "same",
    "singular",
    "stored_once",
]
