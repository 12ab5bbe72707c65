"""libcst's parser where its compiled one is not there: libcst still holds the one that is written in Python.

It knows the grammar of Python 3.8: a definition with newer syntax (``match``, ``except*``) is not parsed.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from libcst._nodes.base import CSTNode
from libcst._parser.detect_config import detect_config
from libcst._parser.grammar import get_grammar
from libcst._parser.python_parser import PythonCSTParser
from libcst._parser.types.config import PartialParserConfig


def _parse(start: str, source: str, *, module: bool) -> CSTNode:
    # Trees of the compiled parser say which line ending and indentation they found, statements the default ones.
    partial: Any = (
        PartialParserConfig(python_version="3.8")
        if module
        else PartialParserConfig(python_version="3.8", default_indent="    ", default_newline="\n")
    )
    detected = detect_config(
        source, partial=partial, detect_trailing_newline=module or start == "stmt_input", detect_default_newline=module
    )
    grammar = get_grammar(detected.config.version, detected.config.future_imports)
    parser = PythonCSTParser(
        tokens=detected.tokens, config=detected.config, start_nonterminal=start, pgen_grammar=grammar
    )
    found = parser.parse()
    assert isinstance(found, CSTNode)
    return found


def parse_module(source: str, encoding: str = "utf-8") -> CSTNode:
    """A file."""
    return _parse("file_input", source, module=True)


def parse_statement(source: str) -> CSTNode:
    """A statement with the end of its line."""
    return _parse("stmt_input", source, module=False)


def parse_expression(source: str) -> CSTNode:
    """An expression."""
    return _parse("expression_input", source, module=False)


def install() -> None:
    """Be ``libcst.native``."""
    native = ModuleType("libcst.native")
    vars(native).update(parse_module=parse_module, parse_statement=parse_statement, parse_expression=parse_expression)
    sys.modules["libcst.native"] = native
