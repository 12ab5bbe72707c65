"""Generates whole random programs: a function with its helpers, or a module."""

from __future__ import annotations

import random
from typing import NamedTuple

from random_programs.classes import ScriptClass
from random_programs.functions import Body, function, parameters
from random_programs.grammar import COMMON
from random_programs.prelude import with_prelude

# Attributes of a module: the statement that sets it, and the type of `self.name` in compiled code.
ATTRIBUTES = {
    "width": ("self.width = 3", "int"),
    "scale": ("self.scale = 0.5", "float"),
    "flag": ("self.flag = True", "bool"),
    "mode": ("self.mode = 'sum'", "str"),
    "weight": ("self.weight = nn.Parameter(torch.ones(2))", "Tensor"),
    "mean": ("self.register_buffer('mean', torch.zeros(2))", "Tensor"),
    "sizes": ("self.sizes = [1, 2]", "List[int]"),
    "pair": ("self.pair = (1, 2)", "Tuple[int, int]"),
    "table": ("self.table = {'a': 1}", "Dict[str, int]"),
    "names": ("self.names = ['a', 'b']", "List[str]"),
    "cache": ("self.cache: Dict[str, Tensor] = {}", "Dict[str, Tensor]"),
    "state": ("self.state: Optional[Tensor] = None", "Optional[Tensor]"),
    "nothing": ("self.nothing = None", "?"),
    "empty": ("self.empty = []", "?"),
    "mixed": ("self.mixed = [1, 'a']", "?"),
    "odd": ("self.odd = {1, 2}", "?"),
    "color": ("self.color = Color.RED", "Color"),
    "call": ("self.call = torch.relu", "?"),
    "fn": ("self.fn = lambda x: x", "?"),
    "device": ("self.device = torch.device('cpu')", "torch.device"),
    "kind": ("self.kind = torch.float32", "torch.dtype"),
    "array": ("self.array = np.zeros(2)", "?"),
    "bias": ("self.register_parameter('bias', None)", "?"),
    "layers": ("self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])", "modules"),
    "seq": ("self.seq = nn.Sequential(nn.Linear(2, 2), nn.ReLU())", "module"),
    "lin": ("self.lin = nn.Linear(2, 2)", "module"),
    "drop": ("self.drop = nn.Dropout(0.1)", "module"),
    "norm": ("self.norm = nn.BatchNorm1d(2)", "module"),
    "by_name": ("self.by_name = nn.ModuleDict({'a': nn.Linear(2, 2), 'b': nn.Identity()})", "dict of modules"),
    "rnn": ("self.rnn = nn.LSTM(2, 2)", "lstm"),
    "plain": ("self.plain = [nn.Linear(2, 2)]", "?"),
    "params": ("self.params = nn.ParameterList([nn.Parameter(torch.ones(1))])", "?"),
    "const": ("self.const = 3", "int"),
    "final": ("self.final = 2", "int"),
    "never": ("pass", "int"),
}


class Program(NamedTuple):
    """A text that defines ``target``, and the constructs in it."""

    text: str
    constructs: frozenset[str]


