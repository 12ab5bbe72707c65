"""Rewrites loops over indices as loops over the indexed modules.

The new loop has one iteration for each module. If the old loop has as many iterations in every construction, only its
header changes. Otherwise, the body is also put under a test of the index, and a line after the loop raises if Python
would have run out of modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.loops import (
    Loop,
    Parts,
    called,
    failure,
    names_in,
    paired,
    put,
    raised,
    same,
    under,
    with_parts,
    zipped,
)
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import Line, expression, statement
from tslint.script.dataflow.always_set import can_be_read
from tslint.script.dataflow.index_proofs import (
    if_zips_are_even,
    is_sequence,
    is_surely_integer,
    looks_integer,
    may_hold_none,
    place_of,
)
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.linear import Linear, turns
from tslint.script.dataflow.liveness import read_later
from tslint.script.dataflow.loops import (
    counts_alike,
    is_seen_inside,
    keeps_length,
    leads,
    leaves_turn,
    read_after,
    rebinds,
    takes_before_acting,
)
from tslint.script.dataflow.ranges import range_ends
from tslint.script.events.modules import ContainerIndex
from tslint.util.record import record

_RANGE = m.Call(func=m.Name("range"))
_WHOLE = m.Name() | m.Attribute()


@record
class Rewriting:
    """A loop over indices that is to become a loop over modules.

    Args:
        match: provides the file; its event knows the containers of the module.
        loop: the loop.
        index: the loop's variable for the index.
        paths: the containers that are indexed; all have one length, except for ``others``.
        others: the containers that may be shorter or longer than the first one.
        names: the new variables for their modules.
        indexed: whether the body also uses the index for something else.
        uses: the subscripts that read modules of the first container.
    """

    match: Match[ContainerIndex]
    loop: Loop
    index: str
    paths: Sequence[cst.BaseExpression]
    others: Sequence[cst.BaseExpression]
    names: Sequence[str]
    indexed: bool
    uses: Sequence[cst.Subscript]

    def fix(self, message: str, taken: Parts) -> Fix | None:
        """Return the fix; None if the loop has another form, or might get another number of iterations.

        Args:
            message: what the fix does.
            taken: the variables for modules, by the subscripts that read them.
        """
        match, loop, numbers = self.match, self.loop, self.loop.iterable
        if any(may_hold_none(match.file.tree, match.model(path)) for path in self.paths):
            return None
        tree, header = match.file.tree, match.model(numbers)
        if not all(can_be_read(tree, match.model(path), match.model(loop.node), header) for path in self.paths):
            return None
        if called(numbers, "enumerate") is not None:
            return self._of_counted_range(message, taken) or self._of_enumerate(message, taken)
        ends = range_ends(match.model(numbers)) if m.matches(numbers, _RANGE) else None
        if ends is None or not isinstance(loop.target, cst.Name):
            return None
        length = called(called(numbers, "range"), "len")
        longest = next((path for path in self.paths if length is not None and same(match, length, path)), None)
        if longest is not None:
            others = [path for path in self.paths if path is not longest] if longest in self.others else self.others
            return replace(self, others=others)._whole(message, taken, longest)
        where = place_of(match.file.tree, match.model(loop.node))
        turns = None if where is None else where.bounds.turns(match.model(numbers), where.function)
        counts = all(end is None or counts_alike(match.model(loop.node), end) for end in ends)
        if where is None or (turns is None and not counts):
            return None
        lengths = [where.length_where_set(match.model(path)) for path in self.paths]
        # Whether every container has an item for each iteration.
        enough = turns is not None and all(each is not None and where.holds(each - turns) for each in lengths)
        found = replace(self, others=()) if enough else self
        if turns is not None and ends[0] is None and self._as_many(turns, lengths if enough else lengths[:1]):
            return found._whole(message, taken, self.paths[0])
        first, stop = (match.libcst(end) if end is not None else None for end in ends)
        assert isinstance(stop, cst.BaseExpression) and isinstance(first, (cst.BaseExpression, type(None)))
        even = self._if_zips_are_even(message, taken, where, stop) if first is None else None
        return even or found._tested(message, taken, where, first, stop)

    def _if_zips_are_even(self, message: str, taken: Parts, where: Place, stop: cst.BaseExpression) -> Fix | None:
        """Iterate over all modules, if the constructor adds one for each item of a ``zip``, and the loop counts the
        items of one of the zipped lists; assert that there are as many.
        """
        match, loop = self.match, self.loop
        even = if_zips_are_even(where)
        turns = even.bounds.turns(match.model(loop.iterable), even.function)
        if turns is None or not all(even.length(match.model(path)) == turns for path in self.paths):
            return None
        if not isinstance(loop.node, cst.For) or not self._runs_out() or self._size(None) is None:
            return None
        header = self._counted() if self.indexed else self._uncounted()
        tests = [statement("assert len({path}) == {stop}", path=path, stop=stop) for path in self.paths]
        line, new = loop.node, with_parts(loop.node, {**header, **taken})
        return unsafe(message, lambda: match.rewrite(line, *tests, new), risks=(Risk.EXCEPTION,))

    def _as_many(self, turns: Linear, lengths: Sequence[Linear | None]) -> bool:
        """Return whether a container has exactly as many modules as the loop has iterations, in every construction."""
        return turns in lengths

    def _length(self, where: Place) -> Linear | None:
        """Return how many modules the first container has; None if that is not known."""
        return where.length_where_set(self.match.model(self.paths[0]))

    def _whole(self, message: str, taken: Parts, longest: cst.BaseExpression) -> Fix | None:
        """Iterate over all modules; if another container is shorter, raise after the loop, as Python would."""
        if not self.others:
            return safe(message, lambda: self._plain(taken))
        if not isinstance(self.loop.node, cst.For) or not self._has_room(self.loop.node) or self._size(None) is None:
            return None
        stop = expression("len({longest})", longest=longest)
        return unsafe(message, lambda: self._plain(taken, *self._missing(stop)), risks=(Risk.EXCEPTION,))

    def _missing(self, stop: cst.BaseExpression, least: cst.BaseExpression | None = None) -> list[Line]:
        """Return, for each of the other containers, a line that raises if it has fewer modules than the loop needs;
        ``least`` is the index where the loop begins.
        """
        return [self._raised(_exceeds(stop, expression("len({path})", path=each), least), each) for each in self.others]

    def _plain(self, taken: Parts, *after: Line) -> tuple[Edit, ...]:
        """Return the edits that write the new header, and the variables in place of the indexed modules."""
        header = self._counted() if self.indexed else self._uncounted()
        if after:
            return self._rewritten({**header, **taken}, None, after)
        return put(self.match, self.loop, {**header, **taken})

    def _uncounted(self) -> Parts:
        """Return the header of a loop over the modules."""
        names = [cst.Name(name) for name in self.names]
        binds = names[0] if len(names) == 1 else cst.Tuple([cst.Element(each) for each in names], lpar=[], rpar=[])
        return {self.loop.target: binds, self.loop.iterable: zipped(self.paths)}

    def _counted(self) -> Parts:
        """Return the header of a loop that counts the modules."""
        return {
            self.loop.target: paired(self.index, [cst.Name(name) for name in self.names]),
            self.loop.iterable: expression("enumerate({over})", over=zipped(self.paths)),
        }

    def _tested(
        self,
        message: str,
        taken: Parts,
        where: Place,
        first: cst.BaseExpression | None,
        stop: cst.BaseExpression,
    ) -> Fix | None:
        """Loop over all modules, and run the body only for the indices of the old loop."""
        match, loop = self.match, self.loop
        tree, ends = match.file.tree, [match.model(end) for end in (first, stop) if end is not None]
        values = [where.value(end) for end in ends]
        known = [value for value in values if value is not None]
        if not isinstance(loop.node, cst.For) or not self._has_room(loop.node):
            return None
        if read_after(tree, match.model(loop.node), self.index):
            return None
        if first is not None and (values[0] is None or not where.holds(values[0])):
            return None
        length = self._length(where)
        fits = length is not None and len(known) == len(values) and where.holds(length - known[-1])
        to_the_end = fits and length in (known[-1], turns(known[-1]))
        # If the constructor has counted up to the end, or a list has that many modules, the end is an int.
        counted = ends[:-1] if fits and (first is None or to_the_end) else ends
        sure = all(is_surely_integer(where, end) for end in counted)
        if not sure and not all(looks_integer(tree, end, match.event.variables) for end in ends):
            return None
        size = self._size(length.number if length is not None else None)
        if not fits and (size is None or not self._runs_out() or (first is not None and not sure)):
            return None
        if self.others and size is None:
            return None
        has_first = first is None or (length is not None and values[0] is not None and where.holds(length - values[0]))

        def edits() -> tuple[Edit, ...]:
            pattern = "{i} < {stop}" if first is None else "{i} >= {first}" if to_the_end else "{first} <= {i} < {stop}"
            test = expression(pattern, i=self.index, stop=stop, **({} if first is None else {"first": first}))
            more = [] if fits or size is None else [self._raised(_exceeds(stop, size, None if has_first else first))]
            return self._rewritten({**self._counted(), **taken}, test, [*more, *self._missing(stop, first)])

        leads = (fits or self._leads()) and not self.others
        risks = [*([] if sure else [Risk.ASSUMES]), *([] if leads else [Risk.EXCEPTION])]
        return unsafe(message, edits, risks=tuple(risks)) if risks else safe(message, edits)

    def _has_room(self, loop: cst.For) -> bool:
        """Return whether the body can be put under a test."""
        inside = isinstance(loop.body, cst.IndentedBlock) and loop.orelse is None
        return inside and not leaves_turn(self.match.model(loop))

    def _rewritten(
        self,
        parts: Parts,
        test: cst.BaseExpression | None,
        after: Sequence[Line],
        first: Sequence[Line] = (),
    ) -> tuple[Edit, ...]:
        """Return the edits that replace parts of the loop, put a test around its body, and add lines after it."""
        assert isinstance(self.loop.node, cst.For)
        new = with_parts(self.loop.node, parts)
        if test is not None and isinstance(new.body, cst.IndentedBlock):
            header = statement("if {test}:\n    pass", test=test)
            new = new.with_changes(body=under(new.body, header, first=first))
        return self.match.rewrite(self.loop.node, new, *after)

    def _raised(self, test: cst.BaseExpression, path: cst.BaseExpression | None = None) -> Line:
        """Return the line that raises if a test is true: a container, by default the first, has fewer modules."""
        return raised(test, failure("IndexError", f"{self.match.code(path or self.paths[0])} has fewer modules"))

    def _runs_out(self) -> bool:
        """Return whether every iteration reads a module before it has any other effect. If a module is missing, the
        exception may then be raised before that iteration.
        """
        return takes_before_acting(self.match.model(self.loop.node), [self.match.model(use) for use in self.uses])

    def _leads(self) -> bool:
        """Return whether the first statement of an iteration reads a module before it has any effect. If a module is
        missing, the exception may then be raised before that iteration.
        """
        return leads(self.match.model(self.loop.node), [self.match.model(use) for use in self.uses])

    def _size(self, number: int | None) -> cst.BaseExpression | None:
        """Return the length of the containers as compiled code can compute it; None if it cannot, as for parameter
        lists.
        """
        if number is not None:
            return cst.Integer(str(number))
        parameters = self.match.event.container == "ParameterList"
        return None if parameters else expression("len({path})", path=self.paths[0])

    def _of_counted_range(self, message: str, taken: Parts) -> Fix | None:
        """Loop over the modules instead of ``i, _ in enumerate(range(len(modules)))``, if nothing reads the ``_``."""
        match, loop = self.match, self.loop
        length = called(called(called(loop.iterable, "enumerate"), "range"), "len")
        if length is None or self.others or not any(same(match, length, path) for path in self.paths):
            return None
        names = names_in(loop.target)
        if len(names) != 2 or not m.matches(loop.target, m.Tuple([m.Element(m.Name(self.index)), m.Element(m.Name())])):
            return None
        if any(each.value == names[1] for each in loop.variables):
            return None
        if read_after(match.file.tree, match.model(loop.node), names[1]):
            return None
        return safe(message, lambda: self._plain(taken))

    def _of_enumerate(self, message: str, taken: Parts) -> Fix | None:
        """Rewrite a loop over ``enumerate(xs)``. If ``xs`` is a container, loop over its modules and the indexed ones
        together; for other values, see :meth:`_with_items`.
        """
        match, loop, target = self.match, self.loop, self.loop.target
        listed = called(loop.iterable, "enumerate")
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2 or listed is None:
            return None
        counter, item = (each.value for each in target.elements)
        if not m.matches(listed, _WHOLE) or not m.matches(counter, m.Name(self.index)):
            return None
        if match.code(listed) not in match.event.containers:
            return self._with_items(message, taken, item, listed)
        if self.others:
            return None
        where = place_of(match.file.tree, match.model(loop.node))
        lengths = [] if where is None else [where.length(match.model(listed)), self._length(where)]
        known = [length for length in lengths if length is not None]
        fits = where is not None and len(known) == 2 and where.holds(known[1] - known[0])
        parts = {
            loop.target: paired(self.index, [item, *(cst.Name(name) for name in self.names)]),
            loop.iterable: expression("enumerate({over})", over=zipped([listed, *self.paths])),
            **taken,
        }
        alone = len(self.paths) == 1 and same(match, listed, self.paths[0])
        if alone and isinstance(item, cst.Name) and not rebinds(match.model(loop.node), item.value):
            parts = dict.fromkeys(taken, item)
            if not self.indexed and isinstance(loop.node, cst.For):
                parts = {**parts, loop.target: item, loop.iterable: listed}
            return safe(message, lambda: put(match, loop, parts))
        if fits:
            return safe(message, lambda: put(match, loop, parts))
        size = self._size(None)
        if not isinstance(loop.node, cst.For) or leaves_turn(match.model(loop.node)) or size is None:
            return None
        if loop.node.orelse is not None or not self._runs_out():
            return None
        more = [self._raised(expression("len({listed}) > {size}", listed=listed, size=size))]
        if self._leads():
            return safe(message, lambda: self._rewritten(parts, None, more))
        return unsafe(message, lambda: self._rewritten(parts, None, more), risks=(Risk.EXCEPTION,))

    def _with_items(
        self,
        message: str,
        taken: Parts,
        item: cst.BaseExpression,
        items: cst.BaseExpression,
    ) -> Fix | None:
        """Loop over the modules, and read the items by index."""
        match, loop, tree = self.match, self.loop, self.match.file.tree
        if not isinstance(loop.node, cst.For):
            return self._with_read_items(message, taken, item, items)
        if not self._has_room(loop.node):
            return None
        model, listed = match.model(loop.node), match.model(items)
        if not is_sequence(listed, match.event.variables) or not keeps_length(model, listed):
            return None
        bound = [self.index, *names_in(item)]
        if any(read_later(tree, model, model, name) or is_seen_inside(tree, model, name) for name in bound):
            return None
        size = self._size(None)
        if size is None or not self._runs_out():
            return None

        def edits() -> tuple[Edit, ...]:
            first = statement("{item} = {items}[{i}]", item=item, items=items, i=self.index)
            test = expression("{i} < len({items})", i=self.index, items=items)
            stop = expression("len({items})", items=items)
            more = [self._raised(_exceeds(stop, size)), *self._missing(stop)]
            return self._rewritten({**self._counted(), **taken}, test, more, [first])

        leads = self._leads() and not self.others
        risks = (Risk.ASSUMES,) if leads else (Risk.ASSUMES, Risk.EXCEPTION)
        return unsafe(message, edits, risks=risks)

    def _with_read_items(
        self, message: str, taken: Parts, item: cst.BaseExpression, items: cst.BaseExpression
    ) -> Fix | None:
        """Write ``[self.heads[i](x) for i, x in enumerate(xs)]`` as ``[head(xs[i]) for i, head in enumerate(heads)]``,
        if there are as many modules as items.
        """
        match, loop = self.match, self.loop
        where = place_of(match.file.tree, match.model(loop.node))
        turns = where.bounds.turns(match.model(loop.iterable), where.function) if where is not None else None
        lengths = [where.length_where_set(match.model(path)) for path in self.paths] if where is not None else []
        if turns is None or not isinstance(item, cst.Name) or any(each != turns for each in lengths):
            return None
        if rebinds(match.model(loop.node), item.value):
            return None
        read = expression("{items}[{i}]", items=items, i=self.index)
        parts: Parts = {each: read for each in loop.variables if each.value == item.value}
        return safe(message, lambda: put(match, loop, {**self._counted(), **taken, **parts}))


def _exceeds(
    stop: cst.BaseExpression, size: cst.BaseExpression, least: cst.BaseExpression | None = None
) -> cst.BaseExpression:
    """Return the test for whether a loop from ``least`` (by default 0) to ``stop`` needs more than ``size`` items."""
    if least is not None:
        size = expression("max({least}, {size})", least=least, size=size)
    return expression("{size} < {stop}" if isinstance(stop, cst.Integer) else "{stop} > {size}", stop=stop, size=size)
