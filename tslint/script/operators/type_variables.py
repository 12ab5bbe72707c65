"""Binds the type variables of a schema to the types of a call's arguments.

This is the counterpart of ``matchTypeVariables`` and ``tryEvalTypeVariables`` of aten/src/ATen/core/type.cpp. A
variable that only an unknown argument could have bound is bound to None: its type is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from tslint.script.types import (
    NONE,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeVariable,
    has_variables,
    optional,
    unify,
    walk,
)


class TypeEnvironment:
    """The type variables of one schema in one call (``TypeEnv``)."""

    def __init__(self) -> None:
        self.bound: dict[str, Type | None] = {}

    def binds(self, type_: Type) -> bool:
        """Return whether every variable in a type is bound."""
        return all(name in self.bound for name in _variables(type_))

    def leave_open(self, type_: Type) -> None:
        """Mark the variables that only an unknown argument could have bound."""
        for name in _variables(type_):
            self.bound.setdefault(name, None)

    def bind(self, formal: Type, actual: Type) -> str:
        """Bind the type variables of a parameter; return the reason if that fails, otherwise an empty string
        (matchTypeVariables).
        """
        if not has_variables(formal):
            return ""
        if isinstance(formal, TypeVariable):
            if formal.name not in self.bound:
                self.bound[formal.name] = actual
                return ""
            known = self.bound[formal.name]
            if known is None or unify(known, actual) is not None:
                return ""
            return f"Type variable '{formal.name}' previously matched to type {known} is matched to type {actual}"
        if isinstance(formal, ListType):
            if isinstance(actual, ListType):
                return self.bind(formal.element, actual.element)
            if isinstance(actual, TupleType) and actual.elements:
                element = _unify_all(actual.elements)
                if element is not None:
                    return self.bind(formal.element, element)
            return f"Cannot match {formal} to {actual}"
        if isinstance(formal, TupleType):
            if not isinstance(actual, TupleType):
                return f"Cannot match a tuple to {actual}"
            if len(formal.elements) != len(actual.elements):
                return "Cannot match tuples of mismatched size"
            return self.bind_each(formal.elements, actual.elements)
        if isinstance(formal, FutureType):
            if isinstance(actual, FutureType) and actual.name == formal.name:
                return self.bind(formal.element, actual.element)
            return f"Cannot match {'an' if formal.name == 'Await' else 'a'} {formal.name.lower()} to {actual}"
        if isinstance(formal, OptionalType):
            if isinstance(actual, OptionalType):
                return self.bind(formal.element, actual.element)
            return "" if actual == NONE else self.bind(formal.element, actual)
        if isinstance(formal, DictType):
            if isinstance(actual, DictType):
                return self.bind_each((formal.key, formal.value), (actual.key, actual.value))
            return f"Cannot match a dict to {actual}"
        return f"Cannot match {formal} to {actual}"

    def bind_each(self, formals: Sequence[Type], actuals: Sequence[Type]) -> str:
        for formal, actual in zip(formals, actuals):
            reason = self.bind(formal, actual)
            if reason:
                return reason
        return ""

    def evaluate(self, type_: Type) -> Type | None:
        """Return a type in which variables are replaced by their types; None if one is unknown
        (tryEvalTypeVariables).
        """
        if not has_variables(type_):
            return type_
        if isinstance(type_, TypeVariable):
            return self.bound.get(type_.name)
        if isinstance(type_, TupleType):
            elements = [self.evaluate(element) for element in type_.elements]
            known = tuple(element for element in elements if element is not None)
            return TupleType(known, type_.name, type_.fields) if len(known) == len(elements) else None
        if isinstance(type_, DictType):
            key, value = self.evaluate(type_.key), self.evaluate(type_.value)
            return None if key is None or value is None else DictType(key, value)
        if isinstance(type_, (ListType, OptionalType, FutureType)):
            inner = self.evaluate(type_.element)
            if inner is None:
                return None
            if isinstance(type_, FutureType):
                return FutureType(type_.name, inner)
            return ListType(inner) if isinstance(type_, ListType) else optional(inner)
        return None


def _variables(type_: Type) -> list[str]:
    return [part.name for part in walk(type_) if isinstance(part, TypeVariable)]


def _unify_all(types: Sequence[Type]) -> Type | None:
    joined: Type | None = types[0]
    for type_ in types[1:]:
        joined = None if joined is None else unify(joined, type_)
    return joined
