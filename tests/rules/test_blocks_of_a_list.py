"""Tests loops over the modules of one block of a list, ``self.blocks[i * n + j]``, as in HiFi-GAN, and lists that only
one branch of a constructor creates, as in a GIN.
"""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise, fixed

HEAD = "import torch\nfrom torch import nn\n\n\n"
NET = """class Net(nn.Module):
    def __init__(self, size: int = 2, many: int = 6):
        super().__init__()
        self.size = size
        self.count = {count}
        self.ups = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.blocks = nn.ModuleList([nn.Linear(3, 3) for _ in range(many)])

    def forward(self, x):
        for i, up in enumerate(self.ups):
            x = up(x)
            xs = None
            for j in range(self.count):
                {body}
            x = x if xs is None else xs / self.count
        return x
"""
SUM = """if xs is None:
                    xs = self.blocks[i * self.count + j](x)
                else:
                    xs += self.blocks[i * self.count + j](x)"""
BUILDS = ("Net()", "Net(3)", "Net(0)", "Net(1, 3)", "Net(-1)", "Net(2, 5)", "Net(4, 6)")
BLOCK = "                if i * self.count <= j < (i + 1) * self.count:\n                    if xs is None:\n"


def test_a_block_is_a_part_of_the_loop() -> None:
    text = check_promise(NET.format(count="len(range(size))", body=SUM), BUILDS, ("(torch.rand(2, 3),)",))
    assert f"            for j, block in enumerate(self.blocks):\n{BLOCK}" in text
    assert "            if (i + 1) * self.count > len(self.blocks):\n                raise IndexError(" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"x = x + j\n                {SUM}", id="the index has another use"),
        pytest.param(f"{SUM}\n                if self.training:\n                    break", id="a break"),
        pytest.param(
            "if x.sum() > 0:\n                    xs = self.blocks[i * self.count + j](x)", id="not every turn"
        ),
        pytest.param("xs = self.blocks[(i - 1) * self.count + j](x)", id="a block from the end"),
        pytest.param("xs = self.blocks[i * self.size + j](x)", id="another size"),
        pytest.param("xs = self.blocks[i * self.count + j](x)\n                self.count = 2", id="the size changes"),
    ],
)
def test_other_loops_keep_their_header(body: str) -> None:
    text, _ = fixed(HEAD + NET.format(count="len(range(size))", body=body))
    assert "            for j in range(self.count):\n" in text


GIN = """class Net(nn.Module):
    def __init__(self, depth: int = 3):
        super().__init__()
        {first}
        self.depth = depth
        if depth < 1:
            raise ValueError("too few layers")
        elif depth == 1:
            {one}
        else:
            {more}
            self.linears = nn.ModuleList()
            self.norms = nn.ModuleList()
            for _ in range(depth - 1):
                self.linears.append(nn.Linear(3, 3))
                self.norms.append(nn.BatchNorm1d(3))

    def forward(self, x):
        if self.plain:
            return self.linear(x)
        for i in range(self.depth - 1):
            x = self.norms[i](self.linears[i](x))
        return x
"""
ONE = "self.linear = nn.Linear(3, 3)"


def test_a_list_beside_a_flag_is_set_where_the_flag_says_so() -> None:
    text = GIN.format(first="self.plain = True", one=ONE, more="self.plain = False")
    after = check_promise(text, ("Net()", "Net(1)", "Net(2)"), ("(torch.rand(2, 3),)",))
    assert "        for linear, norm in zip(self.linears, self.norms):\n            x = norm(linear(x))\n" in after


@pytest.mark.parametrize(
    ("first", "one", "more"),
    [
        pytest.param("self.plain = False", f"{ONE}\n            self.plain = True", "pass", id="the flag's default"),
        pytest.param("self.plain = depth < 2", ONE, "pass", id="a flag that is computed"),
        pytest.param("self.plain = True", f"{ONE}\n            self.plain = False", "self.plain = False", id="both"),
    ],
)
def test_a_flag_that_shows_less_leaves_the_header(first: str, one: str, more: str) -> None:
    text, _ = fixed(HEAD + GIN.format(first=first, one=one, more=more))
    assert "for linear, norm in zip(self.linears, self.norms):" not in text


ALIAS = """from torch.nn import Sequential as Seq


class Net(nn.Module):
    def __init__(self, n: int = 3, bias: bool = True):
        super().__init__()
        self.n = n
        if bias:
            self.layers = Seq(*[nn.Linear(3, 3) for _ in range(self.n - 1)])
        else:
            self.layers = Seq(*[nn.Linear(3, 3, bias=False) for _ in range(self.n - 1)])

    def forward(self, x):
        for i in range(self.n - 1):
            x = self.layers[i](x)
        return x
"""


