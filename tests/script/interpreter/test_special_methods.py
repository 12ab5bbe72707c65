"""Tests objects of script classes in operators, calls and conditions, and values without members."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

BARE = "class C:\n    def __init__(self):\n        self.n = 9\n"
WHOLE = (
    BARE
    + "".join(
        f"\n    def __{name}__({parameters}):\n        return {result}\n"
        for name, parameters, result in (
            ("len", "self", "3"),
            ("str", "self", "'a'"),
            ("int", "self", "3"),
            ("bool", "self", "True"),
            ("neg", "self", "'a'"),
            ("contains", "self, x: int", "True"),
            ("eq", "self, other: 'C'", "True"),
            ("getitem", "self, i: int", "'x'"),
            ("call", "self, x", "x"),
            ("add", "self, i: int", "'x'"),
        )
    )
    + "\n    def __iadd__(self, i: int) -> 'C':\n        return self\n"
)
NO_BOOL = BARE + "\n    def __bool__(self):\n        return (1, 2)\n"
# The kind of the event, the class, and the body of `def f(x, c: C)`.
OBJECTS = {
    "all methods": ("", WHOLE, "return len(c), str(c), int(c), bool(c), -c, 3 in c, c == c, c[0], c(x), c + 1"),
    "in place": ("", WHOLE, "c += 1\n    return c.n"),
    "what a method gives": ("no-such-member", WHOLE, "return c[0].foo"),
    "what an operator gives": ("no-such-member", WHOLE, "return (c + 1).foo"),
    "no length": ("script-class-member", BARE, "return len(c)"),
    "no text": ("script-class-member", BARE, "return str(c)"),
    "no sum": ("script-class-member", BARE, "return c + c"),
    "no sum in place": ("script-class-member", BARE, "c += c\n    return c.n"),
    "no equality": ("script-class-member", BARE, "return c == c"),
    "no negation": ("script-class-member", BARE, "return -c"),
    "no membership": ("script-class-member", BARE, "return 1 in c"),
    "no items": ("script-class-member", BARE, "return c[0]"),
    "no items to set": ("script-class-member", BARE, "c[0] = 1\n    return x"),
    "no call": ("script-class-member", BARE, "return c(x)"),
    "a matrix product": (
        "operator-mismatch",
        BARE + "\n    def __matmul__(self, n: int) -> int:\n        return n\n",
        "return c @ 2",
    ),
    "a whole quotient": ("operator-mismatch", BARE, "return c // 2"),
    "on the right": ("operator-mismatch", BARE, "return x + c"),
    "no bool from __bool__": ("not-a-condition", NO_BOOL, "if c:\n        x = x + 1\n    return x"),
    "an attribute that __init__ does not set": (
        "script-class-member",
        BARE + "\n    def other(self):\n        return self.m\n",
        "return c.n",
    ),
    "an attribute before it is set": (
        "script-class-member",
        "class C:\n    def __init__(self):\n        self.n = self.m\n        self.m = 1\n",
        "return c.n",
    ),
    "a variable by unpacking": (
        "script-class-member",
        "class C:\n    def __init__(self):\n        self.n = 1\n\n    (a, b) = 1, 2\n",
        "return c.a",
    ),
}
# The annotation of `t`, and the body.
VALUES = {
    "Any has no members": ("no-such-member", "Any", "return t.relu()"),
    "Any has no items": ("not-subscriptable", "Any", "return t[0]"),
    "Any has nothing to iterate": ("not-iterable", "Any", "for i in t:\n        pass"),
    "Any is not called": ("not-callable", "Any", "return t(1)"),
    "nothing is set on Any": ("no-such-member", "Any", "t.y = 1"),
    "an item that is Any": ("no-such-member", "List[Any]", "return t[0].relu()"),
    "Any that a test refines": ("", "Any", "if isinstance(t, Tensor):\n        t.relu()"),
    "Any of two types": ("", "Any", "if isinstance(t, (int, float)):\n        a = t + 1"),
    "Any that the other branch leaves": ("", "Any", "if not isinstance(t, Tensor):\n        return None\n    t.relu()"),
    "Any behind an assertion": ("", "Any", "assert isinstance(t, Tensor)\n    t.relu()"),
    "a list of anything is not iterated": (
        "not-iterable",
        "Any",
        "if isinstance(t, list):\n        for i in t:\n            pass",
    ),
    "nor read": ("not-subscriptable", "Any", "if isinstance(t, list):\n        a = t[0]"),
    "nor appended to": ("no-such-member", "Any", "if isinstance(t, list):\n        t.append(1)"),
    "its length is known": ("", "Any", "if isinstance(t, list):\n        a = len(t)"),
    "a Union has no members": ("no-such-member", "Union[int, Tensor]", "t.relu()"),
    "a Union has no items": ("not-subscriptable", "Union[List[int], str]", "a = t[0]"),
    "a Union is not iterated": ("not-iterable", "Union[List[int], Tensor]", "for i in t:\n        pass"),
    "a Union is not called": ("not-callable", "Union[List[int], Tensor]", "t()"),
    "nothing is set on an Optional": ("no-such-member", "Optional[Tensor]", "t.y = 1"),
    "items of a tuple in place": ("item-assignment", "Tuple[int, int]", "t[0] += t[1]"),
    "items of an Optional in place": ("item-assignment", "Optional[List[int]]", "t[0] += 1"),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_special_methods_of_objects(name: str) -> None:
    kind, classes, body = OBJECTS[name]
    agree(kind, f"{classes}\n\ndef f(x, c: C):\n    {body}\n\n\nscripted = torch.jit.script(f)\n")


@pytest.mark.parametrize("name", VALUES)
def test_special_methods_of_values(name: str) -> None:
    kind, annotation, body = VALUES[name]
    agree(kind, f"def f(t: {annotation}):\n    {body}\n\n\nscripted = torch.jit.script(f)\n")
