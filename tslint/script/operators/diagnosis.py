"""Finds out why no overload accepts a call or an operator: because of which argument, or for another reason."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.operators.reasons import VARIADIC, Reason
from tslint.script.operators.schema import Argument
from tslint.script.types import ANYTHING, FLOAT, INT, TENSOR, ClassType, ListType, OptionalType, Type, is_inferred
from tslint.util.record import record

_FLOATS = (FLOAT, OptionalType(FLOAT))
Passed = tuple[str | None, ast.expr]
"""An argument: its keyword, and the author's expression."""


@record
class Diagnosis:
    """The cause of a failed call.

    Args:
        what: ``operand`` (an operator's types), ``float`` (an int for a float), ``type``, ``keyword``, ``missing``,
            ``count``, ``overload`` (several reasons), or ``unannotated`` (an argument for a parameter of the project
            that has no annotation).
        parameter: the parameter that does not match.
        expected: the types that it accepts.
        actual: the type that it got.
        argument: what the author passed for it.
        positional: how many arguments are positional.
        empty_list: whether the compiler hints that ``[]`` without annotation is a List[Tensor].
        reasons: why each overload that a message may mention does not accept the call.
    """

    what: str
    parameter: str = ""
    expected: tuple[Type, ...] = ()
    actual: Type = ANYTHING
    argument: ast.expr | None = None
    positional: int = 0
    empty_list: bool = False
    reasons: tuple[Reason, ...] = ()


def diagnose(
    node: ast.AST,
    every: Sequence[Reason],
    passed: Sequence[Passed],
    types: Sequence[Type],
    operator: str | None,
) -> Diagnosis:
    """Return the cause of a failed call or operator.

    Args:
        node: the call or operation.
        every: the reason for each schema.
        passed: the arguments.
        types: the types of the arguments.
        operator: the name of the operator, or of the function or class of torch; None for a function of the project.
    """
    if not isinstance(node, ast.Call):
        return Diagnosis("operand", reasons=tuple(every))
    call = _Call(node, passed, types, operator, any(reason.empty_list for reason in every))
    plain = [reason for reason in every if not _writes_out(reason)] or list(every)
    own = [reason for reason in plain if not (call.method and reason.parameter == "self")] or plain
    # If there is only one schema, its reason is used, whatever the arguments are.
    shaped = [reason for reason in own if reason.what == "type" and (len(every) == 1 or call.fits(reason))]
    if shaped:
        return call.mistyped(shaped)
    other = [reason for reason in plain if reason not in own and is_inferred(reason.actual) and call.fits(reason)]
    if other:
        # Only overloads for strings, lists or dicts accept the arguments; the receiver is a Tensor because it has no
        # annotation.
        return call.mistyped([reason for reason in other if reason.expected != TENSOR] or other)
    unknown = call.unknown_keyword(own)
    if unknown:
        return call.diagnosis("keyword", own, unknown)
    kinds = {reason.what for reason in own}
    if len(kinds) == 1 and kinds <= {"missing", "count"} and len({reason.parameter for reason in own}) == 1:
        return call.diagnosis(kinds.pop(), own, own[0].parameter)
    return call.diagnosis("overload", own)


def _writes_out(reason: Reason) -> bool:
    """Return whether a schema is an overload of an operator with a parameter ``out``."""
    return any(
        formal.kwarg_only and formal.default is None and formal.name.startswith("out")
        for formal in reason.schema.arguments
    )


class _Call:
    """A call, with the arguments for its parameters."""

    def __init__(
        self, node: ast.Call, passed: Sequence[Passed], types: Sequence[Type], operator: str | None, empty_list: bool
    ) -> None:
        self.passed = passed
        self.types = types
        self.count = sum(1 for name, _ in passed if name is None)
        self.empty_list = empty_list
        name = operator or ""
        self.method = name.startswith("aten::") and isinstance(node.func, ast.Attribute)
        self.receiver = node.func.value if self.method and isinstance(node.func, ast.Attribute) else None
        # The forward of a module has a `self`, which the call does not pass.
        self.bound = self.method or name.rpartition(".")[2][:1].isupper()
        self.project = operator is None

    def positional(self, listed: Sequence[Argument]) -> list[Argument]:
        """Return the parameters that positional arguments fill: without the ``self`` of modules, and of operators that
        are called as methods.
        """
        return [
            each
            for each in listed
            if not each.kwarg_only and not (each.name == "self" and (self.bound or isinstance(each.type, ClassType)))
        ]

    def fits(self, reason: Reason) -> bool:
        """Return whether a schema accepts this number of arguments with these names."""
        listed = reason.schema.arguments
        slots = self.positional(listed)
        names = {name for name, _ in self.passed if name is not None}
        filled = names | {formal.name for formal in slots[: self.count]}
        filled |= {"self"} if self.bound or "input" in names else set()
        # If the last parameter is a list of sizes, the sizes may also be passed one by one.
        enough = self.count <= len(slots) or bool(
            slots and isinstance(slots[-1].type, ListType) and slots[-1].n is None
        )
        known = {formal.name for formal in listed} | {"input"}
        return enough and filled >= {formal.name for formal in listed if formal.default is None} and names <= known

    def unknown_keyword(self, own: Sequence[Reason]) -> str:
        """Return a keyword that no schema has; empty if there is none."""
        known = {formal.name for reason in own for formal in reason.schema.arguments} | {"input"}
        return next((name for name, _ in self.passed if name is not None and name not in known), "")

    def argument(self, reason: Reason) -> ast.expr | None:
        """Return the author's expression for the parameter of a reason; None if there is none."""
        for name, node in self.passed:
            if name is not None and name == reason.parameter:
                return node
        if self.method and reason.parameter == "self":
            return self.receiver
        if reason.parameter == VARIADIC:
            pairs = zip(self.passed, self.types)
            return next((node for (name, node), type_ in pairs if not name and type_ == reason.actual), None)
        plain = [node for name, node in self.passed if name is None]
        slots = [formal.name for formal in self.positional(reason.schema.arguments)]
        position = slots.index(reason.parameter) if reason.parameter in slots else len(plain)
        return plain[position] if position < len(plain) else None

    def mistyped(self, shaped: Sequence[Reason]) -> Diagnosis:
        order = []
        for reason in shaped:
            names = [formal.name for formal in reason.schema.arguments]
            order.append(names.index(reason.parameter) if reason.parameter in names else 99)
        # The overload that matched the most arguments is probably the intended one.
        best = [reason for reason, position in zip(shaped, order) if position == max(order)]
        if self.project and is_inferred(best[0].expected):
            return self.diagnosis("unannotated", best, best[0].parameter)
        for reason in best:
            if reason.actual == INT and reason.expected in _FLOATS:
                return self.diagnosis("float", [reason], reason.parameter)
        if len({reason.actual for reason in best}) == 1:
            return self.diagnosis("type", best, best[0].parameter)
        return self.diagnosis("overload", best)

    def diagnosis(self, what: str, own: Sequence[Reason], parameter: str = "") -> Diagnosis:
        expected = tuple(dict.fromkeys(reason.expected for reason in own if reason.what == "type"))
        actual = own[0].actual if own else ANYTHING
        argument = self.argument(own[0]) if own and parameter else None
        return Diagnosis(what, parameter, expected, actual, argument, self.count, self.empty_list, tuple(own))
