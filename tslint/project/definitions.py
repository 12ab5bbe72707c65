"""What a name can be defined as, from source alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tslint.project.module import Module

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Function:
    """A ``def``, at module level, in a class, or inside another function.

    Args:
        owner: the class whose body holds it.
        outer: the function that holds it, where it is a closure.
    """

    module: Module
    node: FunctionNode
    qualname: str
    owner: Class | None = None
    outer: Function | None = None

    @property
    def name(self) -> str:
        """Its own name."""
        return self.node.name


@dataclass(frozen=True, eq=False)
class Class:
    """A ``class`` statement."""

    module: Module
    node: ast.ClassDef
    qualname: str

    @property
    def name(self) -> str:
        """Its own name."""
        return self.node.name


@dataclass(frozen=True)
class External:
    """Something outside the indexed source, by its full name: ``torch.nn.Linear``, ``numpy`` …"""

    name: str


@dataclass(frozen=True, eq=False)
class ModuleRef:
    """A module of the project itself, bound to a name by an import."""

    module: Module


@dataclass(frozen=True, eq=False)
class GlobalValue:
    """A module-level variable.

    Args:
        value: what is assigned, None where it is not one plain assignment.
        rebound: assigned more than once, conditionally, or by a ``global`` statement: its value is not known.
        type_name: the Python type of every value that is assigned, where they agree.
    """

    module: Module
    name: str
    value: ast.expr | None
    rebound: bool = False
    type_name: str = ""


@dataclass(frozen=True)
class Ambiguous:
    """Bound in more than one way (``try: import a except ImportError: a = None``): nothing is known."""


@dataclass(frozen=True)
class Undefined:
    """No such name in a module whose names are all known."""


Definition = Function | Class | External | ModuleRef | GlobalValue | Ambiguous | Undefined
AMBIGUOUS, UNDEFINED = Ambiguous(), Undefined()


@dataclass
class Binding:
    """One module-level statement that binds a name.

    Args:
        node: the statement.
        target: dotted module of an import; the attribute for ``from``.
        conditional: stands inside ``if``, ``try``, ``for`` or ``while``.
    """

    kind: str
    node: ast.AST
    conditional: bool
    target: str = ""
    attribute: str | None = None
    level: int = 0
    value: ast.expr | None = None
    extra: dict[str, str] = field(default_factory=dict)
