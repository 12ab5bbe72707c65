"""Chooses how to read a module of a list without a variable index."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.comprehension_to_loop import as_loops
from tslint.rewrite.iterate_blocks import in_block
from tslint.rewrite.iterate_containers import iterated
from tslint.rewrite.iterate_shifted import shifted
from tslint.rewrite.last_module import last_module
from tslint.rewrite.loops import loop_of, loops_around, names_in
from tslint.rewrite.select_module import walked
from tslint.rewrite.unrolled_loop import unrolled
from tslint.rewrite.written_out import written_out
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.none_modules import may_hold_none
from tslint.script.events.modules import ContainerIndex


def without_index(match: Match[ContainerIndex], node: cst.Subscript, index: cst.CSTNode) -> Fix | None:
    """Iterate over the modules instead of their indices, or search for the indexed module in a loop.

    Args:
        match: provides the file and the function.
        node: reads a module or a parameter.
        index: its index, which is not a literal.

    Returns:
        None if no way is certain to read the same modules.
    """
    if may_hold_none(match.file.tree, match.model(node)):
        return None  # compiled code leaves None out, so the modules after it have other indices
    last = last_module(match, node, index) if isinstance(index, cst.BaseExpression) else None
    if last is not None:
        return last
    loop = loop_of(match, index.value, node) if isinstance(index, cst.Name) else None
    if loop is not None and may_change(match.file.tree, [match.model(loop.node)], match.model(node.value)):
        return None
    fix = iterated(match, node.value, index.value, loop) if loop is not None and isinstance(index, cst.Name) else None
    if fix is None and match.event.container == "ParameterList":
        return _next(match, node, index) or _of_list(match, node)
    fix = fix or _next(match, node, index) or _in_block(match, node, index)
    return fix or unrolled(match, index) or walked(match, node) or _as_loop(match, node)


def _of_list(match: Match[ContainerIndex], node: cst.Subscript) -> Fix:
    """Read an item of a list of the parameters, which are all Tensors."""
    parameters = expression("list({container})", container=node.value)
    return safe(f"Write `{code(parameters)}`", lambda: match.replace(node.value, parameters))


def _next(match: Match[ContainerIndex], node: cst.Subscript, index: cst.CSTNode) -> Fix | None:
    """Iterate over the modules whose indices differ from the loop's index by a constant: ``self.layers[i + 1]``."""
    names = names_in(index)
    return shifted(match, node, loop_of(match, names[0], node)) if len(names) == 1 else None


def _in_block(match: Match[ContainerIndex], node: cst.Subscript, index: cst.CSTNode) -> Fix | None:
    """Iterate over the modules of one block: ``self.layers[i * n + j]``."""
    names = names_in(index)
    return in_block(match, node, loop_of(match, names[-1], node)) if names else None


def _as_loop(match: Match, node: cst.Subscript) -> Fix | None:
    """Write the comprehension around the index as a list of its elements, or as a loop."""
    loop = next(iter(loops_around(match, node)), None)
    used = {name for element in node.slice for name in names_in(element)}
    if loop is None or isinstance(loop.node, cst.For) or not used & set(names_in(loop.target)):
        return None
    return written_out(match, loop) or as_loops(match, loop.node)
