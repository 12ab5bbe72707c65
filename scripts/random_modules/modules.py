"""Generates whole random modules: a text with classes and functions, constructions of ``Net``, and calls of each."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from random_modules import about_guards, about_last, about_models, about_odd, about_rare, arguments
from random_modules.definitions import GLOBALS, NEEDS
from random_modules.features import ANNOTATIONS, FEATURES, MODULES, NAMES, VALUES
from random_modules.scope import Parameter, Scope
from random_modules.templates import HOLE

PRELUDE = """\
import contextlib
import copy
import itertools
import logging
import math
import random
import time
import warnings
from enum import Enum
from functools import partial, reduce, wraps
from math import pi, sqrt
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union, cast

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import Variable
"""
_WORDS = {
    "I": ["n", "depth", "width"], "F": ["rate", "alpha"], "P01": ["p"], "N": ["gamma", "factor"],
    "ON": ["scale", "temp"],
    "OI": ["limit", "pos"], "B": ["flag", "use_norm", "bias"], "S": ["mode", "kind"], "LS": ["names", "keys"],
    "LI": ["skip", "dims"],
}  # fmt: skip
_FEATURES = FEATURES | about_rare.FEATURES | about_odd.FEATURES | about_last.FEATURES | about_guards.FEATURES
_FEATURES |= about_models.FEATURES
_PROPERTIES = {
    "prop": [
        "self.<.a:flag>", "self.<.a:scale> is not None", "self.<.a:n> > 1", "self.<.a:scale>", "bool(self.<.a:scale>)",
        "self.<.a:normopt> is not None", "len(self.<.a:names>)", "not self.<.a:flag>", "self.<.a:maybe> is not None",
    ],
    "propopt": ["self.<.a:scale>", "self.<.a:maybe>", "self.<.a:normopt>", "self.<.a:flag>", "self.<.a:optint>"],
    "propnum": ["self.<.a:n> * 2", "self.<.a:num>", "self.<.a:rate> + 1", "len(self.<.a:layers>)"],
}  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A random module.

    Args:
        text: the text of the file.
        builds: expressions that create an instance.
        calls: argument lists, as text.
        drawn: the statements of the grammar in it.
        misannotated: whether a parameter has a wrong annotation.
    """

    text: str
    builds: tuple[str, ...]
    calls: tuple[str, ...]
    drawn: frozenset[str] = frozenset()
    misannotated: bool = False


@dataclass
class Function:
    """A callable: its text, parameters and result."""

    call: str
    parameters: list[Parameter]
    returns: str
    owner: Class | None = None


