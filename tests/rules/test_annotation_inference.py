"""Tests the inference of types for parameters without annotation: its results, and what every rule then writes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixes.promise import fixed
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.cli import cli
from tslint.diagnostics import Applicability, Risk
from tslint.fixing.edits import apply_fixes
from tslint.script.dataflow.callers import callers
from tslint.script.dataflow.parameters import infer
from tslint.sources.file import SourceFile

HEAD = """from typing import Dict, List, Optional, Tuple
import math

import torch
import torch.nn.functional as F
from torch import nn


"""
X = "torch.arange(6.0).reshape(2, 3)"

LAYERS = "class A:\n    def __init__(self):\n        self.layers = {}"
STATE = (
    "class A(nn.Module):\n    def forward(self, x, state=None):\n        return x if state is None else x + state.sum()"
)

# What the type of `p` in `f` is: the body, the rest of the file, the type, and whether it is confirmed.
TYPES = [
    ("(x, p):\n    for i in range(p):\n        x = x + i\n    return x", "", "int", False),
    ("(x, p):\n    for i in range(p):\n        x = x + i\n    return x", "def g(x):\n    return f(x, 3)", "int", True),
    (
        "(x, p):\n    for i in range(p):\n        x = x + i\n    return x",
        "def g(x: torch.Tensor):\n    return f(x, x)",
        None,
        False,
    ),
    ("(x, p):\n    a, b = p\n    return x if a and not b else x + 1", "", None, False),
    ("(x, p):\n    a, (b, c) = p\n    return x + torch.relu(a) + b + c", "", None, False),
    ("(x, p):\n    a, n = p\n    return torch.relu(a) + [x][n - 1]", "", None, False),
    ("(x, p):\n    return x * p", "def g(x):\n    return f(x, 2) + f(x, 0.5)", None, False),
    ("(x, p):\n    return x * p", "def g(x):\n    return f(x, 2)", "int", True),
    (
        "(x, p):\n    return x + len(p)",
        "def g(x, y: Optional[torch.Tensor] = None):\n    return x if y is None else f(x, y)",
        "Tensor",
        True,
    ),
    (
        "(x, p):\n    return x + len(p)",
        "def g(x, y: Optional[torch.Tensor] = None):\n    if y is None and x.dim() > 1:\n        return x\n"
        "    return f(x, y)",
        "Optional[Tensor]",
        False,
    ),
    # A call with a keyword that `f` does not have is a call of another function.
    (
        "(x, p):\n    return x + p",
        "def g(x):\n    return f(x, 2) if x.dim() > 1 else f(x, 'a', keepdim=True)",
        "int",
        True,
    ),
    # An int is only one example of what it may be.
    ("(x, p):\n    return x * 2 if p > 0.0 else x", "def g(x):\n    return f(x, 0)", None, False),
    ("(x, p):\n    return x.sum(p) if p > 0.0 else x", "def g(x):\n    return f(x, 0)", "int", True),
    ("(x, p=1):\n    return x * p", "def g(x):\n    return f(x, 0.5)", "float", False),
    ("(x, p=1):\n    return x * p", "", "int", False),
    ("(x, p=1):\n    return x.sum(dim=p) + p", "", "int", True),
    # A factor of tensors and a divisor are as often 0.5; a product of unknown numbers may be a size.
    ("(x, p=1):\n    return torch.relu(x) * p", "", "float", False),
    ("(x, p=1):\n    x = x / p\n    return x", "", "float", False),
    ("(x, p=1):\n    return h(x, p)", "def h(x, q):\n    return torch.relu(x) / q", "float", False),
    ("(x, p=1):\n    return h(x, p)", "def h(x, q):\n    return x.sum(q) / q", "int", True),
    ("(x, p=1):\n    return torch.relu(x) * p", "def g(x):\n    return f(x, 2)", "int", True),
    ("(x, p=1):\n    return torch.relu(x) * p + x.sum(p)", "", "int", True),
    ("(x, p=1):\n    return torch.relu(x) + p", "", "int", False),
    ("(x, p=2):\n    return F.normalize(x, p=p) + x.norm(p=p)", "", "float", False),
    # Unlike in compiled code, `torch.exp` accepts no number in Python; `torch.pow` does.
    ("(x, p=1):\n    return torch.relu(x) + p + torch.exp(p)", "", None, False),
    ("(x, p=1):\n    return torch.pow(x, p)", "", "int", False),
    # A dtype is an int for the compiler, and not for an author.
    (
        "(x, p=torch.float32):\n    return x.to(p)",
        "def g(x: torch.Tensor):\n    d, t = x.device, x.dtype\n    return f(x, t).to(d)",
        "dtype",
        True,
    ),
    # A number that is computed from `p` is used as a size; it may be a fraction before it is rounded.
    ("(x, n, p=1):\n    h = n * p\n    return x.view(h, -1)", "", "int", True),
    ("(x, p):\n    h = p // 2 + 1\n    return x[:, :h]", "", "int", False),
    ("(x, p):\n    h = p * 2\n    h = int(h)\n    return x[:, :h]", "", None, False),
    ("(x, p):\n    h = p / 2\n    return x[:, :h]", "", None, False),
    (
        "(x, p):\n    h = 0\n    if x.size(0) % p > 0:\n        h = p - x.size(0) % p\n    return F.pad(x, (0, h))",
        "",
        "int",
        False,
    ),
    # An assertion says it.
    ("(x, p=2):\n    assert p >= 1 and isinstance(p, int)\n    return x[:, ::p]", "", "int", True),
    ("(x, p):\n    assert isinstance(p, float)\n    return x * p", "", "float", False),
    ("(x, p):\n    if isinstance(p, int):\n        x = x + p\n    return x", "", None, False),
    ("(x, p):\n    assert isinstance(p, int) or p is None\n    return x", "", None, False),
    # If its type is tested, only calls show it.
    ("(x, p):\n    return x if isinstance(p, int) else -x", "def g(x):\n    return f(x, 3)", "int", True),
    ("(x, p):\n    return x if isinstance(p, int) else -x", "def g(x):\n    return f(x, 3) + f(x, 'a')", None, False),
    ("(x, p):\n    return x if isinstance(p, str) else x[:p]", "", None, False),
    # A guess does not confirm itself, and neither does a default.
    ("(x, p=0):\n    y = p * 2\n    return x", "", "int", False),
    ("(x, p=0):\n    y = p * 2\n    return x[:y]", "", "int", True),
    ("(x, p):\n    return x if p & (p - 1) else -x", "", None, False),
    # The compiler passes a tuple of ints as a list.
    (
        "(x, w, p):\n    return F.conv2d(x, w, stride=p)",
        "def g(x, w):\n    return f(x, w, (1, 2))",
        "Tuple[int, int]",
        True,
    ),
    # A variable that gets its value has the same type.
    ("(x, m, p):\n    if x.dim() > 1:\n        m = p\n    return x.masked_fill(m, 0.0)", "", "Tensor", False),
    ("(x, p):\n    n = p\n    return x[:n]", "", "int", False),
    ("(x, p):\n    n = p\n    n = x[:n]\n    return n.relu()", "", "int", False),
    ("(p):\n    return torch.arange(0, p, dtype=torch.float)", "", "int", False),
    ("(p):\n    return torch.arange(0.5, p)", "", None, False),
    # The docstring says it; not for a list or a tensor, nor if a use says something else.
    ('(x, p):\n    """Args:\n        p: (float) the limit.\n    """\n    return x.clamp(max=p)', "", "float", False),
    ('(x, p):\n    """Args:\n        p (float): the limit.\n    """\n    return x.clamp(max=p)', "", "float", False),
    (
        '(x, p):\n    """Args:\n        p (int or str): the limit.\n    """\n    return x.clamp(max=p)',
        "",
        "Tensor",
        False,
    ),
    ('(x, p):\n    """Args:\n        p: (tensor) the limit.\n    """\n    return x.clamp(max=p)', "", "Tensor", False),
    ('(x, p):\n    """Args:\n        p (float): how many.\n    """\n    return x[:p]', "", "int", False),
    (
        '(x, p):\n    """Args:\n        p (float): the limit.\n    """\n    return x * p',
        "def g(x: torch.Tensor):\n    return f(x, x)",
        None,
        False,
    ),
    ('(p):\n    """Args:\n        p (tuple[int]): the sizes.\n    """\n    return p[0] + 1', "", "List[int]", False),
    ('(p):\n    """Args:\n        p (list of floats): sizes.\n    """\n    return p[0] + 1', "", "List[float]", False),
    ('(p):\n    """Args:\n        p (list[int]): the sizes.\n    """\n    return p.sum(0)', "", "Tensor", False),
    # A dict of the file with the same key also has other values.
    ("(x, p):\n    return x + p['a']", "def g(x):\n    return {'a': x, 'b': x + 1}", "Dict[str, Tensor]", False),
    ("(x, p):\n    return x + p['a']", "def g(x):\n    return {'a': x, 'n': 1}", None, False),
    ("(x, p):\n    return x + p['a']", "def g(x, d):\n    d['a'] = x\n    d['n'] = 'n'\n    return d", None, False),
    ("(x, p):\n    return x + p['a']", "def g(x, d, e):\n    d['a'] = x\n    e['n'] = 1", "Dict[str, Tensor]", False),
    # Another caller passes a module.
    (
        "(p):\n    return p is not None",
        "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.act = nn.ReLU()\n"
        "    def forward(self, x: torch.Tensor):\n        return x if f(self.act) and f(x) else -x",
        None,
        False,
    ),
    (
        "(p):\n    return p is not None",
        "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.w = nn.Parameter(torch.ones(1))\n"
        "    def forward(self, x: torch.Tensor):\n        return x if f(self.w) and f(x) else -x",
        "Optional[Tensor]",
        False,
    ),
    # Python does not enforce the annotation of another function: callers may pass 0.5.
    ("(x, p=1):\n    return h(x, p)", "def h(x, q: int):\n    return x * q", "int", False),
    ("(x, p=1):\n    return h(x, p)", "def h(x, q):\n    return x.sum(dim=q)", "int", True),
    ("(x, p='a'):\n    return x if p == 'a' else x + 1", "", "str", True),
    ("(x, p='a'):\n    return x if p in ('a', 'b') else x + 1", "", "str", True),
    ("(x, p=0):\n    return x if p in (0, None) else x + 1", "", "Optional[int]", False),
    ("(x, p):\n    return x if p in (0, 1) else x + 1", "", "int", False),
    ("(x, p=1):\n    return x if p in (0.5, 1.5) else x + 1", "", None, False),
    ("(x, p='a'):\n    return x", "def g(x):\n    return f(x, 1)", None, False),
    ("(x, p=False):\n    return x if p else x + 1", "", "bool", True),
    ("(x, p=None):\n    if p is not None:\n        print(p)\n    return x", "", None, False),
    ("(x, p=None):\n    return torch.zeros(3, dtype=p) + x", "", "Optional[dtype]", False),
    # Both branches of an expression have one type.
    ("(x, p=None):\n    h = p if p is not None else torch.zeros(3)\n    return h", "", "Optional[Tensor]", False),
    ("(x, p=None):\n    n = 2 if p is None else p\n    return [x] * n", "", "Optional[int]", False),
    ("(x, p=None):\n    h = p if p is not None else None\n    return h", "", None, False),
    # The items of a list of modules have numbers, those of a dict have names.
    ("(self, x, p):\n    return self.layers[p](x)", LAYERS.format("nn.ModuleList()"), "int", False),
    ("(self, x, p):\n    return self.layers[p](x)", LAYERS.format("nn.ModuleDict()"), None, False),
    # A keyword is as telling as the name of a variable.
    ("(self, x, p=None):\n    return self.layer(x, state=p)", STATE, "Optional[Tensor]", False),
    # What follows the first argument of a layer is as often a dict of targets, or the state of an LSTM.
    ("(self, p=None):\n    return self.layer(p)", "", "Optional[Tensor]", False),
    ("(self, x, p=None):\n    return self.layer(x, p)", "", None, False),
    # A part whose items a loop takes is a tensor or a list.
    ("(x, p):\n    a, b = p\n    return torch.cat([x, a, b])", "", "Tuple[Tensor, Tensor]", False),
    ("(x, p):\n    a, b = p\n    a = torch.cat([o + 1 for o in a])\n    return torch.cat([a, b])", "", None, False),
    # A tensor would be converted to an int without an error.
    ("(x, p=1):\n    return x * p", "def g(self, x, i):\n    return f(x, self.weights[i])", None, False),
    ("(x, p=3):\n    return x ** p", "class A:\n    def forward(self, x):\n        return f(x, self.p)", None, False),
    ("(x, p=1):\n    return x.sum(dim=p)", "def g(self, x, i):\n    return f(x, self.dims[i])", "int", False),
    (
        "(x, p=1):\n    return x * p",
        "class A:\n    def __init__(self, p):\n        self.p = p\n    def forward(self, x):\n"
        "        return f(x, self.p)",
        "int",
        False,
    ),
    # Callers pass more than empty tuples.
    ("(x, p=()):\n    for each in p:\n        x = x + each\n    return x", "", None, False),
    ("(x, p=None):\n    return torch.zeros(3, device=p) + x", "", "Optional[Device]", False),
    ("(x, p=None):\n    return x if p is None else x * p['bias']", "", "Optional[Dict[str, Tensor]]", False),
    ("(x, p=None):\n    return x if p is None else x * p", "", "Optional[Tensor]", False),
    # It may be a label or a tensor of labels; one dimension or several.
    ("(x, p=None):\n    return x if p is None else x[x != p]", "", None, False),
    ("(x, p=None):\n    return x if p is None else x.eq(p)", "", None, False),
    ("(x, p=None):\n    return x if p is None else x.sum(dim=p)", "", None, False),
    ("(x, p=None):\n    return x if p is None else x.sum(p)", "def g(x):\n    return f(x, 1)", "Optional[int]", True),
    ("(x, p=None):\n    return x if p is None else x * (1 - p)", "", "Optional[Tensor]", False),
    ("(x, p=None):\n    if p is None:\n        p = torch.ones(3)\n    return x + p", "", "Optional[Tensor]", False),
    ("(x, p):\n    return x if p is None else x * p", "def g(x):\n    return f(x, None)", "Optional[Tensor]", False),
    # With the annotation, the result is an Optional, too.
    (
        "(x, p):\n    n = len(p[:1])\n    return x + n, p",
        "def g(x):\n    return f(x, [1])[0] + f(x, None)[0]",
        "Optional[List[int]]",
        False,
    ),
    (
        "(x, p):\n    n = len(p[:1])\n    return x + n",
        "def g(x):\n    return f(x, [1]) + f(x, None)",
        "Optional[List[int]]",
        True,
    ),
    ("(x, p=None):\n    return x * 2 if p else x", "", None, False),
    ("(x, p):\n    h, c = p\n    return torch.tanh(h) + c * x", "", "Tuple[Tensor, Tensor]", False),
    ("(x, p):\n    b, c = p\n    return x.view(b, c, -1)", "", "Tuple[int, int]", False),
    ("(x, p):\n    return p(x)", "", None, False),
    ("(x, p):\n    return x * p if isinstance(p, float) else x", "", None, False),
    ("(x, p):\n    return torch.cat([x, p], 1)", "", "Tensor", False),
    ("(x, p):\n    return torch.cat(p, 1)", "", "List[Tensor]", False),
    ("(x, p):\n    return torch.cat(p, 1)", "def g(x):\n    return f(x, x)", "List[Tensor]", False),
    ("(x, p):\n    return x.view(p)", "", None, False),
    ("(x, p):\n    return x.view(2, p * 3)", "", "int", False),
    ("(x, p):\n    return x + len(p[:1])", "def g(x):\n    return f(x, [1]) + f(x, None)", "Optional[List[int]]", True),
    ("(x, p):\n    return x + len(p)", "def g(x):\n    return f(x, [1]) + f(x, None)", "Optional[List[int]]", False),
    ("(x, p):\n    return x * math.sqrt(p)", "", None, False),
    ("(x, p):\n    return x.masked_fill(p == 0, -1.0)", "", "Tensor", False),
    ("(x, p):\n    p.append(x)\n    return x", "", None, False),
    ("(x, p):\n    return h(x, p)", "def h(x, q: float):\n    return x * q", "float", False),
    ("(x, p):\n    for y in p['ys']:\n        x = x + y\n    return x", "", "Dict[str, Tensor]", False),
    ("(x, p):\n    for i in range(len(p['ys'])):\n        x = x + p['ys'][i]\n    return x", "", None, False),
    (
        "(x, p):\n    ys = p['ys']\n    print(ys.shape)\n"
        "    for i in range(len(ys)):\n        x = x + ys[i]\n    return x",
        "",
        "Dict[str, Tensor]",
        False,
    ),
    ("(x, p):\n    ys = p['ys']\n    for i in range(len(ys)):\n        x = x + ys[i]\n    return x", "", None, False),
    ("(x, p):\n    return x * p['a']['b']", "", None, False),
    ("(x, p):\n    return x * p['a'] if p['mode'] == 'a' else x", "", None, False),
    ("(x, p):\n    p['b'] = [x]\n    return x * p['a']", "", None, False),
    ("(x, p):\n    p['b'] = x * 2\n    return x * p['a']", "", "Dict[str, Tensor]", False),
    ("(x, p):\n    p['b'] = g(x)", "def g(x):\n    return {'c': x}", None, False),
    ("(x, p):\n    p['b'] = g(x)", "def g(x):\n    return x", "Dict[str, Tensor]", False),
    ("(x, p):\n    return x * p['a']", "def g(x, q):\n    ys = []\n    q['a'] = ys\n    return x", None, False),
    ("(x, p):\n    return x * p['a']", "def g(x, q):\n    q['b'] = [x]\n    return x", "Dict[str, Tensor]", False),
    ("(x, p):\n    return x * p['a']", "def g(x):\n    return {'a': [x, x]}", None, False),
    ("(x, p):\n    return x * p['a'].exp()", "def g(x):\n    return {'a': [x]}", "Dict[str, Tensor]", False),
    *(
        (
            f'(x, p):\n    """Do it.\n\n    {said}\n    """\n    print(p)\n    return x',
            "def g(x):\n    return f(x, 3)",
            type_,
            True,
        )
        for said, type_ in [
            ("p : int > 0", "int"),
            ("p : number of rows", "int"),
            ("p : string, tuple, number, callable, or list-like", None),
            ("p (int, optional): a float or so", "int"),
            ("p (int or tuple): the size", None),
            ("p: An integer or a tuple of integers, the size", None),
            ("p (list[int]): the sizes", None),
            (":type p: float", None),
            (":param int p: a number", "int"),
            (":param torch.Tensor p: a number", None),
            ("p: a float", "int"),
        ]
    ),
    ('(x, p):\n    """p (list or int)"""\n    return x[:p]', "def g(x):\n    return f(x, 3)", "int", True),
    ("(x, p=None):\n    def inner(p):\n        return p\n    return inner(x) * p", "", None, False),
]


@pytest.mark.parametrize(("body", "rest", "type_", "confirmed"), TYPES)
def test_a_type_is_inferred_if_all_uses_agree(body: str, rest: str, type_: str | None, confirmed: bool) -> None:
    tree = ast.parse(f"{HEAD}def f{body}\n\n\n{rest}\n")
    function = next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "f")
    calls = [(site.node, site.function, tree) for site in callers(tree).of(function)]
    found = infer(tree, function, "p", calls)
    assert (found.type if found is not None else None) == type_
    assert found is None or found.confirmed is confirmed


def test_methods_and_subclasses_are_callers() -> None:
    tree = ast.parse(f"""{HEAD}class Base(nn.Module):
    def scale(self, x, p):
        return x * p

    def forward(self, x):
        return self.scale(x, 2)


