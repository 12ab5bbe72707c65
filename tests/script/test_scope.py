"""Tests which code is compiled, which is pruned, and which types are inferred, against the installed compiler."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tslint.config import ConfigError, Settings
from tslint.lint.analysis import modelled
from tslint.lint.scope_types import FunctionTypes, inferred_types
from tslint.script.model import Model
from tslint.script.pruning import pruned_code
from tslint.script.recording import Recording
from tslint.sources import reading

HEAD = "import torch\nfrom torch import nn\nfrom typing import Dict, List, Optional, Tuple\n"

# Functions whose local variables and results are compared with the compiler's own, name by name.
FUNCTIONS = {
    "unannotated": """
        def unannotated(x):
            y = x.relu()
            n = y.size(0)
            return y, n
    """,
    "numbers": """
        def numbers(a: int, b: float):
            c = a / 2
            d = a // 2
            e = a * b
            f = a ** 2
            g = a > b
            h = float(a)
            i = int(b)
            return c, d, e, f, g, h, i
    """,
    "shapes": """
        def shapes(x):
            s = x.shape
            n = s[0]
            t = x.size()
            d = x.dim()
            k = len(s)
            return s, n, t, d, k
    """,
    "containers": """
        def containers(x):
            empty = []
            table = {}
            ints = [1, 2]
            pair = (1, x)
            named = {"a": x}
            got = named.get("a")
            return empty, table, ints, pair, named, got
    """,
    "loops": """
        def loops(x, items: List[int]):
            total = 0
            for i, item in enumerate(items):
                scaled = item * 2.0
                total += item
            for row in x:
                x = x + row
            return total, x
    """,
    "comparisons": """
        def comparisons(x, y: int):
            a = x > 0
            b = y == 1
            c = not b
            d = b and y > 2
            return a, b, c, d
    """,
    "strings": """
        def strings(name: str):
            shout = name.upper()
            parts = name.split(",")
            first = parts[0]
            whole = f"{name}!"
            return shout, parts, first, whole
    """,
    "joins": """
        def joins(x, flag: bool):
            if flag:
                y = x.sum()
                k = 1
            else:
                y = x.mean()
                k = 2
            z = y * k
            return z, k
    """,
    "options": """
        def options(x, other: Optional[torch.Tensor] = None):
            if other is None:
                return x
            both = torch.cat([x, other])
            return both
    """,
    "several": """
        def several(x):
            values, indices = x.max(dim=0)
            top = x.topk(2)
            chunks = torch.split(x, 2)
            where = torch.where(x > 0)
            return values, indices, chunks, where
    """,
    "slices": """
        def slices(x, items: List[int]):
            a = x[0]
            b = x[:, 1:]
            c = items[1:]
            d = items[-1]
            return a, b, c, d
    """,
    "comprehensions": """
        def comprehensions(x, items: List[int]):
            doubled = [item * 2 for item in items]
            tensors = [x * item for item in items]
            stacked = torch.stack(tensors)
            return doubled, stacked
    """,
    "annotated": """
        def annotated(x: torch.Tensor) -> Dict[str, List[torch.Tensor]]:
            found: Dict[str, List[torch.Tensor]] = {}
            count: Optional[int] = None
            found["x"] = [x]
            return found
    """,
    "conversions": """
        def conversions(x):
            value = x.item()
            number = float(value)
            whole = int(x.sum())
            as_list: List[float] = x.tolist()
            return number, whole, as_list
    """,
}

# Prints, by function, the type of the result and of every value that the compiler named after a variable.
ASK = """
import json, re, sys, warnings
warnings.simplefilter("ignore")
import functions, torch

def plain(name):
    return re.sub(r"\\.\\d+$", "", name)

answers = {}
for name in sys.argv[1:]:
    scripted = torch.jit.script(getattr(functions, name))
    named = {}
    def look(block):
        for value in [*block.inputs(), *(output for node in block.nodes() for output in node.outputs())]:
            if not plain(value.debugName()).isdigit():
                named.setdefault(plain(value.debugName()), []).append(value.type().annotation_str)
        for node in block.nodes():
            for inner in node.blocks():
                look(inner)
    look(scripted.graph)
    answers[name] = {"result": scripted.schema.returns[0].type.annotation_str, "named": named}
