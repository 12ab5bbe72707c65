"""Reads the facts of modules that were really built (by ``tslint verify``): each is one construction, without
conditions.

For the compiler, instances of one class have different types if their attributes differ. Here, such instances are of
different *kinds*, and each kind has a *receiver*: a copy of the author's :class:`Class`, with the attributes of these
instances. Facts that only the source shows (the statement that sets an attribute, the arguments of a call) still come
from the source.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tslint.project.definitions import Class, Function, Module
from tslint.project.index import Project
from tslint.script.assumptions import NO_ASSUMPTIONS
from tslint.script.attributes import (
    PY_UNKNOWN,
    Attribute,
    ClassFacts,
    Instance,
    PyChoice,
    PyConst,
    PyExternal,
    PyFunction,
    PySeen,
    PyValue,
)

_Record = dict[str, Any]
_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")


class Built:
    """The instances of built modules, by the classes of a project.

    Args:
        project: finds classes and functions.
        texts: the facts, as JSON.
    """

    def __init__(self, project: Project, texts: Iterable[str]) -> None:
        self._project = project
        self._tables: list[list[_Record]] = [json.loads(text)["instances"] for text in texts]
        self._receivers: dict[tuple[int, int], Class | None] = {}
        self._origins: dict[int, tuple[Class, int, _Record]] = {}
        self._kinds: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for table, records in enumerate(self._tables):
            for number, record in enumerate(records):
                if isinstance(record["class"], list):
                    path, name = record["class"]
                    self._kinds.setdefault((path, name), []).append((table, number))

    def constructions(self, definition: Class) -> list[Class]:
        """Return one receiver for each kind of instance of a class; an empty list if no instance was built."""
        if not self._kinds:
            return []
        kinds = self._kinds.get((os.path.realpath(definition.module.source.path), definition.qualname), [])
        return [each for each in (self._receiver(*kind) for kind in kinds) if each is not None]

    def origin(self, receiver: Class) -> Class | None:
        """Return the author's class for a receiver; None if the receiver is the class itself."""
        found = self._origins.get(id(receiver))
        return found[0] if found is not None else None

    def facts(self, receiver: Class, source: ClassFacts) -> ClassFacts:
        """Return the facts of one kind of instance.

        Args:
            receiver: a receiver from :meth:`constructions`.
            source: the facts that the source shows about every instance.
        """
        _, table, record = self._origins[id(receiver)]
        attributes = {
            name: [self._attribute(table, seen, source.attributes.get(name, []))]
            for name, seen in record["attributes"].items()
        }
        calls = [call for call in source.hook_calls if not call.assumptions]
        return replace(source, attributes=attributes, open=False, prefixes=frozenset(), elsewhere={}, hook_calls=calls)

    def _receiver(self, table: int, number: int) -> Class | None:
        key = (table, number)
        if key not in self._receivers:
            record = self._tables[table][number]
            module, name = self._module(record["class"])
            found = next((each for each in module.classes() if each.qualname == name), None) if module else None
            self._receivers[key] = None
            if found is not None:
                receiver = self._receivers[key] = Class(found.module, found.node, found.qualname)
                self._origins[id(receiver)] = (found, table, record)
        return self._receivers[key]

    def _module(self, place: Sequence[str]) -> tuple[Module | None, str]:
        return self._project.load(Path(place[0])), place[1]

    def _attribute(self, table: int, seen: _Record, sources: Sequence[Attribute]) -> Attribute:
        candidates = [value for each in sources for value in _flat(each.value)]
        value = self._value(table, seen, candidates)
        node: ast.AST | None = sources[0].node if sources else None
        if isinstance(value, Instance):
            value_node = value.node
            node = next((each.node for each in sources if value_node in _nodes(each.value)), node)
        return Attribute(NO_ASSUMPTIONS, value, node, str(seen.get("kind", "")))

    def _value(self, table: int, seen: _Record, candidates: Sequence[PyValue]) -> PyValue:
        if "value" in seen:
            return PyConst(seen["value"])
        if "module" in seen:
            return self._instance(table, seen["module"], candidates)
        if "function" in seen:
            return self._function(seen["function"]) or _only([c for c in candidates if isinstance(c, PyFunction)])
        if seen.get("type") == "NoneType":
            return PyConst(None)
        if "type" in seen:
            return PySeen(seen["type"])
        return PySeen("", seen["failed"])

    def _function(self, place: Any) -> PyValue | None:
        if isinstance(place, str):
            return PyExternal(place) if place else None
        module, name = self._module(place)
        found: Function | None = next((f for f in module.functions() if f.qualname == name), None) if module else None
        if found is not None:
            return PyFunction(found)
        return PyFunction(None) if name.endswith("<lambda>") else None

    def _instance(self, table: int, number: int | None, candidates: Sequence[PyValue]) -> PyValue:
        record: _Record = self._tables[table][number] if number is not None else {"class": ""}
        known = [each for each in candidates if isinstance(each, Instance)]
        if isinstance(record["class"], list):
            assert number is not None
            receiver = self._receiver(table, number)
            if receiver is None:
                return PY_UNKNOWN
            origin = self._origins[id(receiver)][0]
            like = _only([each for each in known if each.definition is origin])
            return replace(like, definition=receiver) if isinstance(like, Instance) else Instance(receiver, known=False)
        if not record["class"]:
            return PY_UNKNOWN
        like = _only([each for each in known if each.external == record["class"]])
        made = like if isinstance(like, Instance) else Instance(None, record["class"], known=False)
        if record["class"] not in _CONTAINERS:
            return made
        items = [
            self._instance(table, child, _items(known, place))
            for place, child in enumerate(record["children"].values())
        ]
        keys = tuple(record["children"]) if record["class"] != _CONTAINERS[1] else None
        return replace(made, items=tuple(items), keys=keys)


def _only(values: Sequence[PyValue]) -> PyValue:
    """Return the given value if there is only one, perhaps several times; otherwise ``PY_UNKNOWN``."""
    return values[0] if values and all(each is values[0] for each in values) else PY_UNKNOWN


def _flat(value: PyValue | None) -> list[PyValue]:
    """Return the values that a value may have: the cases of a choice, or the value itself."""
    if isinstance(value, PyChoice):
        return [each for _, case in value.cases for each in _flat(case)]
    return [] if value is None else [value]


def _nodes(value: PyValue | None) -> list[ast.AST | None]:
    return [each.node for each in _flat(value) if isinstance(each, Instance)]


def _items(containers: Sequence[Instance], place: int) -> list[PyValue]:
    """Return the values that the source shows for the item at a position of a container; ``containers`` are its
    possible values.
    """
    found: list[PyValue] = []
    for each in containers:
        if each.items is not None and place < len(each.items):
            found += _flat(each.items[place])
        elif each.items is None:
            found += _flat(each.element)
    return found
