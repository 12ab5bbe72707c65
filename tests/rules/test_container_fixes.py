"""Tests the fixes for containers of modules, beyond their pages: each compiles and computes the same."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability, Severity
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """from functools import partial
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn


def scaled(x, y, by: float = 1.0, bias: Optional[torch.Tensor] = None):
    out = x * by + y
    return out if bias is None else out + bias


class Net(nn.Module):
    def __init__(self, n=3, by: float = 2.0):
        super().__init__()
        self.n, self.padding = n, 1
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.b = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.few = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        self.grid = nn.ModuleList([nn.ModuleList([nn.Linear(3, 3) for _ in range(3)]) for _ in range(2)])
        self.named = nn.ModuleDict({"a_1": nn.Linear(3, 3), "a_2": nn.Linear(3, 3)})
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(3) * i) for i in range(3)])
        self.scaled = partial(scaled, by=by, bias=None)

"""
TAIL = "\n\ninputs = (torch.rand(2, 3),)\n"

BODIES = {
    "returned-before-a-missing-one": """
    def forward(self, x):
        for i in range(4):
            if i == 3:
                return x
            x = self.a[i](x)
        return x + 1
""",
    "next-one": """
    def forward(self, x):
        out = x
        for i in range(len(self.a) - 1):
            out = out + self.a[i + 1](x)
        return out
""",
    "two-in-step": """
    def forward(self, x):
        for i in range(1, self.n):
            g = torch.sigmoid(self.a[i](x))
            if self.n > 2:
                h = F.relu(self.b[i](x))
                x = g * x + h
            x = x + g
        return x
""",
    "shorter-one-beside": """
    def forward(self, x):
        for i in range(3):
            layer = self.a[2 - i]
            if i == 0:
                x = layer(x)
            else:
                x = self.few[2 - i](layer(x))
        for i in range(len(self.a)):
            x = self.a[i](x)
            if i < 2:
                x = self.few[i](x)
        for i in range(len(self.b)):
            if i < 2:
                x = self.few[i](x) + 1
        return x
""",
    "comprehension-from-one-on": """
    def forward(self, x):
        xs = [x, x + 1, x + 2]
        xs = [self.few[i - 1](self.b[i](xs[i])) for i in range(1, 3)] + [xs[0]]
        return torch.cat(xs)
""",
    "nested": """
    def forward(self, x):
        for j in range(2):
            for i in range(j, 3):
                x = self.grid[j][i - j](x)
        return x
""",
    "backwards": """
    def forward(self, x):
        for i in range(3):
            layer = self.a[self.n - i - 1]
            x = layer(x)
        for i in range(2):
            layer = self.b[-1 - i]
            x = layer(x)
        return x
""",
    "returned": """
    def pick(self, x, i: int):
        return self.a[i](x)

    def forward(self, x):
        return self.pick(x, 1) + self.pick(x, 0)
""",
    "appended": """
    def forward(self, x):
        out: List[torch.Tensor] = []
        for i in range(self.n):
            for j in range(i, self.n):
                out.append(self.a[j](x) + x)  # both
        return torch.cat(out)
""",
    "one-before-in-a-branch": """
    def forward(self, x):
        for i in range(1, 3):
            if i > 1:
                y = self.a[i - 1](x)
            else:
                y = x
            x = x + y
        return x
""",
    "item-of-a-list": """
    def forward(self, x):
        xs = [x, x + 1, x + 2]
        for i in range(1, 3):
            xs[i] = self.a[i](xs[i])
        return xs[1] + xs[2]
""",
    "key": """
    def forward(self, x):
        for i in range(2):
            y = self.named["a_" + str(i + 1)](x)
            x = x + y
        return x
""",
    "parameter": """
    def forward(self, x):
        for i in range(1, self.n):
            x = x * self.weights[i]
        return x
""",
    "zip-of-a-slice": """
    def forward(self, x):
        xs = [x, x + 1, x + 2, x + 3]
        for y, layer in zip(xs[1:], self.a):
            x = x + layer(y)
        return x
""",
    "zip-in-a-comprehension": """
    def forward(self, x):
        xs = [x, x + 1, x + 2]
        return torch.cat([layer(y) + 1 for y, layer in zip(xs, self.a)])
""",
    "partial": """
    def forward(self, x):
        return self.scaled(x, x + 1) + self.scaled(x, y=x, by=3.0)
