"""Tests that findings name what is in the author's code: the annotation, the operand, the block, the index."""

from __future__ import annotations

import pytest

from tests.rules.driver import HERE, findings
from tslint.lint.analysis import analyse
from tslint.sources.file import SourceFile

HEAD = "from typing import Optional, Tuple\n\nimport torch\nfrom torch import nn\n\n\n"


def function(signature: str, *body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    return f"{HEAD}@torch.jit.script\ndef work({signature}:\n{lines}"


def module(init: str, *body: str) -> str:
    lines = "".join(f"        {line}\n" for line in body)
    return (
        f"{HEAD}class Net(nn.Module):\n    def __init__(self, mode='a'):\n        super().__init__()\n        {init}\n"
        f"\n    def forward(self, x: torch.Tensor):\n{lines}"
    )


BOX = """
import torch


class Box:
    height: int

    def __init__(self, width: int):
        self.width = width

    @staticmethod
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2


"""
CASES = {
    "the items of a map with a lambda": (
        function("x: torch.Tensor)", "a, b = map(lambda t: t + 1, (x, x))", "return a + b"),
        "TS104",
        "",
        "Write a comprehension: `[… for t in (x, x)]`.",
    ),
    "an assignment in the test of a loop": (
        function("x: torch.Tensor)", "while (n := x.size(0)) > 3:", "    x = x[:-1]", "return x"),
        "TS110",
        "",
        "Assign `n = …` before the loop, and again at the end of its body.",
    ),
    "an assignment in an elif": (
        function("x: torch.Tensor, k: int)", "if k > 2:", "    return x", "elif (n := k + 1) > 1:", "    return x * n")
        + "    return x\n",
        "TS110",
        "",
        "In the `else`, assign `n = …`, and then write the `if`.",
    ),
    "the rest of a list": (
        function("x: torch.Tensor, k: int)", "ks = [k, k, k]", "del ks[1:2]", "return x * ks[0]"),
        "TS129",
        "`del ks[1:2]`: a slice cannot be deleted",
        "Assign the remaining items: `ks = ks[:1] + ks[2:]`.",
    ),
    "the list that a starred target becomes": (
        function("x: torch.Tensor)", "*sizes, = x.shape", "return x * sizes[0]"),
        "TS131",
        "",
        "Write `sizes = list(x.shape)`.",
    ),
    "the test of an index for a slice": (
        module(
            "self.layers = nn.ModuleList([nn.ReLU(), nn.ReLU()])",
            "for one in self.layers[1:]:",
            "    x = one(x)",
            "return x",
        ),
        "TS406",
        "",
        "`for i, layer in enumerate(self.layers):`, and test `if i >= 1:` in the loop.",
    ),
    "the value of an or": (
        function("x: torch.Tensor, n: Optional[int] = None)", "k = n or 3", "return x * k"),
        "TS414",
        "",
        "Write `n if n is not None and n else 3`: the value of `n or 3` is a bool in TorchScript.",
    ),
    "the annotation with its default": (
        function("x, device='cpu')", "return torch.ones(2, device=device)"),
        "TS301",
        "`torch.ones` takes a torch.device for `device`, but `device` is a Tensor",
        "annotate it, `device: torch.device = torch.device('cpu')`.",
    ),
    "the element that a list may contain": (
        function("x, mode)", "assert mode in ['a', 'b']", "return x"),
        "TS306",
        "`in` does not work between `mode` (a Tensor) and `['a', 'b']` (List[str])",
        "annotate it, `mode: str`.",
    ),
    "the operand that may be None": (
        function("x, y: Optional[torch.Tensor])", "return x + y"),
        "TS306",
        "`+` does not work between `x` (a Tensor) and `y` (Optional[Tensor])",
        "Use `y` under `if y is not None:`",
    ),
    "the block that changes a variable": (
        function("x: torch.Tensor, n)", "if x.dim() > 1:", "    n = 1", "return x * n"),
        "TS321",
        "`n` is a Tensor and cannot become an int in the `if` on line 9",
        "annotate it, `n: int`.",
    ),
    "the value of a tuple that differs": (
        function("x: torch.Tensor) -> Tuple[torch.Tensor, int]", "return x, 'a'"),
        "TS315",
        "value 2 of the returned `x, 'a'` is a str, but is annotated as an int",
        "Return an int as value 2, or annotate `-> Tuple[Tensor, str]`.",
    ),
    "the number of values": (
        function("x: torch.Tensor) -> Tuple[torch.Tensor, int]", "return x, 1, 2"),
        "TS315",
        "the function returns 3 values, `x, 1, 2`, but is annotated as a tuple of 2",
        "",
    ),
    "a test of a string": (
        module("self.mode = mode", "if self.mode == 'a':", "    return x", "return x, x"),
        "TS316",
        "`x, x` is Tuple[Tensor, Tensor], but line 14 returns a Tensor",
        "If `self.mode == 'a'` never changes, you can also store its result in `__init__`, in an attribute that the",
    ),
    "a list of modules that is set again": (
        module("self.layers = [nn.ReLU()]", "self.layers = []", "return x"),
        "TS411",
        "in some cases, `self.layers` is a plain list of modules, which TorchScript does not support",
        "Store an `nn.ModuleList` or `nn.ModuleDict` there in `__init__`, and do not set it in compiled code.",
    ),
    "the items of a loop": (
        function("x: torch.Tensor)", "for i, (a, b) in enumerate(x):", "    x = a", "return x"),
        "TS308",
        "a Tensor from `x` cannot be unpacked in TorchScript",
        "Write one variable instead of several, such as `item`, and read `item[0]` and `item[1]` in the loop.",
    ),
    "an unannotated number in a tensor": (
        function("x, std)", "return torch.tensor([std])"),
        "TS621",
        "",
        "`std` has no annotation, so TorchScript treats it as a Tensor: annotate it with the type that callers pass.",
    ),
    "a device that may be None": (
        function("x: torch.Tensor)", "return torch.arange(3, device=x.get_device())"),
        "TS301",
        "`torch.arange` takes a torch.device for `device`, but `x.get_device()` is an int",
        "Pass a torch.device.",
    ),
    "the type of a dict": (
        function("x: torch.Tensor, v: List[int])", "return type(v) == dict").replace("Optional, ", "List, Optional, "),
        "TS203",
        "`dict` is a class used as a value, which TorchScript does not support",
        "Write `torch.jit.isinstance(v, Dict[str, …])`.",
    ),
    "None in a list of Tensors": (
        function("x: torch.Tensor)", "out = []", "out.append(None)", "return out"),
        "TS504",
        "`out.append(None)` puts None into a List[Tensor]: `out = []` on line 9 has no annotation",
        "Annotate it where it is created: `out: List[Optional[torch.Tensor]] = []`.",
    ),
    "numbers of unknown type": (
        function("x: torch.Tensor)", "out = []", "out.append(x[0].item())", "return x[out[0]]"),
        "TS504",
        "`out.append(x[0].item())` puts a number of unknown type into a List[Tensor] (created on line 9)",
        "`out: List[float] = []`, or with `int` instead of `float` if the numbers are ints.",
    ),
    "a test that training changes": (
        module("self.aux = True", "if self.training and self.aux:", "    return x", "return x, x"),
        "TS316",
        "`x, x` is Tuple[Tensor, Tensor], but line 14 returns a Tensor",
        "Return one type on every path, or write a function for each type.",
    ),
    "a flag around both returns": (
        module(
            "self.a = x", "if self.a:", "    if x.sum() > 0:", "        return x", "    return x, x", "return x"
        ).replace("mode='a'", "mode='a', x=True"),
        "TS316",
        "`x, x` is Tuple[Tensor, Tensor], but line 15 returns a Tensor",
        "Return one type on every path, or write a function for each type.",
    ),
    "the bounds of a slice": (
        module("self.layers = nn.ModuleList([nn.ReLU()])", "return self.layers[1:3](x)"),
        "TS405",
        "`self.layers[1:3]` is a tuple of modules in TorchScript, and a tuple cannot be called",
        "`for i, module in enumerate(self.layers):`, and in it `if 1 <= i < 3: x = module(x)`.",
    ),
    "the functions that a list holds": (
        module("self.calls = [work, torch.relu]", "return self.calls[0](x)\n\n\ndef work(x):\n    return x"),
        "TS412",
        "`self.calls` is a list of functions, which TorchScript does not support",
        "Call the functions by their names, and choose between them with `if`.",
    ),
    "the method that an attribute holds": (
        module("self.call = self.other", "return self.call(x)\n\n    def other(self, x):\n        return x"),
        "TS412",
        "`self.call` is a method in an attribute, which TorchScript does not support",
        "Call `self.other` itself here",
    ),
    "a method that an attribute holds in some constructions": (
        module(
            "if mode == 'a':\n            self.call = self.other",
            "return self.call(x)\n\n    def other(self, x):\n        return x",
        ),
        "TS412",
        "`self.call` is a method in an attribute, which TorchScript does not support",
        "Call `self.other` itself here",
    ),
    "a list of lambdas": (
        module("self.steps = [lambda x: x]", "for step in self.steps:", "    x = step(x)", "return x"),
        "TS412",
        "`self.steps` is a list of lambdas",
        "`nn.ModuleList`",
    ),
    "a module in a function": (
        function("x: torch.Tensor)", "loss = nn.BCELoss()", "return loss(x, x)"),
        "TS214",
        "`nn.BCELoss()` creates a module, which compiled code cannot do",
        "Make this function a method of a module whose `__init__` has `self.loss = nn.BCELoss()`.",
    ),
    "a module that is passed to a function": (
        function("model)", "return model.parameters()"),
        "TS210",
        "`model` has no annotation, so it is a Tensor, and a Tensor has no `parameters`",
        "A module cannot be passed to compiled code: make it a submodule",
    ),
    "a None that cannot be saved": (
        module("pass", "return x").replace("x: torch.Tensor)", "x: torch.Tensor, mask=None)"),
        "TS810",
        "`mask=None` has no annotation, so it is a Tensor: the compiled module cannot be saved",
        "operations on a missing `mask` raise.",
    ),
    "a condition that fits": (
        module("if mode == 'b':\n            self.one = nn.ReLU()", "return self.one(x) if x.dim() > 1 else x"),
        "TS408",
        "`Net` does not set `self.one` (when `mode` is not 'b')",
        "Set `self.one = None` at the start of `__init__`",
    ),
    "a condition that does not fit": (
        module("self.cache = None", "self.cache = x.mean(dim=0, keepdim=True).relu()", "return x"),
        "TS410",
        "in some cases, `self.cache` starts as None and cannot be set to `x.mean(…).relu…`, which is a Tensor",
        "This happens when the module has not run before scripting.",
    ),
    "the beginning of a condition": (
        module(
            "self.shortcut_connection = nn.ReLU() if deploy else (nn.ReLU() if inputs == outputs else None)",
            "return self.shortcut_connection(x) + self.shortcut_connection(x) if x.dim() > 1 else x",
        ).replace("mode='a'", "deploy=False, inputs=1, outputs=1"),
        "TS413",
        "`self.shortcut_connection` is called, but it is None (when `deploy` is false and …)",
        "This happens when `deploy` is false and `inputs` is not `outputs`.",
    ),
    "the operator in place, and the list instead of a tuple": (
        function("x: torch.Tensor, y: Optional[torch.Tensor])", "out = (x,)", "out += (y,)", "return out"),
        "TS306",
        "`+=` does not work between `out` (Tuple[Tensor]) and `(y,)` (Tuple[Optional[Tensor]])",
        "start with a list, `out: List[Optional[Tensor]] = […]`, and `append` to it.",
    ),
    "a module that is always None": (
        module("self.layers = None", "return self.layers[0](x)"),
        "TS313",
        "`self.layers` is None, which has no items",
        "Use `self.layers` under `if self.layers is not None:`",
    ),
    "the parameter in a bound": (
        function("n)", "total = 0", "for i in range(1, n + 1):", "    total += i", "return total"),
        "TS325",
        "`n` has no annotation, so `n + 1` is a Tensor, and `range` takes ints",
        "Annotate it: `n: int`.",
    ),
    "a bound after a star": (
        function("x: torch.Tensor)", "range(*(x,))", "return x"),
        "TS325",
        "`range` takes ints, but `*(x,)` passes a Tensor",
        "Write each bound out as an int.",
    ),
    "an index from the end": (
        module("self.layers = nn.ModuleList([nn.ReLU()])", "return self.layers[-(x.dim() + 1)](x)"),
        "TS401",
        "`self.layers` has the variable index `-(x.dim() + 1)`: an nn.ModuleList needs an integer literal",
        "`if i == len(self.layers) - (x.dim() + 1):`",
    ),
    "a method of nn.RNN": (
        module("self.rnn = nn.GRU(3, 3)", "self.rnn.flatten_parameters()", "return x"),
        "TS420",
        "TorchScript cannot compile `self.rnn.flatten_parameters`, a method of a torch module",
        "",
    ),
    "the slice in a `zip`": (
        module(
            "self.layers = nn.ModuleList([nn.ReLU(), nn.ReLU()])",
            "for a, b in zip(self.layers, self.layers[::2]):",
            "    x = a(b(x))",
            "return x",
        ),
        "TS406",
        "`b` is a module from the slice `self.layers[::2]`, which TorchScript cannot call",
        "`b.forward(…)`",
    ),
    "an item of a parameter without annotation": (
        function("x: torch.Tensor, records)", "records['loss'].append(x)", "return x"),
        "TS210",
        "",
        "`records` has no annotation, so TorchScript treats it as a Tensor: annotate it if it is something else. ",
    ),
    "an element of a parameter without annotation": (
        function("x: torch.Tensor, dims)", "for dim in dims:", "    x = x[..., dim]", "return x"),
        "TS341",
        "",
        "so TorchScript treats it as a Tensor: annotate it if it is something else. Otherwise, write `:`",
    ),
    "a method of a parameter without annotation": (
        function("x: torch.Tensor, names)", "return x[x != names.pad()]"),
        "TS305",
        "",
        "so TorchScript treats it as a Tensor: annotate it if it is something else. Otherwise, pass `pad`.",
    ),
    "None for a tuple": (
        function("x: torch.Tensor) -> Tuple[torch.Tensor, int]", "if x.sum() > 1:", "    return None", "return x, 1"),
        "TS315",
        "the function returns None, but is annotated `-> Tuple[Tensor, int]`",
        "or annotate `-> Optional[Tuple[Tensor, int]]`.",
    ),
    "a negated flag that may be None": (
        function("x: torch.Tensor, flag: Optional[bool] = None)", "if not flag:", "    x = x + 1", "return x"),
        "TS414",
        "",
        "Test `flag is None`, or write `flag is None or not flag` if its value matters as well.",
    ),
    "None in a tuple in a list": (
        function("x: torch.Tensor)", "found = []", "found.append((x, None))", "return found"),
        "TS504",
        "",
        "`found: List[Tuple[Tensor, Optional[…]]] = []`",
    ),
    "the type that the fix writes": (
        module("pass", "return self.named(x, 'a')\n\n    def named(self, x, name=None):\n        return x"),
        "TS507",
        "`name` of `named` has no annotation, so it is a Tensor, but gets a str",
        "Annotate `name` in `Net.named`: `name: Optional[str]`.",
    ),
    "a parameter that is None by default, without a fix": (
        module(
            "pass",
            "return self.named(x, 'a'), self.named(x, 3)\n\n    def named(self, x, name=None):\n        return x",
        ),
        "TS507",
        "",
        "Annotate `name` in `Net.named`: `name: Optional[str]`.",
    ),
    "spaces in a file with tabs": (
        module("self.note = '''one\n    two'''", "return x").replace("        ", "\t\t").replace("    def", "\tdef"),
        "TS428",
        "the compiler cannot parse this string: a line lacks the indentation of `def __init__`",
        "the same spaces or tabs as the `def`, or move the string",
    ),
    "brackets that do not keep the indentation": (
        module("self.sizes = [\n1]", "return x"),
        "TS428",
        "the compiler cannot parse this expression: a line lacks the indentation of `def __init__`",
        "move the expression",
    ),
    "tuples of Tensors": (
        function("a, b)", "return torch.tensor([(a, b)])"),
        "TS621",
        "",
        "`torch.stack([torch.stack((a, b)), torch.stack((c, d))])`",
    ),
    "lists of different numbers": (
        function("x, n: int)", "return torch.tensor([[n], [1.5]])"),
        "TS621",
        "`torch.tensor` of `[[n], [1.5]]` gives wrong numbers in TorchScript: it mixes ints and floats",
        "Convert all elements to one type",
    ),
    "a list of different numbers in a list": (
        function("x, n: int)", "return torch.tensor([[n, 1.5], [n, 2.5]])"),
        "TS621",
        "`torch.tensor` of `[[n, 1.5], [n, 2.5]]` raises in TorchScript: it mixes ints and floats",
        "Convert all elements to one type",
    ),
    "a list of an empty list": (
        function("x)", "return torch.tensor([[]])"),
        "TS621",
        "`torch.tensor` of `[[]]` raises in TorchScript, where an empty list is a List[Tensor]",
        "Write `torch.zeros(...)` with the shape.",
    ),
    "any int instead of the default": (
        module("self.drop = nn.Dropout(mode)", "return self.drop(x)").replace("mode='a'", "mode=0"),
        "TS425",
        "`p` of `nn.Dropout` must be a float to compile (when `mode` is an int like its default 0)",
        "Write `float(mode)`.",
    ),
    "the whole module that is created": (
        module("pass", "head = nn.Sequential(nn.Linear(3, 3), nn.Tanh())", "return head(x)"),
        "TS214",
        "`nn.Linear(3, 3)` creates a module, which compiled code cannot do",
        "In `__init__`, write `self.head = nn.Sequential(…)`; call `self.head(…)` here.",
    ),
    "a module that is called with the input by mistake": (
        module("pass", "x = nn.MSELoss(x)", "return x"),
        "TS214",
        "`nn.MSELoss(x)` creates a module, which compiled code cannot do",
        "In `__init__`, write `self.mse_loss = nn.MSELoss(…)`, with values that are known there;",
    ),
    "an empty list that a parameter passes": (
        module("self.sizes = mode", "return x, len(self.sizes)").replace("mode='a'", "mode=[]"),
        "TS412",
        "`self.sizes` is an empty list, so its type is unknown (when `mode` is [])",
        "Annotate it in the class body, `sizes: List[torch.Tensor]` for instance",
    ),
    "values of several types": (
        module("self.sizes = {'a': 1, 'b': 'c'}", "return x, len(self.sizes)"),
        "TS412",
        "`self.sizes` is a dict of values without a common TorchScript type",
        "Give all values one TorchScript type.",
    ),
    "an empty list that is assigned to": (
        module("self.sizes = []", "self.sizes = [x]", "return x"),
        "TS411",
        "in some cases, `self.sizes` starts as an empty list, so its type is unknown",
        "Annotate `sizes` in the class body",
    ),
    "a test that is not of the type": (
        function("x: torch.Tensor)", "if type(x) is not torch.Tensor:", "    return x + 1", "return x"),
        "TS203",
        "`torch.Tensor` is a class used as a value, which TorchScript does not support",
        "Write `not isinstance(x, torch.Tensor)`.",
    ),
    "the call around the class": (
        function("x: torch.Tensor)", "return x.type(torch.FloatTensor)"),
        "TS203",
        "`torch.FloatTensor` is a class used as a value, which TorchScript does not support",
        'Write `.to("cpu", torch.float32)` instead of `.type(torch.FloatTensor)`.',
    ),
    "a size of unannotated parts": (
        function("x: torch.Tensor, n)", "return torch.zeros([n, 2]) + x"),
        "TS301",
        "`torch.zeros` takes List[int] for `size`, but `[n, 2]` is List[Union[Tensor, int]]",
        "`n` has no annotation, so TorchScript treats it as a Tensor: annotate it, `n: int`.",
    ),
    "a number of unknown type in an attribute": (
        module("self.best = None", "self.best = x.argmax().item()", "return x"),
        "TS410",
        "in some cases, `self.best` starts as None and cannot be set to `x.argmax().item…`, which is a number",
        "Convert the number, `int(…)` or `float(…)`, and annotate `best: Optional[int]` in the class body.",
    ),
    "a method of nn.Module itself": (
        module("pass", "return super().forward(x)"),
        "TS215",
        "`super().forward`: TorchScript has no `super()`",
        "Remove the call: `nn.Module.forward` only raises.",
    ),
    "a value of any type": (
        function("x: torch.Tensor, y: Any)", "return x + y").replace("Op", "Any, Op", 1),
        "TS306",
        "`+` does not work between `x` (a Tensor) and `y` (type Any)",
        "",
    ),
    "several names": (
        function("x)", "global a, b, c, d", "return x"),
        "TS106",
        "`global` cannot be compiled: compiled code cannot rebind `a`, `b` and 2 more",
        "",
    ),
    "the value of a test": (
        function("x, y)", "if isinstance(y, dict):", "    return x", "return y"),
        "TS506",
        "TorchScript has no type `dict` without the types of its keys and values",
        "Write `torch.jit.isinstance(y, Dict[str, …])`, with the types of the keys and values.",
    ),
    "the arguments of a function of torch": (
        function("x: torch.Tensor)", "return torch.relu(x, 1)"),
        "TS305",
        "`torch.relu` takes at most 1 positional argument, but gets 2",
        "has only the positional parameter `input`.",
    ),
    "a sum beside a number": (
        function("x: torch.Tensor, n: int)", "return max(n, x.sum())"),
        "TS613",
        "TorchScript converts `x.sum()`, a Tensor, to a number, because it stands beside an int",
        "Write `x.sum().clamp(min=n)`.",
    ),
    "a star in a list": (
        function("x: torch.Tensor, sizes: List[int])", "return [*sizes, 1]").replace("Optional, ", "List, Optional, "),
        "TS307",
        "`*` before `sizes`: TorchScript does not know the length of the list",
        "Concatenate lists: `list(sizes) + […]`; or write the elements out: `sizes[0], sizes[1]`.",
    ),
    "the same type on both sides": (
        function("x: torch.Tensor)", "return [1] - [2]"),
        "TS306",
        "`-` does not work between `[1]` (List[int]) and `[2]` (List[int])",
        "TorchScript has no such operator for this type: use Tensors, or write the operation as a loop.",
    ),
    "the tensor that a trace casts": (
        module("pass", "mask = x + 1", "return mask.to(x.dtype)")
        + "\n\ntraced = torch.jit.trace(Net().eval(), (torch.ones(3),))\n",
        "TS711",
        "the trace always runs `mask.to(x.dtype)` with the dtype of the example inputs",
        "Write `mask.type_as(x)`, which the trace records.",
    ),
    "the variable of a list": (
        function("x: torch.Tensor)", "sizes = x.tolist()", "return x"),
        "TS328",
        "",
        "Assign the result to an annotated variable: `sizes: List[int] = x.tolist()` for one dimension of ints,",
    ),
    "a dict in a dict": (
        function("x: torch.Tensor) -> Dict[str, torch.Tensor]", "return {'a': {'b': x}}").replace("Op", "Dict, Op", 1),
        "TS337",
        "the values of this dict are of type Dict[str, Tensor], but are annotated as Tensor",
        "Write every element with the annotated type, or annotate the type that the elements have.",
    ),
    "a map over a list": (
        function("f, x: torch.Tensor)", "return list(map(f, [x]))"),
        "TS211",
        "`map(f, [x])`: TorchScript has no `map`",
        "Write a comprehension: `[f(item) for item in [x]]`.",
    ),
    "any list": (
        function("x: torch.Tensor)", "return torch.add(None, x)"),
        "TS301",
        "`torch.add` needs a Tensor, a list, a str or others, not None",
        "",
    ),
    "a class with arguments and no __init__": (
        "class Pack(dict):\n    pass\n\n\n" + function("x: torch.Tensor)", "return Pack(a=x)"),
        "TS331",
        "`Pack` has no `__init__`, so compiled code cannot create an instance",
        "Make `Pack` a NamedTuple, or write an `__init__` in its body that takes these arguments.",
    ),
    "a list without the type of its elements": (
        function("x: list)", "return len(x)"),
        "TS624",
        "`len` is always 1 here in TorchScript: `x` is annotated as `list`, without element types",
        "Annotate the types of its elements: `List[…]`.",
    ),
    "the container of modules that is zipped": (
        module(
            "self.blocks = nn.ModuleList([nn.ReLU()])", "for b, y in zip(self.blocks, x):", "    x = b(y)", "return x"
        ),
        "TS416",
        "`zip(self.blocks, x)` cannot combine modules with a Tensor, whose length is unknown",
        "Loop over the modules only, `for i, module in enumerate(self.blocks)`; read the other values by the index.",
    ),
    "a module of local size": (
        module("pass", "return nn.Linear(x.size(1), 2)(x)"),
        "TS214",
        "`nn.Linear(x.size(1), 2)` creates a module, which compiled code cannot do",
        "In `__init__`, write `self.linear = nn.Linear(…)`, with values that are known there;",
    ),
    "a method that is not called": (
        function("x: torch.Tensor)", "return x, x.numel"),
        "TS203",
        "",
        "Call it, `x.numel(…)`.",
    ),
    "a default that is omitted": (
        module("pass", "return self.scaled(x)\n\n    def scaled(self, x, by=None):\n        return x"),
        "TS327",
        "`self.scaled` is called without `by`: its default is None, but its type is Tensor",
        "In `Net.scaled`, annotate it",
    ),
    "an item that is set to None": (
        function("x)", "x[0] = None", "return x"),
        "TS306",
        "`x[0]` is an item of a Tensor, and cannot be set to None",
        "If it is one, assign a Tensor or a number; otherwise annotate it",
    ),
    "a string as an index of an annotated parameter": (
        function("x: torch.Tensor)", "return x['a']"),
        "TS312",
        "`x` is a Tensor and cannot be indexed by a str",
        "If callers pass a dict, annotate `x: Dict[str, Tensor]`.",
    ),
    "a variable that becomes None": (
        function("x: torch.Tensor)", "y = x + 1", "if x.dim() > 1:", "    y = None", "return x"),
        "TS321",
        "`y` is a Tensor on line 9 and cannot become None in the `if` on line 10",
        "Annotate it where it starts, `y: Optional[torch.Tensor] = …`, or use another variable for None.",
    ),
    "a variable instead of a type": (
        function("x: torch.Tensor, kind: int)", "return isinstance(x, kind)"),
        "TS506",
        "`kind` is a variable here, but `isinstance` needs the name of a type in TorchScript",
        "Test for a TorchScript type",
    ),
    "a key of a sort": (
        function("x: torch.Tensor)", "return sorted([x], key=lambda y: -y)"),
        "TS104",
        "`lambda` cannot be compiled: functions are not values in TorchScript",
        "TorchScript has no `key=`",
    ),
    "the object and the name of setattr": (
        module("pass", "setattr(self.one, 'size', 3)", "return x"),
        "TS211",
        "`setattr(self.one, 'size', 3)`: TorchScript has no `setattr`",
        "Write `self.one.size = …`; `__init__` must set it, too.",
    ),
    "modules that are unpacked": (
        module("self.layers = nn.ModuleList([nn.ReLU()])", "(layer,) = self.layers", "return layer(x)"),
        "TS432",
        "",
        "`self.layers[0](x)`",
    ),
    "a list of dicts": (
        function("x)", "return x[0]['a']"),
        "TS312",
        "`x[0]` is a Tensor and cannot be indexed by a str",
        "annotate a list of dicts as `x: List[Dict[str, …]]`",
    ),
    "a dict of dicts": (
        function("x: Dict[str, torch.Tensor])", "return x['b']['a']").replace("Optional, ", "Dict, Optional, "),
        "TS312",
        "`x['b']` is a Tensor and cannot be indexed by a str",
        "Annotate a dict of dicts as `Dict[str, Dict[str, …]]`",
    ),
    "a generator whose length is not known": (
        function("xs: torch.Tensor)", "return tuple(x + 1 for x in xs)"),
        "TS307",
        "",
        "write the comprehension in brackets, without `tuple`",
    ),
    "a module that is not called here": (
        module("pass", "return [nn.Identity()]"),
        "TS214",
        "",
        "In `__init__`, write `self.identity = nn.Identity()`; use `self.identity` here.",
    ),
    "a number in another base": (
        function("n: int) -> str", "return '{:b}'.format(n)"),
        "TS607",
        "TorchScript replaces only `{}`: `{:b}` stays in the text `'{:b}'`",
        "TorchScript has no format `b`",
    ),
    "a called name": (
        function("x)", "return missing(x)"),
        "TS201",
        "`missing` is not defined",
        "Define or import the function or class `missing` in this file.",
    ),
    "a raised name": (
        function("x: torch.Tensor)", "if x.dim() > 1:", "    raise MissingError('x')", "return x"),
        "TS201",
        "`MissingError` is not defined",
        "Define or import the exception `MissingError` in this file.",
    ),
    "the function that tests for an attribute": (
        function("x)", "if getattr(x, 'name', None) is not None:", "    return x", "return x + 1"),
        "TS219",
        "`getattr` with a default does not work on `x`: it has no annotation, so it is a Tensor",
        "annotate it",
    ),
    "an Optional in an Optional": (
        function("x: Optional[torch.Tensor], n: int)", "y = None", "if n > 1:", "    y = x", "return y"),
        "TS321",
        "`y` is None on line 9 and cannot become Optional[Tensor] in the `if` on line 10",
        "`y: Optional[torch.Tensor] = None`",
    ),
    "a container without the types of its elements": (
        module("self.sizes = (1, 2)", "return x").replace("    def __init__", "    sizes: Tuple\n\n    def __init__"),
        "TS421",
        "`sizes: Tuple` does not name the types of its elements",
        "Add them in brackets",
    ),
    "what a builtin may be called with": (
        function("xs)", "return reversed(xs)"),
        "TS804",
        "`reversed(...)` compiles to a call of Python, so the module cannot be saved",
        "`xs` has no annotation, so it is a Tensor: annotate it if it is not one. For a Tensor, write `xs.flip(0)`.",
    ),
    "what a tuple is made from": (
        function("x)", "return tuple(x * 2)"),
        "TS308",
        "`tuple(…)` of `x * 2`: TorchScript cannot make a tuple from a Tensor",
        "`x` has no annotation, so it is a Tensor: annotate it if it is not one. Use `(x * 2).unbind(0)`, "
        "the list of the rows.",
    ),
    "the modules of a dict": (
        module("self.heads = nn.ModuleDict({'a': nn.Identity()})", "return self.heads(x)"),
        "TS405",
        "`self.heads` is an nn.ModuleDict, which has no `forward` to call",
        "`for module in self.heads.values(): x = module(x)`",
    ),
    "the constants that a tuple assigns": (
        module("pass", "return x * self.rows").replace(
            "    def __init__", "    rows, columns = 1, 2\n\n    def __init__"
        ),
        "TS409",
        "`self.rows` is a class variable of `Net`, which TorchScript does not see",
        'write `__constants__ = ["rows"]` in the class body.',
    ),
    "the functions that a class variable holds": (
        module("pass", "return self.acts['relu'](x)").replace(
            "    def __init__", "    acts = {'relu': torch.relu, 'tanh': torch.tanh}\n\n    def __init__"
        ),
        "TS412",
        "`self.acts` is a dict of functions, which TorchScript does not support",
        "Call the functions by their names, and choose between them with `if`.",
    ),
    "a generator": (
        module("pass", "for row in self.rows(x):", "    x = x + row", "return x")
        + "\n    def rows(self, x):\n        yield x\n",
        "TS415",
        "`self.rows(x)` is a generator, which cannot be compiled",
        "collect the values in a list and return it.",
    ),
    "the sizes that a parameter contains": (
        function("x: torch.Tensor, window)", "return x.view(x.size(0) // window[0], window[0], -1)"),
        "TS613",
        "TorchScript converts `window[0]`, a Tensor, to a number, because it stands beside an int",
        "If `window` contains ints, annotate it: `window: List[int]`.",
    ),
    "a variable of nested branches": (
        function(
            "x: torch.Tensor, a: bool, b: bool)",
            "if a:",
            "    if b:",
            "        y = 1",
            "else:",
            "    y = 2",
            "return x + y",
        ),
        "TS318",
        "`y` is set only on some paths to line 14",
        "Set `y` before the `if`, or in every branch that neither raises nor returns.",
    ),
    "the end of a chain": (
        module("pass", "return x.clone().cpu().detach().contiguous().numpy()"),
        "TS209",
        "`.numpy()` creates a numpy array, and compiled code has no numpy",
        "Use tensors",
    ),
    "the dimensions that are flipped": (
        function("x: torch.Tensor, n: str)", "return x.flip(n)"),
        "TS301",
        "`x.flip` takes an int for each of its dimensions, but `n` is a str",
        "",
    ),
    "a method of lists": (
        function("x: torch.Tensor, xs)", "return x[xs.index(3)]"),
        "TS301",
        "`xs.index` takes a Tensor for each of its arguments, but `3` is an int",
        "`xs` has no annotation, so TorchScript treats it as a Tensor: annotate it with the type that callers pass.",
    ),
    "a starred map": (
        function("x: torch.Tensor)", "return list(zip(*map(torch.relu, x)))"),
        "TS307",
        "`*` before `map(torch.relu, x)`: `zip` accepts no starred argument in TorchScript",
        "Write the arguments out: `v = [f(x) for x in xs]`, `zip(v[0], v[1])`.",
    ),
    "a bound that may be None": (
        function(
            "x: torch.Tensor, n=None)",
            "if n is None:",
            "    n = x.size(0)",
            "for i in range(n):",
            "    x = x + i",
            "return x",
        ),
        "TS325",
        "`n` has no annotation, so it is a Tensor, and `range` takes ints",
        "Annotate it: `n: Optional[int]",
    ),
    "a bool before a Tensor": (
        function("x: torch.Tensor, flag: bool)", "return flag * x"),
        "TS613",
        "TorchScript converts `x`, a Tensor, to a number, because it stands beside a bool",
        "If it is a Tensor, write `int(flag) * x`.",
    ),
    "an int before a Tensor": (
        function("x: torch.Tensor, n: int)", "return n // x"),
        "TS613",
        "",
        "If it is a Tensor, write `torch.tensor(n) // x`.",
    ),
    "a bound for a Tensor": (
        function("x: torch.Tensor, n: int)", "return min(n, x)"),
        "TS613",
        "",
        "If it is a Tensor, write `x.clamp(max=n)`.",
    ),
    "a parameter that is computed again": (
        function("n)", "n = n * 2", "for i in range(2):", "    n = max(n, 1)", "return n"),
        "TS321",
        "`n` is a Tensor on line 9 and cannot become an int in the loop on line 10",
        "If it is one, use another variable for an int; otherwise annotate it as `n: int`.",
    ),
    "a value without annotation in a list": (
        function("n)", "sizes = [1, 2]", "sizes[0] = n", "return sizes"),
        "TS504",
        "`sizes[0] = ...` puts a Tensor into a List[int]",
        "`n` has no annotation, so TorchScript treats it as a Tensor: annotate it, `n: int`.",
    ),
    "a function that is bound to arguments": (
        function("x)", "return partial(torch.cat, dim=1)(x)").replace(
            "import torch", "from functools import partial\n\nimport torch", 1
        ),
        "TS207",
        "`partial` exists only in Python: compiled code cannot call it",
        "Write a function that calls `torch.cat` with these arguments.",
    ),
    "the name of a function": (
        function("f)", "return f.__name__"),
        "TS210",
        "`f` has no annotation, so it is a Tensor, and a Tensor has no `__name__`",
        "Read `__name__` outside compiled code",
    ),
    "a norm without its kind": (
        function("x: torch.Tensor)", "return x.norm(dim=1)"),
        "TS302",
        "",
        "Add the argument `p=2`: only Python has a default for it.",
    ),
    "a dict of unknown types": (
        function("x: torch.Tensor, d: dict)", "return x"),
        "TS506",
        "",
        "Write `Dict[…, …]`, with the types of what it contains.",
    ),
    "a list of Tensors that is tested": (
        function("x: torch.Tensor)", "return all([x > 0, x < 1])"),
        "TS301",
        "",
        "Write `bool(…)` around each element.",
    ),
    "and before or": (
        function("x: torch.Tensor, a: bool, n: int, k: int)", "return x * (a and n or k)"),
        "TS605",
        "",
        "Write it as a conditional expression: `b if a else c` for `a and b or c`.",
    ),
    "a rounded item of a tensor": (
        function("x: torch.Tensor)", "return round(x.mean().item())"),
        "TS603",
        "`round(x.mean().item())` is a float in TorchScript, but an int in Python",
        "Write `int(round(x.mean().item()))`, so that the result is an int in TorchScript, too.",
    ),
    "the result of a module in a tuple": (
        module("self.a = nn.Linear(3, 3)", "for f in (self.a,):", "    x = f.forward(x)", "return x.missing"),
        "TS210",
        "`x` is a Tensor, and a Tensor has no `missing`",
        "",
    ),
    "or after what is None in some constructions": (
        module("self.scale = mode if mode else None", "return x + (self.scale or 2.0)"),
        "TS605",
        "`self.scale or 2.0` is a bool in TorchScript, but one of its operands in Python: `2.0` is a float",
        "Write `self.scale if self.scale else 2.0`.",
    ),
    "a number of unknown type": (
        "from typing import Union\n" + function("x: torch.Tensor) -> Union[float, Tuple[float]]", "return x.item()"),
        "TS315",
        "`x.item()` is a number, but the function is annotated `-> Union[float, Tuple[float]]`",
        "Write `float(…)` or `int(…)` around `.item()`, whose type TorchScript does not know.",
    ),
    "a parameter for one or several dimensions": (
        function("x: torch.Tensor, over=None)", "return x if over is None else torch.sum(x, dim=over)"),
        "TS301",
        "`torch.sum` takes an int or List[int] for `dim`, but `over` is a Tensor",
        "`over: Optional[int] = None`. If callers pass several numbers, write `List[int]` instead of `int`.",
    ),
    "a static method of an object": (
        BOX + function("x: torch.Tensor)", "return Box(2).twice(x)"),
        "TS330",
        "`Box(2)` is an object of `Box`, which has no `twice` when compiled",
        "It is a static method, which objects do not have: call `Box.twice(…)`.",
    ),
    "an attribute that is only annotated": (
        BOX + function("x: torch.Tensor)", "return x * Box(2).height"),
        "TS330",
        "`Box(2)` is an object of `Box`, which has no `height` when compiled",
        "Set `self.height` in the `__init__` of `Box` itself",
    ),
    "a size that is None": (
        module("self.rows = None if mode == 'a' else 2", "return torch.zeros((x.size(0), self.rows))"),
        "TS301",
        "",
        "Use `self.rows` under `if self.rows is not None:`",
    ),
    "the lists that sum accepts": (
        function("x: torch.Tensor)", "return sum([x, x])"),
        "TS301",
        "`sum` needs a Tensor, List[int], List[float] or others, but `[x, x]` is List[Tensor]",
        "Add the tensors up",
    ),
    "ints in a tuple of floats": (
        module(
            "self.scale = 2",
            "return nn.functional.interpolate(x, scale_factor=(1.5, self.scale))",
        ),
        "TS301",
        "`nn.functional.interpolate` takes List[…] for `scale_factor`, but `(1.5, self.scale)` is Tuple[…]",
        "Write `float(…)` around each element that is an int.",
    ),
    "an object of an autograd function": (
        HEAD
        + "class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n"
        + "\n\n"
        + module("self.twice = Twice()", "return self.twice.apply(x)")[len(HEAD) :],
        "TS330",
        "`self.twice` is an object of `Twice`, which has no `apply` when compiled",
        "Call `Twice.apply(…)`, with static methods `forward` and `backward` in the class.",
    ),
    "a tensor with a star in a list": (
        function("x: torch.Tensor)", "return torch.cat([*torch.relu(x), x])"),
        "TS308",
        "`torch.relu(x)` is a Tensor, which TorchScript cannot unpack",
        "Write the list as `torch.relu(x).unbind(0) + […]`.",
    ),
    "a tensor with a star in a call": (
        function("x: torch.Tensor)", "return torch.add(*torch.relu(x))"),
        "TS308",
        "",
        "Write the elements out: `v = torch.relu(x)`, `v[0], v[1]`.",
    ),
    "what zip unpacks": (
        function("x, pairs)", "return torch.cat([t * i for t, (_, i) in zip(x, pairs)])"),
        "TS308",
        "a Tensor from `pairs` cannot be unpacked in TorchScript",
        "If it is a list of tuples, write `pairs: List[Tuple[…, …]]`.",
    ),
    "the wrong one of several sizes": (
        function("x: torch.Tensor, wide, size)", "return torch.zeros((x.size(0), wide))"),
        "TS301",
        "`torch.zeros` takes an int for each of its sizes, but `wide` is a Tensor",
        "`wide` has no annotation, so TorchScript treats it as a Tensor: annotate it, `wide: int`.",
    ),
    "an item as a size": (
        function("x: torch.Tensor, size)", "return torch.nn.functional.interpolate(x, size=(size[0], 2))"),
        "TS301",
        "`torch.nn.functional.interpolate` takes ints for `size`, but `size[0]` is a Tensor",
        "annotate it, `size: List[int]`.",
    ),
    "a power among sizes": (
        function("x: torch.Tensor)", "return x.view([1, x.size(0) ** 2])"),
        "TS301",
        "",
        "Write `int(…)` around the floats: in TorchScript, `int ** int`, `/` and `round` give a float.",
    ),
    "an int in a tuple of floats": (
        "from typing import Tuple\n\nimport torch\n\n\ndef clipped(x: torch.Tensor, limits: Tuple[float, float]):\n"
        "    return x.clamp(limits[0], limits[1])\n\n\n"
        "@torch.jit.script\ndef work(x: torch.Tensor):\n    return clipped(x, (0, 1.0))\n",
        "TS301",
        "`clipped` takes Tuple[float, float] for `limits`, but `0` is an int",
        "Write `0.0`.",
    ),
    "a number of repeats that is a float": (
        function("x: torch.Tensor)", "return x.repeat_interleave(x.size(0) ** 2)"),
        "TS301",
        "",
        "Write `int(…)` around `x.size(0) ** 2`",
    ),
    "an attribute compared with None": (
        module("self.down = None if mode == 'a' else 2", "if self.down == None:", "    return x", "return x + 1"),
        "TS306",
        "`self.down == None` cannot be compiled: `==` does not work with None",
        "Write `self.down is None`.",
    ),
    "a parameter that is searched for a key": (
        function("x: torch.Tensor, outputs)", "if 'aux' in outputs:", "    return x", "return x + 1"),
        "TS306",
        "",
        "annotate it with the type that callers pass, such as `outputs: Dict[str, torch.Tensor]` or `outputs: str`.",
    ),
    "a parameter that is searched for a number": (
        function("x: torch.Tensor, layers)", "if -1 in layers:", "    return x", "return x + 1"),
        "TS306",
        "",
        "annotate it, `layers: List[int]`.",
    ),
    "a key of a parameter that gets a value": (
        function("x: torch.Tensor, outputs)", "outputs['x'] = [x]", "return x"),
        "TS306",
        "",
        "annotate it, `outputs: Dict[str, List[Tensor]]`.",
    ),
    "the dicts of a list in a comprehension": (
        function("x: torch.Tensor, batch)", "return torch.stack([item['x'] for item in batch])"),
        "TS312",
        "`item` is a Tensor and cannot be indexed by a str",
        "annotate a list of dicts as `batch: List[Dict[str, …]]`.",
    ),
    "tuples of two lengths": (
        function("x: torch.Tensor, wide: bool)", "return x.view((1, -1) if wide else (1, 1, -1))"),
        "TS320",
        "`(1, -1)` is a tuple of 2 values, but `(1, 1, -1)` after `else` is a tuple of 3 values",
        "A tuple has a fixed length in TorchScript: write both as lists, in square brackets.",
    ),
    "a negative number that is a Tensor": (
        function("x: torch.Tensor, pad)", "return x[:, max(-pad, 0) :]"),
        "TS613",
        "",
        "If it is a Tensor, write `(-pad).clamp(min=0)`.",
    ),
    "a parameter in arithmetic beside a tensor": (
        function("x, pad)", "return torch.zeros(max(x.size(0) - pad, 0))"),
        "TS613",
        "",
        "If `pad` is a number in Python, annotate it: `pad: int`, or `float`.",
    ),
    "a tensor of a tensor": (
        function("x: torch.Tensor)", "return torch.tensor(x.mean())"),
        "TS613",
        "",
        "Write `x.mean().detach().clone()`, which accepts a Tensor of any shape, in Python and TorchScript.",
    ),
    "a list of numbers without annotation": (
        function("x: torch.Tensor)", "values = []", "values.append(x.sum())", "return torch.tensor(values)"),
        "TS621",
        "",
        "For a tensor of tensors, write `torch.stack(values)`.",
    ),
    "lists of tensors in a list": (
        function("x: torch.Tensor)", "return torch.tensor([[x[0]], [x[1]]])"),
        "TS621",
        "",
        "write `torch.stack(...)` around each inner list, and around the whole.",
    ),
    "the values of a module that are unpacked": (
        "from typing import Tuple\n\nimport torch\nfrom torch import nn\n\n\n"
        "class Part(nn.Module):\n    def forward(self, x) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:\n"
        "        return x, x, x\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.part = Part()\n\n    def forward(self, x):\n        a, b = self.part(x)\n        return a + b\n",
        "TS309",
        "2 names on the left, but 3 values to unpack",
        "Write one variable for each value; use `_` for values that you do not need.",
    ),
    "a list that is sorted downwards": (
        "from typing import List\n"
        + function("x: torch.Tensor, axes: List[int])", "return x.sum(sorted(axes, reverse=True))"),
        "TS304",
        "",
        "Sort a copy of the list: `result = axes[:]`, then `result.sort(reverse=True)`.",
    ),
    "a variable of a comprehension": (
        "from typing import List\n"
        + function("x: torch.Tensor, ks: List[int])", "ns = [x + 1 for x in ks]", "return ns"),
        "TS321",
        "`x` is a Tensor and cannot become an int in the comprehension",
        "Use another variable in the comprehension: `x` stays a Tensor.",
    ),
    "None in a returned tuple": (
        function("x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]", "return None, x"),
        "TS315",
        "value 1 of the returned `None, x` is None, but is annotated as a Tensor",
        "Return a Tensor as value 1, or annotate that value as Optional[Tensor].",
    ),
    "a type of a tensor that is passed on": (
        function("x: torch.Tensor)", "return torch.add(x, 1).to(x.type())"),
        "TS615",
        "",
        "Use `x.dtype`, `x.device` or `.type_as(x)`.",
    ),
    "a number that should be a Tensor": (
        function("x: torch.Tensor)", "total = 0", "return x + total.mean()"),
        "TS314",
        "`total` is an int, which has no `mean` in TorchScript",
        "If `total` should be a Tensor, start with one: `total = torch.zeros(())`.",
    ),
    "a default of None whose type is not known": (
        "import torch\n\n\ndef image(x: torch.Tensor, mode=None):\n    print(mode)\n    return x\n\n\n"
        "@torch.jit.script\ndef work(x: torch.Tensor):\n    return image(x)\n",
        "TS327",
        "",
        "In `image`, annotate it: `mode: Optional[torch.Tensor] = None` if callers pass a Tensor, otherwise",
    ),
    "arguments of a function of the file": (
        "import torch\n\n\ndef twice(x: torch.Tensor):\n    return x * 2\n\n\n"
        "@torch.jit.script\ndef work(x: torch.Tensor):\n    return twice(x, x)\n",
        "TS305",
        "`twice` takes at most 1 positional argument, but gets 2",
        "`twice` has only the parameter `x`: pass 1 argument, or add a parameter.",
    ),
    "data that is divided in place": (
        function("x: torch.Tensor, n: int)", "y = x * 2", "y.data /= n", "return y"),
        "TS324",
        "`y.data /= …`: TorchScript cannot set an attribute of a Tensor",
        "Call `y.data.div_(…)`.",
    ),
    "a tensor after an ellipsis": (
        function("x: torch.Tensor, i: torch.Tensor)", "y = x[..., i]", "return y"),
        "TS341",
        "",
        "or, if the index has one dimension, `x.index_select(-1, i)`.",
    ),
    "a tensor and an int after an ellipsis": (
        function("x: torch.Tensor, i: torch.Tensor)", "x[..., i, 0] = 2.0", "return x"),
        "TS341",
        "",
        "Write `:` for each dimension instead of `...`.",
    ),
    "the length of an int": (
        function("x: torch.Tensor, n: int)", "return x * len(n)"),
        "TS624",
        "`len` is always 1 here in TorchScript: `n` is an int",
        "Only Tensors, lists, dicts, tuples and strings have a length: make `n` one of them.",
    ),
    "a number and a Tensor that are returned": (
        function("x: torch.Tensor)", "if x.dim() == 1:", "    return 0", "return x"),
        "TS316",
        "`x` is a Tensor, but line 10 returns an int",
        "Return one type on every path: for the number, write `torch.tensor(…)`.",
    ),
    "an attribute that is a bool in some constructions": (
        module("self.mode = False if mode == 'a' else mode", "if self.mode == 'b':", "    return x", "return x + 1"),
        "TS306",
        "",
        "Compare in `__init__`, and store the result in an attribute: its type is then the same in all cases.",
    ),
    "a tuple of tensors for sizes": (
        function("x: torch.Tensor)", "pads = (x.sum(), x.sum())", "return torch.nn.functional.pad(x, pads)"),
        "TS301",
        "",
        "Where `pads` is set, write `int(…)` around each element that is a Tensor.",
    ),
    "a default of None in a function with a long name": (
        "import torch\n\n\ndef weighted_cross_entropy_with_masks(x: torch.Tensor, average_factor=None):\n"
        "    return x if average_factor is None else x / average_factor\n\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return weighted_cross_entropy_with_masks(x, x)\n",
        "TS810",
        "`average_factor=None` has no annotation: a module that uses `weighted_cross_entrop…` cannot be saved",
        "Without `Optional`, `average_factor is None` is false in compiled code",
    ),
    "or of an int and a float": (
        function("x: torch.Tensor, n: int)", "return x * (n or 0.5)"),
        "TS605",
        "",
        "Write `float(n) if n else 0.5`.",
    ),
    "or of a parameter without annotation and a number": (
        function("x: torch.Tensor, n)", "y = n or 1", "return x * y"),
        "TS605",
        "",
        "so TorchScript treats it as a Tensor: annotate it, `n: int`. Then write `n if n else 1`.",
    ),
    "a tuple for a Tensor": (
        module("self.lin = nn.Linear(3, 3)", "return self.lin((x, x, x, x))"),
        "TS301",
        "`self.lin` takes a Tensor for `input`, but `(x, x, x, x)` is a tuple of 4 values",
        "Pass one tensor of the tuple, or join them with `torch.stack` or `torch.cat`.",
    ),
    "an instance of an autograd function": (
        HEAD
        + "class Same(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x\n"
        + "\n    @staticmethod\n    def backward(ctx, grad):\n        return grad\n\n\n"
        + function("x: torch.Tensor)", "return Same().apply(x)")[len(HEAD) :],
        "TS331",
        "",
        "Call `Same.apply(…)`, without an instance.",
    ),
    "an operand of several types": (
        "from typing import Union\n" + function("x: torch.Tensor, t: Union[torch.Tensor, float])", "return x - t"),
        "TS306",
        "",
        "Test the type of `t` first, with `torch.jit.isinstance`.",
    ),
    "an Optional in a tuple of tensors": (
        function("t: Optional[torch.Tensor], cond)", "return torch.cat((cond, t), dim=-1)"),
        "TS301",
        "`torch.cat` takes Tensors for `tensors`, but `t` is Optional[Tensor]",
        "Use `t` under `if t is not None:`",
    ),
    "a list in a tuple of tensors": (
        function("x: torch.Tensor)", "return torch.cat((x, x.unbind(0)))"),
        "TS301",
        "`torch.cat` takes Tensors for `tensors`, but `x.unbind(0)` is List[Tensor]",
        "Write a Tensor instead of `x.unbind(0)`.",
    ),
    "a number among operands": (
        function("x: torch.Tensor, n: int)", "return torch.einsum('ij,jk->ik', (x, n))"),
        "TS301",
        "`torch.einsum` takes a Tensor for each of its operands, but `n` is an int",
        "Write `torch.tensor(n)`.",
    ),
    "a test in a function that the constructor calls": (
        "import torch\nfrom torch import nn\n\n\ndef pair(value):\n    if value[0] == 1:\n        return None\n"
        "    return [value[0], value[1]]\n\n\n"
        "class Net(nn.Module):\n    def __init__(self, size):\n        super().__init__()\n"
        "        self.size = pair(size.copy())\n\n    def forward(self, x):\n        return x * self.size[0]\n",
        "TS313",
        "`self.size` is None, which has no items (when `value[0]` is 1 in `pair`)",
        "Use `self.size` under `if self.size is not None:`",
    ),
    "a name of another module": (
        "from math import pi\n" + function("x: torch.Tensor)", "return x * pi"),
        "TS202",
        "`pi` is a float: TorchScript cannot read global variables",
        "Import the module, and write `math.pi`.",
    ),
    "a list among the arguments of zip": (
        "NAMES = ['a']\n" + function("x: torch.Tensor)", "for a, b in zip(NAMES, x):", "    x = b", "return x"),
        "TS202",
        "`NAMES` is a list defined on line 1: TorchScript cannot read global variables",
        "Pass it as an argument",
    ),
    "a constant in a script class": (
        HEAD
        + "N = 3\n\n\n@torch.jit.script\nclass Sum:\n    def __init__(self):\n        self.n = 1\n\n"
        + "    def more(self):\n        return self.n + N\n",
        "TS202",
        "",
        "Add a parameter with it as the default, `N: int = N`.",
    ),
    "a function that is compared": (
        module(
            "self.act = torch.relu",
            "if self.act == work:",
            "    return x",
            "return x + 1\n\n\ndef work(x):\n    return x",
        ),
        "TS203",
        "",
        "In `__init__`, store the result of `self.act == work` in a `bool` attribute, and test that here.",
    ),
    "a method that is passed": (
        module(
            "pass",
            "return work(self.named)\n\n    def named(self):\n        return 1\n\n\ndef work(f):\n    return f()",
        ),
        "TS203",
        "`self.named` is a method used as a value, which TorchScript does not support",
        "Functions cannot be passed: call `self.named` here, without `work`.",
    ),
    "an exception that is returned": (
        function("x: torch.Tensor)", "return NotImplementedError"),
        "TS203",
        "",
        "Only raise it, `raise NotImplementedError(…)`",
    ),
    "an attribute of an attribute of an object": (
        module("pass", "return x * config.model.size")
        + "\n\nclass Config:\n    pass\n\n\nconfig = Config()\nconfig.model = Config()\n",
        "TS204",
        "",
        "Read `config.model.size` in `__init__` and store the result on `self`",
    ),
    "an object in a function": (
        function("x: torch.Tensor)", "return x * config.rate") + "\n\nclass Config:\n    pass\n\n\nconfig = Config()\n",
        "TS204",
        "",
        "Pass the value of `config.rate` as an argument.",
    ),
    "the list that a random item comes from": (
        "import random\n" + function("x: torch.Tensor)", "sizes = [1, 2]", "return x * random.choice(sizes)"),
        "TS206",
        "",
        "`sizes[int(torch.randint(0, len(sizes), (1,)))]`",
    ),
    "the bound of a random number": (
        "import random\n" + function("x: torch.Tensor, n: int)", "return x * random.randrange(n)"),
        "TS206",
        "",
        "`int(torch.randint(0, n, (1,)))`",
    ),
    "a method of an expression": (
        function("x: torch.Tensor)", "return (x + 1).bool()"),
        "TS210",
        "`(x + 1).bool`: tensors have no `bool` in TorchScript",
        "Write `(x + 1).to(torch.bool)`.",
    ),
    "the first value of a dict": (
        function("x: torch.Tensor)", "d = {'a': x}", "return next(iter(d.values()))"),
        "TS211",
        "",
        "Iterate with `for`, or keep an index.",
    ),
    "recursion through another method": (
        module("pass", "return self.again(x)\n\n    def again(self, x):\n        return self.forward(x)"),
        "TS220",
        "`forward` calls itself through `again`, `self.forward(x)`: TorchScript has no recursion",
        "",
    ),
    "a variable that its first assignment reads": (
        function("x: torch.Tensor)", "for i in range(2):", "    y = y + x", "return x"),
        "TS201",
        "`y` has no value here in compiled code: this line reads it before it assigns it",
        "Assign `y` above this line, in the same block or in an outer block.",
    ),
    "a module or an empty list": (
        module(
            "self.head = []\n        if mode == 'a':\n            self.head = nn.ReLU()",
            "if self.head:",
            "    x = x + 1",
            "return x",
        ),
        "TS414",
        "`self.head` is a module, which TorchScript cannot use as a condition",
        "If `self.head` is `[]` or False in other cases, store None there instead.",
    ),
    "a number or None": (
        module("self.n = n", "if self.n:", "    x = x + 1", "return x").replace("mode='a'", "n: Optional[int] = None"),
        "TS414",
        "`self.n` is None, which TorchScript cannot use as a condition (when `n` is None)",
        "If other values may be false, such as 0, test them in that branch.",
    ),
    "a value of `or` that is always true": (
        function("x: torch.Tensor, device: Optional[torch.device])", "d = x.device or device", "return x"),
        "TS414",
        "",
        "Write a conditional expression: the value of `x.device or device` is a bool in TorchScript.",
    ),
    "a flag instead of a module": (
        module("self.quant = quant", "return self.quant(x) if self.quant else x").replace("mode='a'", "quant=False"),
        "TS413",
        "`self.quant` is a bool and cannot be called (when `quant` is false)",
        "Store None instead of a bool, and call it under `if self.quant is not None:`.",
    ),
    "the arguments of a container's call": (
        module("self.layers = nn.ModuleList([nn.ReLU()])", "x, y = self.layers(x, y)", "return x").replace(
            "x: torch.Tensor)", "x: torch.Tensor, y: torch.Tensor)"
        ),
        "TS405",
        "",
        "`for module in self.layers: x, y = module(x, y)`",
    ),
    "an argument that is None": (
        module("self.norm = nn.LayerNorm(3, eps=mode)", "return self.norm(x)").replace("mode='a'", "mode=None"),
        "TS425",
        "`eps` of `nn.LayerNorm` must be a float to compile (when `mode` is None)",
        "Pass a float.",
    ),
    "a parameter that is stored": (
        module("self.mode = mode", "self.mode = m", "return x").replace("x: torch.Tensor)", "x: torch.Tensor, m)"),
        "TS410",
        "`self.mode` starts as a str and cannot be set to `m`, which is a Tensor (when `mode` is 'a')",
        "`m` has no annotation, so TorchScript treats it as a Tensor: annotate it, `m: str`.",
    ),
    "a state that another method creates": (
        module("pass", "return x + self.state\n\n    def reset(self):\n        self.state = torch.zeros(3)"),
        "TS408",
        "`Net` does not set `self.state` (when the module has not run before scripting)",
        "Set `self.state` in `__init__`, too, with a value of the type that it has later.",
    ),
    "an attribute of a submodule": (
        HEAD
        + "class Part(nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
        + module("self.part = Part()", "return self.part.size * x")[len(HEAD) :],
        "TS408",
        "`self.part.size` does not exist: no constructor of `Part` sets it",
        "Set `self.size` in `Part.__init__`.",
    ),
    "an attribute that the constructor of a base class sets": (
        HEAD
        + "class Base(nn.Module):\n    def __init__(self, on=False):\n        super().__init__()\n"
        + "        if on:\n            self.one = nn.ReLU()\n\n\nclass Net(Base):\n"
        + "    def forward(self, x):\n        return self.one(x) if x.dim() > 1 else x\n",
        "TS408",
        "`Net` does not set `self.one` (when `on` is false)",
        "Set `self.one = None` at the start of `Base.__init__`, and use it under `if self.one is not None:`.",
    ),
    "a private attribute": (
        module("self.__w = 3", "return x * self.__w"),
        "TS408",
        "`self.__w` does not exist in TorchScript: Python stores it as `_Net__w`",
        "",
    ),
    "a value of a dict of settings": (
        module("self.settings = {'size': 3, 'name': 'a'}", "return x * self.settings['size']"),
        "TS412",
        "`self.settings` is a dict of values without a common TorchScript type",
        "In `__init__`, store the value in an attribute of its own: `self.size = self.settings['size']`.",
    ),
    "an attribute of an object of a script class": (
        HEAD
        + "@torch.jit.script\nclass Box:\n    def __init__(self, n: int):\n        self.n = n\n\n"
        + "    def put(self, x: torch.Tensor):\n        self.x = x\n",
        "TS411",
        "",
        "To start with None, write `self.x = torch.jit.annotate(Optional[torch.Tensor], None)` there.",
    ),
    "keyword-only parameters before one without a default": (
        function("x: torch.Tensor, *, n: int = 2, k: int)", "return x * n * k"),
        "TS116",
        "`n`: keyword-only parameters with defaults cannot be compiled",
        "Remove the default of `n`. Or remove the `*`, and put the parameters with defaults last.",
    ),
    "a conversion in an f-string": (
        function("x: torch.Tensor, n: int)", "print(f'{n!r}')", "return x"),
        "TS114",
        "`{n!r}` has a conversion: compiled f-strings support only plain `{…}`",
        "Remove the conversion",
    ),
    "an annotation of a variable that branches assign": (
        function("x: torch.Tensor, n: int)", "k: int", "if n > 1:", "    k = 1", "else:", "    k = 2", "return x * k"),
        "TS124",
        "",
        "Remove the line: the assignments of `k` show its type.",
    ),
    "a type as the default": (
        function("x: torch.Tensor, y=Optional[torch.Tensor])", "return x"),
        "TS501",
        "`y=Optional[torch.Tensor]` has no annotation, so it is a Tensor, but the default is a type",
        "If it is meant as an annotation, write `y: Optional[torch.Tensor]`.",
    ),
    "an empty tuple as the default": (
        function("x: torch.Tensor, sizes=())", "return x"),
        "TS501",
        "`sizes=()` has no annotation, so it is a Tensor, but the default is an empty tuple",
        "Annotate `sizes: List[…]`, with the type of the elements.",
    ),
    "a dtype as the default": (
        function("x: torch.Tensor, kind=torch.float32)", "return x.to(kind)"),
        "TS501",
        "`kind=torch.float32` has no annotation, so it is a Tensor, but the default is a torch.dtype",
        "Write `kind: torch.dtype = torch.float32`.",
    ),
    "a default of another type than its annotation": (
        function("x: torch.Tensor, y: Optional[torch.Tensor] = True)", "return x"),
        "TS502",
        "",
        "or annotate it as `bool`.",
    ),
    "a list of None": (
        function("x: torch.Tensor, k)", "out = [None] * 3", "out[0] = k", "return x"),
        "TS504",
        "`out[0] = ...` puts a Tensor into a List[None]",
        "`out: List[Optional[torch.Tensor]] = [None for _ in range(…)]`.",
    ),
    "a list that is created empty twice": (
        function("x: torch.Tensor, n: int)", "out = []", "if n > 1:", "    out = []", "out.append(n)", "return x"),
        "TS504",
        "`out.append(n)` puts an int into a List[Tensor]",
        "or annotate another type where it is created: `out: List[int]`.",
    ),
    "a list with an element": (
        function("x: torch.Tensor, n: int)", "out = [x]", "out.append(n)", "return x"),
        "TS504",
        "`out.append(n)` puts an int into a List[Tensor]",
        "Add only elements that a List[Tensor] can contain, or create it with other elements.",
    ),
    "an item that may be None": (
        function("x: torch.Tensor)", "out = {}", "out['a'] = x", "out['b'] = None", "return x"),
        "TS504",
        "",
        "Use a Tensor as the value; if a value may be None, annotate `out: Dict[str, Optional[torch.Tensor]] = {}`.",
    ),
    "a tuple of types": (
        "KINDS = (int, float)\n"
        + function("x: torch.Tensor, v: Any)", "return x if isinstance(v, KINDS) else -x").replace("Op", "Any, Op", 1),
        "TS506",
        "TorchScript has no type `KINDS`",
        "Write the types here: `isinstance(v, (int, float))`.",
    ),
    "a dict as a type": (
        function("x: torch.Tensor, v: Any)", "return x if isinstance(v, dict) else -x").replace("Op", "Any, Op", 1),
        "TS506",
        "TorchScript has no type `dict` without the types of its keys and values",
        "Write `torch.jit.isinstance(v, Dict[str, …])`",
    ),
    "a number for a parameter": (
        module("pass", "return self.named(x.item())\n\n    def named(self, v):\n        return v"),
        "TS507",
        "`v` of `named` has no annotation, so it is a Tensor, but gets a number",
        "Annotate `v` in `Net.named` as `float`, or as `int` if the number is one: `v: float`.",
    ),
    "a type comment of a variable": (
        function("x: torch.Tensor)", "out = []  # type: List[int]", "return x"),
        "TS509",
        "",
        "Write the type as an annotation instead: `out: List[int] = …`.",
    ),
    "a call of a method of an object, with a variable": (
        module("pass", "return config.scale(x)")
        + "\n\nclass Config:\n    def scale(self, x):\n        return x\n\n\nconfig = Config()\n",
        "TS204",
        "",
        "Move the call into a function that is marked `@torch.jit.ignore`: only Python can run it.",
    ),
    "a name that is formatted": (
        module("self.f1 = nn.ReLU()", "for i in range(2):", "    x = getattr(self, 'f{}'.format(i))(x)", "return x"),
        "TS218",
        "",
        "under an `if` that tests `i`.",
    ),
    "the mode of a submodule": (
        module("self.one = nn.ReLU()", "self.one.eval()", "return x"),
        "TS420",
        "TorchScript cannot compile `self.one.eval`, a method of a torch module",
        "Read the mode from `self.one.training`; change it outside compiled code.",
    ),
    "a dict among the constants": (
        module("self.sizes = {'a': 1}", "return x * self.sizes['a']").replace(
            "    def __init__", "    __constants__ = ['sizes']\n\n    def __init__", 1
        ),
        "TS423",
        "`self.sizes` is declared a constant, but a dict cannot be a constant",
        "Remove `sizes` from `__constants__` (or the `Final` from its annotation).",
    ),
    "a parameter that is annotated as a list": (
        function("x: torch.Tensor, sizes: list)", "for n in sizes:", "    x = x * n", "return x"),
        "TS415",
        "`sizes` is annotated as list without element types, so it cannot be iterated",
        "Annotate the type of the elements, for example `sizes: List[torch.Tensor]`.",
    ),
    "a Python type as the argument of to": (
        function("x: torch.Tensor)", "return x.to(float)"),
        "TS203",
        "`float` is a class used as a value, which TorchScript does not support",
        "Write the dtype: `torch.float64`.",
    ),
    "a parameter at a variable index": (
        module("self.ws = nn.ParameterList([nn.Parameter(torch.ones(3))])", "return x * self.ws[i]").replace(
            "x: torch.Tensor)", "x: torch.Tensor, i: int)"
        ),
        "TS401",
        "`self.ws` has the variable index `i`: an nn.ParameterList needs an integer literal",
        "Write `list(self.ws)[i]`: a list can have a variable index.",
    ),
    "a hook of a module in a container": (
        module(
            "self.all = nn.ModuleList([nn.utils.weight_norm(nn.Linear(3, 3))])",
            "for one in self.all:",
            "    x = one(x)",
            "return x",
        ),
        "TS418",
        "the hook of `weight_norm` in `self.all` cannot be compiled",
        "Call `torch.nn.utils.remove_weight_norm` on each such module in `self.all` before scripting",
    ),
    "a size that is None in a layer": (
        module("self.pool = nn.AdaptiveAvgPool2d((None, 1))", "return self.pool(x)"),
        "TS425",
        "`output_size` of `nn.AdaptiveAvgPool2d` must be of type List[int], but `(None, 1)` contains None",
        "Call the function in `forward` instead, with a number for each None",
    ),
    "a stride that is an int by default": (
        module("self.stride = [2] * 2 if mode == 'b' else 2", "return x[:, :: self.stride[0]]"),
        "TS313",
        "",
        "Store a list or tuple in `self.stride` in every construction",
    ),
    "a number that a method returns in one branch": (
        module("self.n = 0.0", "if x.sum() > 0:\n            y = self.total(x)")
        + "        else:\n            y = x.mean()\n        return y\n\n    def total(self, x):\n        return 0.5\n",
        "TS319",
        "",
        "`self.total(x)` is a float in TorchScript: make it return a Tensor.",
    ),
    "two keywords of numpy": (
        function("x: torch.Tensor)", "return torch.var(x, axis=[1], keepdims=True)"),
        "TS304",
        "`torch.var` has no argument `axis` in TorchScript",
        "Write `dim=` instead of `axis=`, and `keepdim=` instead of `keepdims=`.",
    ),
    "a name that an attribute stores": (
        module("self.name = mode\n        self.a = nn.ReLU()", "return getattr(self, self.name)(x)"),
        "TS218",
        "`getattr` needs a literal name, but `self.name` is computed when the code runs",
        "under an `if` that tests `self.name`.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_words(name: str) -> None:
    text, code, message, help = CASES[name]
    found = [each for each in findings(text) if each.code == code]
    assert found, name
    assert not message or found[0].message == message
    assert help in (found[0].help or "")


ASSUMED = {
    function("x: torch.Tensor, n)", "for _ in range(n):", "    x = x + 1", "return x"): (
        "not every call is known to pass this type, and compiled code may reject arguments that Python accepts"
    ),
    function("x: torch.Tensor, n: int)", "return x if n == None else x + n"): (
        "with an array, `==` compares each item with None"
    ),
    function("pair: torch.Tensor)", "a, b = pair", "return a + b"): (
        "only the annotation says that `pair` is a Tensor, and compiled code may reject arguments that Python accepts"
    ),
}


@pytest.mark.parametrize("text", ASSUMED)
def test_an_unsafe_fix_says_what_it_assumes(text: str) -> None:
    assert [each.fix.caution for each in findings(text) if each.fix is not None] == [ASSUMED[text]]


def test_a_last_resort_names_the_branch() -> None:
    chain = ("if n > 1:", "    x = x + 1", "elif n > 0:", "    x = x + len({1})", "else:", "    x = x + len({2})")
    body = (*chain, "return x")
    text = module("pass", *body).replace("x: torch.Tensor)", "x: torch.Tensor, n: int)")
    # The driver leaves last resorts out.
    found = analyse([SourceFile(HERE, text)])[HERE]
    fixes = [each.fix.message for each in found if each.fix is not None]
    assert fixes == [
        "Move the branch of `elif n > 0` (line 15) into `_forward_uncompiled`, marked `@torch.jit.unused`: compiled"
        " code raises there"
    ]
