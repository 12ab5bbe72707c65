"""Proposes annotations for one file from the recorded types: only those that the compiler needs.

Without an annotation, the compiler treats a parameter as a Tensor, ``[]`` as a ``List[Tensor]`` and ``{}`` as a
``Dict[str, Tensor]``. It infers the result of a function, unless branches return different types.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tslint.annotate.agree import allows
from tslint.annotate.arguments import argument_of, within
from tslint.annotate.kinds import Kinds, count, merged, total
from tslint.annotate.nones import uses
from tslint.annotate.seen import Attribute, Calls, Seen
from tslint.annotate.types import FLOAT, NONE, TENSOR, NoType, Type, Typed, optional, type_of
from tslint.annotate.watched import Function, functions, is_none
from tslint.diagnostics import Position
from tslint.script.dataflow.annotation_style import postpones
from tslint.script.dataflow.inferred_parameters import inferred
from tslint.sources.file import SourceFile
from tslint.util.record import record

Slot = Literal["parameter", "return", "local", "attribute", "argument"]
_BY_DEFAULT = (Type("List", (TENSOR,)), Type("Dict", (Type("str"), TENSOR)))
_COMMENT = re.compile(r"#\s*type:\s*\(")
_IGNORED = {"ignore", "unused"}
_OVERLOADED = {"overload", "_overload", "_overload_method"}


@record
class Proposal:
    """An annotation to add, or an argument to convert.

    Args:
        slot: the kind of thing to annotate; an ``argument`` is converted to the type instead.
        place: the position of the parameter, the ``def`` (for a return), the assignment, the class or the argument.
        owner: the dotted name of the function or class.
        name: the name of the parameter, local, attribute or argument (``LayerNorm(eps)``); empty for a return.
        evidence: a text such as ``seen 12×``, with other remarks.
    """

    slot: Slot
    place: Position
    owner: str
    name: str
    type: Type
    evidence: str

    @property
    def what(self) -> str:
        """The description of the place, in a form such as ``Net.forward(size)``, ``Net.forward() ->``,
        ``size in Net.forward``, ``Net.size`` or ``ELU(alpha) in Net``.
        """
        if self.slot in ("local", "argument"):
            return f"{self.name} in {self.owner}"
        if self.slot == "attribute":
            return f"{self.owner}.{self.name}"
        return f"{self.owner}({self.name})" + (" ->" if self.slot == "return" else "")


@record
class Remark:
    """A position with one sentence: a contradiction, or why something was omitted."""

    place: Position
    message: str


@dataclass
class Proposals:
    """All proposals and remarks for one file.

    Args:
        asked: the parameters that were always None.
    """

    source: SourceFile
    tree: ast.Module
    seen: Seen
    proposals: list[Proposal] = field(default_factory=list)
    contradictions: list[Remark] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


def propose(source: SourceFile, seen: Seen) -> Proposals:
    """Compare the recorded types with the annotations in the source.

    Raises:
        SyntaxError: the file cannot be parsed.
    """
    result = Proposals(source, ast.parse(source.text), seen)
    for function in functions(result.tree):
        calls = seen.calls.get(function.place)
        if calls is not None:
            _Reader(result, function, calls).read()
        for (place, name), attribute in seen.attributes.items():
            if place == function.place and function.owner is not None:
                _attribute(result, function, name, attribute)
    for (call, name), argument in seen.arguments.items():
        node = argument_of(result.tree, call, argument)
        if node is not None:
            what, owner = f"{argument.module}({name})", within(result.tree, node)
            evidence = f"seen {argument.number}×: an int, with which {argument.module} cannot be compiled"
            type_ = optional(FLOAT) if argument.optional else FLOAT
            result.proposals.append(Proposal("argument", _at(result, node), owner, what, type_, evidence))
    result.proposals.sort(key=lambda proposal: (proposal.place, proposal.name))
    result.contradictions.sort(key=lambda remark: (remark.place, remark.message))
    result.left_out.sort(key=lambda remark: (remark.place, remark.message))
    return result


class _Reader:
    """Compares one function with its calls."""

    def __init__(self, result: Proposals, function: Function, calls: Calls) -> None:
        self._result = result
        self._function = function
        self._calls = calls

    def read(self) -> None:
        """Compare the parameters, the return value and the local variables with the values that were seen."""
        node = self._function.node
        lines = self._result.source.lines[node.lineno - 1 : node.end_lineno]
        # A type comment is the whole signature; other annotations would contradict it.
        if not any(_COMMENT.search(line) for line in lines) and not _OVERLOADED & {*self._function.decorators}:
            for argument in self._function.parameters:
                self._parameter(argument)
            self._return()
        self._locals()

    def _parameter(self, argument: ast.arg) -> None:
        name, kinds = argument.arg, self._calls.arguments.get(argument.arg, {})
        where = f"{self._function.qualname}({name})"
        if not kinds:
            return
        if argument.annotation is not None:
            self._compare(argument, argument.annotation, where, kinds)
            return
        default = self._function.default(name)
        type_ = _typed(self._result, argument, where, merged([kinds, _literal(default)]))
        if type_ is None or type_.type == TENSOR:
            return
        note = ""
        if type_.type == NONE or type_.type == optional(TENSOR):
            said = self._none(argument, kinds, default)
            if said is None:
                return
            note = said
        self._add("parameter", argument, name, _typed_as(type_, optional(TENSOR) if note else type_.type, note), kinds)

    def _none(self, argument: ast.arg, kinds: Kinds, default: ast.expr | None) -> str | None:
        """Decide whether a parameter that is None or a Tensor needs an annotation.

        Returns:
            A note for the evidence; None if the parameter gets no annotation.
        """
        name = argument.arg
        where = f"{self._function.qualname}({name})"
        used = uses(self._function.node, name)
        if "Tensor" not in kinds:
            self._result.asked.append(where)
        if used.truth:
            reason = f"an Optional has no truth value; write `{name} is not None` where it is tested first"
            self._result.left_out.append(Remark(_at(self._result, argument), f"{where}: {reason}"))
            return None
        if "Tensor" in kinds and "None" in kinds:
            return ""
        if "Tensor" in kinds:
            # None was never seen: annotate only if the function tests for None, so that the rest still compiles.
            return "" if default is not None and used.tested and not used.unguarded else None
        found = inferred(self._result.tree, self._function.node, name)
        if used.bare or found is None or found.type != "Optional[Tensor]":
            return None
        return "only None was seen, and the body uses it as a Tensor"

    def _return(self) -> None:
        node, kinds = self._function.node, self._calls.returned
        where = f"{self._function.qualname}() ->"
        if node.returns is not None:
            self._compare(node, node.returns, where, kinds)
            return
        if node.name == "__init__" or not kinds:
            return
        ignored = bool(_IGNORED & {*self._function.decorators})
        several = len(kinds) > 1
        if not ignored and not several:
            return
        type_ = _typed(self._result, node, where, kinds)
        if type_ is not None and type_.type != TENSOR:
            self._add("return", node, "", type_, kinds)

    def _locals(self) -> None:
        for name, annotated in self._function.annotated_locals.items():
            kinds = self._calls.locals.get(name)
            if kinds:
                self._compare(annotated, annotated.annotation, f"{name} in {self._function.qualname}", kinds)
        for name, starts in self._function.starts.items():
            kinds = self._calls.locals.get(name, {})
            values = [start.value for start in starts]
            if not kinds or len({type(value) if not is_none(value) else None for value in values}) > 1:
                continue
            # A variable that starts as None needs an Optional, even if this run never saw None.
            none = is_none(values[0])
            if none and not any(start.reassigned for start in starts):
                continue
            all_kinds = merged([kinds, _none_seen()]) if none else kinds
            type_ = _typed(self._result, starts[0].statement, f"{name} in {self._function.qualname}", all_kinds)
            if type_ is None or type_.type in (*_BY_DEFAULT, NONE):
                continue
            if type_.type.name in ("List", "Dict") and NONE in type_.type.parts:
                continue  # the types of its other elements are not known
            if not none and type_.type.name not in ("List", "Dict"):
                continue  # if the name is bound to something else later, the compiler sees another variable
            for start in starts:
                if start.fresh:
                    self._add("local", start.statement, name, type_, kinds)

    def _add(self, slot: Slot, node: ast.AST, name: str, type_: Typed, kinds: Kinds) -> None:
        place = _at(self._result, node)
        evidence = _evidence(kinds, type_, self._calls.number)
        self._result.proposals.append(Proposal(slot, place, self._function.qualname, name, type_.type, evidence))

    def _compare(self, node: ast.AST, annotation: ast.expr, where: str, kinds: Kinds) -> None:
        _compare(self._result, node, annotation, where, kinds)


def _attribute(result: Proposals, function: Function, name: str, attribute: Attribute) -> None:
    owner = function.owner
    assert owner is not None
    place = _at(result, owner)
    where = f"{function.qualname.rpartition('.')[0]}.{name}"
    for statement in owner.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.target.id == name:
                _compare(result, statement, statement.annotation, where, attribute.kinds)
                return
    if not attribute.needed or _is_constant(owner, name) or any(kind.startswith("module:") for kind in attribute.kinds):
        return
    type_ = _typed(result, owner, where, attribute.kinds)
    if type_ is None or type_.type == NONE:
        return
    obstacle = attribute.obstacle
    if postpones(result.tree):
        obstacle = "with `from __future__ import annotations` the compiler cannot read annotations of attributes"
    if obstacle:
        result.left_out.append(Remark(place, f"{where}: {type_.type} was seen, but {obstacle}"))
        return
    evidence = _evidence(attribute.kinds, type_, total(attribute.kinds))
    owner_name = function.qualname.rpartition(".")[0]
    result.proposals.append(Proposal("attribute", place, owner_name, name, type_.type, evidence))


def _is_constant(owner: ast.ClassDef, name: str) -> bool:
    for statement in owner.body:
        if isinstance(statement, ast.Assign) and "__constants__" in map(ast.unparse, statement.targets):
            return repr(name) in ast.unparse(statement.value)
    return False


def _typed(result: Proposals, node: ast.AST, where: str, kinds: Kinds) -> Typed | None:
    """Return the type of the recorded values; if they have none, add a remark and return None."""
    try:
        type_ = type_of(kinds)
    except NoType as error:
        result.left_out.append(Remark(_at(result, node), f"{where}: the value is {error}"))
        return None
    unnamed = None if type_ is None else next(_unnamed(type_.type, result.seen.classes), None)
    if unnamed:
        message = f"{where}: the value is {unnamed}, which has no name in this file"
        result.left_out.append(Remark(_at(result, node), message))
        return None
    return type_


def _unnamed(type_: Type, classes: dict[str, str]) -> Iterator[str]:
    name = type_.name.removeprefix("class:")
    if name != type_.name and name not in classes:
        yield name
    for part in type_.parts:
        yield from _unnamed(part, classes)


def _typed_as(type_: Typed, other: Type, note: str) -> Typed:
    return Typed(other, tuple(sorted((*type_.notes, *([note] if note else [])))))


def _compare(result: Proposals, node: ast.AST, annotation: ast.expr, where: str, kinds: Kinds) -> None:
    """Compare an annotation with the recorded values; add a remark if it is wrong."""
    if not kinds or allows(annotation, kinds):
        return
    try:
        type_ = type_of(kinds)
    except NoType:
        return
    written = result.source.slice(
        result.source.from_ast(annotation.lineno, annotation.col_offset),
        result.source.from_ast(annotation.end_lineno or annotation.lineno, annotation.end_col_offset or 0),
    )
    seen = f"{type_.type} was seen" if type_ else "another type was seen"
    message = f"{where}: annotated `{' '.join(written.split())}`, but {seen} ({_evidence(kinds, None, total(kinds))})"
    result.contradictions.append(Remark(_at(result, node), message))


def _evidence(kinds: Kinds, type_: Typed | None, number: int) -> str:
    counted = f"seen {number}×"
    if len(kinds) > 1:
        several = [f"{_in_words(kind)} {found.number}×" for kind, found in sorted(kinds.items()) if found.number]
        counted += f": {', '.join(several)}" if len(several) > 1 else ""
    return "; ".join([counted, *(type_.notes if type_ else ())])


def _in_words(kind: str) -> str:
    """Return the words for a kind, for messages."""
    _, colon, name = kind.partition(":")
    if colon:
        return name.rpartition(".")[2] or "a module's own"
    shape, slash, length = kind.partition("/")
    return f"{shape} of {length}" if slash else kind


def _literal(default: ast.expr | None) -> Kinds:
    """Return the kind of a literal default, which has to match the annotation even if it is never used."""
    kinds: Kinds = {}
    if isinstance(default, ast.UnaryOp) and isinstance(default.op, ast.USub):
        default = default.operand
    if isinstance(default, ast.Constant):
        name = type(default.value).__name__.replace("NoneType", "None")
        if name in ("int", "float", "bool", "str", "complex", "None"):
            count(kinds, name, 0)
    return kinds


def _none_seen() -> Kinds:
    kinds: Kinds = {}
    count(kinds, "None", 0)
    return kinds


def _at(result: Proposals, node: ast.AST) -> Position:
    position: ast.expr = node  # type: ignore[assignment]
    return result.source.from_ast(position.lineno, position.col_offset)
