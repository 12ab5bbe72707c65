"""The record of a run: the worker sends it to the parent, and the records of several runs are merged."""

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
        number: how many calls began.
        arguments: the kinds of the arguments, by parameter.
        returned: the kinds of the returned values.
        locals: by name, the kinds of the variables that start empty, and of annotated ones.
    """

    number: int = 0
    arguments: dict[str, Kinds] = field(default_factory=dict)
    returned: Kinds = field(default_factory=dict)
    locals: dict[str, Kinds] = field(default_factory=dict)


@dataclass
class Attribute:
    """An attribute that ``__init__`` sets to None or to an empty container.

    Args:
        kinds: the kinds of its values in all instances, before and after the run.
        needed: whether at least one instance needs the annotation: its first value does not show a later value's type.
        obstacle: why the class cannot have an annotation for it; empty if it can.
    """

    kinds: Kinds = field(default_factory=dict)
    needed: bool = False
    obstacle: str = ""


CallPlace = tuple[int, int, int, int]
"""First row, first column, last row and last column of a call as ``ast`` counts them."""


@dataclass
class Argument:
    """An int that was passed to a ``torch.nn`` module that declares a float, so that the module does not compile.

    Args:
        name: the name of the parameter.
        index: its index among the positional arguments of a call; None if it is keyword-only.
        module: the name of the module's class.
        optional: whether None is allowed, too.
        number: how often it was seen.
    """

    name: str
    index: int | None
    module: str
    optional: bool
    number: int = 0


@dataclass
class Seen:
    """The record of one file's code.

    Args:
        digest: the digest of the file's bytes when it ran.
        calls: the calls by function.
        attributes: the attributes by ``__init__`` and name.
        classes: the names that the file uses for classes of the kind ``class:NAME``.
        arguments: the ints that were passed for floats, by call and parameter.
    """

    digest: str
    calls: dict[Place, Calls] = field(default_factory=dict)
    attributes: dict[tuple[Place, str], Attribute] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    arguments: dict[tuple[CallPlace, str], Argument] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """Convert the record to plain JSON."""
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
        """Read what :meth:`dump` wrote."""
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
        """Add the record of another run of the same file."""
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
