"""What tests are planned to become, and what a class says already of what the compiler takes for constant."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TypeVar

from tslint import walking
from tslint.diagnostics import Edit
from tslint.rulekit.match import Match
from tslint.script.dataflow.bool_attributes import FileFacts, file_facts
from tslint.script.dataflow.class_annotations import postponed

_Method = TypeVar("_Method", bound="Method")


@dataclass
class Plan:
    """What is to be declared and made in which class."""

    flags: dict[str, None] = field(default_factory=dict)
    made: dict[str, ast.expr] = field(default_factory=dict)
    replaced: list[Edit] = field(default_factory=list)
    target: ast.ClassDef | None = None

    def take(self, other: Plan) -> None:
        """Become another plan."""
        self.flags, self.made, self.replaced, self.target = other.flags, other.made, other.replaced, other.target


def copied(plan: Plan) -> Plan:
    """A plan that can be given up without a trace."""
    return Plan(dict(plan.flags), dict(plan.made), list(plan.replaced), plan.target)


@dataclass
class Method:
    """A method of a module, and what the compiler knows of its class.

    Args:
        match: the event.
        facts: of its file.
        function: the method.
        owner: the class that defines it.
        receiver: the class of the instance for which it is compiled.
    """

    match: Match
    facts: FileFacts
    function: ast.FunctionDef | ast.AsyncFunctionDef
    owner: ast.ClassDef
    receiver: ast.ClassDef

    @classmethod
    def of(cls: type[_Method], match: Match) -> _Method | None:
        """For the event's method; None where that is no method of a module of this file."""
        unit = match.event.unit
        if unit is None or unit.function.owner is None or unit.receiver is None or not unit.function.node.args.args:
            return None
        for class_ in (unit.function.owner, unit.receiver):
            if class_.module.source.path != match.source.path:
                return None
        facts = file_facts(match.file.tree)
        owner, receiver = unit.function.owner.node, unit.receiver.node
        if facts.classes.get(receiver.name) is not receiver or facts.line(receiver) is None:
            return None
        return cls(match, facts, unit.function.node, owner, receiver)

    @property
    def itself(self) -> str:
        """What the method calls its instance."""
        return self.function.args.args[0].arg

    def own(self, node: ast.AST) -> str | None:
        """The attribute of the instance that an expression is."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.itself:
            return node.attr
        return None

    def declared(self) -> set[str]:
        """The attributes that the compiler takes for constants of the receiver."""
        found: set[str] = set()
        line = self.facts.line(self.receiver) or []
        nearest = next((each for each in line if body_annotations(each)), None)
        if nearest is not None and not postponed(self.match.file.tree):
            found |= {n for n, a in body_annotations(nearest).items() if re.search(r"\bFinal\b", ast.unparse(a))}
        for each in line:
            listed = constants(each)
            if listed is not None:
                return found | {
                    n.value for n in walking.walk(listed) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                }
        return found


def body_annotations(node: ast.ClassDef) -> dict[str, ast.expr]:
    """The annotations of a class body."""
    return {
        statement.target.id: statement.annotation
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def constants(node: ast.ClassDef) -> ast.expr | None:
    """The value of ``__constants__`` in a class body."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__constants__" for target in statement.targets
        ):
            return statement.value
    return None