""",
    "zip-with-fewer": """
    def forward(self, x):
        xs = [x]
        return sum(layer(y) + 1 for y, layer in zip(xs, self.a))
""",
    "zip-of-numbers": """
    def forward(self, x):
        sizes = [s + 2 * p for s, p in zip(x.shape, (self.padding, 2))]
        return torch.zeros(sizes)
""",
}


def fixed(text: str, *levels: Applicability) -> str:
    """Return the text after all fixes of these levels."""
    for _ in range(8):
        fixes = [finding.fix for finding in findings(text) if finding.fix is not None]
        fixes = [fix for fix in fixes if fix is not None and fix.applicability in levels]
        after = apply_fixes(SourceFile(HERE, text), [fix for fix in fixes if fix is not None]).text
        if after == text:
            break
        text = after
    return text


@pytest.mark.parametrize("name", BODIES)
def test_unsafe_fixes_compile_compute_the_same_and_keep_the_keys(name: str) -> None:
    before = HEAD + BODIES[name].strip("\n") + TAIL
    assert not the_compiler()(before).ok
    text = fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    assert text != before, "there is no fix"
    assert not [finding for finding in findings(text) if finding.severity is Severity.ERROR], text
    old, new = the_compiler()(before), the_compiler()(text)
    assert new.ok, text + new.message
    assert old.eager == new.eager == new.scripted
    assert old.keys == new.keys


NAMED = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 2
        for i in range(2):
            setattr(self, f"layer{i}", nn.Linear(3, 3))
        self.pool = nn.ReLU()

    def forward(self, x):
        for i in range(self.n):
            x = getattr(self, f"layer{i}")(x)
        for i in range(self.n):
            layer = getattr(self, "layer%d" % i)
            x = layer(x)
        return torch.cat([x, getattr(self, "layer{}".format(self.n - 1))(x)])


inputs = (torch.rand(2, 3),)
"""


def test_computed_names_become_a_loop_over_the_children() -> None:
    assert fixed(NAMED, Applicability.SAFE, Applicability.UNSAFE) == NAMED  # it is more code than most authors accept
    text = fixed(NAMED, Applicability.DISPLAY)
    old, new = the_compiler()(NAMED), the_compiler()(text)
    assert not old.ok
    assert new.ok, text + new.message
    assert old.eager == new.eager == new.scripted
    assert old.keys == new.keys


REFUSED = {
    "two-searches": HEAD
    + """    def forward(self, x, i: int, j: int):
        return self.a[i](x) + self.b[j](x)
""",
    "two-searches-in-one-list": HEAD
    + """    def forward(self, x):
        for k in range(x.size(0)):
            x = self.a[2 * k](x) + self.a[2 * k + 1](x)
        return x
""",
    "list-among-the-children": NAMED.replace("nn.ReLU()", "nn.ModuleList([nn.ReLU()])"),
    "index-that-the-body-changes": HEAD
    + """    def forward(self, x, i: int):
        i = self.a[i](x).size(0)
        return i
""",
    "leaves-the-loop": HEAD
    + """    def forward(self, x):
        for i in range(2, 4):
            layer = self.a[i - 2]
            if i > 2:
                break
            x = layer(x)
        return x
""",
    "read-elsewhere": HEAD
    + """    def forward(self, x):
        for i in range(1, 3):
            if i > 1:
                y = self.a[2 * i - 3](x)
            else:
                y = x
            x = x + y
        return x
""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_no_fix_where_the_statements_cannot_move(name: str) -> None:
    found = [finding for finding in findings(REFUSED[name]) if finding.code in ("TS218", "TS401")]
    assert found
    assert all(finding.fix is None for finding in found)


@pytest.mark.parametrize(("made", "applied"), [("nn.ReLU(), nn.Tanh()", True), ("nn.ReLU(), nn.Linear(3, 3)", False)])
def test_a_list_of_modules_is_only_registered_if_that_adds_no_keys(made: str, applied: bool) -> None:
    before = f"""import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [{made}]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
"""
    text = fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    old, new = the_compiler()(before), the_compiler()(text)
    assert new.ok is applied
    assert old.eager == new.eager
    assert old.keys == new.keys


@pytest.mark.parametrize(
    ("made", "applicability"),
    [
        ("self.acts = [nn.ReLU(), nn.Sigmoid()]", Applicability.SAFE),
        ("self.acts = [nn.ReLU(), nn.Dropout(0.5)]", Applicability.DISPLAY),  # `eval()` would change its mode
        ("self.acts = [nn.ReLU(), nn.Linear(3, 3)]", Applicability.DISPLAY),
        ("self.acts = []\n        self.acts.append(nn.Linear(3, 3))", Applicability.DISPLAY),
        ("self.acts = [nn.ReLU()]\n        self.acts += [nn.Linear(3, 3)]", Applicability.DISPLAY),
    ],
)
def test_a_list_of_modules_is_registered_where_that_adds_no_keys(made: str, applicability: Applicability) -> None:
    text = (
        HEAD.partition("class Net")[0]
        + f"""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x):
        for act in self.acts:
            x = act(x)
        return x


