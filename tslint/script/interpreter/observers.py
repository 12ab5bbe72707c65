"""The moments of a compilation that other code can observe; the interpreter does not know its observers.

An observer may report or notice an event, but changes no value and no type.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec

if TYPE_CHECKING:
    from tslint.project.definitions import Class, Function
    from tslint.script.interpreter.arguments import Given
    from tslint.script.interpreter.emitter import Emitter
    from tslint.script.operators import Arg, Schema
    from tslint.script.types import Type
    from tslint.script.values import ContainerValue, IterableValue, Value

_P = ParamSpec("_P")


class Moment(Generic[_P]):
    """A moment of the compilation, with its observers in the order in which they were registered."""

    def __init__(self) -> None:
        self._observers: list[Callable[Concatenate[Emitter, _P], None]] = []

    def observe(self, observer: Callable[Concatenate[Emitter, _P], None]) -> Callable[Concatenate[Emitter, _P], None]:
        """Register an observer."""
        self._observers.append(observer)
        return observer

    def tell(self, em: Emitter, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Call the observers."""
        for observer in self._observers:
            observer(em, *args, **kwargs)


# Expressions: the node, and the values or types of its operands
power: Moment[[ast.AST, Value, Value]] = Moment()
division: Moment[[ast.AST, Value, Value]] = Moment()
# An operator or a builtin function of Python: the node, its operands, their types, and the type of the result
operation: Moment[[ast.AST, Sequence[ast.AST], Sequence[Type | None], Type | None]] = Moment()
percent_format: Moment[[ast.AST, Value]] = Moment()
identity_test: Moment[[ast.Compare, Type | None, Type | None]] = Moment()
module_type_test: Moment[[ast.Call, Value]] = Moment()
bool_operation: Moment[[ast.BoolOp]] = Moment()
# A value whose truth is a condition: the node and its type
condition: Moment[[ast.expr, Type]] = Moment()
# A name that the compiler looks up in its own table of builtins
builtin_name: Moment[[ast.Name]] = Moment()
joined_string: Moment[[ast.JoinedStr]] = Moment()
printed_value: Moment[[ast.expr, Value, ast.AST]] = Moment()
tensor_index: Moment[[ast.Subscript, ast.expr]] = Moment()
container_index: Moment[[ast.Subscript, ContainerValue, int]] = Moment()
view_iteration: Moment[[ast.expr, IterableValue]] = Moment()
# A conversion: the value's node, its type, the declared type, the kind of its declaration, and the declared name
conversion: Moment[[ast.AST, Type | None, Type, str, str]] = Moment()
# Calls: of a value with its arguments; of an operator by its name; and other calls
value_call: Moment[[Value, ast.Call, list[Value]]] = Moment()
# An operator with schemas: its name, and the name as it is written
schema_call: Moment[[str, ast.Call, str]] = Moment()
operator_call: Moment[[str, ast.Call, Given]] = Moment()
sort_call: Moment[[ast.Call, Type | None]] = Moment()
format_call: Moment[[Value, ast.Call, Given]] = Moment()
dict_call: Moment[[ast.Call]] = Moment()
type_call: Moment[[ast.Call]] = Moment()
# `torch.LongTensor(...)` and the like
old_constructor_call: Moment[[ast.Call, Given]] = Moment()
python_call: Moment[[str, ast.Call, list[Value]]] = Moment()
autograd_call: Moment[[ast.Call, Class]] = Moment()
exempt_call: Moment[[Function, ast.Call, str]] = Moment()
overridden_call: Moment[[Class, Function, ast.Call, str]] = Moment()
function_call: Moment[[ast.Call, Schema, Sequence[Arg]]] = Moment()
# A branch whose condition is known: the statements that are compiled, and those that are not
static_branch: Moment[[ast.If, list[ast.stmt], list[ast.stmt]]] = Moment()
# The end of a function, with the types of its parameters
function_end: Moment[[Mapping[str, Type | None]]] = Moment()
