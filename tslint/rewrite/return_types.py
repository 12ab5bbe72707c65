"""Functions whose returns have several types: the test that chooses one, and the annotation that names them all."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.static_branch import decided_tests
from tslint.rewrite.type_wording import elements, function, inside, optional_inside, place, replace, spelled
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.guards import guards, leaves


def one_return(match: Match, first: ast.AST, second: ast.AST) -> Fix | None:
    """A fix after which the compiler sees one of two returns only."""
    held = function(match)
    if held is None:
        return None
    tests: list[ast.expr] = []
    for node in (first, second):
        for guard in guards(held, node):
            if not any(guard.test is test for test in tests):
                tests.append(guard.test)
    return decided_tests(match, tests)


def annotated_union(match: Match, returns: Sequence[tuple[object, object, ast.AST]]) -> Fix | None:
    """Annotate a function without annotation as a Union of what it returns.

    Args:
        match: the event.
        returns: of every return the tests of the constructor, the type and the statement.
    """
    held, unit = function(match), match.event.unit
    if held is None or unit is None or held.returns is not None or not leaves(held.body):
        return None
    # Compiled callers get the Union, and can do little with it.
    if any(reach.caller is not None for reach in unit.reached) or any(type_ is None for _, type_, _ in returns):
        return None
    types = list(dict.fromkeys(str(type_).replace(" (inferred)", "") for _, type_, _ in returns))
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in inside(match)):
        return None
    found = spelled(match, f"Union[{', '.join(types)}]")
    if found is None:
        return None
    text, imports = found
    _, end = place(match, held.args.args[-1]) if held.args.args else place(match, held)
    start = match.source.offset(end)
    colon = _colon(match, held, start)
    if colon is None:
        return None
    at = match.source.position(colon)
    return safe(f"Annotate `-> {text}`", Edit(at, at, f" -> {text}"), *imports)


def corrected(match: Match, declared: str, actual: str) -> Fix | None:
    """Annotate a function with what its only return gives, where the annotation cannot be meant as it stands.

    Args:
        match: the event.
        declared, actual: the types of the annotation and of the value.
    """
    held = function(match)
    if held is None or held.returns is None:
        return None
    returns = [node for node in walking.walk(held) if isinstance(node, ast.Return) and node.value is not None]
    found = spelled(match, _both(declared, actual.replace(" (inferred)", "")))
    if len(returns) != 1 or found is None:
        return None
    if match.event.condition is not None:
        # Each construction has a type of its own, which the compiler finds.
        start, end = place(match, held.returns)
        arrow = match.source.text.rfind("->", 0, match.source.offset(start))
        before = match.source.text[:arrow].rstrip()
        if not before.endswith(")"):
            return None
        edit = Edit(match.source.position(len(before)), end, "")
        return unsafe("Leave out the annotation", edit, risks=(Risk.ASSUMES,))
    text, imports = found
    edit = replace(match, held.returns, text)
    return unsafe(f"Annotate `-> {text}` (callers get that)", edit, *imports, risks=(Risk.ASSUMES,))


def _both(declared: str, actual: str) -> str:
    """A type that a value has, as close to its annotation as it can be."""
    maybe, given = optional_inside(declared), optional_inside(actual)
    if maybe is not None:
        return declared if actual == "NoneType" else f"Optional[{_both(maybe, given or actual)}]"
    wanted, parts = elements(declared), elements(actual)
    if len(wanted) == len(parts) > 0:
        return f"Tuple[{', '.join(map(_both, wanted, parts))}]"
    return actual


def _colon(match: Match, held: ast.FunctionDef | ast.AsyncFunctionDef, start: int) -> int | None:
    """The offset of the colon that ends a function's header."""
    body, _ = place(match, held.body[0])
    text = match.source.text
    end = match.source.offset(body)
    closing = text.rfind(")", start, end)
    while closing != -1:
        rest = text[closing + 1 : end].lstrip()
        if rest.startswith(":") and "#" not in text[text.rfind("\n", 0, closing) + 1 : closing]:
            return closing + 1
        closing = text.rfind(")", start, closing)
    return None