inputs = (torch.rand(2, 3),)
"""
    )
    found = [each.fix for each in findings(text) if each.code == "TS412" and each.fix is not None]
    assert [fix.applicability for fix in found] == [applicability]


@pytest.mark.parametrize(
    ("base", "body", "before", "forward"),
    [
        ("nn.Sequential", "", "super().__init__(nn.Tanh())", "return super().forward(x)"),
        ("nn.Module", "acts = ()", "super().__init__()", "return x"),
        ("nn.Module", "", "pass", "return x"),
        ("nn.Module", "def __getattr__(self, name): return vars(self)[name]", "super().__init__()", "return x"),
        ("nn.Module", "", "super().__init__()", "return x * sum(2 for act in self.acts if act.training)"),
    ],
)
def test_a_list_of_modules_is_not_registered_where_a_submodule_would_be_called_or_hidden(
    base: str, body: str, before: str, forward: str
) -> None:
    text = HEAD.partition("class Net")[0] + (
        f"class Net({base}):\n    {body or 'n = 1'}\n\n    def __init__(self, n=1):\n        {before}\n"
        f"        self.acts = [nn.ReLU(), nn.Sigmoid()]\n        {'super().__init__()' * (before == 'pass')}\n\n"
        "    def forward(self, x):\n        for act in self.acts:\n"
        f"            x = act(x)\n        {forward}\n\n\ninputs = (torch.rand(2, 3),)\n"
    )
    found = [each.fix for each in findings(text) if each.code == "TS412"]
    assert found
    assert Applicability.SAFE not in {fix.applicability for fix in found if fix is not None}


@pytest.mark.parametrize("loop", ["i, head in enumerate(self.heads)", "y, head in zip([x], self.heads)"])
def test_a_loop_over_several_values_reports_the_one_that_is_none(loop: str) -> None:
    text = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.heads = None\n\n"
        f"    def forward(self, x):\n        for {loop}:\n            x = x + 1\n        return x\n\n\n"
        "scripted = torch.jit.script(Net())\n"
    )
    assert not the_compiler()(text).ok
    (found,) = [each for each in findings(text) if each.code == "TS415"]
    assert found.message == "`self.heads` is None, which cannot be iterated"
    assert found.help is not None and found.help.startswith("Loop under `if self.heads is not None:`.")


def test_modules_zipped_in_a_comprehension_become_a_loop_at_once() -> None:
    """A comprehension with a condition, as an intermediate form, would be rejected even without any modules."""
    text = HEAD.partition("class Net")[0] + (
        "class Net(nn.Module):\n    def __init__(self, wide=True):\n        super().__init__()\n"
        "        self.heads = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)]) if wide else None\n\n"
        "    def forward(self, xs: List[torch.Tensor]):\n        if self.heads is not None:\n"
        "            xs = [head(x) for x, head in zip(xs, self.heads)]\n        return xs\n\n\n"
        "torch.manual_seed(0)\nscripted = torch.jit.script(Net({given}))\ninputs = ([torch.ones(3), torch.ones(3)],)\n"
    )
    (found,) = [each for each in findings(text.format(given="")) if each.code == "TS416"]
    assert found.fix is not None and found.fix.applicability is Applicability.UNSAFE
    assert not the_compiler()(text.format(given="")).ok
    for given in ("", "False"):
        before = text.format(given=given)
        after = the_compiler()(apply_fixes(SourceFile(HERE, before), [found.fix]).text)
        assert after.ok and after.eager == after.scripted == the_compiler()(before).eager


def test_a_search_that_returns_raises_once() -> None:
    before = HEAD + BODIES["returned"] + TAIL
    found = [each.fix for each in findings(before) if each.code == "TS401" and each.fix is not None]
    after = apply_fixes(SourceFile(HERE, before), found).text
    lines = (
        "        for index, a in enumerate(self.a):\n"
        "            if index == i or index - len(self.a) == i:\n"
        "                return a(x)\n"
        '        raise IndexError(f"index {i} is out of range")\n'
    )
    assert lines in after and after.count("raise IndexError") == 1


@pytest.mark.parametrize(
    ("returned", "written"),
    [
        ("a(x)", "a.forward(x) if torch.jit.is_scripting() else a(x)"),
        ("torch.relu(a(x))", "torch.relu(value)"),
        # Nobody writes two forms inside or beside two others.
        ("b(a(x))", "b(a(x))"),
        ("a(x) + b(x)", "a(x) + b(x)"),
    ],
)
def test_compiled_code_calls_forward_where_one_call_needs_it(returned: str, written: str) -> None:
    before = f"""import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        a, b = self.one, self.two
        return {returned}


