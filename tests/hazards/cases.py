"""The hazards, each with a small module that shows it, and with the rules and the stage of ``tslint verify`` that find
it.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
from typing import *

import torch
from torch import nn
from torch.nn import functional as F

"""


@dataclass(frozen=True)
class Hazard:
    """One row of the table.

    Args:
        number: the number of the row.
        pattern: what people write, and what happens.
        where: when the problem occurs: ``SILENT``, ``COMPILE``, ``TRACE`` or ``LATER``.
        source: a module ``Net`` with the problem, without the imports.
        inputs: the arguments of ``forward``, as Python writes them in a call.
        rules: the names of the rules that find the problem in the source.
        stage: the stage of ``tslint verify`` that finds the problem; empty for none.
        mode: the mode of ``tslint verify``, ``script`` or ``trace``.
        warns: the name of the rule that the stage reports although it passes; empty if the stage fails.
        config: lines of ``tslint.toml`` without which the stage does not find the problem.
        future: whether the file begins with ``from __future__ import annotations``.
    """

    number: int
    pattern: str
    where: str
    source: str
    inputs: str = "torch.rand(2, 3)"
    rules: tuple[str, ...] = ()
    stage: str = ""
    mode: str = "script"
    warns: str = ""
    config: str = ""
    future: bool = False

    @property
    def text(self) -> str:
        """Return the whole file."""
        call = f"\n\ndef build():\n    return Net(), ({self.inputs},)\n"
        if self.mode == "trace" and "torch.jit.trace(" not in self.source:
            call += f"\n\ndef export():\n    return torch.jit.trace(Net().eval(), ({self.inputs},))\n"
        return ("from __future__ import annotations\n\n" if self.future else "") + HEAD + self.source + call


def net(body: str, init: str = "", before: str = "", signature: str = "x: torch.Tensor") -> str:
    """Return a module with a body, statements of its constructor, code before it, and parameters."""
    lines = ["", before, "", "class Net(nn.Module):"] if before else ["", "class Net(nn.Module):"]
    if init:
        lines += ["    def __init__(self):", "        super().__init__()"]
        lines += [f"        {line}" for line in init.split("\n")] + [""]
    lines.append(f"    def forward(self, {signature}):")
    return "\n".join([*lines, *(f"        {line}" for line in body.split("\n")), ""])


SILENT = "compiles or traces, and is wrong"
COMPILE = "script"
TRACE = "trace"
LATER = "save, load or run"

