"""Determines the values of global variables: Python data, objects and modules (``toSugaredValue``)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class, External, GlobalValue, Module
from tslint.script.attributes import PyKind
from tslint.script.construct.results import tensor_method
from tslint.script.constructed import made_of
from tslint.script.events.names import ClosedOverGlobal
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.value_kinds import python_type
from tslint.script.operators.callables import Constant, ModuleClass, Unsupported
from tslint.script.types import FLOAT
from tslint.script.values import UNKNOWN, PythonValue, Typed, Value

INFINITY = ("math.inf", "torch.inf")  # the only float that is a constant as a global: the object, not its value
_PYTHON_TYPES = {
    ast.List: "list",
    ast.Dict: "dict",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.ListComp: "list",
    ast.DictComp: "dict",
    ast.SetComp: "set",
    ast.JoinedStr: "str",
}
# The Python types of the results of these calls: data that compiled code cannot close over.
_MADE = {
    "functools.partial": "partial",
    **{
        f"builtins.{name}": name
        for name in ("int", "float", "bool", "str", "complex", "list", "dict", "set", "tuple", "frozenset")
    },
    **{
        f"torch.{name}": "Tensor"
        for name in (
            "tensor as_tensor zeros ones full empty rand randn randint arange linspace logspace eye from_numpy"
            " FloatTensor LongTensor IntTensor DoubleTensor Tensor zeros_like ones_like stack cat"
        ).split()
    },
    "builtins.len": "int",
    "builtins.sorted": "list",
    **{f"builtins.{name}": "bool" for name in ("hasattr", "callable", "isinstance", "issubclass", "any", "all")},
    **{f"torch.{name}.is_available": "bool" for name in ("cuda", "distributed", "backends.mps", "xpu")},
    **{f"math.{name}": "float" for name in "sqrt log log2 log10 exp pow sin cos tan atan radians degrees".split()},
    "torch.device": "device",
    "logging.getLogger": "Logger",
    "re.compile": "Pattern",
    "collections.OrderedDict": "OrderedDict",
    "collections.defaultdict": "defaultdict",
    "argparse.Namespace": "Namespace",
    "types.SimpleNamespace": "SimpleNamespace",
}
_VERSIONS = frozenset(
    "packaging.version.parse packaging.version.Version distutils.version.LooseVersion"
    " pkg_resources.parse_version".split()
)


def global_data(em: Emitter, found: GlobalValue, spelled: str, node: ast.expr) -> Value:
    """Return the value of a global variable of the function (the last cases of ``toSugaredValue``)."""
    value = found.value
    if found.rebound or value is None:
        return PythonValue(found.type_name, spelled) if found.type_name not in ("", "NoneType") else UNKNOWN
    made = em.project.resolve_expression(found.module, value) if isinstance(value, (ast.Name, ast.Attribute)) else None
    if isinstance(made, External) and made.name in INFINITY:
        return Typed(FLOAT)
    type_name = python_data_type(em, found.module, value)
    if type_name:
        return PythonValue(type_name, spelled)
    return _result(em, found.module, value, spelled, node) if isinstance(value, ast.Call) else UNKNOWN


def python_data_type(em: Emitter, module: Module, value: ast.expr) -> str:
    """Return the Python type of the data that an expression creates; empty if it is None or not known."""
    if isinstance(value, ast.Call):
        return _type_of_result(em, module, value)
    if isinstance(value, ast.Attribute):
        made = em.project.resolve_expression(module, value)
        constant = known(made.name) if isinstance(made, External) else None
        return python_type(constant) if isinstance(constant, Constant) else ""
    if isinstance(value, ast.IfExp):
        options = {python_data_type(em, module, option) for option in (value.body, value.orelse)}
        return options.pop() if len(options) == 1 else ""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return "bool"
    if isinstance(value, ast.Compare):
        return "bool" if _gives_bool(em, module, value) else ""
    if isinstance(value, ast.BinOp):
        parts = {python_data_type(em, module, part) for part in (value.left, value.right)}
        if "Tensor" in parts and parts <= {"Tensor", "int", "float"}:
            return "Tensor"
        whole = "float" if "float" in parts or isinstance(value.op, ast.Div) else "int"
        plain = not isinstance(value.op, ast.Pow) or isinstance(value.right, ast.Constant)  # `2 ** -1` is a float
        return whole if plain and parts <= {"int", "float"} else ""
    if isinstance(value, ast.UnaryOp):
        of = python_data_type(em, module, value.operand)
        return of if of in ("int", "float", "complex", "Tensor") else ""
    if isinstance(value, ast.Name):
        other = em.project.resolve(module, value.id)
        first = other.value if isinstance(other, GlobalValue) and not other.rebound and other.module is module else None
        # Only earlier assignments count, so that the search ends.
        return python_data_type(em, module, first) if first is not None and first.lineno < value.lineno else ""
    if isinstance(value, ast.Constant):
        return type(value.value).__name__ if value.value is not None else ""
    return _PYTHON_TYPES.get(type(value), "")


def _type_of_result(em: Emitter, module: Module, call: ast.Call) -> str:
    made = em.project.resolve_expression(module, call.func)
    if isinstance(made, External):
        return _MADE.get(made.name, "")
    if not isinstance(call.func, ast.Attribute) or python_data_type(em, module, call.func.value) != "Tensor":
        return ""
    given = None if any(isinstance(each, ast.Starred) for each in call.args) else len(call.args)
    found = tensor_method(PyKind("Tensor"), call.func.attr, given, [each.arg or "**" for each in call.keywords])
    return "Tensor" if isinstance(found, PyKind) and found.kind == "Tensor" else ""


def _gives_bool(em: Emitter, module: Module, test: ast.Compare) -> bool:
    """Return whether a comparison certainly gives a bool: comparing arrays, or their items, gives other objects."""
    if all(isinstance(each, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for each in test.ops):
        return True
    sides = [test.left, *test.comparators]
    made = [em.project.resolve_expression(module, each.func) for each in sides if isinstance(each, ast.Call)]
    versions = any(isinstance(each, External) and each.name in _VERSIONS for each in made)
    return versions or any(python_data_type(em, module, each) in ("str", "tuple") for each in sides)


# Calls whose result is a ScriptModule if the argument is a module, and those whose result always is one.
_SCRIPTS = frozenset(["torch.jit.script", "torch.jit.trace"])
_LOADS = frozenset(["torch.jit.load", "torch.jit.freeze", "torch.jit.optimize_for_inference", "torch.jit.trace_module"])
_OBJECTS = frozenset(["script class", "namedtuple", "dataclass", "scripted dataclass"])


def _result(em: Emitter, module: Module, call: ast.Call, spelled: str, node: ast.expr) -> Value:
    """Return the value of a global that is assigned the result of a call."""
    made = em.project.resolve_expression(module, call.func)
    argument = call.args[0] if call.args else None
    if isinstance(made, External) and (
        made.name in _LOADS
        or (made.name in _SCRIPTS and argument is not None and _module_class(em, module, argument) is not None)
    ):
        return _script_module(em, spelled, node)
    if isinstance(made, Class) and _is_script_module(em, made):
        return _script_module(em, spelled, node)
    objects = _class_of_object(em, module, call)
    if objects:
        return PythonValue(objects, spelled, in_python=True)
    class_ = _module_class(em, module, call)
    if class_ is not None:
        return PythonValue(class_.name.rpartition(".")[2], spelled, in_python=True)
    if isinstance(made, Class) and em.model.class_kind(made) in _OBJECTS:
        members = em.model.hierarchy(made).members
        if "__new__" not in members:
            return PythonValue(made.name, spelled, in_python="__call__" in members)
    return UNKNOWN


def _class_of_object(em: Emitter, module: Module, call: ast.Call) -> str:
    """Return the class of the standard library whose object a call creates, such as a lock; empty if it may be none.

    Whatever a mock returns is another mock.
    """
    made = em.project.resolve_expression(module, call.func)
    if isinstance(made, External):
        found = known(made.name)
        is_class = isinstance(found, Unsupported) and found.reason == "class" and not found.name.startswith("torch.")
        return made.name.rpartition(".")[2] if is_class else ""
    root: ast.expr = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    held = em.project.resolve(module, root.id) if isinstance(root, ast.Name) and root is not call.func else None
    if not isinstance(held, GlobalValue) or held.rebound or not isinstance(held.value, ast.Call):
        return ""
    mock = em.project.resolve_expression(held.module, held.value.func)
    is_mock = isinstance(mock, External) and mock.name.startswith("unittest.mock.")
    return mock.name.rpartition(".")[2] if isinstance(mock, External) and is_mock else ""


def _script_module(em: Emitter, spelled: str, node: ast.expr) -> Value:
    said = "Cannot call a ScriptModule that is not a submodule of the caller"
    return em.report(ClosedOverGlobal(node, said, name=spelled, type_name="ScriptModule"))


def _module_class(em: Emitter, module: Module, node: ast.expr) -> Class | External | None:
    """Return the class of the module that an expression creates or names; None if that is not certain."""
    made = made_of(em.project, module, node)
    if isinstance(made, Class):
        return made if em.model.is_module(made) and not em.model.hierarchy(made).open else None
    return made if made is not None and isinstance(known(made.name), ModuleClass) else None


def _is_script_module(em: Emitter, class_: Class) -> bool:
    bases = {base.name for base in em.model.hierarchy(class_).externals}
    return "torch.jit.ScriptModule" in bases or "torch.jit._script.ScriptModule" in bases
