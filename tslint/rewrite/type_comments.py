"""Types that stand in `# type:` comments, written as annotations."""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from dataclasses import dataclass

from tslint.diagnostics import Edit, Position
from tslint.rewrite.annotate import annotate, default_of
from tslint.rulekit.match import Match

_TYPING = ("Any", "Dict", "List", "NamedTuple", "Optional", "Tuple", "Union")
_SIGNATURE = re.compile(r"(\(.*?\))\s*->\s*([^#]+?)\s*(#.*)?")


@dataclass(frozen=True)
class Written:
    """Types as annotations.

    Args:
        text: of a single type; empty for signatures.
        edits: that import its names, and for signatures those that annotate.
        known: whether each name is bound where it will be evaluated.
        rest: the comment that stood behind the type.
    """

    text: str
    edits: tuple[Edit, ...]
    known: bool
    rest: str = ""


def read(match: Match, comment: str, row: int | None = None) -> Written | None:
    """A type as an annotation of this file; None where it is none.

    Args:
        match: for the file.
        comment: what stands behind the prefix.
        row: where Python will evaluate it; None for a variable's annotation, which it does not look at.
    """
    text, hash_, rest = comment.partition("#")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(tree, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp)):
        return None
    names = _Names(match, row)
    text = ast.unparse(names.visit(tree))
    return Written(text, tuple(dict.fromkeys(names.edits)), names.known, hash_ + rest)


class _Names(ast.NodeTransformer):
    """Writes names as the file imports them: type comments know torch's and typing's without any import."""

    def __init__(self, match: Match, row: int | None) -> None:
        self.match = match
        self.bound = _bound(match.file.tree, row)
        self.edits: list[Edit] = []
        self.known = True

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        # Whether a module has such a name is known of the usual ones alone.
        usual = ("Tensor", "device", "dtype", "Size", "Module", "ndarray", *_TYPING)
        self.known = self.known and node.attr in usual
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.known = False  # `int | None` is a mistake to older Pythons
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.bound or hasattr(builtins, node.id):
            return node
        module = "torch" if node.id == "Tensor" else "typing" if node.id in _TYPING else None
        if module is None:
            self.known = False
            return node
        text, edits = self.match.imported(module, node.id)
        self.edits += edits
        return ast.parse(text, mode="eval").body


def _bound(tree: ast.Module, row: int | None) -> set[str]:
    """Names that the file binds for certain, and before a row."""
    names: set[str] = set()
    for statement in tree.body:
        if row is not None and (statement.end_lineno or 0) >= row:
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return names


def annotate_signature(match: Match, comment: str) -> Written | None:
    """The edits that give a signature comment's types to a function; None where they do not fit it.

    Args:
        match: for the file and the function.
        comment: what stands behind the prefix.
    """
    found = _SIGNATURE.fullmatch(comment)
    function = match.event.unit.function.node if match.event.unit is not None else None
    if found is None or function is None or match.event.span.row >= function.body[0].lineno:
        return None
    spec = function.args
    arguments = [*spec.args, *spec.kwonlyargs]
    hidden = [*spec.posonlyargs, spec.vararg, spec.kwarg]
    if any(hidden) or function.returns or any(argument.annotation for argument in arguments):
        return None
    try:
        tuple_ = ast.parse(found[1], mode="eval").body
    except SyntaxError:
        return None
    texts = [ast.unparse(item) for item in (tuple_.elts if isinstance(tuple_, ast.Tuple) else [tuple_])]
    if len(texts) == len(arguments) - 1 and arguments[0].arg in ("self", "cls"):
        arguments = arguments[1:]
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    types = [read(match, text, first) for text in texts]
    returned = read(match, found[2], first)
    colon = _colon(match, function)
    if len(types) != len(arguments) or returned is None or colon is None:
        return None
    edits = [*returned.edits, match.insert(colon, f" -> {returned.text}")]
    known = returned.known
    for argument, type_ in zip(arguments, types):
        if type_ is None:
            return None
        edits += [*type_.edits, *annotate(match, argument, type_.text, default_of(function, argument))]
        known = known and type_.known
    return Written("", tuple(dict.fromkeys(edits)), known, found[3] or "")


def _colon(match: Match, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Position | None:
    """Where the colon of a `def` stands."""
    lines = match.source.lines[function.lineno - 1 : function.body[0].lineno]
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
            if token.type == tokenize.OP and token.string == ":" and not depth:
                return Position(function.lineno + token.start[0] - 1, token.start[1] + 1)
    except (tokenize.TokenError, IndentationError):
        pass
    return None
