"""Tests static conditions: each row asks the installed compiler and the static model.

A pruned branch contains an undefined name, which is an error only if the branch is compiled.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, events

NET = """
class Sub(nn.Module):
    def forward(self, x):
        return x


class Net(nn.Module):
    __constants__ = ["listed", "number", "pair"]
    final: Final[bool]
    maybe: Optional[int]

    def __init__(self):
        super().__init__()
        self.final = True
        self.listed = True
        self.number = 1
        self.pair = (True, False)
        self.plain = True
        self.nothing = None
        self.maybe = None
        self.sub = Sub()

    @property
    def prop(self) -> int:
        return 1

    def helper(self) -> bool:
        return torch.jit.is_scripting()

    def forward(self, x: Tensor, unannotated=None, option: Optional[int] = None):
        local = torch.jit.is_scripting()
        if {test}:
            return x
        return undefined_name(x)


scripted = torch.jit.script(Net())
"""
# Tests whose branch with the undefined name is pruned; `False` if the branches are in the other order.
PRUNES = [
    "torch.jit.is_scripting()",
    "not not torch.jit.is_scripting()",
    "bool(torch.jit.is_scripting())",
    "True",
    "not False",
    "self.final",
    "self.listed",
    "self.nothing is None",
    "not (self.nothing is not None)",
    "x is not None",
    "self.sub is not None",
    "self.number is not None",
    "unannotated is not None",
    "isinstance(x, Tensor)",
    "not isinstance(x, int)",
    "hasattr(self, 'plain')",
    "not hasattr(self, 'missing')",
    "not hasattr(self, 'prop')",
    "hasattr(self.sub, 'training')",
    "torch.jit.is_scripting() or self.plain",
    "self.final and self.listed",
]
KEEPS = [
    "local",
    "self.helper()",
    "torch.jit.is_scripting() == True",
    "1 > 0",
    "math.pi > 3",
    "self.plain",
    "self.training",
    "self.number == 1",
    "self.number",
    "self.pair[0]",
    "self.final == True",
    "self.maybe is None",
    "option is None",
    "len(self.pair) == 2",
    "torch.jit.is_tracing()",
    "self.final and self.plain",
]


@pytest.mark.parametrize("test", PRUNES)
def test_the_other_branch_is_pruned(test: str) -> None:
    text = NET.format(test=test)
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok, verdict.message
    assert events(text) == []


@pytest.mark.parametrize("test", KEEPS)
def test_both_branches_are_compiled(test: str) -> None:
    text = NET.format(test=test)
    verdict = the_compiler()(HEAD + text)
    assert verdict.first == "undefined value undefined_name"
    assert [event.kind for event in events(text)] == ["undefined-name"]


FUNCTIONS = {
    "a static branch that returns leaves the rest unread": (
        "def f(x):\n    if torch.jit.is_scripting():\n        return x\n    return undefined_name(x)\n",
        True,
    ),
    "assert False ends the function": ("def f(x):\n    assert False\n    return undefined_name(x)\n", True),
    "a ternary prunes": ("def f(x):\n    return x if torch.jit.is_scripting() else undefined_name(x)\n", True),
    "while does not prune": (
        "def f(x):\n    while not torch.jit.is_scripting():\n        x = undefined_name(x)\n    return x\n",
        False,
    ),
    "both sides of `or` are read": (
        "def f(x):\n    if torch.jit.is_scripting() or undefined_name(x):\n        return x\n    return x\n",
        False,
    ),
    "nested ifs are not": (
        "def f(x):\n    if not torch.jit.is_scripting():\n        "
        "if undefined_name(x):\n            return x\n    return x\n",
        True,
    ),
    "code after a return is unread": ("def f(x):\n    return x\n    return undefined_name(x)\n", True),
    "code after a raise is unread": (
        "def f(x, b: bool):\n    if b:\n        raise ValueError('a')\n        undefined_name(x)\n    return x\n",
        True,
    ),
    "a loop over an empty tuple is unread": (
        "def f(x):\n    for i in ():\n        x = undefined_name(x)\n    return x\n",
        True,
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_which_code_is_not_compiled(name: str) -> None:
    body, dead = FUNCTIONS[name]
    text = f"{body}\nscripted = torch.jit.script(f)\n"
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is dead, verdict.message
    assert [event.kind for event in events(text)] == ([] if dead else ["undefined-name"])


def test_the_front_end_also_reads_pruned_branches() -> None:
    text = (
        "def f(x):\n    if not torch.jit.is_scripting():\n        g = "
        "lambda y: y\n    return x\n\nscripted = torch.jit.script(f)\n"
    )
    assert not the_compiler()(HEAD + text).ok
    assert [event.kind for event in events(text)] == ["lambda"]


NARROWED = """
class Net(nn.Module):
    __constants__ = ["k"]

    def __init__(self, k: bool):
        super().__init__()
        self.k = k

    def forward(self, x):
        if self.k:
            y: Union[Tensor, float] = x.sum()
        else:
            y = 0.5
        {test}
            return x + y
        {other}
