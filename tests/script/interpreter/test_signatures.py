"""Tests overloaded functions, hints, annotations without a type, and arguments of builtins and messages."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

INTS, TEXTS = "def g(x: int) -> int:\n    pass\n", "def g(x: str) -> str:\n    pass\n"
OVERLOADED = f"@torch.jit._overload\n{INTS}\n\n@torch.jit._overload\n{TEXTS}\n\ndef g(x):\n    return x{{}}\n\n\n"
NET = "class Net(nn.Module):\n"
FORWARDS = (
    f"{NET}    @torch.jit._overload_method\n    def forward(self, x: Tensor, r: bool = True) -> Tensor: ...\n\n"
    "    @torch.jit._overload_method\n    def forward(self, x: Tensor, r: Optional[Tensor] = None) -> Tensor: ...\n\n"
    "    def forward(self, x, r=None):\n"
)
FUNCTIONS = {
    "every overload": ("", OVERLOADED.format("") + "def f(a: int, b: str):\n    return g(a), g(b)\n"),
    "an overload that nobody calls": (
        "operator-mismatch",
        OVERLOADED.format(" + 1") + "def f(a: int):\n    return g(a)\n",
    ),
    "no overload": ("operator-mismatch", OVERLOADED.format("") + "def f(a: float):\n    return g([a])\n"),
    "signatures in comments": (
        "no-such-member",
        "@torch.jit._overload\ndef g(x, y):\n    # type: (Tensor, str) -> Tensor\n    pass\n\n\n"
        "def g(x, y='a'):\n    assert y in ['a', 'b']\n    y.foo()\n    return x\n\n\n"
        "def f(x):\n    return g(x, 'a')\n",
    ),
    "an imported name for type checkers": (
        "",
        "import typing\nif typing.TYPE_CHECKING:\n    from typing import overload\nelse:\n"
        "    from torch.jit import _overload as overload\n\n\n"
        + OVERLOADED.format("").replace("torch.jit._overload", "overload")
        + "def f(a: int, b: str):\n    return g(a), g(b)\n",
    ),
    "the hint of both branches": (
        "",
        "def f(a: Optional[Tuple[int, int]]) -> List[Optional[int]]:\n"
        "    return list(a) if a is not None else [None, None]\n",
    ),
    "an empty list in one of them": ("", "def f(a: bool):\n    x: List[int] = [1] if a else []\n    return x\n"),
    "no hint for arguments": (
        "if-expression-types",
        "def g(x: List[int]):\n    return x\n\n\ndef f(a: bool):\n    return g([] if a else [1])\n",
    ),
    "a list of a list": ("return-type", "def f(a: List[int]) -> List[Optional[int]]:\n    return list(a)\n"),
    "a list of a tuple": (
        "",
        "def f(a: Tuple[int, Tensor]):\n    x: List[Union[int, Tensor]] = list(a)\n    return x\n",
    ),
    "a dict of pairs": ("", "def f(x):\n    d: Dict[str, int] = dict([('a', 1), ('b', 2)])\n    return d['a'] + 1\n"),
    "a dict of other keys": (
        "literal-elements",
        "def f(x):\n    d: Dict[int, int] = dict([('a', 1), ('b', 2)])\n    return d\n",
    ),
    "a dict of other values": (
        "literal-elements",
        "def f(y: List[Tuple[str, int]]):\n    d: Dict[str, float] = dict(y)\n    return d\n",
    ),
    "what it holds": ("no-such-member", "def f(y: List[Tuple[str, int]]):\n    return dict(y)['a'].foo\n"),
    "a copy of a dict": ("annotation-mismatch", "def f(x):\n    d: Dict[str, int] = dict({'a': 1.0})\n    return d\n"),
    "a global in a message": (
        "closed-over-global",
        "A = [1]\n\n\ndef f(x):\n    raise ValueError('a {}'.format(A))\n",
    ),
    "a global as the message": ("closed-over-global", "A = 1\n\n\ndef f(x):\n    raise ValueError('a', A)\n"),
    "a global that is printed": ("closed-over-global", "A = [1]\n\n\ndef f(x):\n    print('a {}'.format(A))\n"),
    "values in a message": ("", "def f(x: Optional[Tensor]):\n    raise ValueError('a', x, [1], (1, 2))\n"),
    "a computed name": ("getattr-name", "def f(x, n: str):\n    return hasattr(x, n)\n"),
    "no range": ("slice-or-range-arguments", "def f(x):\n    for _ in range():\n        x += 1\n    return x\n"),
    "too much range": (
        "slice-or-range-arguments",
        "def f(x):\n    for i in range(1, 2, 3, 4):\n        x += i\n    return x\n",
    ),
    "a slice by keyword": ("slice-or-range-arguments", "def f(x: List[int]):\n    return x[slice(1, stop=2)]\n"),
    "no slice": ("slice-or-range-arguments", "def f(x: List[int]):\n    return x[slice()]\n"),
    "what a slice gives": ("return-type", "def f(x: List[int]) -> int:\n    return x[slice(2)]\n"),
    "slices of a tensor": ("", "def f(x: Tensor):\n    s = slice(0, 2)\n    return x[s, slice(1)]\n"),
}
METHODS = {
    "an overload without a condition": (
        "not-a-condition", "        if r:\n            return x\n        return x + 1\n"
    ),
    "overloads that a test tells apart": (
        "", "        if isinstance(r, bool):\n            return x\n        return x + 1\n"
    ),
}  # fmt: skip
# How a default of Python is converted: `def f(x, r: TYPE = DEFAULT)`.
DEFAULTS = {
    "bool = None": "", "bool = 1": "", "bool = 1.5": "", "bool = 'a'": "default-of-wrong-type",
    "bool = (1,)": "default-of-wrong-type", "Optional[bool] = 1": "", "List[bool] = (1, 2)": "", "complex = 1": "",
    "complex = None": "default-of-wrong-type", "int = None": "default-of-wrong-type", "float = True": "",
}  # fmt: skip
NO_TYPES = (
    "typing.Iterable[int]", "typing.Sequence", "typing.MutableSequence[int]", "typing.Deque[int]", "typing.Hashable",
    "typing.ClassVar[int]", "collections.abc.Sequence[int]", "collections.abc.Iterable", "collections.deque",
    "numpy.float32", "numpy.ndarray", "numpy.random.Generator", "typing.Annotated[int, 3]",
)  # fmt: skip
SCRIPTED = "\n\nscripted = torch.jit.script(f)\n"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    kind, text = FUNCTIONS[name]
    agree(kind, text + SCRIPTED)


def test_functions_of_a_loop() -> None:
    functions = "def f(x):\n    return x\n\n\ndef g(x):\n    return x.foo()\n\n\n"
    agree("no-tensor-member", f"{functions}for fn in (f, g):\n    torch.jit.script(fn)\n")


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    kind, body = METHODS[name]
    agree(kind, f"{FORWARDS}{body}\n\nscripted = torch.jit.script(Net())\n")


@pytest.mark.parametrize("parameter", DEFAULTS)
def test_defaults(parameter: str) -> None:
    agree(DEFAULTS[parameter], f"def f(x, r: {parameter}):\n    return x\n{SCRIPTED}")


@pytest.mark.parametrize("annotation", NO_TYPES)
def test_annotations_that_are_no_types(annotation: str) -> None:
    imports = "import collections.abc\nimport typing\nimport numpy\n\n\n"
    agree("unreadable-annotation", f"{imports}def f(x, it: {annotation}):\n    return x\n{SCRIPTED}")


@pytest.mark.parametrize(
    "value, kind",
    [
        ("Dict[str, int], {}", "set-missing-attribute"),
        ("Optional[str], None", "attribute-retyped"),
        ("List[int], [1]", ""),
    ],
)
def test_annotate_in_a_constructor_sets_no_type(value: str, kind: str) -> None:
    type_ = value.rpartition(", ")[0]
    init = f"    def __init__(self):\n        super().__init__()\n        self.x = torch.jit.annotate({value})\n\n"
    agree(
        kind,
        f"{NET}{init}    def forward(self, x: {type_}):\n        self.x = x\n\n\nscripted = torch.jit.script(Net())\n",
    )
