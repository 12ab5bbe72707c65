"""Code that compiles but is wrong: other results than in Python, or a module that cannot be deployed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.types import Type


# Other results.


class ScriptingBranches(Event):
    """Branches of ``is_scripting()`` that give different things.

    Args:
        compiled, eager: what each gives, in words.
        name: of the variable that they set; empty where they return.
    """

    compiled: str
    eager: str
    name: str


class DroppedDecorator(Event):
    """A decorator that the compiler looks through.

    Args:
        effect: ``wraps``, or what torch calls it.
        function: that is decorated.
    """

    effect: str
    function: Function


class Parameter(Event):
    """A parameter of a function."""

    name: str
    argument: ast.arg
    function: Function


class PrunedNoneDefault(Parameter):
    """A test for None that the compiler decides; ``is_any``: the parameter's type is Any."""

    is_any: bool


class ComparedWithNumber(Parameter):
    """A parameter without annotation that is compared with a number of the type ``type``."""

    type: str


class UnsaveableNoneDefault(Parameter):
    """A Tensor whose default is None."""


class MutatedArgument(Event):
    """A list or dict that Python passes in, and compiled code changes a copy of."""

    name: str
    type: Type


class OverriddenCall(Event):
    """A class with a ``__call__`` of its own.

    Args:
        class_name: its name.
        path: the module, as it is called; None where nothing calls it.
    """

    class_name: str
    path: str | None


class IntegerPower(Event):
    """``int ** int``, or ``pow(int, int)``."""

    base: ast.expr
    exponent: ast.expr


class DivisionByOne(Event):
    """``int / 1``; ``default``: the divisor is a parameter whose default is 1."""

    divisor: ast.expr
    default: bool


class RoundedFloat(Event):
    """``round(x)`` of a number."""


class TextOfValue(Event):
    """A text made of a value that is written otherwise than in Python; ``form``: ``dtype``, ``layout`` or a type."""

    value: ast.expr
    form: str


class TypeByName(Event):
    """``x.type("name")``."""

    name: str


class EvaluatedTwice(Event):
    """``dict(f(x))``, which calls ``f`` twice."""

    call: ast.Call


class Identity(Event):
    """``a is b`` of strings or members of an Enum.

    Args:
        enum: whether one side is a member of an Enum without ``__eq__``.
        both: whether each side is.
    """

    enum: bool
    both: bool


class ModuleTypeTest(Event):
    """``isinstance`` of a submodule."""


class NoneLeftOut(Event):
    """None in a list of modules, which the compiler leaves out: what follows has another number.

    Args:
        path: the list.
        position: of None.
        use: ``index``, ``enumerate`` or ``zip``.
    """

    path: str
    position: int
    use: str


class TensorAsNumber(Event):
    """A Tensor where a number is declared.

    Args:
        type: of the number.
        place: ``argument``, ``return`` or ``variable``.
        name: of the parameter, function or variable.
        tensor: False for what ``.item()`` gives.
    """

    type: Type
    place: str
    name: str
    tensor: bool


class ElementsOfNoNumber(Event):
    """``torch.tensor([...])`` of what is not a number to the compiler, or of several kinds of numbers.

    Args:
        elements: the type of the elements, within all lists.
        numbers: whether they are ints and floats, in one list.
    """

    elements: Type
    numbers: bool


class UnsortableElements(Event):
    """``sorted(xs)`` and ``xs.sort()`` of what compiled code has no order for.

    Args:
        elements: the type of the elements.
        tensors: whether it is tuples that hold a Tensor, which it sorts where all tensors are alike.
    """

    elements: Type
    tensors: bool


class TruthValue(Event):
    """``a or b`` that is used for more than its truth.

    Args:
        operands: those that are no bool, with their types.
        types: of all.
        statement: around it.
    """

    operands: tuple[tuple[ast.expr, Type], ...]
    types: tuple[Type, ...]
    statement: ast.AST


class Text(Event):
    """A format; ``message``: only a person reads what is made of it."""

    message: bool


class FormatField(Text):
    """``"{field}".format(x)``, where only ``{}`` is known."""

    text: str
    field: str


class PercentSpecifier(Text):
    """``"%specifier" % x``."""

    text: str
    specifier: str


class LiteralBraces(Text):
    """``f"{{}} {x}"``."""


class ReboundModuleName(Event):
    """A name of a module that gets a value.

    Args:
        name: the variable.
        path: the module.
    """

    name: str
    path: str


# Saving, loading, calling elsewhere.


class NamedCall(Event):
    """A call of a function, by its name."""

    name: str


class IgnoredCall(NamedCall):
    """The function is ``@torch.jit.ignore``."""


class UnusedCall(NamedCall):
    """The function raises when compiled code gets there; ``word``: ``unused`` or ``ignore``."""

    word: str


class PythonCall(NamedCall):
    """A call that compiled code leaves to Python."""


class AutogradCall(NamedCall):
    """A call of a ``torch.autograd.Function``."""


class LibraryOperator(Event):
    """A call of an operator that a library registers."""

    operator: str
    library: str


class TransientBuffer(Event):
    """A buffer that Python does not save."""

    name: str


class OptimizedSave(Event):
    """Saving what ``optimize_for_inference`` gives."""


class UnexportedMethod(Event):
    """A method of a compiled module that nothing compiles; ``loaded``: after it was saved and loaded."""

    name: str
    class_name: str
    loaded: bool


class NewerThanTarget(Event):
    """What ``target-torch`` does not take.

    Args:
        words: what it is.
        since, until: the versions that take it.
        instead: what to write.
        target: the version that is asked for.
    """

    words: str
    since: str
    until: str | None
    instead: str
    target: str
