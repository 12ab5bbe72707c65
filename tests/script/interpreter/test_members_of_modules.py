"""Tests members of module classes that are not a plain `def`, and overridden members of torch's classes."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, kinds

STATE = (
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.t = torch.rand(2)\n\n"
    "    def forward(self, x):\n        return x\n\n"
    "    @torch.jit.export\n    def __getstate__(self):\n        return self.t, self.training\n\n"
    "    @torch.jit.export\n    def __setstate__(self, state):\n        self.t = state[{}]\n"
    "        self.training = state[1]\n"
)
CONV = (
    "class Net(nn.Conv1d):\n    def __init__(self):\n        super().__init__(1, 1, 1)\n\n"
    "    def _conv_forward(self, x: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:\n        return {}\n"
)
RESET = (
    "class Net(nn.{}):\n    def __init__(self):\n        super().__init__({})\n\n"
    "    def reset_parameters(self):\n        nn.init.kaiming_normal_(self.weight, nonlinearity='relu')\n"
)
APPLY = (
    "class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n\n\n"
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = Twice.apply\n\n"
    "    def forward(self, x):\n        return {}\n"
)
GROWN = (
    "class Net(nn.Module):\n    def __init__(self, steep=False):\n        super().__init__()\n"
    "        self.many = nn.ModuleList()\n        for _ in range(2):\n            if steep:\n"
    "                self.many += [nn.Sequential(nn.ReLU(), nn.Tanh())]\n"
    "            else:\n                self.many += [nn.Sequential(nn.ReLU())]\n\n"
    "    def forward(self, x):\n        {}\n            x = {}\n        return x\n"
)
SEQUENTIAL = (
    "class First(nn.Module):\n    def forward(self, xs: List[Tensor]):\n        return xs[0]\n\n\n"
    "class Net(nn.Module):\n    def __init__(self, n=2):\n        super().__init__()\n"
    "        self.layers = nn.Sequential({})\n\n    def forward(self, x):\n        return self.layers({})\n"
)
PAIR = (
    "class Pair(NamedTuple):\n    a: float\n    b: int\n\n\nclass Net(nn.Module):\n"
    "    def __init__(self, pair: Pair):\n        super().__init__()\n        self.pair = pair\n\n"
    "    def forward(self, x):\n        return x * self.pair{}\n"
)
STORED = (
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = {}\n\n"
    "    def forward(self, x: Tensor):\n        return {}\n"
)
MENTIONED = (
    "class Net(nn.Module):\n    def first(self, x: Tensor):\n        return {}\n\n"
    "    def forward(self, x: Tensor):\n        first = self.first\n        return x\n"
)
DECLARED = (
    "from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    size: int = 2\n\n\n"
    "class Net(nn.Module):\n    config: {}\n\n    def __init__(self, config=None):\n        super().__init__()\n"
    "        self.{} = config\n\n    def forward(self, x: Tensor):\n        return x\n"
)
WEIGHED = (
    "class Net(nn.Module):\n    weight: {}\n\n    def __init__(self):\n        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.ones(2))\n\n    def forward(self, x: Tensor):\n"
    "        return x * self.weight\n"
)
MANY = "*[nn.ReLU() for _ in range(n)]"
INHERITED = (
    "class Own({}):\n    def __init__(self):\n        super().__init__({})\n\n\nclass Net(nn.Module):\n"
    "    def __init__(self):\n        super().__init__()\n        self.own = Own()\n\n"
    "    def forward(self, x: Tensor):\n        return self.own(x){}\n"
)
CONFIGURED = (
    "class Net(nn.Module):\n    rate = 0.5\n\n    {}\n    def configure({}, rate):\n        {}.rate = rate\n\n"
    "    def forward(self, x: Tensor):\n        return x{}\n"
)
CALLED = (
    "class Net(nn.Module):\n    def __init__(self, join={}):\n        super().__init__()\n        self.join = join\n\n"
    "    def forward(self, x: Tensor):\n        return self.join(x)\n"
)
FUNCTION = (
    "def kept(x: Tensor) -> Tensor:\n    {}\n    return x\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x: Tensor):\n        return kept(x)\n"
)
CHOSEN = (
    "class Net(nn.Module):\n    def __init__(self, deep={}):\n        super().__init__()\n"
    "        self.first = nn.Linear(2, 2)\n        self.second = nn.Linear(2, 2) if deep else None\n\n"
    "    def forward(self, x: Tensor):\n        {}\n"
)
NAMED = (
    "class Net(nn.Module):\n    def __init__(self, parts=()):\n        super().__init__()\n"
    "        for i, part in enumerate(parts):\n            self.add_module(str(i), part)\n        self.seen = {}\n\n"
    "    def mark(self, name):\n        self.seen[name] = 1\n\n"
    "    def forward(self, x: Tensor):\n        return x + len(self.seen)\n"
)
COOLED = (
    "class Net(nn.Module):\n    def __init__(self, heat=30, steps=300):\n        super().__init__()\n"
    "        self.heat = heat\n        self.step = {}\n\n"
    "    def forward(self, x: Tensor):\n        self.heat -= self.step\n        return x\n"
)
COUNTED = (
    "class Net(nn.Module):\n    def __init__(self, count, size=2):\n        super().__init__()\n"
    "        self.count = count\n        self.table = nn.Parameter(0.01 * torch.randn({}))\n\n"
    "    def forward(self, x: Tensor):\n        found = {{'count': self.count}}\n        found['sum'] = {}\n"
    "        return found\n"
)
REFERRED = (
    "from types import SimpleNamespace\n\n\nclass Net(nn.Module):\n"
    "    def __init__(self, config=SimpleNamespace(parts=(2, 2))):\n        super().__init__()\n"
    "        self.parts = config.parts\n\n    def forward(self, x: Tensor, w):\n        return {}\n"
)
# The kind of the event, and the text with the class `Net`.
CASES = {
    "a function as forward": ("", "def run(self, x):\n    return x\n\n\nclass Net(nn.Module):\n    forward = run\n"),
    "one that does not compile": (
        "no-tensor-member",
        "def run(self, x):\n    return x.foo()\n\n\nclass Net(nn.Module):\n    forward = run\n",
    ),
    "an annotated one": (
        "variadic-parameter",
        "def run(self, *args: Any):\n    raise NotImplementedError()\n\n\nclass Net(nn.Module):\n"
        "    forward: Any = run\n",
    ),
    "what torch's forward calls": ("", CONV.format("torch.conv1d(x, weight, bias)")),
    "what torch's forward calls, wrong": ("no-tensor-member", CONV.format("torch.conv1d(x, weight, bias).foo()")),
    "what only its constructor calls": ("", RESET.format("Conv1d", "1, 1, 1")),
    "what only its constructor calls, and compiles": ("", RESET.format("Embedding", "2, 2")),
    "super() in it": ("super-call", CONV.format("super()._conv_forward(x, weight, bias)")),
    "apply of an autograd.Function, kept": ("attribute-inconvertible", APPLY.format("self.f(x)")),
    "apply of an autograd.Function, kept and not used": ("", APPLY.format("x")),
    "modules added to a list in place": ("container-index", GROWN.format("for i in range(2):", "self.many[i](x)")),
    "modules added to a list in place, one by one": ("", GROWN.format("for each in self.many:", "each(x)")),
    "a Sequential of any length": ("", SEQUENTIAL.format(MANY, "input=x")),
    "a Sequential of any length, with a number": ("operator-mismatch", SEQUENTIAL.format(MANY, "3")),
    "a Sequential whose first module takes a list": ("operator-mismatch", SEQUENTIAL.format("First()", "[x]")),
    "a NamedTuple as an argument, by name": ("no-such-member", PAIR.format(".a")),
    "a NamedTuple as an argument, by index": ("", PAIR.format("[0]")),
    "a constant of the class, from the module": (
        "operator-mismatch",
        "SIZE = 0.5\n\n\nclass Net(nn.Module):\n    size: Final[float] = SIZE\n\n    def forward(self, x):\n"
        "        return x.view(self.size)\n",
    ),
    "two indices of a ModuleList": ("not-subscriptable", GROWN.format("for i in range(2):", "self.many[i, 0](x)")),
    "forward of a class of torch": ("no-tensor-member", INHERITED.format("nn.Linear", "2, 2", ".foo()")),
    "forward of a class of torch, as it is": ("", INHERITED.format("nn.Linear", "2, 2", "")),
    "forward of a layer that may return indices": (
        "",
        INHERITED.format("nn.MaxPool1d", "2, return_indices=True", "[0].sum()"),
    ),
    "a variable of the class that a class method sets": (
        "class-variable",
        CONFIGURED.format("@classmethod", "cls", "cls", " * self.rate"),
    ),
    "a variable of the class that nobody reads": ("", CONFIGURED.format("@classmethod", "cls", "cls", "")),
    "a function with overloads": (
        "attribute-inconvertible",
        STORED.format("F.interpolate", "self.f(x, [2])"),
    ),
    "a function that a flag chooses": ("attribute-inconvertible", STORED.format("F.max_pool2d", "self.f(x, 2)")),
    "only such functions": ("attribute-inconvertible", STORED.format("[torch.norm, torch.unique]", "len(self.f)")),
    "such a function, not used": ("", STORED.format("F.interpolate", "x")),
    "a function without overloads": ("", STORED.format("F.avg_pool2d", "self.f(x, 2)")),
    "a method that is only named": ("no-tensor-member", MENTIONED.format("x.foo()")),
    "a method that is only named, and compiles": ("", MENTIONED.format("x + 1")),
    "a dataclass in an annotation": ("dataclass", DECLARED.format("Config", "config")),
    "a dataclass in part of one": ("dataclass", DECLARED.format("Optional[List[Config]]", "config")),
    "a dataclass in one of no attribute": ("", DECLARED.format("Config", "other")),
    "a kind of tensor in an annotation": ("", WEIGHED.format("nn.Buffer")),
    "another one": ("", WEIGHED.format("nn.parameter.UninitializedParameter")),
    "a layer in an annotation": ("class-annotation", WEIGHED.format("nn.Linear")),
    "a parameter without a size": (
        "lazy-module",
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.weight = nn.UninitializedParameter()\n\n    def forward(self, x: Tensor):\n        return x\n",
    ),
    "a lambda by default": ("attribute-inconvertible", CALLED.format("lambda x: x + 1")),
    "a function by default": ("", CALLED.format("F.relu")),
    "hasattr of a function": (
        "unsupported-external-attribute",
        FUNCTION.format("if hasattr(kept, 'count'):\n        x = x + 1"),
    ),
    "NotImplemented": ("closed-over-global", FUNCTION.format("print(NotImplemented)")),
    "a choice of modules, called": (
        "module-value-called",
        CHOSEN.format("True", "layer = self.first if self.second is None else self.second\n        return layer(x)"),
    ),
    "a choice of modules, called one by one": (
        "",
        CHOSEN.format("True", "return self.first(x) if self.second is None else self.second(x)"),
    ),
    "an empty dict beside modules with computed names": ("attribute-inconvertible", NAMED.format("{}")),
    "a dict beside modules with computed names": ("", NAMED.format("{'a': 1}")),
    "a number that a fraction changes": ("attribute-retyped", COOLED.format("heat / steps")),
    "a number that a whole number changes": ("", COOLED.format("heat // steps")),
    "a size of a parameter beside a tensor": ("item-type", COUNTED.format("count, size", "x.sum()")),
    "a size of a parameter beside a number": ("", COUNTED.format("count, size", "2")),
    "an unknown value minus a tensor": (
        "operator-mismatch",
        REFERRED.format("F.pad(x, [0, self.parts[1] - w % self.parts[1]])"),
    ),
    "the state as it was saved": ("", STATE.format("0")),
    "another state": ("attribute-retyped", STATE.format("1")),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    kind, text = CASES[name]
    made = "Net(Pair(0.5, 2))" if "Pair" in text else "Net(2)" if "count, size=2" in text else "Net()"
    agree(kind, f"{text}\n\nscripted = torch.jit.script({made})\n")


def test_a_base_of_torch_without_forward_stops_nothing_else() -> None:
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNNBase("LSTM", 3, 3)

    def forward(self, x: Tensor) -> Tensor:
        self.rnn.flatten_parameters()
        return self.rnn(x)
"""
    assert kinds(text) == ["module-method"]


