"""Creates a module in ``__init__`` instead of in every call, if its class is in the file and has no parameters."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.inheritance import classes, is_plain_module
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.naming import snake_case
from tslint.script.dataflow.new_attributes import calls_base, can_have, holds_nothing


def in_constructor(match: Match, made: cst.Call) -> Fix | None:
    """Create a stateless module in ``__init__`` instead of in ``Swish()(x)``, and call it in compiled code.

    Return None if that is not possible, for example because an argument of the construction is not a constant.
    """
    outer, itself, tree = match.parent(made), match.self_name, match.file.tree
    owner = match.event.unit.function.owner if match.event.unit is not None else None
    if not isinstance(outer, cst.Call) or outer.func is not made or owner is None or itself is None:
        return None
    kind = classes(tree).get(made.func.value) if isinstance(made.func, cst.Name) else None
    constructor = method_of(owner.node, "__init__")
    if kind is None or constructor is None or not holds_nothing(kind) or not is_plain_module(owner.node):
        return None
    if any(each.star or not is_constant(each.value) for each in made.args):
        return None
    name = snake_case(kind.name)
    first = next((each for each in constructor.body if calls_base(each)), None)
    line = match.line(match.libcst(first)) if first is not None else None
    if line is None or owner.node not in tree.body or not can_have(tree, kind.name, name):
        return None
    if not can_branch(match, outer):
        return None

    def edits() -> list[Edit]:
        of = constructor.args.args[0].arg
        kept = match.insert_after(line, statement("{of}.{name} = {made}", of=of, name=name, made=made))
        new = outer.with_changes(func=expression("{self}.{name}", self=itself, name=name))
        return [*branch(match, outer, new), kept]

    # Python creates a new module in every call, whereas `eval()` also changes the one from `__init__`: they may compute
    # different results.
    said = f"Create the module in `__init__`, and call it as `{itself}.{name}` in compiled code"
    return unsafe(said, edits, risks=(Risk.DIFFERS,))
