"""Replaces a loop over the indices of containers by a loop over their modules."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.loop_headers import Rewriting
from tslint.rewrite.loops import Loop, Parts, loop_of, names_in, same
from tslint.rewrite.module_names import alias, module_name, taken_by_name
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.loops import changes_path, every_turn, is_stored, read_after, rebinds
from tslint.script.events.modules import ContainerIndex


def iterated(match: Match[ContainerIndex], container: cst.BaseExpression, index: str, loop: Loop) -> Fix | None:
    """Iterate over the modules of a container, and over those of other containers that the loop reads at the same
    index.
    """
    uses = [each for each in taken_by_name(*loop.inside) if names_in(each.slice[0]) == [index]]
    paths = [container]
    others: list[cst.BaseExpression] = []
    # If every iteration reads a module of the container, the container is long enough: otherwise, Python would raise.
    certain = [use for use in uses if every_turn(match.model(loop.node), match.model(use))]
    sure = any(same(match, use.value, container) for use in certain)
    for use in uses:
        if match.code(use.value) in match.event.containers:
            if not any(same(match, use.value, path) for path in (*paths, *others)):
                if _as_long(match, use, container):
                    paths.append(use.value)
                elif sure and use in certain:
                    others.append(use.value)
    for more in (others, ()):
        fix = _over(match, [*paths, *more], more, index, loop, uses)
        if fix is not None or not more:
            return fix
    return None


def _over(
    match: Match[ContainerIndex],
    paths: Sequence[cst.BaseExpression],
    others: Sequence[cst.BaseExpression],
    index: str,
    loop: Loop,
    uses: Sequence[cst.Subscript],
) -> Fix | None:
    """Iterate over the modules of containers.

    Args:
        match: the match of the finding.
        paths: the containers.
        others: those of them whose length is not known to be that of the first.
        index: the loop's variable for the index.
        loop: the loop over the indices.
        uses: the subscripts in the loop that have this index.
    """
    model = match.model(loop.node)
    taken = {use: place for use in uses for place, path in enumerate(paths) if same(match, use.value, path)}
    if rebinds(model, index) or any(is_stored(match.model(use)) or _rebound(match, use, index, loop) for use in taken):
        return None
    if index in names_in(loop.iterable) or any(changes_path(model, match.model(path)) for path in paths):
        return None
    if m.findall(loop.iterable, m.ListComp() | m.GeneratorExp()):
        return None  # the fix would remove the calls in the comprehension
    names: list[str] = []
    aliases: dict[cst.CSTNode, cst.RemovalSentinel] = {}
    for path in paths:
        own, line = alias(match, loop, [use for use in taken if same(match, use.value, path)])
        names.append(own or module_name(match, loop, path, names))
        aliases.update({line: cst.RemoveFromParent()} if line is not None else {})
    inside = {each for use in taken for each in variables_in(use)}
    indexed = any(each.value == index and each not in inside for each in loop.variables)
    indexed = indexed or read_after(match.file.tree, model, index)
    *most, last = (f"`{match.code(path)}`" for path in paths)
    message = f"Iterate over {', '.join(most)} and {last}" if most else f"Iterate over {last}"
    mine = [use for use, place in taken.items() if not place]
    named: Parts = {**{use: cst.Name(names[place]) for use, place in taken.items()}, **aliases}
    return Rewriting(match, loop, index, paths, others, names, indexed, mine).fix(message, named)


def _as_long(match: Match, use: cst.Subscript, container: cst.BaseExpression) -> bool:
    """Return whether the container of a use is known to have as many modules as another one: a loop over several
    containers ends with the shortest.
    """
    where = place_of(match.file.tree, match.model(use))
    if where is None:
        return False
    length = where.length(match.model(use.value))
    return length is not None and length == where.length(match.model(container))


def _rebound(match: Match, use: cst.Subscript, index: str, loop: Loop) -> bool:
    """Return whether an inner loop around a use rebinds the index."""
    inner = loop_of(match, index, use)
    return inner is None or inner.node is not loop.node