inputs = (torch.rand(2, 3),)
"""
    text = fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    assert f"return {written}\n" in text
    assert ("value = a.forward(x) if torch.jit.is_scripting() else a(x)\n" in text) is (written == "torch.relu(value)")
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok and new.ok is (text != before)
    assert old.eager == new.eager and old.keys == new.keys


@pytest.mark.parametrize("numbers", ["range(3)", "range(0, 3)", "range(0, len(self.a))"])
def test_a_range_that_begins_with_zero_is_the_whole_list(numbers: str) -> None:
    before = (
        HEAD
        + f"    def forward(self, x):\n        for i in {numbers}:\n            x = self.a[i](x)\n        return x"
        + TAIL
    )
    text = fixed(before, Applicability.SAFE)
    assert "        for a in self.a:\n            x = a(x)\n        return x\n" in text
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok and new.ok, new.message
    assert old.eager == new.eager == new.scripted


KNOWN_LENGTHS = {
    "a container that grows by +=": (
        "self.c = nn.ModuleList()\n        for _ in range(3):\n            self.c += [nn.Linear(3, 3)]",
        "for i in range(3):\n            x = self.c[i](x)",
        "for c in self.c:\n            x = c(x)",
    ),
    "a variable that grows by +=": (
        "made = []\n        for _ in range(3):\n            made += [nn.Linear(3, 3)]\n"
        "        self.c = nn.ModuleList(made)",
        "for i in range(3):\n            x = self.c[i](x)",
        "for c in self.c:\n            x = c(x)",
    ),
    "a list that is stored again": (
        "self.c = nn.ModuleList()\n        for _ in range(3):\n            self.c.append(nn.Linear(3, 3))\n"
        "        self.c = self.c.cpu()",
        "for i in range(3):\n            x = self.c[i](x)",
        "for c in self.c:\n            x = c(x)",
    ),
    "every module twice": (
        "self.c = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])",
        "for i in range(8):\n            x = self.c[i // 2](x)",
        "if index == i // 2:",
    ),
}


@pytest.mark.parametrize("name", KNOWN_LENGTHS)
def test_no_exception_where_the_index_is_in_range(name: str) -> None:
    made, loop, written = KNOWN_LENGTHS[name]
    init = HEAD.replace("        self.scaled =", f"        {made}\n        self.scaled =")
    text = f"{init}    def forward(self, x):\n        {loop}\n        return x\n{TAIL}"
    after = fixed(text, Applicability.SAFE, Applicability.UNSAFE)
    old, new = the_compiler()(text), the_compiler()(after)
    assert not old.ok
    assert new.ok, new.message
    assert old.eager == new.eager == new.scripted
    assert written in after
    assert "IndexError" not in after


GROWN = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, extra: bool = False):
        super().__init__()
        self.c = nn.ModuleList()
        made = []
        for _ in range(2):
            self.c += [nn.Linear(3, 3)]
            made += [nn.Linear(3, 3)]
        {more}
        self.d = nn.ModuleList(made)

    def forward(self, x):
        for i in range(2):
            x = self.c[i](x)
        for i in range(2):
            x = self.d[i](x)
        return x

    @torch.jit.unused
    def grow(self):
        {later}
"""
GROWS_AGAIN = {
    "on one path": ("if extra:\n            self.c += [nn.ReLU()]\n            made += [nn.ReLU()]", "pass"),
    "by other modules": ("other = [nn.ReLU()] * int(extra)\n        self.c += other\n        made += other", "pass"),
    "in another method": ("pass", "self.c += [nn.ReLU()]\n        self.d += [nn.ReLU()]"),
}