"""


@pytest.mark.parametrize(
    ("test", "other", "accepted"),
    [
        ("if isinstance(y, Tensor):", "return x + y", True),
        ("if isinstance(y, torch.Tensor):", "return x + y", True),
        ("if not isinstance(y, Tensor):", "return x + y", True),
        ("if isinstance(y, (Tensor, float)):", "return x", False),
        ("if self.k:", "return x + y", False),
    ],
)
def test_a_type_is_refined_separately_for_each_construction(test: str, other: str, accepted: bool) -> None:
    text = NARROWED.format(test=test, other=other)
    told = [the_compiler()(HEAD + text + f"\nscripted = torch.jit.script(Net({k}))\n") for k in (True, False)]
    assert [verdict.ok for verdict in told] == [accepted, True]
    assert [event.kind for event in events(text)] == ([] if accepted else ["operator-mismatch"])


FLAGS = [
    "bool(self.multi)",
    "bool(multi)",
    "not not multi",
    "multi == True",
    "self.kind == 'b' or bool(multi)",
    "multi == True and kind == 'a'",
    "kind != 'b'",
]


@pytest.mark.parametrize("flag", FLAGS)
def test_a_condition_of_the_constructor_is_known_through_its_attribute(flag: str) -> None:
    """Every construction compiles: the submodule exists if the flag is set."""
    text = f"""
class Net(nn.Module):
    __constants__ = ["flag"]

    def __init__(self, multi=False, kind="a"):
        super().__init__()
        self.multi = multi
        self.kind = kind
        if {flag}:
            self.two = nn.Linear(2, 2)
        else:
            self.one = nn.Linear(2, 2)
        self.flag = {flag}

    def forward(self, x):
        if self.flag:
            return self.two(x)
        return self.one(x)
"""
    for given in ("", "True", "False, 'b'", "True, 'b'"):
        verdict = the_compiler()(HEAD + text + f"\nscripted = torch.jit.script(Net({given}))\n")
        assert verdict.ok, verdict.message
    assert [event.kind for event in events(text)] == []
    assert [event.kind for event in events(text.replace("return self.one", "return self.two"))] == ["missing-attribute"]


@pytest.mark.parametrize(
    ("test", "flags"),
    [
        ("kind == 'b' or kind == 'c'", "self.b or self.c"),
        ("kind == 'b' and deep", "self.b and self.deep"),
        ("not (kind == 'b' or deep)", "not (self.b or self.deep)"),
    ],
)
def test_two_flags_together_imply_a_branch(test: str, flags: str) -> None:
    text = f"""
class Net(nn.Module):
    __constants__ = ["b", "c", "deep"]

    def __init__(self, kind="a", deep=False):
        super().__init__()
        if {test}:
            self.two = nn.Linear(2, 2)
        else:
            self.one = nn.Linear(2, 2)
        self.b = kind == 'b'
        self.c = kind == 'c'
        self.deep = bool(deep)

    def forward(self, x):
        if {flags}:
            return self.two(x)
        return self.one(x)
