"""# Value of the wrong type in a list or dict

## What it does

Finds values of the wrong type that are put into a list or dict, in code that `torch.jit.script` compiles. In most cases
the list or dict starts as `[]` or `{}` without an annotation.

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

The fix annotates the variable where the list or dict is created. This is *safe*: Python ignores annotations of local
variables. There is no fix if the function creates the list or dict in several places, or puts values of several types
into it, as far as tslint knows. `a, b = [], []` becomes two lines.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import annotated_variable, as_written, spelled
from tslint.rewrite.type_reasons import not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import Line, code, statement
from tslint.rulekit.wording import fitted, said
from tslint.script.dataflow.containers import appended_type, holds_only, made_empty
from tslint.script.events.annotation import ItemType, ListElement
from tslint.script.types import FLOAT, NONE, NUMBER, DictType, ListType, Type, holds, is_inferred, plain

RULE = Rule(code="TS504", name="untyped-container", events=(ListElement, ItemType))
_EMPTY = m.List(elements=[]) | m.Dict(elements=[]) | m.Call(func=m.Name("list") | m.Name("dict"), args=[])


def check(match: Match[ListElement | ItemType]) -> Iterator[Finding]:
    """Report the value of the wrong type, with a fix that annotates the empty list or dict."""
    event, node = match.event, match.node
    wanted: Type
    held: ListType | DictType
    if isinstance(event, ListElement):
        owner = match.libcst(event.owner) if event.owner is not None else None
        held, put = event.held, event.element
        wanted = put if event.method == "extend" else ListType(put)
        what = f"`.{event.method}(...)`" if "\n" in match.code(node) else f"`{match.code(node)}`"
        into = _container(held) if put == held and event.method != "extend" else f"a {said(held)}"
        message = f"{what} puts {_a(put)} into {into}"
        at = node.func if isinstance(node, cst.Call) else node
    else:
        target, held, put = match.libcst(event.target), event.container, event.actual
        owner = target.value if isinstance(target, cst.Subscript) else None
        wanted = DictType(event.key or held.key, put) if isinstance(held, DictType) else ListType(put)
        into = _container(held) if put == held else f"a {said(held)}"
        message = f"`{match.code(target)} = ...` puts {_a(put)} into {into}"
        if event.key is not None:
            message = f"`{match.code(target)}` uses {_a(event.key)} as a key of a {said(held)}"
        at = node
    type_ = _declared(wanted, held, put)
    made = _made(match, owner, held)
    help, fix = _advice(match, owner, held, type_), None
    if type(wanted) is not type(held):
        message = f"{what} extends {into} by {_a(put)}"
        help = "TorchScript extends a List only by a List: append the values one by one."
    elif made is not None and isinstance(owner, cst.Name):
        assign, value = made
        name, shown = owner.value, match.code(value)
        row = match.place(assign)[0].row
        unnamed = f": `{name} = {shown}` on line {row} has no annotation"
        message += unnamed if "[…]" not in fitted(message + unnamed) else f" (created on line {row})"
        if isinstance(event, ListElement) or event.key_known:
            fix = _annotated(match, assign, name, wanted)
        written = spelled(match, type_)
        declared = f"`{name}: {code(written[0]) if written is not None else type_} = {shown}`"
        ints = ", or with `int` instead of `float` if the numbers are ints" if holds(wanted, NUMBER) else ""
        help = f"Annotate it where it is created: {declared}{ints}."
        puts = m.AssignTarget(m.Subscript(m.Name(name)))
        if isinstance(event, ItemType) and match.function is not None and len(m.findall(match.function, puts)) > 1:
            used, right, wrong = "value", held.value if isinstance(held, DictType) else held.element, put
            if isinstance(held, DictType) and event.key is not None:
                used, right, wrong = "key", held.key, event.key
            if_so = f"if a {used} may be None" if wrong == NONE else f"if each {used} is {_a(wrong)}"
            otherwise = f"{if_so}, annotate {declared}."
            help = f"Use {_a(right)} as the {used}; {otherwise}"
    yield match.finding(message, help=help, fix=fix, at=at)


def _advice(
    match: Match[ListElement | ItemType], owner: cst.CSTNode | None, held: ListType | DictType, type_: str
) -> str:
    """Return the help for a container that is not created empty: perhaps only the added value lacks an annotation."""
    element = held.value if isinstance(held, DictType) else held.element
    put = match.event.element if isinstance(match.event, ListElement) else match.event.actual
    if element == NONE and isinstance(held, ListType) and isinstance(owner, cst.Name):
        types = as_written(match, f"Optional[{put}]")
        made = f"`{owner.value}: List[{types}] = [None for _ in range(…)]`"
        return f"Create the list with the type of the other elements: {made}."
    line, node, event = match.statement(), match.node, match.event
    value = line.value if isinstance(line, cst.Assign) else None
    if isinstance(node, cst.Call):
        value = node.args[-1].value if node.args else None
    param = unannotated(match, value)
    if param is not None and is_inferred(put) and not (isinstance(event, ItemType) and event.key):
        return not_annotated(param, element)
    parts = "keys and values" if isinstance(held, DictType) else "elements"
    instead = f"create it with other {parts}"
    if isinstance(owner, cst.Name) and _starts_empty(match, owner.value):
        instead = f"annotate another type where it is created: `{owner.value}: {as_written(match, type_)}`"
    elif isinstance(owner, cst.Attribute) and m.matches(owner.value, m.Name(match.self_name or "")):
        instead = "annotate another type in the class body"
    return f"Add only {parts} that a {said(held)} can contain, or {instead}."


def _starts_empty(match: Match, name: str) -> bool:
    """Return whether each assignment of a variable creates an empty container."""
    assigned = m.Assign(targets=[m.AssignTarget(m.Name(name))])
    made = m.findall(match.function, assigned) if match.function is not None else ()
    return bool(made) and all(isinstance(each, cst.Assign) and m.matches(each.value, _EMPTY) for each in made)


def _container(held: ListType | DictType) -> str:
    """Return "a list of int elements", for example: for a message that a ``List[int]`` is put into a ``List[int]``."""
    if isinstance(held, DictType):
        return f"a dict with {said(held.value)} values"
    return f"a list of {said(held.element)} elements"


def _declared(wanted: Type, held: ListType | DictType, put: Type) -> str:
    """Return the type for an annotation: ``float`` for numbers, and ``Optional`` for what is None in the value."""
    if put == NONE:
        value = held.value if isinstance(held, DictType) else held.element
        return said(wanted).replace(said(NONE), f"Optional[{said(value)}]")
    # Elements that are always None would need no variable, so they have another value in other cases.
    return said(wanted).replace(str(NUMBER), str(FLOAT)).replace(said(NONE), "Optional[…]")


def _a(type_: Type) -> str:
    text = said(type_)
    if type_ in (NONE, NUMBER):
        return "None" if type_ == NONE else "a number of unknown type"
    return ("an " if text[:1] in "aeioAEIO" else "a ") + text


def _made(match: Match, owner: cst.CSTNode | None, held: ListType | DictType) -> tuple[cst.Assign, cst.CSTNode] | None:
    """Return the only statement that creates a container, and the ``[]`` or ``{}`` in it; None for other containers."""
    if not isinstance(owner, cst.Name) or match.function is None:
        return None
    found = made_empty(match.model(match.function), owner.value, "dict" if isinstance(held, DictType) else "list")
    assign = match.libcst(found[0]) if found is not None else None
    return (assign, match.libcst(found[1])) if found is not None and isinstance(assign, cst.Assign) else None


def _annotated(match: Match, made: cst.Assign, name: str, wanted: Type) -> Fix | None:
    """Annotate the variable. If its statement creates several variables, put each on a line of its own."""
    type_, tree = plain(wanted), match.file.tree
    written = spelled(match, type_)
    if written is None or match.function is None or holds(wanted, NONE):
        return None
    function = match.model(match.function)
    if not holds_only(tree, function, name, type_, match.event.node):
        return None
    message, target = f"Annotate `{name}: {code(written[0])}`", made.targets[0].target
    if isinstance(target, cst.Name):
        return safe(message, *written[1], lambda: match.replace(made, annotated_variable(made, written[0])))
    line = match.line(made)
    if not isinstance(target, cst.Tuple) or not isinstance(made.value, cst.Tuple) or "\n" in match.code(made):
        return None
    if not isinstance(line, cst.SimpleStatementLine):
        return None
    lines: list[Line] = []
    imports = [*written[1]]
    for each, value in zip(target.elements, made.value.elements):
        own = match.code(each.value)
        seen = type_ if own == name else appended_type(tree, function, own)
        own_type = spelled(match, seen) if seen is not None else None
        if own_type is None:
            lines.append(statement("{name} = {value}", name=each.value, value=value.value))
            continue
        lines.append(statement("{name}: {type} = {value}", name=each.value, type=own_type[0], value=value.value))
        imports += own_type[1]
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)

    def edits() -> tuple[Edit, ...]:
        return match.rewrite(line, *lines)

    return safe(message, *dict.fromkeys(imports), edits)
