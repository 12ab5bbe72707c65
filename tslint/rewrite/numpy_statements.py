"""Statements that compute with numpy, moved out of the compiler's sight."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.extract_method import Outline, inputs, outlined
from tslint.rewrite.liveness import defined_before, stored_names, surely_stored
from tslint.rewrite.statements import (
    block,
    function,
    guard,
    loads,
    movable,
    parent,
    self_name,
    statement,
)
from tslint.rulekit.match import Match
from tslint.script.dataflow.scopes import peeps

_IN_PLACE = frozenset("append extend insert update add pop clear remove setdefault copy_ fill_ zero_ add_ mul_".split())
_PLAIN = frozenset(["int", "float", "bool", "str"])
# What means something else in a method of its own.
_STAYING = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.NamedExpr, ast.Global,
    ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom,
)  # fmt: skip
_MAKERS = frozenset(
    ["from_numpy", "tensor", "as_tensor", "zeros", "ones", "empty", "full", "FloatTensor", "LongTensor", "Tensor"]
)


def aliases(tree: ast.Module) -> frozenset[str]:
    """The names by which a file speaks of numpy and of what it has imported from it."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update((a.asname or "numpy") for a in node.names if a.name.partition(".")[0] == "numpy")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numpy":
            found.update(a.asname or a.name for a in node.names)
    return frozenset(found)


def numpy_fix(match: Match) -> Fix | None:
    """Put the statements around the event that compute with numpy where the compiler does not look.

    A block whose results nobody reads goes behind ``if not torch.jit.is_scripting():``. One that gives a tensor
    becomes a method: ``@torch.jit.unused`` in a branch that the compiled model may never take, else
    ``@torch.jit.ignore``, which Python runs.
    """
    member, node = statement(match), function(match)
    if member is None or node is None:
        return None
    run = _run(match, member)
    if run is None or not movable(match, run):
        return None
    inner = [child for each in run for child in walking.walk(each)]
    returned = run[-1].value if isinstance(run[-1], ast.Return) else None
    if any(isinstance(child, _STAYING) and child is not run[-1] for child in inner):
        return None
    bound = stored_names(run)
    others = [
        each for each in walking.walk(node) if isinstance(each, ast.Name) and not any(each is other for other in inner)
    ]
    results = sorted({child.id for child in others if isinstance(child.ctx, ast.Load)} & bound)
    if not results and returned is None:
        if any(_changes(child) for child in inner):
            return None  # a list or attribute that the rest may read
        return guard(match, run)
    if len(results) > (0 if returned is not None else 1) or not _is_tensor(node, run, returned, results):
        return None
    return _method(match, run, node, results[0] if results else None)


def _run(match: Match, member: ast.stmt) -> list[ast.stmt] | None:
    """The statements of a block that belong together: they speak of numpy, or read what such ones have bound."""
    statements = block(match, member)
    if statements is None:
        return None
    names = aliases(match.file.tree)
    position = next(index for index, each in enumerate(statements) if each is member)
    spoken = [index for index, each in enumerate(statements) if each is member or _speaks(each, names)]
    first = last = position
    while first - 1 in spoken and walking.bound(statements[first - 1]) & {
        n for s in statements[first : last + 1] for n in loads(s)
    }:
        first -= 1
    tainted: set[str] = set()
    for index in range(first, len(statements)):
        each = statements[index]
        if index > position and index not in spoken and not tainted & set(loads(each)):
            break
        last = index
        value = each.value if isinstance(each, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None
        bound = walking.bound(each)
        tainted = tainted - bound if value is not None and _makes_tensor(value) else tainted | bound
    return statements[first : last + 1]


def _speaks(each: ast.stmt, names: frozenset[str]) -> bool:
    return any(
        (isinstance(child, ast.Name) and child.id in names)
        or (isinstance(child, ast.Attribute) and child.attr in ("numpy", "from_numpy"))
        for child in walking.walk(each)
    )


def _makes_tensor(value: ast.expr) -> bool:
    """Whether an expression is a call of ``torch.from_numpy`` or the like, perhaps with methods after it."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        callee = value.func
        if isinstance(callee.value, ast.Name) and callee.value.id == "torch":
            return callee.attr in _MAKERS
        value = callee.value
    return False


def _changes(node: ast.AST) -> bool:
    """Whether a node changes something in place: ``xs.append(x)``, ``xs[i] = x``, ``self.x = x``."""
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        return isinstance(node.ctx, ast.Store)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    callee = node.value.func
    return isinstance(callee, ast.Attribute) and callee.attr in _IN_PLACE


def _is_tensor(
    node: ast.FunctionDef | ast.AsyncFunctionDef, run: list[ast.stmt], returned: ast.expr | None, results: list[str]
) -> bool:
    """Whether what leaves the block is a tensor for certain."""
    if returned is not None:
        return _makes_tensor(returned) or (
            node.returns is not None and ast.unparse(node.returns) in ("torch.Tensor", "Tensor")
        )
    values = [
        each.value for each in run
        if isinstance(each, ast.Assign) and any(isinstance(t, ast.Name) and t.id == results[0] for t in each.targets)
    ]  # fmt: skip
    return bool(values) and _makes_tensor(values[-1])


def _method(
    match: Match, run: list[ast.stmt], node: ast.FunctionDef | ast.AsyncFunctionDef, result: str | None
) -> Fix | None:
    """Make a method (or function) of the block, and call it in its place."""
    itself = self_name(match)
    tensor = f"{match.imported('torch')[0]}.Tensor"
    parameters: list[str] = []
    for name in inputs(match, run, node):
        if name == itself:
            continue
        type_ = match.event.names.get(name, "")
        if type_ == "Tensor (inferred)":
            # Nobody has said so: it is one to the compiler until somebody says otherwise.
            parameters.append(name)
            continue
        if type_ != "Tensor" and type_ not in _PLAIN:
            return None
        parameters.append(f"{name}: {tensor if type_ == 'Tensor' else type_}")
    if result is not None and result not in surely_stored(run):
        return None
    if peeps(node) or not _starts_anew(match, run, node):
        return None
    mark = "unused" if _conditional(match, run[0], node) else "ignore"
    results = None if result is None else [result]
    return outlined(match, run, Outline("numpy", parameters, results, tensor, mark), "the numpy code")


def _starts_anew(match: Match, run: list[ast.stmt], node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether all that the block needs is bound for certain before it, and not by its own last turn in a loop."""
    statements = block(match, run[0])
    before = defined_before(match, statements, run[0]) if statements is not None else set()
    needed = {name for name in inputs(match, run, node) if name != self_name(match)}
    own: set[str] = set()
    for index, each in enumerate(run):
        own |= {name for name in loads(each) if name in stored_names(run) and name not in surely_stored(run[:index])}
        if isinstance(each, (ast.For, ast.While)):
            own -= stored_names([each]) & surely_stored(each.body)
    if isinstance(run[-1], ast.AugAssign) and isinstance(run[-1].target, ast.Name):
        own.add(run[-1].target.id)
    return needed <= before and own <= needed


def _conditional(match: Match, member: ast.stmt, node: ast.AST) -> bool:
    """Whether the block stands in a branch."""
    around = parent(match, member)
    while around is not None and around is not node:
        if isinstance(around, ast.If):
            return True
        around = parent(match, around)
    return False
