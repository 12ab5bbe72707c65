"""Rewrites loops that use the next or previous module: ``self.layers[i + 1]`` in a loop over indices."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.loops import Loop, Parts, index_of, is_plain, paired, same, under, with_parts
from tslint.rewrite.module_names import module_name
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.index_proofs import place_of, reach
from tslint.script.dataflow.linear import Linear, number
from tslint.script.dataflow.loops import changes_path, is_stored
from tslint.script.dataflow.ranges import range_ends
from tslint.util.record import record

_RANGE = m.Call(func=m.Name("range"))
_SHIFTED = m.BinaryOperation(left=m.Name(), operator=m.Add() | m.Subtract(), right=m.Integer())


def shifted(match: Match, node: cst.Subscript, loop: Loop | None) -> Fix | None:
    """Write a loop that reads ``self.layers[i - 1]`` as ``for i, layer in enumerate(self.layers, start=1):``.

    Args:
        match: provides the file and the function.
        node: reads a module by the loop's index, plus or minus a number.
        loop: the loop around the node.

    Returns:
        None if the loop has another form, if there may be no module at an index, or if a module may have another index
        for the compiler.
    """
    index = index_of(node)
    if loop is None or not isinstance(index, cst.BinaryOperation) or not m.matches(index, _SHIFTED):
        return None
    name, by = cst.ensure_type(index.left, cst.Name).value, cst.ensure_type(index.right, cst.Integer).evaluated_value
    by = -by if isinstance(index.operator, cst.Subtract) else by
    model, path = match.model(loop.node), match.model(node.value)
    ends = range_ends(match.model(loop.iterable)) if m.matches(loop.iterable, _RANGE) else None
    where = place_of(match.file.tree, model)
    if ends is None or where is None or not is_plain(match, loop, name) or changes_path(model, path):
        return None
    reached = reach(where, ends, path, by)
    uses = [use for use in loop.all(cst.Subscript) if same(match, use, node)]
    if reached is None or any(is_stored(match.model(use)) for use in uses):
        return None
    found = _Shifted(match, loop, node.value, name, by, uses, *reached)
    return safe(f"Iterate over `{match.code(node.value)}`", found.edits)


@record
class _Shifted:
    """A loop over indices that is to become a loop over neighbouring modules.

    Args:
        match: provides the file.
        loop: the loop.
        path: the container.
        name: the variable of the index.
        by: the difference between the modules' indices and the loop's.
        uses: the subscripts that read modules.
        before: how many modules precede the first one that the loop reads.
        to_the_end: whether the loop reads the last module.
    """

    match: Match
    loop: Loop
    path: cst.BaseExpression
    name: str
    by: int
    uses: Sequence[cst.Subscript]
    before: Linear
    to_the_end: bool

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits: another header, and a test around the body if the loop does not read every module."""
        around = cst.ensure_type(self.loop.node, cst.For)
        inside = {each for use in self.uses for each in variables_in(use)}
        counted = any(each.value == self.name and each not in inside for each in self.loop.variables)
        # If the index has no other uses, it may become the index of the module.
        own = not counted and self.before.number is not None and self.to_the_end
        test, one = self._test(own), cst.Name(module_name(self.match, self.loop, self.path))
        over = self.path
        if test is not None or not own:
            over = expression("enumerate({path})" if own else f"enumerate({{path}}, start={-self.by})", path=self.path)
        target = paired(self.name, [one]) if test is not None or not own else one
        parts: Parts = {self.loop.target: target, self.loop.iterable: over, **dict.fromkeys(self.uses, one)}
        new = with_parts(around, parts)
        if test is not None and isinstance(new.body, cst.IndentedBlock):
            new = new.with_changes(body=under(new.body, statement("if {test}:\n    pass", test=test)))
        return self.match.rewrite(around, new)

    def _test(self, own: bool) -> cst.BaseExpression | None:
        """Return the test that excludes the modules that the loop does not read; None if it reads all of them. With
        ``own``, the loop variable is the index of the module.
        """
        first, stop = range_ends(self.match.model(self.loop.iterable)) or (None, None)
        least = self.match.code(self.match.libcst(first)) if first is not None else "0"
        least = str(self.before.number) if own else least
        below = "" if self.to_the_end or stop is None else f" < {self.match.code(self.match.libcst(stop))}"
        if self.before == number(0):
            return expression(f"{self.name}{below}") if below else None
        return expression(f"{least} <= {self.name}{below}" if below else f"{self.name} >= {least}")
