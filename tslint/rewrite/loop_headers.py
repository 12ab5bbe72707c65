"""Headers of loops over indices, written as loops over the modules that were indexed.

A loop over the modules has as many turns as there are modules: it takes the place of a loop over numbers where these
are as many in every construction. Elsewhere its body stands under a test, after a line that raises where Python would
have run out of modules.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.loop_parts import (
    Loop,
    acts_before,
    called,
    every_turn,
    folded,
    leaves_turn,
    moved_right,
    place,
    raised_after,
    read_after,
    replace,
    same,
    stored_once,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.bounds import range_ends
from tslint.script.dataflow.first_evaluated import comes_first
from tslint.script.dataflow.index_proofs import is_proven, looks_integer, may_hold_none, place_of
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.linear import Linear
from tslint.script.dataflow.stores import CHANGING


@dataclass(frozen=True)
class Rewriting:
    """A loop over indices that is to become one over modules.

    Args:
        match: for the file; its event knows the containers of the module.
        loop: the loop.
        index: what it calls the indices.
        paths: the containers that are indexed, all of one length.
        names: what their modules are to be called.
        indexed: whether the index is needed still.
        uses: where modules of the first container are taken.
    """

    match: Match
    loop: Loop
    index: str
    paths: list[ast.expr]
    names: list[str]
    indexed: bool
    uses: list[ast.Subscript]

    def fix(self, message: str, more: list[Edit]) -> Fix | None:
        """The fix with further edits; None where the loop has another shape, or may have other turns."""
        if any(may_hold_none(self.match.file.tree, path) for path in self.paths):
            return None
        if called(self.loop.iterable, "enumerate") is not None:
            return self._of_enumerate(message, more)
        numbers = self.loop.iterable
        if not (isinstance(numbers, ast.Call) and isinstance(numbers.func, ast.Name) and numbers.func.id == "range"):
            return None
        ends = range_ends(numbers)
        if ends is None or not isinstance(self.loop.target, ast.Name):
            return None
        length = called(numbers, "range")
        length = called(length[0], "len") if length is not None else None
        if length is not None and any(same(length[0], path) for path in self.paths):
            return safe(message, *self._plain(), *more)
        where = place_of(self.match.file.tree, self.loop.node)
        turns = None if where is None else where.bounds.turns(numbers, where.function)
        if where is None or turns is None:
            return None
        if ends[0] is None and self._as_many(turns, where):
            return safe(message, *self._plain(), *more)
        return self._tested(message, more, where, *ends)

    def _as_many(self, turns: Linear, where: Place) -> bool:
        """Whether there are exactly as many modules as the loop has turns, in every construction."""
        return turns == where.length(self.paths[0])

    def _plain(self) -> list[Edit]:
        texts = [self.match.text(path) for path in self.paths]
        over, binds = _zipped(texts), ", ".join(self.names)
        if self.indexed:
            over, binds = f"enumerate({over})", f"{self.index}, {_grouped(self.names)}"
        return [replace(self.match, self.loop.target, binds), replace(self.match, self.loop.iterable, over)]

    def _tested(
        self, message: str, more: list[Edit], where: Place, first: ast.expr | None, stop: ast.expr
    ) -> Fix | None:
        """Go over all modules, and run the body where the index is one of the loop's."""
        match, loop = self.match, self.loop
        length, low, high = where.length(self.paths[0]), where.value(first) if first else None, where.value(stop)
        if not isinstance(loop.node, ast.For) or high is None or (first is not None and low is None):
            return None
        if leaves_turn(loop.node) or loop.node.orelse or read_after(match, loop, self.index):
            return None
        if low is not None and not where.holds(low):
            return None
        fits = length is not None and where.holds(length - high)
        sure = all(is_proven(where, value) for value in (low, high) if value is not None) or (fits and not first)
        if not sure and not all(
            looks_integer(match.file.tree, end, match.event.names) for end in (first, stop) if end is not None
        ):
            return None
        texts = [match.text(end) for end in (first, stop) if end is not None]
        path = match.text(self.paths[0])
        test = f"{self.index} < {texts[-1]}" if first is None else f"{texts[0]} <= {self.index} < {texts[-1]}"
        edits = moved_right(match, loop.node, f"if {test}:")
        if edits is None or any("\n" in text for text in texts):
            return None
        if not fits:
            size = self._size(length.number if length is not None else None)
            runs_out = self._runs_out()
            if not runs_out or size is None or first is not None:
                return None
            line = raised_after(match, loop.node, f"{texts[-1]} > {size}", f'IndexError("{path} has fewer modules")')
            if line is None:
                return None
            edits.append(line)
        header = [
            replace(match, loop.target, f"{self.index}, {_grouped(self.names)}"),
            replace(match, loop.iterable, f"enumerate({_zipped([match.text(each) for each in self.paths])})"),
        ]
        edits = folded(match, [loop.node], [*header, *edits, *more])
        risks = [*([] if sure else [Risk.ASSUMES]), *([] if fits or self._leads() else [Risk.EXCEPTION])]
        if not risks:
            return safe(message, *edits)
        return unsafe(message, *edits, risks=tuple(risks))

    def _runs_out(self) -> bool:
        """Whether every turn takes a module, before it does what would be missing of the turn that has none."""
        before: list[ast.AST] = []
        for part in self.loop.inside:
            for use in self.uses:
                if every_turn(self.loop, use) and any(node is use for node in walking.walk(part)):
                    return not acts_before(part, use) and not any(_acts(each) for each in before)
            before.append(part)
        return False

    def _leads(self) -> bool:
        """Whether a turn takes a module before it does anything, so that nothing is missing of one that has none."""
        first = self.loop.inside[0]
        return isinstance(first, ast.stmt) and any(comes_first(first, use) for use in self.uses)

    def _size(self, number: int | None) -> str | None:
        """The length of the containers as the compiler takes it: it knows none of parameter lists."""
        if number is not None:
            return str(number)
        parameters = self.match.event.facts.get("container") == "ParameterList"
        return None if parameters else f"len({self.match.text(self.paths[0])})"

    def _of_enumerate(self, message: str, more: list[Edit]) -> Fix | None:
        match, loop = self.match, self.loop
        listed = called(loop.iterable, "enumerate")
        if listed is None or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
            return None
        counter, item = loop.target.elts
        if not (isinstance(counter, ast.Name) and counter.id == self.index):
            return None
        if not isinstance(listed[0], (ast.Name, ast.Attribute)):
            return None
        if ast.unparse(listed[0]) not in match.event.facts["containers"]:
            return self._with_items(message, more, item, listed[0])
        where = place_of(match.file.tree, loop.node)
        lengths = [] if where is None else [where.length(listed[0]), where.length(self.paths[0])]
        known = [length for length in lengths if length is not None]
        fits = where is not None and len(known) == 2 and where.holds(known[1] - known[0])
        over = _zipped([match.text(listed[0]), *(match.text(path) for path in self.paths)])
        binds = f"{self.index}, ({match.text(item)}, {', '.join(self.names)})"
        edits = [replace(match, loop.target, binds), replace(match, loop.iterable, f"enumerate({over})")]
        if fits:
            return safe(message, *edits, *more)
        if not isinstance(loop.node, ast.For) or leaves_turn(loop.node):
            return None
        size, path = self._size(None), match.text(self.paths[0])
        if size is None or loop.node.orelse or not self._runs_out():
            return None
        test = f"len({match.text(listed[0])}) > {size}"
        line = raised_after(match, loop.node, test, f'IndexError("{path} has fewer modules")')
        if line is None:
            return None
        edits = folded(match, [loop.node], [*edits, line, *more])
        return safe(message, *edits) if self._leads() else unsafe(message, *edits, risks=(Risk.EXCEPTION,))

    def _with_items(self, message: str, more: list[Edit], item: ast.expr, items: ast.expr) -> Fix | None:
        """Go over the modules, and take the items by the index."""
        match, loop = self.match, self.loop
        if not isinstance(loop.node, ast.For) or leaves_turn(loop.node) or loop.node.orelse:
            return None
        if not is_sequence(match, items) or not keeps_length(loop, items):
            return None
        bound = [self.index, *(n.id for n in walking.walk(item) if isinstance(n, ast.Name))]
        if any(read_after(match, loop, name) or not stored_once(match, name) for name in bound):
            return None
        size, text, path = self._size(None), match.text(items), match.text(self.paths[0])
        if size is None or not self._runs_out():
            return None
        first = f"{match.text(item)} = {text}[{self.index}]"
        edits = moved_right(match, loop.node, f"if {self.index} < len({text}):", [first])
        line = raised_after(match, loop.node, f"len({text}) > {size}", f'IndexError("{path} has fewer modules")')
        if edits is None or line is None or place(match, item)[0].row != place(match, item)[1].row:
            return None
        over = _zipped([match.text(each) for each in self.paths])
        header = [
            replace(match, loop.target, f"{self.index}, {_grouped(self.names)}"),
            replace(match, loop.iterable, f"enumerate({over})"),
        ]
        edits = folded(match, [loop.node], [line, *header, *edits, *more])
        risks = (Risk.ASSUMES,) if self._leads() else (Risk.ASSUMES, Risk.EXCEPTION)
        return unsafe(message, *edits, risks=risks)