PROPERTY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = 1.0

    @property
    def rate(self):
        {getter}

    @rate.setter
    def rate(self, new: float):
        {setter}

    def forward(self, x: Tensor) -> Tensor:
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("getter", "setter", "kind"),
    [
        ("return self.kept", "self.kept = new", ""),
        ("return math.cosh(1.0, 2.0) if self.kept > 1.0 else 1.0", "self.kept = new", "operator-mismatch"),
        ("return self.kept", "self.kept = math.cosh(new, new)", "operator-mismatch"),
    ],
)
def test_a_property_with_a_setter_is_compiled_both_ways(getter: str, setter: str, kind: str) -> None:
    agree(kind, PROPERTY.format(getter=getter, setter=setter))


READ = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = 1.0

    @property
    def rate(self){returns}:
        return {got}

    @rate.setter
    def rate(self, new: float):
        self.kept = new

    def forward(self, x: Tensor):
        return {used}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("returns", "got", "used", "kind"),
    [
        ("", "self.kept", "x * self.rate", ""),
        (" -> float", "self.kept", "x * self.rate", ""),
        ("", "[self.kept]", "x + len(self.rate)", ""),
        ("", "None", "x * self.rate", "operator-mismatch"),
    ],
)
def test_a_property_with_a_setter_has_the_type_of_its_getter(returns: str, got: str, used: str, kind: str) -> None:
    agree(kind, READ.format(returns=returns, got=got, used=used))