@dataclass
class Class:
    """A class of modules while it is generated."""

    text: Text
    name: str
    attributes: dict[str, list[str]] = field(default_factory=dict)
    init: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    given: list[tuple[str, str, str | None]] = field(default_factory=list)
    fixed: bool = False  # whether the constructor gets no more parameters

    def attribute(self, kind: str) -> str:
        """Return the name of an attribute of a kind: an existing or a new one."""
        have = self.attributes.setdefault(kind, [])
        draw = self.text.draw
        if have and (len(have) > 1 or draw.random() < 0.7):
            return draw.choice(have)
        names = [each for each in NAMES.get(kind, [kind]) if not any(each in have for have in self.attributes.values())]
        name = names[0] if names and draw.random() < 0.6 else draw.choice(names or [f"{kind}{len(have) + 2}_"])
        have.append(name)
        if kind in _PROPERTIES:
            scope = Scope(self.text, self, "X", 9)
            expression = scope.line(draw.choice(_PROPERTIES[kind]), {}, [], 0)
            self.methods += ["", "    @property", f"    def {name}(self):", f"        return {expression}"]
        elif kind == "__hidden":
            self.methods += [
                "",
                f"    def {name}(self, t):",
                f"        return t * {draw.choice(['2', 't', 'self.training'])}",
            ]
        elif kind == "_spread":
            bound = draw.choice(["(t,)", "rest[:1]", "()"])
            self.methods += [
                "",
                f"    def {name}(self, t, *rest):",
                f"        if t.dim() > 1:\n            rest = {bound}",
            ]
            self.methods += ["        return t + len(rest)"]
        elif kind == "taking":
            self.methods += ["", f"    def {name}(self, module, t):", "        return module(t) + t"]
        elif kind == "const":
            self.body.append(f"    {name} = {draw.choice(['3', '0', '2'])}")
        else:
            way = draw.choice(_FEATURES[kind])
            text = HOLE.sub(self.filled, way.replace("<ctor:", "<.a:"))
            for _ in range(text.count("{m}")):
                text = text.replace("{m}", self.text.module(self), 1)
            text = text.replace("{a}", name).replace("{{", "{").replace("}}", "}")
            self.init += ["        " + line for line in text.splitlines()]
            method = about_models.METHODS.get(kind, "").replace("{a}", name)
            self.methods += ["", *("    " + line for line in method.splitlines())] if method else []
        return name

    def filled(self, hole: re.Match[str]) -> str:
        """Return the text for a hole in a template: a parameter of the constructor, or a definition of the file."""
        return self.text.glob(hole[2]) if hole[1] == "!" else self.constructor(hole[3])

    def constructor(self, type_: str) -> str:
        """Return the name of a parameter of the constructor or, if it gets no more parameters, a value."""
        draw = self.text.draw
        if self.fixed:
            values = [each for each in VALUES[type_] if each != "None"] or ["None"]
            return draw.choice(values)
        same = [name for name, other, _ in self.given if other == type_]
        names = [name for name in _WORDS[type_] if not any(name == each for each, _, _ in self.given)]
        if same and (not names or draw.random() < 0.6):
            return draw.choice(same)
        name = draw.choice(names)
        self.given.append((name, type_, draw.choice(VALUES[type_]) if draw.random() < 0.5 else None))
        return name

    def written(self, base: str) -> list[str]:
        """Return the class as lines."""
        given = [each for each in self.given if each[2] is None] + [each for each in self.given if each[2] is not None]
        words = [
            name + (f": {ANNOTATIONS.get(type_, 'float')}" if self.text.annotated else "")
            + (f"={default}" if default is not None else "")
            for name, type_, default in given
        ]  # fmt: skip
        head = [f"class {self.name}({base}):", *self.body]
        if self.name == "Net" and "Net.LIMIT_" in "\n".join(self.methods):
            head.append("    LIMIT_ = 2")
        if len(head) > 1:
            head.append("")
        start = self.text.draw.choice(["super().__init__()", f"super({self.name}, self).__init__()"])
        init = [f"    def __init__({', '.join(['self', *words])}):", f"        {start}", *self.init]
        return [*head, *init, *self.methods]


class Text:
    """A file while it is generated."""

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed)
        self.names: set[str] = {"x", "self", "t", "F", "np", "math", "torch", "nn", "random", "copy", "time"}
        self.globals: dict[str, None] = {}
        self.functions: list[Function] = []
        self.written: list[list[str]] = []
        self.drawn: set[str] = set()
        self.misannotated = False
        self.block: Class | None = None
        self.annotated = self.draw.random() < 0.15
        self.typed = self.draw.choice([0.0, 0.0, 0.3, 0.8])
        self.count = 0

    def glob(self, name: str) -> str:
        """Add a definition at module level, and those that it needs; return its name."""
        for each in [*NEEDS.get(name, []), name]:
            self.globals[each] = None
        return name

    def module(self, owner: Class) -> str:
        """Return an expression that creates a module."""
        made = self.draw.choice(MODULES)
        if made == "Block()" and (owner.name == "Block" or self.draw.random() < 0.5):
            return "nn.Linear(4, 4)"
        if made == "Block()" and self.block is None:
            self.block = Class(self, "Block", fixed=True)
            forward(self.block, small=True)
            self.written.insert(0, self.block.written("nn.Module"))
        return made

    def call(self, scope: Scope, type_: str, depth: int) -> str:
        """Return a call with a result type, of an existing or a new function; if there are too many functions, another
        expression.
        """
        owned = [
            each for each in self.functions
            if each.returns == type_ and (each.owner is None or each.owner is scope.owner)
        ]  # fmt: skip
        if owned and (scope.nested > 1 or len(owned) > 2 or self.draw.random() < 0.65):
            return self.called(scope, self.draw.choice(owned))
        if scope.nested > 1 or self.count > 4:
            return scope.expression(type_, 0)
        self.count += 1
        owner = scope.owner if self.draw.random() < 0.65 else None
        made = function(self, owner, type_, scope.nested + 1)
        self.functions.append(made)
        return self.called(scope, made)

    def called(self, scope: Scope, function: Function) -> str:
        """Return a call, usually with arguments of the right types."""
        words: list[str] = []
        named = False
        for each in function.parameters:
            if each.default is not None and self.draw.random() < 0.35:
                named = True
                continue
            type_ = each.type
            if self.draw.random() < 0.08:
                type_ = {"I": "F", "F": "I", "T": "OT", "ON": "I", "N": "F", "LI": "LF", "B": "I"}.get(type_, type_)
            value = scope.expression(type_, 0 if self.draw.random() < 0.7 else 1)
            words.append(f"{each.name}={value}" if named else value)
        return f"{function.call}({', '.join(words)})"


