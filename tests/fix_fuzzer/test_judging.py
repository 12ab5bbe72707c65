"""Tests what the fuzzer for fixes reports as a broken promise, for texts and wrongly fixed texts."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
HEAD = "import random\nimport torch\nimport torch.nn as nn\n\n\n"
NET = """\
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(n)])
        self.count = 0

    def forward(self, x, k: int = 1):
        BODY
        return RESULT
"""


class Case(NamedTuple):
    """A body and a result, those that a fix would write, and the kind of failure; None if there is none."""

    body: str
    result: str
    other_body: str
    other_result: str
    kind: str | None


CASES = {
    "nothing": Case("y = x + 1", "y", "z = x + 1", "z", None),
    "another number": Case("pass", "x + 1", "pass", "x + 2", "changed result"),
    "an int for a float": Case("pass", "1.0", "pass", "1", "changed result"),
    "a bool for an int": Case("pass", "1", "pass", "True", "changed result"),
    "a list for a tuple": Case("pass", "(x, x)", "pass", "[x, x]", "changed result"),
    "another dtype": Case("pass", "torch.full((2,), 0)", "pass", "torch.full((2,), 0.0)", "changed result"),
    "another order": Case("pass", "{'a': x, 'b': x}", "pass", "{'b': x, 'a': x}", "changed result"),
    "NaN is NaN": Case("pass", "x * float('nan')", "y = x * float('nan')", "y", None),
    "no gradient": Case("pass", "self.layers[0](x)", "pass", "self.layers[0](x).detach()", "changed result"),
    "an exception": Case("pass", "x", "raise KeyError('a')", "x", "changed result"),
    "no exception": Case("raise KeyError('a')", "x", "pass", "x", "changed result"),
    "another exception": Case("raise KeyError('a')", "x", "raise IndexError('a')", "x", "other exception"),
    "another argument": Case("y = x + 1", "y", "y = x.add_(1)", "y", "changed argument"),
    "another print": Case("print('a')", "x", "pass", "x", "changed print"),
    "another draw": Case("y = random.random()", "x", "pass", "x", "changed draws"),
    "a draw of torch": Case("pass", "x", "y = torch.rand(1)", "x", "changed draws"),
    "an attribute": Case("self.count += 1", "x", "self.count += 2", "x", "changed attribute"),
    "the second call": Case("self.count += 1", "self.count", "self.count = 1", "self.count", "changed result"),
    "no end": Case("pass", "x", "while True: pass", "x", "changed result"),
    "no compilation": Case("pass", "x", "if x.sum() > 99: y = lambda: 1", "x", "stops compiling"),
    "a compiled exception": Case(
        "pass", "x", "if torch.jit.is_scripting(): raise RuntimeError('a')", "x", "stops running"
    ),
    "another compiled result": Case("pass", "x", "if torch.jit.is_scripting(): x = x + 1", "x", "compiled changed"),
    "newly another result": Case(
        "y = lambda: 1", "x", "if torch.jit.is_scripting(): x = x + 1", "x", "scripted differs unannounced"
    ),
    "newly an exception": Case(
        "y = lambda: 1", "x", "if torch.jit.is_scripting(): raise RuntimeError('a')", "x",
        "scripted raises unannounced",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    """Import the package beside the script."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    sys.path.insert(0, str(SCRIPTS))
    try:
        from random_modules import judging, running
        from random_modules import modules as made

        running.prepare()
        yield judging, made
    finally:
        sys.path.remove(str(SCRIPTS))
        # Without this, frozen modules in later tests cannot run.
        torch._C._set_graph_executor_optimize(True)
        torch.set_num_threads(threads)
        logging.disable(logging.NOTSET)


def kinds(modules: Any, before: str, after: str, *, safe: bool = True, risks: frozenset[Any] = frozenset()) -> set[str]:
    judging, made = modules
    one = made.Made(HEAD + before, ("Net()", "Net(n=3)"), ("t(0, 2, 4)", "t(1, 3, 4), k=2"))
    variant = judging.Variant("safe", HEAD + after, safe, risks, False, [])
    return {each.kind for each in judging.Reference(one).failures(variant)}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_how_a_change_is_classified(modules: Any, name: str) -> None:
    case = CASES[name]
    before = NET.replace("BODY", case.body).replace("RESULT", case.result)
    after = NET.replace("BODY", case.other_body).replace("RESULT", case.other_result)
    found = kinds(modules, before, after)
    assert found == set() if case.kind is None else case.kind in found


@pytest.mark.slow
def test_keys_and_signatures(modules: Any) -> None:
    net = NET.replace("BODY", "pass").replace("RESULT", "x")
    assert kinds(modules, net, net.replace("self.layers", "self.blocks")) >= {"lost keys"}
    assert kinds(modules, net, net.replace(", k: int = 1", "")) >= {"refused argument"}
    assert kinds(modules, net, net.replace("(self, n=2)", "(self)").replace("= n", "= 2")) >= {"changed result"}


