"""Chooses names for the modules over which loops iterate."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence

import libcst as cst

from tslint.rewrite.fresh_names import fresh_module_name
from tslint.rewrite.loops import Loop, index_of, lines_of
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.template import code
from tslint.script.dataflow.liveness import stored_names
from tslint.script.dataflow.scopes import peeps

_NAMED = m.Assign(targets=[m.AssignTarget(m.Name())])
_LOOPS = (cst.For, cst.ListComp, cst.DictComp, cst.GeneratorExp)


def module_name(match: Match, loop: Loop, path: cst.BaseExpression, taken: Iterable[str] = ()) -> str:
    """Return a name for the modules of a container in a loop over them.

    A module cannot be assigned again in an inner block, so loops of one function share a name only if they are in the
    same block; the fixes of all of them may be applied at once.
    """
    function = match.function
    one = singular(path)
    rivals = [
        each
        for kind in _LOOPS
        for each in (all_of(function, kind) if function is not None else ())
        if each is loop.node or any(singular(use.value) == one for use in taken_by_name(each))
    ]
    rivals.sort(key=match.place)
    blocks = {match.parent(each) if isinstance(each, cst.For) else each for each in rivals}
    names: list[str] = []
    for _ in range(rivals.index(loop.node) + 1 if len(blocks) > 1 else 1):
        names.append(fresh_module_name(match, one, [*taken, *names]))
    return names[-1]


def alias(match: Match, loop: Loop, uses: Sequence[cst.Subscript]) -> tuple[str, cst.CSTNode | None]:
    """Return the author's name for the modules of a container, and the line of the loop that binds it.

    Returns:
        An empty name and None, unless only this line binds it, and it is only read below in the same iteration.
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
    return sum(each.value == name for each in all_of(node, cst.Name))


def taken_by_name(*nodes: cst.CSTNode) -> list[cst.Subscript]:
    """Return the subscripts in some nodes whose index is a variable."""
    return [each for node in nodes for each in all_of(node, cst.Subscript) if isinstance(index_of(each), cst.Name)]


def singular(path: cst.BaseExpression) -> str:
    """Return the singular of a container's name: ``layer`` for ``self.layers``."""
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