def signature(text: Text, scope: Scope, method: bool, returns: str) -> tuple[str, str]:
    """Return a signature from its ``(`` to its ``:``, and a type comment or an empty string."""
    draw = text.draw
    words = ["self"] if method else []
    for each in scope.parameters:
        type_ = ANNOTATIONS[each.type]
        if draw.random() < 0.03:
            type_ = draw.choice(["int", "Tensor", "float", "List[int]"])
        note = draw.random() < text.typed
        text.misannotated |= note and type_ != ANNOTATIONS[each.type]
        word = f"{each.name}: {type_}" if note else each.name
        if each.default is not None:
            word += f" = {each.default}" if note else f"={each.default}"
        words.append(word)
    if scope.variadic:
        words.append("*args")
    if scope.keywords:
        words.append("**kwargs")
    result = ""
    if returns in ANNOTATIONS and draw.random() < text.typed * 0.5:
        result = f" -> {ANNOTATIONS[returns]}"
    comment = ""
    if draw.random() < 0.02 and not scope.variadic and not scope.keywords and text.typed == 0:
        types = ", ".join(ANNOTATIONS[each.type] for each in scope.parameters)
        comment = f"# type: ({types}) -> {ANNOTATIONS.get(returns, 'Tensor')}"
    return f"({', '.join(words)}){result}:", comment


def function(text: Text, owner: Class | None, returns: str, nested: int) -> Function:
    """Create a method of a class, or a function of the file, and return it."""
    draw = text.draw
    scope = Scope(text, owner, returns, nested)
    scope.taken |= {"x"}
    scope.parameters.append(Parameter("x", "T", None))
    scope.variables["x"] = "T"
    for _ in range(draw.choice([0, 1, 1, 2])):
        scope.parameter(draw.choice(["I", "ON", "OT", "N", "B", "S", "LI", "LT", "X", "F"]), default=False)
    name = f"{draw.choice(['_apply', 'helper', 'compute', 'mix', 'get'])}_{text.count}"
    lines = [f"    {line}" for _ in range(draw.randint(1, 3)) for line in scope.statement(1)]
    lines.append(f"    return {scope.result()}")
    head, comment = signature(text, scope, owner is not None, returns)
    whole = [f"def {name}{head}", *([f"    {comment}"] if comment else []), *lines]
    if owner is not None:
        static = not any("self" in line for line in lines) and draw.random() < 0.3
        if static:
            whole = ["@staticmethod", *whole]
            whole[1] = whole[1].replace("(self, ", "(", 1)
        elif draw.random() < 0.03:
            whole = ["@torch.no_grad()", *whole]
        owner.methods += ["", *("    " + line for line in whole)]
        return Function(f"self.{name}", scope.parameters, returns, owner)
    text.written.append(whole)
    return Function(name, scope.parameters, returns)