print(json.dumps(answers))
"""


def model_of(path: Path, settings: Settings | None = None) -> tuple[Model, Recording]:
    model, recording, _, faults = modelled([reading.read(path)], settings or Settings(root=path.parent))
    assert not faults
    return model, recording


def types_of(path: Path) -> dict[str, FunctionTypes]:
    model, recording = model_of(path)
    return {each.unit.name: each for each in inferred_types(model, recording, {path})}


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "functions.py"
    parts = ["@torch.jit.script_if_tracing\n" + textwrap.dedent(text).lstrip() for text in FUNCTIONS.values()]
    path.write_text(HEAD + "\n".join(parts))
    return path


@pytest.fixture(scope="module")
def compiler(functions: Path) -> dict[str, dict[str, object]]:
    plain = functions.with_name("plain")
    plain.mkdir()
    (plain / "functions.py").write_text(functions.read_text().replace("@torch.jit.script_if_tracing\n", ""))
    done = warm.run([sys.executable, "-c", ASK, *FUNCTIONS], cwd=plain)
    assert done.returncode == 0, done.stderr
    answers: dict[str, dict[str, object]] = json.loads(done.stdout)
    return answers


def spelled(type_: str) -> str:
    return type_.replace(" (inferred)", "").replace("NoneType", "None")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_the_compilers(name: str, functions: Path, compiler: dict[str, dict[str, object]]) -> None:
    assert spelled(types_of(functions)[name].result) == compiler[name]["result"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_variables_are_the_compilers(name: str, functions: Path, compiler: dict[str, dict[str, object]]) -> None:
    named = compiler[name]["named"]
    assert isinstance(named, dict)
    compared = 0
    for each in types_of(functions)[name].names:
        if each.name in named and each.kind in ("parameter", "variable") and each.type != "?":
            assert spelled(each.type) in named[each.name], each
            compared += 1
    assert compared >= 1


def test_few_types_are_unknown(functions: Path) -> None:
    names = [each for function in types_of(functions).values() for each in function.names]
    unknown = [each for each in names if each.type == "?"]
    assert len(unknown) <= len(names) // 20, unknown


MODULE = (
    HEAD
    + """
class Net(nn.Module):
    scale: torch.jit.Final[bool]

    def __init__(self, downsample=None):
        super().__init__()
        self.scale = True
        self.downsample = downsample
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])

    def forward(self, x, mask=None):
        if mask is None:
            x = x + 1
        if self.scale:
            x = x * 2
        else:
            x = x * 3
        if self.downsample is None:
            y = x
        else:
            y = self.downsample(x)
        for layer in self.layers:
            x = layer(x)
        z = x if torch.jit.is_scripting() else x + 1
        if not torch.jit.is_scripting():
            print(x)
        if hasattr(self, "nothing"):
            return y
        if torch.jit.is_scripting():
            return z
        return x
"""
)


def rows(path: Path) -> dict[int, str]:
    model, recording = model_of(path)
    unit = next(each for each in model.units.values() if each.name == "Net.forward")
    return {each.first.lineno: each.why or f"when {each.condition}" for each in pruned_code(recording, unit)}


def test_what_is_pruned(folder: Callable[..., Path]) -> None:
    path = folder({"net.py": MODULE}) / "net.py"
    lines = MODULE.splitlines()
    found = {lines[row - 1].strip(): why for row, why in rows(path).items()}
    assert found == {
        "x = x + 1": "`mask is None` is always false here",
        "x = x * 3": "`self.scale` is always true here",
        "y = x": "when `downsample` is None",
        "y = self.downsample(x)": "when `downsample` is not None",
        "z = x if torch.jit.is_scripting() else x + 1": "`torch.jit.is_scripting()` is always true here",
        "print(x)": "`not torch.jit.is_scripting()` is always false here",
        "return y": "`hasattr(self, 'nothing')` is always false here",
        "return x": "`torch.jit.is_scripting()` is always true here, and nothing gets past line 32",
    }


@pytest.mark.parametrize("downsample", ["None", "nn.ReLU()"])
def test_what_is_pruned_is_not_in_the_graph(folder: Callable[..., Path], downsample: str) -> None:
    root = folder({"net.py": MODULE})
    expression = (
        "import torch, net, re; from torch import nn;"
        f"graph = str(torch.jit.script(net.Net({downsample})).graph);"
        "print(*sorted({int(row) for row in re.findall(r'net.py:(\\d+):', graph)}))"
    )
    done = warm.run([sys.executable, "-c", expression], cwd=root)
    assert done.returncode == 0, done.stderr
    compiled = {int(row) for row in done.stdout.split()}
    lines = MODULE.splitlines()
    for row, why in rows(root / "net.py").items():
        if not why.startswith("when") and "if torch" not in lines[row - 1]:
            assert row not in compiled, (row, why)
    assert (lines.index("            y = self.downsample(x)") + 1 in compiled) is (downsample != "None")


def test_modules_and_alternatives(folder: Callable[..., Path]) -> None:
    path = folder({"net.py": MODULE}) / "net.py"
    types = {(each.name, each.type) for each in types_of(path)["Net.forward"].names}
    assert ("x", "Tensor (inferred)") in types
    assert ("self.layers", "ModuleList[Linear, ReLU]") in types
    assert ("self.scale", "bool") in types
    assert types_of(path)["Net.forward"].result == "Tensor"


def test_normal_runs_record_nothing(folder: Callable[..., Path]) -> None:
    from tslint.project.index import Project

    path = folder({"net.py": MODULE}) / "net.py"
    project = Project()
    module = project.add(reading.read(path))
    model = Model(project)
    model.analyse([module])
    assert model.recording is None
    assert model.units


TRACED = (
    HEAD
    + """
