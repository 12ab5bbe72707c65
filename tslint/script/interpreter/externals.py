"""Looks up names from outside the project in the generated tables."""

from __future__ import annotations

from tslint.script.attributes import Instance, PyConst, PyValue
from tslint.script.operators import module_class
from tslint.script.operators.callables import Constant, Known, Unsupported, python_callable
from tslint.script.operators.modules import ModuleAttribute, NNModule, Variant
from tslint.script.values import NO_CONSTANT, UNKNOWN, Missing, Schemas, Typed, Value

# Members of every nn.Module, from torch/nn/modules/module.py.
_MODULE_MEMBERS = frozenset(
    "training forward register_buffer register_parameter add_module register_module get_submodule set_submodule"
    " get_parameter get_buffer get_extra_state set_extra_state apply cuda ipu xpu mtia cpu type float double half"
    " bfloat16 to_empty to register_full_backward_pre_hook register_backward_hook register_full_backward_hook"
    " register_forward_pre_hook register_forward_hook register_state_dict_post_hook register_state_dict_pre_hook"
    " state_dict load_state_dict parameters named_parameters buffers named_buffers children named_children modules"
    " named_modules train eval requires_grad_ zero_grad share_memory extra_repr compile dump_patches"
    " call_super_init".split()
)
# Methods of nn.Module whose source does not compile, as tried with torch (see scripts/operator_data). The other
# methods are iterators that the emitter knows, or compile.
_UNCOMPILABLE = frozenset(
    "train eval parameters named_parameters buffers zero_grad cuda cpu to type float double half bfloat16 state_dict "
    "load_state_dict register_buffer register_parameter add_module register_module apply requires_grad_ get_parameter "
    "get_submodule get_buffer share_memory to_empty _get_name".split()
)


def is_module_member(name: str) -> bool:
    """Return whether ``nn.Module`` itself defines a name."""
    return name in _MODULE_MEMBERS or (
        name.startswith("_") and not name.startswith("__") and name.endswith(("hooks", "_name"))
    )


def base_member(name: str) -> Value:
    """Return the compiled value of a member that ``nn.Module`` itself defines."""
    return Missing("module-method") if name in _UNCOMPILABLE else UNKNOWN


def known(name: str) -> Known | None:
    """Return what the tables say about a full name, such as an operator or a class; None if they do not contain it."""
    return python_callable(name)


# Modules whose public names are all in the tables, and the few names that are not.
_COMPLETE = frozenset(
    ["torch", "torch.nn.functional", "torch.nn.init", "torch.linalg", "torch.fft", "torch.special", "math", "cmath"]
)
_UNLISTED = frozenset(
    "contrib nativert numa onnx sym_sqrt profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 Callable ParamSpec".split()
)


def is_missing(name: str) -> bool:
    """Return whether a full name certainly does not exist in its module."""
    module, _, last = name.rpartition(".")
    return module in _COMPLETE and not last.startswith("_") and last not in _UNLISTED and python_callable(name) is None


def constant_value(found: Constant) -> Value:
    """Return the compiled value of a constant that is read through its module, such as ``math.pi``."""
    return Typed(
        found.type, found.value if isinstance(found.value, (bool, int, str)) or found.value is None else NO_CONSTANT
    )


def module_attribute(instance: Instance, name: str) -> Value:
    """Return an attribute or method of an instance of a ``torch.nn`` class."""
    found = module_class(instance.external)
    if found is not None and found.container:
        return base_member(name) if is_module_member(name) else UNKNOWN
    if found is None or found.error is not None:
        return UNKNOWN
    return member_of(found, name, instance)


