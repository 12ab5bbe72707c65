"""An event at its place in the author's code, and the edits that a rule can request."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tslint.diagnostics import Edit, Fix, Position, Severity
from tslint.rulekit.code import FileCode
from tslint.rulekit.imports import imported
from tslint.rulekit.rule import Finding
from tslint.rulekit.wording import short
from tslint.script.dataflow.scopes import bindings, is_static
from tslint.script.events import Event, Span
from tslint.util import astwalk

if TYPE_CHECKING:
    # Imported only when a definition is parsed: most runs parse none, and the import takes as long as the rest of a
    # run.
    import libcst as cst
    import typing_extensions

    from tslint.rulekit.matchers import Pattern
    from tslint.rulekit.parts import Line

    Kind = typing_extensions.TypeVar("Kind", bound=Event, default=Event, covariant=True)
else:
    Kind = TypeVar("Kind")

Node = TypeVar("Node", bound="cst.CSTNode")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Match(Generic[Kind]):
    """An event at its position in the author's code: the argument of a rule's ``check``.

    ``Match[UnaryPlus]`` has an event of this kind with its fields; ``Match`` has one of any kind.

    Args:
        event: recorded by the static model.
        file: the code of the event's file.
    """

    def __init__(self, event: Kind, file: FileCode) -> None:
        self.event = event
        self.file = file
        self.source = file.source

    # The author's code.

    @cached_property
    def node(self) -> cst.CSTNode:
        """The node that the compiler underlines."""
        return self.file.libcst(self.event.node)

    @cached_property
    def written(self) -> cst.CSTNode:
        """The expression that the compiler underlines, parsed separately, because parsing the definition takes long.

        It is not part of the author's tree: use :attr:`node` for its parents, and for edits.
        """
        if not isinstance(self.event.node, ast.expr) or self.event.node not in astwalk.parents(self.file.tree):
            return self.node
        import libcst as cst

        try:
            return cst.parse_expression(self.text(self.event.node))
        except cst.ParserSyntaxError:
            return self.node  # the expression spans several lines, which only its parentheses allow

    def libcst(self, node: Any) -> cst.CSTNode:
        """Return the libcst node for a node of the static model, for example for one in an event."""
        return self.file.libcst(node)

    def model(self, node: cst.CSTNode) -> Any:
        """Return the static model's node for a node of the author; functions of ``script/dataflow/`` require it.

        Raises:
            KeyError: only libcst has such a node, as for a comma, an ``else:``, or a node that a fix has made.
        """
        return self.file.model(node)

    @property
    def scope(self) -> Any:
        """The static model's node of the innermost function or class around the event; nothing is parsed for it."""
        around = astwalk.around(self.file.tree, self.event.node)
        return next((each for each in around if isinstance(each, _SCOPES)), None)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """Return the expression, argument or statement directly around a node; None at the outermost level.

        Nodes that only one of the two trees has are skipped: the parent of an argument's value is the call, unless the
        argument has a keyword, and the parent of ``int`` in ``Dict[str, int]`` is the subscript.
        """
        for around in astwalk.around(self.file.tree, self.file.model(node)):
            found = self.file.partner(around) if around is not self.file.tree else None
            if found is not None:
                return found
        return None

    def under(self, node: cst.CSTNode, pattern: Pattern) -> bool:
        """Return whether a node's parent matches a pattern."""
        from tslint.rulekit import matchers as m

        around = self.parent(node)
        return around is not None and m.matches(around, pattern)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, the nearest first."""
        around = self.parent(node)
        while around is not None:
            yield around
            around = self.parent(around)

    def enclosing(self, kind: type[Node], node: cst.CSTNode | None = None) -> Node | None:
        """Return the nearest node of a class around a node (by default the event's), the node itself included."""
        import libcst as cst

        start = self.node if node is None else node
        expression = issubclass(kind, (cst.BaseExpression, cst.BaseFormattedStringContent))
        for each in chain([start], self.ancestors(start)):
            if isinstance(each, kind):
                return each
            if expression and isinstance(each, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return None  # no statement is inside an expression; the search ends before more code is parsed
        return None

    @property
    def function(self) -> cst.FunctionDef | None:
        """The nearest function around the event."""
        import libcst as cst

        return self.enclosing(cst.FunctionDef)

    def statement(self, node: cst.CSTNode | None = None) -> cst.BaseSmallStatement | cst.BaseCompoundStatement | None:
        """Return the statement around a node (by default the event's); the node itself if it is a statement."""
        import libcst as cst

        start = self.node if node is None else node
        for each in chain([start], self.ancestors(start)):
            if isinstance(each, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return each
        return None

    def line(self, node: cst.CSTNode | None = None) -> Line | None:
        """Return the statement around a node, if it has its own lines; None if other statements share them.

        Fixes that write statements need one; a compound statement is its own line.
        """
        found = self.statement(node)
        return self.file.line(found) if found is not None else None

    def shared_line(self, statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine | None:
        """Return the line that a statement shares with others; None if it has its own line, or follows ``if x:``."""
        return self.file.shared_line(statement)

    @property
    def owner(self) -> Any:
        """The static model's node of the class whose method contains the event, if it is in the same file."""
        unit = self.event.unit
        owner = unit.function.owner if unit is not None else None
        return owner.node if owner is not None and owner.module.source is self.source else None

    @property
    def self_name(self) -> str | None:
        """The method's name for its instance; None in functions and static methods."""
        unit = self.event.unit
        if unit is None or unit.receiver is None or not unit.function.node.args.args:
            return None
        return None if is_static(unit.function.node) else unit.function.node.args.args[0].arg

    def binds(self, name: str) -> bool:
        """Return whether the compiled function around the event binds a name; for a dotted name, its first part."""
        unit = self.event.unit
        return unit is not None and name.partition(".")[0] in bindings(unit.function.node)

    def siblings(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """Return the statements of the block that contains a statement."""
        return [self.file.libcst(each) for each in self.file.block(self.file.model(node))]

    def code(self, node: cst.CSTNode) -> str:
        """Return a node as the author wrote it."""
        return self.file.code(node)

    def quote(self, node: cst.CSTNode) -> str:
        """Return a node as the author wrote it, on one line and not too long, in backticks."""
        return short(self.code(node))

    @property
    def event_text(self) -> str:
        """The code that the compiler underlines, as :meth:`quote` shows it; libcst does not parse it."""
        return short(self.source.slice(*self.file.span(self.event.span)))

    def place(self, node: cst.CSTNode) -> tuple[Position, Position]:
        """Return the position of a node, without parentheses around it."""
        import libcst as cst

        around = self.parent(node) if isinstance(node, cst.FormattedStringExpression) else None
        return self.file.within(around, node) if around is not None else self.file.place(self.file.model(node))

    def text(self, node: Any) -> str:
        """Return the author's text of a node of the static model."""
        return self.source.slice(*self.file.span(Span.of(node)))

    def finding(
        self,
        message: str,
        *,
        help: str | None = None,
        fix: Fix | None = None,
        at: cst.CSTNode | None = None,
        keyword: str | None = None,
        severity: Severity | None = None,
        mistake: cst.CSTNode | None = None,
    ) -> Finding:
        """Return a finding on the event's node, on ``at``, or on the keyword at the beginning of the event's statement.

        ``mistake`` is the node to correct: of all findings with the same ``mistake``, only one is shown.
        """
        start, end = self.place(at) if at is not None else (None, None)
        if keyword is not None:
            start, _ = self.file.span(self.event.span)
            end = Position(start.row, start.column + len(keyword))
        return Finding(message, help, fix, start, end, severity, None if mistake is None else self.place(mistake)[0])

    def headed(self, message: str, *, help: str | None = None) -> Finding:
        """Return a finding on the first line of the event's definition."""
        start, _ = self.file.span(self.event.span)
        line = self.source.lines[start.row - 1].rstrip()
        return Finding(message, help, None, start, Position(start.row, len(line) + 1))

    # Edits: from nodes to the text that differs.

    def replace(self, node: cst.CSTNode, new: cst.CSTNode, *, copied: bool = False) -> tuple[Edit, ...]:
        """Replace a node by a new expression, argument, parameter or small statement.

        Parentheses around an expression stay; otherwise they are added if needed.

        Args:
            node: the author's node.
            new: its replacement.
            copied: whether the new node contains parts of the old one twice; fixes of these parts wait for the next
                round.
        """
        return self.file.replace(node, new, self.parent(node), copied=copied)

    def rewrite(self, line: Line, *new: Line, copied: bool = False) -> tuple[Edit, ...]:
        """Replace a statement by others with the same indentation; unchanged parts stay.

        Args:
            line: the author's statement.
            new: its replacement.
            copied: see :meth:`replace`.
        """
        return self.file.rewrite([line], new, copied=copied)

    def rewrite_all(self, lines: Sequence[Line], *new: Line, copied: bool = False) -> tuple[Edit, ...]:
        """Replace consecutive statements of one block; see :meth:`rewrite`."""
        return self.file.rewrite(lines, new, copied=copied)

    def insert_before(self, line: Line, *new: Line, blank: int = 0, comments: bool = False) -> Edit:
        """Insert statements above a statement (with ``comments``, above its comments, too) with its indentation, and
        blank lines between them.
        """
        return self.file.insert_before(line, new, blank, comments=comments)

    def insert_after(self, line: Line, *new: Line) -> Edit:
        """Insert statements below a statement, with its indentation."""
        return self.file.insert_after(line, new)

    def remove(self, line: Line) -> tuple[Edit, ...]:
        """Remove a statement; the only statement of a block becomes ``pass``."""
        return self.file.remove(line)

    def insert(self, position: Position, content: str) -> Edit:
        """Insert text at a position."""
        return Edit(position, position, content)

    def imported(self, module: str, name: str | None = None) -> tuple[str, tuple[Edit, ...]]:
        """Return an expression for ``module.name`` (or ``module``) in this file, and the edits that import it if
        needed.

        Returns:
            The expression to write, and none or one edit.
        """
        known = self.file.imports
        if (module, name) not in known:
            known[module, name] = imported(self.source, self.file.tree, module, name)
        return known[module, name]
