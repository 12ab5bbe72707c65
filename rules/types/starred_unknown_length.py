"""# Star or tuple() on a list

## What it does

Finds `f(*shape)`, `[*shape, 1]`, `tuple(values)` and `a, *rest = values` for a value that is a list in TorchScript.
`x.shape` is a `List[int]` there.

## Why TorchScript rejects it

The length of a tuple is part of its type, that of a list is not: the compiler does not know how many arguments or
elements the star stands for.

```text
cannot statically infer the expected size of a list in this context
```

## Example

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view(y.shape[0], *x.shape[1:])
    return flat.reshape(*y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Use instead

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view([y.shape[0]] + list(x.shape[1:]))
    return flat.reshape(y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Fix safety

Passing one list to a function of torch that accepts a list of sizes or dimensions is *safe*, and so is writing `[*a,
b]` as `list(a) + [b]`. If the list may be empty, or an unpacking is replaced by indices, only compiled code gets the
new form. `a, b, *rest = x.shape` becomes `a, b = x.shape[:2]`, which raises the same for shorter shapes; if `rest` is
read, a second line sets it to `list(x.shape[2:])`. Writing `tuple(values)` as `list(values)` in compiled code is
*unsafe*: it may return a list where Python returns a tuple. If the value is unpacked immediately, it is *safe*, also in
Python; so is `(b, n), h = x.shape, heads` for `b, n, h = *x.shape, heads`.
Calls of other functions have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways, can_go_both_ways, in_compiled_code
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import Line, code, expression, statement
from tslint.script.dataflow.liveness import read_later
from tslint.script.dataflow.never_empty import TAKES_SIZES, is_never_empty
from tslint.script.events.types import StarredUnknownLength
from tslint.script.types import INT, ListType

RULE = Rule(code="TS307", name="starred-unknown-length", events=(StarredUnknownLength,))
# As TAKES_SIZES.
_FUNCTIONS = frozenset("zeros ones rand randn empty".split())
_RANGE = m.Call(m.Name("range"))
_UNPACKED = m.Assign(targets=[m.AssignTarget(m.Tuple() | m.List())])
_SIZE = m.Call(m.Attribute(attr=m.Name("size")), [])
_SIZES = m.Attribute(attr=m.Name("shape")) | _SIZE
Elements = Sequence[cst.Arg | cst.BaseElement]


def check(match: Match[StarredUnknownLength]) -> Iterator[Finding]:
    """Report the value, with a fix that passes the list itself, or its items by index."""
    value, what = match.event.value, match.event.what
    if what == "unpack":
        yield from _unpacking(match)
        return
    node = match.libcst(value) if value is not None else None
    shown = match.quote(node) if node is not None else "a list"
    if what == "tuple()":
        message = f"`tuple(…)` of {shown}: TorchScript does not know the length of the list"
        help = "Use the list itself, or write the elements out: `(v[0], v[1])`."
    else:
        is_range = node is not None and m.matches(node, _RANGE)
        length = "the length of the range" if is_range else "the length of the list"
        message = f"`*` before {shown}: TorchScript does not know {length}"
        help = "Pass the list itself if the function takes one, or write the elements out: `v[0], v[1]`."
    yield match.finding(message, help=help, fix=_fix(match, what))


def _fix(match: Match[StarredUnknownLength], what: str) -> Fix | None:
    node = match.node
    if what == "tuple()" and isinstance(node, cst.Call):
        only = node.args[0].value if len(node.args) == 1 else None
        if isinstance(only, cst.GeneratorExp):
            only = cst.ListComp(only.elt, only.for_in)
        kept = only if isinstance(only, (cst.ListComp, cst.List)) else node.with_changes(func=cst.Name("list"))
        around = match.parent(node)
        if only is not None and around is not None and m.matches(around, _UNPACKED):
            return safe(f"Unpack it without `{match.code(node.func)}`", lambda: match.replace(node, only))
        return in_compiled_code(match, node, lambda: kept, "Use the list itself in compiled code", Risk.DIFFERS)
    around = match.parent(node)
    if isinstance(around, cst.Tuple):
        return _nested_targets(match, around)
    if what == "list" and isinstance(around, cst.List):
        return safe("Concatenate the lists", lambda: match.replace(around, _sum(around.elements)))
    sizes = match.event.type == ListType(INT)
    if what == "call" and sizes and isinstance(around, cst.Call) and _takes_list(around.func):
        positional = [each for each in around.args if each.keyword is None and each.star != "**"]
        values = [match.model(each.value) for each in positional]
        if not all(each.star for each in positional) or any(is_never_empty(match.file.tree, each) for each in values):
            return safe("Pass one list", lambda: match.replace(around, _with_list(around, positional)))
        # Without any element Python raises, or does something else, where an empty list is one.
        return in_compiled_code(match, around, lambda: _with_list(around, positional), "Pass one list in compiled code")
    return None


def _nested_targets(match: Match, value: cst.Tuple) -> Fix | None:
    """Write ``b, n, d, h = *x.shape, heads`` as ``(b, n, d), h = x.shape, heads``."""
    assign = match.parent(value)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    stars = [index for index, each in enumerate(value.elements) if isinstance(each, cst.StarredElement)]
    if not isinstance(target, cst.Tuple) or len(stars) != 1 or m.findall(target, m.StarredElement()):
        return None
    start, stop = stars[0], len(target.elements) - (len(value.elements) - 1 - stars[0])
    if stop <= start:
        return None  # Python raises, or takes an empty list

    def edits() -> tuple[Edit, ...]:
        inner = [cst.Element(each.value) for each in target.elements[start:stop]]
        targets = [*target.elements[:start], cst.Element(cst.Tuple(inner)), *target.elements[stop:]]
        values = [cst.Element(each.value) for each in value.elements]
        whole = cst.AssignTarget(cst.Tuple(targets, lpar=[], rpar=[]))
        return match.replace(assign, assign.with_changes(targets=[whole], value=value.with_changes(elements=values)))

    return safe("Unpack the list into separate targets", edits)


def _takes_list(callee: cst.BaseExpression) -> bool:
    if not isinstance(callee, cst.Attribute):
        return False
    if m.matches(callee.value, m.Name("torch") | m.Name("self")):
        return m.matches(callee.value, m.Name("torch")) and callee.attr.value in _FUNCTIONS
    return callee.attr.value in TAKES_SIZES


def _with_list(call: cst.Call, positional: Sequence[cst.Arg]) -> cst.Call:
    """Return a call with one list instead of its positional arguments."""
    rest = [each for each in call.args if not any(each is other for other in positional)]
    value = positional[0].value if len(positional) == 1 else _sum(positional)
    first = positional[-1].with_changes(value=value, star="", whitespace_after_star=cst.SimpleWhitespace(""))
    return call.with_changes(args=[first, *rest])


def _sum(elements: Elements) -> cst.BaseExpression:
    """Return elements, some of them starred, as one list; for a single starred value, the value itself."""
    parts: list[cst.BaseExpression] = []
    plain: list[cst.BaseExpression] = []
    for each in elements:
        if isinstance(each, cst.StarredElement) or (isinstance(each, cst.Arg) and each.star):
            parts += [_list(plain)] if plain else []
            parts.append(expression("list({value})", value=each.value))
            plain = []
        else:
            plain.append(each.value)
    parts += [_list(plain)] if plain else []
    made = parts[0]
    for part in parts[1:]:
        made = cst.BinaryOperation(made, cst.Add(), part)
    return made


def _list(values: Sequence[cst.BaseExpression]) -> cst.List:
    return cst.List([cst.Element(each) for each in values])


def _unpacking(match: Match) -> Iterator[Finding]:
    node, fix, shown = match.node, None, "a list"
    if isinstance(node, cst.Assign):
        target, shown = node.targets[0].target, match.quote(node.value)
        if len(node.targets) == 1 and isinstance(target, (cst.Tuple, cst.List)):
            fix = _by_index(match, node, target.elements)
    yield match.finding(
        f"`*` in an unpacking of {shown}: TorchScript does not know the length of the list",
        help="Index it: `first, rest = v[0], v[1:]`.",
        fix=fix,
    )


def _by_index(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> Fix | None:
    root = node.value.func if isinstance(node.value, cst.Call) and m.matches(node.value, _SIZE) else node.value
    while isinstance(root, cst.Attribute):
        root = root.value
    line, plain = match.line(), [each for each in targets if not isinstance(each, cst.StarredElement)]
    if line is None or any(not isinstance(each.value, cst.Name) for each in plain):
        return None
    if (part := _read_part(match, node, targets)) is not None:
        names = cst.AssignTarget(cst.Tuple([cst.Element(each.value) for each in plain], lpar=[], rpar=[]))
        new = node.with_changes(targets=[names], value=part)
        return safe(f"Unpack `{code(part)}`", lambda: match.replace(node, new))
    if not isinstance(root, cst.Name) or not can_go_both_ways(match, line):
        return None  # it is written several times below: it must be the same each time
    if (parts := _sliced(match, node, targets)) is not None:
        return safe("Slice it", lambda: match.rewrite(line, *parts))

    def edits() -> tuple[Edit, ...]:
        names = cst.Tuple([cst.Element(each.value) for each in targets], lpar=[], rpar=[])
        values = cst.Tuple([cst.Element(each) for each in _values(node.value, targets)], lpar=[], rpar=[])
        assigned = cst.Assign([cst.AssignTarget(names)], values)
        return both_ways(match, line, [cst.SimpleStatementLine([assigned])])

    return safe("Index it in compiled code", edits)


def _sliced(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> list[Line] | None:
    """Return the lines ``a, b = x.shape[:2]`` and ``rest = list(x.shape[2:])``, which raise the same errors."""
    *plain, last = targets
    names = [each.value.value for each in targets if isinstance(each.value, cst.Name)]
    rest = isinstance(last, cst.StarredElement) and isinstance(last.value, cst.Name)
    if not rest or len(plain) < 2 or not m.matches(node.value, _SIZES):
        return None
    if any(each.value in names for each in m.findall(node.value, m.Name()) if isinstance(each, cst.Name)):
        return None
    *_, between = _values(node.value, targets)
    first = cst.Subscript(node.value, [cst.SubscriptElement(cst.Slice(None, _number(len(plain))))])
    unpacked = cst.Tuple([cst.Element(each.value) for each in plain], lpar=[], rpar=[])
    return [
        cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(unpacked)], first)]),
        statement("{rest} = {between}", rest=last.value, between=between),
    ]


def _read_part(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> cst.BaseExpression | None:
    """Write ``a, b, *_ = x.shape`` with ``x.shape[:2]`` if nothing reads ``_``: Python raises the same for shorter
    shapes.
    """
    star = next(i for i, each in enumerate(targets) if isinstance(each, cst.StarredElement))
    count, model = len(targets) - 1, match.model(node)
    if count < 2 or star not in (0, count) or not m.matches(node.value, _SIZES):
        return None
    rest = targets[star].value
    if not isinstance(rest, cst.Name) or read_later(match.file.tree, model, model, rest.value):
        return None
    index = cst.Slice(None, _number(count)) if star else cst.Slice(_number(-count), None)
    return cst.Subscript(node.value, [cst.SubscriptElement(index)])


def _values(value: cst.BaseExpression, targets: Sequence[cst.BaseElement]) -> Iterator[cst.BaseExpression]:
    star = next(i for i, target in enumerate(targets) if isinstance(target, cst.StarredElement))
    after = len(targets) - star - 1
    for index in range(len(targets)):
        if index == star:
            between = cst.Slice(_number(star) if star else None, _number(-after) if after else None)
            yield expression("list({part})", part=cst.Subscript(value, [cst.SubscriptElement(between)]))
        else:
            place = _number(index if index < star else index - len(targets))
            yield expression("{value}[{place}]", value=value, place=place)


def _number(value: int) -> cst.BaseExpression:
    return cst.parse_expression(str(value))
