"""Writes proposed annotations into a file with libcst, breaks lines that get too long, and keeps every other byte."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from tslint.annotate.imports import with_imports
from tslint.annotate.propose import Proposal, Proposals
from tslint.annotate.spelling import Spelling
from tslint.annotate.types import FLOAT, Type
from tslint.diagnostics import Position
from tslint.fixing.applying import is_sound
from tslint.fixing.edits import replaced
from tslint.fixing.wrapping import wrapped
from tslint.sources.file import SourceFile


class NotAnnotated(Exception):
    """A file that cannot be annotated; the message is one line that says why."""


def annotated(found: Proposals) -> SourceFile:
    """Return the file with all proposed annotations, within the width of its lines.

    Raises:
        NotAnnotated: libcst cannot parse the file, or the result cannot be parsed.
    """
    source = found.source
    if not found.proposals:
        return source
    spelling = Spelling(found.tree, source.text, found.seen.classes)
    wanted = _Wanted()
    for proposal in found.proposals:
        if proposal.slot == "argument":
            wanted.arguments[proposal.place] = proposal.type
        else:
            wanted.add(proposal, cst.parse_expression(spelling.spell(proposal.type)))
    try:
        module = MetadataWrapper(cst.parse_module(source.text), unsafe_skip_copy=True)
        text = with_imports(module.visit(_Writer(wanted)), spelling.imports).code
        after = replace(source, text=text)
        after.encode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError) as error:
        raise NotAnnotated(f"cannot be annotated: {str(error).splitlines()[0]}") from error
    short = replaced(after.text, wrapped(source, after, was_long=True))
    return replace(after, text=short) if is_sound(after, short) else after


@dataclass
class _Wanted:
    """The annotations by position, and the types that arguments are converted to."""

    parameters: dict[Position, cst.BaseExpression] = field(default_factory=dict)
    returns: dict[int, cst.BaseExpression] = field(default_factory=dict)
    locals: dict[Position, dict[str, cst.BaseExpression]] = field(default_factory=dict)
    attributes: dict[int, dict[str, cst.BaseExpression]] = field(default_factory=dict)
    arguments: dict[Position, Type] = field(default_factory=dict)

    def add(self, proposal: Proposal, type_: cst.BaseExpression) -> None:
        """Add the annotation ``type_`` of a proposal, under the position where it is written."""
        place = proposal.place
        if proposal.slot == "parameter":
            self.parameters[place] = type_
        elif proposal.slot == "return":
            self.returns[place.row] = type_
        elif proposal.slot == "local":
            self.locals.setdefault(place, {})[proposal.name] = type_
        else:
            self.attributes.setdefault(place.row, {})[proposal.name] = type_


class _Writer(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, wanted: _Wanted) -> None:
        super().__init__()
        self._wanted = wanted

    def _position(self, node: cst.CSTNode) -> Position:
        start = self.get_metadata(PositionProvider, node).start
        return Position(start.line, start.column + 1)

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:
        """Annotate a parameter, with spaces around the ``=`` of its default."""
        type_ = self._wanted.parameters.get(self._position(original_node.name))
        if type_ is None or updated_node.annotation is not None:
            return updated_node
        changed = updated_node.with_changes(annotation=cst.Annotation(type_))
        equal = updated_node.equal
        if isinstance(equal, cst.AssignEqual) and equal.whitespace_before.empty and equal.whitespace_after.empty:
            space = cst.SimpleWhitespace(" ")
            return changed.with_changes(equal=cst.AssignEqual(space, space))
        return changed

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        """Convert an argument."""
        type_ = self._wanted.arguments.get(self._position(original_node.value))
        if type_ is None:
            return updated_node
        value = updated_node.value
        converted = cst.Call(cst.Name("float"), [cst.Arg(value)])
        if type_ == FLOAT:
            return updated_node.with_changes(value=converted)
        test = cst.Comparison(value, [cst.ComparisonTarget(cst.Is(), cst.Name("None"))])
        return updated_node.with_changes(value=cst.IfExp(test, cst.Name("None"), converted))

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Annotate the return."""
        type_ = self._wanted.returns.get(self._position(original_node.name).row)
        if type_ is None or updated_node.returns is not None:
            return updated_node
        return updated_node.with_changes(returns=cst.Annotation(type_))

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        """Declare attributes at the top of the class."""
        types = self._wanted.attributes.get(self._position(original_node.name).row)
        if not types or not isinstance(updated_node.body, cst.IndentedBlock):
            return updated_node
        body = list(updated_node.body.body)
        index = _after_declarations(body)
        lines = [
            cst.SimpleStatementLine([cst.AnnAssign(cst.Name(name), cst.Annotation(type_))])
            for name, type_ in sorted(types.items())
        ]
        blank = [cst.EmptyLine(indent=False)]
        if index == 1 and not _is_declaration(body[0]):
            lines[0] = lines[0].with_changes(leading_lines=blank)
        if index < len(body) and not getattr(body[index], "leading_lines", ()):
            body[index] = body[index].with_changes(leading_lines=blank)
        return updated_node.with_changes(
            body=updated_node.body.with_changes(body=[*body[:index], *lines, *body[index:]])
        )

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        """Annotate locals; an assignment of several names becomes one statement for each."""
        parts: list[cst.BaseSmallStatement] = []
        new: list[cst.SimpleStatementLine] = []
        for before, after in zip(original_node.body, updated_node.body):
            types = self._wanted.locals.get(self._position(before), {}) if isinstance(before, cst.Assign) else {}
            if not types or not isinstance(after, cst.Assign):
                parts.append(after)
                continue
            pieces = _split(after)
            statements = [_assignment(name, value, types.get(name.value)) for name, value in pieces]
            if len(statements) == 1:
                parts.append(statements[0].with_changes(semicolon=after.semicolon))
            elif len(original_node.body) == 1:
                new = [cst.SimpleStatementLine([statement]) for statement in statements]
            else:
                parts.append(after)
        if not new:
            return updated_node.with_changes(body=parts)
        new[0] = new[0].with_changes(leading_lines=updated_node.leading_lines)
        new[-1] = new[-1].with_changes(trailing_whitespace=updated_node.trailing_whitespace)
        return cst.FlattenSentinel(new)


def _split(statement: cst.Assign) -> list[tuple[cst.Name, cst.BaseExpression]]:
    """Return the pairs of :func:`tslint.annotate.watched.split` as libcst nodes; that function has checked the
    statement.
    """
    target, value = statement.targets[0].target, statement.value
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        pairs = zip(target.elements, value.elements)
        return [(one.value, other.value) for one, other in pairs if isinstance(one.value, cst.Name)]
    return [(each.target, value) for each in statement.targets if isinstance(each.target, cst.Name)]


def _assignment(
    name: cst.Name, value: cst.BaseExpression, type_: cst.BaseExpression | None
) -> cst.Assign | cst.AnnAssign:
    if type_ is None:
        return cst.Assign([cst.AssignTarget(name)], value)
    return cst.AnnAssign(name, cst.Annotation(type_), value)


def _after_declarations(body: Sequence[cst.BaseStatement]) -> int:
    """Return the index after the docstring and the annotated names that follow it."""
    index = 0
    for number, line in enumerate(body):
        first = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        docstring = number == 0 and isinstance(first, cst.Expr) and isinstance(first.value, cst.BaseString)
        if not (docstring or _is_declaration(line)):
            break
        index = number + 1
    return index


def _is_declaration(line: cst.BaseStatement) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.AnnAssign)