class Method(Body):
    """Generates statements of a method: those of a function, and those that only modules have."""

    def __init__(
        self,
        draw: random.Random,
        rate: float,
        helpers: list[tuple[str, list[str], str]],
        returns: str | None,
        attributes: list[str],
    ) -> None:
        super().__init__(draw, rate, helpers, returns)
        self.attributes = attributes
        self.statements += [
            (14, "submodule call", self.submodule),
            (6, "attribute assignment", self.set_attribute),
            (5, "attribute of any kind", self.any_attribute),
            (3, "hasattr", self.has),
            (3, "training", self.training),
        ]
        for name in attributes:
            type_ = ATTRIBUTES[name][1]
            if type_ in COMMON or type_ == "torch.dtype":
                self.scope[f"self.{name}"] = type_

    def submodule(self, depth: int) -> list[str]:
        kinds = {ATTRIBUTES[name][1]: name for name in self.attributes}
        value = self.expression("Tensor", 1)
        options: list[list[str]] = []
        if "module" in kinds:
            options += [[f"{self.bind('Tensor')} = self.{kinds['module']}({value})"]] * 3
            options.append([self.filled(f"self.{kinds['module']}(<*>)", 1)] if self.slips(3) else ["pass"])
        name, item = self.fresh(), self.fresh()
        if "modules" in kinds:
            index = self.expression("int", 1) if self.slips(3) else self.draw.choice(["0", "1", "-1"])
            options += [
                [f"{name} = {value}", "for layer in self.layers:", f"    {name} = layer({name})"],
                [f"{name} = {value}", "for i, layer in enumerate(self.layers):", f"    {name} = layer({name}) + i"],
                [f"{name} = self.layers[{index}]({value})"],
                [f"{name} = {value}", "for layer in self.layers[:1]:", f"    {name} = layer({name})"],
            ]
            if self.slips(2):
                options += [
                    [f"{name} = {value}", "for i in range(len(self.layers)):", f"    {name} = self.layers[i]({name})"],
                    [f"{name} = {value}", "for layer in reversed(self.layers):", f"    {name} = layer({name})"],
                    [f"{name} = [layer({value}) for layer in self.layers]", f"{name} = torch.stack({name})"],
                    [f"{name} = {value}", "for layer in self.layers:", f"    {name} = layer({name})", "    break"],
                    [
                        f"{name} = {value}",
                        "for layer in self.layers:",
                        f"    if {self.condition()}:",
                        "        continue",
                    ],
                    [f"{name} = self.layers[5]({value})"],
                ]
        if "dict of modules" in kinds:
            key = self.draw.choice(["'a'", "'b'"]) if not self.slips(3) else self.expression("str", 1)
            options += [
                [f"{name} = self.by_name[{key}]({value})"],
                [f"{name} = {value}", f"for k, {item} in self.by_name.items():", f"    {name} = {item}({name})"],
                [f"{name} = {value}", f"for {item} in self.by_name.values():", f"    {name} = {item}({name})"],
                [f"{name} = 'a' in self.by_name"],
            ]
        if "lstm" in kinds:
            options += [[f"{self.bind('Tensor')}, _ = self.rnn({value})"], [f"{self.fresh()} = self.rnn({value})[0]"]]
        return self.draw.choice(options) if options else self.assign(depth)

    def set_attribute(self, depth: int) -> list[str]:
        names = [name for name in self.attributes if ATTRIBUTES[name][1] in COMMON and name not in ("const", "final")]
        if self.slips(2):
            names = [*self.attributes, "new_one"]
        if not names:
            return self.assign(depth)
        name = self.draw.choice(names)
        type_ = ATTRIBUTES[name][1] if name in ATTRIBUTES else "*"
        value = self.expression(type_ if type_ in COMMON else "*")
        operator = "+=" if type_ in ("int", "float", "Tensor", "str") and self.draw.random() < 0.3 else "="
        return [f"self.{name} {operator} {value}"]

    def any_attribute(self, depth: int) -> list[str]:
        if not self.attributes or not self.slips(3):
            return self.assign(depth)
        name = self.draw.choice([*self.attributes, "missing", "training", "_modules", "forward"])
        shape = self.draw.choice(
            [
                "{v} = {a}",
                "{v} = {a}(<Tensor>)",
                "{v} = {a}[0]",
                "{v} = {a} is None",
                "{v} = len({a})",
                "{v} = {a} + <*>",
                "for {v} in {a}: pass",
                "{v} = {a}.weight",
                "{v} = [{a}]",
                "{v} = getattr(self, 'width')",
                "{v} = self.parameters()",
            ]
        )
        return [self.filled(shape.format(v=self.fresh(), a=f"self.{name}"), 1)]

    def has(self, depth: int) -> list[str]:
        name = self.draw.choice([*self.attributes, "missing"])
        body, _ = self.inner(depth - 1, 1)
        return [f"if hasattr(self, '{name}'):", *body]

    def training(self, depth: int) -> list[str]:
        body, _ = self.inner(depth - 1, 1)
        test = self.draw.choice(
            [
                "self.training",
                "self.flag" if "flag" in self.attributes else "not self.training",
                "torch.jit.is_scripting()",
                "not torch.jit.is_scripting()",
            ]
        )
        return [f"if {test}:", *body]


