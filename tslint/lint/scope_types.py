"""Lists the types that TorchScript would infer, by position (``tslint scope --types``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from tslint.script.assumptions import Assumptions, in_words
from tslint.script.model import Model
from tslint.script.pruning import Pruned, pruned_code
from tslint.script.recording import Named, Recording
from tslint.script.scope import Unit
from tslint.script.types import ANYTHING, NONE, ClassType, Type, plain
from tslint.script.values import (
    Alternatives,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    IterableValue,
    ModuleReference,
    ModuleValue,
    OperatorValue,
    TupleValue,
    Typed,
    Value,
)
from tslint.util.record import record

UNKNOWN_TYPE = "?"
_MOST_ITEMS = 3


@record
class Inferred:
    """A name and its type.

    Args:
        row: its row.
        name: the name; ``return`` for a returned value.
        kind: ``parameter``, ``variable``, ``attribute``, ``return``, or ``result`` for the result of the function.
        type: its type as TorchScript spells it; ``?`` if it is not known.
    """

    row: int
    name: str
    kind: str
    type: str


@record
class FunctionTypes:
    """The types of one compiled function.

    Args:
        unit: the function.
        path: its file.
        result: the type that it returns.
        names: the names, by row and in the order of evaluation.
        pruned: the parts that are not always compiled.
    """

    unit: Unit
    path: Path
    result: str
    names: tuple[Inferred, ...]
    pruned: tuple[Pruned, ...]


def inferred_types(model: Model, recording: Recording, checked: Collection[Path]) -> list[FunctionTypes]:
    """Return the types in the compiled functions of the checked files, in order."""
    found = []
    for unit in model.units.values():
        path = unit.function.module.source.path
        if path in checked and id(unit) in recording.results:
            result = type_name(recording.results[id(unit)])
            pruned = tuple(pruned_code(recording, unit))
            found.append(FunctionTypes(unit, path, result, tuple(_names(recording, unit)), pruned))
    return sorted(found, key=lambda each: (str(each.path), each.unit.function.node.lineno, each.unit.name))


def _names(recording: Recording, unit: Unit) -> list[Inferred]:
    options: dict[tuple[int, str, str], list[tuple[Assumptions, str]]] = {}
    for named in recording.named.get(id(unit), []):
        key = (getattr(named.node, "lineno", 0), named.name, named.kind)
        inferred = named.kind == "parameter"
        if isinstance(named.value, FunctionValue) and named.kind == "attribute":
            continue  # a method is not listed: it is in the tree
        for assumptions, value in _cases(named.value):
            shown = (named.assumptions | assumptions, describe(value, inferred=inferred))
            found = options.setdefault(key, [])
            if shown not in found:
                found.append(shown)
    names = [Inferred(*key, type=_merged(found)) for key, found in options.items()]
    return sorted(names, key=lambda each: each.row)


def shown_type(named: Iterable[Named]) -> str:
    """Return one type for all records of a name, as an annotation would write it."""
    found: list[tuple[Assumptions, str]] = []
    for each in named:
        for assumptions, value in _cases(each.value):
            shown = (each.assumptions | assumptions, describe(value))
            if shown not in found:
                found.append(shown)
    return _merged(found)


def _cases(value: Value) -> list[tuple[Assumptions, Value]]:
    if isinstance(value, Alternatives):
        return list(value.cases)
    return [(frozenset(), value)]


def _merged(found: list[tuple[Assumptions, str]]) -> str:
    """Return one type for several records of a name."""
    texts = list(dict.fromkeys(text for _, text in found))
    if len(texts) == 1:
        return texts[0]
    parts = []
    for text in texts:
        ways = [assumptions for assumptions, each in found if each == text]
        common = frozenset.intersection(*ways)
        parts.append(f"{text} (when {in_words(common)})" if common else text)
    return " | ".join(parts)


def type_name(type_: Type | None, *, inferred: bool = False) -> str:
    """Return a type in the author's terms: as the compiler spells it, but ``None`` for NoneType, and classes without
    their modules.
    """
    if type_ is None or type_ == ANYTHING:
        return UNKNOWN_TYPE
    if type_ == NONE:
        return "None"
    if isinstance(type_, ClassType) and type_.kind == "module":
        return type_.name.rpartition(".")[2]
    return str(type_) if inferred else plain(type_)


def describe(value: Value, *, inferred: bool = False) -> str:
    """Describe a value in the author's terms.

    Args:
        value: the value.
        inferred: whether to mark a Tensor that has no annotation.
    """
    if isinstance(value, Typed):
        return type_name(value.type, inferred=inferred)
    if isinstance(value, TupleValue):
        return f"Tuple[{', '.join(describe(element) for element in value.elements) or '()'}]"
    if isinstance(value, ModuleValue):
        definition = value.instance.definition
        return definition.qualname if definition is not None else value.instance.external.rpartition(".")[2]
    if isinstance(value, ContainerValue):
        inside = value.items if value.items is not None else (value.element,)
        kinds = list(dict.fromkeys(describe(item) for item in inside))
        shown = ", ".join(kinds[:_MOST_ITEMS]) + (", …" if len(kinds) > _MOST_ITEMS else "")
        return f"{value.kind}[{shown}]" if value.kind != "slice" else f"slice of modules [{shown}]"
    if isinstance(value, FunctionValue):
        return f"function {value.function.name}"
    if isinstance(value, ClassValue):
        return f"class {value.definition.name}"
    if isinstance(value, OperatorValue):
        return value.spelled or value.name
    if isinstance(value, ExternalValue):
        return value.name
    if isinstance(value, ModuleReference):
        return "Python module"
    if isinstance(value, IterableValue):
        return value.kind
    if isinstance(value, Alternatives):
        return _merged([(assumptions, describe(case)) for assumptions, case in value.cases])
    return UNKNOWN_TYPE