@pytest.mark.slow
def test_unsafe_fixes_may_raise_another_exception_and_say_what_they_risk(modules: Any) -> None:
    from tslint.diagnostics import Risk

    net = NET.replace("RESULT", "x")
    one, other = net.replace("BODY", "raise KeyError('a')"), net.replace("BODY", "raise IndexError('a')")
    assert kinds(modules, one, other, safe=False) == set()
    one = net.replace("BODY", "y = lambda: 1")
    for body, risk in (("x = x + 1", Risk.DIFFERS), ("raise RuntimeError('a')", Risk.RAISES)):
        other = net.replace("BODY", f"if torch.jit.is_scripting(): {body}")
        assert kinds(modules, one, other, safe=False)
        assert kinds(modules, one, other, safe=False, risks=frozenset({risk})) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param("Optional[float]", set(), id="the author's own type, and None"),
        pytest.param("Optional[bool]", {"scripted raises unannounced"}, id="a type that the fix made up"),
    ],
)
def test_values_that_the_author_s_annotation_refuses(modules: Any, annotation: str, expected: set[str]) -> None:
    judging, made = modules
    head = HEAD + "from typing import Optional\n"
    before = head + NET.replace("BODY", "pass").replace("RESULT", "x").replace("k: int = 1", "k: float = None")
    after = before.replace("k: float", f"k: {annotation}")
    one = made.Made(before, ("Net()",), ("t(0, 2, 4), t(1, 2)",))
    variant = judging.Variant("safe", after, True, frozenset(), False, [])
    assert {each.kind for each in judging.Reference(one).failures(variant)} == expected


@pytest.mark.slow
def test_what_was_compiled_before_does_not_matter(modules: Any) -> None:
    """Only the first type of a class has the class's name in the compiler, and `isinstance` compares names."""
    judging, made = modules
    body = "if isinstance(self.layers[0], nn.Linear): x = x + 1"
    text = HEAD + NET.replace("BODY", body).replace("RESULT", "x")
    for size in (4, 8):
        one = made.Made(text.replace("nn.Linear(4, 4)", f"nn.Linear(4, {size})"), ("Net()",), ("t(0, 2, 4)",))
        reference = judging.Reference(one)
        assert judging.same(reference.scripted["Net()"].calls[0].value, reference.eager["Net()"].calls[0].value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        pytest.param("List[torch.Tensor]", set(), id="the author says list"),
        pytest.param("Tuple[torch.Tensor, torch.Tensor]", {"scripted differs unannounced"}, id="a fix says list"),
    ],
)
def test_tuples_that_the_author_calls_lists(modules: Any, returns: str, expected: set[str]) -> None:
    judging, made = modules
    head = HEAD + "from typing import List, Tuple\n"
    before = head + NET.replace("BODY", "y = lambda: 1").replace("RESULT", "x, x")
    before = before.replace("k: int = 1)", f"k: int = 1) -> {returns}")
    after = before.replace("y = lambda: 1", "pass").replace("Tuple[torch.Tensor, torch.Tensor]", "List[torch.Tensor]")
    one = made.Made(before, ("Net()",), ("t(0, 2, 4)",))
    variant = judging.Variant("safe", after, True, frozenset(), False, [])
    assert {each.kind for each in judging.Reference(one).failures(variant)} == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("annotation", "factor", "expected"),
    [
        pytest.param("float", "k", set(), id="the author says float"),
        pytest.param("float", "(k + 1)", set(), id="and computes with it"),
        pytest.param("int", "k", {"scripted differs unannounced"}, id="a fix says float"),
    ],
)
def test_ints_that_the_author_calls_floats(modules: Any, annotation: str, factor: str, expected: set[str]) -> None:
    judging, made = modules
    before = HEAD + NET.replace("BODY", "y = lambda: 1").replace("RESULT", f"x * {factor}")
    before = before.replace("k: int", f"k: {annotation}")
    after = before.replace("y = lambda: 1", "pass").replace("k: int", "k: float")
    one = made.Made(before, ("Net()",), ("t(0, 2, 4).long()",))
    variant = judging.Variant("safe", after, True, frozenset(), False, [])
    assert {each.kind for each in judging.Reference(one).failures(variant)} == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "calls"),
    [
        pytest.param("self.count += 1", ("t(0, 2, 4)", "t(1, 2, 4), 1.5", "t(2, 2, 4)"), id="each call counts"),
        pytest.param(
            "self.count = self.count if self.count > 0 else x.size(0)",
            ("t(0, 2, 4), 1.5", "t(1, 3, 4)", "t(0, 2, 4), 1.5"),
            id="the first call counts",
        ),
    ],
)
def test_calls_after_one_that_only_compiled_code_refuses_begin_with_another_state(
    modules: Any, body: str, calls: tuple[str, ...]
) -> None:
    judging, made = modules
    before = HEAD + NET.replace("BODY", f"{body}; y = lambda: 1").replace("RESULT", "x * k * self.count")
    after = before.replace("y = lambda: 1", "pass")
    one = made.Made(before, ("Net()",), calls)
    variant = judging.Variant("safe", after, True, frozenset(), False, [])
    assert not list(judging.Reference(one).failures(variant))
