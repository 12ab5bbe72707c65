"""Modules taken by an index that is only known when the code runs: a walk over the container that compares it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_dataclass
from typing import TypeGuard

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.loop_parts import (
    acts_before,
    compiled_function,
    evaluated,
    folded,
    fresh_name,
    place,
    raised_before,
    replace,
    same,
    singular,
)
from tslint.rewrite.regions import both_ways, bound_inside, moved_under, region_of, with_last_line
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts
from tslint.script.dataflow.first_evaluated import comes_first
from tslint.script.dataflow.index_proofs import is_proven, looks_integer, may_hold_none, place_of
from tslint.script.dataflow.stores import pattern_of

_ENDS = (ast.Return, ast.Raise)


def walked(match: Match, node: ast.Subscript, keys: bool = False) -> Fix | None:
    """Walk the container, and run what needs the module where the index is the wanted one.

    Where there is no such module, a line before the walk raises what Python raises, unless there is always one. Where
    that cannot be written, only compiled code walks.

    Args:
        match: for the file and the function.
        node: takes a module out of a container.
        keys: whether the container is a dict.

    Returns:
        None where the statements cannot be moved, or the index might be another one there.
    """
    if not _plain(node.value) or not isinstance(node.ctx, ast.Load) or may_hold_none(match.file.tree, node.value):
        return None
    steady = _is_steady(match, node)
    region = region_of(match, node, node.slice, steady)
    if region is None or not (steady or comes_first(region[0], node)):
        return None
    paths = [node.value, *([] if keys else _beside(match, node, region))]
    uses = [[use for each in region for use in walking.walk(each) if _takes(use, path, node.slice)] for path in paths]
    if any(isinstance(use.ctx, (ast.Store, ast.Del)) for group in uses for use in group):
        return None
    if any(bound_inside(match, use, statement) for group in uses for use in group for statement in region):
        return None
    names: list[str] = []
    for group in uses:
        names.append(_name(match, group[0], names))
    texts = [match.text(each) for each in paths]
    wanted = " ".join(match.text(node.slice).split())
    if any("\n" in text for text in texts):
        return None
    position = fresh_name(match, "key" if keys else "place", names)
    over, binds = texts[0], names[0]
    if len(paths) > 1:
        over, binds = f"zip({', '.join(texts)})", f"({', '.join(names)})"
    header = f"for {position}, {binds} in {f'{over}.items()' if keys else f'enumerate({over})'}:"
    replaced = [replace(match, use, name) for name, group in zip(names, uses) for use in group]
    walk = Walk(match, region, header, replaced, texts[0], comes_first(region[0], node))
    if not steady:
        if sum(len(group) for group in uses) > 1:
            return None  # the second may be another one
        kept = fresh_name(match, "wanted_key" if keys else "wanted", [*names, position])
        walk, wanted = replace_dataclass(walk, first=f"{kept} = {wanted}"), kept
    check = _key_check(node, wanted, texts[0]) if keys else _index_check(match, node, wanted, texts)
    late = check is not None and check.test and (not evaluated(region[:1], node) or acts_before(region[0], node))
    if check is None or late:
        test = f"if {position} == {wanted}:"
        if check is not None and check.compared:  # it may count from the end
            test = f"if {position} == {wanted} or {position} - len({texts[0]}) == {wanted}:"
        return walk.for_compiled_code(test, _error(keys, texts[0]))
    return walk.everywhere(f"if {position} == {check.compared or wanted}:", check, _error(keys, texts[0]))


def walked_children(match: Match, node: ast.Call) -> Fix | None:
    """Walk the submodules in compiled code instead of ``getattr(self, name)``, and run what needs one where its name
    is the wanted one.

    Args:
        match: for the file and the function.
        node: the call of ``getattr``.
    """
    owner, wanted = match.text(node.args[0]), " ".join(match.text(node.args[1]).split())
    region = region_of(match, node, node.args[1])
    if region is None or len(node.args) != 2 or not _names_modules(match, node.args[1]):
        return None
    uses = [use for each in region for use in walking.walk(each) if isinstance(use, ast.Call) and same(use, node)]
    rivals = [child for child in _inside(match) if isinstance(child, ast.Call) and same(child.func, node.func)]
    child = _numbered(match, "child", rivals, uses[0], ())
    key = fresh_name(match, "key", [child])
    header = f"for {key}, {child} in {owner}.named_children():"
    replaced = [replace(match, use, child) for use in uses]
    walk = Walk(match, region, header, replaced, owner)
    return walk.for_compiled_code(f"if {key} == {wanted}:", f"AttributeError({wanted})")


def _names_modules(match: Match, name: ast.expr) -> bool:
    """Whether calls make whatever the file stores under names like a computed one, and no parameters or tensors."""
    start, end = pattern_of(name)
    facts = file_facts(match.file.tree)
    values = [
        store.value
        for attribute, stores in facts.stores.items()
        if attribute.startswith(start) and attribute.endswith(end)
        for store in stores
    ]
    values += [value for (a, b), value in facts.given if a.startswith(start) or start.startswith(a)]
    calls = [value.func for value in values if isinstance(value, ast.Call)]
    tensors = any(ast.unparse(call).startswith("torch.") or ast.unparse(call).endswith("Parameter") for call in calls)
    return 0 < len(calls) == len(values) and not tensors


@dataclass(frozen=True)
class Check:
    """What has to hold before a walk.

    Args:
        test: the test under which Python would have raised; empty where it never does.
        compared: the index as it is compared, where it may count from the end.
        assumes: whether only annotations say that the index is an int.
    """

    test: str = ""
    compared: str = ""
    assumes: bool = False


def _key_check(node: ast.Subscript, wanted: str, container: str) -> Check | None:
    simple = isinstance(node.slice, ast.Name) or wanted.isidentifier()
    return Check(f"{wanted} not in {container}" if simple else f"({wanted}) not in {container}")


def _index_check(match: Match, node: ast.Subscript, wanted: str, paths: list[str]) -> Check | None:
    """None where nothing says that the index is an int, or the compiler does not know the length."""
    where = place_of(match.file.tree, node)
    value = None if where is None else where.value(node.slice)
    counted = where is not None and where.is_counted(node.slice)
    below = where is not None and where.is_below(node.slice, node.value)
    proven = where is not None and is_proven(where, value)
    if not proven and not looks_integer(match.file.tree, node.slice, match.event.names):
        return None
    length = None if where is None else where.length(node.value)
    size = f"len({paths[0]})" if length is None or length.number is None else str(length.number)
    if match.event.facts.get("container") == "ParameterList" and not size.isdigit() and not (counted and below):
        return None
    simple = isinstance(node.slice, (ast.Name, ast.Attribute, ast.Constant)) or wanted.isidentifier()
    compared = "" if counted else f"{wanted} % {size}" if simple else f"({wanted}) % {size}"
    assumes = not proven
    if counted and below:
        return Check("", compared, assumes)
    if counted:
        return Check(f"{wanted} >= {size}", compared, assumes)
    if below:
        return Check(f"{wanted} < -{size}", compared, assumes)
    return Check(f"not -{size} <= {wanted} < {size}", compared, assumes)


def _error(keys: bool, path: str) -> str:
    return f'{"KeyError" if keys else "IndexError"}("{path} has no such module")'


@dataclass(frozen=True)
class Walk:
    """Statements that are to run under a loop and a test.

    Args:
        match: for the file.
        region: the statements.
        header: the loop's.
        replaced: the edits inside the statements.
        path: what is walked, for the message.
        leads: whether nothing is evaluated before the module is taken, so that what that raises comes first.
        first: the line that keeps the index.
    """

    match: Match
    region: Sequence[ast.stmt]
    header: str
    replaced: Sequence[Edit]
    path: str
    leads: bool = False
    first: str = ""

    def everywhere(self, test: str, check: Check, error: str) -> Fix | None:
        """The walk in place of the statements; what is raised otherwise is raised before."""
        line = raised_before(self.match, self.region[0], check.test, error) if check.test else None
        before = "" if line is None else line.content
        if self.first:
            start = place(self.match, self.region[0])[0]
            margin = self.match.source.lines[start.row - 1][: start.column - 1]
            before = f"{margin}{self.first}{self.match.source.newline}{before}"
        edits = moved_under(self.match, self.region, [self.header, test], before)
        if edits is None or (check.test and line is None):
            return None
        if isinstance(self.region[-1], _ENDS):
            edits.append(_raise(self.match, self.region, f"raise {error}"))
        message, edits = f"Walk `{self.path}`, and compare", folded(self.match, self.region, [*edits, *self.replaced])
        risks = [*([Risk.EXCEPTION] if check.test and not self.leads else [])]
        risks += [Risk.ASSUMES] if check.assumes else []
        if not risks:
            return safe(message, *edits)
        return unsafe(message, *edits, risks=tuple(risks))

    def for_compiled_code(self, test: str, error: str) -> Fix | None:
        """The walk for compiled code alone: eager code takes the module as before."""
        if self.first:
            return None
        torch, imports = self.match.imported("torch")
        edits = both_ways(
            self.match, self.region, f"if {torch}.jit.is_scripting():", [self.header, test], self.replaced
        )
        if edits is None:
            return None
        if isinstance(self.region[-1], _ENDS):
            edits = with_last_line(self.match, self.region, edits, f"raise {error}")
        message = f"Walk `{self.path}` in compiled code (where there is no such module, nothing runs there)"
        return unsafe(message, *edits, *imports, risks=(Risk.DIFFERS,))


def _is_steady(match: Match, node: ast.Subscript) -> bool:
    """Whether an index is the same in every turn of a walk: it is made of what nothing in the statements can change."""
    plain = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    if all(isinstance(part, plain) for part in ast.walk(node.slice)):
        return True
    where = place_of(match.file.tree, node)
    if where is not None and where.value(node.slice) is not None:
        return True
    # A key such as `"a" + str(i)` is made of names alone, too.
    texts = (*plain, ast.Call, ast.JoinedStr, ast.FormattedValue, ast.Attribute)
    if not all(isinstance(part, texts) for part in ast.walk(node.slice)):
        return False
    return all(_is_text(part) for part in ast.walk(node.slice) if isinstance(part, (ast.Call, ast.Attribute)))


def _is_text(node: ast.AST) -> bool:
    """Whether a call or attribute only makes a text: ``str(i)``, ``"a{}".format``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) or getattr(node.func, "id", "") == "str"
    return isinstance(node, ast.Attribute) and node.attr == "format" and isinstance(node.value, ast.Constant)


