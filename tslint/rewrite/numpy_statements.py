"""Statements that compute with numpy, moved out of the compiler's sight."""

from __future__ import annotations

from tslint.diagnostics import Fix
from tslint.rewrite.extract_method import Outline, inputs, outlined
from tslint.rewrite.scripting import eager_only
from tslint.rewrite.statements import movable
from tslint.rulekit.match import Match
from tslint.script.dataflow.numpy_blocks import NumpyBlock, in_branch, numpy_block, starts_anew, surely_bound
from tslint.script.dataflow.scopes import peeps
from tslint.script.type_text import parsed

_PLAIN = frozenset(["int", "float", "bool", "str"])


def numpy_fix(match: Match) -> Fix | None:
    """Put the statements around the event that compute with numpy where the compiler does not look.

    A block whose results nobody reads goes behind ``if not torch.jit.is_scripting():``. One that gives a tensor
    becomes a method: ``@torch.jit.unused`` in a branch that the compiled model may never take, else
    ``@torch.jit.ignore``, which Python runs.
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
    if len(found.results) > (0 if found.returned is not None else 1) or not found.makes_tensor:
        return None
    if not movable(match, found.statements):
        return None
    return _method(match, found)


def _method(match: Match, block: NumpyBlock) -> Fix | None:
    """Make a method (or function) of the block, and call it in its place."""
    tensor = f"{match.imported('torch')[0]}.Tensor"
    needed = [name for name in inputs(match, block.statements, block.function) if name != match.self_name]
    parameters: list[str] = []
    for name in needed:
        type_ = parsed(match.event.names.get(name, ""))
        if type_.is_tensor and type_.inferred:
            # Nobody has said so: it is one to the compiler until somebody says otherwise.
            parameters.append(name)
        elif type_.is_tensor or str(type_) in _PLAIN:
            parameters.append(f"{name}: {tensor if type_.is_tensor else type_}")
        else:
            return None
    if not surely_bound(block) or peeps(block.function) or not starts_anew(match.file.tree, block, needed):
        return None
    mark = "unused" if in_branch(match.file.tree, block) else "ignore"
    results = block.results or None
    return outlined(match, block.statements, Outline("numpy", parameters, results, tensor, mark), "the numpy code")
