"""Finds values that the compiler loses when it moves a ``with``. If only one branch of an ``if`` returns, breaks or
continues, the compiler copies the rest of the block into the other branch (``inlineConsecutiveIfs`` of
exit_transforms.cpp). A value that a ``with`` in that rest computes then has no definition where it is used after the
``with``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from tslint.script.dataflow.liveness import blocks_around, read_later, stored_names
from tslint.script.events.types import WithAfterExit
from tslint.script.interpreter.emitter import Emitter
from tslint.util import astwalk

_COMPUTING = (ast.BinOp, ast.Compare, ast.ListComp)
# The compiler may evaluate calls of these at compile time.
_STATIC = frozenset("hasattr isinstance getattr float int bool str len".split())


def note_exit(em: Emitter, node: ast.If, true_goes_on: bool, false_goes_on: bool) -> None:
    """Remember an ``if`` that the compiler emits, if only one of its branches leaves the function or the loop: only by
    ``return``, or only by ``break`` and ``continue``.
    """
    if true_goes_on is false_goes_on:
        return
    left, other = (node.orelse, node.body) if true_goes_on else (node.body, node.orelse)
    ways = {isinstance(each, ast.Return) for each in _exits(left)}
    raises = any(isinstance(part, ast.Raise) for statement in left for part in astwalk.walk(statement))
    if len(ways) == 1 and not raises and not any(_exits(other)):
        em.exits.add(node)


def check_with(em: Emitter, node: ast.With, goes_on: bool) -> None:
    """Report a ``with`` that comes after an early exit or contains one, if the ``with`` computes a value after the exit
    that is used below the ``with``, or returned inside it.
    """
    tree = em.module.tree
    around = list(blocks_around(tree, node)) if em.exits else []
    if any(isinstance(block[-1], ast.Raise) for block, _ in around):
        return
    earlier = [each for block, member in around for each in block[: block.index(member)]]
    if not em.raising.isdisjoint(part for each in earlier for part in astwalk.walk(each)):
        return  # the compiler removes the code after a call that raises
    before, inside = _exit(em, earlier), _exit(em, node.body)
    moved = node.body if before is not None or inside is None else node.body[node.body.index(inside) + 1 :]
    left = before or inside
    if left is None:
        return
    name = next((name for name in _computed(moved) if goes_on and read_later(tree, node, node, name)), "")
    returned = (each.value for each in astwalk.of_kind(node, ast.Return) if before is not None)
    if name or any(value is not None and _computes(value) for value in returned):
        branch = left.body if any(_exits(left.body)) else left.orelse
        way = type(next(_exits(branch))).__name__.lower()
        said = "outputs_[i]->uses().empty() INTERNAL ASSERT FAILED"
        em.report(WithAfterExit(node.items[0].context_expr, said, name=name, left=left, exit=way))


def _exit(em: Emitter, statements: Iterable[ast.stmt]) -> ast.If | None:
    """Return the first ``if`` that :func:`note_exit` has remembered; None if there is none."""
    return next((each for each in statements if isinstance(each, ast.If) and each in em.exits), None)


def _computed(statements: Iterable[ast.stmt]) -> list[str]:
    """Return the variables to which statements only assign results of calls and operators."""
    computed: dict[str, bool] = {}
    for part in (each for statement in statements for each in astwalk.walk(statement)):
        if isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for name in stored_names([part]):
                fits = isinstance(part, ast.AugAssign) or (part.value is not None and _computes(part.value))
                computed[name] = fits and computed.get(name, True)
    return [name for name, fits in computed.items() if fits]


def _computes(value: ast.expr) -> bool:
    """Return whether a value is computed at run time, not by the compiler."""
    if isinstance(value, ast.Call):
        return not (isinstance(value.func, ast.Name) and value.func.id in _STATIC)
    return isinstance(value, _COMPUTING)


def _exits(statements: Sequence[ast.stmt], *, in_loop: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements that leave the function, or the loop around these statements."""
    for each in statements:
        if isinstance(each, ast.Return) or (not in_loop and isinstance(each, (ast.Break, ast.Continue))):
            yield each
        for part in ("body", "orelse"):
            inner = getattr(each, part, [])
            yield from _exits(inner, in_loop=in_loop or isinstance(each, (ast.For, ast.While)))
