"""Looks up what compiled code can use of an instance of a ``torch.nn`` class."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tslint.script.operators.callables import Unsupported, canonical
from tslint.script.operators.schema import Schema, parse, parse_type
from tslint.script.operators.tables import entry as entry_of
from tslint.script.types import Type
from tslint.util.record import record


@record
class InitParameter:
    """A parameter of a constructor.

    Args:
        name: the name, with stars for ``*args`` or ``**kwargs``.
        default: the ``repr`` of its default; None if it is required.
    """

    name: str
    default: str | None


@record
class ModuleAttribute:
    """An attribute of an instance.

    Args:
        type: its type in compiled code.
        constant: whether it is in ``__constants__`` or ``Final``: then it cannot be set, and a bool decides an ``if``.
    """

    type: Type
    constant: bool


@record
class Variant:
    """The effect of one argument of the constructor that differs from those in :class:`NNModule`.

    Args:
        argument: the name of the argument.
        value: the ``repr`` of the argument (``0`` instead of a float, ``(3, 3)`` instead of an int, ``False`` …).
        attributes: the attributes whose types differ; None if the attribute does not exist.
        error: the compiler's message if ``forward`` does not compile; otherwise None.
    """

    argument: str
    value: str
    attributes: Mapping[str, ModuleAttribute | None]
    error: str | None


@record
class NNModule:
    """A class of ``torch.nn``, built with ints for sizes, floats for ratios and defaults for everything else.

    Args:
        name: the public name, ``torch.nn.Linear``.
        class_name: the name at its definition, ``torch.nn.modules.linear.Linear``.
        init: the constructor's parameters, without ``self``.
        constants: the ``__constants__`` of the class.
        bases: the names of its base classes, nearest first, down to ``Module``.
        attributes: parameters, buffers and plain attributes by name; empty for containers and if ``error`` is set.
        parameters: the names of the parameters among the attributes.
        buffers: the names of the buffers among the attributes.
        modules: the full name of the class of each submodule.
        copies: the attributes that store, unchanged, the argument of the constructor with the same name.
        methods: the schemas of each method, with ``self`` first, several if it is overloaded; :class:`Unsupported` if
            it does not compile.
        variants: the effects of other arguments.
        error: the compiler's message if no instance can be scripted; otherwise None.
    """

    name: str
    class_name: str
    init: tuple[InitParameter, ...]
    constants: tuple[str, ...]
    bases: tuple[str, ...]
    attributes: Mapping[str, ModuleAttribute]
    parameters: tuple[str, ...]
    buffers: tuple[str, ...]
    modules: Mapping[str, str]
    copies: frozenset[str]
    methods: Mapping[str, tuple[Schema, ...] | Unsupported]
    variants: tuple[Variant, ...]
    error: str | None

    @property
    def forward(self) -> tuple[Schema, ...] | Unsupported | None:
        """Return ``forward`` as in ``methods``; None for containers.

        To match a call, pass ``schema.arguments[0].type`` as the ``self_type``.
        """
        return self.methods.get("forward")

    @property
    def container(self) -> bool:
        """Return whether instances of the class contain only what the author puts into them (``Sequential``,
        ``ModuleList`` …).
        """
        return not self.attributes and self.error is None


def _attribute(text: str) -> ModuleAttribute:
    return ModuleAttribute(parse_type(text.removeprefix("=")), text.startswith("="))


def _variant(key: str, change: dict[str, str] | str) -> Variant:
    argument, _, value = key.partition("=")
    if isinstance(change, str):
        return Variant(argument, value, {}, change)
    changed = {name: _attribute(text) if text else None for name, text in change.items()}
    return Variant(argument, value, changed, None)


@cache
def module_class(qualified: str) -> NNModule | None:
    """Return a class of ``torch.nn`` by its full name, public or not; None if there is none.

    Args:
        qualified: ``torch.nn.Linear`` or ``torch.nn.modules.linear.Linear``.
    """
    name = canonical(qualified)
    entry = entry_of(name, "nn_modules")
    if entry is None or name == "torch":
        return None
    methods: dict[str, tuple[Schema, ...] | Unsupported] = {}
    for method, found in entry.get("methods", {}).items():
        if isinstance(found, str):
            methods[method] = Unsupported(f"{name}.{method}", "body", found)
        else:
            methods[method] = tuple(parse(text) for text in found)
    return NNModule(
        name=name,
        class_name=entry["class"],
        init=tuple(InitParameter(row[0], row[1] if len(row) > 1 else None) for row in entry["init"]),
        constants=tuple(entry.get("constants", ())),
        bases=tuple(entry.get("bases", ())),
        attributes={attribute: _attribute(text) for attribute, text in entry.get("attributes", {}).items()},
        parameters=tuple(entry.get("parameters", ())),
        buffers=tuple(entry.get("buffers", ())),
        modules=entry.get("modules", {}),
        copies=frozenset(entry.get("copies", ())),
        methods=methods,
        variants=tuple(_variant(key, change) for key, change in entry.get("variants", {}).items()),
        error=entry.get("error"),
    )
