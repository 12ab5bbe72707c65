"""Reads the declarations of functions in a random module."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator


def has_undefined(text: str) -> bool:
    """Return whether a parameter of a ``forward`` is None by default and has no annotation: an undefined tensor."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    pairs = [pair for f in functions if f.name == "forward" for pair in zip(f.args.args[::-1], f.args.defaults[::-1])]
    return any(arg.annotation is None and ast.unparse(default) == "None" for arg, default in pairs)


def inputs(text: str) -> set[str]:
    """Return the parameters of all functions called ``forward``."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    return {arg.arg for each in functions if each.name == "forward" for arg in each.args.args} - {"self"}


def types(text: str, name: str) -> list[str | None]:
    """Return the annotations of a parameter of all functions called ``forward``."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    found = [arg for each in functions if each.name == "forward" for arg in each.args.args if arg.arg == name]
    return [ast.unparse(arg.annotation) if arg.annotation else None for arg in found]


def returns_list(text: str) -> bool:
    """Return whether a ``forward`` is annotated to return a list, so that the compiler converts a tuple to one."""
    tree = ast.parse(text, type_comments=True)
    forwards = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "forward"]
    said = [ast.unparse(each.returns) for each in forwards if each.returns is not None]
    said += [each.type_comment.partition("->")[2].strip() for each in forwards if each.type_comment]
    return any(re.match(r"(\w+\.)?(List|list)\[", each) for each in said)


def keeps_state(text: str) -> bool:
    """Return whether a method other than a constructor may change what the instance stores: a call then may depend on
    earlier ones.
    """
    methods = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    return any(
        isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del))
        for method in methods
        if method.name != "__init__"
        for node in ast.walk(method)
    )


def has_whole_float(text: str) -> bool:
    """Return whether a parameter that is annotated as float has an int default: compiled code converts it
    to a float.
    """
    return any(
        annotation == "float" and isinstance(default, ast.Constant) and type(default.value) is int
        for annotation, default in _defaults(text)
    )


def has_tuple_for_list(text: str) -> bool:
    """Return whether a parameter that is annotated as a list has a tuple as its default: compiled code makes a list of
    it.
    """
    return any(
        annotation.startswith("List[") and isinstance(default, ast.Tuple) for annotation, default in _defaults(text)
    )


def _defaults(text: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the annotation and the default of each parameter that has both."""
    for each in ast.walk(ast.parse(text)):
        if isinstance(each, ast.FunctionDef):
            for argument, default in zip(each.args.args[::-1], each.args.defaults[::-1]):
                if argument.annotation is not None:
                    yield ast.unparse(argument.annotation), default


def present(annotation: str | None) -> str | None:
    """Return an annotation without ``Optional[…]`` around it: adding None does not change which values are rejected."""
    outer = ast.parse(annotation, mode="eval").body if annotation is not None else None
    if isinstance(outer, ast.Subscript) and ast.unparse(outer.value).rpartition(".")[2] == "Optional":
        return ast.unparse(outer.slice)
    return annotation


def annotations(text: str) -> Counter[str]:
    """Count the annotations in a text."""
    found: Counter[str] = Counter()
    for each in ast.walk(ast.parse(text)):
        if isinstance(each, ast.arg) and each.annotation is not None:
            found[f"{each.arg}: {ast.unparse(each.annotation)}"] += 1
        elif isinstance(each, ast.AnnAssign):
            found[f"{ast.unparse(each.target)}: {ast.unparse(each.annotation)}"] += 1
        elif isinstance(each, ast.FunctionDef) and each.returns is not None:
            found[f"{each.name}: {ast.unparse(each.returns)}"] += 1
    return found
