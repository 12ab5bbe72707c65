"""libcst's parser where its compiled one is not there: libcst still holds the one that is written in Python.

It knows the grammar of Python 3.8, and what newer_grammar.py adds. A definition with other syntax (type parameters) is
not parsed until Pyodide has installed libcst with the compiled one.
"""

from __future__ import annotations

import ast
import importlib
import sys
import sysconfig
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import libcst
import newer_grammar
from libcst._nodes.base import CSTNode
from libcst._parser.detect_config import detect_config
from libcst._parser.grammar import get_grammar
from libcst._parser.python_parser import PythonCSTParser
from libcst._parser.types.config import PartialParserConfig

newer: set[str] = set()
"""Code that has been asked for and not parsed, though Python knows its syntax."""
_NEWER = "type x = int\n"


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
        tokens=newer_grammar.with_soft_keywords(detected.tokens),
        config=detected.config,
        start_nonterminal=start,
        pgen_grammar=grammar,
    )
    try:
        found = parser.parse()
    except libcst.ParserSyntaxError:
        if _is_python(source):
            newer.add(source)
        raise
    assert isinstance(found, CSTNode)
    return found


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


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
    newer_grammar.extend()
    _native(_pure())


def use_compiled() -> bool:
    """Have the compiled parser be ``libcst.native``, if Pyodide has installed one that works here."""
    importlib.invalidate_caches()
    spec = PathFinder.find_spec("libcst.native", [str(Path(sysconfig.get_path("platlib"), "libcst"))])
    if spec is None or spec.loader is None:
        return False
    try:
        compiled = module_from_spec(spec)
        spec.loader.exec_module(compiled)
        _native(compiled)
        assert libcst.parse_module(_NEWER).code == _NEWER
    except Exception:
        _native(_pure())
        return False
    return True


def _native(module: ModuleType) -> None:
    sys.modules["libcst.native"] = module
    vars(libcst)["native"] = module


def _pure() -> ModuleType:
    native = ModuleType("libcst.native")
    vars(native).update(parse_module=parse_module, parse_statement=parse_statement, parse_expression=parse_expression)
    return native