@pytest.mark.parametrize("name", GROWS_AGAIN)
def test_modules_that_are_added_again_are_not_used(name: str) -> None:
    more, later = GROWS_AGAIN[name]
    after = check_promise(GROWN.format(more=more, later=later), ["Net()", "Net(True)"], ["(torch.rand(2, 3),)"])
    assert after.count("if i < 2:") == 2


CHAINED = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n: int = 2):
        super().__init__()
        {made}
        for _ in range(n):
            {grow}
        {stored}
        self.n = n

    def forward(self, x):
        for i in range(self.n):
            x = self.c[i](x)
        return x
"""
OTHER_NAMES = {
    "a variable that grows": ("self.c = made = nn.ModuleList()", "made.append(nn.Linear(3, 3))", "pass"),
    "a variable that grows by +=": ("self.c = made = nn.ModuleList()", "made += [nn.Linear(3, 3)]", "pass"),
    "an attribute that grows": ("self.c = self.d = nn.ModuleList()", "self.d.append(nn.Linear(3, 3))", "pass"),
    "an attribute that grows by +=": ("self.c = self.d = nn.ModuleList()", "self.d += [nn.Linear(3, 3)]", "pass"),
    "two variables": (
        "made = more = []",
        "made.append(nn.Linear(3, 3)); more.append(nn.Linear(3, 3))",
        "self.c = nn.ModuleList(made)",
    ),
    "an alias of the attribute": ("self.c = nn.ModuleList(); made = self.c", "made += [nn.Linear(3, 3)]", "pass"),
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_a_list_that_grows_under_another_name_has_no_known_length(name: str) -> None:
    made, grow, stored = OTHER_NAMES[name]
    text = CHAINED.format(made=made, grow=grow, stored=stored)
    after = check_promise(text, ["Net()", "Net(0)", "Net(1)"], ["(torch.rand(2, 3),)"])
    assert "if i < self.n:" in after
    assert "if self.n > len(self.c):" in after


READOUT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(depth)])
        self.layers.append(nn.Linear(3, 2))
        self.depth = depth

    def forward(self, x):
        for i in range(self.depth):
            x = self.layers[i](x)
        return self.layers[self.depth](x)
"""


def test_an_attribute_of_any_value_is_no_literal() -> None:
    """The constructor's range shows that it is an int, so the module after the loop is found, too."""
    assert [each.start.row for each in findings(READOUT) if each.code == "TS401"] == [14, 15]
    check_promise(READOUT, ["Net(2)", "Net(0)", "Net(-1)"], ["(torch.rand(2, 3),)"])


COUNTED = """
class Net(nn.Module):
    def __init__(self, depth, sizes=(3, 3), wide=(3, 3)):
        super().__init__()
        assert depth > 1
        self.depth, widths = depth, [3, 3, 3, 3]
        self.stages = len(widths) - 1
        self.count = len(sizes)
        self.first = nn.ModuleList([nn.Linear(3, 3)])
        for _ in range(depth - 1):
            self.first.append(nn.Linear(3, 3))
        self.plain = nn.ModuleList()
        self.ups = nn.ModuleList()
        self.wide = nn.ModuleList()
        self.longer = nn.ModuleList([nn.Linear(3, 3)])
        for _ in range(self.depth):
            self.plain.append(nn.Linear(3, 3))
            self.longer.append(nn.Linear(3, 3))
        for i in range(self.stages - 1, -1, -1):
            self.ups.append(nn.Linear(widths[i], 3))
        for _, _ in zip(sizes, wide):
            self.wide.append(nn.Linear(3, 3))

    def forward(self, x):
        LOOP
        return x
"""


