"""Reads ``# type:`` comments as torch.jit.annotations.get_type_line does: anywhere in a function, as its signature.

The compiler looks for the text ``# type:`` in every line of the function, also in strings, and reads it as the
function's signature; ``# type: ignore`` is skipped only at the very end of a line.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator

from tslint.script.events import Event
from tslint.script.events.annotation import TypeComment
from tslint.sources.file import SourceFile
from tslint.util import astwalk

PREFIX = "# type:"
_IGNORE = re.compile(r"# type: ignore(\[[a-zA-Z-]+\])?$")
_TYPO = re.compile(r"#[\t ]*type[\t ]*(?!: ignore(\[.*\])?$):")
_RETURN_LINE = "# type: (...) -> "


def type_comment_events(function: ast.FunctionDef, source: SourceFile, *, is_method: bool) -> Iterator[Event]:
    """Yield an event for each type comment of a function that is not its signature, or does not match it."""
    if not source.has_type_comments:
        return
    lines = list(_lines(function, source))
    typed = _typed(lines)
    if not typed:
        for row, text in lines:
            found = _TYPO.search(text)
            if found:
                message = f"The annotation prefix in line {row - lines[0][0]} is probably invalid."
                yield _event(function, row, text, found.start(), message, "prefix")
        return
    whole = _whole(typed)
    if whole is None:
        message = "Return type line '# type: (...) -> ...' not found on multiline type annotation"
        signatures = [row for row, text in typed if _signature(text) is not None][:1]
        for row, text in typed:
            if row not in signatures:
                yield _event(function, row, text, text.index(PREFIX), message, "stray")
        return
    row, text = whole
    signature = _signature(text)
    if signature is None:
        original = next(line for number, line in lines if number == row)
        word = re.split(r"\W", original.strip(), maxsplit=1)[0]
        token = word if keyword.iskeyword(word) else "ident"
        wanted = "(" if original.strip().startswith(PREFIX) else "type comment"
        message = f"expected {wanted} but found '{token}' here"
        yield _event(function, row, original, original.index(PREFIX), message, "stray")
        return
    expected = len(function.args.args) + len(function.args.kwonlyargs) - is_method
    if len(signature[0]) != expected:
        what = f"{'method' if is_method else 'function'} parameters ({expected})"
        message = f"Number of type annotations ({len(signature[0])}) did not match the number of {what}"
        yield TypeComment(function, message, comment=text.strip(), type="", statement=None, form="arity")


def comment_signature(
    function: ast.FunctionDef, source: SourceFile, *, is_method: bool
) -> tuple[dict[str, ast.expr], ast.expr | None] | None:
    """Return the types that a comment gives to the parameters, by name, and to the result; None if there is no comment.

    A comment that cannot be read, which is reported elsewhere, gives no types.
    """
    typed = _typed(list(_lines(function, source))) if source.has_type_comments else []
    if not typed:
        return None
    whole = _whole(typed)
    signature = _signature(whole[1]) if whole is not None else None
    names = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)][is_method:]
    if signature is None or len(signature[0]) != len(names):
        return {}, None
    return dict(zip(names, signature[0])), signature[1]


def _lines(function: ast.FunctionDef, source: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield the rows that inspect.getsource returns: from the first decorator to the comments after the body."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    last = function.end_lineno or function.lineno
    margin = function.body[0].col_offset
    if function.body[0].lineno > function.lineno:
        for row in range(last + 1, len(source.lines) + 1):
            text = source.lines[row - 1]
            if text.strip() and not (text.lstrip().startswith("#") and len(text) - len(text.lstrip()) >= margin):
                break
            if text.strip():
                last = row
    for row in range(first, last + 1):
        yield row, source.lines[row - 1].rstrip("\r\n")


def _typed(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the rows that contain ``# type:``, except those that end in ``# type: ignore``."""
    return [(row, text) for row, text in lines if PREFIX in text and not _IGNORE.search(text)]


def _whole(typed: list[tuple[int, str]]) -> tuple[int, str] | None:
    """Return the row and the text of the signature, with the types of the rows above instead of ``...``; None if no
    row is a signature.
    """
    if len(typed) == 1:
        return typed[0]
    returns = next((index for index, (_, text) in enumerate(typed) if _RETURN_LINE in text), None)
    if returns is None:
        return None
    types = ", ".join(text[text.find(PREFIX) + len(PREFIX) :].strip() for _, text in typed[:returns])
    return typed[returns][0], typed[returns][1].replace("...", types)


def _signature(text: str) -> tuple[list[ast.expr], ast.expr | None] | None:
    """Return the types of a signature comment's parameters and result; None if it is not a signature."""
    stripped = text.strip()
    if not stripped.startswith(PREFIX):
        return None
    match = re.fullmatch(r"\s*(\(.*?\))\s*(->\s*[^#]+?)?\s*(#.*)?", stripped[len(PREFIX) :])
    if match is None:
        return None
    try:
        parameters = ast.parse(match.group(1).replace("...", "(...)"), mode="eval").body
        returned = ast.parse(match.group(2)[2:].strip(), mode="eval").body if match.group(2) else None
    except SyntaxError:
        return None
    return (parameters.elts if isinstance(parameters, ast.Tuple) else [parameters]), returned


def _event(function: ast.FunctionDef, row: int, text: str, column: int, message: str, form: str) -> Event:
    comment = text[column:]
    start = len(text[:column].encode("utf-8"))
    place = ast.Constant(comment, lineno=row, end_lineno=row, col_offset=start)
    place.end_col_offset = len(text.encode("utf-8"))
    kind = re.sub(r"^#[\t ]*type[\t ]*:", "", comment).strip()
    statement = _statement(function, row)
    return TypeComment(place, message, comment=comment, type=kind, statement=statement, form=form)


def _statement(function: ast.FunctionDef, row: int) -> ast.stmt | None:
    """Return the simple statement that ends in a row, or the compound one whose header is there; None if there is
    none.
    """
    for node in astwalk.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            if hasattr(node, "body"):
                if node.lineno == row:
                    return node
            elif node.end_lineno == row:
                return node
    return None