class Sub(Base):
    def forward(self, x):
        return self.scale(x, p=0.5)
""")
    scale = next(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "scale")
    assert infer(tree, scale, "p", [(site.node, site.function, tree) for site in callers(tree).of(scale)]) is None


def _applied(text: str) -> tuple[str, list[tuple[str, Applicability, tuple[Risk, ...]]]]:
    """Return the text after all fixes except display ones, and these fixes."""
    applied = []
    for _ in range(6):
        fixes = [(each.code, each.fix) for each in findings(text) if each.fix is not None]
        fixes = [each for each in fixes if each[1].applicability is not Applicability.DISPLAY]
        applied += [(code, fix.applicability, fix.risks) for code, fix in fixes]
        new = apply_fixes(SourceFile(HERE, text), [fix for _, fix in fixes]).text
        if new == text:
            break
        text = new
    return text, applied


# By row: the code before, a line of it after the fix (None if no annotation is written), and the arguments of several
# calls.
WRITTEN = [
    (
        "def f(x, d):\n    return torch.zeros(2, 3, device=d) + x",
        "def f(x, d: torch.device):",
        [f"{X}, torch.device('cpu')"],
    ),
    (
        "def f(x, n: int, params=None):\n    if params is not None:\n        x = x * params['bias']\n    return x[:n]",
        "def f(x, n: int, params: Optional[Dict[str, torch.Tensor]] = None):",
        [f"{X}, 1", f"{X}, 2, {{'bias': {X}}}"],
    ),
    (
        "def f(x, mask=None):\n    return x if mask is None else x.masked_fill(mask == 0, -1.0)",
        "def f(x, mask: Optional[torch.Tensor] = None):",
        [X, f"{X}, {X}"],
    ),
    (
        "def f(x, h=None):\n    if h is None:\n        a, b = x, x\n    else:\n        a, b = h\n"
        "    return x + a.sin() * b.cos()",
        "def f(x, h: Optional[Tuple[torch.Tensor, torch.Tensor]] = None):",
        [X, f"{X}, ({X}, {X})"],
    ),
    (
        "def g(x, gain):\n    return x * gain\n\n\ndef f(x):\n    return g(x, 2) + g(x, 0.5)",
        None,
        [X],
    ),
    (
        "def g(x, gain=1):\n    return x * gain\n\n\ndef f(x):\n    return g(x) + g(x, 0.5)",
        "def g(x, gain: float = 1):",
        [X],
    ),
    (
        "def g(x, y):\n    return x + y\n\n\ndef f(x):\n    return g(x, 1) + g(x, x)",
        None,
        [X],
    ),
    (
        "def f(x, m=None):\n    return x if m in (None, 'a') else x + 1",
        "def f(x, m: Optional[str] = None):",
        [X, f"{X}, 'a'", f"{X}, 'b'"],
    ),
    # A list of sizes that is set twice.
    (
        "def g(x, h, w):\n    if w % 4 != 0:\n        p = 0, 4 - w % 4\n        x = F.pad(x, p)\n    if h % 4 != 0:\n"
        "        p = 0, 0, 0, 4 - h % 4\n        x = F.pad(x, p)\n    return x\n\n\n"
        "def f(x):\n    return g(x, x.size(0), x.size(1))",
        "def g(x, h: int, w: int):",
        [X],
    ),
    # A caller could not pass the size if only the device had its type.
    (
        "def f(n, d):\n    return torch.arange(n, device=d)",
        "def f(n: int, d: torch.device):",
        ["3, torch.device('cpu')"],
    ),
    (
        "def g(shape, d):\n    return torch.ones(shape, device=d)\n\n\n"
        "def f(x):\n    return g((x.shape[0],), x.device) + x.sum()",
        "def g(shape: List[int], d: torch.device):",
        [X],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line", "calls"), WRITTEN)
def test_annotations_agree_with_the_file(source: str, line: str | None, calls: list[str]) -> None:
    before = f"{HEAD}{source}\n\n\nscripted = torch.jit.script(f)\n"
    text, applied = _applied(before)
    for code, applicability, risks in applied:
        assert (applicability is Applicability.UNSAFE) is bool(risks), code
    if line is None:
        assert text == before
        return
    assert line in text.splitlines()
    for call in calls:
        inputs = f"inputs = ({call},)\n"
        old, new = the_compiler()(before + inputs), the_compiler()(text + inputs)
        assert new.ok, text + new.message
        assert old.eager == new.eager == new.scripted


@pytest.mark.parametrize(
    ("given", "applicability"), [("x.sum().item()", "UNSAFE"), ("x.size(0)", "SAFE"), ("int(x.sum().item())", "SAFE")]
)
def test_an_int_that_a_caller_makes_a_float_of_is_not_confirmed(given: str, applicability: str) -> None:
    """TorchScript drops the fraction of the result of `.item()`; the fix makes it compile."""
    text = f"{HEAD}def g(x, k: int = None):\n    return x if k is None else x * k\n\n\ndef f(x):\n    n = {given}\n"
    text += "    return g(x, n)\n\n\nscripted = torch.jit.script(f)\n"
    after, applied = _applied(text)
    assert [each[1].name for each in applied] == [applicability]
    verdict = the_compiler()(f"{after}inputs = (torch.full((2, 3), 0.25),)\n")
    assert verdict.ok and (verdict.eager == verdict.scripted) is (applicability == "SAFE")


def test_a_comparison_with_the_default_s_type_confirms_nothing() -> None:
    """Python also compares None; two rules report it for the same parameter."""
    body = "    def forward(self, x, limit=0):\n        if limit == 1:\n            x = x * 2\n        return x\n"
    found = [each for each in findings(f"{HEAD}class Net(nn.Module):\n{body}") if each.fix is not None]
    assert {each.code: each.fix.applicability for each in found if each.fix} == {
        "TS501": Applicability.UNSAFE,
        "TS618": Applicability.UNSAFE,
    }
    assert all(Risk.REFUSES in each.fix.risks for each in found if each.fix)


@pytest.mark.parametrize(("use", "applicability"), [("x + k", "unsafe"), ("x[k:]", "safe")])
def test_another_name_of_a_parameter_does_not_confirm_its_default(use: str, applicability: str) -> None:
    text = f"import torch\n\n\ndef f(x, n=0):\n    k = n\n    return {use}\n\n\nscripted = torch.jit.script(f)\n"
    (fix,) = (each.fix for each in findings(text) if each.code == "TS501")
    assert fix is not None and fix.applicability.value == applicability


def test_two_rules_write_the_same_type() -> None:
    """The parameter is compared with None and passed to a function; no applied rule may treat it as a Tensor."""
    text = f"""{HEAD}class Net(nn.Module):
    def forward(self, x, dtype=None, fname=None):
        if dtype is not None:
            x = x.to(dtype)
        if fname is not None:
            print(fname)
        return x + torch.zeros(1, dtype=dtype)