HAZARDS = (
    Hazard(
        1,
        "Decorators dropped by script (`@torch.no_grad()`, `functools.wraps`)",
        SILENT,
        net(
            "return self.twice(x)",
            before="\n".join(
                [
                    "import functools",
                    "",
                    "",
                    "def doubled(f):",
                    "    @functools.wraps(f)",
                    "    def inner(self, x):",
                    "        return f(self, x) * 100",
                    "    return inner",
                    "",
                ]
            ),
        )
        + "\n    @doubled\n    def twice(self, x: torch.Tensor):\n        return x * 2\n",
        rules=("dropped-decorator",),
        stage="compare",
    ),
    Hazard(
        2,
        "Tensor `if`/`while` under trace",
        TRACE,
        net("if x.sum() > 0:\n    return x\nreturn -x * 2"),
        mode="trace",
        rules=("traced-tensor-condition",),
        stage="generalize",
    ),
    Hazard(
        3,
        "Baked in without a warning: `x.dim()` branch, `x.shape[0]` given to a scripted function, `.device`, `.dtype`, "
        "`F.dropout` without `training=`",
        TRACE,
        net(
            "return scaled(x, x.shape[0])",
            before="@torch.jit.script\ndef scaled(x: torch.Tensor, n: int):\n    return x * n\n",
        ),
        mode="trace",
        rules=("traced-shape-to-script",),
        stage="generalize",
    ),
    Hazard(
        4,
        "`int()`/`float()`/`math.*`/`max()` on shapes, `.item()`, `.tolist()`, `.numpy()`, `len(tensor)` under trace",
        TRACE,
        net("return x.sum() / len(x) + int(x.shape[1])"),
        mode="trace",
        rules=(
            "traced-len",
            "traced-shape-to-number",
        ),
        stage="generalize",
    ),
    Hazard(
        5,
        "`device=x.device` and `.to(x)` bake the device into the trace",
        TRACE,
        net("return x + torch.zeros(3, device=x.device)"),
        mode="trace",
        rules=("traced-device",),
        stage="device",
    ),
    Hazard(
        6,
        "Traced in one mode: a later `eval()` or `train()` changes nothing",
        TRACE,
        net("return self.drop(x)", init="self.drop = nn.Dropout(0.5)"),
        mode="trace",
        stage="modes",
        warns="counterexample",
    ),
    Hazard(
        7,
        "`self.buf = self.buf + 1` is lost under trace",
        TRACE,
        net("self.buf = self.buf + 1\nreturn x * self.buf", init='self.register_buffer("buf", torch.zeros(1))'),
        mode="trace",
        rules=("traced-rebound-state",),
        stage="state",
    ),
    Hazard(
        8,
        "A loop over a tensor, `split` or list input unrolls under trace",
        TRACE,
        net("total = torch.zeros(3)\nfor row in x:\n    total = total * 0.5 + row\nreturn total"),
        mode="trace",
        rules=("traced-loop",),
        stage="generalize",
    ),
    Hazard(
        9,
        "Random numbers: operators that draw them, Python's `random`",
        TRACE,
        net("return x * random.random()", before="import random\n"),
        mode="trace",
        rules=("traced-python-random",),
        stage="trace",
    ),
    Hazard(
        10,
        "Branches on `is_scripting()` that return another result than eager",
        SILENT,
        net("if torch.jit.is_scripting():\n    return x\nelse:\n    return x, x"),
        rules=("scripting-branches",),
        stage="compare",
    ),
    Hazard(
        11,
        "Operations that mean something else: `round`, int `**`, list arguments, format specs, `or`",
        SILENT,
        net("n = x.shape[0]\nreturn x * (n ** 2 / 4) + round(2.5), n ** 2"),
        rules=(
            "rounded-float",
            "integer-power",
        ),
        stage="compare",
    ),
    Hazard(
        12,
        "A parameter without annotation is a Tensor",
        COMPILE,
        net("return helper(x, 2)", before="def helper(x, n):\n    return x * n\n"),
        rules=("unannotated-parameter",),
        stage="script",
    ),
    Hazard(
        13,
        "An Optional attribute is not refined by `if self.b is not None`",
        COMPILE,
        net("if self.b is not None:\n    return x + self.b\nreturn x", init="self.b = torch.zeros(3)").replace(
            "    def __init__", "    b: Optional[torch.Tensor]\n\n    def __init__"
        ),
        rules=("operand-types",),
        stage="script",
    ),
    Hazard(
        14,
        "`*args`/`**kwargs`",
        COMPILE,
        net("return self.inner(x)") + "\n    def inner(self, *args):\n        return args[0]\n",
        rules=("variadic-parameter",),
        stage="script",
    ),
    Hazard(
        15,
        "`self.layers[i]` with a variable index",
        COMPILE,
        net(
            "for i in range(2):\n    x = self.layers[i](x)\nreturn x",
            init="self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])",
        ),
        rules=("container-index",),
        stage="script",
    ),
    Hazard(
        16,
        "Attributes that cannot be converted (empty list or dict, list of modules)",
        COMPILE,
        net("return self.layers[0](x)", init="self.layers = [nn.Linear(3, 3)]"),
        rules=("inconvertible-attribute",),
        stage="script",
    ),
    Hazard(
        17,
        "`self.h: List[int] = []` in `__init__`: the annotation is ignored",
        COMPILE,
        net("self.h.append(x.shape[0])\nreturn x", init="self.h: List[int] = []"),
        rules=("inconvertible-attribute",),
        stage="script",
    ),
    Hazard(
        18,
        "Assigning a Tensor to an attribute that is None",
        COMPILE,
        net("self.cache = x\nreturn x", init="self.cache = None"),
        rules=("retyped-attribute",),
        stage="script",
    ),
    Hazard(
        19,
        "Assigning an attribute that does not exist",
        COMPILE,
        net("self.cache = x\nreturn x"),
        rules=("set-missing-attribute",),
        stage="script",
    ),
    Hazard(
        20,
        "Global variables and class constants that a function reads",
        COMPILE,
        net("return x * SCALE", before="SCALE = 2.0\n"),
        rules=("closed-over-global",),
        stage="script",
    ),
    Hazard(
        21,
        "A branch under a plain flag that is false: it is still compiled",
        COMPILE,
        net("if self.debug:\n    import pdb\nreturn x", init="self.debug = False"),
        rules=("import-in-function",),
        stage="script",
    ),
    Hazard(
        22,
        "Returns and branches of different types",
        COMPILE,
        net("if x.sum() > 0:\n    r = x\nelse:\n    r = 1\nreturn r"),
        rules=("branch-type-mismatch",),
        stage="script",
    ),
    Hazard(
        23,
        "A variable that changes its type",
        COMPILE,
        net("y = x\nif x.sum() > 0:\n    y = 1\nreturn y"),
        rules=("variable-retyped",),
        stage="script",
    ),
    Hazard(
        24,
        "`try` blocks",
        COMPILE,
        net("try:\n    return x\nexcept ValueError:\n    return -x"),
        rules=("try-block",),
        stage="script",
    ),
    Hazard(
        25,
        "Lambdas, nested functions, `:=`, `match`, sets, imports, `yield`, `global`",
        COMPILE,
        net("f = lambda y: y * 2\nreturn f(x)"),
        rules=("lambda",),
        stage="script",
    ),
    Hazard(
        26,
        "Comprehensions with conditions or several `for` clauses",
        COMPILE,
        net("return x * len([i for i in range(3) if i > 1])"),
        rules=("comprehension-condition",),
        stage="script",
    ),
    Hazard(
        27,
        "Format specs in f-strings",
        COMPILE,
        net('print(f"{x.shape[0]:>3}")\nreturn x'),
        rules=("f-string-format",),
        stage="script",
    ),
    Hazard(
        28,
        "Starred arguments of unknown length: `view(*shape)`",
        COMPILE,
        net("shape = [3, 2]\nreturn x.view(*shape)"),
        rules=("starred-unknown-length",),
        stage="script",
    ),
    Hazard(
        29,
        "`super().forward`",
        COMPILE,
        net(
            "return super().forward(x)", before="class Base(nn.Module):\n    def forward(self, x):\n        return x\n"
        ).replace("class Net(nn.Module)", "class Net(Base)"),
        rules=("super-call",),
        stage="script",
    ),
    Hazard(
        30,
        "Logging, os, time and numpy",
        COMPILE,
        net('logging.info("called")\nreturn x', before="import logging\n"),
        rules=("logging-call",),
        stage="script",
    ),
    Hazard(
        31,
        "`if self.bn:` and `m or x`: modules as conditions",
        COMPILE,
        net("if self.bn:\n    return self.bn(x)\nreturn x", init="self.bn = nn.BatchNorm1d(3)"),
        rules=("not-a-condition",),
        stage="script",
    ),
    Hazard(
        32,
        "`out = []` is a list of tensors",
        COMPILE,
        net("out = []\nout.append(1)\nreturn out"),
        rules=("untyped-container",),
        stage="script",
    ),
    Hazard(
        33,
        "Annotations that TorchScript does not know",
        COMPILE,
        net("return x * len(sizes)", signature="x: torch.Tensor, sizes: Sequence[int] = (1, 2)"),
        rules=("unreadable-annotation",),
        stage="script",
    ),
    Hazard(
        34,
        "`from __future__ import annotations` with class-level annotations",
        COMPILE,
        "\n\nclass Net(nn.Module):\n    h: List[int]\n\n    def __init__(self):\n        super().__init__()\n"
        "        self.h = []\n"
        "\n    def forward(self, x: torch.Tensor):\n        return x\n",
        rules=("class-annotation",),
        stage="script",
        future=True,
    ),
    Hazard(
        35,
        "Properties are compiled",
        COMPILE,
        net("return x") + "\n    @property\n    def name(self):\n        return type(self).__name__\n",
        rules=("unsupported-builtin",),
        stage="script",
    ),
    Hazard(
        36,
        "Modules that are chosen, sliced or reversed; `break` in a loop over a ModuleList",
        COMPILE,
        net("m = self.a if x.sum() > 0 else self.b\nreturn m(x)", init="self.a = nn.ReLU()\nself.b = nn.Tanh()"),
        rules=("if-expression-types",),
        stage="script",
    ),
    Hazard(
        37,
        "The old `torch.nn.utils.weight_norm`",
        COMPILE,
        net("return self.a(x)", init="self.a = torch.nn.utils.weight_norm(nn.Linear(3, 3))"),
        rules=("weight-norm-hook",),
        stage="script",
    ),
    Hazard(
        38,
        "`interpolate(scale_factor=2)`, `torch.Tensor([..])`, `new_tensor`, `inference_mode()`",
        COMPILE,
        net("return x + torch.Tensor([1.0])"),
        rules=("unsupported-torch-call",),
        stage="script",
    ),
    Hazard(
        39,
        "Outputs that cannot be traced: dict, None, numbers",
        TRACE,
        net("return {'a': x}"),
        mode="trace",
        rules=("untraceable-output",),
        stage="trace",
    ),
    Hazard(
        40,
        "Tensors that require grad and belong to no module",
        TRACE,
        net("return self.layers[0](x)", init="self.layers = [nn.Linear(3, 3)]"),
        mode="trace",
        stage="trace",
    ),
    Hazard(
        41,
        "`@torch.jit.ignore` and `autograd.Function`: saving fails",
        LATER,
        net("self.debug(x)\nreturn x")
        + "\n    @torch.jit.ignore\n    def debug(self, x: torch.Tensor) -> None:\n        pass\n",
        rules=("ignored-call",),
        stage="save",
    ),
    Hazard(
        42,
        "A function marked `@torch.jit.unused` is called at run time",
        LATER,
        net("return self.slow(x)")
        + "\n    @torch.jit.unused\n    def slow(self, x: torch.Tensor) -> torch.Tensor:\n        return x\n",
        rules=("unused-call",),
        stage="script",
    ),
    Hazard(
        43,
        "Methods that are called after `load` and are not exported",
        LATER,
        net("return x") + "\n    def predict(self, x: torch.Tensor):\n        return x.argmax()\n\n\n"
        "def ship():\n    torch.jit.script(Net()).save('net.pt')\n    net = torch.jit.load('net.pt')\n"
        "    return net.predict(torch.rand(3))\n",
        rules=("unexported-method",),
    ),
    Hazard(
        44,
        "Operators of libraries that the loading process does not have",
        LATER,
        net(
            "return torch.ops.nowhere.twice(x)",
            before='LIBRARY = torch.library.Library("nowhere", "DEF")\n'
            'LIBRARY.define("twice(Tensor x) -> Tensor")\nLIBRARY.impl("twice", lambda x: x * 2, "CPU")\n',
        ),
        rules=("library-operator",),
        stage="reload",
    ),
    Hazard(
        45,
        "Archives that were written by a newer torch than the one that loads them",
        LATER,
        net("return x.relu()"),
        stage="save",
        warns="newer-exporter",
        config='target-torch = "1.13"',
    ),
    Hazard(
        46,
        "Non-persistent buffers enter `state_dict`",
        LATER,
        net("return x + self.buf", init='self.register_buffer("buf", torch.ones(3), persistent=False)'),
        rules=("transient-buffer",),
    ),
    Hazard(
        47,
        "`optimize_for_inference`, then save",
        LATER,
        net("return self.a(x)", init="self.a = nn.Conv1d(2, 2, 1)")
        + "\n\ndef save():\n    ready = torch.jit.optimize_for_inference(torch.jit.script(Net().eval()))\n"
        "    ready.save('net.pt')\n",
        rules=("optimized-save",),
    ),
    Hazard(
        48,
        "The second run is slow: the executor optimises",
        LATER,
        net(
            # The optimiser's time grows faster than the number of branches. With 1,200 it is three times the limit of
            # the stage for a stall, on an idle machine.
            "for layer in self.layers:\n    x = layer(x) * self.scale - x if x.dim() < 9 else -x\nreturn x",
            init="self.scale = nn.Parameter(torch.ones(3))\n"
            "self.layers = nn.ModuleList([nn.Identity() for _ in range(1200)])",
        ),
        stage="threads",
        warns="warm-up-stall",
    ),
    Hazard(
        49,
        "`torch.tensor` of a list of ints and floats, or of tensors",
        LATER,
        net("return x * torch.tensor([x.size(0), 1.5, 2.0])"),
        rules=("tensor-of-no-numbers",),
        stage="script",
    ),
    Hazard(
        50,
        "Sums that begin with a number: `total = 0.0`, then `total += x[i].sum()`",
        SILENT,
        net("total = 0.0\nfor i in range(2):\n    total += x[i].sum()\nreturn total"),
        rules=("tensor-as-number",),
        stage="compare",
    ),
    Hazard(
        51,
        "None in an `nn.ModuleList`: `enumerate`, `zip` and indices give other modules than in Python",
        SILENT,
        net(
            "for i, layer in enumerate(self.layers):\n    if layer is not None:\n        x = layer(x) + i\nreturn x",
            init="self.layers = nn.ModuleList([nn.Identity(), None, nn.Identity()])",
        ),
        rules=("none-in-container",),
        stage="compare",
    ),
    Hazard(
        52,
        "`len` of an Optional is 1",
        SILENT,
        net(
            "return x * len(sizes)",
            before="from typing import List, Optional",
            signature="x: torch.Tensor, sizes: Optional[List[int]] = None",
        ),
        inputs="torch.rand(2, 3), [2, 3]",
        rules=("length-of-optional",),
        stage="compare",
    ),
    Hazard(
        53,
        "A function of the file with the name of a builtin: `def round(x)`",
        SILENT,
        net("return round(x)", before="def round(v):\n    return torch.floor(v + 1)\n"),
        rules=("named-like-builtin",),
        stage="compare",
    ),
    Hazard(
        54,
        "An in-place change of `x[t]`, where `t` is a Tensor: compiled code changes a copy",
        SILENT,
        net(
            "y = x * 1\ny[last[0]].fill_(1)\nreturn y",
            signature="x: torch.Tensor, last: torch.Tensor",
        ),
        inputs="torch.rand(3, 2), torch.tensor([1])",
        rules=("changed-copy",),
        stage="compare",
    ),
    Hazard(
        55,
        "A number from a floating-point tensor as a condition: `if x.mean().item():` is false for 0.5",
        SILENT,
        net("if x.mean().item():\n    return x * 2\nreturn x"),
        inputs="torch.full((2,), 0.5)",
        rules=("truncated-condition",),
        stage="compare",
    ),
    Hazard(
        56,
        "`x.unique_consecutive()` returns three Tensors",
        SILENT,
        net("return x.unique_consecutive()"),
        inputs="torch.ones(3)",
        rules=("unique-consecutive-method",),
        stage="compare",
    ),
)
