"""Syntax newer than Python 3.8 for libcst's parser that is written in Python: ``match``, ``except*``, parenthesized
items of ``with``, starred indices, any expression as a decorator, and quotes of an f-string inside of its expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst
from libcst._parser import grammar
from libcst._parser.conversions import expression as expressions
from libcst._parser.conversions import statement as statements
from libcst._parser.parso.python import tokenize
from libcst._parser.parso.python.token import PythonTokenTypes
from libcst._parser.production_decorator import with_production
from libcst._parser.types.config import ParserConfig
from libcst._parser.types.partials import ExceptClausePartial, WithLeadingWhitespace
from libcst._parser.types.token import Token
from libcst._parser.whitespace_parser import (
    parse_empty_lines,
    parse_parenthesizable_whitespace,
    parse_simple_whitespace,
)

# What begins these, as the grammar calls it: `match`, `case` and `(` have other meanings elsewhere.
_MATCH, _CASE, _ITEMS = "$match", "$case", "$("
_NO_ITEMS = {"yield", "for", "async", ":="}
_SINGLETONS = ("None", "True", "False")


def with_soft_keywords(tokens: Iterable[Token]) -> list[Token]:
    """Return tokens with other names for those that begin newer syntax."""
    found: list[Token] = []
    # By depth, whether the lines of a block begin with `case`.
    blocks = [False]
    start, begins = 0, True
    for token in tokens:
        if token.type is PythonTokenTypes.INDENT:
            # Only statements with blocks come before it, and no other one begins so.
            blocks.append(found[start].string == "match")
            if blocks[-1]:
                found[start] = replace(found[start], string=_MATCH)
        elif token.type is PythonTokenTypes.DEDENT:
            blocks.pop()
        elif begins:
            start, begins = len(found), False
            if blocks[-1] and token.string == "case":
                token = replace(token, string=_CASE)
        if token.type is PythonTokenTypes.NEWLINE:
            begins = True
        found.append(token)
    for index, token in enumerate(found):
        if token.string == "with" and _has_items(found, index + 1):
            found[index + 1] = replace(found[index + 1], string=_ITEMS)
    return found


def _has_items(tokens: Sequence[Token], index: int) -> bool:
    """Return whether parentheses contain the items of a ``with``: a colon follows, and they are no expression."""
    depth = 0
    for at in range(index, len(tokens)):
        string = tokens[at].string
        depth += (string in ("(", "[", "{")) - (string in (")", "]", "}"))
        if depth == 0 or (depth == 1 and string in _NO_ITEMS):
            return at > index and string == ")" and tokens[at + 1].string == ":"
    return False


@with_production("match_stmt", f"'{_MATCH}' testlist_star_expr ':' NEWLINE INDENT case_block+ DEDENT")
def convert_match_stmt(config: ParserConfig, children: Sequence[Any]) -> Any:
    keyword, subject, colon, newline, indent, *cases, dedent = children
    return cst.Match(
        subject.value,
        cases,
        leading_lines=parse_empty_lines(config, keyword.whitespace_before),
        whitespace_after_match=parse_simple_whitespace(config, keyword.whitespace_after),
        whitespace_before_colon=parse_simple_whitespace(config, colon.whitespace_before),
        whitespace_after_colon=newline,
        indent=None if indent.relative_indent == config.default_indent else indent.relative_indent,
        footer=parse_empty_lines(
            config, dedent.whitespace_after, override_absolute_indent=indent.whitespace_before.absolute_indent
        ),
    )


@with_production("case_block", f"'{_CASE}' exprlist ['as' NAME] ['if' namedexpr_test] ':' suite")
def convert_case_block(config: ParserConfig, children: Sequence[Any]) -> Any:
    keyword, value, *parts, colon, suite = children
    fields: dict[str, Any] = {"leading_lines": parse_empty_lines(config, keyword.whitespace_before)}
    pattern = _pattern(value.value)
    for word, part in zip(parts[::2], parts[1::2]):
        before = parse_simple_whitespace(config, word.whitespace_before)
        after = parse_simple_whitespace(config, word.whitespace_after)
        if word.string == "as":
            pattern = cst.MatchAs(pattern, cst.Name(part.string), before, after)
        else:
            fields.update(guard=part.value, whitespace_before_if=before, whitespace_after_if=after)
    return cst.MatchCase(
        pattern,
        suite,
        whitespace_after_case=parse_simple_whitespace(config, keyword.whitespace_after),
        whitespace_before_colon=parse_simple_whitespace(config, colon.whitespace_before),
        **fields,
    )


# Patterns are read as expressions; of those that are none there is `as` in parentheses.


def _pattern(node: cst.BaseExpression) -> cst.MatchPattern:
    around: dict[str, Any] = {"lpar": node.lpar, "rpar": node.rpar}
    if isinstance(node, cst.Name) and node.value not in _SINGLETONS:
        name = None if node.value == "_" else node.with_changes(lpar=[], rpar=[])
        return cst.MatchAs(name=name, **around)
    if isinstance(node, cst.Name):
        return cst.MatchSingleton(node)
    if _is_alternative(node):
        return cst.MatchOr(_alternatives(node), **around)
    if isinstance(node, cst.List):
        brackets = {"lbracket": node.lbracket, "rbracket": node.rbracket}
        return cst.MatchList(_elements(node.elements), **brackets, **around)
    if isinstance(node, cst.Tuple):
        elements = _elements(node.elements)
        return cst.MatchTuple(elements, **around) if node.lpar else cst.MatchList(elements, **around)
    if isinstance(node, cst.Dict):
        return _mapping(node).with_changes(**around)
    if isinstance(node, cst.Call):
        return _class(node).with_changes(**around)
    return cst.MatchValue(node)


def _is_alternative(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr)


def _alternatives(node: Any) -> list[cst.MatchOrElement]:
    left = _alternatives(node.left) if _is_alternative(node.left) and not node.left.lpar else [_alternative(node.left)]
    return [*left[:-1], left[-1].with_changes(separator=node.operator), _alternative(node.right)]


def _alternative(node: cst.BaseExpression) -> cst.MatchOrElement:
    return cst.MatchOrElement(_pattern(node))


def _elements(nodes: Sequence[cst.BaseElement]) -> list[cst.MatchSequenceElement | cst.MatchStar]:
    return [
        cst.MatchStar(_rest(each.value), each.comma, each.whitespace_before_value)
        if isinstance(each, cst.StarredElement)
        else cst.MatchSequenceElement(_pattern(each.value), each.comma)
        for each in nodes
    ]


def _rest(node: cst.BaseExpression) -> cst.Name | None:
    assert isinstance(node, cst.Name)
    return node if node.value != "_" else None


def _mapping(node: cst.Dict) -> cst.MatchMapping:
    found = cst.MatchMapping(lbrace=node.lbrace, rbrace=node.rbrace)
    for each in node.elements:
        if isinstance(each, cst.StarredDictElement):
            comma = each.comma if isinstance(each.comma, cst.Comma) else None
            space = each.whitespace_before_value
            return found.with_changes(rest=each.value, whitespace_before_rest=space, trailing_comma=comma)
        assert isinstance(each, cst.DictElement)
        spaces = each.whitespace_before_colon, each.whitespace_after_colon
        element = cst.MatchMappingElement(each.key, _pattern(each.value), each.comma, *spaces)
        found = found.with_changes(elements=[*found.elements, element])
    return found


def _class(node: cst.Call) -> cst.MatchClass:
    plain, named = [], []
    for each in node.args:
        pattern, equal = _pattern(each.value), each.equal
        if each.keyword is None or not isinstance(equal, cst.AssignEqual):
            plain.append(cst.MatchSequenceElement(pattern, each.comma))
        else:
            spaces = equal.whitespace_before, equal.whitespace_after
            named.append(cst.MatchKeywordElement(each.keyword, pattern, each.comma, *spaces))
    return cst.MatchClass(
        node.func,
        plain,
        named,
        whitespace_after_cls=node.whitespace_after_func,
        whitespace_before_patterns=node.whitespace_before_args,
        whitespace_after_kwds=node.args[-1].whitespace_after_arg if node.args else cst.SimpleWhitespace(""),
    )


@dataclass(frozen=True)
class _StarredClause(ExceptClausePartial):
    before_star: Any = None
    after_star: Any = None


@with_production("except_clause", "'except' ['*'] [test ['as' NAME]]")
def convert_except_clause(config: ParserConfig, children: Sequence[Any]) -> Any:
    keyword, *others = children
    if not others or not isinstance(others[0], Token):
        return statements.convert_except_clause(config, children)
    before = parse_simple_whitespace(config, keyword.whitespace_after)
    after = parse_simple_whitespace(config, others[0].whitespace_after)
    plain = statements.convert_except_clause(config, [keyword, *others[1:]])
    return _StarredClause(plain.leading_lines, cst.SimpleWhitespace(" "), plain.type, plain.name, before, after)


@with_production(
    "try_stmt",
    "'try' ':' suite ((except_clause ':' suite)+ ['else' ':' suite] ['finally' ':' suite] | 'finally' ':' suite)",
)
def convert_try_stmt(config: ParserConfig, children: Sequence[Any]) -> Any:
    plain = statements.convert_try_stmt(config, children)
    clauses = [each for each in children if isinstance(each, _StarredClause)]
    if not clauses:
        return plain
    handlers = [
        cst.ExceptStarHandler(
            each.body, each.type, each.name, each.leading_lines, clause.before_star, clause.after_star,
            each.whitespace_before_colon,
        )
        for each, clause in zip(plain.handlers, clauses)
    ]  # fmt: skip
    return cst.TryStar(
        plain.body, handlers, plain.orelse, plain.finalbody, plain.leading_lines, plain.whitespace_before_colon
    )


@with_production(
    "with_stmt",
    f"'with' ('{_ITEMS}' with_item (',' with_item)* [','] ')' | with_item (',' with_item)*) ':' suite",
)
def convert_with_stmt(config: ParserConfig, children: Sequence[Any]) -> Any:
    keyword, first, *others = children
    if not isinstance(first, Token):
        return statements.convert_with_stmt(config, children)
    *items, closing, colon, suite = others
    left = cst.LeftParen(parse_parenthesizable_whitespace(config, first.whitespace_after))
    trailing = items.pop() if isinstance(items[-1], Token) else None
    made = statements.convert_with_stmt(config, [keyword, *items, colon, suite])
    *before, last = made.value.items
    if trailing is not None:
        space = parse_parenthesizable_whitespace(config, trailing.whitespace_before)
        last = last.with_changes(comma=cst.Comma(space))
    right = cst.RightParen(parse_parenthesizable_whitespace(config, closing.whitespace_before))
    return replace(made, value=made.value.with_changes(items=[*before, last], lpar=left, rpar=right))


@with_production("subscript", "'*' expr | test | [test] ':' [test] [sliceop]")
def convert_subscript(config: ParserConfig, children: Sequence[Any]) -> Any:
    first = children[0]
    if not isinstance(first, Token) or first.string != "*":
        return expressions.convert_subscript(config, children)
    space = parse_parenthesizable_whitespace(config, first.whitespace_after)
    return WithLeadingWhitespace(cst.Index(children[1].value, "*", space), first.whitespace_before)


@with_production("decorator", "'@' namedexpr_test NEWLINE")
def convert_decorator(config: ParserConfig, children: Sequence[Any]) -> Any:
    sign, value, newline = children
    return cst.Decorator(
        value.value,
        leading_lines=parse_empty_lines(config, sign.whitespace_before),
        whitespace_after_at=parse_simple_whitespace(config, sign.whitespace_after),
        trailing_whitespace=newline,
    )


@with_production(
    "compound_stmt", "if_stmt | while_stmt | asyncable_stmt | try_stmt | classdef | decorated | match_stmt"
)
def convert_compound_stmt(config: ParserConfig, children: Sequence[Any]) -> Any:
    return statements.convert_compound_stmt(config, children)


_end_of_f_string = tokenize._close_fstring_if_necessary
_part_of_f_string = tokenize._find_fstring_string


def _ended(stack: list[Any], text: str, place: Any, prefix: str) -> Any:
    """Return the end of an f-string: only that of the innermost one, and none in its expressions."""
    innermost = stack[-1:]
    if innermost[0].is_in_expr():
        return None, prefix, 0
    found = _end_of_f_string(innermost, text, place, prefix)
    if not innermost:
        stack.pop()
    return found


def _part(ends: Any, stack: list[Any], line: str, row: int, column: int) -> Any:
    """Return the text of an f-string up to the next expression, or its own end."""
    return _part_of_f_string(ends, stack[-1:], line, row, column)


def extend() -> None:
    """Add it to the parser."""
    vars(tokenize).update(_close_fstring_if_necessary=_ended, _find_fstring_string=_part)
    own = (
        convert_except_clause, convert_try_stmt, convert_with_stmt, convert_subscript, convert_decorator,
        convert_compound_stmt,
    )  # fmt: skip
    named = {each.__name__: each for each in own}
    known: Iterator[Any] = (named.get(each.__name__, each) for each in grammar._NONTERMINAL_CONVERSIONS_SEQUENCE)
    vars(grammar)["_NONTERMINAL_CONVERSIONS_SEQUENCE"] = (*known, convert_match_stmt, convert_case_block)
