"""Tests the static model of the front end against the installed compiler: all nodes, the cases, and much real code."""

from __future__ import annotations

import ast
import inspect
import json
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch.jit.frontend import ExprBuilder, StmtBuilder

from tests.rules.compiler import Verdict, the_compiler
from tests.rules.driver import compiled_functions
from tests.script.frontend_cases import BODIES
from tslint.rulekit.registry import rules_by_event
from tslint.script.events import Event, syntax
from tslint.script.events import kinds as kinds_of_events
from tslint.script.events.annotation import TypeComment
from tslint.script.frontend import front_end_events
from tslint.script.frontend.builder import BUILDERS, REFUSED
from tslint.sources import reading
from tslint.sources.file import SourceFile

KINDS = {kind.kind for kind in kinds_of_events() if kind is TypeComment or kind.__module__ == syntax.__name__}
HEAD = "from typing import *\nimport torch\nimport torch.nn as nn\nfrom torch import Tensor\n\n"
ROOT = Path(__file__).parents[2]
SNIPPETS = [json.loads(line) for line in (ROOT / "tests/conformance/snippets.jsonl").read_text("utf-8").splitlines()]
STANDARD_LIBRARY = Path(sysconfig.get_paths()["stdlib"])

# Python itself rejects them outside of `async def`, which the compiler rejects as a whole.
ONLY_ASYNC = {"AsyncFor", "AsyncWith", "Await"}
# Parts of other nodes, whose builders read them; and names that Python keeps for code from before 3.8.
INSIDE_OTHERS = {"Slice", "FormattedValue", "Interpolation"}
FORMER = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}


def wrapped(body: str) -> str:
    """Return a case as a file."""
    if body.startswith(("def ", "async def ", "class M(")):
        return HEAD + body + "\n"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}def f(x, l: List[int], d: Dict[str, int], n: int):\n{lines}    return x\n"


def events(text: str) -> list[Event]:
    source, found = SourceFile(Path("/case.py"), text), []
    for function, is_method in compiled_functions(ast.parse(text)):
        found += list(front_end_events(function, source, is_method=is_method))
    return found


def agrees(verdict: Verdict, found: list[Event]) -> bool:
    """Return whether the first event matches the compiler's error: the message and the line."""
    if verdict.ok or not found:
        return verdict.ok and not found
    first = found[0]
    said = verdict.message.startswith(first.compiler) or first.compiler in verdict.message
    return said and (not verdict.lines or verdict.lines[0] == first.span.row)


def cases() -> list[str]:
    return [body.strip("\n") for body in BODIES.split("\n\n") if body.strip()]


@pytest.mark.parametrize("body", cases())
def test_a_case_is_judged_as_the_compiler_does(body: str) -> None:
    text = wrapped(body)
    verdict, found = the_compiler()(text), events(text)
    assert agrees(verdict, found), (verdict.message, found)


def nodes(base: type[ast.AST]) -> list[str]:
    """Return names of the node types of the running Python, without abstract ones."""
    return sorted(
        name
        for name, value in inspect.getmembers(ast, inspect.isclass)
        if issubclass(value, base) and value is not base and name not in FORMER
    )


@pytest.mark.parametrize("name", nodes(ast.stmt) + nodes(ast.expr))
def test_every_node_type_has_a_builder_or_a_rule(name: str) -> None:
    built = hasattr(StmtBuilder, f"build_{name}") or hasattr(ExprBuilder, f"build_{name}")
    if name in INSIDE_OTHERS:
        assert not built
        return
    kind = getattr(ast, name)
    assert built == (kind in BUILDERS or name == "AnnAssign")
    if not built:
        assert rules_by_event().get(REFUSED[kind][0].kind), f"no rule answers {REFUSED[kind][0].kind}"


def seen() -> set[str]:
    """Return the names of all node types in the cases."""
    return {type(node).__name__ for body in cases() for node in ast.walk(ast.parse(wrapped(body)))}