"""
    for given in ("", "'b'", "'c'", "'b', True", "'a', True"):
        verdict = the_compiler()(HEAD + text + f"\nscripted = torch.jit.script(Net({given}))\n")
        assert verdict.ok, verdict.message
    assert [event.kind for event in events(text)] == []


def test_an_attribute_of_several_branches_exists_after_an_assertion() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, kind="a"):
        super().__init__()
        self.kind = kind
        if self.kind.startswith("a"):
            self.one = nn.Linear(2, 2)
            self.two = nn.Linear(2, 2)
        elif kind == "b":
            self.one = nn.Linear(2, 2)
            self.two = nn.Linear(2, 2)
            self.three = nn.Linear(2, 2)

    def forward(self, x):
        if self.kind == "a":
            assert hasattr(self, "one")
            x = self.two(self.one(x))
        elif self.kind == "b":
            assert hasattr(self, "three")
            x = self.three(self.two(self.one(x)))
        return x
"""
    for given in ("", "'b'", "'c'"):
        verdict = the_compiler()(HEAD + text + f"\nscripted = torch.jit.script(Net({given}))\n")
        assert verdict.ok, verdict.message
    assert [event.kind for event in events(text)] == []
    assert [event.kind for event in events(text.replace('"three")', '"one")'))] == ["missing-attribute"]


@pytest.mark.parametrize(
    ("test", "kinds"),
    [
        ("self.head is not None and size > 0", []),
        ("self.head is not None and size > 0 and size < 9", []),
        ("size > 0 and self.head is not None", []),
        ("not (self.head is None or size > 0)", []),
        ("self.head is not None or size > 0", ["not-callable"]),
        ("size > 0", ["not-callable"]),
    ],
)
def test_a_test_of_the_input_does_not_hide_what_a_test_of_the_construction_shows(test: str, kinds: list[str]) -> None:
    text = """
class Net(nn.Module):
    def __init__(self, head=None):
        super().__init__()
        self.head = head

    def forward(self, x, size: int):
        if {test}:
            x = self.head(x)
        return x
"""
    text = text.replace("{test}", test)
    verdict = the_compiler()(
        HEAD + text + "\nscripted = torch.jit.script(Net()), torch.jit.script(Net(nn.Linear(2, 2)))\n"
    )
    assert verdict.ok == (not kinds), verdict.message
    assert [event.kind for event in events(text)] == kinds


PROPERTY = """
class Net(nn.Module):
    __constants__ = ["wide"]

    def __init__(self, width: int):
        super().__init__()
        self.width = width
        if width > 2:
            self.more = nn.Linear(3, 3)

    @torch.jit.unused
    @property
    def wide(self):
        return {test}

    def forward(self, x):
        if self.wide:
            return self.more(x), x
        return x
"""


@pytest.mark.parametrize(
    ("test", "accepted"),
    [
        ("self.width > 2", (True, True)),
        ("self.width != 2", (True, True)),
        ("bool(self.width)", (False, True)),
        ("self.width", (False, False)),  # a constant int is not decided
    ],
)
def test_a_property_that_is_a_constant_is_read_in_the_instance(test: str, accepted: tuple[bool, bool]) -> None:
    text = PROPERTY.format(test=test)
    for width, ok in zip((2, 3), accepted):
        made = f"{text}\nscripted = torch.jit.script(Net({width}))\n"
        assert the_compiler()(HEAD + made).ok is ok
    assert bool([event for event in events(text) if event.condition is None]) is not any(accepted)


@pytest.mark.parametrize(
    ("test", "kind"), [("mask is not None", "operator-mismatch"), ("mask is None", ""), ("len(x) > 2", "")]
)
def test_a_method_that_always_raises_before_its_return_gives_none(test: str, kind: str) -> None:
    text = """
class Net(nn.Module):
    def masked(self, x: Tensor, mask=None):
        if {test}:
            raise NotImplementedError
        return x * 2

    def forward(self, x: Tensor, mask: Tensor):
        return self.masked(x, mask) + 1


scripted = torch.jit.script(Net())
"""
    agree(kind, text.replace("{test}", test))