"""
    fixes = [each.fix for each in findings(text) if each.fix and each.fix.applicability is not Applicability.DISPLAY]
    written = {fix.message for fix in fixes if "Annotate" in fix.message}
    assert len(written) == 1 and "`dtype: Optional[torch.dtype]`" in written.pop()


FORWARD = f"""{HEAD}class Inner(nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x


class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([Inner() for _ in range(depth)])

    def forward(self, x, mask=None, name=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x


module = Net(1)
"""


@pytest.mark.parametrize("call", [X, f"{X}, {X}"])
def test_an_argument_that_is_passed_on_has_the_type_of_its_parameter(call: str) -> None:
    text, applied = _applied(FORWARD)
    assert text.count("mask: Optional[Tensor] = None") == 2 and ", name=None)" in text
    assert all(Risk.ASSUMES in risks for _, _, risks in applied)
    inputs = f"inputs = ({call},)\n"
    assert (
        the_compiler()(FORWARD + inputs).eager
        == the_compiler()(text + inputs).eager
        == the_compiler()(text + inputs).scripted
    )


# Code that certainly cannot be compiled, in a function with a default of 3 and no annotation; whether it is annotated.
BODIES = [
    ("y = x * n", True),
    ("def hook(g):\n        x.add_(g * n)\n    y = x.register_hook(hook)", False),
    ("def double(y):\n        return y * 2\n    y = double(x) * n", True),
    ("try:\n        y = x * n\n    except ValueError:\n        y = x", False),
    ("y = librosa.pad(x, n)", False),
    ("if n > 2:\n        y = librosa.pad(x, n)\n    else:\n        y = x", True),
    ("y = x if n > 2 else librosa.pad(x, n)", True),
    ("if n is None:\n        return x\n    y = librosa.pad(x, n)", True),
    ("if librosa.pad(x, n):\n        x = x + 1\n    y = x", False),
    ("if torch.jit.is_scripting():\n        y = x * n\n    else:\n        y = librosa.pad(x, n)", True),
    ("y = np.sqrt(n) * x", True),
]


@pytest.mark.parametrize(("body", "annotated"), BODIES)
def test_what_cannot_be_compiled_is_not_annotated(body: str, annotated: bool) -> None:
    """The finding remains, because an annotation alone would not help."""
    text = f"import numpy as np\n{HEAD}def f(x, n=3):\n    {body}\n    return y\n\n\nscripted = torch.jit.script(f)\n"
    found = [each.fix for each in findings(text) if each.code == "TS501"]
    assert [fix is not None for fix in found] == [annotated]
    assert not the_compiler()(text).ok


SETS = [
    ("x, p, q", "x.view(-1, p, q) if p == 4 else x", "x, p: int, q: int"),
    ("x, p, q", "x.view(-1, p) * q if p == 4 else x", "x, p: int, q"),
    ("x, p, q", "x.view(-1, p).to(q) if p == 4 else x", "x, p: int, q"),
    ("x, p, q", "x.view(-1, p) if p == 4 and q == 'a' else x", "x, p: int, q: str"),
]


@pytest.mark.parametrize(("parameters", "value", "expected"), SETS)
def test_parameters_are_annotated_together(parameters: str, value: str, expected: str) -> None:
    text = f"{HEAD}class Net(nn.Module):\n    def forward(self, {parameters}):\n        return {value}\n"
    assert f"def forward(self, {expected}):" in fixed(text)[0]


LOSS = """\
import torch


def score(x, dims=None):
    if dims is not None:
        return torch.sum(x, dim=dims)
    return torch.sum(x)
"""
NET = """\
import torch
from torch import nn

from loss import score


class Loss(nn.Module):
    def forward(self, x):
        {before}
        return score(x, dims=dims)
"""


@pytest.mark.parametrize(
    ("before", "annotation"),
    [("dims = 1", "dims: Optional[int] = None"), ("dims = (0, 2)", "dims: Optional[Tuple[int, int]] = None")],
)
def test_calls_in_other_files_are_considered(tmp_path: Path, before: str, annotation: str) -> None:
    (tmp_path / "loss.py").write_text(LOSS, encoding="utf-8")
    (tmp_path / "net.py").write_text(NET.format(before=before), encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)])
    assert f"def score(x, {annotation}):" in (tmp_path / "loss.py").read_text(encoding="utf-8")


def test_a_dtype_that_the_compiler_passes_as_an_int_is_written_as_a_dtype() -> None:
    rest = "\n\n\n@torch.jit.script\ndef g(x):\n    d, t = x.device, x.dtype\n    return f(x, dtype=t).to(d)\n"
    after, _ = fixed(f"{HEAD}def f(x, dtype=torch.float32):\n    return x.to(dtype) + 1{rest}")
    assert "def f(x, dtype: torch.dtype = torch.float32):" in after


# What creates objects of a class whose constructor has `device="cpu"`, and whether that is a str.
CREATED = {
    "with the default": ("Mask(3)", True),
    "with a device": ("Mask(3, device=x.device)", False),
    "by a subclass": ("Sub(3, x.device)", False),
    "by a subclass with a constructor": ("Other(x.device)", True),
}


@pytest.mark.parametrize("name", CREATED)
def test_calls_of_a_class_are_calls_of_its_constructor(name: str) -> None:
    made, is_str = CREATED[name]
    text = (
        "class Mask:\n    def __init__(self, n, device='cpu'):\n        self.n, self.on = n, device\n\n\n"
        "class Sub(Mask):\n    pass\n\n\n"
        "class Other(Mask):\n    def __init__(self, device):\n        super().__init__(3)\n\n\n"
        f"def g(x: torch.Tensor):\n    return {made}\n"
    )
    tree = ast.parse(HEAD + text)
    init = next(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "__init__")
    calls = [(site.node, site.function, tree) for site in callers(tree).of(init)]
    found = infer(tree, init, "device", calls)
    assert (found is not None and found.type == "str") is is_str


DOCUMENTED = f"""{HEAD}class Net(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return dropped(x, self.rate, self.training)


def dropped(x, p, training):
    \"\"\"Drop some.

    Args:
        x: (tensor) the input.
        p: (float) how many to drop.
        training (bool): whether to drop any.
    \"\"\"
    if not training:
        return x
    return x * (torch.rand_like(x) > p)


scripted = torch.jit.script(Net(*[0.5]).eval())
"""


def test_parameters_beside_have_the_types_of_the_docstring() -> None:
    text, applied = _applied(DOCUMENTED)
    assert "def dropped(x, p: float, training: bool):\n" in text
    assert [applicability for _, applicability, _ in applied] == [Applicability.SAFE]
    inputs = "inputs = (torch.ones(2, 3),)\n"
    before, after = the_compiler()(DOCUMENTED + inputs), the_compiler()(text + inputs)
    assert not before.ok and after.ok, after.message
    assert before.eager == after.eager == after.scripted


OMITTED = f"""{HEAD}class Inner(nn.Module):
    def forward(self, x, mask=None):
        return torch.relu(x)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, mask=None):
        return self.inner(x, mask) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x):
        return self.layer(x)


module = Net()
"""


def test_a_mask_that_callers_leave_out_is_optional_down_to_the_last_function() -> None:
    text, _ = fixed(OMITTED)
    assert text.count("x, mask: Optional[torch.Tensor] = None)") == 2
    inputs = f"inputs = ({X},)\n"
    before, after = the_compiler()(OMITTED + inputs), the_compiler()(text + inputs)
    assert not before.ok and after.ok, after.message
    assert before.eager == after.eager == after.scripted


NAMESAKES = f"""{HEAD}class Norm(nn.Module):
    def forward(self, x, cond=None, mode="plain"):
        return x * 2 if mode == "plain" else x


class Scaled(nn.Module):
    def forward(self, x, cond=None, mode="plain"):
        if cond is not None:
            x = USE
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Norm(), Scaled()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x, None, "other")
        return x


