"""Writes types of `# type:` comments as annotations."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import annotated, annotated_variable
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import bare
from tslint.script.dataflow.annotation_style import bound_names, postpones
from tslint.script.events.annotation import TypeComment
from tslint.util.record import record

_TYPING = ("Any", "Dict", "List", "NamedTuple", "Optional", "Tuple", "Union")
_USUAL = ("Tensor", "device", "dtype", "Size", "Module", "ndarray", *_TYPING)
_SIGNATURE = re.compile(r"(\(.*?\))\s*->\s*([^#]+?)\s*(#.*)?")
_TYPES = (
    cst.Name, cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.SimpleString, cst.ConcatenatedString,
    cst.Integer, cst.Float, cst.Ellipsis,
)  # fmt: skip


@record
class _Read:
    """A type from a comment.

    Args:
        annotation: the type as an annotation.
        imports: the edits that import its names.
        known: whether each name is bound where it will be evaluated.
    """

    annotation: cst.BaseExpression
    imports: tuple[Edit, ...]
    known: bool


def variable_fix(match: Match[TypeComment], statement: cst.Assign, comment: str) -> Fix | None:
    """Annotate a variable with the type in the comment after its assignment.

    Args:
        match: the match of the finding.
        statement: the assignment.
        comment: the text after ``# type:``.
    """
    line, target = match.line(statement), statement.targets[0].target
    if len(statement.targets) != 1 or not isinstance(target, cst.Name):
        return None
    text, hash_, rest = comment.partition("#")
    read = _read(match, text)
    if read is None or not isinstance(line, cst.SimpleStatementLine):
        return None
    removal = _Without(match, hash_ + rest)
    behind = line.trailing_whitespace.visit(removal)
    if not removal.found:
        return None
    made = annotated_variable(statement, read.annotation).with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    new = line.with_changes(body=[made], trailing_whitespace=behind)

    def edits() -> tuple[Edit, ...]:
        return match.rewrite(line, new)

    message = f"Annotate `{target.value}`"
    if read.known:
        return safe(message, *read.imports, edits)
    return unsafe(message, *read.imports, edits, risks=(Risk.ASSUMES,))


def signature_fix(match: Match[TypeComment], comment: str) -> Fix | None:
    """Annotate the function's parameters with the types of a signature comment; None if they do not match.

    Args:
        match: the match of the finding.
        comment: the text after ``# type:``.
    """
    found, unit = _SIGNATURE.fullmatch(comment), match.event.unit
    function = match.libcst(unit.function.node) if unit is not None else None
    if found is None or unit is None or not isinstance(function, cst.FunctionDef):
        return None
    parameters, types, line = _bare_parameters(function), _types(found[1]), match.line(function)
    node = unit.function.node
    if parameters is None or types is None or line is None or match.event.span.row >= node.body[0].lineno:
        return None
    if len(types) == len(parameters) - 1 and parameters[0].name.value in ("self", "cls"):
        parameters = parameters[1:]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    read = [_read(match, each, first) for each in (*types, found[2])]
    written = [each for each in read if each is not None]
    if len(types) != len(parameters) or len(written) != len(read):
        return None
    known = all(each.known for each in written)
    if not known and not postpones(match.file.tree):
        return None  # Python would evaluate the names, and raise
    imports = dict.fromkeys(edit for each in written for edit in each.imports)

    made = {param: annotated(param, each.annotation) for param, each in zip(parameters, written)}
    params = function.params.with_changes(
        params=[made.get(each, each) for each in function.params.params],
        kwonly_params=[made.get(each, each) for each in function.params.kwonly_params],
    )
    removal = _Without(match, found[3] or "")
    new = function.with_changes(params=params, returns=cst.Annotation(written[-1].annotation)).visit(removal)
    if not removal.found or not isinstance(new, cst.FunctionDef):
        return None

    def edits() -> tuple[Edit, ...]:
        return match.rewrite(line, new.with_changes(leading_lines=function.leading_lines))

    if known:
        return safe("Annotate the parameters", *imports, edits)
    return unsafe("Annotate the parameters", *imports, edits, risks=(Risk.ASSUMES,))


def _bare_parameters(function: cst.FunctionDef) -> list[cst.Param] | None:
    """Return the parameters of a function; None if something is annotated, or one is variadic or positional-only."""
    params = function.params
    if params.posonly_params or isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None:
        return None
    found = [*params.params, *params.kwonly_params]
    return None if function.returns is not None or any(each.annotation is not None for each in found) else found


class _Without(cst.CSTTransformer):
    """Removes the event's type comment, except for the text after the type."""

    def __init__(self, match: Match[TypeComment], rest: str) -> None:
        super().__init__()
        self.comment = match.event.comment.rstrip()
        self.rest = rest
        self.found = False

    def leave_TrailingWhitespace(
        self, original_node: cst.TrailingWhitespace, updated_node: cst.TrailingWhitespace
    ) -> cst.TrailingWhitespace:
        rest = self._shortened(original_node.comment)
        if rest is None:
            return updated_node
        if rest:
            return updated_node.with_changes(comment=cst.Comment(rest))
        return updated_node.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))

    def leave_EmptyLine(
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine | cst.RemovalSentinel:
        rest = self._shortened(original_node.comment)
        if rest is None:
            return updated_node
        return updated_node.with_changes(comment=cst.Comment(rest)) if rest else cst.RemoveFromParent()

    def _shortened(self, comment: cst.Comment | None) -> str | None:
        """Return the rest of a comment after the type; None for other comments."""
        text = comment.value.rstrip() if comment is not None else ""
        if self.found or not text.endswith(self.comment):
            return None
        self.found = True
        return " ".join(filter(None, [text.removesuffix(self.comment).rstrip(), self.rest]))


def _types(text: str) -> Sequence[str | cst.BaseExpression] | None:
    """Return the types of the parameters in a signature comment."""
    try:
        found = cst.parse_expression(text)
    except cst.ParserSyntaxError:
        return None
    if not isinstance(found, cst.Tuple):
        return [found]
    return [each.value for each in found.elements]


def _read(match: Match[TypeComment], type_: str | cst.BaseExpression, row: int | None = None) -> _Read | None:
    """Return a type as an annotation of this file; None if it is not a type.

    Args:
        match: provides the file.
        type_: the type in a comment.
        row: where Python will evaluate it; None for a variable's annotation, which it does not evaluate.
    """
    try:
        node = bare(cst.parse_expression(type_.strip()) if isinstance(type_, str) else type_)
    except cst.ParserSyntaxError:
        return None
    if not isinstance(node, _TYPES):
        return None
    names = _Names(match, row)
    written = node.visit(names)
    assert isinstance(written, cst.BaseExpression)
    return _Read(written, tuple(dict.fromkeys(names.imports)), names.known)


class _Names(cst.CSTTransformer):
    """Replaces names by those that the file imports: type comments may use names of torch and typing
    without imports.
    """

    def __init__(self, match: Match[TypeComment], row: int | None) -> None:
        super().__init__()
        self.match = match
        self.bound = bound_names(match.file.tree, row)
        self.imports: list[Edit] = []
        self.known = True

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        # Only the usual names of a module certainly exist in every version of it.
        self.known = self.known and node.attr.value in _USUAL
        return False

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(value=original_node.value.visit(self))

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        self.known = False  # older Python versions reject `int | None`

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        name = original_node.value
        if name in self.bound or hasattr(builtins, name):
            return updated_node
        module = "torch" if name == "Tensor" else "typing" if name in _TYPING else None
        if module is None:
            self.known = False
            return updated_node
        text, edits = self.match.imported(module, name)
        self.imports += edits
        return cst.parse_expression(text)