@pytest.mark.parametrize(
    ("loop", "written"),
    [
        pytest.param(
            "for i in range(self.depth):\n            x = self.first[i](x)",
            "for first in self.first:\n            x = first(x)",
            id="the constructor asserts that a range is not empty",
        ),
        pytest.param(
            "for i in range(1, self.depth):\n            x = self.plain[i](x)",
            "for i, plain in enumerate(self.plain):\n            if i >= 1:\n                x = plain(x)",
            id="a range of the same length made the list",
        ),
        pytest.param(
            "for i in range(self.stages):\n            x = self.ups[i](x)",
            "for up in self.ups:\n            x = up(x)",
            id="a loop that counts down made the list",
        ),
        pytest.param(
            "for i in range(self.depth):\n            x = self.longer[i](self.plain[i](x))",
            "for longer, plain in zip(self.longer, self.plain):\n            x = longer(plain(x))",
            id="one of two containers has as many modules",
        ),
        pytest.param(
            "x = self.plain[-1](x)\n        for i in range(self.depth - 1, -1, -1):\n            x = self.plain[i](x)",
            "x = self.plain[-1](x)\n        for i in range(self.depth - 1, -1, -1):\n"
            "            for index, plain in enumerate(self.plain):\n                if index == i:\n"
            "                    x = plain(x)",
            id="the last module takes no name",
        ),
        pytest.param(
            "for i in range(1):\n            for j in range(self.count):\n"
            "                x = self.wide[i * self.count + j](x)",
            "for i in range(1):\n            assert (i + 1) * self.count <= len(self.wide)\n"
            "            for j, wide in enumerate(self.wide):\n"
            "                if i * self.count <= j < (i + 1) * self.count:\n"
            "                    x = wide(x)",
            id="the modules of one block follow each other",
        ),
        pytest.param(
            "for i in range(1):\n            for j in range(self.count):\n"
            "                x = self.wide[i * self.count + j](x) + j",
            "for i in range(1):\n            for j in range(self.count):\n"
            "                if i * self.count + j >= len(self.wide):\n"
            '                    raise IndexError(f"index {i * self.count + j} is out of range")\n'
            "                for index, wide in enumerate(self.wide):\n"
            "                    if index == i * self.count + j:\n"
            "                        x = wide(x) + j",
            id="a product of counts is never negative",
        ),
        pytest.param(
            "i = 0\n        for _ in range(2):\n            x = self.plain[i](x)\n            i += 1",
            "i = 0\n        for _ in range(2):\n            if i >= len(self.plain):\n"
            '                raise IndexError(f"index {i} is out of range")\n'
            "            for index, plain in enumerate(self.plain):\n                if index == i:\n"
            "                    x = plain(x)\n            i += 1",
            id="a variable that only counts up is never negative",
        ),
        pytest.param(
            "i = 1\n        for _ in range(2):\n            x = self.plain[i](x)\n            i -= 1",
            "i = 1\n        for _ in range(2):\n            if not -len(self.plain) <= i < len(self.plain):\n"
            '                raise IndexError(f"index {i} is out of range")\n'
            "            for index, plain in enumerate(self.plain):\n"
            "                if index == i % len(self.plain):\n"
            "                    x = plain(x)\n            i -= 1",
            id="one that counts down may be",
        ),
    ],
)
def test_what_a_constructor_shows_about_numbers_needs_no_test(loop: str, written: str) -> None:
    text = COUNTED.replace("LOOP", loop)
    after = check_promise(text, ["Net(2)", "Net(4)", "Net(3, (3, 3), (3,))", "Net(2, (), ())"])
    assert after.partition("def forward(self, x):\n")[2] == f"        {written}\n        return x\n"


@pytest.mark.parametrize("asserted", ["depth > -1", "depth", "self.ready or depth > 1"])
def test_an_assertion_that_shows_too_little_keeps_the_test(asserted: str) -> None:
    text = COUNTED.replace("LOOP", "for i in range(self.depth):\n            x = self.first[i](x)")
    after = check_promise(text.replace("depth > 1", asserted), ["Net(2)"])
    assert "for i, first in enumerate(self.first):\n            if i < self.depth:\n" in after


BRANCHES = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.down = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        for index in range(2):
            if index < 1:
                x = self.down[index](x)
                x = self.up[index + 1](x)
            else:
                y = self.down[index](x)
                x = self.up[index + 1](y)
        return x
