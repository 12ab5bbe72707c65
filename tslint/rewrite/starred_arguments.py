"""Replaces stars before lists in calls and literals, and ``tuple(…)`` of a list, by the lists themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import for_a_person, safe, unsafe
from tslint.rulekit.template import bare, code, expression, whole
from tslint.script.dataflow.arrays import may_be_for_array
from tslint.script.dataflow.names import full_name
from tslint.script.dataflow.never_empty import TAKES_SIZES, is_never_empty
from tslint.script.dataflow.scopes import bound_times, is_needed_elsewhere, module_bindings
from tslint.script.dataflow.sequence_reads import is_only_iterated
from tslint.script.dataflow.size_tuples import is_index, only_sizes
from tslint.script.events.types import StarredUnknownLength
from tslint.script.types import INT, ListType

# Functions and methods that accept one list of sizes.
_TAKE_LISTS = frozenset(
    [*(f"torch.{name}" for name in "zeros ones rand randn empty".split()), *(f"aten::{name}" for name in TAKES_SIZES)]
)
_OF_TENSORS = frozenset(f"torch.{name}" for name in "cat concat stack hstack vstack dstack column_stack".split())
_LIST = m.List() | m.ListComp()
_REPEATED = m.BinaryOperation(left=_LIST, operator=m.Multiply()) | m.BinaryOperation(operator=m.Multiply(), right=_LIST)
_TIMES = m.BinaryOperation(left=m.Tuple(), operator=m.Multiply())
_UNPACKED = m.Assign(targets=[m.AssignTarget(m.Tuple() | m.List())])


def without_tuple(match: Match, node: cst.Call) -> Fix | None:
    """Write ``tuple(values)`` as a list, or as ``values`` if they are unpacked; None if a tuple is needed."""
    only = node.args[0].value if len(node.args) == 1 else None
    if isinstance(only, cst.GeneratorExp):
        only = cst.ListComp(only.elt, only.for_in)
    around = match.parent(node)
    read = isinstance(around, cst.Call) and _takes_tensors(match, around, node)
    left = read or (isinstance(around, cst.Return) and isinstance(only, cst.Name))
    left = left and only is not None and _is_list(match, only)
    made = isinstance(only, (cst.ListComp, cst.List))
    kept = only if only is not None and (made or left) else node.with_changes(func=cst.Name("list"))
    if only is not None and around is not None and m.matches(around, _UNPACKED):
        return safe(f"Unpack the value without `{match.code(node.func)}`", lambda: match.replace(node, only))
    if (sizes := as_sizes(match, node)) is not None:
        return sizes
    if isinstance(around, cst.BinaryOperation):
        return None  # a tuple and a list cannot be added
    if read:
        return safe("Pass a list instead of the tuple", lambda: match.replace(node, kept))
    if is_index(match.file.tree, match.model(node)):
        return None
    fix = in_compiled_code(match, node, lambda: kept, "Use a list instead of the tuple in compiled code", Risk.DIFFERS)
    # Callers see what is returned: the author has to decide whether it may be a list.
    return for_a_person(fix) if _is_returned(match, node) else fix


def _is_returned(match: Match, node: cst.CSTNode) -> bool:
    """Return whether a function returns a value, alone or as an item of a tuple."""
    around = match.parent(node)
    while isinstance(around, cst.Tuple):
        around = match.parent(around)
    return isinstance(around, cst.Return)


def as_sizes(match: Match, node: cst.BaseExpression) -> Fix | None:
    """Return a fix that writes a sum of tuples as a sum of lists; None if the sum is used for anything but sizes."""
    sizes = only_sizes(match.file.tree, match.model(node))
    if sizes is None or match.binds("list") or "list" in module_bindings(match.file.tree):
        return None
    parts = [match.libcst(each) for each in sizes.parts]
    make = partial(unsafe, assumes="a method of a NumPy array may not accept a list") if sizes.for_array else safe
    return make(
        "Write the sizes as a list",
        lambda: [edit for each in parts for edit in match.replace(each, _as_list(match, each))],
    )


def as_iterated(match: Match, node: cst.Tuple) -> Fix | None:
    """Return a fix that writes a list instead of a tuple which gets a name; None if the name is not only iterated."""
    made, function = match.parent(node), match.function
    target = made.targets[0].target if isinstance(made, cst.Assign) and len(made.targets) == 1 else None
    if not isinstance(target, cst.Name) or function is None:
        return None
    if not is_only_iterated(match.file.tree, match.model(function), target.value):
        return None
    return safe("Write a list instead of the tuple", lambda: match.replace(node, _as_list(match, node)))


def _as_list(match: Match, node: cst.CSTNode) -> cst.BaseExpression:
    """Return a tuple, or a call of ``tuple``, as a list."""
    if isinstance(node, cst.Tuple):
        return _sum(match, node.elements)
    call = cst.ensure_type(node, cst.Call)
    value = call.args[0].value
    if isinstance(value, cst.GeneratorExp):
        return cst.ListComp(value.elt, value.for_in)
    listed = m.matches(value, _LIST | m.BinaryOperation(left=_LIST) | m.BinaryOperation(right=_LIST))
    return whole(value) if listed else call.with_changes(func=cst.Name("list"))


def _takes_tensors(match: Match, call: cst.Call, node: cst.Call) -> bool:
    """Return whether a node is the first argument of a torch function that takes a list or tuple of tensors."""
    first = call.args[0] if call.args else None
    taken = full_name(match.file.tree, code(call.func)) in _OF_TENSORS
    return first is not None and first.value is node and not first.star and taken


def concatenated(match: Match, node: cst.List) -> Fix:
    """Write ``[*a, b]`` as ``list(a) + [b]``."""
    return safe("Concatenate the lists", lambda: match.replace(node, _sum(match, node.elements)))


def _is_list(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether a value is certainly a list in Python."""
    if m.matches(node, _LIST | _REPEATED):
        return True
    if m.matches(node, m.Call(m.Name("list"))):
        return not match.binds("list")
    function = match.function
    if isinstance(node, cst.Subscript) and m.matches(node, m.Subscript(slice=[m.SubscriptElement(m.Slice())])):
        return _is_list(match, node.value)
    if not isinstance(node, cst.Name) or function is None:
        return False
    model, starred = match.model(function), m.StarredElement(m.Name(node.value))
    made = m.Assign(targets=[m.AssignTarget(m.Name(node.value))], value=_LIST | m.Call(m.Name("list")))
    typed = m.AnnAssign(target=m.Name(node.value), value=_LIST)
    bound = sum(len(m.findall(function.body, each)) for each in (made, typed))
    bound += sum(len(m.findall(each, starred)) for each in m.findall(function.body, m.AssignTarget()))
    peeped = is_needed_elsewhere(model, node.value) or match.binds("list")
    return bool(bound) and bound == bound_times(model, node.value) and not peeped


