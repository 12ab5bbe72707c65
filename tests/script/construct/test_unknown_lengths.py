"""Tests lists and containers that a constructor fills with an unknown number of items."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, kinds

LAYERS = """
class Net(nn.Module):
    def __init__(self, count: int = 2, steep=False, drop=0.5):
        super().__init__()
        layers = []
        {filled}
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor):
        return {used}


scripted = torch.jit.script(Net())
"""
BRANCHES = "layers = [nn.Linear(2, 2)]\n        if steep:\n            layers += [nn.ReLU()]\n        if drop > 0:\n"
BRANCHES += "            layers += [nn.Dropout(drop)]"
PAIRS = "for _ in range(count):\n            layers.append(nn.Linear(2, 2))\n            layers.append(nn.ReLU())"
CHOSEN = "for _ in range(count):\n            layers.append(nn.ReLU() if steep else nn.Tanh())"
LSTM = "for _ in range(count):\n            layers.append(nn.LSTM(2, 2))\n            layers.append(nn.ReLU())"
RESULTS = {
    "layers that tests add": ("no-tensor-member", BRANCHES, "self.layers(x).foo()"),
    "layers of two classes": ("no-tensor-member", PAIRS, "self.layers(x).foo()"),
    "layers of either class": ("no-tensor-member", CHOSEN, "self.layers(x).foo()"),
    "their result as it is": ("", PAIRS, "self.layers(x)"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_sequential_of_layers_that_return_tensors_returns_a_tensor(name: str) -> None:
    kind, filled, used = RESULTS[name]
    agree(kind, LAYERS.format(filled=filled, used=used))


UNKNOWN = "[nn.Identity, nn.Linear][count - count]()"
MIXED = {
    "in a list": f"layers = [{UNKNOWN}, nn.Dropout(rate)]",
    "in a loop": f"for _ in range(count):\n            layers += [{UNKNOWN}, nn.Dropout(rate)]",
    "one by one": f"for _ in range(count):\n            layers.append({UNKNOWN})\n"
    "            layers.append(nn.Dropout(rate))",
}


@pytest.mark.parametrize("rate", ["0", "0.0"])
@pytest.mark.parametrize("name", MIXED)
def test_a_layer_beside_one_that_is_not_known(name: str, rate: str) -> None:
    text = LAYERS.replace("drop=0.5", f"rate={rate}").format(filled=MIXED[name], used="self.layers(x)")
    agree("module-argument" if rate == "0" else "", text)


LISTS = """
class Net(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(count)])
        self.numbers = {numbers}

    def forward(self, x: Tensor):
        {loop}
            x = layer(x)
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("kind", "numbers", "loop"),
    [
        ("unrolled-with-unknown-length", "list(map(lambda i: i + 1, range(count)))", "for _, layer in zip({}, {}):"),
        ("unrolled-with-unknown-length", "[i for i in range(count)]", "for _, layer in zip({}, {}):"),
        ("", "tuple(range(count))", "for _, layer in zip({}, {}):"),
        ("", "[i for i in range(count)]", "for layer in {1}:"),
    ],
)
def test_a_list_of_unknown_items_is_a_list(kind: str, numbers: str, loop: str) -> None:
    agree(kind, LISTS.format(numbers=numbers, loop=loop.format("self.numbers", "self.layers")))


SHAPES = """
class Net(nn.Module):
    def __init__(self, size=2, many=1):
        super().__init__()
        self.size = size
        self.many = many

    def forward(self, x: Tensor):
        return x.reshape({shape})


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("starred-unknown-length", "*([x.shape[0], self.size] + x.shape[2:])"),
        ("", "[x.shape[0], self.size] + x.shape[2:]"),
        ("starred-unknown-length", "-1, *((self.size,) * self.many)"),
        ("", "-1, *((self.size,) + (1,))"),
    ],
)
def test_lists_and_tuples_are_joined_and_repeated(kind: str, shape: str) -> None:
    agree(kind, SHAPES.format(shape=shape))


NAMES = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict()
        self.names = []
        for i in range(2):
            name = {name}
            self.layers[name] = nn.Linear(2, 2)
            self.names.append(name)

    def forward(self, x: Tensor):
        for name{key} in {over}:
            x = {layer}(x)
        return x


scripted = torch.jit.script(Net())
"""
TEXTS = ("'layer{}'.format(i)", "'LAYER'.lower() + str(i)", "'_'.join(['layer', str(i)])")


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_the_constructor_makes_are_no_literal_keys(name: str) -> None:
    listed = NAMES.format(name=name, key="", over="self.names", layer="self.layers[name]")
    agree("container-key", listed)
    agree("", NAMES.format(name=name, key=", layer", over="self.layers.items()", layer="layer"))


SET = """
class Net(nn.Module):
    def __init__(self, size=4, part=4):
        super().__init__()
        self.split = size != part
        if self.split:
            self.pool = nn.ReLU()
        for i in range(2):
            self.__setattr__("{name}", nn.ReLU())

    def forward(self, x: Tensor):
        return self.{used}(x)


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("kind", "name", "used"),
    [
        ("missing-attribute", 'conv{}".format(i) + "', "pool"),
        ("", 'conv{}".format(i) + "', "conv1"),
        ("missing-attribute", "conv", "conv1"),
        ("", "conv", "conv"),
    ],
)
def test_setattr_as_a_method_sets_the_attribute(kind: str, name: str, used: str) -> None:
    agree(kind, SET.format(name=name, used=used))


UNREAD = """
class Net(nn.Module):
    def __init__(self, kinds: str = "b", parts: Optional[Dict[str, Tuple[int, ...]]] = None):
        super().__init__()
        parts = parts or {{"a": (1,), "b": (1, 2)}}
        plans = []
        for kind in "ab":
            if kind not in kinds:
                continue
            plans.append((len(kinds), parts[kind]))
        self.plans = plans

    def forward(self, x: Tensor):
        {body}
        return x * count + axes[0]


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    "body",
    [
        "count, axes = self.plans[0]",
        "(count, axes), = self.plans",
        "count, axes = 0, [1]\n        for many, axis in self.plans:\n            x = x + many",
        "count, axes = 0, [1]\n        for i, (many, axis) in enumerate(self.plans):\n            x = x + many",
    ],
)
def test_the_items_of_a_list_may_have_an_unknown_type(body: str) -> None:
    agree("", UNREAD.format(body=body))


def test_the_first_of_arguments_after_a_star_is_one_of_them() -> None:
    text = """
def chain(*parts):
    return parts[0] if len(parts) == 1 else nn.Sequential(*parts)


class Net(nn.Module):
    def __init__(self, depth=1):
        super().__init__()
        self.body = chain(*[nn.Linear(2, 2) for _ in range(depth)])

    def forward(self, x):
        return self.body(x)


scripted = torch.jit.script(Net())
"""
    assert the_compiler()(HEAD + text).ok
    assert kinds(text) == []