@pytest.mark.parametrize(("child", "expected"), [("Base", []), ("nn.Module", ["missing-attribute"])])
def test_what_a_class_leaves_to_others_to_set_is_no_mistake(child: str, expected: list[str]) -> None:
    text = (
        "class Base(nn.Module):\n    def forward(self, x):\n        return self.act(x)\n\n\n"
        f"class Net({child}):\n    def __init__(self):\n        super().__init__()\n        self.act = nn.ReLU()\n\n"
        "    def go(self, x):\n        return x\n"
    )
    assert kinds(text) == expected


DERIVED = """
class Net(nn.{0}):
    def __init__(self, flag: bool = False):
        super().__init__({1})
        if flag:
            self.extra = 3

    def forward(self, x):
        return x + {2}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("base", "arguments", "value", "kind"),
    [
        ("Linear", "3, 3", "self.extra", "missing-attribute"),
        ("Linear", "3, 3", "self.in_features", ""),
        ("Conv2d", "3, 3, 3", "self.absent", "missing-attribute"),
        ("MultiheadAttention", "4, 2", "self.out_proj(x)", ""),
        ("TransformerEncoderLayer", "4, 2", "self.linear1(x)", ""),
    ],
)
def test_what_a_class_of_torch_lacks(base: str, arguments: str, value: str, kind: str) -> None:
    agree(kind, DERIVED.format(base, arguments, value))


@pytest.mark.parametrize("owner", ["self", "self.up"])
@pytest.mark.parametrize(
    ("member", "kind"), [("_get_name()", "module-method"), ("__class__.__name__", "missing-attribute")]
)
def test_a_module_has_no_name_in_compiled_code(owner: str, member: str, kind: str) -> None:
    agree(
        kind,
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.up = nn.Linear(2, 2)\n\n"
        f"    def forward(self, x: Tensor):\n        return x if {owner}.{member} == 'a' else self.up(x)\n\n\n"
        "scripted = torch.jit.script(Net())\n",
    )


SCALED = """
class Base(nn.Module):
    @classmethod
    def scaled(cls, x: Tensor, by: int = 2){returns}:
        return x * by