class Part(nn.Module):
    def forward(self, x):
        import os
        return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x):
        import os
        return self.part(x)
"""
)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("torch.jit.trace(Net(), torch.rand(2))", {"Net", "Part"}),
        ("torch.jit.trace(Net().eval().to('cpu'), torch.rand(2))", {"Net", "Part"}),
        ("torch.jit.trace_module(Net(), {'forward': torch.rand(2)})", {"Net", "Part"}),
        ("net = Net()\nnet.eval()\nout = net(torch.rand(2))\ntorch.jit.trace(net, torch.rand(2))", {"Net", "Part"}),
        ("def f():\n    net = Net().eval()\n    return torch.jit.trace(net, torch.rand(2))", {"Net", "Part"}),
        ("class D(Net):\n    pass\ntorch.jit.trace(Net(), torch.rand(2))", {"Net"}),
        # Not certain, or compiled nevertheless.
        ("", set()),
        ("torch.trace(torch.rand(2, 2))", set()),
        ("def f(net):\n    return torch.jit.trace(net, torch.rand(2))\nf(Net())", set()),
        ("net = Net()\nnet = Part()\ntorch.jit.trace(net, torch.rand(2))", set()),
        ("torch.jit.trace(Net(), torch.rand(2))\ntorch.jit.script(Net())", set()),
        ("net = Net()\ntorch.jit.trace(net, torch.rand(2))\ntorch.jit.script(net)", set()),
        ("torch.jit.trace(Net(), torch.rand(2))\ndef f(net):\n    torch.jit.script(net)", set()),
        ("torch.jit.trace(Net(), torch.rand(2))\nexport = torch.jit.script", set()),
        ("torch.jit.trace(Net(), torch.rand(2))\nwhole = nn.Sequential(Net())", set()),
        ("net = Net()\ntorch.jit.trace(net, torch.rand(2))\nwhole = nn.Sequential(net)", set()),
        ("torch.jit.trace(Net(), torch.rand(2))\nother = Part()", {"Net"}),
        ("torch.jit.trace(Net(), torch.rand(2))\n__all__ = ['Net', 'Part']", {"Net"}),
        (
            "class Whole(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.net = Net()\n"
            "torch.jit.trace(Net(), torch.rand(2))",
            set(),
        ),
        (
            "class Whole(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.net = Net()\n"
            "torch.jit.trace(Whole(), torch.rand(2))",
            {"Whole", "Net", "Part"},
        ),
        ("torch.jit.script(torch.jit.trace(Net(), torch.rand(2)))", {"Net", "Part"}),
    ],
)
def test_which_modules_are_only_traced(folder: Callable[..., Path], more: str, expected: set[str]) -> None:
    model, _ = model_of(folder({"net.py": TRACED + more + "\n"}) / "net.py")
    assert {each.name for each in model.traced} == expected
    compiled = {unit.receiver.name for unit in model.units.values() if unit.receiver is not None}
    assert not compiled & expected


def test_the_tracer_compiles_exports_and_properties(folder: Callable[..., Path]) -> None:
    text = (
        HEAD
        + """
