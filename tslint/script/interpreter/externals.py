"""Names from outside the project, as the generated tables know them."""

from __future__ import annotations

from tslint.script import operators
from tslint.script.attributes import Instance
from tslint.script.operators.callables import Constant, Known, python_callable
from tslint.script.types import Type
from tslint.script.values import NO_CONSTANT, UNKNOWN, Typed, Value

# What every nn.Module has besides what its class defines; read from torch/nn/modules/module.py.
_MODULE_MEMBERS = frozenset(
    "training forward register_buffer register_parameter add_module register_module get_submodule set_submodule "
    "get_parameter get_buffer get_extra_state set_extra_state apply cuda ipu xpu mtia cpu type float double half bfloat16 "
    "to_empty to register_full_backward_pre_hook register_backward_hook register_full_backward_hook "
    "register_forward_pre_hook register_forward_hook register_state_dict_post_hook register_state_dict_pre_hook "
    "state_dict load_state_dict parameters named_parameters buffers named_buffers children named_children modules "
    "named_modules train eval requires_grad_ zero_grad share_memory extra_repr compile dump_patches call_super_init".split()
)


def is_module_member(name: str) -> bool:
    """Whether ``nn.Module`` itself defines a name."""
    return name in _MODULE_MEMBERS or (name.startswith("_") and not name.startswith("__") and name.endswith(("hooks", "_name")))


def known(name: str) -> Known | None:
    """What a full name stands for; None where the tables do not hold it."""
    return python_callable(name)


def constant_value(found: Constant) -> Value:
    """A constant that is read through its module."""
    return Typed(found.type, found.value if isinstance(found.value, (bool, int, str)) or found.value is None else NO_CONSTANT)


def module_attribute(instance: Instance, name: str) -> Value:
    """An attribute of an instance of a class of ``torch.nn``."""
    finder = getattr(operators, "module_class", None)
    found = finder(instance.external) if finder is not None else None
    if found is None:
        return UNKNOWN
    type_ = getattr(found, "attributes", {}).get(name)
    return Typed(type_) if isinstance(type_, Type) else UNKNOWN
