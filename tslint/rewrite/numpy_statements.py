"""Moves statements that compute with numpy out of compiled code."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.outlining import Outline, outlined
from tslint.rewrite.scripting import eager_only
from tslint.rulekit.match import Match
from tslint.rulekit.template import expression
from tslint.script.dataflow.numpy_blocks import NumpyBlock, in_branch, numpy_block, starts_anew, surely_bound
from tslint.script.dataflow.outlines import inputs, needs_definitions
from tslint.script.dataflow.scopes import peeps
from tslint.script.types import ANYTHING, BOOL, FLOAT, INT, STRING, TENSOR, is_inferred

_PLAIN = (INT, FLOAT, BOOL, STRING)


def numpy_fix(match: Match, *, unread: bool = False) -> Fix | None:
    """Move the statements around the event that compute with numpy out of compiled code.

    A block whose results are never read is put under ``if not torch.jit.is_scripting():``. A block that produces a
    tensor becomes a method: ``@torch.jit.unused`` in a branch that a run may skip, otherwise ``@torch.jit.ignore``,
    which Python runs.

    Args:
        match: the match of the call of numpy.
        unread: whether to return only a fix of a block whose results are never read.
    """
    member = match.statement()
    found = numpy_block(match.file.tree, match.model(member)) if member is not None else None
    if found is None:
        return None
    lines = [line for each in found.statements if (line := match.line(match.libcst(each))) is not None]
    if len(lines) < len(found.statements):
        return None
    if not found.results and found.returned is None:
        return None if found.changes else eager_only(match, lines)
    if unread or len(found.results) > (0 if found.returned is not None else 1) or not found.makes_tensor:
        return None
    return _method(match, found)


def _method(match: Match, block: NumpyBlock) -> Fix | None:
    """Move the block into a method (or function), and call that instead."""
    tensor = expression("{torch}.Tensor", torch=match.imported("torch")[0])
    if needs_definitions(block.statements, block.function):
        return None
    read = inputs(match.file.tree, block.statements, block.function)
    needed = [name for name in read if name != match.self_name]
    parameters: list[cst.Param] = []
    for name in needed:
        type_ = match.event.variables.get(name, ANYTHING)
        if type_ not in (TENSOR, *_PLAIN):
            return None
        written = tensor if type_ == TENSOR else cst.Name(str(type_))
        # Without annotation it is a Tensor to the compiler.
        parameters.append(cst.Param(cst.Name(name), None if is_inferred(type_) else cst.Annotation(written)))
    if not surely_bound(block) or peeps(block.function) or not starts_anew(match.file.tree, block, needed):
        return None
    mark = "unused" if in_branch(match.file.tree, block) else "ignore"
    results = None if block.returned is not None else block.results
    return outlined(match, block.statements, Outline("numpy", parameters, results, tensor, mark), "the numpy code")
