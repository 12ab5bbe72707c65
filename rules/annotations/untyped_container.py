"""# Empty list or dict without a type that holds something else than tensors

## What it does

Finds what does not fit into a list or dict, above all into one that began as `[]` or `{}` without an annotation, in
code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Without an annotation `[]` is a `List[Tensor]`, and `{}` a `Dict[str, Tensor]`.

```text
aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!):
Could not match type int to t in argument 'el': Type variable 't' previously matched to type Tensor is
matched to type int.
```

## Example

```python
from typing import List

import torch


def lengths(rows: List[torch.Tensor]) -> int:
    found = []
    for row in rows:
        found.append(row.size(0))
    return max(found)


scripted = torch.jit.script(lengths)
inputs = ([torch.rand(3), torch.rand(2)],)
```

## Use instead

```python
from typing import List

import torch


def lengths(rows: List[torch.Tensor]) -> int:
    found: List[int] = []
    for row in rows:
        found.append(row.size(0))
    return max(found)


scripted = torch.jit.script(lengths)
inputs = ([torch.rand(3), torch.rand(2)],)
```

## Fix safety

Annotating the variable where it is made is *safe*: Python does not look at annotations of local variables. It is
offered where the function makes the list or dict in one place, and puts nothing of another type into it, as far as is
seen. `rows, columns = [], []` is written on two lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import holds_list, merged, place, replace, spelled_text
from tslint.rewrite.spans import alone_on_its_lines, compiled_function
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.parameters import names_of
from tslint.script.dataflow.shallow import type_of

_KNOWN = frozenset(["Tensor", "int", "float", "bool", "str", "List[int]", "List[float]", "List[str]", "List[Tensor]"])
RULE = Rule(code="TS504", name="untyped-container", events=("list-element", "item-type"))


def check(match: Match) -> Iterator[Finding]:
    """Annotate the variable."""
    facts, node = match.event.facts, match.event.node
    if match.event.kind == "list-element":
        owner, held, given = facts["owner"], facts["list"], facts["element"]
        wanted = given if facts["method"] == "extend" else f"List[{given}]"
        what = f"`{match.text(node)}`" if "\n" not in match.text(node) else f"`.{facts['method']}(...)`"
        message = f"{what} puts {_a(given)} into a {held}"
        place_of = node.func if isinstance(node, ast.Call) else node
    else:
        owner, held, given = facts["target"].value, facts["container"], facts["actual"]
        key = facts.get("key") or _key(held)
        wanted = f"Dict[{key}, {given}]" if held.startswith("Dict[") else f"List[{given}]"
        message = f"`{match.text(facts['target'])} = ...` puts {_a(given)} into a {held}"
        if "key" in facts:
            message = f"`{match.text(facts['target'])}` has {_a(facts['key'])} for a key, but is a {held}"
        place_of = node
    type_ = wanted.replace(" (inferred)", "")
    made = _made(match, owner, ast.Dict if held.startswith("Dict[") else ast.List)
    help, fix = f"What a {held} holds has one type: give it that, or annotate it otherwise where it is made.", None
    if made is not None:
        statement, value = made
        name, shown = match.text(owner), match.text(value)
        message += f": `{name} = {shown}` in line {statement.lineno} has no annotation"
        if facts.get("key_known", True):
            fix = _annotated(match, statement, name, type_)
        help = f"Annotate it where it is made: `{name}: {type_} = {shown}`."
    start, end = place(match, place_of)
    yield Finding(message, help, fix, start, end)


def _a(type_: str) -> str:
    return ("an " if type_[:1] in "aeioAEIO" else "a ") + type_


def _key(held: str) -> str:
    return held[len("Dict[") :].partition(",")[0]


def _made(match: Match, owner: ast.AST | None, kind: type[ast.expr]) -> tuple[ast.Assign, ast.expr] | None:
    function = compiled_function(match)
    if not isinstance(owner, ast.Name) or function is None:
        return None
    return holds_list(function, owner.id, kind)


def _annotated(match: Match, made: ast.Assign, name: str, type_: str) -> Fix | None:
    """Annotate the variable, or each that is made with it, on lines of their own."""
    function = compiled_function(match)
    written = spelled_text(match, type_)
    if written is None or "NoneType" in type_ or function is None or not _holds_alone(match, function, name, type_):
        return None
    target = made.targets[0]
    if isinstance(target, ast.Name):
        edit = match.insert(place(match, target)[1], f": {written[0]}")
        return safe(f"Annotate `{name}: {written[0]}`", *merged(*written[1], edit))
    if not isinstance(target, ast.Tuple) or not isinstance(made.value, ast.Tuple):
        return None
    if not alone_on_its_lines(match, made) or made.lineno != made.end_lineno:
        return None
    line = match.source.lines[made.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    made_of, imports = [], [*written[1]]
    for each, value in zip(target.elts, made.value.elts):
        text = match.text(each)
        own = written if text == name else _seen(match, function, text)
        made_of.append(f"{text}: {own[0]} = {match.text(value)}" if own else f"{text} = {match.text(value)}")
        imports += own[1] if own else ()
    edit = replace(match, made, (match.source.newline + indent).join(made_of))
    return safe(f"Annotate `{name}: {written[0]}`", *merged(*imports, edit))


def _puts(function: ast.AST, name: str) -> Iterator[tuple[ast.expr | None, str]]:
    """What is put into a list or dict, and how."""
    for node in walking.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is(node.func.value, name):
            if node.func.attr in ("append", "extend", "insert") and node.args:
                yield node.args[-1], node.func.attr
        elif isinstance(node, ast.AugAssign) and _is(node.target, name):
            yield node.value, "extend"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and _is(target.value, name):
                    yield node.value, "item"


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _holds_alone(match: Match, function: ast.FunctionDef, name: str, type_: str) -> bool:
    """Whether nothing of another type is put into it, nor anything of which nobody knows, besides what was found."""
    tree = match.file.tree
    lookup = names_of(tree, function)
    element = type_[len("List[") : -1] if type_.startswith("List[") else type_.partition(", ")[2][:-1]
    for value, how in _puts(function, name):
        given = type_of(tree, value, lookup)
        wanted = f"List[{element}]" if how == "extend" else element
        if given in _KNOWN and wanted in _KNOWN and given != wanted:
            return False
        if given is None and wanted in _KNOWN - {"Tensor"} and not _is_found(match, value):
            return False
    return True


def _is_found(match: Match, value: ast.expr | None) -> bool:
    """Whether a value is the one that the finding is about: the model knows its type."""
    found = match.event.node
    return any(each is value for each in walking.walk(found)) or (
        value is not None and any(each is found for each in walking.walk(value))
    )


def _seen(match: Match, function: ast.FunctionDef, name: str) -> tuple[str, tuple[Edit, ...]] | None:
    """The annotation of a list by what is appended to it, where that is one type."""
    tree = match.file.tree
    lookup = names_of(tree, function, guess=False)
    types = {type_of(tree, value, lookup) if how == "append" else None for value, how in _puts(function, name)}
    type_ = types.pop() if len(types) == 1 else None
    return spelled_text(match, f"List[{type_}]") if type_ in _KNOWN else None