def member_of(found: NNModule, name: str, instance: Instance | None) -> Value:
    """Return an attribute or method that instances of a ``torch.nn`` class have; Unknown if it depends on unknown
    arguments.

    ``instance`` is None if the arguments are not known.
    """
    attribute = found.attributes.get(name)
    if attribute is not None:
        for variant in found.variants:
            if name in variant.attributes:
                given = given_argument(instance, found, variant.argument)
                if given is UNKNOWN_ARGUMENT:
                    return UNKNOWN
                if given is not None and not (
                    _is_typical(given, attribute, name in found.copies) or _is_no_text(given, variant)
                ):
                    changed = variant.attributes[name]
                    if isinstance(given, PyConst) and repr(given.value) == variant.value:
                        return UNKNOWN if changed is None else _typed(changed)
                    return UNKNOWN
        if (
            name in found.copies
            and given_argument(instance, found, name) is UNKNOWN_ARGUMENT
            and str(attribute.type) != "bool"
        ):
            return UNKNOWN
        return _typed(attribute)
    method = found.methods.get(name)
    if isinstance(method, tuple):
        return Schemas(method, method[0].arguments[0].type if method and method[0].arguments else None)
    if isinstance(method, Unsupported):
        return Missing("module-method", method.message)
    return base_member(name) if is_module_member(name) else UNKNOWN


# Classes whose instances have submodules or properties, which the tables do not list.
_COMPOSED = ("AdaptiveLogSoftmax", "DataParallel", "GRU", "LSTM", "MultiheadAttention", "RNN", "Transformer")


def is_lacking(found: NNModule, name: str) -> bool:
    """Return whether no instance of a ``torch.nn`` class has an attribute or method, whatever its arguments are."""
    if found.class_name.rpartition(".")[2].startswith(_COMPOSED):
        return False
    every = [found.attributes, found.methods, *(variant.attributes for variant in found.variants)]
    return not is_module_member(name) and not any(name in names for names in every)


def different_constants(a: Instance, b: Instance) -> bool:
    """Return whether two instances of one ``torch.nn`` class differ in a constant, which makes them different types."""
    found = module_class(a.external) if a.external and a.external == b.external else None
    if found is None:
        return False
    for name in found.copies & set(found.constants):
        first, second = given_argument(a, found, name), given_argument(b, found, name)
        known_both = first not in (None, UNKNOWN_ARGUMENT) and second not in (None, UNKNOWN_ARGUMENT)
        if known_both and first != second:
            return True
    return False


def takes_indices(found: NNModule) -> bool:
    """Return whether the constructor takes ``return_indices``, which decides whether ``forward`` also returns indices.
    The compiler then chooses between two functions.
    """
    return any(parameter.name == "return_indices" for parameter in found.init)


UNKNOWN_ARGUMENT = PyConst(Ellipsis)


def given_argument(instance: Instance | None, found: NNModule, argument: str) -> PyValue | None:
    """Return an argument of the constructor: None if it is omitted, ``UNKNOWN_ARGUMENT`` if it is not known."""
    if instance is None or not instance.known:
        return UNKNOWN_ARGUMENT
    for name, value in instance.keywords:
        if name == argument:
            return value if isinstance(value, PyConst) else UNKNOWN_ARGUMENT
    for position, parameter in enumerate(found.init):
        if parameter.name == argument and position < len(instance.arguments):
            value = instance.arguments[position]
            return value if isinstance(value, PyConst) else UNKNOWN_ARGUMENT
    return None


def _is_typical(given: PyValue, attribute: ModuleAttribute, copied: bool) -> bool:
    """Return whether an argument leaves the type of the attribute as it is in the tables."""
    if not isinstance(given, PyConst):
        return False
    if copied:
        return type(given.value).__name__ == str(attribute.type)
    return given.value is True


def _is_no_text(given: PyValue, variant: Variant) -> bool:
    """Return whether a variant is about a string such as ``padding="same"``, but the argument is not a string."""
    return variant.value.startswith(("'", '"')) and isinstance(given, PyConst) and not isinstance(given.value, str)


def _typed(attribute: ModuleAttribute) -> Value:
    return Typed(attribute.type)


__all__ = [
    "base_member",
    "constant_value",
    "given_argument",
    "is_module_member",
    "known",
    "member_of",
    "module_attribute",
]
