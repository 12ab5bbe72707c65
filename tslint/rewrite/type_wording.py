"""What the rules about types share: types in the author's words, where a type came from, and annotations as edits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Position
from tslint.rulekit.match import Match
from tslint.script.events import Span

_WORD = re.compile(r"[A-Za-z_][\w.<>]*")
_TYPING = frozenset(["List", "Dict", "Tuple", "Optional", "Union", "Any"])
_PLAIN = frozenset(["int", "float", "bool", "str", "complex"])
_LONGEST = 48


def place(match: Match, node: ast.AST) -> tuple[Position, Position]:
    """Where an ``ast`` node stands."""
    return match.file.span(Span.of(node))


def replace(match: Match, node: ast.AST, content: str) -> Edit:
    """Put text in the place of an ``ast`` node."""
    return Edit(*place(match, node), content)


def quote(match: Match, node: ast.AST) -> str:
    """An expression as the author wrote it, on one line and not too long, in backticks."""
    text = " ".join(match.text(node).split())
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"


def row(match: Match, node: ast.AST) -> int:
    """The line that a node begins on."""
    return place(match, node)[0].row


def said(type_: str) -> str:
    """A type as an author would name it."""
    text = type_.replace(" (inferred)", "").replace("Device", "torch.device").replace("?", "…")
    text = re.sub(r"\bNoneType\b", "None", text)
    return re.sub(r"\b__torch__\.(?:\w+\.)*", "", text)


def a(type_: str) -> str:
    """A type with its article: ``an int``, ``a Tensor``, ``None``."""
    text = said(type_)
    if text == "None" or "[" in text:
        return text
    return f"{'an' if text[0] in 'aeiouAEIOU' else 'a'} {text}"


def optional_inside(type_: str) -> str | None:
    """``T`` of ``Optional[T]``."""
    return type_[len("Optional[") : -1] if type_.startswith("Optional[") else None


def elements(type_: str) -> list[str]:
    """``A`` and ``B[C, D]`` of ``Tuple[A, B[C, D]]``; empty for what is no tuple."""
    if not type_.startswith("Tuple["):
        return []
    found, depth = [""], 0
    for character in type_[len("Tuple[") : -1]:
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [each.strip() for each in found]


def function(match: Match) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The compiled function that holds the event."""
    return match.event.unit.function.node if match.event.unit is not None else None


def inside(match: Match) -> Iterator[ast.AST]:
    """Every node of the compiled function."""
    node = function(match)
    if node is not None:
        yield from walking.walk(node)


def parent(match: Match, node: ast.AST) -> ast.AST | None:
    """The node right around another one."""
    for candidate in inside(match):
        if any(child is node for child in walking.children(candidate)):
            return candidate
    return None


def unannotated(match: Match, node: ast.AST | None) -> ast.arg | None:
    """The parameter that an expression is, where it has no annotation and is therefore taken for a Tensor."""
    held = function(match)
    if held is None or not isinstance(node, ast.Name):
        return None
    for argument in [*held.args.args, *held.args.kwonlyargs]:
        if argument.arg == node.id:
            return argument if argument.annotation is None else None
    return None


def spelled(match: Match, type_: str) -> tuple[str, tuple[Edit, ...]] | None:
    """A type of the compiler's as an annotation in this file, with the imports that it needs; None where unsure."""
    edits: dict[Edit, None] = {}
    unsure = False

    def write(found: re.Match[str]) -> str:
        nonlocal unsure
        word = found.group()
        if word == "NoneType":
            return "None"
        if word in _PLAIN:
            return word
        if word in ("Tensor", "Device"):
            text, imports = match.imported("torch", {"Tensor": "Tensor", "Device": "device"}[word])
        elif word in _TYPING:
            text, imports = match.imported("typing", word)
        else:
            unsure = True
            return word
        edits.update(dict.fromkeys(imports))
        return text

    text = _WORD.sub(write, type_.replace(" (inferred)", ""))
    return None if unsure or "?" in text or "…" in text else (text, tuple(edits))


def because(match: Match, node: ast.AST | None, type_: str) -> str | None:
    """Where a type came from that the author did not expect, and the way out; None where there is nothing to say."""
    argument = unannotated(match, node)
    if argument is not None and "(inferred)" in type_:
        return f"`{argument.arg}` has no annotation, so TorchScript takes it for a Tensor: annotate the parameter."
    if type_ == "NoneType" or type_.startswith("Optional["):
        return without_none(match, node, type_)
    return None


def without_none(match: Match, node: ast.AST | None, type_: str) -> str:
    """How to make a value certain that may be None."""
    text = " ".join(match.text(node).split()) if isinstance(node, ast.expr) else "it"
    if type_ == "NoneType":
        if isinstance(node, ast.Name):
            return f"It is None here. If it can be something else: `{text}: Optional[…] = None` where it is first set."
        if not isinstance(node, ast.Attribute):
            return "Annotate what it comes from, a list for instance as `List[Optional[torch.Tensor]]`."
        if match.event.condition is not None and "has not run" not in match.event.condition:
            return f"Guard it, `if {text} is not None:`. Where it is None the compiler leaves that branch out."
        return (
            f"`{text}` is None when the module is scripted. Declare what else it can be in the class body, "
            f"`{node.attr}: Optional[torch.Tensor]`, copy it to a local variable and test that."
        )
    if isinstance(node, ast.Name):
        return f"Test `if {text} is not None:` around it, or `assert {text} is not None` before it."
    return (
        f"Copy it to a local variable (`v = {text}`) and test `v is not None`: TorchScript forgets tests of "
        "attributes and items."
    )
