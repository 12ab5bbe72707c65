"""Generates random Python programs, mostly from code that TorchScript compiles."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from hypothesis import strategies as st

HEAD = """\
import math
from typing import *
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

"""
NAMES = st.sampled_from(
    ["x", "y", "z", "self", "i", "f", "g", "Net", "Other", "torch", "mod", "items", "print", "len", "_"]
)
FIELDS = st.sampled_from(
    ["weight", "mods", "a", "size", "shape", "append", "forward", "T", "__class__", "training", "b"]
)
CONSTANTS = st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "2.5",
        "1j",
        "True",
        "None",
        "...",
        "'é'",
        "b'x'",
        "f'{x!r:>{y}}'",
        "'a' 'b'",
        "1_000",
        "0x10",
        '""',
    ]
)
CALLS = st.sampled_from(
    [
        "torch.relu",
        "F.linear",
        "torch.cat",
        "self.mods",
        "super().forward",
        "super",
        "isinstance",
        "range",
        "zip",
        "enumerate",
        "torch.jit.annotate",
        "torch.jit.script",
        "torch.jit.is_scripting",
        "getattr",
        "hasattr",
        "int",
        "list",
        "dict",
        "max",
        "nn.Linear",
        "nn.ModuleList",
        "nn.Sequential",
        "torch.zeros",
        "x.view",
        "x.append",
        "math.sqrt",
        "np.array",
        "Other",
    ]
)


def nested(
    leaves: st.SearchStrategy[str], more: Callable[[st.SearchStrategy[str]], st.SearchStrategy[str]], depth: int = 3
) -> st.SearchStrategy[str]:
    """Return a strategy like ``st.recursive``, limited by depth: a limit of leaves draws most values repeatedly."""
    level = leaves
    for _ in range(depth):
        # Drawn from a list, because joining by `|` would make leaves very rare.
        level = st.sampled_from([leaves, more(level)]).flatmap(lambda chosen: chosen)
    return level


TYPES = nested(
    st.sampled_from(
        ["int", "Tensor", "None", "str", "'int'", "Any", "np.ndarray", "Net", "torch.device", "List", "x", "...", "1"]
    ),
    lambda inner: st.one_of(
        st.builds(
            "{}[{}]".format, st.sampled_from(["List", "Optional", "Final", "torch.jit.Final", "list", "Tuple"]), inner
        ),
        st.builds("{}[{}, {}]".format, st.sampled_from(["Dict", "Tuple", "Union", "Callable"]), inner, inner),
        st.builds("{} | {}".format, inner, inner),
    ),
)


def _several(inner: st.SearchStrategy[str], most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(inner, max_size=most).map(", ".join)


EXPRESSIONS = nested(
    NAMES | CONSTANTS,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+ - * @ / // % ** << & | ^ and or".split()), inner),
        st.builds(
            "({} {} {})".format, inner, st.sampled_from(["<", "==", "is", "is not", "in", "not in", "!="]), inner
        ),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~", "not "]), inner),
        st.builds("{}.{}".format, NAMES, FIELDS),
        st.builds("({}).{}".format, inner, FIELDS),
        st.builds("{}({})".format, CALLS, _several(inner)),
        st.builds("{}({}, *{}, **{})".format, CALLS, inner, inner, inner),
        st.builds("{}(a={})".format, CALLS, inner),
        st.builds("({})({})".format, inner, _several(inner)),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({})[{}:{}, ..., ::-1]".format, inner, inner, inner),
        st.builds("[{}]".format, _several(inner)),
        st.builds("({},)".format, inner),
        st.builds("{{{}: {}, **{}}}".format, inner, inner, inner),
        st.builds("{{{}}}".format, inner),
        st.builds("[{} for {} in {} if {}]".format, inner, NAMES, inner, inner),
        st.builds("{{{}: {} for i, j in {}}}".format, inner, inner, inner),
        st.builds("sum({} for i in {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("(lambda x, *y: {})".format, inner),
        st.builds("(w := {})".format, inner),
        st.builds("f'{{{}}}'".format, NAMES),
    ),
)
TARGETS = st.one_of(
    NAMES,
    st.builds("self.{}".format, FIELDS),
    st.builds("{}, {}".format, NAMES, NAMES),
    st.builds("{}[{}]".format, NAMES, NAMES),
    st.builds("{}, *{}".format, NAMES, NAMES),
    st.builds("({}, ({}, self.{}))".format, NAMES, NAMES, FIELDS),
)
_SIMPLE = st.one_of(
    st.builds("{} = {}".format, TARGETS, EXPRESSIONS),
    st.builds("{}: {} = {}".format, NAMES, TYPES, EXPRESSIONS),
    st.builds("self.{}: {} = {}".format, FIELDS, TYPES, EXPRESSIONS),
    st.builds("{}: {}".format, NAMES, TYPES),
    st.builds("{} = []  # type: {}".format, NAMES, TYPES),
    st.builds("{} {}= {}".format, NAMES, st.sampled_from("+ - * / // % | &".split()), EXPRESSIONS),
    st.builds("self.{} = {}({})".format, FIELDS, CALLS, _several(EXPRESSIONS)),
    EXPRESSIONS,
    st.builds("return {}".format, EXPRESSIONS),
    st.builds("assert {}, {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("raise ValueError({})".format, EXPRESSIONS),
    st.builds("del {}".format, NAMES),
    st.builds("global {}".format, st.sampled_from(["Net", "items"])),
    st.sampled_from(
        ["pass", "return", "super().__init__()", "import os", "from torch import nn as n", "yield", "x = yield x"]
    ),
    st.sampled_from(["pass  # tslint: ignore", "x = +x  # tslint: ignore[TS122, nope]", "# tslint: off", "'''text'''"]),
)


def _indented(lines: list[str]) -> str:
    return textwrap.indent("\n".join([*lines, "pass"]), "    ")


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(_indented)
    return st.one_of(
        st.builds("if {}:\n{}".format, EXPRESSIONS, body),
        st.builds("if {}:\n{}\nelif {}:\n{}\nelse:\n{}".format, EXPRESSIONS, body, EXPRESSIONS, body, body),
        st.builds("for {} in {}:\n{}".format, TARGETS, EXPRESSIONS, body),
        st.builds("for {} in {}:\n{}\nelse:\n{}".format, TARGETS, EXPRESSIONS, body, body),
        st.builds("while {}:\n{}".format, EXPRESSIONS, body),
        st.builds("while {}:\n    if {}:\n        break\n    continue\n{}".format, EXPRESSIONS, EXPRESSIONS, body),
        st.builds("with torch.no_grad():\n{}".format, body),
        st.builds("with {} as {}:\n{}".format, EXPRESSIONS, NAMES, body),
        st.builds("try:\n{}\nexcept ValueError as e:\n{}\nfinally:\n{}".format, body, body, body),
        st.builds("def g(x, y={}):\n{}".format, EXPRESSIONS, body),
        st.builds("class Inner:\n{}".format, body),
        st.builds("match {}:\n    case [x, *_]:\n        pass\n    case _:\n        pass".format, EXPRESSIONS),
    )


STATEMENTS = nested(_SIMPLE, _blocks)
BODIES = st.lists(STATEMENTS, min_size=1, max_size=4).map(_indented)
PARAMETERS = st.sampled_from(
    [
        "x",
        "x, y",
        "x: Tensor",
        "x: Optional[int] = None",
        "x, /, y=1",
        "x, *, y: int = None",
        "*x",
        "**x",
        "x: List = []",
        "",
    ]
)
DECORATORS = st.sampled_from(
    [
        "",
        "",
        "",
        "@torch.jit.script\n",
        "@torch.jit.export\n",
        "@torch.jit.ignore\n",
        "@torch.jit.unused\n",
        "@property\n",
        "@staticmethod\n",
        "@classmethod\n",
        "@torch.no_grad()\n",
        "@f\n",
        "@torch.jit.script_method\n",
        "@x.setter\n",
    ]
)
FUNCTIONS = st.builds(
    "{}{}def {}({}){}:\n{}\n".format,
    DECORATORS,
    st.sampled_from(["", "", "", "async "]),
    st.sampled_from(["f", "g", "h"]),
    PARAMETERS,
    st.just("") | TYPES.map(" -> {}".format),
    BODIES,
)
METHODS = st.builds(
    "{}def {}(self, {}){}:\n{}\n".format,
    DECORATORS,
    st.sampled_from(["forward", "forward", "__init__", "__init__", "f", "a", "__getattr__", "__len__", "__getitem__"]),
    PARAMETERS,
    st.just("") | TYPES.map(" -> {}".format),
    BODIES,
)
BASES = st.sampled_from(
    [
        "nn.Module",
        "nn.Module",
        "nn.Module",
        "Net",
        "Other",
        "nn.Sequential",
        "nn.ModuleList",
        "NamedTuple",
        "Enum",
        "",
        "nn.Module, Net",
        "object",
        "Generic[T]",
        "torch.autograd.Function",
        "nn.Module, metaclass=M",
        "*x",
        "f()",
    ]
)
MEMBERS = (
    METHODS
    | st.builds("{}: {} = {}\n".format, FIELDS, TYPES, EXPRESSIONS)
    | st.builds("__constants__ = [{}]\n".format, EXPRESSIONS)
)
CLASSES = st.builds(
    "{}class {}({}):\n{}\n".format,
    st.sampled_from(["", "", "@torch.jit.script\n", "@dataclass\n", "@f\n"]),
    st.sampled_from(["Net", "Net", "Other"]),
    BASES,
    st.lists(MEMBERS, min_size=1, max_size=4).map(_indented),
)
_NET = """\
class Net(nn.Module):
    def __init__(self, y=1):
        super().__init__()
        self.mods = nn.ModuleList([nn.Linear(3, 3), nn.ReLU()])
        self.weight = nn.Parameter(torch.zeros(3))
{}

    def forward(self, {}){}:
{}

    def f(self, {}):
{}
"""
# A class that is certainly compiled, whatever the rest of the file contains.
NETS = st.builds(
    _NET.format,
    BODIES.map(lambda body: textwrap.indent(body, "    ")),
    PARAMETERS,
    st.just("") | TYPES.map(" -> {}".format),
    BODIES.map(lambda body: textwrap.indent(body, "    ")),
    PARAMETERS,
    BODIES.map(lambda body: textwrap.indent(body, "    ")),
)
_PARTS = st.lists(
    CLASSES
    | FUNCTIONS
    | STATEMENTS
    | st.builds("torch.jit.{}({}({}))\n".format, st.sampled_from(["script", "trace"]), NAMES, _several(EXPRESSIONS)),
    max_size=3,
)
PROGRAMS = st.builds(lambda parts, net, more: "\n".join([HEAD, *parts, net, *more, ""]), _PARTS, NETS, _PARTS)
