"""Tests globals that hold objects and modules, members of classes, and values that cannot be unpacked."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import kinds

OBJECT = (
    "class Config:\n    def __init__(self):\n        self.size = 3\n\n"
    "    def get(self):\n        return self.size\n\n\n"
)
MODULE = "class Twice(nn.Module):\n    def forward(self, x):\n        return x * 2\n\n\n"
OWN = "class Table(nn.Module):\n    rows = {}\n\n    def forward(self, x):\n        return x * {}\n\n\n"
PAIR = "class Pair(NamedTuple):\n    one: int\n    two: float = 1.0\n\n\n"
USE = "def f(x: Tensor):\n    return {}\n\n\nscripted = torch.jit.script(f)\n"
BIND = "def f(x: Tensor):\n    {}\n    return x\n\n\nscripted = torch.jit.script(f)\n"
NET = (
    "class Net(nn.Module):{}\n    def __init__(self):\n        super().__init__()\n        {}\n\n"
    "    def forward(self, x: Tensor):\n        return {}\n\n\nscripted = torch.jit.script(Net())\n"
)
GAUGE = (
    "class Gauge:\n    def __init__(self, size: int):\n        self.size = size\n\n    @property\n"
    "    def level(self):\n        return self.size\n\n    @level.setter\n    def level(self, new: int):\n"
    "        self.size = new\n\n    @torch.jit.unused\n    def many(self, x: int, **options) -> int:\n"
    "        return 1\n\n    def half(self) -> int:\n        return self.many(1)\n\n\n"
)
INTERFACE = """
@torch.jit.interface
class {step}(nn.Module):
    def one(self, x: Tensor) -> Tensor:
        pass


class Add(nn.Module):
    def forward(self, x):
        return x

    @torch.jit.export
    def {method}(self, {parameter}: Tensor) -> Tensor:
        return {parameter} + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Add()])

    def forward(self, x: Tensor, i: int):
        step: {step} = self.steps[{index}]
        return step.one(x)


