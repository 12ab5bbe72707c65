"""Rewrites loops over one block of a container: ``self.blocks[i * n + j]`` in a loop over ``range(n)``."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.loops import (
    Loop,
    Parts,
    called,
    failure,
    index_of,
    is_plain,
    loop_of,
    paired,
    raised,
    same,
    under,
    with_parts,
)
from tslint.rewrite.module_names import module_name
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.first_evaluated import reads_first
from tslint.script.dataflow.index_proofs import if_zips_are_even, is_surely_integer, looks_integer, place_of
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.linear import product
from tslint.script.dataflow.loops import changes_path, rebinds
from tslint.script.events.modules import ContainerIndex

_COUNTED = m.Call(m.Name("range"), [m.Arg(m.Name() | m.Attribute(m.Name()), keyword=None, star="")])
_IN_BLOCK = m.BinaryOperation(m.BinaryOperation(m.Name(), m.Multiply()), m.Add(), m.Name())


def in_block(match: Match[ContainerIndex], node: cst.Subscript, loop: Loop | None) -> Fix | None:
    """Loop over the container, and run the body for the modules of the block.

    Args:
        match: provides the file and the function.
        node: reads a module by the number of the block, times its size, plus the loop's index.
        loop: the loop around the node that has the last variable of the index.

    Returns:
        None if the loop has another form, uses its index otherwise, or may count blocks from the end.
    """
    index = index_of(node)
    if loop is None or not isinstance(index, cst.BinaryOperation) or not m.matches(index, _IN_BLOCK):
        return None
    start, name = cst.ensure_type(index.left, cst.BinaryOperation), cst.ensure_type(index.right, cst.Name).value
    if not m.matches(loop.iterable, _COUNTED) or not is_plain(match, loop, name):
        return None
    size = cst.ensure_type(loop.iterable, cst.Call).args[0].value
    around, model = cst.ensure_type(loop.node, cst.For), match.model(loop.node)
    where = place_of(match.file.tree, match.model(node))
    uses = [each for each in loop.all(cst.Subscript) if same(match, each, node)]
    inside = {each for use in uses for each in variables_in(use)}
    if where is None or not same(match, start.right, size) or not where.is_counted(match.model(start.left)):
        return None
    if any(each.value == name and each not in inside for each in loop.variables):
        return None
    if any(changes_path(model, match.model(each)) for each in (node.value, start)):
        return None
    if any(may_change(match.file.tree, [model], match.model(each)) for each in (node.value, size)):
        return None
    if not reads_first(model.body, [match.model(use) for use in uses]):
        return None  # in an iteration that reads no module, Python does not raise if there are too few
    sure = is_surely_integer(where, match.model(size))
    if not sure and not looks_integer(match.file.tree, match.model(size), match.event.variables):
        return None
    message = f"Iterate over `{match.code(node.value)}`"
    enough = _is_filled(match, where, node.value, start)
    asserts = not enough and _is_filled(match, if_zips_are_even(where), node.value, start)

    def edits() -> tuple[Edit, ...]:
        raises = None if enough else "AssertionError" if asserts else "IndexError"
        return _edits(match, loop, around, node.value, start, uses, raises)

    if asserts:
        return unsafe(message, edits, risks=(Risk.EXCEPTION,))
    return safe(message, edits) if sure or enough else unsafe(message, edits, risks=(Risk.ASSUMES,))


def _is_filled(match: Match, where: Place, path: cst.BaseExpression, start: cst.BinaryOperation) -> bool:
    """Return whether a container has exactly the modules of all blocks."""
    number = cst.ensure_type(start.left, cst.Name)
    outer = loop_of(match, number.value, start)
    target = outer.target if outer is not None else number
    first = target.elements[0].value if isinstance(target, cst.Tuple) else target
    if outer is None or not m.matches(first, m.Name(number.value)):
        return False
    blocks = where.bounds.turns(match.model(outer.iterable), where.function)
    size = where.value(match.model(start.right))
    counted = called(outer.iterable, "range") is not None or called(outer.iterable, "enumerate") is not None
    if not counted or blocks is None or size is None or rebinds(match.model(outer.node), number.value):
        return False
    return where.length(match.model(path)) == product(blocks, size)


def _edits(
    match: Match,
    loop: Loop,
    around: cst.For,
    path: cst.BaseExpression,
    start: cst.BinaryOperation,
    uses: Sequence[cst.Subscript],
    raises: str | None,
) -> tuple[Edit, ...]:
    """Return the edits: a loop over all modules, a test around its body, and a line that raises if there are too few.

    Args:
        match: provides the file.
        loop: the loop over the indices in a block.
        around: its statement.
        path: the container.
        start: the product that is the index where the block begins.
        uses: the subscripts that read modules.
        raises: the exception that is raised if there are too few; None if there are always enough.
    """
    one, position = cst.Name(module_name(match, loop, path)), loop.target
    following = expression("({block} + 1) * {size}", block=start.left, size=start.right)
    parts: Parts = {
        loop.target: paired(match.code(position), [one]),
        loop.iterable: expression("enumerate({path})", path=path),
        **dict.fromkeys(uses, one),
    }
    test = expression("{start} <= {i} < {end}", start=start, i=position, end=following)
    new = with_parts(around, parts)
    if isinstance(new.body, cst.IndentedBlock):
        new = new.with_changes(body=under(new.body, statement("if {test}:\n    pass", test=test)))
    if raises == "AssertionError":
        return match.rewrite(around, statement("assert {end} <= len({path})", end=following, path=path), new)
    missing = expression("{end} > len({path})", end=following, path=path)
    error = failure("IndexError", f"{match.code(path)} has fewer modules")
    return match.rewrite(around, new, *([raised(missing, error)] if raises is not None else []))
