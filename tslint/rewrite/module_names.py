"""Chooses names for the modules over which loops iterate."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence

import libcst as cst

from tslint.rewrite.fresh_names import fresh_module_name
from tslint.rewrite.loops import Loop, index_of, lines_of, names_in
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of, walk
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.template import code
from tslint.script.dataflow.liveness import stored_names
from tslint.script.dataflow.scopes import peeps

_NAMED = m.Assign(targets=[m.AssignTarget(m.Name())])
LOOPS = (cst.For, cst.ListComp, cst.DictComp, cst.GeneratorExp)
"""Statements and comprehensions whose target is a variable for a module."""


def module_name(match: Match, loop: Loop, path: cst.BaseExpression, taken: Iterable[str] = ()) -> str:
    """Return a name for the modules of a container in a loop over them."""
    function = match.function
    one = singular(path)
    rivals = [
        each
        for kind in LOOPS
        for each in (all_of(function, kind) if function is not None else ())
        if each is loop.node or any(singular(use.value) == one for use in taken_by_name(each))
    ]
    return shared_name(match, one, loop.node, rivals, taken)


def shared_name(
    match: Match, wished: str, node: cst.CSTNode, rivals: Iterable[cst.CSTNode], taken: Iterable[str] = ()
) -> str:
    """Return a name for the module in a new loop. Other loops of the function may use the same name, if that compiles.

    Args:
        match: provides the function.
        wished: the name to use if possible.
        node: where the loop will be.
        rivals: the nodes where fixes may write such loops, among them ``node``: all these fixes may be applied
            together.
        taken: names that the loop already uses.
    """
    names: dict[cst.CSTNode, str] = {}
    for each in sorted(rivals, key=match.place):
        colliding = [name for other, name in names.items() if collide(match, other, each)]
        free = _of_other_loops(match, wished, each) and wished not in (*taken, *colliding)
        names[each] = wished if free else fresh_module_name(match, wished, [*taken, *colliding])
    return names[node]


def collide(match: Match, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Return whether loops at two nodes need different names for their modules.

    The compiler cannot assign again to a module's name of an outer block, and an inner loop would change the variable
    of the outer loop.
    """
    first, second = sorted((_spot(match, one), _spot(match, other)), key=match.place)
    around = list(match.ancestors(second))
    if first is second or first in around:
        return True
    if isinstance(first, cst.BaseExpression) or isinstance(second, cst.BaseExpression):
        return False  # a comprehension has variables of its own
    block = match.parent(first)
    if isinstance(block, cst.If) and first in walk(block.body) and second not in walk(block.body):
        return False  # the second one is under `elif`
    return block is not around[0] and block in around


def _spot(match: Match, node: cst.CSTNode) -> cst.CSTNode:
    """Return the innermost comprehension around a node or, if there is none, the statement that contains the node."""
    if isinstance(node, cst.For):
        return node
    inside = next((each for each in (node, *match.ancestors(node)) if isinstance(each, LOOPS[1:])), None)
    return inside or match.statement(node) or node


def _of_other_loops(match: Match, name: str, node: cst.CSTNode) -> bool:
    """Return whether only other loops over modules use a name, so that a loop at a node may use it, too."""
    function = match.function
    if function is None or peeps(match.model(function)):
        return False
    loops = [Loop(each) for each in walk(function) if isinstance(each, LOOPS)]
    holders = [each for each in loops if name in names_in(each.target)]
    inside = sum(names_in(each.node).count(name) for each in holders)
    over_modules = all(match.self_name in names_in(each.iterable) for each in holders)
    alone = bool(holders) and over_modules and inside == _mentions(function, name)
    return alone and not any(collide(match, each.node, node) for each in holders)


def alias(match: Match, loop: Loop, uses: Sequence[cst.Subscript]) -> tuple[str, cst.CSTNode | None]:
    """Return the name to which a loop's body assigns each module of a container, as in ``layer = self.layers[i]``, and
    this line.

    Returns:
        An empty name and None if there is no such line, if other code binds the name, or if code outside of the loop or
        above the line reads it.
    """
    lines = lines_of(loop.node.body) if isinstance(loop.node, cst.For) else []
    for position, line in enumerate(lines):
        made = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if not isinstance(made, cst.Assign) or not m.matches(made, _NAMED) or "#" in code(line) or len(lines) < 2:
            continue
        if not any(made.value is use for use in uses) or match.function is None:
            continue
        name = cst.ensure_type(made.targets[0].target, cst.Name).value
        function, below = match.model(match.function), lines[position + 1 :]
        bound = stored_names(match.model(small(each)) for each in below)
        named = sum(_mentions(each, name) for each in below)
        if not peeps(function) and name not in bound and _mentions(match.function, name) == named + 1:
            return name, line
    return "", None


def _mentions(node: cst.CSTNode, name: str) -> int:
    return names_in(node).count(name)


def taken_by_name(*nodes: cst.CSTNode) -> list[cst.Subscript]:
    """Return the subscripts in the given nodes whose index is a variable."""
    return [each for node in nodes for each in all_of(node, cst.Subscript) if isinstance(index_of(each), cst.Name)]


def singular(path: cst.BaseExpression) -> str:
    """Return the singular of a container's name: ``layer`` for ``self.layers``; ``module`` if there is no such name."""
    attribute = path.attr.value if isinstance(path, cst.Attribute) else ""
    name = attribute or (path.value if isinstance(path, cst.Name) else "module")
    name = name.strip("_").removesuffix("_list").removesuffix("List").removeprefix("list_") or "module"
    name = re.sub(r"(?<=[A-Z]{2})s(?=_|$)", "", name)  # `GRUs`
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith(("ches", "shes", "sses", "xes", "biases")):
        return name[:-2]
    plural = name.endswith("s") and not name.endswith(("ss", "us", "is", "bias"))
    if plural and len(name) > 2 and not re.fullmatch(r"\w[aeiou]s", name):
        return name[:-1]
    first, _, rest = name.partition("_")
    if rest and first.endswith("s") and not first.endswith(("ss", "us", "as", "is")) and len(first) > 3:
        return f"{first[:-1]}_{rest}"  # `layers_xyz` becomes `layer_xyz`
    numbered = re.fullmatch(r"(\w*[a-z]{3})(?<![aisu])s(_?\d+)", name)
    if numbered:
        return "".join(numbered.groups())  # `convs1` becomes `conv1`
    shadows = isinstance(path, cst.Name) and path.value == name
    return name if name.isidentifier() and not keyword.iskeyword(name) and not shadows else "module"
