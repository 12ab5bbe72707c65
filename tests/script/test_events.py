"""Tests that each kind of event is a class with immutable fields."""

from __future__ import annotations

import ast
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from tslint.script.events import Event, kinds
from tslint.script.events.modules import ContainerIndex, MissingAttribute
from tslint.script.events.syntax import FStringFormat, TryBlock, VariadicParameter
from tslint.script.events.types import NotATuple

NODE = ast.parse("x").body[0]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (TryBlock, "try-block"),
        (FStringFormat, "f-string-format"),
        (NotATuple, "not-a-tuple"),
        (MissingAttribute, "missing-attribute"),
    ],
)
def test_a_kind_is_named_after_its_class(kind: type[Event], name: str) -> None:
    assert kind.kind == name


def test_an_event_has_the_fields_of_its_kind_and_the_common_ones() -> None:
    event = VariadicParameter(NODE, "said", name="args", star="*")
    other = replace(event, condition="`flag`")
    assert (event.name, event.star, event.condition) == ("args", "*", None)
    assert (other.name, other.kind, other.condition) == ("args", "variadic-parameter", "`flag`")
    assert (other.span.row, other.span.column) == (1, 0)


@pytest.mark.parametrize("facts", [{}, {"name": "args"}, {"name": "args", "star": "*", "loop": "for"}])
def test_an_event_has_exactly_the_fields_of_its_kind(facts: dict[str, str]) -> None:
    with pytest.raises(TypeError):
        VariadicParameter(NODE, "said", **facts)


def test_an_event_cannot_change() -> None:
    event = VariadicParameter(NODE, "said", name="args", star="*")
    with pytest.raises(FrozenInstanceError):
        event.name = "other"  # type: ignore[misc]


def test_a_kind_has_the_fields_of_its_family() -> None:
    event = ContainerIndex(
        NODE, "said", container="ModuleList", path="self.layers", index=ast.Name("i"), containers=frozenset()
    )
    own = [field.name for field in fields(event)][len(fields(Event)) :]
    assert own == ["container", "path", "index", "containers"]


def test_no_kind_takes_a_field_that_every_event_has() -> None:
    common = {field.name for field in fields(Event)}
    taken = {kind.kind: common & set(vars(kind).get("__annotations__", ())) for kind in kinds()}
    assert {kind: names for kind, names in taken.items() if names} == {}