@pytest.mark.parametrize("name", [*nodes(ast.stmt), *nodes(ast.expr), *nodes(ast.operator), *nodes(ast.unaryop)])
def test_every_node_type_stands_in_a_case_that_the_compiler_judges(name: str) -> None:
    # These need a newer Python than the oldest one on which tslint runs or, for the last, an enclosing function: a
    # snippet has one.
    elsewhere = {"TryStar", "TypeAlias", "TemplateStr", "Interpolation", "Nonlocal"}
    assert name in seen() | ONLY_ASYNC | elsewhere


def test_operators_are_those_of_the_compiler_s_tables() -> None:
    def kinds(statement: str) -> list[str]:
        return [event.kind for event in events(wrapped(statement))]

    for operator in nodes(ast.operator):
        node = ast.AugAssign(ast.Name("n", ast.Store()), getattr(ast, operator)(), ast.Constant(2))
        taken = getattr(ast, operator) in StmtBuilder.augassign_map
        assert (kinds(ast.unparse(ast.fix_missing_locations(node))) == []) == taken
        assert getattr(ast, operator) in ExprBuilder.binop_map
    for operator in nodes(ast.unaryop):
        node = ast.Expr(ast.UnaryOp(getattr(ast, operator)(), ast.Name("n", ast.Load())))
        taken = getattr(ast, operator) in ExprBuilder.unop_map
        assert (kinds(ast.unparse(ast.fix_missing_locations(node))) == []) == taken
    assert {getattr(ast, name) for name in nodes(ast.cmpop)} == set(ExprBuilder.cmpop_map)
    assert {getattr(ast, name) for name in nodes(ast.boolop)} == set(ExprBuilder.boolop_map)


def test_every_kind_of_event_has_a_rule() -> None:
    answered = {kind for kind in KINDS if kind in rules_by_event()}
    # Type comments belong to the family of annotations.
    assert KINDS - answered <= {"type-comment"}


def test_every_kind_of_event_is_raised_by_a_case() -> None:
    raised = {event.kind for body in cases() for event in events(wrapped(body))}
    raised |= {event.kind for event in lambda_events()}
    unreachable = {"async-construct", "nonlocal-statement"}
    newer = {"except-star", "type-alias", "template-string", "starred-index", "unsupported-node"}
    assert KINDS - raised <= unreachable | newer


def lambda_events() -> list[Event]:
    text = "f = lambda x: x\n"
    node = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda))
    return list(front_end_events(node, SourceFile(Path("/case.py"), text)))


def front_end_snippets() -> list[Any]:
    """Return snippets that the front end rejects for their own text; C++ also reports FrontendError for calls of
    classes.
    """
    refusals = ("UnsupportedNodeError", "NotSupportedError", "FrontendError")
    return [
        snippet
        for snippet in SNIPPETS
        if snippet.get("type") in refusals and snippet["lines"] and "Cannot instantiate" not in snippet["message"]
    ]


@pytest.mark.parametrize("snippet", front_end_snippets(), ids=lambda snippet: snippet["title"])
def test_a_refused_snippet_has_an_event_on_the_compiler_s_line(snippet: dict[str, Any]) -> None:
    source, tree = SourceFile(Path("/snippet.py"), snippet["source"]), ast.parse(snippet["source"])
    found = [
        event
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for event in front_end_events(function, source)
    ]
    said = [event for event in found if event.span.row == snippet["lines"][0]]
    assert any(snippet["message"].startswith(event.compiler) for event in said), found


# The code of these snippets is not compiled, or is compiled in another form.
NOT_COMPILED = {"decorator", "child in plain python attr list: not compiled"}


def test_accepted_snippets_have_no_event() -> None:
    accepted = [snippet for snippet in SNIPPETS if snippet["verdict"] == "ok" and snippet["title"] not in NOT_COMPILED]
    assert len(accepted) > 200
    wrong = [(snippet["title"], found) for snippet in accepted if (found := events(snippet["source"]))]
    assert wrong == []


