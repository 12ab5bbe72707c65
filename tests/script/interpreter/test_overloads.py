"""Tests declarations marked ``_overload`` against their implementation, and what the compiler underlines for them."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

INT, TEXT = (f"@torch.jit._overload\ndef g(x: {kind}) -> {kind}:\n    pass\n\n\n" for kind in ("int", "str"))
COMMENTED = "@torch.jit._overload\ndef g({}):\n    # type: ({}) -> {}\n    pass\n\n\n"
SCRIPTED = "\n\nscripted = torch.jit.script(f)\n"

# A name: the kind of the event, the declarations and the implementation, and what calls it.
FUNCTIONS = {
    "the implementation's default": ("", INT + "def g(x=2):\n    return x\n", "g() + g(3)"),
    "a default of one type": ("", TEXT + INT + "def g(x=2):\n    return x\n", "g() + 1, g('a')"),
    "a default of no type": ("operator-mismatch", TEXT + "def g(x=2):\n    return x\n", "g()"),
    "a parameter that is left out": ("", INT + "def g(x, y: int = 2):\n    return x + y\n", "g(1), g(1, 3)"),
    "one of another type": ("operator-mismatch", INT + "def g(x, y: int = 2):\n    return x + y\n", "g(1, 'a')"),
    "one with a comment": (
        "",
        INT + "def g(x, y=2):\n    # type: (Any, int) -> Any\n    return x + y\n",
        "g(1), g(1, 3)",
    ),
    "one without a type": ("broken-overload", INT + "def g(x, y=2):\n    return x\n", "g(1)"),
    "one without a default": ("broken-overload", INT + "def g(x, y: int):\n    return x\n", "g(1)"),
    "another default": (
        "broken-overload",
        INT.replace("int)", "int = 1)") + "def g(x=2):\n    return x\n",
        "g(1)",
    ),
    "another default in a declaration with a comment": (
        "broken-overload",
        COMMENTED.format("x=1", "int", "int") + "def g(x=2):\n    return x\n",
        "g(1)",
    ),
    "a default of the declaration alone": (
        "broken-overload",
        INT.replace("int)", "int = 1)") + "def g(x):\n    return x\n",
        "g()",
    ),
    "another name": ("broken-overload", INT + "def g(y):\n    return y\n", "g(1)"),
    "too many parameters": (
        "broken-overload",
        INT.replace("int)", "int, y: int)") + "def g(x):\n    return x\n",
        "g(1, 2)",
    ),
    "no implementation": ("broken-overload", INT + TEXT, "g(1)"),
    "no result type": ("", INT.replace(" -> int", "") + "def g(x):\n    return x\n", "g(1) + 1"),
    "no declaration for a tuple": (
        "operator-mismatch",
        COMMENTED.format("x", "int", "int") + TEXT + "def g(x):\n    return x\n",
        "g((1, 2))",
    ),
    "the result in a comment": (
        "no-such-member",
        COMMENTED.format("x", "int", "int") + TEXT + "def g(x):\n    return x\n",
        "g(1).foo()",
    ),
}
METHOD = "    @torch.jit._overload_method\n    def {}(self, x: int = 1) -> int:\n        pass\n\n"
# For a method, the declaration's signature replaces that of the implementation.
METHODS = {
    "another default": ("", METHOD.format("g") + "    def g(self, x=2):\n        return x\n\n"),
    "no implementation": ("broken-overload", METHOD.format("g")),
}
# The compiler stops in the first row of these, at the decorator.
COMMENTS = {
    "no return": "def f(x):\n    # type: (int) -> int\n    pass\n",
    "a return on one path": "def f(x):\n    # type: (Tensor) -> int\n    if bool(x):\n        return 1\n",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    kind, text, call = FUNCTIONS[name]
    agree(kind, f"{text}\n\ndef f():\n    return {call}\n{SCRIPTED}")


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    kind, text = METHODS[name]
    forward = "    def forward(self, x: int):\n        return self.g(x)\n\n\nscripted = torch.jit.script(Net())\n"
    agree(kind, f"class Net(nn.Module):\n{text}{forward}")


@pytest.mark.parametrize("name", COMMENTS)
def test_a_type_comment_moves_the_underlining(name: str) -> None:
    agree("missing-return", f"@torch.jit.script\n{COMMENTS[name]}")
