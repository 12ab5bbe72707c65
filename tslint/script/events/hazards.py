"""Events for code that compiles but is wrong: other results than in Python, or a module that cannot be deployed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Class, Function
    from tslint.script.types import Type


# Different results


class ScriptingBranches(Event):
    """Branches of ``is_scripting()`` with different results.

    Args:
        compiled, eager: the result of each branch, as text.
        name: the variable that they set; empty if they return.
    """

    compiled: str
    eager: str
    name: str


class ScriptingRaise(Event):
    """A ``raise`` that only compiled code reaches, because of ``is_scripting()``."""


class DroppedDecorator(Event):
    """A decorator that the compiler ignores.

    Args:
        effect: ``wraps``, or torch's name for the effect of the decorator.
        function: the decorated function.
    """

    effect: str
    function: Function


class Parameter(Event):
    """An event about a parameter of a function."""

    name: str
    argument: ast.arg
    function: Function


class PrunedNoneDefault(Parameter):
    """A test for None that the compiler evaluates at compile time; ``is_any``: whether the parameter's type is Any."""

    is_any: bool


class ComparedWithNumber(Parameter):
    """A comparison of a parameter without annotation with a number; ``type`` is the type of the number."""

    type: str


class UnsaveableNoneDefault(Parameter):
    """A Tensor parameter whose default is None."""


class MutatedArgument(Event):
    """A list or dict argument that Python changes, whereas compiled code changes a copy of it."""

    name: str
    type: Type


class OverriddenCall(Event):
    """A class with a ``__call__`` of its own.

    Args:
        class_name: the name of the class.
        path: the module as the call names it; None if nothing calls it.
    """

    class_name: str
    path: str | None


class IntegerPower(Event):
    """``int ** int``, or ``pow(int, int)``."""

    base: ast.expr
    exponent: ast.expr


class DivisionByOne(Event):
    """``int / 1``; ``default``: whether the divisor is a parameter whose default is 1."""

    divisor: ast.expr
    default: bool


class RoundedFloat(Event):
    """``round(x)`` of a number."""


class UniqueConsecutiveMethod(Event):
    """``x.unique_consecutive()``, which returns three Tensors in compiled code."""


class TextOfValue(Event):
    """A value that compiled code prints differently than Python; ``form``: ``dtype``, ``layout`` or a type."""

    value: ast.expr
    form: str


class CopyChanged(Event):
    """A change of ``x[index]``, whose index is a Tensor."""

    index: ast.expr


class TypeAsked(Event):
    """``x.type()`` of a Tensor."""


class TypeByName(Event):
    """``x.type("name")``."""

    name: str


class NamedLikeBuiltin(Event):
    """A name that means the compiler's builtin, though the file defines or imports a function of that name.

    Args:
        definition: the function or class that Python uses.
    """

    definition: Function | Class


class EvaluatedTwice(Event):
    """``dict(f(x))``, for which compiled code calls ``f`` twice."""

    call: ast.Call


class Identity(Event):
    """``a is b`` of strings or members of an Enum.

    Args:
        enum: whether one side is a member of an Enum without ``__eq__``.
        both: whether both sides are members of an Enum.
        alone: whether both sides are members of an Enum, and each member is equal only to itself.
    """

    enum: bool
    both: bool
    alone: bool


class ModuleTypeTest(Event):
    """``isinstance`` of a submodule."""


class NoneLeftOut(Event):
    """None in a list of modules: the compiler leaves it out, so that later items get other indices.

    Args:
        path: the list.
        position: the index of None.
        use: ``index``, ``enumerate`` or ``zip``.
    """

    path: str
    position: int
    use: str


class TensorAsNumber(Event):
    """A Tensor that is declared as a number, or converted because the other operand is a number.

    Args:
        type: the type of the number, or of the other operand.
        place: ``argument``, ``return``, ``variable``, ``operand``, or ``constructor`` (``torch.LongTensor(x)``).
        name: the name of the parameter, function or variable.
        tensor: False for the result of ``.item()``.
    """

    type: Type
    place: str
    name: str
    tensor: bool


class ElementsOfNoNumber(Event):
    """``torch.tensor([...])`` with elements that are not numbers for the compiler, or with several kinds of numbers.

    Args:
        elements: the type of the elements of the innermost lists.
        numbers: whether they are ints and floats in one list.
        name: the constructor: ``torch.tensor``, or ``torch.FloatTensor`` and the like.
    """

    elements: Type
    numbers: bool
    name: str = "torch.tensor"


class UnsortableElements(Event):
    """``sorted(xs)`` and ``xs.sort()`` of elements that compiled code cannot order.

    Args:
        elements: the type of the elements.
        tensors: whether they are tuples with a Tensor: compiled code raises if it has to compare two tensors with
            several elements.
    """

    elements: Type
    tensors: bool


class TruncatedCondition(Event):
    """``if x.mean().item():``: compiled code converts the number of a floating-point tensor to int, and tests that."""


class CountedArguments(Event):
    """``len(x)`` of a value that has no length in compiled code: ``len`` returns the number of its arguments there, 1.

    Args:
        value: the argument.
        type: its type.
    """

    value: ast.AST
    type: Type


class TruthValue(Event):
    """``a or b`` where the value is used, and not only its truth.

    Args:
        operands: the operands that are known not to be bools, with their types; empty if only arithmetic with the value
            shows that it is not a bool.
        types: the types of all operands.
        statement: the statement that contains it.
    """

    operands: tuple[tuple[ast.expr, Type], ...]
    types: tuple[Type, ...]
    statement: ast.AST


class Text(Event):
    """An event about a format string; ``message``: whether the result is only text for a person."""

    message: bool


class FormatField(Text):
    """``"{field}".format(x)``, although TorchScript only supports ``{}``."""

    text: str
    field: str


class PercentSpecifier(Text):
    """``"%specifier" % x``."""

    text: str
    specifier: str


class LiteralBraces(Text):
    """``f"{{}} {x}"``."""


class ReboundModuleName(Event):
    """A variable for a module that gets another value.

    Args:
        name: the variable.
        path: the module.
    """

    name: str
    path: str


# Saving, loading, and calling elsewhere


class NamedCall(Event):
    """An event about a call of a function, by its name."""

    name: str


class IgnoredCall(NamedCall):
    """A call of a function that is ``@torch.jit.ignore``."""


class UnusedCall(NamedCall):
    """A call of a function that raises in compiled code; ``word``: ``unused`` or ``ignore``."""

    word: str


class PythonCall(NamedCall):
    """A call that the compiler delegates to Python."""


class AutogradCall(NamedCall):
    """A call of a ``torch.autograd.Function``."""


class LibraryOperator(Event):
    """A call of an operator that a library registers."""

    operator: str
    library: str


class TransientBuffer(Event):
    """A buffer that Python does not save, but TorchScript does."""

    name: str


class OptimizedSave(Event):
    """A call that saves the result of ``optimize_for_inference``."""


class UnexportedMethod(Event):
    """A method of a compiled module that is not compiled; ``loaded``: whether it is called after saving and loading."""

    name: str
    class_name: str
    loaded: bool


class NewerThanTarget(Event):
    """A feature that ``target-torch`` does not support.

    Args:
        words: a description of the feature.
        since, until: the versions that support it.
        instead: what to write.
        target: the configured version.
    """

    words: str
    since: str
    until: str | None
    instead: str
    target: str
