"""Writes the beginning of a random program: the imports, constants, classes and functions that the program uses."""

from __future__ import annotations

import re

IMPORTS = {
    "np": "import numpy as np",
    "enum": "import enum",
    "math": "import math",
    "F": "import torch.nn.functional as F",
    "nn": "from torch import nn",
    "LIMIT": "LIMIT = 3",
    "SETTINGS": "SETTINGS = {'a': 1}",
}
ALWAYS = """from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union
import torch
from torch import Tensor
"""
TYPES = {
    "Point": """class Point(NamedTuple):
    x: int
    y: Tensor
""",
    "Color": """class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
""",
    "Counter": """class Counter:
    def __init__(self, start: int):
        self.count = start

    def up(self, by: int) -> int:
        self.count += by
        return self.count
""",
    "twice": """def twice(x: Tensor, by: int = 2) -> Tensor:
    return x * by
""",
    "either": """@torch.jit._overload
def either(v: int) -> int:
    pass


@torch.jit._overload
def either(v: str) -> str:
    pass


def either(v):
    return v
""",
    "Shape": """@torch.jit.interface
class Shape:
    def area(self, x: Tensor) -> Tensor:
        pass
""",
    "Square": """class Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, x: Tensor) -> Tensor:
        return x * self.side
""",
    "Strip": """class Strip:
    def __init__(self):
        self.wide = True

    def area(self, x: Tensor) -> Tensor:
        return x
""",
    "Thing": """class Thing:
    def __init__(self, *args):
        self.args = args
""",
}


def with_prelude(text: str) -> str:
    """Return a program's text with the imports, constants, classes and functions that it names."""
    names = set(re.findall(r"\w+", text))
    types = [body for name, body in TYPES.items() if name in names]
    if "Color" in names:
        names.add("enum")
    head = ALWAYS + "".join(line + "\n" for name, line in IMPORTS.items() if name in names)
    return head + "".join("\n\n" + body for body in types) + text