class Net(nn.Module):
    def forward(self, x):
        return x

    @property
    def width(self) -> int:
        return 1

    @torch.jit.export
    def infer(self, x):
        return x

torch.jit.trace(Net(), torch.rand(2))
"""
    )
    model, _ = model_of(folder({"net.py": text}) / "net.py")
    assert {unit.function.name for unit in model.units.values()} == {"width", "infer"}
    names = "print(torch.jit.trace(net.Net(), torch.rand(2)).infer.name)"
    for broken in ("return x", "return 1"):
        # Compiled code cannot contain an import, but traced code can.
        line = f"        {broken}\n"
        (folder({}) / "net.py").write_text(text.replace(line, f"        import os\n{line}"))
        done = warm.run([sys.executable, "-c", "import torch, net; " + names], cwd=folder({}))
        assert "import statements aren't supported" in done.stderr


ENTRIES = {
    "pkg/__init__.py": "from .net import Net as Exported\n",
    "pkg/net.py": HEAD
    + """
from pkg.part import Part

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([Part() for _ in range(3)])

    def forward(self, x):
        return helper(x)

class Other(nn.Module):
    def forward(self, x):
        return x

def helper(x):
    return x

def build():
    return Net().eval(), torch.rand(2)

net = Net()
unclear = build()[0]
count = 3
""",
    "pkg/part.py": HEAD + "class Part(nn.Module):\n    def forward(self, x):\n        return x\n",
}


@pytest.mark.parametrize(
    ("entries", "compiled"),
    [
        (("pkg.net:Net",), {"Net.forward", "Part.forward", "helper"}),
        (("pkg:Exported",), {"Net.forward", "Part.forward", "helper"}),
        (("pkg/net.py:Net",), {"Net.forward", "Part.forward", "helper"}),
        (("pkg.net:build",), {"Net.forward", "Part.forward", "helper"}),
        (("pkg.net:net",), {"Net.forward", "Part.forward", "helper"}),
        (("pkg.net:helper",), {"helper"}),
        (("pkg.net:Other", "pkg.part:Part"), {"Other.forward", "Part.forward"}),
        ((), {"Net.forward", "Part.forward", "helper", "Other.forward"}),
    ],
)
def test_entry_points(folder: Callable[..., Path], entries: tuple[str, ...], compiled: set[str]) -> None:
    root = folder(ENTRIES)
    sources = [reading.read(root / name) for name in ENTRIES]
    model, _, _, faults = modelled(sources, Settings(root=root, entry_points=entries))
    assert not faults
    assert {unit.name for unit in model.units.values()} == compiled


def test_entry_points_need_not_be_checked(folder: Callable[..., Path]) -> None:
    root = folder(ENTRIES)
    model, _, _, _ = modelled([reading.read(root / "pkg/part.py")], Settings(root=root, entry_points=("pkg.net:Net",)))
    assert {unit.name for unit in model.units.values()} == {"Net.forward", "Part.forward", "helper"}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("pkg.net:Nett", "pkg/net.py has no class or function Nett; did you mean 'Net'?"),
        ("pkg.nett:Net", "there is no module pkg.nett below .; did you mean 'pkg.net'?"),
        ("nets/net.py:Net", "there is no file nets/net.py below ."),
        ("pkg.net:unclear", "the source does not show what unclear is; name the module's class"),
        ("pkg.net:torch", "pkg/net.py has no class or function torch"),
    ],
)
def test_unknown_entry_points(folder: Callable[..., Path], entry: str, message: str) -> None:
    root = folder(ENTRIES)
    sources = [reading.read(root / name) for name in ENTRIES]
    with pytest.raises(ConfigError) as raised:
        modelled(sources, Settings(root=root, entry_points=(entry,)))
    assert str(raised.value) == f'entry-points: "{entry}": {message}'


def test_a_broken_file_of_an_entry_point(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "class Net(:\n", "other.py": "x = 1\n"})
    settings = Settings(root=root, entry_points=("net:Net",))
    # A run that checks the file reports where it is broken; another run must not treat the missing result as success.
    _, _, _, faults = modelled([reading.read(root / "net.py")], settings)
    assert [fault.code for fault in faults] == ["TS901"]
    with pytest.raises(ConfigError, match=r"net\.py cannot be parsed; `tslint check` it to see why"):
        modelled([reading.read(root / "other.py")], settings)
