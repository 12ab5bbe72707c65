"""Determines the possible values of a module's attribute in all constructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External
from tslint.script.attributes import Instance, PyChoice, PyConst, PyValue

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_CONTAINERS = ("ModuleList", "ModuleDict", "Sequential", "ParameterList", "ParameterDict")
_TRUTH = ("__len__", "__bool__")


def kinds(model: Compilation, receiver: Class, attribute: str) -> frozenset[str]:
    """Return the kinds of an attribute's values in the constructions that set it.

    The kinds are ``none``, ``module`` (always true as a condition in Python), ``container`` (false if it is empty) and
    ``unknown``.
    """
    facts = model.facts(receiver)
    options = facts.attributes.get(attribute)
    if options is None or facts.may_have(attribute) or attribute in facts.elsewhere:
        return frozenset(["unknown"])
    found = {kind for option in options for kind in _kinds(model, option.value)}
    # If no constructor sets it, it may be an attribute of the class.
    return frozenset(found | {"unknown"} if attribute in model.hierarchy(receiver).members else found)


def _kinds(model: Compilation, value: PyValue | None) -> set[str]:
    if value is None:
        return set()  # the attribute is not set, so that any test of it raises
    if isinstance(value, PyChoice):
        return {kind for _, option in value.cases for kind in _kinds(model, option)}
    if isinstance(value, PyConst):
        return {"none" if value.value is None else "unknown"}
    if not isinstance(value, Instance):
        return {"unknown"}
    if value.definition is None:
        return {_torch_kind(value.external)}
    hierarchy = model.hierarchy(value.definition)
    if hierarchy.open or any(name in hierarchy.members for name in _TRUTH):
        return {"unknown"}
    bases = {_torch_kind(each.name) for each in hierarchy.mro if isinstance(each, External)}
    return {"module"} if bases <= {"module", "plain"} and "module" in bases else {"unknown"}


def _torch_kind(name: str) -> str:
    if name in ("object", "builtins.object", "abc.ABC"):
        return "plain"
    if not name.startswith("torch.nn."):
        return "unknown"
    last = name.rpartition(".")[2]
    if last in _CONTAINERS:
        return "container"
    return "unknown" if last in ("Parameter", "Buffer", "UninitializedParameter") else "module"