@given(st.lists(st.sampled_from([body for body in cases() if not body.startswith(("def ", "async ", "class M("))])))
def test_mistakes_are_found_each_on_its_own(bodies: list[str]) -> None:
    """Consecutive statements have the same errors as each has alone (the emitter may not reach all of them)."""
    alone: Counter[str] = Counter()
    for body in bodies:
        alone.update(event.kind for event in events(wrapped(body)) if not isinstance(event, syntax.EmittedSyntax))
    together = events(wrapped("\n".join(bodies))) if bodies else []
    assert Counter(event.kind for event in together if not isinstance(event, syntax.EmittedSyntax)) == alone


def test_a_mistake_inside_a_try_block_is_reported_too() -> None:
    text = wrapped("try:\n    y = lambda: 1\nexcept ValueError:\n    raise\nfinally:\n    n //= 2")
    assert [event.kind for event in events(text)] == ["try-block", "lambda", "augmented-assignment"]


def test_nothing_is_reported_inside_a_nested_function() -> None:
    text = wrapped("pass\ndef h():\n    try:\n        pass\n    finally:\n        yield {1}\ny = lambda: {1}")
    assert [event.kind for event in events(text)] == ["nested-function", "lambda"]


def test_the_body_of_the_ignore_context_manager_is_not_compiled() -> None:
    text = wrapped("with torch.jit._IgnoreContextManager(x='inp:Tensor'):\n    y = {1}\n    ...")
    assert events(text) == []


def test_what_may_be_pruned_is_conditional() -> None:
    (event,) = events(wrapped("if isinstance(x, Tensor):\n    pass\nelse:\n    ..."))
    assert event.kind == "ellipsis-value" and event.condition is not None


def test_init_of_a_script_class_may_annotate_attributes() -> None:
    text = "class C:\n    def __init__(self):\n        self.a: int = 3\n"
    function = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    source = SourceFile(Path("/case.py"), text)
    assert list(front_end_events(function, source, is_init=True, is_method=True)) == []
    assert [event.kind for event in front_end_events(function, source)] == ["attribute-annotation"]


def test_deep_trees_are_no_trouble() -> None:
    source = SourceFile(Path("/case.py"), "def f(x):\n    if x:\n        ...\n")
    function = ast.parse(source.text).body[0]
    assert isinstance(function, ast.FunctionDef) and isinstance(function.body[0], ast.If)
    test: ast.expr = ast.Set([ast.Name("x", ast.Load())])
    for _ in range(10_000):
        test = ast.UnaryOp(ast.Not(), ast.Attribute(ast.BinOp(test, ast.Add(), test), "a", ast.Load()))
        test = ast.UnaryOp(ast.Not(), ast.BoolOp(ast.And(), [test.operand.value.left]))  # type: ignore[attr-defined]
    function.body[0].test = test
    assert [event.kind for event in front_end_events(function, source)] == ["set-literal", "ellipsis-value"]


def test_long_ladders_are_no_trouble() -> None:
    rungs = 900 * "    elif x > 1:\n        return {1}\n"
    source = SourceFile(Path("/case.py"), f"def g(x):\n    if x > 0:\n        return 1\n{rungs}    ...\n")
    function = ast.parse(source.text).body[0]
    assert isinstance(function, ast.FunctionDef)
    kinds = Counter(event.kind for event in front_end_events(function, source))
    assert kinds == {"set-literal": 900, "ellipsis-value": 1}


@pytest.mark.parametrize("folder", ["asyncio", "collections", "email", "importlib", "test", "."])
def test_it_never_fails_on_real_code(folder: str) -> None:
    paths = sorted((STANDARD_LIBRARY / folder).glob("*.py"))[:40]
    seen_kinds: Counter[str] = Counter()
    for path in paths:
        source = reading.read(path)
        try:
            tree = ast.parse(source.text)
        except SyntaxError:
            # These files test Python's parser.
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                for event in front_end_events(node, source, is_method=True):
                    assert event.kind in KINDS
                    assert node.lineno - 50 <= event.span.row <= event.span.end_row <= len(source.lines)
                    seen_kinds[event.kind] += 1
    assert seen_kinds.total() > 10
