"""The last resort for what no rule can mend: a branch that cannot be compiled becomes a method that is not.

What stands in a branch is taken only sometimes. As a method marked ``@torch.jit.unused`` it does in Python what it
did, and compiled code raises where it gets there: what people write by hand for code that is only there for training,
for empty batches or for models that were changed after they were built. Where everything goes through the statements
that cannot be compiled there is nothing to gain, so those stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from tslint import walking
from tslint.diagnostics import Applicability, Edit, Fix
from tslint.rewrite.extract_method import Outline, inputs, outlined
from tslint.rewrite.flag_default import BEFORE_RUNNING
from tslint.rewrite.liveness import defined_before, read_later, stored_names, surely_stored
from tslint.rewrite.spans import block, parent
from tslint.rewrite.statements import movable, self_name, statement
from tslint.rewrite.type_wording import spelled
from tslint.rulekit.match import Match
from tslint.script.dataflow.default_flags import Flags
from tslint.script.dataflow.guards import leaves

_SUFFIX = "uncompiled"
_JUMPS = (ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr)
_GIVING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_ROLES = ("forward", "export", "method", "function")


def set_aside(match: Match) -> Fix | None:
    """Move the branch that holds the event into a method of its own, marked ``@torch.jit.unused``; None where it does
    not stand in a branch, some construction compiles it, or it needs what has no TorchScript type."""
    event = match.event
    unit, member = event.unit, statement(match)
    if unit is None or member is None or unit.role not in _ROLES or event.condition not in (None, BEFORE_RUNNING):
        return None
    if _is_about_results(match):
        return None
    node = unit.function.node
    if match.file.tree is not unit.function.module.tree or not isinstance(node, ast.FunctionDef):
        return None
    run = _branch(match, member, node)
    if run is None or not movable(match, run):
        return None
    inner = [child for each in run for child in walking.walk(each)]
    if any(isinstance(child, _JUMPS) for child in inner):
        return None
    owner = unit.function.owner.node if unit.function.owner is not None else None
    if _other_is_gone(match, run) or Flags(node, self_name(match), owner).is_default_path(run[0]):
        return None
    outline = _outline(match, run, node, any(isinstance(child, ast.Return) for child in inner))
    if outline is None:
        return None
    made, imports = outline
    fix = outlined(match, run, made, "the branch", imports)
    return None if fix is None else replace(fix, applicability=Applicability.DISPLAY, last_resort=True)


def _is_about_results(match: Match) -> bool:
    """Whether the trouble is what a branch gives to the rest, or that there is a call at all: it stays the same where
    the branch is elsewhere."""
    event = match.event
    bound = isinstance(event.node, ast.Name) and isinstance(event.node.ctx, ast.Store)
    # What had another type before, a variable or what the function has returned.
    return bound or isinstance(event.node, _GIVING) or "previous" in event.facts or event.kind == "recursion"


def _branch(match: Match, member: ast.stmt, node: ast.FunctionDef) -> list[ast.stmt] | None:
    """The nearest block around a statement that is taken only sometimes: of an ``if``, or what follows one that does
    the work and returns."""
    current: ast.stmt = member
    while True:
        statements = block(match, current)
        holder = parent(match, current)
        if statements is None or holder is None:
            return None
        if isinstance(holder, ast.If):
            return statements
        if holder is node:
            return _rest(statements, current)
        if not isinstance(holder, ast.stmt):
            return None
        current = holder


def _rest(statements: list[ast.stmt], member: ast.stmt) -> list[ast.stmt] | None:
    """What follows the last statement before one that computes something under a test and returns it."""
    position = next(index for index, each in enumerate(statements) if each is member)
    for index in range(position - 1, -1, -1):
        each = statements[index]
        if isinstance(each, ast.If) and not each.orelse and _works(each.body):
            return statements[index + 1 :]
    return None


def _other_is_gone(match: Match, run: list[ast.stmt]) -> bool:
    """Whether the other branch is set aside: then nothing would be left to compile."""
    holder = parent(match, run[0])
    if isinstance(holder, ast.If):
        others = [holder.orelse if run[0] in holder.body else holder.body]
    else:
        before = block(match, run[0]) or []
        others = [each.body for each in before[: before.index(run[0])] if isinstance(each, ast.If)][-1:]
    return any(other and (_is_set_aside(other) or other[0] in match.file.outlines) for other in others)


def _is_set_aside(body: list[ast.stmt]) -> bool:
    calls = [child.func for child in walking.walk(body[0]) if isinstance(child, ast.Call)]
    names = [getattr(func, "attr", getattr(func, "id", "")) for func in calls]
    return len(body) == 1 and any(re.fullmatch(rf"_\w+_{_SUFFIX}\d*", name) for name in names)


def _works(body: Sequence[ast.stmt]) -> bool:
    last = body[-1]
    return isinstance(last, ast.Return) and any(isinstance(child, ast.Call) for child in walking.walk(last))


def _outline(
    match: Match, run: list[ast.stmt], node: ast.FunctionDef, returning: bool
) -> tuple[Outline, tuple[Edit, ...]] | None:
    imports: dict[Edit, None] = {}
    itself = self_name(match)
    parameters: list[str] = []
    statements = block(match, run[0])
    if statements is None:
        return None
    before = defined_before(match, statements, run[0])
    after = stored_names(run) if not returning else ()
    results = sorted(name for name in after if read_later(match, statements, run[0], run[-1], name))
    # What is perhaps not bound there keeps its value.
    kept = [name for name in results if name not in surely_stored(run)]
    for name in dict.fromkeys([*inputs(match, run, node), *kept]):
        if name == itself:
            continue
        written = _parameter(match, node, name)
        if written is None:
            return None
        parameters.append(written[0])
        imports.update(dict.fromkeys(written[1]))
    if returning:
        if not leaves(run):
            return None
        returns = _returned(match, node)
        if returns is None:
            return None
        imports.update(dict.fromkeys(returns[1]))
        return Outline(_SUFFIX, parameters, None, returns[0], "unused"), tuple(imports)
    if leaves(run):
        return None
    types = []
    for name in results:
        type_ = spelled(match, match.event.names.get(name, "?"))
        # What is not bound before may have another type after it, and cannot be handed in.
        if type_ is None or name not in before:
            return None
        types.append(type_[0])
        imports.update(dict.fromkeys(type_[1]))
    returns_ = "None" if not types else types[0]
    if len(types) > 1:
        tuple_, more = match.imported("typing", "Tuple")
        imports.update(dict.fromkeys(more))
        returns_ = f"{tuple_}[{', '.join(types)}]"
    return Outline(_SUFFIX, parameters, results, returns_, "unused"), tuple(imports)


def _parameter(match: Match, node: ast.FunctionDef, name: str) -> tuple[str, tuple[Edit, ...]] | None:
    """A variable as a parameter of the new function."""
    own = next((each for each in (*node.args.args, *node.args.kwonlyargs) if each.arg == name), None)
    type_ = match.event.names.get(name, "")
    if own is not None and own.annotation is not None and name not in walking.bound(node):
        return f"{name}: {match.text(own.annotation)}", ()
    if type_ == "Tensor (inferred)" or (own is not None and own.annotation is None and not match.event.names):
        # Nobody has said so: it is one to the compiler until somebody says otherwise.
        return name, ()
    written = spelled(match, type_) if type_ else None
    return None if written is None else (f"{name}: {written[0]}", written[1])


def _returned(match: Match, node: ast.FunctionDef) -> tuple[str, tuple[Edit, ...]] | None:
    """The annotation of what the function returns; empty where nobody says, which is a Tensor to the compiler."""
    if node.returns is not None:
        return match.text(node.returns), ()
    if match.event.returned is not None:
        return spelled(match, match.event.returned)
    return "", ()
