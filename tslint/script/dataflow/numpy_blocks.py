"""Finds consecutive statements that compute with numpy."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tslint.script.dataflow.liveness import defined_before, stored_names, surely_stored
from tslint.script.dataflow.names import names_read
from tslint.script.dataflow.outlines import block_of
from tslint.script.dataflow.scopes import function_around
from tslint.util import astwalk
from tslint.util.record import record

_IN_PLACE = frozenset("append extend insert update add pop clear remove setdefault copy_ fill_ zero_ add_ mul_".split())
# Statements and expressions that would not mean the same in another function.
_STAYING = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.NamedExpr, ast.Global,
    ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom,
)  # fmt: skip
_MAKERS = frozenset(
    ["from_numpy", "tensor", "as_tensor", "zeros", "ones", "empty", "full", "FloatTensor", "LongTensor", "Tensor"]
)


@record
class NumpyBlock:
    """Consecutive statements that could be moved to a function of their own.

    Args:
        function: the function that contains them.
        statements: statements that use numpy, or read what such statements have bound.
        results: the variables that they bind and that other code of the function reads, sorted.
    """

    function: ast.FunctionDef
    statements: list[ast.stmt]
    results: list[str]

    @property
    def returned(self) -> ast.expr | None:
        """Return the value that the last statement returns; None if it is not a ``return`` with a value."""
        last = self.statements[-1]
        return last.value if isinstance(last, ast.Return) else None

    @property
    def changes(self) -> bool:
        """Return whether the block changes something in place that later code may read: ``xs.append(x)``, ``xs[i] =
        x``.
        """
        return any(_changes(node) for each in self.statements for node in astwalk.walk(each))

    @property
    def makes_tensor(self) -> bool:
        """Return whether the returned value, or else the last value that is assigned to a result, is a tensor."""
        if self.returned is not None:
            written = ast.unparse(self.function.returns) if self.function.returns is not None else ""
            return _makes_tensor(self.returned) or written in ("torch.Tensor", "Tensor")
        values = [
            each.value
            for each in self.statements
            if isinstance(each, ast.Assign) and any(_is_name(target, self.results) for target in each.targets)
        ]
        return bool(values) and _makes_tensor(values[-1])


@astwalk.kept
def numpy_names(tree: ast.Module) -> frozenset[str]:
    """Return the file's names for numpy and for imports from it."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update((each.asname or "numpy") for each in node.names if each.name.partition(".")[0] == "numpy")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numpy":
            found.update(each.asname or each.name for each in node.names)
    return frozenset(found)


def numpy_block(tree: ast.Module, member: ast.stmt) -> NumpyBlock | None:
    """Return the numpy statements around a statement; None if they would not mean the same in another function."""
    function, around = function_around(tree, member), block_of(tree, member)
    if function is None or around is None:
        return None
    run = _run(around, member, numpy_names(tree))
    inner = [node for each in run for node in astwalk.walk(each)]
    if any(isinstance(node, _STAYING) and node is not run[-1] for node in inner):
        return None
    own = set(map(id, inner))
    read = {
        node.id
        for node in astwalk.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in own
    }
    return NumpyBlock(function, run, sorted(read & stored_names(run)))


def surely_bound(block: NumpyBlock) -> bool:
    """Return whether a block binds its results on every path."""
    return surely_stored(block.statements).issuperset(block.results)


def _run(around: list[ast.stmt], member: ast.stmt, names: frozenset[str]) -> list[ast.stmt]:
    """Return the adjacent statements around a statement that use numpy, or read what such statements have bound."""
    position = next(index for index, each in enumerate(around) if each is member)
    spoken = [index for index, each in enumerate(around) if each is member or _speaks(each, names)]
    first = last = position
    while first - 1 in spoken and astwalk.bound(around[first - 1]) & {
        name for each in around[first : last + 1] for name in names_read(each)
    }:
        first -= 1
    tainted: set[str] = set()
    for index in range(first, len(around)):
        each = around[index]
        if index > position and index not in spoken and not tainted & set(names_read(each)):
            break
        last = index
        value = each.value if isinstance(each, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None
        bound = astwalk.bound(each)
        tainted = tainted - bound if value is not None and _makes_tensor(value) else tainted | bound
    return around[first : last + 1]


def _speaks(each: ast.stmt, names: frozenset[str]) -> bool:
    return any(
        (isinstance(node, ast.Name) and node.id in names)
        or (isinstance(node, ast.Attribute) and node.attr in ("numpy", "from_numpy"))
        for node in astwalk.walk(each)
    )


def _makes_tensor(value: ast.expr) -> bool:
    """Return whether an expression is a call of ``torch.from_numpy`` or similar, possibly followed by methods."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        callee = value.func
        if isinstance(callee.value, ast.Name) and callee.value.id == "torch":
            return callee.attr in _MAKERS
        value = callee.value
    return False


def _changes(node: ast.AST) -> bool:
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        return isinstance(node.ctx, ast.Store)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    callee = node.value.func
    return isinstance(callee, ast.Attribute) and callee.attr in _IN_PLACE


def _is_name(node: ast.expr, names: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def starts_anew(tree: ast.Module, block: NumpyBlock, needed: Collection[str]) -> bool:
    """Return whether each variable that a block needs has a value from code before it, and none from an earlier
    iteration.

    Args:
        tree: the tree of the file.
        block: the statements.
        needed: the variables that they read before they certainly bind them.
    """
    run = block.statements
    own: set[str] = set()
    for index, each in enumerate(run):
        bound, sure = stored_names(run), surely_stored(run[:index])
        own |= {name for name in names_read(each) if name in bound and name not in sure}
        if isinstance(each, (ast.For, ast.While)):
            own -= stored_names([each]) & surely_stored(each.body)
    if isinstance(run[-1], ast.AugAssign) and isinstance(run[-1].target, ast.Name):
        own.add(run[-1].target.id)
    return set(needed) <= defined_before(tree, run[0]) and own <= set(needed)


def in_branch(tree: ast.Module, block: NumpyBlock) -> bool:
    """Return whether a block is inside an ``if`` of its function."""
    for each in astwalk.around(tree, block.statements[0]):
        if each is block.function:
            break
        if isinstance(each, ast.If):
            return True
    return False