module = Net()
"""


@pytest.mark.parametrize(("use", "type_"), [("x * cond.sum()", "Tensor"), ("x[cond:]", "int")])
def test_a_parameter_has_the_type_of_its_namesakes(use: str, type_: str) -> None:
    before = NAMESAKES.replace("USE", use)
    text, _ = fixed(before)
    assert text.count(f'forward(self, x, cond: Optional[{type_}] = None, mode: str = "plain")') == 2, text
    inputs = f"inputs = ({X},)\n"
    judged, compiled = the_compiler()(before + inputs), the_compiler()(text + inputs)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager == compiled.eager == compiled.scripted


@pytest.mark.parametrize(("used", "type_"), [("assert y is not None", "Optional[Tensor]"), ("x = x + 1", "")])
def test_a_parameter_that_is_only_tested_for_none_may_be_a_tensor(used: str, type_: str) -> None:
    text, _ = fixed(
        f"{HEAD}class Net(nn.Module):\n    def forward(self, x, y=None):\n        if self.training:\n"
        f"            {used}\n        return x * 2\n"
    )
    assert (f"y: {type_} = None" if type_ else "x, y=None)") in text


@pytest.mark.parametrize(
    ("bound", "written"),
    [
        ("p + 1", "def f(x, p: int):\n    for i in range(p + 1):\n"),
        ("x.sum() + 1", "    for i in range(int(x.sum() + 1) if torch.jit.is_scripting() else x.sum() + 1):\n"),
    ],
)
def test_a_bound_that_is_computed_from_a_parameter_shows_its_type(bound: str, written: str) -> None:
    text = f"{HEAD}def f(x, p):\n    for i in range({bound}):\n        x = x + i\n    return x\n"
    after = fixed(f"{text}\n\nscripted = torch.jit.script(f)\n")[0]
    assert written in after
    verdict = the_compiler()(f"{after}\ninputs = (torch.tensor([2]), 2)\n")
    assert verdict.ok or "p + 1" not in bound, verdict.message


REPLACED = """
def paddings(counts, most, axis: int = 0):
    counts = counts.unsqueeze(axis + 1)
    {before}most = torch.arange({value}, device=counts.device).view(1, -1)
    return counts > most


class Net(nn.Module):
    def forward(self, x, counts):
        return paddings(counts, x.shape[1], axis=0)


module = Net()
"""


@pytest.mark.parametrize(("before", "value", "written"), [("", "most", True), ("if axis:\n        ", "most", False)])
def test_a_parameter_may_be_replaced_by_a_value_of_another_type(before: str, value: str, written: bool) -> None:
    text, _ = fixed(HEAD + REPLACED.format(before=before, value=value))
    assert ("def paddings(counts, most: int, axis: int = 0):" in text) is written
    inputs = f"inputs = ({X}, torch.arange(2))\n"
    assert the_compiler()(text + inputs).ok is written
