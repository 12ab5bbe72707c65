"""The record of a run, as the worker sends it to the parent and as several runs are merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tslint.annotate.kinds import Kinds, dump, load, merge
from tslint.annotate.watched import Place


@dataclass
class Calls:
    """The calls of one function.

    Args:
        number: how many began.
        arguments: by parameter.
        returned: what came back.
        locals: by name, of those that start empty and of annotated ones.
    """

    number: int = 0
    arguments: dict[str, Kinds] = field(default_factory=dict)
    returned: Kinds = field(default_factory=dict)
    locals: dict[str, Kinds] = field(default_factory=dict)


@dataclass
class Attribute:
    """An attribute of a class that its ``__init__`` sets to None or an empty container.

    Args:
        kinds: of the values of all instances, before and after the run.
        needed: some instance starts with None or an empty container and holds something else later, so what it
            starts with does not tell the type.
        obstacle: why the class cannot have an annotation for it; empty where it can.
    """

    kinds: Kinds = field(default_factory=dict)
    needed: bool = False
    obstacle: str = ""


CallPlace = tuple[int, int, int, int]
"""First row, first column, last row and last column of a call as ``ast`` counts them."""


@dataclass
class Argument:
    """An int that a module of ``torch.nn`` was given for a float, and cannot be compiled with.

    Args:
        name: of the parameter.
        index: among the positional arguments of a call; None where it is given by keyword only.
        module: the class.
        optional: whether it may be None as well.
        number: how often.
    """

    name: str
    index: int | None
    module: str
    optional: bool
    number: int = 0


@dataclass
class Seen:
    """What was seen of one file's code.

    Args:
        digest: of the file's bytes when it was run.
        calls: by function.
        attributes: by ``__init__`` and name.
        classes: how the file calls the classes that kinds name ``class:NAME``.
        arguments: by call and parameter.
    """

    digest: str
    calls: dict[Place, Calls] = field(default_factory=dict)
    attributes: dict[tuple[Place, str], Attribute] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    arguments: dict[tuple[CallPlace, str], Argument] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """As plain json."""
        return {
            "digest": self.digest,
            "calls": [
                [*place, calls.number, _dump(calls.arguments), dump(calls.returned), _dump(calls.locals)]
                for place, calls in self.calls.items()
            ],
            "attributes": [
                [*place, name, dump(each.kinds), each.needed, each.obstacle]
                for (place, name), each in self.attributes.items()
            ],
            "classes": self.classes,
            "arguments": [
                [place, each.name, each.index, each.module, each.optional, each.number]
                for (place, _), each in self.arguments.items()
            ],
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Seen:
        """What :meth:`dump` wrote."""
        seen = cls(data["digest"], classes=data["classes"])
        for row, name, number, arguments, returned, local in data["calls"]:
            seen.calls[row, name] = Calls(number, _load(arguments), load(returned), _load(local))
        for row, name, attribute, kinds, needed, obstacle in data["attributes"]:
            seen.attributes[(row, name), attribute] = Attribute(load(kinds), needed, obstacle)
        for place, name, index, module, optional, number in data["arguments"]:
            row, column, end_row, end_column = place
            seen.arguments[(row, column, end_row, end_column), name] = Argument(name, index, module, optional, number)
        return seen

    def merge(self, other: Seen) -> None:
        """Add what another run showed of the same file."""
        for place, calls in other.calls.items():
            into = self.calls.setdefault(place, Calls())
            into.number += calls.number
            merge(into.returned, calls.returned)
            for mine, theirs in ((into.arguments, calls.arguments), (into.locals, calls.locals)):
                for name, kinds in theirs.items():
                    merge(mine.setdefault(name, {}), kinds)
        for key, attribute in other.attributes.items():
            own = self.attributes.setdefault(key, Attribute())
            merge(own.kinds, attribute.kinds)
            own.needed = own.needed or attribute.needed
            own.obstacle = max(own.obstacle, attribute.obstacle)
        for call, argument in other.arguments.items():
            same = self.arguments.setdefault(call, replace(argument, number=0))
            same.number += argument.number
        self.classes.update(other.classes)


def _dump(several: Mapping[str, Kinds]) -> dict[str, Any]:
    return {name: dump(kinds) for name, kinds in several.items()}


def _load(several: Mapping[str, Any]) -> dict[str, Kinds]:
    return {name: load(kinds) for name, kinds in several.items()}
