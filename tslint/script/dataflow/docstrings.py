"""Reads the types of parameters in a function's docstring, in the formats of Google, numpy and Sphinx."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.type_text import parsed

_FORMS = (
    r"^\s*{name} ?\((?P<type>.*?)\)\s*:",
    r"^\s*{name} : *(?P<type>.*)$",
    r"^\s*:type {name}: *(?P<type>.*)$",
    r"^\s*:param (?P<type>.*) {name}:",
    r"^\s*{name} ?: *(?P<type>[Aa]n? \w+ or an? \w+)\b",
)
_WORDS = {
    "str": "str", "string": "str", "int": "int", "integer": "int", "float": "float", "double": "float",
    "number": "number", "scalar": "number", "bool": "bool", "boolean": "bool", "list": "List", "sequence": "List",
    "iterable": "List", "tuple": "Tuple", "dict": "Dict", "dictionary": "Dict", "mapping": "Dict", "tensor": "Tensor",
    "callable": "callable", "function": "callable", "module": "module",
}  # fmt: skip
_TAKEN = {"float": {"float", "int", "number"}, "List": {"List", "Tuple"}, "Tuple": {"List", "Tuple"}}
_PLAIN = frozenset(["int", "float", "bool", "str"])
_LISTED = re.compile(r"(?:list|tuple|sequence|iterable)(?:\[| of )(?P<item>int|integer|float|str|string|bool)s?\]?")
# Many authors write ``n: (int) number of …``; in this form, tensors and lists are often confused.
_BEFORE_TEXT = r"^\s*{name} ?: *\((?P<type>\w+)\)"
# These parts of a type describe the value or its elements.
_REST = re.compile(r"\bnumber of\b.*|\bof\b.*|\bdefault.*|\[.*|[;.=]\s.*")


def says_otherwise(function: FunctionNode, name: str, type_: str) -> bool:
    """Return whether a function's docstring says that a parameter may have a value of another type.

    Args:
        function: the function.
        name: the parameter.
        type_: the type, as an annotation.
    """
    kind = parsed(type_).name
    return bool(documented(function, name) - _TAKEN.get(kind, {kind}))


def plain_types(function: FunctionNode, name: str) -> set[str]:
    """Return the type that a function's docstring names for a parameter, if it is a number, a bool or a string."""
    said = documented(function, name, (*_FORMS, _BEFORE_TEXT))
    return said if len(said) == 1 and said <= _PLAIN else set()


def listed_types(function: FunctionNode, name: str) -> set[str]:
    """Return the type of a list that a function's docstring names for a parameter, with the type of its items:
    ``List[int]`` for "list[int]", "tuple[int]" and "sequence of ints".
    """
    found = _LISTED.fullmatch(_said(function, name, _FORMS).strip().lower())
    return {f"List[{_WORDS[found['item']]}]"} if found is not None else set()


def documented(function: FunctionNode, name: str, forms: Sequence[str] = _FORMS) -> set[str]:
    """Return the types that the docstring names for a parameter: ``List`` for "sequence of ints"; empty if none."""
    words = re.findall(r"[a-z]+", _REST.sub("", _said(function, name, forms).lower()))
    return {_WORDS[each] for each in words if each in _WORDS}


def _said(function: FunctionNode, name: str, forms: Sequence[str]) -> str:
    """Return what the docstring says of a parameter's type; empty if nothing."""
    text = ast.get_docstring(function) or ""
    if name not in text:
        return ""
    found = (re.search(form.format(name=re.escape(name)), text, re.MULTILINE) for form in forms)
    return next((each["type"] for each in found if each is not None), "")