def test_a_container_that_is_imported_under_another_name_is_as_long() -> None:
    after = check_promise(ALIAS, ("Net()", "Net(1)", "Net(3, False)"), ("(torch.rand(2, 3),)",))
    assert "        for layer in self.layers:\n            x = layer(x)\n" in after


GIVEN = """class Net(nn.Module):
    def __init__(self, cutoff: List[float]):
        super().__init__()
        self.cutoff = cutoff
        self.tail = nn.ModuleList()
        for i in range(len({measured}) - 1):
            self.tail.append(nn.Linear(3, 3)){later}

    def forward(self, x):
        for i in range(len(self.cutoff) - 1):
            if x.sum() > self.cutoff[i]:
                y = self.tail[i](x)
                x = x + y
        return x
"""
BUILDS = ("Net([0.0, 0.5, 1.0])", "Net([0.0])", "Net([])")


@pytest.mark.parametrize("measured", ["cutoff", "self.cutoff"])
def test_a_list_that_the_constructor_gets_stays_as_long(measured: str) -> None:
    after = check_promise(GIVEN.format(measured=measured, later=""), BUILDS, ("(torch.rand(2, 3),)",))
    assert "        for i, tail in enumerate(self.tail):\n            if x.sum() > self.cutoff[i]:\n" in after


def test_a_list_that_a_caller_changes_later_may_be_shorter() -> None:
    later = "\n\n\ndef shorter():\n    cuts = [0.0, 0.5, 1.0]\n    net = Net(cuts)\n    cuts.pop()\n    return net\n"
    text = GIVEN.format(measured="cutoff", later="") + later
    after = check_promise(text, ("shorter()", *BUILDS), ("(torch.rand(2, 3),)",))
    assert "enumerate(self.tail):\n            if x" not in after


def test_a_list_that_the_constructor_changes_later_is_longer() -> None:
    text = GIVEN.format(measured="cutoff", later="\n        cutoff.append(1.0)")
    assert "enumerate(self.tail):\n            if x" not in check_promise(text, BUILDS, ("(torch.rand(2, 3),)",))


OPTIONAL = """class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Linear(3, 3)

    def forward(self, y):
        {use}


class Net(nn.Module):
    def __init__(self, joined: bool = False):
        super().__init__()
        self.joined = joined
        self.conv = Conv()

    def forward(self, x, c: Optional[Tensor] = None):
        if self.joined:
            x = {value}
        return x
"""


@pytest.mark.parametrize(
    ("value", "use", "plain"),
    [
        ("x * 2\n            x *= c", "return y", True),
        ("torch.cat((x, c), 1)", "return y * 2", True),
        ("x + self.conv(c)", "return y * 2", True),
        ("x + self.conv(c)", "return x if y is None else y * 2", False),
        ("x + self.conv(c)", "yield y * 2", False),
        ("x + self.conv(c)", "self.conv.requires_grad_(False)\n        return y * 2", False),
        ("x + self.conv(c)", "with torch.no_grad():\n            return y * 2", False),
        ("x + self.conv(c)", "if self.training:\n            return 1.0\n        return y * 2", False),
    ],
)
def test_python_runs_an_assertion_where_none_would_raise_anyway(value: str, use: str, plain: bool) -> None:
    head = "from typing import Optional\n\nimport torch\nfrom torch import Tensor, nn\n\n\n"
    text, _ = fixed(head + OPTIONAL.format(value=value, use=use))
    assert ("            assert c is not None\n" in text) is plain


def test_a_list_that_may_become_none_later_leaves_the_header() -> None:
    text = GIN.format(first="self.plain = True", one=ONE, more="self.plain = False")
    text = text.replace("    def forward", "        if depth > 5:\n            self.norms = None\n\n    def forward")
    assert "for linear, norm in zip(self.linears, self.norms):" not in fixed(HEAD + text)[0]


def test_a_list_that_a_method_changes_keeps_the_header() -> None:
    body = f"{SUM}\n                self.grow()"
    grow = "\n    @torch.jit.unused\n    def grow(self):\n        self.blocks.append(nn.Linear(3, 3))\n"
    text, _ = fixed(HEAD + NET.format(count="len(range(size))", body=body) + grow)
    assert "            for j in range(self.count):\n" in text