def program(seed: str) -> Program:
    """Return the program of a seed; about half of them are meant to be valid."""
    draw = random.Random(seed)
    rate = 0.0 if draw.random() < 0.4 else draw.choice([0.05, 0.1, 0.2, 0.35])
    used: set[str] = set()
    lines: list[str] = []
    helpers: list[tuple[str, list[str], str]] = []
    for i in range(draw.choice([0, 0, 0, 0, 0, 1])):
        name = f"helper_{i}"
        text, types, result, body = function(draw, rate * 0.3, name, list(helpers), 2)
        lines += ["", "", *text]
        used |= body.used
        helpers.append((name, types, result))
    if draw.random() < 0.08:
        return _with_class(draw, rate, lines, helpers, used)
    if draw.random() < 0.25:
        used.add("module")
        text = _module(draw, rate, helpers, used)
    else:
        used.add("function")
        text, _, _, body = function(draw, rate, "target", helpers, draw.choice([1, 1, 2, 3]))
        used |= body.used
    return Program(with_prelude("\n".join([*lines, "", "", *text]) + "\n"), frozenset(used))


def _with_class(
    draw: random.Random, rate: float, lines: list[str], helpers: list[tuple[str, list[str], str]], used: set[str]
) -> Program:
    made = ScriptClass(draw, rate)
    body = Body(draw, rate, helpers, None)
    text, _ = parameters(body, 2)
    statements = [*made.use(body), *body.block(2, 2), body.return_line()]
    used |= body.used
    lines += ["", "", *made.lines, "", "", f"def target({text}):", *("    " + line for line in statements)]
    return Program(with_prelude("\n".join(lines) + "\n"), frozenset(used))


def _module(draw: random.Random, rate: float, helpers: list[tuple[str, list[str], str]], used: set[str]) -> list[str]:
    attributes = draw.sample(list(ATTRIBUTES), draw.randint(1, 5))
    lines = ["class target(nn.Module):"]
    if "const" in attributes:
        lines.append("    __constants__ = ['const']")
    if "final" in attributes:
        lines.append("    final: Final[int]")
    lines += ["", "    def __init__(self):", "        super().__init__()"]
    lines += ["        " + ATTRIBUTES[name][0] for name in attributes]
    own = list(helpers)
    for name in draw.choice([(), (), (), ("step",)]):
        decorator = draw.choice(["", "", "", "@torch.jit.export", "@torch.jit.ignore", "@torch.jit.unused"])
        method, types, result = _method(draw, rate, name, own, attributes, used)
        lines += ["", *(["    " + decorator] if decorator else []), *("    " + line for line in method)]
        own.append((f"self.{name}", types, result))
    method, _, _ = _method(draw, rate, "forward", own, attributes, used)
    return [*lines, "", *("    " + line for line in method)]


def _method(
    draw: random.Random,
    rate: float,
    name: str,
    helpers: list[tuple[str, list[str], str]],
    attributes: list[str],
    used: set[str],
) -> tuple[list[str], list[str], str]:
    returns = draw.choice([*COMMON, "None", "?", "?", "?", "?"])
    body = Method(draw, rate, helpers, None if returns == "?" else returns, attributes)
    text, types = parameters(body, 3)
    arrow = f" -> {returns}" if returns != "?" else ""
    lines = body.block(2, draw.choice([1, 1, 2, 3]))
    if not body.slips(0.5) and not (returns == "None" and draw.random() < 0.5):
        lines.append(body.return_line())
    used |= body.used
    head = ", ".join(one for one in ("self", text) if one)
    return (
        [f"def {name}({head}){arrow}:", *("    " + line for line in lines)],
        types,
        "Tensor" if returns == "?" else returns,
    )
