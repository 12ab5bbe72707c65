"""Why a call or an operator does not fit, read from the compiler's message, and which of the arguments is to blame."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from tslint.script.events import Event
from tslint.script.type_text import TypeText, parsed

_TYPE = re.compile(r"Expected a value of type '(.+?)' for argument '(.+?)' but instead found type '(.+?)'\.")
_VARIABLE = re.compile(r"Could not match type (.+?) to (.+?) in argument '(.+?)'")
_MISSING = re.compile(r"Argument (\w+) not provided")
_KEYWORD = re.compile(r"Keyword argument (\w+) (?:unknown|specified twice)")
_COUNT = re.compile(r"Expected at most (\d+) arguments but found (\d+) positional arguments")
_FLOATS = ("float", "Optional[float]")
_NOTHING = TypeText("")
VARIADIC = "<varargs>"
"""What the compiler calls a list parameter whose elements are passed one by one."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a schema; its type as the schema writes it."""

    name: str
    type: str
    required: bool
    keyword_only: bool


@dataclass(frozen=True)
class Reason:
    """Why one schema does not take a call.

    Args:
        schema: its text.
        what: ``type``, ``missing``, ``keyword``, ``count`` or ``other``.
        parameter: whose argument does not fit, is missing or unknown.
        expected, actual: the types.
    """

    schema: str
    what: str
    parameter: str = ""
    expected: str = ""
    actual: str = ""

    @property
    def written(self) -> str:
        """The parameter's type as the schema writes it: ``int[2]`` takes an int for the whole list."""
        return next((parameter.type for parameter in self.parameters if parameter.name == self.parameter), "")

    @property
    def name(self) -> str:
        """What the schema is of, without its namespace and overload."""
        name = self.schema.partition("(")[0]
        return (name.partition("::")[2] or name).partition(".")[0]

    @property
    def broadcasts(self) -> bool:
        """Whether the parameter is a list of ints of known length, for which one int stands as well."""
        type_ = parsed(self.written.removesuffix("?"))
        return type_.name in ("int", "SymInt") and len(type_.arguments) == 1 and type_.arguments[0].name.isdigit()

    @property
    def parameters(self) -> list[Parameter]:
        """The schema's parameters."""
        return parameters(self.schema)


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a call.

    Args:
        what: ``operand`` (an operator's types), ``float`` (an int for a float), ``type``, ``keyword``, ``missing``,
            ``count``, ``overload`` (several reasons), or ``unannotated`` (an argument for a parameter of the project
            that has no annotation).
        parameter: to blame.
        expected: the types that it takes.
        actual: the type that it got.
        argument: what the author passed for it.
        positional: how many arguments are passed by position.
        empty_list: whether the compiler hints at an empty list, which is one of tensors to it.
        reasons: of the schemas that are worth naming.
    """

    what: str
    parameter: str = ""
    expected: tuple[TypeText, ...] = ()
    actual: TypeText = _NOTHING
    argument: ast.expr | None = None
    positional: int = 0
    empty_list: bool = False
    reasons: tuple[Reason, ...] = field(default=())


def parameters(schema: str) -> list[Parameter]:
    """The parameters of a schema's text."""
    depth, start, parts = 0, schema.find("(") + 1, []
    for index in range(start, len(schema)):
        if schema[index] in "([{":
            depth += 1
        elif schema[index] in ")]}":
            if depth == 0:
                parts.append(schema[start:index])
                break
            depth -= 1
        elif schema[index] == "," and depth == 0:
            parts.append(schema[start:index])
            start = index + 1
    found: list[Parameter] = []
    keyword_only = False
    for part in (part.strip() for part in parts):
        if part == "*":
            keyword_only = True
        elif part:
            head, default, _ = part.partition("=")
            type_, _, name = head.strip().rpartition(" ")
            found.append(Parameter(name, type_, not default, keyword_only))
    return found


def reasons(message: str) -> list[Reason]:
    """Every schema of a message with its reason."""
    found: list[Reason] = []
    schema = ""
    for line in message.splitlines():
        line = line.strip()
        if line.endswith(":") and "(" in line and not line.startswith("Expected a value"):
            schema = line[:-1]
        elif schema and line:
            found.append(_reason(schema, line))
            schema = ""
    return found


def _reason(schema: str, line: str) -> Reason:
    if found := _TYPE.search(line):
        return Reason(schema, "type", found.group(2), found.group(1), found.group(3))
    if found := _VARIABLE.search(line):
        return Reason(schema, "type", found.group(3), found.group(2), found.group(1))
    for what, pattern in (("missing", _MISSING), ("keyword", _KEYWORD)):
        if found := pattern.search(line):
            return Reason(schema, what, found.group(1))
    if found := _COUNT.search(line):
        return Reason(schema, "count", "", found.group(1), found.group(2))
    return Reason(schema, "other")


def diagnose(event: Event) -> Diagnosis:
    """Read an ``operator-mismatch`` or ``call-mismatch``."""
    node = event.node
    every = reasons(event.facts["message"])
    if not isinstance(node, ast.Call):
        return Diagnosis("operand", reasons=tuple(every))
    call = _Call(event, node)
    plain = [reason for reason in every if not re.search(r"\(a!\) out\w*[,)]", reason.schema)] or every
    own = [reason for reason in plain if not (call.method and reason.parameter == "self")] or plain
    # A lone schema's reason is the reason, whatever else there is.
    shaped = [reason for reason in own if reason.what == "type" and (len(every) == 1 or call.fits(reason))]
    if shaped:
        return call.mistyped(shaped)
    other = [reason for reason in plain if reason not in own and parsed(reason.actual).inferred and call.fits(reason)]
    if other:
        # A form for texts, lists or dicts, called on a parameter that is a Tensor only for want of an annotation.
        return call.mistyped([reason for reason in other if reason.expected != "Tensor"] or other)
    unknown = call.unknown_keyword(own)
    if unknown:
        return call.diagnosis("keyword", own, unknown)
    kinds = {reason.what for reason in own}
    if len(kinds) == 1 and kinds <= {"missing", "count"} and len({reason.parameter for reason in own}) == 1:
        return call.diagnosis(kinds.pop(), own, own[0].parameter)
    return call.diagnosis("overload", own)


class _Call:
    """A call, with the arguments that its parameters get."""

    def __init__(self, event: Event, node: ast.Call) -> None:
        given = event.facts.get("given")
        self.values: list[tuple[str | None, ast.expr]] = []
        if given is not None:
            self.values = [(name, argument) for name, _, argument in given.values]
        self.count = sum(1 for name, _ in self.values if name is None)
        self.empty_list = "Empty lists default" in event.facts["message"]
        operator = event.facts.get("operator", "")
        self.method = operator.startswith("aten::") and isinstance(node.func, ast.Attribute)
        self.receiver = node.func.value if self.method and isinstance(node.func, ast.Attribute) else None
        # A module's forward has its own `self`, which the call does not pass.
        self.bound = self.method or operator.rpartition(".")[2][:1].isupper()
        self.project = event.kind == "call-mismatch"
        self.types: list[str] = list(event.facts["types"])

    def positional(self, listed: list[Parameter]) -> list[Parameter]:
        return [p for p in listed if not p.keyword_only and not (self.bound and p.name == "self")]

    def fits(self, reason: Reason) -> bool:
        """Whether a schema takes arguments of this number and these names."""
        listed = reason.parameters
        slots = self.positional(listed)
        count = self.count
        names = {name for name, _ in self.values if name is not None}
        filled = names | {p.name for p in slots[:count]} | ({"self"} if self.bound or "input" in names else set())
        # A last list of sizes takes them one by one as well.
        enough = count <= len(slots) or bool(slots and slots[-1].type.endswith("[]"))
        known = {p.name for p in listed} | {"input"}
        return enough and filled >= {p.name for p in listed if p.required} and names <= known

    def unknown_keyword(self, own: list[Reason]) -> str:
        """A keyword that no schema knows."""
        known = {p.name for reason in own for p in reason.parameters} | {"input"}
        return next((name for name, _ in self.values if name is not None and name not in known), "")

    def argument(self, reason: Reason) -> ast.expr | None:
        """What the author passed for the parameter of a reason."""
        for name, node in self.values:
            if name is not None and name == reason.parameter:
                return node
        if self.method and reason.parameter == "self":
            return self.receiver
        if reason.parameter == VARIADIC:
            fitting = [
                node for (name, node), type_ in zip(self.values, self.types) if not name and type_ == reason.actual
            ]
            return fitting[0] if fitting else None
        plain = [node for name, node in self.values if name is None]
        slots = [p.name for p in self.positional(reason.parameters)]
        position = slots.index(reason.parameter) if reason.parameter in slots else len(plain)
        return plain[position] if position < len(plain) else None

    def mistyped(self, shaped: list[Reason]) -> Diagnosis:
        order = []
        for reason in shaped:
            names = [parameter.name for parameter in reason.parameters]
            order.append(names.index(reason.parameter) if reason.parameter in names else 99)
        # The overload that got furthest is the one that was meant.
        best = [reason for reason, position in zip(shaped, order) if position == max(order)]
        if self.project and parsed(best[0].expected).inferred:
            return self.diagnosis("unannotated", best, best[0].parameter)
        for reason in best:
            if reason.actual == "int" and reason.expected in _FLOATS:
                return self.diagnosis("float", [reason], reason.parameter)
        if len({reason.actual for reason in best}) == 1:
            return self.diagnosis("type", best, best[0].parameter)
        return self.diagnosis("overload", best)

    def diagnosis(self, what: str, own: list[Reason], parameter: str = "") -> Diagnosis:
        expected = tuple(dict.fromkeys(parsed(reason.expected) for reason in own if reason.expected))
        actual = parsed(own[0].actual if own else "")
        argument = self.argument(own[0]) if own and parameter else None
        return Diagnosis(what, parameter, expected, actual, argument, self.count, self.empty_list, tuple(own))