def _plain(container: ast.expr) -> bool:
    """``self.a``, ``self.a.b``, ``name``."""
    while isinstance(container, ast.Attribute):
        container = container.value
    return isinstance(container, ast.Name)


def _takes(node: ast.AST, container: ast.expr, index: ast.expr) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and same(node.value, container) and same(node.slice, index)


def _beside(match: Match, node: ast.Subscript, region: Sequence[ast.stmt]) -> list[ast.expr]:
    """The other containers that are indexed alike."""
    known, where = match.event.facts.get("containers", ()), place_of(match.file.tree, node)
    found: list[ast.expr] = []
    for each in region:
        for use in walking.walk(each):
            if isinstance(use, ast.Subscript) and same(use.slice, node.slice) and ast.unparse(use.value) in known:
                if any(same(use.value, path) for path in (node.value, *found)):
                    continue
                # Together they go as far as the shortest one: they have to be of one length.
                lengths = [None if where is None else where.length(path) for path in (node.value, use.value)]
                if lengths[0] is not None and lengths[0] == lengths[1]:
                    found.append(use.value)
    return found


def _name(match: Match, node: ast.Subscript, taken: Sequence[str]) -> str:
    one = singular(node.value)
    # The loop around may get a variable of that name by another fix of the same round.
    if any(_takes_alike(child, one) and not same(child, node) for child in _inside(match)):
        one = f"chosen_{one}"
    rivals = [
        child
        for child in _inside(match)
        if isinstance(child, ast.Subscript)
        and not isinstance(child.slice, (ast.Constant, ast.Slice, ast.Tuple))
        and _plain(child.value)
        and singular(child.value) == singular(node.value)
    ]
    return _numbered(match, one, rivals, node, taken)


