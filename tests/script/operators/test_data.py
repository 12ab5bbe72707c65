"""Tests the generated data against the installed torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tslint.script.operators import (
    BooleanDispatch,
    CompiledFunction,
    Constant,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
    PythonOperator,
    Schema,
    Special,
    Unsupported,
    builtin_attribute,
    canonical,
    module_class,
    parse,
    python_callable,
    schemas,
    tensor_attribute,
    torch_version,
)
from tslint.script.operators.tables import table
from tslint.script.types import BOOL, FLOAT, INT, NONE, STRING, TENSOR, ListType, Type, optional

FILES = ("schemas", "schemas_other", "callables", "aliases", "attributes", "nn_modules")


def _live_shape(schema: Any) -> list[Any]:
    shape = [
        (
            argument.name,
            argument.type.annotation_str,
            argument.has_default_value(),
            argument.kwarg_only,
            argument.N,
        )
        for argument in schema.arguments
    ]
    return [schema.name, schema.overload_name, *shape, *(returned.type.annotation_str for returned in schema.returns)]


def _our_shape(schema: Schema) -> list[Any]:
    shape = [
        (argument.name, str(argument.type), argument.default is not None, argument.kwarg_only, argument.n)
        for argument in schema.arguments
    ]
    return [schema.name, schema.overload, *shape, *map(str, schema.returns)]


def test_every_file_is_from_the_installed_torch() -> None:
    assert {table(name)["torch"] for name in FILES} == {torch_version()} == {torch.__version__.split("+")[0]}


def test_every_registered_schema_is_read_as_torch_reads_it() -> None:
    wrong = []
    names = [name for file in ("schemas", "schemas_other") for name in table(file) if name != "torch"]
    for name in names:
        live = torch._C._jit_get_schemas_for_operator(name)
        live = torch._C._jit_get_schemas_for_operator(name) if "::" in name else []
        # Operators that TorchScript defines in TorchScript are not registered, and come last.
        for ours, theirs in zip(schemas(name), live, strict=False):
            if ours.text != str(theirs) or _our_shape(ours) != _live_shape(theirs):
                wrong.append((str(theirs), ours.text))
    assert wrong == []


def test_no_operator_of_aten_is_missing() -> None:
    registered = {schema.name for schema in torch._C._jit_get_all_schemas()}
    assert {name for name in registered if name.startswith("aten::") and not schemas(name)} == set()


def test_functions_defined_in_torchscript_come_after_the_operators() -> None:
    assert [schema.text for schema in schemas("aten::sub")][-3:] == [
        "sub(float a, Tensor b) -> Tensor",
        "sub(int a, Tensor b) -> Tensor",
        "sub(complex a, Tensor b) -> Tensor",
    ]


def test_schemas_that_are_never_matched_are_marked() -> None:
    assert [schema.overload for schema in schemas("aten::view") if schema.blocked] == ["dtype"]


def test_several_named_returns_are_a_named_tuple() -> None:
    result = next(schema for schema in schemas("aten::max") if schema.overload == "dim").result
    assert (str(result), getattr(result, "fields", None)) == ("Tuple[Tensor, Tensor]", ("values", "indices"))


@pytest.mark.parametrize("text", ["aten::add", "aten::add(Tensor", "f(Tensor x)", ""])
def test_text_that_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cannot read the schema"):
        parse(text)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch.relu", Operator),
        ("torch.nn.functional.pad", CompiledFunction),
        ("torch.nn.functional.max_pool2d", BooleanDispatch),
        ("torch.unique", BooleanDispatch),
        ("torch.finfo", Unsupported),
        ("math.log2", Unsupported),
        ("numpy.zeros", Unsupported),
        ("math.pi", Constant),
        ("torch.nn.Linear", ModuleClass),
        ("builtins.ValueError", ExceptionClass),
        ("builtins.set", PythonOperator),
        ("builtins.print", Special),
        ("torch.jit.annotate", Special),
        ("torch.no_grad", Special),
    ],
)
def test_the_kinds_of_python_callables(name: str, kind: type[Known]) -> None:
    assert type(python_callable(name)) is kind


def test_every_entry_can_be_read() -> None:
    read = [python_callable(name) for name in table("callables") if name != "torch"]
    read += [module_class(name) for name in table("nn_modules") if name != "torch"]  # type: ignore[misc]
    assert None not in read


def test_operators_named_by_callables_exist() -> None:
    found = [python_callable(name) for name in table("callables") if name != "torch"]
    assert [known.name for known in found if isinstance(known, Operator) and not schemas(known.operator)] == []


def test_an_unknown_name_is_none() -> None:
    assert python_callable("torch.no_such_thing") is None
    assert python_callable("somebody.elses.function") is None
    assert module_class("somebody.elses.Module") is None


def test_aliases() -> None:
    assert canonical("torch.nn.modules.linear.Linear") == "torch.nn.Linear"
    assert canonical("torch.functional.einsum") == "torch.einsum"
    assert canonical("a.b") == "a.b"


def test_compiled_functions_have_their_schema() -> None:
    known = python_callable("torch.nn.functional.fold")
    assert isinstance(known, CompiledFunction)
    assert [argument.n for argument in known.schemas[0].arguments] == [None, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("type_name", "attribute", "type_"),
    [
        ("Tensor", "shape", ListType(INT)),
        ("Tensor", "dtype", INT),
        ("Tensor", "T", TENSOR),
        ("Tensor", "is_cuda", BOOL),
        ("Tensor", "name", optional(STRING)),
        ("Device", "type", STRING),
        ("Device", "index", optional(INT)),
    ],
)
def test_properties(type_name: str, attribute: str, type_: Type) -> None:
    assert builtin_attribute(type_name, attribute) == type_


def test_other_attributes() -> None:
    assert isinstance(tensor_attribute("numpy"), Unsupported)
    assert isinstance(tensor_attribute("float"), Special)
    assert tensor_attribute("relu") is None
    assert tensor_attribute("no_such_thing") is None


def test_module_classes() -> None:
    linear = module_class("torch.nn.modules.linear.Linear")
    assert linear is not None
    assert [(parameter.name, parameter.default) for parameter in linear.init][:3] == [
        ("in_features", None),
        ("out_features", None),
        ("bias", "True"),
    ]
    assert linear.attributes["weight"].type == TENSOR
    assert linear.attributes["in_features"].type == INT
    assert linear.attributes["in_features"].constant
    assert not linear.attributes["training"].constant
    assert linear.copies == {"in_features", "out_features"}
    without_bias = next(variant for variant in linear.variants if variant.argument == "bias")
    changed = without_bias.attributes["bias"]
    assert changed is not None
    assert changed.type == NONE


def test_a_module_that_an_argument_makes_uncompilable() -> None:
    dropout = module_class("torch.nn.Dropout")
    assert dropout is not None
    assert dropout.attributes["p"].type == FLOAT
    zero = next(variant for variant in dropout.variants if (variant.argument, variant.value) == ("p", "0"))
    assert zero.error is not None
    assert "Expected a value of type 'float' for argument 'p'" in zero.error
    with pytest.raises(RuntimeError, match="Expected a value of type 'float' for argument 'p'"):
        torch.jit.script(torch.nn.Dropout(0))


def test_overloaded_forward() -> None:
    lstm = module_class("torch.nn.LSTM")
    assert lstm is not None
    assert isinstance(lstm.forward, tuple)
    assert [schema.name for schema in lstm.forward] == ["forward__0", "forward__1"]
    lazy = module_class("torch.nn.LazyLinear")
    assert lazy is not None
    assert isinstance(lazy.forward, Unsupported)
    sequential = module_class("torch.nn.Sequential")
    assert sequential is not None
    assert sequential.container