def _acts(statement: ast.AST) -> bool:
    """Whether a statement does more than to give names to values."""
    return any(
        isinstance(node, (ast.Call, ast.NamedExpr, ast.AugAssign, ast.Delete))
        or (isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load))
        for node in walking.walk(statement)
    )


def is_sequence(match: Match, items: ast.expr) -> bool:
    """Whether the types say that something is a list or a tensor, which give the same by an index as in a loop."""
    type_ = match.event.names.get(items.id, "") if isinstance(items, ast.Name) else ""
    return type_.startswith(("List[", "Tensor", "Tuple["))


def keeps_length(loop: Loop, items: ast.expr) -> bool:
    """Whether a turn leaves a list as long as it is: it only takes items from it, or asks for its length."""
    if not isinstance(items, ast.Name) or loop.stores(items.id):
        return False
    parents = {child: node for node in loop.walk() for child in walking.children(node)}
    for node in loop.walk():
        if isinstance(node, ast.Name) and node.id == items.id:
            around = parents.get(node)
            taken = isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Load)
            if not taken and not called(around, "len"):  # type: ignore[arg-type]
                return False
            if isinstance(around, ast.Attribute) and around.attr in CHANGING:
                return False
    return True


def _zipped(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"zip({', '.join(texts)})"


def _grouped(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