scripted = torch.jit.script(Net())
"""
# The kind of the event, and the text.
CASES = {
    "an attribute of an object": (
        "unsupported-external-attribute",
        OBJECT + "config = Config()\n\n\n" + USE.format("x * config.size"),
    ),
    "a method of an object": (
        "unsupported-external-attribute",
        OBJECT + "config = Config()\n\n\n" + USE.format("config.get()"),
    ),
    "one of two dtypes": (
        "closed-over-global",
        "MASK = torch.bool if torch.__version__ > '1.1' else torch.uint8\n\n\n" + USE.format("x.type(MASK)"),
    ),
    "one of two numbers": (
        "closed-over-global",
        "EPS = 1e-5 if torch.cuda.is_available() else 1e-12\n\n\n" + USE.format("x + EPS"),
    ),
    "what a test of the version gives": (
        "closed-over-global",
        "NEW = torch.__version__ >= '2.0'\n\n\n" + USE.format("x if NEW else x + 1"),
    ),
    "whether torch has something": (
        "closed-over-global",
        "HAS = not hasattr(torch, 'half')\n\n\n" + USE.format("x if HAS else x + 1"),
    ),
    "a number that is computed": ("closed-over-global", "TWICE = 2 * math.pi\n\n\n" + USE.format("x * TWICE")),
    "a tensor that is computed": (
        "closed-over-global",
        "ONE = torch.ones(1)\nROOT = (2 * ONE).sqrt()\n\n\n" + USE.format("x * ROOT"),
    ),
    "a tensor of another type": (
        "closed-over-global",
        "GRID = -torch.arange(3).float().view(1, -1)\n\n\n" + USE.format("x * GRID"),
    ),
    "an object as a value": ("closed-over-global", OBJECT + "config = Config()\n\n\n" + USE.format("config")),
    "an object that is only bound": ("", OBJECT + "config = Config()\n\n\n" + BIND.format("y = config")),
    "a field of a NamedTuple": (
        "unsupported-external-attribute",
        PAIR + "pair = Pair(1)\n\n\n" + USE.format("pair.one"),
    ),
    "a module that Python calls": ("", MODULE + "twice = Twice()\n\n\n" + USE.format("twice(x)")),
    "a module of torch that Python calls": ("", "linear = nn.Linear(2, 2)\n\n\n" + USE.format("linear(x)")),
    "an attribute of a module": (
        "unsupported-external-attribute",
        "linear = nn.Linear(2, 2).eval()\n\n\n" + USE.format("x * linear.weight"),
    ),
    "a traced module": (
        "closed-over-global",
        MODULE + "run = torch.jit.trace(Twice(), torch.ones(2))\n\n\n" + USE.format("run(x)"),
    ),
    "a traced module that is only bound": (
        "closed-over-global",
        "net = nn.ReLU()\nrun = torch.jit.trace(net, torch.ones(2))\n\n\n" + BIND.format("y = run"),
    ),
    "a traced function": ("", "run = torch.jit.trace(torch.relu, torch.ones(2))\n\n\n" + USE.format("run(x)")),
    "a ScriptModule": (
        "closed-over-global",
        "class Own(torch.jit.ScriptModule):\n    @torch.jit.script_method\n"
        "    def forward(self, x):\n        return x\n\n\n"
        "own = Own()\n\n\n" + USE.format("own(x)"),
    ),
    "a scripted function": ("", "def g(x):\n    return x\n\n\nh = torch.jit.script(g)\n\n\n" + USE.format("h(x)")),
    "a list in a class": (
        "closed-over-global",
        OWN.format("[1, 2]", "Table.rows[0]") + "scripted = torch.jit.script(Table())\n",
    ),
    "the name of a class": ("closed-over-global", OBJECT + USE.format("Config.__name__")),
    "a member of a NamedTuple class": ("unsupported-external-attribute", PAIR + BIND.format("print(Pair._fields)")),
    "a NamedTuple in an attribute has no names": (
        "no-such-member",
        PAIR + NET.format("", "self.pair = Pair(1)", "x * self.pair.one"),
    ),
    "one that is unpacked": ("", PAIR + NET.format("", "self.pair = Pair(1, 2.0)", "x * self.pair[1]")),
    "one that is annotated": ("", PAIR + NET.format("\n    pair: Pair\n", "self.pair = Pair(1)", "x * self.pair.one")),
    "one that is annotated as Optional": (
        "no-such-member",
        PAIR + NET.format("\n    pair: Optional[Pair]\n", "self.pair = Pair(1)", "x * self.pair.one"),
    ),
    "a class in an attribute": (
        "attribute-inconvertible",
        OBJECT + NET.format("", "self.made = Config", "self.made().size"),
    ),
    "a class of torch in an attribute": (
        "attribute-inconvertible",
        NET.format("", "self.made = nn.ReLU", "self.made()(x)"),
    ),
    "a builtin type in an attribute": ("attribute-inconvertible", NET.format("", "self.made = int", "self.made(x)")),
    "a class in an attribute that is not used": ("", OBJECT + NET.format("", "self.made = Config", "x")),
    "an object of an ignored class": ("module-construction", "@torch.jit.ignore\n" + OBJECT + USE.format("Config()")),
    "an object of a subclass of list": (
        "module-construction",
        "class Many(list):\n    pass\n\n\n" + USE.format("Many()"),
    ),
    "an ignored class as an annotation": (
        "unreadable-annotation",
        "@torch.jit.unused\n" + OBJECT + BIND.format("pass").replace("x: Tensor", "x: Config"),
    ),
    "an object of an ignored class in an attribute": (
        "attribute-inconvertible",
        "@torch.jit.ignore\n" + OBJECT + NET.format("", "self.kept = Config()", "x * self.kept.size"),
    ),
    "a ScriptModule as an annotation": (
        "unreadable-annotation",
        BIND.format("pass").replace("x: Tensor", "x: Dict[str, torch.jit.ScriptModule]"),
    ),
    "a function that is unpacked": ("not-a-tuple", "def g():\n    return 3\n\n\n" + BIND.format("a, b = g")),
    "an operator that is unpacked": ("not-a-tuple", BIND.format("a, b = torch.relu")),
    "a global that is unpacked": ("closed-over-global", "PAIR = (1, 2)\n\n\n" + BIND.format("a, b = PAIR")),
    "a module that is unpacked": (
        "not-a-tuple",
        NET.format("", "self.act = nn.ReLU()", "x").replace("return x", "a, b = self.act\n        return x"),
    ),
    "two types, returned as Any": (
        "",
        BIND.format("pass").replace("x: Tensor)", "b: bool) -> Any").replace("return x", "return 'a' if b else {}"),
    ),
    "two types, annotated as Any": ("", BIND.format("y: Any = 'a' if x.dim() > 1 else (1 if x.dim() > 2 else None)")),
    "two types, annotated as a Union": (
        "if-expression-types",
        BIND.format("y: Union[int, str] = 'a' if x.dim() > 1 else 1"),
    ),
    "a value that is annotated keeps its type": ("", BIND.format("y = torch.jit.annotate(Union[int, str], 1) + 1")),
    "one that is annotated as Any does not": (
        "operator-mismatch",
        BIND.format("y = torch.jit.annotate(Any, 1) + 1"),
    ),
    "a global that is assigned to an item": ("closed-over-global", "RATE = 0.5\n\n\n" + BIND.format("x[x > 1] = RATE")),
    "a function that is assigned to an item": ("not-a-value", "def g():\n    return 3\n\n\n" + BIND.format("x[0] = g")),
    "an index that may be None": (
        "tensor-index",
        USE.format("x[i]").replace("x: Tensor", "x: Tensor, i: Optional[int]"),
    ),
    "a mask that may be None": ("", USE.format("x[i]").replace("x: Tensor", "x: Tensor, i: Optional[Tensor]")),
    "a lock": (
        "unsupported-external-attribute",
        "import threading\n\nlock = threading.Condition()\n\n\n" + BIND.format("lock.notify()"),
    ),
    "a pattern": (
        "unsupported-external-attribute",
        "import re\n\nWORD = re.compile('a')\n\n\n" + BIND.format("WORD.match('a')"),
    ),
    "a mock": (
        "unsupported-external-attribute",
        "from unittest.mock import MagicMock\n\nlibrary = MagicMock()\n\n\n" + BIND.format("library.log('x')"),
    ),
    "a mock that Python calls": (
        "",
        "from unittest.mock import MagicMock\n\nlibrary = MagicMock()\n\n\n" + BIND.format("library(x)"),
    ),
    "what a mock returns": (
        "unsupported-external-attribute",
        "from unittest.mock import MagicMock\n\nlogging = MagicMock()\nlog = logging.getLogger('a')\n\n\n"
        + BIND.format("log.info('x')"),
    ),
    "a name that the file does not have": (
        "missing-module-attribute",
        "import sys\n\nthis = sys.modules[__name__]\n\n\n" + BIND.format("this.size(x)"),
    ),
    "a name that the file has": (
        "",
        "import sys\n\nthis = sys.modules[__name__]\n\n\ndef double(x):\n    return x * 2\n\n\n"
        + USE.format("this.double(x)"),
    ),
    "a name that the file sets on itself": (
        "",
        "import sys\n\nthis = sys.modules[__name__]\n\n\ndef double(x):\n    return x * 2\n\n\n"
        "this.twice = double\n\n\n" + USE.format("this.twice(x)"),
    ),
    "a list of tuples with modules": (
        "attribute-inconvertible",
        NET.format(
            "",
            "self.acts = nn.ModuleList([nn.ReLU()])\n        self.pairs = [(1, act) for act in self.acts]",
            "len(self.pairs)",
        ),
    ),
    "a list of tuples with modules, zipped": (
        "attribute-inconvertible",
        NET.format(
            "",
            "self.acts = nn.ModuleList([nn.ReLU()])\n        self.pairs = list(zip(self.acts, range(1)))",
            "len(self.pairs)",
        ),
    ),
    "a list of tuples with modules, one by one": (
        "attribute-inconvertible",
        NET.format(
            "",
            "self.acts = nn.ModuleList([nn.ReLU()])\n        self.pairs = []\n        for each in self.acts:\n"
            "            self.pairs.append((1, each))",
            "len(self.pairs)",
        ),
    ),
    "a list of tuples with numbers": (
        "",
        NET.format(
            "",
            "self.acts = nn.ModuleList([nn.ReLU()])\n        self.pairs = list(zip(range(1), range(1)))",
            "len(self.pairs)",
        ),
    ),
    "a buffer": (
        "",
        NET.format("", "self.mean = nn.Buffer(torch.ones(2))", "x * self.mean").replace(
            "return x", "self.mean = x\n        return x"
        ),
    ),
    "the infinity of math": ("", "from math import inf as top\n\n\n" + USE.format("x + top")),
    "the same one of torch": ("", "from torch import inf\n\n\n" + USE.format("torch.clamp(x, -inf, inf)")),
    "another name of it": ("", "top = math.inf\n\n\n" + USE.format("x + top")),
    "another infinity": ("closed-over-global", "top = float('inf')\n\n\n" + USE.format("x + top")),
    "another float of math": ("closed-over-global", "from math import nan\n\n\n" + USE.format("x + nan")),
    "a property with a setter": ("", GAUGE + BIND.format("g = Gauge(1)\n    g.level = 3\n    x = x + g.level")),
    "an unused method of a class with any arguments": ("", GAUGE + BIND.format("x = x + Gauge(1).half()")),
    "a module without its method": (
        "attribute-cast",
        INTERFACE.format(step="Walk", method="two", parameter="x", index="i"),
    ),
    "a module with another parameter": (
        "attribute-cast",
        INTERFACE.format(step="Move", method="one", parameter="y", index="0"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_static_model_agrees_with_the_compiler(name: str) -> None:
    kind, text = CASES[name]
    agree(kind, text)


def test_a_module_with_the_interface_may_have_any_index() -> None:
    # In one process the compiler defines an interface only once.
    assert kinds(INTERFACE.format(step="Stride", method="one", parameter="x", index="i")) == []