def forward(owner: Class, small: bool = False, name: str = "forward") -> Scope:
    """Create the method that is called, and return its scope."""
    text, draw = owner.text, owner.text.draw
    static = draw.random() < 0.02
    returns = "T" if small else draw.choices(["T", "P", "LT", "DT", "OT"], [14, 3, 1, 1, 1])[0]
    scope = Scope(text, None if static else owner, returns, 1 if small else 0)
    scope.taken |= {"x", "args", "kwargs"}
    scope.parameters.append(Parameter("x", "T", None))
    scope.variables["x"] = "T"
    if not small:
        scope.variadic = draw.random() < 0.13
        scope.keywords = draw.random() < 0.1
    lines: list[str] = scope.rare() if not small and not static and draw.random() < 0.5 else []
    for _ in range(draw.randint(1, 2) if small else draw.choice([1, 2, 2, 3, 3, 4, 5, 7])):
        lines += scope.statement(0 if small else draw.choice([0, 1, 1, 2]))
    lines += _end(scope)
    if draw.random() < 0.05:
        body = draw.choice(
            ["[p.numel() for p in self.parameters()]", "next(self.parameters()).device", "{1, 2}", "np.ones(2)"]
        )
        owner.methods += ["", "    @property", "    def info(self):", f"        return {body}"]
    if small:
        scope.parameters = [scope.parameters[0], *(each for each in scope.parameters[1:])]
        scope.parameters[1:] = [each._replace(default=each.default or "None") for each in scope.parameters[1:]]
    head, comment = signature(text, scope, not static, returns)
    decorator = ["    @torch.no_grad()"] if draw.random() < 0.02 else ["    @staticmethod"] if static else []
    whole = [*decorator, f"    def {name}{head}", *([f"        {comment}"] if comment else [])]
    owner.methods += ["", *whole, *("        " + line for line in lines)]
    return scope


def _end(scope: Scope) -> list[str]:
    """Return the statements that return a result, which uses most of the computed values."""
    draw = scope.draw
    if scope.returns not in ("T", "P"):
        return [f"return {scope.result()}"]
    terms: list[str] = []
    others: list[str] = []
    for name, type_ in scope.variables.items():
        if name == "x" or draw.random() < 0.35 or any(name == each.name for each in scope.parameters):
            continue
        if type_ in ("T", "I", "F", "N", "V"):
            terms.append(name)
        elif type_ in ("LI", "LT", "DT", "DI", "S", "LF"):
            terms.append(f"len({name})")
            others.append(name)
        elif type_ in ("OT", "ON", "OI", "B", "P"):
            others.append(name)
    last = [name for name, type_ in scope.variables.items() if type_ == "T"]
    whole = " + ".join([draw.choice(last), *terms[:6]])
    if scope.returns == "T":
        return [f"return {whole}"]
    return [f"return {', '.join([whole, *(others[:3] or terms[:1] or ['x'])])}"]


def module(seed: str) -> Made:
    """Return the module of a seed."""
    text = Text(seed)
    draw = text.draw
    style = draw.random()
    net = Class(text, "Net")
    scope = forward(net)
    classes = [net.written("nn.Module")]
    names = ["Net"]
    if style < 0.08:
        net.name = "Base"
        classes = [net.written("nn.Module"), _subclass(draw, scope)]
        names = ["Net", "Base"]
    parts = [GLOBALS[name].splitlines() for name in text.globals] + text.written + classes
    whole = PRELUDE + "".join("\n\n" + "\n".join(part) + "\n" for part in parts)
    return Made(
        whole,
        arguments.builds(draw, net.given, names),
        arguments.calls(draw, scope),
        frozenset(text.drawn),
        text.misannotated,
    )


def _subclass(draw: random.Random, scope: Scope) -> list[str]:
    head = "    def forward(self, x, *args, **kwargs):" if draw.random() < 0.3 else None
    words = [each.name + (f"={each.default}" if each.default is not None else "") for each in scope.parameters]
    given = [each.name for each in scope.parameters]
    if scope.variadic or scope.keywords or head:
        head, given = "    def forward(self, x, *args, **kwargs):", ["x", "*args", "**kwargs"]
    head = head or f"    def forward({', '.join(['self', *words])}):"
    call = draw.choice(["super().forward", "super(Net, self).forward", "Base.forward"])
    given = (["self"] if call == "Base.forward" else []) + given
    ways = [["        x = x + 1"], ["        if self.training:", "            x = x * 2"], []]
    return ["class Net(Base):", head, *draw.choice(ways), f"        return {call}({', '.join(given)})"]
