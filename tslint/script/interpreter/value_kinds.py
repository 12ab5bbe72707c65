"""Determines whether a value is first-class, and the compiler's name for other kinds (``SugaredValue::kind``)."""

from __future__ import annotations

from tslint.script.attributes import Instance
from tslint.script.interpreter.externals import known
from tslint.script.operators.callables import (
    BooleanDispatch,
    CompiledFunction,
    Constant,
    ExceptionClass,
    ModuleClass,
    Operator,
    PythonModule,
    PythonOperator,
    Special,
    Unsupported,
)
from tslint.script.types import ANYTHING, ClassType, TupleType, Type
from tslint.script.values import (
    UNKNOWN,
    ClassValue,
    ContainerValue,
    ExceptionMessage,
    ExternalValue,
    FunctionValue,
    IterableValue,
    ModuleReference,
    ModuleValue,
    OperatorValue,
    SpecialForm,
    SuperValue,
    TupleValue,
    Typed,
    Value,
)


def first_class_module(value: Value) -> Value:
    """Return a value as it is inside a tuple: a module keeps its members there, but can no longer be called."""
    if isinstance(value, ModuleValue):
        return Typed(ClassType(module_name(value.instance), "module", value.instance))
    if isinstance(value, ContainerValue):
        return Typed(ClassType(f"__torch__.torch.nn.modules.container.{value.kind}", "module", value))
    return value


def as_typed(type_: Type | None) -> Value:
    """Return a value of a type; Unknown if the type is not known."""
    return UNKNOWN if type_ is None or type_ == ANYTHING else Typed(type_)


def value_kind(value: Value) -> str:
    """Return the compiler's name for a value that is not first-class (``SugaredValue::kind``); empty if it is not
    known.
    """
    if isinstance(value, FunctionValue):
        return "function" if value.receiver is None else "method"
    if isinstance(value, OperatorValue):
        return "builtin"
    if isinstance(value, ClassValue):
        return "Python type" if value.definition is not None else "class"
    if isinstance(value, IterableValue):
        return value.kind if value.kind == "range" else "iterabletree"
    if isinstance(value, ModuleReference):
        return "python module"
    if isinstance(value, (ExternalValue, SpecialForm)):
        return _external_kind(value.name)
    if isinstance(value, ExceptionMessage):
        return "exception message"
    return "super" if isinstance(value, SuperValue) else ""


_FORMS = {
    "builtins.tuple": "TupleConstruct",
    "builtins.getattr": "GetAttr",
    "builtins.hasattr": "HasAttr",
    "builtins.slice": "Python slice class",
} | {f"builtins.{name}": f"__{name}__" for name in "float complex int bool str len hex oct round".split()}


def _external_kind(name: str) -> str:
    """Return the kind of an external value; empty if the tables do not contain it."""
    found = known(name)
    if name in _FORMS:
        return _FORMS[name]
    if isinstance(found, Special) and found.form == "legacy_tensor_constructor":
        return "LegacyTypedConstructor"
    if isinstance(found, Special) and found.form == "is_scripting":
        return "builtin"
    if name.startswith("builtins.") and isinstance(found, Special):
        return name.rpartition(".")[2]
    if isinstance(found, (ModuleClass, PythonModule)) or (
        isinstance(found, PythonOperator) and name.startswith("builtins.")
    ):
        return f"python value of type '{'module' if isinstance(found, PythonModule) else 'type'}'"
    if isinstance(found, Unsupported) and found.reason == "unknown-operator":
        return "builtin"
    kinds = {
        Operator: "builtin",
        CompiledFunction: "function",
        BooleanDispatch: "boolean dispatch",
        ExceptionClass: "Python exception",
    }
    return kinds.get(type(found), "")


def python_type(constant: Constant) -> str:
    """Return Python's type of a constant, as the compiler prints it: ``dtype`` for ``torch.float32``, although the
    compiler uses dtypes as ints.
    """
    value = constant.value
    if str(constant.type) != "int" or isinstance(value, int):
        return str(constant.type).lower() if not isinstance(value, bool) else "bool"
    return next((word for word in ("dtype", "layout", "memory_format") if word in str(value)), "dtype")


def module_name(instance: Instance) -> str:
    """Return a module's class, as the compiler prints it."""
    if instance.definition is not None:
        return f"__torch__.{instance.definition.module.name}.{instance.definition.qualname}"
    return "__torch__." + instance.external


def first_class(value: Value) -> Type | None:
    """Return the type of a value if it is first-class, otherwise None; nothing is reported."""
    if isinstance(value, Typed):
        return value.type
    if isinstance(value, TupleValue):
        parts = [first_class(element) for element in value.elements]
        return TupleType(tuple(ANYTHING if part is None else part for part in parts))
    return None