class Net(Base):
    def forward(self, x: Tensor):
        {body}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("kind", "returns", "body"),
    [
        ("script-class-member", "", "return Net.scaled(x, 3)"),
        ("script-class-member", " -> Tensor", "return Base.scaled(x)"),
        ("", " -> Tensor", "return self.scaled(x)"),
        ("", "", "return self.scaled(x, by=3)"),
        ("", "", "scaled = Net.scaled\n        return x"),
        ("", "", "if torch.jit.is_scripting():\n            return x\n        return Net.scaled(x)"),
    ],
)
def test_a_class_method_is_called_on_the_instance(kind: str, returns: str, body: str) -> None:
    agree(kind, SCALED.format(returns=returns, body=body))


MODE = """
class Moded:
    @property
    def mode(self) -> int:
        return self._mode

    @mode.setter
    def mode(self, mode: int):
        self._mode = mode


class Set(nn.Module, Moded):
    def __init__(self):
        super().__init__()
        self.mode = 1

    def forward(self, x: Tensor):
        return x


class Net(nn.Module, Moded):
    def __init__(self):
        super().__init__()
        {body}

    def forward(self, x: Tensor):
        return x


class Derived(Net):
    def __init__(self):
        super().__init__()
        {derived}


torch.jit.script(Set())
scripted = torch.jit.script({made}())
"""


@pytest.mark.parametrize(
    ("body", "derived", "made", "expected"),
    [
        ("pass", "pass", "Net", ["missing-attribute?"]),
        ("pass", "pass", "Derived", ["missing-attribute?"]),
        ("self.mode = 2", "pass", "Derived", []),
    ],
)
def test_the_getter_of_a_property_is_compiled_for_each_class(
    body: str, derived: str, made: str, expected: list[str]
) -> None:
    text = MODE.format(body=body, derived=derived, made=made)
    assert the_compiler()(HEAD + text).ok is not bool(expected)
    assert [kind for kind in kinds(text) if kind.startswith("missing")] == expected


def test_a_class_whose_derived_class_sets_what_a_property_reads_is_no_mistake() -> None:
    text = MODE.format(body="pass", derived="self.mode = 2", made="Derived")
    assert [kind for kind in kinds(text) if kind.startswith("missing")] == []
