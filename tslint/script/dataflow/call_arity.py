"""Determines which arguments callers pass to a variadic function beyond its fixed parameters, directly or through other
variadic functions.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tslint.script.dataflow.callers import Callers, callers
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.flows import Site
from tslint.util import astwalk
from tslint.util.astwalk import is_name


@dataclass
class Given:
    """The arguments that callers pass to a variadic function.

    Args:
        counts: how many positional arguments the callers pass, including those for fixed parameters.
        keywords: the passed keywords that are not names of fixed parameters.
        unknown: whether any caller unpacks an unknown value.
    """

    counts: set[int] = field(default_factory=set)
    keywords: set[str] = field(default_factory=set)
    unknown: bool = False


def given(tree: ast.Module, function: FunctionNode) -> Given:
    """Return the arguments that the visible callers in the same file pass to a function."""
    known = _known(tree)
    if function not in known:
        known.update(_settled(callers(tree), function))
    return known[function]


@astwalk.kept
def _known(tree: ast.Module) -> dict[FunctionNode, Given]:
    return {}


def _settled(graph: Callers, function: FunctionNode) -> dict[FunctionNode, Given]:
    """Return the arguments that callers pass to a function, and to the functions that pass their arguments on to it.

    They are computed in rounds, because functions may pass arguments on in cycles. If the arguments grow in a cycle,
    the result is unknown.
    """
    sites = _sites(graph, function)
    found = {each: Given() for each in sites}
    for _ in range(len(sites) + 1):
        new = {each: _sum(graph, each, sites[each], found) for each in sites}
        if new == found:
            return found
        found = new
    return {each: Given(unknown=True) for each in sites}


def handing_on(tree: ast.Module, function: FunctionNode) -> list[FunctionNode]:
    """Return a function, and the functions that pass their arguments on to it, directly or not."""
    return list(_sites(callers(tree), function))


def _sites(graph: Callers, function: FunctionNode) -> dict[FunctionNode, list[Site]]:
    """Return the calls of a function, and of the functions that pass their arguments on to it."""
    sites: dict[FunctionNode, list[Site]] = {}
    pending = [function]
    while pending:
        each = pending.pop()
        if each not in sites:
            sites[each] = graph.of(each)
            pending += [site.function for site in sites[each] if site.function is not None and _passes_on(site)]
    return sites


def _sum(graph: Callers, function: FunctionNode, sites: list[Site], found: dict[FunctionNode, Given]) -> Given:
    """Return the arguments that the callers of a function pass, given the arguments that they get themselves."""
    result = Given()
    bound = id(function) in graph.owners
    spec = function.args
    fixed = {argument.arg for argument in (*spec.args, *spec.kwonlyargs)}
    for site in sites:
        outer = found[site.function] if site.function is not None and _passes_on(site) else None
        count = sum(not isinstance(argument, ast.Starred) for argument in site.node.args)
        through = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
        if bound and isinstance(through, ast.Name) and through.id in graph.classes:
            count -= 1
        more = {0}
        for argument in site.node.args:
            if isinstance(argument, ast.Starred):
                own = site.function.args.vararg if site.function is not None else None
                if own is None or not is_name(argument.value, own.arg) or outer is None or site.function is None:
                    result.unknown = True
                else:
                    room = len(site.function.args.args) - (id(site.function) in graph.owners)
                    more = {max(0, each - room) for each in outer.counts} or {0}
        result.counts |= {count + each for each in more}
        for keyword in site.node.keywords:
            if keyword.arg is not None:
                result.keywords |= {keyword.arg} - fixed
                continue
            own = site.function.args.kwarg if site.function is not None else None
            if own is None or not is_name(keyword.value, own.arg) or outer is None:
                result.unknown = True
            else:
                result.keywords |= outer.keywords - fixed
        result.unknown = result.unknown or (outer is not None and outer.unknown)
    return result


def _passes_on(site: Site) -> bool:
    """Return whether a call in a function unpacks arguments. These may be the function's own ``*args`` or ``**kwargs``,
    whose contents only its callers decide.
    """
    starred = any(isinstance(argument, ast.Starred) for argument in site.node.args)
    return site.function is not None and (starred or any(keyword.arg is None for keyword in site.node.keywords))