"""


def test_loops_in_two_branches_have_the_same_variables() -> None:
    after = check_promise(BRANCHES)
    assert after.count("for j, up in enumerate(self.up):\n                    if j == index + 1:\n") == 2, after


MAKES = """
class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.depth = depth
        self.heads = self.make(2)
        self.others = self.make()
        self.blocks = self.make(count=depth)

    def make(self, count=3):
        made = nn.ModuleList()
        for _ in range(count):
            made.append(nn.Linear(3, 3))
        return made

    def forward(self, x):
        xs = [x, x + 1]
        LINE
        return x
"""


@pytest.mark.parametrize(
    ("line", "written"),
    [
        pytest.param(
            "x = torch.cat([self.heads[i](each) for i, each in enumerate(xs)])",
            "x = torch.cat([head(xs[i]) for i, head in enumerate(self.heads)])",
            id="as many modules as items",
        ),
        pytest.param(
            "x = torch.cat([self.others[i](each) for i, each in enumerate(xs)])",
            "x = torch.cat([self.others[0](xs[0]), self.others[1](xs[1])])",
            id="another number of modules",
        ),
        pytest.param(
            "for i in range(self.depth):\n            x = self.blocks[i](x)",
            "for block in self.blocks:\n            x = block(x)",
            id="as many as an argument says",
        ),
    ],
)
def test_a_method_of_the_class_makes_the_modules(line: str, written: str) -> None:
    after = check_promise(MAKES.replace("LINE", line), ["Net()", "Net(0)", "Net(3)"])
    assert f"\n        {written}\n" in after, after


def test_a_method_that_a_subclass_replaces_shows_no_number_of_modules() -> None:
    text = MAKES.replace("LINE", "for i in range(self.depth):\n            x = self.blocks[i](x)")
    fewer = "\n\nclass Fewer(Net):\n    def make(self, count=1):\n        return super().make(count - 1)\n"
    after = check_promise(text + fewer, ["Net()", "Fewer(3)"])
    assert "for i, block in enumerate(self.blocks):\n            if i < self.depth:\n" in after, after


SOMETIMES = """
class Net(nn.Module):
    def __init__(self, depth: int = 2, plain: bool = False):
        super().__init__()
        self.depth = depth
        self.plain = plain
        STORES

    def forward(self, x):
        LOOP
        return x
"""
ABOVE_0 = (
    "blocks = []\n        if depth > 0:\n            for _ in range(depth):\n                blocks.append(nn.Tanh())\n"
    "            self.blocks = nn.ModuleList(blocks)"
)
NONE_BELOW = f"{ABOVE_0}\n        else:\n            self.blocks = None"
UNLESS_PLAIN = (
    "if not plain:\n            blocks = [nn.ReLU()]\n            for _ in range(depth):\n"
    "                blocks.append(nn.Tanh())\n            self.blocks = nn.Sequential(*blocks)"
)
OVER_ALL = "for i in range(self.depth):\n            x = self.blocks[i](x)"
INSIDE = OVER_ALL.replace("\n", "\n    ")


@pytest.mark.parametrize(
    ("stores", "loop", "header"),
    [
        # A loop without iterations reads nothing, so that the attribute may be None or missing.
        pytest.param(ABOVE_0, OVER_ALL, "for i in range(self.depth):", id="not set for a depth of 0"),
        pytest.param(NONE_BELOW, OVER_ALL, "for i in range(self.depth):", id="None for a depth of 0"),
        pytest.param(ABOVE_0, f"if self.depth > 0:\n            {INSIDE}", "for block in self.blocks:", id="same test"),
        pytest.param(
            ABOVE_0,
            f"if self.depth >= 0:\n            {INSIDE}",
            "for i in range(self.depth):",
            id="another test",
        ),
        pytest.param(
            NONE_BELOW,
            f"if self.blocks is not None:\n            {INSIDE}",
            "for block in self.blocks:",
            id="a test for None",
        ),
        pytest.param(
            UNLESS_PLAIN,
            f"if self.plain or x.numel() == 1:\n            x = x + 1\n        else:\n            {INSIDE}",
            "for i, block in enumerate(self.blocks):",
            id="the other branch",
        ),
    ],
)
def test_a_loop_reads_modules_only_where_the_author_did(stores: str, loop: str, header: str) -> None:
    text = SOMETIMES.replace("STORES", stores).replace("LOOP", loop)
    after = check_promise(text, ["Net()", "Net(0)", "Net(3)", "Net(0, True)", "Net(2, True)"], differs=True)
    assert f" {header}\n" in after, after