def _takes_alike(node: ast.AST, one: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and singular(node.value) == one


def _inside(match: Match) -> Iterable[ast.AST]:
    function = compiled_function(match)
    return walking.walk(function) if function is not None else ()


def _numbered(match: Match, wished: str, rivals: Sequence[ast.expr], node: ast.expr, taken: Sequence[str]) -> str:
    """A name for the module that no other walk of the function takes: the fixes of all may be applied at once."""
    ordered = sorted(rivals, key=lambda child: (child.lineno, child.col_offset))
    names: list[str] = []
    for _ in range(next((i for i, rival in enumerate(ordered) if rival is node), 0) + 1):
        names.append(fresh_name(match, wished, [*taken, *names]))
    return names[-1]


def _raise(match: Match, region: Sequence[ast.stmt], error: str) -> Edit:
    """What stands after a walk that returns."""
    row = place(match, region[-1])[1].row
    margin = match.source.lines[region[0].lineno - 1][: place(match, region[0])[0].column - 1]
    newline, last = match.source.newline, match.source.lines[row - 1]
    if last.endswith(("\n", "\r")):
        return Edit(Position(row + 1, 1), Position(row + 1, 1), margin + error + newline)
    return Edit(Position(row, len(last) + 1), Position(row, len(last) + 1), newline + margin + error)
