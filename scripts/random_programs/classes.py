"""Generates random script classes, and statements that use their instances."""

from __future__ import annotations

import random

from random_programs.functions import Body, parameters
from random_programs.grammar import COMMON

FIELDS = [one for one in COMMON if one not in ("Counter", "Color", "torch.device")]
OPERATORS = {
    "def __len__(self) -> int:": ("int", "len({b})"),
    "def __getitem__(self, i: int) -> int:": ("int", "{b}[<int>]"),
    "def __contains__(self, i: int) -> bool:": ("bool", "<int> in {b}"),
    "def __add__(self, other: int) -> int:": ("int", "{b} + <int>"),
    "def __lt__(self, other: int) -> bool:": ("bool", "{b} < <int>"),
    "def __eq__(self, other: int) -> bool:": ("bool", "{b} == <int>"),
    "def __call__(self, v: Tensor) -> Tensor:": ("Tensor", "{b}(<Tensor>)"),
    "def __bool__(self) -> bool:": ("bool", "not {b}"),
    "def __neg__(self) -> int:": ("int", "-{b}"),
    "def __setitem__(self, i: int, v: int) -> None:": ("None", "{b}[<int>] = <int>"),
}


class ScriptClass:
    """A random script class ``Box``: its text, its fields with their types, its methods with their signatures."""

    def __init__(self, draw: random.Random, rate: float) -> None:
        self.draw, self.rate = draw, rate
        self.used = {"random script class"}
        self.fields: dict[str, str] = {}
        self.methods: list[tuple[str, list[str], str]] = []
        self.operators: list[tuple[str, str]] = []
        base = draw.choice(["(Counter)", "(object)", "(Thing)"]) if self.slips(1) else draw.choice(["", "", "(object)"])
        if base not in ("", "(object)"):
            self.used.add("base of a script class")
        self.lines = [*(["@torch.jit.script"] if not rate and draw.random() < 0.3 else []), f"class Box{base}:"]
        if self.slips(0.5):
            self.used.add("class attribute")
            self.lines.append("    shared: int = 3")
        self.constructor()
        for i in range(draw.randint(0, 2)):
            self.method(f"method_{i}")
        if draw.random() < 0.3:
            self.property()
        if draw.random() < 0.4:
            self.operator()

    def slips(self, share: float) -> bool:
        return self.draw.random() < self.rate * share

    def body(self, returns: str | None) -> Body:
        """Return a generator of statements in which the fields are in scope."""
        made = Body(self.draw, self.rate * 0.5, [], returns)
        made.scope |= {f"self.{name}": type_ for name, type_ in self.fields.items()}
        return made

    def add(self, head: str, lines: list[str], decorator: str = "") -> None:
        self.lines += ["", *([f"    {decorator}"] if decorator else []), f"    {head}"]
        self.lines += ["        " + line for line in lines]

    def constructor(self) -> None:
        made = self.body(None)
        text, self.parameters = parameters(made, 2)
        lines = []
        for i in range(self.draw.randint(1, 3)):
            name, type_ = f"field_{i}", self.draw.choice(FIELDS)
            annotated = type_.startswith(("Optional", "List", "Dict")) or self.draw.random() < 0.2
            target = f"self.{name}: {type_}" if annotated and not self.slips(2) else f"self.{name}"
            line = f"{target} = {made.expression(type_, 1)}"
            if self.slips(0.5):
                self.used.add("field in a branch")
                lines += [f"if {made.condition()}:", "    " + line]
            else:
                lines.append(line)
            self.fields[name] = type_
            made.scope[f"self.{name}"] = type_
        self.used |= made.used
        self.add(f"def __init__({', '.join(one for one in ('self', text) if one)}):", lines)

    def method(self, name: str) -> None:
        returns = self.draw.choice(["?", "int", "Tensor", "None", *FIELDS])
        made = self.body(None if returns == "?" else returns)
        text, types = parameters(made, 2)
        lines = made.block(1, 2)
        if returns != "None":
            lines.append(made.return_line())
        decorator, receiver = "", "self"
        if self.draw.random() < 0.1:
            decorator, receiver = self.draw.choice([("@staticmethod", ""), ("@classmethod", "cls")])
            lines = ["pass"] if any("self." in line for line in lines) else lines
        arrow = f" -> {returns}" if returns != "?" else ""
        self.used |= made.used
        head = ", ".join(one for one in (receiver, text) if one)
        self.add(f"def {name}({head}){arrow}:", lines, decorator)
        self.methods.append((name, types, "Tensor" if returns == "?" else returns))

    def property(self) -> None:
        self.used.add("property of a script class")
        name, type_ = self.draw.choice(list(self.fields.items()))
        self.add(f"def value(self) -> {type_}:", [f"return {self.body(type_).expression(type_, 1)}"], "@property")
        if self.draw.random() < 0.5:
            self.add(f"def value(self, new: {type_}) -> None:", [f"self.{name} = new"], "@value.setter")
        self.fields["value"] = type_

    def operator(self) -> None:
        self.used.add("operator of a script class")
        head, (type_, use) = self.draw.choice(list(OPERATORS.items()))
        made = self.body(type_)
        self.add(head, ["pass" if type_ == "None" else f"return {made.expression(type_, 1)}"])
        self.operators.append((type_, use))

    def use(self, body: Body) -> list[str]:
        """Return statements of a function that use an instance."""
        body.used |= self.used
        name = body.fresh()
        lines = [f"{name} = Box({', '.join(body.expression(one, 1) for one in self.parameters)})"]
        if body.slips(1):
            lines[0] = body.draw.choice(
                [f"{name} = Box()", f"{name} = Box(<*>)", f"{name}: Box = <*>", f"{name} = [Box]"]
            )
            lines[0] = body.filled(lines[0], 1)
        for field, type_ in self.fields.items():
            body.scope[f"{name}.{field}"] = type_
        for method, types, result in self.methods:
            call = f"{name}.{method}({', '.join(body.expression(one, 1) for one in types)})"
            lines.append(call if result == "None" else f"{body.bind(result)} = {call}")
        for type_, use in self.operators:
            text = body.filled(use.replace("{b}", name), 1)
            lines.append(text if type_ == "None" else f"{body.bind(type_)} = {text}")
        return lines