def one_list(match: Match[StarredUnknownLength], node: cst.Call) -> Fix | None:
    """Write ``x.view(a, *sizes)`` as ``x.view([a] + list(sizes))``, if the function accepts one list of ints."""
    if match.event.operator not in _TAKE_LISTS:
        return None
    positional = [each for each in node.args if each.keyword is None and each.star != "**"]
    values = [match.model(each.value) for each in positional]
    filled = not all(each.star for each in positional) or any(is_never_empty(match.file.tree, each) for each in values)
    if filled and not may_be_for_array(match.file.tree, match.model(node)):
        return safe("Pass all values as one list", lambda: match.replace(node, _with_list(match, node, positional)))
    # If all starred values are empty, Python raises, or has another result than for an empty list; arrays accept no
    # list.
    return in_compiled_code(
        match, node, lambda: _with_list(match, node, positional), "Pass all values as one list in compiled code"
    )


def as_one_list(match: Match[StarredUnknownLength], node: cst.CSTNode | None) -> cst.Call | None:
    """Return a call with one list instead of its positional arguments; None if the function accepts no list of ints."""
    if not isinstance(node, cst.Call) or match.event.operator not in _TAKE_LISTS or match.event.type != ListType(INT):
        return None
    return _with_list(match, node, [each for each in node.args if each.keyword is None and each.star != "**"])


def _with_list(match: Match, call: cst.Call, positional: Sequence[cst.Arg]) -> cst.Call:
    """Return a call with one list instead of its positional arguments."""
    rest = [each for each in call.args if not any(each is other for other in positional)]
    only = positional[0].value
    value = _repeated(only) or only if len(positional) == 1 else _sum(match, positional)
    first = positional[-1].with_changes(value=value, star="", whitespace_after_star=cst.SimpleWhitespace(""))
    return call.with_changes(args=[first, *rest])


def _sum(match: Match, elements: Sequence[cst.Arg | cst.BaseElement]) -> cst.BaseExpression:
    """Return elements, with and without a star, as one list: ``[a] + list(b)`` for ``a, *b``."""
    parts: list[cst.BaseExpression] = []
    plain: list[cst.BaseExpression] = []
    for each in elements:
        if isinstance(each, cst.StarredElement) or (isinstance(each, cst.Arg) and each.star):
            parts += [_list(plain)] if plain else []
            listed = _repeated(each.value) or expression("list({value})", value=each.value)
            parts.append(whole(each.value) if _is_list(match, each.value) else listed)
            plain = []
        else:
            plain.append(each.value)
    parts += [_list(plain)] if plain else []
    made = parts[0]
    for part in parts[1:]:
        made = cst.BinaryOperation(made, cst.Add(), part)
    return made


def _repeated(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return ``(1,) * n`` as ``[1] * n``; None for other values."""
    if not m.matches(value, _TIMES) or not isinstance(value, cst.BinaryOperation):
        return None
    left = cst.ensure_type(value.left, cst.Tuple)
    if not left.elements or not all(isinstance(each, cst.Element) for each in left.elements):
        return None
    return bare(value).with_changes(left=_list([each.value for each in left.elements]))


def _list(values: Sequence[cst.BaseExpression]) -> cst.List:
    return cst.List([cst.Element(each) for each in values])