UPS = """class Net(nn.Module):
    def __init__(self, rates: List[int], kernels: List[int], sizes: List[int], dilations: List[int]):
        super().__init__()
        self.num_ups = len(rates)
        self.num_kernels = len(sizes)
        self.ups = nn.ModuleList()
        for i, (u, k) in enumerate(zip(rates, kernels)):
            self.ups.append(nn.Linear(3, 3))
        self.blocks = nn.ModuleList()
        for i in range(len(self.ups)):
            for j, (k, d) in enumerate(zip(sizes, dilations)):
                self.blocks.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.num_ups):
            x = self.ups[i](x)
            y = torch.zeros(2, 3)
            for j in range(self.num_kernels):
                y = self.blocks[i * self.num_kernels + j](x) + y
            x = y
        return x
"""
ZIPPED = ("Net([1, 2], [1, 2], [1], [1])", "Net([], [], [], [])", "Net([1], [1, 2], [1, 2], [1, 2])")
UNEVEN = ("Net([1, 2], [1], [1], [1])", "Net([1], [1], [1, 2], [1])")


def test_lists_that_a_zip_makes_as_long_are_asserted() -> None:
    after = check_promise(UPS, (*ZIPPED, *UNEVEN), ("(torch.rand(2, 3),)",))
    assert "        assert len(self.ups) == self.num_ups\n        for i, up in enumerate(self.ups):\n" in after
    assert (
        "            assert (i + 1) * self.num_kernels <= len(self.blocks)\n            for j, block in enum" in after
    )


CONFIG = "def __init__(self, config: Dict[str, List[int]]):"
READ = "".join(f'        {name} = config["{name}"]\n' for name in ("rates", "kernels", "sizes", "dilations"))


def test_lists_of_a_configuration_are_as_long_as_they_were_when_they_were_read() -> None:
    signature = UPS[UPS.index("def __init__") : UPS.index(":\n        super")] + ":"
    text = UPS.replace(signature, CONFIG).replace("        self.num_ups =", f"{READ}        self.num_ups =")
    one = 'Net({"rates": [1, 2], "kernels": [1, 2], "sizes": [1], "dilations": [1]})'
    after = check_promise(text, (one, one.replace('[1, 2], "s', '[1], "s')), ("(torch.rand(2, 3),)",))
    assert "        assert len(self.ups) == self.num_ups\n        for i, up in enumerate(self.ups):\n" in after


REPLACED = """class Net(nn.Module):
    def __init__(self, sizes: List[int], norm: bool = False):
        super().__init__()
        sizes = [3] + list(sizes)
        self.norm = norm
        self.layers = nn.ModuleList([nn.Linear(3, 3) for i in range(len(sizes) - 1)])
        if norm:
            self.norms = nn.ModuleList([nn.LayerNorm(3) for i in range(len(sizes) - 1)])
        self.acts = nn.ModuleList([nn.ReLU() for i in range(len(sizes) - 1)]){later}

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
            if self.norm:
                x = self.norms[i](x)
            x = self.acts[i](x)
        return x
"""


def test_a_parameter_that_is_replaced_once_has_one_length() -> None:
    after = check_promise(REPLACED.format(later=""), ("Net([1, 2])", "Net([], True)", "Net([1], True)"))
    assert "        for i, (layer, act) in enumerate(zip(self.layers, self.acts)):\n" in after
    assert "raise" not in after
    assert "            if self.norm:\n                for index, norm in enumerate(self.norms):\n" in after


def test_a_parameter_that_grows_has_several() -> None:
    grows = "\n        sizes.append(1)\n        self.acts = nn.ModuleList([nn.ReLU() for i in range(len(sizes) - 1)])"
    after = check_promise(REPLACED.format(later=grows), ("Net([1, 2])", "Net([], True)"))
    assert "        for i, (layer, act) in enumerate(zip(self.layers, self.acts)):\n" not in after or "raise" in after


OTHERS = """class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        {other}

    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self, n: int = 3):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x


{function}
"""
LAZY = """def lazy(function):
    name = {name} + function.__name__

    def value(self):
        setattr(self, name, function(self))

    return value"""


@pytest.mark.parametrize(
    ("other", "function", "known"),
    [
        pytest.param("fill(self.layers)", "", True, id="another class passes a list of this name"),
        pytest.param("Net().layers.append(nn.ReLU())", "", False, id="another class changes the list of this one"),
        pytest.param("pass", LAZY.format(name='"_lazy_"'), True, id="a prefix in a variable"),
        pytest.param("pass", "name = '_'\nsetter = lambda net, name: setattr(net, name, 1)", False, id="a lambda"),
        pytest.param("pass", LAZY.format(name='""'), False, id="no prefix"),
        pytest.param("pass", LAZY.format(name='"_lazy_"').replace("(self):", "(self, name):"),
                     False, id="a parameter of that name"),
    ],
)  # fmt: skip
def test_what_other_code_does_to_lists_of_one_name(other: str, function: str, known: bool) -> None:
    text, _ = fixed(HEAD + OTHERS.format(other=other, function=function))
    assert ("        for layer in self.layers:\n            x = layer(x)\n" in text) is known
