"""Finds fixes that depend on each other: a fix that relies on a type which another fix changes waits for the next
round.

A fix relies on the variables that its statements read, and on everything from which the function computes these. It
also relies on the functions and attributes that occur there. It changes the signatures that it edits. It also changes
the variables and attributes whose assignments or annotations it edits, unless its finding is only about the assigned
value. An assertion or a test that raises changes which code is compiled after it, also in the functions that are called
there. A fix that writes an assertion waits if another fix may remove the branch around it from compiled code. A fix of
an expression waits for fixes that edit a part of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tslint.diagnostics import Diagnostic, Edit, Position
from tslint.fixing.scopes import definitions
from tslint.project.impact import closure
from tslint.script.dataflow.rests_on import computed
from tslint.sources.file import SourceFile
from tslint.util import astwalk
from tslint.util.record import record

Fact = tuple[str, ...]
"""A variable of a function, or a function or attribute by its plain name, which may belong to any class."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TEST_THAT_RAISES = re.compile(r"[ \t]*(?:if .*:\r?\n[ \t]*raise |assert (?:hasattr\(|\w+(?:\.\w+)+ is not None))")
_CONSTANT = re.compile(r"\b(?:__constants__|Final)\b")
# After such an assertion, the variable has another type, and so has what is computed from it.
_ASSERTED = re.compile(r"\bassert (\w+) is not None")
_NEW_NAMES = re.compile(r"^[ \t]*(\w+) = ", re.MULTILINE)


@record
class Ties:
    """The facts that a fix changes and relies on.

    Args:
        changes: the facts whose types it changes.
        rests: the facts on whose types it relies.
    """

    changes: frozenset[Fact]
    rests: frozenset[Fact]

    @property
    def own(self) -> frozenset[Fact]:
        """Return the variables that the fix changes; only one fix may change each of them at a time."""
        return frozenset(fact for fact in self.changes if fact[0] == "variable")


def independent(found: Sequence[tuple[SourceFile, Diagnostic]]) -> list[bool]:
    """Return, for each finding with a fix, whether it may be fixed in this round.

    If fixes all wait for each other, the first one may be applied.

    Args:
        found: the findings to be fixed in one round, each with its file.
    """
    if len(found) < 2:
        return [True] * len(found)
    texts: dict[str, _Text] = {}
    ties = []
    for source, finding in found:
        if finding.filename not in texts:
            texts[finding.filename] = _Text(source)
        ties.append(texts[finding.filename].ties(finding))
    changers: dict[Fact, list[int]] = {}
    for number, each in enumerate(ties):
        for fact in each.changes:
            changers.setdefault(fact, []).append(number)
    inner = _inner([finding for _, finding in found])
    waits = [
        sorted({other for fact in each.rests | each.own for other in changers.get(fact, ()) if other != number})
        + inner.get(number, [])
        for number, each in enumerate(ties)
    ]
    return _free(waits)


def _inner(found: Sequence[Diagnostic]) -> dict[int, list[int]]:
    """Return, by number, the findings about a part of each finding's expression whose fixes edit this expression: its
    type depends on that part.
    """
    inner: dict[int, list[int]] = {}
    order = sorted(range(len(found)), key=lambda each: found[each].end, reverse=True)  # of one start, the longest first
    order.sort(key=lambda each: (found[each].filename, found[each].start))
    for place, number in enumerate(order):
        whole = found[number]
        for other in order[place + 1 :]:
            part = found[other]
            if part.filename != whole.filename or part.start >= whole.end:
                break
            edits = part.fix.edits if part.fix is not None else ()
            strictly = part.end <= whole.end and (part.start, part.end) != (whole.start, whole.end)
            if strictly and any(whole.start <= each.start and each.end <= whole.end for each in edits):
                inner.setdefault(number, []).append(other)
    return inner


def _free(waits: list[list[int]]) -> list[bool]:
    """Return for each node whether it is free. A node is free if it waits for no other node. The first node of a cycle
    is free if the cycle waits for nothing outside of it.
    """
    free = [False] * len(waits)
    for group in _circles(waits):
        inside = set(group)
        if all(other in inside for number in group for other in waits[number]):
            free[min(group)] = True
    return free


def _circles(edges: list[list[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    for start in range(len(edges)):
        if start in index:
            continue
        work = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        waiting.add(start)
        while work:
            node, following = work[-1]
            new = next((each for each in following if each not in index or each in waiting), None)
            if new is not None and new not in index:
                index[new] = low[new] = len(index)
                stack.append(new)
                waiting.add(new)
                work.append((new, iter(edges[new])))
                continue
            if new is not None:
                low[node] = min(low[node], index[new])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = stack[stack.index(node) :]
                del stack[stack.index(node) :]
                waiting.difference_update(group)
                yield group


class _Text:
    """A file, with what the fixes in it change and rely on."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        # The innermost function of each row, with its qualified name.
        self.holders = {
            row: (each.node, each.name)
            for each in definitions(source.text)
            if isinstance(each.node, _Function)
            for row in each.rows
        }

    def ties(self, finding: Diagnostic) -> Ties:
        """Return what a fix changes, and what it relies on."""
        assert finding.fix is not None
        changes: set[Fact] = set()
        rests: set[Fact] = set()
        holder = self.holders.get(finding.start.row)
        rests |= self._rests(holder, finding.start.row, finding.end.row)
        for edit in finding.fix.edits:
            around = self.holders.get(edit.start.row)
            raises = _TEST_THAT_RAISES.match(edit.content)
            if raises:
                callers = [("way", step.filename, step.name) for step in finding.compiled_via]
                rests.update(callers)
                changes.update(callers[-1:])
            if around is None:
                changes |= self._outside(edit)
                if holder is not None and _CONSTANT.search(edit.content):
                    changes.add(self._branches(holder[1]))
                continue
            function, name = around
            if raises or _ASSERTED.search(edit.content):
                rests.add(self._branches(name))
            elif any(_touch(*self._place(each.test), edit) for each in _ifs(function)):
                changes.add(self._branches(name))
            if edit.start.row <= _header_end(function):
                changes |= self._signature(function, name, edit)
                continue
            rests |= self._rests(around, edit.start.row, edit.end.row)
            changes |= self._assigned(function, name, edit, finding)
            asserted = _ASSERTED.findall(edit.content)
            changes |= {("variable", str(self.source.path), name, each) for each in asserted}
        return Ties(frozenset(changes), frozenset(rests))

    def _branches(self, name: str) -> Fact:
        """Return the fact that stands for the answer to: which branches of a function are compiled?

        A fix in another branch relies on this fact, because its code may no longer be compiled.
        """
        return ("branches", str(self.source.path), name)

    def _outside(self, edit: Edit) -> set[Fact]:
        """Return what an edit outside functions changes: attributes that a class body declares, globals, functions."""
        return {("attribute", name) for name in re.findall(r"^[ \t]*(\w+)[ \t]*:", edit.content, re.MULTILINE)} | {
            ("function", name) for name in re.findall(r"^[ \t]*def[ \t]+(\w+)", edit.content, re.MULTILINE)
        }

    def _signature(self, function: _Function, name: str, edit: Edit) -> set[Fact]:
        # The callers of a `forward` cannot be found by its name.
        found: set[Fact] = {("function", function.name)} if function.name != "forward" else set()
        spec = function.args
        for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
            if argument is not None and _touch(*self._place(argument), edit):
                found.add(("variable", str(self.source.path), name, argument.arg))
                # The constructor of a compiled class gives its attributes the types of its parameters.
                found |= {("attribute", each) for each in _stored_from(function, argument.arg)}
        return found

    def _assigned(self, function: _Function, name: str, edit: Edit, finding: Diagnostic) -> set[Fact]:
        """Return the variables and attributes that an edit assigns anew; none of an assignment if the finding is only
        about its value.
        """
        found: set[Fact] = set()
        written = {found.strip() for found in re.findall(r"^[ \t]*(\w+)[ \t]*(?:=[^=]|:)", edit.content, re.MULTILINE)}
        kinds = (ast.Assign, ast.AnnAssign, ast.AugAssign)
        for node in dict.fromkeys(_statements(function, edit.start.row, edit.end.row)):
            if not isinstance(node, kinds):
                continue
            start, end = self._place(node)
            if not _touch(start, end, edit) or (edit.start == edit.end and edit.start.column == 1):
                continue
            if start <= finding.start and finding.end <= end and not self._is_target(node, finding):
                continue
            found |= self._bound(function, node, name)
        own = astwalk.bound(function)
        # Two fixes of one round may choose the same new name; the second one chooses another in the next round.
        new = _NEW_NAMES.findall(edit.content) if edit.start == edit.end else ()
        return found | {("variable", str(self.source.path), name, each) for each in (written & own).union(new)}

    def _is_target(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, finding: Diagnostic) -> bool:
        """Return whether a finding is about the type of the assigned target itself."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(self._place(target)[0] == finding.start for target in targets)

    def _bound(self, function: _Function, node: ast.AST, name: str) -> set[Fact]:
        path = str(self.source.path)
        found: set[Fact] = {("variable", path, name, each) for each in astwalk.bound(node)}
        for each in astwalk.walk(node):
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                # `x.requires_grad = True` changes the local variable `x`; `self.x = …` changes an attribute.
                owner = each.value.id if isinstance(each.value, ast.Name) else ""
                other = owner in astwalk.bound(function)
                found.add(("variable", path, name, owner) if other else ("attribute", each.attr))
        return found

    def _rests(self, holder: tuple[_Function, str] | None, first: int, last: int) -> set[Fact]:
        """Return the facts that determine the types in the given rows of a function."""
        if holder is None:
            return set()
        function, name = holder
        made: dict[Fact, set[Fact]] = {("variable", variable): facts for variable, facts in _flow(function).items()}
        path = str(self.source.path)
        rests = closure((each for node in _statements(function, first, last) for each in _mentioned(node)), made)
        return {("variable", path, name, each[1]) if each[0] == "variable" else each for each in rests}

    def _place(self, node: ast.AST) -> tuple[Position, Position]:
        row, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_row, end_column = getattr(node, "end_lineno", row), getattr(node, "end_col_offset", column)
        return self.source.from_ast(row, column), self.source.from_ast(end_row, end_column)


def _touch(start: Position, end: Position, edit: Edit) -> bool:
    return edit.start <= end and start <= edit.end


def _header_end(function: _Function) -> int:
    """Return the last row of the function's header."""
    first = function.body[0]
    return max(function.lineno, first.lineno - 1)


def _statements(function: _Function, first: int, last: int) -> Iterator[ast.AST]:
    """Yield the simple statements, and the headers of compound statements, in the given rows."""
    known = _by_row(function)
    for row in range(first, last + 1):
        yield from known.get(row, ())


@astwalk.kept
def _by_row(function: ast.AST) -> dict[int, list[ast.AST]]:
    """Return the nodes in each row of a function."""
    found: dict[int, list[ast.AST]] = {}
    for node in astwalk.walk(function):
        if not isinstance(node, ast.stmt) or node is function:
            continue
        parts: list[ast.AST] = [node]
        if isinstance(node, (ast.If, ast.While)):
            parts = [node.test]
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            parts = [node.iter, node.target]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            parts = [*node.items]
        body = getattr(node, "body", None)
        end = body[0].lineno if isinstance(body, list) and body else (node.end_lineno or node.lineno)
        for row in range(node.lineno, end + 1):
            found.setdefault(row, []).extend(parts)
    return found


@astwalk.kept
def _ifs(function: ast.AST) -> list[ast.If]:
    return [each for each in astwalk.walk(function) if isinstance(each, ast.If)]


def _mentioned(node: ast.AST) -> Iterator[Fact]:
    for each in astwalk.walk(node):
        if isinstance(each, ast.Name):
            yield ("variable", each.id)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            yield ("attribute", each.attr)
        if isinstance(each, ast.Call) and isinstance(each.func, (ast.Name, ast.Attribute)):
            yield ("function", each.func.id if isinstance(each.func, ast.Name) else each.func.attr)


def _stored_from(function: ast.AST, name: str) -> Iterator[str]:
    """Yield the attributes whose values a function computes from a variable."""
    for each in astwalk.of_kind(function, ast.Assign, ast.AnnAssign):
        targets = each.targets if isinstance(each, ast.Assign) else [each.target]
        if each.value is not None and ("variable", name) in _mentioned(each.value):
            yield from (target.attr for target in targets if isinstance(target, ast.Attribute))


@astwalk.kept
def _flow(function: ast.AST) -> dict[str, set[Fact]]:
    """Return, for each variable of a function, everything from which it is computed anywhere in the function."""
    found: dict[str, set[Fact]] = {}
    for name, value in computed(function):
        found.setdefault(name, set()).update(_mentioned(value))
    return found
