"""Follows classes along their method resolution order: the known bases, and the class that defines a method."""

from __future__ import annotations

import ast
from functools import cached_property

from tslint.project.definitions import Ambiguous, Class, Definition, External, Function
from tslint.project.index import Project
from tslint.util import astwalk
from tslint.util.record import record


@record
class Member:
    """A name in a class body.

    Args:
        owner: the class whose body contains it.
        node: the last statement that binds it.
        function: its record, if the statement is a ``def``.
    """

    owner: Class
    node: ast.stmt
    function: Function | None


class Hierarchy:
    """A class and its bases.

    Args:
        project: resolves the bases' names.
        definition: the class.
    """

    def __init__(self, project: Project, definition: Class) -> None:
        self.project = project
        self.definition = definition
        self._cuts = 0

    @cached_property
    def mro(self) -> tuple[Class | External, ...]:
        """Return the classes from this one to the last base.

        The bases of an external class are not known, so they are not listed. Unknown bases are left out and make
        :attr:`open` true.
        """
        order, _ = self._linear(self.definition, ())
        return tuple(order)

    @cached_property
    def open(self) -> bool:
        """Return whether a base is not known, so that the class may have other members."""
        return self._linear(self.definition, ())[1]

    @cached_property
    def abstract(self) -> bool:
        """Return whether only subclasses may have instances: the class has abstract methods, or the base ``ABC``."""
        resolve = self.project.resolve_expression
        bases = (base for base in self.definition.node.bases if isinstance(base, (ast.Name, ast.Attribute)))
        return any(is_external(resolve(self.definition.module, base), "abc.ABC") for base in bases) or any(
            member.function is not None and is_abstract(member.function, self.project)
            for member in self.members.values()
        )

    def _linear(self, definition: Class, seen: tuple[Class, ...]) -> tuple[list[Class | External], bool]:
        known = self.project.lines.get(id(definition))
        if known is not None and known[0] is definition:
            return known[1], known[2]
        cuts = self._cuts
        line, unknown = self._joined(definition, seen)
        # If a class inherits from itself, the result depends on where the search began, so it is not stored.
        if self._cuts == cuts:
            self.project.lines[id(definition)] = (definition, line, unknown)
        return line, unknown

    def _joined(self, definition: Class, seen: tuple[Class, ...]) -> tuple[list[Class | External], bool]:
        order: list[Class | External] = [definition]
        unknown = bool(definition.node.keywords) and any(k.arg is None for k in definition.node.keywords)
        lines: list[list[Class | External]] = []
        for base in definition.node.bases:
            found: Definition = self.project.resolve_expression(definition.module, base)
            if isinstance(base, ast.Subscript):
                found = self.project.resolve_expression(definition.module, base.value)
            if isinstance(found, External):
                lines.append([found])
            elif isinstance(found, Class) and found not in seen and found is not definition:
                inner, inner_unknown = self._linear(found, (*seen, definition))
                lines.append(inner)
                unknown = unknown or inner_unknown
            else:
                self._cuts += isinstance(found, Class)
                unknown = True
                shared = self._shared(found.options, (*seen, definition)) if isinstance(found, Ambiguous) else []
                lines += [shared] if shared else []
        merged = _merge([*lines, [line[0] for line in lines]])
        return order + merged, unknown

    def _shared(self, options: tuple[Class, ...], seen: tuple[Class, ...]) -> list[Class | External]:
        """Return the bases that all options for one base have in common: the class has these, whichever of the options
        it inherits from.
        """
        lines = [self._linear(option, seen)[0] for option in options if option not in seen]
        return [base for base in lines[0] if all(base in line for line in lines[1:])] if lines else []

    @cached_property
    def members(self) -> dict[str, Member]:
        """Return the names that the bodies of the known classes bind; the nearest class wins."""
        table: dict[str, Member] = {}
        for owner in reversed(self.mro):
            if isinstance(owner, Class):
                for name, node in body_names(owner.node).items():
                    table[name] = Member(owner, node, self._function(owner, name, node))
        return table

    def _function(self, owner: Class, name: str, node: ast.stmt) -> Function | None:
        """Return the function that a name of a class body refers to: a ``def``, or the one in ``forward =
        _forward``.
        """
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return owner.module.function(node, owner)
        # Only for `forward` does the compiler accept a function that is defined under another name.
        value = node.value if name == "forward" and isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if not isinstance(value, ast.Name):
            return None
        local = body_names(owner.node).get(value.id)
        if isinstance(local, ast.FunctionDef):
            return owner.module.function(local, owner)
        found = self.project.resolve_expression(owner.module, value)
        return found if isinstance(found, Function) else None

    def member(self, name: str, after: Class | None = None) -> Member | None:
        """Return the nearest member with a name; with ``after``, the next one after that class (as ``super()`` finds
        it).
        """
        if after is None:
            return self.members.get(name)
        past = False
        for owner in self.mro:
            if past and isinstance(owner, Class) and name in body_names(owner.node):
                node = body_names(owner.node)[name]
                return Member(owner, node, self._function(owner, name, node))
            past = past or owner is after
        return None

    def has_method(self, name: str) -> bool:
        """Return whether the nearest member with a name is a method."""
        member = self.members.get(name)
        return member is not None and member.function is not None

    @cached_property
    def externals(self) -> tuple[External, ...]:
        """Return the bases outside the indexed source."""
        return tuple(base for base in self.mro if isinstance(base, External))


def is_external(found: Definition, name: str) -> bool:
    """Return whether a definition is something outside the project that has a given full name."""
    return isinstance(found, External) and found.name == name


def is_abstract(function: Function, project: Project) -> bool:
    """Return whether a method is marked ``@abstractmethod``, so that subclasses define it."""
    marks = function.node.decorator_list
    return bool(marks) and any(
        is_external(project.resolve_expression(function.module, mark), "abc.abstractmethod") for mark in marks
    )


@astwalk.kept
def body_names(node: ast.ClassDef) -> dict[str, ast.stmt]:
    """Return the names that a class body binds, each with the last statement that binds it, conditional ones
    included.
    """
    table: dict[str, ast.stmt] = {}
    pending = list(reversed(node.body))
    while pending:
        statement = pending.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            table[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                for name in astwalk.walk(target):
                    if isinstance(name, ast.Name):
                        table[name.id] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            table[statement.target.id] = statement
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                table[alias.asname or alias.name.split(".")[0]] = statement
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            for part in ("finalbody", "orelse", "body"):
                pending += reversed(getattr(statement, part, []))
    return table


def _merge(lines: list[list[Class | External]]) -> list[Class | External]:
    """Merge the MROs of base classes by the C3 algorithm; where they contradict each other, take the next class of the
    first MRO.
    """
    merged: list[Class | External] = []
    lines = [list(line) for line in lines if line]
    if len(lines) == 2 and lines[0][:1] == lines[1]:
        return lines[0]  # there is only one base
    while lines:
        head = next((line[0] for line in lines if not any(line[0] in other[1:] for other in lines)), lines[0][0])
        merged.append(head)
        lines = [[item for item in line if item != head] for line in lines]
        lines = [line for line in lines if line]
    return merged
